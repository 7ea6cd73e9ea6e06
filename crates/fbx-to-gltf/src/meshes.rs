//! Meshes: a primitive for each material, with one vertex for each distinct corner of its faces.

use crate::FbxError;
use crate::finding::{Finding, quoted};
use crate::glb::Glb;
use crate::nodes::Nodes;
use crate::shapes::Channel;
use crate::skins;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};
use ufbx::{Mesh, SkinDeformer};

/// The mesh and the skin of a node, as indices in the .glb.
#[derive(Clone, Copy)]
pub(crate) struct NodeMesh {
    pub(crate) mesh: usize,
    pub(crate) skin: Option<usize>,
}

/// The meshes and skins that were written. Nodes share them, unless the units of the nodes differ.
#[derive(Default)]
pub(crate) struct Meshes {
    by_node: BTreeMap<usize, NodeMesh>,
    meshes: BTreeMap<(u32, u64), usize>,
    skins: BTreeMap<(u32, u64), usize>,
}

impl Meshes {
    pub(crate) fn of_node(&self, node: usize) -> Option<NodeMesh> {
        self.by_node.get(&node).copied()
    }

    /// Writes the mesh of a node and its skin, if the node has a mesh with triangles.
    pub(crate) fn add_node(
        &mut self,
        nodes: &Nodes<'_>,
        node: usize,
        glb: &mut Glb,
        findings: &mut Vec<Finding>,
    ) -> Result<(), FbxError> {
        let Some(mesh) = nodes.list[node].mesh.as_deref() else { return Ok(()) };
        if mesh.num_triangles == 0 {
            return Ok(());
        }
        let unit = nodes.unit[node];
        let skin = mesh.skin_deformers.as_ref().first().map(|skin| &**skin).filter(|skin| !skin.clusters.is_empty());
        let skin_index = match skin {
            None => None,
            Some(skin) => Some(match self.skins.get(&(skin.element.element_id, unit.to_bits())) {
                Some(&known) => known,
                None => {
                    let index = skins::write(nodes, skin, unit, glb)?;
                    self.skins.insert((skin.element.element_id, unit.to_bits()), index);
                    index
                }
            }),
        };
        let key = (mesh.element.element_id, unit.to_bits());
        let index = match self.meshes.get(&key) {
            Some(&known) => known,
            None => {
                let place = format!("{}, mesh {}", nodes.place(node), quoted(&mesh.element.name));
                if mesh.skin_deformers.count > 1 {
                    let text =
                        format!("{place}: it has {} skins; only the first one is read", mesh.skin_deformers.count);
                    findings.push(Finding { code: "fbx-several-skins", text });
                }
                let index = write(mesh, skin, unit, glb, &|| place.clone())?;
                self.meshes.insert(key, index);
                index
            }
        };
        self.by_node.insert(node, NodeMesh { mesh: index, skin: skin_index });
        Ok(())
    }
}

/// A vertex of a primitive: the vertex of the mesh, its normal in steps, and the bits of its texture coordinate.
type Corner = (u32, [i32; 3], [u32; 2]);

/// The step of normals that count as equal. Programs compute a normal for each corner, and rounding makes them differ. Boxes along
/// principal axes depend on the number of vertices at a place. Blender's exporter of glTF rounds to this step too.
const NORMAL_STEP: f32 = 1e-4;

/// The vertices of a primitive, and the corners of its triangles.
#[derive(Default)]
struct Vertices {
    known: HashMap<Corner, u32>,
    /// The vertex of the mesh that each vertex is a copy of.
    sources: Vec<u32>,
    normals: Vec<[f32; 3]>,
    coordinates: Vec<[f32; 2]>,
    corners: Vec<u32>,
}

fn write(
    mesh: &Mesh,
    skin: Option<&SkinDeformer>,
    unit: f64,
    glb: &mut Glb,
    place: &dyn Fn() -> String,
) -> Result<usize, FbxError> {
    let channels = Channel::of_mesh(mesh);
    let mut primitives = Vec::new();
    for (material, vertices) in vertices_by_material(mesh, glb, place)? {
        let number = primitives.len();
        let place = || format!("{}, primitive {number}", place());
        let mut primitive = write_primitive(mesh, skin, &channels, &vertices, unit, glb, &place)?;
        if let Some(material) = mesh.materials.as_ref().get(material as usize) {
            primitive["material"] = material.element.typed_id.into();
        }
        primitives.push(primitive);
    }
    let mut object = json!({ "primitives": primitives });
    let mut names = mesh.element.name.len();
    if names > 0 {
        object["name"] = Value::from(&*mesh.element.name);
    }
    if !channels.is_empty() {
        let all: Vec<String> = channels.iter().flat_map(Channel::names).collect();
        names += all.iter().map(|name| name.len() + 16).sum::<usize>();
        let weights = channels.iter().flat_map(Channel::rest_weights);
        object["weights"] = weights.map(|weight| if weight.is_finite() { weight } else { 0.0 }).collect();
        object["extras"] = json!({ "targetNames": all });
    }
    glb.push("meshes", object, names, place)
}

/// The vertices of each material that faces name, in the order of the materials.
fn vertices_by_material(
    mesh: &Mesh,
    glb: &mut Glb,
    place: &dyn Fn() -> String,
) -> Result<BTreeMap<u32, Vertices>, FbxError> {
    let mut all: BTreeMap<u32, Vertices> = BTreeMap::new();
    let mut triangles = Vec::new();
    for (index, face) in mesh.faces.iter().enumerate() {
        if face.num_indices < 3 {
            continue;
        }
        let material = mesh.face_material.get(index).copied().unwrap_or(0);
        let vertices = all.entry(material).or_default();
        triangles.resize(3 * (face.num_indices as usize - 2), 0);
        let count = ufbx::triangulate_face(&mut triangles, mesh, *face) as usize;
        glb.charge(12 * count as u64, place)?;
        for &corner in &triangles[..3 * count] {
            vertices.add(mesh, corner as usize);
        }
    }
    Ok(all)
}

impl Vertices {
    /// Adds a corner of a triangle, by its index in the mesh.
    fn add(&mut self, mesh: &Mesh, index: usize) {
        let source = mesh.vertex_indices.get(index).copied().unwrap_or(0);
        let normal = of_corner(&mesh.vertex_normal.indices, &mesh.vertex_normal.values, index);
        let normal = normal.map_or([0.0; 3], |normal| [normal.x as f32, normal.y as f32, normal.z as f32]);
        let coordinate = of_corner(&mesh.vertex_uv.indices, &mesh.vertex_uv.values, index);
        // The origin of glTF's texture coordinates is at the top of a picture.
        let coordinate = coordinate.map_or([0.0; 2], |coordinate| [coordinate.x as f32, (1.0 - coordinate.y) as f32]);
        let steps = normal.map(|part| (part / NORMAL_STEP).round() as i32);
        let bits = coordinate.map(f32::to_bits);
        let next = self.sources.len() as u32;
        let vertex = *self.known.entry((source, steps, bits)).or_insert(next);
        if vertex == next {
            self.sources.push(source);
            self.normals.push(normal);
            self.coordinates.push(coordinate);
        }
        self.corners.push(vertex);
    }
}

/// The value of an attribute at a corner; `None` if the mesh does not have it there.
fn of_corner<T: Copy>(indices: &[u32], values: &[T], corner: usize) -> Option<T> {
    values.get(*indices.get(corner)? as usize).copied()
}

fn write_primitive(
    mesh: &Mesh,
    skin: Option<&SkinDeformer>,
    channels: &[Channel<'_>],
    vertices: &Vertices,
    unit: f64,
    glb: &mut Glb,
    place: &dyn Fn() -> String,
) -> Result<Value, FbxError> {
    let position = |&source: &u32| {
        let at = mesh.vertices.get(source as usize).copied().unwrap_or_default();
        [at.x, at.y, at.z].map(|part| (part * unit) as f32)
    };
    let positions: Vec<[f32; 3]> = vertices.sources.iter().map(position).collect();
    let mut attributes = Map::new();
    attributes.insert("POSITION".into(), glb.floats("VEC3", &positions, place)?.into());
    if mesh.vertex_normal.exists {
        attributes.insert("NORMAL".into(), glb.floats("VEC3", &vertices.normals, place)?.into());
    }
    if mesh.vertex_uv.exists {
        attributes.insert("TEXCOORD_0".into(), glb.floats("VEC2", &vertices.coordinates, place)?.into());
    }
    if let Some(skin) = skin {
        write_influences(skin, &vertices.sources, &mut attributes, glb, place)?;
    }
    let mut object = json!({ "attributes": attributes, "indices": glb.corners(&vertices.corners, place)? });
    if !channels.is_empty() {
        let mut copies: Vec<(u32, u32)> = vertices.sources.iter().copied().zip(0..).collect();
        copies.sort_unstable();
        let mut targets = Vec::new();
        for channel in channels {
            targets.extend(channel.write(&copies, unit, glb, place)?);
        }
        object["targets"] = targets.into();
    }
    Ok(object)
}

/// Appends the joints and weights of vertices, four in each set. As programs that read FBX do, it divides the weights of a vertex
/// by their sum.
fn write_influences(
    skin: &SkinDeformer,
    sources: &[u32],
    attributes: &mut Map<String, Value>,
    glb: &mut Glb,
    place: &dyn Fn() -> String,
) -> Result<(), FbxError> {
    let influences = |source: u32| {
        let range = skin.vertices.get(source as usize).map(|vertex| {
            let begin = vertex.weight_begin as usize;
            begin..begin.saturating_add(vertex.num_weights as usize)
        });
        range.and_then(|range| skin.weights.get(range)).unwrap_or_default()
    };
    let most = sources.iter().map(|&source| influences(source).len()).max().unwrap_or(0);
    for set in 0..most.div_ceil(4).max(1) {
        glb.charge(sources.len() as u64 * 24, place)?;
        let (mut slots, mut weights) = (vec![[0u16; 4]; sources.len()], vec![[0f32; 4]; sources.len()]);
        for (vertex, &source) in sources.iter().enumerate() {
            let all = influences(source);
            let sum: f64 = all.iter().map(|one| one.weight).filter(|weight| *weight > 0.0 && weight.is_finite()).sum();
            let divisor = if sum > 0.0 && sum.is_finite() { sum } else { 1.0 };
            for (column, one) in all.iter().skip(4 * set).take(4).enumerate() {
                // The number of clusters was checked when the skin was written.
                slots[vertex][column] = one.cluster_index as u16;
                weights[vertex][column] = (one.weight / divisor) as f32;
            }
        }
        attributes.insert(format!("JOINTS_{set}"), glb.slots(&slots, place)?.into());
        attributes.insert(format!("WEIGHTS_{set}"), glb.floats("VEC4", &weights, place)?.into());
    }
    Ok(())
}
