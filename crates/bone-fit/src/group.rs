//! Which vertices belong to which joint.
//!
//! - `dominant`: the joint of the largest single weight; a tie goes to the earliest slot (`JOINTS_0.xyzw`, then
//!   `JOINTS_1`, ...). A joint that stands in several slots of a vertex has its weights compared one by one.
//! - `threshold`, `any`: every joint that holds at least a share of the vertex's weights after dividing by their sum,
//!   the same joint's slots added. Shares are compared with [`SHARE_TOLERANCE`].
//!
//! A vertex without any weight belongs to no joint and is counted.

use crate::options::{BakeOptions, Group};
use crate::surface::{Influence, Part, Surface};
use glam::DVec3;
use skeleton::JointIndex;

/// How far below the asked share a joint's weight may be: weights of 8 or 16 bits seldom sum to 1 exactly.
pub const SHARE_TOLERANCE: f64 = 1e-6;

/// What belongs to one joint.
#[derive(Clone, Debug)]
pub(crate) struct JointGroup {
    pub(crate) joint: JointIndex,
    /// Joint space.
    pub(crate) points: Vec<DVec3>,
    /// How many vertices were assigned.
    pub(crate) vertices: u32,
}

/// Every joint with at least one vertex, in the order of the joints.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    pub(crate) groups: Vec<JointGroup>,
    /// Vertices that belong to no joint, with the part they are in: `(part, vertices)`.
    pub(crate) unassigned: Vec<(usize, u32)>,
}

/// Shares the vertices out.
pub(crate) fn group(surface: &Surface<'_>, options: &BakeOptions) -> Groups {
    let mut groups: Vec<JointGroup> = (0..surface.model_from_joint.len())
        .map(|joint| JointGroup { joint: JointIndex(joint as u16), points: Vec::new(), vertices: 0 })
        .collect();
    let mut unassigned = Vec::new();
    let mut owners = Vec::new();
    for (index, part) in surface.parts.iter().enumerate() {
        let mut left_out = 0;
        for (vertex, &position) in part.positions.iter().enumerate() {
            owners_of(part, vertex, options, &mut owners);
            left_out += u32::from(owners.is_empty());
            for &binding in &owners {
                let binding = &part.bindings[binding];
                let group = &mut groups[binding.joint.index()];
                group.points.push(binding.joint_from_mesh.transform_point3(position));
                group.vertices += 1;
            }
        }
        if left_out > 0 {
            unassigned.push((index, left_out));
        }
    }
    groups.retain(|group| group.vertices > 0);
    Groups { groups, unassigned }
}

/// The bindings a vertex is given to, each joint once.
fn owners_of(part: &Part<'_>, vertex: usize, options: &BakeOptions, owners: &mut Vec<usize>) {
    owners.clear();
    let influences = part.influences(vertex);
    match options.group {
        Group::Dominant => owners.extend(dominant(influences)),
        Group::Threshold | Group::Any => {
            let least = options.least_weight() - SHARE_TOLERANCE;
            for (index, influence) in influences.iter().enumerate() {
                let same =
                    |other: &&Influence| part.bindings[other.binding].joint == part.bindings[influence.binding].joint;
                let first = !influences[..index].iter().any(|other| same(&other));
                let share: f64 = influences.iter().filter(same).map(|other| other.weight).sum();
                if first && share >= least {
                    owners.push(influence.binding);
                }
            }
        }
    }
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
