//! The joint hierarchy, and forward kinematics.

use crate::{JointIndex, LocalTransform, NodeIndex, Trs};
use geometry_core::portable;
use glam::Affine3A;

/// One joint of a [`Skeleton`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The joint's name, unique in its skeleton and not empty.
    pub name: String,
    /// The glTF node that the joint came from.
    pub node: NodeIndex,
    /// The parent joint, which comes earlier in the list; `None` for a root.
    pub parent: Option<JointIndex>,
    /// `parent_from_joint` in the rest pose (`model_from_joint` for a root).
    pub rest: LocalTransform,
    /// `true` if a skin names the joint. It is `false` for nodes between and above the skins' joints, and for nodes
    /// that only carry rigid meshes.
    pub skinned: bool,
}

/// The joints of a character, each parent before its children.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Skeleton {
    joints: Vec<Joint>,
}

/// The reason why a list of joints is not a valid skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// The list has more than [`Skeleton::MAX_JOINTS`] joints, the number of values of a 16-bit [`JointIndex`]. Remove
    /// nodes above the skin's joints, or split the character.
    #[error(
        "the skeleton has {found} joints, expected at most {}; remove nodes above the skin's joints, or split the character",
        Skeleton::MAX_JOINTS
    )]
    TooManyJoints {
        /// The number of joints.
        found: usize,
    },
    /// A parent does not come before its child.
    #[error(
        "joint {joint} ({name:?}) names parent {parent}, which does not come before it; sort joints so that parents come first"
    )]
    ParentOrder {
        /// The child joint.
        joint: JointIndex,
        /// The child's name.
        name: String,
        /// The parent that the child names.
        parent: JointIndex,
    },
    /// A rest transform has a number that is NaN or infinite.
    #[error(
        "joint {joint} ({name:?}) has a rest transform that is not finite; look for a division by zero where it is computed"
    )]
    NotFinite {
        /// The joint with the rest transform.
        joint: JointIndex,
        /// The joint's name.
        name: String,
    },
    /// A name is empty or not unique. Overrides, tags and reports use names as keys.
    #[error(
        "joint {joint} has the name {name:?}, which is empty or also the name of joint {first}; give each joint a different name"
    )]
    Name {
        /// The later joint.
        joint: JointIndex,
        /// The joint's name.
        name: String,
        /// The earlier joint with the name; the joint itself if the name is empty.
        first: JointIndex,
    },
}

impl Skeleton {
    /// The largest number of joints: the number of values that [`JointIndex`] can have.
    pub const MAX_JOINTS: usize = 1 << 16;

    /// Checks the joints and makes a skeleton of them.
    ///
    /// # Errors
    /// Returns a [`SkeletonError`] if there are too many joints, a parent does not come before its child, a number is
    /// not finite, or a name is empty or not unique.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.len() > Self::MAX_JOINTS {
            return Err(SkeletonError::TooManyJoints { found: joints.len() });
        }
        let mut by_name = std::collections::HashMap::with_capacity(joints.len());
        for (index, joint) in (0..=u16::MAX).map(JointIndex).zip(&joints) {
            if let Some(parent) = joint.parent.filter(|parent| *parent >= index) {
                return Err(SkeletonError::ParentOrder { joint: index, name: joint.name.clone(), parent });
            }
            if !joint.rest.is_finite() {
                return Err(SkeletonError::NotFinite { joint: index, name: joint.name.clone() });
            }
            let first = *by_name.entry(joint.name.as_str()).or_insert(index);
            if first != index || joint.name.is_empty() {
                return Err(SkeletonError::Name { joint: index, name: joint.name.clone(), first });
            }
        }
        Ok(Self { joints })
    }

    /// All joints, parents before children.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The number of joints.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Returns `true` if the skeleton has no joints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Returns the joint with an index.
    ///
    /// # Panics
    /// Panics if the index is not below [`Skeleton::len`], as an index from another skeleton may be.
    #[must_use]
    pub fn joint(&self, index: JointIndex) -> &Joint {
        &self.joints[index.index()]
    }

    /// Returns the index of the joint with a name, or `None` if no joint has the name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<JointIndex> {
        self.joints.iter().position(|joint| joint.name == name).map(|index| JointIndex(index as u16))
    }

    /// The rest pose: `parent_from_joint` of every joint, in the order of [`Skeleton::joints`].
    #[must_use]
    pub fn rest_pose(&self) -> Vec<LocalTransform> {
        self.joints.iter().map(|joint| joint.rest).collect()
    }

    /// `model_from_joint` of every joint in the rest pose, in the order of [`Skeleton::joints`].
    #[must_use]
    pub fn rest_matrices(&self) -> Vec<Affine3A> {
        let mut matrices = vec![Affine3A::IDENTITY; self.len()];
        self.model_from_joints(&self.rest_pose(), &mut matrices);
        matrices
    }

    /// Computes the `model_from_joint` matrices from local transforms (forward kinematics).
    ///
    /// `local[j]` is `parent_from_joint` of joint `j`, and `model_from_joint[j]` receives that joint's matrix. Both
    /// slices have one entry per joint.
    ///
    /// # Panics
    /// Panics if the length of a slice differs from [`Skeleton::len`].
    pub fn model_from_joints(&self, local: &[LocalTransform], model_from_joint: &mut [Affine3A]) {
        assert_eq!(local.len(), self.joints.len(), "one local transform per joint");
        assert_eq!(model_from_joint.len(), self.joints.len(), "one matrix per joint");
        for (index, joint) in self.joints.iter().enumerate() {
            let parent_from_joint = local[index].to_affine();
            model_from_joint[index] = match joint.parent {
                Some(parent) => portable::affine_mul(&model_from_joint[parent.index()], &parent_from_joint),
                None => parent_from_joint,
            };
        }
    }
}

impl Default for Joint {
    fn default() -> Self {
        Self {
            name: String::new(),
            node: NodeIndex(0),
            parent: None,
            rest: LocalTransform::Trs(Trs::IDENTITY),
            skinned: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<u16>) -> Joint {
        Joint { name: name.into(), parent: parent.map(JointIndex), ..Joint::default() }
    }

    #[test]
    fn joints_that_cannot_be_posed_are_refused() {
        let order = Skeleton::new(vec![joint("a", Some(0))]);
        assert!(matches!(order, Err(SkeletonError::ParentOrder { joint: JointIndex(0), .. })));
        let twice = Skeleton::new(vec![joint("a", None), joint("a", Some(0))]);
        assert!(matches!(twice, Err(SkeletonError::Name { joint: JointIndex(1), first: JointIndex(0), .. })));
        let unnamed = Skeleton::new(vec![joint("", None)]);
        assert!(matches!(unnamed, Err(SkeletonError::Name { .. })));
        let rest = LocalTransform::Trs(Trs { scale: glam::Vec3::NAN, ..Trs::IDENTITY });
        let nan = Skeleton::new(vec![Joint { rest, ..joint("a", None) }]);
        assert!(matches!(nan, Err(SkeletonError::NotFinite { .. })));
    }
}
