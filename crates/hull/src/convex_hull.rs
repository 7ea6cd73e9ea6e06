use crate::facets::Facets;
use crate::predicates::times_power_of_two;
use glam::DVec3;
use std::ops::Range;

/// The dimension that a set of points spans, decided by exact predicates. If a rounding error lifts one point out of
/// the plane of the others, the set is a [`HullShape::Solid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HullShape {
    /// All points are the same: one vertex, no edge, no face.
    Point,
    /// All points lie on one line: two vertices, one edge, no face.
    Segment,
    /// All points lie in one plane: three or more vertices and two faces, front and back.
    Polygon,
    /// The points span a volume: at least four vertices and four faces.
    Solid,
}

/// The convex hull of a set of points: the smallest convex set that holds them all.
///
/// Every vertex is an input point, unchanged. Only extreme points are vertices: a point inside a face, or on an edge
/// between two other points, is not a vertex.
///
/// The order of vertices, edges and faces depends on the positions alone. So the same set of points gives the same hull
/// in any input order, to the last bit. Only [`Self::source_indices`] depends on the input order: it names the first of
/// equal points.
///
/// The hull is in the space and unit of its points.
#[derive(Debug, Clone, PartialEq)]
pub struct ConvexHull {
    pub(crate) shape: HullShape,
    pub(crate) vertices: Vec<DVec3>,
    pub(crate) source_indices: Vec<u32>,
    pub(crate) corners: Vec<u32>,
    pub(crate) starts: Vec<u32>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) edge_faces: Vec<[u32; 2]>,
    volume: f64,
    surface_area: f64,
}

/// One face of a hull: a convex polygon in one plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face<'a> {
    hull: &'a ConvexHull,
    index: usize,
}

impl ConvexHull {
    /// Returns the kind of the hull: a point, a segment, a polygon or a solid.
    #[must_use]
    pub fn shape(&self) -> HullShape {
        self.shape
    }

    /// The corners of the hull, without repeats, sorted by x, then y, then z.
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// The index of the input point that each vertex is equal to: `vertices()[i]` is `points[source_indices()[i]]`. If
    /// several input points are equal, the index is that of the first.
    #[must_use]
    pub fn source_indices(&self) -> &[u32] {
        &self.source_indices
    }

    /// The surface as triangles of indices into [`Self::vertices`], counter-clockwise seen from outside. Each face is a
    /// fan of triangles around the face's first vertex, and the fans are in the order of [`Self::faces`].
    ///
    /// A polygon has triangles on both sides, front and back. A point and a segment have none.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges where two faces meet, as pairs of indices into [`Self::vertices`], the smaller index first. A diagonal
    /// within a face is not an edge.
    ///
    /// A segment has one edge, which belongs to no face.
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The two faces at each edge, as indices into [`Self::faces`]. `edge_faces()[i]` belongs to `edges()[i]`: the
    /// first face runs along the edge from its first to its second vertex, the second face in the opposite direction.
    /// Empty for a segment.
    #[must_use]
    pub fn edge_faces(&self) -> &[[u32; 2]] {
        &self.edge_faces
    }

    /// The faces. Triangles that lie exactly in one plane form one face. A polygon has two faces; a point and a segment
    /// have none.
    #[must_use]
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> + Clone {
        (0..self.starts.len() - 1).map(|index| Face { hull: self, index })
    }

    /// The face at `index`, in the order of [`Self::faces`].
    ///
    /// # Panics
    /// Panics if `index` is not below the number of faces.
    #[must_use]
    pub fn face(&self, index: usize) -> Face<'_> {
        assert!(
            index + 1 < self.starts.len(),
            "face {index} does not exist: the hull has {} faces",
            self.starts.len() - 1
        );
        Face { hull: self, index }
    }

    /// The volume, in the points' unit cubed; zero unless the hull is solid.
    ///
    /// The volume is exact up to rounding in its last places, at any distance from the origin. It is infinite or zero
    /// if the true value lies outside the range of `f64`.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The area of all faces, in the points' unit squared. For a polygon this is twice its area, and for a point or a
    /// segment zero.
    #[must_use]
    pub fn surface_area(&self) -> f64 {
        self.surface_area
    }

    pub(crate) fn point(vertex: DVec3, source: u32) -> Self {
        Self::without_faces(HullShape::Point, vec![vertex], vec![source], Vec::new())
    }

    pub(crate) fn segment(vertices: [DVec3; 2], sources: [u32; 2]) -> Self {
        Self::without_faces(HullShape::Segment, vertices.to_vec(), sources.to_vec(), vec![[0, 1]])
    }

    fn without_faces(shape: HullShape, vertices: Vec<DVec3>, source_indices: Vec<u32>, edges: Vec<[u32; 2]>) -> Self {
        Self {
            shape,
            vertices,
            source_indices,
            corners: Vec::new(),
            starts: vec![0],
            triangles: Vec::new(),
            edges,
            edge_faces: Vec::new(),
            volume: 0.0,
            surface_area: 0.0,
        }
    }

    /// `exponent` is the power of two that brings the coordinates near 1, so that products stay in range.
    pub(crate) fn from_facets(shape: HullShape, facets: &Facets, points: &[DVec3], exponent: i32) -> Self {
        let mut hull = Self {
            shape,
            vertices: facets.vertices.iter().map(|&source| points[source as usize]).collect(),
            source_indices: facets.vertices.clone(),
            corners: facets.corners.clone(),
            starts: facets.starts.clone(),
            triangles: Vec::with_capacity(facets.corners.len().saturating_sub(2 * (facets.starts.len() - 1))),
            edges: Vec::with_capacity(facets.corners.len() / 2),
            edge_faces: Vec::with_capacity(facets.corners.len() / 2),
            volume: 0.0,
            surface_area: 0.0,
        };
        for face in 0..hull.starts.len() - 1 {
            let range = hull.corner_range(face);
            let corners = &hull.corners[range.clone()];
            match *corners {
                [a, b, c] => hull.triangles.push([a, b, c]),
                _ => hull.triangles.extend(corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]])),
            }
            // The modulo operation `(i + 1) % n` would take a twentieth of the time in small hulls.
            let nexts = corners[1..].iter().chain(corners.first());
            for ((&from, &to), &across) in corners.iter().zip(nexts).zip(&facets.across[range.clone()]) {
                if from < to {
                    hull.edges.push([from, to]);
                    hull.edge_faces.push([face as u32, across]);
                }
            }
        }
        hull.measure(exponent);
        hull
    }

    /// Sums over the triangles in their order, relative to the first vertex, so that a large distance from the origin
    /// costs no precision.
    fn measure(&mut self, exponent: i32) {
        let scaled = |vertex: u32| {
            let vertex = self.vertices[vertex as usize];
            if exponent == 0 { vertex } else { vertex.to_array().map(|c| times_power_of_two(c, exponent)).into() }
        };
        let origin = scaled(0);
        let (mut volume, mut area) = (0.0, 0.0);
        for &triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| scaled(vertex) - origin);
            let normal = (b - a).cross(c - a);
            volume += normal.dot(a);
            area += normal.length();
        }
        if self.shape == HullShape::Solid {
            // Rounding may make the volume of a very thin hull negative.
            self.volume = times_power_of_two(volume.max(0.0) / 6.0, -3 * exponent);
        }
        self.surface_area = times_power_of_two(area / 2.0, -2 * exponent);
    }

    fn corner_range(&self, face: usize) -> Range<usize> {
        self.starts[face] as usize..self.starts[face + 1] as usize
    }
}

impl<'a> Face<'a> {
    /// The index of this face in [`ConvexHull::faces`].
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// The corners of the face in order, counter-clockwise seen from outside, as indices into [`ConvexHull::vertices`];
    /// at least three.
    #[must_use]
    pub fn corners(&self) -> &'a [u32] {
        &self.hull.corners[self.hull.corner_range(self.index)]
    }

    /// The triangles of this face, a part of [`ConvexHull::triangles`].
    #[must_use]
    pub fn triangles(&self) -> &'a [[u32; 3]] {
        let corners = self.hull.corner_range(self.index);
        // A face of n corners has n - 2 triangles.
        &self.hull.triangles[corners.start - 2 * self.index..corners.end - 2 * (self.index + 1)]
    }

    /// The outward normal of the face. Its length is the face's area, in the points' unit squared; its direction is
    /// correct up to rounding.
    #[must_use]
    pub fn area_vector(&self) -> DVec3 {
        let position = |vertex: u32| self.hull.vertices[vertex as usize];
        let sum = self.triangles().iter().fold(DVec3::ZERO, |sum, &[a, b, c]| {
            let origin = position(a);
            sum + (position(b) - origin).cross(position(c) - origin)
        });
        sum * 0.5
    }

    /// The outward unit normal. `None` if the face's area is too small or too large for `f64` to compute a direction.
    #[must_use]
    pub fn normal(&self) -> Option<DVec3> {
        self.area_vector().try_normalize()
    }
}
