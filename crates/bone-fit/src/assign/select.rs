//! Selects the joints that get a hitbox, by name and by size.

use crate::assign::groups::{Groups, JointGroup};
use crate::bounds::Bounds;
use crate::error::BakeError;
use crate::options::{BakeOptions, Small};
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use skeleton::{JointIndex, Skeleton};

impl Groups {
    /// Leaves out, merges and keeps groups as the options and the joints' overrides ask.
    ///
    /// Children come before their parents, so that each small joint of a chain is merged into the next until the group
    /// is large enough, as in Unreal's physics assets. Positions are carried over in the rest pose. If they have no place
    /// in the space of the joint above, the group keeps hitboxes of its own.
    ///
    /// # Errors
    /// Returns [`BakeError::NothingBound`] or [`BakeError::AllIgnored`] if no group is left and no joint has a manual box.
    pub(crate) fn select(mut self, mesh: &BoundMesh<'_>, joint_options: &JointOptions<'_>) -> Result<Self, BakeError> {
        let options = joint_options.character;
        let mut by_joint: Vec<Option<JointGroup>> = vec![None; mesh.skeleton.len()];
        for group in self.groups {
            if joint_options.includes(mesh.name(group.joint)) {
                let joint = group.joint;
                by_joint[joint.index()] = Some(group);
            }
        }
        for index in (0..by_joint.len()).rev() {
            let Some(group) = by_joint[index].take() else { continue };
            let small = is_small(mesh, options, &group);
            let merge = joint_options.merges(mesh.name(group.joint)) || (small && options.small == Small::Merge);
            if small && !merge && options.small == Small::Skip {
                self.skipped.push(group);
                continue;
            }
            let target = nearest_with_group(mesh.skeleton, &by_joint, group.joint).filter(|_| merge);
            let Some(into) = target.and_then(|target| by_joint[target.index()].as_mut()) else {
                by_joint[index] = Some(group);
                continue;
            };
            if merge_into(mesh, into, &group) {
                let moved = self.holders.iter_mut().filter(|holder| **holder == group.joint);
                moved.for_each(|holder| *holder = into.joint);
            } else {
                self.unmerged.push([group.joint, into.joint]);
                by_joint[index] = Some(group);
            }
        }
        self.skipped.reverse();
        self.unmerged.reverse();
        let (replaced, fitted) =
            by_joint.into_iter().flatten().partition(|group| joint_options.joint(group.joint).skip);
        (self.groups, self.replaced) = (fitted, replaced);
        if self.groups.is_empty() && !joint_options.has_manual_boxes() {
            let ignored = &mesh.ignored;
            return Err(match !ignored.is_empty() && mesh.parts.iter().all(|part| part.is_unbound()) {
                true => BakeError::AllIgnored { ignored: [&ignored.patterns[..], &ignored.helpers].concat() },
                false => BakeError::NothingBound { vertices: mesh.vertices(), meshes: mesh.parts.len() },
            });
        }
        Ok(self)
    }
}

fn is_small(mesh: &BoundMesh<'_>, options: &BakeOptions, group: &JointGroup) -> bool {
    let bounds = Bounds::around(group.patch.corners.iter().map(|corner| corner.bind));
    let size = bounds.size().max_element() * mesh.scale(group.joint);
    group.vertices.len() < options.min_vertices || size < options.min_size * mesh.height
}

/// Returns the nearest ancestor of the joint that has a group.
fn nearest_with_group(skeleton: &Skeleton, by_joint: &[Option<JointGroup>], joint: JointIndex) -> Option<JointIndex> {
    let mut above = skeleton.joint(joint).parent;
    while let Some(parent) = above {
        if by_joint[parent.index()].is_some() {
            return Some(parent);
        }
        above = skeleton.joint(parent).parent;
    }
    None
}

/// Adds a group to another group. Returns `false`, and changes nothing, if the rest pose scales the joint of the other
/// group to nothing, so that the points of the group have no place in its space.
pub(crate) fn merge_into(mesh: &BoundMesh<'_>, into: &mut JointGroup, group: &JointGroup) -> bool {
    let into_from_model = mesh.model_from_joint[into.joint.index()].inverse();
    let into_from_group = into_from_model * mesh.model_from_joint[group.joint.index()];
    if !into_from_group.is_finite() {
        return false;
    }
    into.patch.append(&group.patch, &into_from_group);
    into.vertices.extend(group.vertices.iter().map(|&vertex| into_from_group.transform_point3(vertex)));
    true
}
