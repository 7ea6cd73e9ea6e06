//! The least depth of two convex cores that share a point: the least move that separates them. This search goes through all
//! directions. It is needed only if the faster search, [`proven_depth`](super::expanding_polytope::proven_depth), finds no proof.
//!
//! The least depth of two polyhedra is along the normal of a face, or along the cross product of an edge of one polyhedron and an
//! edge of the other. Only edges that can touch each other count. An edge is extreme for the directions between the normals of
//! its two faces, an arc on the unit sphere. Two edges can touch if their arcs cross, which follows from the signs of four dot
//! products. The search walks along the arcs of one polyhedron and tests only the arcs of the other that are next to its way.
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

/// If the sine of the angle between the normals of two faces is smaller than this, the edge between them gives no depth that
/// differs from that along the normals by more than this share of the sizes.
const FLAT_EDGE: f64 = 1e-10;

/// The sine by which an arc that ends at another arc still counts as crossing it.
const ARC_SLACK: f64 = 1e-9;

/// The sine by which a walk along an arc ends before the arc. At its ends the depth is that along a face's normal. In parallel
/// faces, many edges end there.
const ARC_END: f64 = 1e-12;

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
    /// For each face the distance of its plane from the center, along its normal.
    heights: [f64; MAX_FACES],
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
            heights: [0.0; MAX_FACES],
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
            self.heights[self.face_count] = height / long;
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
        (long > 0.0).then(|| NearEdge { from, along: (to - from) / long, long, sides, distance, slack: ARC_SLACK })
    }
}

/// The search for the least depth.
struct Search<'a> {
    cores: [Polyhedron<'a>; 2],
    neighbors: [Neighbors; 2],
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
    let cores = [Polyhedron::new(a, shared), Polyhedron::new(b, shared - offset)];
    let neighbors = [Neighbors::new(&cores[0]), Neighbors::new(&cores[1])];
    let least = Depth { depth: f64::INFINITY, direction: DVec3::Y, point_a: shared, point_b: shared };
    let mut search = Search { cores, neighbors, offset, shared, deepest: [shared; 2], slack, least };
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
        let first = self.cores.each_ref().map(nearest);
        for (side, face) in first.into_iter().enumerate() {
            self.consider_face(side, face);
        }
        for side in 0..2 {
            for face in 0..self.cores[side].face_count {
                self.consider_face(side, face);
            }
        }
    }

    /// Considers a face of one of the cores.
    fn consider_face(&mut self, side: usize, face: usize) {
        let (one, other) = (&self.cores[side], &self.cores[1 - side]);
        let (normal, distance, height) = (one.normals[face], one.distances[face], one.heights[face]);
        if normal == DVec3::ZERO || distance >= self.least.depth {
            return;
        }
        if distance - normal.dot(self.deepest[1 - side] - self.shared) > self.least.depth + self.slack {
            return;
        }
        let is_b = side == 1;
        let direction = if is_b { -normal } else { normal };
        let corner = other.corners[self.neighbors[1 - side].farthest(other, -normal)];
        if height - normal.dot(corner) - direction.dot(self.offset) > self.least.depth + self.slack {
            return;
        }
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
        let [a, b] = &self.cores;
        let (point_a, point_b) = (a.core.support(direction), b.core.support(-direction));
        let (high, low) = (direction.dot(point_a), -direction.dot(point_b));
        (high + low - direction.dot(self.offset), point_a, point_b + self.offset)
    }

    /// Considers all pairs of edges that can touch.
    ///
    /// The arc of an edge leads through the cones of directions in which one corner of the other polyhedron is the farthest. From
    /// one cone to the next it crosses the arc of the edge between these two corners. So a walk over such edges, from a corner that
    /// is the farthest in the middle of the arc, finds all arcs that cross it.
    fn edges(&mut self) {
        // A segment's edge has no arc to follow.
        let lead = usize::from(self.cores[0].face_count == 0);
        let other = 1 - lead;
        let mut others = [NearEdge::NONE; MAX_EDGES];
        for (place, edge) in others.iter_mut().zip(self.cores[other].edges) {
            *place = self.cores[other].near_edge(edge, f64::INFINITY).unwrap_or(NearEdge::NONE);
            if place.is_flat() {
                // The walk needs the edge, but its depths are those of its faces.
                place.distance = f64::INFINITY;
            }
        }
        for edge in self.cores[lead].edges {
            let Some(mut near) = self.cores[lead].near_edge(edge, self.least.depth) else { continue };
            if near.is_flat() {
                continue;
            }
            let [left, right] = near.sides;
            let mut middle = left + right;
            if left == DVec3::ZERO || right == DVec3::ZERO {
                middle = if middle == DVec3::ZERO { near.along.any_orthogonal_vector() } else { middle };
            } else {
                near.slack = -ARC_END;
            }
            let mut waiting = 1_u64 << self.neighbors[other].farthest(&self.cores[other], -middle);
            let (mut seen, mut done) = (waiting, 0_u64);
            while waiting != 0 {
                let corner = waiting.trailing_zeros() as usize;
                waiting &= waiting - 1;
                done |= 1 << corner;
                for place in self.neighbors[other].range(corner) {
                    let [end, edge] = self.neighbors[other].ends[place];
                    if done >> end & 1 == 1 {
                        continue;
                    }
                    let of_other = &others[usize::from(edge)];
                    let signs = near.touch_signs(of_other);
                    // The two ends of an edge without a length are the same corner.
                    if signs == [false; 2] && of_other.long > 0.0 {
                        continue;
                    }
                    waiting |= !seen & 1 << end;
                    seen |= 1 << end;
                    if near.distance + of_other.distance < self.least.depth {
                        let (of_a, of_b) = if lead == 0 { (&near, of_other) } else { (of_other, &near) };
                        self.consider_edges(of_a, of_b, signs);
                    }
                }
            }
        }
    }

    /// `signs` are those of [`NearEdge::touch_signs`].
    #[inline]
    fn consider_edges(&mut self, of_a: &NearEdge, of_b: &NearEdge, signs: [bool; 2]) {
        let across = of_a.along.cross(of_b.along);
        let square = across.length_squared();
        if square <= PARALLEL * PARALLEL {
            return;
        }
        let from_b = of_b.from + self.offset;
        let height = across.dot(of_a.from - from_b);
        // Edges of parallel faces have the same depth but for rounding.
        let limit = self.least.depth - self.slack;
        for (is_extreme, sign) in signs.into_iter().zip([1.0, -1.0]) {
            let height = sign * height;
            if !is_extreme || (height > 0.0 && height * height >= limit * limit * square) {
                continue;
            }
            let direction = across * (sign / sqrt(square));
            let (depth, ..) = self.depth_along(direction);
            if depth < self.least.depth {
                let point_a = between_lines(of_a.from, of_a.along, of_a.long, from_b, of_b.along);
                self.least = Depth { depth, direction, point_a, point_b: point_a - direction * depth };
            }
        }
    }
}

/// The edges at each corner of a polyhedron.
struct Neighbors {
    /// For each corner its place in `ends`, and after the last corner the number of all ends.
    starts: [u16; MAX_HULL_CORNERS + 1],
    /// The other ends of a corner's edges, and the indices of these edges.
    ends: [[u8; 2]; 2 * MAX_EDGES],
    /// The last answer of [`Neighbors::farthest`].
    last: usize,
}

impl Neighbors {
    fn new(one: &Polyhedron<'_>) -> Self {
        let mut starts = [0; MAX_HULL_CORNERS + 1];
        for end in one.edges.iter().flat_map(|edge| edge.ends) {
            starts[usize::from(end)] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut ends = [[0; 2]; 2 * MAX_EDGES];
        for (edge, index) in one.edges.iter().zip(0..) {
            let [from, to] = edge.ends;
            for (corner, end) in [(from, to), (to, from)] {
                let start = &mut starts[usize::from(corner)];
                *start -= 1;
                ends[usize::from(*start)] = [end, index];
            }
        }
        Self { starts, ends, last: 0 }
    }

    /// The places of a corner in `ends`.
    fn range(&self, corner: usize) -> core::ops::Range<usize> {
        usize::from(self.starts[corner])..usize::from(self.starts[corner + 1])
    }

    /// Returns a corner that is farthest along a direction. The search starts from the corner of the last answer: a corner whose
    /// neighbors are not farther is the farthest of a convex polyhedron.
    fn farthest(&mut self, one: &Polyhedron<'_>, direction: DVec3) -> usize {
        let mut along = direction.dot(one.corners[self.last]);
        loop {
            let corner = self.last;
            for &[end, _] in &self.ends[self.range(corner)] {
                let farther = direction.dot(one.corners[usize::from(end)]);
                if farther > along {
                    (self.last, along) = (usize::from(end), farther);
                }
            }
            if corner == self.last {
                return corner;
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
    /// The sine by which the edge's arc is longer at both ends.
    slack: f64,
}

impl NearEdge {
    const NONE: Self = Self {
        from: DVec3::ZERO,
        along: DVec3::ZERO,
        long: 0.0,
        sides: [DVec3::ZERO; 2],
        distance: 0.0,
        slack: ARC_SLACK,
    };

    /// Returns `true` if both faces lie in one plane. The edge is then extreme only along their normal.
    fn is_flat(&self) -> bool {
        let [left, right] = self.sides;
        left != DVec3::ZERO && left.cross(right).length_squared() < FLAT_EDGE * FLAT_EDGE && left.dot(right) > 0.0
    }

    /// Returns whether an edge of the first core and an edge of the second core can touch along the cross product of the two,
    /// and whether they can along the opposite direction.
    #[inline]
    fn touch_signs(&self, other: &Self) -> [bool; 2] {
        // Most pairs of edges cannot touch, and for most of these pairs the first two dot products show it. The second edge has
        // the cross product in the other direction, and its outward directions are those of the first turned around.
        let of_first = self.signs(other.along);
        if of_first == [false; 2] {
            return of_first;
        }
        let of_second = other.signs(self.along);
        [of_first[0] && of_second[0], of_first[1] && of_second[1]]
    }

    /// Returns whether the edge is extreme along the cross product of itself with another edge, and whether it is along
    /// the opposite direction.
    #[inline]
    fn signs(&self, other: DVec3) -> [bool; 2] {
        let [left, right] = self.sides.map(|side| other.dot(side));
        let slack = self.slack;
        [left >= -slack && right <= slack, left <= slack && right >= -slack]
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
