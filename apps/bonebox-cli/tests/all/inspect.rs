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

/// The table has all bodies of the file, also where the file has more hitboxes than bodies. The JSON has them too.
#[test]
fn inspect_shows_the_ragdoll() {
    let folder = tempfile::tempdir().unwrap();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    fs::copy(assets.join("runa.glb"), folder.path().join("runa.glb")).unwrap();
    fs::copy(assets.join("hound.glb"), folder.path().join("hound.glb")).unwrap();
    let settings = "measure = 'none'\nragdoll = true\n[characters.runa]\nparts = 'humanoid'\nbudget = 1.3\n";
    fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    let baked = bonebox(folder.path(), &["bake", ".", "--quiet"]);
    assert!(baked.status.success(), "{}", told(&baked));
    for character in ["runa", "hound"] {
        let output = told(&bonebox(folder.path(), &["inspect", &format!("{character}.bonebox")]));
        let shown = output.split("\n\n").find(|part| part.starts_with("ragdoll; ")).expect("a table");
        insta::assert_snapshot!(format!("ragdoll_of_{character}"), shown);
        let bytes = fs::read(folder.path().join(format!("{character}.bonebox"))).unwrap();
        let ragdoll = baked_format::read(&bytes).unwrap().ragdoll.unwrap();
        let json = bonebox(folder.path(), &["inspect", &format!("{character}.bonebox"), "--json"]);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        let bodies = json["bodies"].as_array().unwrap();
        assert_eq!((bodies.len(), shown.lines().count()), (ragdoll.bodies.len(), ragdoll.bodies.len() + 4));
        for (json, body) in bodies.iter().zip(&ragdoll.bodies) {
            assert_eq!(json["mass"].as_f64().map(|mass| mass as f32), Some(body.mass));
        }
    }
}
