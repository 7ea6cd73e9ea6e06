//! Merges the triangles of quickhull into the faces of the hull: polygons without superfluous corners, in an order that
//! depends on the positions alone.

use crate::quickhull::{HalfEdge, NONE, Points, Quickhull, State};
use glam::DVec3;

/// The faces as loops of vertices, in an order that depends on the vertices' positions alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facets {
    /// Indices into the input, sorted by position (x, then y, then z).
    pub(crate) vertices: Vec<u32>,
    /// All loops, one after the other: indices into `vertices`, counter-clockwise seen from outside. Each loop starts
    /// at its smallest index.
    pub(crate) corners: Vec<u32>,
    /// `across[i]` is the face on the other side of the edge that starts at `corners[i]`.
    pub(crate) across: Vec<u32>,
    /// The start of each loop in `corners`, followed by the end of the last loop.
    pub(crate) starts: Vec<u32>,
    // The fields below are memory that `merge` reuses.
    facet_of: Vec<u32>,
    first_edge: Vec<HalfEdge>,
    facets_at: Vec<u32>,
    rank: Vec<u32>,
    by_x: Vec<(f64, u32)>,
    pool: Vec<u32>,
    walked: Vec<(u32, u32)>,
    order: Vec<Loop>,
    sorted: Vec<Loop>,
    first_of: Vec<u32>,
    place_of: Vec<u32>,
}

/// The range of a facet's loop in `Facets::walked`.
#[derive(Clone, Copy, Debug, Default)]
struct Loop {
    /// The first two corners of the loop.
    corners: [u32; 2],
    facet: u32,
    start: u32,
    count: u32,
}

impl Facets {
    /// Merges triangles that lie exactly in one plane, and drops vertices that are not corners of the hull.
    pub(crate) fn merge(&mut self, hull: &Quickhull, points: &[DVec3], view: Points<'_>) {
        self.group_coplanar(hull, view);
        self.find_corners(hull, points);
        self.walk_loops(hull);
    }

    /// Stores both sides of a polygon. `front` holds the corners in order, as indices into the input.
    pub(crate) fn set_polygon(&mut self, front: Vec<u32>, points: &[DVec3]) {
        self.vertices.clone_from(&front);
        self.vertices.sort_unstable_by(|&a, &b| compare_positions(points[a as usize], points[b as usize]));
        let mut by_place: Vec<u32> = (0..front.len() as u32).collect();
        by_place.sort_unstable_by(|&i, &j| {
            compare_positions(points[front[i as usize] as usize], points[front[j as usize] as usize])
        });
        let mut ranks = vec![0; front.len()];
        for (rank, &place) in by_place.iter().enumerate() {
            ranks[place as usize] = rank as u32;
        }
        let mut back = ranks.clone();
        back[1..].reverse();
        let second_is_front = ranks[1] > back[1];
        let loops = if second_is_front { [back, ranks] } else { [ranks, back] };
        self.corners = loops.concat();
        self.across = [vec![1; front.len()], vec![0; front.len()]].concat();
        self.starts = vec![0, front.len() as u32, 2 * front.len() as u32];
    }

    /// Assigns every triangle to a facet.
    fn group_coplanar(&mut self, hull: &Quickhull, view: Points<'_>) {
        self.facet_of.clear();
        self.facet_of.resize(hull.triangles.len(), NONE);
        self.first_edge.clear();
        for seed in 0..hull.triangles.len() as u32 {
            if hull.triangles[seed as usize].state == State::Free || self.facet_of[seed as usize] != NONE {
                continue;
            }
            let facet = self.first_edge.len() as u32;
            let mut boundary = HalfEdge::new(seed, 0);
            self.facet_of[seed as usize] = facet;
            self.pool.push(seed);
            while let Some(face) = self.pool.pop() {
                for edge in 0..3 {
                    let twin = hull.triangles[face as usize].twins[edge];
                    let outer = twin.face();
                    if self.facet_of[outer as usize] == facet {
                        continue;
                    }
                    if self.facet_of[outer as usize] != NONE {
                        boundary = HalfEdge::new(face, edge);
                        continue;
                    }
                    let opposite = hull.triangles[outer as usize].corners[(twin.edge() + 2) % 3];
                    // The seed's plane decides for the whole facet, so that all its triangles lie in one plane.
                    if hull.is_below(seed, opposite, view) {
                        boundary = HalfEdge::new(face, edge);
                    } else {
                        self.facet_of[outer as usize] = facet;
                        self.pool.push(outer);
                    }
                }
            }
            self.first_edge.push(boundary);
        }
    }

    /// Finds the vertices where at least three facets meet. A vertex with two facets lies on an edge, and a vertex with
    /// one facet lies inside it.
    fn find_corners(&mut self, hull: &Quickhull, points: &[DVec3]) {
        self.facets_at.clear();
        self.facets_at.resize(points.len(), 0);
        for (face, triangle) in hull.triangles.iter().enumerate() {
            if triangle.state != State::Free {
                for edge in 0..3 {
                    if self.facet_of[triangle.twins[edge].face() as usize] != self.facet_of[face] {
                        self.facets_at[triangle.corners[edge] as usize] += 1;
                    }
                }
            }
        }
        let corners = (0..points.len() as u32).filter(|&p| self.facets_at[p as usize] >= 3);
        self.by_x.clear();
        self.by_x.extend(corners.map(|p| (points[p as usize].x, p)));
        self.by_x.sort_unstable_by(|a, b| {
            // Comparing the copied x first avoids most reads of `points`, which would take most of the time.
            if a.0 == b.0 { compare_positions(points[a.1 as usize], points[b.1 as usize]) } else { a.0.total_cmp(&b.0) }
        });
        self.vertices.clear();
        self.vertices.extend(self.by_x.iter().map(|&(_, p)| p));
        self.rank.clear();
        self.rank.resize(points.len(), NONE);
        for (rank, &vertex) in self.vertices.iter().enumerate() {
            self.rank[vertex as usize] = rank as u32;
        }
    }

    /// Writes the loops in the order of the facets, then sorts them by their first two corners. No two facets have the
    /// same first two corners.
    fn walk_loops(&mut self, hull: &Quickhull) {
        self.walked.clear();
        self.order.clear();
        for (facet, &first) in self.first_edge.iter().enumerate() {
            let start = self.walked.len();
            if let Some(corners) = self.triangle(hull, facet as u32, first.face()) {
                self.walked.extend(corners);
            } else {
                let mut edge = first;
                loop {
                    let triangle = &hull.triangles[edge.face() as usize];
                    let twin = triangle.twins[edge.edge()];
                    let rank = self.rank[triangle.corners[edge.edge()] as usize];
                    if rank != NONE {
                        self.walked.push((rank, self.facet_of[twin.face() as usize]));
                    }
                    edge = next_on_rim(hull, edge, &self.facet_of);
                    if edge == first {
                        break;
                    }
                }
                let corners = &mut self.walked[start..];
                let smallest = (0..corners.len()).min_by_key(|&i| corners[i].0).unwrap_or(0);
                corners.rotate_left(smallest);
            }
            let corners = &self.walked[start..];
            let key = [corners[0].0, corners[1].0];
            self.order.push(Loop {
                corners: key,
                facet: facet as u32,
                start: start as u32,
                count: corners.len() as u32,
            });
        }
        self.sort_loops();
        self.place_loops();
    }

    /// Returns each corner of a facet that is a single triangle, the smallest index first, with the facet across the
    /// edge that starts at the corner. Most facets are single triangles. Returns `None` for any other facet.
    fn triangle(&self, hull: &Quickhull, facet: u32, face: u32) -> Option<[(u32, u32); 3]> {
        let triangle = &hull.triangles[face as usize];
        let [a, b, c] = triangle.corners.map(|corner| self.rank[corner as usize]);
        let [ab, bc, ca] = triangle.twins.map(|twin| self.facet_of[twin.face() as usize]);
        if [ab, bc, ca].contains(&facet) || [a, b, c].contains(&NONE) {
            return None;
        }
        Some(match a.min(b).min(c) {
            least if least == a => [(a, ab), (b, bc), (c, ca)],
            least if least == b => [(b, bc), (c, ca), (a, ab)],
            _ => [(c, ca), (a, ab), (b, bc)],
        })
    }

    /// Sorts the loops by their first corner, and the few loops with the same first corner by their second corner. The
    /// first corners are many small numbers, so a counting sort is fast.
    fn sort_loops(&mut self) {
        self.first_of.clear();
        self.first_of.resize(self.vertices.len() + 1, 0);
        for walked in &self.order {
            self.first_of[walked.corners[0] as usize + 1] += 1;
        }
        for i in 1..self.first_of.len() {
            self.first_of[i] += self.first_of[i - 1];
        }
        self.sorted.clear();
        self.sorted.resize(self.order.len(), Loop::default());
        for &walked in &self.order {
            let place = &mut self.first_of[walked.corners[0] as usize];
            self.sorted[*place as usize] = walked;
            *place += 1;
        }
        // After the loop above, each entry holds the start of the next entry's range.
        let mut start = 0;
        for &end in &self.first_of[..self.vertices.len()] {
            self.sorted[start..end as usize].sort_unstable_by_key(|walked| walked.corners[1]);
            start = end as usize;
        }
        std::mem::swap(&mut self.order, &mut self.sorted);
    }

    fn place_loops(&mut self) {
        self.place_of.clear();
        self.place_of.resize(self.order.len(), 0);
        for (place, walked) in self.order.iter().enumerate() {
            self.place_of[walked.facet as usize] = place as u32;
        }
        self.corners.clear();
        self.across.clear();
        self.starts.clear();
        self.starts.push(0);
        for walked in &self.order {
            let corners = &self.walked[walked.start as usize..(walked.start + walked.count) as usize];
            self.corners.extend(corners.iter().map(|corner| corner.0));
            self.across.extend(corners.iter().map(|corner| self.place_of[corner.1 as usize]));
            self.starts.push(self.corners.len() as u32);
        }
    }
}

/// The half-edge on the rim of the same facet that starts where `edge` ends.
fn next_on_rim(hull: &Quickhull, edge: HalfEdge, facet_of: &[u32]) -> HalfEdge {
    let facet = facet_of[edge.face() as usize];
    let mut next = HalfEdge::new(edge.face(), (edge.edge() + 1) % 3);
    loop {
        let twin = hull.triangles[next.face() as usize].twins[next.edge()];
        if facet_of[twin.face() as usize] != facet {
            return next;
        }
        next = HalfEdge::new(twin.face(), (twin.edge() + 1) % 3);
    }
}

pub(crate) fn compare_positions(a: DVec3, b: DVec3) -> std::cmp::Ordering {
    let by = |axis: usize| a[axis].partial_cmp(&b[axis]).unwrap_or(std::cmp::Ordering::Equal);
    by(0).then_with(|| by(1)).then_with(|| by(2))
}
