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
    let a = [
        Vec3::new(-0.099_308_94, 0.232_256_52, 0.101_454_45),
        Vec3::new(-0.088_618_71, 0.242_109, 0.128_691_88),
        Vec3::new(-0.092_918_65, 0.229_778_4, 0.117_523_15),
    ];
    let b = [
        Vec3::new(-0.095_835_58, 0.260_919_2, 0.094_085_13),
        Vec3::new(-0.107_400_27, 0.259_635_4, 0.106_673_48),
        Vec3::new(-0.086_659_28, 0.231_833_41, 0.091_404_125),
    ];
    let parry = |scale: f32| {
        let triangle = |[a, b, c]: [Vec3; 3]| Triangle::new(a * scale, b * scale, c * scale);
        intersection_test(&Pose::IDENTITY, &triangle(a), &Pose::IDENTITY, &triangle(b)).unwrap().intersecting
    };
    assert!(!overlap_exactly(&a, &b));
    assert!(closest_points(&a, &b).distance > 0.011);
    assert_eq!([parry(1.0), parry(16.0)], [true, false]);
}
