//! Compares the smallest box with a slow search that uses no theorem.
use bone_fit::fit::{extents, objective_of, orientation};
use bone_fit::{Fit, Objective};
use glam::{DMat3, DQuat, DVec3};
use hull::{ConvexHull, HullShape};
use proptest::prelude::*;

fn smallest(points: &[DVec3], objective: Objective) -> f64 {
    let hull = ConvexHull::from_points(points).unwrap();
    objective_of(objective, extents(&orientation(Fit::MinVolume, objective, &hull, points), points))
}

/// Turns many starts about the three axes by small steps, and keeps each turn that makes the box smaller; steps halve.
fn slow_search(points: &[DVec3], objective: Objective) -> f64 {
    let value = |q: DQuat| objective_of(objective, extents(&DMat3::from_quat(q), points));
    let mut best = f64::INFINITY;
    for start in 0..64 {
        let fraction = |prime: f64| (f64::from(start) * prime).fract() - 0.5;
        let mut at = DQuat::from_xyzw(fraction(0.618), fraction(0.755), fraction(0.57), 0.6).normalize();
        let (mut found, mut step) = (value(at), 0.5);
        while step > 1e-7 {
            let mut turned = false;
            for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE, DVec3::new(1.0, -1.0, 0.3)] {
                for signed in [step, -step] {
                    let next = (DQuat::from_axis_angle(axis.normalize(), signed) * at).normalize();
                    let there = value(next);
                    if there < found {
                        (at, found, turned) = (next, there, true);
                    }
                }
            }
            if !turned {
                step *= 0.5;
            }
        }
        best = best.min(found);
    }
    best
}

fn cloud(least: usize, most: usize) -> impl Strategy<Value = Vec<DVec3>> {
    let point = prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    let long = prop::array::uniform3(0.05..1.0f64).prop_map(DVec3::from_array);
    (prop::collection::vec(point, least..most), long)
        .prop_map(|(points, long)| points.into_iter().map(|point| point * long).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn is_never_larger_than_what_a_slow_search_finds(points in cloud(4, 24)) {
        for objective in [Objective::Volume, Objective::SurfaceArea] {
            let (ours, theirs) = (smallest(&points, objective), slow_search(&points, objective));
            prop_assert!(ours <= theirs * (1.0 + 1e-7), "{objective:?}: {ours} against {theirs}");
        }
    }

    #[test]
    fn is_never_larger_than_any_other_fit(points in cloud(1, 60)) {
        let hull = ConvexHull::from_points(&points).unwrap();
        let least = smallest(&points, Objective::Volume);
        for fit in [Fit::Pca, Fit::VertexPca, Fit::JointAxes] {
            let axes = orientation(fit, Objective::Volume, &hull, &points);
            let other = objective_of(Objective::Volume, extents(&axes, &points));
            let slack = if fit == Fit::Pca { 1e-12 } else { 1e-9 };
            prop_assert!(least <= other * (1.0 + slack) + 1e-15, "{fit:?}: {other} against {least}");
        }
    }

    #[test]
    fn does_not_change_when_the_points_are_turned(points in cloud(4, 40), turn in prop::array::uniform3(-3.0..3.0f64)) {
        let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::from_array(turn)));
        let turned: Vec<DVec3> = points.iter().map(|&point| turn * point).collect();
        let (before, after) = (smallest(&points, Objective::Volume), smallest(&turned, Objective::Volume));
        prop_assert!((before - after).abs() <= 1e-7 * before, "{before} against {after}");
    }

    #[test]
    fn the_axes_are_a_rotation_longest_first(points in cloud(1, 30)) {
        let hull = ConvexHull::from_points(&points).unwrap();
        for fit in [Fit::Pca, Fit::VertexPca, Fit::MinVolume, Fit::JointAxes] {
            let axes = orientation(fit, Objective::Volume, &hull, &points);
            prop_assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-12));
            prop_assert!((axes.determinant() - 1.0).abs() < 1e-12);
            let long = extents(&axes, &points);
            if fit == Fit::MinVolume && hull.shape() == HullShape::Solid {
                prop_assert!(long.x >= long.y && long.y >= long.z);
            }
        }
    }
}

#[test]
fn finds_the_box_that_points_fill() {
    let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.3, -1.1, 0.7)));
    let corners: Vec<DVec3> =
        (0..8).map(|k| turn * DVec3::new((k & 1) as f64, 2.0 * (k >> 1 & 1) as f64, 0.5 * (k >> 2) as f64)).collect();
    assert!((smallest(&corners, Objective::Volume) - 1.0).abs() < 1e-12);
}

/// The principal axes are arbitrary if all eigenvalues agree.
#[test]
fn cubes_with_subdivided_faces_stay_cubes() {
    let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(1.3, 0.2, -0.4)));
    let mut points = Vec::new();
    for x in 0..5 {
        for y in 0..5 {
            for z in 0..5 {
                points.push(turn * DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
            }
        }
    }
    assert!((smallest(&points, Objective::Volume) - 64.0).abs() < 1e-10);
}

/// The smallest box around a regular tetrahedron of edge 1 is the cube of edge 1/sqrt 2.
#[test]
fn a_regular_tetrahedron_is_in_its_cube() {
    let corners = [DVec3::ZERO, DVec3::new(1.0, 1.0, 0.0), DVec3::new(0.0, 1.0, 1.0), DVec3::new(1.0, 0.0, 1.0)];
    let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.1, 2.0, -0.4)));
    assert!((smallest(&corners.map(|corner| turn * corner), Objective::Volume) - 1.0).abs() < 1e-12);
}

#[test]
fn flat_groups_get_the_smallest_rectangle() {
    let turn = DMat3::from_quat(DQuat::from_scaled_axis(DVec3::new(0.9, 0.4, -0.8)));
    let area = |points: &[DVec3]| {
        let hull = ConvexHull::from_points(points).unwrap();
        let long = extents(&orientation(Fit::MinVolume, Objective::Volume, &hull, points), points);
        (long.x * long.y, long.z)
    };
    // Two squares that overlap along the diagonal: an elongated octagon.
    let flat = [(0., 0.), (2., 0.), (2., 1.), (3., 1.), (3., 3.), (1., 3.), (1., 2.), (0., 2.)];
    let flat_xy: Vec<DVec3> = flat.iter().map(|&(x, y)| DVec3::new(x, y, 0.0)).collect();
    let slanted: Vec<DVec3> = flat_xy.iter().map(|&point| turn * point).collect();
    let diagonal = 3.0 * f64::sqrt(2.0) * 2.0 * f64::sqrt(2.0);
    for points in [&flat_xy, &slanted] {
        let (found, thick) = area(points);
        assert!((found - diagonal.min(9.0)).abs() < 1e-9, "{found}");
        assert!(thick < 1e-9);
    }
}

#[test]
fn lines_and_points_have_axes_too() {
    let along = DVec3::new(1.0, 2.0, -2.0);
    let line: Vec<DVec3> = (0..5).map(|k| f64::from(k) * along).collect();
    let hull = ConvexHull::from_points(&line).unwrap();
    let axes = orientation(Fit::MinVolume, Objective::Volume, &hull, &line);
    assert!(extents(&axes, &line).abs_diff_eq(DVec3::new(12.0, 0.0, 0.0), 1e-9));
    let point = [DVec3::ONE; 3];
    let hull = ConvexHull::from_points(&point).unwrap();
    assert_eq!(orientation(Fit::MinVolume, Objective::Volume, &hull, &point), DMat3::IDENTITY);
}
