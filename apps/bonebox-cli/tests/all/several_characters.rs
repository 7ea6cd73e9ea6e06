//! Tests `bonebox bake` with a file that has several characters.

use crate::program::{bonebox, told};
use std::fs;
use test_models::{box_man, in_one_file};

#[test]
fn a_file_with_several_characters_is_an_error_until_it_is_split() {
    let folder = tempfile::tempdir().unwrap();
    let man = box_man();
    fs::write(folder.path().join("pack.glb"), in_one_file(&[("runa", &man), ("../bruno\n", &man)]).to_glb()).unwrap();
    let run =
        |arguments: &[&str]| bonebox(folder.path(), &[arguments, &["--measure", "none", "--no-compare"]].concat());
    for command in [&["bake", "pack.glb"][..], &["inspect", "pack.glb"]] {
        let output = bonebox(folder.path(), command);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            error.contains(r#"the file has 2 characters, with the roots "runa", "../bruno\n"; bake each"#),
            "{error}"
        );
    }
    let output = run(&["bake", "pack.glb", "--split"]);
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && table.contains("pack.glb (runa)"), "{}", told(&output));
    let files = ["pack_runa.bonebox", "pack_.._bruno_.bonebox"];
    assert!(files.iter().all(|file| folder.path().join(file).exists()));
    let output = bonebox(folder.path(), &["bake", "pack.glb", "--split", "--measure", "none", "--check", "--json"]);
    let lines: Vec<serde_json::Value> =
        String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let roots: Vec<_> = lines.iter().map(|line| line["root"].as_str()).collect();
    assert_eq!(roots, [Some("runa"), Some("../bruno\n"), None]);
    assert!(output.status.success() && lines[0]["outputs"][0] == "pack_runa.bonebox", "{lines:?}");
    // A baked file can be named where the asset cannot.
    assert!(bonebox(folder.path(), &["inspect", "pack_runa.bonebox"]).status.success());
}
