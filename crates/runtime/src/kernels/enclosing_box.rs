//! The box around a box that a matrix has scaled or sheared.
//!
//! A matrix takes a box to a parallelepiped. Where its three edges stay perpendicular (rotation, mirroring, uniform
//! scale, scale along the box's own axes) that is a box again, and it is taken as it is. Otherwise the box around it
//! has one axis along an edge and one along the normal of a face that holds this edge; of the six such boxes the one
//! of least volume is taken. Both come from Gram–Schmidt over the edges in some order, and the half extents are always
//! the reach of the whole parallelepiped along the resulting axes, so that nothing is ever lost, however skew.

use glam::{DVec3, Mat3, Vec3};

/// Squared cosine up to which two edges count as perpendicular. Above it the six orders are compared; below, the
/// given order is used, whose box is larger by no more than a share of [`SKEW_SQUARED`]'s root. Half of it is below
/// half a unit in the last place of 1, so that what makes an edge perpendicular leaves its length.
pub(crate) const SKEW_SQUARED: f32 = 1e-8;
/// Squared edge lengths for which the single precision path neither over- nor underflows.
pub(crate) const ORDINARY: std::ops::RangeInclusive<f32> = 1e-12..=1e12;

/// Axes (columns, unit, right-handed) and half extents of a box around the parallelepiped `edges * [-half, half]`.
/// `None` where that is not finite.
#[inline]
pub(crate) fn enclosing_box(edges: &Mat3, half: Vec3) -> Option<(Mat3, Vec3)> {
    let [x, y, z] = [edges.x_axis, edges.y_axis, edges.z_axis];
    let squares = [dot(x, x), dot(y, y), dot(z, z)];
    let ordinary = squares.iter().all(|square| ORDINARY.contains(square));
    let perpendicular = |cosine: f32, a: f32, b: f32| cosine * cosine <= SKEW_SQUARED * (a * b);
    if ordinary
        && perpendicular(dot(x, y), squares[0], squares[1])
        && perpendicular(dot(x, z), squares[0], squares[2])
        && perpendicular(dot(y, z), squares[1], squares[2])
    {
        // Both roots at once: what is taken from `y` is too little to change its length, by SKEW_SQUARED / 2 at most.
        let first = x * (1.0 / squares[0].sqrt());
        let along_y = y * (1.0 / squares[1].sqrt());
        let second = along_y - first * dot(first, along_y);
        let axes = Mat3::from_cols(first, second, cross(first, second));
        let reach =
            |axis: Vec3| dot(axis, x).abs() * half.x + dot(axis, y).abs() * half.y + dot(axis, z).abs() * half.z;
        let half = Vec3::new(reach(axes.x_axis), reach(axes.y_axis), reach(axes.z_axis));
        return half.is_finite().then_some((axes, half));
    }
    least_of_six(edges, half)
}

#[inline]
fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

#[inline]
fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// In double precision: squares of any single precision number fit.
#[cold]
fn least_of_six(edges: &Mat3, half: Vec3) -> Option<(Mat3, Vec3)> {
    if !(edges.is_finite() && half.is_finite()) {
        return None;
    }
    let edges = [edges.x_axis.as_dvec3(), edges.y_axis.as_dvec3(), edges.z_axis.as_dvec3()];
    let half = half.as_dvec3();
    let mut best: Option<(f64, f64, Mat3, DVec3)> = None;
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let axes = gram_schmidt(order.map(|k| edges[k]));
        // Measured along the axes that are kept, that is after rounding.
        let kept = axes.map(|axis| axis.as_vec3());
        let reach = kept.map(|axis| {
            let axis = axis.as_dvec3();
            axis.dot(edges[0]).abs() * half.x + axis.dot(edges[1]).abs() * half.y + axis.dot(edges[2]).abs() * half.z
        });
        let (volume, girth) = (reach[0] * reach[1] * reach[2], reach[0] + reach[1] + reach[2]);
        if best.as_ref().is_none_or(|best| (volume, girth) < (best.0, best.1)) {
            best = Some((volume, girth, Mat3::from_cols(kept[0], kept[1], kept[2]), reach.into()));
        }
    }
    let (_, _, axes, reach) = best?;
    let half = Vec3::from_array(reach.to_array().map(round_up));
    half.is_finite().then_some((axes, half))
}

/// The least `f32` that is not below.
fn round_up(value: f64) -> f32 {
    let near = value as f32;
    if f64::from(near) < value { near.next_up() } else { near }
}

/// Three unit axes, right-handed: the first along the first edge that has a direction, the second in the plane of the
/// first two; world axes where edges have collapsed.
fn gram_schmidt(edges: [DVec3; 3]) -> [DVec3; 3] {
    /// Share of an edge that must stand off the axes already found: less is noise of its single precision components.
    const INDEPENDENT: f64 = 1e-6;
    let fallback = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut axes = [DVec3::ZERO; 3];
    let mut found = 0;
    for candidate in edges.into_iter().chain(fallback) {
        let scale = candidate.abs().max_element();
        if scale == 0.0 || found == 2 {
            continue;
        }
        let direction = (candidate / scale).normalize_or_zero();
        let rest = direction - axes[0] * axes[0].dot(direction);
        let size = length(rest);
        if size > INDEPENDENT {
            axes[found] = rest / size;
            found += 1;
        }
    }
    axes[2] = axes[0].cross(axes[1]);
    axes
}

fn length(v: DVec3) -> f64 {
    (v.x * v.x + v.y * v.y + v.z * v.z).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use proptest::prelude::*;

    fn vector(range: f32) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-range..range).prop_map(Vec3::from_array)
    }

    fn rotation() -> impl Strategy<Value = Mat3> {
        prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("has a direction", |q| q.iter().map(|c| c * c).sum::<f32>() > 0.01)
            .prop_map(|q| Mat3::from_quat(Quat::from_array(q).normalize()))
    }

    fn assert_encloses(edges: &Mat3, half: Vec3) -> (Mat3, Vec3) {
        let (axes, reach) = enclosing_box(edges, half).unwrap();
        let size = f64::from(reach.length()) + 1e-30;
        for (i, axis) in [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().enumerate() {
            assert!((axis.length() - 1.0).abs() < 1e-6, "{axis}");
            for corner in 0..8 {
                let sign = |k: usize| if corner >> k & 1 == 1 { 1.0 } else { -1.0 };
                let h = Vec3::new(sign(0), sign(1), sign(2)) * half;
                let point = edges.x_axis.as_dvec3() * f64::from(h.x)
                    + edges.y_axis.as_dvec3() * f64::from(h.y)
                    + edges.z_axis.as_dvec3() * f64::from(h.z);
                assert!(point.dot(axis.as_dvec3()).abs() <= f64::from(reach[i]) + 1e-6 * size);
            }
        }
        let skew = axes.x_axis.dot(axes.y_axis).abs().max(axes.x_axis.dot(axes.z_axis).abs());
        assert!(skew < 1e-6 && axes.determinant() > 0.0);
        (axes, reach)
    }

    proptest! {
        #[test]
        fn encloses_whatever_the_matrix(edges in prop::array::uniform3(vector(3.0)), half in vector(2.0)) {
            assert_encloses(&Mat3::from_cols(edges[0], edges[1], edges[2]), half.abs());
        }

        #[test]
        fn similarity_is_exact(turn in rotation(), scale in 0.001f32..1000.0, half in vector(2.0), mirror: bool) {
            let scale = if mirror { -scale } else { scale };
            let half = half.abs();
            let (axes, reach) = assert_encloses(&(turn * scale), half);
            prop_assert!((reach - half * scale.abs()).abs().max_element() <= 2e-6 * scale.abs() * half.max_element());
            prop_assert!(axes.x_axis.dot(turn.x_axis).abs() > 0.999_999);
        }

        #[test]
        fn scale_along_the_box_is_exact(turn in rotation(), scale in prop::array::uniform3(0.01f32..100.0), half in vector(2.0)) {
            let scale = Vec3::from_array(scale);
            let half = half.abs();
            let (_, reach) = assert_encloses(&(turn * Mat3::from_diagonal(scale)), half);
            prop_assert!((reach - half * scale).abs().max_element() <= 3e-6 * (half * scale).max_element());
        }

        #[test]
        fn shear_is_no_larger_than_any_order(edges in prop::array::uniform3(vector(3.0))) {
            // The twin: the smallest of the boxes flush with a face and an edge, in f64, is what is chosen.
            let edges = Mat3::from_cols(edges[0], edges[1], edges[2]);
            prop_assume!(edges.determinant().abs() > 0.1);
            let (_, reach) = enclosing_box(&edges, Vec3::ONE).unwrap();
            let columns = [edges.x_axis.as_dvec3(), edges.y_axis.as_dvec3(), edges.z_axis.as_dvec3()];
            for (i, j) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
                let first = columns[i].normalize();
                let normal = columns[i].cross(columns[j]).normalize();
                let volume: f64 = [first, normal, normal.cross(first)]
                    .iter()
                    .map(|axis| columns.iter().map(|edge| axis.dot(*edge).abs()).sum::<f64>())
                    .product();
                prop_assert!(f64::from(reach.x * reach.y * reach.z) <= volume * 1.0001);
            }
        }
    }

    #[test]
    fn collapsed_joints_give_flat_boxes_not_nan() {
        for (edges, thick) in [
            (Mat3::ZERO, 0),
            (Mat3::from_cols(Vec3::X, Vec3::ZERO, Vec3::ZERO), 1),
            (Mat3::from_cols(Vec3::ZERO, Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO), 1),
            (Mat3::from_cols(Vec3::X, Vec3::Y, Vec3::ZERO), 2),
            (Mat3::from_cols(Vec3::X, Vec3::X, Vec3::X), 1),
        ] {
            let (_, reach) = assert_encloses(&edges, Vec3::ONE);
            assert_eq!(reach.to_array().iter().filter(|&&h| h > 1e-6).count(), thick, "{edges} gives {reach}");
        }
    }

    #[test]
    fn extreme_scales_are_kept_and_overflow_is_refused() {
        let (_, reach) = assert_encloses(&Mat3::from_diagonal(Vec3::splat(1e-20)), Vec3::ONE);
        assert!((reach / 1e-20 - Vec3::ONE).abs().max_element() < 1e-6);
        let (_, reach) = enclosing_box(&Mat3::from_diagonal(Vec3::splat(1e30)), Vec3::ONE).unwrap();
        assert!((reach / 1e30 - Vec3::ONE).abs().max_element() < 1e-6);
        assert_eq!(enclosing_box(&Mat3::from_diagonal(Vec3::splat(1e30)), Vec3::splat(1e30)), None);
        assert_eq!(enclosing_box(&(Mat3::IDENTITY * f32::NAN), Vec3::ONE), None);
        assert_eq!(enclosing_box(&Mat3::from_cols(Vec3::X, Vec3::Y * f32::INFINITY, Vec3::Z), Vec3::ONE), None);
    }
}
