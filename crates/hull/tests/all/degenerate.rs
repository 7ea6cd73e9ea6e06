//! Inputs on which other hull libraries fail, one named test for each.
//!
//! | input | what other libraries return | test |
//! |---|---|---|
//! | one or two points | an error | `one_point`, `two_points` |
//! | flat | an error or an open surface | `flat` |
//! | collinear | an error or an open surface | `collinear` |
//! | all the same point | an error | `all_the_same_point` |
//! | plate 1e-5 thin | a fiftieth of the volume | `thin_plate` |
//! | needle 1e-5 thin | a ninth of the volume | `needle` |
//! | turned cylinder | points nearly half a diagonal outside | `rotated_cylinder` |
//! | ball at a million | four vertices, points outside | `ball_at_a_million`, `ball_at_a_million_in_single_precision` |
//! | a millionth in size | an error | `tiny_and_huge_scales` |
//! | one NaN | a panic, a crash, or it is dropped | `one_nan` |
//! | one infinity | a panic, a crash, or a vertex at infinity | `one_infinity` |
//!
//! [`hull_of`] proves with exact predicates that no point is outside.
use crate::common::{self, Random, cylinder, hull_of, points, rounded_to_f32, turned};
use glam::DVec3;
use hull::{ConvexHull, HullError, HullShape};

fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found:e}, expected {expected:e}");
}

fn box_corners(half: DVec3) -> Vec<DVec3> {
    (0..8u32).map(|i| half * DVec3::from([i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) * 2.0 - 1.0))).collect()
}

#[test]
fn one_point() {
    assert_eq!(hull_of(&[DVec3::new(1.0, 2.0, 3.0)]).shape(), HullShape::Point);
}

#[test]
fn two_points() {
    let hull = hull_of(&[DVec3::ONE, DVec3::ZERO]);
    assert_eq!(
        (hull.shape(), hull.vertices(), hull.source_indices()),
        (HullShape::Segment, &[DVec3::ZERO, DVec3::ONE][..], &[1u32, 0][..])
    );
}

#[test]
fn flat() {
    let flat: Vec<DVec3> = points(500, 1, |r| DVec3::new(r.signed_f64(), r.signed_f64(), 0.25));
    let hull = hull_of(&flat);
    assert_eq!((hull.shape(), hull.faces().len(), hull.volume()), (HullShape::Polygon, 2, 0.0));
    let [front, back] = [0, 1].map(|face| hull.face(face).area_vector());
    close((front + back).length() + front.length(), front.length(), 1e-14);
    close(hull.surface_area(), 2.0 * front.length(), 1e-14);
    assert_eq!(hull.triangles().len(), 2 * (hull.vertices().len() - 2));
}

#[test]
fn collinear() {
    let line: Vec<DVec3> = points(500, 2, |r| DVec3::new(1.0, -3.0, 0.5) * (r.signed_f64() * 1024.0).round());
    let hull = hull_of(&line);
    assert_eq!((hull.shape(), hull.vertices().len()), (HullShape::Segment, 2));
}

#[test]
fn all_the_same_point() {
    let hull = hull_of(&[DVec3::new(0.1, 0.2, 0.3); 1000]);
    assert_eq!((hull.shape(), hull.source_indices()), (HullShape::Point, &[0u32][..]));
}

#[test]
fn thin_plate() {
    let plate = box_corners(DVec3::new(1.0, 1.0, 1e-5));
    close(hull_of(&plate).volume(), 8e-5, 1e-15);
    let filled: Vec<DVec3> =
        plate.iter().copied().chain(points(1000, 3, |r| r.in_box() * DVec3::new(1.0, 1.0, 1e-5))).collect();
    let hull = hull_of(&filled);
    assert_eq!(hull.vertices().len(), 8);
    // Turning moves the points by 1e-16, which is 1e-11 of the thickness.
    close(hull_of(&turned(&filled)).volume(), 8e-5, 1e-10);
}

#[test]
fn needle() {
    let needle = box_corners(DVec3::new(1e-5, 1e-5, 1.0));
    let filled: Vec<DVec3> =
        needle.iter().copied().chain(points(1000, 4, |r| r.in_box() * DVec3::new(1e-5, 1e-5, 1.0))).collect();
    close(hull_of(&filled).volume(), 8e-10, 1e-15);
    close(hull_of(&turned(&filled)).volume(), 8e-10, 1e-10);
}

#[test]
fn rotated_cylinder() {
    for (sides, rings) in [(8, 2), (32, 2), (64, 5), (100, 20)] {
        let upright = cylinder(sides, rings);
        let straight = hull_of(&upright);
        assert_eq!((straight.vertices().len(), straight.faces().len()), (2 * sides, sides + 2));
        for points in [turned(&upright), rounded_to_f32(&turned(&upright))] {
            // `hull_of` has proven that no point is outside.
            close(hull_of(&points).volume(), straight.volume(), 1e-6);
        }
        close(hull_of(&turned(&upright)).volume(), straight.volume(), 1e-13);
    }
}

#[test]
fn ball_at_a_million() {
    // The coordinates are multiples of 2^-20, so that moving the points loses no bit.
    let ball: Vec<DVec3> = points(2000, 5, |r| (r.in_ball() * 2f64.powi(20)).round() * 2f64.powi(-20));
    let near = hull_of(&ball);
    for offset in [1e6, -1e9, 2f64.powi(31)] {
        let moved: Vec<DVec3> = ball.iter().map(|&p| p + offset).collect();
        let far = hull_of(&moved);
        assert_eq!(far.source_indices(), near.source_indices());
        close(far.volume(), near.volume(), 1e-15);
    }
}

#[test]
fn ball_at_a_million_in_single_precision() {
    // Single precision has steps of 1/16 at a million: a lattice with many coplanar points.
    let ball = rounded_to_f32(&points(2000, 6, |r| r.in_ball() + 1e6));
    close(hull_of(&ball).volume(), 4.0, 0.1);
}

#[test]
fn tiny_and_huge_scales() {
    let ball = points(1000, 7, Random::in_ball);
    let unit = hull_of(&ball);
    for scale in [1e-6, 1e-30, 1e30, 1e-100, 1e90] {
        let scaled: Vec<DVec3> = ball.iter().map(|&p| p * scale).collect();
        close(hull_of(&scaled).volume() / scale / scale / scale, unit.volume(), 1e-12);
    }
    for exponent in [-1000, -340, -300, -100, 100, 300, 340, 1000] {
        let scaled: Vec<DVec3> = ball.iter().map(|&p| p * 2f64.powi(exponent)).collect();
        let hull = hull_of(&scaled);
        assert_eq!(hull.source_indices(), unit.source_indices());
        assert_eq!(hull.triangles(), unit.triangles());
        // Beyond a third of the exponent range the volume itself is outside the range of `f64`.
        let volume = unit.volume() * 2f64.powi(exponent) * 2f64.powi(exponent) * 2f64.powi(exponent);
        assert!(hull.volume() == volume || exponent == -340, "{} is not {volume}", hull.volume());
    }
}

#[test]
fn the_whole_range_of_f64_in_one_set() {
    let extremes = &[f64::MAX, 1.0, f64::MIN_POSITIVE, 5e-324, 0.0, -5e-324, -1e-200, -f64::MAX];
    let all: Vec<DVec3> = extremes
        .iter()
        .flat_map(|&x| extremes.iter().flat_map(move |&y| extremes.iter().map(move |&z| DVec3::new(x, y, z))))
        .collect();
    let hull = hull_of(&all);
    assert_eq!((hull.vertices().len(), hull.faces().len(), hull.volume()), (8, 6, f64::INFINITY));
    // The square is flat except for one point, which is the smallest positive number above the plane.
    let mut lifted: Vec<DVec3> = points(12, 8, |r| DVec3::new(r.signed_f64() * 1e308, r.signed_f64() * 1e300, 0.0));
    assert_eq!(hull_of(&lifted).shape(), HullShape::Polygon);
    lifted[5].z = 5e-324;
    assert_eq!(hull_of(&lifted).shape(), HullShape::Solid);
    // All differences are far below the last bit of the largest coordinate.
    let small: Vec<DVec3> = points(12, 9, |r| DVec3::new(1e300, r.signed_f64() * 1e-300, r.signed_f64() * 1e-310));
    assert_eq!(hull_of(&small).shape(), HullShape::Polygon);
    let solid: Vec<DVec3> = small
        .iter()
        .enumerate()
        .map(|(i, p)| DVec3::new(if i == 3 { 1.000_000_1e300 } else { p.x }, p.y, p.z))
        .collect();
    assert_eq!(hull_of(&solid).shape(), HullShape::Solid);
}

#[test]
fn one_nan() {
    let mut ball = points(100, 10, Random::in_ball);
    ball[63].x = f64::NAN;
    assert_eq!(ConvexHull::from_points(&ball), Err(HullError::NotFinite { index: 63, axis: 'x', found: "NaN" }));
}

#[test]
fn one_infinity() {
    let mut ball = points(100, 11, Random::in_ball);
    ball[99].z = f64::INFINITY;
    let error = ConvexHull::from_points(&ball).expect_err("not finite");
    assert_eq!(error, HullError::NotFinite { index: 99, axis: 'z', found: "inf" });
    assert_eq!(error.to_string(), "points[99].z is inf, expected a finite number; repair or remove the point");
}

#[test]
fn flat_up_to_rounding_is_a_thin_solid() {
    let tilted = turned(&points(300, 12, |r| DVec3::new(r.signed_f64(), r.signed_f64(), 0.0)));
    let hull = hull_of(&tilted);
    assert_eq!(hull.shape(), HullShape::Solid);
    assert!(hull.volume() < 1e-15, "{}", hull.volume());
}

#[test]
fn a_grid_turned_in_single_precision() {
    let grid = rounded_to_f32(&turned(&common::grid(10)));
    close(hull_of(&grid).volume(), 729.0, 1e-6);
}

#[test]
fn many_copies_of_every_point() {
    let once = points(200, 13, Random::on_sphere);
    let copies: Vec<DVec3> = (0..10).flat_map(|_| once.iter().copied()).collect();
    assert_eq!(hull_of(&copies), hull_of(&once));
}

#[test]
fn a_cone_with_a_vertex_on_every_face() {
    let mut cone: Vec<DVec3> = cylinder(1000, 2).into_iter().filter(|p| p.z < 0.0).collect();
    cone.push(DVec3::Z * 3.0);
    let hull = hull_of(&cone);
    assert_eq!((hull.vertices().len(), hull.faces().len()), (1001, 1001));
}

#[test]
fn the_moment_curve_sees_every_edge() {
    // The coordinates are whole numbers and exact. Any two neighbors on the curve form a face with an end of the curve.
    let curve: Vec<DVec3> =
        (0..200).map(|t| DVec3::from([f64::from(t), f64::from(t * t), f64::from(t * t * t)])).collect();
    assert_eq!(hull_of(&curve).vertices().len(), 200);
}
