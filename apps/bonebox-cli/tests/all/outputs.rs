//! Where a bake writes: assets with one output, spellings of paths, links, and the rights of files.

use crate::program::{bonebox, told};
use std::fs;
use std::path::Path;
use test_models::{box_limb, box_man};

/// A folder with the same character as `man.glb` and `man.gltf`, and an empty folder `x`.
fn two_forms() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("x")).unwrap();
    fs::write(folder.path().join("man.glb"), box_man().to_glb()).unwrap();
    fs::write(folder.path().join("man.gltf"), box_man().to_gltf().to_embedded()).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Two assets with one output are refused before one of them is baked, however their paths are written.
#[test]
fn two_assets_with_one_output_are_both_refused() {
    let folder = two_forms();
    let full = folder.path().join("x/../man.gltf");
    for paths in [
        ["man.glb", "man.gltf"],
        ["./man.glb", "man.gltf"],
        ["man.glb", "x/../man.gltf"],
        ["x/.././man.glb", full.to_str().unwrap()],
    ] {
        for out in [&[][..], &["-o", "out"], &["--check"]] {
            let output = bonebox(folder.path(), &[&["bake"], &paths[..], out].concat());
            let told = told(&output);
            assert_eq!(output.status.code(), Some(1), "{paths:?}: {told}");
            for [one, other] in [[paths[0], paths[1]], [paths[1], paths[0]]] {
                assert!(told.contains(&format!("error: {one}: {other} would write the same ")), "{paths:?}: {told}");
            }
            assert!(!names(folder.path()).iter().any(|name| name.contains(".bonebox")), "{told}");
            assert!(!folder.path().join("out/man.bonebox").exists(), "{told}");
        }
    }
    // Other assets of the run are baked.
    fs::write(folder.path().join("limb.glb"), box_limb().to_glb()).unwrap();
    assert_eq!(bonebox(folder.path(), &["bake", "."]).status.code(), Some(1));
    let outputs = names(folder.path()).into_iter().filter(|name| name.contains(".bonebox"));
    assert_eq!(outputs.collect::<Vec<_>>(), ["limb.bonebox", "limb.bonebox.json"]);
}

#[test]
fn one_asset_with_several_spellings_is_baked_once() {
    let folder = two_forms();
    fs::remove_file(folder.path().join("man.gltf")).unwrap();
    let full = folder.path().join("man.glb");
    let paths = ["man.glb", "./man.glb", "x/../man.glb", ".", full.to_str().unwrap()];
    let output = bonebox(folder.path(), &[&["bake", "--json"], &paths[..]].concat());
    let told = told(&output);
    assert!(output.status.success(), "{told}");
    assert!(told.contains(r#""baked":1,"stored":0,"unchanged":0"#), "{told}");
    // On a file system that folds letter case, a name in other letters is the same file.
    if folder.path().join("MAN.GLB").exists() {
        let output = bonebox(folder.path(), &["bake", "--json", "man.glb", "MAN.GLB"]);
        assert!(output.status.success());
        assert!(String::from_utf8_lossy(&output.stdout).contains(r#""baked":0,"unchanged":1"#));
    }
}

#[cfg(unix)]
mod unix {
    use super::names;
    use crate::program::{bonebox, told};
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::path::Path;
    use std::process::Command;
    use test_models::box_man;

    const OTHER: &[&str] = &["bake", "man.glb", "--quiet", "--fit", "joint-axes"];

    fn folder_with_man() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("man.glb"), box_man().to_glb()).unwrap();
        folder
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    /// Runs the program in a shell with this umask.
    fn with_umask(folder: &Path, umask: &str, arguments: &[&str]) {
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"umask "$1"; shift; exec "$@""#, "sh", umask, env!("CARGO_BIN_EXE_bonebox")]);
        assert!(shell.args(arguments).current_dir(folder).status().unwrap().success());
    }

    #[test]
    fn new_files_have_the_rights_that_the_umask_gives() {
        for (umask, expected) in [("077", 0o600), ("027", 0o640), ("002", 0o664), ("022", 0o644)] {
            let folder = folder_with_man();
            with_umask(folder.path(), umask, &["bake", "man.glb", "--quiet"]);
            for name in ["man.bonebox", "man.bonebox.json"] {
                assert_eq!(mode(&folder.path().join(name)), expected, "{name} with umask {umask}");
            }
        }
    }

    #[test]
    fn a_replaced_file_keeps_its_rights() {
        let folder = folder_with_man();
        let (binary, json) = (folder.path().join("man.bonebox"), folder.path().join("man.bonebox.json"));
        with_umask(folder.path(), "022", &["bake", "man.glb", "--quiet"]);
        fs::set_permissions(&binary, fs::Permissions::from_mode(0o664)).unwrap();
        fs::set_permissions(&json, fs::Permissions::from_mode(0o600)).unwrap();
        // Only root can give the file to another group without being a member of that group.
        let other_group = std::os::unix::fs::chown(&binary, None, Some(65_534)).is_ok();
        let before = fs::read(&binary).unwrap();
        with_umask(folder.path(), "022", OTHER);
        assert!(fs::read(&binary).unwrap() != before);
        assert_eq!((mode(&binary), mode(&json)), (0o664, 0o600));
        if other_group {
            assert_eq!(fs::metadata(&binary).unwrap().gid(), 65_534);
        }
    }

    /// Files that may not be written, such as those of a checkout of Perforce, are not replaced.
    #[test]
    fn a_read_only_output_is_not_replaced() {
        let folder = folder_with_man();
        assert!(bonebox(folder.path(), &["bake", "man.glb", "--quiet"]).status.success());
        let paths = ["man.bonebox", "man.bonebox.json"].map(|name| folder.path().join(name));
        let before = paths.each_ref().map(|path| fs::read(path).unwrap());
        for path in &paths {
            fs::set_permissions(path, fs::Permissions::from_mode(0o444)).unwrap();
            let output = bonebox(folder.path(), OTHER);
            let name = path.file_name().unwrap().to_str().unwrap();
            let expected = format!("cannot write {name}: the file is read-only; make it writable");
            assert!(output.status.code() == Some(1) && told(&output).contains(&expected), "{}", told(&output));
            assert!(paths.each_ref().map(|path| fs::read(path).unwrap()) == before, "{name} is read-only");
            assert_eq!(names(folder.path()), ["man.bonebox", "man.bonebox.json", "man.glb"]);
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        }
    }

    #[test]
    fn an_output_that_is_a_link_stays_a_link() {
        let (folder, elsewhere) = (folder_with_man(), tempfile::tempdir().unwrap());
        fs::create_dir(elsewhere.path().join("store")).unwrap();
        let (stored, link) = (elsewhere.path().join("store/stored"), folder.path().join("man.bonebox"));
        // A link to a link, by a path relative to the folder of the first link, to a file that does not exist yet.
        symlink(elsewhere.path().join("second"), &link).unwrap();
        symlink("store/stored", elsewhere.path().join("second")).unwrap();
        for arguments in [&["bake", "man.glb", "--quiet"][..], OTHER] {
            // The temporary file of a killed bake is beside the file that the link leads to.
            fs::write(elsewhere.path().join("store/.bonebox-dead.part"), b"half a bake").unwrap();
            assert!(bonebox(folder.path(), arguments).status.success());
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            let json = fs::read_to_string(folder.path().join("man.bonebox.json")).unwrap();
            let baked = baked_format::read(&fs::read(&stored).unwrap()).unwrap();
            assert_eq!(json, baked_format::to_json(&baked), "the link has the new content");
            assert_eq!(names(&elsewhere.path().join("store")), ["stored"]);
        }
        assert_eq!(names(folder.path()), ["man.bonebox", "man.bonebox.json", "man.glb"]);

        // A link in a circle is an error, and two outputs that lead to one file are one output.
        let circle = folder.path().join("limb.bonebox");
        symlink("limb.bonebox", &circle).unwrap();
        fs::write(folder.path().join("limb.glb"), test_models::box_limb().to_glb()).unwrap();
        let output = bonebox(folder.path(), &["bake", "limb.glb", "--quiet"]);
        assert!(told(&output).contains("limb.bonebox: its links lead in a circle"), "{}", told(&output));
        fs::remove_file(&circle).unwrap();
        symlink(&stored, &circle).unwrap();
        let output = bonebox(folder.path(), &["bake", ".", "--quiet"]);
        assert!(told(&output).contains("./limb.glb: ./man.glb would write the same "), "{}", told(&output));
    }

    /// An output that is no regular file is written, not replaced: as root, `-o /dev/null` replaced the device.
    #[test]
    fn a_pipe_as_output_is_written() {
        let folder = folder_with_man();
        let pipe = folder.path().join("pipe.svg");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        let output = bonebox(folder.path(), &["draw", "man.glb", "-o", "pipe.svg"]);
        assert!(output.status.success(), "{}", told(&output));
        assert!(!reader.join().unwrap().is_empty());
        assert!(!fs::symlink_metadata(&pipe).unwrap().is_file());
    }

    /// A pipe with the name of an asset would block a bake forever.
    #[test]
    fn only_regular_files_are_assets() {
        let folder = folder_with_man();
        assert!(Command::new("mkfifo").arg(folder.path().join("pipe.glb")).status().unwrap().success());
        symlink("/dev/zero", folder.path().join("zero.gltf")).unwrap();
        assert!(bonebox(folder.path(), &["bake", ".", "--quiet"]).status.success());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
        for name in ["pipe.glb", "zero.gltf"] {
            let output = bonebox(folder.path(), &["bake", name, "--quiet"]);
            let expected = "it is not a regular file";
            assert!(output.status.code() == Some(1) && told(&output).contains(expected), "{}", told(&output));
        }
    }
}
