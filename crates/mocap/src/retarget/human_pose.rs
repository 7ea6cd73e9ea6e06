//! A pose of the standard bones, free of any skeleton.

use crate::{BoneSet, HumanBone};
use glam::{DQuat, DVec3};

/// Where the hips are, in the source's own size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HipsMotion {
    /// Relative to the ground below the figure's origin, in humanoid space, in the source's unit.
    pub position: DVec3,
    /// How far the hips are above the ankles in the source's reference pose, in the source's unit; `None` where the
    /// source is taken to be as tall as the target.
    pub hip_height: Option<f64>,
}

/// A pose of the standard bones: VRM's normalized rotations and the place of the hips.
///
/// Humanoid space is right-handed, y is up, the figure faces +z and its left is +x (VRM 1.0). In the pose of identities
/// every bone is as in a T-pose.
///
/// Source: [VRM 1.0, "transforming the pose"](https://github.com/vrm-c/vrm-specification/blob/master/specification/VRMC_vrm_animation-1.0/how_to_transform_human_pose.md).
#[derive(Clone, Debug, PartialEq)]
pub struct HumanPose {
    rotations: [DQuat; HumanBone::COUNT],
    bones: BoneSet,
    hips: Option<HipsMotion>,
}

impl Default for HumanPose {
    fn default() -> Self {
        Self::T_POSE
    }
}

impl HumanPose {
    /// No bone is known: all are as in a T-pose, and the hips stay where the target's reference pose has them.
    pub const T_POSE: Self = Self { rotations: [DQuat::IDENTITY; HumanBone::COUNT], bones: BoneSet::EMPTY, hips: None };

    /// The normalized rotation of a bone, relative to its parent bone: a unit quaternion, and the identity for bones
    /// that the source does not have, so that their parents' rotations reach their children.
    #[must_use]
    pub fn rotation(&self, bone: HumanBone) -> DQuat {
        self.rotations[bone.index()]
    }

    /// Sets the normalized rotation of a bone; `rotation` must be a unit quaternion.
    pub fn set_rotation(&mut self, bone: HumanBone, rotation: DQuat) {
        self.rotations[bone.index()] = rotation;
        self.bones.insert(bone);
    }

    /// The bones that the source has.
    #[must_use]
    pub fn bones(&self) -> BoneSet {
        self.bones
    }

    /// The place of the hips, where the source says one.
    #[must_use]
    pub fn hips(&self) -> Option<&HipsMotion> {
        self.hips.as_ref()
    }

    /// Sets the place of the hips, or that the source says none.
    pub fn set_hips(&mut self, hips: Option<HipsMotion>) {
        self.hips = hips;
    }

    /// Each bone's rotation from the reference pose to this pose, in humanoid space: the product of the normalized
    /// rotations from the hips down to the bone.
    #[must_use]
    pub fn rotations_from_reference(&self) -> [DQuat; HumanBone::COUNT] {
        let mut from_reference = [DQuat::IDENTITY; HumanBone::COUNT];
        for bone in HumanBone::ALL {
            let own = self.rotations[bone.index()];
            from_reference[bone.index()] = match bone.parent() {
                Some(parent) => crate::rotation::mul(from_reference[parent.index()], own),
                None => own,
            };
        }
        from_reference
    }
}
