//! The figure of 24 boxes with envelopes.

use crate::baked_figure;
use baked_format::{BakedCharacter, Cluster, Envelope, Hitbox, Motion, Mover};
use glam::Vec3;
use skeleton::{JointIndex, LocalTransform};

/// The figure with made-up envelopes: in each quarter of a box along its y axis, the joint's parent and its first child move the
/// surface by up to 0.4 of the weight.
///
/// # Panics
/// Never: all joints of the figure have translations.
#[must_use]
pub fn baked_figure_for_any_pose(name: &str) -> BakedCharacter {
    let baked = baked_figure(name);
    let mut places: Vec<Vec3> = Vec::new();
    for joint in baked.skeleton.joints() {
        let LocalTransform::Trs(rest) = joint.rest else { panic!("joints have translations") };
        places.push(joint.parent.map_or(Vec3::ZERO, |parent| places[parent.index()]) + rest.translation);
    }
    let envelope = |one: &Hitbox| {
        let own = one.joint;
        let child = baked.skeleton.joints().iter().position(|joint| joint.parent == Some(own));
        let child = child.map(|index| JointIndex(index as u16));
        let mover = |joint: JointIndex| Mover {
            joint,
            orientation: one.orientation,
            scale: 1.0,
            center: places[own.index()] - places[joint.index()] + one.center,
            slack: 2e-6,
        };
        let parent = baked.skeleton.joint(own).parent;
        let movers: Vec<Mover> = parent.into_iter().chain(child).map(mover).collect();
        let motion = |mover: usize, quarter: u16| Motion {
            mover: mover as u16,
            low: [-100, 0, -20],
            high: [100, 50, 30],
            low_weight: 3000 * quarter,
            high_weight: 6000 + 6000 * quarter,
        };
        let cluster = |quarter: u16| {
            let [x, y, z] = one.half_extents.to_array().map(|half| (half * 1e4) as i16);
            let low = y / 2 * (quarter as i16 - 2);
            let moved = movers.len().min(usize::from(quarter));
            Cluster {
                low: [-x, low, -z],
                high: [x, low + y / 2, z],
                motions: (0..moved).map(|mover| motion(mover, quarter)).collect(),
            }
        };
        Envelope { slack: 2e-6, place_step: 1e-4, rest_step: 1e-4, clusters: (0..4).map(cluster).collect(), movers }
    };
    let envelopes = baked.boxes.iter().map(envelope).collect();
    BakedCharacter { envelopes, ..baked }
}
