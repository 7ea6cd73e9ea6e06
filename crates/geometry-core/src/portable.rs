//! Arithmetic that gives the same bits on every machine.
//!
//! glam's `Quat`, `Mat4` and `Affine3A` use the vector registers of the machine they are built for, and the order in
//! which they add products differs between machines. All numbers of a baked file or of a query's answer are computed by
//! these functions instead: plain `f32` in one fixed order, without fused multiply-add.

use glam::{Affine3A, DQuat, DVec3, Mat3, Mat3A, Quat, Vec3, Vec3A};

/// Returns the smallest `f32` that is at least `value`: infinity for values above `f32::MAX`, and NaN for NaN.
#[must_use]
#[inline]
pub fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { nearest.next_up() } else { nearest }
}

/// Returns the rotation matrix of a unit quaternion. Its columns are the rotated x, y and z axes.
///
/// The function accepts any length and normalizes nothing. A quaternion whose length has a rounding error gives axes
/// with the same relative error. So a caller that stores the quaternion must measure extents along *these* axes.
#[must_use]
pub fn mat3_from_quaternion(rotation: Quat) -> Mat3 {
    let [x, y, z, w] = rotation.to_array();
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz) = (x * x2, x * y2, x * z2);
    let (yy, yz, zz) = (y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Mat3::from_cols(
        Vec3::new(1.0 - (yy + zz), xy + wz, xz - wy),
        Vec3::new(xy - wz, 1.0 - (xx + zz), yz + wx),
        Vec3::new(xz + wy, yz - wx, 1.0 - (xx + yy)),
    )
}

/// Returns the shortest rotation from one unit vector to another, a unit quaternion. Between opposite vectors it is half a turn about
/// some axis at right angles to both.
#[must_use]
pub fn shortest_turn(from: DVec3, to: DVec3) -> DQuat {
    let w = 1.0 + from.dot(to);
    let turn = if w > 1e-12 { from.cross(to).extend(w) } else { from.any_orthonormal_vector().extend(0.0) };
    DQuat::from_vec4(turn).normalize()
}

/// Computes `matrix * vector`, and adds the columns in the order x, y, z.
#[must_use]
#[inline]
pub fn mat3_mul_vec3(matrix: &Mat3, vector: Vec3) -> Vec3 {
    matrix.x_axis * vector.x + matrix.y_axis * vector.y + matrix.z_axis * vector.z
}

/// Computes `a * b` for 3x3 matrices.
#[must_use]
#[inline]
pub fn mat3_mul(a: &Mat3, b: &Mat3) -> Mat3 {
    Mat3::from_cols(mat3_mul_vec3(a, b.x_axis), mat3_mul_vec3(a, b.y_axis), mat3_mul_vec3(a, b.z_axis))
}

/// Returns the linear part and the translation of an affine map, as scalar types.
#[must_use]
#[inline]
pub fn affine_parts(affine: &Affine3A) -> (Mat3, Vec3) {
    let m = &affine.matrix3;
    (Mat3::from_cols(Vec3::from(m.x_axis), Vec3::from(m.y_axis), Vec3::from(m.z_axis)), Vec3::from(affine.translation))
}

/// Makes an affine map from its linear part and translation.
#[must_use]
#[inline]
pub fn affine_from_parts(linear: &Mat3, translation: Vec3) -> Affine3A {
    Affine3A::from_mat3_translation(*linear, translation)
}

/// Computes `a * b`, the map that applies `b` first and then `a`.
#[must_use]
#[inline]
pub fn affine_mul(a: &Affine3A, b: &Affine3A) -> Affine3A {
    // Four numbers at a time, each product and sum rounded on its own, give the bits of `mat3_mul_vec3`.
    let m = &a.matrix3;
    let image = |v: Vec3A| m.x_axis * v.x + m.y_axis * v.y + m.z_axis * v.z;
    let b_linear = &b.matrix3;
    let linear = Mat3A::from_cols(image(b_linear.x_axis), image(b_linear.y_axis), image(b_linear.z_axis));
    Affine3A { matrix3: linear, translation: image(b.translation) + a.translation }
}

/// Returns the image of a point.
#[must_use]
#[inline]
pub fn affine_transform_point(affine: &Affine3A, point: Vec3) -> Vec3 {
    let (linear, translation) = affine_parts(affine);
    mat3_mul_vec3(&linear, point) + translation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_glam() {
        let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let ours = mat3_from_quaternion(rotation);
        assert!(ours.abs_diff_eq(Mat3::from_quat(rotation), 1e-6));
        let a = Affine3A::from_scale_rotation_translation(Vec3::new(1.0, 2.0, 3.0), rotation, Vec3::new(4.0, 5.0, 6.0));
        let b = Affine3A::from_rotation_translation(rotation, Vec3::new(-1.0, 0.5, 2.0));
        assert!(affine_mul(&a, &b).abs_diff_eq(a * b, 1e-5));
        let (linear, by_columns) =
            (affine_parts(&affine_mul(&a, &b)), mat3_mul(&affine_parts(&a).0, &affine_parts(&b).0));
        let (a_linear, a_translation) = affine_parts(&a);
        assert_eq!(linear, (by_columns, mat3_mul_vec3(&a_linear, affine_parts(&b).1) + a_translation));
        let p = Vec3::new(0.3, -0.2, 9.0);
        assert!(affine_transform_point(&a, p).abs_diff_eq(a.transform_point3(p), 1e-5));
    }
    #[test]
    fn the_shortest_turn_takes_one_direction_to_the_other() {
        let mut random = test_models::Random::new(6);
        for _ in 0..1_000 {
            let [from, to] = [(); 2].map(|()| random.in_box().normalize());
            let turn = shortest_turn(from, to);
            assert!((turn * from).distance(to) < 1e-12);
            // The axis of the shortest turn is at right angles to both.
            let axis = DVec3::new(turn.x, turn.y, turn.z);
            assert!(axis.dot(from).abs() < 1e-12 && axis.dot(to).abs() < 1e-12);
        }
        assert!((shortest_turn(DVec3::X, -DVec3::X) * DVec3::X).distance(-DVec3::X) < 1e-12);
    }
}
