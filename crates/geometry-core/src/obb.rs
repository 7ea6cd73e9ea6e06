//! The oriented box in space.

use crate::aabb::Aabb;
use crate::error::{AXES_TOLERANCE, ShapeError, check_coordinates, check_sizes};
use crate::portable::mat3_from_quaternion;
use glam::{DMat3, Mat3, Quat, Vec3};

/// The largest deviation of stored axes from orthonormal axes: their dot products deviate from 0, and their squared
/// lengths from 1, by no more than this. No unit.
///
/// All tolerances of this crate's box tests are derived from this constant. Axes within this tolerance are stored bit
/// for bit as given; other axes, up to [`AXES_TOLERANCE`], are made orthonormal.
pub const ORTHONORMAL_TOLERANCE: f32 = 1.0e-6;

/// The amount that point tests add to each half extent, as a share of the sum of the three half extents. No unit.
///
/// Let the stored axes be orthonormal to [`ORTHONORMAL_TOLERANCE`] (1e-6). Then a point `c + Σ sᵢ hᵢ aᵢ` with `|sᵢ| ≤
/// 1` has a projection on `aᵢ` of at most `hᵢ + 1e-6 Σh`, and the `f32` arithmetic adds less than `4 · 2⁻²⁴ · √3 Σh`.
/// The sum is below `hᵢ + 1.5e-6 Σh`. So with a tolerance of 2⁻¹⁹ (1.9e-6), no test calls a point of a box outside.
pub const POINT_TOLERANCE: f32 = 1.0 / 524_288.0;

/// An oriented box: a center, half extents and three unit axes.
///
/// The box may be in any space and unit. It is a closed set: touching counts. Half extents may be zero, which makes a
/// flat box, a line or a point. An `Obb` has 60 bytes; a [`PackedObb`](crate::PackedObb) has 40.
///
/// ```
/// use geometry_core::Obb;
/// use glam::{Quat, Vec3};
///
/// let lid = Obb::new(Vec3::ZERO, Vec3::new(2.0, 0.5, 1.0), glam::Mat3::IDENTITY);
/// let dagger = Obb::from_orientation(Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.1, 1.0, 0.1), Quat::from_rotation_x(0.5));
/// assert!(lid.overlaps(&dagger));
/// assert!(lid.contains(Vec3::new(2.0, 0.5, 1.0)));
/// assert_eq!(lid.volume(), 8.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::serde_parts::ObbParts", into = "crate::serde_parts::ObbParts"))]
#[must_use]
pub struct Obb {
    center: Vec3,
    half_extents: Vec3,
    axes: Mat3,
}

impl Obb {
    /// The ends of the twelve edges as indices of [`Obb::corners`]. Four edges go along the box's x axis, the next four along its
    /// y axis and the last four along its z axis, all from the negative to the positive side.
    pub const EDGES: [[usize; 2]; 12] =
        [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

    /// Makes a box from its center, half extents and unit axes (the columns of `axes`).
    ///
    /// # Panics
    /// Panics if [`Obb::try_new`] returns an error, in release builds too. Use [`Obb::try_new`] for numbers that come from a
    /// file or from outside the program.
    pub fn new(center: Vec3, half_extents: Vec3, axes: Mat3) -> Self {
        Self::try_new(center, half_extents, axes).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes a box from its center, half extents and unit axes (the columns of `axes`).
    ///
    /// - Axes within [`ORTHONORMAL_TOLERANCE`] are kept bit for bit.
    /// - Axes within [`AXES_TOLERANCE`] are made orthonormal. The x axis keeps its direction, and the y axis stays in
    ///   the plane of x and y.
    /// - The stored axes are right-handed. If the given axes are left-handed, the third axis is negated; the box is the
    ///   same set of points.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if an argument is not finite or larger than [`MAX_COORDINATE`](crate::MAX_COORDINATE), a
    /// half extent is negative, or the axes deviate from unit length or from right angles by more than
    /// [`AXES_TOLERANCE`].
    ///
    /// ```
    /// use geometry_core::{Obb, ShapeError};
    /// use glam::{Mat3, Vec3};
    ///
    /// let scaled = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 1.0));
    /// assert!(matches!(Obb::try_new(Vec3::ZERO, Vec3::ONE, scaled), Err(ShapeError::NotUnit { axis: 1, .. })));
    /// assert!(matches!(Obb::try_new(Vec3::NAN, Vec3::ONE, Mat3::IDENTITY), Err(ShapeError::NotFinite { .. })));
    /// ```
    pub fn try_new(center: Vec3, half_extents: Vec3, axes: Mat3) -> Result<Self, ShapeError> {
        check_coordinates("center", &center.to_array())?;
        check_sizes("half extents", &half_extents.to_array())?;
        check_coordinates("axes", &axes.to_cols_array())?;
        Ok(Self { center, half_extents, axes: right_handed(straightened(&axes)?) })
    }

    /// Makes a box without the checks of [`Obb::try_new`], from the stored parts of an existing box. It is for callers
    /// that store many boxes in a layout of their own.
    ///
    /// `center`, `half_extents` and `axes` must be the values that [`Obb::center`], [`Obb::half_extents`] and
    /// [`Obb::axes`] returned, or values that [`Obb::try_new`] would keep unchanged. Otherwise the answers about the
    /// box are meaningless.
    ///
    /// # Panics
    /// Panics in builds with debug assertions if [`Obb::try_new`] returns an error for the parts.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Mat3, Vec3};
    ///
    /// let one = Obb::new(Vec3::X, Vec3::ONE, Mat3::IDENTITY);
    /// assert_eq!(Obb::from_valid_parts(one.center(), one.half_extents(), one.axes()), one);
    /// ```
    #[inline]
    pub fn from_valid_parts(center: Vec3, half_extents: Vec3, axes: Mat3) -> Self {
        debug_assert!(Self::try_new(center, half_extents, axes).is_ok(), "the parts must come from a valid box");
        Self { center, half_extents, axes }
    }

    /// Makes a box from its center, half extents and orientation. Its axes come from [`mat3_from_quaternion`].
    ///
    /// # Panics
    /// Panics if [`Obb::try_from_orientation`] returns an error, in release builds too: for NaN, infinities, coordinates
    /// larger than [`MAX_COORDINATE`](crate::MAX_COORDINATE), negative half extents, and orientations that are not of
    /// unit length. Use [`Obb::try_from_orientation`] for numbers that come from a file or from outside the program.
    pub fn from_orientation(center: Vec3, half_extents: Vec3, orientation: Quat) -> Self {
        Self::try_from_orientation(center, half_extents, orientation).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Makes a box from its center, half extents and orientation, and returns an error instead of panicking. Its axes
    /// come from [`mat3_from_quaternion`].
    ///
    /// # Errors
    /// Returns the errors of [`Obb::try_new`], and [`ShapeError::NotUnit`] if the squared length of the orientation
    /// differs from 1 by more than twice [`AXES_TOLERANCE`].
    pub fn try_from_orientation(center: Vec3, half_extents: Vec3, orientation: Quat) -> Result<Self, ShapeError> {
        let [x, y, z, w] = orientation.to_array();
        check_coordinates("orientation", &[x, y, z, w])?;
        let square = |v: f32| f64::from(v) * f64::from(v);
        let length_squared = square(x) + square(y) + square(z) + square(w);
        // The axes of a quaternion (0, 0, 0, w) are orthonormal for every w, so the length needs a test of its own.
        if (length_squared - 1.0).abs() > 2.0 * f64::from(AXES_TOLERANCE) {
            let length = crate::math::sqrt(length_squared) as f32;
            return Err(ShapeError::NotUnit { part: "orientation", axis: 0, length });
        }
        Self::try_new(center, half_extents, mat3_from_quaternion(orientation))
    }

    /// Makes an oriented box that contains an axis-aligned box.
    ///
    /// The half extents reach from the rounded center to the farther corner, and are rounded to the nearest `f32`. So a corner of
    /// `aabb` may lie outside by one rounding, but [`Obb::contains`] is `true` for every corner.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the box is empty, or its fields were set to numbers that are not finite or too large.
    pub fn try_from_aabb(aabb: &Aabb) -> Result<Self, ShapeError> {
        if aabb.is_empty() {
            return Err(ShapeError::NoPoints);
        }
        let center = aabb.min * 0.5 + aabb.max * 0.5;
        let needed = (aabb.max - center).max(center - aabb.min);
        Self::try_new(center, needed, Mat3::IDENTITY)
    }

    /// The center of the box.
    #[must_use]
    #[inline]
    pub fn center(&self) -> Vec3 {
        self.center
    }

    /// Half the edge lengths along the box's axes; each at least 0.
    #[must_use]
    #[inline]
    pub fn half_extents(&self) -> Vec3 {
        self.half_extents
    }

    /// The unit axes as columns: right-handed, and orthonormal to [`ORTHONORMAL_TOLERANCE`].
    #[must_use]
    #[inline]
    pub fn axes(&self) -> Mat3 {
        self.axes
    }

    /// The axes times their half extents: vectors from the center to the centers of three faces.
    #[must_use]
    pub fn half_axes(&self) -> [Vec3; 3] {
        let half = self.half_extents;
        [self.axes.x_axis * half.x, self.axes.y_axis * half.y, self.axes.z_axis * half.z]
    }

    /// The eight corners, in the space of the box. Corner `k` lies on the positive side of the box's axis `i` if bit `i` of
    /// `k` is set, and on the negative side otherwise.
    ///
    /// The corners are rounded to `f32`, so each coordinate has an error of about one rounding.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        let [x, y, z] = self.half_axes();
        core::array::from_fn(|k| {
            let signed = |axis: Vec3, bit: usize| if k & bit == 0 { -axis } else { axis };
            self.center + (signed(x, 1) + signed(y, 2) + signed(z, 4))
        })
    }

    /// The ends of the twelve edges, in the space of the box and in the order of [`Obb::EDGES`]; for example, to draw the box as
    /// lines.
    #[must_use]
    pub fn edges(&self) -> [[Vec3; 2]; 12] {
        let corners = self.corners();
        Self::EDGES.map(|ends| ends.map(|corner| corners[corner]))
    }

    /// Converts a point from the space in which the box lies to coordinates along the box's axes, relative to the box's
    /// center. The function takes the axes as orthonormal.
    #[must_use]
    #[inline]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        self.direction_to_local(point - self.center)
    }

    /// Converts a direction from the space in which the box lies to components along the box's axes.
    #[must_use]
    #[inline]
    pub fn direction_to_local(&self, direction: Vec3) -> Vec3 {
        Vec3::new(self.axes.x_axis.dot(direction), self.axes.y_axis.dot(direction), self.axes.z_axis.dot(direction))
    }

    /// The sum of the half extents, at most √3 times the half diagonal. Tolerances of this box are relative to this
    /// sum.
    #[must_use]
    #[inline]
    pub fn extent_sum(&self) -> f32 {
        self.half_extents.x + self.half_extents.y + self.half_extents.z
    }

    /// The half extents, widened by [`POINT_TOLERANCE`] times their sum.
    #[inline]
    pub(crate) fn lenient_half_extents(&self) -> Vec3 {
        self.half_extents + Vec3::splat(self.extent_sum() * POINT_TOLERANCE)
    }

    /// Returns true if the point is in the box or on its surface.
    ///
    /// The test leans to `true`: it accepts every point of the box, and points that lie outside by at most
    /// [`POINT_TOLERANCE`] times the sum of the half extents. This holds at any distance from the origin.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: Vec3) -> bool {
        let local = self.to_local(point);
        let half = self.lenient_half_extents();
        local.x.abs() <= half.x && local.y.abs() <= half.y && local.z.abs() <= half.z
    }

    /// The volume, in the box's unit cubed.
    #[must_use]
    pub fn volume(&self) -> f32 {
        8.0 * self.half_extents.x * self.half_extents.y * self.half_extents.z
    }

    /// The surface area, in the box's unit squared. A flat box has two sides, and both count.
    #[must_use]
    pub fn surface_area(&self) -> f32 {
        let half = self.half_extents;
        8.0 * (half.x * half.y + half.y * half.z + half.z * half.x)
    }

    /// Returns the corner that is farthest in a direction of any length. If several corners are equally far, the result
    /// is the corner on the positive sides of the axes.
    #[must_use]
    pub fn support_point(&self, direction: Vec3) -> Vec3 {
        let local = self.direction_to_local(direction);
        let [x, y, z] = self.half_axes();
        let signed = |axis: Vec3, along: f32| if along < 0.0 { -axis } else { axis };
        self.center + (signed(x, local.x) + signed(y, local.y) + signed(z, local.z))
    }

    /// The smallest axis-aligned box around this box. Its bounds are rounded to the nearest `f32`.
    pub fn aabb(&self) -> Aabb {
        let [x, y, z] = self.half_axes();
        let reach = x.abs() + y.abs() + z.abs();
        Aabb { min: self.center - reach, max: self.center + reach }
    }
}

/// Keeps axes within [`ORTHONORMAL_TOLERANCE`] unchanged, and makes axes within [`AXES_TOLERANCE`] orthonormal.
fn straightened(axes: &Mat3) -> Result<Mat3, ShapeError> {
    let columns = [axes.x_axis, axes.y_axis, axes.z_axis];
    let mut exact = true;
    for (axis, column) in columns.iter().enumerate() {
        // In `f64` the squares of `f32` numbers are exact, so every machine decides the same at the tolerance.
        let column = column.as_dvec3();
        let deviation = (column.length_squared() - 1.0).abs();
        if deviation > 2.0 * f64::from(AXES_TOLERANCE) {
            return Err(ShapeError::NotUnit { part: "axes", axis, length: column.length() as f32 });
        }
        exact &= deviation <= f64::from(ORTHONORMAL_TOLERANCE);
    }
    for (first, second) in [(0, 1), (1, 2), (0, 2)] {
        let dot = columns[first].as_dvec3().dot(columns[second].as_dvec3());
        if dot.abs() > f64::from(AXES_TOLERANCE) {
            return Err(ShapeError::NotOrthogonal { part: "axes", first, second, dot: dot as f32 });
        }
        exact &= dot.abs() <= f64::from(ORTHONORMAL_TOLERANCE);
    }
    if exact {
        return Ok(*axes);
    }
    let axes = axes.as_dmat3();
    let x = axes.x_axis / axes.x_axis.length();
    let y = axes.y_axis - x * x.dot(axes.y_axis);
    let y = y / y.length();
    let z = x.cross(y);
    let z = if z.dot(axes.z_axis) < 0.0 { -z } else { z };
    Ok(DMat3::from_cols(x, y, z).as_mat3())
}

/// Negates the third axis of left-handed axes, which describe the same box.
fn right_handed(axes: Mat3) -> Mat3 {
    if axes.x_axis.cross(axes.y_axis).dot(axes.z_axis) < 0.0 {
        Mat3::from_cols(axes.x_axis, axes.y_axis, -axes.z_axis)
    } else {
        axes
    }
}
