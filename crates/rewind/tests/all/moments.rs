//! Moments outside the history, cuts, rules and rollbacks.

use crate::scene::Scene;
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use rewind::{History, HistorySettings, Moment, MomentError, MomentKind, PastShot, RecordError, Rules, Verdict};
use runtime::{
    AnimationRef, BodyId, BodySettings, BoxIndex, Character, HitboxWorld, PoseLayer, PoseRecipeRef, QueryFilter,
};
use std::sync::Arc;

const BODY: BodyId = BodyId(7);

fn arm_world() -> (HitboxWorld, Arc<Character>) {
    let arm = Arc::new(Character::from_baked(baked_characters::baked_arm("arm")));
    let mut world = HitboxWorld::new();
    world.insert(BODY, Arc::clone(&arm), BodySettings::default()).unwrap();
    (world, arm)
}

/// A history of one arm that moves along x by `step` each tick.
fn walk(ticks: u64, step: f32) -> History {
    let (mut world, _) = arm_world();
    let mut history = History::new(HistorySettings { ticks: 16, tick_seconds: 0.02 });
    for tick in 0..ticks {
        let place = Affine3A::from_translation(Vec3::X * (tick as f32 * step));
        world.pose_from_rest(BODY, &place).unwrap();
        history.record(tick, &world).unwrap();
    }
    history
}

fn x(history: &History, moment: Moment, rules: &Rules<'_>) -> (f32, MomentKind) {
    let view = history.at_with(moment, rules).unwrap();
    let body = view.body(BODY).unwrap();
    (body.posed().boxes().next().unwrap().center.x, view.kind(BODY).unwrap())
}

#[test]
fn each_moment_is_told_how_it_was_found() {
    let history = walk(20, 0.5);
    let rules = Rules { max_back: 100.0, ..Rules::default() };
    let at = |tick, fraction| x(&history, Moment { tick, fraction }, &rules);
    assert_eq!(at(10, 0.0), (5.0, MomentKind::Exact));
    assert_eq!(at(10, 0.5), (5.25, MomentKind::Interpolated));
    assert_eq!(at(9, 1.0), (5.0, MomentKind::Exact));
    assert_eq!(at(9, 7.5), (5.0, MomentKind::Exact));
    assert_eq!(at(9, -1.0), (4.5, MomentKind::Exact));
    assert_eq!(at(0, 0.3), (2.0, MomentKind::ClampedToOldest));
    assert_eq!(at(u64::MAX, 0.3), (9.5, MomentKind::ClampedToNewest));
    assert_eq!(at(19, 0.3), (9.5, MomentKind::ClampedToNewest));
    // 0.05 s are 2.5 ticks of 0.02 s.
    let rules = Rules { max_back: 0.05, ..Rules::default() };
    let (place, kind) = x(&history, Moment::of_tick(3), &rules);
    assert!((place - 8.25).abs() < 1e-4 && kind == MomentKind::ClampedToMaxBack, "{place} {kind:?}");
    assert_eq!(x(&history, Moment::of_tick(18), &rules), (9.0, MomentKind::Exact));
}

#[test]
fn what_cannot_be_is_refused() {
    let (mut world, _) = arm_world();
    let mut history = History::default();
    assert_eq!(history.at(Moment::of_tick(0)).unwrap_err(), MomentError::Empty);
    let recorded = history.record(5, &world).unwrap();
    assert_eq!((recorded.bodies, recorded.without_pose), (0, 1));
    assert_eq!(history.record(5, &world), Err(RecordError::NotNewer { tick: 5, newest: 5 }));
    let not_a_number = Moment { tick: 5, fraction: f32::NAN };
    assert_eq!(history.at(not_a_number).unwrap_err(), MomentError::NotANumber);
    let view = history.at(Moment::of_tick(5)).unwrap();
    assert!(view.kind(BODY).is_none() && view.body(BODY).is_none() && view.ids().next().is_none());
    assert!(view.kind(BodyId(1)).is_none() && view.body(BodyId(1)).is_none());
    drop(view);
    // Matrices that the world does not keep.
    let rest = baked_characters::baked_arm("arm").skeleton.len();
    world.pose_from_world(BODY, &vec![Affine3A::IDENTITY; rest]).unwrap();
    let recorded = history.record(6, &world).unwrap();
    assert_eq!((recorded.bodies, recorded.without_recipe, recorded.first_without_recipe), (0, 1, Some(BODY)));
    world.keep_joints(true);
    world.pose_from_world(BODY, &vec![Affine3A::IDENTITY; rest]).unwrap();
    assert_eq!(history.record(7, &world).unwrap().bodies, 1);
}

#[test]
fn nobody_is_shown_in_the_middle_of_a_teleport() {
    for by_distance in [false, true] {
        let (mut world, _) = arm_world();
        let mut history = History::default();
        let mut pose = |history: &mut History, tick, x| {
            world.pose_from_rest(BODY, &Affine3A::from_translation(Vec3::X * x)).unwrap();
            history.record(tick, &world).unwrap();
        };
        pose(&mut history, 1, 0.0);
        if !by_distance {
            history.cut(BODY);
        }
        pose(&mut history, 2, if by_distance { 2.5 } else { 1.0 });
        pose(&mut history, 3, if by_distance { 3.0 } else { 2.0 });
        let rules = Rules::default();
        assert_eq!(x(&history, Moment { tick: 1, fraction: 0.9 }, &rules), (0.0, MomentKind::Cut));
        assert_eq!(x(&history, Moment { tick: 2, fraction: 0.5 }, &rules).1, MomentKind::Interpolated);
    }
}

/// A body that is posed with matrices was teleported if the first joint that its poses need moved too far. A limb that moves
/// far does not matter.
#[test]
fn teleports_of_matrices_are_seen() {
    let stretch = Affine3A::from_scale(Vec3::new(1.0, 1.2, 0.9));
    for linear in [Affine3A::IDENTITY, stretch] {
        let (mut world, arm) = arm_world();
        world.keep_joints(true);
        let mut history = History::default();
        for (tick, x, limb) in [(1, 0.0, 0.0), (2, 1.9, 0.0), (3, 4.0, 0.0), (4, 4.0, 9.0)] {
            let mut joints: Vec<Affine3A> = arm.rest_matrices().to_vec();
            joints.iter_mut().for_each(|joint| *joint = Affine3A::from_translation(Vec3::X * x) * *joint * linear);
            joints[2] = Affine3A::from_translation(Vec3::Y * limb) * joints[2];
            world.pose_from_world(BODY, &joints).unwrap();
            assert_eq!(history.record(tick, &world).unwrap().bodies, 1);
        }
        let kind = |tick| history.at(Moment { tick, fraction: 0.5 }).unwrap().kind(BODY).unwrap();
        assert_eq!([1, 2, 3].map(kind), [MomentKind::Interpolated, MomentKind::Cut, MomentKind::Interpolated]);
        let rules = Rules { teleport_distance: 2.2, ..Rules::default() };
        let view = history.at_with(Moment { tick: 2, fraction: 0.5 }, &rules).unwrap();
        assert_eq!(view.kind(BODY), Some(MomentKind::Interpolated));
    }
}

/// A clip that starts again between two ticks goes on through its end.
#[test]
fn a_looping_clip_goes_the_short_way() {
    let (mut world, arm) = arm_world();
    let wave = arm.find_clip("wave").unwrap();
    let mut history = History::default();
    for (tick, seconds) in [(1, 1.9), (2, 0.1)] {
        world.pose_from_clip(BODY, &Affine3A::IDENTITY, wave, seconds).unwrap();
        history.record(tick, &world).unwrap();
    }
    for (fraction, seconds) in [(0.25, 1.95), (0.75, 0.05)] {
        let view = history.at(Moment { tick: 1, fraction }).unwrap();
        world.pose_from_clip(BODY, &Affine3A::IDENTITY, wave, seconds).unwrap();
        let expected = world.body(BODY).unwrap().posed().boxes().nth(1).unwrap();
        let found = view.body(BODY).unwrap().posed().boxes().nth(1).unwrap();
        assert!((expected.center - found.center).length() < 1e-4, "{expected:?} {found:?}");
    }
}

#[test]
fn a_body_that_may_not_be_asked_about_is_counted_and_not_shown() {
    let history = walk(5, 0.1);
    let nobody = |_: BodyId| false;
    let rules = Rules { may_ask: Some(&nobody), ..Rules::default() };
    let view = history.at_with(Moment::of_tick(3), &rules).unwrap();
    assert!(view.body(BODY).is_none() && view.body(BODY).is_none());
    assert_eq!(view.refused().not_allowed, 1);
}

/// 600 ticks with rollbacks give the same history as 600 ticks without.
#[test]
fn a_rollback_leaves_no_trace() {
    let play = |seed: u64, rolls_back: bool| {
        let mut scene = Scene::new(seed, 8);
        let mut history = History::default();
        let mut saved: Vec<(u64, Scene)> = Vec::new();
        let mut tick = 0;
        let mut left = 40;
        while tick < 600 {
            if rolls_back && left > 0 && tick > 20 && tick % 13 == 0 {
                left -= 1;
                let back = saved.len() - 1 - (tick as usize / 13) % 12;
                let (then, state) = saved.swap_remove(back);
                saved.truncate(back);
                saved.push((then, state.clone()));
                (tick, scene) = (then, state);
                history.drop_after(tick - 1);
            }
            saved.push((tick, scene.clone()));
            if saved.len() > 13 {
                saved.remove(0);
            }
            for cut in scene.step() {
                history.cut(cut);
            }
            history.record(tick, &scene.world).unwrap();
            tick += 1;
        }
        history
    };
    let (plain, rolled) = (play(3, false), play(3, true));
    assert_eq!(plain.newest(), rolled.newest());
    assert_eq!(plain.checksum(), rolled.checksum());
    for tick in plain.oldest().unwrap()..600 {
        assert_eq!(plain.checksum_of(tick), rolled.checksum_of(tick));
    }
}

#[test]
fn checksums_name_the_first_body_that_differs() {
    let history = walk(4, 0.25);
    let (mut world, arm) = arm_world();
    let mut other = History::new(HistorySettings { ticks: 16, tick_seconds: 0.02 });
    for tick in 0..4_u64 {
        let x = if tick == 2 { 9.0 } else { tick as f32 * 0.25 };
        let place = Affine3A::from_translation(Vec3::X * x);
        world.pose(BODY, PoseRecipeRef { place, animation: AnimationRef::Rest }).unwrap();
        other.record(tick, &world).unwrap();
    }
    let _arm = arm;
    assert_ne!(history.checksum(), other.checksum());
    assert_eq!(history.first_difference(&other), Some((2, BODY)));
    assert_eq!(history.first_difference(&history.clone()), None);
}

/// A ray past the upper arm, and the same ray at other moments.
#[test]
fn a_shot_is_explained() {
    let (mut world, _) = arm_world();
    let other = BodyId(9);
    let arm = Arc::clone(world.body(BODY).unwrap().character());
    world.insert(other, arm, BodySettings::default()).unwrap();
    let mut history = History::default();
    for tick in 0..8_u64 {
        world.pose_from_rest(BODY, &Affine3A::from_translation(Vec3::X * tick as f32)).unwrap();
        world.pose_from_rest(other, &Affine3A::from_translation(Vec3::new(4.0, 0.0, -9.0))).unwrap();
        history.record(tick, &world).unwrap();
    }
    // The arm is 0.6 wide around its place, and its boxes reach from y = 1 to y = 3.
    let shot = |tick, x, z: f32| PastShot {
        moment: Moment::of_tick(tick),
        ray: Ray::try_new(Vec3::new(x, 1.5, z), Vec3::NEG_Z * z.signum()).unwrap(),
        max_time: None,
        filter: QueryFilter::default(),
    };
    let rules = Rules { max_back: 100.0, ..Rules::default() };
    let explain = |shot: &PastShot<'_>, target| history.explain(shot, target, &rules).unwrap();

    let missed = explain(&shot(5, 4.5, 3.0), BODY);
    assert_eq!((&missed.verdict, &*missed.hits_at), (&Verdict::Missed, &[][..]));
    let nearest = missed.nearest.unwrap();
    assert!((nearest.distance - 0.2).abs() < 1e-5 && nearest.joint == "upper", "{nearest:?}");
    assert!((Vec3::from(nearest.on_hitbox).x - 4.7).abs() < 1e-5 && Vec3::from(nearest.on_ray).x == 4.5);

    let late = explain(&shot(5, 4.0, 3.0), BODY);
    assert_eq!((&late.verdict, &*late.hits_at), (&Verdict::Missed, &[4][..]));
    let text = late.to_string();
    assert!(text.starts_with("the shot missed body 7 at tick 5 by 0.7"), "{text}");
    assert!(text.ends_with("at joint \"upper\"; the same ray hits it at tick 4"), "{text}");

    assert_eq!(explain(&shot(4, 4.0, 3.0), BODY).verdict, Verdict::Hit { box_index: BoxIndex(0) });
    assert_eq!(explain(&shot(4, 4.0, 3.0), other).verdict, Verdict::Blocked { by: BODY });
    assert_eq!(explain(&shot(4, 4.0, 3.0), BodyId(1)).verdict, Verdict::NotThere);
    let left_out = PastShot { filter: QueryFilter { tags: &["leg"], ..QueryFilter::default() }, ..shot(4, 4.0, 3.0) };
    assert_eq!(explain(&left_out, BODY).verdict, Verdict::LeftOut { box_index: BoxIndex(0) });
    let nobody = |_: BodyId| false;
    let strict = Rules { may_ask: Some(&nobody), ..rules };
    assert_eq!(history.explain(&shot(4, 4.0, 3.0), BODY, &strict).unwrap().verdict, Verdict::NotAllowed);
    // A ray that ends before the arm.
    let short = PastShot { max_time: Some(1.0), ..shot(4, 4.0, 3.0) };
    let short = explain(&short, BODY);
    assert!((short.nearest.unwrap().distance - 1.7).abs() < 1e-5 && short.verdict == Verdict::Missed);
}

#[test]
fn a_view_knows_the_clips_and_the_bounds_of_its_bodies() {
    let (mut world, arm) = arm_world();
    let wave = arm.find_clip("wave").unwrap();
    let mut history = History::default();
    let layers = [PoseLayer::blend(wave, 0.25, 0.3), PoseLayer::blend(wave, 1.5, 0.7)];
    let layers = AnimationRef::Layers(&layers);
    for tick in 0..8_u8 {
        let place = Affine3A::from_translation(Vec3::X * f32::from(tick));
        // The clip lasts 2 seconds: it begins again between the ticks 3 and 4.
        let seconds = (0.5 * f32::from(tick)) % 2.0;
        match tick {
            0..=5 => world.pose_from_clip(BODY, &place, wave, seconds).unwrap(),
            6 => world.pose_from_rest(BODY, &place).unwrap(),
            _ => world.pose(BODY, PoseRecipeRef { place, animation: layers }).unwrap(),
        }
        history.record(tick.into(), &world).unwrap();
    }
    assert_eq!(history.ticks().collect::<Vec<_>>(), (0..8).collect::<Vec<_>>());
    assert_eq!(history.settings(), HistorySettings::default());
    let clip = |tick, fraction| history.at(Moment { tick, fraction }).unwrap().clip_of(BODY);
    assert_eq!((clip(1, 0.0), clip(1, 0.5)), (Some((wave, 0.5)), Some((wave, 0.75))));
    assert_eq!((clip(3, 0.5), clip(5, 0.5)), (Some((wave, 1.75)), Some((wave, 0.5))));
    assert_eq!((clip(6, 0.0), clip(7, 0.0)), (None, Some((wave, 1.5))));
    assert_eq!(history.at(Moment::of_tick(2)).unwrap().clip_of(BodyId(1)), None);
    let view = history.at(Moment::of_tick(2)).unwrap();
    let (character, settings) = view.character_of(BODY).unwrap();
    assert!(Arc::ptr_eq(character, &arm) && settings == BodySettings::default());
    assert!(view.character_of(BodyId(1)).is_none());
    for fraction in [0.0, 0.4, 0.9] {
        let view = history.at(Moment { tick: 2, fraction }).unwrap();
        let mut found = Vec::new();
        view.each_bounds(|id, bounds| found.push((id, bounds)));
        let [(id, bounds)] = found.as_slice() else { panic!("{found:?}") };
        let own = view.body(BODY).unwrap().posed().bounds();
        assert!(*id == BODY && bounds.min.cmple(own.min).all() && bounds.max.cmpge(own.max).all());
    }
}
