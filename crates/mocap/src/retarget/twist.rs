//! Twist joints, such as those between elbow and wrist, which spread a twist along a limb.

use super::reference::Reference;
use crate::rotation::{direction, from_rotation_vector, mul, to_rotation_vector, twist_about};
use crate::{HumanBone, HumanPose, Humanoid};
use glam::{DQuat, DVec3};
use skeleton::humanoid::JointWords;
use skeleton::{JointIndex, Skeleton};

/// A joint that takes a share of a limb's twist.
#[derive(Clone, Debug)]
pub(crate) struct TwistJoint {
    pub(crate) joint: usize,
    /// The bone of the limb.
    bone: HumanBone,
    /// The bone whose twist the joint shares: the end or the beginning of the limb.
    of: HumanBone,
    /// The share of the twist, relative to the bone. It is positive for the twist of the limb's end, and negative if
    /// the joint undoes the bone's own twist.
    share: f64,
    /// The direction of the limb in the reference pose, in humanoid space; a unit vector.
    axis: DVec3,
    /// The joint's rotation in the reference pose, in humanoid space.
    reference: DQuat,
}

/// A part of a limb, the next bone, and whether the twist comes from the next bone. Forearms twist with the hand. The
/// skin of an upper arm stays with the shoulder, so its twist joints undo the bone's own twist. Legs work in the same
/// way.
const SEGMENTS: [(HumanBone, HumanBone, bool); 8] = [
    (HumanBone::LeftUpperArm, HumanBone::LeftLowerArm, false),
    (HumanBone::LeftLowerArm, HumanBone::LeftHand, true),
    (HumanBone::RightUpperArm, HumanBone::RightLowerArm, false),
    (HumanBone::RightLowerArm, HumanBone::RightHand, true),
    (HumanBone::LeftUpperLeg, HumanBone::LeftLowerLeg, false),
    (HumanBone::LeftLowerLeg, HumanBone::LeftFoot, true),
    (HumanBone::RightUpperLeg, HumanBone::RightLowerLeg, false),
    (HumanBone::RightLowerLeg, HumanBone::RightFoot, true),
];

impl TwistJoint {
    /// Finds the twist joints of all limbs. They are below the limb's joint. Their names contain a word for twist
    /// (`lowerarm_twist_01_l`), or are the limb's name with a number (`DEF-forearm.L.001`).
    pub(crate) fn find_all(skeleton: &Skeleton, humanoid: &Humanoid, reference: &Reference) -> Vec<Self> {
        let mut found = Vec::new();
        for (bone, end, from_end) in SEGMENTS {
            let (Some(start), Some(stop)) = (humanoid.joint(bone), humanoid.joint(end)) else { continue };
            let [from, to] = [start, stop].map(|joint| reference.rest_positions[joint.index()]);
            let Some(rest_axis) = direction(to - from) else { continue };
            let axis = crate::rotation::rotate(reference.from_rest[bone.index()], rest_axis);
            let words = JointWords::read(&skeleton.joint(start).name);
            for joint in children_of_limb(skeleton, humanoid, start) {
                let own = JointWords::read(&skeleton.joint(JointIndex(joint as u16)).name);
                if !own.is_twist_of(&words) {
                    continue;
                }
                let along = (reference.rest_positions[joint] - from).dot(rest_axis) / (to - from).dot(rest_axis);
                let along = along.clamp(0.0, 1.0);
                let (of, share) = if from_end { (end, along) } else { (bone, along - 1.0) };
                let rotation = mul(reference.from_rest[bone.index()], reference.rest_rotations[joint]);
                found.push(Self { joint, bone, of, share, axis, reference: rotation });
            }
        }
        found
    }

    /// The joint's rotation in humanoid space.
    pub(crate) fn rotation(&self, pose: &HumanPose, from_reference: &[DQuat; HumanBone::COUNT]) -> DQuat {
        let twist = to_rotation_vector(twist_about(pose.rotation(self.of), self.axis)) * self.share;
        mul(mul(from_reference[self.bone.index()], from_rotation_vector(twist)), self.reference)
    }
}

/// The joints below the start of a limb that are not bones, down to the next bone.
fn children_of_limb(skeleton: &Skeleton, humanoid: &Humanoid, start: JointIndex) -> Vec<usize> {
    let mut below = vec![start];
    let mut found = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let own = JointIndex(index as u16);
        if joint.parent.is_some_and(|parent| below.contains(&parent)) && humanoid.bone(own).is_none() {
            below.push(own);
            found.push(index);
        }
    }
    found
}
