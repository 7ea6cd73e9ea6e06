//! A convex hull of few corners, prepared for tests.

extern crate alloc;

use crate::error::{ShapeError, check_coordinates};
use crate::math::sqrt;
use alloc::vec::Vec;
use glam::{DVec3, Vec3};

/// The largest number of corners of a [`Hull`].
pub const MAX_HULL_CORNERS: usize = 64;

/// The largest number of faces: triangles of a closed surface of [`MAX_HULL_CORNERS`] corners.
pub(super) const MAX_FACES: usize = 2 * MAX_HULL_CORNERS - 4;

/// The largest number of edges.
pub(super) const MAX_EDGES: usize = 3 * MAX_HULL_CORNERS - 6;

/// A convex solid with 4 to [`MAX_HULL_CORNERS`] corners and flat faces, in any space and unit.
///
/// Make it once and share it: a [`PosedHull`](crate::PosedHull) borrows it. It holds its corners, the planes of its faces
/// and its edges, about 100 bytes for each corner.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Hull {
    /// The mean of the corners, a point inside.
    center: DVec3,
    /// The corners relative to the center.
    corners: Vec<DVec3>,
    /// The largest absolute coordinates of `corners`.
    extents: DVec3,
    /// For each face its plane relative to the center. The normal is zero for a face that is too thin to have one.
    faces: Vec<Face>,
    edges: Vec<Edge>,
}

/// The half space `normal · p <= height`, which contains all corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    /// A unit vector that points outward, or zero.
    pub(super) normal: DVec3,
    pub(super) height: f64,
}

/// An edge from one corner to another. Seen from outside, face `sides[0]` is to its left and `sides[1]` to its right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) ends: [u8; 2],
    pub(super) sides: [u8; 2],
}

impl Hull {
    /// Makes a hull from its corners and its surface. The caller must make sure that the surface is that of the convex hull
    /// of the corners; otherwise answers may be wrong, but no function panics. Neighboring triangles may lie in one plane.
    ///
    /// `triangles` are indices into `corners`, counterclockwise seen from outside.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a coordinate is not finite or too large, or if the triangles are not a closed surface of
    /// 4 to [`MAX_HULL_CORNERS`] corners: `2 * corners - 4` triangles that meet two at each edge, in opposite directions.
    ///
    /// ```
    /// use geometry_core::Hull;
    /// use glam::Vec3;
    ///
    /// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    /// let tetrahedron = Hull::try_new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// assert_eq!(tetrahedron.corner_count(), 4);
    /// assert!(Hull::try_new(&corners, &[[0, 2, 1]]).is_err());
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn try_new(corners: &[Vec3], triangles: &[[u8; 3]]) -> Result<Self, ShapeError> {
        let wrong = ShapeError::NotHull { corners: corners.len(), triangles: triangles.len() };
        if !(4..=MAX_HULL_CORNERS).contains(&corners.len()) || triangles.len() != 2 * corners.len() - 4 {
            return Err(wrong);
        }
        for corner in corners {
            check_coordinates("corners", &corner.to_array())?;
        }
        let edges = edges(corners.len(), triangles).ok_or(wrong)?;
        let center = corners.iter().map(|corner| corner.as_dvec3()).sum::<DVec3>() / corners.len() as f64;
        let corners: Vec<DVec3> = corners.iter().map(|corner| corner.as_dvec3() - center).collect();
        let extents = corners.iter().fold(DVec3::ZERO, |most, corner| most.max(corner.abs()));
        let face = |triangle: &[u8; 3]| {
            let [a, b, c] = triangle.map(|corner| corners[usize::from(corner)]);
            let across = (b - a).cross(c - a);
            let square = across.length_squared();
            let normal = if square > 0.0 { across / sqrt(square) } else { DVec3::ZERO };
            let height = corners.iter().fold(f64::NEG_INFINITY, |most, corner| most.max(normal.dot(*corner)));
            Face { normal, height }
        };
        let faces = triangles.iter().map(face).collect();
        Ok(Self { center, corners, extents, faces, edges })
    }

    /// The number of corners, 4 to [`MAX_HULL_CORNERS`].
    #[must_use]
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    pub(super) fn center(&self) -> DVec3 {
        self.center
    }

    /// The corners relative to the center.
    pub(super) fn corners(&self) -> &[DVec3] {
        &self.corners
    }

    pub(super) fn extents(&self) -> DVec3 {
        self.extents
    }

    pub(super) fn faces(&self) -> &[Face] {
        &self.faces
    }

    pub(super) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Returns the corner that is farthest in a direction, relative to the center; the first of several.
    #[inline]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for &corner in &self.corners {
            let along = direction.dot(corner);
            if along > best.0 {
                best = (along, corner);
            }
        }
        best.1
    }
}

/// Returns the edges of a closed surface, in the order of the triangles; `None` if the surface is open, folded or has an
/// index that no corner has.
fn edges(corners: usize, triangles: &[[u8; 3]]) -> Option<Vec<Edge>> {
    const NONE: u8 = u8::MAX;
    // The triangle to the left of each directed edge.
    let mut left = [[NONE; MAX_HULL_CORNERS]; MAX_HULL_CORNERS];
    let directed = |&[a, b, c]: &[u8; 3]| [[a, b], [b, c], [c, a]].map(|ends| ends.map(usize::from));
    for (triangle, index) in triangles.iter().zip(0..) {
        for [from, to] in directed(triangle) {
            if from >= corners || to >= corners || from == to || left[from][to] != NONE {
                return None;
            }
            left[from][to] = index;
        }
    }
    let mut edges = Vec::with_capacity(MAX_EDGES.min(3 * triangles.len() / 2));
    for triangle in triangles {
        for [from, to] in directed(triangle) {
            let sides = [left[from][to], left[to][from]];
            if sides[1] == NONE {
                return None;
            }
            if from < to {
                edges.push(Edge { ends: [from as u8, to as u8], sides });
            }
        }
    }
    Some(edges)
}
