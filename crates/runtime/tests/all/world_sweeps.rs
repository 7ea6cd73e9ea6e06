//! Motions and shapes against all bodies of a world, compared with slow twins that test every body.

use crate::characters::figure;
use geometry_core::{Obb, Sphere};
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::{
    BodyCastHit, BodyId, BodyMotion, BodySettings, BodySweepHit, ClipIndex, ClipSampler, CollisionLayers, HitboxWorld,
    PosedCharacter, QueryFilter, cast_shape_all, sweep_all,
};
use std::sync::Arc;

const TOLERANCE: f32 = 1e-4;

/// The place of a body (x and z) before and after, its turn, and its team.
type Walk = ([f32; 2], [f32; 2], f32, Option<u32>);

struct Scene {
    world: HitboxWorld,
    /// The pose of each body before the tick, by body.
    before: Vec<PosedCharacter>,
    walks: Vec<Walk>,
}

fn place(at: [f32; 2], turn: f32) -> Affine3A {
    let rotation = Quat::from_xyzw(0.0, turn, 0.0, 1.0).normalize();
    Affine3A::from_rotation_translation(rotation, Vec3::new(at[0], 0.0, at[1]))
}

/// Hands of every third body interact with nothing but layer 2.
fn filter(body: usize, joint: &str) -> CollisionLayers {
    if body.is_multiple_of(3) && joint.starts_with("hand") {
        CollisionLayers { memberships: 2, mask: 2 }
    } else {
        CollisionLayers::default()
    }
}

fn scene(walks: Vec<Walk>) -> Scene {
    let character = Arc::new(figure("figure"));
    let (mut world, mut before) = (HitboxWorld::new(), Vec::new());
    for (body, &(from, _, turn, team)) in walks.iter().enumerate() {
        let id = BodyId(body as u64);
        world.insert(id, Arc::clone(&character), BodySettings { team, ..BodySettings::default() }).unwrap();
        if body.is_multiple_of(3) {
            let hands = character.boxes_with_tag("hand").unwrap();
            world.set_box_layers(id, &hands, CollisionLayers { memberships: 2, mask: 2 }).unwrap();
        }
        world.pose_from_clip(id, &place(from, turn), ClipIndex(1), 0.2).unwrap();
        before.push(world.body(id).unwrap().posed().clone());
    }
    world.start_motion();
    for (body, &(_, to, turn, _)) in walks.iter().enumerate() {
        world.pose_from_clip(BodyId(body as u64), &place(to, turn + 0.3), ClipIndex(1), 0.3).unwrap();
    }
    world.update();
    Scene { world, before, walks }
}

impl Scene {
    fn motion(&self, body: usize) -> BodyMotion<'_> {
        let after = self.world.body(BodyId(body as u64)).unwrap().posed();
        BodyMotion::new(&self.before[body], after).unwrap()
    }

    fn sweep_by_looking_at_all(&self) -> Vec<BodySweepHit> {
        let mut all = Vec::new();
        let character = figure("figure");
        for a in 0..self.walks.len() {
            for b in a + 1..self.walks.len() {
                if self.walks[a].3.is_some() && self.walks[a].3 == self.walks[b].3 {
                    continue;
                }
                let mut hits = Vec::new();
                sweep_all(&self.motion(a), &self.motion(b), TOLERANCE, &mut hits);
                let layers = |body, joint| filter(body, character.joint_name(joint));
                let wanted =
                    hits.into_iter().filter(|one| layers(a, one.joint_a).interacts_with(layers(b, one.joint_b)));
                let [body_a, body_b] = [a, b].map(|id| BodyId(id as u64));
                all.extend(wanted.map(|answer| BodySweepHit { body_a, body_b, answer }));
            }
        }
        all
    }

    fn cast_by_looking_at_all(&self, from: &Obb, to: &Obb, wanted: CollisionLayers) -> Vec<BodyCastHit> {
        let mut all = Vec::new();
        let character = figure("figure");
        for body in 0..self.walks.len() {
            let mut hits = Vec::new();
            cast_shape_all(from, to, &self.motion(body), TOLERANCE, &mut hits);
            hits.retain(|hit| filter(body, character.joint_name(hit.joint)).interacts_with(wanted));
            all.extend(hits.into_iter().map(|answer| BodyCastHit { body: BodyId(body as u64), answer }));
        }
        all.sort_by(|a, b| a.time.total_cmp(&b.time).then((a.body, a.box_index).cmp(&(b.body, b.box_index))));
        all
    }
}

fn walks() -> impl Strategy<Value = Vec<Walk>> {
    let spot = || prop::array::uniform2(-1.5f32..1.5);
    // Most walk a little; some run through everybody.
    let step = prop_oneof![4 => prop::array::uniform2(-0.1f32..0.1), 1 => prop::array::uniform2(-6f32..6.0)];
    let walk = (spot(), step, -1f32..1.0, prop::option::of(0u32..2))
        .prop_map(|(from, step, turn, team)| (from, [from[0] + step[0], from[1] + step[1]], turn, team));
    prop::collection::vec(walk, 0..7)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn moving_bodies_hit_as_pair_by_pair(walks in walks()) {
        let scene = scene(walks);
        let expected = scene.sweep_by_looking_at_all();
        let mut found = Vec::new();
        scene.world.sweep_all(TOLERANCE, &QueryFilter::default(), &mut found);
        prop_assert_eq!(&found, &expected);
        let first = expected.iter().min_by(|a, b| {
            let pair = |one: &BodySweepHit| (one.body_a, one.body_b, one.box_a, one.box_b);
            a.time.total_cmp(&b.time).then(pair(a).cmp(&pair(b)))
        });
        prop_assert_eq!(scene.world.sweep(TOLERANCE, &QueryFilter::default()), first.copied());
        prop_assert_eq!(scene.world.sweep_any(TOLERANCE, &QueryFilter::default()), !expected.is_empty());
    }

    #[test]
    fn a_cast_box_hits_what_it_hits_body_by_body(
        walks in walks(),
        from in prop::array::uniform3(-2f32..2.0),
        to in prop::array::uniform3(-2f32..2.0),
        turn in -1f32..1.0,
        hands in any::<bool>(),
    ) {
        let scene = scene(walks);
        let wanted = if hands { CollisionLayers { memberships: 2, mask: 2 } } else { CollisionLayers::default() };
        let blade = |at: [f32; 3], turn| {
            let turn = Quat::from_xyzw(turn, 0.2, 0.0, 1.0).normalize();
            Obb::from_orientation(Vec3::new(at[0], 1.0 + 0.4 * at[1], at[2]), Vec3::new(0.02, 0.5, 0.05), turn)
        };
        let (from, to) = (blade(from, 0.0), blade(to, turn));
        let asked = &QueryFilter { layers: Some(wanted), ..QueryFilter::default() };
        let expected = scene.cast_by_looking_at_all(&from, &to, wanted);
        let mut hits = Vec::new();
        scene.world.cast_shape_all(&from, &to, TOLERANCE, asked, &mut hits);
        prop_assert_eq!(&hits, &expected);
        prop_assert_eq!(scene.world.cast_shape(&from, &to, TOLERANCE, asked), expected.first().copied());
        prop_assert_eq!(scene.world.cast_shape_any(&from, &to, TOLERANCE, asked), !expected.is_empty());
        let ball = Sphere::try_new(to.center(), 0.3).unwrap();
        let mut boxes = Vec::new();
        scene.world.overlapping_boxes(&ball, asked, &mut boxes);
        prop_assert_eq!(scene.world.overlaps_shape(&ball, asked), !boxes.is_empty());
    }
}

#[test]
fn two_standing_bodies_do_not_hit_each_other_even_if_they_overlap_and_a_third_body_moves() {
    let character = Arc::new(figure("figure"));
    let mut world = HitboxWorld::new();
    for (id, continuous) in [(1, false), (2, false), (3, true)] {
        let settings = BodySettings { continuous, ..BodySettings::default() };
        world.insert(BodyId(id), Arc::clone(&character), settings).unwrap();
        world.pose_from_rest(BodyId(id), &place([if id == 3 { 50.0 } else { 0.1 * id as f32 }, 0.0], 0.0)).unwrap();
    }
    world.update();
    world.pose_from_rest(BodyId(3), &place([40.0, 0.0], 0.0)).unwrap();
    world.update();
    assert!(world.touches().iter().any(|touch| (touch.body_a, touch.body_b) == (BodyId(1), BodyId(2))));
    assert!(!world.sweep_any(TOLERANCE, &QueryFilter::default()));
    // The third body arrives, and hits both.
    world.pose_from_rest(BodyId(3), &place([-40.0, 0.0], 0.0)).unwrap();
    world.update();
    let mut hits = Vec::new();
    world.sweep_all(TOLERANCE, &QueryFilter::default(), &mut hits);
    assert!([1, 2].iter().all(|id| hits.iter().any(|hit| hit.body_a == BodyId(*id))));
    assert!(hits.iter().all(|hit| hit.body_b == BodyId(3)));
}

/// A body moves if it was posed since its motion began, and had a pose then. Otherwise it stands still.
#[test]
fn a_body_stands_still_until_it_is_posed_after_its_motion_began() {
    let character = Arc::new(figure("figure"));
    let here = place([0.0, 0.0], 0.0);
    // Two bodies at the same place, which hit each other as soon as one of them moves.
    let overlapping = |continuous: bool, are_posed: bool| {
        let mut world = HitboxWorld::new();
        for id in [1, 2, 3] {
            let settings = BodySettings { continuous: continuous || id == 3, ..BodySettings::default() };
            world.insert(BodyId(id), Arc::clone(&character), settings).unwrap();
            // The third body stands apart, and makes the world keep motions.
            let at = if id == 3 { place([90.0, 0.0], 0.0) } else { here };
            if are_posed || id == 3 {
                world.pose_from_rest(BodyId(id), &at).unwrap();
            }
        }
        world.update();
        world
    };
    let moves = |world: &HitboxWorld, what: &str| {
        let mut hits = Vec::new();
        world.sweep_all(TOLERANCE, &QueryFilter::default(), &mut hits);
        let any = !hits.is_empty();
        assert_eq!(world.sweep_any(TOLERANCE, &QueryFilter::default()), any, "{what}");
        assert_eq!(world.sweep(TOLERANCE, &QueryFilter::default()).is_some(), any, "{what}");
        any
    };
    let stands_still = |world: &mut HitboxWorld, what: &str| {
        assert!(!moves(world, what), "{what}, before the update");
        world.update();
        assert!(!moves(world, what), "{what}, after the update");
    };
    let posed = |world: &mut HitboxWorld, what: &str| {
        world.pose_from_rest(BodyId(1), &here).unwrap();
        assert!(moves(world, what), "{what}, posed again");
    };

    // Bodies that are not continuous.
    stands_still(&mut overlapping(false, true), "no motion was started");
    let mut world = overlapping(false, true);
    world.reset_motion(BodyId(1)).unwrap();
    stands_still(&mut world, "a reset without a motion");
    world.pose_from_rest(BodyId(1), &here).unwrap();
    stands_still(&mut world, "a pose without a motion");
    let mut world = overlapping(false, true);
    world.start_motion();
    stands_still(&mut world, "a motion was started");
    posed(&mut world, "a motion was started");
    world.update();
    assert!(moves(&world, "the motion goes on until the next start"));
    world.reset_motion(BodyId(1)).unwrap();
    stands_still(&mut world, "a reset");
    posed(&mut world, "a reset");
    let mut world = overlapping(false, false);
    world.start_motion();
    world.pose_from_rest(BodyId(1), &here).unwrap();
    world.pose_from_rest(BodyId(2), &here).unwrap();
    stands_still(&mut world, "the first pose, after a motion was started");

    // Continuous bodies.
    let mut world = overlapping(true, false);
    world.pose_from_rest(BodyId(2), &here).unwrap();
    world.pose_from_rest(BodyId(1), &here).unwrap();
    assert!(!moves(&world, "the first pose"));
    world.pose_from_rest(BodyId(1), &here).unwrap();
    stands_still(&mut world, "the second pose of the first tick");
    stands_still(&mut world, "a tick without a pose");
    posed(&mut world, "the second tick");
    world.reset_motion(BodyId(1)).unwrap();
    stands_still(&mut world, "a reset of a continuous body");
    posed(&mut world, "a reset of a continuous body");
    world.reset_motion(BodyId(1)).unwrap();
    posed(&mut world, "a reset in the middle of a tick");
    let refused = world.pose_one(BodyId(2), |body| body.update_joints(&[], &[]));
    assert!(refused.is_err() && world.body(BodyId(2)).unwrap().posed().boxes().len() == 0);
    world.pose_from_rest(BodyId(2), &here).unwrap();
    assert!(moves(&world, "a refused pose does not end the motion"));
}

#[test]
fn motions_end_with_the_next_start_and_newcomers_stand_still() {
    let character = Arc::new(figure("figure"));
    let mut world = HitboxWorld::new();
    let mut hits = Vec::new();
    for id in [1, 2] {
        world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).unwrap();
    }
    let pose = |world: &mut HitboxWorld, id, x| world.pose_from_rest(BodyId(id), &place([x, 0.0], 0.0)).unwrap();
    pose(&mut world, 1, 0.0);
    pose(&mut world, 2, 20.0);
    world.update();
    assert!(!world.sweep_any(TOLERANCE, &QueryFilter::default()), "without a start there is no motion");
    world.start_motion();
    pose(&mut world, 2, -20.0);
    world.update();
    assert!(world.sweep_any(TOLERANCE, &QueryFilter::default()) && world.touches().is_empty());
    // A tick in which no body moves.
    world.start_motion();
    world.update();
    assert!(!world.sweep_any(TOLERANCE, &QueryFilter::default()));
    // A body is inserted during the tick, in the path of another body.
    world.start_motion();
    world.insert(BodyId(3), Arc::clone(&character), BodySettings::default()).unwrap();
    world.sweep_all(TOLERANCE, &QueryFilter::default(), &mut hits);
    assert!(hits.is_empty(), "a body without a pose is not found");
    pose(&mut world, 3, 10.0);
    pose(&mut world, 2, 20.0);
    world.update();
    world.sweep_all(TOLERANCE, &QueryFilter::default(), &mut hits);
    assert!(hits.iter().any(|one| (one.body_a, one.body_b) == (BodyId(2), BodyId(3))));
    // A body without boxes at either end stands still, or is not there.
    world.start_motion();
    assert!(world.pose_from_rest(BodyId(2), &Affine3A::NAN).is_err());
    world.update();
    assert!(!world.sweep_any(TOLERANCE, &QueryFilter::default()));
}

proptest! {
    /// Bodies that stand still have their own code to find the boxes near a weapon.
    #[test]
    fn a_body_that_stands_still_is_hit_like_one_that_moves_to_where_it_is(
        [from, to] in prop::array::uniform2((prop::array::uniform3(-1f32..1.0), -1f32..1.0)),
        far in prop_oneof![Just(0f32), Just(1e4)],
        half in 0.01f32..0.5,
    ) {
        let mut posed = PosedCharacter::new();
        let body = Affine3A::from_translation(Vec3::splat(far));
        posed.pose_from_clip(&mut ClipSampler::new(), &figure("figure"), &body, ClipIndex(1), 0.2).unwrap();
        let blade = |(at, turn): ([f32; 3], f32)| {
            let turn = Quat::from_xyzw(turn, 0.3, 0.0, 1.0).normalize();
            Obb::from_orientation(Vec3::from(at) + Vec3::new(far, far + 0.9, far), Vec3::new(0.02, half, 0.05), turn)
        };
        let same = posed.clone();
        let (mut still, mut moving) = (Vec::new(), Vec::new());
        cast_shape_all(&blade(from), &blade(to), &BodyMotion::still(&posed), TOLERANCE, &mut still);
        cast_shape_all(&blade(from), &blade(to), &BodyMotion::new(&same, &posed).unwrap(), TOLERANCE, &mut moving);
        prop_assert_eq!(still, moving);
    }
}
