//! Hulls as triangle meshes, to which the physics extensions refer.

use crate::document_writer::DocumentWriter;
use crate::shape::{Shape, floats};
use geometry_core::portable;
use glam::Vec3;
use serde_json::json;

/// A hull that becomes a mesh.
pub(crate) struct HullMesh<'a> {
    pub(crate) name: String,
    /// The vertices in the space of the node that shows the mesh.
    pub(crate) vertices: Vec<Vec3>,
    pub(crate) triangles: &'a [[u8; 3]],
}

/// Writes a mesh for each hitbox that is a hull, in the space of the hitbox's node. Returns the index of the mesh for each box;
/// `None` for other shapes.
pub(crate) fn write_meshes(writer: &mut DocumentWriter<'_>, boxes: &[Shape<'_>]) -> Vec<Option<usize>> {
    let meshes = boxes.iter().map(|shape| {
        let hull = shape.baked.hull.as_ref()?;
        let vertices = node_vertices(shape, &hull.vertices);
        Some(HullMesh { name: shape.name.clone(), vertices, triangles: &hull.triangles })
    });
    write_hulls(writer, meshes)
}

/// Writes a mesh for each hull, and returns the index of the mesh; `None` for `None`.
pub(crate) fn write_hulls<'a>(
    writer: &mut DocumentWriter<'_>,
    hulls: impl IntoIterator<Item = Option<HullMesh<'a>>>,
) -> Vec<Option<usize>> {
    let (mut corners, mut indices) = (Vec::new(), Vec::new());
    let (mut accessors, mut meshes, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    // The indices of meshes and buffer views are known only after the bytes are embedded. Until then, they begin at 0.
    for hull in hulls {
        let Some(HullMesh { name, vertices, triangles }) = hull else {
            numbers.push(None);
            continue;
        };
        let low = vertices.iter().fold(Vec3::INFINITY, |low, vertex| low.min(*vertex));
        let high = vertices.iter().fold(Vec3::NEG_INFINITY, |high, vertex| high.max(*vertex));
        accessors.push(json!({
            "bufferView": 0, "byteOffset": corners.len(), "componentType": 5126, "count": vertices.len(), "type": "VEC3",
            "min": floats(&low.to_array()), "max": floats(&high.to_array())
        }));
        accessors.push(json!({
            "bufferView": 1, "byteOffset": indices.len(), "componentType": 5121, "count": 3 * triangles.len(),
            "type": "SCALAR"
        }));
        corners.extend(vertices.iter().flat_map(|vertex| vertex.to_array()).flat_map(f32::to_le_bytes));
        indices.extend_from_slice(triangles.as_flattened());
        numbers.push(Some(meshes.len()));
        meshes.push(name);
    }
    if meshes.is_empty() {
        return numbers;
    }
    let (corner_bytes, index_bytes) = (corners.len(), indices.len());
    corners.extend(indices);
    corners.resize(corners.len().next_multiple_of(4), 0);
    let (buffer, start) = writer.embed(&corners);
    let view = writer.append_list(
        "bufferViews",
        vec![
            json!({
                "buffer": buffer, "byteOffset": start, "byteLength": corner_bytes, "byteStride": 12, "target": 34962
            }),
            json!({ "buffer": buffer, "byteOffset": start + corner_bytes, "byteLength": index_bytes, "target": 34963 }),
        ],
    );
    for (index, accessor) in accessors.iter_mut().enumerate() {
        accessor["bufferView"] = (view + index % 2).into();
    }
    let accessor = writer.append_list("accessors", accessors);
    let mesh = |(index, name): (usize, String)| {
        let attributes = json!({ "POSITION": accessor + 2 * index });
        json!({ "name": name, "primitives": [{ "attributes": attributes, "indices": accessor + 2 * index + 1 }] })
    };
    let first = writer.append_list("meshes", meshes.into_iter().enumerate().map(mesh).collect());
    numbers.into_iter().map(|number| Some(first + number?)).collect()
}

/// Returns the vertices in the space of the box's node, whose scale cancels the joint's.
fn node_vertices(shape: &Shape<'_>, vertices: &[Vec3]) -> Vec<Vec3> {
    let axes = portable::mat3_from_quaternion(shape.baked.orientation);
    vertices.iter().map(|&vertex| axes.transpose() * (vertex - shape.baked.center) * shape.scale).collect()
}
