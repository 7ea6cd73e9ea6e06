//! Compares tests of triangles, planes and frusta against oriented boxes with references.

use crate::agreement::boxes::{PARRY_BAND, parry_pose};
use crate::agreement::cases::{BoxPair, band, box_pair, direction, orientation};
use crate::agreement::for_all;
use crate::agreement::naive::{Naive, clip, have_common_point, last_contact};
use geometry_core::{Frustum, Obb, Plane, PlaneSide, Triangle};
use glam::{DVec3, Vec3};
use parry3d::math::Pose;
use parry3d::query::details::intersection_test_cuboid_triangle;
use parry3d::shape::{ConvexPolyhedron, Cuboid};
use proptest::prelude::*;

fn vector() -> impl Strategy<Value = DVec3> {
    (-1.0_f64..1.0, -1.0_f64..1.0, -1.0_f64..1.0).prop_map(|(x, y, z)| DVec3::new(x, y, z))
}

#[test]
fn triangles_agree_with_clipping_and_parry() {
    let case = (box_pair(), [vector(), vector(), vector()], 0.01_f64..3.0, direction(), band(), 0_u8..8);
    for_all(5_000, case, |(BoxPair { a, b, orientations }, corners, large, way, band, shape)| {
        let twin = Naive::new(&a);
        let mut corners = corners.map(|corner| corner * large * twin.size());
        match shape {
            0 => corners[2] = corners[0].lerp(corners[1], 0.5), // no area
            1 => corners[2] = corners[0],
            // An edge that is parallel, or nearly parallel, to an edge of the box.
            2 => corners[1] = corners[0] + twin.axes[0] * large * twin.size(),
            3 => corners[1] = corners[0] + b.axes().y_axis.as_dvec3() * large * twin.size(),
            _ => {}
        }
        let place = |far: f64| corners.map(|corner| twin.center + corner - corners[0] + way * far);
        let reach = twin.size() * (1.0 + 8.0 * large);
        let contact = last_contact(reach * 2.0, |far| !clip(place(far).to_vec(), &twin.planes(0.0)).is_empty());
        let [p, q, r] = place((contact + band * twin.size()).max(0.0)).map(DVec3::as_vec3);
        let triangle = Triangle::try_new(p, q, r).expect("a triangle");
        let found = a.overlaps_triangle(&triangle);
        // The coordinates are relative to the box's center. Far from the origin the planes' offsets would lose too many
        // bits.
        let mut centered = twin;
        centered.center = DVec3::ZERO;
        let polygon = [p, q, r].map(|corner| corner.as_dvec3() - twin.center).to_vec();
        let clipped = |outward: f64| !clip(polygon.clone(), &centered.planes(outward * reach)).is_empty();
        assert!(found || !clipped(-1e-12), "lost a contact");
        assert!(!found || clipped(1e-12), "found a contact");
        let local = [p, q, r].map(|corner| parry_pose(&a, orientations[0]).inverse_transform_point(corner));
        let theirs = intersection_test_cuboid_triangle(
            &Pose::IDENTITY,
            &Cuboid::new(a.half_extents()),
            &parry3d::shape::Triangle::new(local[0], local[1], local[2]),
        );
        let place = 1e-6 * f64::from(a.center().abs().max_element());
        let near = 4.0 * PARRY_BAND + place / reach;
        // parry uses the normals of triangles even if they have no area, and its absolute epsilons remove axes of small
        // shapes: below a size of 0.1 it reports false contacts. So the test uses larger shapes only.
        let small = [q - p, r - q, p - r].iter().any(|edge| edge.length() < 0.1) || shape < 2;
        assert!(theirs == found || small || clipped(near) != clipped(-near), "parry says {theirs}");
    });
}

#[test]
fn planes_agree_with_the_corners_and_parry() {
    for_all(10_000, (box_pair(), direction(), band()), |(BoxPair { a, orientations, .. }, normal, band)| {
        let twin = Naive::new(&a);
        let normal = normal.as_vec3();
        let heights = twin.corners().into_iter().map(|corner| normal.as_dvec3().dot(corner));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), at| (l.min(at), h.max(at)));
        let distance = (low - band * twin.size()) as f32;
        let plane = Plane::try_new(normal, distance).expect("a plane");
        let (low, high) = (low - f64::from(distance), high - f64::from(distance));
        let slack = 1e-13 * (twin.size() + twin.center.length() + f64::from(distance).abs());
        match a.side_of_plane(&plane) {
            PlaneSide::Front => assert!(low > 0.0),
            PlaneSide::Back => assert!(high < 0.0),
            PlaneSide::Crossing => assert!(low <= slack && high >= -slack),
        }
        let found = a.distances_to_plane(&plane);
        let rounding = 1e-7 * (low.abs() + high.abs()) + slack;
        assert!((f64::from(found.0) - low).abs() <= rounding && (f64::from(found.1) - high).abs() <= rounding);
        let half_space = parry3d::shape::HalfSpace::new(normal.normalize());
        let theirs = parry3d::query::intersection_test(
            &Pose::from_translation(normal * distance),
            &half_space,
            &parry_pose(&a, orientations[0]),
            &Cuboid::new(a.half_extents()),
        );
        let ours = a.side_of_plane(&plane) != PlaneSide::Front;
        let place = 1e-6 * (twin.center.length() + f64::from(distance).abs());
        let band = PARRY_BAND * twin.size() + place;
        assert!(theirs.expect("supported").intersecting == ours || low.abs() <= band, "{low:e}");
    });
}

#[test]
fn frusta_agree_with_linear_programming_and_parry() {
    let lens = (0.0_f64..1.0, 0.1_f64..2.0, 0.1_f64..2.0, 0.2_f64..4.0, orientation());
    for_all(300, (box_pair(), lens, direction(), band()), |(BoxPair { a, orientations, .. }, lens, way, band)| {
        let twin = Naive::new(&a);
        let unit = twin.size();
        if unit == 0.0 {
            return;
        }
        let (near, wide, high, deep, turn) = lens;
        let corner = |k: usize, far: f64| {
            let side = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
            let spread = if k & 4 == 0 { near } else { 1.0 };
            let local = DVec3::new(side(1) * wide * spread, side(2) * high * spread, side(4) * deep) * unit;
            twin.center + turn.as_dquat() * local + way * far
        };
        let overlaps = |far: f64, outward: f64, tolerance: f64| {
            let corners: [DVec3; 8] = core::array::from_fn(|k| (corner(k, far) - twin.center) / unit);
            let mut scaled = twin;
            scaled.center = DVec3::ZERO;
            scaled.half = scaled.half.map(|half| half / unit);
            let mut planes = scaled.planes(outward);
            let middle = corners.iter().sum::<DVec3>() / 8.0;
            for face in [[4, 5, 7, 6], [0, 4, 5, 1], [2, 6, 7, 3], [0, 4, 6, 2], [1, 5, 7, 3]] {
                let [p, q, r, s] = face.map(|k: usize| corners[k]);
                let normal = (r - p).cross(s - q).normalize();
                let normal = if normal.dot(middle - p) > 0.0 { -normal } else { normal };
                let offset = face.iter().map(|k| normal.dot(corners[*k])).fold(f64::NEG_INFINITY, f64::max);
                planes.push((normal, offset));
            }
            let axis = (corners[4] + corners[7] - corners[0] - corners[3]).normalize();
            planes.push((-axis, -axis.dot(corners[0])));
            have_common_point(&planes, tolerance)
        };
        let reach = unit * (2.0 + wide + high + deep);
        let mut inside = 0.0;
        let mut outside = reach;
        for _ in 0..12 {
            let middle = (inside + outside) * 0.5;
            if overlaps(middle, 0.0, 1e-9) { inside = middle } else { outside = middle }
        }
        let far = (inside + band * unit).max(0.0);
        let corners: [Vec3; 8] = core::array::from_fn(|k| corner(k, far).as_vec3());
        let frustum = Frustum::try_from_corners(corners).expect("a frustum");
        let found = a.overlaps_frustum(&frustum);
        // The corners are rounded to f32, and far from the origin the error exceeds the box's size. The planes of the
        // reference are not rounded.
        let rounding = 1e-5 + 1e-6 * twin.center.length() / unit;
        if overlaps(far, -rounding, 0.0) {
            assert!(found, "lost a contact");
        }
        if found {
            assert!(overlaps(far, rounding, 1e-6), "found a contact");
        }
        // parry's GJK stops at an absolute tolerance, so the test uses shapes of ordinary size. It leaves out frusta
        // whose near plane is a point, because parry's hull of them is not valid, and bars and plates, for which parry
        // reports contact at a distance of a thousandth of their length. Far from the origin parry is off by half a
        // hundredth of the size.
        let chunky = a.half_extents().min_element() > 0.1 * a.half_extents().max_element();
        let Some(theirs) = ConvexPolyhedron::from_convex_hull(&corners).filter(|_| unit > 0.1 && near > 0.1 && chunky)
        else {
            return;
        };
        let pose = parry_pose(&a, orientations[0]);
        let cuboid = Cuboid::new(a.half_extents());
        let theirs = parry3d::query::intersection_test(&pose, &cuboid, &Pose::IDENTITY, &theirs).expect("supported");
        let band = 1e-2 + 1e-5 * twin.center.length() / unit;
        let close_call = overlaps(far, band, 1e-6) && !overlaps(far, -band, 0.0);
        assert!(theirs.intersecting == found || close_call, "parry says {}", theirs.intersecting);
    });
}

/// A box as a frustum: both tests must agree.
#[test]
fn a_box_shaped_frustum_is_the_box() {
    for_all(5_000, box_pair(), |BoxPair { a, b, .. }| {
        let corners = b.corners();
        let frustum = Frustum::try_from_corners(corners).expect("a frustum");
        let gap = crate::agreement::naive::widest_gap(&Naive::new(&a), &Naive::new(&b));
        let rounding = 1e-6 * f64::from(b.center().abs().max_element() + b.extent_sum() + a.extent_sum());
        assert!(a.overlaps_frustum(&frustum) == a.overlaps(&b) || gap.abs() <= rounding * shallow(&a, &b), "{gap:e}");
    });
}

/// The corners' rounding tilts a thin box's faces by the rounding error divided by its thickness. Returns how much that
/// widens the tolerance.
fn shallow(a: &Obb, b: &Obb) -> f64 {
    let thinnest = |obb: &Obb| f64::from(obb.half_extents().min_element());
    let size = f64::from(a.extent_sum() + b.extent_sum());
    (size / thinnest(b).max(1e-9 * size)).min(1e9)
}
