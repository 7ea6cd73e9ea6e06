//! Slow and simple references for convex polyhedra, in `f64`, and random hulls.

use crate::agreement::cases::{direction, turn};
use geometry_core::Hull;
use glam::{DMat3, DVec3, Mat3, Vec3};
use proptest::prelude::*;

/// A convex polyhedron, a segment or a point.
#[derive(Clone, Debug)]
pub(crate) struct Polyhedron {
    pub(crate) corners: Vec<DVec3>,
    triangles: Vec<[usize; 3]>,
    edges: Vec<[usize; 2]>,
}

impl Polyhedron {
    pub(crate) fn new(corners: Vec<DVec3>, triangles: &[[u8; 3]]) -> Self {
        let triangles: Vec<_> = triangles.iter().map(|triangle| triangle.map(usize::from)).collect();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let edges = sides.filter(|[from, to]| from < to).collect();
        Self { corners, triangles, edges }
    }

    /// A segment, or a point if both ends are the same.
    pub(crate) fn segment(ends: [DVec3; 2]) -> Self {
        let edges = if ends[0] == ends[1] { Vec::new() } else { vec![[0, 1]] };
        Self { corners: ends.into(), triangles: Vec::new(), edges }
    }

    pub(crate) fn moved(&self, by: DVec3) -> Self {
        Self { corners: self.corners.iter().map(|&corner| corner + by).collect(), ..self.clone() }
    }

    fn normals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.triangles
            .iter()
            .map(|&[a, b, c]| (self.corners[b] - self.corners[a]).cross(self.corners[c] - self.corners[a]))
    }

    fn along_edges(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.edges.iter().map(|&[from, to]| self.corners[to] - self.corners[from])
    }

    pub(crate) fn interval(&self, unit: DVec3) -> (f64, f64) {
        self.corners.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), corner| {
            (low.min(unit.dot(*corner)), high.max(unit.dot(*corner)))
        })
    }

    /// The largest height of a point above the planes of all faces.
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        let inside = self.corners.iter().sum::<DVec3>() / self.corners.len() as f64;
        let heights = self.normals().zip(&self.triangles).filter(|(normal, _)| *normal != DVec3::ZERO);
        let heights = heights.map(|(normal, [corner, ..])| {
            let normal = normal.normalize();
            let outward = if normal.dot(inside - self.corners[*corner]) > 0.0 { -normal } else { normal };
            outward.dot(point - self.corners[*corner])
        });
        heights.fold(f64::NEG_INFINITY, f64::max)
    }
}

/// All directions along which two polyhedra can be separated: normals of faces, and cross products of edges.
pub(crate) fn directions(a: &Polyhedron, b: &Polyhedron) -> Vec<DVec3> {
    let crosses = a.along_edges().flat_map(|edge| b.along_edges().map(move |other| edge.cross(other)));
    let units = a.normals().chain(b.normals()).chain(crosses).filter_map(DVec3::try_normalize);
    units.flat_map(|unit| [unit, -unit]).collect()
}

/// The widest gap along all directions, minus the least depth for an overlap.
pub(crate) fn widest_gap(a: &Polyhedron, b: &Polyhedron) -> f64 {
    let gaps = directions(a, b).into_iter().map(|unit| b.interval(unit).0 - a.interval(unit).1);
    gaps.fold(f64::NEG_INFINITY, f64::max)
}

/// The distance of two polyhedra that are apart: the least of the distances of corners from triangles and of edges from
/// each other.
pub(crate) fn distance(a: &Polyhedron, b: &Polyhedron) -> f64 {
    let mut least = f64::INFINITY;
    for (one, other) in [(a, b), (b, a)] {
        for &corner in &one.corners {
            for &other_corner in &other.corners {
                least = least.min((corner - other_corner).length());
            }
            for &triangle in &other.triangles {
                let [p, q, r] = triangle.map(|index| other.corners[index]);
                let normal = (q - p).cross(r - p);
                let is_inward = |from: DVec3, to: DVec3| normal.cross(to - from).dot(corner - from) >= 0.0;
                if normal != DVec3::ZERO && is_inward(p, q) && is_inward(q, r) && is_inward(r, p) {
                    least = least.min((normal.normalize().dot(corner - p)).abs());
                }
            }
            for &[from, to] in &other.edges {
                let (from, along) = (other.corners[from], other.corners[to] - other.corners[from]);
                let time = ((corner - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                least = least.min((corner - from - along * time).length());
            }
        }
    }
    for &[from_a, to_a] in &a.edges {
        for &[from_b, to_b] in &b.edges {
            let (p, u) = (a.corners[from_a], a.corners[to_a] - a.corners[from_a]);
            let (q, v) = (b.corners[from_b], b.corners[to_b] - b.corners[from_b]);
            let across = u.cross(v);
            let Some(unit) = across.try_normalize() else { continue };
            // The places where the lines are nearest, which count if they are on both edges.
            let s = (q - p).cross(v).dot(across) / across.length_squared();
            let t = (q - p).cross(u).dot(across) / across.length_squared();
            if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
                least = least.min(unit.dot(q - p).abs());
            }
        }
    }
    least
}

/// A hull's corners and triangles.
pub(crate) type Surface = (Vec<Vec3>, Vec<[u8; 3]>);

/// The two triangles of each face of a box whose corner `k` is on the positive side of axis `i` if bit `i` of `k` is set.
pub(crate) const BOX_TRIANGLES: [[u8; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

fn box_surface() -> Surface {
    let sign = |bit: bool| if bit { 1.0 } else { -1.0 };
    let corners = (0..8).map(|k| Vec3::new(sign(k & 1 != 0), sign(k & 2 != 0), sign(k & 4 != 0)));
    (corners.collect(), BOX_TRIANGLES.into())
}

/// Two tips over and under a ring.
pub(crate) fn double_pyramid(sides: u8, tip: f32) -> Surface {
    let angle = |side: u8| f64::from(side) * core::f64::consts::TAU / f64::from(sides);
    let ring = (0..sides).map(|side| Vec3::new(libm::cos(angle(side)) as f32, 0.0, libm::sin(angle(side)) as f32));
    let corners = ring.chain([Vec3::Y * tip, Vec3::NEG_Y * tip]).collect();
    let triangles = (0..sides).flat_map(|side| {
        let next = (side + 1) % sides;
        [[next, side, sides], [side, next, sides + 1]]
    });
    (corners, triangles.collect())
}

/// The hull of points of which no four lie in a plane; `None` if some do.
fn around(points: Vec<Vec3>) -> Option<Surface> {
    let at = |index: u8| points[usize::from(index)].as_dvec3();
    let count = points.len() as u8;
    let mut triangles = Vec::new();
    for a in 0..count {
        for b in a + 1..count {
            for c in b + 1..count {
                let normal = (at(b) - at(a)).cross(at(c) - at(a));
                let mut sides = (0..count).filter(|k| ![a, b, c].contains(k)).map(|k| normal.dot(at(k) - at(a)));
                let first = sides.next()?;
                if sides.all(|side| side * first > 0.0) {
                    triangles.push(if first < 0.0 { [a, b, c] } else { [a, c, b] });
                }
            }
        }
    }
    Hull::try_new(&points, &triangles).is_ok().then_some((points, triangles))
}

/// A hull: any corners on a sphere, a box, two pyramids; as thin as a sheet or a needle, and turned.
pub(crate) fn surface() -> impl Strategy<Value = Surface> {
    let any = prop::collection::vec(direction().prop_map(|way| way.as_vec3()), 4..14).prop_filter_map("flat", around);
    let kind = prop_oneof![
        4 => any,
        1 => Just(box_surface()),
        1 => (3u8..9, 0.1f32..2.0).prop_map(|(sides, tip)| double_pyramid(sides, tip)),
    ];
    let thin = || prop_oneof![4 => Just(1f32), 2 => (-4f32..0.0).prop_map(|e| 10f32.powf(e))];
    let turned = prop_oneof![1 => Just(Mat3::IDENTITY), 2 => (direction(), 0.0f64..6.0).prop_map(|(axis, angle)| {
        Mat3::from_quat(turn(axis, angle))
    })];
    (kind, thin(), thin(), turned).prop_filter_map("flat", |((corners, triangles), x, y, turned)| {
        let corners: Vec<Vec3> = corners.into_iter().map(|corner| turned * (corner * Vec3::new(x, y, 1.0))).collect();
        Hull::try_new(&corners, &triangles).is_ok().then_some((corners, triangles))
    })
}

/// A linear map: a turn, mostly with a scale, which may be uneven or a mirror, or any matrix that is not nearly flat.
pub(crate) fn linear() -> impl Strategy<Value = Mat3> {
    let turned = (direction(), 0.0f64..6.0).prop_map(|(axis, angle)| Mat3::from_quat(turn(axis, angle)));
    let scale = prop_oneof![
        2 => Just(Vec3::ONE),
        1 => (0.1f32..10.0).prop_map(Vec3::splat),
        2 => prop::array::uniform3(prop_oneof![0.1f32..3.0, -3f32..-0.1]).prop_map(Vec3::from),
    ];
    let any = prop::array::uniform9(-1f32..1.0).prop_map(|columns| Mat3::from_cols_array(&columns));
    let any = any.prop_filter("flat", |matrix| matrix.as_dmat3().determinant().abs() > 0.02);
    prop_oneof![4 => (turned, scale).prop_map(|(turned, scale)| turned * Mat3::from_diagonal(scale)), 1 => any]
}

/// The image of a surface under the map `linear * p + translation`, in `f64`.
pub(crate) fn image((corners, triangles): &Surface, linear: &Mat3, translation: Vec3) -> Polyhedron {
    let linear: DMat3 = linear.as_dmat3();
    let corners = corners.iter().map(|corner| linear * corner.as_dvec3() + translation.as_dvec3()).collect();
    Polyhedron::new(corners, triangles)
}
