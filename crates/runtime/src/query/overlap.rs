//! Which joints of two characters touch?

use crate::Posed;
use crate::kernels::{self, Kernel};
use crate::lanes::{BoxLanes, LANES};
use skeleton::JointIndex;

/// A joint of one character and a joint of another that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointPair {
    /// Of the first character.
    pub a: JointIndex,
    /// Of the second character.
    pub b: JointIndex,
}

/// Which joints of `a` touch which joints of `b`, in world space.
///
/// `pairs` is overwritten: sorted by joint of `a`, then of `b`, no pair twice, also where joints have several boxes.
/// Closed sets: boxes that share a point touch. Near contact the answer leans to `true`: no touching pair is ever
/// missed by rounding, and pairs within [`kernels::MARGIN`] of touching may be listed.
/// Allocates only where `pairs` must grow.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{Posed, overlaps}; use glam::{Affine3A, Vec3};
/// # let arm = example::arm("Arm");
/// let (mut a, mut b) = (Posed::new(), Posed::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::Y))?; // b's upper arm at the height of a's forearm
/// let mut pairs = Vec::new();
/// overlaps(&a, &b, &mut pairs);
/// let names: Vec<_> = pairs.iter().map(|pair| (arm.joint_name(pair.a), arm.joint_name(pair.b))).collect();
/// assert_eq!(names, [("upper", "upper"), ("fore", "upper"), ("fore", "fore")]);
/// # Ok::<(), runtime::PoseError>(())
/// ```
pub fn overlaps(a: &Posed, b: &Posed, pairs: &mut Vec<JointPair>) {
    overlaps_with(Kernel::best(), a, b, pairs);
}

/// [`overlaps`] by a kernel of your choice; the answer is the same.
pub fn overlaps_with(kernel: Kernel, a: &Posed, b: &Posed, pairs: &mut Vec<JointPair>) {
    pairs.clear();
    if !a.bounds.overlaps(&b.bounds) {
        return;
    }
    each_box_pair(kernel, &a.lanes, &b.lanes, |i, j| {
        let pair = JointPair { a: a.lanes.joints[i], b: b.lanes.joints[j] };
        if pairs.last() != Some(&pair) {
            pairs.push(pair);
        }
        true
    });
    // Boxes come in the order of their joints; only a joint with several boxes can put pairs out of order.
    if !pairs.is_sorted() {
        pairs.sort_unstable();
    }
    pairs.dedup();
}

/// Whether any joint of `a` touches any joint of `b`; stops at the first.
#[must_use]
pub fn overlaps_any(a: &Posed, b: &Posed) -> bool {
    let mut any = false;
    if a.bounds.overlaps(&b.bounds) {
        each_box_pair(Kernel::best(), &a.lanes, &b.lanes, |_, _| {
            any = true;
            false
        });
    }
    any
}

/// Calls `touch` for every pair of boxes that overlap, in order, until it answers `false`.
fn each_box_pair(kernel: Kernel, a: &BoxLanes, b: &BoxLanes, mut touch: impl FnMut(usize, usize) -> bool) {
    for i in 0..a.len() {
        let query = a.lane(i);
        for (block, lanes) in b.blocks.iter().enumerate() {
            let mut mask = [0];
            kernels::masks(kernel, &query, std::slice::from_ref(lanes), &mut mask);
            let mut mask = mask[0];
            while mask != 0 {
                if !touch(i, block * LANES + mask.trailing_zeros() as usize) {
                    return;
                }
                mask &= mask - 1;
            }
        }
    }
}
