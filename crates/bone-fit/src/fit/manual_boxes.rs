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
use crate::options::{Fit, Objective};
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use baked_format::HitboxShape;
use glam::{DMat3, DVec3};
use hull::ConvexHull;
use skeleton::JointIndex;

/// A box is probably a mistake if its longest side is more than this many times the character's longest extent.
const LARGEST: f64 = 1.25;
/// A box is probably a mistake if its joint's skin is farther away than this share of the character's longest extent.
const FARTHEST: f64 = 0.25;
/// A box in place of the fitted boxes is probably a mistake if the skin fills less than this share of it: the box is
/// then at least three times too large on each side.
const EMPTIEST: f64 = 0.03;
/// A box in place of the fitted boxes is probably a mistake if it is shorter than this share of the joint's skin: the
/// box then holds next to nothing.
const SMALLEST: f64 = 0.05;

/// A manual box of a joint.
#[derive(Clone, Debug)]
pub(crate) struct ManualFit {
    pub(crate) joint: JointIndex,
    /// The number of the box among the manual boxes of the joint, counted from 1.
    pub(crate) number: usize,
    /// The number of manual boxes of the joint.
    pub(crate) count: usize,
    pub(crate) shape: HitboxShape,
    /// The box around the shape.
    pub(crate) tight: TightBox,
    pub(crate) tags: Vec<String>,
    /// The volume of the smallest box around the joint's points, in the joint's unit cubed. Only the first manual box
    /// of a joint has this volume, and only if manual boxes replace the joint's fitted boxes.
    pub(crate) min_volume: Option<f64>,
    pub(crate) doubt: Option<Doubt>,
}

/// The reason why a box is probably a mistake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Doubt {
    pub(crate) kind: DoubtKind,
    /// The unit that the numbers are probably in, and the number of these units in one unit of the joint's space.
    pub(crate) unit: Option<(&'static str, f64)>,
}

/// The difference between a manual box and a plausible one. Lengths are in model units; `filled` is a share from 0 to
/// 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum DoubtKind {
    LargerThanCharacter { longest: f64, character: f64 },
    FarFromSkin { distance: f64 },
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
            for (place, one) in own.boxes.iter().enumerate() {
                let tight =
                    TightBox { center: one.center, half_extents: one.half_extents, orientation: one.orientation };
                let min_volume = match replaced {
                    Some(group) if place == 0 => Some(smallest_volume(mesh, group)?),
                    _ => None,
                };
                let skin = group.map(|group| group.patch.bind_points()).unwrap_or_default();
                let doubt = doubt(&tight, &skin, own.skip, mesh.scale(joint), character);
                let (number, count, tags) = (place + 1, own.boxes.len(), one.tags.clone());
                fits.push(ManualFit { joint, number, count, shape: one.shape, tight, tags, min_volume, doubt });
            }
        }
        Ok(Self(fits))
    }
}

/// Returns the longest extent of all groups in the rest pose, in model units.
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

/// Returns why a manual box is probably a mistake; `None` if the box is plausible. `skin` holds the joint's points in
/// joint space; `scale` is the length of one unit of the joint's space in model units; `character` is the character's
/// longest extent in model units.
fn doubt(tight: &TightBox, skin: &[DVec3], replaces: bool, scale: f64, character: f64) -> Option<Doubt> {
    let half = tight.half_extents.as_dvec3();
    let longest = 2.0 * half.max_element() * scale;
    let skin_size = Bounds::around(skin.iter().copied()).size().max_element().max(0.0) * scale;
    if longest > LARGEST * character {
        let reference = if skin_size > 0.0 { skin_size } else { character };
        let kind = DoubtKind::LargerThanCharacter { longest, character };
        return Some(Doubt { kind, unit: unit_of(longest / reference) });
    }
    let box_from_joint = DMat3::from_quat(tight.orientation.as_dquat()).transpose();
    let center = tight.center.as_dvec3();
    let in_box: Vec<DVec3> = skin.iter().map(|&point| box_from_joint * (point - center)).collect();
    // The distance is measured from the box to the bounds of the skin along the box's axes. For a joint without skin,
    // such as a socket, the joint's origin is used in place of the skin.
    let origin = box_from_joint * -center;
    let bounds = Bounds::around(if in_box.is_empty() { vec![origin] } else { in_box.clone() });
    let distance = (bounds.low - half).max(-half - bounds.high).max(DVec3::ZERO).length() * scale;
    if distance > FARTHEST * character {
        let reach = skin.iter().map(|point| point.length()).fold(0.0, f64::max) * scale;
        let unit = unit_of(center.length() * scale / if reach > 0.0 { reach } else { character });
        return Some(Doubt { kind: DoubtKind::FarFromSkin { distance }, unit });
    }
    if !replaces || skin.is_empty() {
        return None;
    }
    if longest < SMALLEST * skin_size {
        return Some(Doubt { kind: DoubtKind::TooSmall { longest, skin: skin_size }, unit: None });
    }
    let inside = Bounds::around(in_box.iter().map(|point| point.clamp(-half, half))).size();
    let filled = (inside / (2.0 * half)).to_array().into_iter().filter(|share| share.is_finite()).product::<f64>();
    let is_thin = skin_size <= 0.0;
    (filled < EMPTIEST && !is_thin)
        .then(|| Doubt { kind: DoubtKind::NearlyEmpty { filled }, unit: unit_of(longest / skin_size) })
}

/// Returns the unit that makes numbers about this many times too large, if a unit of the joint's space is a meter.
fn unit_of(times: f64) -> Option<(&'static str, f64)> {
    const UNITS: [(&str, f64); 4] =
        [("feet", 3.281), ("inches", 39.37), ("centimeters", 100.0), ("millimeters", 1000.0)];
    let off = |unit: &(&str, f64)| (times / unit.1).max(unit.1 / times);
    let nearest = UNITS.into_iter().min_by(|a, b| off(a).total_cmp(&off(b)))?;
    // A box is seldom more than twice as long as the skin it is meant for.
    (off(&nearest) < 2.0).then_some(nearest)
}
