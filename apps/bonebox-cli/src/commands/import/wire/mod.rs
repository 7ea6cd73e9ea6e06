//! Reads wire boxes that another tool, such as Blender, has moved, scaled or turned.
//!
//! Each wire box remembers the hitbox that it was exported from, so an edit is a difference from that hitbox, whatever settings apply
//! now. Only for a box that has lost its memory, the hitboxes of a new bake are used.
//!
//! A tool may turn the axes of joints when it loads and saves a file. So a box is first converted to the joint's space
//! in the character's own asset. There are three ways: through the joint's own space, through the bind pose, and
//! through the rest pose of both files. The way that leaves the most boxes unmoved is used.
//!
//! The wire box of a capsule or a sphere is the box around it, and becomes a capsule or a sphere again.

mod exported;
mod frames;

use super::Import;
use super::document::{Document, Placement, role_of, vector};
use super::physics;
use crate::shape_change::shape_change;
use anyhow::Context as _;
use asset_bake::SETTINGS_FILE;
use bake_settings::ManualShape;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape};
use bone_fit::{BakeOption, LengthUnit, ManualBox};
use exported::{Exported, ExportedBoxes};
use frames::{Frame, Frames};
use glam::DVec3;
use serde_json::Value;
use skeleton::{JointIndex, Skeleton};
use skinned_model::SkinnedModel;
use std::collections::{BTreeMap, BTreeSet};

/// Corners that moved by less than this share of half the box's diagonal count as unmoved, because tools store
/// transforms in `f32` and split matrices into translation, rotation and scale.
const UNMOVED: f64 = 1e-3;

/// If a file has at least this many boxes, a user has hardly edited all of them.
const MANY: usize = 8;

/// A wire box of the edited file, in the space of its joint in that file.
struct WireBox {
    /// The name of the node in messages.
    shown: String,
    /// The joint's name in the asset.
    joint: String,
    /// The index of that joint.
    index: JointIndex,
    /// The name of the joint above the node in the edited file.
    parent: String,
    /// `parent` is the same joint as `joint`, perhaps with another name.
    is_below_its_joint: bool,
    joint_from_box: Placement,
    /// The hitbox that it was exported from, if the node remembers it and is still a box of its joint.
    exported: Option<Exported>,
    /// The shape of the hitbox that it was exported from, perhaps from another joint.
    shape: Option<HitboxShape>,
    tags: Vec<String>,
    role: HitboxRole,
}

/// Returns true if a node is a wire box: its extras say so, or it has a mesh and the name of a wire box.
pub(super) fn is_wire_box(node: &Value) -> bool {
    let by_extras = node["extras"]["bonebox"]["form"] == "wire";
    let by_name = node["name"].as_str().is_some_and(|name| name.starts_with("bb:")) && node["mesh"].is_u64();
    (by_extras || by_name) && !physics::has_shape(node)
}

/// The options of the bake that the wire boxes were exported from. `None` if no box remembers them.
pub(super) fn exported_options<'a>(document: &'a Document<'_>) -> Option<Vec<(&'a str, &'a str)>> {
    let mut boxes = document.nodes().iter().filter(|node| is_wire_box(node));
    let options = boxes.find_map(|node| node["extras"]["bonebox"]["options"].as_object())?;
    let entries = options.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
    // Other entries, such as the hash of the settings of joints, cannot be asked for.
    Some(entries.filter(|(key, _)| BakeOption::find(key).is_some()).collect())
}

/// Returns all boxes of the joints with an edited box, and notes.
///
/// `edited` is the model of the edited file, and `asset` the model of the character. `bake` bakes the character with its present
/// settings; this is only needed if wire boxes are missing or remember nothing. A joint without edited boxes is left out, so
/// that it keeps its fitted boxes.
///
/// # Errors
/// Returns an error if the character cannot be baked.
pub(super) fn read<'a>(
    document: &Document<'_>,
    edited: &SkinnedModel,
    asset: &SkinnedModel,
    bake: impl Fn() -> anyhow::Result<&'a BakedCharacter>,
) -> anyhow::Result<Import> {
    let mut import = Import::default();
    let mut boxes = Vec::new();
    for (node, _) in document.nodes().iter().enumerate().filter(|(_, node)| is_wire_box(node)) {
        match wire_box(document, node, &asset.skeleton) {
            Ok(one) => boxes.push(one),
            Err(error) => import.notes.push(format!("{} is left out: {error:#}", document.shown_name(node))),
        }
    }
    let exported = ExportedBoxes::collect(&boxes, &bake)?;
    let frames = Frames::new(edited, asset);
    let candidates =
        [Frame::Joint, Frame::Bind, Frame::Rest].map(|frame| Boxes::new(&boxes, &frames, frame, &exported));
    let best = candidates.into_iter().reduce(|best, next| if next.is_nearer_than(&best) { next } else { best });
    let Some(best) = best else { return Ok(import) };
    if best.unmoved == 0 && boxes.len() >= MANY {
        import.notes.push(format!(
            "all {} boxes differ from those of the export; if you have edited only some of them, another tool has moved the others: \
             look at them in `bonebox view`, and take the joints' sections out of {SETTINGS_FILE} to undo the import",
            boxes.len()
        ));
    }
    import.notes.extend(best.notes);
    import.unchanged = best.unmoved;
    for (joint, found) in best.by_joint {
        let is_same = found.len() == exported.count(&joint) && found.iter().all(|one| one.unmoved.is_some());
        if is_same {
            continue;
        }
        if frames.has_changed_since(&joint, exported.of_joint(&joint)) {
            import.notes.push(format!(
                "joint {joint:?} has another rest transform in the asset than at the time of the export; its boxes keep their places \
                 in the space of the joint: look at them in `bonebox view`"
            ));
        }
        for one in found {
            let (one, note) = manual_box(one);
            import.notes.extend(note);
            import.boxes.push((joint.clone(), one));
        }
    }
    if !exported.is_complete {
        let baked = bake()?;
        let missing = baked.boxes.iter().map(|one| &baked.skeleton.joint(one.joint).name);
        let mut missing: Vec<&String> = missing.filter(|name| !boxes.iter().any(|one| one.joint == **name)).collect();
        missing.dedup();
        import.notes.extend(missing.into_iter().map(|joint| {
            format!(
                "joint {joint:?} has no box in the file and keeps its fitted box; to remove that box, set `skip = true` in the \
                 joint's section"
            )
        }));
    }
    Ok(import)
}

/// The manual box of a wire box, and a note if its shape was changed. A wire box is the box around its hitbox, so the shape is
/// that of the hitbox that it was exported from.
fn manual_box(one: PlacedBox) -> (ManualBox, Option<String>) {
    // A box that was not moved keeps its numbers to the last bit.
    let Hitbox { center, half_extents, orientation, .. } = *one.unmoved.as_ref().unwrap_or(&one.hitbox);
    let ManualShape { shape, half_extents, why_box } = ManualShape::nearest(one.shape, half_extents);
    let note =
        why_box.map(|why| format!("{}: the box around this {} is used, because {why}", one.shown, one.shape.keyword()));
    let manual = ManualBox {
        shape,
        center,
        half_extents,
        orientation,
        tags: one.hitbox.tags,
        role: one.hitbox.role,
        unit: LengthUnit::Joint,
    };
    (manual, note)
}

fn wire_box(document: &Document<'_>, node: usize, skeleton: &Skeleton) -> anyhow::Result<WireBox> {
    let value = &document.nodes()[node];
    let (parent, mut placed) = document.place(node)?;
    let (middle, half) = mesh_bounds(document, value)?;
    placed.translation += placed.rotation * (placed.scale * middle);
    placed.scale = (placed.scale * half).abs();
    let ours = &value["extras"]["bonebox"];
    let tags = ours["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    // A tool adds numbers to names that occur twice. The joint above the node has priority over the joint in the
    // extras.
    let known = |name: &str| skeleton.find(name).map(|index| (name.to_owned(), index));
    let above = known(parent).or_else(|| known(without_number(parent)));
    let is_below_its_joint = above.is_some();
    let (joint, index) = above
        .or_else(|| known(ours["joint"].as_str()?))
        .with_context(|| format!("the character has no joint {parent:?}"))?;
    let remembered = Exported::read(ours, index);
    Ok(WireBox {
        shown: document.shown_name(node),
        parent: parent.to_owned(),
        is_below_its_joint,
        joint_from_box: placed,
        shape: remembered.as_ref().map(|one| one.shape),
        exported: remembered.filter(|_| ours["joint"] == *joint),
        joint,
        index,
        tags: tags.map(str::to_owned).collect(),
        role: role_of(ours),
    })
}

/// The name without a number such as `.001` at its end.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((before, digits)) if digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit()) => before,
        _ => name,
    }
}

/// The center and half extents of the node's mesh in the node's space. If the node has no mesh, those of the exported
/// cube.
fn mesh_bounds(document: &Document<'_>, node: &Value) -> anyhow::Result<(DVec3, DVec3)> {
    let cube = (DVec3::ZERO, DVec3::ONE);
    let Some(mesh) = node["mesh"].as_u64() else { return Ok(cube) };
    let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for primitive in document.json["meshes"][mesh as usize]["primitives"].as_array().into_iter().flatten() {
        let Some(position) = primitive["attributes"]["POSITION"].as_u64() else { continue };
        let accessor = &document.json["accessors"][position as usize];
        min = min.min(vector(&accessor["min"], f64::INFINITY)?);
        max = max.max(vector(&accessor["max"], f64::NEG_INFINITY)?);
    }
    let is_known = min.is_finite() && max.is_finite();
    Ok(if is_known { (0.5 * (min + max), 0.5 * (max - min)) } else { cube })
}

/// A box in the space of its joint in the asset.
struct PlacedBox {
    hitbox: Hitbox,
    /// The box around the exported hitbox that it equals, if there is one.
    unmoved: Option<Hitbox>,
    /// The shape of the hitbox that it equals or was exported from.
    shape: HitboxShape,
    /// The name of the node in messages.
    shown: String,
}

/// All boxes, converted through one [`Frame`].
#[derive(Default)]
struct Boxes {
    by_joint: BTreeMap<String, Vec<PlacedBox>>,
    unmoved: usize,
    /// The sum of the changes of all boxes, each at most 1.
    change: f64,
    notes: Vec<String>,
}

impl Boxes {
    fn new(boxes: &[WireBox], frames: &Frames, frame: Frame, exported: &ExportedBoxes) -> Self {
        let mut all = Self::default();
        let mut taken: BTreeSet<(&str, usize)> = BTreeSet::new();
        for one in boxes {
            let there = exported.of_joint(&one.joint);
            let Some(hitbox) = frames.place(frame, one, there) else {
                all.notes.push(format!("{} is left out: its joint has a non-uniform scale", one.shown));
                all.change += 1.0;
                continue;
            };
            let change = |there: &Exported| shape_change(&there.around, &hitbox).map_or(0.0, |change| change.corners);
            let index = one.exported.as_ref().map(|one| one.index);
            // A copy of a box remembers the same hitbox, so the first matching box takes the place.
            let mut free: Vec<&Exported> =
                there.iter().filter(|there| !taken.contains(&(&*one.joint, there.index))).collect();
            free.sort_by_key(|there| index != Some(there.index));
            all.change += free.first().map_or(1.0, |there| change(there).min(1.0));
            let unmoved = free.into_iter().find(|there| change(there) <= UNMOVED);
            if let Some(there) = unmoved {
                taken.insert((&one.joint, there.index));
                all.unmoved += 1;
            }
            let shape = unmoved.map(|there| there.shape).or(one.shape).unwrap_or_default();
            let (unmoved, shown) = (unmoved.map(|there| there.around.clone()), one.shown.clone());
            all.by_joint.entry(one.joint.clone()).or_default().push(PlacedBox { hitbox, unmoved, shape, shown });
        }
        all
    }

    /// Returns true if more boxes are unmoved than with another frame; with equally many, if they changed less.
    fn is_nearer_than(&self, other: &Self) -> bool {
        // Frames that differ by rounding only are equally near, and the earlier one is simpler.
        self.unmoved > other.unmoved || (self.unmoved == other.unmoved && self.change < other.change - 1e-3)
    }
}
