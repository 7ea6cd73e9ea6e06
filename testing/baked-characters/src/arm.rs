//! An arm of two boxes.

use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape, Source};
use glam::{Quat, Vec3};
use skeleton::{Channel, Clip, Interpolation, Joint, JointIndex, LocalTransform, NodeIndex, Property, Skeleton, Trs};

/// Joints `root`, `upper`, `fore` and `finger`, one above the other, 1 apart; `upper` and `fore` have a box each,
/// 0.6 wide and deep, 1 tall. The clip `wave` turns the forearm about z by a quarter and back in 2 seconds.
///
/// # Panics
/// Never: the arm is valid.
#[must_use]
pub fn baked_arm(name: &str) -> BakedCharacter {
    let joint = |index: u16, name: &str| Joint {
        name: name.into(),
        node: NodeIndex(u32::from(index)),
        parent: index.checked_sub(1).map(JointIndex),
        rest: LocalTransform::Trs(Trs { translation: Vec3::Y * f32::from(index.min(1)), ..Trs::IDENTITY }),
        skinned: true,
    };
    let joints = ["root", "upper", "fore", "finger"].iter().zip(0..).map(|(name, index)| joint(index, name));
    let one_box = |joint: u16| Hitbox {
        joint: JointIndex(joint),
        shape: HitboxShape::Box,
        role: HitboxRole::Hurt,
        tags: vec!["arm".into()],
        center: Vec3::new(0.0, 0.5, 0.0),
        half_extents: Vec3::new(0.3, 0.5, 0.3),
        orientation: Quat::IDENTITY,
        vertices: 8,
        hull_vertices: 8,
        hull_volume: 0.36,
        min_volume: None,
        hull: None,
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let wave = Clip {
        name: "wave".into(),
        timelines: vec![vec![0.0, 1.0, 2.0]],
        channels: vec![Channel {
            joint: JointIndex(2),
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            timeline: 0,
            values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 0.0, 1.0],
        }],
    };
    BakedCharacter {
        name: name.into(),
        source: Source { file: "arm.glb".into(), blake3: [0; 32], generator: "by hand".into() },
        algorithm_revision: 0,
        options: Vec::new(),
        skeleton: Skeleton::new(joints.collect()).expect("parents come first"),
        boxes: vec![one_box(1), one_box(2)],
        clips: vec![wave],
        coverage: None,
        warnings: Vec::new(),
        humanoid: None,
        skin: None,
        envelopes: Vec::new(),
        attacks: Vec::new(),
        states: Vec::new(),
        ragdoll: None,
    }
}
