//! A convex hull of few corners, prepared for tests.

extern crate alloc;

use crate::error::{ShapeError, check_coordinates};
use crate::math::sqrt;
use alloc::vec::Vec;
use glam::{DVec3, Vec3, Vec4};

/// The largest number of corners of a [`Hull`].
pub const MAX_HULL_CORNERS: usize = 64;

/// The largest number of faces: triangles of a closed surface of [`MAX_HULL_CORNERS`] corners.
pub(super) const MAX_FACES: usize = 2 * MAX_HULL_CORNERS - 4;

/// The largest number of edges.
pub(super) const MAX_EDGES: usize = 3 * MAX_HULL_CORNERS - 6;

/// A convex solid with 4 to [`MAX_HULL_CORNERS`] corners and flat faces, in any space and unit.
///
/// Make a hull once; each [`PosedHull`](crate::PosedHull) borrows it. A hull stores its corners, edges and planes of faces, about
/// 115 bytes for each corner.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Hull {
    /// The mean of the corners, a point inside.
    center: DVec3,
    /// The corners relative to the center.
    corners: Vec<DVec3>,
    /// The largest absolute coordinates of `corners`.
    extents: DVec3,
    /// The corners divided by `extents`, rounded to `f32`: x, y and z of four corners at a time, in the order of `corners`.
    /// The last four are filled up with the first corner.
    rough: Vec<[Vec4; 3]>,
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
        let rough = rough(&corners, extents);
        Ok(Self { center, corners, extents, rough, faces, edges })
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

    /// Returns the corner that is farthest in a direction, relative to the center; if several are equally far, the first.
    ///
    /// Comparisons in `f32` rule out nearly all corners, four at a time. The remaining corners are compared in `f64`, so the
    /// answer is the same as if all corners were compared in `f64`.
    #[inline]
    pub(super) fn support(&self, direction: DVec3) -> DVec3 {
        let scaled = direction * self.extents;
        let longest = scaled.abs().max_element();
        // For a direction of zero, all corners are equally far.
        let unit = if longest > 0.0 { (scaled / longest).as_vec3() } else { scaled.as_vec3() };
        let [x, y, z] = [unit.x, unit.y, unit.z].map(Vec4::splat);
        let (mut along, mut highest) = ([Vec4::ZERO; ROUGH_BLOCKS], Vec4::NEG_INFINITY);
        for (along, block) in along.iter_mut().zip(&self.rough) {
            *along = x * block[0] + y * block[1] + z * block[2];
            highest = highest.max(*along);
        }
        let limit = Vec4::splat(highest.max_element() - ROUGH_ERROR);
        let mut near = 0_u64;
        for (block, along) in along[..self.rough.len()].iter().enumerate() {
            near |= u64::from(along.cmpge(limit).bitmask()) << (4 * block);
        }
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        while near != 0 {
            let index = near.trailing_zeros() as usize;
            near &= near - 1;
            // The copies of the first corner come last.
            let Some(&corner) = self.corners.get(index) else { break };
            let along = direction.dot(corner);
            if along > best.0 {
                best = (along, corner);
            }
        }
        best.1
    }
}

/// The largest number of groups of four corners.
const ROUGH_BLOCKS: usize = MAX_HULL_CORNERS.div_ceil(4);

/// A corner whose height in `f32` is lower than the highest by more than this is not the farthest. Heights are sums of three
/// products of numbers from -1 to 1. The roundings of the six numbers, the products and the sums change a height by at most
/// 15 · 2⁻²⁴, and so a difference of two by less than 2⁻¹⁹.
const ROUGH_ERROR: f32 = 1.0 / (1 << 18) as f32;

/// Returns the corners divided by the extents in `f32`, in groups of four.
fn rough(corners: &[DVec3], extents: DVec3) -> Vec<[Vec4; 3]> {
    // All coordinates along a flat axis are zero.
    let divisor = DVec3::select(extents.cmpgt(DVec3::ZERO), extents, DVec3::ONE);
    let block = |four: &[DVec3]| {
        let corner = |lane: usize| (*four.get(lane).unwrap_or(&corners[0]) / divisor).as_vec3();
        let lanes: [Vec3; 4] = core::array::from_fn(corner);
        core::array::from_fn(|axis| Vec4::from_array(lanes.map(|corner| corner[axis])))
    };
    corners.chunks(4).map(block).collect()
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The search through all corners in `f64` that [`Hull::support`] must agree with to the last bit.
    fn support_twin(hull: &Hull, direction: DVec3) -> DVec3 {
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for &corner in hull.corners() {
            let along = direction.dot(corner);
            if along > best.0 {
                best = (along, corner);
            }
        }
        best.1
    }

    /// A pyramid with two tips over a ring of corners.
    pub(in super::super) fn double_pyramid(sides: u8, scale: Vec3) -> Hull {
        let ring = (0..sides).map(|k| {
            let angle = core::f64::consts::TAU * f64::from(k) / f64::from(sides);
            Vec3::new(libm::cos(angle) as f32, 0.0, libm::sin(angle) as f32)
        });
        let corners: Vec<Vec3> = ring.chain([Vec3::Y, Vec3::NEG_Y]).map(|corner| corner * scale + scale).collect();
        let sides_of = |k: u8| [[(k + 1) % sides, k, sides], [k, (k + 1) % sides, sides + 1]];
        let triangles: Vec<[u8; 3]> = (0..sides).flat_map(sides_of).collect();
        Hull::try_new(&corners, &triangles).expect("a hull")
    }

    /// A prism whose flat ends are fans of triangles.
    pub(in super::super) fn prism(sides: u8, scale: Vec3) -> Hull {
        let ring = |y: f32| {
            (0..sides).map(move |k| {
                let angle = core::f64::consts::TAU * f64::from(k) / f64::from(sides);
                Vec3::new(libm::cos(angle) as f32, y, libm::sin(angle) as f32)
            })
        };
        let corners: Vec<Vec3> = ring(-1.0).chain(ring(1.0)).map(|corner| corner * scale + scale).collect();
        let side = |k: u8| {
            let next = (k + 1) % sides;
            [[k, sides + k, next], [next, sides + k, sides + next]]
        };
        let ends = |k: u8| [[0, k, k + 1], [sides, sides + k + 1, sides + k]];
        let triangles: Vec<[u8; 3]> = (0..sides).flat_map(side).chain((1..sides - 1).flat_map(ends)).collect();
        Hull::try_new(&corners, &triangles).expect("a hull")
    }

    #[test]
    fn the_farthest_corner_is_that_of_a_search_through_all() {
        let scales = [Vec3::ONE, Vec3::new(1e-6, 1.0, 1e3), Vec3::splat(1e-30), Vec3::new(1e11, 1e11, 1e-30)];
        let mut different = 0;
        for (sides, scale) in (3..=62).flat_map(|sides| scales.map(|scale| (sides, scale))) {
            let hull = double_pyramid(sides, scale);
            // Toward corners, between neighbors (where two corners are nearly as far), across faces, and along the axes.
            let corners = hull.corners().iter().copied();
            let between = hull.edges().iter().map(|edge| {
                let [from, to] = edge.ends.map(|end| hull.corners()[usize::from(end)]);
                from + to
            });
            let faces = hull.faces().iter().map(|face| face.normal);
            let axes = [DVec3::X, DVec3::Y, DVec3::NEG_Z, DVec3::ZERO, DVec3::NAN, DVec3::splat(1e-300)];
            for direction in corners.chain(between).chain(faces).chain(axes) {
                let found = hull.support(direction);
                assert_eq!(found, support_twin(&hull, direction), "{sides} {scale} {direction}");
                different += usize::from(found != hull.corners()[0]);
            }
        }
        assert!(different > 10_000, "{different}");
    }
}
