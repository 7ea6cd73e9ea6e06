//! Tests the program as its users call it: its output, its files and its exit codes.

use crate::program::{bonebox, told};
use std::fs;
use std::path::{Path, PathBuf};

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets")
}

/// A folder with copies of the authored characters.
fn characters(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        fs::copy(assets().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut files: Vec<String> = entries.collect();
    files.sort();
    files
}

#[test]
fn help_of_every_command() {
    let commands = [
        "",
        "bake",
        "init",
        "import",
        "inspect",
        "diff",
        "duel",
        "frames",
        "explain",
        "live",
        "perform",
        "import-motion",
        "draw",
        "export",
        "view",
        "report",
        "completions",
        "man",
    ];
    for command in commands {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let name = if command.is_empty() { "help" } else { command };
        insta::assert_snapshot!(format!("help_{name}"), told(&bonebox(Path::new("."), &arguments)));
    }
}

#[test]
fn bakes_a_folder_then_finds_nothing_to_do() {
    let folder = characters(&["runa.glb", "hound.glb"]);
    let first = bonebox(folder.path(), &["bake", ".", "--jobs", "1"]);
    insta::assert_snapshot!("bake_folder", told(&first));
    let written = files(folder.path());
    assert_eq!(
        written,
        ["hound.bonebox", "hound.bonebox.json", "hound.glb", "runa.bonebox", "runa.bonebox.json", "runa.glb"]
    );
    let again = bonebox(folder.path(), &["bake", ".", "--jobs", "1"]);
    assert!(told(&again).contains("unchanged"), "{}", told(&again));
    let check = bonebox(folder.path(), &["bake", ".", "--check"]);
    assert!(check.status.success(), "{}", told(&check));

    // Git may change line endings. The message says how to keep them.
    let json = folder.path().join("runa.bonebox.json");
    let text = fs::read_to_string(&json).unwrap();
    fs::write(&json, text.replace('\n', "\r\n")).unwrap();
    let check = bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(told(&check).contains("only in its line endings"), "{}", told(&check));
    fs::write(&json, text).unwrap();

    let moved = json.with_extension("moved");
    fs::rename(&json, &moved).unwrap();
    let check = bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]);
    assert!(told(&check).contains("runa.bonebox.json does not exist"), "{}", told(&check));
    fs::rename(&moved, &json).unwrap();

    // Other options give other boxes, and --check notices a changed file.
    let other = bonebox(folder.path(), &["bake", ".", "--fit", "joint-axes", "--quiet"]);
    assert_eq!(told(&other), "exit code 0\n--- stdout\n--- stderr\n");
    let check = bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]);
    insta::assert_snapshot!("check_differs", told(&check));
    // A file with the right options and other bytes.
    let binary = folder.path().join("hound.bonebox");
    let mut bytes = fs::read(&binary).unwrap();
    let _ = bytes.pop();
    fs::write(&binary, bytes).unwrap();
    let check = bonebox(folder.path(), &["bake", "hound.glb", "--check", "--quiet", "--fit", "joint-axes"]);
    let error = told(&check);
    assert!(error.contains("differs from a fresh bake of its source; bake again"), "{error}");
}

#[test]
fn one_and_many_threads_write_the_same_bytes() {
    let folder = characters(&["runa.glb", "hound.glb"]);
    for (jobs, out) in [("1", "one"), ("8", "eight")] {
        assert!(bonebox(folder.path(), &["bake", ".", "--jobs", jobs, "-o", out]).status.success());
    }
    let names = files(&folder.path().join("one"));
    assert_eq!(names.len(), 4);
    for name in names {
        let read = |out: &str| fs::read(folder.path().join(out).join(&name)).unwrap();
        assert!(read("one") == read("eight"), "{name}");
    }
}

#[test]
fn checked_in_bakes_are_up_to_date() {
    let check = bonebox(&assets(), &["bake", ".", "--check", "--quiet"]);
    assert!(check.status.success(), "run `cargo xtask bake assets`: {}", told(&check));
}

#[test]
fn one_bad_file_does_not_stop_the_rest() {
    let folder = characters(&["hound.glb"]);
    fs::write(folder.path().join("broken.glb"), b"glTF\x02\0\0\0").unwrap();
    for name in ["twin.glb", "twin.gltf"] {
        fs::write(folder.path().join(name), b"{}").unwrap();
    }
    let output = bonebox(folder.path(), &["bake", ".", "--jobs", "1"]);
    insta::assert_snapshot!("bad_files", told(&output));
    let expected = ["broken.glb", "hound.bonebox", "hound.bonebox.json", "hound.glb", "twin.glb", "twin.gltf"];
    assert_eq!(files(folder.path()), expected);
}

/// A path that does not exist is a failed file. One file with two paths is one asset.
#[test]
fn a_missing_path_does_not_stop_the_rest_and_a_repeated_path_counts_once() {
    let folder = characters(&["hound.glb"]);
    let output = bonebox(folder.path(), &["bake", "nothere.glb", "hound.glb", "./hound.glb", "--jobs", "1"]);
    insta::assert_snapshot!("missing_and_repeated", told(&output));
    assert_eq!(files(folder.path()), ["hound.bonebox", "hound.bonebox.json", "hound.glb"]);
    let json = bonebox(folder.path(), &["bake", "nothere", ".", "hound.glb", "--json"]);
    let lines: Vec<serde_json::Value> =
        std::str::from_utf8(&json.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = |index: usize| [&lines[index]["path"], &lines[index]["result"]].map(|one| one.as_str().unwrap());
    assert_eq!((lines.len(), told(0), told(1)), (3, ["hound.glb", "unchanged"], ["nothere", "failed"]), "{lines:?}");
    assert_eq!((&lines[2]["unchanged"], &lines[2]["failed"]), (&1.into(), &1.into()), "{lines:?}");
    // The missing path is the first problem, even if there is a settings file already.
    fs::write(folder.path().join("bonebox.toml"), "").unwrap();
    let init = bonebox(folder.path(), &["init", "nothere"]);
    let error = std::str::from_utf8(&init.stderr).unwrap();
    assert_eq!(error, "error: nothere: this file or folder does not exist; check the path\n");
}

/// The files of a bake are easily taken for its source.
#[test]
fn a_file_of_a_bake_in_place_of_an_asset_names_the_right_file() {
    let folder = characters(&["hound.glb"]);
    assert!(bonebox(folder.path(), &["bake", ".", "--quiet"]).status.success());
    let told = |arguments: &[&str]| told(&bonebox(folder.path(), arguments));
    let lines = [
        told(&["bake", "hound.bonebox", "--quiet"]),
        told(&["bake", "hound.bonebox.json", "--quiet"]),
        told(&["inspect", "hound.bonebox.json"]),
    ];
    insta::assert_snapshot!("bake_in_place_of_asset", lines.join("\n"));
}

/// The message is the only text: the cause is part of it.
#[test]
fn a_missing_buffer_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("limb.gltf"), test_models::box_limb().to_gltf().to_separate("limb.bin")).unwrap();
    let error = told(&bonebox(folder.path(), &["bake", "limb.gltf", "--quiet"]));
    assert_eq!(error.matches("does not exist").count(), 1, "{error}");
}

#[test]
fn a_wrong_command_line_has_exit_code_2() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["bake", "a.glb", "--keep", "2"][..],
        &["bake", "a.glb", "--nothing"],
        &["diff", "a.glb", "b.glb", "--over", "2"],
        &["duel", "a.glb", "b.glb", "--distance", "nan"],
        &["duel", "a.glb", "b.glb", "--fps", "0"],
        &["draw", "a.glb", "-o", "a.jpg"],
        &["draw", "a.glb", "-o", "a.png", "--time", "inf"],
        &["live", "a.glb", "--opponent", "b.glb", "--fps", "0"],
        &["perform", "a.glb", "--clip", "c", "--fps", "0"],
    ] {
        let output = bonebox(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", told(&output));
    }
    assert_eq!(bonebox(folder.path(), &["duel", "a.glb", "b.glb"]).status.code(), Some(1));
}

#[test]
fn a_failed_bake_leaves_the_earlier_one() {
    let folder = characters(&["hound.glb"]);
    assert!(bonebox(folder.path(), &["bake", "."]).status.success());
    let before = fs::read(folder.path().join("hound.bonebox")).unwrap();
    fs::write(folder.path().join("hound.glb"), b"glTF").unwrap();
    assert!(!bonebox(folder.path(), &["bake", "."]).status.success());
    assert!(fs::read(folder.path().join("hound.bonebox")).unwrap() == before);
    assert_eq!(files(folder.path()), ["hound.bonebox", "hound.bonebox.json", "hound.glb"]);
}

#[test]
fn mistakes_have_helpful_errors() {
    let folder = characters(&["hound.glb"]);
    for (name, arguments) in [
        ("no_such_path", &["bake", "nowhere"][..]),
        ("no_assets", &["bake", "empty"]),
        ("unknown_word", &["bake", ".", "--fit", "pac"]),
        ("no_such_clip", &["duel", "hound.glb", "hound.glb", "--clip-a", "moonwalk"]),
        ("not_a_bake", &["inspect", "broken.bonebox"]),
        ("no_ticks", &["duel", "hound.glb", "hound.glb", "--fps", "0"]),
    ] {
        fs::create_dir_all(folder.path().join("empty")).unwrap();
        fs::write(folder.path().join("broken.bonebox"), b"something else").unwrap();
        insta::assert_snapshot!(format!("mistake_{name}"), told(&bonebox(folder.path(), arguments)));
    }
}

#[test]
fn inspect_shows_the_json() {
    let folder = characters(&["hound.glb"]);
    assert!(bonebox(folder.path(), &["bake", "."]).status.success());
    let json = bonebox(folder.path(), &["inspect", "hound.bonebox", "--json"]);
    assert!(json.stdout == fs::read(folder.path().join("hound.bonebox.json")).unwrap());
    let from_source = bonebox(folder.path(), &["inspect", "hound.glb", "--json"]);
    assert!(from_source.stdout == json.stdout, "inspect bakes an asset in memory");
}

/// Every form of `frames` has the same rows.
#[test]
fn frames_of_attacks() {
    let folder = characters(&["runa.bonebox", "hound.glb"]);
    for format in ["text", "json", "csv", "markdown"] {
        let shown = bonebox(folder.path(), &["frames", "runa.bonebox", "--rate", "30", "--format", format]);
        insta::assert_snapshot!(format!("frames_{format}"), told(&shown));
    }
    insta::assert_snapshot!("frames_of_no_attack", told(&bonebox(folder.path(), &["frames", "hound.glb"])));
    insta::assert_snapshot!(
        "frames_at_no_rate",
        told(&bonebox(folder.path(), &["frames", "hound.glb", "--rate", "nan"]))
    );
}

/// The skin is off by default; with the option `skin`, `inspect` says what the skin is made of.
#[test]
fn inspect_says_what_the_skin_takes() {
    let folder = characters(&["hound.glb"]);
    assert!(bonebox(folder.path(), &["bake", ".", "-o", "off"]).status.success());
    assert!(bonebox(folder.path(), &["bake", ".", "-o", "on", "--skin", "compact"]).status.success());
    let skin_of = |file: &str| {
        let shown = String::from_utf8(bonebox(folder.path(), &["inspect", file]).stdout).unwrap();
        let lines = shown.lines().skip_while(|line| !line.starts_with("skin, ")).take(3);
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(skin_of("off/hound.bonebox"), "");
    insta::assert_snapshot!("inspect_skin", skin_of("on/hound.bonebox"));
}

#[test]
fn diff_names_what_changed() {
    let folder = characters(&["hound.glb"]);
    assert!(bonebox(folder.path(), &["bake", ".", "-o", "old"]).status.success());
    assert!(
        bonebox(folder.path(), &["bake", ".", "-o", "new", "--fit", "joint-axes", "--attachments", "skip"])
            .status
            .success()
    );
    let same = bonebox(folder.path(), &["diff", "old/hound.bonebox", "old/hound.bonebox"]);
    insta::assert_snapshot!("diff_same", told(&same));
    let changed = bonebox(folder.path(), &["diff", "old/hound.bonebox", "new/hound.bonebox", "--over", "0.4"]);
    insta::assert_snapshot!("diff_changed", told(&changed));
    let percent = bonebox(folder.path(), &["diff", "old/hound.bonebox", "new/hound.bonebox", "--over", "40"]);
    insta::assert_snapshot!("diff_over_percent", told(&percent));
}

/// A bake that lost its clips, and has the same hitboxes.
#[test]
fn diff_names_lost_clips_in_words_and_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(assets().join("runa.bonebox")).unwrap();
    let mut character = baked_format::read(&whole).unwrap();
    character.clips.retain(|clip| ["idle", "jab"].contains(&clip.name.as_str()));
    character.attacks.clear();
    character.states.clear();
    if let Some(worst) = character.coverage.as_mut().and_then(|coverage| coverage.worst.as_mut()) {
        worst.clip = None;
        worst.time = 0.0;
    }
    fs::write(folder.path().join("old.bonebox"), whole).unwrap();
    fs::write(folder.path().join("new.bonebox"), baked_format::write(&character).unwrap()).unwrap();
    let lost = bonebox(folder.path(), &["diff", "old.bonebox", "new.bonebox"]);
    insta::assert_snapshot!("diff_lost_clips", told(&lost));
    let lost = bonebox(folder.path(), &["diff", "old.bonebox", "new.bonebox", "--json"]);
    insta::assert_snapshot!("diff_lost_clips_json", told(&lost));
    let same = bonebox(folder.path(), &["diff", "new.bonebox", "new.bonebox", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&same.stdout).unwrap();
    assert_eq!((same.status.code(), &document["equal"]), (Some(0), &true.into()), "{document}");
}

/// `cmp` and `git diff` too tell a difference from an error by the exit code.
#[test]
fn every_error_of_diff_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let runa = assets().join("runa.bonebox").display().to_string();
    let mut damaged = fs::read(&runa).unwrap();
    damaged.pop();
    fs::write(folder.path().join("damaged.bonebox"), damaged).unwrap();
    for (file, part) in [("missing.bonebox", "missing.bonebox"), ("damaged.bonebox", "damaged.bonebox"), (".", ".")] {
        for arguments in [["diff", file, &runa], ["diff", &runa, file]] {
            let plain = bonebox(folder.path(), &arguments);
            assert!(plain.status.code() == Some(2) && plain.stdout.is_empty(), "{}", told(&plain));
            let json = bonebox(folder.path(), &[&arguments[..], &["--json"]].concat());
            let document: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
            assert!(document["error"].as_str().unwrap().contains(part), "{document}");
            assert_eq!((json.status.code(), json.stderr), (Some(2), plain.stderr));
        }
    }
}

#[test]
fn bakes_of_the_characters() {
    for name in ["runa", "bruno", "hound"] {
        let shown = bonebox(&assets(), &["inspect", &format!("{name}.glb")]);
        insta::assert_snapshot!(format!("bake_{name}"), told(&shown));
    }
}

#[test]
fn duel_prints_the_joints_that_touch() {
    let fight = ["duel", "runa.glb", "bruno.glb", "--clip-a", "jab", "--clip-b", "idle", "--distance", "0.8"];
    let text = bonebox(&assets(), &[&fight[..], &["--seconds", "0.25"]].concat());
    insta::assert_snapshot!("duel", told(&text));
    let json = bonebox(&assets(), &[&fight[..], &["--seconds", "0.2", "--fps", "10", "--json"]].concat());
    insta::assert_snapshot!("duel_json", told(&json));
}

#[test]
fn the_readme_shows_the_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = fs::read_to_string(root.join("../../crates/bonebox/examples/touching.rs")).unwrap();
    let program = example.split_once("\n\n").expect("a header").1;
    assert!(fs::read_to_string(root.join("../../README.md")).unwrap().contains(program));
}
