//! Tests what `bonebox bake` prints about characters that share their hitboxes.

use crate::program::{bonebox, told};
use std::fs;
use test_models::box_man;

#[test]
fn each_character_of_a_set_has_its_own_line() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, bytes: &[u8]| fs::write(folder.path().join(file), bytes).unwrap();
    let mut thick = box_man();
    thick.positions.iter_mut().for_each(|point| point[2] *= 2.0);
    write("thin.glb", &box_man().to_glb());
    write("thick.glb", &thick.to_glb());
    write("other.glb", &thick.to_glb());
    let set = "fit = 'min-volume'\n[[shared]]\nname = 'fighter'\ncharacters = ['thi*']\n";
    write("bonebox.toml", set.as_bytes());
    let bake = |more: &[&str]| bonebox(folder.path(), &[&["bake", "."], more].concat());
    let output = bake(&[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", told(&output));
    let (_, shared) = text.split_once("\n\n").unwrap();
    insta::assert_snapshot!("shared_by_union", shared);

    let lines = |output: &std::process::Output| -> Vec<serde_json::Value> {
        String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let output = bake(&["--check", "--json"]);
    let [other, thick, thin, ..] = &lines(&output)[..] else { panic!("{}", told(&output)) };
    let shared = |line: &serde_json::Value| line["character"]["shared"].clone();
    assert!(shared(other).is_null(), "{other}");
    assert_eq!(shared(thick)["set"], "fighter");
    assert_eq!(shared(thick)["id"], shared(thin)["id"]);
    assert!(shared(thin)["volume_ratio"].as_f64() > shared(thick)["volume_ratio"].as_f64());

    write("bonebox.toml", format!("{set}from = 'thin'\n").as_bytes());
    let output = bake(&["--check"]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("a character or the settings of its shared hitboxes"), "{error}");
    let output = bake(&[]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    insta::assert_snapshot!("shared_by_one", text.split_once("\n\n").unwrap().1.split_once("\n\n").unwrap().0);
}
