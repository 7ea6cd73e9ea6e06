//! Reads one primitive of a mesh: positions, influences, triangles, normals and texture coordinates.

use crate::decode::accessor::{ComponentType, Format, Reader, Type};
use crate::document::element_size::components;
use crate::document::structure::influence_sets;
use crate::error::ImportError;
use glam::{Vec2, Vec3};
use gltf::json::Index;
use gltf::json::accessor::Accessor;
use gltf::json::mesh::{Mode, Primitive, Semantic};
use gltf::json::validation::Checked;

/// The contents of a primitive; its vertices are numbered from 0.
#[derive(Default)]
pub(crate) struct Vertices {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The influence sets 0, 1, ...; each is as long as `positions`.
    pub(crate) sets: Vec<InfluenceSet>,
    /// The unit normal of each vertex; empty if the primitive has none.
    pub(crate) normals: Vec<Option<Vec3>>,
    /// `TEXCOORD_0` of each vertex; empty if the primitive has none.
    pub(crate) texture_coordinates: Vec<Option<Vec2>>,
    /// The reasons why normals or texture coordinates of the file were left out.
    pub(crate) left_out: Vec<ImportError>,
}

/// One pair of `JOINTS_n` and `WEIGHTS_n`.
pub(crate) struct InfluenceSet {
    pub(crate) slots: Vec<[u32; 4]>,
    /// The weights as in the file. NaN and negative weights are still included.
    pub(crate) weights: Vec<[f32; 4]>,
    /// `true` if the weights are integers without the flag `normalized` that glTF requires. They are read as if they
    /// had the flag.
    pub(crate) flag_missing: bool,
    /// `true` if the weights' accessor has no bytes, so that all weights are zero.
    pub(crate) without_data: bool,
}

/// The source of a primitive's numbers: accessors or a Draco stream.
struct Source<'r> {
    reader: &'r Reader<'r>,
    place: &'r dyn Fn() -> String,
    #[cfg(feature = "draco")]
    stream: Option<crate::decode::draco::Decoded>,
}

impl<'r> Source<'r> {
    fn of(reader: &'r Reader<'r>, primitive: &Primitive, place: &'r dyn Fn() -> String) -> Result<Self, ImportError> {
        #[cfg(not(feature = "draco"))]
        refuse_draco(reader, primitive, place)?;
        Ok(Self {
            reader,
            place,
            #[cfg(feature = "draco")]
            stream: crate::decode::draco::decode(reader, primitive, place)?,
        })
    }

    fn floats<const N: usize>(&self, semantic: &Semantic, accessor: usize) -> Result<Vec<[f32; N]>, ImportError> {
        #[cfg(feature = "draco")]
        if let Some(stream) = self.stream.as_ref().filter(|stream| stream.has(semantic)) {
            return stream.floats(self.reader, semantic, self.reader.format(accessor), self.place);
        }
        self.has_data(semantic, accessor)?;
        self.reader.floats(accessor, usize::MAX)
    }

    fn integers<const N: usize>(&self, semantic: &Semantic, accessor: usize) -> Result<Vec<[u32; N]>, ImportError> {
        #[cfg(feature = "draco")]
        if let Some(stream) = self.stream.as_ref().filter(|stream| stream.has(semantic)) {
            return stream.integers(self.reader, semantic, self.reader.format(accessor), self.place);
        }
        self.has_data(semantic, accessor)?;
        Ok(self.reader.integers(accessor)?.unwrap_or_default())
    }

    /// If the primitive has a Draco stream, an accessor without bytes has no values, instead of zeros.
    fn has_data(&self, semantic: &Semantic, accessor: usize) -> Result<(), ImportError> {
        #[cfg(feature = "draco")]
        if self.stream.is_some() && self.reader.is_without_data(accessor) {
            let name = Checked::Valid(semantic.clone()).to_string();
            let problem = format!("{name} is neither in the Draco stream nor in its accessor");
            return Err(ImportError::Compressed { place: (self.place)(), problem });
        }
        let _ = (semantic, accessor);
        Ok(())
    }

    fn is_without_data(&self, semantic: &Semantic, accessor: usize) -> bool {
        #[cfg(feature = "draco")]
        if self.stream.as_ref().is_some_and(|stream| stream.has(semantic)) {
            return false;
        }
        let _ = semantic;
        self.reader.is_without_data(accessor)
    }

    /// Reads an attribute without which a primitive is complete; empty if the primitive does not have the attribute.
    fn extra<const N: usize>(
        &self,
        primitive: &Primitive,
        semantic: &Semantic,
        vertices: usize,
    ) -> Result<Vec<[f32; N]>, ImportError> {
        let Some(accessor) = attribute(primitive, semantic.clone()).map(|accessor| accessor.value()) else {
            return Ok(Vec::new());
        };
        let place = || format!("{}, {}", (self.place)(), Checked::Valid(semantic.clone()).to_string());
        let allowed = |format: &Format| components(format.kind) == N && format.component != ComponentType::U32;
        let wanted = format!("VEC{N} of floats, or of 8 or 16-bit integers");
        let format = self.reader.expect(accessor, place, &wanted, allowed)?;
        same_count(self.reader, accessor, format, vertices, &place)?;
        // These values exist twice more: in a list of `Option`s, and in the mesh.
        self.reader.budget.charge(vertices as u64, 2 * size_of::<Option<[f32; N]>>(), place)?;
        self.floats(semantic, accessor)
    }

    fn triangles(&self, primitive: &Primitive, vertices: usize) -> Result<Vec<[u32; 3]>, ImportError> {
        #[cfg(feature = "draco")]
        if let Some(stream) = &self.stream {
            return stream.triangles(self.reader, self.place);
        }
        let indices = match &primitive.indices {
            Some(accessor) => Some(indices(self.reader, accessor.value(), vertices, self.place)?),
            None => None,
        };
        triangles(self.reader, primitive.mode, indices, vertices, self.place)
    }
}

/// A file that does not require the extension may also have uncompressed data. Without that data there is nothing to
/// read.
#[cfg(not(feature = "draco"))]
fn refuse_draco(reader: &Reader<'_>, primitive: &Primitive, place: &dyn Fn() -> String) -> Result<(), ImportError> {
    let name = "KHR_draco_mesh_compression";
    let compressed = primitive.extensions.as_ref().is_some_and(|extensions| extensions.others.contains_key(name));
    let positions = attribute(primitive, Semantic::Positions);
    if compressed && positions.is_some_and(|accessor| reader.is_without_data(accessor.value())) {
        let problem = format!("{name}: this build has no Draco decoder");
        return Err(ImportError::Compressed { place: place(), problem });
    }
    Ok(())
}

/// Reads a primitive; `None` if it has no positions.
pub(crate) fn read(
    reader: &Reader<'_>,
    primitive: &Primitive,
    with_influences: bool,
    place: &dyn Fn() -> String,
) -> Result<Option<Vertices>, ImportError> {
    let Some(accessor) = attribute(primitive, Semantic::Positions) else { return Ok(None) };
    let source = Source::of(reader, primitive, place)?;
    let positions = positions(&source, accessor.value())?;
    let triangles = source.triangles(primitive, positions.len())?;
    let sets = match with_influences {
        true => influences(&source, primitive, positions.len())?,
        false => Vec::new(),
    };
    let mut vertices = Vertices { positions, triangles, sets, ..Vertices::default() };
    match source.extra(primitive, &Semantic::Normals, vertices.positions.len()) {
        Ok(normals) => vertices.normals = normals.into_iter().map(unit).collect(),
        Err(error) => vertices.left_out.push(error),
    }
    match source.extra(primitive, &Semantic::TexCoords(0), vertices.positions.len()) {
        Ok(coordinates) => vertices.texture_coordinates = coordinates.into_iter().map(finite).collect(),
        Err(error) => vertices.left_out.push(error),
    }
    Ok(Some(vertices))
}

/// Returns a normal of the file with the length 1; `None` if the normal has no direction.
fn unit(normal: [f32; 3]) -> Option<Vec3> {
    let normal = Vec3::from_array(normal).as_dvec3();
    let length = (normal.x * normal.x + normal.y * normal.y + normal.z * normal.z).sqrt();
    (length > 0.0 && length.is_finite()).then(|| (normal / length).as_vec3())
}

fn finite(coordinate: [f32; 2]) -> Option<Vec2> {
    Some(Vec2::from_array(coordinate)).filter(|coordinate| coordinate.is_finite())
}

fn attribute(primitive: &Primitive, semantic: Semantic) -> Option<Index<Accessor>> {
    primitive.attributes.get(&Checked::Valid(semantic)).copied()
}

fn positions(source: &Source<'_>, accessor: usize) -> Result<Vec<Vec3>, ImportError> {
    let (reader, place) = (source.reader, || format!("{}, POSITION", (source.place)()));
    let allowed = |format: &Format| format.kind == Type::Vec3 && format.component != ComponentType::U32;
    reader.expect(accessor, place, "VEC3 of floats, or of 8 or 16-bit integers", allowed)?;
    let positions = source.floats::<3>(&Semantic::Positions, accessor)?;
    let broken = positions.iter().position(|point| point.iter().any(|coordinate| !coordinate.is_finite()));
    if let Some(vertex) = broken {
        let found = format!("{:?}", positions[vertex]);
        return Err(ImportError::NotFinite { place: place(), element: format!("vertex {vertex}"), found });
    }
    reader.budget.charge(positions.len() as u64, size_of::<Vec3>(), place)?;
    Ok(positions.into_iter().map(Vec3::from_array).collect())
}

fn indices(
    reader: &Reader<'_>,
    accessor: usize,
    vertices: usize,
    place: &dyn Fn() -> String,
) -> Result<Vec<u32>, ImportError> {
    let place = || format!("{}, indices", place());
    let unsigned = |format: &Format| {
        format.kind == Type::Scalar
            && !format.normalized
            && matches!(format.component, ComponentType::U8 | ComponentType::U16 | ComponentType::U32)
    };
    reader.expect(accessor, place, "SCALAR of unsigned integers", unsigned)?;
    let indices: Vec<u32> = reader.integers::<1>(accessor)?.unwrap_or_default().into_iter().flatten().collect();
    match indices.iter().position(|&index| index as usize >= vertices) {
        None => Ok(indices),
        Some(at) => Err(ImportError::Malformed {
            place: format!("{}, number {at}", place()),
            expected: format!("an index below the {vertices} vertices"),
            found: indices[at].to_string(),
            cure: "the file is damaged: export it again",
        }),
    }
}

/// The triangles of lists, strips and fans (glTF 2.0, section 3.7.2.1). Points and lines give no triangles. Corners
/// that do not complete a triangle are left out.
fn triangles(
    reader: &Reader<'_>,
    mode: Checked<Mode>,
    indices: Option<Vec<u32>>,
    vertices: usize,
    place: &dyn Fn() -> String,
) -> Result<Vec<[u32; 3]>, ImportError> {
    let corners = indices.as_ref().map_or(vertices, Vec::len);
    let corner = |at: usize| indices.as_ref().map_or(at as u32, |indices| indices[at]);
    let count = match mode {
        Checked::Valid(Mode::Triangles) => corners / 3,
        Checked::Valid(Mode::TriangleStrip | Mode::TriangleFan) => corners.saturating_sub(2),
        _ => 0,
    };
    reader.budget.charge(count as u64, size_of::<[u32; 3]>(), place)?;
    let triangle = |i: usize| match mode {
        Checked::Valid(Mode::TriangleStrip) => [i, i + 1 + i % 2, i + 2 - i % 2],
        Checked::Valid(Mode::TriangleFan) => [i + 1, i + 2, 0],
        _ => [3 * i, 3 * i + 1, 3 * i + 2],
    };
    Ok((0..count).map(|i| triangle(i).map(corner)).collect())
}

fn influences(source: &Source<'_>, primitive: &Primitive, vertices: usize) -> Result<Vec<InfluenceSet>, ImportError> {
    let mut sets = Vec::new();
    for set in 0..influence_sets(primitive, source.place)? {
        let pair = (attribute(primitive, Semantic::Joints(set)), attribute(primitive, Semantic::Weights(set)));
        let (Some(joints), Some(weights)) = pair else { continue };
        sets.push(influence_set(source, set, [joints.value(), weights.value()], vertices)?);
    }
    Ok(sets)
}

fn influence_set(
    source: &Source<'_>,
    set: u32,
    [joints, weights]: [usize; 2],
    vertices: usize,
) -> Result<InfluenceSet, ImportError> {
    let Source { reader, place, .. } = source;
    let joints_place = || format!("{}, JOINTS_{set}", place());
    let unsigned = |format: &Format| {
        format.kind == Type::Vec4
            && !format.normalized
            && matches!(format.component, ComponentType::U8 | ComponentType::U16)
    };
    let joints_format = reader.expect(joints, joints_place, "VEC4 of unsigned 8 or 16-bit integers", unsigned)?;
    let weights_place = || format!("{}, WEIGHTS_{set}", place());
    let fraction = |format: &Format| {
        format.kind == Type::Vec4
            && matches!(format.component, ComponentType::F32 | ComponentType::U8 | ComponentType::U16)
    };
    let wanted = "VEC4 of floats, or of unsigned 8 or 16-bit integers, normalized";
    let weights_format = reader.expect(weights, weights_place, wanted, fraction)?;
    same_count(reader, joints, joints_format, vertices, &joints_place)?;
    same_count(reader, weights, weights_format, vertices, &weights_place)?;
    Ok(InfluenceSet {
        slots: source.integers(&Semantic::Joints(set), joints)?,
        weights: source.floats(&Semantic::Weights(set), weights)?,
        flag_missing: weights_format.component != ComponentType::F32 && !weights_format.normalized,
        without_data: source.is_without_data(&Semantic::Weights(set), weights),
    })
}

pub(crate) fn same_count(
    reader: &Reader<'_>,
    accessor: usize,
    format: Format,
    vertices: usize,
    place: &dyn Fn() -> String,
) -> Result<(), ImportError> {
    if format.count == vertices {
        return Ok(());
    }
    Err(ImportError::Malformed {
        place: format!("{}, {}", place(), reader.document.accessor_place(accessor)),
        expected: format!("{vertices} elements, as many as POSITION has"),
        found: format.count.to_string(),
        cure: "the file is damaged: export it again",
    })
}
