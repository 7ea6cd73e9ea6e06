//! Finds the hitboxes of two characters that overlap: the driver of the narrow phase, and its simplest queries.

use crate::kernels::layout::{LANES, wanted_bounds};
use crate::kernels::{self, BLOCKS_AT_ONCE, Batch, BoxesToTest, PackedBounds, boxes_of};
use crate::pose::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use skeleton::JointIndex;

/// Two hitboxes of two characters that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// Two joints of two characters with hitboxes that overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointPair {
    /// The first character's joint.
    pub joint_a: JointIndex,
    /// The second character's joint.
    pub joint_b: JointIndex,
}

/// Finds the hitboxes of `a` that overlap hitboxes of `b`, in world space.
///
/// `pairs` is overwritten and sorted by box of `a`, then by box of `b`. Two hitboxes that share only one point overlap.
/// Allocates only if `pairs` must grow.
///
/// The test of two boxes is [`geometry_core::Obb::overlaps`]. If one of the two hitboxes is a capsule, a sphere or a
/// hull, they overlap if both the boxes around the shapes and the shapes themselves overlap. If rounding leaves a case
/// open, the tests of [`geometry_core::DCapsule`] and [`geometry_core::PosedHull`] return `true`. But rounding can make the
/// box around a shape smaller than the shape: by up to
/// [`ORTHONORMAL_TOLERANCE`](geometry_core::tolerances::ORTHONORMAL_TOLERANCE) (1e-6) times the sum of its half extents. So
/// a pair with such a shape may be missing if the two overlap by less than this.
///
/// # Panics
/// Panics if the processor does not support the kernel of `a`, see [`PosedCharacter::with_kernel`].
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, overlapping_boxes};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlapping_boxes(a: &PosedCharacter, b: &PosedCharacter, pairs: &mut Vec<BoxPair>) {
    pairs.clear();
    let (joints_a, joints_b) = (a.joints(), b.joints());
    each_box_pair(a, b, &mut |found| {
        pairs.extend(found.iter().map(|&key| {
            let [first, second] = boxes_of(key);
            BoxPair {
                box_a: BoxIndex(first),
                box_b: BoxIndex(second),
                joint_a: joints_a[usize::from(first)],
                joint_b: joints_b[usize::from(second)],
            }
        }));
        true
    });
    // Pairs are out of order only for characters with so many boxes that these are tested in parts.
    if !pairs.is_sorted() {
        pairs.sort_unstable();
    }
}

/// Finds the pairs of joints of `a` and `b` whose hitboxes overlap: the joints of [`overlapping_boxes`].
///
/// `pairs` is overwritten and sorted by joint of `a`, then by joint of `b`. Each pair of joints appears once, even if
/// the joints have several hitboxes. Allocates only if `pairs` must grow.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{Character, PosedCharacter, overlapping_joints};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let (mut a, mut b) = (PosedCharacter::new(), PosedCharacter::new());
/// a.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// b.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::Y))?; // b's upper arm at the height of a's forearm
/// let mut pairs = Vec::new();
/// overlapping_joints(&a, &b, &mut pairs);
/// let names: Vec<_> = pairs.iter().map(|pair| (arm.joint_name(pair.joint_a), arm.joint_name(pair.joint_b))).collect();
/// assert_eq!(names, [("upper", "upper"), ("fore", "upper"), ("fore", "fore")]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlapping_joints(a: &PosedCharacter, b: &PosedCharacter, pairs: &mut Vec<JointPair>) {
    pairs.clear();
    let (joints_a, joints_b) = (a.joints(), b.joints());
    let joints = &mut *pairs;
    each_box_pair(a, b, &mut move |found| {
        let of_boxes = |&key: &u32| {
            let [first, second] = boxes_of(key);
            JointPair { joint_a: joints_a[usize::from(first)], joint_b: joints_b[usize::from(second)] }
        };
        joints.extend(found.iter().map(of_boxes));
        true
    });
    // Pairs of joints are in the order of the pairs of boxes, and none is duplicated, if no joint has several boxes.
    let is_in_order = |one: &PosedCharacter| {
        one.hitboxes.as_ref().is_none_or(|hitboxes| hitboxes.joints_ascend && hitboxes.joints.len() <= BOXES_IN_ORDER)
    };
    if is_in_order(a) && is_in_order(b) {
        return;
    }
    if !pairs.is_sorted_by(|one, next| one < next) {
        pairs.sort_unstable();
        pairs.dedup();
    }
}

/// Returns `true` if any hitbox of `a` overlaps any hitbox of `b`. Stops at the first pair found.
#[must_use]
pub fn overlaps(a: &PosedCharacter, b: &PosedCharacter) -> bool {
    let mut any = false;
    if a.bounds.overlaps(&b.bounds) {
        each_box_pair_of_near(a, b, true, &mut |_| {
            any = true;
            false
        });
    }
    any
}

/// Calls `found` with the [keys](boxes_of) of the pairs of boxes that overlap, until `found` returns `false`. The
/// pairs are in order if each character has at most [`BOXES_IN_ORDER`] boxes.
#[inline]
pub(crate) fn each_box_pair(a: &PosedCharacter, b: &PosedCharacter, found: &mut dyn FnMut(&[u32]) -> bool) {
    // The bounds of most pairs of characters do not overlap.
    if a.bounds.overlaps(&b.bounds) {
        each_box_pair_of_near(a, b, false, found);
    }
}

/// [`each_box_pair`] of characters whose bounds overlap. `wants_one` is `true` if `found` may want no pair after the first.
#[inline(never)]
fn each_box_pair_of_near(
    a: &PosedCharacter,
    b: &PosedCharacter,
    wants_one: bool,
    found: &mut dyn FnMut(&[u32]) -> bool,
) {
    let mut batch = if wants_one { Batch::for_first() } else { Batch::new() };
    let only_boxes = a.has_only_boxes() && b.has_only_boxes();
    let mut found = |_: u32, some: &[u32]| if only_boxes { found(some) } else { overlapping_shapes(a, b, some, found) };
    let boxes = [&all_boxes(a), &all_boxes(b)];
    if kernels::add_near_pairs(a.kernel, boxes, 0, false, &mut PackedBounds::new(), &mut batch, &mut found) {
        kernels::flush(a.kernel, &mut batch, &mut found);
    }
}

/// Passes the pairs whose shapes overlap to `found`, given pairs whose boxes overlap. Returns the result of `found`.
#[cold]
fn overlapping_shapes(
    a: &PosedCharacter,
    b: &PosedCharacter,
    some: &[u32],
    found: &mut dyn FnMut(&[u32]) -> bool,
) -> bool {
    some.iter().filter(|&&key| shapes_overlap(a, b, boxes_of(key))).all(|key| found(std::slice::from_ref(key)))
}

/// Returns `true` if the shapes of two hitboxes overlap, given that their boxes do.
pub(crate) fn shapes_overlap(a: &PosedCharacter, b: &PosedCharacter, [first, second]: [u16; 2]) -> bool {
    match (a.solid(first.into()), b.solid(second.into())) {
        (Solid::Box(_), Solid::Box(_)) => true,
        (one, other) => one.overlaps(&other),
    }
}

/// All boxes of a character.
pub(crate) fn all_boxes(posed: &PosedCharacter) -> BoxesToTest<'_, 'static> {
    BoxesToTest { blocks: &posed.blocks, records: &posed.records, bounds: posed.bounds, wanted: None }
}

/// Some boxes of a character: a mask for each sixteen boxes, `None` for all boxes.
pub(crate) fn some_boxes<'r, 'w>(posed: &'r PosedCharacter, wanted: Option<&'w [u16]>) -> BoxesToTest<'r, 'w> {
    /// For so few boxes, bounds of their own take less time than they save.
    const FEW: u32 = 8;
    let all = all_boxes(posed);
    let Some(masks) = wanted else { return all };
    let mut bounds = posed.bounds;
    if masks.iter().map(|mask| mask.count_ones()).sum::<u32>() <= FEW {
        bounds = wanted_bounds(all.blocks, masks);
    }
    BoxesToTest { bounds, wanted, ..all }
}

/// The most boxes per character for which [`each_box_pair`] gives pairs in order.
pub(crate) const BOXES_IN_ORDER: usize = BLOCKS_AT_ONCE * LANES;
