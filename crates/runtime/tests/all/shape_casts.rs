//! Spheres and capsules that move on a straight line, against what the shapes' distances say and against parry.

use crate::characters::figure;
use crate::shapes::{BAND, Core, PARRY_BAND, cores, parry, place};
use geometry_core::{Capsule, Sphere};
use glam::{Quat, Vec3};
use parry3d::query::{ShapeCastOptions, cast_shapes, intersection_test};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{BodyMotion, CastHit, CastShape, PosedCharacter, PosedShape, cast_shape_all};

const TOLERANCE: f32 = 1e-5;

/// Checks the casts of a shape from one place to another. `at` gives the shape at a time, at the same angle.
fn check<S: CastShape>(posed: &PosedCharacter, way: Vec3, at: impl Fn(f32) -> (S, PosedShape)) -> Vec<CastHit> {
    let body = BodyMotion::still(posed);
    let (from, to) = (at(0.0).0, at(1.0).0);
    let mut hits = Vec::new();
    cast_shape_all(&from, &to, &body, TOLERANCE, &mut hits);
    assert!(hits.is_sorted_by_key(|hit| (hit.time.to_bits(), hit.box_index)));
    // A millimeter for tolerances of a hundred-thousandth of boxes of a few meters.
    let band = 10.0 * BAND;
    for (one, core) in posed.boxes().zip(cores(posed)) {
        let gap = |time: f32| Core::new(&at(time).1).gap(&core);
        let hit = hits.iter().find(|hit| hit.box_index == one.index);
        let until = hit.map_or(1.0, |hit| hit.time);
        for step in 0..6u8 {
            let time = until * f32::from(step) / 6.0;
            assert!(gap(time) > -band || until == 0.0, "{:?}: {} before the hit {hit:?}", one.index, gap(time));
        }
        let (shape, pose) = parry(&at(0.0).1);
        let (other, other_pose) = parry(&one.posed_shape().unwrap());
        let options = ShapeCastOptions::with_max_time_of_impact(1.0);
        let theirs = cast_shapes(&pose, way, &*shape, &other_pose, Vec3::ZERO, &*other, options).unwrap();
        let Some(hit) = hit else {
            let least = theirs.map_or(f64::INFINITY, |theirs| gap(theirs.time_of_impact));
            // parry hits what passes at a small distance.
            assert!(gap(1.0) > -band && least > -PARRY_BAND, "{:?}: {least} at parry's {theirs:?}", one.index);
            continue;
        };
        assert!(gap(hit.time) < band, "{hit:?}: {} apart", gap(hit.time));
        let reach = hit.time + PARRY_BAND as f32 / way.length();
        if let Some(theirs) = theirs {
            // Where it touches at a grazing angle, parry may be early or late by more.
            let apart = gap(theirs.time_of_impact);
            assert!(apart.abs() < PARRY_BAND || theirs.time_of_impact <= reach, "{hit:?}, parry {theirs:?}, {apart}");
        } else {
            let times = (0..=20u8).map(|k| hit.time + (1.0 - hit.time) * f32::from(k) / 20.0);
            let (time, deepest) = times.map(|time| (time, gap(time))).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
            // parry misses a few casts of shapes that overlap on their way by parry's own test.
            let (there, there_pose) = parry(&at(time).1);
            let overlap = || intersection_test(&there_pose, &*there, &other_pose, &*other).unwrap();
            assert!(
                deepest > -PARRY_BAND || overlap().intersecting,
                "{hit:?}: {deepest} deep, and parry finds nothing"
            );
        }
        let contact = hit.contact(&from, &to, &body).unwrap();
        assert!(f64::from(contact.depth) < band || hit.time == 0.0, "{hit:?}, {contact:?}");
        assert!((contact.direction.length() - 1.0).abs() < 1e-5);
        if hit.time > 0.0 {
            let point = Core::new(&PosedShape::Sphere(Sphere::try_new(contact.point, 0.0).unwrap()));
            for (core, name) in [(&core, "hitbox"), (&Core::new(&at(hit.time).1), "moving shape")] {
                assert!(point.gap(core) < band, "{hit:?}: the point is {} from the {name}", point.gap(core));
            }
        }
    }
    hits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn spheres_and_capsules_hit_when_the_shapes_do(
        body in place(0.2),
        from in prop::array::uniform3(-2f32..2.0),
        towards in prop::array::uniform3(-0.5f32..0.5),
        turn in prop::array::uniform4(0.1f32..1.0),
        length in prop_oneof![4 => 0.05f32..1.0, 1 => Just(0.0)],
        radius in 0.02f32..0.4,
    ) {
        let posed = body.posed(Kernel::best());
        let middle = (posed.bounds().min + posed.bounds().max) * 0.5;
        let from = middle + Vec3::from(from);
        let way = (middle + Vec3::from(towards) - from) * 1.5;
        let center = |time: f32| from + way * time;
        let balls = check(&posed, way, |time| {
            let ball = Sphere::try_new(center(time), radius).unwrap();
            (ball, PosedShape::Sphere(ball))
        });
        let half = Quat::from_array(turn).normalize() * Vec3::X * length;
        let staffs = check(&posed, way, |time| {
            let staff = Capsule::try_new(center(time) - half, center(time) + half, radius).unwrap();
            (staff, PosedShape::Capsule(staff))
        });
        // The capsule contains the ball.
        for ball in &balls {
            let staff = staffs.iter().find(|staff| staff.box_index == ball.box_index);
            prop_assert!(staff.is_some_and(|staff| staff.time <= ball.time + 1e-3), "{:?}, {:?}", ball, staff);
        }
    }
}

/// A capsule that turns sweeps over what neither of its places touches.
#[test]
fn a_staff_that_turns_hits_what_its_places_miss() {
    let mut posed = PosedCharacter::new();
    posed.pose_from_rest(&figure("figure"), &glam::Affine3A::IDENTITY).unwrap();
    let bounds = posed.bounds();
    let middle = (bounds.min + bounds.max) * 0.5;
    let reach = (bounds.max - bounds.min).length();
    // The pivot stands beside the figure, and the staff turns past it.
    let pivot = Vec3::new(bounds.max.x + 0.5, middle.y, middle.z);
    let staff = |angle: f32| {
        let along = Quat::from_rotation_y(angle) * Vec3::NEG_X * reach;
        Capsule::try_new(pivot - along, pivot + along, 0.05).unwrap()
    };
    let (from, to) = (staff(-0.9), staff(0.9));
    assert!(!posed.overlaps_shape(&from) && !posed.overlaps_shape(&to));
    let mut hits = Vec::new();
    cast_shape_all(&from, &to, &BodyMotion::still(&posed), None, &mut hits);
    assert!(!hits.is_empty());
    let contact = hits[0].contact(&from, &to, &BodyMotion::still(&posed)).unwrap();
    assert!(contact.depth < 1e-2 && (0.2..0.8).contains(&hits[0].time), "{hits:?} {contact:?}");
    // Half a turn has no shorter way; a capsule may also have no length.
    cast_shape_all(&staff(0.0), &staff(std::f32::consts::PI), &BodyMotion::still(&posed), None, &mut hits);
    assert!(!hits.is_empty());
    let point = Capsule::try_new(pivot, pivot, 0.05).unwrap();
    cast_shape_all(&point, &staff(0.0), &BodyMotion::still(&posed), None, &mut hits);
    assert!(!hits.is_empty());
}
