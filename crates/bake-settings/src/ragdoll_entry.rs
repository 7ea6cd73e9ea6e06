//! The ragdoll in one section of a file.

use bone_fit::{RagdollJointSettings, RagdollSettings};
use skeleton::NamePattern;

/// The settings of a ragdoll in one section of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RagdollEntry {
    /// `false` for `ragdoll = false`.
    pub(crate) is_wanted: bool,
    pub(crate) mass: Option<f64>,
    pub(crate) share: Option<f64>,
    pub(crate) slack: Option<f64>,
    pub(crate) min_body: Option<f64>,
    pub(crate) joints: Vec<(NamePattern, RagdollJointSettings)>,
}

impl RagdollEntry {
    /// The settings of this section over those of outer sections.
    pub(crate) fn over(&self, outer: Option<&RagdollSettings>) -> Option<RagdollSettings> {
        let mut all = self.is_wanted.then(|| outer.cloned().unwrap_or_default())?;
        all.mass = self.mass.or(all.mass);
        all.share = self.share.unwrap_or(all.share);
        all.slack = self.slack.unwrap_or(all.slack);
        all.min_body = self.min_body.unwrap_or(all.min_body);
        all.joints.extend_from_slice(&self.joints);
        Some(all)
    }
}
