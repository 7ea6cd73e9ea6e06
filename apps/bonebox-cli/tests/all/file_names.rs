//! Names and paths that some systems treat in their own way, and line ends of other systems.

use crate::program::{bonebox, told};
use std::fs;
use std::path::Path;
use test_models::box_man;

fn folder_with(name: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), box_man().to_glb()).unwrap();
    folder
}

/// The bytes of the man's bake with these settings.
fn baked_man(settings: &str) -> Vec<u8> {
    let folder = folder_with("man.glb");
    fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    let output = bonebox(folder.path(), &["bake", "man.glb", "--quiet"]);
    assert!(output.status.success(), "{}", told(&output));
    fs::read(folder.path().join("man.bonebox")).unwrap()
}

#[test]
fn letters_of_every_script() {
    let name = "Mädchen 少女 девушка \u{1f5e1}";
    let folder = folder_with(&format!("{name}.glb"));
    fs::write(folder.path().join("bonebox.toml"), format!("[characters.\"{name}\"]\nmargin = 0.01\n")).unwrap();
    let output = bonebox(folder.path(), &["bake", ".", "--jobs", "1"]);
    assert!(output.status.success(), "{}", told(&output));
    assert!(told(&output).contains(name), "{}", told(&output));
    let bytes = fs::read(folder.path().join(format!("{name}.bonebox"))).unwrap();
    let options = baked_format::read(&bytes).unwrap().options;
    assert!(options.iter().any(|(key, value)| key == "margin" && value == "0.01"), "{options:?}");
}

/// A character whose file, joints, clips and mesh have line breaks and escape sequences of a terminal in their names.
#[cfg(unix)]
#[test]
fn control_characters_in_names_are_escaped() {
    let mut man = box_man();
    for joint in &mut man.joints {
        joint.name = format!("a\n\u{1b}[31m{}", joint.name);
    }
    for clip in &mut man.clips {
        clip.name = format!("\r\u{9b}1m{}", clip.name);
    }
    let folder = tempfile::tempdir().unwrap();
    let name = "new\nline \u{1b}[31m";
    fs::write(folder.path().join(format!("{name}.glb")), man.to_glb()).unwrap();
    fs::write(folder.path().join("b\nroken.glb"), b"glTF").unwrap();
    let (glb, baked) = (format!("{name}.glb"), format!("{name}.bonebox"));
    let (glb, baked) = (glb.as_str(), baked.as_str());
    let commands: [&[&str]; 11] = [
        &["bake", ".", "--jobs", "1"],
        &["bake", glb, "--force", "--compare"],
        &["bake", ".", "--check"],
        &["inspect", baked],
        &["bake", glb, "-o", "o\nther", "--fit", "joint-axes", "--no-compare"],
        &["diff", baked, &format!("o\nther/{baked}"), "--over", "0"],
        &["diff", baked, "b\nroken.glb"],
        &["duel", baked, glb, "--distance", "0.1", "--clip-a", "0", "--seconds", "0"],
        &["duel", baked, glb, "--clip-a", "no\nclip"],
        &["export", glb, "--to", "omi"],
        &["init", "."],
    ];
    for arguments in commands {
        let output = bonebox(folder.path(), arguments);
        let told = told(&output);
        assert_ne!(output.status.code(), Some(101), "{arguments:?}: {told}");
        let is_raw = |letter: char| letter.is_control() && letter != '\n';
        assert!(
            !told.contains(is_raw) && !told.contains("new\nline") && !told.contains("a\n"),
            "{arguments:?}: {told}"
        );
        assert!(told.contains(r"\n") && !told.contains(r"\\n"), "{arguments:?}: {told}");
    }
    let broken = told(&bonebox(folder.path(), &["bake", "."]));
    assert!(broken.contains(r" b\nroken.glb ") && broken.contains(r" new\nline "), "{broken}");
    // The settings file that `init` wrote can be read, and the line breaks of an error with an excerpt stay.
    assert!(bonebox(folder.path(), &["bake", glb, "--no-compare"]).status.success());
    fs::write(folder.path().join("bonebox.toml"), "margin = \"\n").unwrap();
    let error = told(&bonebox(folder.path(), &["bake", glb]));
    assert!(error.contains("bonebox.toml:1:") && error.contains("\n  1 | margin"), "{error}");
}

/// 20 folders of 20 letters: longer than the 260 letters that Windows takes without further ado.
#[test]
fn a_path_of_four_hundred_letters() {
    let root = tempfile::tempdir().unwrap();
    // The full path as Windows writes it: folders cannot be made by a long path in another form.
    let deep = fs::canonicalize(root.path()).unwrap().join("a_folder_of_a_project/".repeat(20).trim_end_matches('/'));
    let deep: std::path::PathBuf = deep.components().collect();
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("man.glb"), box_man().to_glb()).unwrap();
    let plain = deep.to_str().unwrap().trim_start_matches(r"\\?\").to_owned();
    for arguments in [["bake", plain.as_str(), "--quiet"], ["bake", ".", "--quiet"]] {
        let output = bonebox(root.path(), &[&arguments[..], &["--force"]].concat());
        assert!(output.status.success(), "{}", told(&output));
    }
    assert!(fs::read(deep.join("man.bonebox")).unwrap() == baked_man(""));
    assert_eq!(fs::read_dir(&deep).unwrap().count(), 3);
}

/// Windows takes these names for devices in every folder; elsewhere, they are files that do not exist.
#[test]
fn names_of_devices_are_no_characters() {
    let folder = folder_with("man.glb");
    for name in ["CON", "NUL", "aux.glb", "COM1.glb"] {
        let output = bonebox(folder.path(), &["bake", name]);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", told(&output));
        assert!(told(&output).contains(name), "{name}: {}", told(&output));
        assert!(!told(&output).contains("panicked"), "{name}: {}", told(&output));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");
}

#[test]
fn settings_with_the_line_ends_of_windows() {
    let settings = "margin = 0.01\n\n# a comment\n[tags]\nhead = \"head\"\n\"shin*\" = \"leg\"\n";
    assert!(baked_man(settings) == baked_man(&settings.replace('\n', "\r\n")));
    let folder = folder_with("man.glb");
    let settings = folder.path().join("bonebox.toml");
    fs::write(&settings, "margin = 0.01\r\n\r\n[joints.haed]\r\nskip = true\r\n").unwrap();
    let output = told(&bonebox(folder.path(), &["bake", "man.glb"]));
    assert!(output.contains("bonebox.toml:3:"), "{output}");
    // A line that a command adds ends as the others do.
    fs::write(&settings, "# ours\r\nmargin = 0.01\r\n").unwrap();
    fs::write(folder.path().join("man.qc"), "$hbox 1 \"head\" -4 0 -4 4 8 4\r\n").unwrap();
    let output = bonebox(folder.path(), &["import", "man.qc"]);
    assert!(output.status.success(), "{}", told(&output));
    let text = fs::read_to_string(&settings).unwrap();
    assert!(text.starts_with("# ours\r\nmargin = 0.01\r\n") && text.contains("head"), "{text:?}");
    let lone = text.matches('\n').count() - text.matches("\r\n").count();
    assert_eq!(lone, 0, "{text:?}");
    assert!(bonebox(folder.path(), &["bake", "man.glb"]).status.success());
}

/// A path with a drive letter, with backslashes, and with both kinds of slashes.
#[cfg(windows)]
#[test]
fn every_way_to_write_a_path() {
    let folder = folder_with("man.glb");
    fs::create_dir(folder.path().join("out")).unwrap();
    let full = folder.path().to_str().unwrap().to_owned();
    assert_eq!(full.as_bytes()[1], b':', "{full}");
    let drive = &full[..2];
    let ways = [
        full.clone(),
        full.replace('\\', "/"),
        format!(r"{full}\man.glb"),
        format!(r"{full}\out/..\man.glb"),
        format!(r"\\?\{full}\man.glb"),
        // Without a folder, a drive letter means the current folder of that drive.
        format!("{drive}man.glb"),
        full[2..].to_owned(),
        r".\man.glb".to_owned(),
    ];
    for way in &ways {
        let output = bonebox(folder.path(), &["bake", way, "--quiet", "-o", r"out\below", "--force"]);
        assert!(output.status.success(), "{way}: {}", told(&output));
        let bytes = fs::read(folder.path().join(r"out\below\man.bonebox")).unwrap();
        assert!(bytes == baked_man(""), "{way}");
        fs::remove_dir_all(folder.path().join(r"out\below")).unwrap();
    }
}

/// A settings file above the working folder is shown with a path that other programs can open.
#[test]
fn a_settings_file_above_is_shown_by_a_usual_path() {
    let folder = folder_with("bonebox.toml");
    let below = folder.path().join("below");
    fs::create_dir(&below).unwrap();
    fs::write(below.join("man.glb"), box_man().to_glb()).unwrap();
    fs::write(folder.path().join("bonebox.toml"), "presett = 1\n").unwrap();
    let output = told(&bonebox(&below, &["bake", "man.glb"]));
    let line = output.lines().find(|line| line.contains("bonebox.toml:1:1")).unwrap_or_else(|| panic!("{output}"));
    let start = line.find("bonebox.toml").unwrap();
    assert!(!line.contains(r"\\?\") && Path::new(&line[..start].replace("error: ", "")).is_absolute(), "{line}");
}
