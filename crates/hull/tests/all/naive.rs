//! Compares the hull with a slow and simple reference, which tests in whole numbers whether each triple of points spans
//! a face.

use crate::common::hull_of;
use glam::DVec3;
use hull::HullShape;
use proptest::prelude::*;
use std::collections::BTreeSet;

type Whole = [i64; 3];

fn sub(a: Whole, b: Whole) -> [i128; 3] {
    [0, 1, 2].map(|i| i128::from(a[i]) - i128::from(b[i]))
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The result of the reference. It compares points by value, so equal points count once.
#[derive(Debug, PartialEq, Eq)]
struct Naive {
    vertices: BTreeSet<Whole>,
    /// Each face as the set of its directed edges.
    faces: BTreeSet<BTreeSet<(Whole, Whole)>>,
    six_volumes: i128,
}

fn naive(points: &[Whole]) -> Naive {
    let points: Vec<Whole> = points.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let mut faces = BTreeSet::new();
    let mut six_volumes = 0;
    for &a in &points {
        for &b in &points {
            for &c in &points {
                let normal = cross(sub(b, a), sub(c, a));
                let height = |p: Whole| dot(normal, sub(p, a));
                if normal == [0; 3] || points.iter().any(|&p| height(p) > 0) {
                    continue;
                }
                let on_plane: Vec<Whole> = points.iter().copied().filter(|&p| height(p) == 0).collect();
                let rim = rim(&on_plane, normal);
                if faces.insert(rim.clone()) {
                    let origin = points[0];
                    six_volumes += rim
                        .iter()
                        .map(|&(u, v)| dot(sub(a, origin), cross(sub(u, origin), sub(v, origin))))
                        .sum::<i128>();
                }
            }
        }
    }
    let mut vertices: BTreeSet<Whole> = faces.iter().flatten().map(|&(from, _)| from).collect();
    if vertices.is_empty() {
        // The ends of sorted collinear points are the first and the last point.
        vertices.extend(points.first().into_iter().chain(points.last()));
    }
    Naive { vertices, faces, six_volumes }
}

/// The edges that have all points of the plane to their left, from the first to the last point of each edge.
fn rim(points: &[Whole], normal: [i128; 3]) -> BTreeSet<(Whole, Whole)> {
    let mut rim = BTreeSet::new();
    for &u in points {
        for &v in points {
            let left = |p: Whole| dot(normal, cross(sub(v, u), sub(p, u)));
            let beyond = |p: Whole| left(p) == 0 && (dot(sub(p, u), sub(v, u)) < 0 || dot(sub(p, v), sub(v, u)) > 0);
            if u != v && points.iter().all(|&p| left(p) >= 0 && !beyond(p)) {
                rim.insert((u, v));
            }
        }
    }
    rim
}

/// Compares vertices, edges, faces, volume and source indices. `scale` is a power of two, so that scaling is exact.
fn check(points: &[Whole], scale: f64) {
    let floats: Vec<DVec3> = points.iter().map(|p| DVec3::from(p.map(|c| c as f64)) * scale).collect();
    let hull = hull_of(&floats);
    let expected = naive(points);
    let whole = |vertex: u32| points[hull.source_indices()[vertex as usize] as usize];
    let found = Naive {
        vertices: (0..hull.vertices().len() as u32).map(whole).collect(),
        faces: hull
            .faces()
            .map(|face| {
                let corners = face.corners();
                (0..corners.len()).map(|i| (whole(corners[i]), whole(corners[(i + 1) % corners.len()]))).collect()
            })
            .collect(),
        six_volumes: expected.six_volumes,
    };
    assert_eq!(found, expected);
    let shape = match (expected.vertices.len(), expected.faces.len()) {
        (1, _) => HullShape::Point,
        (_, 0) => HullShape::Segment,
        (_, 2) => HullShape::Polygon,
        _ => HullShape::Solid,
    };
    assert_eq!(hull.shape(), shape);
    for (&source, vertex) in hull.source_indices().iter().zip(hull.vertices()) {
        assert_eq!(
            floats.iter().position(|p| p == vertex),
            Some(source as usize),
            "the source is the first of equal points"
        );
    }
    let volume = expected.six_volumes as f64 / 6.0;
    let error = (hull.volume() / (scale * scale * scale) - volume).abs();
    assert!(error <= 1e-13 * volume, "{} for {volume}", hull.volume());
}

fn set(coordinate: impl Strategy<Value = i64> + Clone, most: usize) -> impl Strategy<Value = Vec<Whole>> {
    prop::collection::vec([coordinate.clone(), coordinate.clone(), coordinate], 1..=most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    /// Almost every triple of points is degenerate.
    #[test]
    fn tiny_lattice(points in set(0..3i64, 20)) {
        check(&points, 1.0);
    }

    #[test]
    fn small_lattice(points in set(-3..=3i64, 14), exponent in -300..300i32) {
        check(&points, 2f64.powi(exponent));
    }

    #[test]
    fn general_position(points in set(-1_000_000..=1_000_000i64, 14)) {
        check(&points, 1.0);
    }

    /// Far from the origin almost every bit is needed for the offset, so only exact predicates can decide.
    #[test]
    fn far_lattice(points in set(0..4i64, 14), offset in [0..1i64 << 50, 0..1i64 << 50, 0..1i64 << 50]) {
        let moved: Vec<Whole> = points.iter().map(|p| [0, 1, 2].map(|i| p[i] + offset[i])).collect();
        check(&moved, 1.0);
    }

    /// Slabs whose thickness is a millionth of their width, and needles.
    #[test]
    fn thin(points in set(-3..=3i64, 14), stretch in [0..3usize, 0..3usize, 0..3usize]) {
        let stretched: Vec<Whole> = points.iter().map(|p| [0, 1, 2].map(|i| p[i] * [1, 1000, 1 << 20][stretch[i]])).collect();
        check(&stretched, 1.0);
    }

    /// Sheared lattices, with coplanar and collinear points on planes that are not parallel to an axis.
    #[test]
    fn sheared(points in set(-2..=2i64, 14), shear in [-1000..=1000i64, -1000..=1000i64, -1000..=1000i64]) {
        let sheared: Vec<Whole> = points.iter().map(|&[x, y, z]| [x + shear[0] * y, y + shear[1] * z, z + shear[2] * (x + shear[0] * y)]).collect();
        check(&sheared, 1.0);
    }

    /// Points in one tilted plane or on one tilted line.
    #[test]
    fn flat(weights in prop::collection::vec((-3..=3i64, -3..=3i64), 1..14), u in [-9..=9i64, -9..=9i64, -9..=9i64], v in [-9..=9i64, -9..=9i64, -9..=9i64]) {
        let points: Vec<Whole> = weights.iter().map(|&(s, t)| [0, 1, 2].map(|i| s * u[i] + t * v[i] + 5)).collect();
        check(&points, 1.0);
    }
}

#[test]
fn every_subset_of_the_corners_of_a_cube_and_its_middle() {
    let corners: Vec<Whole> =
        (0..8).map(|i| [2 * (i & 1), 2 * (i >> 1 & 1), 2 * (i >> 2)]).chain([[1, 1, 1]]).collect();
    for subset in 1..1u32 << corners.len() {
        let points: Vec<Whole> =
            corners.iter().enumerate().filter(|&(i, _)| subset >> i & 1 == 1).map(|(_, &p)| p).collect();
        check(&points, 1.0);
    }
}
