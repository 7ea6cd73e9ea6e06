//! The oriented box in 40 bytes.

use crate::error::ShapeError;
use crate::obb::Obb;
use glam::{DMat3, Quat, Vec3};

/// An oriented box as ten numbers: center, half extents, and orientation as a quaternion x, y, z, w.
///
/// 40 bytes against the 60 of [`Obb`] (and of the form of five vectors: center, half extents, three axes); unpacking
/// costs some twenty multiplications. For boxes that are stored and sent, not for those that are tested.
///
/// Any space, any unit.
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
    /// Where the box is.
    pub center: [f32; 3],
    /// Half the edge lengths.
    pub half_extents: [f32; 3],
    /// Unit quaternion x, y, z, w.
    pub orientation: [f32; 4],
}

impl PackedObb {
    /// Packs without a check; [`PackedObb::unpack`] checks.
    pub fn new(center: Vec3, half_extents: Vec3, orientation: Quat) -> Self {
        Self { center: center.to_array(), half_extents: half_extents.to_array(), orientation: orientation.to_array() }
    }

    /// Packs a box: its axes are turned into a quaternion in `f64` and rounded, so unpacked axes are off by a few
    /// `f32` roundings.
    pub fn pack(obb: &Obb) -> Self {
        Self::new(obb.center(), obb.half_extents(), quaternion_from_axes(&obb.axes()))
    }

    /// The box, with the axes of [`mat3_from_quaternion`](crate::portable::mat3_from_quaternion).
    ///
    /// # Errors
    /// Numbers that are not finite or too large, negative half extents, a quaternion that is not of unit length.
    pub fn unpack(&self) -> Result<Obb, ShapeError> {
        Obb::try_from_orientation(
            Vec3::from_array(self.center),
            Vec3::from_array(self.half_extents),
            Quat::from_array(self.orientation),
        )
    }
}

/// [`unit_quaternion`], rounded.
fn quaternion_from_axes(axes: &glam::Mat3) -> Quat {
    let [x, y, z, w] = unit_quaternion(&axes.as_dmat3());
    Quat::from_array([x as f32, y as f32, z as f32, w as f32])
}

/// The unit quaternion x, y, z, w of a rotation matrix, w not negative: Shepperd's choice of the largest component to
/// divide by.
///
/// Source: Shepperd, *Quaternion from Rotation Matrix*, Journal of Guidance and Control 1 (1978).
pub(crate) fn unit_quaternion(m: &DMat3) -> [f64; 4] {
    let (xx, yy, zz) = (m.x_axis.x, m.y_axis.y, m.z_axis.z);
    // Four times the squares of w, x, y, z: the largest is at least 1.
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
