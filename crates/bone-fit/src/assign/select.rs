//! Which joints get a box: by name, and by size.

use crate::assign::owner::JointGroup;
use crate::names::matches_any;
use crate::options::{BakeOptions, Small};
use crate::skin::bound_mesh::BoundMesh;
use glam::DVec3;
use skeleton::{JointIndex, Skeleton};

/// Leaves out, merges and keeps groups as the options ask. Returns the groups that get boxes, and those that were
/// skipped for their size.
///
/// Children come before their parents, so that small joints of a chain are merged one into the next until they are
/// large enough, as Unreal's physics assets do. Places are carried over in the rest pose.
pub(crate) fn choose(
    mesh: &BoundMesh<'_>,
    skeleton: &Skeleton,
    options: &BakeOptions,
    groups: Vec<JointGroup>,
) -> (Vec<JointGroup>, Vec<JointGroup>) {
    let mut of_joint: Vec<Option<JointGroup>> = vec![None; skeleton.len()];
    for group in groups {
        let name = &skeleton.joint(group.joint).name;
        let wanted = options.include.is_empty() || matches_any(&options.include, name);
        if wanted && !matches_any(&options.exclude, name) {
            let joint = group.joint;
            of_joint[joint.index()] = Some(group);
        }
    }
    let mut skipped = Vec::new();
    for index in (0..of_joint.len()).rev() {
        let Some(group) = of_joint[index].take() else { continue };
        let name = &skeleton.joint(group.joint).name;
        let small = is_small(mesh, options, &group);
        let merge = matches_any(&options.merge, name) || (small && options.small == Small::Merge);
        if small && !merge && options.small == Small::Skip {
            skipped.push(group);
            continue;
        }
        match nearest_with_group(skeleton, &of_joint, group.joint).filter(|_| merge) {
            Some(target) => {
                if let Some(into) = &mut of_joint[target.index()] {
                    merge_into(mesh, into, &group);
                }
            }
            None => of_joint[index] = Some(group),
        }
    }
    skipped.reverse();
    (of_joint.into_iter().flatten().collect(), skipped)
}

fn is_small(mesh: &BoundMesh<'_>, options: &BakeOptions, group: &JointGroup) -> bool {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for corner in &group.patch.corners {
        low = low.min(corner.bind);
        high = high.max(corner.bind);
    }
    let size = (high - low).max_element() * mesh.scale(group.joint);
    group.vertices.len() < options.min_vertices || size < options.min_size * mesh.height
}

fn nearest_with_group(skeleton: &Skeleton, of_joint: &[Option<JointGroup>], joint: JointIndex) -> Option<JointIndex> {
    let mut above = skeleton.joint(joint).parent;
    while let Some(parent) = above {
        if of_joint[parent.index()].is_some() {
            return Some(parent);
        }
        above = skeleton.joint(parent).parent;
    }
    None
}

fn merge_into(mesh: &BoundMesh<'_>, into: &mut JointGroup, group: &JointGroup) {
    let into_from_model = mesh.model_from_joint[into.joint.index()].inverse();
    let into_from_group = into_from_model * mesh.model_from_joint[group.joint.index()];
    if !into_from_group.is_finite() {
        return;
    }
    into.patch.append(&group.patch, &into_from_group);
    into.vertices.extend(group.vertices.iter().map(|&vertex| into_from_group.transform_point3(vertex)));
}
