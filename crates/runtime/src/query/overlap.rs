//! Which joints of two characters touch?

use crate::box_lanes::LANES;
use crate::kernels::{self, Batch, Kernel, Side};
use crate::{Bounds, PosedCharacter};
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
/// Closed sets: boxes that share a point touch; it is [`geometry_core::Obb::overlaps`] for every pair of boxes.
/// Allocates only where `pairs` must grow.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{PosedCharacter, overlapping_joints}; use glam::{Affine3A, Vec3};
/// # let arm = example::arm("Arm");
/// let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::Y))?; // b's upper arm at the height of a's forearm
/// let mut pairs = Vec::new();
/// overlapping_joints(&a, &b, &mut pairs);
/// let names: Vec<_> = pairs.iter().map(|pair| (arm.joint_name(pair.a), arm.joint_name(pair.b))).collect();
/// assert_eq!(names, [("upper", "upper"), ("fore", "upper"), ("fore", "fore")]);
/// # Ok::<(), runtime::PoseError>(())
/// ```
pub fn overlapping_joints(a: &PosedCharacter, b: &PosedCharacter, pairs: &mut Vec<JointPair>) {
    overlapping_joints_with(Kernel::best(), a, b, pairs);
}

/// [`overlapping_joints`] by a kernel of your choice; the answer is the same.
pub fn overlapping_joints_with(kernel: Kernel, a: &PosedCharacter, b: &PosedCharacter, pairs: &mut Vec<JointPair>) {
    pairs.clear();
    if !a.bounds.overlaps(&b.bounds) {
        return;
    }
    box_pairs(kernel, a, b, &mut |found| {
        let of_boxes = |&[i, j]: &[u16; 2]| JointPair { a: a.joints[usize::from(i)], b: b.joints[usize::from(j)] };
        pairs.extend(found.iter().map(of_boxes));
        true
    });
    // Boxes come in the order of their joints, so that only a joint with several boxes, or a character of so many that
    // they come in parts, puts pairs out of order or brings one twice.
    if !pairs.is_sorted_by(|one, next| one < next) {
        pairs.sort_unstable();
        pairs.dedup();
    }
}

/// Whether any joint of `a` touches any joint of `b`; stops at the first.
#[must_use]
pub fn overlaps(a: &PosedCharacter, b: &PosedCharacter) -> bool {
    let mut any = false;
    if a.bounds.overlaps(&b.bounds) {
        box_pairs(Kernel::best(), a, b, &mut |_| {
            any = true;
            false
        });
    }
    any
}

/// Calls `touch` with pairs of boxes that overlap, by their numbers, until it answers `false`: in order, up to 1024
/// boxes of `b`.
pub(crate) fn box_pairs(
    kernel: Kernel,
    a: &PosedCharacter,
    b: &PosedCharacter,
    touch: &mut dyn FnMut(&[[u16; 2]]) -> bool,
) {
    let mut batch = Batch::new();
    let mut touch = |_: u32, found: &[[u16; 2]]| touch(found);
    let mut go_on = true;
    each_near_chunk(kernel, b, &a.bounds, |b_side| {
        each_near_chunk(kernel, a, &b_side.reach(&b.bounds), |a_side| {
            go_on = go_on && kernels::near_pairs(kernel, &a_side, &b_side, 0, &mut batch, &mut touch);
        });
    });
    if go_on {
        kernels::flush(kernel, &mut batch, &mut touch);
    }
}

/// Passes on a character's boxes that reach into `bounds`, in chunks of a size that is known beforehand.
fn each_near_chunk<'r>(kernel: Kernel, posed: &'r PosedCharacter, bounds: &Bounds, mut then: impl FnMut(Side<'r, '_>)) {
    const CHUNK: usize = 64;
    for (index, blocks) in posed.blocks.chunks(CHUNK).enumerate() {
        let mut near = [0; CHUNK];
        let near = &mut near[..blocks.len()];
        kernels::bounds_masks(kernel, bounds, blocks, near);
        if near.iter().any(|&mask| mask != 0) {
            then(Side { blocks, records: &posed.records, near, start: index * CHUNK * LANES });
        }
    }
}
