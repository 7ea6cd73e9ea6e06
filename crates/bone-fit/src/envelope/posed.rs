//! The box of an envelope in one pose, in f64: what the run time computes in f32.

use baked_format::{Envelope, Hitbox};
use geometry_core::portable;
use glam::{DAffine3, DMat3, DVec3};

/// A box in model space.
pub(crate) struct EnvelopeBox {
    pub(crate) center: DVec3,
    pub(crate) half_extents: DVec3,
    /// Columns are unit axes.
    pub(crate) axes: DMat3,
}

/// The box of an envelope in a pose; `None` where the surface keeps its place in the joint's space, so that the baked box
/// holds it, and where a matrix leaves no axes.
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
            let turned = rows * (world.matrix3 * mover.mover_from_box.as_dmat3()) - straight;
            let shifted =
                world.transform_point3(mover.pivot.as_dvec3()) - own.transform_point3(mover.pivot_in_box.as_dvec3());
            (turned, rows * shifted)
        })
        .collect();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for cluster in &envelope.clusters {
        let (mut least, mut most) = image(&straight, cluster.low.as_dvec3(), cluster.high.as_dvec3());
        for motion in &cluster.motions {
            let (turned, shifted) = &motions[usize::from(motion.mover)];
            let (from, to) = image(turned, motion.low.as_dvec3(), motion.high.as_dvec3());
            let (a, b) = (f64::from(motion.low_weight) * *shifted, f64::from(motion.high_weight) * *shifted);
            least += from + a.min(b);
            most += to + a.max(b);
        }
        low = low.min(least);
        high = high.max(most);
    }
    let center = own.translation + axes * (0.5 * (low + high));
    Some(EnvelopeBox { center, half_extents: 0.5 * (high - low), axes })
}

/// The bounds of the image of bounds.
fn image(map: &DMat3, low: DVec3, high: DVec3) -> (DVec3, DVec3) {
    let size = DMat3::from_cols(map.x_axis.abs(), map.y_axis.abs(), map.z_axis.abs()) * (0.5 * (high - low));
    let middle = *map * (0.5 * (low + high));
    (middle - size, middle + size)
}
