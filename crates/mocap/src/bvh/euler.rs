//! Conversions between rotations and angles in degrees.

use super::channel::Channel;
use crate::rotation::{about, mul, rotate};
use glam::{DQuat, DVec3};

const AXES: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

/// The product of a joint's rotation channels, in their order. Position channels are ignored.
pub(crate) fn to_rotation(numbers: impl Iterator<Item = (Channel, f32)>) -> DQuat {
    let turns = numbers.filter(|(channel, _)| channel.is_rotation());
    turns.fold(DQuat::IDENTITY, |product, (channel, degrees)| {
        mul(product, about(AXES[channel.axis()], f64::from(degrees).to_radians()))
    })
}

/// The angles about z, x and y, in degrees. The product of these three rotations, in this order, is `q`.
pub(crate) fn to_zxy(q: DQuat) -> [f32; 3] {
    let [x, y, z] = AXES.map(|axis| rotate(q, axis));
    // The last row of Rz Rx Ry is (-cos x sin y, sin x, cos x cos y).
    let cosine = (x.z * x.z + z.z * z.z).sqrt();
    let about_x = libm::atan2(y.z, cosine);
    let (about_z, about_y) = if cosine > 1e-9 {
        (libm::atan2(-y.x, y.y), libm::atan2(-x.z, z.z))
    } else {
        // When x is a quarter turn, z and y turn about the same axis, so one of the two angles is free.
        (libm::atan2(x.y, x.x), 0.0)
    };
    [about_z, about_x, about_y].map(|angle| angle.to_degrees() as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::angle_between;

    fn zxy(angles: [f32; 3]) -> DQuat {
        to_rotation([Channel::ZRotation, Channel::XRotation, Channel::YRotation].into_iter().zip(angles))
    }

    #[test]
    fn angles_give_their_rotation_back_even_at_the_pole() {
        for z in [-170.0, -30.0, 0.0, 100.0] {
            for x in [-90.0, -89.9999, -45.0, 0.0, 60.0, 90.0] {
                for y in [-150.0, 0.0, 20.0, 179.0] {
                    let q = zxy([z, x, y]);
                    assert!(angle_between(zxy(to_zxy(q)), q) < 1e-6, "{z} {x} {y}");
                }
            }
        }
    }

    #[test]
    fn channels_multiply_in_their_order() {
        let turned =
            rotate(to_rotation([(Channel::ZRotation, 90.0), (Channel::XRotation, 90.0)].into_iter()), DVec3::Y);
        assert!((turned - DVec3::Z).length() < 1e-9, "x turns first, then z: {turned}");
        let turned =
            rotate(to_rotation([(Channel::XRotation, 90.0), (Channel::ZRotation, 90.0)].into_iter()), DVec3::Y);
        assert!((turned - DVec3::NEG_X).length() < 1e-9, "z turns first, then x: {turned}");
        assert_eq!(to_rotation([(Channel::XPosition, 5.0)].into_iter()), DQuat::IDENTITY);
    }
}
