//! Joints between elbow and wrist and their like, which spread a twist along a limb.

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
    /// The bone that the joint belongs to.
    bone: HumanBone,
    /// The bone whose twist is shared: the end of the limb, or its beginning.
    of: HumanBone,
    /// The share, relative to the bone: positive for the end's twist, negative where the bone's own twist is undone.
    share: f64,
    /// Along the limb, in the reference pose, in humanoid space; unit length.
    axis: DVec3,
    /// The joint's rotation in the reference pose, in humanoid space.
    reference: DQuat,
}

/// A part of a limb, the next joint, and whether twist comes from the far end (forearms) or from the near end (upper
/// arms, whose skin stays with the shoulder).
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
    /// The twist joints of all limbs: named so (`lowerarm_twist_01_l`), or named as the limb with a number
    /// (`DEF-forearm.L.001`), below the limb's joint.
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

/// Joints below the start of a limb that are no bones themselves, down to the next bone.
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
