//! Parry's test of two small triangles, which `docs/benchmarks/exact.md` explains.

use geometry_core::triangle::{closest_points, overlap_exactly};
use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::intersection_test;
use parry3d::shape::Triangle;

/// Two triangles of some centimeters, more than a centimeter apart. Sixteen times as large, they are no longer below the area
/// at which parry's search gives up.
#[test]
fn parry_says_that_small_triangles_touch_which_are_apart() {
    let a = [Vec3::new(-0.099, 0.232, 0.101), Vec3::new(-0.089, 0.242, 0.129), Vec3::new(-0.093, 0.230, 0.118)];
    let b = [Vec3::new(-0.096, 0.261, 0.094), Vec3::new(-0.107, 0.260, 0.107), Vec3::new(-0.087, 0.232, 0.091)];
    let parry = |scale: f32| {
        let triangle = |[a, b, c]: [Vec3; 3]| Triangle::new(a * scale, b * scale, c * scale);
        intersection_test(&Pose::IDENTITY, &triangle(a), &Pose::IDENTITY, &triangle(b)).unwrap().intersecting
    };
    assert!(!overlap_exactly(&a, &b));
    assert!(closest_points(&a, &b).distance > 0.011);
    assert_eq!([parry(1.0), parry(16.0)], [true, false]);
}
