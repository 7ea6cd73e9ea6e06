//! Exports a bake in one form.

use crate::capsule::CapsulePolicy;
use crate::document_writer::DocumentWriter;
use crate::json_text::{Span, scan};
use crate::marks::export_mark;
use crate::shape::{Shape, shapes};
use crate::{ExportError, physics, ragdoll, ron, vrm, wire};
use baked_format::{BakedCharacter, HitboxRole, HitboxShape};
use gltf_container::Container;
use std::collections::BTreeSet;

/// The form of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportForm {
    /// glTF with OMI_physics_shape shapes and OMI_physics_body triggers.
    Omi,
    /// glTF with KHR_implicit_shapes shapes and KHR_physics_rigid_bodies triggers.
    Khr,
    /// glTF with VRMC_springBone capsules and spheres.
    Vrm,
    /// glTF with each box as a mesh of lines below its joint.
    Wire,
    /// The JSON text of the baked file.
    Json,
    /// The boxes as RON.
    Ron,
    /// The ragdoll as MJCF, for MuJoCo.
    Mjcf,
    /// The ragdoll as URDF, for programs of robots.
    Urdf,
    /// The ragdoll as JSON, for scripts of engines.
    Ragdoll,
    /// glTF with the ragdoll as OMI_physics_body bodies and OMI_physics_joint joints.
    OmiRagdoll,
    /// glTF with the ragdoll as KHR_physics_rigid_bodies bodies and joints.
    KhrRagdoll,
    /// The ragdoll as USD Physics.
    Usda,
}

impl ExportForm {
    /// Every form.
    pub const ALL: [Self; 12] = [
        Self::Omi,
        Self::Khr,
        Self::Vrm,
        Self::Wire,
        Self::Json,
        Self::Ron,
        Self::Mjcf,
        Self::Urdf,
        Self::Ragdoll,
        Self::OmiRagdoll,
        Self::KhrRagdoll,
        Self::Usda,
    ];

    /// Returns the word for the form on the command line and in file names, such as `omi`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Omi => "omi",
            Self::Khr => "khr",
            Self::Vrm => "vrm",
            Self::Wire => "wire",
            Self::Json => "json",
            Self::Ron => "ron",
            Self::Mjcf => "mjcf",
            Self::Urdf => "urdf",
            Self::Ragdoll => "ragdoll",
            Self::OmiRagdoll => "omi-ragdoll",
            Self::KhrRagdoll => "khr-ragdoll",
            Self::Usda => "usda",
        }
    }

    /// Returns true if the export is the source glTF with the boxes or the ragdoll in it.
    #[must_use]
    pub fn is_gltf(self) -> bool {
        matches!(self, Self::Omi | Self::Khr | Self::Vrm | Self::Wire | Self::OmiRagdoll | Self::KhrRagdoll)
    }

    /// Returns true if the export is the ragdoll, which the bake must have.
    #[must_use]
    pub fn is_ragdoll(self) -> bool {
        matches!(self, Self::Mjcf | Self::Urdf | Self::Ragdoll | Self::OmiRagdoll | Self::KhrRagdoll | Self::Usda)
    }
}

/// An exported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Warnings for people who use the file, each a sentence.
    pub warnings: Vec<String>,
}

/// Exports a baked character in a form that an engine reads.
///
/// - `source` is the content of the asset that the bake was made from. The glTF forms ([`ExportForm::is_gltf`]) add the
///   boxes to a copy of it. The other forms ignore it.
/// - `capsule` is the rule that makes a capsule from a box. It only has an effect on [`ExportForm::Vrm`].
///
/// # Errors
/// Returns an error for a glTF form if the source is not glTF or lacks a node of the bake, and for [`ExportForm::Vrm`]
/// also if the source is VRM 0.x. Returns an error for the forms of ragdolls ([`ExportForm::is_ragdoll`]) if the bake has no
/// ragdoll, and for those in glTF also if a joint of a body has a scale that nodes below it cannot undo.
pub fn export(
    character: &BakedCharacter,
    source: &[u8],
    form: ExportForm,
    capsule: CapsulePolicy,
) -> Result<Export, ExportError> {
    let text = |text: String| Export { bytes: text.into_bytes(), warnings: Vec::new() };
    match form {
        ExportForm::Json => return Ok(text(baked_format::to_json(character))),
        ExportForm::Ron => return Ok(text(ron::text(character))),
        ExportForm::Mjcf | ExportForm::Urdf | ExportForm::Ragdoll | ExportForm::Usda => {
            return ragdoll::export(character, form);
        }
        ExportForm::Omi | ExportForm::Khr | ExportForm::Vrm | ExportForm::Wire => {}
        ExportForm::OmiRagdoll | ExportForm::KhrRagdoll => {}
    }
    let container = Container::open(source)?;
    let root = scan(container.json).ok_or(ExportError::Json)?;
    let (mut boxes, mut warnings) = if form.is_ragdoll() { Default::default() } else { shapes(character) };
    if form == ExportForm::Vrm {
        let before = boxes.len();
        boxes.retain(|shape| shape.baked.role == HitboxRole::Hurt);
        if boxes.len() < before {
            warnings.push(format!(
                "{} hitboxes have another role than `hurt`, and are left out, because colliders hold back hair and cloth",
                before - boxes.len()
            ));
        }
    }
    let earlier = earlier_boxes(&root);
    if earlier > 0 {
        warnings.push(format!(
            "the asset has {earlier} boxes of an earlier export, which stay beside the new ones; export the original instead"
        ));
    }
    let is_round = |shape: &&Shape<'_>| shape.baked.round_shape().is_some();
    let round = boxes.iter().filter(is_round).count();
    let hulls = boxes.iter().filter(|shape| shape.baked.shape == HitboxShape::Hull).count();
    if form == ExportForm::Wire && round > 0 {
        warnings
            .push(format!("{round} hitboxes are capsules or spheres; the lines are those of the boxes around them"));
    }
    if matches!(form, ExportForm::Wire | ExportForm::Vrm) && hulls > 0 {
        let instead = if form == ExportForm::Wire { "the lines are those of" } else { "the capsules replace" };
        warnings.push(format!(
            "{hulls} hitboxes are hulls, which {} cannot hold; {instead} the boxes around them",
            form.keyword()
        ));
    }
    let has_extension = |name: &str| root.get("extensions").is_some_and(|all| all.get(name).is_some());
    if form == ExportForm::Vrm && has_extension("VRM") && !has_extension("VRMC_vrm") {
        return Err(ExportError::OldVrm);
    }
    let mut writer = DocumentWriter::new(&container, &root);
    let (key, mark) = export_mark(character, form);
    writer.asset_extra(key, &mark);
    match form {
        ExportForm::Khr => physics::write_khr(&mut writer, &boxes),
        ExportForm::Vrm => vrm::write(&mut writer, &boxes, capsule),
        ExportForm::Wire => {
            let document = serde_json::from_slice(container.json).map_err(|_| ExportError::Json)?;
            wire::write(&mut writer, &boxes, character, &document);
        }
        ExportForm::OmiRagdoll => warnings.extend(ragdoll::gltf::write_omi(&mut writer, character)?),
        ExportForm::KhrRagdoll => warnings.extend(ragdoll::gltf::write_khr(&mut writer, character)?),
        _ => physics::write_omi(&mut writer, &boxes),
    }
    Ok(Export { bytes: writer.finish()?, warnings })
}

/// Returns the URIs of all files that a glTF file names, sorted and without repeats: each `uri` in the document, except
/// data URIs and those in `extras`. They may be relative or absolute.
///
/// An export names the same files as its source, so a program that writes it to another folder must copy the files
/// that relative URIs name.
///
/// # Errors
/// Returns [`ExportError`] if the bytes are not a glTF file, or its JSON is damaged.
pub fn named_files(file: &[u8]) -> Result<BTreeSet<String>, ExportError> {
    let json = Container::open(file)?.json;
    let root = scan(json).ok_or(ExportError::Json)?;
    let (mut uris, mut values) = (BTreeSet::new(), vec![&root]);
    while let Some(value) = values.pop() {
        values.extend(value.elements());
        for (key, value) in value.members().iter().filter(|(key, _)| key != "extras") {
            let text = &json[value.range.clone()];
            if key == "uri" && !text.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"\"data:")) {
                uris.extend(serde_json::from_slice::<String>(text));
            }
            values.push(value);
        }
    }
    Ok(uris)
}

/// Returns how many nodes and colliders of the document are boxes of an export.
fn earlier_boxes(root: &Span) -> usize {
    let nodes = root.get("nodes");
    let colliders = root.get("extensions").and_then(|all| all.get(vrm::EXTENSION)?.get("colliders"));
    let all = [nodes, colliders].into_iter().flatten().flat_map(Span::elements);
    all.filter(|element| element.get("extras").and_then(|extras| extras.get("bonebox")?.get("box")).is_some()).count()
}
