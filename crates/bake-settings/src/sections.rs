//! What a settings file holds, section by section, with the places in the text that errors and warnings point to.

use bone_fit::{HumanoidOverride, JointOverride, Limits, Overrides};
use skeleton::NamePattern;
use skeleton::humanoid::HumanBone;
use std::collections::BTreeMap;
use std::ops::Range;

/// Keys beside options at the top of a file.
pub(crate) const FILE_KEYS: [&str; 6] = ["characters", "humanoid", "joints", "limits", "sets", "tags"];

/// Keys beside options in a character's section.
pub(crate) const CHARACTER_KEYS: [&str; 5] = ["humanoid", "joints", "limits", "sets", "tags"];

/// Keys beside options in a joint's section.
pub(crate) const JOINT_KEYS: [&str; 3] = ["boxes", "skip", "tags"];

/// Keys of a manual box.
pub(crate) const BOX_KEYS: [&str; 5] = ["center", "half_extents", "orientation", "rotation", "tags"];

/// Bytes of the text.
pub(crate) type Span = Range<usize>;

/// The settings of one character, or of all characters.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Section {
    /// In the order of the file.
    pub(crate) options: Vec<OptionEntry>,
    pub(crate) limits: Limits,
    pub(crate) tags: Vec<(NamePattern, Vec<String>)>,
    pub(crate) sets: BTreeMap<String, Vec<String>>,
    /// In the order of the file.
    pub(crate) joints: Vec<JointSection>,
    /// `None` where the section does not say it.
    pub(crate) humanoid: Option<HumanoidSection>,
    /// All patterns for joint names in options and tags, in the order of the file.
    pub(crate) patterns: Vec<PatternPlace>,
}

/// One option and where it is set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OptionEntry {
    pub(crate) key: String,
    /// As [`bone_fit::BakeOptions::set`] takes it.
    pub(crate) value: String,
    pub(crate) span: Span,
}

/// A pattern for joint names and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PatternPlace {
    pub(crate) pattern: NamePattern,
    pub(crate) span: Span,
}

/// The section of the characters whose name matches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CharacterSection {
    pub(crate) pattern: NamePattern,
    /// Where the name stands.
    pub(crate) span: Span,
    pub(crate) section: Section,
}

/// What a section says about the humanoid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HumanoidSection {
    /// Where the key stands.
    pub(crate) span: Span,
    /// False for `humanoid = false`.
    pub(crate) is_wanted: bool,
    /// In the order of the file.
    pub(crate) bones: Vec<BoneEntry>,
}

/// A bone that was given a joint.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoneEntry {
    pub(crate) bone: HumanBone,
    /// The joint's name.
    pub(crate) joint: String,
    /// Where the joint's name stands.
    pub(crate) span: Span,
}

/// The section of one joint.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointSection {
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) span: Span,
    pub(crate) own: JointOverride,
    /// Where options of the joint are set; the values are in `own`.
    pub(crate) options: Vec<OptionEntry>,
    /// `box_spans[i]` is where `own.boxes[i]` begins.
    pub(crate) box_spans: Vec<Span>,
    /// `None` where the section does not say it.
    pub(crate) skip: Option<bool>,
}

impl Section {
    /// Adds the settings of this section's joints to those of outer sections.
    pub(crate) fn add_to(&self, overrides: &mut Overrides) {
        overrides.tags.extend_from_slice(&self.tags);
        overrides.sets.extend(self.sets.clone());
        if let Some(humanoid) = &self.humanoid {
            overrides.humanoid = humanoid.over(&overrides.humanoid);
        }
        for joint in &self.joints {
            let there = overrides.joints.entry(joint.name.clone()).or_default();
            there.options.extend(joint.own.options.clone());
            there.tags.extend_from_slice(&joint.own.tags);
            there.boxes.extend_from_slice(&joint.own.boxes);
            there.skip = joint.skip.unwrap_or(there.skip);
        }
    }

    /// All tags that the section gives to any joint or box.
    pub(crate) fn given_tags(&self) -> impl Iterator<Item = &str> {
        let by_pattern = self.tags.iter().flat_map(|(_, tags)| tags);
        let by_joint = self.joints.iter().flat_map(|joint| {
            let boxes = joint.own.boxes.iter().flat_map(|one| &one.tags);
            joint.own.tags.iter().chain(boxes)
        });
        by_pattern.chain(by_joint).map(String::as_str)
    }
}

impl HumanoidSection {
    /// This section's bones over those of an outer section.
    fn over(&self, outer: &HumanoidOverride) -> HumanoidOverride {
        if !self.is_wanted {
            return HumanoidOverride::Never;
        }
        let mut bones: BTreeMap<HumanBone, String> = BTreeMap::new();
        if let HumanoidOverride::Always(list) = outer {
            let known = |(bone, joint): &(String, String)| Some((HumanBone::from_name(bone)?, joint.clone()));
            bones.extend(list.iter().filter_map(known));
        }
        bones.extend(self.bones.iter().map(|entry| (entry.bone, entry.joint.clone())));
        HumanoidOverride::Always(bones.into_iter().map(|(bone, joint)| (bone.name().to_owned(), joint)).collect())
    }
}
