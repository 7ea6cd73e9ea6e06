//! The content of a settings file, section by section. Each part has its place in the text, for errors and warnings.

use crate::motion_settings::MotionSettings;
use crate::ragdoll_entry::RagdollEntry;
use crate::shared_settings::SharedSettings;
use bone_fit::{AttackSettings, HitboxShape, HumanoidOverride, JointOverride, Limits, Overrides, StateSettings};
use skeleton::NamePattern;
use skeleton::humanoid::HumanBone;
use std::collections::BTreeMap;
use std::ops::Range;

/// The keys at the top of a file that are not options.
pub(crate) const FILE_KEYS: [&str; 12] = [
    "characters",
    "clips",
    "humanoid",
    "joints",
    "limits",
    "motions",
    "ragdoll",
    ROOT,
    "sets",
    "shared",
    "split",
    "tags",
];

/// The key that ends the search for settings files in parent folders.
pub(crate) const ROOT: &str = "root";

/// The keys in a character's section that are not options.
pub(crate) const CHARACTER_KEYS: [&str; 9] =
    ["clips", "humanoid", "joints", "limits", "motions", "ragdoll", "sets", "split", "tags"];

/// The keys in a joint's section that are not options.
pub(crate) const JOINT_KEYS: [&str; 3] = ["boxes", "skip", "tags"];

/// The key of the set of parts in a section `[parts]`.
pub(crate) const PART_SET: &str = "set";

/// The keys in a clip's section.
pub(crate) const CLIP_KEYS: [&str; 2] = ["attacks", "states"];

/// The keys of an attack.
pub(crate) const ATTACK_KEYS: [&str; 12] =
    ["active", "against", "boxes", "data", "frames", "group", "kind", "name", "rank", "rate", "rehit", "strength"];

/// The keys of a state.
pub(crate) const STATE_KEYS: [&str; 5] = ["active", "boxes", "frames", "rate", "state"];

/// The keys of an entry of `motions`.
pub(crate) const MOTION_KEYS: [&str; 9] =
    ["bones", "by", "clips", "files", "from", "prefix", "rename", "replace", "to"];

/// The keys of a set of shared hitboxes.
pub(crate) const SHARED_KEYS: [&str; 4] = ["characters", "from", "name", "scale"];

/// The keys of a manual box.
pub(crate) const BOX_KEYS: [&str; 8] =
    ["center", "half_extents", "orientation", "role", "rotation", "shape", "tags", "unit"];

/// The shapes of a manual box.
pub(crate) const BOX_SHAPES: [HitboxShape; 3] = [HitboxShape::Box, HitboxShape::Capsule, HitboxShape::Sphere];

/// A range of bytes in the text.
pub(crate) type Span = Range<usize>;

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Sections {
    /// The section for all characters.
    pub(crate) everyone: Section,
    /// The sections of characters, in the order of the file.
    pub(crate) characters: Vec<CharacterSection>,
    /// The sets of shared hitboxes, in the order of the file.
    pub(crate) shared: Vec<SharedEntry>,
    /// `true` if files of parent folders do not apply.
    pub(crate) is_root: bool,
    /// The tags in all sets, in the order of the file.
    pub(crate) set_tags: Vec<SetTag>,
}

/// A tag in a set of tags, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SetTag {
    /// The name of the set.
    pub(crate) set: String,
    pub(crate) tag: String,
    pub(crate) span: Span,
}

/// The settings of one character, or of all characters.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Section {
    /// The options, in the order of the file.
    pub(crate) options: Vec<OptionEntry>,
    pub(crate) limits: Limits,
    /// The places of the limits, by their keys.
    pub(crate) limit_spans: BTreeMap<&'static str, Span>,
    pub(crate) tags: Vec<(NamePattern, Vec<String>)>,
    pub(crate) sets: BTreeMap<String, Vec<String>>,
    /// The sections of joints, in the order of the file.
    pub(crate) joints: Vec<JointSection>,
    /// The sections of parts, in the order of the file.
    pub(crate) parts: Vec<PartSection>,
    /// The humanoid; `None` if the section does not set it.
    pub(crate) humanoid: Option<HumanoidSection>,
    /// The attacks of all clips, in the order of the file.
    pub(crate) attacks: Vec<AttackEntry>,
    /// The states of all clips, in the order of the file.
    pub(crate) states: Vec<StateEntry>,
    /// The clips from other files; `None` if the section does not set them.
    pub(crate) motions: Option<Vec<MotionEntry>>,
    /// The ragdoll; `None` if the section does not set it.
    pub(crate) ragdoll: Option<RagdollEntry>,
    /// The decision to split an asset with several characters; `None` if the section does not set it.
    pub(crate) split: Option<bool>,
    /// All patterns for joint names in options and tags, in the order of the file.
    pub(crate) patterns: Vec<PatternPlace>,
}

/// One option, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct OptionEntry {
    pub(crate) key: String,
    /// The value as a text that [`bone_fit::BakeOptions::set`] takes.
    pub(crate) value: String,
    pub(crate) span: Span,
}

/// A pattern for names, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PatternPlace {
    pub(crate) pattern: NamePattern,
    pub(crate) of: PatternOf,
    pub(crate) span: Span,
}

/// What a pattern may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternOf {
    Joints,
    /// Joints, meshes, their nodes and their materials.
    Skin,
}

impl PatternOf {
    /// What the patterns of an option may match.
    pub(crate) fn option(key: &str) -> Self {
        if key == "ignore" { Self::Skin } else { Self::Joints }
    }
}

/// An attack, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AttackEntry {
    pub(crate) settings: AttackSettings,
    pub(crate) span: Span,
}

/// A state, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StateEntry {
    pub(crate) settings: StateSettings,
    pub(crate) span: Span,
}

/// An entry of `motions`, and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MotionEntry {
    pub(crate) settings: MotionSettings,
    pub(crate) span: Span,
}

/// A set of shared hitboxes, and its places in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SharedEntry {
    pub(crate) settings: SharedSettings,
    pub(crate) span: Span,
    /// `pattern_spans[i]` is the place of `settings.characters[i]`.
    pub(crate) pattern_spans: Vec<Span>,
    /// The place of the value of `from`, or of the whole entry if it has none.
    pub(crate) from_span: Span,
}

/// The section of the characters with a matching name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CharacterSection {
    pub(crate) pattern: NamePattern,
    /// The place of the name.
    pub(crate) span: Span,
    pub(crate) section: Section,
}

/// The humanoid setting of a section.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HumanoidSection {
    /// The place of the key.
    pub(crate) span: Span,
    /// `false` for `humanoid = false`.
    pub(crate) is_wanted: bool,
    /// The bones, in the order of the file.
    pub(crate) bones: Vec<BoneEntry>,
}

/// A bone and the joint that the file gives it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BoneEntry {
    pub(crate) bone: HumanBone,
    /// The joint's name.
    pub(crate) joint: String,
    /// The place of the joint's name.
    pub(crate) span: Span,
}

/// The section of one part.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartSection {
    /// The part's name, one of [`bone_fit::part_tags`].
    pub(crate) name: String,
    /// The options, in the order of the file.
    pub(crate) options: Vec<OptionEntry>,
}

/// The section of one joint.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointSection {
    pub(crate) name: String,
    /// The place of the name.
    pub(crate) span: Span,
    pub(crate) own: JointOverride,
    /// The places of the joint's options; `own` contains their values.
    pub(crate) options: Vec<OptionEntry>,
    /// `box_spans[i]` is the place where `own.boxes[i]` begins.
    pub(crate) box_spans: Vec<Span>,
    /// `true` if the joint is skipped; `None` if the section does not set it.
    pub(crate) skip: Option<bool>,
}

impl Section {
    /// Adds the settings of this section's joints to those of outer sections, and overrides them.
    pub(crate) fn add_to(&self, overrides: &mut Overrides) {
        overrides.tags.extend_from_slice(&self.tags);
        overrides.sets.extend(self.sets.clone());
        if let Some(humanoid) = &self.humanoid {
            overrides.humanoid = humanoid.over(&overrides.humanoid);
        }
        for AttackEntry { settings, .. } in &self.attacks {
            // An attack overrides that of an outer section with the same clip and name.
            overrides.attacks.retain(|outer| (&outer.clip, &outer.name) != (&settings.clip, &settings.name));
            overrides.attacks.push(settings.clone());
        }
        if let Some(ragdoll) = &self.ragdoll {
            overrides.ragdoll = ragdoll.over(overrides.ragdoll.as_ref());
        }
        overrides.states.extend(self.states.iter().map(|entry| entry.settings.clone()));
        for part in &self.parts {
            let there = overrides.parts.entry(part.name.clone()).or_default();
            there.extend(part.options.iter().map(|option| (option.key.clone(), option.value.clone())));
        }
        for joint in &self.joints {
            let there = overrides.joints.entry(joint.name.clone()).or_default();
            if joint.own.options.contains_key("preset") {
                there.options.clear();
            }
            there.options.extend(joint.own.options.clone());
            there.tags.extend_from_slice(&joint.own.tags);
            there.boxes.extend_from_slice(&joint.own.boxes);
            there.skip = joint.skip.unwrap_or(there.skip);
        }
    }

    /// Returns true if the section sets this key for the character, or for the joint if there is one. A preset sets
    /// every option.
    pub(crate) fn sets(&self, joint: Option<&str>, key: &str) -> bool {
        let is_set = |options: &[OptionEntry]| options.iter().any(|option| option.key == key || option.key == "preset");
        match joint {
            None if key == "motions" => self.motions.is_some(),
            None => is_set(&self.options),
            Some(joint) => self.joints.iter().filter(|one| one.name == joint).any(|one| match key {
                "skip" => one.skip.is_some(),
                _ => is_set(&one.options),
            }),
        }
    }

    /// The attacks and the states: the clip, the entry as messages name it, and its place.
    pub(crate) fn clip_entries(&self) -> impl Iterator<Item = (&str, String, &Span)> {
        let attacks = self.attacks.iter().map(|one| (one.settings.clip.as_str(), one.settings.entry(), &one.span));
        attacks.chain(self.states.iter().map(|one| (one.settings.clip.as_str(), one.settings.entry(), &one.span)))
    }

    /// All tags that the section gives to joints and boxes.
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
    /// This section's humanoid. Its bones override those of an outer section.
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
