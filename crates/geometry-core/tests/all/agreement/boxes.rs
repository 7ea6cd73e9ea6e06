//! Compares tests of oriented boxes against oriented and axis-aligned boxes with references.

use crate::agreement::cases::{BoxPair, box_pair, direction, orientation};
use crate::agreement::for_all;
use crate::agreement::naive::{Naive, have_common_point, widest_gap};
use geometry_core::tolerances::SEPARATION_TOLERANCE;
use geometry_core::{Aabb, Obb, PackedObb, SatCache};
use glam::{DVec3, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::query::details::intersection_test_cuboid_cuboid;
use parry3d::shape::Cuboid;
use proptest::prelude::*;

/// Differences between this crate and the reference that `f64` rounding explains, as a share of the sizes.
const F64_BAND: f64 = 1e-13;

/// Differences from parry that its `f32` rounding explains, as a share of the sizes. Measured; see
/// `docs/reliability.md`.
pub(crate) const PARRY_BAND: f64 = 2e-5;

fn size(a: &Obb, b: &Obb) -> f64 {
    f64::from(a.extent_sum()) + f64::from(b.extent_sum())
}

pub(crate) fn parry_pose(obb: &Obb, orientation: Quat) -> Pose {
    Pose::from_parts(obb.center(), orientation)
}

#[test]
fn oriented_boxes_agree_with_the_reference() {
    for_all(20_000, box_pair(), |BoxPair { a, b, .. }| {
        let gap = widest_gap(&Naive::new(&a), &Naive::new(&b));
        let band = F64_BAND * (size(&a, &b) + (b.center() - a.center()).as_dvec3().length());
        let found = a.overlaps(&b);
        assert!(found == (gap <= 0.0) || gap.abs() <= band, "found {found}, gap {gap:e}");
        assert_eq!(b.overlaps(&a), found, "symmetry");
        assert_eq!(a.separating_axis(&b).is_none(), found);
        assert!(a.may_overlap(&b) || !found, "the first stage lost a contact");
        let face_gap = f64::from(SEPARATION_TOLERANCE) * 3.0 * size(&a, &b);
        if a.may_overlap(&b) && !found {
            // The first stage may miss a gap only within its tolerance, or one that only nearly parallel edges show.
            assert!(gap < 0.02 * size(&a, &b) || gap < face_gap, "the first stage missed a gap of {gap:e}");
        }
        let mut cache = SatCache::NEW;
        assert_eq!([a.overlaps_cached(&b, &mut cache), a.overlaps_cached(&b, &mut cache)], [found; 2]);
    });
}

#[test]
fn separations_agree_with_the_reference() {
    for_all(5_000, box_pair(), |BoxPair { a, b, .. }| {
        let gap = widest_gap(&Naive::new(&a), &Naive::new(&b));
        let separation = a.separation(&b);
        let size = size(&a, &b) + (b.center() - a.center()).as_dvec3().length();
        assert_eq!(separation.overlapping, a.overlaps(&b));
        assert!((f64::from(separation.gap) - gap).abs() <= 1.2e-6 * size, "{separation:?}, gap {gap:e}");
        assert!((separation.direction.as_dvec3().length() - 1.0).abs() < 1e-6);
        if separation.overlapping && size > 0.0 {
            // After a move by the depth and a little more, the boxes are disjoint.
            let out = separation.direction.as_dvec3() * (f64::from(separation.depth()) + 1e-5 * size);
            let mut moved = Naive::new(&b);
            moved.center += out;
            assert!(widest_gap(&Naive::new(&a), &moved) > 0.0, "{separation:?}");
        }
    });
}

/// The second reference uses no axes: it looks for a point in all of twelve half spaces, by linear programming.
#[test]
fn oriented_boxes_agree_with_linear_programming() {
    for_all(1_500, box_pair(), |BoxPair { a, b, .. }| {
        let origin = a.center().as_dvec3();
        // The coordinates are in units of the boxes' size, around the origin.
        let unit = size(&a, &b).max(1e-300);
        let planes = |outward: f64| {
            let mut planes = Vec::new();
            for mut naive in [Naive::new(&a), Naive::new(&b)] {
                naive.center = (naive.center - origin) / unit;
                naive.half = naive.half.map(|half| half / unit);
                planes.extend(naive.planes(outward));
            }
            planes
        };
        let found = a.overlaps(&b);
        // Moving the planes by 1e-5 moves the corners of nearly parallel planes by far more. So near them the test only
        // checks the direction that holds at any angle.
        if found {
            assert!(have_common_point(&planes(1e-5), 1e-7), "linear programming finds no common point");
        }
        if have_common_point(&planes(-1e-9), 0.0) {
            assert!(found, "linear programming finds a common point");
        }
    });
}

#[test]
fn oriented_boxes_agree_with_parry() {
    for_all(20_000, box_pair(), |BoxPair { a, b, orientations }| {
        let gap = widest_gap(&Naive::new(&a), &Naive::new(&b));
        // parry is not asked about close calls: on boxes that touch in two directions, one of its debug assertions fails.
        if gap.abs() <= PARRY_BAND * size(&a, &b) {
            return;
        }
        let (cuboid_a, cuboid_b) = (Cuboid::new(a.half_extents()), Cuboid::new(b.half_extents()));
        let pose = parry_pose(&a, orientations[0]).inv_mul(&parry_pose(&b, orientations[1]));
        let theirs = intersection_test_cuboid_cuboid(&pose, &cuboid_a, &cuboid_b);
        assert_eq!(theirs, a.overlaps(&b), "parry, gap {gap:e} of {:e}", size(&a, &b));
    });
}

#[test]
fn overlap_survives_a_rigid_motion_of_both() {
    let case = (box_pair(), orientation(), direction(), 0.0_f64..100.0);
    for_all(10_000, case, |(BoxPair { a, b, orientations }, turn, way, far)| {
        let shift = way * far * size(&a, &b);
        let moved = |obb: &Obb, own: Quat| {
            let center = turn.as_dquat() * (obb.center() - a.center()).as_dvec3() + shift;
            Obb::from_orientation(center.as_vec3(), obb.half_extents(), (turn * own).normalize())
        };
        let found = moved(&a, orientations[0]).overlaps(&moved(&b, orientations[1]));
        let gap = widest_gap(&Naive::new(&a), &Naive::new(&b));
        // Centers and axes are rounded again, with an error of 6e-8 of the coordinates and of the boxes.
        let near = (b.center() - a.center()).as_dvec3().length();
        let band = 4e-7 * (shift.length() + size(&a, &b) + near);
        assert!(found == a.overlaps(&b) || gap.abs() <= band, "gap {gap:e}, band {band:e}");
    });
}

#[test]
fn a_larger_box_keeps_every_contact() {
    let case = (box_pair(), 0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0);
    for_all(10_000, case, |(BoxPair { a, b, .. }, x, y, z)| {
        let grown = Obb::new(a.center(), a.half_extents() * (Vec3::ONE + Vec3::new(x, y, z)), a.axes());
        assert!(!a.overlaps(&b) || grown.overlaps(&b));
        assert!(!a.may_overlap(&b) || grown.may_overlap(&b) || !a.overlaps(&b));
        assert!(a.separation(&b).gap >= grown.separation(&b).gap - 3e-6 * size(&grown, &b) as f32);
    });
}

#[test]
fn axis_aligned_boxes_agree_with_the_reference_and_parry() {
    for_all(10_000, box_pair(), |BoxPair { a, b, orientations }| {
        // The axis-aligned box has the center and the half extents of the second box.
        let aabb = Aabb::new(b.center() - b.half_extents(), b.center() + b.half_extents());
        let (min, max) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
        let twin = Naive { center: (min + max) * 0.5, axes: DVec3::AXES, half: ((max - min) * 0.5).to_array() };
        let gap = widest_gap(&Naive::new(&a), &twin);
        let coordinates = min.length() + max.length() + a.center().as_dvec3().length();
        let found = a.overlaps_aabb(&aabb);
        let band = F64_BAND * (size(&a, &b) + coordinates);
        assert!(found == (gap <= 0.0) || gap.abs() <= band, "found {found}, gap {gap:e}");
        let pose = parry_pose(&a, orientations[0]).inv_mul(&Pose::from_translation(aabb.center()));
        let (own, other) = (Cuboid::new(a.half_extents()), Cuboid::new(aabb.half_extents()));
        let is_close = gap.abs() <= PARRY_BAND * size(&a, &b) + 4e-7 * coordinates;
        assert!(is_close || intersection_test_cuboid_cuboid(&pose, &own, &other) == found, "parry, gap {gap:e}");
        // The test of two axis-aligned boxes is exact in both libraries.
        let around = a.aabb();
        let parry = |aabb: &Aabb| parry3d::bounding_volume::Aabb::new(aabb.min, aabb.max);
        use parry3d::bounding_volume::BoundingVolume;
        assert_eq!(around.overlaps(&aabb), parry(&around).intersects(&parry(&aabb)));
        assert_eq!(around.contains_aabb(&aabb), parry(&around).contains(&parry(&aabb)));
        assert_eq!(around.overlaps(&aabb), !around.intersection(&aabb).is_empty());
    });
}

#[test]
fn containment_agrees_with_the_corners() {
    for_all(5_000, box_pair(), |BoxPair { a, b, .. }| {
        for inner in [b, Obb::new(a.center(), b.half_extents() * 0.3, b.axes())] {
            let twin = Naive::new(&a);
            let beyond = Naive::new(&inner)
                .corners()
                .into_iter()
                .map(|corner| (twin.local(corner).abs() - DVec3::from_array(twin.half)).max_element())
                .fold(f64::NEG_INFINITY, f64::max);
            let size = size(&a, &inner);
            let found = a.contains_obb(&inner);
            assert!(!found || beyond <= 6e-6 * size, "found, {beyond:e} outside of {size:e}");
            assert!(found || beyond > 0.0, "not found, {beyond:e} inside");
            // The corners are rounded to f32.
            let rounding = 1e-5 * size + 1e-6 * twin.center.length();
            if found && beyond < -rounding {
                assert!(inner.corners().iter().all(|corner| a.contains(*corner)) && a.overlaps(&inner));
            }
        }
    });
}

/// Each edge goes along its axis from one corner to another, and each corner has three edges.
#[test]
fn edges_join_corners_along_the_axes() {
    for_all(1_000, box_pair(), |BoxPair { a, .. }| {
        let (edges, corners) = (a.edges(), a.corners());
        let rounding = 1e-6 * (a.extent_sum() + a.center().abs().max_element());
        for (index, [from, to]) in edges.into_iter().enumerate() {
            assert!(corners.contains(&from) && corners.contains(&to));
            assert!((to - from - 2.0 * a.half_axes()[index / 4]).length() <= rounding, "edge {index} of {a:?}");
        }
    });
    for corner in 0..8 {
        assert_eq!(Obb::EDGES.iter().flatten().filter(|end| **end == corner).count(), 3);
    }
}

#[test]
fn packing_keeps_the_box() {
    for_all(5_000, box_pair(), |BoxPair { a, .. }| {
        let back = PackedObb::pack(&a).unpack().expect("a sound box");
        assert_eq!((back.center(), back.half_extents()), (a.center(), a.half_extents()));
        assert!(back.axes().abs_diff_eq(a.axes(), 1e-6), "{} {}", back.axes(), a.axes());
    });
}

#[test]
fn images_hold_the_mapped_corners() {
    let entry = || -2.0_f32..2.0;
    let row = || (entry(), entry(), entry());
    let case = (box_pair(), row(), row(), row(), any::<bool>());
    for_all(5_000, case, |(BoxPair { a, b, orientations }, x, y, z, rigid)| {
        let linear = glam::Mat3::from_cols(x.into(), y.into(), z.into());
        let linear = if rigid { glam::Mat3::from_quat(orientations[1]) * 1.5 } else { linear };
        let map = glam::Affine3A::from_mat3_translation(linear, b.center());
        let image = a.transformed(&map).expect("a finite map");
        assert!(!(rigid && image.enclosing));
        let (twin, linear) = (Naive::new(&image.obb), linear.as_dmat3());
        let size = Naive::new(&a).size() * 4.0 + a.center().as_dvec3().length() * 4.0 + b.center().as_dvec3().length();
        for corner in Naive::new(&a).corners() {
            let mapped = linear * corner + b.center().as_dvec3();
            let beyond = (twin.local(mapped).abs() - DVec3::from_array(twin.half)).max_element();
            assert!(beyond <= 3e-5 * size, "{beyond:e} outside of {size:e}, enclosing {}", image.enclosing);
        }
        // The determinant gives the volume, and only an enclosing box has a larger volume.
        let volume = a.volume() as f64 * linear.determinant().abs();
        let slack = 1e-4 * (f64::from(a.extent_sum()) * 4.0).powi(3);
        assert!(f64::from(image.obb.volume()) >= volume - slack);
        assert!(image.enclosing || f64::from(image.obb.volume()) <= volume + slack);
        // Compares Arvo's box with a box around the eight corners.
        let around = a.aabb().transformed(&map);
        for corner in a.aabb().corners() {
            let mapped = linear * corner.as_dvec3() + b.center().as_dvec3();
            let beyond = (mapped - around.max.as_dvec3()).max(around.min.as_dvec3() - mapped).max_element();
            assert!(beyond <= 1e-6 * size, "{beyond:e} of {size:e}");
        }
        let tight = Aabb::from_transformed_points(&map, a.corners());
        assert!(around.grown(1e-5 * size as f32).contains_aabb(&tight), "a refit box is not larger");
    });
}
