//! Which vertices belong to which joint.
//!
//! - `dominant`: the joint of the largest single weight; a tie goes to the earliest slot (`JOINTS_0.xyzw`, then
//!   `JOINTS_1`, ...). A joint that stands in several slots of a vertex has its weights compared one by one.
//!   With a `tie_tolerance` above 0, joints that weigh at most so much less than the largest tie with it, and the tie
//!   goes to the earliest joint: of artists' halves and halves neither 8 bits nor sorted slots make another bone.
//! - `threshold`, `any`: every joint that holds at least a share of the vertex's weights after dividing by their sum,
//!   the same joint's slots added. Shares are compared with [`SHARE_TOLERANCE`].
//!
//! A vertex without any weight belongs to no joint and is counted.

use crate::assign::surface::{Piece, canonical_corners, pieces};
use crate::options::{BakeOptions, Bridge, Group};
use crate::skin::bound_mesh::{BoundMesh, BoundPart, Influence};
use crate::skin::patch::Patch;
use glam::DVec3;
use rayon::prelude::*;
use skeleton::JointIndex;

/// How far below the asked share a joint's weight may be: weights of 8 or 16 bits seldom sum to 1 exactly.
pub const SHARE_TOLERANCE: f64 = 1e-6;

/// What belongs to one joint.
#[derive(Clone, Debug)]
pub(crate) struct JointGroup {
    pub(crate) joint: JointIndex,
    /// In the joint's space.
    pub(crate) patch: Patch,
    /// The vertices that were assigned, in the joint's space.
    pub(crate) vertices: Vec<DVec3>,
}

/// Every joint with at least one corner, in the order of the joints.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<JointGroup>,
    /// Vertices that belong to no joint, with the part they are in: `(part, vertices)`.
    pub(crate) unassigned: Vec<(usize, u32)>,
}

/// Shares vertices and, where [`Bridge`] says so, the surface between them out.
pub(crate) fn group(mesh: &BoundMesh<'_>, options: &BakeOptions) -> Groups {
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
    Groups { groups, unassigned }
}

/// Gives every vertex to its joints and counts those without one. Vertices that are `bridged` have their corners.
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

/// Gives the surface to its joints; which vertices are corners of it.
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
            Bridge::Surface => pieces(mesh, part, corners, options, &mut found),
            Bridge::Ring => whole_triangles(mesh, part, corners, options, &mut found),
            Bridge::None => {}
        }
        for piece in &found {
            let Some(binding) = binding_of[piece.joint.index()] else { continue };
            let patch = &mut groups[piece.joint.index()].patch;
            let joint_from_mesh = &mesh.bindings[binding].joint_from_mesh;
            polygon.clear();
            polygon.extend(piece.corners.iter().map(|&at| patch.push_blend(part, corners, at, joint_from_mesh)));
            patch.push_polygon(&polygon);
        }
        if !found.is_empty() {
            corners.iter().for_each(|&corner| bridged[corner as usize] = true);
        }
    }
    bridged
}

/// The triangle for each joint of any of its corners; nothing where a corner belongs to none.
fn whole_triangles(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    corners: [u32; 3],
    options: &BakeOptions,
    found: &mut Vec<Piece>,
) {
    found.clear();
    let mut owners = Vec::new();
    for corner in corners {
        owners_of(mesh, part, corner as usize, options, &mut owners);
        if owners.is_empty() {
            found.clear();
            return;
        }
        for joint in owners.iter().map(|&binding| mesh.bindings[binding].joint) {
            if !found.iter().any(|piece| piece.joint == joint) {
                found.push(Piece { joint, corners: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] });
            }
        }
    }
}

/// The bindings a vertex is given to, each joint once.
fn owners_of(
    mesh: &BoundMesh<'_>,
    part: &BoundPart<'_>,
    vertex: usize,
    options: &BakeOptions,
    owners: &mut Vec<usize>,
) {
    owners.clear();
    let influences = part.influences(vertex);
    match options.group {
        Group::Dominant => owners.extend(leading(mesh, influences, options.tie_tolerance)),
        Group::Threshold | Group::Any => {
            let least = options.least_weight() - SHARE_TOLERANCE;
            for (index, influence) in influences.iter().enumerate() {
                let same =
                    |other: &&Influence| mesh.bindings[other.binding].joint == mesh.bindings[influence.binding].joint;
                let first = !influences[..index].iter().any(|other| same(&other));
                let share: f64 = influences.iter().filter(same).map(|other| other.weight).sum();
                if first && share >= least {
                    owners.push(influence.binding);
                }
            }
        }
    }
}

/// The binding of the largest single weight; of those at most `tolerance` below it, if that is above 0, the earliest
/// joint's.
fn leading(mesh: &BoundMesh<'_>, influences: &[Influence], tolerance: f64) -> Option<usize> {
    if tolerance <= 0.0 {
        return dominant(influences);
    }
    let most = influences.iter().map(|influence| influence.weight).fold(0.0, f64::max);
    let tied = influences.iter().filter(|influence| influence.weight >= most - tolerance);
    tied.map(|influence| influence.binding).min_by_key(|&binding| mesh.bindings[binding].joint)
}

/// The binding of the largest single weight, the first of equal ones.
pub(crate) fn dominant(influences: &[Influence]) -> Option<usize> {
    let mut best: Option<&Influence> = None;
    for influence in influences {
        if best.is_none_or(|best| influence.weight > best.weight) {
            best = Some(influence);
        }
    }
    best.map(|influence| influence.binding)
}
