//! Manual boxes: their place among the fitted boxes, and a test for implausible numbers.
//!
//! Numbers in a wrong unit make a box that holds everything or nothing. A box that holds everything has perfect
//! coverage, so coverage cannot find this mistake. Each manual box is therefore compared with the character and with
//! the skin of its joint.

use crate::assign::groups::{Groups, JointGroup};
use crate::bounds::Bounds;
use crate::error::BakeError;
use crate::fit::enclose::{TightBox, enclose};
use crate::fit::orientation::orientation;
use crate::options::{Fit, LengthUnit, Objective};
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::{HitboxRole, HitboxShape};
use glam::{DMat3, DVec3};
use hull::ConvexHull;
use skeleton::JointIndex;

/// A box is probably a mistake if its longest side is more than this many times the character's longest extent.
const LARGEST: f64 = 1.25;
/// A box is probably a mistake if its joint's skin is farther away than this share of the character's longest extent.
const FARTHEST: f64 = 0.25;
/// A box in place of the fitted boxes holds none of the skin if it is farther away than this share of the character's longest
/// extent.
const APART: f64 = 1e-5;
/// A box in place of the fitted boxes is probably a mistake if the skin fills less than this share of it: the box is
/// then at least three times too large on each side.
const EMPTIEST: f64 = 0.03;
/// A box in place of the fitted boxes is probably a mistake if it is shorter than this share of the joint's skin: the
/// box then holds next to nothing.
const SMALLEST: f64 = 0.05;
/// A box that strikes, grabs or guards may be in the air. It is probably a mistake if it is longer, or farther away, than
/// this many times the character's longest extent.
const IN_THE_AIR: f64 = 3.0;

/// A manual box of a joint.
#[derive(Clone, Debug)]
pub(crate) struct ManualFit {
    pub(crate) joint: JointIndex,
    /// The number of the box among the manual boxes of the joint, counted from 1.
    pub(crate) number: usize,
    /// The number of manual boxes of the joint.
    pub(crate) count: usize,
    pub(crate) shape: HitboxShape,
    pub(crate) role: HitboxRole,
    pub(crate) unit: LengthUnit,
    /// The box around the shape.
    pub(crate) tight: TightBox,
    pub(crate) tags: Vec<String>,
    /// The volume of the smallest box around the joint's points, in the joint's unit cubed. Only the first manual box of a
    /// joint that can be hit has this volume, and only if manual boxes replace the joint's fitted boxes.
    pub(crate) min_volume: Option<f64>,
    pub(crate) doubt: Option<Doubt>,
    /// `true` if the joint's manual boxes replace its fitted boxes, but all of them are away from its skin.
    pub(crate) no_box_at_skin: bool,
}

/// The reason why a box is probably a mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Doubt {
    pub(crate) kind: DoubtKind,
    /// The unit that the numbers are probably in.
    pub(crate) unit: Option<ProbableUnit>,
}

/// The unit that the numbers of a box are probably in, in place of the unit that its settings name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ProbableUnit {
    /// The other one of [`LengthUnit`].
    Other,
    /// This unit, which makes the numbers this many times too large.
    Named(&'static str, f64),
}

/// The difference between a manual box and a plausible one. Lengths are in meters; `filled` is a share from 0 to
/// 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DoubtKind {
    LargerThanCharacter { longest: f64, character: f64 },
    FarFromSkin { distance: f64 },
    FarFromJoint { distance: f64 },
    NearlyEmpty { filled: f64 },
    TooSmall { longest: f64, skin: f64 },
}

/// All manual boxes of a bake, in the order of the joints.
pub(crate) struct ManualBoxes(pub(crate) Vec<ManualFit>);

impl ManualBoxes {
    /// Compares the manual boxes with the groups of their joints.
    ///
    /// # Errors
    /// Returns [`BakeError::Hull`] only if the crate `hull` has a defect.
    pub(crate) fn examine(
        mesh: &BoundMesh<'_>,
        groups: &Groups,
        options: &JointOptions<'_>,
    ) -> Result<Self, BakeError> {
        let mut fits = Vec::new();
        if !options.has_manual_boxes() {
            return Ok(Self(fits));
        }
        let character = longest_extent(mesh, groups);
        for (index, own) in options.joints.iter().enumerate() {
            let joint = JointIndex(index as u16);
            let group = groups.groups.iter().chain(&groups.replaced).find(|group| group.joint == joint);
            let replaced = group.filter(|_| own.skip);
            let first_fit = fits.len();
            let first_hurt = own.boxes.iter().position(|one| one.role == HitboxRole::Hurt);
            for (place, one) in own.boxes.iter().enumerate() {
                let tight =
                    TightBox { center: one.center, half_extents: one.half_extents, orientation: one.orientation };
                let min_volume = match replaced {
                    Some(group) if first_hurt == Some(place) => Some(smallest_volume(mesh, group)?),
                    _ => None,
                };
                let skin = group.map(|group| group.patch.bind_points()).unwrap_or_default();
                let space = mesh.model_from_joint[joint.index()].matrix3;
                let place_of_box = PlaceOfBox { tight: &tight, unit: one.unit, space, scale: mesh.scale(joint) };
                let doubt = match one.role {
                    HitboxRole::Hurt => place_of_box.doubt(&skin, own.skip, character),
                    HitboxRole::Strike | HitboxRole::Grab | HitboxRole::Guard => place_of_box.doubt_in_air(character),
                    // A sensor may be of any size.
                    HitboxRole::Sensor => None,
                };
                let (number, count, tags) = (place + 1, own.boxes.len(), one.tags.clone());
                let (shape, role, unit) = (one.shape, one.role, one.unit);
                let no_box_at_skin = false;
                fits.push(ManualFit {
                    joint,
                    number,
                    count,
                    shape,
                    role,
                    unit,
                    tight,
                    tags,
                    min_volume,
                    doubt,
                    no_box_at_skin,
                });
            }
            let is_apart = |one: &ManualFit| {
                let kind = one.doubt.map(|doubt| doubt.kind);
                one.role != HitboxRole::Hurt || matches!(kind, Some(DoubtKind::FarFromSkin { .. }))
            };
            let all_apart = replaced.is_some() && fits[first_fit..].iter().all(is_apart);
            fits[first_fit..].iter_mut().for_each(|one| one.no_box_at_skin = all_apart);
        }
        Ok(Self(fits))
    }
}

/// Returns the longest extent of all groups in the rest pose, in meters.
fn longest_extent(mesh: &BoundMesh<'_>, groups: &Groups) -> f64 {
    let points = groups.groups.iter().chain(&groups.replaced).flat_map(|group| {
        let model_from_joint = mesh.model_from_joint[group.joint.index()];
        group.patch.bind_points().into_iter().map(move |point| model_from_joint.transform_point3(point))
    });
    Bounds::around(points.filter(|point| point.is_finite())).size().max_element().max(mesh.height)
}

fn smallest_volume(mesh: &BoundMesh<'_>, group: &JointGroup) -> Result<f64, BakeError> {
    let points = group.patch.bind_points();
    let joint = || mesh.name(group.joint).to_owned();
    let hull = ConvexHull::from_points(&points).map_err(|source| BakeError::Hull { joint: joint(), source })?;
    Ok(enclose(&orientation(Fit::MinVolume, Objective::Volume, &hull, &points), &points).volume())
}

/// A manual box at its joint.
struct PlaceOfBox<'a> {
    tight: &'a TightBox,
    unit: LengthUnit,
    /// The axes of the joint's space at rest, in meters.
    space: DMat3,
    /// The length of one unit of the joint's space in meters; the average of its axes.
    scale: f64,
}

impl PlaceOfBox<'_> {
    /// The rotation from the box's axes to the joint's axes.
    fn joint_from_box(&self) -> DMat3 {
        DMat3::from_quat(self.tight.orientation.as_dquat())
    }

    /// The longest side of the box, in meters.
    fn longest(&self) -> f64 {
        let along = DVec3::from_array((self.space * self.joint_from_box()).to_cols_array_2d().map(length));
        (2.0 * self.tight.half_extents.as_dvec3() * along).max_element()
    }

    /// The distance from the box to points, in meters: of the bounds of both along the box's axes. `in_box` is in the space
    /// of the box's axes and its center.
    fn distance(&self, in_box: &[DVec3]) -> f64 {
        let half = self.tight.half_extents.as_dvec3();
        let bounds = Bounds::around(in_box.iter().copied());
        let gap = (bounds.low - half).max(DVec3::ZERO) - (-half - bounds.high).max(DVec3::ZERO);
        (self.space * self.joint_from_box() * gap).length()
    }

    /// Returns points of the joint in the space of the box's axes and its center.
    fn in_box(&self, points: &[DVec3]) -> Vec<DVec3> {
        let (box_from_joint, center) = (self.joint_from_box().transpose(), self.tight.center.as_dvec3());
        points.iter().map(|&point| box_from_joint * (point - center)).collect()
    }

    /// Returns why a box that can be hit is probably a mistake; `None` if the box is plausible. `skin` holds the joint's
    /// points in joint space; `character` is the character's longest extent in meters.
    fn doubt(&self, skin: &[DVec3], replaces: bool, character: f64) -> Option<Doubt> {
        let half = self.tight.half_extents.as_dvec3();
        let longest = self.longest();
        let axes = DVec3::from_array(self.space.to_cols_array_2d().map(length));
        let skin_size = (Bounds::around(skin.iter().copied()).size() * axes).max_element().max(0.0);
        if longest > LARGEST * character {
            let reference = if skin_size > 0.0 { skin_size } else { character };
            let kind = DoubtKind::LargerThanCharacter { longest, character };
            return Some(Doubt { kind, unit: self.unit_of(longest / reference) });
        }
        // For a joint without skin, such as a socket, the joint's origin is used in place of the skin.
        let in_box = self.in_box(if skin.is_empty() { &[DVec3::ZERO] } else { skin });
        let distance = self.distance(&in_box);
        let far_from_skin = || {
            let reach = skin.iter().map(|&point| (self.space * point).length()).fold(0.0, f64::max);
            let unit = self.unit_of(self.reach() / if reach > 0.0 { reach } else { character });
            Some(Doubt { kind: DoubtKind::FarFromSkin { distance }, unit })
        };
        if distance > FARTHEST * character {
            return far_from_skin();
        }
        if !replaces || skin.is_empty() {
            return None;
        }
        if longest < SMALLEST * skin_size {
            let unit = self.unit_of(longest / skin_size);
            return Some(Doubt { kind: DoubtKind::TooSmall { longest, skin: skin_size }, unit });
        }
        if distance > APART * character {
            return far_from_skin();
        }
        let inside = Bounds::around(in_box.iter().map(|point| point.clamp(-half, half))).size();
        let filled = (inside / (2.0 * half)).to_array().into_iter().filter(|share| share.is_finite()).product::<f64>();
        let is_thin = skin_size <= 0.0;
        (filled < EMPTIEST && !is_thin)
            .then(|| Doubt { kind: DoubtKind::NearlyEmpty { filled }, unit: self.unit_of(longest / skin_size) })
    }

    /// Returns why a box that strikes, grabs or guards is probably a mistake.
    fn doubt_in_air(&self, character: f64) -> Option<Doubt> {
        let (longest, distance) = (self.longest(), self.distance(&self.in_box(&[DVec3::ZERO])));
        if longest > IN_THE_AIR * character {
            let kind = DoubtKind::LargerThanCharacter { longest, character };
            return Some(Doubt { kind, unit: self.unit_of(longest / character) });
        }
        (distance > IN_THE_AIR * character)
            .then(|| Doubt { kind: DoubtKind::FarFromJoint { distance }, unit: self.unit_of(self.reach() / character) })
    }

    /// The distance of the center from the joint, in meters.
    fn reach(&self) -> f64 {
        (self.space * self.tight.center.as_dvec3()).length()
    }

    /// Returns the unit that makes numbers about this many times too large. The unit of the joint explains more mistakes than
    /// any other, so it comes first.
    fn unit_of(&self, times: f64) -> Option<ProbableUnit> {
        /// Units by their number in a meter.
        const UNITS: [(&str, f64); 4] =
            [("feet", 3.281), ("inches", 39.37), ("centimeters", 100.0), ("millimeters", 1000.0)];
        /// A box is seldom more than twice as long as the skin it is meant for.
        const OFF: f64 = 2.0;
        let off = |factor: f64| (times / factor).max(factor / times);
        let (of_meter, other) = match self.unit {
            LengthUnit::Meters => (1.0, self.scale.recip()),
            LengthUnit::Joint => (self.scale, self.scale),
        };
        // Numbers that are nearly right have no other unit.
        let is_other_unit = !(1.0 / OFF..OFF).contains(&other);
        if is_other_unit && off(other) < OFF {
            return Some(ProbableUnit::Other);
        }
        let (name, factor) = UNITS
            .map(|(name, in_a_meter)| (name, in_a_meter * of_meter))
            .into_iter()
            .min_by(|a, b| off(a.1).total_cmp(&off(b.1)))?;
        (off(factor) < OFF && factor > 1.0).then_some(ProbableUnit::Named(name, factor))
    }
}

fn length(vector: [f64; 3]) -> f64 {
    DVec3::from_array(vector).length()
}
