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

use crate::options::{BakeOptions, Group};
use crate::skin::bound_mesh::{BoundMesh, BoundPart, Influence};

/// How far below the asked share a joint's weight may be: weights of 8 or 16 bits seldom sum to 1 exactly.
pub(crate) const SHARE_TOLERANCE: f64 = 1e-6;

/// The bindings a vertex is given to, each joint once.
pub(crate) fn owners_of(
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
