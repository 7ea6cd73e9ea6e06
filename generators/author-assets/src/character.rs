//! A character before it is written to a file: joints, a skinned mesh, rigid meshes and clips.

use crate::turn;
use glam::{DMat3, DQuat, DVec3};

/// An index into [`Rig::joints`].
pub type Joint = usize;

/// A joint at rest in model space: meters, Y up, facing +Z, the left side at +X.
#[derive(Clone, Debug)]
pub struct RigJoint {
    /// The joint's name, unique in the rig.
    pub name: String,
    /// The parent joint, which comes earlier in the list; `None` for the root.
    pub parent: Option<Joint>,
    /// The position of the joint's center of rotation.
    pub head: DVec3,
    /// The rest orientation. Its y column points along the bone.
    pub frame: DMat3,
}

/// The joints of a character, parents before children. The first joint is the root, which never moves.
#[derive(Clone, Debug, Default)]
pub struct Rig {
    /// The joints in file order.
    pub joints: Vec<RigJoint>,
}

impl Rig {
    /// Returns the joint with a name.
    ///
    /// # Panics
    /// If the rig has no such joint. The names come from this program.
    #[must_use]
    pub fn find(&self, name: &str) -> Joint {
        self.joints
            .iter()
            .position(|joint| joint.name == name)
            .unwrap_or_else(|| panic!("the rig has no joint {name:?}"))
    }

    /// The position of a joint's center of rotation at rest.
    #[must_use]
    pub fn head(&self, joint: Joint) -> DVec3 {
        self.joints[joint].head
    }

    /// The posture in which every joint is at rest.
    #[must_use]
    pub fn rest(&self) -> Posture {
        Posture { turns: vec![DMat3::IDENTITY; self.joints.len()], shift: DVec3::ZERO }
    }
}

/// A pose in model space, relative to the rest pose: `turns[j]` is the rotation from joint `j`'s rest orientation to
/// its posed orientation. A turn is *not* relative to the parent; writing the file converts it.
#[derive(Clone, Debug)]
pub struct Posture {
    /// The rotation of each joint.
    pub turns: Vec<DMat3>,
    /// The displacement of the root's children from rest, in meters.
    pub shift: DVec3,
}

impl Posture {
    /// The posed position of every joint, in model space.
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

    /// `parent_from_joint` of every joint, as rotation and translation.
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

    /// The posed position of a point that is fixed to a joint. `rest_point` is its position at rest.
    #[must_use]
    pub fn carry(&self, rig: &Rig, heads: &[DVec3], joint: Joint, rest_point: DVec3) -> DVec3 {
        heads[joint] + self.turns[joint] * (rest_point - rig.head(joint))
    }
}

/// A skinned surface at rest, in model space.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// The vertices, in meters.
    pub positions: Vec<DVec3>,
    /// The corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Per triangle: an index into [`Character::colors`].
    pub materials: Vec<usize>,
    /// Per vertex: joints and weights, which need not sum to 1. Writing keeps the largest four and normalizes them.
    pub influences: Vec<Vec<(Joint, f64)>>,
}

impl Surface {
    /// The posed vertices, by linear blend skinning.
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

/// A rigid mesh on a joint.
#[derive(Clone, Debug)]
pub struct RigidMesh {
    /// The name of the mesh and its node.
    pub name: String,
    /// The joint that is the parent of the mesh's node.
    pub joint: Joint,
    /// The axes of the mesh at rest, in model space.
    pub frame: DMat3,
    /// The origin of the mesh at rest, in model space.
    pub origin: DVec3,
    /// The vertices in the mesh's own space, in meters.
    pub positions: Vec<DVec3>,
    /// The corners of each triangle, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The postures of a clip, at equal time steps.
#[derive(Clone, Debug)]
pub struct Motion {
    /// The clip's name.
    pub name: String,
    /// The number of postures per second.
    pub rate: f64,
    /// The postures at the times 0, 1 / rate, ...
    pub postures: Vec<Posture>,
}

/// Everything in the file of one character.
#[derive(Clone, Debug)]
pub struct Character {
    /// The name of the file without extension.
    pub name: String,
    /// One line of text for `asset.copyright` in the file.
    pub copyright: String,
    /// The linear base colors. The first is the skin's, the last that of the attachments.
    pub colors: Vec<[f64; 3]>,
    /// The skeleton.
    pub rig: Rig,
    /// The skinned surface.
    pub surface: Surface,
    /// The rigid meshes: helmets, collars.
    pub attachments: Vec<RigidMesh>,
    /// The clips.
    pub motions: Vec<Motion>,
}
