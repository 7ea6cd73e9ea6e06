//! The options of each joint: the character's, or the joint's own.

use crate::error::BakeError;
use crate::options::{BakeOptions, Poses, ResolvedOverrides, Shape};
use skeleton::{JointIndex, Skeleton};

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

    /// Checks that options which exclude each other are not set together.
    ///
    /// # Errors
    /// Returns [`BakeError::ShapeInAnyPose`].
    pub(crate) fn check(&self, skeleton: &Skeleton) -> Result<(), BakeError> {
        if self.character.poses != Poses::Any {
            return Ok(());
        }
        let own = skeleton.joints().iter().zip(&self.overrides.joints);
        let own = own.filter_map(|(joint, own)| Some((Some(joint.name.clone()), own.options.as_ref()?.shape)));
        let mut all = std::iter::once((None, self.character.shape)).chain(own);
        match all.find(|(_, shape)| *shape != Shape::Box) {
            Some((joint, shape)) => Err(BakeError::ShapeInAnyPose { joint, shape }),
            None => Ok(()),
        }
    }
}
