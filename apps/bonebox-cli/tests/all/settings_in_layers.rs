//! Settings files of several folders that apply together: what `bonebox settings` prints, and which file edits change.

use crate::program::{bonebox, told};
use std::fs;
use std::path::Path;
use test_models::box_man;

/// A character in a folder with a settings file, below a folder with another one.
fn project(outer: &str, inner: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("assets/heroes")).unwrap();
    fs::create_dir(at(".git")).unwrap();
    fs::write(at("assets/heroes/man.glb"), box_man().to_glb()).unwrap();
    fs::write(at("assets/bonebox.toml"), outer).unwrap();
    fs::write(at("assets/heroes/bonebox.toml"), inner).unwrap();
    folder
}

fn settings(folder: &Path, arguments: &[&str]) -> String {
    told(&bonebox(folder, &[&["settings", "assets/heroes/man.glb"], arguments].concat()))
}

const OUTER: &str = "preset = \"cover\"\nmargin = 0.1\n\n[limits]\nmost_escape = 0.5\n\n[tags]\n\"*arm*\" = \"arm\"\n";
const INNER: &str =
    "margin = 0.02\n\n[characters.\"m*\".joints.head]\ntags = [\"weak point\"]\n\n[sets]\nhurt = [\"arm\"]\n";

#[test]
fn settings_prints_what_applies_and_where_it_comes_from() {
    let folder = project(OUTER, INNER);
    insta::assert_snapshot!(settings(folder.path(), &["--fit", "min-volume"]));
    let json: serde_json::Value = {
        let output = bonebox(folder.path(), &["settings", "assets/heroes/man.glb", "--json", "--preset", "tight"]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert_eq!(json["files"], serde_json::json!(["assets/heroes/bonebox.toml", "assets/bonebox.toml"]));
    let row = |key: &str| json["settings"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap();
    assert_eq!((&row("preset")["from"], &row("preset")["value"]), (&"command-line".into(), &"\"tight\"".into()));
    // A preset on the command line replaces all options of the files, but no other settings.
    assert_eq!((&row("margin")["from"], &row("fit")["from"]), (&"default".into(), &"preset".into()));
    assert_eq!(row("most_escape")["places"], serde_json::json!(["assets/bonebox.toml:5"]));
}

#[test]
fn what_settings_prints_is_a_settings_file_with_the_same_bake() {
    let folder = project(OUTER, INNER);
    let key = |arguments: &[&str]| {
        let output = bonebox(folder.path(), &[&["key", "assets/heroes/man.glb"], arguments].concat());
        assert!(output.status.success(), "{}", told(&output));
        output.stdout
    };
    let printed = bonebox(folder.path(), &["settings", "assets/heroes/man.glb"]).stdout;
    // Below the folder of the file, so that its section for characters finds the character.
    fs::write(folder.path().join("assets/printed.toml"), printed).unwrap();
    assert_eq!(key(&[]), key(&["--settings", "assets/printed.toml"]));
    assert_ne!(key(&[]), key(&["--no-settings"]));
    // With `root = true`, the outer file says nothing, so its tag is missing.
    fs::write(folder.path().join("assets/heroes/bonebox.toml"), format!("root = true\n{INNER}")).unwrap();
    let refused = settings(folder.path(), &[]);
    assert!(refused.contains("assets/heroes/bonebox.toml:8:9: no joint or box of this file has the tag"), "{refused}");
}

#[test]
fn every_reader_sees_the_same_settings() {
    let folder = project("[joints.head]\nmargin = 0.05\n", "keep = 0.9\n");
    let bake = |arguments: &[&str]| {
        let output = bonebox(folder.path(), &[&["bake", "assets", "--json"], arguments].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        serde_json::from_str::<serde_json::Value>(text.lines().last().unwrap()).unwrap()
    };
    assert_eq!(bake(&["--store", "store"])["baked"], 1);
    assert_eq!(bake(&[])["unchanged"], 1);
    // The same settings in one file: the outputs and the entry of the store are the same.
    fs::write(folder.path().join("assets/bonebox.toml"), "keep = 0.9\n[joints.head]\nmargin = 0.05\n").unwrap();
    fs::remove_file(folder.path().join("assets/heroes/bonebox.toml")).unwrap();
    assert_eq!(bake(&[])["unchanged"], 1);
    assert_eq!(bake(&["--store", "store", "-o", "out"])["stored"], 1);
    fs::write(folder.path().join("assets/bonebox.toml"), "keep = 0.9\n").unwrap();
    assert_eq!(bake(&[])["baked"], 1);
    let drift = bonebox(folder.path(), &["diff", "assets/heroes/man.bonebox", "assets/heroes/man.glb"]);
    assert_eq!(drift.status.code(), Some(0), "{}", told(&drift));
}

#[test]
fn a_motion_joins_the_list_that_applies() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let folder = project("motions = []\n", "bridge = \"none\"\n");
    let at = |name: &str| folder.path().join("assets").join(name);
    fs::copy(assets.join("runa.glb"), at("heroes/runa.glb")).unwrap();
    fs::copy(assets.join("motion/runa_walk.bvh"), at("walk.bvh")).unwrap();
    let scene = ["import-motion", "assets/walk.bvh", "--onto", "assets/heroes/runa.glb", "--name", "stroll"];
    let output = bonebox(folder.path(), &scene);
    assert!(output.status.success(), "{}", told(&output));
    let (outer, inner) =
        (fs::read_to_string(at("bonebox.toml")).unwrap(), fs::read_to_string(at("heroes/bonebox.toml")));
    assert!(outer.contains("[characters.runa]") && outer.contains("walk.bvh"), "{outer}");
    assert_eq!(inner.unwrap(), "bridge = \"none\"\n");
}
