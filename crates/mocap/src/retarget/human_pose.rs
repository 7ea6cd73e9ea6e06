//! A pose of the standard bones, independent of any skeleton.

use crate::{BoneSet, HumanBone};
use glam::{DQuat, DVec3};

/// The position of the hips, in the source's own size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HipsMotion {
    /// The position relative to the ground below the figure's origin, in humanoid space, in the source's unit.
    pub position: DVec3,
    /// The height of the hips above the ankles in the source's reference pose, in the source's unit. `None` means that
    /// the source is as tall as the target.
    pub hip_height: Option<f64>,
}

/// A pose of the standard bones: VRM's normalized rotations, and the position of the hips.
///
/// Humanoid space is right-handed with y up; the figure faces +z, and its left is +x (VRM 1.0). If all rotations are
/// identities, the figure stands in a T-pose.
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
    /// A T-pose without known bones. The hips keep the position that they have in the target's reference pose.
    pub const T_POSE: Self = Self { rotations: [DQuat::IDENTITY; HumanBone::COUNT], bones: BoneSet::EMPTY, hips: None };

    /// The normalized rotation of a bone, relative to its parent bone. It is a unit quaternion. A bone that the source
    /// does not have gets the identity, so that the rotation of its parent reaches its children.
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

    /// The position of the hips and their height in the source; `None` if the source has no position.
    #[must_use]
    pub fn hips_motion(&self) -> Option<&HipsMotion> {
        self.hips.as_ref()
    }

    /// Sets the position of the hips and their height in the source; `None` means that the source has no position.
    pub fn set_hips_motion(&mut self, hips: Option<HipsMotion>) {
        self.hips = hips;
    }

    /// Returns each bone's rotation from the reference pose to this pose, in humanoid space: the product of the
    /// normalized rotations from the hips to the bone.
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
