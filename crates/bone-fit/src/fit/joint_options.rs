//! The options of each joint: the character's, or the joint's own.

use crate::options::{BakeOptions, ResolvedOverrides};
use skeleton::JointIndex;

/// Looks up the options of a joint.
#[derive(Clone, Copy)]
pub(crate) struct JointOptions<'a> {
    /// The options of the character.
    pub(crate) character: &'a BakeOptions,
    pub(crate) overrides: &'a ResolvedOverrides,
}

impl<'a> JointOptions<'a> {
    /// The joint's own options, or the character's where it has none.
    pub(crate) fn get(&self, joint: JointIndex) -> &'a BakeOptions {
        self.overrides.for_joint(joint).options.as_ref().unwrap_or(self.character)
    }
}
