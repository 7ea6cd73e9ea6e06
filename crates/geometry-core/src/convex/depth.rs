//! The least depth of two convex cores that share a point: the least move that separates them. This search goes through all
//! directions. It is needed only if the faster search, [`proven_depth`](super::expanding_polytope::proven_depth), finds no proof.
//!
//! The least depth of two polyhedra is along the normal of a face, or along the cross product of an edge of one polyhedron and an
//! edge of the other. Only edges that can touch each other count. An edge is extreme for the directions between the normals of
//! its two faces, an arc on the unit sphere. Two edges can touch if their arcs cross, which follows from the signs of four dot
//! products.
//!
//! A point inside both cores rules out most faces and edges. Along a direction in which an edge is extreme, the depth is at least
//! the point's distance from the plane of one of the edge's two faces. For an edge of each core, the two distances add up. A
//! point of one core rules out faces of the other: the depth along a face's normal is at least the point's distance below the
//! face.
//!
//! Source: Gregorius, *The Separating Axis Test between Convex Polyhedra*, Game Developers Conference 2013. The limits from a
//! point inside are our own.

use super::hull::{Edge, MAX_EDGES, MAX_FACES, MAX_HULL_CORNERS};
use super::solid::Core;
use crate::math::sqrt;
use glam::DVec3;

/// If the sine of the angle between two edges is smaller than this, rounding decides the direction of their cross product. The
/// depth along it differs from that along a face's normal by less than this share of the sizes.
const PARALLEL: f64 = 1e-9;

/// A point rules out a face if its distance below the face exceeds the least depth by more than this share of the sizes, so that
/// rounding alone rules out no face.
const LIMIT_SLACK: f64 = 1e-12;

/// The sine by which an arc that ends at another arc still counts as crossing it.
const ARC_SLACK: f64 = 1e-9;

/// The depth of two cores, measured along the direction from the first toward the second.
pub(super) struct Depth {
    pub(super) depth: f64,
    pub(super) direction: DVec3,
    /// The point of the first core that is deepest in the second. Points are relative to the first core's center.
    pub(super) point_a: DVec3,
    /// The point of the second core that is deepest in the first.
    pub(super) point_b: DVec3,
}

/// The corners, faces and edges of a core; all points are relative to the core's center.
struct Polyhedron<'a> {
    /// The core; of two hulls, the first.
    core: Core<'a>,
    corners: [DVec3; MAX_HULL_CORNERS],
    corner_count: usize,
    /// Unit normals, or zero for a face without a normal.
    normals: [DVec3; MAX_FACES],
    /// For each face the distance of the shared point from its plane, not negative.
    distances: [f64; MAX_FACES],
    face_count: usize,
    edges: &'a [Edge],
    /// For a mirrored hull the left side of an edge is the right one.
    is_mirrored: bool,
}

/// The side of an edge that has no face, as a segment's edge.
const NO_FACE: u8 = u8::MAX;

/// Corner `k` of a box is on the positive side of axis `i` if bit `i` of `k` is set; face `2 * i` is across axis `i` on its
/// negative side, and the next face on its positive side.
const BOX_EDGES: [Edge; 12] = {
    let mut edges = [Edge { ends: [0; 2], sides: [0; 2] }; 12];
    let mut count = 0;
    while count < 12 {
        let (axis, place) = (count / 4, count % 4);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let (on_u, on_v) = (place & 1, place >> 1);
        let from = (on_u << u | on_v << v) as u8;
        let (face_u, face_v) = ((2 * u + on_u) as u8, (2 * v + on_v) as u8);
        // The face to the left goes on from the edge along the cross product of its normal and the edge.
        let sides = if on_u == on_v { [face_u, face_v] } else { [face_v, face_u] };
        edges[count] = Edge { ends: [from, from | 1 << axis], sides };
        count += 1;
    }
    edges
};

const SEGMENT_EDGES: [Edge; 1] = [Edge { ends: [0, 1], sides: [NO_FACE; 2] }];

impl<'a> Polyhedron<'a> {
    /// `shared` is a point of the core.
    fn new(core: &Core<'a>, shared: DVec3) -> Self {
        let core = match core {
            Core::Hulls([first, _], _) => Core::Hull(*first),
            other => *other,
        };
        let mut one = Self {
            core,
            corners: [DVec3::ZERO; MAX_HULL_CORNERS],
            corner_count: 0,
            normals: [DVec3::ZERO; MAX_FACES],
            distances: [0.0; MAX_FACES],
            face_count: 0,
            edges: &[],
            is_mirrored: false,
        };
        match &core {
            Core::Hull(posed) | Core::Hulls([posed, _], _) => {
                for &corner in posed.hull.corners() {
                    one.push_corner(posed.linear * corner);
                }
                let normals = posed.normals();
                let determinant = posed.linear.determinant();
                for face in posed.hull.faces() {
                    let normal = normals * face.normal;
                    let long = sqrt(normal.length_squared());
                    one.push_face(normal, long, face.height * determinant.abs(), shared);
                }
                (one.edges, one.is_mirrored) = (posed.hull.edges(), determinant < 0.0);
            }
            Core::Box { axes, half } => {
                let half_axes: [DVec3; 3] = core::array::from_fn(|i| axes[i] * half[i]);
                for k in 0..8 {
                    let towards = |i: usize| if k >> i & 1 == 1 { half_axes[i] } else { -half_axes[i] };
                    one.push_corner(towards(0) + towards(1) + towards(2));
                }
                for i in 0..3 {
                    let normal = axes[(i + 1) % 3].cross(axes[(i + 2) % 3]);
                    let normal = if normal.dot(axes[i]) < 0.0 { -normal } else { normal };
                    let (long, height) = (sqrt(normal.length_squared()), normal.dot(half_axes[i]));
                    one.push_face(-normal, long, height, shared);
                    one.push_face(normal, long, height, shared);
                }
                let [x, y, z] = axes;
                (one.edges, one.is_mirrored) = (&BOX_EDGES, x.cross(*y).dot(*z) < 0.0);
            }
            Core::Segment(half) => {
                one.push_corner(-*half);
                one.push_corner(*half);
                one.edges = &SEGMENT_EDGES;
            }
        }
        one
    }

    fn push_corner(&mut self, corner: DVec3) {
        self.corners[self.corner_count] = corner;
        self.corner_count += 1;
    }

    /// Adds the face whose plane is `normal · p = height`; the normal has the length `long`.
    fn push_face(&mut self, normal: DVec3, long: f64, height: f64, shared: DVec3) {
        if long > 0.0 {
            self.normals[self.face_count] = normal / long;
            self.distances[self.face_count] = ((height - normal.dot(shared)) / long).max(0.0);
        }
        self.face_count += 1;
    }

    /// Returns an edge along which the depth may be less than `least`.
    fn near_edge(&self, edge: &Edge, least: f64) -> Option<NearEdge> {
        let (mut sides, mut distance) = ([DVec3::ZERO; 2], 0.0);
        if edge.sides[0] != NO_FACE {
            let [left, right] = edge.sides.map(usize::from);
            distance = self.distances[left].min(self.distances[right]);
            sides = [self.normals[left], self.normals[right]];
            if self.is_mirrored {
                sides.swap(0, 1);
            }
        }
        if distance >= least {
            return None;
        }
        let [from, to] = edge.ends.map(|end| self.corners[usize::from(end)]);
        let long = sqrt((to - from).length_squared());
        (long > 0.0).then(|| NearEdge { from, along: (to - from) / long, long, sides, distance })
    }
}

/// The search for the least depth.
struct Search<'a> {
    a: Polyhedron<'a>,
    b: Polyhedron<'a>,
    /// The vector from the first core's center to the second core's center.
    offset: DVec3,
    /// The point of both cores. Points are relative to the first core's center.
    shared: DVec3,
    /// For each core, its corner that was deepest in the other core along the direction of the least depth.
    deepest: [DVec3; 2],
    /// The error of a distance.
    slack: f64,
    least: Depth,
}

/// Returns the least depth of two cores, of which at least one has faces; of two hulls with a common convex set, the depth is
/// that of the first hull. `shared` is a point of both cores, relative to the first core's center, and `offset` the vector from
/// the first center to the second.
pub(super) fn depth(a: &Core<'_>, b: &Core<'_>, offset: DVec3, shared: DVec3) -> Depth {
    let slack = LIMIT_SLACK * (a.size() + b.size());
    let (a, b) = (Polyhedron::new(a, shared), Polyhedron::new(b, shared - offset));
    let least = Depth { depth: f64::INFINITY, direction: DVec3::Y, point_a: shared, point_b: shared };
    let mut search = Search { a, b, offset, shared, deepest: [shared; 2], slack, least };
    search.faces();
    search.edges();
    search.least
}

impl Search<'_> {
    fn faces(&mut self) {
        // The face nearest to the shared point comes first, because it is likely to rule out most other faces.
        let nearest = |one: &Polyhedron<'_>| {
            let mut best = (f64::INFINITY, 0);
            for (face, &distance) in one.distances[..one.face_count].iter().enumerate() {
                if distance < best.0 && one.normals[face] != DVec3::ZERO {
                    best = (distance, face);
                }
            }
            best.1
        };
        let first = [nearest(&self.a), nearest(&self.b)];
        for (is_b, face) in [(false, first[0]), (true, first[1])] {
            self.consider_face(is_b, face);
        }
        for face in 0..self.a.face_count {
            self.consider_face(false, face);
        }
        for face in 0..self.b.face_count {
            self.consider_face(true, face);
        }
    }

    fn consider_face(&mut self, is_b: bool, face: usize) {
        let (one, deepest) = if is_b { (&self.b, self.deepest[0]) } else { (&self.a, self.deepest[1]) };
        let (normal, distance) = (one.normals[face], one.distances[face]);
        if normal == DVec3::ZERO || distance >= self.least.depth {
            return;
        }
        if distance - normal.dot(deepest - self.shared) > self.least.depth + self.slack {
            return;
        }
        let direction = if is_b { -normal } else { normal };
        let (depth, point_a, point_b) = self.depth_along(direction);
        if depth < self.least.depth {
            self.deepest = [point_a, point_b];
            // The deepest corner of the core without the face, and the point across from it in the plane of the face.
            let (point_a, point_b) =
                if is_b { (point_a, point_a - direction * depth) } else { (point_b + direction * depth, point_b) };
            self.least = Depth { depth, direction, point_a, point_b };
        }
    }

    /// Returns the depth along a direction, and the deepest corner of either core.
    fn depth_along(&self, direction: DVec3) -> (f64, DVec3, DVec3) {
        let (point_a, point_b) = (self.a.core.support(direction), self.b.core.support(-direction));
        let (high, low) = (direction.dot(point_a), -direction.dot(point_b));
        (high + low - direction.dot(self.offset), point_a, point_b + self.offset)
    }

    fn edges(&mut self) {
        let mut near_b = [NearEdge::NONE; MAX_EDGES];
        let mut count = 0;
        for edge in self.b.edges.iter().filter_map(|edge| self.b.near_edge(edge, self.least.depth)) {
            near_b[count] = edge;
            count += 1;
        }
        for edge in self.a.edges {
            let Some(of_a) = self.a.near_edge(edge, self.least.depth) else { continue };
            for of_b in &near_b[..count] {
                if of_a.distance + of_b.distance < self.least.depth {
                    self.consider_edges(&of_a, of_b);
                }
            }
        }
    }

    #[inline]
    fn consider_edges(&mut self, of_a: &NearEdge, of_b: &NearEdge) {
        // Most pairs of edges cannot touch, and for most of these pairs the first two dot products show it. Edge `b` has the
        // edges' cross product in the other direction, and its outward directions are those of `a` turned around.
        let of_first = of_a.signs(of_b.along);
        if of_first == [false; 2] {
            return;
        }
        let of_second = of_b.signs(of_a.along);
        let signs = [of_first[0] && of_second[0], of_first[1] && of_second[1]];
        if signs == [false; 2] {
            return;
        }
        let across = of_a.along.cross(of_b.along);
        let square = across.length_squared();
        if square <= PARALLEL * PARALLEL {
            return;
        }
        for (is_extreme, sign) in signs.into_iter().zip([1.0, -1.0]) {
            let direction = across * (sign / sqrt(square));
            let from_b = of_b.from + self.offset;
            if !is_extreme || direction.dot(of_a.from - from_b) >= self.least.depth {
                continue;
            }
            let (depth, ..) = self.depth_along(direction);
            if depth < self.least.depth {
                let point_a = between_lines(of_a.from, of_a.along, of_a.long, from_b, of_b.along);
                self.least = Depth { depth, direction, point_a, point_b: point_a - direction * depth };
            }
        }
    }
}

/// An edge near the shared point.
#[derive(Clone, Copy)]
struct NearEdge {
    from: DVec3,
    /// The unit vector along the edge, and the edge's length.
    along: DVec3,
    long: f64,
    /// The normals to the left and to the right; zero for the edge of a segment, which is extreme along all directions.
    sides: [DVec3; 2],
    /// A lower limit of the depth along every direction in which the edge is extreme.
    distance: f64,
}

impl NearEdge {
    const NONE: Self =
        Self { from: DVec3::ZERO, along: DVec3::ZERO, long: 0.0, sides: [DVec3::ZERO; 2], distance: 0.0 };

    /// Returns whether the edge is extreme along the cross product of itself with another edge, and whether it is along
    /// the opposite direction.
    #[inline]
    fn signs(&self, other: DVec3) -> [bool; 2] {
        let [left, right] = self.sides.map(|side| other.dot(side));
        [left >= -ARC_SLACK && right <= ARC_SLACK, left <= ARC_SLACK && right >= -ARC_SLACK]
    }
}

/// Returns the point of an edge from `p` along the unit vector `u` that is nearest to the line through `q` along the unit
/// vector `v`; the point `p` if the lines are parallel.
///
/// Source: Ericson, *Real-Time Collision Detection*, section 5.1.8.
fn between_lines(p: DVec3, u: DVec3, long: f64, q: DVec3, v: DVec3) -> DVec3 {
    let cosine = u.dot(v);
    let determinant = 1.0 - cosine * cosine;
    let place = if determinant > 0.0 { (u.dot(q - p) - cosine * v.dot(q - p)) / determinant } else { 0.0 };
    p + u * place.clamp(0.0, long)
}
