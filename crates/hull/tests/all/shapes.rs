//! The shape of the hull for each kind of point set.
use glam::DVec3;
use hull::{ConvexHull, HullError, HullShape};

fn hull_of(points: &[DVec3]) -> ConvexHull {
    let hull = ConvexHull::from_points(points).expect("finite points have a hull");
    hull.validate(points).expect("the hull is valid");
    hull
}

fn grid(n: i32) -> Vec<DVec3> {
    let side = move || (0..n).map(f64::from);
    side().flat_map(|x| side().flat_map(move |y| side().map(move |z| DVec3::new(x, y, z)))).collect()
}

#[test]
fn empty_is_an_error() {
    assert_eq!(ConvexHull::from_points(&[]), Err(HullError::Empty));
}

#[test]
fn the_first_bad_point_is_named() {
    let mut points = grid(3);
    points[20].z = f64::NEG_INFINITY;
    points[7].y = f64::NAN;
    assert_eq!(ConvexHull::from_points(&points), Err(HullError::NotFinite { index: 7, axis: 'y', found: "NaN" }));
    points[7].y = 0.0;
    assert_eq!(ConvexHull::from_points(&points), Err(HullError::NotFinite { index: 20, axis: 'z', found: "-inf" }));
}

#[test]
fn one_point_and_copies_of_it() {
    for count in [1, 2, 50] {
        let hull = hull_of(&vec![DVec3::new(-0.1, 3.0, 1e9); count]);
        assert_eq!((hull.shape(), hull.source_indices()), (HullShape::Point, &[0u32][..]));
        assert_eq!((hull.volume(), hull.surface_area()), (0.0, 0.0));
    }
}

#[test]
fn points_on_a_line() {
    let points: Vec<DVec3> =
        [3.0, 1.0, 2.0, 8.0, 8.0, 1.0, 4.0].iter().map(|&t| DVec3::new(t, -2.0 * t, 0.5 * t) + 4.0).collect();
    let hull = hull_of(&points);
    assert_eq!((hull.shape(), hull.source_indices()), (HullShape::Segment, &[1u32, 3][..]));
    assert_eq!(hull.edges(), [[0, 1]]);
}

#[test]
fn points_in_a_plane() {
    // The grid points on the plane x + y + z = 12. Their hull is a triangle with points along every edge.
    let points: Vec<DVec3> = grid(13).into_iter().filter(|p| p.x + p.y + p.z == 12.0).collect();
    let hull = hull_of(&points);
    assert_eq!((hull.shape(), hull.vertices().len(), hull.faces().len()), (HullShape::Polygon, 3, 2));
    let area = 12.0 * 12.0 * 3f64.sqrt() / 2.0;
    assert!((hull.surface_area() - 2.0 * area).abs() < 1e-12 * area);
    assert_eq!(hull.volume(), 0.0);
}

#[test]
fn integer_grids_are_cubes_with_eight_corners() {
    for n in 2..=12 {
        let hull = hull_of(&grid(n));
        assert_eq!(
            (hull.shape(), hull.vertices().len(), hull.faces().len(), hull.edges().len()),
            (HullShape::Solid, 8, 6, 12)
        );
        assert_eq!(hull.volume(), f64::from((n - 1).pow(3)));
        assert_eq!(hull.surface_area(), f64::from(6 * (n - 1).pow(2)));
    }
}
