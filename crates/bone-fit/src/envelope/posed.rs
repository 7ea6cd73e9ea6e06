//! The box of an envelope in one pose, computed in f64. The run time computes the same box in f32.

use crate::envelope::clusters::absolute;
use baked_format::{Envelope, Hitbox};
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3, Vec3};

/// A box in model space.
pub(crate) struct EnvelopeBox {
    pub(crate) center: DVec3,
    pub(crate) half_extents: DVec3,
    /// The box's axes as unit columns.
    pub(crate) axes: DMat3,
}

/// Returns the box of an envelope in a pose; `None` if the baked box holds the surface because the surface keeps its
/// place in the joint's space, and if a matrix leaves no axes.
pub(crate) fn posed(envelope: &Envelope, hitbox: &Hitbox, model_from_joint: &[DAffine3]) -> Option<EnvelopeBox> {
    if envelope.clusters.is_empty() {
        return None;
    }
    let box_axes = portable::mat3_from_quaternion(hitbox.orientation).as_dmat3();
    let own =
        model_from_joint[hitbox.joint.index()] * DAffine3 { matrix3: box_axes, translation: hitbox.center.as_dvec3() };
    let x = own.matrix3.x_axis.try_normalize()?;
    let y = (own.matrix3.y_axis - x * x.dot(own.matrix3.y_axis)).try_normalize()?;
    let axes = DMat3::from_cols(x, y, x.cross(y));
    let rows = axes.transpose();
    let straight = rows * own.matrix3;
    let motions: Vec<(DMat3, DVec3)> = envelope
        .movers
        .iter()
        .map(|mover| {
            let world = &model_from_joint[mover.joint.index()];
            let turned = rows * (world.matrix3 * mover.mover_from_box().as_dmat3()) - straight;
            let shifted = world.transform_point3(mover.center.as_dvec3()) - own.translation;
            (turned, rows * shifted)
        })
        .collect();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for cluster in &envelope.clusters {
        let middle_and_half = |[low, high]: [Vec3; 2]| {
            let (low, high) = (low.as_dvec3(), high.as_dvec3());
            (0.5 * (low + high), 0.5 * (high - low))
        };
        let (middle, half) = middle_and_half(envelope.places(cluster));
        let (mut at, mut linear, mut reach) = (straight * middle, straight, DVec3::ZERO);
        for motion in &cluster.motions {
            let (turned, shifted) = &motions[usize::from(motion.mover)];
            let (rest, rest_half) = middle_and_half(envelope.rest(motion));
            let [least, most] = motion.weights().map(f64::from);
            let (weight, spread) = (0.5 * (least + most), 0.5 * (most - least));
            let apart = rest / weight.max(f64::MIN_POSITIVE);
            let moved = *turned * (middle + apart) + *shifted;
            at += weight * moved;
            reach += spread * moved.abs() + absolute(turned) * (rest_half + spread * (half + apart.abs()));
            linear += weight * *turned;
        }
        reach += absolute(&linear) * half;
        low = low.min(at - reach);
        high = high.max(at + reach);
    }
    let center = own.translation + axes * (0.5 * (low + high));
    Some(EnvelopeBox { center, half_extents: 0.5 * (high - low), axes })
}
