//! The graph of a solid hull for the search of boxes: vertices with their neighbors, and edges with the normals of
//! their faces.

use crate::bounds::Bounds;
use glam::DVec3;
use hull::ConvexHull;

/// Faces are one face, up to the rounding of their corners, if their unit normals differ by less than this length.
const COPLANAR: f64 = 1e-9;

/// An edge of the hull. A plane that touches the hull along the edge has a normal between `from` and `from + by`.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The normal of one face at the edge, of unit length.
    pub(super) from: DVec3,
    /// The difference from `from` to the normal of the other face.
    pub(super) by: DVec3,
    /// The vertices at the ends of the edge, indices into [`Graph::vertices`].
    pub(super) ends: [usize; 2],
    /// The vertex farthest from the edge against the direction `from`, an index into [`Graph::vertices`].
    pub(super) opposite: usize,
}

/// The vertices of a hull and the edges between them.
#[derive(Clone)]
pub(super) struct Graph {
    /// The vertices, scaled to a cube of size 1 about the origin, so that no unit is too large or too small.
    pub(super) vertices: Vec<DVec3>,
    /// The length of one unit of the hull's vertices, in the unit of `vertices`.
    pub(super) unit: f64,
    /// `neighbors[first_neighbor[v]..first_neighbor[v + 1]]` share an edge with vertex `v`.
    first_neighbor: Vec<usize>,
    neighbors: Vec<Neighbor>,
}

/// A vertex that shares an edge with another vertex. The places are kept here once more, because the walks over the
/// hull read little else.
#[derive(Clone, Copy)]
pub(super) struct Neighbor {
    /// The index of the vertex in [`Graph::vertices`].
    pub(super) vertex: usize,
    /// The place of the vertex.
    place: DVec3,
    /// The difference from the other vertex to this vertex.
    pub(super) ahead: DVec3,
}

impl Graph {
    /// Returns the graph of a solid hull, and its edges. Edges between triangles of one plane are left out.
    pub(super) fn new(hull: &ConvexHull) -> (Self, Vec<Edge>) {
        let (vertices, unit) = unit_sized(hull.vertices());
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
        let neighbor = |&[from, vertex, _]: &[usize; 3]| {
            let place = vertices[vertex];
            Neighbor { vertex, place, ahead: place - vertices[from] }
        };
        let neighbors = sides.iter().map(neighbor).collect();
        let graph = Self { vertices, unit, first_neighbor, neighbors };
        let edges = graph.edges(&sides, &normals);
        (graph, edges)
    }

    fn edges(&self, sides: &[[usize; 3]], normals: &[DVec3]) -> Vec<Edge> {
        let mut edges = Vec::with_capacity(sides.len() / 2);
        let mut opposite = 0;
        for &[a, b, face] in sides.iter().filter(|side| side[0] < side[1]) {
            let Ok(twin) = sides.binary_search_by(|side| side[..2].cmp(&[b, a])) else { continue };
            let (from, to) = (normals[face], normals[sides[twin][2]]);
            let by = to - from;
            if by.length_squared() > COPLANAR * COPLANAR && from != DVec3::ZERO && to != DVec3::ZERO {
                opposite = self.climb(opposite, -from);
                edges.push(Edge { from, by, ends: [a, b], opposite });
            }
        }
        edges
    }

    /// Returns the vertices that share an edge with a vertex.
    #[inline]
    pub(super) fn neighbors(&self, vertex: usize) -> &[Neighbor] {
        &self.neighbors[self.first_neighbor[vertex]..self.first_neighbor[vertex + 1]]
    }

    /// Returns the farthest vertex along a direction. The walk starts at the vertex `from` and goes uphill from
    /// neighbor to neighbor. A convex hull has no local maximum besides the farthest vertex, but among vertices that
    /// differ by rounding alone the walk can end early.
    pub(super) fn climb(&self, from: usize, direction: DVec3) -> usize {
        let (mut at, mut height) = (from, self.vertices[from].dot(direction));
        loop {
            let before = at;
            for neighbor in self.neighbors(before) {
                let found = neighbor.place.dot(direction);
                if found > height {
                    (at, height) = (neighbor.vertex, found);
                }
            }
            if at == before {
                return at;
            }
        }
    }
}

/// Returns the vertices about their middle in a cube of size 1, and the length of one of their units in the scaled
/// space.
fn unit_sized(vertices: &[DVec3]) -> (Vec<DVec3>, f64) {
    let bounds = Bounds::around(vertices.iter().copied());
    let (middle, size) = (bounds.center(), bounds.size().max_element());
    (vertices.iter().map(|&vertex| (vertex - middle) / size).collect(), 1.0 / size)
}
