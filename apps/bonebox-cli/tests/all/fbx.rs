//! FBX files in place of glTF files.

use crate::program::{bonebox, told};
use std::fs;
use test_models::{Fbx, box_man};

#[test]
fn commands_take_an_fbx_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // As Mixamo and Maya write files: in centimeters.
    fs::write(at("man.fbx"), Fbx { unit: 1.0, ..Fbx::default() }.binary(&box_man())).unwrap();
    let run = |words: &[&str]| {
        let text = told(&bonebox(folder.path(), words));
        assert!(text.starts_with("exit code 0"), "{words:?}: {text}");
        text
    };
    run(&["bake", ".", "--quiet"]);
    assert!(at("man.bonebox").exists() && run(&["inspect", "man.fbx"]).contains("upper_arm.left"));
    run(&["draw", "man.fbx", "--clip", "jab", "-o", "man.png"]);
    run(&["duel", "man.fbx", "man.bonebox", "--clip-a", "jab", "--distance", "0.5"]);
    // The form that is added to an asset is added to its glTF, which the same command overwrites again.
    for form in ["omi", "wire"] {
        run(&["export", "man.fbx", "--to", form]);
        run(&["export", "man.bonebox", "--to", form]);
        let model =
            skinned_model::import(&fs::read(at(&format!("man.{form}.glb"))).unwrap(), &skinned_model::NoExternalFiles);
        assert_eq!(model.unwrap().skeleton.len(), 11);
    }
    assert!(run(&["import", "man.wire.glb"]).contains("nothing to write"));
    assert!(run(&["bake", ".", "--quiet", "--check"]).starts_with("exit code 0"), "exports are no assets");
}
