//! The groups: the vertices and the surface of each joint.

use crate::assign::owner::owners_of;
use crate::assign::surface::{canonical_corners, fragments, whole_triangles};
use crate::options::{BakeOptions, Bridge};
use crate::skin::bound_mesh::{BoundMesh, BoundPart};
use crate::skin::patch::Patch;
use glam::DVec3;
use rayon::prelude::*;
use skeleton::JointIndex;

/// The vertices and the surface that one joint owns.
#[derive(Clone, Debug)]
pub(crate) struct JointGroup {
    pub(crate) joint: JointIndex,
    /// The surface, in the joint's space.
    pub(crate) patch: Patch,
    /// The vertices that the joint owns, in the joint's space.
    pub(crate) vertices: Vec<DVec3>,
}

/// The groups of all joints that get boxes, in the order of the joints; in the space of each joint.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<JointGroup>,
    /// How many vertices no joint owns, for each part that has any: `(index into `BoundMesh::parts`, vertices)`.
    pub(crate) unassigned: Vec<(usize, u32)>,
    /// Groups that were left out because they are small.
    pub(crate) skipped: Vec<JointGroup>,
}

impl Groups {
    /// Gives every vertex and, where [`Bridge`] says so, every fragment of the surface to the joints that own it.
    pub(crate) fn assign(mesh: &BoundMesh<'_>, options: &BakeOptions) -> Self {
        let mut groups: Vec<JointGroup> = (0..mesh.model_from_joint.len())
            .map(|joint| JointGroup { joint: JointIndex(joint as u16), patch: Patch::default(), vertices: Vec::new() })
            .collect();
        let mut unassigned = Vec::new();
        for (index, part) in mesh.parts.iter().enumerate() {
            let bridged = share_triangles(mesh, part, options, &mut groups);
            let left_out = share_vertices(mesh, part, options, &bridged, &mut groups);
            if left_out > 0 {
                unassigned.push((index, left_out));
            }
        }
        groups.retain(|group| !group.patch.corners.is_empty());
        if options.bridge != Bridge::None {
            groups.par_iter_mut().for_each(|group| group.patch = group.patch.deduplicated());
        }
        Self { groups, unassigned, skipped: Vec::new() }
    }
}

/// Gives every vertex of a part to its owners and returns how many have none. Vertices that are `bridged` are corners of
/// fragments already.
fn share_vertices(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    options: &BakeOptions,
    bridged: &[bool],
    groups: &mut [JointGroup],
) -> u32 {
    let mut owners = Vec::new();
    let mut left_out = 0;
    for (vertex, &position) in part.positions.iter().enumerate() {
        owners_of(mesh, part, vertex, options, &mut owners);
        left_out += u32::from(owners.is_empty());
        for &binding in &owners {
            let binding = &mesh.bindings[binding];
            let group = &mut groups[binding.joint.index()];
            group.vertices.push(binding.joint_from_mesh.transform_point3(position));
            if !bridged[vertex] {
                group.patch.push_blend(part, [vertex as u32; 3], [1.0, 0.0, 0.0], &binding.joint_from_mesh);
            }
        }
    }
    left_out
}

/// Gives the surface of a part to its owners. Returns for each vertex whether it is a corner of a fragment.
fn share_triangles(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    options: &BakeOptions,
    groups: &mut [JointGroup],
) -> Vec<bool> {
    let mut bridged = vec![false; part.positions.len()];
    if options.bridge == Bridge::None {
        return bridged;
    }
    // The first of a joint's bindings in this part: skins do not name a joint twice but by mistake.
    let mut binding_of = vec![None; groups.len()];
    for binding in part.bindings.clone().rev() {
        binding_of[mesh.bindings[binding].joint.index()] = Some(binding);
    }
    let mut found = Vec::new();
    let mut polygon = Vec::new();
    for &triangle in part.triangles {
        let corners = canonical_corners(part, triangle);
        match options.bridge {
            Bridge::Surface => fragments(mesh, part, corners, options, &mut found),
            Bridge::Ring => whole_triangles(mesh, part, corners, options, &mut found),
            Bridge::None => {}
        }
        for fragment in &found {
            let Some(binding) = binding_of[fragment.joint.index()] else { continue };
            let patch = &mut groups[fragment.joint.index()].patch;
            let joint_from_mesh = &mesh.bindings[binding].joint_from_mesh;
            polygon.clear();
            polygon.extend(fragment.corners.iter().map(|&at| patch.push_blend(part, corners, at, joint_from_mesh)));
            patch.push_polygon(&polygon);
        }
        if !found.is_empty() {
            corners.iter().for_each(|&corner| bridged[corner as usize] = true);
        }
    }
    bridged
}
