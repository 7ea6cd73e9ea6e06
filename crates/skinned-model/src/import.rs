//! Imports a model from bytes, stage by stage.

use crate::budget::Budget;
use crate::character::hierarchy::{self, Hierarchy, Scope};
use crate::character::{attachments, clips, humanoid, morph_targets, skinned_meshes};
use crate::decode::accessor::Reader;
use crate::document::{Document, extensions, structure};
use crate::error::ImportError;
use crate::gltf_file::{converted, gltf_bytes};
use crate::model::{CharacterRoot, Morphed, SkinnedModel};
use crate::resolve::ResolveUri;
use crate::warnings::Warnings;
use crate::{buffers, data_uri};
use gltf_container::Container;
use skeleton::NodeIndex;

/// Reads a glTF 2.0 asset: the bytes of a .glb or .vrm file, or the text of a .gltf file; with the feature `fbx`, also an FBX
/// file. Buffers come from the file itself, from data URIs, or from `resolver`.
///
/// The result contains everything that moves vertices: joints merged by node, every primitive of every skinned mesh in
/// mesh space, rigid meshes below joints, and clips; see [`SkinnedModel`]. Images are not read. Unusual but harmless
/// findings are in [`SkinnedModel::warnings`].
///
/// Memory stays below 64 MiB plus 64 times the bytes read, and the time is proportional to the bytes read; those of an FBX file
/// are the bytes of the glTF that it is converted to. No input makes the function panic.
///
/// # Errors
/// Returns [`ImportError`] for damaged or unsupported files, and for files without a skin. The importer guesses
/// nothing: anything that it cannot read exactly gives an error or a warning.
pub fn import(bytes: &[u8], resolver: &dyn ResolveUri) -> Result<SkinnedModel, ImportError> {
    import_ignoring(bytes, resolver, &|_| false)
}

/// Imports as [`import`] does, but leaves out the rigid meshes on nodes for which `is_ignored` returns `true`.
/// `is_ignored` receives the JSON text of `extras`, and is called for nodes that have a mesh and no skin.
///
/// With this function, a program can mark the helper meshes that it writes to a glTF in `extras`, and ignore them here.
///
/// # Errors
/// Returns the errors of [`import`].
pub fn import_ignoring(
    bytes: &[u8],
    resolver: &dyn ResolveUri,
    is_ignored: &dyn Fn(&str) -> bool,
) -> Result<SkinnedModel, ImportError> {
    import_scope(bytes, resolver, is_ignored, Scope::AllCharacters)
}

/// Imports one of several characters as [`import_ignoring`] does: only its joints, its meshes and the clips that move its
/// joints. Its joints keep the names that they have in the file. `root` is one of [`characters`].
///
/// # Errors
/// Returns the errors of [`import`], and [`ImportError::UnknownRoot`].
pub fn import_character(
    bytes: &[u8],
    resolver: &dyn ResolveUri,
    is_ignored: &dyn Fn(&str) -> bool,
    root: NodeIndex,
) -> Result<SkinnedModel, ImportError> {
    import_scope(bytes, resolver, is_ignored, Scope::Character(root))
}

/// Returns the roots of the characters in a file, in depth-first order. The list is empty if the file has at most one
/// character. Of a glTF, it reads only the JSON.
///
/// A file has several characters if it has groups of joints that look like copies of each other: most of their names
/// occur in several groups. A group is the joints that skins connect. Groups with less than half as many named joints as
/// the largest group, such as two eyes, are no characters of their own.
///
/// # Errors
/// Returns [`ImportError`] if the JSON is damaged or the nodes do not form a forest.
pub fn characters(bytes: &[u8]) -> Result<Vec<CharacterRoot>, ImportError> {
    let bytes = gltf_bytes(bytes)?;
    let document = Document::parse(Container::open(&bytes)?.json)?;
    structure::check(&document)?;
    hierarchy::characters(&document)
}

/// Imports the animations of a file, which need not have a skin. Every node of the file is a joint of the result, and the
/// result has neither meshes nor attachments.
///
/// # Errors
/// Returns the errors of [`import`], but not those of skins and meshes.
pub fn import_motion(bytes: &[u8], resolver: &dyn ResolveUri) -> Result<SkinnedModel, ImportError> {
    import_scope(bytes, resolver, &|_| true, Scope::AllNodes)
}

/// Returns true if a node of the file has a mesh and a skin, as every character has. A file that cannot be parsed has none.
#[must_use]
pub fn has_skinned_mesh(bytes: &[u8]) -> bool {
    let Ok(bytes) = gltf_bytes(bytes) else { return false };
    let document = Container::open(&bytes).ok().and_then(|container| Document::parse(container.json).ok());
    document.is_some_and(|document| document.nodes.0.iter().any(|node| node.mesh.is_some() && node.skin.is_some()))
}

fn import_scope(
    bytes: &[u8],
    resolver: &dyn ResolveUri,
    is_ignored: &dyn Fn(&str) -> bool,
    scope: Scope,
) -> Result<SkinnedModel, ImportError> {
    let mut warnings = Warnings::default();
    let bytes = converted(bytes, &mut warnings)?;
    let container = Container::open(&bytes)?;
    let mut budget = Budget::for_json(container.json.len());
    budget.add_data(container.binary.map_or(0, <[u8]>::len));
    if container.trailing > 0 {
        let text = format!("{} bytes after the end of the GLB container are ignored", container.trailing);
        warnings.add("trailing-bytes", None, text);
    }
    let document = Document::parse(container.json)?;
    extensions::check(&document, &mut warnings)?;
    structure::check(&document)?;
    let hierarchy = Hierarchy::build(&document, is_ignored, scope, &mut warnings)?;
    let buffers = buffers::load(&document, container.binary, resolver, &mut budget)?;
    let reader = Reader::new(&document, &buffers, &budget);
    let (mut meshes, mut attachments, mut morph_targets) = (Vec::new(), Vec::new(), Vec::new());
    if !matches!(scope, Scope::AllNodes) {
        let sources;
        (meshes, sources) = skinned_meshes::read(&reader, &hierarchy, &mut warnings)?;
        if meshes.is_empty() {
            skinned_meshes::check_skins(&reader, &hierarchy)?;
            return Err(no_skin(&document));
        }
        let rigid;
        (attachments, rigid) = attachments::read(&reader, &hierarchy, &mut warnings)?;
        let skinned = sources.into_iter().enumerate().map(|(index, source)| (Morphed::Mesh(index), source));
        let rigid = rigid.into_iter().enumerate().map(|(index, source)| (Morphed::Attachment(index), source));
        morph_targets = morph_targets::read(&reader, &skinned.chain(rigid).collect::<Vec<_>>(), &mut warnings)?;
    }
    let (clips, clip_extras) = clips::read(&reader, &hierarchy, &mut warnings)?;
    let humanoid = humanoid::read(&document, &hierarchy, &mut warnings);
    let Hierarchy { skeleton, characters, .. } = hierarchy;
    let warnings = warnings.finish();
    Ok(SkinnedModel {
        skeleton,
        clips,
        clip_extras,
        meshes,
        morph_targets,
        attachments,
        humanoid,
        characters,
        warnings,
    })
}

fn no_skin(document: &Document) -> ImportError {
    let (skins, meshes, nodes) = (document.skins.len(), document.meshes.len(), document.nodes.0.len());
    ImportError::NoSkin { skins, meshes, nodes }
}

/// Returns the URIs of buffers in other files, as the file writes them. The list is empty if the file cannot be parsed.
///
/// A program that watches an asset for changes must watch these files too, even if the asset cannot be imported at the
/// moment.
#[must_use]
pub fn external_buffers(bytes: &[u8]) -> Vec<String> {
    #[derive(serde::Deserialize)]
    struct Buffers {
        #[serde(default)]
        buffers: Vec<Buffer>,
    }
    #[derive(serde::Deserialize)]
    struct Buffer {
        uri: Option<String>,
    }
    let container = Container::open(bytes).ok();
    let parsed = container.and_then(|container| serde_json::from_slice::<Buffers>(container.json).ok());
    let uris = parsed.into_iter().flat_map(|document| document.buffers).filter_map(|buffer| buffer.uri);
    uris.filter(|uri| data_uri::decode(uri).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn external_buffers_lists_buffers_in_other_files() {
        let gltf = br#"{"buffers": [{"uri": "a%20b.bin"}, {"uri": "data:,x"}, {}, {"uri": "c.bin"}]}"#;
        assert_eq!(external_buffers(gltf), ["a%20b.bin", "c.bin"]);
        assert!(external_buffers(b"{").is_empty());
        assert!(external_buffers(b"glTF").is_empty());
    }
}
