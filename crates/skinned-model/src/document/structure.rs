//! Checks a document before any typed read: every index exists, and every range lies inside its buffer, by the lengths
//! that the document itself states. Code that runs later uses the indices without further checks.

use crate::document::element_size::{component_size, element_size, stride};
use crate::document::view_compression::Compression;
use crate::document::{Document, NodeTransform};
use crate::error::ImportError;
use gltf::json::accessor::{Accessor, ComponentType, Type};
use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;

const DAMAGED: &str = "the file is damaged: export it again";

/// Checks the whole document, including parts that the importer does not read.
pub(crate) fn check(document: &Document) -> Result<(), ImportError> {
    for view in 0..document.buffer_views.len() {
        check_view(document, view)?;
    }
    for accessor in 0..document.accessors.len() {
        check_accessor(document, accessor)?;
    }
    for mesh in 0..document.meshes.len() {
        check_mesh(document, mesh)?;
    }
    for skin in 0..document.skins.len() {
        check_skin(document, skin)?;
    }
    for node in 0..document.nodes.0.len() {
        check_node(document, node)?;
    }
    for animation in 0..document.animations.len() {
        check_animation(document, animation)?;
    }
    check_scenes(document)
}

fn exists(place: impl FnOnce() -> String, kind: &'static str, index: usize, count: usize) -> Result<(), ImportError> {
    if index < count {
        return Ok(());
    }
    Err(ImportError::MissingObject { place: place(), kind, index: index as u64, count })
}

fn malformed(place: String, expected: impl Into<String>, found: impl Into<String>) -> ImportError {
    ImportError::Malformed { place, expected: expected.into(), found: found.into(), cure: DAMAGED }
}

/// Checks that `length` bytes from `offset` lie within `available` bytes.
fn fits(
    place: impl FnOnce() -> String,
    what: &str,
    offset: u64,
    length: u128,
    available: u64,
) -> Result<(), ImportError> {
    if u128::from(offset) + length <= u128::from(available) {
        return Ok(());
    }
    let found = format!("{length} bytes from byte {offset} of {available}");
    Err(malformed(place(), format!("{what} inside its data"), found))
}

fn check_view(document: &Document, index: usize) -> Result<(), ImportError> {
    let view = &document.buffer_views[index];
    let place = || document.view_place(index);
    exists(place, "buffer", view.buffer.value(), document.buffers.len())?;
    let available = document.buffers[view.buffer.value()].byte_length.0;
    let offset = view.byte_offset.unwrap_or_default().0;
    fits(place, "a view", offset, view.byte_length.0.into(), available)?;
    let Some(compression) = Compression::of(document, index)? else { return Ok(()) };
    exists(place, "buffer", compression.buffer, document.buffers.len())?;
    let available = document.buffers[compression.buffer].byte_length.0;
    fits(place, "compressed data", compression.offset, compression.length.into(), available)?;
    let decoded = u128::from(compression.count) * u128::from(compression.stride);
    if decoded != u128::from(view.byte_length.0) {
        let found = format!("{} elements of {} bytes", compression.count, compression.stride);
        return Err(malformed(place(), format!("{} decompressed bytes", view.byte_length.0), found));
    }
    Ok(())
}

fn check_accessor(document: &Document, index: usize) -> Result<(), ImportError> {
    let accessor = &document.accessors[index];
    let place = || document.accessor_place(index);
    let Checked::Valid(component) = accessor.component_type else {
        return Err(malformed(place(), "a componentType of glTF 2.0 (5120 to 5123, 5125, 5126)", "another"));
    };
    let Checked::Valid(kind) = accessor.type_ else {
        return Err(malformed(place(), "a type of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4", "another"));
    };
    let size = element_size(component.0, kind);
    // An accessor without a view stands for zeros, or for data of an extension. Its reader charges the count to the
    // budget.
    if let Some(view) = &accessor.buffer_view {
        exists(place, "bufferView", view.value(), document.buffer_views.len())?;
        check_range(document, accessor, view.value(), size, place)?;
    }
    check_sparse(document, accessor, size, place)
}

fn check_range(
    document: &Document,
    accessor: &Accessor,
    view: usize,
    size: usize,
    place: impl Fn() -> String,
) -> Result<(), ImportError> {
    let view = &document.buffer_views[view];
    let stride = stride(view, size);
    if stride < size {
        return Err(malformed(place(), format!("a byteStride of at least {size}"), format!("{stride}")));
    }
    let count = u128::from(accessor.count.0);
    let length = count.checked_sub(1).map_or(0, |last| last * stride as u128 + size as u128);
    let offset = accessor.byte_offset.unwrap_or_default().0;
    fits(place, &format!("{count} elements"), offset, length, view.byte_length.0)
}

fn check_sparse(
    document: &Document,
    accessor: &Accessor,
    size: usize,
    place: impl Fn() -> String,
) -> Result<(), ImportError> {
    let Some(sparse) = &accessor.sparse else { return Ok(()) };
    let Checked::Valid(component) = sparse.indices.component_type else {
        return Err(malformed(place(), "sparse indices of unsigned integers", "another componentType"));
    };
    if sparse.count.0 > accessor.count.0 {
        let expected = format!("at most {} sparse elements", accessor.count.0);
        return Err(malformed(place(), expected, format!("{}", sparse.count.0)));
    }
    let parts = [
        ("sparse indices", sparse.indices.buffer_view.value(), sparse.indices.byte_offset, component_size(component.0)),
        ("sparse values", sparse.values.buffer_view.value(), sparse.values.byte_offset, size),
    ];
    for (what, view, offset, size) in parts {
        exists(&place, "bufferView", view, document.buffer_views.len())?;
        let length = u128::from(sparse.count.0) * size as u128;
        fits(&place, what, offset.0, length, document.buffer_views[view].byte_length.0)?;
    }
    Ok(())
}

fn check_mesh(document: &Document, index: usize) -> Result<(), ImportError> {
    for (number, primitive) in document.meshes[index].primitives.iter().enumerate() {
        let place = || format!("{}, primitive {number}", document.mesh_place(index));
        check_primitive(document, primitive, place)?;
    }
    Ok(())
}

fn check_primitive(document: &Document, primitive: &Primitive, place: impl Fn() -> String) -> Result<(), ImportError> {
    let accessors = document.accessors.len();
    let morphs = primitive.targets.iter().flatten();
    let morphs = morphs.flat_map(|target| [&target.positions, &target.normals, &target.tangents]).flatten();
    for accessor in primitive.attributes.values().chain(&primitive.indices).chain(morphs) {
        exists(&place, "accessor", accessor.value(), accessors)?;
    }
    if primitive.mode == Checked::Invalid {
        return Err(malformed(place(), "a mode from 0 to 6", "another"));
    }
    influence_sets(primitive, &place).map(drop)
}

/// The number of sets of JOINTS_n and WEIGHTS_n. Both must be numbered from 0 without gaps.
pub(crate) fn influence_sets(primitive: &Primitive, place: impl Fn() -> String) -> Result<u32, ImportError> {
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for semantic in primitive.attributes.keys() {
        match semantic {
            Checked::Valid(Semantic::Joints(set)) => joints.push(*set),
            Checked::Valid(Semantic::Weights(set)) => weights.push(*set),
            _ => {}
        }
    }
    if joints != weights || joints.iter().enumerate().any(|(number, &set)| number as u64 != u64::from(set)) {
        let list = |name, sets: &[u32]| sets.iter().take(8).map(|set| format!(" {name}_{set}")).collect::<String>();
        let found = format!("[{}{} ]", list("JOINTS", &joints), list("WEIGHTS", &weights));
        return Err(malformed(place(), "a WEIGHTS_n for each JOINTS_n, numbered from 0 without gaps", found));
    }
    Ok(joints.len() as u32)
}

fn check_skin(document: &Document, index: usize) -> Result<(), ImportError> {
    let skin = &document.skins[index];
    let place = || document.skin_place(index);
    if skin.joints.is_empty() {
        return Err(malformed(place(), "at least one joint", "none"));
    }
    let nodes = document.nodes.0.len();
    for joint in skin.joints.iter().chain(&skin.skeleton) {
        exists(place, "node", joint.value(), nodes)?;
    }
    let Some(matrices) = &skin.inverse_bind_matrices else { return Ok(()) };
    exists(place, "accessor", matrices.value(), document.accessors.len())?;
    let accessor = &document.accessors[matrices.value()];
    let is_float = matches!(&accessor.component_type, Checked::Valid(component) if component.0 == ComponentType::F32);
    if !is_float || accessor.type_ != Checked::Valid(Type::Mat4) {
        let place = format!("{}, inverseBindMatrices, {}", place(), document.accessor_place(matrices.value()));
        return Err(malformed(place, "4x4 matrices of floats", "another type"));
    }
    if accessor.count.0 < skin.joints.len() as u64 {
        let expected = format!("inverse bind matrices for {} joints", skin.joints.len());
        return Err(malformed(place(), expected, format!("{}", accessor.count.0)));
    }
    Ok(())
}

fn check_node(document: &Document, index: usize) -> Result<(), ImportError> {
    let node = &document.nodes.0[index];
    let place = || document.node_place(index);
    for &child in &node.children {
        exists(place, "node", child as usize, document.nodes.0.len())?;
    }
    if let Some(mesh) = node.mesh {
        exists(place, "mesh", mesh as usize, document.meshes.len())?;
    }
    if let Some(skin) = node.skin {
        exists(place, "skin", skin as usize, document.skins.len())?;
    }
    let numbers: &[&[f32]] = match node.transform.as_deref() {
        None => &[],
        Some(NodeTransform::Matrix(matrix)) => &[matrix],
        Some(NodeTransform::Trs { translation, rotation, scale }) => &[translation, rotation, scale],
    };
    if let Some(number) = numbers.iter().flat_map(|list| list.iter()).find(|number| !number.is_finite()) {
        let element = "its transform".to_owned();
        return Err(ImportError::NotFinite { place: place(), element, found: number.to_string() });
    }
    Ok(())
}

fn check_animation(document: &Document, index: usize) -> Result<(), ImportError> {
    let animation = &document.animations[index];
    let accessors = document.accessors.len();
    for (number, sampler) in animation.samplers.iter().enumerate() {
        let place = || format!("{}, sampler {number}", document.animation_place(index));
        exists(place, "accessor", sampler.input.value(), accessors)?;
        exists(place, "accessor", sampler.output.value(), accessors)?;
        if sampler.interpolation == Checked::Invalid {
            return Err(malformed(place(), "an interpolation of LINEAR, STEP or CUBICSPLINE", "another"));
        }
    }
    for (number, channel) in animation.channels.iter().enumerate() {
        let place = || format!("{}, channel {number}", document.animation_place(index));
        exists(place, "sampler", channel.sampler as usize, animation.samplers.len())?;
        if let Some(node) = channel.target.node {
            exists(place, "node", node as usize, document.nodes.0.len())?;
        }
    }
    Ok(())
}

fn check_scenes(document: &Document) -> Result<(), ImportError> {
    for (index, scene) in document.scenes.iter().enumerate() {
        for &node in &scene.nodes {
            exists(|| format!("scene {index}"), "node", node as usize, document.nodes.0.len())?;
        }
    }
    Ok(())
}
