//! Finds the hitboxes of two characters that overlap: the driver of the narrow phase, and its simplest answers.

use crate::kernels::layout::LANES;
use crate::kernels::{self, Batch, Kernel, OverlapSink, Side};
use crate::solid::Solid;
use crate::{Bounds, BoxIndex, PosedCharacter};
use skeleton::JointIndex;

/// A hitbox of one character and a hitbox of another that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoxPair {
    /// The first character's hitbox.
    pub box_a: BoxIndex,
    /// The second character's hitbox.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
}

/// A joint of one character and a joint of another of which some hitboxes overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointPair {
    /// The first character's joint.
    pub a: JointIndex,
    /// The second character's joint.
    pub b: JointIndex,
}

/// Finds the hitboxes of `a` that overlap hitboxes of `b`, in world space.
///
/// `pairs` is overwritten: sorted by box of `a`, then of `b`. Closed sets: hitboxes that share a point overlap; it is
/// [`geometry_core::Obb::overlaps`] for every pair of boxes. A pair with a capsule or a sphere overlaps where the boxes around
/// the two overlap and so do the shapes: [`geometry_core::DCapsule`] has the tests, which lean to `true`. Allocates only where `pairs` must grow.
///
/// # Panics
/// Where the processor lacks the kernel of `a`, see [`PosedCharacter::with_kernel`].
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{PosedCharacter, overlapping_boxes}; use glam::{Affine3A, Vec3};
/// # let arm = example::arm("Arm");
/// let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::Y * 2.5))?; // b's upper arm at the height of a's forearm
/// let mut pairs = Vec::new();
/// overlapping_boxes(&a, &b, &mut pairs);
/// assert_eq!(pairs.len(), 0);
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::Y * 1.5))?;
/// overlapping_boxes(&a, &b, &mut pairs);
/// let [a_box, b_box] = [pairs[0].box_a, pairs[0].box_b].map(|index| arm.hitbox(index).unwrap());
/// assert_eq!((a_box.joint_name, b_box.joint_name, b_box.tags), ("fore", "upper", &["arm".to_string()][..]));
/// # Ok::<(), runtime::PoseError>(())
/// ```
pub fn overlapping_boxes(a: &PosedCharacter, b: &PosedCharacter, pairs: &mut Vec<BoxPair>) {
    pairs.clear();
    let (joints_a, joints_b) = (a.joints(), b.joints());
    each_box_pair(a, b, &mut |found| {
        pairs.extend(found.iter().map(|&[first, second]| BoxPair {
            box_a: BoxIndex(first),
            box_b: BoxIndex(second),
            joint_a: joints_a[usize::from(first)],
            joint_b: joints_b[usize::from(second)],
        }));
        true
    });
    // Only a character of so many boxes that they come in parts puts pairs out of order.
    if !pairs.is_sorted() {
        pairs.sort_unstable();
    }
}

/// Finds the joints of `a` whose hitboxes overlap hitboxes of `b`, with the joints of those: the joints of
/// [`overlapping_boxes`].
///
/// `pairs` is overwritten: sorted by joint of `a`, then of `b`, no pair twice, also where joints have several hitboxes.
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
    pairs.clear();
    let (joints_a, joints_b) = (a.joints(), b.joints());
    let joints = &mut *pairs;
    each_box_pair(a, b, &mut move |found| {
        let of_boxes = |&[first, second]: &[u16; 2]| JointPair {
            a: joints_a[usize::from(first)],
            b: joints_b[usize::from(second)],
        };
        joints.extend(found.iter().map(of_boxes));
        true
    });
    // Boxes come in the order of their joints, so that only a joint with several boxes, or a character of so many that
    // they come in parts, puts pairs out of order or brings one twice.
    if !pairs.is_sorted_by(|one, next| one < next) {
        pairs.sort_unstable();
        pairs.dedup();
    }
}

/// Whether any hitbox of `a` overlaps any hitbox of `b`; stops at the first found.
#[must_use]
pub fn overlaps(a: &PosedCharacter, b: &PosedCharacter) -> bool {
    let mut any = false;
    each_box_pair(a, b, &mut |_| {
        any = true;
        false
    });
    any
}

/// Calls `found` with pairs of boxes that overlap, by their numbers, until it answers `false`: in order, up to
/// [`BOXES_IN_ORDER`] boxes of each.
#[inline]
pub(crate) fn each_box_pair(a: &PosedCharacter, b: &PosedCharacter, found: &mut dyn FnMut(&[[u16; 2]]) -> bool) {
    // Most pairs of characters are apart.
    if a.bounds.overlaps(&b.bounds) {
        each_box_pair_of_near(a, b, found);
    }
}

fn each_box_pair_of_near(a: &PosedCharacter, b: &PosedCharacter, found: &mut dyn FnMut(&[[u16; 2]]) -> bool) {
    let mut batch = Batch::new();
    let only_boxes = a.has_only_boxes() && b.has_only_boxes();
    let mut found =
        |_: u32, some: &[[u16; 2]]| if only_boxes { found(some) } else { overlapping_shapes(a, b, some, found) };
    if add_near_pairs(a.kernel, a, b, 0, false, &mut batch, &mut found) {
        kernels::flush(a.kernel, &mut batch, &mut found);
    }
}

/// Tells `found` those pairs whose shapes overlap, of pairs whose boxes do, and answers what it answers.
#[cold]
fn overlapping_shapes(
    a: &PosedCharacter,
    b: &PosedCharacter,
    some: &[[u16; 2]],
    found: &mut dyn FnMut(&[[u16; 2]]) -> bool,
) -> bool {
    some.iter().filter(|&&pair| shapes_overlap(a, b, pair)).all(|pair| found(std::slice::from_ref(pair)))
}

/// Whether the shapes of two hitboxes overlap whose boxes do.
pub(crate) fn shapes_overlap(a: &PosedCharacter, b: &PosedCharacter, [first, second]: [u16; 2]) -> bool {
    match (a.solid(first.into()), b.solid(second.into())) {
        (Solid::Box(_), Solid::Box(_)) => true,
        (one, other) => one.overlaps(&other),
    }
}

/// Adds all pairs of boxes of two characters whose bounds overlap to the batch, under the number `pair`; where the batch
/// is full, it is tested and `found` is told. Answers `false` where `found` has said that it wants no more.
pub(crate) fn add_near_pairs<'r>(
    kernel: Kernel,
    a: &'r PosedCharacter,
    b: &'r PosedCharacter,
    pair: u32,
    prefetch: bool,
    batch: &mut Batch<'r>,
    found: &mut OverlapSink<'_>,
) -> bool {
    let mut go_on = true;
    each_near_chunk(kernel, b, &a.bounds, |b_side| {
        each_near_chunk(kernel, a, &b_side.reach(&b.bounds), |a_side| {
            if prefetch {
                a_side.prefetch();
                b_side.prefetch();
            }
            go_on = go_on && kernels::near_pairs(kernel, &a_side, &b_side, pair, batch, found);
        });
    });
    go_on
}

/// Boxes of characters with no more come in order.
pub(crate) const BOXES_IN_ORDER: usize = CHUNK * LANES;

/// Blocks that are looked at together.
const CHUNK: usize = 64;

/// Passes on a character's boxes that reach into `bounds`, in chunks of a size that is known beforehand.
fn each_near_chunk<'r>(kernel: Kernel, posed: &'r PosedCharacter, bounds: &Bounds, mut then: impl FnMut(Side<'r, '_>)) {
    for (index, blocks) in posed.blocks.chunks(CHUNK).enumerate() {
        let mut near = [0; CHUNK];
        let near = &mut near[..blocks.len()];
        kernels::bounds_masks(kernel, bounds, blocks, near);
        if near.iter().any(|&mask| mask != 0) {
            then(Side { blocks, records: &posed.records, near, start: index * CHUNK * LANES });
        }
    }
}
