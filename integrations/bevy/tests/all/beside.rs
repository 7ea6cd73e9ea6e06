//! Bevy's own glTF loader and animation: hitboxes that attach themselves, and follow what Bevy plays.

use crate::stage::{Stage, asset_bytes, character};
use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy_animation::{AnimationPlayer, AnimationPlugin};
use bevy_asset::{Assets, Handle};
use bevy_bonebox::bonebox::{ClipSampler, PosedCharacter};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies, HitboxesBeside};
use bevy_ecs::prelude::*;
use bevy_gltf::convert_coordinates::GltfConvertCoordinates;
use bevy_gltf::{Gltf, GltfPlugin};
use bevy_mesh::MeshPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_world_serialization::{WorldAssetRoot, WorldSerializationPlugin};
use std::path::Path;

fn stage(gltf: GltfPlugin) -> Stage {
    let mut stage = Stage::new();
    stage.app.add_plugins((WorldSerializationPlugin, MeshPlugin, gltf, AnimationPlugin));
    register_types(&mut stage);
    stage.app.finish();
    stage.app.cleanup();
    stage.folder.insert_asset(Path::new("runa.glb"), asset_bytes("runa.glb"));
    stage
}

/// The components of a scene. The crate `bevy` registers them by its feature `reflect_auto_register`.
fn register_types(stage: &mut Stage) {
    stage
        .app
        .register_type::<Name>()
        .register_type::<ChildOf>()
        .register_type::<Children>()
        .register_type::<Transform>()
        .register_type::<GlobalTransform>()
        .register_type::<bevy_transform::components::TransformTreeChanged>()
        .register_type::<bevy_camera::visibility::Visibility>()
        .register_type::<bevy_camera::visibility::InheritedVisibility>()
        .register_type::<bevy_camera::visibility::ViewVisibility>()
        .register_type::<bevy_camera::visibility::VisibilityClass>()
        .register_type::<bevy_camera::visibility::NoFrustumCulling>()
        .register_type::<bevy_camera::visibility::DynamicSkinnedMeshBounds>()
        .register_type::<bevy_camera::primitives::Aabb>()
        .register_type::<bevy_mesh::Mesh3d>()
        .register_type::<bevy_mesh::skinning::SkinnedMesh>()
        .register_type::<bevy_animation::AnimationPlayer>()
        .register_type::<bevy_animation::AnimationTargetId>()
        .register_type::<bevy_animation::AnimatedBy>()
        .register_type::<bevy_gltf::GltfExtras>()
        .register_type::<bevy_gltf::GltfSceneExtras>()
        .register_type::<bevy_gltf::GltfSceneName>()
        .register_type::<bevy_gltf::GltfMeshExtras>()
        .register_type::<bevy_gltf::GltfMeshName>()
        .register_type::<bevy_gltf::GltfMaterialExtras>()
        .register_type::<bevy_gltf::GltfMaterialName>();
}

fn loaded(stage: &mut Stage) -> Handle<Gltf> {
    let gltf: Handle<Gltf> = stage.world().resource::<bevy_asset::AssetServer>().load("runa.glb");
    let id = gltf.id();
    stage.until("the glTF file is loaded", |world| {
        world.resource::<bevy_asset::AssetServer>().is_loaded_with_dependencies(id)
    });
    gltf
}

fn spawn_scene(stage: &mut Stage, gltf: &Handle<Gltf>, place: Transform) -> Entity {
    let scene = stage.world().resource::<Assets<Gltf>>().get(gltf).unwrap().scenes[0].clone();
    stage.world().spawn((WorldAssetRoot(scene), place)).id()
}

/// The characters with posed hitboxes.
fn posed(world: &World) -> Vec<Entity> {
    world
        .resource::<HitboxBodies>()
        .world()
        .bodies()
        .filter(|body| body.posed().is_posed())
        .map(|body| Entity::from_bits(body.id().0))
        .collect()
}

fn hitboxes_there(stage: &mut Stage) -> usize {
    let mut all = stage.world().query::<&Hitboxes>();
    all.iter(stage.app.world()).count()
}

#[test]
fn hitboxes_attach_themselves_and_follow_what_bevy_plays() {
    for convert in [false, true] {
        let convert_coordinates = GltfConvertCoordinates { rotate_scene_entity: convert, rotate_meshes: convert };
        let mut stage = stage(GltfPlugin { convert_coordinates, ..GltfPlugin::default() });
        let gltf = loaded(&mut stage);
        let place = Transform::from_xyz(1.0, 0.0, -3.0);
        let spawned = spawn_scene(&mut stage, &gltf, place);
        stage.until("hitboxes attached themselves", |world| posed(world).len() == 1);
        let root = posed(stage.world())[0];
        assert!(stage.world().get::<HitboxesBeside>(root).is_some_and(|beside| beside.path == "runa.bonebox"));
        assert_eq!(stage.world().get::<ChildOf>(root).unwrap().parent(), spawned);

        let clip =
            stage.world().resource::<Assets<Gltf>>().get(&gltf).unwrap().named_animations["roundhouse_kick"].clone();
        let (graph, node) = AnimationGraph::from_clip(clip);
        let graph = stage.world().resource_mut::<Assets<AnimationGraph>>().add(graph);
        let mut players = stage.world().query_filtered::<Entity, With<AnimationPlayer>>();
        let player = players.single(stage.app.world()).unwrap();
        stage.world().entity_mut(player).insert(AnimationGraphHandle(graph));
        stage.world().get_mut::<AnimationPlayer>(player).unwrap().play(node);
        // Bevy prepares a new animation graph for some frames, in which time passes and nothing moves.
        for _ in 0..3 {
            stage.app.update();
        }

        // The run time's pose of the clip at the player's time.
        let runa = character("runa");
        let kick = runa.find_clip("roundhouse_kick").unwrap();
        let (mut expected, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
        let (mut moved, mut first) = (0.0_f32, None);
        for _ in 0..60 {
            stage.app.update();
            let seconds = stage.world().get::<AnimationPlayer>(player).unwrap().animation(node).unwrap().seek_time();
            let scene = stage.world().get::<GlobalTransform>(root).unwrap().affine();
            let time = runa.clips()[kick.index()].start() + seconds;
            expected.pose_from_clip(&mut sampler, &runa, &scene, kick, time).unwrap();
            let bodies = stage.app.world().resource::<HitboxBodies>();
            for ((name, ours), expected) in bodies.posed(root).zip(expected.boxes()) {
                let apart = (ours.center - expected.center).length();
                assert!(apart < 1e-4, "{} at {seconds} s is {apart} away", name.joint_name);
            }
            let foot = expected.boxes().last().unwrap().center;
            moved = moved.max((foot - *first.get_or_insert(foot)).length());
        }
        assert!(moved > 0.3, "the kick moves the foot by {moved}");
    }
}

#[test]
fn scenes_of_one_file_have_hitboxes_of_their_own() {
    let mut stage = stage(GltfPlugin::default());
    let gltf = loaded(&mut stage);
    for x in [0.0, 3.0, 6.0] {
        spawn_scene(&mut stage, &gltf, Transform::from_xyz(x, 0.0, 0.0));
    }
    stage.until("three characters", |world| posed(world).len() == 3);
    let roots = posed(stage.world());
    let joints = |stage: &mut Stage, root| stage.world().get::<HitboxBinding>(root).unwrap().joints().to_vec();
    let (first, second) = (joints(&mut stage, roots[0]), joints(&mut stage, roots[1]));
    assert!(first.iter().all(|joint| joint.is_some() && !second.contains(joint)));
    assert!(stage.sent().failures.is_empty());
}

#[test]
fn without_a_file_beside_it_a_scene_has_no_hitboxes_and_no_error() {
    let mut stage = stage(GltfPlugin::default());
    stage.folder.remove_asset(Path::new("runa.bonebox"));
    let gltf = loaded(&mut stage);
    spawn_scene(&mut stage, &gltf, Transform::IDENTITY);
    stage.until("the scene is there", |world| world.query::<&HitboxesBeside>().iter(world).next().is_some());
    for _ in 0..50 {
        stage.app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(hitboxes_there(&mut stage), 0);
    assert!(stage.sent().failures.is_empty());
}

#[test]
fn hitboxes_that_the_game_put_above_the_scene_are_kept() {
    let mut stage = stage(GltfPlugin::default());
    let gltf = loaded(&mut stage);
    let root = spawn_scene(&mut stage, &gltf, Transform::IDENTITY);
    let hitboxes = Hitboxes(stage.load("runa.bonebox"));
    stage.world().entity_mut(root).insert(hitboxes);
    stage.until("the root has hitboxes", |world| posed(world) == [root]);
    for _ in 0..50 {
        stage.app.update();
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    assert_eq!(hitboxes_there(&mut stage), 1);
}
