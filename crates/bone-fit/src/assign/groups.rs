//! The groups: the vertices and the surface of each joint.

use crate::assign::owner::{CORNERS, Ownership};
use crate::assign::surface::{canonical_corners, fragments, whole_triangles};
use crate::options::{BakeOptions, Bridge};
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::{BoundMesh, BoundPart};
use crate::skin::patch::Patch;
use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use skeleton::JointIndex;

/// The vertices and the surface that one joint owns.
#[derive(Clone, Debug)]
pub(crate) struct JointGroup {
    pub(crate) joint: JointIndex,
    /// The surface, in the joint's space. Every vertex of the group is a corner of the surface.
    pub(crate) patch: Patch,
    /// The vertices that the joint owns, in the joint's space.
    pub(crate) vertices: Vec<DVec3>,
}

/// The groups of all joints that get boxes, in the order of the joints; each in the space of its joint.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<JointGroup>,
    /// For each part with vertices that no joint owns: the part's index into [`BoundMesh::parts`], and the number of
    /// such vertices.
    pub(crate) unassigned: Vec<(usize, u32)>,
    /// Groups that were left out because they are small.
    pub(crate) skipped: Vec<JointGroup>,
    /// Joints whose groups were not merged, each with the joint above that should have taken the group.
    pub(crate) unmerged: Vec<[JointIndex; 2]>,
    /// For each joint, the joint whose boxes hold its surface: the joint itself, or the joint that took its group.
    pub(crate) holders: Vec<JointIndex>,
    /// Groups of joints whose manual boxes replace the fitted boxes.
    pub(crate) replaced: Vec<JointGroup>,
}

impl Groups {
    /// Gives every vertex to the joints that own it, and every fragment of the surface too, depending on the option
    /// `bridge` of each joint.
    pub(crate) fn assign(mesh: &BoundMesh<'_>, options: &JointOptions<'_>) -> Self {
        let joints = (0..mesh.skeleton.len()).map(|joint| JointIndex(joint as u16));
        let bridges: Vec<Bridge> = joints.map(|joint| options.bridge(mesh.skeleton, joint)).collect();
        Self::assign_with(mesh, options.character, &bridges)
    }

    /// Assigns with the same options for all joints.
    #[cfg(test)]
    pub(crate) fn of_character(mesh: &BoundMesh<'_>, options: &BakeOptions) -> Self {
        Self::assign_with(mesh, options, &vec![options.bridge; mesh.skeleton.len()])
    }

    /// Assigns with the option `bridge` of each joint.
    fn assign_with(mesh: &BoundMesh<'_>, options: &BakeOptions, bridges: &[Bridge]) -> Self {
        let rule = Ownership::new(options);
        let mut groups: Vec<JointGroup> = (0..mesh.skeleton.len())
            .map(|joint| JointGroup { joint: JointIndex(joint as u16), patch: Patch::default(), vertices: Vec::new() })
            .collect();
        let mut unassigned = Vec::new();
        for (index, part) in mesh.parts.iter().enumerate() {
            let mut assigner = Assigner::new(mesh, part, rule, &mut groups);
            for bridge in [Bridge::Surface, Bridge::Ring].into_iter().filter(|bridge| bridges.contains(bridge)) {
                assigner.assign_surface(bridge, bridges);
            }
            let without_owner = assigner.assign_vertices();
            if without_owner > 0 {
                unassigned.push((index, without_owner));
            }
        }
        groups.retain(|group| !group.patch.corners.is_empty());
        let bridged = groups.par_iter_mut().filter(|group| bridges[group.joint.index()] != Bridge::None);
        bridged.for_each(|group| group.patch = group.patch.deduplicated());
        let holders = (0..mesh.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
        Self { groups, unassigned, skipped: Vec::new(), unmerged: Vec::new(), replaced: Vec::new(), holders }
    }
}

/// Assigns one part.
struct Assigner<'a> {
    mesh: &'a BoundMesh<'a>,
    part: &'a BoundPart<'a>,
    rule: Ownership,
    groups: &'a mut [JointGroup],
    /// For each joint, the inverse bind matrix of its first binding in this part. A skin that names a joint twice does
    /// so by mistake.
    joint_from_mesh: Vec<Option<DAffine3>>,
    /// For each vertex, the joints that have a fragment with a corner at the vertex.
    corner_of: Vec<Vec<JointIndex>>,
}

impl<'a> Assigner<'a> {
    fn new(mesh: &'a BoundMesh<'a>, part: &'a BoundPart<'a>, rule: Ownership, groups: &'a mut [JointGroup]) -> Self {
        let mut joint_from_mesh = vec![None; groups.len()];
        for binding in mesh.bindings[part.bindings.clone()].iter().rev() {
            joint_from_mesh[binding.joint.index()] = Some(binding.joint_from_mesh);
        }
        let corner_of = vec![Vec::new(); part.positions.len()];
        Self { mesh, part, rule, groups, joint_from_mesh, corner_of }
    }

    /// Gives the fragments of every triangle to those of their owners that have this bridge. `bridges[i]` belongs to
    /// joint `i`.
    fn assign_surface(&mut self, bridge: Bridge, bridges: &[Bridge]) {
        let mut found = Vec::new();
        let mut polygon = Vec::new();
        for &triangle in self.part.triangles {
            let corners = canonical_corners(self.part, triangle);
            match bridge {
                Bridge::Surface => fragments(self.mesh, self.part, corners, self.rule, &mut found),
                Bridge::Ring => whole_triangles(self.mesh, self.part, corners, self.rule, &mut found),
                Bridge::None => {}
            }
            for fragment in found.iter().filter(|fragment| bridges[fragment.joint.index()] == bridge) {
                let joint = fragment.joint;
                let Some(joint_from_mesh) = &self.joint_from_mesh[joint.index()] else { continue };
                let patch = &mut self.groups[joint.index()].patch;
                polygon.clear();
                for &at in &fragment.corners {
                    polygon.push(patch.push_blend(self.part, corners, at, joint_from_mesh));
                    if let Some(corner) = CORNERS.iter().position(|corner| *corner == at) {
                        let known = &mut self.corner_of[corners[corner] as usize];
                        if !known.contains(&joint) {
                            known.push(joint);
                        }
                    }
                }
                patch.push_polygon(&polygon);
            }
        }
    }

    /// Gives every vertex to its owners. If no fragment of an owner has a corner at the vertex, the vertex becomes a
    /// corner of its own. Returns the number of vertices without an owner.
    fn assign_vertices(&mut self) -> u32 {
        let mut without_owner = 0;
        for vertex in 0..self.part.positions.len() {
            let owners = self.rule.of_vertex(self.mesh, self.part, vertex as u32);
            without_owner += u32::from(owners.is_empty());
            for joint in owners {
                let Some(joint_from_mesh) = &self.joint_from_mesh[joint.index()] else { continue };
                let group = &mut self.groups[joint.index()];
                group.vertices.push(joint_from_mesh.transform_point3(self.part.position(vertex)));
                if !self.corner_of[vertex].contains(&joint) {
                    group.patch.push_blend(self.part, [vertex as u32; 3], CORNERS[0], joint_from_mesh);
                }
            }
        }
        without_owner
    }
}
