//! A character before it is written: joints, a skinned mesh, rigid meshes, clips.

use crate::turn;
use glam::{DMat3, DQuat, DVec3};

/// Index into [`Rig::joints`].
pub type Joint = usize;

/// A joint at rest, in model space: meters, Y up, facing +Z, the left side at +X.
#[derive(Clone, Debug)]
pub struct RigJoint {
    /// Unique in the rig.
    pub name: String,
    /// Stands before its children.
    pub parent: Option<Joint>,
    /// Where the joint turns.
    pub head: DVec3,
    /// Rest orientation: column y runs along the bone.
    pub frame: DMat3,
}

/// Joints, parents before children; the first is the root and stays put in every clip.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// In file order.
    pub joints: Vec<RigJoint>,
}

impl Rig {
    /// The joint of that name.
    ///
    /// # Panics
    /// When the rig has none: the authoring code names its own joints.
    #[must_use]
    pub fn find(&self, name: &str) -> Joint {
        self.joints
            .iter()
            .position(|joint| joint.name == name)
            .unwrap_or_else(|| panic!("the rig has no joint {name:?}"))
    }

    /// Where a joint turns at rest.
    #[must_use]
    pub fn head(&self, joint: Joint) -> DVec3 {
        self.joints[joint].head
    }

    /// Every joint at rest.
    #[must_use]
    pub fn rest(&self) -> Posture {
        Posture { turns: vec![DMat3::IDENTITY; self.joints.len()], shift: DVec3::ZERO }
    }
}

/// A pose in model space, written as what happened to the rest pose: `turns[j]` is the rotation that carries joint
/// `j`'s rest orientation to its posed one. A turn here is *not* relative to the parent: that is taken out on writing.
#[derive(Clone, Debug)]
pub struct Posture {
    /// One per joint.
    pub turns: Vec<DMat3>,
    /// How far the root's children have moved, meters.
    pub shift: DVec3,
}

impl Posture {
    /// Where every joint stands, model space.
    #[must_use]
    pub fn heads(&self, rig: &Rig) -> Vec<DVec3> {
        let mut heads: Vec<DVec3> = Vec::with_capacity(rig.joints.len());
        for joint in &rig.joints {
            heads.push(match joint.parent {
                None => joint.head,
                Some(parent) => {
                    let shift = if rig.joints[parent].parent.is_none() { self.shift } else { DVec3::ZERO };
                    heads[parent] + self.turns[parent] * (joint.head - rig.head(parent)) + shift
                }
            });
        }
        heads
    }

    /// `parent_from_joint` of every joint: rotation and translation.
    #[must_use]
    pub fn locals(&self, rig: &Rig) -> Vec<(DQuat, DVec3)> {
        let heads = self.heads(rig);
        let frame = |joint: Joint| self.turns[joint] * rig.joints[joint].frame;
        rig.joints
            .iter()
            .enumerate()
            .map(|(index, joint)| {
                let (parent_frame, parent_head) = match joint.parent {
                    None => (DMat3::IDENTITY, DVec3::ZERO),
                    Some(parent) => (frame(parent), heads[parent]),
                };
                let parent_from_model = parent_frame.transpose();
                (
                    turn::quaternion(&(parent_from_model * frame(index))),
                    parent_from_model * (heads[index] - parent_head),
                )
            })
            .collect()
    }

    /// Where a point fixed to a joint at rest has gone.
    #[must_use]
    pub fn carry(&self, rig: &Rig, heads: &[DVec3], joint: Joint, rest_point: DVec3) -> DVec3 {
        heads[joint] + self.turns[joint] * (rest_point - rig.head(joint))
    }
}

/// A skinned surface in model space at rest.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Meters.
    pub positions: Vec<DVec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Per triangle: index into [`Character::colors`].
    pub materials: Vec<usize>,
    /// Per vertex: joints and weights, which need not sum to 1; writing keeps the largest four and normalizes.
    pub influences: Vec<Vec<(Joint, f64)>>,
}

impl Surface {
    /// Linear blend skinning.
    #[must_use]
    pub fn posed(&self, rig: &Rig, posture: &Posture) -> Vec<DVec3> {
        let heads = posture.heads(rig);
        let blend = |(vertex, &rest): (usize, &DVec3)| {
            let total: f64 = self.influences[vertex].iter().map(|&(_, weight)| weight).sum();
            let mut position = DVec3::ZERO;
            for &(joint, weight) in &self.influences[vertex] {
                position += posture.carry(rig, &heads, joint, rest) * (weight / total);
            }
            position
        };
        self.positions.iter().enumerate().map(blend).collect()
    }
}

/// A rigid mesh that hangs below a joint.
#[derive(Clone, Debug)]
pub struct RigidMesh {
    /// The name of its node and of its mesh.
    pub name: String,
    /// The node's parent.
    pub joint: Joint,
    /// The mesh's own axes in model space at rest.
    pub frame: DMat3,
    /// The mesh's origin in model space at rest.
    pub origin: DVec3,
    /// In the mesh's own space.
    pub positions: Vec<DVec3>,
    /// Counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Postures at equal steps of time.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The clip's name.
    pub name: String,
    /// Postures a second.
    pub rate: f64,
    /// At times 0, 1 / rate, ...
    pub postures: Vec<Posture>,
}

/// All that goes into one file.
#[derive(Clone, Debug)]
pub struct Character {
    /// File stem.
    pub name: String,
    /// One line for the file's `asset.copyright`.
    pub copyright: String,
    /// Linear base colors: first the skin's, last the attachments'.
    pub colors: Vec<[f64; 3]>,
    /// The skeleton.
    pub rig: Rig,
    /// The skin.
    pub surface: Surface,
    /// Helmets, collars.
    pub attachments: Vec<RigidMesh>,
    /// Animations.
    pub motions: Vec<Motion>,
}
