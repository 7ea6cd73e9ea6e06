//! The least depth of two convex cores by a polytope that grows inside their difference.
//!
//! The differences of two points, one of each core, form a convex set. If the cores share a point, the set contains the
//! origin, and the least depth is the distance of the origin from the set's surface. The search keeps a closed surface of
//! triangles whose corners are differences. In each step it takes the triangle whose plane is nearest to the origin and adds the
//! farthest difference along that triangle's normal. The first surface need not contain the origin: the plane of a triangle that
//! turns its outer side to the origin has a negative distance, so this triangle comes first.
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

/// The surface at first. In the bench `hull_pairs`, a surface got 12 corners in the mean and 28 at most.
type Small = Polytope<32, 60, 1>;

/// The surface if the small one is full: the difference of two round hulls with nearly the same center is nearly a ball, so nearly
/// all of its corners have to be found.
type Large = Polytope<128, 252, 4>;

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

/// A closed surface with at most `CORNERS` corners and `FACES = 2 * CORNERS - 4` triangles. A set of corners has `WORDS = CORNERS /
/// 32` words, with one bit for each corner.
struct Polytope<const CORNERS: usize, const FACES: usize, const WORDS: usize> {
    corners: [Difference; CORNERS],
    corner_count: usize,
    faces: [Face; FACES],
    face_count: usize,
    /// The index of the triangle whose plane is nearest to the origin.
    nearest: usize,
}

/// The differences of two cores.
struct Differences<'a, 'b> {
    a: &'a Core<'b>,
    b: &'a Core<'b>,
    /// The vector from the first core's center to the second core's center.
    offset: DVec3,
    /// The sum of the sizes of both cores.
    size: f64,
}

/// Returns the least depth of two cores. `offset` is the vector from the first core's center to the second core's center. The
/// search starts from the simplex `start`, if that is a tetrahedron. `None` if the search does not prove the least depth.
pub(super) fn proven_depth(a: &Core<'_>, b: &Core<'_>, offset: DVec3, start: &Simplex) -> Option<Depth> {
    let differences = Differences { a, b, offset, size: a.size() + b.size() };
    let mut small = match start.tetrahedron() {
        Some(corners) => Small::new(corners)?,
        None => Small::new(&differences.wide_tetrahedron())?,
    };
    small.expand(&differences)?.or_else(|| Large::copy(&small).expand(&differences)?)
}

impl Differences<'_, '_> {
    /// Returns the difference that is farthest in a direction.
    #[inline]
    fn support(&self, direction: DVec3) -> Difference {
        let of_a = self.a.support(direction);
        Difference { at: (of_a - self.b.support(-direction)) - self.offset, of_a }
    }

    /// Returns four differences: two that are farthest apart along an axis, the farthest from the line through these two, and the
    /// farthest from the plane through these three. The origin may be outside the tetrahedron.
    fn wide_tetrahedron(&self) -> [Difference; 4] {
        let farthest_from = |point: DVec3, direction: DVec3| {
            let [one, other] = [self.support(direction), self.support(-direction)];
            let [far, other_far] = [one, other].map(|corner| direction.dot(corner.at - point).abs());
            if far < other_far { other } else { one }
        };
        let (a, b) = (self.support(DVec3::X), self.support(DVec3::NEG_X));
        let along = b.at - a.at;
        let c = farthest_from(a.at, along.any_orthogonal_vector());
        let d = farthest_from(a.at, along.cross(c.at - a.at));
        [a, b, c, d]
    }
}

impl<const CORNERS: usize, const FACES: usize, const WORDS: usize> Polytope<CORNERS, FACES, WORDS> {
    const EMPTY: Self = Self {
        corners: [Difference::ZERO; CORNERS],
        corner_count: 0,
        faces: [Face::NONE; FACES],
        face_count: 0,
        nearest: 0,
    };

    fn new([a, b, c, d]: &[Difference; 4]) -> Option<Self> {
        let mut polytope = Self { corner_count: 4, ..Self::EMPTY };
        let volume = (b.at - a.at).cross(c.at - a.at).dot(d.at - a.at);
        // Seen from outside, the first three corners are counterclockwise if the fourth is below them.
        let corners = if volume < 0.0 { [*a, *b, *c, *d] } else { [*a, *c, *b, *d] };
        polytope.corners[..4].copy_from_slice(&corners);
        for ends in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            polytope.push_face(ends)?;
        }
        Some(polytope)
    }

    /// Copies a polytope into a larger one.
    fn copy(small: &Small) -> Self {
        let Polytope { corner_count, face_count, nearest, .. } = *small;
        let mut polytope = Self { corner_count, face_count, nearest, ..Self::EMPTY };
        polytope.corners[..corner_count].copy_from_slice(&small.corners[..corner_count]);
        polytope.faces[..face_count].copy_from_slice(&small.faces[..face_count]);
        polytope
    }

    /// Adds corners until the least depth is proven. `None` if rounding spoiled the surface, and `Some(None)` if the surface has no
    /// room for a corner.
    #[inline]
    fn expand(&mut self, differences: &Differences<'_, '_>) -> Option<Option<Depth>> {
        let size = differences.size;
        while self.corner_count < CORNERS {
            let Face { normal: direction, distance, ends } = self.faces[self.nearest];
            let farthest = differences.support(direction);
            let depth = direction.dot(farthest.at);
            // The depth of cores that share a point is not negative.
            if depth - distance.max(0.0) <= CONVERGED * size {
                let point_a = self.nearest_point_a(distance + CONVERGED * size);
                return Some(Some(Depth { depth, direction, point_a, point_b: point_a - direction * depth }));
            }
            // A corner of the triangle itself can be above it only if rounding turned the normal.
            if ends.iter().any(|&end| self.corners[usize::from(end)].at == farthest.at) {
                return None;
            }
            self.push(farthest, IN_PLANE * size)?;
        }
        Some(None)
    }

    fn push_face(&mut self, ends: [u8; 3]) -> Option<()> {
        let [a, b, c] = ends.map(|end| self.corners[usize::from(end)].at);
        let across = (b - a).cross(c - a);
        let square = across.length_squared();
        if square < f64::MIN_POSITIVE || self.face_count == FACES {
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
        // The remainder tells the compiler that the word is in the set.
        let word = |corner: u8| usize::from(corner / 32) % WORDS;
        // For each corner a set of corners: the ends of the sides that start there, of all triangles that were removed.
        let mut sides = [[0_u32; WORDS]; CORNERS];
        let mut removed = [[0_u8; 3]; FACES];
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
                sides[usize::from(from)][word(to)] |= 1 << (to % 32);
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
        let mut on_border = [0_u32; WORDS];
        for &[a, b, c] in &removed[..removed_count] {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (word, bit) = (word(from), 1 << (from % 32));
                if sides[usize::from(to)][word] & bit != 0 {
                    continue;
                }
                if on_border[word] & bit != 0 {
                    return None;
                }
                on_border[word] |= bit;
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
    use super::super::hull::tests::{double_pyramid, prism};
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

    /// The least depth along the normals of all faces and the cross products of all pairs of edges.
    fn depth_of_all_axes(a: &PosedHull<'_>, b: &PosedHull<'_>, offset: DVec3) -> f64 {
        let [corners_a, corners_b] = [a, b].map(|one| {
            let corners = one.hull.corners().iter().map(|&corner| one.linear * corner);
            corners.collect::<Vec<_>>()
        });
        let along = |direction: DVec3| {
            let most = |corners: &[DVec3], direction: DVec3| {
                corners.iter().map(|corner| direction.dot(*corner)).fold(f64::NEG_INFINITY, f64::max)
            };
            most(&corners_a, direction) + most(&corners_b, -direction) - direction.dot(offset)
        };
        let normals = |one: &PosedHull<'_>| {
            let matrix = one.normals();
            one.hull.faces().iter().map(|face| (matrix * face.normal).normalize()).collect::<Vec<_>>()
        };
        let edges = |one: &PosedHull<'_>, corners: &[DVec3]| {
            let along = |ends: [u8; 2]| (corners[usize::from(ends[1])] - corners[usize::from(ends[0])]).normalize();
            one.hull.edges().iter().map(|edge| along(edge.ends)).collect::<Vec<_>>()
        };
        let (edges_a, edges_b) = (edges(a, &corners_a), edges(b, &corners_b));
        let crosses = edges_a.iter().flat_map(|one| edges_b.iter().map(|other| one.cross(*other)));
        let crosses = crosses.filter(|cross| cross.length() > 1e-9).map(DVec3::normalize);
        let axes = normals(a).into_iter().chain(normals(b)).chain(crosses);
        axes.fold(f64::INFINITY, |least, axis| least.min(along(axis)).min(along(-axis)))
    }

    /// Pairs of hulls that share their center, their shape or an axis. The search for the nearest points ends at once for many of
    /// them and leaves no tetrahedron, and many directions have nearly the same depth.
    #[test]
    fn depths_of_hulls_at_one_place_are_those_of_all_axes() {
        let scales = [Vec3::ONE, Vec3::new(1.0, 1e-3, 1.0), Vec3::new(1e-3, 1.0, 1e-3)];
        let turn = |angle: f32| Mat3::from_axis_angle(Vec3::Y, angle);
        let oblique = Mat3::from_quat(glam::Quat::from_xyzw(0.3, 0.5, -0.2, 0.8).normalize());
        let (mut pairs, mut proven) = (0, 0);
        for (sides, scale) in [3, 4, 6, 8, 11, 18].into_iter().flat_map(|sides| scales.map(|scale| (sides, scale))) {
            for hull in [double_pyramid(sides, scale), prism(sides, scale)] {
                let tips = hull.extents().y * 2.0;
                let places = [DVec3::ZERO, DVec3::new(3e-13, 0.0, 1e-12), DVec3::ONE * 1e-9, DVec3::X * 1e-6]
                    .into_iter()
                    .chain([0.5, 1.0 - 1e-9, 1.0].map(|share| DVec3::Y * (share * tips)));
                let maps = [
                    Mat3::IDENTITY,
                    Mat3::from_diagonal(Vec3::new(1.0, -1.0, 1.0)),
                    -Mat3::IDENTITY,
                    turn(1e-6),
                    turn(0.1),
                    turn(core::f32::consts::PI / f32::from(sides)),
                    Mat3::from_diagonal(Vec3::splat(0.5)),
                    oblique,
                ];
                for (place, map) in places.flat_map(|place| maps.map(|map| (place, map))) {
                    let posed = |map: Mat3| PosedHull::new(&hull, &(oblique * map), DVec3::ZERO).expect("a solid");
                    let (posed_a, posed_b) = (posed(Mat3::IDENTITY), posed(map));
                    let (a, b, offset) = (Core::Hull(posed_a), Core::Hull(posed_b), oblique.as_dmat3() * place);
                    let size = a.size() + b.size();
                    let enough = Enough { beyond: f64::INFINITY, within: 0.0 };
                    let (found, simplex) = nearest_and_simplex(&a, &b, offset, enough);
                    if found.distance > CROSSING * size {
                        continue;
                    }
                    pairs += 1;
                    // Cores that count as sharing a point may be a little apart.
                    let twin = depth_of_all_axes(&posed_a, &posed_b, offset).max(0.0);
                    let found = [Some(depth(&a, &b, offset, found.point_a)), proven_depth(&a, &b, offset, &simplex)];
                    proven += usize::from(found[1].is_some());
                    for found in found.into_iter().flatten() {
                        let error = (found.depth.max(0.0) - twin).abs() / size;
                        assert!(error < 2.0 * CONVERGED, "{sides} {scale} {place} {map}: {error:e}");
                    }
                }
            }
        }
        assert!(pairs > 1_000 && proven * 100 > pairs * 95, "{proven} of {pairs}");
    }
}
