//! Affine images of oriented boxes, and functions that set or reset a box.

use crate::error::{ShapeError, check_coordinates};
use crate::obb::Obb;
use crate::portable::affine_parts;
use glam::{Affine3A, DVec3, Mat3, Vec3};

/// The largest deviation from right angles at which the images of a box's axes count as rotated and not as sheared, as
/// a share of their lengths; no unit. It covers the rounding errors of chains of `f32` rotations, and is a
/// hundred-thousandth of the box.
pub const SHEAR_TOLERANCE: f64 = 1.0e-5;

/// The image of a box under an affine map, from [`Obb::transformed`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct TransformedObb {
    /// The box in the new space.
    pub obb: Obb,
    /// `true` if the map sheared the box. If so, the image is not a box, and `obb` is a box around it.
    pub enclosing: bool,
}

impl Default for Obb {
    /// A box of the single point at the origin; see [`Obb::reset`].
    fn default() -> Self {
        Self::new(Vec3::ZERO, Vec3::ZERO, Mat3::IDENTITY)
    }
}

impl Obb {
    /// Gives the box a new center, half extents and axes. On an error the box stays unchanged.
    ///
    /// # Errors
    /// Returns the errors of [`Obb::try_new`].
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Mat3, Vec3};
    ///
    /// let mut hitbox = Obb::default();
    /// assert!(hitbox.set(Vec3::ZERO, Vec3::NEG_ONE, Mat3::IDENTITY).is_err());
    /// assert_eq!(hitbox, Obb::default());
    /// hitbox.set(Vec3::Y, Vec3::ONE, Mat3::IDENTITY)?;
    /// assert_eq!(hitbox.center(), Vec3::Y);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn set(&mut self, center: Vec3, half_extents: Vec3, axes: Mat3) -> Result<(), ShapeError> {
        *self = Self::try_new(center, half_extents, axes)?;
        Ok(())
    }

    /// Sets the box to the single point at the origin with the axes x, y, z, as [`Obb::default`] does.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Returns the image of the box under an affine map, or a box around the image.
    ///
    /// The map applies to the center and the half extents. If the images of the axes stay at right angles (within
    /// [`SHEAR_TOLERANCE`]), the image is a box. This holds for rotations, translations, mirrors, uniform scales, and
    /// scales along the box's own axes, including zero.
    ///
    /// Otherwise the image is a parallelepiped, and [`TransformedObb::enclosing`] is `true`. The result is then a box
    /// around the parallelepiped that shares the plane of one face and the direction of one edge of that face. There
    /// are six such boxes; the result is the smallest. The computation is in `f64` and rounded to `f32`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the map is not finite, or if the image exceeds
    /// [`MAX_COORDINATE`](crate::MAX_COORDINATE).
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::{Affine3A, Mat3, Quat, Vec3};
    ///
    /// let torso = Obb::new(Vec3::new(1.0, 0.0, 0.0), Vec3::ONE, Mat3::IDENTITY);
    /// let doubled = torso.transformed(&Affine3A::from_scale(Vec3::splat(2.0)))?;
    /// assert_eq!(doubled.obb.center(), Vec3::new(2.0, 0.0, 0.0));
    /// assert_eq!(doubled.obb.half_extents(), Vec3::splat(2.0));
    ///
    /// let turned = torso.transformed(&Affine3A::from_quat(Quat::from_rotation_z(0.5)))?.obb;
    /// let sheared = turned.transformed(&Affine3A::from_scale(Vec3::new(1.0, 3.0, 1.0)))?;
    /// assert!(!doubled.enclosing && sheared.enclosing);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn transformed(&self, map: &Affine3A) -> Result<TransformedObb, ShapeError> {
        let (linear, translation) = affine_parts(map);
        check_coordinates("map", &linear.to_cols_array())?;
        check_coordinates("map", &translation.to_array())?;
        let linear = linear.as_dmat3();
        let image = |v: DVec3| linear.x_axis * v.x + linear.y_axis * v.y + linear.z_axis * v.z;
        let axes = self.axes().as_dmat3();
        let edges = [image(axes.x_axis), image(axes.y_axis), image(axes.z_axis)];
        let half = self.half_extents().as_dvec3().to_array();
        let center = (image(self.center().as_dvec3()) + translation.as_dvec3()).as_vec3();

        let lengths = edges.map(DVec3::length);
        let square = |i: usize, j: usize| edges[i].dot(edges[j]).abs() <= SHEAR_TOLERANCE * lengths[i] * lengths[j];
        let enclosing = !(square(0, 1) && square(1, 2) && square(0, 2));
        let (axes, half) = if enclosing {
            smallest_flush_box(&edges, half)
        } else {
            (orthonormal(&edges, [0, 1, 2]), core::array::from_fn(|k| half[k] * lengths[k]))
        };
        let half = Vec3::new(half[0] as f32, half[1] as f32, half[2] as f32);
        let axes = Mat3::from_cols(axes[0].as_vec3(), axes[1].as_vec3(), axes[2].as_vec3());
        Ok(TransformedObb { obb: Self::try_new(center, half, axes)?, enclosing })
    }
}

/// The smallest of the six boxes around `Σ [-h, h] e` that keep the direction of one edge and the plane of one face at
/// it.
fn smallest_flush_box(edges: &[DVec3; 3], half: [f64; 3]) -> ([DVec3; 3], [f64; 3]) {
    let mut best: Option<([DVec3; 3], [f64; 3])> = None;
    let volume = |half: &[f64; 3]| half[0] * half[1] * half[2];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let axes = orthonormal(edges, order);
        let reach = axes.map(|axis| {
            let along = |k: usize| half[k] * axis.dot(edges[k]).abs();
            along(0) + along(1) + along(2)
        });
        if best.as_ref().is_none_or(|(_, least)| volume(&reach) < volume(least)) {
            best = Some((axes, reach));
        }
    }
    best.unwrap_or((DVec3::AXES, half))
}

/// Makes unit axes from three directions, in an order of preference. A direction without length is replaced.
///
/// Axis `k` of the result belongs to direction `k`. The result is left-handed if the directions are mirrored.
fn orthonormal(edges: &[DVec3; 3], order: [usize; 3]) -> [DVec3; 3] {
    let largest = edges.iter().map(|edge| edge.length()).fold(0.0, f64::max);
    // A shorter remainder is only a rounding error, so its direction means nothing.
    let least = largest * 1.0e-12;
    let unit = |v: DVec3| if v.length() > least { Some(v / v.length()) } else { None };
    let without = |v: DVec3, axis: DVec3| v - axis * axis.dot(v);
    let [first, second, third] = order;

    let x = unit(edges[first]);
    let y = unit(x.map_or(edges[second], |x| without(edges[second], x)));
    let z = unit(edges[third]);
    // If two directions are known, the third is their cross product. Otherwise any direction at right angles is good.
    let (x, y) = match (x, y, z) {
        (Some(x), Some(y), _) => (x, y),
        (Some(x), None, Some(z)) => match unit(without(z, x) * largest) {
            Some(z) => (x, z.cross(x)),
            None => (x, x.any_orthonormal_vector()),
        },
        (None, Some(y), Some(z)) => match unit(without(z, y) * largest) {
            Some(z) => (y.cross(z), y),
            None => (y.any_orthonormal_vector(), y),
        },
        (Some(x), None, None) => (x, x.any_orthonormal_vector()),
        (None, Some(y), None) => (y.any_orthonormal_vector(), y),
        (None, None, Some(z)) => {
            let x = z.any_orthonormal_vector();
            (x, z.cross(x))
        }
        (None, None, None) => (DVec3::X, DVec3::Y),
    };
    let mut axes = [x; 3];
    axes[second] = y;
    let z_axis = x.cross(y);
    axes[third] = z_axis / z_axis.length();
    axes
}
