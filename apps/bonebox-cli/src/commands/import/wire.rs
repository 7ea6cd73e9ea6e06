//! Reads wire boxes that another tool, such as Blender, has moved, scaled or turned.
//!
//! A tool may turn the axes of joints when it loads and saves a file. So a box is first converted to the joint's space
//! in the character's own asset. There are three ways: through the joint's own space, through the bind pose, and
//! through the rest pose of both files. The way that leaves the most boxes unmoved is used.
//!
//! The wire box of a capsule or a sphere is the box around it, and becomes a capsule or a sphere again.

use super::Import;
use super::document::{Document, Placement, role_of, vector};
use super::physics;
use crate::shape_change::shape_change;
use anyhow::Context as _;
use bake_settings::round_half_extents;
use baked_format::{BakedCharacter, Hitbox, HitboxRole, HitboxShape};
use bone_fit::{BakeOption, LengthUnit, ManualBox};
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};
use serde_json::Value;
use skinned_model::SkinnedModel;
use std::collections::BTreeMap;

/// Corners that moved by less than this share of half the box's diagonal count as unmoved, because tools store
/// transforms in `f32` and split matrices into translation, rotation and scale.
const UNMOVED: f64 = 1e-3;

/// If a file has at least this many boxes, a user has not edited all of them.
const MANY: usize = 8;

/// A wire box of the edited file, in the space of its joint in that file.
struct WireBox {
    /// The name of the node in messages.
    shown: String,
    /// The joint's name in the asset.
    joint: String,
    /// The joint's name in the edited file.
    parent: String,
    joint_from_box: Placement,
    /// The index of the baked box that it was exported from, if its extras contain it.
    index: Option<usize>,
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
/// `edited` is the model of the edited file, `asset` the model of the character, and `baked` its bake with the options
/// of the export. A joint without edited boxes is left out, so that it keeps its fitted boxes.
///
/// # Errors
/// Returns an error if the file has many boxes and all of them differ from the bake.
pub(super) fn read(
    document: &Document<'_>,
    edited: &SkinnedModel,
    asset: &SkinnedModel,
    baked: &BakedCharacter,
) -> anyhow::Result<Import> {
    let mut import = Import::default();
    let mut boxes = Vec::new();
    for (node, _) in document.nodes().iter().enumerate().filter(|(_, node)| is_wire_box(node)) {
        match wire_box(document, node, baked) {
            Ok(one) => boxes.push(one),
            Err(error) => import.notes.push(format!("{} is left out: {error:#}", document.shown_name(node))),
        }
    }
    let frames = Frames::new(edited, asset);
    let candidates = [Frame::Joint, Frame::Bind, Frame::Rest].map(|frame| Boxes::new(&boxes, &frames, frame, baked));
    let best = candidates.into_iter().reduce(|best, next| if next.unmoved > best.unmoved { next } else { best });
    let Some(best) = best else { return Ok(import) };
    // A user edits only a few boxes. If all of many boxes differ, a tool or other settings have moved them.
    anyhow::ensure!(
        best.unmoved > 0 || boxes.len() < MANY,
        "all {} boxes differ from the bake, so a tool may have moved them (Blender does so if the armature has a scale), or the \
         asset or its settings have changed since the export; no file was written; if the armature has a scale, remove the scale \
         in the character's source file, or write manual boxes into bonebox.toml; otherwise export the boxes again and edit that \
         file",
        boxes.len()
    );
    import.notes.extend(best.notes);
    import.unchanged = best.unmoved;
    for (joint, found) in best.by_joint {
        let there = of_joint(baked, &joint);
        let is_same = found.len() == there.len() && found.iter().all(|one| one.unmoved.is_some());
        if is_same {
            continue;
        }
        for one in found {
            let (one, note) = manual_box(one, baked);
            import.notes.extend(note);
            import.boxes.push((joint.clone(), one));
        }
    }
    let missing = baked.boxes.iter().map(|one| &baked.skeleton.joint(one.joint).name);
    let mut missing: Vec<&String> = missing.filter(|name| !boxes.iter().any(|one| one.joint == **name)).collect();
    missing.dedup();
    import.notes.extend(missing.into_iter().map(|joint| {
        format!(
            "joint {joint:?} has no box in the file and keeps its fitted box; to remove that box, set `skip = true` in the joint's section"
        )
    }));
    Ok(import)
}

/// The manual box of a wire box, and a note if its shape was changed. A wire box is the box around its hitbox, so the shape is
/// that of the baked hitbox that it was exported from.
fn manual_box(one: PlacedBox, baked: &BakedCharacter) -> (ManualBox, Option<String>) {
    // A box that was not moved keeps its numbers to the last bit.
    let unmoved = one.unmoved.map(|index| &baked.boxes[index]);
    let Hitbox { center, half_extents, orientation, .. } = *unmoved.unwrap_or(&one.hitbox);
    let shape = one.source.map_or(HitboxShape::Box, |index| baked.boxes[index].shape);
    let round = round_half_extents(shape, half_extents);
    let note = round.is_none().then(|| {
        let why = match shape {
            HitboxShape::Hull => "a manual box cannot be a hull",
            _ => "it was stretched; scale a sphere evenly, and the x and z axes of a capsule by the same factor",
        };
        format!("{}: the box around this {} is used, because {why}", one.shown, shape.keyword())
    });
    let manual = ManualBox {
        shape: if round.is_some() { shape } else { HitboxShape::Box },
        center,
        half_extents: round.unwrap_or(half_extents),
        orientation,
        tags: one.hitbox.tags,
        role: one.hitbox.role,
        unit: LengthUnit::Joint,
    };
    (manual, note)
}

fn of_joint<'a>(baked: &'a BakedCharacter, joint: &str) -> Vec<(usize, &'a Hitbox)> {
    let index = baked.skeleton.find(joint);
    baked.boxes.iter().enumerate().filter(|(_, one)| Some(one.joint) == index).collect()
}

fn wire_box(document: &Document<'_>, node: usize, baked: &BakedCharacter) -> anyhow::Result<WireBox> {
    let value = &document.nodes()[node];
    let (parent, mut placed) = document.place(node)?;
    let (middle, half) = mesh_bounds(document, value)?;
    placed.translation += placed.rotation * (placed.scale * middle);
    placed.scale = (placed.scale * half).abs();
    let ours = &value["extras"]["bonebox"];
    let tags = ours["tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    // A tool adds numbers to names that occur twice. The joint above the node has priority over the joint in the
    // extras.
    let known = |name: &str| baked.skeleton.find(name).map(|_| name.to_owned());
    let joint = known(parent).or_else(|| known(without_number(parent))).or_else(|| known(ours["joint"].as_str()?));
    Ok(WireBox {
        shown: document.shown_name(node),
        joint: joint.with_context(|| format!("the character has no joint {parent:?}"))?,
        parent: parent.to_owned(),
        joint_from_box: placed,
        index: ours["box"].as_u64().map(|index| index as usize),
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

/// The way of converting from a joint's space in the edited file to its space in the asset.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Frame {
    /// The two spaces are equal.
    Joint,
    /// Through mesh space, with the inverse bind matrices of both files.
    Bind,
    /// Through model space, with the rest poses of both files.
    Rest,
}

/// The transforms of the joints of both files, by name.
struct Frames {
    edited: JointTransforms,
    asset: JointTransforms,
}

#[derive(Default)]
struct JointTransforms {
    joint_from_mesh: BTreeMap<String, DAffine3>,
    model_from_joint: BTreeMap<String, DAffine3>,
}

impl Frames {
    fn new(edited: &SkinnedModel, asset: &SkinnedModel) -> Self {
        Self { edited: JointTransforms::of_model(edited), asset: JointTransforms::of_model(asset) }
    }

    /// The transform of one joint. `None` if a file lacks the joint or flattens its space.
    fn asset_from_edited(&self, frame: Frame, asset_joint: &str, edited_joint: &str) -> Option<DAffine3> {
        let transform = match frame {
            Frame::Joint => DAffine3::IDENTITY,
            Frame::Bind => {
                let edited = self.edited.joint_from_mesh.get(edited_joint)?;
                *self.asset.joint_from_mesh.get(asset_joint)? * edited.inverse()
            }
            Frame::Rest => {
                let edited = self.edited.model_from_joint.get(edited_joint)?;
                self.asset.model_from_joint.get(asset_joint)?.inverse() * *edited
            }
        };
        transform.is_finite().then_some(transform)
    }
}

impl JointTransforms {
    fn of_model(model: &SkinnedModel) -> Self {
        let skeleton = &model.skeleton;
        let rest = skeleton.rest_matrices();
        let mut transforms = Self::default();
        for (joint, model_from_joint) in skeleton.joints().iter().zip(rest) {
            transforms.model_from_joint.insert(joint.name.clone(), affine(&model_from_joint));
        }
        for mesh in &model.meshes {
            for (joint, matrix) in mesh.joints.iter().zip(&mesh.joint_from_mesh) {
                let name = skeleton.joint(*joint).name.clone();
                transforms.joint_from_mesh.entry(name).or_insert_with(|| affine(matrix));
            }
        }
        transforms
    }
}

fn affine(matrix: &Affine3A) -> DAffine3 {
    DAffine3::from_mat3_translation(matrix.matrix3.as_dmat3(), matrix.translation.as_dvec3())
}

/// A box in the space of its joint in the asset.
struct PlacedBox {
    hitbox: Hitbox,
    /// The index of the baked box that it equals, if there is one.
    unmoved: Option<usize>,
    /// The index of the baked box that it equals or was exported from, if there is one.
    source: Option<usize>,
    /// The name of the node in messages.
    shown: String,
}

/// All boxes, converted through one [`Frame`].
#[derive(Default)]
struct Boxes {
    by_joint: BTreeMap<String, Vec<PlacedBox>>,
    unmoved: usize,
    notes: Vec<String>,
}

impl Boxes {
    fn new(boxes: &[WireBox], frames: &Frames, frame: Frame, baked: &BakedCharacter) -> Self {
        let mut all = Self::default();
        let mut taken = vec![false; baked.boxes.len()];
        for one in boxes {
            let transform = frames.asset_from_edited(frame, &one.joint, &one.parent);
            let Some(hitbox) = transform.and_then(|transform| transformed(&transform, one, baked)) else {
                all.notes.push(format!("{} is left out: its joint has a non-uniform scale", one.shown));
                continue;
            };
            let is_same = |there: &Hitbox| shape_change(there, &hitbox).is_none_or(|change| change.corners <= UNMOVED);
            let mut there = of_joint(baked, &one.joint);
            // A copy of a box has the same extras, so the first matching box takes the place.
            there.sort_by_key(|(index, _)| one.index != Some(*index));
            let unmoved = there.into_iter().find(|&(index, there)| !taken[index] && is_same(there));
            let unmoved = unmoved.map(|(index, _)| index);
            if let Some(index) = unmoved {
                taken[index] = true;
                all.unmoved += 1;
            }
            let of_this_joint =
                |index: &usize| baked.boxes.get(*index).is_some_and(|there| there.joint == hitbox.joint);
            let source = unmoved.or(one.index.filter(of_this_joint));
            let shown = one.shown.clone();
            all.by_joint.entry(one.joint.clone()).or_default().push(PlacedBox { hitbox, unmoved, source, shown });
        }
        all
    }
}

/// The box in the space of its joint in the asset, or `None` if the transform shears it.
fn transformed(asset_from_edited: &DAffine3, one: &WireBox, baked: &BakedCharacter) -> Option<Hitbox> {
    let linear = asset_from_edited.matrix3;
    let scale = libm::cbrt(linear.determinant().abs());
    let rotation = DMat3::from_cols(linear.x_axis / scale, linear.y_axis / scale, linear.z_axis / scale);
    let skew = (rotation.transpose() * rotation - DMat3::IDENTITY).to_cols_array().into_iter().map(f64::abs);
    if !scale.is_normal() || skew.fold(0.0, f64::max) > 1e-3 || rotation.determinant() < 0.0 {
        return None;
    }
    let Placement { translation, rotation: box_rotation, scale: half } = one.joint_from_box;
    let orientation = (DQuat::from_mat3(&rotation) * box_rotation).normalize();
    Some(Hitbox {
        joint: baked.skeleton.find(&one.joint)?,
        shape: HitboxShape::Box,
        role: one.role,
        tags: one.tags.clone(),
        center: asset_from_edited.transform_point3(translation).as_vec3(),
        half_extents: (scale * half).as_vec3(),
        orientation: orientation.as_quat(),
        vertices: 0,
        hull_vertices: 0,
        hull_volume: 0.0,
        min_volume: None,
        hull: None,
    })
}
