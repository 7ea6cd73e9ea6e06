//! The smallest box around a convex hull.
//!
//! O'Rourke (*Finding minimal enclosing boxes*, 1985) proves that a smallest box has two adjacent faces that each hold
//! an edge of the hull. A face that holds an edge has its normal on the arc between the normals of the edge's two
//! faces. For every pair of edges the two normals, kept perpendicular, run through a family of one parameter; the third
//! is their cross product. Along the family the box touches the same vertices between *events*, where a touched vertex
//! hands over to a neighbor: there a third edge lies in a face. Jylänki (*An exact algorithm for finding minimum
//! oriented bounding boxes*, 2015) finds minima at such events only, and so do we; the middle between two events is
//! looked at all the same, because for the surface area, and for hulls with needle-like faces, minima lie there too.
//!
//! Most families are dismissed without a walk: keeping the touched vertices of one end fixed bounds the volume from
//! below along the whole family.

use super::extents::{canonical, extents, objective_of};
use crate::bounds::Bounds;
use crate::options::Objective;
use glam::{DMat3, DVec3};
use hull::{ConvexHull, HullShape};

/// Faces whose unit normals differ by less are one face, up to the rounding of their corners.
const COPLANAR: f64 = 1e-9;

/// A solid thinner than this share of its length is flat but for the rounding of f32 positions far from the joint: the
/// normals of its rim are noise, and so would be the volume.
const FLAT: f64 = 1e-5;

/// Axes of the smallest box around the hull; right-handed, by decreasing extent, signs canonical.
///
/// A solid gets the box of least volume (or surface), a polygon and a solid no thicker than [`FLAT`] the rectangle of
/// least area, a segment its direction. `start` is a candidate to beat, principal axes best: the answer is never larger
/// than the box with those axes, and the plane of what is flat is taken from it.
pub(super) fn axes(hull: &ConvexHull, start: &DMat3, objective: Objective) -> DMat3 {
    let long = extents(start, hull.vertices());
    let found = match hull.shape() {
        HullShape::Solid if long.min_element() > FLAT * long.max_element() => Search::new(hull, start, objective).run(),
        HullShape::Solid | HullShape::Polygon => least_rectangle(hull, start, long),
        HullShape::Segment | HullShape::Point => *start,
    };
    canonical(&found, hull.vertices())
}

/// The vertices about their middle in a cube of size 1, so that no unit is too large or small.
fn unit_sized(vertices: &[DVec3]) -> Vec<DVec3> {
    let bounds = Bounds::around(vertices.iter().copied());
    let (middle, size) = (bounds.center(), bounds.size().max_element());
    vertices.iter().map(|&vertex| (vertex - middle) / size).collect()
}

/// The least rectangle in the plane across the shortest of `start`'s axes: it has a side along an edge (Freeman and
/// Shapira, *Determining the minimum-area encasing rectangle for an arbitrary closed curve*, 1975).
fn least_rectangle(hull: &ConvexHull, start: &DMat3, long: DVec3) -> DMat3 {
    let vertices = hull.vertices();
    let thin = (0..3).min_by(|&a, &b| long[a].total_cmp(&long[b])).unwrap_or(2);
    let normal = start.col(thin);
    let mut best = (*start, long[(thin + 1) % 3] * long[(thin + 2) % 3]);
    for edge in hull.edges() {
        let [from, to] = edge.map(|end| vertices[end as usize]);
        let Some(along) = (to - from).reject_from_normalized(normal).try_normalize() else { continue };
        let axes = DMat3::from_cols(along, normal.cross(along), normal);
        let long = extents(&axes, vertices);
        if long.x * long.y < best.1 {
            best = (axes, long.x * long.y);
        }
    }
    best.0
}

/// Where the hull meets a plane that holds an edge: the plane's normal lies between `from` and `from + by`.
#[derive(Clone, Copy)]
struct Edge {
    /// Normal of one face, unit length.
    from: DVec3,
    /// To the normal of the other.
    by: DVec3,
    /// One end.
    vertex: usize,
    /// Farthest from the edge along `from`, against it.
    opposite: usize,
}

struct Search {
    vertices: Vec<DVec3>,
    /// `neighbors[first_neighbor[v]..first_neighbor[v + 1]]` share an edge with vertex `v`.
    first_neighbor: Vec<usize>,
    neighbors: Vec<usize>,
    edges: Vec<Edge>,
    objective: Objective,
    best: f64,
    best_axes: DMat3,
}

/// One family of boxes: two perpendicular normals and their cross product as polynomials of one parameter.
struct Family {
    /// `first[0] + first[1] t` holds an edge.
    first: [DVec3; 2],
    /// `second[0] + second[1] t` holds another, and is perpendicular to the first for every `t`.
    second: [DVec3; 2],
    /// Their cross product.
    third: [DVec3; 3],
}

/// The vertices a box of a family touches.
#[derive(Clone, Copy)]
struct Touched {
    first: [usize; 2],
    second: [usize; 2],
    third: [usize; 2],
}

impl Family {
    fn first(&self, t: f64) -> DVec3 {
        self.first[0] + t * self.first[1]
    }

    fn second(&self, t: f64) -> DVec3 {
        self.second[0] + t * self.second[1]
    }

    fn third(&self, t: f64) -> DVec3 {
        self.third[0] + t * (self.third[1] + t * self.third[2])
    }

    fn new(a: &Edge, b: &Edge) -> Self {
        // first . (b.from + u b.by) = (p + q t) + u (r + s t) vanishes at u = -(p + q t) / (r + s t).
        let (p, q) = (a.from.dot(b.from), a.by.dot(b.from));
        let (r, s) = (a.from.dot(b.by), a.by.dot(b.by));
        let first = [a.from, a.by];
        let second = [r * b.from - p * b.by, s * b.from - q * b.by];
        Self { first, second, third: cross_polynomial(&first, &second) }
    }

    /// The same family with the second normal the other way round.
    fn flipped(self) -> Self {
        Self { first: self.first, second: self.second.map(|v| -v), third: self.third.map(|v| -v) }
    }
}

fn cross_polynomial(a: &[DVec3; 2], b: &[DVec3; 2]) -> [DVec3; 3] {
    [a[0].cross(b[0]), a[0].cross(b[1]) + a[1].cross(b[0]), a[1].cross(b[1])]
}

impl Search {
    fn new(hull: &ConvexHull, start: &DMat3, objective: Objective) -> Self {
        let vertices = unit_sized(hull.vertices());
        let normals: Vec<DVec3> = hull
            .triangles()
            .iter()
            .map(|triangle| {
                let [a, b, c] = triangle.map(|corner| vertices[corner as usize]);
                (b - a).cross(c - a).normalize_or_zero()
            })
            .collect();
        let mut sides: Vec<[usize; 3]> = Vec::with_capacity(3 * normals.len());
        for (face, triangle) in hull.triangles().iter().enumerate() {
            let [a, b, c] = triangle.map(|corner| corner as usize);
            sides.extend([[a, b, face], [b, c, face], [c, a, face]]);
        }
        sides.sort_unstable();
        let first_neighbor =
            (0..=vertices.len()).map(|vertex| sides.partition_point(|side| side[0] < vertex)).collect();
        let neighbors = sides.iter().map(|side| side[1]).collect();
        let mut search = Self {
            first_neighbor,
            neighbors,
            edges: Vec::new(),
            objective,
            best: f64::INFINITY,
            best_axes: *start,
            vertices,
        };
        search.edges = search.arcs(&sides, &normals);
        search.offer(start);
        search
    }

    /// The hull's edges; those between triangles of one plane left out.
    fn arcs(&self, sides: &[[usize; 3]], normals: &[DVec3]) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(sides.len() / 2);
        let mut opposite = 0;
        for &[a, b, face] in sides.iter().filter(|side| side[0] < side[1]) {
            let Ok(twin) = sides.binary_search_by(|side| side[..2].cmp(&[b, a])) else { continue };
            let (from, to) = (normals[face], normals[sides[twin][2]]);
            let by = to - from;
            if by.length_squared() > COPLANAR * COPLANAR && from != DVec3::ZERO && to != DVec3::ZERO {
                opposite = self.climb(opposite, -from);
                edges.push(Edge { from, by, vertex: a, opposite });
            }
        }
        edges
    }

    fn run(mut self) -> DMat3 {
        let mut hint = [0, 0];
        for i in 0..self.edges.len() {
            for j in 0..i {
                let (a, b) = (self.edges[i], self.edges[j]);
                let corners = [
                    a.from.dot(b.from),
                    (a.from + a.by).dot(b.from),
                    a.from.dot(b.from + b.by),
                    (a.from + a.by).dot(b.from + b.by),
                ];
                let lowest = corners[0].min(corners[1]).min(corners[2]).min(corners[3]);
                let highest = corners[0].max(corners[1]).max(corners[2]).max(corners[3]);
                if lowest <= 0.0 && highest >= 0.0 {
                    self.pair(&a, &b, &corners, &mut hint);
                }
            }
        }
        self.best_axes
    }

    /// All boxes with a face on each of two edges. `corners` are the products of the arcs' ends.
    fn pair(&mut self, a: &Edge, b: &Edge, corners: &[f64; 4], hint: &mut [usize; 2]) {
        // The parameters where the second normal is at an end of its arc part the range.
        let root = |from: f64, to: f64| if from == to { 0.0 } else { (from / (from - to)).clamp(0.0, 1.0) };
        let (mut low, mut high) = (root(corners[0], corners[1]), root(corners[2], corners[3]));
        if low > high {
            std::mem::swap(&mut low, &mut high);
        }
        for (begin, end) in [(0.0, low), (low, high), (high, 1.0)] {
            let middle = 0.5 * (begin + end);
            let at = |from: f64, to: f64| from + middle * (to - from);
            let inside = at(corners[0], corners[1]) * at(corners[2], corners[3]) <= 0.0;
            if inside && (end > begin || begin == 0.0) {
                let family = Family::new(a, b);
                // The second normal must point as its arc does.
                let arc_middle = b.from + 0.5 * b.by;
                let outward = family.second(middle).dot(arc_middle) >= 0.0;
                let family = if outward { family } else { family.flipped() };
                self.walk(&family, a, b, begin, end, hint);
            }
        }
    }

    fn walk(&mut self, family: &Family, a: &Edge, b: &Edge, begin: f64, end: f64, hint: &mut [usize; 2]) {
        let mut touched = Touched {
            first: [a.vertex, self.climb(a.opposite, -family.first(begin))],
            second: [b.vertex, self.climb(b.opposite, -family.second(begin))],
            third: [self.climb(hint[0], family.third(begin)), self.climb(hint[1], -family.third(begin))],
        };
        *hint = touched.third;
        let mut value = self.value(family, &touched, begin);
        self.offer_at(family, value, begin);
        // With the touched vertices fixed the boxes are no larger than the true ones, and the value has no minimum
        // between (see above), but for the middle that is looked at.
        let bound = self.value(family, &touched, end).min(self.value(family, &touched, 0.5 * (begin + end)));
        if value.min(bound) >= self.best {
            return;
        }
        let mut t = begin;
        for _ in 0..4 * self.vertices.len() {
            let next = self.next_event(family, &touched, t, end);
            let until = next.map_or(end, |event| event.t);
            let value_until = self.value(family, &touched, until);
            self.offer_at(family, value_until, until);
            self.between(family, &touched, [t, until], [value, value_until]);
            let Some(event) = next else { break };
            *event.slot(&mut touched) = event.vertex;
            (t, value) = (until, value_until);
        }
    }

    /// Looks for a minimum between two events.
    fn between(&mut self, family: &Family, touched: &Touched, [begin, end]: [f64; 2], ends: [f64; 2]) {
        let middle = self.value(family, touched, 0.5 * (begin + end));
        if middle >= ends[0].min(ends[1]) || middle >= 1.05 * self.best {
            return;
        }
        // Golden section: the value has one minimum here.
        let (mut low, mut high) = (begin, end);
        for _ in 0..48 {
            let (left, right) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
            if self.value(family, touched, left) < self.value(family, touched, right) {
                high = right;
            } else {
                low = left;
            }
        }
        let t = 0.5 * (low + high);
        let value = self.value(family, touched, t);
        self.offer_at(family, value, t);
    }

    /// The first parameter after `t` where a touched vertex hands over to a neighbor.
    fn next_event(&self, family: &Family, touched: &Touched, t: f64, end: f64) -> Option<Event> {
        let mut next: Option<Event> = None;
        let mut keep = |event: Event| {
            if event.t < end && next.as_ref().is_none_or(|first| (event.t, event.slope) < (first.t, first.slope)) {
                next = Some(event);
            }
        };
        let (first, second) = (family.first(t), family.second(t));
        for &vertex in self.neighbors(touched.first[1]) {
            let ahead = self.vertices[vertex] - self.vertices[touched.first[1]];
            keep(Event::of_line(0, vertex, t, first.dot(ahead), family.first[1].dot(ahead)));
        }
        for &vertex in self.neighbors(touched.second[1]) {
            let ahead = self.vertices[vertex] - self.vertices[touched.second[1]];
            keep(Event::of_line(1, vertex, t, second.dot(ahead), family.second[1].dot(ahead)));
        }
        let (third, slope) = (family.third(t), family.third[1] + 2.0 * t * family.third[2]);
        for (side, sign) in [(2, -1.0), (3, 1.0)] {
            let at = touched.third[side - 2];
            for &vertex in self.neighbors(at) {
                let ahead = sign * (self.vertices[vertex] - self.vertices[at]);
                let curve = [third.dot(ahead), slope.dot(ahead), family.third[2].dot(ahead)];
                keep(Event::of_curve(side, vertex, t, curve));
            }
        }
        next
    }

    fn neighbors(&self, vertex: usize) -> &[usize] {
        &self.neighbors[self.first_neighbor[vertex]..self.first_neighbor[vertex + 1]]
    }

    /// The farthest vertex along a direction, from a vertex to start at. On a convex body no slope has a false summit.
    fn climb(&self, from: usize, direction: DVec3) -> usize {
        let (mut at, mut height) = (from, self.vertices[from].dot(direction));
        loop {
            let before = at;
            for &vertex in self.neighbors(before) {
                let found = self.vertices[vertex].dot(direction);
                if found > height {
                    (at, height) = (vertex, found);
                }
            }
            if at == before {
                return at;
            }
        }
    }

    /// The objective of the box that touches these vertices, a lower bound where it should touch others.
    fn value(&self, family: &Family, touched: &Touched, t: f64) -> f64 {
        let across = |[high, low]: [usize; 2]| self.vertices[high] - self.vertices[low];
        let (a, b, c) = (family.first(t), family.second(t), family.third(t));
        let widths =
            DVec3::new(a.dot(across(touched.first)), b.dot(across(touched.second)), c.dot(across(touched.third)));
        let squared = DVec3::new(a.length_squared(), b.length_squared(), c.length_squared());
        match self.objective {
            // One square root for all three.
            Objective::Volume => widths.element_product().abs() / squared.element_product().sqrt(),
            Objective::SurfaceArea => {
                let widths = widths.abs();
                let lengths = DVec3::new(squared.x.sqrt(), squared.y.sqrt(), squared.z.sqrt());
                objective_of(self.objective, widths / lengths)
            }
        }
    }

    fn offer_at(&mut self, family: &Family, value: f64, t: f64) {
        if value < self.best
            && let (Some(x), Some(y)) = (family.first(t).try_normalize(), family.second(t).try_normalize())
        {
            // Perpendicular to rounding already; made exactly so.
            let Some(y) = (y - x.dot(y) * x).try_normalize() else { return };
            self.offer(&DMat3::from_cols(x, y, x.cross(y)));
        }
    }

    /// Takes the axes if the box around *all* vertices is better.
    fn offer(&mut self, axes: &DMat3) {
        let value = objective_of(self.objective, extents(axes, &self.vertices));
        if value < self.best {
            (self.best, self.best_axes) = (value, *axes);
        }
    }
}

/// A touched vertex hands over to a neighbor.
#[derive(Clone, Copy)]
struct Event {
    t: f64,
    /// How fast the neighbor overtakes: of several at once the steepest goes first.
    slope: f64,
    /// Index among the touched vertices.
    slot: usize,
    /// The neighbor.
    vertex: usize,
}

impl Event {
    const NEVER: f64 = f64::INFINITY;

    fn slot<'a>(&self, touched: &'a mut Touched) -> &'a mut usize {
        match self.slot {
            0 => &mut touched.first[1],
            1 => &mut touched.second[1],
            slot => &mut touched.third[slot - 2],
        }
    }

    /// Where `lead + slope (t' - t)` falls below zero.
    fn of_line(slot: usize, vertex: usize, t: f64, lead: f64, slope: f64) -> Self {
        let after = if slope < 0.0 { lead.max(0.0) / -slope } else { Self::NEVER };
        Self { t: t + after, slope, slot, vertex }
    }

    /// Where `lead + slope (t' - t) + bend (t' - t)^2` falls below zero.
    fn of_curve(slot: usize, vertex: usize, t: f64, [lead, slope, bend]: [f64; 3]) -> Self {
        let lead = lead.max(0.0);
        let discriminant = slope * slope - 4.0 * bend * lead;
        let falls = slope < 0.0 || bend < 0.0;
        let after = if falls && discriminant >= 0.0 {
            let divisor = discriminant.sqrt() - slope;
            if divisor > 0.0 { 2.0 * lead / divisor } else { Self::NEVER }
        } else {
            Self::NEVER
        };
        Self { t: t + after, slope, slot, vertex }
    }
}
