//! The options of each joint: the character's, or the joint's own.

use crate::error::BakeError;
use crate::options::{BakeOptions, Bridge, Poses, ResolvedOverrides, Shape};
use skeleton::{JointIndex, NamePattern, Skeleton};

/// Looks up the options of a joint.
#[derive(Clone, Copy)]
pub(crate) struct JointOptions<'a> {
    /// The options of the character.
    pub(crate) character: &'a BakeOptions,
    pub(crate) overrides: &'a ResolvedOverrides,
}

impl<'a> JointOptions<'a> {
    /// Returns the joint's own options, or the character's options if the joint has none.
    pub(crate) fn get(&self, joint: JointIndex) -> &'a BakeOptions {
        self.overrides.for_joint(joint).options.as_ref().unwrap_or(self.character)
    }

    /// Returns the option `bridge` for the surface of a joint. A joint that is merged by name, and has no options of its
    /// own, takes it from the joint above, which gets the surface.
    pub(crate) fn bridge(&self, skeleton: &Skeleton, joint: JointIndex) -> Bridge {
        let merges = |name: &str| self.character.merge.iter().any(|pattern: &NamePattern| pattern.matches(name));
        let mut holder = joint;
        while self.overrides.for_joint(holder).options.is_none() && merges(&skeleton.joint(holder).name) {
            let Some(parent) = skeleton.joint(holder).parent else { break };
            holder = parent;
        }
        self.get(holder).bridge
    }

    /// Checks that options which exclude each other are not set together.
    ///
    /// # Errors
    /// Returns [`BakeError::AnyPoseOfJoint`] or [`BakeError::ShapeInAnyPose`].
    pub(crate) fn check(&self, skeleton: &Skeleton) -> Result<(), BakeError> {
        let own = || {
            let joints = skeleton.joints().iter().zip(&self.overrides.joints);
            joints.filter_map(|(joint, own)| Some((joint.name.clone(), own.options.as_ref()?)))
        };
        if self.character.poses != Poses::Any {
            let joint = own().find(|(_, own)| own.poses == Poses::Any).map(|(joint, _)| joint);
            return joint.map_or(Ok(()), |joint| Err(BakeError::AnyPoseOfJoint { joint }));
        }
        let own = own().map(|(joint, own)| (Some(joint), own.shape));
        let mut all = std::iter::once((None, self.character.shape)).chain(own);
        match all.find(|(_, shape)| *shape != Shape::Box) {
            Some((joint, shape)) => Err(BakeError::ShapeInAnyPose { joint, shape }),
            None => Ok(()),
        }
    }
}
