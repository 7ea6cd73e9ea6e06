use crate::builder::HullBuilder;
use crate::error::HullError;
use crate::facets::Facets;
use crate::predicates::times_power_of_two;
use glam::{DVec3, Vec3};
use std::ops::Range;

/// What the points span, by exact predicates: a set that is flat but for one rounding error is a [`HullShape::Solid`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HullShape {
    /// All points are the same: one vertex, no edge, no face.
    Point,
    /// All points lie on one line: two vertices, one edge, no face.
    Segment,
    /// All points lie in one plane: its corners in order and two faces, front and back.
    Polygon,
    /// A body with volume.
    Solid,
}

/// The convex hull of a set of points: the smallest convex set that holds them all.
///
/// Vertices are input points, never moved, and exactly the extreme ones: a point inside a face or on an edge between
/// two others is no vertex. Everything is in an order that depends on the positions alone, so the same set of points
/// gives the same hull in whatever order it comes, to the last bit (of points that are equal the first in the input is
/// named in [`Self::source_indices`]).
///
/// Lengths are in the points' unit; the space is theirs.
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
    /// The hull of any finite points.
    ///
    /// To build many, keep a [`HullBuilder`], which reuses its memory.
    ///
    /// # Errors
    /// [`HullError`] when there is no point, one is not finite, or there are more than [`crate::MAX_POINTS`].
    pub fn from_points(points: &[DVec3]) -> Result<Self, HullError> {
        HullBuilder::new().build(points)
    }

    /// The hull of `f32` points, which all convert exactly.
    ///
    /// # Errors
    /// As [`Self::from_points`].
    pub fn from_points_f32(points: &[Vec3]) -> Result<Self, HullError> {
        HullBuilder::new().build_f32(points)
    }

    /// Whether this is a point, a segment, a polygon or a solid.
    #[must_use]
    pub fn shape(&self) -> HullShape {
        self.shape
    }

    /// The corners, each once, sorted by x, then y, then z.
    #[must_use]
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// `source_indices()[i]` is the first point of the input that is `vertices()[i]`.
    #[must_use]
    pub fn source_indices(&self) -> &[u32] {
        &self.source_indices
    }

    /// The surface in triangles of indices into [`Self::vertices`], counter-clockwise seen from outside: each face as a
    /// fan around its first vertex, in the order of [`Self::faces`].
    ///
    /// A polygon has triangles on both sides, front and back. A point and a segment have none.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The edges between two faces, as indices into [`Self::vertices`] (smaller first). Diagonals within a face are no edges.
    ///
    /// A segment has one edge, without faces.
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// `edge_faces()[i]` are the faces on both sides of `edges()[i]`: the first has the edge in its direction, the
    /// second against it. Empty for a segment.
    #[must_use]
    pub fn edge_faces(&self) -> &[[u32; 2]] {
        &self.edge_faces
    }

    /// The faces: triangles that lie exactly in one plane are one face. Of a polygon two, of a point or segment none.
    #[must_use]
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> + Clone {
        (0..self.starts.len() - 1).map(|index| Face { hull: self, index })
    }

    /// The face of that number.
    ///
    /// # Panics
    /// When there is no such face.
    #[must_use]
    pub fn face(&self, index: usize) -> Face<'_> {
        assert!(index + 1 < self.starts.len(), "face {index} of {}", self.starts.len() - 1);
        Face { hull: self, index }
    }

    /// The volume, zero unless solid. Exact but for rounding in the last places, whatever the distance from the origin;
    /// infinite or zero where the true value lies outside the range of `f64`.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The area of all faces, so of a polygon twice its area; zero for a point or a segment.
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
            // Not by a remainder: in small hulls the divisions would be a twentieth of all time.
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

    /// Sums in the order of the triangles, about the first vertex, so that a far offset costs nothing.
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
            // Rounding may tip a body as thin as that over zero.
            self.volume = times_power_of_two(volume.max(0.0) / 6.0, -3 * exponent);
        }
        self.surface_area = times_power_of_two(area / 2.0, -2 * exponent);
    }

    fn corner_range(&self, face: usize) -> Range<usize> {
        self.starts[face] as usize..self.starts[face + 1] as usize
    }
}

impl<'a> Face<'a> {
    /// The number of this face.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its corners in order, counter-clockwise from outside, as indices into [`ConvexHull::vertices`]; at least three.
    #[must_use]
    pub fn corners(&self) -> &'a [u32] {
        &self.hull.corners[self.hull.corner_range(self.index)]
    }

    /// Its part of [`ConvexHull::triangles`].
    #[must_use]
    pub fn triangles(&self) -> &'a [[u32; 3]] {
        let corners = self.hull.corner_range(self.index);
        // A face of n corners has n - 2 triangles.
        &self.hull.triangles[corners.start - 2 * self.index..corners.end - 2 * (self.index + 1)]
    }

    /// Outward normal with the length of the face's area, correctly directed up to rounding.
    #[must_use]
    pub fn area_vector(&self) -> DVec3 {
        let position = |vertex: u32| self.hull.vertices[vertex as usize];
        let sum = self.triangles().iter().fold(DVec3::ZERO, |sum, &[a, b, c]| {
            let origin = position(a);
            sum + (position(b) - origin).cross(position(c) - origin)
        });
        sum * 0.5
    }

    /// Outward unit normal. `None` where the area is too small (or too large) for `f64` to tell the direction.
    #[must_use]
    pub fn normal(&self) -> Option<DVec3> {
        self.area_vector().try_normalize()
    }
}
