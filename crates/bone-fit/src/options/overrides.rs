//! Settings of single joints, keyed by name so that they survive every new bake: options, tags, sets, manual boxes,
//! bones.

use crate::bounds::COORDINATE_LIMIT;
use crate::options::choices::Poses;
use crate::options::humanoid::HumanoidOverride;
use crate::options::kind::OptionError;
use crate::options::nearest_name::{did_you_mean, nearest_name};
use crate::options::table::{BakeOption, BakeOptions};
use baked_format::HitboxShape;
use glam::{Quat, Vec3};
use skeleton::{JointIndex, NamePattern, Skeleton};
use std::collections::BTreeMap;

/// All settings of single joints of one character, and of its humanoid.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Overrides {
    /// The settings of single joints, by the name of the joint.
    pub joints: BTreeMap<String, JointOverride>,
    /// Tags by patterns for joint names; a joint gets the tags of every pattern that matches it.
    pub tags: Vec<(NamePattern, Vec<String>)>,
    /// Names for groups of tags: a box with any of the set's tags has the set's name as a tag too.
    pub sets: BTreeMap<String, Vec<String>>,
    /// The condition under which the character has a humanoid, and the joints that the settings give to standard bones.
    pub humanoid: HumanoidOverride,
}

/// The settings of one joint.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointOverride {
    /// Options of this joint alone, by [`BakeOption::key`]; only options with [`BakeOption::for_joints`].
    pub options: BTreeMap<String, String>,
    /// Tags of all boxes of the joint.
    pub tags: Vec<String>,
    /// True if the joint gets no fitted box.
    pub skip: bool,
    /// Boxes that a person made, beside the fitted ones.
    pub boxes: Vec<ManualBox>,
}

/// A hitbox that a person made, in joint space: a box, a capsule or a sphere.
#[derive(Clone, Debug, PartialEq)]
pub struct ManualBox {
    /// The shape inside the box that the other fields describe; not [`HitboxShape::Hull`], which has no manual form.
    pub shape: HitboxShape,
    /// Center in joint space, in the joint's unit; finite.
    pub center: Vec3,
    /// Half extents along the box's own axes, in the joint's unit; each at least 0. The half extents of a capsule are
    /// its radius, half of its length with the caps, and its radius again. For a sphere, all three are its radius.
    pub half_extents: Vec3,
    /// Rotation `joint_from_box` as a quaternion of any length above 1e-6. A bake scales it to length 1.
    pub orientation: Quat,
    /// Tags beside those of the joint.
    pub tags: Vec<String>,
}

impl ManualBox {
    /// Returns why the half extents do not fit the shape, what they should be, and what to do; `None` if they fit.
    #[must_use]
    pub fn shape_problem(&self) -> Option<String> {
        let [x, y, z] = self.half_extents.to_array();
        let expected = match self.shape {
            HitboxShape::Box => return None,
            HitboxShape::Capsule if x == z && y >= x => return None,
            HitboxShape::Sphere if x == y && y == z => return None,
            HitboxShape::Capsule => {
                "those of a capsule are its radius, half of its length with the caps, and its radius again; give the first \
                 and the third the same value, and the second at least this value"
            }
            HitboxShape::Sphere => "for a sphere, all three are its radius; give all three the same value",
            HitboxShape::Hull => {
                return Some("its shape is a hull, which has no manual form; use a box, a capsule or a sphere".into());
            }
        };
        Some(format!("its half extents are [{x}, {y}, {z}], but {expected}"))
    }
}

/// The reason why overrides do not fit a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverrideError {
    /// The character has no such joint. Correct the name, or remove the section.
    #[error("there is no joint {name:?}{}", did_you_mean(nearest.as_deref()))]
    UnknownJoint {
        /// The name that was given.
        name: String,
        /// The joint that was probably meant.
        nearest: Option<String>,
    },
    /// An option of a single joint could not be set.
    #[error("joint {joint:?}: {source}")]
    JointOption {
        /// The joint's name.
        joint: String,
        /// The error of the option.
        source: OptionError,
    },
    /// The numbers of a manual box make no box.
    #[error("the manual box of joint {joint:?} is invalid: {problem}; its numbers are in the joint's space and unit")]
    ManualBox {
        /// The joint's name.
        joint: String,
        /// The invalid number, and the numbers that were expected.
        problem: String,
    },
}

/// Overrides with their names resolved to joints.
pub(crate) struct ResolvedOverrides {
    /// `joints[i]` belongs to joint `i` of the skeleton.
    pub(crate) joints: Vec<ResolvedJoint>,
}

pub(crate) struct ResolvedJoint {
    /// The joint's own options; `None` if the joint has the character's options.
    pub(crate) options: Option<BakeOptions>,
    /// The tags of the joint's hitboxes, sorted, without repetitions.
    pub(crate) tags: Vec<String>,
    pub(crate) skip: bool,
    /// The manual boxes of the joint, with unit orientations and complete tags.
    pub(crate) boxes: Vec<ManualBox>,
}

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
        for (joint, own) in skeleton.joints().iter().zip(&resolved.joints) {
            let lines = own.record(options);
            if !lines.is_empty() {
                record.push_str(&format!("{:?}\n{lines}", joint.name));
            }
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

    pub(crate) fn resolve(
        &self,
        skeleton: &Skeleton,
        options: &BakeOptions,
    ) -> Result<ResolvedOverrides, OverrideError> {
        if let Some(name) = self.joints.keys().find(|name| skeleton.find(name).is_none()) {
            let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
            let nearest = nearest_name(name, names).map(str::to_owned);
            return Err(OverrideError::UnknownJoint { name: name.clone(), nearest });
        }
        let joints = skeleton.joints().iter().map(|joint| self.resolve_joint(&joint.name, options));
        Ok(ResolvedOverrides { joints: joints.collect::<Result<_, _>>()? })
    }

    fn resolve_joint(&self, name: &str, options: &BakeOptions) -> Result<ResolvedJoint, OverrideError> {
        let nothing = JointOverride::default();
        let own = self.joints.get(name).unwrap_or(&nothing);
        let mut joint_options = options.clone();
        // A preset comes first, so that the joint's other options override it.
        let (presets, others): (Vec<_>, Vec<_>) = own.options.iter().partition(|(key, _)| *key == "preset");
        for (key, value) in presets.into_iter().chain(others) {
            let known = BakeOption::joint_keys().any(|known| known == key);
            // Boxes for any pose hold what the boxes of every other choice hold.
            let has_effect = options.poses != Poses::Any || !["preset", "poses"].contains(&key.as_str());
            let mut without_effect = BakeOptions::default();
            let target = if has_effect { &mut joint_options } else { &mut without_effect };
            let set = if known { target.set_for_joint(key, value) } else { Err(not_for_joints(key)) };
            set.map_err(|source| OverrideError::JointOption { joint: name.to_owned(), source })?;
        }
        let mut tags = own.tags.clone();
        for (pattern, more) in &self.tags {
            if pattern.matches(name) {
                tags.extend_from_slice(more);
            }
        }
        let boxes = own.boxes.iter().map(|one| self.resolve_box(name, one, &tags));
        let boxes = boxes.collect::<Result<_, _>>()?;
        Ok(ResolvedJoint {
            options: (!own.options.is_empty()).then_some(joint_options),
            tags: self.with_sets(tags),
            skip: own.skip,
            boxes,
        })
    }

    fn resolve_box(&self, joint: &str, one: &ManualBox, tags: &[String]) -> Result<ManualBox, OverrideError> {
        if let Some(problem) = problem_of(one) {
            return Err(OverrideError::ManualBox { joint: joint.to_owned(), problem });
        }
        // A box that came from a bake stays as it is, to the last bit.
        let length = one.orientation.as_dquat().length();
        let is_unit = (length - 1.0).abs() <= 1e-6;
        let orientation =
            if is_unit { one.orientation } else { (one.orientation.as_dquat() * (1.0 / length)).as_quat() };
        let tags = self.with_sets(tags.iter().chain(&one.tags).cloned().collect());
        Ok(ManualBox { orientation, tags, ..one.clone() })
    }

    fn with_sets(&self, mut tags: Vec<String>) -> Vec<String> {
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
            lines.push(format!("{} = {bits:x?} {:?}", one.shape.keyword(), one.tags));
        }
        lines.into_iter().map(|line| format!("  {line}\n")).collect()
    }
}

impl ResolvedOverrides {
    pub(crate) fn for_joint(&self, joint: JointIndex) -> &ResolvedJoint {
        &self.joints[joint.index()]
    }
}

fn not_for_joints(key: &str) -> OptionError {
    OptionError::UnknownKey { key: key.to_owned(), nearest: nearest_name(key, BakeOption::joint_keys()) }
}
