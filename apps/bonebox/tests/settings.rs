//! `bonebox.toml` as its users meet it.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use baked_format::BakedCharacter;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn bonebox(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.current_dir(folder).args(arguments).env("COLUMNS", "100").output().expect("bonebox starts")
}

/// Exit code, standard output and standard error, for a snapshot.
fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    format!("exit code {code}\n--- stdout\n{}--- stderr\n{}", text(&output.stdout), text(&output.stderr))
}

/// Made-up characters `limb.glb` and `man.glb` and a settings file.
fn folder(settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("limb.glb"), test_models::box_limb().to_glb()).unwrap();
    fs::write(folder.path().join("man.glb"), test_models::box_man().to_glb()).unwrap();
    fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    folder
}

fn baked(file: PathBuf) -> BakedCharacter {
    baked_format::read(&fs::read(file).unwrap()).unwrap()
}

/// The word for each character in a bake's table.
fn results(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = bonebox(folder, &[&["bake", "."], arguments].concat());
    let table = String::from_utf8(output.stdout.clone()).unwrap();
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let rows: Vec<String> = rows.map(|row| row.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect();
    assert!(!rows.is_empty(), "{}", told(&output));
    rows
}

#[test]
fn the_nearest_file_above_bears_on_an_asset_however_it_is_named() {
    let folder = folder("min_thickness = 0.01\n");
    let below = folder.path().join("props/old");
    fs::create_dir_all(&below).unwrap();
    fs::rename(folder.path().join("man.glb"), below.join("man.glb")).unwrap();
    let thickness = |arguments: &[&str], file: &Path| {
        let output = bonebox(folder.path(), arguments);
        assert!(output.status.success(), "{}", told(&output));
        let options = baked(file.to_owned()).options;
        options.into_iter().find(|(key, _)| key == "min_thickness").map(|(_, value)| value)
    };
    let man = below.join("man.bonebox");
    for path in [".", "props", "props/old/man.glb", "props/../props/old"] {
        assert_eq!(thickness(&["bake", path, "--force"], &man).as_deref(), Some("0.01"), "{path}");
    }
    assert_eq!(thickness(&["bake", ".", "--min-thickness", "0.5"], &man).as_deref(), Some("0.5"));
    assert_eq!(thickness(&["bake", ".", "--no-settings"], &man), None);
    assert_eq!(thickness(&["bake", ".", "--preset", "recipe"], &man), None, "a preset sets all anew");
    fs::write(folder.path().join("other.toml"), "min_thickness = 0.03").unwrap();
    assert_eq!(thickness(&["bake", ".", "--settings", "other.toml"], &man).as_deref(), Some("0.03"));
    fs::write(folder.path().join("props/bonebox.toml"), "min_thickness = 0.02").unwrap();
    assert_eq!(thickness(&["bake", "."], &man).as_deref(), Some("0.02"), "nearer");
    assert_eq!(thickness(&["bake", "."], &folder.path().join("limb.bonebox")).as_deref(), Some("0.01"));
    // A checkout is a world of its own.
    fs::remove_file(folder.path().join("props/bonebox.toml")).unwrap();
    fs::create_dir(folder.path().join("props/.git")).unwrap();
    assert_eq!(thickness(&["bake", "."], &man), None);
}

#[test]
fn an_edit_bakes_those_it_touches_and_no_others() {
    let folder = folder("");
    let write = |settings: &str| fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    let results = || results(folder.path(), &[]);
    let (both, none) = (["limb.glb baked", "man.glb baked"], ["limb.glb unchanged", "man.glb unchanged"]);
    let only_man = ["limb.glb unchanged", "man.glb baked"];
    assert_eq!(results(), both);
    assert_eq!(results(), none);
    write("# a comment\n[limits]\nleast_surface_rest = 0.1\n");
    assert_eq!(results(), none, "limits do not change boxes");
    write("[characters.man]\nmargin = 0.01\n");
    assert_eq!(results(), only_man);
    write("[characters.man]\nmargin = 0.01\n[tags]\n\"*wing*\" = \"wing\"\n");
    assert_eq!(results(), none, "nobody has wings");
    write("[characters.man.joints.head]\ntags = \"head\"\n");
    assert_eq!(results(), only_man);
    assert_eq!(results(), none);
    write(
        "[characters.man.joints.head]\ntags = \"head\"\nboxes = [{ center = [0, 0, 0], half_extents = [1, 1, 1] }]\n",
    );
    assert_eq!(results(), only_man);
    write("margin = 0.02");
    assert_eq!(results(), both);
    fs::remove_file(folder.path().join("bonebox.toml")).unwrap();
    assert_eq!(results(), both);
}

#[test]
fn hand_boxes_tags_and_sets_reach_the_file_and_survive_bakes() {
    let folder = folder(
        r#"
[tags]
"*" = "body"
[sets]
hurt = ["head", "body"]
[characters.man.joints.head]
tags = "head"
skip = true
[[characters.man.joints.head.boxes]]
center = [0.0, 0.1, 0.0]
half_extents = [0.25, 0.5, 0.75]
orientation = [0.0, 0.0, 0.0, 2.0]
tags = ["helmet"]
"#,
    );
    for _ in 0..2 {
        assert!(bonebox(folder.path(), &["bake", ".", "--force"]).status.success());
        let man = baked(folder.path().join("man.bonebox"));
        let head = man.skeleton.find("head").unwrap();
        let boxes: Vec<_> = man.boxes.iter().filter(|one| one.joint == head).collect();
        assert_eq!(boxes.len(), 1);
        assert_eq!(boxes[0].half_extents.to_array(), [0.25, 0.5, 0.75]);
        assert_eq!(boxes[0].orientation.to_array(), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(boxes[0].tags, ["body", "head", "helmet", "hurt"]);
        assert!(man.boxes.iter().all(|one| one.tags.contains(&"hurt".to_owned())));
    }
    assert!(bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]).status.success());
}

#[test]
fn a_broken_limit_fails_the_bake_and_keeps_what_was_there() {
    let folder = folder("");
    assert!(bonebox(folder.path(), &["bake", "."]).status.success());
    let before = fs::read(folder.path().join("man.bonebox")).unwrap();
    let limits = "[characters.man.limits]\nleast_surface_clips = 1.0\nmost_escape = 0.001\nmost_volume_ratio = 0.5\n";
    fs::write(folder.path().join("bonebox.toml"), limits).unwrap();
    // What was baked before is held to them too.
    insta::assert_snapshot!("limits_of_an_earlier_bake", told(&bonebox(folder.path(), &["bake", ".", "--jobs", "1"])));
    let other = bonebox(folder.path(), &["bake", ".", "--margin", "0.001", "--jobs", "1"]);
    assert!(told(&other).contains(" refused "), "{}", told(&other));
    assert_eq!(other.status.code(), Some(1));
    assert!(fs::read(folder.path().join("man.bonebox")).unwrap() == before);
    assert!(fs::read(folder.path().join("limb.bonebox")).unwrap() != before);
    let check = bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]);
    assert_eq!(check.status.code(), Some(1), "{}", told(&check));
}

#[test]
fn mistakes_are_shown_with_file_and_line() {
    let mistakes = [
        ("unknown_key", "margin = 0.1\npresett = \"tight\"\n"),
        ("unknown_character", "[characters.limp]\nmargin = 0.1\n"),
        ("unknown_joint", "[characters.man.joints.haed]\nskip = true\n"),
        ("no_toml", "preset = tight\n"),
    ];
    for (name, settings) in mistakes {
        let folder = folder(settings);
        insta::assert_snapshot!(
            format!("settings_{name}"),
            told(&bonebox(folder.path(), &["bake", ".", "--jobs", "1"]))
        );
    }
    let folder = folder("");
    fs::write(folder.path().join("bonebox.toml"), b"# ok\n# \xff\n").unwrap();
    insta::assert_snapshot!("settings_no_utf8", told(&bonebox(folder.path(), &["bake", "man.glb"])));
    let missing = bonebox(folder.path(), &["bake", ".", "--settings", "nowhere.toml"]);
    insta::assert_snapshot!("settings_missing", told(&missing));
}
