//! The least depth of two convex cores by a polytope that grows inside their difference.
//!
//! The differences of two points, one of each core, form a convex set. If the cores share a point, the set contains the
//! origin, and the least depth is the distance of the origin from the set's surface. The search keeps a closed surface of
//! triangles around the origin whose corners are differences. In each step it takes the triangle whose plane is nearest to the
//! origin and adds the farthest difference along that triangle's normal.
//!
//! Every step gives two limits. The depth along the normal is an upper limit. The least distance of a plane is a lower limit.
//! If that distance is positive, every triangle shows its inner side to the origin, so the closed surface winds around the
//! origin. The ball around the origin with that radius meets no triangle, so the surface winds around the whole ball, and the
//! ball is inside the convex set. The proof does not need a convex surface. The search succeeds only if both limits are equal
//! up to [`CONVERGED`]. Otherwise the caller searches all directions.
//!
//! Source: van den Bergen, *Proximity Queries and Penetration Depth Computation on 3D Game Objects*, Game Developers Conference
//! 2001. The proof of the lower limit is our own.

use super::depth::Depth;
use super::nearest::{CONVERGED, Difference, Simplex, on_triangle};
use super::solid::Core;
use crate::math::sqrt;
use glam::DVec3;

/// The largest number of corners. A `u32` holds a set of corners, one bit for each. In the bench `hull_pairs`, a surface got 12
/// corners in the mean and 28 at most.
const MAX_CORNERS: usize = 32;

/// The largest number of triangles of a closed surface of so many corners.
const MAX_FACES: usize = 2 * MAX_CORNERS - 4;

/// A difference that is above a triangle by a smaller share of the sizes counts as in its plane. No unit.
const IN_PLANE: f64 = 1e-13;

/// A triangle of the surface.
#[derive(Clone, Copy)]
struct Face {
    /// The unit normal, which points outward.
    normal: DVec3,
    /// The least distance of a corner along the normal. The triangle is not nearer to the origin, even if rounding turned the
    /// normal.
    distance: f64,
    /// Indices of the corners, counterclockwise seen from outside.
    ends: [u8; 3],
}

impl Face {
    const NONE: Self = Self { normal: DVec3::ZERO, distance: 0.0, ends: [0; 3] };
}

/// A closed surface around the origin.
struct Polytope {
    corners: [Difference; MAX_CORNERS],
    corner_count: usize,
    faces: [Face; MAX_FACES],
    face_count: usize,
    /// The index of the triangle whose plane is nearest to the origin.
    nearest: usize,
}

/// Returns the least depth of two cores. `start` is a simplex of four differences around the origin, and `offset` the vector
/// from the first core's center to the second core's center. `None` if the search does not prove the least depth.
pub(super) fn proven_depth(a: &Core<'_>, b: &Core<'_>, offset: DVec3, start: &Simplex) -> Option<Depth> {
    let size = a.size() + b.size();
    let mut polytope = Polytope::new(start)?;
    while polytope.corner_count < MAX_CORNERS {
        let Face { normal: direction, distance, .. } = polytope.faces[polytope.nearest];
        let of_a = a.support(direction);
        let farthest = Difference { at: (of_a - b.support(-direction)) - offset, of_a };
        let depth = direction.dot(farthest.at);
        if depth - distance <= CONVERGED * size {
            let point_a = polytope.nearest_point_a(distance + CONVERGED * size);
            return Some(Depth { depth, direction, point_a, point_b: point_a - direction * depth });
        }
        polytope.push(farthest, IN_PLANE * size)?;
    }
    None
}

impl Polytope {
    fn new(start: &Simplex) -> Option<Self> {
        let [a, b, c, d] = start.tetrahedron()?;
        let mut polytope = Self {
            corners: [Difference::ZERO; MAX_CORNERS],
            corner_count: 4,
            faces: [Face::NONE; MAX_FACES],
            face_count: 0,
            nearest: 0,
        };
        let volume = (b.at - a.at).cross(c.at - a.at).dot(d.at - a.at);
        // Seen from outside, the first three corners are counterclockwise if the fourth is below them.
        let corners = if volume < 0.0 { [*a, *b, *c, *d] } else { [*a, *c, *b, *d] };
        polytope.corners[..4].copy_from_slice(&corners);
        for ends in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            polytope.push_face(ends)?;
        }
        Some(polytope)
    }

    fn push_face(&mut self, ends: [u8; 3]) -> Option<()> {
        let [a, b, c] = ends.map(|end| self.corners[usize::from(end)].at);
        let across = (b - a).cross(c - a);
        let square = across.length_squared();
        if square < f64::MIN_POSITIVE || self.face_count == MAX_FACES {
            return None;
        }
        let normal = across * (1.0 / sqrt(square));
        let distance = normal.dot(a).min(normal.dot(b)).min(normal.dot(c));
        self.faces[self.face_count] = Face { normal, distance, ends };
        if distance < self.faces[self.nearest].distance {
            self.nearest = self.face_count;
        }
        self.face_count += 1;
        Some(())
    }

    /// Removes all triangles that the corner is above, and adds triangles from the border of the removed triangles to the corner.
    /// `None` if this border is not a single loop.
    fn push(&mut self, corner: Difference, in_plane: f64) -> Option<()> {
        // For each corner a set of corners: the ends of the sides that start there, of all triangles that were removed.
        let mut sides = [0_u32; MAX_CORNERS];
        let mut removed = [[0_u8; 3]; MAX_FACES];
        let mut removed_count = 0;
        let (mut place, mut nearest) = (0, (f64::INFINITY, 0));
        while place < self.face_count {
            let face = &self.faces[place];
            if face.normal.dot(corner.at) - face.distance <= in_plane {
                if face.distance < nearest.0 {
                    nearest = (face.distance, place);
                }
                place += 1;
                continue;
            }
            let [a, b, c] = face.ends;
            for (from, to) in [(a, b), (b, c), (c, a)] {
                sides[usize::from(from)] |= 1 << to;
            }
            removed[removed_count] = face.ends;
            removed_count += 1;
            self.face_count -= 1;
            self.faces[place] = self.faces[self.face_count];
        }
        self.nearest = nearest.1;
        let new = self.corner_count as u8;
        self.corners[self.corner_count] = corner;
        self.corner_count += 1;
        let mut on_border = 0_u32;
        for &[a, b, c] in &removed[..removed_count] {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if sides[usize::from(to)] >> from & 1 == 1 {
                    continue;
                }
                if on_border >> from & 1 == 1 {
                    return None;
                }
                on_border |= 1 << from;
                self.push_face([from, to, new])?;
            }
        }
        Some(())
    }

    /// Returns the point of the first core at the surface's point nearest to the origin. `distance` is not less than that
    /// point's distance.
    fn nearest_point_a(&self, distance: f64) -> DVec3 {
        let mut best = (f64::INFINITY, DVec3::ZERO);
        for face in self.faces[..self.face_count].iter().filter(|face| face.distance <= distance) {
            let corners = face.ends.map(|end| &self.corners[usize::from(end)]);
            let (point, places, weights) = on_triangle(|corner| corners[corner].at, [0, 1, 2]);
            let square = point.length_squared();
            if square < best.0 {
                let of_a = places.iter().zip(weights).map(|(&place, weight)| corners[place].of_a * weight);
                best = (square, of_a.sum());
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::super::depth::depth;
    use super::super::hull::Hull;
    use super::super::hull::tests::double_pyramid;
    use super::super::nearest::{CROSSING, Enough, nearest_and_simplex};
    use super::super::posed_hull::PosedHull;
    use super::*;
    use core::cell::Cell;
    use glam::{Mat3, Vec3};
    use proptest::prelude::*;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

    /// The error of a depth, as a share of the sizes.
    const ROUNDING: f64 = 1e-9;

    fn hull() -> impl Strategy<Value = Hull> {
        let scale = prop::array::uniform3(prop_oneof![4 => 0.2f32..2.0, 1 => 1e-3f32..0.2]);
        (3u8..31, scale).prop_map(|(sides, scale)| double_pyramid(sides, scale.into()))
    }

    fn linear() -> impl Strategy<Value = Mat3> {
        let any = prop::array::uniform9(-1f32..1.0).prop_map(|columns| Mat3::from_cols_array(&columns));
        prop_oneof![
            3 => any.prop_filter("flat", |matrix| matrix.determinant().abs() > 0.02),
            1 => Just(Mat3::IDENTITY),
        ]
    }

    /// The search through all directions is the twin. Where the cores overlap, nearly all searches prove their answer.
    #[test]
    fn proven_depths_are_those_of_the_search_through_all_directions() {
        let config = Config { cases: 4_000, failure_persistence: None, ..Config::default() };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let (crossing, proven) = (Cell::new(0), Cell::new(0));
        let place = prop::array::uniform3(-1f64..1.0);
        let kind = prop_oneof![3 => Just(0), 1 => Just(1), 1 => Just(2)];
        let cases = ((hull(), linear()), (hull(), linear()), place, 0f64..1.0, kind);
        let outcome = runner.run(&cases, |((one, map), (other, other_map), way, far, kind)| {
            let posed = |hull, map: &Mat3| PosedHull::new(hull, map, DVec3::ZERO).expect("a solid");
            let a = Core::Hull(posed(&one, &map));
            let columns = other_map.as_dmat3();
            let b = match kind {
                0 => Core::Hull(posed(&other, &other_map)),
                1 => {
                    let turn = glam::DQuat::from_rotation_arc(DVec3::X, columns.x_axis.normalize());
                    let axes = DVec3::AXES.map(|axis| turn * axis);
                    Core::Box { axes, half: columns.y_axis.abs() }
                }
                _ => Core::Segment(columns.z_axis),
            };
            let size = a.size() + b.size();
            let offset = DVec3::from(way) * (far * 0.5 * size);
            let enough = Enough { beyond: f64::INFINITY, within: 0.0 };
            let (found, simplex) = nearest_and_simplex(&a, &b, offset, enough);
            if found.distance > CROSSING * size {
                return Ok(());
            }
            crossing.set(crossing.get() + 1);
            let twin = depth(&a, &b, offset, found.point_a);
            let Some(depth) = proven_depth(&a, &b, offset, &simplex) else { return Ok(()) };
            proven.set(proven.get() + 1);
            prop_assert!((depth.depth - twin.depth).abs() <= ROUNDING * size, "{} {}", depth.depth, twin.depth);
            prop_assert!((depth.direction.length() - 1.0).abs() < 1e-12);
            // The two points are across from each other, each in its own core: along no direction is one of them
            // outside its core.
            for way in DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis, depth.direction, -depth.direction]) {
                let outside = way.dot(depth.point_a - a.support(way));
                prop_assert!(outside <= ROUNDING * size, "{outside:e}");
                let outside = way.dot(depth.point_b - offset - b.support(way));
                prop_assert!(outside <= ROUNDING * size, "{outside:e}");
            }
            let across = depth.point_a - depth.point_b - depth.direction * depth.depth;
            prop_assert!(across.length() <= ROUNDING * size);
            Ok(())
        });
        assert!(outcome.is_ok(), "{outcome:?}");
        let (crossing, proven) = (crossing.get(), proven.get());
        assert!(crossing > 1_000 && proven * 100 > crossing * 95, "{proven} of {crossing}");
    }

    /// The search for the nearest points ends at once, because the centers are at one place, and leaves no tetrahedron.
    #[test]
    fn cores_with_one_center_have_the_depth_of_the_search_through_all_directions() {
        let hull = double_pyramid(8, Vec3::ONE);
        let a = Core::Hull(PosedHull::new(&hull, &Mat3::IDENTITY, DVec3::ZERO).expect("a solid"));
        let enough = Enough { beyond: f64::INFINITY, within: 0.0 };
        let (_, simplex) = nearest_and_simplex(&a, &a, DVec3::ZERO, enough);
        assert!(proven_depth(&a, &a, DVec3::ZERO, &simplex).is_none());
        let posed = PosedHull::new(&hull, &Mat3::IDENTITY, DVec3::ZERO).expect("a solid");
        let twin = depth(&a, &a, DVec3::ZERO, DVec3::ZERO).depth;
        assert!(twin > 1.0 && (posed.separation(&posed).distance + twin).abs() < 1e-12, "{twin}");
    }
}
