//! Decodes KHR_draco_mesh_compression: positions, influences and triangles of a primitive in one Draco stream.

use crate::decode::accessor::{ComponentType, Format, Reader};
use crate::document::element_size::components;
use crate::error::ImportError;
use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};
use gltf::json::extensions;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;
use serde::Deserialize;
use std::collections::BTreeMap;

const NAME: &str = "KHR_draco_mesh_compression";

/// The JSON of the extension.
#[derive(Deserialize)]
struct Extension {
    #[serde(rename = "bufferView")]
    view: usize,
    /// For each attribute of the primitive, the id of the attribute in the stream.
    attributes: BTreeMap<String, u32>,
}

/// A decoded stream.
pub(crate) struct Decoded {
    mesh: Mesh,
    attributes: BTreeMap<String, u32>,
}

fn extension(primitive: &Primitive) -> Option<&serde_json::Value> {
    let extensions::mesh::Primitive { others, .. } = primitive.extensions.as_ref()?;
    others.get(NAME)
}

/// Decodes a primitive's stream; `None` if it has none.
pub(crate) fn decode(
    reader: &Reader<'_>,
    primitive: &Primitive,
    place: &dyn Fn() -> String,
) -> Result<Option<Decoded>, ImportError> {
    let Some(json) = extension(primitive) else { return Ok(None) };
    let place = || format!("{}, {NAME}", place());
    let Extension { view, attributes } = Extension::deserialize(json).map_err(|error| ImportError::Malformed {
        place: place(),
        expected: "the members of that extension".to_owned(),
        found: error.to_string(),
        cure: "compress the file again, or export it uncompressed",
    })?;
    let count = reader.document.buffer_views.len();
    if view >= count {
        return Err(ImportError::MissingObject { place: place(), kind: "bufferView", index: view as u64, count });
    }
    let bytes = reader.view(view)?;
    let limits = limits(reader, primitive, &place)?;
    let mut mesh = Mesh::new();
    MeshDecoder::new()
        .decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh)
        .map_err(|error| ImportError::Compressed { place: place(), problem: error.to_string() })?;
    Ok(Some(Decoded { mesh, attributes }))
}

/// The limits of the decoder. A stream of a kilobyte may expand to millions of points, so the decoder may make only as
/// many as the accessors announce, and those are charged to the budget first.
fn limits(reader: &Reader<'_>, primitive: &Primitive, place: &dyn Fn() -> String) -> Result<DecodeLimits, ImportError> {
    /// The approximate size in bytes of the decoder's tables, per point and per face.
    const TABLES: usize = 64;
    /// The decoder stores integers in 32 bits before it converts them to narrower types.
    const COMPONENT: usize = 4;
    let count = |accessor: usize| reader.format(accessor).count as u64;
    let attributes = || primitive.attributes.values().map(|accessor| accessor.value());
    let points = attributes().map(count).max().unwrap_or(0);
    let bytes_per_point = attributes().map(|it| COMPONENT * components(reader.format(it).kind)).sum::<usize>();
    let corners = primitive.indices.map_or(0, |accessor| count(accessor.value()));
    // The accessor of a strip may count the strip's corners, but the stream has separate triangles.
    let faces = if primitive.mode == Checked::Valid(Mode::TriangleStrip) { corners } else { corners / 3 };
    reader.budget.charge(points, bytes_per_point.saturating_add(TABLES), place)?;
    reader.budget.charge(faces, TABLES, place)?;
    let bytes = points.saturating_mul(bytes_per_point as u64);
    Ok(DecodeLimits::default().with_max_points(points).with_max_faces(faces).with_max_decoded_bytes(bytes))
}

impl Decoded {
    /// Returns true if the stream has this attribute. Other attributes stay in their accessors.
    pub(crate) fn has(&self, semantic: &Semantic) -> bool {
        self.attributes.contains_key(&Checked::Valid(semantic.clone()).to_string())
    }

    pub(crate) fn triangles(
        &self,
        reader: &Reader<'_>,
        place: &dyn Fn() -> String,
    ) -> Result<Vec<[u32; 3]>, ImportError> {
        reader.budget.charge(self.mesh.num_faces() as u64, size_of::<[u32; 3]>(), place)?;
        let points = self.mesh.num_points() as u32;
        let triangles: Vec<[u32; 3]> = self.mesh.faces().iter().map(|face| face.map(|point| point.0)).collect();
        if triangles.iter().flatten().all(|&point| point < points) {
            return Ok(triangles);
        }
        let problem = format!("a triangle has a corner that is not among the {points} points");
        Err(ImportError::Compressed { place: place(), problem })
    }

    /// The values of an attribute as the accessor would give them, one per point.
    pub(crate) fn floats<const N: usize>(
        &self,
        reader: &Reader<'_>,
        semantic: &Semantic,
        format: Format,
        place: &dyn Fn() -> String,
    ) -> Result<Vec<[f32; N]>, ImportError> {
        let name = Checked::Valid(semantic.clone()).to_string();
        let compressed = |problem: String| ImportError::Compressed { place: format!("{}, {name}", place()), problem };
        let Some(attribute) = self.attributes.get(&name).and_then(|&id| self.mesh.attribute_by_unique_id(id)) else {
            return Err(compressed("the stream has no attribute with that id".to_owned()));
        };
        let points = self.mesh.num_points();
        if points != format.count {
            return Err(compressed(format!("the stream has {points} points, but the accessor has {}", format.count)));
        }
        let width = usize::from(attribute.num_components());
        if width != N || components(format.kind) != N {
            return Err(compressed(format!("the stream has {width} numbers per point, expected {N}")));
        }
        let values = attribute.size();
        let mut mapped = (0..points as u32).map(|point| attribute.mapped_index(draco_core::PointIndex(point)));
        if mapped.any(|value| value.0 as usize >= values) {
            return Err(compressed(format!("a point names a value that is not among the {values} values")));
        }
        reader.budget.charge(points as u64, 2 * size_of::<[f32; N]>(), place)?;
        let mut numbers = attribute.read_f32s(points, N);
        if let Some(scale) = normalization(format) {
            numbers.iter_mut().for_each(|number| *number = (*number / scale).max(-1.0));
        }
        Ok(numbers.as_chunks::<N>().0.to_vec())
    }

    /// The values of an attribute as unsigned integers.
    pub(crate) fn integers<const N: usize>(
        &self,
        reader: &Reader<'_>,
        semantic: &Semantic,
        format: Format,
        place: &dyn Fn() -> String,
    ) -> Result<Vec<[u32; N]>, ImportError> {
        let numbers = self.floats::<N>(reader, semantic, format, place)?;
        let is_index = |number: &f32| *number >= 0.0 && *number == number.trunc();
        if let Some(number) = numbers.iter().flatten().find(|number| !is_index(number)) {
            let problem = format!("a joint has the number {number}, expected 0, 1, 2, ...");
            return Err(ImportError::Compressed { place: place(), problem });
        }
        Ok(numbers.into_iter().map(|row| row.map(|number| number as u32)).collect())
    }
}

/// The integer that stands for 1, if integers stand for fractions.
fn normalization(format: Format) -> Option<f32> {
    match (format.component, format.normalized) {
        (ComponentType::U8, true) => Some(255.0),
        (ComponentType::U16, true) => Some(65535.0),
        (ComponentType::I8, true) => Some(127.0),
        (ComponentType::I16, true) => Some(32767.0),
        _ => None,
    }
}
