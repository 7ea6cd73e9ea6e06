//! Quickhull in three dimensions with exact decisions.
//!
//! Source: Barber, Dobkin and Huhdanpaa, *The Quickhull Algorithm for Convex Hulls*, 1996. The algorithm keeps a convex
//! polytope, and assigns every point outside it to one face that sees the point. In each step it takes the farthest
//! point of a face, the *apex*, and replaces all faces that see the apex by a cone from the rim of these faces, the
//! *horizon*, to the apex. It then assigns the points of the removed faces to the new faces.
//!
//! # Why every step is well defined
//!
//! A face *sees* a point that lies strictly above its plane, by exact predicates. Let `P` be the current polytope and
//! `p` the point to add, seen by some face.
//!
//! - **The horizon is one simple cycle.** Triangles in one plane see the same points. So the triangles that see `p`
//!   form whole faces of the true polytope: exactly the faces through which rays from `p` enter it. Seen from `p`,
//!   these faces cover the silhouette of `P` once (the point where a ray enters depends continuously on the ray, up to
//!   the silhouette's rim). So they form a disk, and the rim of a disk is a simple cycle. Faces that are coplanar with
//!   `p` stay.
//! - **No new triangle is degenerate.** Each new triangle joins `p` to an edge of a face that sees `p`. If `p` were on
//!   the line of that edge, `p` would lie in the face's plane and the face would not see it.
//! - **The result is the hull of `P` and `p`.** If a face that stays is coplanar with `p`, the new triangles over its
//!   rim extend it within its plane: each edge of that face that `p` lies beyond belongs, on its other side, to a face
//!   that sees `p`.
//! - **No point is lost.** Let a removed face see `q`, and let `q` lie outside the new polytope. The faces of `P` that
//!   see `q` are connected edge to edge, because they too form a disk. If one of these faces stays, then a path from
//!   the removed face to it crosses the horizon at an edge where both faces see `q`. The plane of the new triangle at
//!   that edge is a non-negative combination of the planes of these two faces, so the new triangle sees `q`. If none of
//!   these faces stays, a new face sees `q`. So a point that no new triangle sees lies inside, and stays inside.
//!
//! Points that lie exactly on a face or an edge may remain as vertices of the triangulation: they were once the
//! farthest points of some face, and a later cone extended that face beyond them. `facets.rs` removes these vertices.

use crate::plane::{Lattice, Plane, Thresholds};
use crate::predicates::{Coordinates, Predicates};
use crate::scan::Scan;
use glam::DVec3;
use std::cmp::Ordering;

pub(crate) const NONE: u32 = u32::MAX;

/// Sets up to this size drop their duplicate points first. The hash table of such a set stays in cache, and collisions
/// cost little, however the file chooses its coordinates. Larger sets are point clouds, which have few duplicates.
const MOST_POINTS_TO_COMPARE: usize = 1 << 13;

/// A triangle of the polytope, counter-clockwise seen from outside.
#[derive(Clone, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [u32; 3],
    /// `twins[i]` is the half-edge on the other side of the edge from `corners[i]` to the next corner.
    pub(crate) twins: [HalfEdge; 3],
    plane: Plane,
    /// The start of this face's list of outside points in `Quickhull::outside`.
    first_outside: u32,
    count_outside: u32,
    farthest: u32,
    /// The last round of the horizon search that tested this face. `state` holds the result of that test.
    tested_in: u32,
    pub(crate) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Alive,
    SeesApex,
    Free,
}

/// An edge of one face: the index of the face, and which of its three edges it is.
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

/// A point outside the polytope. Its local coordinates are stored beside its index, because the lists of these points
/// are read from start to end.
#[derive(Clone, Copy, Debug, Default)]
struct Outsider {
    local: DVec3,
    index: u32,
}

/// The working state of a new face of the cone while points are assigned to the faces.
#[derive(Clone, Copy, Debug)]
struct Choosing {
    plane: Plane,
    thresholds: Thresholds,
    corners: [u32; 3],
    count: u32,
    farthest: u32,
    farthest_height: f64,
    /// The index in `Quickhull::outside` for the next point of this face.
    next: usize,
}

impl Choosing {
    fn new(triangle: &Triangle) -> Self {
        Self {
            plane: triangle.plane,
            thresholds: triangle.plane.thresholds(),
            corners: triangle.corners,
            count: 0,
            farthest: NONE,
            farthest_height: f64::NEG_INFINITY,
            next: 0,
        }
    }
}

/// The result of the search for four points with volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Point(u32),
    /// All points lie on one line and are not all the same. The two points are the ends.
    Line(u32, u32),
    /// All points lie in the plane of these three points, and not on one line.
    Plane([u32; 3]),
    /// The triangulated hull is in `triangles`.
    Solid,
}

/// The algorithm and its memory, which is reused from one input to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quickhull {
    /// The input in the working scale; empty if the working scale is 1.
    pub(crate) scaled: Vec<DVec3>,
    pub(crate) triangles: Vec<Triangle>,
    free: Vec<u32>,
    /// The outside points of all faces, list after list. Between the lists are gaps that the lists of removed faces
    /// left.
    outside: Vec<Outsider>,
    /// The number of entries of `outside` that were written, and (`outside_live`) how many of these a list still
    /// contains.
    outside_end: usize,
    outside_live: usize,
    /// The outside points of the faces that were just removed.
    orphans: Vec<Outsider>,
    /// The faces to process. Some of these faces may have been removed since.
    pending: Vec<u32>,
    seeing: Vec<u32>,
    horizon: Vec<(u32, u32, HalfEdge)>,
    cone: Vec<u32>,
    choosing: Vec<Choosing>,
    chosen: Vec<(Outsider, u32)>,
    copies: Vec<u32>,
    round: u32,
}

/// The points of one run, and the coordinates that planes and predicates read.
#[derive(Clone, Copy)]
pub(crate) struct Points<'a> {
    working: &'a [DVec3],
    exact: Predicates<'a>,
    origin: DVec3,
    radius: f64,
    lattice: Option<Lattice>,
}

impl<'a> Points<'a> {
    pub(crate) fn new(input: &'a [DVec3], scaled: &'a [DVec3], scan: &Scan, coordinates: Coordinates) -> Self {
        let (min, max) = (coordinates.scaled(scan.min), coordinates.scaled(scan.max));
        let working = if coordinates.exponent == 0 { input } else { scaled };
        // The working copy of a wide set has lost bits, so it proves nothing about the set.
        let lattice = if coordinates.wide { None } else { Lattice::of(working, min, (max - min).max_element()) };
        // Each term is halved first, because the sum of the two largest numbers would overflow.
        let origin = if lattice.is_some() { min } else { min * 0.5 + max * 0.5 };
        Self {
            working,
            exact: Predicates::new(coordinates, input, scaled),
            origin,
            radius: (min - origin).abs().max((max - origin).abs()).max_element(),
            lattice,
        }
    }

    /// The coordinates relative to `origin`, from which planes are computed.
    pub(crate) fn local(&self, point: u32) -> DVec3 {
        self.working[point as usize] - self.origin
    }

    fn outsider(&self, index: u32) -> Outsider {
        Outsider { local: self.local(index), index }
    }

    pub(crate) fn plane(&self, corners: [u32; 3]) -> Plane {
        let [a, b, c] = corners.map(|corner| self.local(corner));
        match self.lattice {
            Some(lattice) => Plane::through_lattice(a, b, c, lattice),
            None => Plane::through(a, b, c, self.radius),
        }
    }
}

impl Quickhull {
    /// Finds the triangulated hull of a set that [`Scan`] accepted, or returns the kind of a set without volume.
    pub(crate) fn run(&mut self, points: Points<'_>, scan: &Scan) -> Start {
        self.reset();
        match first_tetrahedron(points, scan) {
            Ok(corners) => {
                self.build_tetrahedron(corners, points);
                self.add_extremes(scan, points);
                self.give_all(points);
                while let Some(face) = self.next_pending() {
                    self.add_farthest(face, points);
                }
                Start::Solid
            }
            Err(flat) => flat,
        }
    }

    /// Returns true if a point lies strictly below a face's plane.
    pub(crate) fn is_below(&self, face: u32, point: u32, points: Points<'_>) -> bool {
        let triangle = &self.triangles[face as usize];
        match triangle.plane.certain(triangle.plane.height(points.local(point))) {
            Some(height) => height < 0.0,
            None => points.exact.side_of_plane(triangle.corners, point).is_lt(),
        }
    }

    fn reset(&mut self) {
        self.triangles.clear();
        self.free.clear();
        self.pending.clear();
        self.orphans.clear();
        (self.outside_end, self.outside_live, self.round) = (0, 0, 0);
    }

    /// Builds the first polytope. `d` must lie below the plane of `a`, `b`, `c`.
    fn build_tetrahedron(&mut self, [a, b, c, d]: [u32; 4], points: Points<'_>) {
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            self.new_triangle(corners, points);
        }
        for (face, edge, twin_face, twin_edge) in
            [(0, 0, 1, 2), (0, 1, 2, 2), (0, 2, 3, 2), (1, 1, 2, 0), (2, 1, 3, 0), (3, 1, 1, 0)]
        {
            self.join(HalfEdge::new(face, edge), HalfEdge::new(twin_face, twin_edge));
        }
    }

    /// Adds the remaining points that are extreme along the axes, and on a lattice also the points that are extreme
    /// along the diagonals of space. So the first polytope already holds many of the points. For a box of voxels, it is
    /// the hull.
    fn add_extremes(&mut self, scan: &Scan, points: Points<'_>) {
        let diagonal = points.lattice.map(|_| extremes_along_diagonals(points));
        for index in scan.lowest.into_iter().chain(scan.highest).chain(diagonal.into_iter().flatten()) {
            let apex = points.outsider(index);
            self.round += 1;
            let mut faces = 0..self.triangles.len() as u32;
            let seeing = faces
                .find(|&face| self.triangles[face as usize].state == State::Alive && self.sees(face, apex, points));
            if let Some(face) = seeing {
                self.replace_seeing(face, apex, points);
            }
        }
    }

    fn give_all(&mut self, points: Points<'_>) {
        let alive = |face: &u32| self.triangles[*face as usize].state == State::Alive;
        self.cone.clear();
        self.cone.extend((0..self.triangles.len() as u32).filter(alive));
        let count = points.working.len();
        let all = (0..count as u32).map(|index| points.outsider(index));
        if count > MOST_POINTS_TO_COMPARE {
            self.give_to_cone(all, points, |_| true);
        } else {
            let mut seen = std::mem::take(&mut self.copies);
            seen.clear();
            seen.resize(2 * count.next_power_of_two(), NONE);
            self.give_to_cone(all, points, |index| is_first_of_its_copies(index, &mut seen, points.exact));
            self.copies = seen;
        }
    }

    fn next_pending(&mut self) -> Option<u32> {
        while let Some(face) = self.pending.pop() {
            let triangle = &self.triangles[face as usize];
            if triangle.state == State::Alive && triangle.count_outside > 0 {
                return Some(face);
            }
        }
        None
    }

    fn add_farthest(&mut self, face: u32, points: Points<'_>) {
        self.replace_seeing(face, points.outsider(self.triangles[face as usize].farthest), points);
        let orphans = std::mem::take(&mut self.orphans);
        self.give_to_cone(orphans.iter().copied(), points, |_| true);
        self.orphans = orphans;
    }

    /// Replaces the polytope by the hull of itself and the apex. `face` must see the apex.
    fn replace_seeing(&mut self, face: u32, apex: Outsider, points: Points<'_>) {
        self.find_horizon(face, apex, points);
        self.orphan_points_of_seeing(apex, points);
        self.build_cone(apex, points);
    }

    /// Removes the faces that see the apex and collects their outside points, except for the apex and its copies.
    fn orphan_points_of_seeing(&mut self, apex: Outsider, points: Points<'_>) {
        self.orphans.clear();
        let position = points.exact.point(apex.index);
        for &face in &self.seeing {
            let triangle = &mut self.triangles[face as usize];
            triangle.state = State::Free;
            self.free.push(face);
            let list = triangle.first_outside as usize..(triangle.first_outside + triangle.count_outside) as usize;
            self.outside_live -= list.len();
            let is_apex =
                |outsider: &Outsider| outsider.local == apex.local && points.exact.point(outsider.index) == position;
            self.orphans.extend(self.outside[list].iter().filter(|outsider| !is_apex(outsider)));
        }
    }

    fn build_cone(&mut self, apex: Outsider, points: Points<'_>) {
        let horizon = std::mem::take(&mut self.horizon);
        self.cone.clear();
        for &(from, to, outer) in &horizon {
            let face = self.new_triangle([from, to, apex.index], points);
            self.join(HalfEdge::new(face, 0), outer);
            self.cone.push(face);
        }
        let mut last = self.cone.last().copied();
        for i in 0..self.cone.len() {
            let face = self.cone[i];
            if let Some(last) = last.replace(face) {
                self.join(HalfEdge::new(last, 1), HalfEdge::new(face, 2));
            }
        }
        self.horizon = horizon;
    }

    /// Assigns each point to a face of the cone that sees it. A point that no face sees lies inside and is dropped.
    ///
    /// The point goes to the first face that certainly sees it. If there is none, exact predicates search the faces
    /// whose plane is too close to the point. This order is fast because points are often coplanar with one face and
    /// far outside another.
    ///
    /// `keep` is called once for each point that may lie outside. Each list keeps the order of the input, so that the
    /// first of equal points becomes the vertex.
    fn give_to_cone(
        &mut self,
        outsiders: impl Iterator<Item = Outsider>,
        points: Points<'_>,
        mut keep: impl FnMut(u32) -> bool,
    ) {
        self.choosing.clear();
        self.choosing.extend(self.cone.iter().map(|&face| Choosing::new(&self.triangles[face as usize])));
        self.chosen.clear();
        for outsider in outsiders {
            let (mut choice, mut first_close) = (NONE, NONE);
            // The outer loop runs over points and the inner loop over planes, because the reverse has one unpredictable
            // branch per point and plane.
            for (number, face) in self.choosing.iter().enumerate() {
                let height = face.plane.height(outsider.local);
                if height >= face.thresholds.may_be_above {
                    if height > face.thresholds.is_above {
                        choice = number as u32;
                        break;
                    }
                    first_close = first_close.min(number as u32);
                }
            }
            if (choice == NONE && first_close == NONE) || !keep(outsider.index) {
                continue;
            }
            if choice == NONE {
                choice = self.close_call(outsider, first_close, points);
            }
            if let Some(face) = self.choosing.get_mut(choice as usize) {
                let height = face.plane.height(outsider.local);
                face.count += 1;
                if height > face.farthest_height {
                    (face.farthest, face.farthest_height) = (outsider.index, height);
                }
                self.chosen.push((outsider, choice));
            }
        }
        self.list_chosen();
    }

    /// The first face from number `first` on whose plane is too close to the point for plain arithmetic, and which does
    /// see the point by exact predicates; [`NONE`] if there is no such face.
    fn close_call(&self, outsider: Outsider, first: u32, points: Points<'_>) -> u32 {
        let close = |face: &Choosing| face.plane.may_be_above(face.plane.height(outsider.local));
        let sees = |face: &Choosing| close(face) && points.exact.side_of_plane(face.corners, outsider.index).is_gt();
        let found = self.choosing[first as usize..].iter().position(sees);
        found.map_or(NONE, |offset| first + offset as u32)
    }

    /// Writes the lists of outside points of the cone's faces, one after the other.
    fn list_chosen(&mut self) {
        let mut first = self.outside_end;
        for (face, &number) in self.choosing.iter_mut().zip(&self.cone) {
            face.next = first;
            if face.count > 0 {
                let triangle = &mut self.triangles[number as usize];
                (triangle.first_outside, triangle.count_outside) = (first as u32, face.count);
                triangle.farthest = face.farthest;
                self.pending.push(number);
            }
            first += face.count as usize;
        }
        if self.outside.len() < first {
            self.outside.resize(first, Outsider::default());
        }
        for &(outsider, choice) in &self.chosen {
            let next = &mut self.choosing[choice as usize].next;
            self.outside[*next] = outsider;
            *next += 1;
        }
        self.outside_live += self.chosen.len();
        self.outside_end = first;
        self.close_gaps();
    }

    /// Closes the gaps in `outside` if they fill most of it. The cost per written point is bounded.
    fn close_gaps(&mut self) {
        if self.outside_end < 2 * self.outside_live + self.triangles.len() + 4096 {
            return;
        }
        let mut lists: Vec<u32> = (0..self.triangles.len() as u32)
            .filter(|&face| {
                let triangle = &self.triangles[face as usize];
                triangle.state == State::Alive && triangle.count_outside > 0
            })
            .collect();
        lists.sort_unstable_by_key(|&face| self.triangles[face as usize].first_outside);
        self.outside_end = 0;
        for face in lists {
            let triangle = &mut self.triangles[face as usize];
            let first = triangle.first_outside as usize;
            self.outside.copy_within(first..first + triangle.count_outside as usize, self.outside_end);
            triangle.first_outside = self.outside_end as u32;
            self.outside_end += triangle.count_outside as usize;
        }
    }

    /// Fills `seeing` with the faces that see `apex`, and `horizon` with the rim of these faces, in order,
    /// counter-clockwise.
    fn find_horizon(&mut self, face: u32, apex: Outsider, points: Points<'_>) {
        self.round += 1;
        self.seeing.clear();
        self.mark_seeing(face);
        let mut on_rim = HalfEdge(NONE);
        let mut reached = 0;
        while reached < self.seeing.len() {
            let face = self.seeing[reached];
            reached += 1;
            for edge in 0..3 {
                let outer = self.triangles[face as usize].twins[edge].face();
                if !self.sees(outer, apex, points) {
                    on_rim = HalfEdge::new(face, edge);
                } else if self.triangles[outer as usize].state != State::SeesApex {
                    self.mark_seeing(outer);
                }
            }
        }
        self.walk_rim(on_rim);
    }

    /// Walks once around the faces that see the apex. `start` must be a half-edge of such a face, and the face of its
    /// twin must not see the apex.
    fn walk_rim(&mut self, start: HalfEdge) {
        self.horizon.clear();
        let mut at = start;
        loop {
            let triangle = &self.triangles[at.face() as usize];
            self.horizon.push((
                triangle.corners[at.edge()],
                triangle.corners[(at.edge() + 1) % 3],
                triangle.twins[at.edge()],
            ));
            // Turns around the end of this edge, through faces that see the apex, to the next edge of the rim.
            loop {
                at = HalfEdge::new(at.face(), (at.edge() + 1) % 3);
                let twin = self.triangles[at.face() as usize].twins[at.edge()];
                if self.triangles[twin.face() as usize].state != State::SeesApex {
                    break;
                }
                at = twin;
            }
            if at == start {
                return;
            }
        }
    }

    fn mark_seeing(&mut self, face: u32) {
        self.triangles[face as usize].state = State::SeesApex;
        self.triangles[face as usize].tested_in = self.round;
        self.seeing.push(face);
    }

    /// Returns true if a face sees the apex. Each face is tested once per round.
    fn sees(&mut self, face: u32, apex: Outsider, points: Points<'_>) -> bool {
        let triangle = &self.triangles[face as usize];
        if triangle.tested_in == self.round {
            return triangle.state == State::SeesApex;
        }
        let sees = match triangle.plane.certain(triangle.plane.height(apex.local)) {
            Some(height) => height > 0.0,
            None => points.exact.side_of_plane(triangle.corners, apex.index).is_gt(),
        };
        if !sees {
            self.triangles[face as usize].tested_in = self.round;
        }
        sees
    }

    fn new_triangle(&mut self, corners: [u32; 3], points: Points<'_>) -> u32 {
        let triangle = Triangle {
            corners,
            twins: [HalfEdge(NONE); 3],
            plane: points.plane(corners),
            first_outside: 0,
            count_outside: 0,
            farthest: NONE,
            tested_in: 0,
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

/// Finds four points with volume: the two ends of the longest span among the points that are extreme along the axes,
/// the point farthest from their line, and the point farthest from the plane of these three. If plain arithmetic cannot
/// tell that such a point exists, exact predicates search for one.
fn first_tetrahedron(points: Points<'_>, scan: &Scan) -> Result<[u32; 4], Start> {
    let exact = points.exact;
    let span = |axis: usize| points.local(scan.highest[axis])[axis] - points.local(scan.lowest[axis])[axis];
    let longest = (1..3).fold(0, |best, axis| if span(axis) > span(best) { axis } else { best });
    // In a wide set the working copy may have lost all differences, so this compares the input.
    let spans = |&axis: &usize| scan.min[axis] < scan.max[axis];
    let axis = if span(longest) > 0.0 { longest } else { (0..3).find(spans).unwrap_or(0) };
    let (a, b) = (scan.lowest[axis], scan.highest[axis]);
    if a == b {
        return Err(Start::Point(0));
    }
    let count = points.working.len() as u32;
    let (start, direction) = (points.local(a), points.local(b) - points.local(a));
    let c = farthest(0..count, |p| direction.cross(points.local(p) - start).length_squared());
    let c = if exact.open_axis(a, b, c).is_some() {
        Some(c)
    } else {
        (0..count).find(|&p| exact.open_axis(a, b, p).is_some())
    };
    let Some(c) = c else { return Err(Start::Line(a, b)) };
    let plane = points.plane([a, b, c]);
    let mut d = farthest(0..count, |p| plane.height(points.local(p)).abs());
    if plane.certain(plane.height(points.local(d))).is_none() {
        d = farthest(0..count, |p| exact.height([a, b, c], p).abs());
    }
    match exact.side_of_plane([a, b, c], d) {
        Ordering::Less => Ok([a, b, c, d]),
        Ordering::Greater => Ok([a, c, b, d]),
        Ordering::Equal => Err(Start::Plane([a, b, c])),
    }
}

/// The points that are extreme along the four diagonals of space, two for each. Of points that are equally far along a
/// diagonal, the first counts.
fn extremes_along_diagonals(points: Points<'_>) -> [u32; 8] {
    let mut most = [f64::NEG_INFINITY; 8];
    let mut extremes = [0; 8];
    for index in 0..points.working.len() as u32 {
        let DVec3 { x, y, z } = points.local(index);
        let along = [x + y + z, x + y - z, x - y + z, x - y - z];
        for (diagonal, &value) in along.iter().enumerate() {
            for (side, value) in [(diagonal, value), (diagonal + 4, -value)] {
                if value > most[side] {
                    (most[side], extremes[side]) = (value, index);
                }
            }
        }
    }
    extremes
}

/// Returns true if no earlier point equals this one. `seen` is a hash table (open addressing) of the earlier points.
///
/// Meshes repeat a vertex where normals or texture coordinates differ: in real bone groups half the points are
/// duplicates.
fn is_first_of_its_copies(index: u32, seen: &mut [u32], exact: Predicates<'_>) -> bool {
    let point = exact.point(index);
    // Adding zero gives -0 the same bits as 0, because the two compare equal.
    let [x, y, z] = (point + 0.0).to_array().map(f64::to_bits);
    let mixed = (x ^ y.rotate_left(21) ^ z.rotate_left(42)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut slot = (mixed >> 32) as usize & (seen.len() - 1);
    while seen[slot] != NONE {
        if exact.point(seen[slot]) == point {
            return false;
        }
        slot = (slot + 1) & (seen.len() - 1);
    }
    seen[slot] = index;
    true
}

/// The index with the largest value; the first such index if several values are equal.
fn farthest(mut indices: std::ops::Range<u32>, value: impl Fn(u32) -> f64) -> u32 {
    let first = indices.next().unwrap_or(0);
    let best = indices.fold((first, value(first)), |best, index| {
        let candidate = value(index);
        if candidate > best.1 { (index, candidate) } else { best }
    });
    best.0
}
