//! Tests the tables of `bonebox inspect`.

use crate::program::{bonebox, told};
use std::fs;
use std::path::Path;

/// The joints that give their skin away, the joints that each pattern caught, and the bones.
#[test]
fn inspect_shows_where_the_skin_of_each_joint_went() {
    let folder = tempfile::tempdir().unwrap();
    let runa = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
    fs::copy(runa, folder.path().join("runa.glb")).unwrap();
    let settings = "measure = 'none'\nparts = 'humanoid'\nmerge = ['spine_0?', 'optional:tail*']\n";
    fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    assert!(bonebox(folder.path(), &["bake", ".", "--quiet"]).status.success());
    let output = told(&bonebox(folder.path(), &["inspect", "runa.bonebox"]));
    let (_, tables) = output.split_once("has the skin of").unwrap();
    let (skin, rest) = tables.split_once("\n\n").unwrap();
    let (_, bones) = rest.split_once("humanoid, ").unwrap();
    let bones = bones.split("\n\n").next().unwrap();
    insta::assert_snapshot!(format!("{skin}\n\n{bones}"));
}
