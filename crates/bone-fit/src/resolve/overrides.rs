//! The overrides of one character: their joints found by name, and their values checked.

use crate::bounds::COORDINATE_LIMIT;
use crate::options::{
    BakeOption, BakeOptions, JointOverride, LengthUnit, ManualBox, OptionError, OverrideError, Overrides, Poses,
    nearest_name,
};
use crate::resolve::joint_options::{JointOptions, ResolvedJoint};
use crate::resolve::joint_units::{JointSpaces, in_joint_units};
use crate::resolve::part_plan::PartPlan;
use baked_format::HitboxRole;
use glam::DMat3;
use skeleton::Skeleton;

impl Overrides {
    /// Returns the settings that apply to a character with these joints and options, as text; empty if none applies.
    ///
    /// The text leaves out patterns that match no joint, and options of joints that have the character's value. So two
    /// overrides with the same text bake the same bytes from the same model and options. The text is for records and
    /// their hashes; its form may change with any version.
    ///
    /// # Errors
    /// Returns the errors of [`bake_with`](crate::bake_with) for overrides.
    pub fn record(&self, skeleton: &Skeleton, options: &BakeOptions) -> Result<String, OverrideError> {
        let resolved = self.resolve(skeleton, options)?;
        let mut record = self.humanoid.record();
        for (part, own) in self.parts.iter().filter(|(_, own)| !own.is_empty()) {
            record.push_str(&format!("part {part:?} {own:?}\n"));
        }
        for (joint, own) in skeleton.joints().iter().zip(&resolved.joints) {
            let lines = own.record(options);
            if !lines.is_empty() {
                record.push_str(&format!("{:?}\n{lines}", joint.name));
            }
        }
        if !(self.attacks.is_empty() && self.states.is_empty()) {
            record.push_str(&format!("{:?}\n{:?}\n", self.attacks, self.states));
        }
        if let Some(ragdoll) = &self.ragdoll {
            record.push_str(&format!("{ragdoll:?}\n"));
        }
        Ok(record)
    }

    /// Returns the joints whose hitboxes hold another part of the motion than the options of the character set: joints
    /// with another `bridge`, `poses` or `keep`, in the order of the skeleton.
    ///
    /// # Errors
    /// Returns the errors of [`bake_with`](crate::bake_with) for overrides.
    pub fn joints_with_other_poses<'a>(
        &self,
        skeleton: &'a Skeleton,
        options: &BakeOptions,
    ) -> Result<Vec<&'a str>, OverrideError> {
        let resolved = self.resolve(skeleton, options)?;
        let held = |options: &BakeOptions| (options.bridge, options.poses, options.keep);
        let joints = skeleton.joints().iter().zip(&resolved.joints);
        let other = joints.filter(|(_, own)| own.options.as_ref().is_some_and(|own| held(own) != held(options)));
        Ok(other.map(|(joint, _)| joint.name.as_str()).collect())
    }

    pub(crate) fn resolve<'a>(
        &self,
        skeleton: &Skeleton,
        options: &'a BakeOptions,
    ) -> Result<JointOptions<'a>, OverrideError> {
        if let Some(name) = self.joints.keys().find(|name| skeleton.find(name).is_none()) {
            let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
            let nearest = nearest_name(name, names).map(str::to_owned);
            return Err(OverrideError::UnknownJoint { name: name.clone(), nearest });
        }
        let spaces = JointSpaces::new(skeleton, self.joints.values().any(|own| !own.boxes.is_empty()));
        let joints = skeleton.joints().iter().enumerate();
        let joints = joints.map(|(index, joint)| self.resolve_joint(&joint.name, options, spaces.of(index)));
        let joints = joints.collect::<Result<_, _>>()?;
        Ok(JointOptions { character: options, joints, parts: PartPlan::Joints, part_names: Vec::new() })
    }

    fn resolve_joint(&self, name: &str, options: &BakeOptions, space: DMat3) -> Result<ResolvedJoint, OverrideError> {
        let nothing = JointOverride::default();
        let own = self.joints.get(name).unwrap_or(&nothing);
        let joint_options = self.joint_options(name, options.clone())?;
        let mut tags = own.tags.clone();
        for (pattern, more) in &self.tags {
            if pattern.matches(name) {
                tags.extend_from_slice(more);
            }
        }
        let boxes = own.boxes.iter().map(|one| self.resolve_box(name, one, &tags, space));
        let boxes = boxes.collect::<Result<_, _>>()?;
        Ok(ResolvedJoint {
            options: (!own.options.is_empty()).then_some(joint_options),
            has_own_options: !own.options.is_empty(),
            tags: self.with_sets(tags),
            skip: own.skip,
            boxes,
        })
    }

    /// Returns the options of a joint that would have the options `of_part` without its own options.
    pub(crate) fn joint_options(&self, name: &str, of_part: BakeOptions) -> Result<BakeOptions, OverrideError> {
        let mut options = of_part;
        let own = self.joints.get(name).into_iter().flat_map(|own| &own.options);
        // A preset comes first, so that the joint's other options override it.
        let (presets, others): (Vec<_>, Vec<_>) = own.partition(|(key, _)| *key == "preset");
        let is_any = options.poses == Poses::Any;
        for (key, value) in presets.into_iter().chain(others) {
            let known = BakeOption::joint_keys().any(|known| known == key);
            // Boxes for any pose hold what the boxes of every other choice hold.
            let has_effect = !is_any || !["preset", "poses"].contains(&key.as_str());
            let mut without_effect = BakeOptions::default();
            let target = if has_effect { &mut options } else { &mut without_effect };
            let set = if known { target.set_for_joint(key, value) } else { Err(not_for_joints(key)) };
            set.map_err(|source| OverrideError::JointOption { joint: name.to_owned(), source })?;
        }
        Ok(options)
    }

    /// Returns the options of a part with these names, the more general name first; `None` if no name has options.
    pub(crate) fn part_options(&self, names: &[&str], character: &BakeOptions) -> Option<BakeOptions> {
        let mut options = character.clone();
        let own: Vec<_> = names.iter().filter_map(|name| self.parts.get(*name)).flatten().collect();
        for (key, value) in &own {
            let set = options.set(key, value);
            debug_assert!(set.is_ok(), "the options of parts were checked");
        }
        (!own.is_empty()).then_some(options)
    }

    /// Checks the names of parts and their options.
    pub(crate) fn check_parts(&self, names: &[&'static str]) -> Result<(), OverrideError> {
        for (part, own) in &self.parts {
            if !names.contains(&part.as_str()) {
                let nearest = nearest_name(part, names.iter().copied()).map(str::to_owned);
                return Err(OverrideError::UnknownPart { name: part.clone(), nearest });
            }
            for (key, value) in own {
                let set = match BakeOption::part_keys().any(|known| known == key) {
                    true => BakeOptions::default().set(key, value),
                    false => {
                        let nearest = nearest_name(key, BakeOption::part_keys());
                        Err(OptionError::UnknownKey { key: key.clone(), nearest })
                    }
                };
                set.map_err(|source| OverrideError::PartOption { part: part.clone(), source })?;
            }
        }
        Ok(())
    }

    fn resolve_box(
        &self,
        joint: &str,
        one: &ManualBox,
        tags: &[String],
        space: DMat3,
    ) -> Result<ManualBox, OverrideError> {
        let invalid = |problem| OverrideError::ManualBox { joint: joint.to_owned(), problem };
        problem_of(one).map_or(Ok(()), |problem| Err(invalid(problem)))?;
        // A box that came from a bake stays as it is, to the last bit.
        let length = one.orientation.as_dquat().length();
        let is_unit = (length - 1.0).abs() <= 1e-6;
        let orientation =
            if is_unit { one.orientation } else { (one.orientation.as_dquat() * (1.0 / length)).as_quat() };
        let tags = self.with_sets(tags.iter().chain(&one.tags).cloned().collect());
        let one = ManualBox { orientation, tags, ..one.clone() };
        match one.unit {
            LengthUnit::Joint => Ok(one),
            LengthUnit::Meters => {
                let one = in_joint_units(one, space).map_err(invalid)?;
                problem_of(&one).map_or(Ok(one), |problem| Err(invalid(format!("in the joint's unit, {problem}"))))
            }
        }
    }

    pub(crate) fn with_sets(&self, mut tags: Vec<String>) -> Vec<String> {
        let named = self.sets.iter().filter(|(_, members)| members.iter().any(|member| tags.contains(member)));
        let named: Vec<String> = named.map(|(name, _)| name.clone()).collect();
        tags.extend(named);
        tags.sort();
        tags.dedup();
        tags
    }
}

/// Returns why a box is invalid: the value, and the expected values. Returns `None` for a valid box.
fn problem_of(one: &ManualBox) -> Option<String> {
    let limit = COORDINATE_LIMIT as f32;
    if let Some(axis) = (0..3).find(|&axis| one.center[axis].is_nan() || one.center[axis].abs() > limit) {
        return Some(format!(
            "coordinate {axis} of its center is {:e}, but at most {limit:e} is possible",
            one.center[axis]
        ));
    }
    if let Some(axis) = (0..3).find(|&axis| !(0.0..=limit).contains(&one.half_extents[axis])) {
        let found = one.half_extents[axis];
        return Some(format!("half extent {axis} is {found:e}, but must be from 0 to {limit:e}"));
    }
    let length = one.orientation.as_dquat().length();
    let has_direction = length > 1e-6 && length.is_finite();
    if !has_direction {
        return Some(format!("its orientation has the length {length:e}, but must be a rotation"));
    }
    one.shape_problem()
}

impl ResolvedJoint {
    /// Returns one line for each setting, with numbers to the last bit.
    fn record(&self, character: &BakeOptions) -> String {
        let mut lines = Vec::new();
        if let Some(own) = &self.options {
            let differs = |key: &&str| own.get(key) != character.get(key);
            let mut keys: Vec<&str> = BakeOption::joint_keys().filter(differs).collect();
            keys.sort_unstable();
            lines.extend(keys.into_iter().filter_map(|key| Some(format!("{key} = {:?}", own.get(key)?))));
        }
        if !self.tags.is_empty() {
            lines.push(format!("tags = {:?}", self.tags));
        }
        if self.skip {
            lines.push("skip".into());
        }
        for one in &self.boxes {
            let numbers = [one.center.to_array(), one.half_extents.to_array()].concat();
            let bits: Vec<u32> = numbers.into_iter().chain(one.orientation.to_array()).map(f32::to_bits).collect();
            // A box that can be hit has the line that it had before boxes had roles.
            let role = if one.role == HitboxRole::Hurt { "" } else { one.role.keyword() };
            lines.push(format!("{} = {bits:x?} {:?}{role}", one.shape.keyword(), one.tags));
        }
        lines.into_iter().map(|line| format!("  {line}\n")).collect()
    }
}

fn not_for_joints(key: &str) -> OptionError {
    OptionError::UnknownKey { key: key.to_owned(), nearest: nearest_name(key, BakeOption::joint_keys()) }
}
