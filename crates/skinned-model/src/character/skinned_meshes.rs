//! Reads skinned meshes, one for each distinct pair of a skin and a mesh on a node.

use crate::character::hierarchy::{Hierarchy, affine, node_label};
use crate::character::primitive::{self, Vertices};
use crate::decode::accessor::Reader;
use crate::error::ImportError;
use crate::model::{Influences, MeshNames, SkinnedMesh};
use crate::warnings::Warnings;
use geometry_core::portable;
use glam::{Affine3A, Vec3};
use gltf::json::mesh::Primitive;
use skeleton::{JointIndex, NodeIndex};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The joints of a skin and its inverse bind matrices.
#[derive(Default)]
struct Skin {
    index: usize,
    joints: Vec<JointIndex>,
    /// One matrix per slot; the identity for slots in `bad`.
    joint_from_mesh: Vec<Affine3A>,
    /// The slots whose matrix is not affine, in ascending order.
    bad: Vec<usize>,
}

/// The mesh in the file that a skinned mesh or an attachment was read from.
pub(crate) struct MeshSource {
    /// The index of the mesh in the file.
    pub(crate) mesh: usize,
    /// The first vertex of each primitive in the mesh that was read, and the number of its vertices; `None` for a primitive that was
    /// left out.
    pub(crate) starts: Vec<Option<(usize, usize)>>,
}

/// Reads every distinct pair of a skin and a mesh, in the order of the nodes that name them.
pub(crate) fn read(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    warnings: &mut Warnings,
) -> Result<(Vec<SkinnedMesh>, Vec<MeshSource>), ImportError> {
    let document = reader.document;
    let mut skins: BTreeMap<u32, Skin> = BTreeMap::new();
    let mut seen: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    let (mut meshes, mut sources): (Vec<SkinnedMesh>, _) = (Vec::new(), Vec::new());
    for (node, what) in document.nodes.0.iter().enumerate() {
        let (Some(mesh), Some(index)) = (what.mesh, what.skin) else { continue };
        // The joints of another character's skin are not in the skeleton. All joints of a skin belong to one character.
        let is_own = document.skins[index as usize].joints.iter().all(|joint| hierarchy.joint[joint.value()].is_some());
        if !is_own {
            continue;
        }
        if let Some(&known) = seen.get(&(index, mesh)) {
            add_node(reader, node, &mut meshes[known].names)?;
            continue;
        }
        seen.insert((index, mesh), meshes.len());
        let skin = match skins.entry(index) {
            Entry::Occupied(skin) => skin.into_mut(),
            Entry::Vacant(slot) => slot.insert(read_skin(reader, hierarchy, index as usize, warnings)?),
        };
        let (read, source) = read_mesh(reader, node, mesh as usize, skin, warnings)?;
        meshes.push(read);
        sources.push(source);
    }
    let vertices: usize = meshes.iter().map(|mesh| mesh.positions.len()).sum();
    let assigned = meshes.iter().flat_map(|mesh| &mesh.influences.weights).any(|&weight| weight > 0.0);
    if !assigned && !meshes.is_empty() {
        return Err(ImportError::NoWeights { vertices });
    }
    Ok((meshes, sources))
}

/// Checks the skins of a file without skinned meshes.
pub(crate) fn check_skins(reader: &Reader<'_>, hierarchy: &Hierarchy) -> Result<(), ImportError> {
    for (index, skin) in reader.document.skins.iter().enumerate() {
        if skin.inverse_bind_matrices.is_none_or(|accessor| reader.is_without_data(accessor.value())) {
            continue;
        }
        let skin = read_skin(reader, hierarchy, index, &mut Warnings::default())?;
        skin.bad.first().map_or(Ok(()), |&slot| Err(bad_matrix(reader, index, slot)))?;
    }
    Ok(())
}

/// The place of a skin's inverse bind matrix, for messages.
fn matrix_place(reader: &Reader<'_>, skin: usize, slot: usize) -> String {
    let document = reader.document;
    let node = document.skins[skin].joints[slot].value();
    let joint = node_label(&document.nodes.0[node], node);
    format!("{}, inverse bind matrix {slot} of joint {joint}", document.skin_place(skin))
}

fn read_skin(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    index: usize,
    warnings: &mut Warnings,
) -> Result<Skin, ImportError> {
    let document = reader.document;
    let nodes = &document.skins[index].joints;
    let per_joint = size_of::<JointIndex>() + size_of::<Affine3A>();
    reader.budget.charge(nodes.len() as u64, per_joint, || document.skin_place(index))?;
    let joints = nodes.iter().filter_map(|joint| hierarchy.joint[joint.value()]).collect();
    let mut skin = Skin { index, joints, joint_from_mesh: vec![Affine3A::IDENTITY; nodes.len()], bad: Vec::new() };
    for (slot, matrix) in matrices(reader, index)?.iter().enumerate() {
        let Ok(matrix) = affine(matrix, String::new) else {
            skin.bad.push(slot);
            continue;
        };
        skin.joint_from_mesh[slot] = matrix;
        if is_singular(&matrix) {
            let name = &hierarchy.skeleton.joint(skin.joints[slot]).name;
            let text = format!(
                "{}: it is singular and flattens the vertices that the joint moves",
                matrix_place(reader, index, slot)
            );
            warnings.add("singular-inverse-bind", Some(name), text);
        }
    }
    Ok(skin)
}

/// The inverse bind matrices of a skin's joints, in column order; empty if the skin has none.
fn matrices(reader: &Reader<'_>, skin: usize) -> Result<Vec<[f32; 16]>, ImportError> {
    let skin = &reader.document.skins[skin];
    match &skin.inverse_bind_matrices {
        Some(accessor) => reader.floats::<16>(accessor.value(), skin.joints.len()),
        None => Ok(Vec::new()),
    }
}

/// Describes what is wrong with a matrix. It must only be called for a matrix that is wrong.
fn bad_matrix(reader: &Reader<'_>, skin: usize, slot: usize) -> ImportError {
    let matrices = match matrices(reader, skin) {
        Ok(matrices) => matrices,
        Err(error) => return error,
    };
    let place = || matrix_place(reader, skin, slot);
    match matrices.get(slot).map(|matrix| affine(matrix, place)) {
        Some(Err(error)) => error,
        _ => ImportError::NotFinite { place: place(), element: "it".to_owned(), found: "nothing".to_owned() },
    }
}

/// Returns true if a map loses a dimension, at any scale: its columns, normalized, span no volume.
fn is_singular(matrix: &Affine3A) -> bool {
    /// The volume that single-precision rounding leaves of an exact zero.
    const NO_VOLUME: f64 = 1e-6;
    let (linear, _) = portable::affine_parts(matrix);
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis].map(Vec3::as_dvec3);
    let lengths = [x, y, z].map(|axis| axis.dot(axis).sqrt());
    lengths.contains(&0.0) || (x.cross(y).dot(z)).abs() <= NO_VOLUME * (lengths[0] * lengths[1] * lengths[2])
}

fn read_mesh(
    reader: &Reader<'_>,
    node: usize,
    index: usize,
    skin: &Skin,
    warnings: &mut Warnings,
) -> Result<(SkinnedMesh, MeshSource), ImportError> {
    let document = reader.document;
    let place = || format!("{}, {}", document.node_place(node), document.mesh_place(index));
    let per_joint = size_of::<JointIndex>() + size_of::<Affine3A>();
    reader.budget.charge(skin.joints.len() as u64, per_joint, place)?;
    let mut findings = Findings::default();
    let mut mesh = SkinnedMesh {
        name: name(reader, [document.meshes[index].name.as_deref(), document.nodes.0[node].name.as_deref()])?,
        names: names(reader, node, index)?,
        node: NodeIndex(node as u32),
        joints: skin.joints.clone(),
        joint_from_mesh: skin.joint_from_mesh.clone(),
        positions: Vec::new(),
        influences: Influences {
            per_vertex: influences_per_vertex(&document.meshes[index].primitives),
            ..Influences::default()
        },
        triangles: Vec::new(),
        normals: Vec::new(),
        texture_coordinates: Vec::new(),
    };
    let mut source = MeshSource { mesh: index, starts: Vec::new() };
    for (number, primitive) in document.meshes[index].primitives.iter().enumerate() {
        let place = || format!("{}, primitive {number}", place());
        let vertices = primitive::read(reader, primitive, true, &place)?;
        match vertices.filter(|vertices| !vertices.sets.is_empty()) {
            Some(vertices) => {
                source.starts.push(Some((mesh.positions.len(), vertices.positions.len())));
                append(reader, &mut mesh, vertices, &mut findings, &place)?;
            }
            None => {
                source.starts.push(None);
                findings.unskinned_primitives += 1;
            }
        }
        mesh.names.materials.push((material_name(reader, primitive)?, mesh.positions.len()));
    }
    check_matrices(reader, skin, &mesh, warnings)?;
    if mesh.influences.per_vertex == 0 {
        let found = "no primitive with joints and weights".to_owned();
        return Err(ImportError::UnskinnedMesh { place: place(), found });
    }
    findings.report(&place, mesh.positions.len(), warnings);
    Ok((mesh, source))
}

/// Checks that no vertex uses a matrix that is not affine. Some exporters write garbage for joints that move no vertex.
fn check_matrices(
    reader: &Reader<'_>,
    skin: &Skin,
    mesh: &SkinnedMesh,
    warnings: &mut Warnings,
) -> Result<(), ImportError> {
    if skin.bad.is_empty() {
        return Ok(());
    }
    let mut used = vec![false; mesh.joints.len()];
    let weighted = mesh.influences.slots.iter().zip(&mesh.influences.weights).filter(|&(_, &weight)| weight > 0.0);
    weighted.for_each(|(&slot, _)| used[usize::from(slot)] = true);
    for &slot in &skin.bad {
        if used[slot] {
            return Err(bad_matrix(reader, skin.index, slot));
        }
        let text = format!(
            "{}: it is not affine, but its joint moves no vertex; the identity replaces it",
            matrix_place(reader, skin.index, slot)
        );
        warnings.add("bad-inverse-bind", None, text);
    }
    Ok(())
}

/// The first name that is not empty. Its length is charged to the budget, because many objects may share a long name.
pub(crate) fn name(reader: &Reader<'_>, names: [Option<&str>; 2]) -> Result<String, ImportError> {
    let name = names.into_iter().flatten().find(|name| !name.is_empty()).unwrap_or_default();
    reader.budget.charge(name.len() as u64, 1, || "its names".to_owned())?;
    Ok(name.to_owned())
}

/// The names of a mesh on a node, without those of materials.
pub(crate) fn names(reader: &Reader<'_>, node: usize, mesh: usize) -> Result<MeshNames, ImportError> {
    let mesh = name(reader, [reader.document.meshes[mesh].name.as_deref(), None])?;
    let mut names = MeshNames { nodes: Vec::new(), mesh, materials: Vec::new(), is_coarser_level: true };
    add_node(reader, node, &mut names)?;
    Ok(names)
}

/// Adds a node that shows the mesh.
fn add_node(reader: &Reader<'_>, node: usize, names: &mut MeshNames) -> Result<(), ImportError> {
    let document = reader.document;
    let own = name(reader, [document.nodes.0[node].name.as_deref(), None])?;
    reader.budget.charge(1, size_of::<String>(), || "the names of its nodes".to_owned())?;
    names.nodes.extend(Some(own).filter(|own| !own.is_empty()));
    names.is_coarser_level &= document.coarser_nodes.contains(&(node as u32));
    Ok(())
}

/// The name of a primitive's material; empty without one.
pub(crate) fn material_name(reader: &Reader<'_>, primitive: &Primitive) -> Result<String, ImportError> {
    let names = &reader.document.material_names;
    let found = primitive.material.and_then(|material| names.get(material.value())?.as_deref());
    reader.budget.charge(1, size_of::<(String, usize)>(), || "the names of its materials".to_owned())?;
    name(reader, [found, None])
}

/// The largest number of influences per vertex in any primitive.
fn influences_per_vertex(primitives: &[Primitive]) -> usize {
    let sets = primitives
        .iter()
        .map(|primitive| crate::document::structure::influence_sets(primitive, String::new).unwrap_or(0));
    4 * sets.max().unwrap_or(0) as usize
}

/// Counts of the unusual things found in a mesh.
#[derive(Default)]
struct Findings {
    unskinned_primitives: usize,
    flag_missing: bool,
    without_data: bool,
    broken_weights: usize,
    negative_weights: usize,
    unassigned: usize,
    first_unassigned: Option<usize>,
    left_out: Vec<ImportError>,
}

impl Findings {
    fn report(&self, place: &dyn Fn() -> String, vertices: usize, warnings: &mut Warnings) {
        let mut add = |code, happened: bool, text: &dyn Fn() -> String| {
            if happened {
                warnings.add(code, None, format!("{}: {}", place(), text()));
            }
        };
        add("nan-weights", self.broken_weights > 0, &|| {
            format!("{} weights are NaN or infinite and count as 0", self.broken_weights)
        });
        add("negative-weights", self.negative_weights > 0, &|| {
            format!("{} weights are negative and count as 0", self.negative_weights)
        });
        add("unassigned-vertices", self.unassigned > 0, &|| {
            let first = self.first_unassigned.unwrap_or_default();
            format!(
                "{} of {vertices} vertices (the first is vertex {first}) have no weight above 0, so they belong to no joint and are left out",
                self.unassigned
            )
        });
        add("weights-not-normalized", self.flag_missing, &|| {
            "the integer weights lack the flag `normalized`; they are read as fractions of the largest integer"
                .to_owned()
        });
        add("weights-without-data", self.without_data, &|| {
            "the weights' accessor has no data; every vertex is bound to its first joint with weight 1".to_owned()
        });
        add("unskinned-primitive", self.unskinned_primitives > 0, &|| {
            format!(
                "{} primitives have no positions or no joints and weights and are left out",
                self.unskinned_primitives
            )
        });
        warn_of_left_out(&self.left_out, warnings);
    }
}

/// Appends a primitive's vertices to the mesh.
fn append(
    reader: &Reader<'_>,
    mesh: &mut SkinnedMesh,
    mut vertices: Vertices,
    findings: &mut Findings,
    place: &dyn Fn() -> String,
) -> Result<(), ImportError> {
    let (base, per_vertex) = (mesh.positions.len(), mesh.influences.per_vertex);
    let row = size_of::<Vec3>() + per_vertex * (size_of::<u16>() + size_of::<f32>());
    let corners = vertices.triangles.len() as u64;
    reader.budget.charge(vertices.positions.len() as u64, 2 * row, place)?;
    reader.budget.charge(corners, 2 * size_of::<[u32; 3]>(), place)?;
    if vertices.sets.iter().all(|set| set.without_data) {
        findings.without_data = true;
        vertices.sets[0].weights.fill([1.0, 0.0, 0.0, 0.0]);
    }
    for vertex in 0..vertices.positions.len() {
        if !append_row(mesh, &vertices, vertex, findings, place)? {
            findings.unassigned += 1;
            findings.first_unassigned.get_or_insert(base + vertex);
        }
    }
    findings.flag_missing |= vertices.sets.iter().any(|set| set.flag_missing);
    findings.left_out.append(&mut vertices.left_out);
    append_attribute(&mut mesh.normals, vertices.normals, base, vertices.positions.len());
    append_attribute(&mut mesh.texture_coordinates, vertices.texture_coordinates, base, vertices.positions.len());
    mesh.positions.extend(vertices.positions);
    // The budget keeps the number of vertices far below 2^32.
    mesh.triangles.extend(vertices.triangles.iter().map(|triangle| triangle.map(|corner| base as u32 + corner)));
    Ok(())
}

/// Appends the `vertices` values of a primitive, of which there may be none, to the values of the `base` vertices before
/// it.
pub(crate) fn append_attribute<T: Clone>(
    all: &mut Vec<Option<T>>,
    values: Vec<Option<T>>,
    base: usize,
    vertices: usize,
) {
    if !all.is_empty() || !values.is_empty() {
        all.resize(base, None);
        all.extend(values);
        all.resize(base + vertices, None);
    }
}

/// Adds a warning for each attribute that was left out.
pub(crate) fn warn_of_left_out(errors: &[ImportError], warnings: &mut Warnings) {
    for error in errors {
        warnings.add("unreadable-attribute", None, format!("{error}; the attribute is left out"));
    }
}

/// Appends a vertex's influences, and returns whether any weight is above 0.
fn append_row(
    mesh: &mut SkinnedMesh,
    vertices: &Vertices,
    vertex: usize,
    findings: &mut Findings,
    place: &dyn Fn() -> String,
) -> Result<bool, ImportError> {
    let end = mesh.influences.slots.len() + mesh.influences.per_vertex;
    let mut assigned = false;
    for (number, set) in vertices.sets.iter().enumerate() {
        for (slot, weight) in set.slots[vertex].into_iter().zip(set.weights[vertex]) {
            let weight = clean(weight, findings);
            let known = u16::try_from(slot).ok().filter(|&slot| usize::from(slot) < mesh.joints.len());
            if weight > 0.0 && known.is_none() {
                return Err(ImportError::Malformed {
                    place: format!("{}, JOINTS_{number}, vertex {vertex}", place()),
                    expected: format!("one of the skin's {} joints", mesh.joints.len()),
                    found: format!("joint {slot} with weight {weight}"),
                    cure: "the mesh was bound to another armature: bind it again and export the file",
                });
            }
            assigned |= weight > 0.0;
            mesh.influences.slots.push(known.unwrap_or(0));
            mesh.influences.weights.push(weight);
        }
    }
    mesh.influences.slots.resize(end, 0);
    mesh.influences.weights.resize(end, 0.0);
    Ok(assigned)
}

fn clean(weight: f32, findings: &mut Findings) -> f32 {
    if !weight.is_finite() {
        findings.broken_weights += 1;
        return 0.0;
    }
    findings.negative_weights += usize::from(weight < 0.0);
    // `max` could return a negative zero on some platforms.
    if weight > 0.0 { weight } else { 0.0 }
}
