//! Rotations as swing and twist, in `f64` with the same bits on every machine.

use glam::{DQuat, DVec2, DVec3};

/// A rotation as `swing * twist`: first a turn about axis x, then a turn about an axis at right angles to x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SwingTwist {
    /// The angle about axis x in radians, -π to π.
    pub(super) twist: f64,
    /// The axis of the swing times its angle in radians: its y and z. The angle is 0 to π.
    pub(super) swing: DVec2,
}

impl SwingTwist {
    /// Splits a unit quaternion. After half a turn of the swing the twist is not determined, and is 0.
    pub(super) fn of(rotation: DQuat) -> Self {
        let DQuat { x, y, z, w } = if rotation.w < 0.0 { -rotation } else { rotation };
        let twist = 2.0 * libm::atan2(x, w);
        // The swing is the rotation after the twist is taken back.
        let back = (x * x + w * w).sqrt();
        let (cosine, sine) = if back > 0.0 { (w / back, x / back) } else { (1.0, 0.0) };
        let across = DVec2::new(cosine * y - sine * z, cosine * z + sine * y);
        let length = across.length();
        let angle = 2.0 * libm::atan2(length, back);
        let swing = if length > 0.0 { across * (angle / length) } else { DVec2::ZERO };
        Self { twist, swing }
    }
}

/// The rotation about a vector by its length in radians.
pub(super) fn rotation_about(vector: DVec3) -> DQuat {
    let angle = vector.length();
    if angle == 0.0 {
        return DQuat::IDENTITY;
    }
    let axis = vector * (libm::sin(0.5 * angle) / angle);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(0.5 * angle))
}

/// The axis of a rotation times its angle in radians, 0 to π.
pub(super) fn rotation_vector(rotation: DQuat) -> DVec3 {
    let DQuat { x, y, z, w } = if rotation.w < 0.0 { -rotation } else { rotation };
    let axis = DVec3::new(x, y, z);
    let length = axis.length();
    if length > 0.0 { axis * (2.0 * libm::atan2(length, w) / length) } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_models::Random;

    #[test]
    fn swing_and_twist_make_the_rotation_again() {
        let mut random = Random::new(5);
        let mut numbers = || random.signed_f64();
        for case in 0..10_000 {
            let rotation = DQuat::from_xyzw(numbers(), numbers(), numbers(), numbers()).normalize();
            let parts = SwingTwist::of(rotation);
            let swing = rotation_about(DVec3::new(0.0, parts.swing.x, parts.swing.y));
            let again = swing * rotation_about(DVec3::X * parts.twist);
            assert!(again.dot(rotation).abs() > 1.0 - 1e-12, "{case}: {rotation} and {again}");
            assert!(parts.swing.length() <= std::f64::consts::PI + 1e-12, "{case}");
            // The definition: the swing moves axis x to where the whole rotation moves it, without a turn about x.
            assert!((swing * DVec3::X).distance(rotation * DVec3::X) < 1e-12, "{case}");
            assert_eq!(swing.x, 0.0, "{case}");
            let vector = rotation_vector(rotation);
            assert!(rotation_about(vector).dot(rotation).abs() > 1.0 - 1e-12, "{case}");
        }
        let half = SwingTwist::of(DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0));
        assert_eq!((half.twist, half.swing), (0.0, DVec2::new(std::f64::consts::PI, 0.0)));
        assert_eq!(SwingTwist::of(DQuat::IDENTITY), SwingTwist { twist: 0.0, swing: DVec2::ZERO });
    }
}
