//! Posed capsules and spheres.
//!
//! A matrix that scales equally in all directions maps a sphere to a sphere; other matrices map it to an ellipsoid. A
//! posed sphere has the baked radius times the largest scale of the matrix. A posed capsule has that radius around the
//! image of its segment. For every matrix, the posed shape therefore contains the image of the baked shape. Its record
//! is the box around it.

use crate::kernels::layout::{Record, Shape};
use baked_format::HitboxShape;
use geometry_core::portable::{affine_parts, round_up};
use glam::{Affine3A, DMat3, Vec3};

/// The amount by which the radius of a posed capsule is enlarged, as a share of the capsule's size. The axis is rounded
/// to `f32`, which moves the ends of the segment by less than half of this amount.
const AXIS_ROUNDING: f64 = 1.0 / 4_194_304.0;

/// The record of a capsule or a sphere: the box around the posed shape. `placed` is the box that the kernel placed.
/// `None` if the shape is not finite or out of range.
pub(crate) fn place_round(
    one: &Shape,
    shape: HitboxShape,
    placed: &Record,
    world_from_joint: &Affine3A,
) -> Option<Record> {
    let linear = affine_parts(world_from_joint).0.as_dmat3();
    let radius = f64::from(one.half.x) * largest_scale(&linear);
    let reach = f64::from(one.half.y) - f64::from(one.half.x);
    let along = linear * one.axes.y_axis.as_dvec3() * reach;
    let long = along.length();
    let record = if shape == HitboxShape::Sphere || long <= 0.0 {
        Record::new(placed.center(), Vec3::splat(round_up(radius)), placed.two_axes())
    } else {
        let y = along / long;
        let axes = placed.axes().as_dmat3();
        let across = |axis: glam::DVec3| axis - y * axis.dot(y);
        let (of_x, of_z) = (across(axes.x_axis), across(axes.z_axis));
        let x = if of_x.length_squared() >= of_z.length_squared() { of_x } else { of_z }.normalize();
        let radius = round_up(radius + AXIS_ROUNDING * (radius + long));
        let half = Vec3::new(radius, round_up(f64::from(radius) + long), radius);
        Record::new(placed.center(), half, [x.as_vec3(), y.as_vec3()])
    };
    Some(record).filter(Record::is_in_range)
}

/// The largest factor by which the matrix lengthens a vector: its largest singular value, rounded up.
fn largest_scale(linear: &DMat3) -> f64 {
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let mut gram = [[x.dot(x), x.dot(y), x.dot(z)], [x.dot(y), y.dot(y), y.dot(z)], [x.dot(z), y.dot(z), z.dot(z)]];
    // Jacobi rotations: after three rounds, the entries of a symmetric 3x3 matrix beside the diagonal are negligible.
    for (p, q) in [(0, 1), (0, 2), (1, 2)].into_iter().cycle().take(9) {
        rotate(&mut gram, p, q);
    }
    // Gershgorin's theorem: no eigenvalue is larger than the largest sum of a row.
    gram.map(|row| row.map(f64::abs).into_iter().sum::<f64>()).into_iter().fold(0.0, f64::max).sqrt()
}

/// Rotates the matrix so that its entries `p, q` and `q, p` become zero.
fn rotate(matrix: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let off = matrix[p][q];
    // Rounding can leave a zero on the diagonal just below zero.
    if off.abs() <= 1e-9 * matrix[p][p].abs().max(matrix[q][q].abs()) {
        return;
    }
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * off);
    let tangent = if theta < 0.0 { -1.0 } else { 1.0 } / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    let r = 3 - p - q;
    matrix[p][p] -= tangent * off;
    matrix[q][q] += tangent * off;
    let (of_p, of_q) = (matrix[r][p], matrix[r][q]);
    let (new_p, new_q) = (cosine * of_p - sine * of_q, sine * of_p + cosine * of_q);
    for (a, b, value) in [(p, q, 0.0), (r, p, new_p), (r, q, new_q)] {
        (matrix[a][b], matrix[b][a]) = (value, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3, Mat3};
    use proptest::prelude::*;

    fn any_matrix() -> impl Strategy<Value = DMat3> {
        let any = prop::array::uniform9(-2.0f64..2.0).prop_map(|c| DMat3::from_cols_array(&c));
        let scales = prop::array::uniform3(prop_oneof![-3.0f64..3.0, Just(1.0), Just(0.0)]);
        let turned = (prop::array::uniform4(-1.0f64..1.0), scales).prop_map(|(turn, scales)| {
            let turn = DMat3::from_quat(DQuat::from_array(turn).normalize());
            turn * DMat3::from_diagonal(DVec3::from_array(scales)) * turn.transpose()
        });
        prop_oneof![any, turned.prop_filter("a rotation", |matrix| matrix.is_finite())]
    }

    proptest! {
        /// No direction is scaled by more than the result, and one direction is scaled by as much, up to a millionth.
        #[test]
        fn the_largest_scale_is_that_of_some_direction(matrix in any_matrix()) {
            let found = largest_scale(&matrix);
            // The power method, by squaring 40 times: it ends with the columns of a power of 2 to the 40th. Fewer steps do
            // not tell apart two scales that differ by a ten-thousandth.
            let mut power = matrix.transpose() * matrix;
            for _ in 0..40 {
                let largest = power.to_cols_array().into_iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
                power = if largest > 0.0 { power * largest.recip() } else { power };
                power *= power;
            }
            let mut most: f64 = 0.0;
            for direction in [power.x_axis, power.y_axis, power.z_axis, DVec3::X, DVec3::Y, DVec3::Z] {
                most = most.max((matrix * direction.try_normalize().unwrap_or(DVec3::X)).length());
            }
            prop_assert!(found >= most * (1.0 - 1e-12), "{found} is less than {most}");
            prop_assert!(found <= most * (1.0 + 1e-6) + 1e-12, "{found} is more than {most}");
        }

        /// Points of the baked capsule and sphere stay in the posed shapes, for every matrix.
        #[test]
        fn the_posed_shape_holds_the_image(
            matrix in any_matrix(),
            radius in 0.0f32..1.0,
            reach in prop_oneof![0.0f32..2.0, Just(0.0)],
            ways in prop::collection::vec((prop::array::uniform3(-1.0f64..1.0), -1.0f64..1.0), 32),
        ) {
            use crate::kernels::joint_matrices::JointMatrices;
            use crate::kernels::posing::place_box;
            let matrix = matrix.as_mat3();
            let world_from_joint = Affine3A::from_mat3(matrix);
            let half = Vec3::new(radius, radius + reach, radius);
            for shape in [HitboxShape::Capsule, HitboxShape::Sphere] {
                let half = if shape == HitboxShape::Sphere { Vec3::splat(radius) } else { half };
                let axes = Mat3::IDENTITY;
                let one = Shape { joint: skeleton::JointIndex(0), center: Vec3::ZERO, half, axes };
                let matrices = JointMatrices { world_from_model: None, joints: &[world_from_joint] };
                let placed = place_box(&one, &matrices).unwrap();
                let record = place_round(&one, shape, &placed, &world_from_joint).unwrap();
                let obb = record.obb().unwrap();
                let posed = crate::pose::solid::Solid::without_hull(shape, obb).round().unwrap();
                for (way, place) in &ways {
                    let Some(way) = DVec3::from_array(*way).try_normalize() else { continue };
                    let point = DVec3::Y * f64::from(half.y - half.x) * *place + way * f64::from(radius);
                    let image = matrix.as_dmat3() * point;
                    let long = posed.half_segment.length_squared();
                    let along = if long > 0.0 { (image.dot(posed.half_segment) / long).clamp(-1.0, 1.0) } else { 0.0 };
                    let outside = (image - posed.half_segment * along).length() - posed.radius;
                    prop_assert!(outside <= 1e-9, "{outside} outside of {posed:?}");
                }
            }
        }
    }
}
