//! One box for a joint of several characters: around the boxes that they would have alone, or their mean.

use crate::error::BakeError;
use crate::fit::enclose::{TightBox, enclose, round_up, stored_orientation};
use crate::fit::orientation::orientation;
use crate::options::{Fit, Objective};
use geometry_core::portable;
use glam::{DMat3, DQuat, DVec3, Vec3};
use hull::ConvexHull;

/// Returns the smallest box found that holds all boxes. Its axes are those of the smallest box around their corners, or
/// those of one of the boxes. If all boxes are equal to the last bit, the result is this box.
///
/// # Errors
/// Returns [`BakeError::Hull`] only if the crate `hull` has a defect. `joint` is its name.
///
/// # Panics
/// If there is no box.
pub fn union_box(boxes: &[TightBox], joint: &str) -> Result<TightBox, BakeError> {
    if boxes.iter().all(|one| *one == boxes[0]) {
        return Ok(boxes[0]);
    }
    let points: Vec<DVec3> = boxes.iter().flat_map(corners).collect();
    let hull =
        ConvexHull::from_points(&points).map_err(|source| BakeError::Hull { joint: joint.to_owned(), source })?;
    let least = orientation(Fit::MinVolume, Objective::Volume, &hull, &points);
    let candidates = std::iter::once(least).chain(boxes.iter().map(axes));
    let around = candidates.map(|axes| enclose(&axes, &points));
    // If boxes have the same volume, `min_by` returns the first.
    Ok(around.min_by(|a, b| a.volume().total_cmp(&b.volume())).unwrap_or(boxes[0]))
}

/// Returns the box with the mean center, half extents and orientation. The axes of a box have no order, so the axes of
/// every other box are renamed and turned around to be as near as possible to those of the first box. If all boxes are
/// equal to the last bit, the result is this box.
///
/// # Panics
/// If there is no box.
#[must_use]
pub fn mean_box(boxes: &[TightBox]) -> TightBox {
    if boxes.iter().all(|one| *one == boxes[0]) {
        return boxes[0];
    }
    let first = DQuat::from_mat3(&axes(&boxes[0])).normalize();
    let (mut turn, mut center, mut half) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DVec3::ZERO, DVec3::ZERO);
    for one in boxes {
        let (near, size) = nearest_axes(one, first);
        turn += if near.dot(first) < 0.0 { -near } else { near };
        center += one.center.as_dvec3();
        half += size;
    }
    let count = boxes.len() as f64;
    let (orientation, _) = stored_orientation(&DMat3::from_quat(turn.normalize()));
    let [x, y, z] = (half / count).to_array().map(round_up);
    TightBox { center: (center / count).as_vec3(), half_extents: Vec3::new(x, y, z), orientation }
}

/// The 24 ways to name the axes of a box: the rotation whose axes are nearest to `to`, and the half extents along them.
fn nearest_axes(one: &TightBox, to: DQuat) -> (DQuat, DVec3) {
    let (own, half) = (axes(one), one.half_extents.as_dvec3());
    let mut best = (DQuat::IDENTITY, DVec3::ZERO, f64::NEG_INFINITY);
    for [x, y, z] in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]] {
        for signs in 0..4 {
            let sign = |bit: u32| if signs >> bit & 1 == 1 { -1.0 } else { 1.0 };
            let (first, second) = (sign(0) * own.col(x), sign(1) * own.col(y));
            let turn = DQuat::from_mat3(&DMat3::from_cols(first, second, first.cross(second))).normalize();
            let nearness = turn.dot(to).abs();
            if nearness > best.2 {
                best = (turn, DVec3::new(half[x], half[y], half[z]), nearness);
            }
        }
    }
    (best.0, best.1)
}

/// The eight corners, as the stored orientation decodes.
fn corners(one: &TightBox) -> [DVec3; 8] {
    let (axes, half) = (axes(one), one.half_extents.as_dvec3());
    std::array::from_fn(|corner| {
        let sign = |axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
        one.center.as_dvec3() + axes * (half * DVec3::new(sign(0), sign(1), sign(2)))
    })
}

fn axes(one: &TightBox) -> DMat3 {
    portable::mat3_from_quaternion(one.orientation).as_dmat3()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use test_models::Random;

    fn random_box(random: &mut Random, near: Quat) -> TightBox {
        let (orientation, _) = stored_orientation(&DMat3::from_quat(near.as_dquat().normalize()));
        let half_extents = Vec3::new(random.between(0.1, 1.0), random.between(0.1, 1.0), random.between(0.1, 1.0));
        TightBox { center: random.vector(), half_extents, orientation }
    }

    /// The largest distance of a corner outside the box.
    fn outside(outer: &TightBox, inner: &TightBox) -> f64 {
        let rows = axes(outer).inverse();
        let beyond = corners(inner).map(|corner| {
            ((rows * (corner - outer.center.as_dvec3())).abs() - outer.half_extents.as_dvec3()).max_element()
        });
        beyond.into_iter().fold(0.0, f64::max)
    }

    #[test]
    fn a_union_holds_every_box_and_is_no_larger_than_with_the_axes_of_any() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let boxes: Vec<TightBox> = (0..3)
                .map(|_| {
                    let near = random.rotation();
                    random_box(&mut random, near)
                })
                .collect();
            let union = union_box(&boxes, "arm").unwrap();
            for one in &boxes {
                assert!(outside(&union, one) < 1e-6, "{union:?} {one:?}");
                let points: Vec<DVec3> = boxes.iter().flat_map(corners).collect();
                assert!(union.volume() <= enclose(&axes(one), &points).volume());
            }
            assert_eq!(union_box(&[boxes[0]; 3], "arm").unwrap(), boxes[0]);
        }
    }

    /// A box with renamed axes is the same box, so it changes no mean.
    #[test]
    fn a_mean_does_not_depend_on_the_names_of_axes() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let near = random.rotation();
            let one = random_box(&mut random, near);
            let (own, half) = (axes(&one), one.half_extents);
            let (orientation, _) = stored_orientation(&DMat3::from_cols(own.y_axis, -own.x_axis, own.z_axis));
            let renamed = TightBox { orientation, half_extents: Vec3::new(half.y, half.x, half.z), ..one };
            let mean = mean_box(&[one, renamed]);
            assert!((mean.volume() / one.volume() - 1.0).abs() < 1e-5, "{mean:?} {one:?}");
            assert!(outside(&mean, &one) < 1e-5 && outside(&one, &mean) < 1e-5);
        }
    }

    #[test]
    fn a_mean_is_in_the_middle() {
        let at = |x: f32, half: f32| TightBox {
            center: Vec3::X * x,
            half_extents: Vec3::new(half, 2.0 * half, 4.0 * half),
            orientation: Quat::IDENTITY,
        };
        assert_eq!(mean_box(&[at(0.0, 1.0), at(4.0, 2.0)]), at(2.0, 1.5));
        assert_eq!(mean_box(&[at(1.0, 0.3); 3]), at(1.0, 0.3));
    }
}
