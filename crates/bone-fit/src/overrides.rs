//! What people say about single joints: options, tags, sets, boxes made by hand. Keyed by name, so that it survives
//! every new bake; a name that is not there is an error with the nearest one that is.

use crate::bake::BakeError;
use crate::names::matches;
use crate::options::{BakeOptions, OptionError};
use crate::report::FitReport;
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

/// The least and most that a bake may have.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Limits {
    /// Least share of the surface inside at rest.
    pub least_surface_rest: Option<f64>,
    /// Least share of the surface inside over the clips.
    pub least_surface_clips: Option<f64>,
    /// Farthest escape, as a share of the height.
    pub most_escape: Option<f64>,
    /// Volume of all boxes over that of the smallest around the same points.
    pub most_volume_ratio: Option<f64>,
}

impl Limits {
    /// A sentence for each limit that a bake breaks. A figure that was not measured breaks its limit.
    #[must_use]
    pub fn broken(&self, report: &FitReport) -> Vec<String> {
        let measured = report.measured.as_ref();
        let ratio = report.total.min_volume.filter(|least| *least > 0.0).map(|least| report.total.volume / least);
        let mut broken = Vec::new();
        let mut check = |what: &str, limit: Option<f64>, found: Option<f64>, least: bool| {
            let Some(limit) = limit else { return };
            let (side, kept) = match (least, found) {
                (true, found) => ("least", found.is_some_and(|found| found >= limit)),
                (false, found) => ("most", found.is_some_and(|found| found <= limit)),
            };
            if !kept {
                let found = found.map_or_else(|| "not measured".into(), |found| format!("{found:.6}"));
                broken.push(format!("{what} is {found}, at {side} {limit} is asked for"));
            }
        };
        check("surface coverage at rest", self.least_surface_rest, measured.map(|m| m.surface_rest), true);
        check("surface coverage over the clips", self.least_surface_clips, measured.map(|m| m.surface_clips), true);
        check("the largest escape", self.most_escape, measured.map(|m| m.max_escape), false);
        check("the volume ratio", self.most_volume_ratio, ratio, false);
        broken
    }
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
        let orientation = (one.orientation.as_dquat() * (1.0 / length)).as_quat();
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

impl Resolved {
    pub(crate) fn of(&self, joint: JointIndex) -> &ResolvedJoint {
        &self.joints[joint.index()]
    }
}

fn unknown_key(key: &str) -> OptionError {
    OptionError::UnknownKey { key: key.to_owned(), nearest: nearest(key, JointOverride::KEYS.iter().copied()) }
}
