//! The parts of one character: the joint that each joint gives its skin to, and the tags of each part.

use crate::options::{BakeOptions, NamedParts, OverrideError, Overrides, Parts, Small};
use crate::resolve::joint_options::JointOptions;
use crate::resolve::part_plan::PartPlan;
use baked_format::BakedCharacter;
use skeleton::humanoid::{HumanBone, Humanoid, PartSet};
use skeleton::{JointIndex, NamePattern, Quadruped, QuadrupedPart, Skeleton};
use std::collections::BTreeMap;

/// The number of parts that stands for a set, if the character has no humanoid.
pub(crate) struct WithoutHumanoid {
    pub(crate) parts: NamedParts,
    pub(crate) count: usize,
}

impl NamedParts {
    fn set(self) -> Option<PartSet> {
        match self {
            Self::Joints => None,
            Self::Humanoid => Some(PartSet::Standard),
            Self::HumanoidCoarse => Some(PartSet::Coarse),
            Self::HumanoidFingers => Some(PartSet::Fingers),
        }
    }
}

impl JointOptions<'_> {
    /// Gives joints the options of their parts.
    ///
    /// # Errors
    /// Returns the errors of [`bake_with`](crate::bake_with) for overrides.
    pub(crate) fn set_options_of_parts(
        &mut self,
        skeleton: &Skeleton,
        humanoid: Option<&Humanoid>,
        overrides: &Overrides,
    ) -> Result<(), OverrideError> {
        overrides.check_parts(&part_tags())?;
        let Some(humanoid) = humanoid.filter(|_| !overrides.parts.is_empty()) else { return Ok(()) };
        self.part_names = part_names(self.character, skeleton, humanoid);
        for ((joint, own), names) in skeleton.joints().iter().zip(&mut self.joints).zip(&self.part_names) {
            if let Some(of_part) = overrides.part_options(names, self.character) {
                own.options = Some(overrides.joint_options(&joint.name, of_part)?);
            }
        }
        Ok(())
    }

    /// Plans the parts, and adds the tags of parts to the joints. Returns what replaces a set of parts that needs a
    /// humanoid, if there is none.
    pub(crate) fn plan_parts(
        &mut self,
        skeleton: &Skeleton,
        humanoid: Option<&Humanoid>,
        overrides: &Overrides,
    ) -> Option<WithoutHumanoid> {
        let named = match self.character.parts {
            Parts::Named(NamedParts::Joints) => return None,
            Parts::Named(named) => Some(named),
            Parts::Count(_) => None,
        };
        let set = named.and_then(NamedParts::set);
        let mut missing = None;
        self.parts = match (set, humanoid, self.character.parts) {
            (Some(set), Some(humanoid), _) => PartPlan::Known(humanoid.part_joints(skeleton, set)),
            (Some(set), None, _) => {
                missing = named.map(|parts| WithoutHumanoid { parts, count: set.most_parts() });
                PartPlan::Count(set.most_parts())
            }
            (None, _, Parts::Count(count)) => PartPlan::Count(count),
            (None, _, Parts::Named(_)) => PartPlan::Joints,
        };
        let names = match humanoid {
            Some(humanoid) => part_names(self.character, skeleton, humanoid),
            None => parts_of_animal(skeleton),
        };
        for (joint, tags) in self.joints.iter_mut().zip(names) {
            joint.tags = overrides.with_sets(joint.tags.iter().cloned().chain(owned(tags)).collect());
            // A manual box in place of the fitted one is the part.
            for one in joint.boxes.iter_mut().filter(|_| joint.skip) {
                one.tags = overrides.with_sets(one.tags.iter().cloned().chain(owned(tags)).collect());
            }
        }
        missing
    }

    /// The joint that gets the skin of a joint, if this is known before the groups are.
    pub(crate) fn part_of(&self, joint: JointIndex) -> JointIndex {
        match &self.parts {
            PartPlan::Known(parts) if !self.keeps_its_skin(joint) => parts[joint.index()],
            _ => joint,
        }
    }

    /// Returns `true` for a joint with settings of its own. It keeps its skin, whatever the parts are.
    pub(crate) fn keeps_its_skin(&self, joint: JointIndex) -> bool {
        let own = self.joint(joint);
        own.has_own_options || own.skip || !own.boxes.is_empty()
    }
}

/// Returns for each joint the tags of the part that it belongs to.
fn part_names(options: &BakeOptions, skeleton: &Skeleton, humanoid: &Humanoid) -> Vec<&'static [&'static str]> {
    let is_coarse = options.parts == Parts::Named(NamedParts::HumanoidCoarse);
    let part = |bone| if is_coarse { PartSet::Coarse.part_of(bone).unwrap_or(bone) } else { bone };
    let bones = humanoid.bones_of_joints(skeleton).into_iter();
    bones.map(|bone| bone.map_or(&[][..], |bone| tags_of_bone(part(bone)))).collect()
}

/// Returns for each joint the tags of the part of a four-legged animal that it belongs to; none if the skeleton is not known to
/// be one.
fn parts_of_animal(skeleton: &Skeleton) -> Vec<&'static [&'static str]> {
    let animal = Quadruped::guess(skeleton).ok();
    let part = |joint| animal.as_ref().and_then(|animal| animal.part(JointIndex(joint as u16)));
    (0..skeleton.len()).map(|joint| part(joint).map_or(&[][..], tags_of_animal)).collect()
}

/// The tags of the hitboxes of a part of a four-legged animal.
fn tags_of_animal(part: QuadrupedPart) -> &'static [&'static str] {
    use QuadrupedPart as P;
    match part {
        P::Head => &["head"],
        P::Neck => &["neck"],
        P::Torso => &["torso"],
        P::Tail => &["tail"],
        P::FrontLeftLeg => &["leg", "leg.left", "leg.front.left"],
        P::FrontRightLeg => &["leg", "leg.right", "leg.front.right"],
        P::HindLeftLeg => &["leg", "leg.left", "leg.hind.left"],
        P::HindRightLeg => &["leg", "leg.right", "leg.hind.right"],
    }
}

fn owned<'a>(tags: &'a [&'static str]) -> impl Iterator<Item = String> + 'a {
    tags.iter().map(|tag| (*tag).to_owned())
}

/// Returns the joints with hitboxes that got the skin of other joints, each with those joints.
///
/// A file does not list which joints gave their skin away. They are the joints of the skin without hitboxes that the options
/// do not leave out, and their skin went to the part that the file's options and humanoid name, or otherwise to the nearest
/// joint above with hitboxes. Joints without any skin may be in the lists.
#[must_use]
pub fn skin_givers(character: &BakedCharacter) -> Vec<(JointIndex, Vec<JointIndex>)> {
    let entries = character.options.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let Ok(options) = BakeOptions::from_entries(entries) else { return Vec::new() };
    let skeleton = &character.skeleton;
    let set = match options.parts {
        Parts::Named(named) => named.set(),
        Parts::Count(_) => None,
    };
    let parts = set.zip(character.humanoid.as_ref()).map(|(set, humanoid)| humanoid.part_joints(skeleton, set));
    let has_boxes = |joint: JointIndex| character.boxes.iter().any(|hitbox| hitbox.joint == joint);
    let matches = |patterns: &[NamePattern], name: &str| patterns.iter().any(|pattern| pattern.matches(name));
    let mut givers: BTreeMap<JointIndex, Vec<JointIndex>> = BTreeMap::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let own = JointIndex(index as u16);
        let is_included = options.include.is_empty() || matches(&options.include, &joint.name);
        let gives = options.has_parts() || matches(&options.merge, &joint.name) || options.small == Small::Merge;
        if !joint.skinned
            || !gives
            || matches(&options.ignore, &joint.name)
            || !is_included
            || matches(&options.exclude, &joint.name)
            || has_boxes(own)
        {
            continue;
        }
        let above =
            || std::iter::successors(joint.parent, |&above| skeleton.joint(above).parent).find(|&at| has_boxes(at));
        let part = parts.as_ref().map(|parts| parts[index]).filter(|&part| has_boxes(part));
        if let Some(to) = part.or_else(above) {
            givers.entry(to).or_default().push(own);
        }
    }
    givers.into_iter().collect()
}

/// All tags that hitboxes of a humanoid get from parts, sorted. They are the names of the parts too.
#[must_use]
pub fn part_tags() -> Vec<&'static str> {
    let mut tags: Vec<&str> = HumanBone::ALL.into_iter().flat_map(tags_of_bone).copied().collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// All tags that hitboxes of a four-legged animal get from parts, sorted.
#[must_use]
pub fn animal_tags() -> Vec<&'static str> {
    let mut tags: Vec<&str> = QuadrupedPart::ALL.into_iter().flat_map(tags_of_animal).copied().collect();
    tags.sort_unstable();
    tags.dedup();
    tags
}

/// The tags of the hitboxes of a bone's part.
fn tags_of_bone(bone: HumanBone) -> &'static [&'static str] {
    use HumanBone as B;
    match bone {
        B::Head | B::LeftEye | B::RightEye | B::Jaw => &["head"],
        B::Neck => &["neck"],
        B::Chest | B::UpperChest => &["torso", "chest"],
        B::Spine => &["torso", "belly"],
        B::Hips => &["torso", "hips"],
        B::LeftShoulder | B::RightShoulder => &["torso", "chest"],
        B::LeftUpperLeg | B::LeftLowerLeg => &["leg", "leg.left"],
        B::RightUpperLeg | B::RightLowerLeg => &["leg", "leg.right"],
        B::LeftFoot | B::LeftToes => &["foot", "foot.left"],
        B::RightFoot | B::RightToes => &["foot", "foot.right"],
        B::LeftUpperArm | B::LeftLowerArm => &["arm", "arm.left"],
        B::RightUpperArm | B::RightLowerArm => &["arm", "arm.right"],
        _ if bone == B::LeftHand || (B::LeftThumbMetacarpal..=B::LeftLittleDistal).contains(&bone) => {
            &["hand", "hand.left"]
        }
        _ => &["hand", "hand.right"],
    }
}

impl BakeOptions {
    /// Returns `true` if hitboxes are made for parts and not for joints.
    #[must_use]
    pub fn has_parts(&self) -> bool {
        self.parts != Parts::JOINTS
    }
}
