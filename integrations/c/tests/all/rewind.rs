//! Histories and worlds of the past: the same answers as those of copies of the world.

use crate::door::{
    EVERYTHING, Failed, OwnHistory, OwnPose, OwnWorld, all, assert_failed, asset, bytes, call, find_clip, found,
    hitboxes, insert, matrix, value, vec3,
};
use baked_characters::golden_scenes::scene::Random;
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

const BODIES: u64 = 12;

/// Bodies that walk along x, each with its own speed and clip time.
fn pose(world: &OwnWorld, clip: u32, tick: u64) {
    for body in 0..BODIES {
        let x = tick as f32 * (0.02 + 0.01 * body as f32);
        let place = Affine3A::from_translation(Vec3::new(x, 0.0, 1.5 * body as f32));
        let seconds = (tick as f32 / 64.0 + body as f32 * 0.05) % 1.0;
        let pose = BoneboxClipPose { body, world_from_model: matrix(&place), clip, seconds };
        call(|error| unsafe { bonebox_world_pose_from_clips(world.0, &pose, 1, error) }).unwrap();
    }
}

fn walk(ticks: u64) -> (OwnWorld, OwnHistory, Vec<OwnWorld>) {
    let (runa, world, history) = (asset("runa"), OwnWorld::new(), OwnHistory::new(32, 1.0 / 64.0).unwrap());
    (0..BODIES).for_each(|body| insert(&world, body, &runa));
    let (clip, mut copies) = (find_clip(&runa, "walk"), Vec::new());
    for tick in 0..ticks {
        pose(&world, clip, tick);
        assert_eq!(history.record(tick, &world).unwrap().bodies, BODIES as usize);
        let copy = OwnWorld::new();
        call(|error| unsafe { bonebox_world_copy(world.0, copy.0, error) }).unwrap();
        copies.push(copy);
    }
    (world, history, copies)
}

/// Answers to every question that worlds of the past and of the present have in common, as text.
fn answers(world: *const BoneboxWorld, random: &mut Random) -> String {
    let mut point = || Vec3::new(random.share() * 4.0 - 1.0, random.share() * 2.0, random.share() * 18.0 - 1.0);
    let (from, to) = (point(), point());
    let ray = BoneboxRay { origin: vec3(from), direction: vec3((to - from) * 2.0), max_time: 3.0 };
    let exclude = [2, 5];
    let filter = BoneboxFilter { exclude: exclude.as_ptr(), exclude_count: 2, ..EVERYTHING };
    let filter = if from.x < 1.0 { &raw const filter } else { null() };
    let (ball, ball_then) = (bonebox_shape_sphere(vec3(from), 0.5), bonebox_shape_sphere(vec3(to), 0.5));
    let first = found(|is, out, error| unsafe { bonebox_world_cast_ray(world, &ray, filter, is, out, error) });
    let hits = all(|out, room, count, error| unsafe {
        bonebox_world_cast_ray_all(world, &ray, filter, out, room, count, error)
    });
    let any = value(|out, error| unsafe { bonebox_world_cast_ray_any(world, &ray, filter, out, error) });
    let mut batch = [BoneboxRayAnswer::default(); 1];
    let query = BoneboxRayQuery { ray, filter };
    call(|error| unsafe { bonebox_world_cast_rays(world, &query, 1, batch.as_mut_ptr(), error) }).unwrap();
    assert_eq!(batch[0].found.then_some(batch[0].hit), first.as_ref().unwrap().as_ref().copied());
    let boxes = all(|out, room, count, error| unsafe {
        bonebox_world_overlapping_boxes(world, &ball, filter, out, room, count, error)
    });
    let in_ball = value(|out, error| unsafe { bonebox_world_overlaps_shape(world, &ball, filter, out, error) });
    let mut contact = MaybeUninit::<BoneboxCastContact>::zeroed();
    let cast = found(|is, out, error| unsafe {
        bonebox_world_cast_shape(world, &ball, &ball_then, 0.0, filter, is, out, contact.as_mut_ptr(), error)
    });
    let casts = all(|out, room, count, error| unsafe {
        bonebox_world_cast_shape_all(world, &ball, &ball_then, 0.0, filter, out, room, count, error)
    });
    let cast_any =
        value(|out, error| unsafe { bonebox_world_cast_shape_any(world, &ball, &ball_then, 0.0, filter, out, error) });
    let bodies = all(|out, room, count, error| unsafe { bonebox_world_bodies(world, out, room, count, error) });
    let pose = OwnPose::new();
    call(|error| unsafe { bonebox_world_get_pose(world, 3, pose.0, error) }).unwrap();
    let of_body = all(|out, room, count, error| unsafe { bonebox_world_hitboxes(world, 3, out, room, count, error) });
    assert_eq!(of_body.unwrap(), hitboxes(&pose));
    let contact = unsafe { contact.assume_init() };
    format!(
        "{first:?} {hits:?} {any:?} {boxes:?} {in_ball:?} {cast:?} {contact:?} {casts:?} {cast_any:?} {bodies:?} {:?}",
        hitboxes(&pose)
    )
}

#[test]
fn a_world_of_the_past_answers_as_the_world_did() {
    let (_world, history, copies) = walk(20);
    let mut random = Random(7);
    let rules = BoneboxRewindRules { max_back: 9.0, ..bonebox_rewind_rules_default() };
    for round in 0..60 {
        let tick = round % 20;
        let then = history.at_with(BoneboxMoment { tick, fraction: 0.0 }, &[], &rules).unwrap();
        let (mut same, copy) = (Random(random.0), copies[tick as usize].0);
        assert_eq!(answers(then.0, &mut random), answers(copy, &mut same), "tick {tick}");
        assert_eq!(then.kind(1), Some(BoneboxMomentKind::Exact));
    }
}

/// A world of the past stays as it is when the history goes on, is rolled back or is freed.
#[test]
fn a_world_of_the_past_outlives_its_history() {
    let (world, history, _) = walk(20);
    let moment = |then: &OwnPast| answers(then.0, &mut Random(3));
    use crate::door::OwnPast;
    let then = history.at(12, 0.25, &[]).unwrap();
    let late = history.at(12, 0.25, &[]).unwrap();
    let before = moment(&then);
    call(|error| unsafe { bonebox_history_drop_after(history.0, 3, error) }).unwrap();
    history.record(50, &world).unwrap();
    let ticks = value(|out, error| unsafe { bonebox_history_ticks(history.0, out, error) }).unwrap();
    assert_eq!(ticks, BoneboxHistoryTicks { oldest: 0, newest: 50, count: 5 });
    drop((history, world));
    assert_eq!(moment(&late), before, "nothing was posed before the history was freed");
    assert_eq!(moment(&then), before);
}

#[test]
fn moments_cuts_and_rules() {
    use BoneboxMomentKind::{ClampedToMaxBack, ClampedToNewest, Cut, Exact, Interpolated};
    let (world, history, _) = walk(20);
    assert_eq!(history.at(12, 0.5, &[]).unwrap().kind(0), Some(Interpolated));
    assert_eq!(history.at(99, 0.0, &[]).unwrap().kind(0), Some(ClampedToNewest));
    assert_eq!(history.at(12, 0.5, &[]).unwrap().kind(99), None);
    call(|error| unsafe { bonebox_history_cut(history.0, 3, error) }).unwrap();
    history.record(20, &world).unwrap();
    let own = [BoneboxBodyMoment { body: 5, moment: BoneboxMoment { tick: 1, fraction: 0.5 } }];
    let then = history.at(19, 0.5, &own).unwrap();
    assert_eq!([3, 4, 5].map(|body| then.kind(body)), [Some(Cut), Some(Interpolated), Some(ClampedToMaxBack)]);
    let shown = |body| value(|out, error| unsafe { bonebox_past_moment(then.0, body, out, error) }).unwrap();
    assert_eq!(
        (shown(4), shown(5)),
        (BoneboxMoment { tick: 19, fraction: 0.5 }, BoneboxMoment { tick: 4, fraction: 0.0 })
    );

    unsafe extern "C" fn only_seven(body: u64, user: *mut c_void) -> bool {
        unsafe { *user.cast::<u32>() += 1 };
        body == 7
    }
    let mut asked = 0u32;
    let user = (&raw mut asked).cast();
    let nearest = BoneboxInterpolation::Nearest as u32;
    let rules = BoneboxRewindRules {
        may_ask: Some(only_seven),
        user,
        interpolation: nearest,
        ..bonebox_rewind_rules_default()
    };
    let then = history.at_with(BoneboxMoment { tick: 15, fraction: 0.4 }, &[], &rules).unwrap();
    let boxes =
        |body| all(|out, room, count, error| unsafe { bonebox_world_hitboxes(then.0, body, out, room, count, error) });
    assert!(!boxes(7).unwrap().is_empty());
    assert_failed(boxes(8), BoneboxResult::NoBody, "body 8");
    let refused = value(|out, error| unsafe { bonebox_past_refused(then.0, out, error) }).unwrap();
    assert_eq!((refused, then.kind(7)), (BoneboxRefused { not_allowed: 1, pose_failed: 0 }, Some(Exact)));
    drop(then);
    assert_eq!(asked, 2);
}

#[test]
fn what_histories_refuse() {
    use BoneboxResult::{InvalidArgument, NullPointer};
    assert_failed(OwnHistory::new(1, 0.1), InvalidArgument, "at least 2 ticks");
    assert_failed(OwnHistory::new(9, f64::NAN), InvalidArgument, "NaN seconds");
    let (empty, world) = (OwnHistory::new(9, 0.1).unwrap(), OwnWorld::new());
    assert_failed(empty.at(0, 0.0, &[]), InvalidArgument, "empty");
    let (present, history, _) = walk(3);
    assert_failed(history.record(2, &present), InvalidArgument, "tick 2 is not after tick 2");
    assert_failed(history.at(1, f32::NAN, &[]), InvalidArgument, "not a number");
    let bad = [BoneboxBodyMoment { body: 3, moment: BoneboxMoment { tick: 1, fraction: f32::NAN } }];
    assert_failed(history.at(1, 0.0, &bad), InvalidArgument, "not a number");
    let with = |rules: BoneboxRewindRules| history.at_with(BoneboxMoment::default(), &[], &rules);
    let rules = bonebox_rewind_rules_default();
    assert_failed(with(BoneboxRewindRules { interpolation: 2, ..rules }), InvalidArgument, "`interpolation` is 2");
    assert_failed(with(BoneboxRewindRules { max_back: f64::NAN, ..rules }), InvalidArgument, "`max_back` is NaN");
    assert_failed(with(BoneboxRewindRules { teleport_distance: -1.0, ..rules }), InvalidArgument, "-1");
    let nowhere = call(|error| unsafe {
        bonebox_history_at(history.0, BoneboxMoment::default(), null(), 0, null(), null_mut(), error)
    });
    assert_failed(nowhere, NullPointer, "`then`");
    // A world of the past cannot be changed or recorded, and a world of the present has no moment.
    let then = history.at(1, 0.0, &[]).unwrap();
    let past = then.0.cast_mut();
    let fails: [Result<(), Failed>; 6] = [
        call(|error| unsafe { bonebox_world_update(past, error) }),
        call(|error| unsafe { bonebox_world_remove(past, 1, error) }),
        call(|error| unsafe { bonebox_world_copy(past, world.0, error) }),
        call(|error| unsafe { bonebox_history_record(history.0, 9, past, null_mut(), error) }),
        value(|out, error| unsafe { bonebox_world_save(past, out, error) }).map(drop::<*mut BoneboxBytes>),
        found(|is, out, error| unsafe { bonebox_world_sweep(past, 0.0, null(), is, out, error) }).map(drop),
    ];
    fails.into_iter().for_each(|failed| assert_failed(failed, InvalidArgument, "a world of the past"));
    let kind = found(|is, out, error| unsafe { bonebox_past_kind(present.0, 1, is, out, error) });
    assert_failed(kind, InvalidArgument, "a world of the present");
}

#[test]
fn clones_checksums_and_differences() {
    let (world, history, _) = walk(6);
    let clone = OwnHistory(value(|out, error| unsafe { bonebox_history_clone(history.0, out, error) }).unwrap());
    let sum =
        |history: &OwnHistory| value(|out, error| unsafe { bonebox_history_checksum(history.0, out, error) }).unwrap();
    let sum_of = |history: &OwnHistory, tick| {
        found(|is, out, error| unsafe { bonebox_history_checksum_of(history.0, tick, is, out, error) }).unwrap()
    };
    let difference = || {
        found(|is, out, error| unsafe { bonebox_history_first_difference(history.0, clone.0, is, out, error) }).unwrap()
    };
    assert_eq!((sum(&history), difference()), (sum(&clone), None));
    let place = matrix(&Affine3A::IDENTITY);
    history.record(6, &world).unwrap();
    call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 8, &place, error) }).unwrap();
    clone.record(6, &world).unwrap();
    assert_eq!(difference(), Some(BoneboxHistoryDifference { tick: 6, body: 8 }));
    assert_eq!(sum_of(&history, 5), sum_of(&clone, 5));
    assert!(sum_of(&history, 6).is_some() && sum_of(&history, 6) != sum_of(&clone, 6));
    assert_eq!(sum_of(&history, 7), None);
}

/// Bodies that are posed with matrices are in a history if their world keeps the matrices.
#[test]
fn matrices_are_kept() {
    let (runa, world, history) = (asset("runa"), OwnWorld::new(), OwnHistory::new(8, 0.1).unwrap());
    insert(&world, 4, &runa);
    let joints = vec![matrix(&Affine3A::IDENTITY); unsafe { bonebox_character_joint_count(runa.0) }];
    for (tick, keep) in [(0, false), (1, true)] {
        call(|error| unsafe { bonebox_world_keep_joints(world.0, keep, error) }).unwrap();
        call(|error| unsafe { bonebox_world_pose_from_world(world.0, 4, joints.as_ptr(), joints.len(), error) })
            .unwrap();
        let recorded = history.record(tick, &world).unwrap();
        let first = if keep { 0 } else { 4 };
        assert_eq!((recorded.bodies, recorded.first_without_recipe), (usize::from(keep), first));
    }
}

#[test]
fn a_shot_is_explained() {
    let (_world, history, copies) = walk(20);
    let boxes =
        all(|out, room, count, error| unsafe { bonebox_world_hitboxes(copies[15].0, 11, out, room, count, error) });
    let head = boxes.unwrap().into_iter().max_by(|a, b| a.center.y.total_cmp(&b.center.y)).unwrap();
    let origin = BoneboxVec3 { z: 30.0, ..head.center };
    let ray = BoneboxRay { origin, direction: BoneboxVec3 { x: 0.0, y: 0.0, z: -1.0 }, max_time: f32::INFINITY };
    let explain = |tick, ray: &BoneboxRay, target| {
        let (mut made, moment) = (null_mut(), BoneboxMoment { tick, fraction: 0.0 });
        let explanation = value(|out, error| unsafe {
            bonebox_history_explain(history.0, moment, ray, null(), target, null(), out, &mut made, error)
        });
        explanation.map(|explanation| (explanation, String::from_utf8(bytes(made)).unwrap()))
    };
    let (hit, json) = explain(15, &ray, 11).unwrap();
    assert_eq!((hit.verdict, hit.hitbox, hit.distance, hit.is_shown), (BoneboxVerdict::Hit, head.hitbox, 0.0, true));
    assert!(hit.hit_count >= 1 && (hit.first_hit..=hit.last_hit).contains(&15), "{hit:?}");
    assert!(json.starts_with("{\"target\":11,\"asked\":{\"tick\":15") && !json.contains('\n'), "{json}");
    let (missed, _) = explain(8, &ray, 11).unwrap();
    assert_eq!((missed.verdict, missed.has_nearest), (BoneboxVerdict::Missed, true));
    assert!(missed.distance > 0.3 && missed.first_hit > 8, "{missed:?}");
    let (away, _) = explain(15, &ray, 77).unwrap();
    assert_eq!((away.verdict, away.has_nearest, away.is_shown), (BoneboxVerdict::NotThere, false, false));
    let nan = BoneboxRay { max_time: f32::NAN, ..ray };
    assert_failed(explain(15, &nan, 11), BoneboxResult::InvalidArgument, "max_time");
}
