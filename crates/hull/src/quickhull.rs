//! Quickhull in three dimensions with exact decisions.
//!
//! Barber, Dobkin and Huhdanpaa, *The Quickhull Algorithm for Convex Hulls*, 1996: keep a convex polytope, give every
//! point outside it to one face that sees it, add the farthest point of a face, replace all faces that see it by a cone
//! over their rim (the horizon), and hand the points of the dead faces to the new ones.
//!
//! # Why nothing can go wrong
//!
//! A face *sees* a point that lies strictly above its plane, by exact predicates. Let `P` be the polytope so far and
//! `p` the point to add, seen by some face.
//!
//! - **The horizon is one simple cycle.** Triangles in one plane see the same points, so what sees `p` is a union of
//!   whole faces of the true polytope: exactly those through which rays from `p` enter it. Looking from `p`, those
//!   faces cover the silhouette of `P` once (where a ray enters depends continuously on the ray, up to the silhouette's
//!   rim), so they form a disk, and the rim of a disk is a simple cycle. Faces in one plane with `p` stay.
//! - **No new triangle is degenerate.** Each joins `p` to an edge of a face that sees `p`; a point on the line of that
//!   edge would lie in the face's plane.
//! - **The result is the hull of `P` and `p`.** Where a face that stays lies in one plane with `p`, the new triangles
//!   over its rim extend it within its plane: an edge of it that `p` is beyond belongs, on the other side, to a face
//!   that sees `p`.
//! - **No point is lost.** Let a dead face see `q`, and let `q` lie outside the new polytope. The faces of `P` that see
//!   `q` are connected edge to edge (they too form a disk). If one of them stays, then a path from the dead face to it
//!   crosses the horizon at an edge both of whose faces see `q`, and the plane of the new triangle at that edge is a
//!   non-negative combination of their two planes: the new triangle sees `q`. If none stays, a face that is new sees
//!   `q`. So a point that no new triangle sees lies inside, and stays inside.
//!
//! Points exactly on a face or an edge may be left behind as vertices of the triangulation (they were farthest from
//! some face once, before others swallowed their corner); `facets.rs` takes them out.

use std::cmp::Ordering;

use glam::DVec3;

use crate::plane::Plane;
use crate::predicates::{Coordinates, Predicates};
use crate::scan::Scan;

pub(crate) const NONE: u32 = u32::MAX;

/// A triangle of the polytope: counter-clockwise from outside.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    /// `twins[i]` is the half-edge on the other side of the edge from `corners[i]` to the next corner.
    pub(crate) twins: [HalfEdge; 3],
    plane: Plane,
    /// First and last of the points given to this face, linked by `Quickhull::next`.
    first_outside: u32,
    last_outside: u32,
    farthest: u32,
    farthest_height: f64,
    /// Round of the last horizon search that asked this face, and what it said.
    asked: u32,
    pub(crate) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Alive,
    SeesApex,
    Free,
}

/// An edge of one face: its face and which of the three edges it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HalfEdge(u32);

impl HalfEdge {
    pub(crate) fn new(face: u32, edge: usize) -> Self {
        Self(face * 4 + edge as u32)
    }

    pub(crate) fn face(self) -> u32 {
        self.0 / 4
    }

    pub(crate) fn edge(self) -> usize {
        (self.0 % 4) as usize
    }
}

/// What the first four points turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Point(u32),
    /// All points on one line, not all the same.
    Line(u32, u32),
    /// All points in the plane of these three, not all on a line.
    Plane([u32; 3]),
    /// The triangulated hull is in `triangles`.
    Solid,
}

/// The algorithm and its memory, reused from one input to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quickhull {
    /// The input in the working scale, where that differs from the input.
    pub(crate) scaled: Vec<DVec3>,
    /// Working coordinates about the middle of the set: what planes are computed from.
    local: Vec<DVec3>,
    radius: f64,
    span: DVec3,
    pub(crate) triangles: Vec<Triangle>,
    free: Vec<u32>,
    next: Vec<u32>,
    /// Faces that may have points outside.
    pending: Vec<u32>,
    seeing: Vec<u32>,
    horizon: Vec<(u32, u32, HalfEdge)>,
    search: Vec<(u32, usize, u32)>,
    round: u32,
}

impl Quickhull {
    /// Finds the triangulated hull of a set that [`Scan`] has passed, or what the set is instead.
    pub(crate) fn run(&mut self, input: &[DVec3], scan: &Scan, coordinates: Coordinates) -> Start {
        self.reset(input, scan, coordinates);
        let scaled = std::mem::take(&mut self.scaled);
        let exact = Predicates::new(coordinates, input, &scaled);
        let start = self.first_tetrahedron(scan, exact);
        let start = match start {
            Ok(corners) => {
                self.build_tetrahedron(corners, exact);
                while let Some(face) = self.next_pending() {
                    self.add_farthest(face, exact);
                }
                Start::Solid
            }
            Err(flat) => flat,
        };
        self.scaled = scaled;
        start
    }

    /// Whether a point lies strictly below a face's plane.
    pub(crate) fn is_below(&self, face: u32, point: u32, exact: Predicates<'_>) -> bool {
        let triangle = &self.triangles[face as usize];
        let height = triangle.plane.height(self.local[point as usize]);
        if height.abs() > triangle.plane.error {
            height < 0.0
        } else {
            exact.side_of_plane(triangle.corners, point) == Ordering::Less
        }
    }

    fn reset(&mut self, input: &[DVec3], scan: &Scan, coordinates: Coordinates) {
        self.scaled.clear();
        if coordinates.exponent != 0 {
            self.scaled.extend(input.iter().map(|&p| coordinates.scaled(p)));
        }
        let working = if coordinates.exponent == 0 { input } else { &self.scaled };
        let (min, max) = (coordinates.scaled(scan.min), coordinates.scaled(scan.max));
        // Halves first: the sum of the largest numbers would overflow.
        let origin = min * 0.5 + max * 0.5;
        self.local.clear();
        self.local.extend(working.iter().map(|&p| p - origin));
        self.radius = (min - origin).abs().max((max - origin).abs()).max_element();
        self.span = max - min;
        self.next.clear();
        self.next.resize(input.len(), NONE);
        self.triangles.clear();
        self.free.clear();
        self.pending.clear();
        self.round = 0;
    }

    /// Four points with volume: the longest span between points extreme along the axes, the point farthest from that
    /// line, the point farthest from that plane. Where arithmetic cannot tell, the predicates search.
    fn first_tetrahedron(&self, scan: &Scan, exact: Predicates<'_>) -> Result<[u32; 4], Start> {
        let span = |axis: usize| self.span[axis];
        let longest = (1..3).fold(0, |best, axis| if span(axis) > span(best) { axis } else { best });
        // In a wide set the working copy may have lost the only differences there are.
        let spans = |&axis: &usize| scan.min[axis] < scan.max[axis];
        let axis = if span(longest) > 0.0 { longest } else { (0..3).find(spans).unwrap_or(0) };
        let (a, b) = (scan.lowest[axis], scan.highest[axis]);
        if a == b {
            return Err(Start::Point(0));
        }
        let count = self.local.len() as u32;
        let direction = self.local[b as usize] - self.local[a as usize];
        let from_line = |p: u32| direction.cross(self.local[p as usize] - self.local[a as usize]).length_squared();
        let c = farthest(0..count, from_line);
        let c = if exact.open_axis(a, b, c).is_some() {
            Some(c)
        } else {
            (0..count).find(|&p| exact.open_axis(a, b, p).is_some())
        };
        let Some(c) = c else { return Err(Start::Line(a, b)) };
        let [la, lb, lc] = [a, b, c].map(|p| self.local[p as usize]);
        let plane = Plane::through(la, lb, lc, self.radius);
        let d = farthest(0..count, |p| plane.height(self.local[p as usize]).abs());
        let d = if plane.height(self.local[d as usize]).abs() > plane.error {
            d
        } else {
            farthest(0..count, |p| exact.height([a, b, c], p).abs())
        };
        match exact.side_of_plane([a, b, c], d) {
            Ordering::Less => Ok([a, b, c, d]),
            Ordering::Greater => Ok([a, c, b, d]),
            Ordering::Equal => Err(Start::Plane([a, b, c])),
        }
    }

    /// `d` lies below the plane of `a`, `b`, `c`.
    fn build_tetrahedron(&mut self, [a, b, c, d]: [u32; 4], exact: Predicates<'_>) {
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            self.new_triangle(corners);
        }
        for (face, edge, twin_face, twin_edge) in
            [(0, 0, 1, 2), (0, 1, 2, 2), (0, 2, 3, 2), (1, 1, 2, 0), (2, 1, 3, 0), (3, 1, 1, 0)]
        {
            self.join(HalfEdge::new(face, edge), HalfEdge::new(twin_face, twin_edge));
        }
        for point in 0..self.local.len() as u32 {
            if ![a, b, c, d].contains(&point) {
                self.give_to_first_that_sees(&[0, 1, 2, 3], point, exact);
            }
        }
        self.pending.extend(0..4);
    }

    fn next_pending(&mut self) -> Option<u32> {
        while let Some(face) = self.pending.pop() {
            let triangle = &self.triangles[face as usize];
            if triangle.state == State::Alive && triangle.first_outside != NONE {
                return Some(face);
            }
        }
        None
    }

    fn add_farthest(&mut self, face: u32, exact: Predicates<'_>) {
        let apex = self.triangles[face as usize].farthest;
        self.find_horizon(face, apex, exact);
        let seeing = std::mem::take(&mut self.seeing);
        let horizon = std::mem::take(&mut self.horizon);
        // The dead faces' corners are no longer needed, their lists of points are.
        let orphans: Vec<u32> = seeing.iter().map(|&face| self.triangles[face as usize].first_outside).collect();
        for &face in &seeing {
            self.triangles[face as usize].state = State::Free;
            self.free.push(face);
        }
        let cone: Vec<u32> = horizon.iter().map(|&(from, to, _)| self.new_triangle([from, to, apex])).collect();
        for (i, &(_, _, outer)) in horizon.iter().enumerate() {
            self.join(HalfEdge::new(cone[i], 0), outer);
            self.join(HalfEdge::new(cone[i], 1), HalfEdge::new(cone[(i + 1) % cone.len()], 2));
        }
        for first in orphans {
            let mut point = first;
            while point != NONE {
                let next = self.next[point as usize];
                if point != apex {
                    self.give_to_first_that_sees(&cone, point, exact);
                }
                point = next;
            }
        }
        self.pending.extend_from_slice(&cone);
        (self.seeing, self.horizon) = (seeing, horizon);
    }

    /// Fills `seeing` with the faces that see `apex` and `horizon` with their rim, in order, counter-clockwise.
    ///
    /// Depth first over the disk of faces that see the apex, each face's edges in their cyclic order: what is left of
    /// the walk around that tree of triangles, after edges between two of them are skipped, is the rim in order.
    fn find_horizon(&mut self, face: u32, apex: u32, exact: Predicates<'_>) {
        self.round += 1;
        self.seeing.clear();
        self.horizon.clear();
        self.search.clear();
        self.mark_seeing(face);
        self.search.push((face, 0, 3));
        while let Some((face, edge, left)) = self.search.pop() {
            if left == 0 {
                continue;
            }
            self.search.push((face, (edge + 1) % 3, left - 1));
            let corners = self.triangles[face as usize].corners;
            let twin = self.triangles[face as usize].twins[edge];
            let outer = twin.face();
            if self.sees(outer, apex, exact) {
                if self.triangles[outer as usize].state != State::SeesApex {
                    self.mark_seeing(outer);
                    self.search.push((outer, (twin.edge() + 1) % 3, 2));
                }
            } else {
                self.horizon.push((corners[edge], corners[(edge + 1) % 3], twin));
            }
        }
    }

    fn mark_seeing(&mut self, face: u32) {
        self.triangles[face as usize].state = State::SeesApex;
        self.triangles[face as usize].asked = self.round;
        self.seeing.push(face);
    }

    /// Asks each face once a round.
    fn sees(&mut self, face: u32, apex: u32, exact: Predicates<'_>) -> bool {
        let triangle = &self.triangles[face as usize];
        if triangle.asked == self.round {
            return triangle.state == State::SeesApex;
        }
        let sees = self.height_if_seen(face, apex, exact).is_some();
        if !sees {
            self.triangles[face as usize].asked = self.round;
        }
        sees
    }

    fn height_if_seen(&self, face: u32, point: u32, exact: Predicates<'_>) -> Option<f64> {
        let triangle = &self.triangles[face as usize];
        let height = triangle.plane.height(self.local[point as usize]);
        let above = if height.abs() > triangle.plane.error {
            height > 0.0
        } else {
            exact.side_of_plane(triangle.corners, point) == Ordering::Greater
        };
        above.then_some(height)
    }

    fn give_to_first_that_sees(&mut self, faces: &[u32], point: u32, exact: Predicates<'_>) {
        let seen = faces.iter().find_map(|&face| Some((face, self.height_if_seen(face, point, exact)?)));
        let Some((face, height)) = seen else { return };
        self.next[point as usize] = NONE;
        let triangle = &mut self.triangles[face as usize];
        if triangle.first_outside == NONE {
            triangle.first_outside = point;
        } else {
            self.next[triangle.last_outside as usize] = point;
        }
        triangle.last_outside = point;
        // Strictly: of equal points the one that comes first in the input wins, for lists keep the input's order
        // among points that no plane can tell apart.
        if triangle.farthest == NONE || height > triangle.farthest_height {
            (triangle.farthest, triangle.farthest_height) = (point, height);
        }
    }

    fn new_triangle(&mut self, corners: [u32; 3]) -> u32 {
        let [a, b, c] = corners.map(|corner| self.local[corner as usize]);
        let triangle = Triangle {
            corners,
            twins: [HalfEdge(NONE); 3],
            plane: Plane::through(a, b, c, self.radius),
            first_outside: NONE,
            last_outside: NONE,
            farthest: NONE,
            farthest_height: 0.0,
            asked: 0,
            state: State::Alive,
        };
        if let Some(face) = self.free.pop() {
            self.triangles[face as usize] = triangle;
            face
        } else {
            self.triangles.push(triangle);
            self.triangles.len() as u32 - 1
        }
    }

    fn join(&mut self, a: HalfEdge, b: HalfEdge) {
        self.triangles[a.face() as usize].twins[a.edge()] = b;
        self.triangles[b.face() as usize].twins[b.edge()] = a;
    }
}

/// The first of the indices with the largest value.
fn farthest(mut indices: std::ops::Range<u32>, value: impl Fn(u32) -> f64) -> u32 {
    let first = indices.next().unwrap_or(0);
    let best = indices.fold((first, value(first)), |best, index| {
        let candidate = value(index);
        if candidate > best.1 { (index, candidate) } else { best }
    });
    best.0
}
