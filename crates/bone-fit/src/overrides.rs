//! What people say about single joints: options, tags, sets, boxes made by hand. Keyed by name, so that it survives
//! every new bake; a name that is not there is an error with the nearest one that is.

use crate::error::BakeError;
use crate::names::matches;
use crate::options::{BakeOptions, OptionError};
use crate::words::nearest;
use glam::{Quat, Vec3};
use skeleton::{JointIndex, Skeleton};
use std::collections::BTreeMap;

/// Everything that is said about single joints.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Overrides {
    /// By joint name.
    pub joints: BTreeMap<String, JointOverride>,
    /// Tags by name pattern (see [`crate::matches`]), all that match: `("*hand*", ["hand"])`.
    pub tags: Vec<(String, Vec<String>)>,
    /// Names for groups of tags: a box with any of the tags has the set's name as a tag too.
    pub sets: BTreeMap<String, Vec<String>>,
}

/// What is said about one joint.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointOverride {
    /// Options of this joint alone, by [`JointOverride::KEYS`].
    pub options: BTreeMap<String, String>,
    /// Tags of its boxes.
    pub tags: Vec<String>,
    /// Whether it gets no fitted box.
    pub skip: bool,
    /// Boxes made by hand, beside the fitted ones.
    pub boxes: Vec<HandBox>,
}

/// A box made by hand, in joint space.
#[derive(Clone, Debug, PartialEq)]
pub struct HandBox {
    /// In joint units.
    pub center: Vec3,
    /// In joint units, along the box's own axes; not negative.
    pub half_extents: Vec3,
    /// Joint from box; any length but 0.
    pub orientation: Quat,
    /// Beside the joint's own.
    pub tags: Vec<String>,
}

impl JointOverride {
    /// Options that can be set for a single joint.
    pub const KEYS: &'static [&'static str] = &["fit", "keep", "margin", "max_boxes", "min_thickness", "objective"];
}

/// Overrides with their joints found.
pub(crate) struct Resolved {
    /// One per joint.
    pub(crate) joints: Vec<ResolvedJoint>,
}

pub(crate) struct ResolvedJoint {
    /// `None` where the joint has the character's.
    pub(crate) options: Option<BakeOptions>,
    /// Sorted, none twice.
    pub(crate) tags: Vec<String>,
    pub(crate) skip: bool,
    /// Unit orientations, tags complete.
    pub(crate) boxes: Vec<HandBox>,
}

impl Overrides {
    /// All that bears on a character with these joints and options, as text; empty where nothing does.
    ///
    /// Two overrides with the same text bake the same bytes from the same model and options: a pattern that matches no
    /// joint is not in it, nor a joint's option that says what the character's does. It is for records and their
    /// hashes; its form may change with any version.
    ///
    /// # Errors
    /// As [`bake_with`](crate::bake_with) has for overrides.
    pub fn record(&self, skeleton: &Skeleton, options: &BakeOptions) -> Result<String, BakeError> {
        let resolved = self.resolve(skeleton, options)?;
        let mut record = String::new();
        for (joint, own) in skeleton.joints().iter().zip(&resolved.joints) {
            let lines = own.record(options);
            if !lines.is_empty() {
                record.push_str(&format!("{:?}\n{lines}", joint.name));
            }
        }
        Ok(record)
    }

    pub(crate) fn resolve(&self, skeleton: &Skeleton, options: &BakeOptions) -> Result<Resolved, BakeError> {
        if let Some(name) = self.joints.keys().find(|name| skeleton.find(name).is_none()) {
            let names = skeleton.joints().iter().map(|joint| joint.name.as_str());
            let nearest = nearest(name, names).map(str::to_owned);
            return Err(BakeError::UnknownJoint { name: name.clone(), nearest });
        }
        let joints: Result<Vec<ResolvedJoint>, BakeError> =
            skeleton.joints().iter().map(|joint| self.resolve_joint(&joint.name, options)).collect();
        Ok(Resolved { joints: joints? })
    }

    fn resolve_joint(&self, name: &str, options: &BakeOptions) -> Result<ResolvedJoint, BakeError> {
        let nothing = JointOverride::default();
        let own = self.joints.get(name).unwrap_or(&nothing);
        let mut of_joint = options.clone();
        for (key, value) in &own.options {
            let known = JointOverride::KEYS.contains(&key.as_str());
            let set = if known { of_joint.set(key, value) } else { Err(unknown_key(key)) };
            set.map_err(|source| BakeError::JointOption { joint: name.to_owned(), source })?;
        }
        let mut tags = own.tags.clone();
        for (pattern, more) in &self.tags {
            if matches(pattern, name) {
                tags.extend_from_slice(more);
            }
        }
        let boxes: Result<Vec<HandBox>, BakeError> =
            own.boxes.iter().map(|one| self.hand_box(name, one, &tags)).collect();
        Ok(ResolvedJoint {
            options: (!own.options.is_empty()).then_some(of_joint),
            tags: self.with_sets(tags),
            skip: own.skip,
            boxes: boxes?,
        })
    }

    fn hand_box(&self, name: &str, one: &HandBox, tags: &[String]) -> Result<HandBox, BakeError> {
        let length = one.orientation.as_dquat().length();
        let size = one.half_extents;
        let limit = crate::COORDINATE_LIMIT as f32;
        let good = one.center.abs().max_element() <= limit
            && size.min_element() >= 0.0
            && size.max_element() <= limit
            && length > 1e-6
            && length.is_finite();
        if !good || one.center.is_nan() || size.is_nan() {
            return Err(BakeError::HandBox { joint: name.to_owned() });
        }
        // One that came from a bake stays as it is, to the last bit.
        let is_unit = (length - 1.0).abs() <= 1e-6;
        let orientation =
            if is_unit { one.orientation } else { (one.orientation.as_dquat() * (1.0 / length)).as_quat() };
        let tags = self.with_sets(tags.iter().chain(&one.tags).cloned().collect());
        Ok(HandBox { orientation, tags, ..one.clone() })
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

impl ResolvedJoint {
    /// A line for each thing said; numbers to the last bit.
    fn record(&self, character: &BakeOptions) -> String {
        let (theirs, mut lines) = (character.entries(), Vec::new());
        let own = self.options.iter().flat_map(BakeOptions::entries).filter(|entry| !theirs.contains(entry));
        lines.extend(own.map(|(key, value)| format!("{key} = {value:?}")));
        if !self.tags.is_empty() {
            lines.push(format!("tags = {:?}", self.tags));
        }
        if self.skip {
            lines.push("skip".into());
        }
        for one in &self.boxes {
            let numbers = [one.center.to_array(), one.half_extents.to_array()].concat();
            let bits: Vec<u32> = numbers.into_iter().chain(one.orientation.to_array()).map(f32::to_bits).collect();
            lines.push(format!("box = {bits:x?} {:?}", one.tags));
        }
        lines.into_iter().map(|line| format!("  {line}\n")).collect()
    }
}

impl Resolved {
    pub(crate) fn of(&self, joint: JointIndex) -> &ResolvedJoint {
        &self.joints[joint.index()]
    }
}

fn unknown_key(key: &str) -> OptionError {
    OptionError::UnknownKey { key: key.to_owned(), nearest: nearest(key, JointOverride::KEYS.iter().copied()) }
}
