//! Poses into the caller's memory with joints, and bounds without poses.

use crate::model::LONG;
use crate::scene::Scene;
use glam::{Affine3A, Vec3};
use rewind::{History, Moment, MomentKind, Rules};
use runtime::{
    BodyId, BodySettings, Bounds, Character, ClipIndex, ClipSampler, HitboxWorld, PosedCharacter, SampleJoints,
};
use skeleton::JointIndex;
use std::sync::Arc;

const MOMENTS: [f32; 3] = [0.0, 0.3, 0.9];

fn history(scene: &mut Scene, ticks: u64) -> History {
    let mut history = History::default();
    for tick in 0..ticks {
        scene.step().into_iter().for_each(|cut| history.cut(cut));
        history.record(tick, &scene.world).unwrap();
    }
    history
}

/// A pose with joints has the hitboxes of the view, and its joints carry them: the joint of each hitbox takes the baked hitbox
/// to the posed one, in any kind of animation.
#[test]
fn poses_with_joints_are_those_of_the_view() {
    let (mut compared, mut interpolated, mut posed) = (0, 0, PosedCharacter::new());
    for seed in 0..20 {
        let history = history(&mut Scene::new(seed, 12), 6);
        for (tick, fraction) in (0..5).flat_map(|tick| MOMENTS.map(|fraction| (tick, fraction))) {
            let view = history.at_with(Moment { tick, fraction }, &LONG).unwrap();
            for id in view.ids() {
                let body = view.body(id).unwrap();
                let joints: Vec<JointIndex> = body.character().hitboxes().map(|one| one.joint).collect();
                assert!(view.pose_with_joints(id, &joints, &mut posed), "{id}");
                assert!(posed.boxes().eq(body.posed().boxes()), "{id}");
                interpolated += usize::from(view.kind(id) == Some(MomentKind::Interpolated));
                if !body.character().baked().envelopes.is_empty() {
                    continue;
                }
                for (one, posed_box) in body.character().hitboxes().zip(posed.boxes()) {
                    let center = posed.world_from_joint(one.joint).unwrap().transform_point3(one.baked.center);
                    assert!((center - posed_box.center).length() < 1e-4, "{id}: {center} {posed_box:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000 && interpolated > 1_000, "{compared} {interpolated}");
}

/// Joints without a hitbox, whose matrices a plain sampler computes too.
#[test]
fn joints_without_a_hitbox_are_sampled() {
    let arm = Arc::new(Character::from_baked(baked_characters::baked_arm("arm")));
    let finger = arm.skeleton().find("finger").unwrap();
    assert!(arm.needed_joints().binary_search(&finger).is_err());
    let (mut world, mut history) = (HitboxWorld::new(), History::default());
    let id = BodyId(4);
    world.insert(id, Arc::clone(&arm), BodySettings::default()).unwrap();
    let place = |tick: u64| Affine3A::from_translation(Vec3::X * 0.25 * tick as f32);
    for tick in 0..2 {
        world.pose_from_clip(id, &place(tick), ClipIndex(0), 0.25 * tick as f32).unwrap();
        history.record(tick, &world).unwrap();
    }
    let (mut sampler, mut posed) = (ClipSampler::new(), PosedCharacter::new());
    sampler.set_joints(SampleJoints::These(vec![finger]));
    for fraction in [0.0, 0.5] {
        let view = history.at_with(Moment { tick: 0, fraction }, &LONG).unwrap();
        assert!(view.pose_with_joints(id, &[finger], &mut posed));
        let model = sampler.sample(&arm, ClipIndex(0), 0.25 * fraction).unwrap()[finger.index()];
        let expected = Affine3A::from_translation(Vec3::X * 0.25 * fraction) * model;
        assert!(posed.world_from_joint(finger).unwrap().abs_diff_eq(expected, 1e-6), "{fraction}");
    }
}

#[test]
fn a_pose_that_is_refused_leaves_no_hitboxes() {
    let arm = Arc::new(Character::from_baked(baked_characters::baked_arm("arm")));
    let (finger, id) = (arm.skeleton().find("finger").unwrap(), BodyId(4));
    let (mut world, mut history) = (HitboxWorld::new(), History::default());
    world.keep_joints(true);
    world.insert(id, Arc::clone(&arm), BodySettings::default()).unwrap();
    world.pose_from_world(id, arm.rest_matrices()).unwrap();
    history.record(0, &world).unwrap();
    let refuse = |_: BodyId| false;
    let (any, none) = (LONG, Rules { may_ask: Some(&refuse), ..LONG });
    let pose = |rules: &Rules<'_>, id: BodyId, joints: &[JointIndex]| {
        let mut posed = PosedCharacter::new();
        posed.pose_from_rest(&arm, &Affine3A::IDENTITY).unwrap();
        let view = history.at_with(Moment::of_tick(0), rules).unwrap();
        assert_eq!(view.pose_with_joints(id, joints, &mut posed), posed.is_posed());
        posed.is_posed()
    };
    assert!(pose(&any, id, &[]) && pose(&any, id, arm.needed_joints()));
    // Matrices of joints that no hitbox needs are not recorded.
    assert!(!pose(&any, id, &[finger]) && !pose(&any, id, &[JointIndex(99)]));
    assert!(!pose(&any, BodyId(5), &[]) && !pose(&none, id, &[]));
}

/// All poses between two ticks lie in the bounds of the hitboxes' groups, and most bodies with a clip have bounds.
#[test]
fn bounds_without_poses_hold_all_poses_between_two_ticks() {
    let (mut bounded, mut unbounded) = (0, 0);
    for seed in 0..30 {
        let history = history(&mut Scene::new(seed, 12), 6);
        for tick in 0..5 {
            let middle = history.at_with(Moment { tick, fraction: 0.5 }, &LONG).unwrap();
            for id in middle.ids() {
                let Some(bounds) = middle.part_bounds(id) else {
                    unbounded += 1;
                    continue;
                };
                bounded += 1;
                for fraction in [0.0, 0.1, 0.37, 0.5, 0.81, 0.999] {
                    let view = history.at_with(Moment { tick, fraction }, &LONG).unwrap();
                    for one in view.body(id).unwrap().posed().boxes() {
                        let [low, high] = one
                            .obb()
                            .corners()
                            .into_iter()
                            .fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], corner| {
                                [low.min(corner), high.max(corner)]
                            });
                        let found = bounds.of_boxes([one.index]);
                        assert!(
                            found.contains(&Bounds { min: low, max: high }),
                            "seed {seed}, {id}, {fraction}: {one:?}"
                        );
                        assert!(bounds.overlaps(bounds.groups_of([one.index]), &Bounds { min: low, max: high }));
                    }
                }
            }
        }
    }
    println!("{bounded} with bounds, {unbounded} without");
    assert!(bounded > 400 && unbounded > 100, "{bounded} {unbounded}");
}
