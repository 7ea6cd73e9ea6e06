//! Rigid meshes below joints: helmets, swords.

use crate::accessor::Reader;
use crate::error::ImportError;
use crate::hierarchy::{Hierarchy, rest_affine};
use crate::meshes;
use crate::model::Attachment;
use crate::primitive;
use crate::warnings::Warnings;
use geometry_core::portable;
use glam::Affine3A;
use skeleton::{JointIndex, NodeIndex};

/// Reads every mesh without a skin on a node at or below a skin's joint, in the order of nodes, except where
/// `is_ignored` returns true for the node's `extras`.
pub(crate) fn read(
    reader: &Reader<'_>,
    hierarchy: &Hierarchy,
    is_ignored: &dyn Fn(&str) -> bool,
    warnings: &mut Warnings,
) -> Result<Vec<Attachment>, ImportError> {
    let document = reader.document;
    let above = nearest_joints(hierarchy);
    let mut attachments = Vec::new();
    for (node, what) in document.nodes.0.iter().enumerate() {
        let (Some(mesh), None, Some(joint)) = (what.mesh, what.skin, above[node]) else { continue };
        if what.extras.as_deref().is_some_and(is_ignored) {
            continue;
        }
        let place = || format!("{}, {}", document.node_place(node), document.mesh_place(mesh as usize));
        let joint_from_mesh = joint_from_node(reader, hierarchy, joint, node)?;
        let name = meshes::name(reader, [what.name.as_deref(), document.meshes[mesh as usize].name.as_deref()])?;
        let mut attachment = Attachment {
            name,
            node: NodeIndex(node as u32),
            joint,
            joint_from_mesh,
            positions: Vec::new(),
            triangles: Vec::new(),
        };
        let primitives = &document.meshes[mesh as usize].primitives;
        if primitives.iter().any(meshes::has_morph_targets) {
            warnings.add("morph-targets", None, format!("{}: {}", place(), meshes::MORPH_TARGETS));
        }
        for (number, primitive) in primitives.iter().enumerate() {
            let place = || format!("{}, primitive {number}", place());
            let Some(vertices) = primitive::read(reader, primitive, false, &place)? else { continue };
            let base = attachment.positions.len() as u32;
            attachment.positions.extend(vertices.positions);
            attachment.triangles.extend(vertices.triangles.iter().map(|triangle| triangle.map(|corner| base + corner)));
        }
        attachments.push(attachment);
    }
    Ok(attachments)
}

/// For each node the nearest joint of a skin at or above it. The hierarchy's own order is not needed: each chain is
/// walked once, up to a node already known.
fn nearest_joints(hierarchy: &Hierarchy) -> Vec<Option<JointIndex>> {
    let nodes = hierarchy.parent.len();
    let own = |node: usize| hierarchy.joint[node].filter(|&joint| hierarchy.skeleton.joint(joint).skinned);
    let (mut nearest, mut known) = (vec![None; nodes], vec![false; nodes]);
    let mut chain = Vec::new();
    for start in 0..nodes {
        let mut at = Some(start);
        let mut found = None;
        while let Some(node) = at {
            if known[node] {
                found = nearest[node];
                break;
            }
            chain.push(node);
            at = hierarchy.parent[node].map(|above| above as usize);
        }
        for node in chain.drain(..).rev() {
            found = own(node).or(found);
            (nearest[node], known[node]) = (found, true);
        }
    }
    nearest
}

/// The product of rest transforms from the joint (not included) down to the node.
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
        element: "the product of transforms between it and its joint".to_owned(),
        found: "infinity".to_owned(),
    })
}
