//! The hitboxes that wire boxes were exported from.

use super::WireBox;
use crate::commands::import::document::vector;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape};
use glam::{DAffine3, DQuat, DVec3};
use serde_json::Value;
use skeleton::JointIndex;
use std::collections::BTreeMap;

/// A hitbox that a wire box was exported from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Exported {
    /// The number of the hitbox in its bake.
    pub(super) index: usize,
    pub(super) shape: HitboxShape,
    /// The box around the hitbox, in joint space.
    pub(super) around: Hitbox,
    /// `model_from_joint` of the joint at rest, if the node remembers it.
    pub(super) rest: Option<DAffine3>,
    /// The number of hitboxes that the joint had.
    boxes_of_joint: usize,
    /// The number of hitboxes that the character had.
    boxes: usize,
}

impl Exported {
    /// Reads what a node remembers. `ours` is its `extras.bonebox`. `None` if something is missing or no finite number.
    pub(super) fn read(ours: &Value, joint: JointIndex) -> Option<Self> {
        let number = |value: &Value| value.as_u64().map(|number| number as usize);
        let memory = &ours["exported"];
        let finite = |key: &str| vector(&memory[key], f64::NAN).ok().filter(|found| found.is_finite());
        let orientation = list::<4>(&memory["orientation"]).map(DQuat::from_array)?;
        let mut around = bare_box(joint, HitboxRole::Hurt, Vec::new());
        around.center = finite("center")?.as_vec3();
        around.half_extents = finite("half_extents")?.as_vec3();
        around.orientation = orientation.as_quat();
        Some(Self {
            index: number(&ours["box"])?,
            shape: HitboxShape::ALL.into_iter().find(|shape| memory["shape"] == shape.keyword())?,
            around,
            rest: list::<12>(&memory["rest"]).map(|numbers| DAffine3::from_cols_array(&numbers)),
            boxes_of_joint: number(&memory["boxes_of_joint"])?,
            boxes: number(&memory["boxes"])?,
        })
    }

    /// The hitbox of a bake, for a wire box that remembers nothing.
    fn of_bake(baked: &BakedCharacter, index: usize) -> Self {
        let hitbox = &baked.boxes[index];
        let mut around = bare_box(hitbox.joint, hitbox.role, hitbox.tags.clone());
        (around.center, around.half_extents, around.orientation) =
            (hitbox.center, hitbox.half_extents, hitbox.orientation);
        let boxes_of_joint = baked.boxes.iter().filter(|other| other.joint == hitbox.joint).count();
        Self { index, shape: hitbox.shape, around, rest: None, boxes_of_joint, boxes: baked.boxes.len() }
    }
}

/// The exported hitboxes of the joints that wire boxes belong to.
pub(super) struct ExportedBoxes {
    by_joint: BTreeMap<String, Vec<Exported>>,
    /// No joint has lost all its wire boxes.
    pub(super) is_complete: bool,
}

impl ExportedBoxes {
    /// Collects what wire boxes remember. The hitboxes of joints without such a box come from `bake`.
    pub(super) fn collect<'a>(
        boxes: &[WireBox],
        bake: impl Fn() -> anyhow::Result<&'a BakedCharacter>,
    ) -> anyhow::Result<Self> {
        let mut by_joint: BTreeMap<String, Vec<Exported>> = BTreeMap::new();
        for one in boxes {
            let of_joint = by_joint.entry(one.joint.clone()).or_default();
            // A copy of a box remembers the same hitbox.
            let new = one.exported.iter().filter(|new| !of_joint.iter().any(|there| there.index == new.index));
            of_joint.extend(new.cloned().collect::<Vec<_>>());
        }
        let known = by_joint.values().flatten();
        let all = known.clone().map(|one| one.boxes).max();
        let of_joints: usize =
            by_joint.values().filter_map(|of_joint| of_joint.first()).map(|one| one.boxes_of_joint).sum();
        let mut is_complete = all == Some(of_joints);
        for (joint, of_joint) in by_joint.iter_mut().filter(|(_, of_joint)| of_joint.is_empty()) {
            is_complete = false;
            let baked = bake()?;
            let index = baked.skeleton.find(joint);
            let found = (0..baked.boxes.len()).filter(|&one| Some(baked.boxes[one].joint) == index);
            of_joint.extend(found.map(|index| Exported::of_bake(baked, index)));
        }
        Ok(Self { by_joint, is_complete })
    }

    pub(super) fn of_joint(&self, joint: &str) -> &[Exported] {
        self.by_joint.get(joint).map(Vec::as_slice).unwrap_or_default()
    }

    /// The number of hitboxes that a joint had.
    pub(super) fn count(&self, joint: &str) -> usize {
        self.of_joint(joint).first().map_or(0, |one| one.boxes_of_joint)
    }
}

/// A box without a place and size.
pub(super) fn bare_box(joint: JointIndex, role: HitboxRole, tags: Vec<String>) -> Hitbox {
    Hitbox {
        joint,
        shape: HitboxShape::Box,
        role,
        tags,
        center: DVec3::ZERO.as_vec3(),
        half_extents: DVec3::ZERO.as_vec3(),
        orientation: DQuat::IDENTITY.as_quat(),
        vertices: 0,
        hull_vertices: 0,
        hull_volume: 0.0,
        min_volume: None,
        hull: None,
    }
}

/// Reads a list of finite numbers.
fn list<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Vec<f64> =
        value.as_array()?.iter().filter_map(Value::as_f64).filter(|number| number.is_finite()).collect();
    <[f64; N]>::try_from(numbers).ok()
}
