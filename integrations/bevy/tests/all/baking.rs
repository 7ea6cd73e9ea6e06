//! Baking while the game runs.

use crate::stage::{Stage, asset_bytes, character};
use bevy_asset::AssetServer;
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies};
use std::path::Path;

#[test]
fn a_gltf_that_is_baked_in_the_process_has_hitboxes() {
    let mut stage = Stage::new();
    stage.folder.insert_asset(Path::new("models/runa.glb"), asset_bytes("runa.glb"));
    let assets = stage.world().resource::<AssetServer>().clone();
    let hitboxes = Hitboxes::bake(&assets, "models/runa.glb", "preset = \"recipe\"");
    let root = stage.world().spawn((hitboxes, HitboxPose::Rest)).id();
    stage.until_bound(&[root]);
    let asset = stage.world().resource::<HitboxBodies>().asset(root).unwrap().clone();
    assert_eq!(asset.character().name(), "runa");
    assert_eq!(asset.character().skeleton().len(), character("runa").skeleton().len());
}

#[test]
fn what_cannot_be_baked_is_a_failure_that_says_why() {
    let mut stage = Stage::new();
    stage.folder.insert_asset(Path::new("runa.glb"), asset_bytes("runa.glb"));
    stage.folder.insert_asset(Path::new("text.glb"), b"hello".to_vec());
    let assets = stage.world().resource::<AssetServer>().clone();
    for (path, settings, reason) in
        [("nobody.glb", "", "nobody.glb"), ("text.glb", "", "text.glb"), ("runa.glb", "preset = \"tigt\"", "tigt")]
    {
        let root = stage.world().spawn((Hitboxes::bake(&assets, path, settings), HitboxPose::Rest)).id();
        stage.until("a failure", |world| world.get::<HitboxBinding>(root).unwrap().problem().is_some());
        let text = stage.sent().failures[0].error.to_string();
        assert!(text.contains(&format!("hitboxes of {path:?} could not be baked")) && text.contains(reason), "{text}");
    }
}
