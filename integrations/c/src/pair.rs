//! Questions about two posed characters.

use crate::BoneboxPose;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::borrow;
use crate::memory::{write, write_found, write_list};
use crate::shapes::BoneboxVec3;
use runtime::{BodyMotion, BoxPair, ClosestHitboxes, Contact, JointPair, SweepHit};

/// A hitbox of one character and a hitbox of another that overlap.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxBoxPair {
    /// The index of a hitbox of the first character.
    pub box_a: u16,
    /// The index of a hitbox of the second character.
    pub box_b: u16,
    /// The index of the joint that `box_a` is attached to.
    pub joint_a: u16,
    /// The index of the joint that `box_b` is attached to.
    pub joint_b: u16,
}

/// A joint of one character and a joint of another whose hitboxes overlap.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxJointPair {
    /// The index of the joint in the skeleton of the first character.
    pub joint_a: u16,
    /// The index of the joint in the skeleton of the second character.
    pub joint_b: u16,
}

/// The largest number of points that a contact can have.
pub const BONEBOX_MAX_CONTACT_POINTS: usize = 9;

/// The depth, the direction and the points of an overlap between two hitboxes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxContact {
    /// The index of a hitbox of the first character.
    pub box_a: u16,
    /// The index of a hitbox of the second character.
    pub box_b: u16,
    /// The index of the joint that `box_a` is attached to.
    pub joint_a: u16,
    /// The index of the joint that `box_b` is attached to.
    pub joint_b: u16,
    /// The depth in world units, at least 0. If the second hitbox moves by `depth * direction`, the two hitboxes touch
    /// without penetration.
    pub depth: f32,
    /// The direction of least penetration: a unit vector from the first hitbox towards the second, in world space.
    pub direction: BoneboxVec3,
    /// The mean of `points`, in world space.
    pub center: BoneboxVec3,
    /// The number of points in `points`, 1 to 9.
    pub point_count: u32,
    /// The contact points, in world space. Entries from `point_count` on are zero.
    pub points: [BoneboxVec3; BONEBOX_MAX_CONTACT_POINTS],
}

/// The two hitboxes of two characters that are nearest to each other.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxClosestHitboxes {
    /// The index of a hitbox of the first character.
    pub box_a: u16,
    /// The index of a hitbox of the second character.
    pub box_b: u16,
    /// The index of the joint that `box_a` is attached to.
    pub joint_a: u16,
    /// The index of the joint that `box_b` is attached to.
    pub joint_b: u16,
    /// The distance in world units; 0 if the two hitboxes overlap.
    pub distance: f32,
    /// The point of the first hitbox that is nearest to the second, in world space.
    pub point_a: BoneboxVec3,
    /// The point of the second hitbox that is nearest to the first, in world space.
    pub point_b: BoneboxVec3,
}

/// Two hitboxes that hit each other while both move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxSweepHit {
    /// The index of a hitbox of the first character.
    pub box_a: u16,
    /// The index of a hitbox of the second character.
    pub box_b: u16,
    /// The index of the joint that `box_a` is attached to.
    pub joint_a: u16,
    /// The index of the joint that `box_b` is attached to.
    pub joint_b: u16,
    /// The time of the first touch, from 0 (the first poses) to 1 (the second poses). It is never later than the true
    /// time.
    pub time: f32,
    /// The direction of the hit: a unit vector from the first hitbox towards the second, in world space.
    pub direction: BoneboxVec3,
}

impl From<&BoxPair> for BoneboxBoxPair {
    fn from(pair: &BoxPair) -> Self {
        let &BoxPair { box_a, box_b, joint_a, joint_b } = pair;
        Self { box_a: box_a.0, box_b: box_b.0, joint_a: joint_a.0, joint_b: joint_b.0 }
    }
}

impl From<&JointPair> for BoneboxJointPair {
    fn from(pair: &JointPair) -> Self {
        Self { joint_a: pair.joint_a.0, joint_b: pair.joint_b.0 }
    }
}

impl From<&Contact> for BoneboxContact {
    fn from(contact: &Contact) -> Self {
        const { assert!(BONEBOX_MAX_CONTACT_POINTS == Contact::MAX_POINTS) };
        let &Contact { box_a, box_b, joint_a, joint_b, depth, direction, .. } = contact;
        let mut points = [BoneboxVec3::default(); BONEBOX_MAX_CONTACT_POINTS];
        for (to, &point) in points.iter_mut().zip(contact.points()) {
            *to = point.into();
        }
        Self {
            box_a: box_a.0,
            box_b: box_b.0,
            joint_a: joint_a.0,
            joint_b: joint_b.0,
            depth,
            direction: direction.into(),
            center: contact.center().into(),
            point_count: contact.points().len() as u32,
            points,
        }
    }
}

impl From<&ClosestHitboxes> for BoneboxClosestHitboxes {
    fn from(nearest: &ClosestHitboxes) -> Self {
        let &ClosestHitboxes { box_a, box_b, joint_a, joint_b, distance, point_a, point_b } = nearest;
        let (box_a, box_b, joint_a, joint_b) = (box_a.0, box_b.0, joint_a.0, joint_b.0);
        Self { box_a, box_b, joint_a, joint_b, distance, point_a: point_a.into(), point_b: point_b.into() }
    }
}

impl From<&SweepHit> for BoneboxSweepHit {
    fn from(hit: &SweepHit) -> Self {
        let &SweepHit { box_a, box_b, joint_a, joint_b, time, direction } = hit;
        let (box_a, box_b, joint_a, joint_b) = (box_a.0, box_b.0, joint_a.0, joint_b.0);
        Self { box_a, box_b, joint_a, joint_b, time, direction: direction.into() }
    }
}

/// Writes true if any hitbox of `a` overlaps any hitbox of `b`, else false. The result is false if `a` or `b` has no
/// hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_overlaps(
    a: *const BoneboxPose,
    b: *const BoneboxPose,
    overlaps: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = (borrow(a, "a")?, borrow(b, "b")?);
        write(overlaps, "overlaps", runtime::overlaps(&a.posed, &b.posed))
    })
}

/// Writes the pairs of hitboxes that overlap, sorted by hitbox of `a`, then by hitbox of `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_overlapping_boxes(
    a: *const BoneboxPose,
    b: *const BoneboxPose,
    out: *mut BoneboxBoxPair,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = (borrow(a, "a")?, borrow(b, "b")?);
        a.lists.with(|lists| {
            runtime::overlapping_boxes(&a.posed, &b.posed, &mut lists.boxes);
            write_list(out, capacity, count, lists.boxes.iter().map(Into::into))
        })
    })
}

/// Writes the pairs of joints whose hitboxes overlap, each pair once, sorted by joint of `a`, then by joint of `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_overlapping_joints(
    a: *const BoneboxPose,
    b: *const BoneboxPose,
    out: *mut BoneboxJointPair,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = (borrow(a, "a")?, borrow(b, "b")?);
        a.lists.with(|lists| {
            runtime::overlapping_joints(&a.posed, &b.posed, &mut lists.joints);
            write_list(out, capacity, count, lists.joints.iter().map(Into::into))
        })
    })
}

/// Writes the contacts of all hitboxes that overlap, one for each pair that `bonebox_overlapping_boxes` writes, in the
/// same order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_contacts(
    a: *const BoneboxPose,
    b: *const BoneboxPose,
    out: *mut BoneboxContact,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = (borrow(a, "a")?, borrow(b, "b")?);
        a.lists.with(|lists| {
            runtime::contacts(&a.posed, &b.posed, &mut lists.contacts);
            write_list(out, capacity, count, lists.contacts.iter().map(Into::into))
        })
    })
}

/// Finds the nearest two hitboxes of two characters that are at most `max_distance` world units apart (`INFINITY` for
/// any distance). Writes true to `found` if two such hitboxes exist, else false, and writes `closest` only if it is
/// true.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_distance(
    a: *const BoneboxPose,
    b: *const BoneboxPose,
    max_distance: f32,
    found: *mut bool,
    closest: *mut BoneboxClosestHitboxes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = (borrow(a, "a")?, borrow(b, "b")?);
        let nearest = runtime::distance(&a.posed, &b.posed, max_distance);
        write_found(found, (closest, "closest"), nearest.as_ref())
    })
}

/// Finds the first hit of two characters while each character moves from one pose to another; see `bonebox_sweep_all`.
/// Writes true to `found` if there is a hit, else false, and writes `hit` only if it is true. If several hits have the
/// same time, the function writes the hit with the least index of the hitbox of `a`, then of the hitbox of `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_sweep(
    a_from: *const BoneboxPose,
    a_to: *const BoneboxPose,
    b_from: *const BoneboxPose,
    b_to: *const BoneboxPose,
    relative_tolerance: f32,
    found: *mut bool,
    hit: *mut BoneboxSweepHit,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let [a, b] = two_motions([a_from, a_to, b_from, b_to])?;
        let first = runtime::sweep(&a, &b, tolerance(relative_tolerance)?);
        write_found(found, (hit, "hit"), first.as_ref())
    })
}

/// Writes all hitboxes of two characters that hit each other while each character moves from one pose to another: one
/// entry with the first time for each pair of hitboxes, sorted by hitbox of `a`, then by hitbox of `b`. Both poses of a
/// motion must belong to the same character; pass the same pose twice for a character that stands still.
/// `relative_tolerance` is relative to the size of the hitboxes, from 0 to 1; 0 selects the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_sweep_all(
    a_from: *const BoneboxPose,
    a_to: *const BoneboxPose,
    b_from: *const BoneboxPose,
    b_to: *const BoneboxPose,
    relative_tolerance: f32,
    out: *mut BoneboxSweepHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let [a, b] = two_motions([a_from, a_to, b_from, b_to])?;
        let tolerance = tolerance(relative_tolerance)?;
        borrow(a_from, "a_from")?.lists.with(|lists| {
            runtime::sweep_all(&a, &b, tolerance, &mut lists.sweeps);
            write_list(out, capacity, count, lists.sweeps.iter().map(Into::into))
        })
    })
}

/// Writes true to `any` if two characters hit each other while each character moves from one pose to another, else
/// false; see `bonebox_sweep_all`. The function stops at the first hit that it finds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_sweep_any(
    a_from: *const BoneboxPose,
    a_to: *const BoneboxPose,
    b_from: *const BoneboxPose,
    b_to: *const BoneboxPose,
    relative_tolerance: f32,
    any: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let [a, b] = two_motions([a_from, a_to, b_from, b_to])?;
        write(any, "any", runtime::sweep_any(&a, &b, tolerance(relative_tolerance)?))
    })
}

/// The motions of two characters; the poses are `a_from`, `a_to`, `b_from` and `b_to`.
///
/// # Safety
/// The rules of the crate's documentation.
unsafe fn two_motions<'a>(
    [a_from, a_to, b_from, b_to]: [*const BoneboxPose; 4],
) -> Result<[BodyMotion<'a>; 2], Failure> {
    Ok([body_motion(a_from, a_to)?, body_motion(b_from, b_to)?])
}

/// Reads a tolerance; 0 selects the default.
pub(crate) fn tolerance(tolerance: f32) -> Result<Option<f32>, Failure> {
    if !(0.0..=1.0).contains(&tolerance) {
        return Err(Failure::invalid(format!(
            "the tolerance is {tolerance}, but must be from 0 to 1; pass 0 for the default"
        )));
    }
    Ok((tolerance > 0.0).then_some(tolerance))
}

/// The motion of a character from one pose to another.
///
/// # Safety
/// The rules of the crate's documentation.
pub(crate) unsafe fn body_motion<'a>(
    from: *const BoneboxPose,
    to: *const BoneboxPose,
) -> Result<BodyMotion<'a>, Failure> {
    let [from, to] = [borrow(from, "the first pose")?, borrow(to, "the second pose")?];
    BodyMotion::new(&from.posed, &to.posed).map_err(|error| Failure::new(BoneboxResult::WrongCharacter, error))
}
