//! Gives the groups of joints to the parts of the character.

use crate::assign::groups::{Groups, JointGroup};
use crate::assign::select::merge_into;
use crate::parts::mirror::find_mirror;
use crate::parts::moving_points::MovingPoints;
use crate::poses::sample_times::SampleTimes;
use crate::poses::sampled::SampledPoses;
use crate::resolve::{JointOptions, PartPlan};
use crate::skin::bound_mesh::{BoundMesh, affine_to_f64};
use crate::skin::patch::Patch;
use glam::DAffine3;
use skeleton::JointIndex;
use skinned_model::SkinnedModel;

/// The number of poses that tell how far joints move relative to the joints above.
const POSES: usize = 32;

impl Groups {
    /// Merges the groups into those of the parts that the option `parts` asks for.
    pub(crate) fn gather(self, model: &SkinnedModel, mesh: &BoundMesh<'_>, options: &JointOptions<'_>) -> Self {
        match options.parts {
            PartPlan::Joints => self,
            PartPlan::Known(_) => self.gathered(mesh, options, |joint| options.part_of(joint)),
            PartPlan::Count(count) => {
                let parts = choose(&self.groups, count, model, mesh, options);
                self.gathered(mesh, options, |joint| parts[joint.index()])
            }
        }
    }

    /// Gives each group to the joint that `part_of` names.
    fn gathered(
        mut self,
        mesh: &BoundMesh<'_>,
        options: &JointOptions<'_>,
        part_of: impl Fn(JointIndex) -> JointIndex,
    ) -> Self {
        let mut by_joint: Vec<Option<JointGroup>> = vec![None; mesh.skeleton.len()];
        let mut moving: Vec<JointGroup> = Vec::new();
        for group in self.groups {
            let is_free = options.includes(mesh.name(group.joint));
            match is_free && part_of(group.joint) != group.joint {
                true => moving.push(group),
                false => {
                    let joint = group.joint;
                    by_joint[joint.index()] = Some(group);
                }
            }
        }
        for group in moving {
            let part = part_of(group.joint);
            // The bone of a part may have no skin of its own.
            let empty = || JointGroup { joint: part, patch: Patch::default(), vertices: Vec::new() };
            if merge_into(mesh, by_joint[part.index()].get_or_insert_with(empty), &group) {
                self.holders[group.joint.index()] = part;
            } else {
                self.unmerged.push([group.joint, part]);
                let joint = group.joint;
                by_joint[joint.index()] = Some(group);
            }
        }
        self.groups = by_joint.into_iter().flatten().filter(|group| !group.patch.corners.is_empty()).collect();
        self
    }
}

/// A joint that can give its skin to the joint above.
struct Merge {
    joint: JointIndex,
    into: JointIndex,
    points: MovingPoints,
    /// The air that the merge adds, in model units cubed.
    air: f64,
}

/// Amounts of air that differ by less than this share are equal, and of equal merges that of the last joint comes first.
/// Fingers are nearly alike, and a tiny change of the mesh must not choose another of them.
const SAME_AIR: f64 = 0.1;

/// This share of the volume of all groups is no air.
const NO_AIR: f64 = 1e-6;

/// Chooses at most `count` joints that keep their skin. Returns for each joint the joint that gets its skin.
///
/// The merge that adds the least air over the clips comes first. Mirrored joints are merged together, so the result may
/// have one joint less than `count`. Joints without a joint above them that has skin, and joints with settings of their own,
/// keep their skin.
fn choose(
    groups: &[JointGroup],
    count: usize,
    model: &SkinnedModel,
    mesh: &BoundMesh<'_>,
    options: &JointOptions<'_>,
) -> Vec<JointIndex> {
    let joints: Vec<JointIndex> =
        groups.iter().map(|group| group.joint).filter(|&joint| options.includes(mesh.name(joint))).collect();
    let mirrored = find_mirror(mesh.skeleton, &mesh.model_from_joint, mesh.height, &joints)
        .map_or_else(|| vec![None; mesh.skeleton.len()], |mirror| mirror.joints);
    let times = SampleTimes::regular(&model.clips, options.character.rate, POSES);
    let poses = SampledPoses::at(&model.skeleton, &model.clips, &times);
    let poses: Vec<Vec<DAffine3>> =
        (0..poses.len()).map(|pose| poses.pose(pose).iter().map(affine_to_f64).collect()).collect();
    let mut points: Vec<Option<MovingPoints>> = vec![None; mesh.skeleton.len()];
    let mut parts: Vec<JointIndex> = (0..mesh.skeleton.len()).map(|joint| JointIndex(joint as u16)).collect();
    for group in groups {
        points[group.joint.index()] = joints.contains(&group.joint).then(|| MovingPoints::of_group(group));
    }
    let volume = |joint: JointIndex, points: &MovingPoints| {
        let scale = mesh.scale(joint);
        points.volume() * scale * scale * scale
    };
    let merge = |points: &[Option<MovingPoints>], joint: JointIndex| -> Option<Merge> {
        let own = points[joint.index()].as_ref().filter(|_| !options.keeps_its_skin(joint))?;
        let above =
            std::iter::successors(mesh.skeleton.joint(joint).parent, |&above| mesh.skeleton.joint(above).parent);
        let into = above.into_iter().find(|above| points[above.index()].is_some())?;
        let its = points[into.index()].as_ref()?;
        let moves: Vec<DAffine3> = poses
            .iter()
            .filter_map(|pose| Some(mesh.joint_from_model(into, &pose[into.index()])? * pose[joint.index()]))
            .collect();
        let joined = its.joined(own, &moves);
        let air = volume(into, &joined) - volume(into, its) - volume(joint, own);
        air.is_finite().then_some(Merge { joint, into, points: joined, air })
    };
    let mut merges: Vec<Option<Merge>> = parts.iter().map(|&joint| merge(&points, joint)).collect();
    let whole: f64 = groups.iter().map(|group| volume(group.joint, &MovingPoints::of_group(group))).sum();
    let mut left = joints.len();
    while left > count {
        // A merge and that of the mirrored joint, if both joints have one.
        let pair_of = |one: &Merge| mirrored[one.joint.index()].and_then(|other| merges[other.index()].as_ref());
        let air = |one: &Merge| one.air + pair_of(one).map_or(0.0, |other| other.air);
        let least = merges.iter().flatten().map(air).fold(f64::INFINITY, f64::min);
        let is_least = |one: &&Merge| air(one) <= least + SAME_AIR * least.abs() + NO_AIR * whole;
        let best = merges.iter().flatten().filter(is_least).max_by_key(|one| one.joint);
        let Some(best) = best else { break };
        let chosen: Vec<JointIndex> =
            [Some(best.joint), pair_of(best).map(|other| other.joint)].into_iter().flatten().collect();
        let mut changed: Vec<JointIndex> = Vec::new();
        // The later joint first: it may be below the other.
        let mut chosen = chosen;
        chosen.sort_by(|a, b| b.cmp(a));
        for joint in chosen {
            // The first merge of a pair may have changed the joint that the second merges into.
            let Some(Merge { into, points: joined, .. }) = merge(&points, joint) else { continue };
            points[into.index()] = Some(joined);
            points[joint.index()] = None;
            parts.iter_mut().filter(|part| **part == joint).for_each(|part| *part = into);
            changed.extend([joint, into]);
            left -= 1;
        }
        // Merges into a changed joint, of it, and past it are other merges now.
        for joint in &joints {
            let touches = |one: &Merge| changed.contains(&one.joint) || changed.contains(&one.into);
            if merges[joint.index()].as_ref().is_some_and(touches) {
                merges[joint.index()] = merge(&points, *joint);
            }
        }
    }
    parts
}
