//! Conversions between Unity's space and humanoid space.
//!
//! In both spaces y is up and the figure faces +z. Unity is left-handed, so the figure's left is -x there, and +x in
//! humanoid space (VRM 1.0). The conversion negates x, and with it the rotations about y and z. It is its own inverse.

use glam::{DQuat, DVec3};

/// Converts a position to the other space.
#[inline]
pub(crate) fn position(place: DVec3) -> DVec3 {
    DVec3::new(-place.x, place.y, place.z)
}

/// Converts a rotation to the other space.
#[inline]
pub(crate) fn rotation(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rotation::{about, rotate};
    use std::f64::consts::FRAC_PI_2;

    /// Unity's documentation: `Quaternion.Euler(0, 90, 0)` turns forward (+z) to the right (+x).
    #[test]
    fn a_turn_to_the_right_stays_a_turn_to_the_right() {
        let unity = about(DVec3::Y, FRAC_PI_2);
        assert!((rotate(unity, DVec3::Z) - DVec3::X).length() < 1e-12, "right is +x in Unity");
        let here = rotate(rotation(unity), DVec3::Z);
        assert!((here - DVec3::NEG_X).length() < 1e-12, "right is -x in humanoid space: {here}");
    }

    #[test]
    fn rotating_and_changing_space_commute() {
        let q = crate::rotation::mul(about(DVec3::X, 0.3), about(DVec3::Y, -1.1));
        let q = crate::rotation::mul(q, about(DVec3::Z, 0.8));
        let place = DVec3::new(0.2, -1.5, 3.0);
        let difference = position(rotate(q, place)) - rotate(rotation(q), position(place));
        assert!(difference.length() < 1e-12);
        assert_eq!((position(position(place)), rotation(rotation(q))), (place, q));
    }
}
