//! The reference pose of the bones, from which normalized rotations start.

use super::transforms::{self, Affine};
use crate::rotation::{between, direction, from_axes, mul, rotate};
use crate::{HumanBone, Humanoid, HumanoidSource};
use glam::{DMat3, DQuat, DVec3};
use skeleton::{JointIndex, Skeleton};

/// The pose of a skeleton that counts as its T-pose. Normalized rotations are relative to this pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferencePose {
    /// The rest pose unchanged. Use it for VRM assets, whose rest pose is a T-pose by the standard.
    Rest,
    /// The rest pose with arms and hands turned to the sides and legs turned down. Use it for assets whose rest pose is
    /// not a T-pose, for example if the arms hang down. Feet keep their direction in model space.
    TPose,
}

impl ReferencePose {
    /// Returns [`ReferencePose::Rest`] for a humanoid from a VRM extension, otherwise [`ReferencePose::TPose`].
    #[must_use]
    pub fn default_for(humanoid: &Humanoid) -> Self {
        match humanoid.source() {
            HumanoidSource::Vrm => Self::Rest,
            HumanoidSource::Guessed | HumanoidSource::Settings => Self::TPose,
        }
    }
}

/// The reason why a skeleton cannot be retargeted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RigError {
    /// The humanoid names a joint that the skeleton does not have.
    #[error(
        "the humanoid belongs to another skeleton: it names joint {joint}, but this skeleton has {count} joints; pass the humanoid of this skeleton"
    )]
    OtherSkeleton {
        /// The joint that the humanoid names.
        joint: JointIndex,
        /// The number of joints in the skeleton.
        count: usize,
    },
    /// The rest pose does not show which side is left, or which direction is up.
    #[error("the rest pose has no {what}: expected {expected} at different places; check the humanoid's joints")]
    Shapeless {
        /// The direction that cannot be found.
        what: &'static str,
        /// The bones whose positions must differ for that direction.
        expected: &'static str,
    },
    /// A rest transform has a negative scale, which exchanges left and right. VRM forbids negative scales.
    #[error(
        "the rest transform of joint {joint:?} mirrors its children; apply the negative scale in the modeling program"
    )]
    Mirrored {
        /// The joint's name.
        joint: String,
    },
}

/// The bones in humanoid space, in the reference pose.
pub(crate) struct Reference {
    /// The rotation from model space to humanoid space, one of the 24 rotations that map axes to axes.
    pub(crate) humanoid_from_model: DQuat,
    /// For each bone, its joint's rotation in humanoid space; the identity for bones without a joint.
    pub(crate) rotations: [DQuat; HumanBone::COUNT],
    /// For each bone, its joint's position in humanoid space, in the model's unit; for bones without a joint, the position
    /// of the parent bone.
    pub(crate) positions: [DVec3; HumanBone::COUNT],
    /// For each bone, the rotation in humanoid space from the rest pose to the reference pose.
    pub(crate) from_rest: [DQuat; HumanBone::COUNT],
    /// For each joint, its rotation in humanoid space, in the rest pose.
    pub(crate) rest_rotations: Vec<DQuat>,
    /// For each joint, its position in humanoid space, in the rest pose, in the model's unit.
    pub(crate) rest_positions: Vec<DVec3>,
    /// The height of the hips above the ankles, in the model's unit.
    pub(crate) hip_height: f64,
}

impl Reference {
    pub(crate) fn new(skeleton: &Skeleton, humanoid: &Humanoid, pose: ReferencePose) -> Result<Self, RigError> {
        if let Some((_, joint)) = humanoid.iter().find(|(_, joint)| joint.index() >= skeleton.len()) {
            return Err(RigError::OtherSkeleton { joint, count: skeleton.len() });
        }
        check_handedness(skeleton, humanoid)?;
        let model = model_from_joints(skeleton, Affine::IDENTITY);
        let humanoid_from_model = facing(humanoid, &model)?;
        let placed = model_from_joints(skeleton, Affine::from_rotation(humanoid_from_model));
        let rest_positions: Vec<DVec3> = placed.iter().map(|joint| joint.translation).collect();
        let rest_rotations = rest_rotations(skeleton, humanoid_from_model);
        let from_rest = match pose {
            ReferencePose::Rest => [DQuat::IDENTITY; HumanBone::COUNT],
            ReferencePose::TPose => to_t_pose(humanoid, &rest_positions),
        };
        let mut rotations = [DQuat::IDENTITY; HumanBone::COUNT];
        let mut positions = [DVec3::ZERO; HumanBone::COUNT];
        // The rest position of each bone, or of the nearest bone above it that has a joint, and its position in the
        // reference pose.
        let mut rest = [DVec3::ZERO; HumanBone::COUNT];
        for bone in HumanBone::ALL {
            let index = bone.index();
            let parent = bone.parent().map(HumanBone::index);
            let joint = humanoid.joint(bone).map(JointIndex::index);
            rest[index] = match (joint, parent) {
                (Some(joint), _) => rest_positions[joint],
                (None, Some(parent)) => rest[parent],
                (None, None) => DVec3::ZERO,
            };
            positions[index] = match parent {
                Some(parent) => positions[parent] + rotate(from_rest[parent], rest[index] - rest[parent]),
                None => rest[index],
            };
            if let Some(joint) = joint {
                rotations[index] = mul(from_rest[index], rest_rotations[joint]);
            }
        }
        let height = |bone: HumanBone| positions[bone.index()].y;
        let ankles = 0.5 * (height(HumanBone::LeftFoot) + height(HumanBone::RightFoot));
        let hip_height = height(HumanBone::Hips) - ankles;
        if hip_height.is_nan() || hip_height <= 1e-6 {
            return Err(RigError::Shapeless { what: "height", expected: "the hips above the feet" });
        }
        Ok(Self { humanoid_from_model, rotations, positions, from_rest, rest_rotations, rest_positions, hip_height })
    }
}

fn check_handedness(skeleton: &Skeleton, humanoid: &Humanoid) -> Result<(), RigError> {
    for (_, joint) in humanoid.iter() {
        let mut at = Some(joint);
        while let Some(joint) = at.map(|joint| skeleton.joint(joint)) {
            if transforms::is_mirroring(&joint.rest) {
                return Err(RigError::Mirrored { joint: joint.name.clone() });
            }
            at = joint.parent;
        }
    }
    Ok(())
}

/// `model_from_joint` of every joint in the rest pose, times `root`.
fn model_from_joints(skeleton: &Skeleton, root: Affine) -> Vec<Affine> {
    let mut model: Vec<Affine> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let above = joint.parent.map_or(root, |parent| model[parent.index()]);
        model.push(above.mul(&Affine::from_local(&joint.rest)));
    }
    model
}

fn rest_rotations(skeleton: &Skeleton, root: DQuat) -> Vec<DQuat> {
    let mut rotations: Vec<DQuat> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        let above = joint.parent.map_or(root, |parent| rotations[parent.index()]);
        rotations.push(mul(above, transforms::local_rotation(&joint.rest)));
    }
    rotations
}

/// The rotation by quarter turns that brings the figure's left closest to +x and its up closest to +y.
fn facing(humanoid: &Humanoid, model: &[Affine]) -> Result<DQuat, RigError> {
    let place = |bone| humanoid.joint(bone).map_or(DVec3::ZERO, |joint| model[joint.index()].translation);
    let apart = |a, b| place(a) - place(b);
    let up = apart(HumanBone::Head, HumanBone::Hips);
    let left = apart(HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg)
        + apart(HumanBone::LeftUpperArm, HumanBone::RightUpperArm);
    let up = direction(up).ok_or(RigError::Shapeless { what: "up", expected: "head and hips" })?;
    let left = direction(left - up * up.dot(left))
        .ok_or(RigError::Shapeless { what: "left and right", expected: "left and right upper legs and arms" })?;
    let axes = [DVec3::X, DVec3::NEG_X, DVec3::Y, DVec3::NEG_Y, DVec3::Z, DVec3::NEG_Z];
    let mut best = (f64::NEG_INFINITY, DQuat::IDENTITY);
    for x in axes {
        for y in axes.into_iter().filter(|y| y.dot(x) == 0.0) {
            // The columns of model_from_humanoid.
            let fit = x.dot(left) + y.dot(up);
            if fit > best.0 + 1e-9 {
                best = (fit, from_axes(&DMat3::from_cols(x, y, x.cross(y))));
            }
        }
    }
    Ok(crate::rotation::inverse(best.1))
}

/// The directions of the limbs in a T-pose: from one bone to the next.
const AIMS: [(HumanBone, HumanBone, DVec3); 10] = [
    (HumanBone::LeftUpperArm, HumanBone::LeftLowerArm, DVec3::X),
    (HumanBone::LeftLowerArm, HumanBone::LeftHand, DVec3::X),
    (HumanBone::LeftHand, HumanBone::LeftMiddleProximal, DVec3::X),
    (HumanBone::RightUpperArm, HumanBone::RightLowerArm, DVec3::NEG_X),
    (HumanBone::RightLowerArm, HumanBone::RightHand, DVec3::NEG_X),
    (HumanBone::RightHand, HumanBone::RightMiddleProximal, DVec3::NEG_X),
    (HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, DVec3::NEG_Y),
    (HumanBone::LeftLowerLeg, HumanBone::LeftFoot, DVec3::NEG_Y),
    (HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, DVec3::NEG_Y),
    (HumanBone::RightLowerLeg, HumanBone::RightFoot, DVec3::NEG_Y),
];

/// For each bone, the rotation in humanoid space from the rest pose to a T-pose.
fn to_t_pose(humanoid: &Humanoid, rest: &[DVec3]) -> [DQuat; HumanBone::COUNT] {
    let mut turned = [DQuat::IDENTITY; HumanBone::COUNT];
    for bone in HumanBone::ALL {
        let above = bone.parent().map_or(DQuat::IDENTITY, |parent| turned[parent.index()]);
        let place = |bone| humanoid.joint(bone).map(|joint| rest[joint.index()]);
        let aim = AIMS.iter().find(|(from, ..)| *from == bone).and_then(|&(_, to, aim)| {
            let along = direction(place(to)? - place(bone)?)?;
            Some(mul(between(rotate(above, along), aim), above))
        });
        turned[bone.index()] = match bone {
            HumanBone::LeftFoot | HumanBone::RightFoot => DQuat::IDENTITY,
            _ => aim.unwrap_or(above),
        };
    }
    turned
}
