//! The box around a box that a matrix has scaled or sheared.
//!
//! A matrix takes a box to a parallelepiped. If the three edges of the parallelepiped are perpendicular (after rotation,
//! mirroring, uniform scale, or scale along the box's own axes), the parallelepiped is the result. Otherwise the result
//! is a box around the parallelepiped with one axis along an edge and one along the normal of a face that has this edge.
//! Six boxes are like that, and the one of least volume is taken. The axes of each of the six come from Gram–Schmidt over
//! the edges in one of the six orders. The half extents are always the reach of the whole parallelepiped along the axes,
//! so the box contains the parallelepiped for every matrix.
//!
//! The six volumes follow from the dot products of the edges alone, so only the chosen box is built ([`sheared_box`],
//! which [`super::posing`] repeats bit by bit). If edges are nearly parallel or collapsed, or if their squares leave the
//! range of single precision, [`least_of_six`] computes the box in double precision.

use super::layout::{cross, dot};
use geometry_core::portable::round_up;
use glam::{DVec3, Mat3, Vec3};

/// The squared cosine up to which two edges count as perpendicular. If a squared cosine is larger, the six orders are
/// compared. Otherwise the given order is used, and its box is larger by a share of at most the root of this number.
/// Half of this number is below half a unit in the last place of 1, so making an edge perpendicular does not change its
/// rounded length.
pub(crate) const SKEW_SQUARED: f32 = 1e-8;
/// Squared edge lengths for which the single precision path neither over- nor underflows.
pub(crate) const ORDINARY: std::ops::RangeInclusive<f32> = 1e-12..=1e12;

/// [`sheared_box`] is used only if the squared cross product of two edges is at least this share of the product of their
/// squared lengths. The number is the squared sine of seven degrees.
pub(crate) const LEAST_SINE_SQUARED: f32 = 1.0 / 64.0;
/// [`sheared_box`] is used only if the squared volume is at least this share of the product of the three squared lengths.
pub(crate) const LEAST_VOLUME_SQUARED: f32 = 1.0 / 4096.0;
/// The share of the sum of the half extents that is added to each half extent when volumes are compared. It makes the
/// box of least area the box of least volume if the parallelepiped is flat.
pub(crate) const THICKENING: f32 = 1.0 / 131_072.0;
/// The factor by which a later one of the six boxes must be smaller to be taken, so that rounding does not decide
/// between equal boxes.
pub(crate) const CLEARLY_LESS: f32 = 1.0 + 1.0 / 65_536.0;
/// The amount by which the reach of a sheared box is enlarged, as a share of the sum of the edges' lengths. Each reach
/// rounds by less than six times 2^-24 of that sum.
pub(crate) const REACH_SLACK: f32 = 1.0 / 2_097_152.0;

/// The axes (unit columns, right-handed) and the half extents of a box around the parallelepiped
/// `edges * [-half, half]`. `None` if the result is not finite.
#[inline]
pub(crate) fn enclosing_box(edges: &Mat3, half: Vec3) -> Option<(Mat3, Vec3)> {
    let [x, y, z] = [edges.x_axis, edges.y_axis, edges.z_axis];
    let squares = [dot(x, x), dot(y, y), dot(z, z)];
    let cosines = [dot(x, y), dot(x, z), dot(y, z)];
    let ordinary = squares.iter().all(|square| ORDINARY.contains(square));
    let perpendicular = |cosine: f32, a: f32, b: f32| cosine * cosine <= SKEW_SQUARED * (a * b);
    if ordinary
        && perpendicular(cosines[0], squares[0], squares[1])
        && perpendicular(cosines[1], squares[0], squares[2])
        && perpendicular(cosines[2], squares[1], squares[2])
    {
        // Dividing `y` by its length first lets both roots be computed side by side. The next step shortens `along_y` by a
        // share of at most SKEW_SQUARED / 2, which is too little to matter.
        let first = x * (1.0 / squares[0].sqrt());
        let along_y = y * (1.0 / squares[1].sqrt());
        let second = along_y - first * dot(first, along_y);
        let axes = Mat3::from_cols(first, second, cross(first, second));
        let half = reach(&axes, edges, half);
        return half.is_finite().then_some((axes, half));
    }
    let sheared = if ordinary { sheared_box(edges, half, squares, cosines) } else { None };
    match sheared {
        Some((axes, half)) => half.is_finite().then_some((axes, half)),
        None => least_of_six(edges, half),
    }
}

/// The reach of the parallelepiped along each axis.
#[inline]
fn reach(axes: &Mat3, edges: &Mat3, half: Vec3) -> Vec3 {
    let along = |axis: Vec3| {
        dot(axis, edges.x_axis).abs() * half.x
            + dot(axis, edges.y_axis).abs() * half.y
            + dot(axis, edges.z_axis).abs() * half.z
    };
    Vec3::new(along(axes.x_axis), along(axes.y_axis), along(axes.z_axis))
}

/// The two edges on which each of the six boxes stands. If two boxes have the same volume, the earlier one is taken. The
/// box's first axis runs along the first edge, and its second axis lies in the plane of both edges. The third number of
/// a row is the remaining edge.
pub(crate) const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The index of the dot product of two different edges in the list of the dot products of x and y, x and z, y and z.
pub(crate) const fn of_edges(a: usize, b: usize) -> usize {
    a + b - 1
}

/// The least of the six boxes, in single precision. `None` if edges are too nearly parallel for single precision.
///
/// With edges `e`, their dot products `g` and the squared face areas `n = |e_i x e_j|^2`, the box on the edges `i` and
/// `j` reaches `(g_ii h_i + |g_ij| h_j + |g_ik| h_k) / |e_i|` along edge `i`, `(n h_j + |g_jk g_ii - g_ik g_ij| h_k) /
/// (sqrt(n) |e_i|)` in the plane of both, and along the normal `h_k / sqrt(n)` times the volume of the edges, a factor
/// that is the same for all six boxes.
fn sheared_box(edges: &Mat3, half: Vec3, squares: [f32; 3], cosines: [f32; 3]) -> Option<(Mat3, Vec3)> {
    let e = [edges.x_axis, edges.y_axis, edges.z_axis];
    let across = [cross(e[0], e[1]), cross(e[0], e[2]), cross(e[1], e[2])];
    let areas = across.map(|normal| dot(normal, normal));
    for [i, j, _] in [ORDERS[0], ORDERS[1], ORDERS[3]] {
        let is_well_apart = LEAST_SINE_SQUARED * (squares[i] * squares[j]) <= areas[of_edges(i, j)];
        if !is_well_apart {
            return None;
        }
    }
    let volume = dot(across[0], e[2]);
    let is_solid = LEAST_VOLUME_SQUARED * (squares[0] * squares[1] * squares[2]) <= volume * volume;
    if !is_solid {
        return None;
    }

    let thicker = (half.x + half.y + half.z) * THICKENING;
    let h = [half.x + thicker, half.y + thicker, half.z + thicker];
    let mut first = e[0];
    let mut second = e[1];
    let mut least = f32::INFINITY;
    for [i, j, k] in ORDERS {
        let along = (squares[i] * h[i] + cosines[of_edges(i, j)].abs() * h[j]) + cosines[of_edges(i, k)].abs() * h[k];
        let skew = (cosines[of_edges(j, k)] * squares[i] - cosines[of_edges(i, k)] * cosines[of_edges(i, j)]).abs();
        let area = areas[of_edges(i, j)];
        let in_plane = area * h[j] + skew * h[k];
        let size = ((along / squares[i]) * (h[k] / area)) * in_plane;
        let keep = least <= size * CLEARLY_LESS;
        if !keep {
            (first, second, least) = (e[i], e[j], size);
        }
    }

    let axis_x = first * (1.0 / dot(first, first).sqrt());
    let toward_y = second * (1.0 / dot(second, second).sqrt());
    let toward_y = toward_y - axis_x * dot(axis_x, toward_y);
    let toward_y = toward_y * (1.0 / dot(toward_y, toward_y).sqrt());
    // The step is repeated, because the first one has a rounding error in proportion to what it subtracted.
    let axis_y = toward_y - axis_x * dot(axis_x, toward_y);
    let axes = Mat3::from_cols(axis_x, axis_y, cross(axis_x, axis_y));
    let lengths = squares.map(f32::sqrt);
    let slack = (lengths[0] * half.x + lengths[1] * half.y + lengths[2] * half.z) * REACH_SLACK;
    Some((axes, reach(&axes, edges, half) + Vec3::splat(slack)))
}

/// The least of the six boxes in double precision: squares of any single precision number fit, and no edges are too
/// nearly parallel.
#[cold]
fn least_of_six(edges: &Mat3, half: Vec3) -> Option<(Mat3, Vec3)> {
    if !(edges.is_finite() && half.is_finite()) {
        return None;
    }
    let edges = [edges.x_axis.as_dvec3(), edges.y_axis.as_dvec3(), edges.z_axis.as_dvec3()];
    let half = half.as_dvec3();
    let mut best: Option<(f64, f64, Mat3, DVec3)> = None;
    for order in ORDERS {
        let [x, y] = gram_schmidt(order.map(|k| edges[k])).map(|axis| axis.as_vec3());
        // The reach is measured along the rounded axes, because these are returned.
        let kept = [x, y, cross(x, y)];
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

/// Two unit axes at right angles. The first runs along the first edge that has a direction, and the second lies in the
/// plane of this edge and the next edge that is not parallel to it. World axes take the place of edges that have collapsed.
fn gram_schmidt(edges: [DVec3; 3]) -> [DVec3; 2] {
    /// The least share of an edge that must be perpendicular to the axes already found. A smaller share can be rounding
    /// noise of the single precision components.
    const INDEPENDENT: f64 = 1e-6;
    let fallback = [DVec3::X, DVec3::Y, DVec3::Z];
    let mut axes = [DVec3::ZERO; 2];
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

    fn lengths(edges: &Mat3) -> f32 {
        edges.x_axis.length() + edges.y_axis.length() + edges.z_axis.length()
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

        /// The volume of the box of single precision is at most 0.2 % above that of the box of double precision.
        #[test]
        fn single_precision_finds_the_box_that_double_precision_finds(
            turn in rotation(),
            scale in prop::array::uniform3(0.1f32..10.0),
            of_box in rotation(),
            half in vector(2.0),
            flat in 0usize..4,
            size in -5i32..6,
        ) {
            let edges = turn * Mat3::from_diagonal(Vec3::from_array(scale)) * of_box * 10f32.powi(size);
            let mut half = half.abs() + 0.01;
            if flat < 3 {
                half[flat] = 0.0;
            }
            let [x, y, z] = [edges.x_axis, edges.y_axis, edges.z_axis];
            let squares = [dot(x, x), dot(y, y), dot(z, z)];
            let found = sheared_box(&edges, half, squares, [dot(x, y), dot(x, z), dot(y, z)]);
            prop_assume!(found.is_some());
            let (_, reach) = found.unwrap();
            let (_, expected) = least_of_six(&edges, half).unwrap();
            // Both boxes are thickened by the same amount, because the volume of a flat box is 0.
            let thick = half.element_sum() * lengths(&edges) * 1e-3;
            let volume = |reach: Vec3| (reach.as_dvec3() + f64::from(thick)).element_product();
            prop_assert!(volume(reach) <= volume(expected) * 1.002, "{reach} {expected}");
        }

        /// No corner of the parallelepiped is outside along any axis, to the last bit.
        #[test]
        fn sheared_boxes_hold_every_corner(
            turn in rotation(),
            scale in prop::array::uniform3(0.1f32..10.0),
            of_box in rotation(),
            half in vector(2.0),
        ) {
            let edges = turn * Mat3::from_diagonal(Vec3::from_array(scale)) * of_box;
            let [x, y, z] = [edges.x_axis, edges.y_axis, edges.z_axis];
            let squares = [dot(x, x), dot(y, y), dot(z, z)];
            let half = half.abs();
            let found = sheared_box(&edges, half, squares, [dot(x, y), dot(x, z), dot(y, z)]);
            prop_assume!(found.is_some());
            let (axes, reach) = found.unwrap();
            for (axis, reach) in [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().zip(reach.to_array()) {
                let along = |edge: Vec3, half: f32| axis.as_dvec3().dot(edge.as_dvec3()).abs() * f64::from(half);
                let exact = along(x, half.x) + along(y, half.y) + along(z, half.z);
                prop_assert!(exact <= f64::from(reach), "{exact} {reach}");
            }
            prop_assert!(geometry_core::Obb::try_new(Vec3::ZERO, reach, axes).is_ok_and(|one| one.axes() == axes));
        }

        #[test]
        fn shear_is_no_larger_than_any_order(edges in prop::array::uniform3(vector(3.0))) {
            // The slow twin in f64 looks at all boxes that are flush with a face and an edge. None is smaller.
            let edges = Mat3::from_cols(edges[0], edges[1], edges[2]);
            prop_assume!(edges.determinant().abs() > 0.1);
            let (_, reach) = enclosing_box(&edges, Vec3::ONE).unwrap();
            // Single precision enlarges each reach.
            let reach = reach - lengths(&edges) * REACH_SLACK;
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
