//! Compares tests of points, spheres, capsules, segments and rays against oriented boxes with references.

use crate::agreement::boxes::{PARRY_BAND, parry_pose};
use crate::agreement::cases::{BoxPair, band, box_pair, direction};
use crate::agreement::for_all;
use crate::agreement::naive::{Naive, clip, distance, segment_distance};
use geometry_core::tolerances::POINT_TOLERANCE;
use geometry_core::{Capsule, Ray, Segment, Sphere};
use glam::{DVec3, Vec3};
use parry3d::query::{PointQuery, RayCast};
use parry3d::shape::{Ball, Cuboid};
use proptest::prelude::*;

/// The distance by which the crate's point tests lean to contact, including their rounding errors.
const LEAN: f64 = 2.0 * POINT_TOLERANCE as f64;

#[test]
fn points_and_spheres_agree_with_the_reference_and_parry() {
    let case = (box_pair(), direction(), 0.0_f64..2.0, band());
    for_all(10_000, case, |(BoxPair { a, orientations, .. }, way, far, band)| {
        let twin = Naive::new(&a);
        let center = (a.center().as_dvec3() + way * far * twin.size()).as_vec3();
        let exact = distance(&twin, center.as_dvec3());
        let reach = twin.size() + (center - a.center()).as_dvec3().length();
        assert!((f64::from(a.distance(center)) - exact).abs() <= LEAN * reach);
        let closest = a.closest_point(center);
        let roundings = 3e-7 * f64::from(center.abs().max_element() + a.center().abs().max_element());
        let from_closest = (closest.as_dvec3() - center.as_dvec3()).length();
        assert!((from_closest - exact).abs() <= LEAN * reach + roundings, "{from_closest} {exact}");

        let radius = (exact - band * twin.size()).max(0.0) as f32;
        let sphere = Sphere::try_new(center, radius).expect("a ball");
        let (found, gap) = (a.overlaps_sphere(&sphere), exact - f64::from(radius));
        assert!(found || gap > 0.0, "lost a contact, gap {gap:e}");
        assert!(!found || gap <= LEAN * (reach + f64::from(radius)), "gap {gap:e}");
        let pose = parry_pose(&a, orientations[0]).inv_mul(&parry3d::math::Pose::from_translation(center));
        let theirs = parry3d::query::details::intersection_test_ball_point_query(
            &pose.inverse(),
            &Ball::new(radius),
            &Cuboid::new(a.half_extents()),
        )
        .intersecting;
        assert!(
            theirs == found || gap.abs() <= PARRY_BAND * (reach + f64::from(radius)),
            "parry {theirs}, gap {gap:e}"
        );

        let (inside, beyond) =
            (a.contains(center), (twin.local(center.as_dvec3()).abs() - DVec3::from_array(twin.half)).max_element());
        assert!(inside || beyond > 0.0, "lost a point, {beyond:e}");
        assert!(!inside || beyond <= LEAN * twin.size(), "{beyond:e} outside");
        let theirs = Cuboid::new(a.half_extents()).contains_point(&parry_pose(&a, orientations[0]), center);
        assert!(theirs == inside || beyond.abs() <= PARRY_BAND * reach);
    });
}

#[test]
fn every_point_of_a_box_is_in_it() {
    let share = || prop_oneof![Just(-1.0_f64), Just(1.0), -1.0_f64..1.0];
    for_all(20_000, (box_pair(), share(), share(), share()), |(BoxPair { a, .. }, x, y, z)| {
        let twin = Naive::new(&a);
        let offset =
            twin.axes[0] * (twin.half[0] * x) + twin.axes[1] * (twin.half[1] * y) + twin.axes[2] * (twin.half[2] * z);
        let point = (twin.center + offset).as_vec3();
        // The point is rounded to f32. It counts only if the rounded point is still in the box.
        let beyond = (twin.local(point.as_dvec3()).abs() - DVec3::from_array(twin.half)).max_element();
        assert!(beyond > 0.0 || a.contains(point));
        let support = a.support_point(offset.as_vec3());
        let farthest = twin.corners().iter().map(|corner| (*corner - twin.center).dot(offset)).fold(0.0, f64::max);
        let found = (support.as_dvec3() - twin.center).dot(offset);
        let rounding = 2e-7 * (f64::from(a.center().abs().max_element()) + twin.size());
        assert!((found - farthest).abs() <= rounding * offset.length() * 2.0 + 1e-6 * farthest, "{found} {farthest}");
    });
}

#[test]
fn capsules_and_segments_agree_with_the_reference_and_parry() {
    let case = (box_pair(), direction(), direction(), 0.0_f64..2.0, 0.0_f64..3.0, band());
    for_all(4_000, case, |(BoxPair { a, orientations, .. }, way, along, far, long, band)| {
        let twin = Naive::new(&a);
        let middle = a.center().as_dvec3() + way * far * twin.size();
        let half = along * long * twin.size() * 0.5;
        let (start, end) = ((middle - half).as_vec3(), (middle + half).as_vec3());
        let segment = Segment::try_new(start, end).expect("a segment");
        let exact = segment_distance(&twin, start.as_dvec3(), end.as_dvec3());
        let reach = twin.size() * (1.0 + far + long);
        // The reference's search stops at 1e-9 of the segment.
        let search = 1e-8 * reach;
        assert!((f64::from(a.distance_to_segment(&segment)) - exact).abs() <= LEAN * reach, "{exact}");

        let radius = (exact - band * twin.size()).max(0.0) as f32;
        let capsule = Capsule::try_new(start, end, radius).expect("a capsule");
        let (found, gap) = (a.overlaps_capsule(&capsule), exact - f64::from(radius));
        assert!(found || gap > -search, "lost a contact, gap {gap:e}");
        assert!(!found || gap <= LEAN * (reach + f64::from(radius)), "gap {gap:e}");
        let identity = parry3d::math::Pose::IDENTITY;
        let theirs = parry3d::query::intersection_test(
            &parry_pose(&a, orientations[0]),
            &Cuboid::new(a.half_extents()),
            &identity,
            &parry3d::shape::Capsule::new(start, end, radius),
        );
        let rounding = 1e-6 * f64::from(a.center().abs().max_element());
        // GJK stops at an absolute tolerance of its own, so the test uses shapes of ordinary size.
        let theirs_band = 1e-3 * (reach + f64::from(radius)) + rounding;
        let theirs = theirs.expect("supported").intersecting;
        assert!(theirs == found || gap.abs() <= theirs_band || reach < 1.0, "gap {gap:e} of {reach:e}");

        let found = a.overlaps_segment(&segment);
        let polygon = vec![start.as_dvec3(), end.as_dvec3()];
        assert!(found || clip(polygon.clone(), &twin.planes(-1e-12 * reach)).is_empty(), "lost a contact");
        assert!(!found || !clip(polygon, &twin.planes(LEAN * 2.0 * reach)).is_empty(), "found a contact");
    });
}

#[test]
fn rays_agree_with_the_reference_and_parry() {
    let case = (box_pair(), direction(), 0.0_f64..5.0, direction(), 0.0_f64..1.2);
    for_all(10_000, case, |(BoxPair { a, orientations, .. }, way, far, aim, off)| {
        let twin = Naive::new(&a);
        let origin = (a.center().as_dvec3() + way * far * twin.size()).as_vec3();
        let target = a.center().as_dvec3() + aim * off * twin.size() * 0.6;
        let direction = (target - origin.as_dvec3()).as_vec3();
        if direction == Vec3::ZERO {
            return;
        }
        let ray = Ray::try_new(origin, direction).expect("a ray");
        let hit = a.cast_ray(&ray, 10.0);
        let reach = twin.size() * (2.0 + far);
        let end = origin.as_dvec3() + direction.as_dvec3() * 10.0;
        let polygon = vec![origin.as_dvec3(), end];
        match hit {
            None => assert!(clip(polygon, &twin.planes(-1e-12 * reach)).is_empty(), "lost a hit"),
            Some(hit) => {
                assert!(!clip(polygon, &twin.planes(LEAN * 2.0 * reach)).is_empty(), "found a hit");
                let rounding = 2e-7 * (reach + direction.as_dvec3().length() * f64::from(hit.exit));
                for time in [hit.entry, hit.exit] {
                    let at = origin.as_dvec3() + direction.as_dvec3() * f64::from(time);
                    let beyond = (twin.local(at).abs() - DVec3::from_array(twin.half)).max_element();
                    // A grazing ray may hit up to the tolerance outside the box, and cross it at a flat angle.
                    let surface = beyond.abs() <= 1e-5 * reach + rounding || (time == 0.0 && hit.started_inside());
                    assert!(surface, "{beyond:e} of {reach:e} at {time}");
                }
                assert_eq!(hit.started_inside(), hit.entry == 0.0 && a.contains(origin) || hit.started_inside());
                if let Some(normal) = hit.normal {
                    assert!(normal.dot(direction) <= 0.0 || hit.entry == 0.0);
                }
            }
        }
        let cuboid = Cuboid::new(a.half_extents());
        let ray = parry3d::query::Ray::new(origin, direction);
        let theirs = cuboid.cast_ray_and_get_normal(&parry_pose(&a, orientations[0]), &ray, 10.0, true);
        let grazing = || {
            let wide = clip(vec![origin.as_dvec3(), end], &twin.planes(1e-4 * reach)).is_empty();
            let narrow = clip(vec![origin.as_dvec3(), end], &twin.planes(-1e-4 * reach)).is_empty();
            !wide && narrow
        };
        match (hit, theirs) {
            (Some(ours), Some(theirs)) => {
                let apart = f64::from((ours.entry - theirs.time_of_impact).abs()) * direction.as_dvec3().length();
                assert!(apart <= 1e-3 * reach || grazing(), "{} {}", ours.entry, theirs.time_of_impact);
            }
            (None, None) => {}
            _ => assert!(grazing() || (end - origin.as_dvec3()).length() < 1e-3 * reach, "{hit:?} {theirs:?}"),
        }
        // The axis-aligned box around the box is exact in its own numbers. It is compared with clipping and parry.
        let aabb = a.aabb();
        let (low, high) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
        let around = Naive { center: (low + high) * 0.5, axes: DVec3::AXES, half: ((high - low) * 0.5).to_array() };
        let coordinates = 1e-6 * (reach + (high - low).length()) + 1e-12 * origin.as_dvec3().length();
        let clipped = |outward: f64| !clip(vec![origin.as_dvec3(), end], &around.planes(outward)).is_empty();
        let shot = Ray::try_new(origin, direction).expect("a ray");
        let found = aabb.cast_ray(&shot, 10.0);
        assert!(found.is_some() || !clipped(-coordinates), "lost a hit");
        assert!(found.is_none() || clipped(coordinates * 4.0), "found a hit");
        if let Some(hit) = found {
            let at = origin.as_dvec3() + direction.as_dvec3() * f64::from(hit.entry);
            let beyond = (low - at).max(at - high).max_element();
            assert!(hit.started_inside() == aabb.contains(origin) || hit.entry <= 1e-6);
            assert!(
                beyond <= 4.0 * coordinates + 4e-7 * direction.as_dvec3().length() * f64::from(hit.entry),
                "{beyond:e}"
            );
        }
    });
}
