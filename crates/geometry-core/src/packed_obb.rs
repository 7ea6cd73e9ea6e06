//! The oriented box in 40 bytes.

use crate::error::ShapeError;
use crate::obb::Obb;
use glam::{DMat3, Quat, Vec3};

/// An oriented box as ten numbers: a center, half extents, and an orientation as a quaternion x, y, z, w.
///
/// Use it to store and send boxes, and unpack it for tests. A packed box has 40 bytes, and an [`Obb`] has 60. Unpacking
/// costs about twenty multiplications.
///
/// The box may be in any space and unit.
///
/// ```
/// use geometry_core::{Obb, PackedObb};
/// use glam::{Quat, Vec3};
///
/// let packed = PackedObb::new(Vec3::ZERO, Vec3::ONE, Quat::from_rotation_y(0.3));
/// assert_eq!(size_of::<PackedObb>(), 40);
/// assert_eq!(size_of::<Obb>(), 60);
/// let unpacked: Obb = packed.unpack()?;
/// assert_eq!(unpacked.half_extents(), Vec3::ONE);
/// # Ok::<(), geometry_core::ShapeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct PackedObb {
    /// The center of the box.
    pub center: [f32; 3],
    /// Half the edge lengths; each at least 0.
    pub half_extents: [f32; 3],
    /// The orientation, a unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
}

impl PackedObb {
    /// Packs the parts without checking them; [`PackedObb::unpack`] checks them.
    pub fn new(center: Vec3, half_extents: Vec3, orientation: Quat) -> Self {
        Self { center: center.to_array(), half_extents: half_extents.to_array(), orientation: orientation.to_array() }
    }

    /// Packs a box. Its axes are converted to a quaternion in `f64` and rounded, so the unpacked axes have an error of
    /// a few `f32` roundings.
    pub fn pack(obb: &Obb) -> Self {
        Self::new(obb.center(), obb.half_extents(), quaternion_from_axes(&obb.axes()))
    }

    /// Makes the box, with the axes of [`mat3_from_quaternion`](crate::portable::mat3_from_quaternion).
    ///
    /// # Errors
    /// Returns [`ShapeError`] if a number is not finite or too large, a half extent is negative, or the quaternion is
    /// not of unit length.
    pub fn unpack(&self) -> Result<Obb, ShapeError> {
        Obb::try_from_orientation(
            Vec3::from_array(self.center),
            Vec3::from_array(self.half_extents),
            Quat::from_array(self.orientation),
        )
    }
}

/// Returns [`unit_quaternion`], rounded to `f32`.
fn quaternion_from_axes(axes: &glam::Mat3) -> Quat {
    let [x, y, z, w] = unit_quaternion(&axes.as_dmat3());
    Quat::from_array([x as f32, y as f32, z as f32, w as f32])
}

/// Returns the unit quaternion x, y, z, w of a rotation matrix, with w not negative. As Shepperd proposes, the function
/// starts from the largest component: it computes the products of all four components with it, and normalizes them.
///
/// Source: Shepperd, *Quaternion from Rotation Matrix*, Journal of Guidance and Control 1 (1978).
pub(crate) fn unit_quaternion(m: &DMat3) -> [f64; 4] {
    let (xx, yy, zz) = (m.x_axis.x, m.y_axis.y, m.z_axis.z);
    // Four times the squares of w, x, y, z. The largest square is at least 1.
    let squares = [1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz];
    let mut largest = 0;
    for k in 1..4 {
        if squares[k] > squares[largest] {
            largest = k;
        }
    }
    let square = squares[largest];
    let [w, x, y, z] = match largest {
        0 => [square, m.y_axis.z - m.z_axis.y, m.z_axis.x - m.x_axis.z, m.x_axis.y - m.y_axis.x],
        1 => [m.y_axis.z - m.z_axis.y, square, m.y_axis.x + m.x_axis.y, m.z_axis.x + m.x_axis.z],
        2 => [m.z_axis.x - m.x_axis.z, m.y_axis.x + m.x_axis.y, square, m.z_axis.y + m.y_axis.z],
        _ => [m.x_axis.y - m.y_axis.x, m.z_axis.x + m.x_axis.z, m.z_axis.y + m.y_axis.z, square],
    };
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    let scale = sign / crate::math::sqrt(x * x + y * y + z * z + w * w);
    [x * scale, y * scale, z * scale, w * scale]
}
