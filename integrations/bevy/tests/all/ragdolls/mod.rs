//! Ragdolls in physics engines: both run the same tests.

mod control;
mod falls;

#[cfg(feature = "avian")]
mod avian;
#[cfg(feature = "rapier")]
mod rapier;

use crate::stage::{Stage, asset_bytes, spawn_joints, transform};
#[cfg(feature = "rapier")]
use bevy_app::FixedPostUpdate;
use bevy_app::FixedUpdate;
use bevy_bonebox::bonebox::bake::bake_bytes;
use bevy_bonebox::bonebox::format::write;
use bevy_bonebox::bonebox::glam::{Affine3A, Quat, Vec3};
use bevy_bonebox::bonebox::ragdoll::{BodyPlace, ConstraintKind, RagdollRig};
use bevy_bonebox::bonebox::skeleton::LocalTransform;
use bevy_bonebox::bonebox::{Character, PosedCharacter};
use bevy_bonebox::prelude::*;
use bevy_bonebox::{HitboxBinding, HitboxBodies, HitboxError, Ragdoll, RagdollBody, RagdollState};
use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform};
use control::{an_arm_hangs_limp_and_comes_back, bodies_go_with_the_character, wrong_use_is_reported_once};
use falls::{a_leap_goes_on, falls_come_to_rest, falls_in_other_sizes};
use std::path::Path;
use std::sync::OnceLock;

/// The length of a tick in seconds.
const TICK: f32 = 1.0 / 64.0;

/// Runa with a ragdoll.
fn runa() -> &'static (Character, Vec<u8>) {
    static RUNA: OnceLock<(Character, Vec<u8>)> = OnceLock::new();
    RUNA.get_or_init(|| {
        let settings = "preset = \"tight\"\nparts = \"humanoid\"\nragdoll = true";
        let bytes = write(&bake_bytes(&asset_bytes("runa.glb"), "runa.glb", settings, &()).unwrap()).unwrap();
        (Character::load(&bytes).unwrap(), bytes)
    })
}

/// The height of Runa in meters.
fn height() -> f32 {
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&runa().0, &Affine3A::IDENTITY).unwrap();
    posed.bounds().max.y
}

/// What a test needs of an engine.
pub(crate) trait Engine {
    /// The most degrees past a limit of figures at rest.
    const MOST_PAST: f32;

    /// Adds the engine and the plugin of ragdolls.
    fn add(stage: &mut Stage);
    /// Spawns a floor at the height 0.
    fn floor(world: &mut World);
}

fn stage<E: Engine>(plugin: BoneboxPlugin) -> Stage {
    let mut stage = Stage::with(plugin);
    stage.folder.insert_asset(Path::new("runa.bonebox"), runa().1.clone());
    E::add(&mut stage);
    stage.app.finish();
    stage.app.cleanup();
    stage
}

/// Runa with the joints of her scene, in the rest pose.
fn spawn(stage: &mut Stage, place: Transform) -> Entity {
    let handle = stage.load("runa.bonebox");
    let root = stage.world().spawn((Name::new("runa"), Hitboxes(handle), Ragdoll::default(), place)).id();
    spawn_joints(stage.world(), root, &runa().0);
    stage.until_bound(&[root]);
    stage.app.update();
    root
}

fn set(stage: &mut Stage, root: Entity, ragdoll: Ragdoll) {
    *stage.world().get_mut::<Ragdoll>(root).unwrap() = ragdoll;
}

/// The rig in the size of the character, and the places of the bodies.
fn places(stage: &mut Stage, root: Entity) -> Option<(RagdollRig, Vec<BodyPlace>)> {
    let bodies = stage.world().get::<RagdollState>(root)?.bodies().to_vec();
    let bodies: Vec<&RagdollBody> = bodies.iter().map(|body| stage.app.world().get(*body).unwrap()).collect();
    Some((RagdollRig::clone(&bodies.first()?.rig), bodies.iter().map(|body| body.place).collect()))
}

fn joints(stage: &mut Stage, root: Entity) -> Vec<Entity> {
    stage.world().get::<HitboxBinding>(root).unwrap().joints().iter().map(|joint| joint.unwrap()).collect()
}

/// The largest distance between held places, and the most degrees past a limit.
fn held(rig: &RagdollRig, places: &[BodyPlace]) -> (f32, f32) {
    let (mut apart, mut past) = (0.0f32, 0.0f32);
    for (body, place) in rig.bodies().iter().zip(places) {
        let Some(constraint) = &body.constraint else { continue };
        let parent = &places[usize::from(constraint.parent)];
        apart = apart.max(parent.point(constraint.anchor).distance(place.position));
        let turn =
            (parent.rotation * constraint.parent_from_frame).conjugate() * place.rotation * constraint.body_from_frame;
        let swing = Quat::from_rotation_arc(Vec3::X, turn * Vec3::X);
        let twist = swing.conjugate() * turn;
        let twist = if twist.w < 0.0 { -twist } else { twist };
        let (swing, twist) = (swing.to_scaled_axis(), twist.to_scaled_axis().x);
        let parts = Vec3::new(twist, swing.y, swing.z).abs() - constraint.limits;
        let parts = if constraint.kind == ConstraintKind::Hinge { Vec3::new(parts.x, 0.0, 0.0) } else { parts };
        past = past.max(parts.max_element().to_degrees());
    }
    (apart, past)
}

fn center(rig: &RagdollRig, places: &[BodyPlace]) -> Vec3 {
    let mass: f32 = rig.bodies().iter().map(|body| body.mass).sum();
    let moments = rig.bodies().iter().zip(places).map(|(body, place)| place.point(body.center_of_mass) * body.mass);
    moments.sum::<Vec3>() / mass
}

/// The hitboxes and the joints of the scene are where the bodies say.
fn assert_follows(stage: &mut Stage, root: Entity, local: &[LocalTransform], tolerance: f32) {
    let (rig, places) = places(stage, root).unwrap();
    let mut expected = vec![Affine3A::IDENTITY; local.len()];
    rig.world_from_joints(&places, local, &mut expected).unwrap();
    let mut posed = PosedCharacter::new();
    posed.pose_from_world(&runa().0, &expected).unwrap();
    let found: Vec<_> = stage.world().resource::<HitboxBodies>().posed(root).map(|(_, posed)| posed).collect();
    assert_eq!(found.len(), posed.boxes().len());
    for (found, expected) in found.iter().zip(posed.boxes()) {
        let off = found.center.distance(expected.center);
        assert!(off < tolerance, "hitbox {:?} is {off} m off", found.index);
    }
    let joints = joints(stage, root);
    for body in rig.bodies() {
        let found = stage.world().get::<GlobalTransform>(joints[body.joint.index()]).unwrap().affine();
        let off = (found.translation - expected[body.joint.index()].translation).length();
        assert!(off < tolerance, "joint {:?} is {off} m off", body.joint);
        assert!(
            found.matrix3.abs_diff_eq(expected[body.joint.index()].matrix3, tolerance.max(1e-4)),
            "{:?}",
            body.joint
        );
    }
}

/// Runs tests in an engine.
macro_rules! with {
    ($engine:ty, $($test:ident),*) => {
        $(#[test]
        fn $test() {
            super::$test::<$engine>();
        })*
    };
}
pub(crate) use with;
