//! Rotations with `libm`, so that every machine writes the same file.

use glam::{DMat3, DQuat, DVec3};

/// The rotation by `degrees` about a unit axis, counter-clockwise seen from the tip of the axis.
#[must_use]
pub fn about(axis: DVec3, degrees: f64) -> DMat3 {
    DMat3::from_quat(quaternion_about(axis, degrees.to_radians()))
}

fn quaternion_about(axis: DVec3, radians: f64) -> DQuat {
    let (sine, cosine) = (libm::sin(radians * 0.5), libm::cos(radians * 0.5));
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// A lean forward (x), a turn to the left (y) and a tilt to the right (z), in degrees. The tilt is applied first and
/// the turn last.
#[must_use]
pub fn lean_turn_tilt(degrees: DVec3) -> DMat3 {
    about(DVec3::Y, degrees.y) * about(DVec3::X, degrees.x) * about(DVec3::Z, degrees.z)
}

/// The unit quaternion of a rotation matrix.
#[must_use]
pub fn quaternion(rotation: &DMat3) -> DQuat {
    DQuat::from_mat3(rotation).normalize()
}

/// The rotation between `a` (share 0) and `b` (share 1) along the shorter arc.
#[must_use]
pub fn between(a: &DMat3, b: &DMat3, share: f64) -> DMat3 {
    let step = quaternion(&(*b * a.transpose()));
    let step = if step.w < 0.0 { -step } else { step };
    let axis = step.xyz();
    let sine = axis.length();
    if sine < 1e-12 {
        return *a;
    }
    let half_angle = libm::atan2(sine, step.w);
    DMat3::from_quat(quaternion_about(axis / sine, 2.0 * half_angle * share)) * *a
}

/// The shortest rotation that takes one unit vector to another, which must not be its opposite.
#[must_use]
pub fn carrying(from: DVec3, to: DVec3) -> DMat3 {
    let axis = from.cross(to);
    DMat3::from_quat(DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + from.dot(to)).normalize())
}

/// The twist of a rotation about a unit axis, in degrees, without its swing.
#[must_use]
pub fn twist_degrees(rotation: &DMat3, axis: DVec3) -> f64 {
    let q = quaternion(rotation);
    let q = if q.w < 0.0 { -q } else { q };
    (2.0 * libm::atan2(q.xyz().dot(axis), q.w)).to_degrees()
}

/// Right-handed axes with y along `along`, and z as near as possible to `towards`.
#[must_use]
pub fn frame(along: DVec3, towards: DVec3) -> DMat3 {
    let y = along.normalize();
    let z = perpendicular(y, towards);
    DMat3::from_cols(y.cross(z), y, z)
}

/// The unit vector that is perpendicular to the unit vector `axis` and nearest to `towards`. If the two are parallel,
/// it is any perpendicular vector.
#[must_use]
pub fn perpendicular(axis: DVec3, towards: DVec3) -> DVec3 {
    for candidate in [towards, DVec3::Z, DVec3::X] {
        let rest = candidate - axis * axis.dot(candidate);
        if rest.length_squared() > 1e-12 {
            return rest.normalize();
        }
    }
    axis.any_orthonormal_vector()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_as_named() {
        assert!((lean_turn_tilt(DVec3::X * 90.0) * DVec3::Y).abs_diff_eq(DVec3::Z, 1e-12), "leans forward");
        assert!((lean_turn_tilt(DVec3::Y * 90.0) * DVec3::Z).abs_diff_eq(DVec3::X, 1e-12), "turns left");
        assert!((lean_turn_tilt(DVec3::Z * 90.0) * DVec3::Y).abs_diff_eq(-DVec3::X, 1e-12), "tilts right");
    }

    #[test]
    fn half_way_is_half_the_angle() {
        let (a, b) = (about(DVec3::Y, 10.0), about(DVec3::Y, 70.0));
        assert!(between(&a, &b, 0.5).abs_diff_eq(about(DVec3::Y, 40.0), 1e-12));
        assert!((twist_degrees(&(about(DVec3::X, 20.0) * about(DVec3::Y, 33.0)), DVec3::Y) - 33.0).abs() < 1e-9);
    }
}
