//! Compares tests of moving boxes with a reference at many times, and with parry's casts.

use crate::agreement::boxes::parry_pose;
use crate::agreement::cases::{BoxPair, box_pair, direction, turn};
use crate::agreement::for_all;
use crate::agreement::naive::{Naive, between, widest_gap};
use geometry_core::{Aabb, Obb, ObbMotion};
use glam::{DVec3, Quat, Vec3};
use parry3d::query::{NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use parry3d::shape::Cuboid;
use proptest::prelude::*;

/// A speed, in sizes per unit of time.
fn speed() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 9 => (-1.0_f64..1.5).prop_map(|e| 10.0_f64.powf(e))]
}

/// Compares an interval of overlap with the gap at many times.
fn check_times(found: Option<geometry_core::TimeInterval>, size: f64, speed: f64, gap: impl Fn(f64) -> f64) {
    let horizon = 20.0 * size / speed.max(1e-3 * size);
    // The times are rounded to f32, and the distance moved in that rounding error counts as a gap.
    let slack = |time: f64| 2e-7 * size + 5e-7 * speed * time;
    match found {
        None => {
            for k in 0..=64 {
                let time = horizon * f64::from(k) / 64.0;
                assert!(gap(time) > -slack(time), "never, but overlapping by {:e} at {time}", gap(time));
            }
        }
        Some(hit) => {
            let (enter, leave) = (f64::from(hit.enter), f64::from(hit.leave));
            assert!(0.0 <= enter && enter <= leave);
            assert!(gap(enter) <= slack(enter), "enters at {enter} with a gap of {:e}", gap(enter));
            let last = if leave.is_finite() { leave } else { horizon.max(enter) };
            assert!(gap(last) <= slack(last), "leaves at {last} with a gap of {:e}", gap(last));
            for k in 0..16 {
                let share = f64::from(k) / 16.0;
                let (before, during) = (enter * share, enter + (last - enter) * share);
                assert!(enter == 0.0 || gap(before) > -slack(before), "before {enter}");
                assert!(gap(during) <= slack(last), "between {enter} and {last}");
                if leave.is_finite() {
                    let after = leave + (1.0 + leave) * share;
                    assert!(gap(after) > -slack(after), "after {leave}");
                }
            }
        }
    }
}

#[test]
fn straight_motion_agrees_with_the_reference() {
    for_all(2_000, (box_pair(), direction(), speed(), any::<bool>()), |(BoxPair { a, b, .. }, way, speed, at_it)| {
        let size = f64::from(a.extent_sum() + b.extent_sum());
        let toward = (a.center() - b.center()).as_dvec3().normalize_or(DVec3::X);
        let way = if at_it { (toward + way * 0.3).normalize_or(DVec3::X) } else { way };
        let velocity = (way * speed * size).as_vec3();
        let (own, other) = (Vec3::splat(0.25 * size as f32), velocity + Vec3::splat(0.25 * size as f32));
        let relative = other.as_dvec3() - own.as_dvec3();
        let gap = |time: f64| {
            let mut moved = Naive::new(&b);
            moved.center += relative * time;
            widest_gap(&Naive::new(&a), &moved)
        };
        let found = a.overlap_times(own, &b, other);
        assert_eq!(
            found.is_some_and(|hit| hit.enter == 0.0),
            a.overlaps(&b) || found.is_some_and(|hit| hit.enter == 0.0)
        );
        let reach = size + (b.center() - a.center()).as_dvec3().length();
        check_times(found, reach, relative.length(), gap);
    });
}

#[test]
fn axis_aligned_motion_agrees_with_the_reference() {
    for_all(5_000, (box_pair(), direction(), speed()), |(BoxPair { a, b, .. }, way, speed)| {
        let aabb = |obb: &Obb| Aabb::new(obb.center() - obb.half_extents(), obb.center() + obb.half_extents());
        let (a, b) = (aabb(&a), aabb(&b));
        let size = f64::from((a.half_extents() + b.half_extents()).element_sum());
        let velocity = (way * speed * size).as_vec3();
        let gap = |time: f64| {
            let shift = velocity.as_dvec3() * time;
            let (low, high) = (b.min.as_dvec3() + shift, b.max.as_dvec3() + shift);
            (low - a.max.as_dvec3()).max(a.min.as_dvec3() - high).max_element()
        };
        let found = a.overlap_times(Vec3::ZERO, &b, velocity);
        assert_eq!(a.overlaps(&b), found.is_some_and(|hit| hit.enter == 0.0 && gap(0.0) <= 0.0));
        let coordinates = a.min.as_dvec3().length() + b.max.as_dvec3().length();
        check_times(
            found,
            size + (b.center() - a.center()).as_dvec3().length() + 1e-5 * coordinates,
            speed * size,
            gap,
        );
    });
}

#[test]
fn straight_motion_agrees_with_parry() {
    for_all(2_000, (box_pair(), direction(), 0.1_f64..5.0), |(BoxPair { a, b, orientations }, way, speed)| {
        let size = f64::from(a.extent_sum() + b.extent_sum());
        let toward = (a.center() - b.center()).as_dvec3().normalize_or(DVec3::X);
        let velocity = ((toward + way * 0.5) * speed * size).as_vec3();
        let ours = a.overlap_times(Vec3::ZERO, &b, velocity).filter(|hit| hit.enter <= 10.0);
        let theirs = cast_shapes(
            &parry_pose(&a, orientations[0]),
            Vec3::ZERO,
            &Cuboid::new(a.half_extents()),
            &parry_pose(&b, orientations[1]),
            velocity,
            &Cuboid::new(b.half_extents()),
            ShapeCastOptions::with_max_time_of_impact(10.0),
        )
        .expect("supported");
        let gap = |time: f64| {
            let mut moved = Naive::new(&b);
            moved.center += velocity.as_dvec3() * time;
            widest_gap(&Naive::new(&a), &moved)
        };
        // parry's GJK has absolute tolerances and computes with f32 coordinates. So the test uses shapes of ordinary
        // size, and compares gaps, not times. For coplanar flat boxes parry finds contacts across hundreds of units.
        let flat = a.half_extents().min_element() == 0.0 || b.half_extents().min_element() == 0.0;
        if flat || !(0.5..1000.0).contains(&size) {
            return;
        }
        let place = f64::from(a.center().abs().max_element());
        let band = 2e-2 * size + 1e-5 * place;
        match (ours, theirs) {
            (Some(_), Some(theirs)) => {
                let at = gap(f64::from(theirs.time_of_impact));
                assert!(at <= band || theirs.time_of_impact == 0.0, "parry's contact has a gap of {at:e} of {size:e}");
            }
            (None, Some(theirs)) => {
                let at = gap(f64::from(theirs.time_of_impact));
                assert!(at <= band || theirs.time_of_impact == 0.0, "parry alone, with a gap of {at:e} of {size:e}");
            }
            // parry's cast may give up; the comparison with the reference shows that ours is right.
            (Some(_) | None, None) => {}
        }
    });
}

#[test]
fn turning_motion_agrees_with_the_reference() {
    let case = (box_pair(), (direction(), direction(), 0.0_f64..3.0, 0.0_f64..3.0));
    for_all(400, case, |(pair, way)| check_turning(&pair, way, None));
}

#[test]
fn boxes_that_both_turn_agree_with_the_reference() {
    let way = || (direction(), direction(), 0.0_f64..2.0, prop_oneof![0.0_f64..0.3, 0.0_f64..3.0]);
    for_all(400, (box_pair(), way(), way()), |(pair, way, own)| check_turning(&pair, way, Some(own)));
}

/// The direction of the way, the axis of the turn, the length of the way in sizes and the angle.
type Way = (DVec3, DVec3, f64, f64);

/// Moves the second box toward the first box and beyond, moves the first box in any direction, and compares the first contact
/// with the gap at many times.
fn check_turning(BoxPair { a, b, orientations }: &BoxPair, (way, axis, far, angle): Way, own: Option<Way>) {
    let size = f64::from(a.extent_sum() + b.extent_sum());
    let near = (b.center() - a.center()).as_dvec3().length();
    let toward = (a.center() - b.center()).as_dvec3().normalize_or(DVec3::X);
    let end = |one: &Obb, orientation: Quat, way: DVec3, axis, angle| {
        let center = (one.center().as_dvec3() + way * size).as_vec3();
        let orientation = (turn(axis, angle) * orientation).normalize();
        (Obb::from_orientation(center, one.half_extents(), orientation), orientation)
    };
    let (b_end, b_turn) = end(b, orientations[1], (toward + way) * far, axis, angle);
    let (own_way, own_axis, own_far, own_angle) = own.unwrap_or((DVec3::ZERO, DVec3::X, 0.0, 0.0));
    let (a_end, a_turn) = end(a, orientations[0], own_way * own_far, own_axis, own_angle);
    let a_motion = if own.is_some() { ObbMotion::between(a, &a_end) } else { ObbMotion::still(a) };
    let tolerance = 1e-4_f32;
    let found = Obb::first_contact(&a_motion, &ObbMotion::between(b, &b_end), tolerance);
    let still = Naive::new(a);
    let gap = |time: f64| {
        let moved = between(b, [orientations[1], b_turn], [b.center(), b_end.center()], time);
        let own_place = || between(a, [orientations[0], a_turn], [a.center(), a_end.center()], time);
        widest_gap(&if own.is_some() { own_place() } else { still }, &moved)
    };
    // The axes and centers of the end poses are rounded.
    let farthest = b_end.center().abs().max_element().max(a_end.center().abs().max_element());
    let slack = 1e-6 * (size + near + (far + own_far) * size + f64::from(farthest));
    let free_until = found.map_or(1.0, |contact| f64::from(contact.time));
    for k in 0..=100 {
        let time = free_until * f64::from(k) / 100.0 * 0.999_99;
        assert!(gap(time) > -slack || found.is_some_and(|c| c.time == 0.0), "overlapping by {:e} at {time}", gap(time));
    }
    if let Some(contact) = found {
        let at = gap(f64::from(contact.time));
        assert!(at <= f64::from(tolerance) * size + slack, "a gap of {at:e} of {size:e} at {}", contact.time);
        assert!(f64::from(contact.gap) <= f64::from(tolerance) * size * 1.0001);
    }
}

#[test]
fn turning_motion_finds_every_contact_that_parry_finds() {
    let case = (box_pair(), direction(), 0.1_f64..3.0, -3.0_f64..3.0, direction());
    for_all(300, case, |(BoxPair { a, b, orientations }, way, far, angle, axis)| {
        let size = f64::from(a.extent_sum() + b.extent_sum());
        // parry has absolute tolerances, so the test uses only shapes of about that scale.
        if !(0.1..100.0).contains(&size) || a.center().length() > 1000.0 {
            return;
        }
        let toward = (a.center() - b.center()).as_dvec3().normalize_or(DVec3::X);
        let velocity = ((toward + way * 0.5) * far * size).as_vec3();
        let end_turn = (turn(axis, angle) * orientations[1]).normalize();
        let end = Obb::from_orientation(b.center() + velocity, b.half_extents(), end_turn);
        let spin = (axis * angle).as_vec3();
        let theirs = cast_shapes_nonlinear(
            &NonlinearRigidMotion::constant_position(parry_pose(&a, orientations[0])),
            &Cuboid::new(a.half_extents()),
            &NonlinearRigidMotion::new(parry_pose(&b, orientations[1]), Vec3::ZERO, velocity, spin),
            &Cuboid::new(b.half_extents()),
            0.0,
            1.0,
            true,
        )
        .expect("supported");
        let ours = Obb::first_contact(&ObbMotion::still(&a), &ObbMotion::between(&b, &end), 1e-4);
        if let Some(theirs) = theirs {
            let (still, time) = (Naive::new(&a), f64::from(theirs.time_of_impact));
            let at = widest_gap(&still, &between(&b, [orientations[1], end_turn], [b.center(), end.center()], time));
            // If parry's contact is real, ours is not later.
            let real = at <= -1e-3 * size;
            assert!(!real || ours.is_some_and(|ours| f64::from(ours.time) <= time + 1e-3), "{ours:?} {time}");
        }
    });
}

#[test]
fn a_motion_passes_through_its_poses() {
    for_all(
        2_000,
        (box_pair(), direction(), 0.0_f64..core::f64::consts::PI),
        |(BoxPair { a, b, orientations }, axis, angle)| {
            let end_turn = (turn(axis, angle) * orientations[0]).normalize();
            let end = Obb::from_orientation(b.center(), a.half_extents(), end_turn);
            let motion = ObbMotion::between(&a, &end);
            assert_eq!(motion.at(0.0), a);
            assert!(motion.at(1.0).axes().abs_diff_eq(end.axes(), 3e-6), "{} {}", motion.at(1.0).axes(), end.axes());
            let middle = motion.at(0.5);
            let twin = between(&a, [orientations[0], end_turn], [a.center(), b.center()], 0.5);
            for (ours, theirs) in [middle.axes().x_axis, middle.axes().y_axis].into_iter().zip(twin.axes) {
                // Near half a turn both ways around are equally good.
                assert!((ours.as_dvec3() - theirs).length() < 1e-5 || angle > 3.1);
            }
        },
    );
}
