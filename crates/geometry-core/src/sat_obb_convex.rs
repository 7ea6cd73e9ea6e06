//! Oriented boxes against axis-aligned boxes, triangles, planes and frusta, by separating axes.
//!
//! Everything is computed in `f64` on the stored numbers. Every axis is a cross product of true edges and is never
//! normalized. An axis of length zero separates nothing; the comparison skips it without a special case. A gap counts
//! if it is larger than [`EXACT_TOLERANCE`] relative to the sizes and distances, so shapes that share a point always
//! overlap, at any angle.
//!
//! Source: Akenine-Möller, *Fast 3D Triangle-Box Overlap Testing*, journal of graphics tools 6(1), 2001, which treats
//! axis-aligned boxes; Ericson, *Real-Time Collision Detection*, sections 5.2.3 (plane) and 5.2.9 (triangle); for the
//! axes of convex polytopes Gottschalk, *Collision Queries using Oriented Bounding Boxes*, PhD thesis, UNC 2000.

use crate::aabb::Aabb;
use crate::obb::{Obb, POINT_TOLERANCE};
use crate::sat_obb_obb::EXACT_TOLERANCE;
use crate::shapes::{Frustum, Plane, Triangle};
use glam::DVec3;

/// The side of a plane on which a box lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaneSide {
    /// The whole box is on the side to which the normal points, and does not touch the plane.
    Front,
    /// The plane and the box share a point.
    Crossing,
    /// The whole box is on the side opposite to the normal, and does not touch the plane.
    Back,
}

/// A box's edges and half extents in `f64`.
struct ExactBox {
    center: DVec3,
    axes: [DVec3; 3],
    half: [f64; 3],
}

impl ExactBox {
    #[inline]
    fn new(obb: &Obb) -> Self {
        let axes = obb.axes().as_dmat3();
        Self {
            center: obb.center().as_dvec3(),
            axes: [axes.x_axis, axes.y_axis, axes.z_axis],
            half: obb.half_extents().as_dvec3().to_array(),
        }
    }

    #[inline]
    fn normals(&self) -> [DVec3; 3] {
        let [x, y, z] = self.axes;
        [y.cross(z), z.cross(x), x.cross(y)]
    }

    #[inline]
    fn radius(&self, direction: DVec3) -> f64 {
        self.half[0] * direction.dot(self.axes[0]).abs()
            + self.half[1] * direction.dot(self.axes[1]).abs()
            + self.half[2] * direction.dot(self.axes[2]).abs()
    }

    #[inline]
    fn size(&self) -> f64 {
        self.half[0] + self.half[1] + self.half[2]
    }

    /// Returns true if a direction separates the box from the hull of points, which are relative to the box's center.
    #[inline]
    fn separated_from(&self, points: &[DVec3], reach: f64, direction: DVec3) -> bool {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in points {
            let along = direction.dot(*point);
            low = low.min(along);
            high = high.max(along);
        }
        low.max(-high) - self.radius(direction) > EXACT_TOLERANCE * sum_of_sizes(direction) * (reach + self.size())
    }
}

#[inline]
fn sum_of_sizes(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

impl Obb {
    /// Returns true if this box and an axis-aligned box share a point. Touching counts. The test uses the bounds of
    /// `aabb` without rounding.
    ///
    /// The empty box overlaps nothing.
    ///
    /// ```
    /// use geometry_core::{Aabb, Obb};
    /// use glam::{Quat, Vec3};
    ///
    /// let turned = Obb::from_orientation(Vec3::ZERO, Vec3::ONE, Quat::from_rotation_z(0.785_398_2));
    /// let right = |x: f32| Aabb::new(Vec3::new(x, -1.0, -1.0), Vec3::new(x + 1.0, 1.0, 1.0));
    /// assert!(turned.overlaps_aabb(&right(1.414)) && !turned.overlaps_aabb(&right(1.415)));
    /// ```
    #[must_use]
    pub fn overlaps_aabb(&self, aabb: &Aabb) -> bool {
        if !(aabb.min.x <= aabb.max.x && aabb.min.y <= aabb.max.y && aabb.min.z <= aabb.max.z) {
            return false;
        }
        let own = ExactBox::new(self);
        let (min, max) = (aabb.min.as_dvec3(), aabb.max.as_dvec3());
        let (other, half) = ((min + max) * 0.5, (max - min) * 0.5);
        let difference = other - own.center;
        // Sums and halves of `f32` numbers have relative rounding errors. Far from the origin these are larger than
        // those of the difference.
        let reach = sum_of_sizes(difference) + sum_of_sizes(half) + sum_of_sizes(other) + sum_of_sizes(own.center);
        let slack = EXACT_TOLERANCE * (reach + own.size());
        let apart = |direction: DVec3| {
            let radii = own.radius(direction) + half.dot(direction.abs());
            direction.dot(difference).abs() - radii > slack * sum_of_sizes(direction)
        };
        if DVec3::AXES.into_iter().any(apart) || own.normals().into_iter().any(apart) {
            return false;
        }
        !own.axes.iter().any(|edge| {
            // The cross products of x, y, z with the edge.
            apart(DVec3::new(0.0, -edge.z, edge.y))
                || apart(DVec3::new(edge.z, 0.0, -edge.x))
                || apart(DVec3::new(-edge.y, edge.x, 0.0))
        })
    }

    /// Returns true if all of another box is inside this box or on its surface.
    ///
    /// The test leans to `true` by [`POINT_TOLERANCE`] times the sum of both boxes' half extents.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Quat, Vec3};
    ///
    /// let chest = Obb::from_orientation(Vec3::ZERO, Vec3::new(1.0, 0.5, 0.5), Quat::from_rotation_y(0.3));
    /// let coin = Obb::from_orientation(Vec3::Y * 0.3, Vec3::new(0.1, 0.01, 0.1), Quat::from_rotation_x(1.0));
    /// assert!(chest.contains_obb(&coin) && chest.contains_obb(&chest) && !coin.contains_obb(&chest));
    /// ```
    #[must_use]
    pub fn contains_obb(&self, other: &Self) -> bool {
        let (own, inner) = (ExactBox::new(self), ExactBox::new(other));
        let difference = inner.center - own.center;
        let slack = (own.size() + inner.size()) * f64::from(POINT_TOLERANCE);
        (0..3).all(|k| own.axes[k].dot(difference).abs() + inner.radius(own.axes[k]) <= own.half[k] + slack)
    }

    /// Returns true if the triangle and the box share a point, which includes a triangle wholly inside the box. The
    /// test uses 13 axes.
    ///
    /// Touching counts. A triangle without area is treated as a segment or a point.
    ///
    /// ```
    /// use geometry_core::{Obb, Triangle};
    /// use glam::{Mat3, Vec3};
    ///
    /// let cube = Obb::new(Vec3::ZERO, Vec3::ONE, Mat3::IDENTITY);
    /// let slope = Triangle::try_new(Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, 3.0))?;
    /// assert!(cube.overlaps_triangle(&slope));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn overlaps_triangle(&self, triangle: &Triangle) -> bool {
        let own = ExactBox::new(self);
        let corners = triangle.corners.map(|corner| corner.as_dvec3() - own.center);
        let [a, b, c] = corners;
        let edges = [b - a, c - b, a - c];
        let reach = sum_of_sizes(a) + sum_of_sizes(b) + sum_of_sizes(c);
        let apart = |direction: DVec3| own.separated_from(&corners, reach, direction);
        if own.normals().into_iter().any(apart) || apart(edges[0].cross(edges[1])) {
            return false;
        }
        !own.axes.iter().any(|axis| edges.iter().any(|edge| apart(axis.cross(*edge))))
    }

    /// The smallest and the largest signed distance of the box's points from a plane, computed in `f64` and rounded to
    /// `f32`.
    ///
    /// Source: Ericson, *Real-Time Collision Detection*, section 5.2.3.
    ///
    /// ```
    /// use geometry_core::{Obb, Plane};
    /// use glam::{Mat3, Vec3};
    ///
    /// let cube = Obb::new(Vec3::Y * 3.0, Vec3::ONE, Mat3::IDENTITY);
    /// assert_eq!(cube.distances_to_plane(&Plane::try_new(Vec3::Y, 0.5)?), (1.5, 3.5));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn distances_to_plane(&self, plane: &Plane) -> (f32, f32) {
        let own = ExactBox::new(self);
        let normal = plane.normal.as_dvec3();
        let (middle, radius) = (normal.dot(own.center) - f64::from(plane.distance), own.radius(normal));
        ((middle - radius) as f32, (middle + radius) as f32)
    }

    /// Returns the side of a plane on which the box lies. A box that touches the plane is [`PlaneSide::Crossing`].
    ///
    /// ```
    /// use geometry_core::{Obb, Plane, PlaneSide};
    /// use glam::{Mat3, Vec3};
    ///
    /// let ground = Plane::try_new(Vec3::Y, 0.0)?;
    /// let at = |height: f32| Obb::new(Vec3::Y * height, Vec3::ONE, Mat3::IDENTITY).side_of_plane(&ground);
    /// assert_eq!([at(1.1), at(1.0), at(-1.1)], [PlaneSide::Front, PlaneSide::Crossing, PlaneSide::Back]);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn side_of_plane(&self, plane: &Plane) -> PlaneSide {
        let own = ExactBox::new(self);
        let (normal, distance) = (plane.normal.as_dvec3(), f64::from(plane.distance));
        let middle = normal.dot(own.center) - distance;
        let slack = EXACT_TOLERANCE * (sum_of_sizes(own.center) + own.size() + distance.abs());
        let reach = own.radius(normal) + slack;
        if middle > reach {
            PlaneSide::Front
        } else if middle < -reach {
            PlaneSide::Back
        } else {
            PlaneSide::Crossing
        }
    }

    /// Tests up to 45 axes: 3 + 6 face normals and the cross products of 3 · 12 pairs of edges.
    fn separated_from_frustum(&self, frustum: &Frustum) -> bool {
        let own = ExactBox::new(self);
        let corners = frustum.corners.map(|corner| corner.as_dvec3() - own.center);
        let reach = corners.iter().copied().map(sum_of_sizes).fold(0.0, f64::max);
        let apart = |direction: DVec3| own.separated_from(&corners, reach, direction);
        let edge = |from: usize, to: usize| corners[to] - corners[from];
        // A face's normal is the cross product of its diagonals, which is also right if the near plane is a single
        // point.
        let faces = [[0, 3, 1, 2], [4, 7, 5, 6], [0, 5, 1, 4], [2, 7, 3, 6], [0, 6, 2, 4], [1, 7, 3, 5]];
        if own.normals().into_iter().any(apart)
            || faces.iter().any(|[p, q, r, s]| apart(edge(*p, *q).cross(edge(*r, *s))))
        {
            return true;
        }
        let bits = [1, 2, 4];
        bits.into_iter().any(|bit| {
            (0..8).filter(|k| k & bit == 0).any(|k| {
                let along = edge(k, k | bit);
                own.axes.iter().any(|axis| apart(axis.cross(along)))
            })
        })
    }

    /// Returns true if the box and a frustum share a point.
    ///
    /// Touching counts. The test uses up to 45 axes, so it is right near the frustum's edges too. A test of the six
    /// planes alone would report some boxes that lie beside an edge.
    ///
    /// ```
    /// use geometry_core::{Frustum, Obb};
    /// use glam::{Mat3, Vec3};
    ///
    /// let slab = Frustum::try_from_corners(core::array::from_fn(|k| {
    ///     let side = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
    ///     let wide = if k & 4 == 0 { 1.0 } else { 3.0 };
    ///     Vec3::new(side(1) * wide, side(2) * wide, side(4))
    /// }))?;
    /// assert!(Obb::new(Vec3::new(3.5, 0.0, 0.0), Vec3::splat(1.5), Mat3::IDENTITY).overlaps_frustum(&slab));
    /// assert!(!Obb::new(Vec3::new(3.5, 0.0, 0.0), Vec3::splat(0.5), Mat3::IDENTITY).overlaps_frustum(&slab));
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn overlaps_frustum(&self, frustum: &Frustum) -> bool {
        !self.separated_from_frustum(frustum)
    }
}
