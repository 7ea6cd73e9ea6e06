//! Unit quaternions in `f64` with the same bits on every machine: sums have a fixed order, and trigonometry is
//! `libm`'s.

use glam::{DMat3, DQuat, DVec3, Quat};

/// `a * b`, which applies `b` first.
#[inline]
pub(crate) fn mul(a: DQuat, b: DQuat) -> DQuat {
    DQuat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// The inverse of a unit quaternion.
#[inline]
pub(crate) fn inverse(q: DQuat) -> DQuat {
    DQuat::from_xyzw(-q.x, -q.y, -q.z, q.w)
}

/// Rotates a vector.
#[inline]
pub(crate) fn rotate(q: DQuat, vector: DVec3) -> DVec3 {
    let axis = DVec3::new(q.x, q.y, q.z);
    let twice = axis.cross(vector) * 2.0;
    vector + twice * q.w + axis.cross(twice)
}

fn dot(a: DQuat, b: DQuat) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

/// The quaternion with unit length. `None` if its length is 0, tiny or not finite.
#[inline]
pub(crate) fn normalized(q: DQuat) -> Option<DQuat> {
    let length = dot(q, q).sqrt();
    (length > 1e-6 && length < 1e6).then(|| DQuat::from_xyzw(q.x / length, q.y / length, q.z / length, q.w / length))
}

/// Converts from single precision and normalizes; the identity if the length is zero.
#[inline]
pub(crate) fn from_quat(q: Quat) -> DQuat {
    normalized(q.as_dquat()).unwrap_or(DQuat::IDENTITY)
}

/// Converts to single precision.
#[inline]
pub(crate) fn to_quat(q: DQuat) -> Quat {
    Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32)
}

/// The unit vector in a direction. `None` if the vector has no length.
pub(crate) fn direction(vector: DVec3) -> Option<DVec3> {
    let length = vector.dot(vector).sqrt();
    (length > 1e-9 && length < 1e9).then(|| vector / length)
}

/// The shortest rotation that turns the unit vector `from` to the unit vector `to`.
pub(crate) fn between(from: DVec3, to: DVec3) -> DQuat {
    let cosine = from.dot(to);
    if cosine < -1.0 + 1e-12 {
        let other = if libm::fabs(from.x) < 0.5 { DVec3::X } else { DVec3::Y };
        let axis = direction(from.cross(other)).unwrap_or(DVec3::Z);
        return DQuat::from_xyzw(axis.x, axis.y, axis.z, 0.0);
    }
    let axis = from.cross(to);
    normalized(DQuat::from_xyzw(axis.x, axis.y, axis.z, 1.0 + cosine)).unwrap_or(DQuat::IDENTITY)
}

/// A rotation about a unit axis; the angle is in radians.
pub(crate) fn about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The rotation axis times the angle in radians; the angle is from 0 to pi.
pub(crate) fn to_rotation_vector(q: DQuat) -> DVec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let axis = DVec3::new(q.x, q.y, q.z);
    let sine = axis.dot(axis).sqrt();
    if sine < 1e-12 { axis * 2.0 } else { axis * (2.0 * libm::atan2(sine, q.w) / sine) }
}

/// The rotation about an axis by an angle in radians, given as axis times angle.
pub(crate) fn from_rotation_vector(vector: DVec3) -> DQuat {
    match direction(vector) {
        Some(axis) => about(axis, vector.dot(axis)),
        None => DQuat::IDENTITY,
    }
}

/// The angle of the rotation from `a` to `b`, in radians from 0 to pi.
#[cfg(test)]
pub(crate) fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let vector = to_rotation_vector(mul(inverse(a), b));
    vector.dot(vector).sqrt()
}

/// Interpolates from `a` (fraction 0) to `b` (fraction 1) along the shorter arc.
pub(crate) fn slerp(a: DQuat, b: DQuat, fraction: f64) -> DQuat {
    let step = to_rotation_vector(mul(inverse(a), b)) * fraction;
    normalized(mul(a, from_rotation_vector(step))).unwrap_or(a)
}

/// The part of a rotation that turns about a unit axis: `q = swing * twist` (swing-twist decomposition).
pub(crate) fn twist_about(q: DQuat, axis: DVec3) -> DQuat {
    let along = DVec3::new(q.x, q.y, q.z).dot(axis);
    let part = axis * along;
    // A half turn about a perpendicular axis has no twist.
    normalized(DQuat::from_xyzw(part.x, part.y, part.z, q.w)).unwrap_or(DQuat::IDENTITY)
}

/// The rotation of a matrix whose columns are orthonormal (Shepperd 1978).
pub(crate) fn from_axes(axes: &DMat3) -> DQuat {
    let [x, y, z] = [axes.x_axis, axes.y_axis, axes.z_axis];
    let squares = [x.x - y.y - z.z, y.y - x.x - z.z, z.z - x.x - y.y, x.x + y.y + z.z].map(|trace| 1.0 + trace);
    let largest = (1..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let (xy, yz, zx) = (x.y + y.x, y.z + z.y, z.x + x.z);
    let (yz_w, zx_w, xy_w) = (y.z - z.y, z.x - x.z, x.y - y.x);
    let q = match largest {
        0 => DQuat::from_xyzw(squares[0], xy, zx, yz_w),
        1 => DQuat::from_xyzw(xy, squares[1], yz, zx_w),
        2 => DQuat::from_xyzw(zx, yz, squares[2], xy_w),
        _ => DQuat::from_xyzw(yz_w, zx_w, xy_w, squares[3]),
    };
    normalized(q).unwrap_or(DQuat::IDENTITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: DVec3, b: DVec3) -> bool {
        (a - b).length() < 1e-12
    }

    #[test]
    fn turns_follow_the_right_hand() {
        let quarter = about(DVec3::Z, std::f64::consts::FRAC_PI_2);
        assert!(close(rotate(quarter, DVec3::X), DVec3::Y));
        assert!(close(rotate(mul(about(DVec3::X, 1.0), quarter), DVec3::X), rotate(about(DVec3::X, 1.0), DVec3::Y)));
        assert!(close(rotate(inverse(quarter), DVec3::Y), DVec3::X));
    }

    #[test]
    fn between_takes_the_shortest_way_even_to_the_opposite() {
        for (from, to) in
            [(DVec3::X, DVec3::Y), (DVec3::X, DVec3::NEG_X), (DVec3::Y, DVec3::NEG_Y), (DVec3::Z, DVec3::Z)]
        {
            assert!(close(rotate(between(from, to), from), to), "{from} {to}");
        }
        assert!(
            (angle_between(DQuat::IDENTITY, between(DVec3::X, DVec3::Y)) - std::f64::consts::FRAC_PI_2).abs() < 1e-12
        );
    }

    #[test]
    fn vectors_slerp_and_twist_agree() {
        let q = mul(about(DVec3::Y, 0.7), about(DVec3::X, -0.4));
        assert!(angle_between(from_rotation_vector(to_rotation_vector(q)), q) < 1e-12);
        assert!(angle_between(from_rotation_vector(to_rotation_vector(-q)), q) < 1e-12);
        let half = slerp(DQuat::IDENTITY, q, 0.5);
        assert!(angle_between(mul(half, half), q) < 1e-12);
        assert!(angle_between(twist_about(q, DVec3::X), about(DVec3::X, -0.4)) < 1e-12);
        assert_eq!(from_rotation_vector(DVec3::ZERO), DQuat::IDENTITY);
    }

    #[test]
    fn axes_give_their_rotation_back() {
        for q in
            [DQuat::IDENTITY, about(DVec3::X, 3.0), about(DVec3::Y, 3.0), about(DVec3::Z, 3.0), about(DVec3::X, 0.3)]
        {
            let axes = DMat3::from_cols(rotate(q, DVec3::X), rotate(q, DVec3::Y), rotate(q, DVec3::Z));
            assert!(angle_between(from_axes(&axes), q) < 1e-12);
        }
    }
}
