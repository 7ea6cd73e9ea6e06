//! The joint whose piece gets the surface of each joint.

use crate::assign::groups::Groups;
use crate::resolve::JointOptions;
use crate::skin::bound_mesh::BoundMesh;
use skeleton::JointIndex;

/// For each joint, the joint whose piece gets its surface: the joint itself or the joint that took its group; `None` if
/// the joint was left out.
#[derive(Clone, Debug)]
pub(crate) struct Targets(Vec<Option<JointIndex>>);

impl Targets {
    pub(crate) fn new(mesh: &BoundMesh<'_>, groups: &Groups, options: &JointOptions<'_>) -> Self {
        let is_small = |joint: JointIndex| groups.skipped.iter().any(|group| group.joint == joint);
        let has_boxes = |joint: JointIndex| {
            let own = options.joint(joint);
            !own.skip || !own.boxes.is_empty()
        };
        let target = |index: usize| {
            let joint = JointIndex(index as u16);
            let holder = groups.holders[index];
            let keeps = holder != joint || (options.includes(mesh.name(joint)) && !is_small(joint));
            (keeps && has_boxes(holder)).then_some(holder)
        };
        Self((0..mesh.skeleton.len()).map(target).collect())
    }

    pub(crate) fn of_joint(&self, owner: JointIndex) -> Option<JointIndex> {
        self.0[owner.index()]
    }
}
