//! Reads attachments: rigid meshes that joints carry, such as helmets, swords and a tank's turret.

use crate::character::hierarchy::{Hierarchy, rest_affine};
use crate::character::primitive;
use crate::character::skinned_meshes::{self, MeshSource};
use crate::decode::accessor::Reader;
use crate::error::ImportError;
use crate::model::Attachment;
use crate::warnings::Warnings;
use geometry_core::portable;
use glam::Affine3A;
use skeleton::{JointIndex, NodeIndex};

/// Reads every mesh without a skin that a joint carries, in the order of nodes.
/// [`RigidMeshes`](crate::character::rigid_meshes::RigidMeshes) says which joint carries a mesh.
pub(crate) fn read(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    warnings: &mut Warnings,
) -> Result<(Vec<Attachment>, Vec<MeshSource>), ImportError> {
    let document = reader.document;
    let carrier = &hierarchy.rigid_meshes.carrier;
    hierarchy.rigid_meshes.warn_of_left_out(document, warnings);
    let (mut attachments, mut sources) = (Vec::new(), Vec::new());
    for (node, what) in document.nodes.0.iter().enumerate() {
        let joint = carrier[node].and_then(|carrier| hierarchy.joint[carrier as usize]);
        let (Some(mesh), Some(joint)) = (what.mesh, joint) else { continue };
        let place = || format!("{}, {}", document.node_place(node), document.mesh_place(mesh as usize));
        let joint_from_mesh = joint_from_node(reader, hierarchy, joint, node)?;
        let name =
            skinned_meshes::name(reader, [what.name.as_deref(), document.meshes[mesh as usize].name.as_deref()])?;
        let mut attachment = Attachment {
            name,
            names: skinned_meshes::names(reader, node, mesh as usize)?,
            node: NodeIndex(node as u32),
            joint,
            joint_from_mesh,
            positions: Vec::new(),
            triangles: Vec::new(),
            normals: Vec::new(),
            texture_coordinates: Vec::new(),
        };
        let primitives = &document.meshes[mesh as usize].primitives;
        let mut source = MeshSource { mesh: mesh as usize, starts: Vec::new() };
        for (number, primitive) in primitives.iter().enumerate() {
            let place = || format!("{}, primitive {number}", place());
            let Some(vertices) = primitive::read(reader, primitive, false, &place)? else {
                source.starts.push(None);
                continue;
            };
            let (before, count) = (attachment.positions.len(), vertices.positions.len());
            source.starts.push(Some((before, count)));
            let base = before as u32;
            skinned_meshes::warn_of_left_out(&vertices.left_out, warnings);
            skinned_meshes::append_attribute(&mut attachment.normals, vertices.normals, before, count);
            let coordinates = &mut attachment.texture_coordinates;
            skinned_meshes::append_attribute(coordinates, vertices.texture_coordinates, before, count);
            attachment.positions.extend(vertices.positions);
            attachment.triangles.extend(vertices.triangles.iter().map(|triangle| triangle.map(|corner| base + corner)));
            let material = skinned_meshes::material_name(reader, primitive)?;
            attachment.names.materials.push((material, attachment.positions.len()));
        }
        attachments.push(attachment);
        sources.push(source);
    }
    Ok((attachments, sources))
}

/// The product of the rest transforms from the joint (not included) down to the node.
fn joint_from_node(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    joint: JointIndex,
    node: usize,
) -> Result<Affine3A, ImportError> {
    let end = hierarchy.skeleton.joint(joint).node.0 as usize;
    let (mut product, mut at) = (Affine3A::IDENTITY, node);
    while at != end {
        reader.budget.charge(1, size_of::<Affine3A>(), || reader.document.node_place(node))?;
        product = portable::affine_mul(&rest_affine(reader.document, at)?, &product);
        match hierarchy.parent[at] {
            Some(above) => at = above as usize,
            None => break,
        }
    }
    if product.is_finite() {
        return Ok(product);
    }
    Err(ImportError::NotFinite {
        place: reader.document.node_place(node),
        element: "the product of transforms from its joint to the node".to_owned(),
        found: "infinity".to_owned(),
    })
}
