//! The options of each joint: the character's, or the joint's own.

use crate::options::BakeOptions;
use crate::overrides::Resolved;
use skeleton::JointIndex;

/// Looks up the options of a joint.
#[derive(Clone, Copy)]
pub(crate) struct JointOptions<'a> {
    /// The options of the character.
    pub(crate) character: &'a BakeOptions,
    pub(crate) overrides: &'a Resolved,
}

impl<'a> JointOptions<'a> {
    /// The joint's own options, or the character's where it has none.
    pub(crate) fn get(&self, joint: JointIndex) -> &'a BakeOptions {
        self.overrides.of(joint).options.as_ref().unwrap_or(self.character)
    }
}
