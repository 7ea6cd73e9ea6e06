//! The options of each joint: the character's, or the joint's own.

use crate::error::BakeError;
use crate::options::{BakeOptions, Bridge, ManualBox, Poses, Shape};
use crate::resolve::part_plan::PartPlan;
use skeleton::{JointIndex, NamePattern, Skeleton};

/// The options of a character, and the overrides of each of its joints.
pub(crate) struct JointOptions<'a> {
    /// The options of the character.
    pub(crate) character: &'a BakeOptions,
    /// `joints[i]` belongs to joint `i` of the skeleton.
    pub(crate) joints: Vec<ResolvedJoint>,
    /// The parts that joints give their skin to.
    pub(crate) parts: PartPlan,
    /// For each joint, the names of the part of the figure that it belongs to; empty without a humanoid.
    pub(crate) part_names: Vec<&'static [&'static str]>,
}

/// The overrides of one joint.
pub(crate) struct ResolvedJoint {
    /// The options of the joint or its part; `None` if the joint has the character's options.
    pub(crate) options: Option<BakeOptions>,
    /// `true` if the overrides have options for this joint itself.
    pub(crate) has_own_options: bool,
    /// The tags of the joint's hitboxes, sorted, without repetitions.
    pub(crate) tags: Vec<String>,
    pub(crate) skip: bool,
    /// The manual boxes of the joint, with unit orientations and complete tags.
    pub(crate) boxes: Vec<ManualBox>,
}

impl JointOptions<'_> {
    /// Returns the options of the joint or its part, or the character's options if the joint has none.
    pub(crate) fn get(&self, joint: JointIndex) -> &BakeOptions {
        self.joint(joint).options.as_ref().unwrap_or(self.character)
    }

    pub(crate) fn joint(&self, joint: JointIndex) -> &ResolvedJoint {
        &self.joints[joint.index()]
    }

    /// Returns `true` if any joint has a manual box.
    pub(crate) fn has_manual_boxes(&self) -> bool {
        self.joints.iter().any(|joint| !joint.boxes.is_empty())
    }

    /// Returns `true` if the options `include` and `exclude` let the joint with this name have hitboxes.
    pub(crate) fn includes(&self, name: &str) -> bool {
        let BakeOptions { include, exclude, .. } = self.character;
        (include.is_empty() || any_matches(include, name)) && !any_matches(exclude, name)
    }

    /// Returns `true` if the option `merge` gives the group of the joint with this name to the joint above.
    pub(crate) fn merges(&self, name: &str) -> bool {
        any_matches(&self.character.merge, name)
    }

    /// Returns the option `bridge` for the surface of a joint: that of its part. A joint that is merged by name, and has
    /// no options of its own, takes it from the joint above, which gets the surface.
    pub(crate) fn bridge(&self, skeleton: &Skeleton, joint: JointIndex) -> Bridge {
        let mut holder = self.part_of(joint);
        while !self.joint(holder).has_own_options && self.merges(&skeleton.joint(holder).name) {
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
            let joints = skeleton.joints().iter().zip(&self.joints);
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

fn any_matches(patterns: &[NamePattern], name: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(name))
}
