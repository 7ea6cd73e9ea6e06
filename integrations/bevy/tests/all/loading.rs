//! Files that are missing, of another version or changed while the game runs.

use crate::stage::{Stage, asset_bytes, is_posed};
use bevy_asset::{AssetServer, Assets, LoadState};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies, HitboxError};
use bevy_transform::components::Transform;
use std::path::Path;

/// Returns the message of the failure to load a file.
fn failure(stage: &mut Stage, path: &'static str) -> String {
    let handle = stage.load(path);
    let id = handle.id();
    let root = stage.world().spawn((Hitboxes(handle), HitboxPose::Rest)).id();
    stage.until("a failure", |world| world.get::<HitboxBinding>(root).unwrap().problem().is_some());
    assert!(matches!(stage.world().resource::<AssetServer>().load_state(id), LoadState::Failed(_)));
    assert!(!is_posed(stage.world(), root));
    let failures = stage.sent().failures;
    assert_eq!((failures.len(), failures[0].entity), (1, root));
    assert!(matches!(failures[0].error, HitboxError::Asset(_)));
    failures[0].error.to_string()
}

#[test]
fn a_missing_file_is_a_failure() {
    let text = failure(&mut Stage::new(), "nobody.bonebox");
    assert!(text.contains("Path not found: nobody.bonebox"), "{text}");
}

#[test]
fn a_file_of_another_version_is_a_failure_that_says_so() {
    let mut stage = Stage::new();
    // The header is 32 bytes: a magic number of eight, the version, and at its end a checksum of what comes before.
    let mut bytes = asset_bytes("runa.bonebox");
    bytes[8..12].copy_from_slice(&[99, 0, 0, 0]);
    let checksum = crc32fast::hash(&bytes[..28]);
    bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
    stage.folder.insert_asset(Path::new("new.bonebox"), bytes);
    let text = failure(&mut stage, "new.bonebox");
    assert_eq!(
        text,
        "the asset could not be loaded: \"new.bonebox\": this .bonebox file has format version 99.0, this program reads version \
         1; update the program, or bake the character again with this one"
    );
}

#[test]
fn a_file_that_is_cut_off_or_no_bake_is_a_failure() {
    let mut stage = Stage::new();
    let bytes = asset_bytes("runa.bonebox");
    stage.folder.insert_asset(Path::new("cut.bonebox"), bytes[..bytes.len() / 2].to_vec());
    stage.folder.insert_asset(Path::new("text.bonebox"), b"hello".to_vec());
    for path in ["cut.bonebox", "text.bonebox"] {
        let text = failure(&mut stage, path);
        assert!(text.contains("could not be loaded"), "{text}");
    }
}

#[test]
fn a_changed_file_changes_the_characters_that_use_it() {
    let mut stage = Stage::new();
    let roots = [0.0, 5.0].map(|x| stage.spawn("runa", Transform::from_xyz(x, 0.0, 0.0)));
    stage.until_bound(&roots);
    let count = |stage: &mut Stage, root| stage.world().resource::<HitboxBodies>().posed(root).count();
    let before = count(&mut stage, roots[0]);
    let bytes = crate::stage::changed("runa", |baked| {
        baked.boxes.pop();
        // Attacks and states name that hitbox.
        baked.attacks.clear();
        baked.states.clear();
    });
    stage.folder.insert_asset(Path::new("runa.bonebox"), bytes);
    stage.world().resource::<AssetServer>().reload("runa.bonebox");
    stage.until("one hitbox less", |world| {
        roots.iter().all(|&root| world.resource::<HitboxBodies>().posed(root).count() == before - 1)
    });
    assert!(stage.sent().failures.is_empty());
}

#[test]
fn another_asset_on_the_same_entity_replaces_the_hitboxes() {
    let mut stage = Stage::new();
    let root = stage.spawn_clip("runa", "idle", Transform::IDENTITY);
    stage.until_bound(&[root]);
    let bruno = stage.load("bruno.bonebox");
    stage.world().entity_mut(root).insert(Hitboxes(bruno));
    stage.until("Bruno", |world| {
        let asset = world.resource::<HitboxBodies>().asset(root);
        is_posed(world, root) && asset.is_some_and(|asset| asset.character().name() == "bruno")
    });
}

#[test]
fn an_asset_that_is_made_in_memory_needs_no_file() {
    let mut stage = Stage::new();
    let asset = Bonebox::new(crate::stage::character("runa"));
    let handle = stage.world().resource_mut::<Assets<Bonebox>>().add(asset);
    let root = stage.world().spawn((Hitboxes(handle), HitboxPose::Rest)).id();
    stage.until_bound(&[root]);
}
