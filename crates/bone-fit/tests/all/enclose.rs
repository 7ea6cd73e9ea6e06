//! The promise of a bake: a box holds every point of its group, to the last f32 bit.
use bone_fit::{enclose, round_up, stored_orientation};
use geometry_core::Obb;
use glam::{DMat3, DQuat, DVec3, Vec3};
use proptest::prelude::*;

fn rotation() -> impl Strategy<Value = DMat3> {
    prop::array::uniform4(-1.0..1.0f64).prop_filter_map("a direction", |q| {
        let q = DQuat::from_array(q);
        (q.length() > 1e-3).then(|| DMat3::from_quat(q.normalize()))
    })
}

/// Points of any size, place and flatness.
fn points() -> impl Strategy<Value = Vec<DVec3>> {
    let unit = || prop::array::uniform3(-1.0..1.0f64).prop_map(DVec3::from_array);
    let flatness = prop::array::uniform3(prop::sample::select(vec![0.0, 1e-9, 1e-3, 1.0]));
    let size = prop::sample::select(vec![1e-20, 1e-6, 1.0, 1e3, 1e9]);
    let place = (unit(), prop::sample::select(vec![0.0, 1.0, 100.0]));
    (prop::collection::vec(unit(), 1..40), flatness, size, place).prop_map(|(points, flatness, size, (place, far))| {
        let flatness = DVec3::from_array(flatness);
        points.into_iter().map(|point| size * (point * flatness + far * place)).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn holds_every_point_in_both_arithmetics(axes in rotation(), points in points()) {
        let tight = enclose(&axes, &points);
        let obb = Obb::from_orientation(tight.center, tight.half_extents, tight.orientation);
        let half = tight.half_extents;
        for point in &points {
            // In f32, without the tolerance of `Obb::contains`.
            let local = obb.to_local(point.as_vec3()).abs();
            prop_assert!(local.cmple(half).all(), "{local} of {half}");
            prop_assert!(obb.contains(point.as_vec3()));
            // In exact arithmetic: products of an f32 axis with the 53 bits of a difference are summed without
            // rounding.
            for (axis, half) in [obb.axes().x_axis, obb.axes().y_axis, obb.axes().z_axis].into_iter().zip(half.to_array()) {
                prop_assert!(!exceeds(axis, *point, tight.center, half));
            }
        }
    }

    #[test]
    fn is_no_larger_than_rounding_asks_for(axes in rotation(), points in points()) {
        let tight = enclose(&axes, &points);
        let (_, decoded) = stored_orientation(&axes);
        let far = points.iter().map(|point| point.abs().max_element()).fold(0.0, f64::max);
        let along: Vec<DVec3> = points.iter().map(|&point| decoded.transpose() * point).collect();
        let low = along.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        let high = along.iter().fold(DVec3::NEG_INFINITY, |high, &p| high.max(p));
        let slack = tight.half_extents.as_dvec3() - 0.5 * (high - low);
        prop_assert!(slack.max_element() <= 1e-6 * far + 1e-44, "{slack} at {far}");
    }

    #[test]
    fn rounds_up_to_the_next_f32(value in any::<f64>()) {
        let rounded = round_up(value);
        if value.is_finite() {
            prop_assert!(f64::from(rounded) >= value);
            prop_assert!(rounded == f32::NEG_INFINITY || f64::from(rounded.next_down()) < value);
        }
    }
}

/// Returns `true` if `|axis . (point - center)| > half` in exact arithmetic. Sums of products are kept as unevaluated
/// sums of f64 (Shewchuk 1997, expansions).
fn exceeds(axis: Vec3, point: DVec3, center: Vec3, half: f32) -> bool {
    let mut expansion: Vec<f64> = Vec::new();
    for (axis, (point, center)) in axis.to_array().into_iter().zip(point.to_array().into_iter().zip(center.to_array()))
    {
        for factor in [point, -f64::from(center)] {
            let (high, low) = two_product(f64::from(axis), factor);
            grow(&mut expansion, low);
            grow(&mut expansion, high);
        }
    }
    if sign(&expansion) < 0.0 {
        expansion.iter_mut().for_each(|part| *part = -*part);
    }
    grow(&mut expansion, -f64::from(half));
    sign(&expansion) > 0.0
}

fn grow(expansion: &mut Vec<f64>, mut carry: f64) {
    for part in expansion.iter_mut() {
        let (sum, rest) = two_sum(*part, carry);
        (*part, carry) = (rest, sum);
    }
    expansion.push(carry);
}

fn sign(expansion: &[f64]) -> f64 {
    expansion.iter().rev().copied().find(|part| *part != 0.0).unwrap_or(0.0)
}

fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

fn two_product(a: f64, b: f64) -> (f64, f64) {
    let split = |value: f64| {
        let scaled = 134_217_729.0 * value;
        let high = scaled - (scaled - value);
        (high, value - high)
    };
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
    (product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low))
}

#[test]
fn equal_boxes_have_equal_bytes() {
    let cube: Vec<DVec3> = (0..8).map(|k| DVec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
    let tight = enclose(&DMat3::IDENTITY, &cube);
    assert_eq!(tight.orientation.to_array().map(f32::to_bits), [0.0f32, 0.0, 0.0, 1.0].map(f32::to_bits));
    assert_eq!((tight.center, tight.half_extents), (Vec3::splat(0.5), Vec3::splat(0.5)));
    assert_eq!(enclose(&DMat3::IDENTITY, &[]).volume(), 0.0);
}
