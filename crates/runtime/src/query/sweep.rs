//! Finds the hitboxes of two moving characters that hit each other within a tick, and the time of each hit.

use super::body_motion::{BodyMotion, CHUNK, MovingSolid, SWEPT_ROOM, SweptChunk, reaches_out};
use super::contact::Contact;
use super::hit_search::{Look, Sought, keep_first, take_earliest, tolerance};
use crate::BoxIndex;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::set_bits::set_bits;
use crate::kernels::sweep_lanes::MovingPairs;
use crate::kernels::{self, Kernel};
use baked_format::HitboxShape;
use geometry_core::{FirstContact, Obb, ObbMotion};
use glam::{Mat3, Vec3};
use skeleton::JointIndex;
use std::cell::Cell;

/// Two hitboxes that hit each other while both move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepHit {
    /// The first character's hitbox.
    pub box_a: BoxIndex,
    /// The second character's hitbox.
    pub box_b: BoxIndex,
    /// The joint of `box_a`.
    pub joint_a: JointIndex,
    /// The joint of `box_b`.
    pub joint_b: JointIndex,
    /// The time of the first contact: 0 at the first poses, 1 at the last. Never later than the true time.
    pub time: f32,
    /// The direction of the hit: a unit vector in world space, from `box_a` towards `box_b`.
    pub direction: Vec3,
}

impl SweepHit {
    /// The contact of the two hitboxes at [`SweepHit::time`]. Pass the motions `a` and `b` of the sweep. Returns `None`
    /// if the motions do not have these hitboxes. The depth of the contact is 0 or nearly 0, unless the hitboxes
    /// overlap from the start.
    #[must_use]
    pub fn contact(&self, a: &BodyMotion<'_>, b: &BodyMotion<'_>) -> Option<Contact> {
        let (one, other) = (a.solid_at(self.box_a, self.time)?, b.solid_at(self.box_b, self.time)?);
        Some(Contact::between(a.to.kernel, &one, (self.box_a, self.joint_a), &other, (self.box_b, self.joint_b)))
    }
}

/// Finds all hitboxes of two moving bodies that hit each other, and the first time of each hit. However fast a body is,
/// it does not pass through another body without a hit.
///
/// `hits` is overwritten, with one entry for each pair of boxes, sorted by box of `a`, then by box of `b`. Boxes that
/// overlap at the start hit each other at time 0. Allocates only if `hits` must grow.
///
/// Two boxes are in contact if the gap between them is at most `relative_tolerance` times the sum of their half
/// extents. So a time is never late, but it may be early by at most the time that the boxes take to close this gap.
/// Boxes that pass each other at a smaller distance are hits too. `None` means [`crate::DEFAULT_SWEEP_TOLERANCE`]; a
/// tolerance below 1e-6 counts as 1e-6. See [`geometry_core::Obb::first_contact`].
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{BodyMotion, Character, PosedCharacter, overlaps, sweep, sweep_all};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let place = |x: f32| {
///     let mut posed = PosedCharacter::new();
///     posed.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X * x)).map(|()| posed)
/// };
/// let (left, right, post) = (place(-100.0)?, place(100.0)?, place(0.0)?);
/// assert!(!overlaps(&left, &post) && !overlaps(&right, &post));
/// let mut hits = Vec::new();
/// let (moving, still) = (BodyMotion::new(&left, &right)?, BodyMotion::still(&post));
/// sweep_all(&moving, &still, None, &mut hits);
/// assert_eq!(hits.len(), 4);
/// assert!(hits.iter().all(|hit| (hit.time - 99.4 / 200.0).abs() < 1e-4));
/// assert!(hits.contains(&sweep(&moving, &still, None).unwrap()));
/// let contact = hits[0].contact(&moving, &still).unwrap(); // the upper arms, a face on a face
/// assert!(contact.depth < 1e-3 && (contact.center() - Vec3::new(-0.3, 1.5, 0.0)).length() < 0.02, "{contact:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep_all(
    a: &BodyMotion<'_>,
    b: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
    hits: &mut Vec<SweepHit>,
) {
    hits.clear();
    let push = |hit| {
        hits.push(hit);
        Look::Until(1.0)
    };
    let how = (Sought::All, tolerance(relative_tolerance));
    each_sweep_hit(&mut SweepMemory::default(), [a, b], [None; 2], how, &mut Look::Until(1.0), |_, _| true, push);
    hits.sort_unstable_by_key(|hit| (hit.box_a, hit.box_b));
}

/// Memory of [`sweep_boxes`].
#[derive(Debug, Default)]
pub struct SweepBuffers {
    memory: Option<Box<SweepMemory>>,
    /// The boxes of the first body, sixteen in each mask.
    masks: Vec<u16>,
}

/// Finds the hits of some hitboxes of `a`, as [`sweep_all`] does: of the pairs with a box of `boxes` for which `wanted`
/// returns `true`. Indices that `a` does not have are ignored. `buffers` are memory that later calls use again.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use runtime::{BodyMotion, BoxIndex, Character, PosedCharacter, SweepBuffers, sweep_boxes};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
/// let place = |x: f32| {
///     let mut posed = PosedCharacter::new();
///     posed.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X * x)).map(|()| posed)
/// };
/// let (left, right, post) = (place(-100.0)?, place(100.0)?, place(0.0)?);
/// let (moving, still) = (BodyMotion::new(&left, &right)?, BodyMotion::still(&post));
/// let (mut buffers, mut hits) = (SweepBuffers::default(), Vec::new());
/// sweep_boxes(&moving, &still, &[BoxIndex(1)], |_, other| other == BoxIndex(1), None, &mut buffers, &mut hits);
/// assert_eq!(hits.len(), 1); // the forearm meets the forearm; the upper arm is left out
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep_boxes(
    a: &BodyMotion<'_>,
    b: &BodyMotion<'_>,
    boxes: &[BoxIndex],
    wanted: impl Fn(BoxIndex, BoxIndex) -> bool,
    relative_tolerance: impl Into<Option<f32>>,
    buffers: &mut SweepBuffers,
    hits: &mut Vec<SweepHit>,
) {
    hits.clear();
    let SweepBuffers { memory, masks } = buffers;
    masks.clear();
    masks.resize(a.len().div_ceil(LANES), 0);
    for index in boxes.iter().map(|index| index.index()).filter(|&index| index < a.len()) {
        masks[index / LANES] |= 1 << (index % LANES);
    }
    let push = |hit| {
        hits.push(hit);
        Look::Until(1.0)
    };
    let how = (Sought::All, tolerance(relative_tolerance));
    let wanted = |box_a: usize, box_b: usize| wanted(BoxIndex(box_a as u16), BoxIndex(box_b as u16));
    let (memory, look) = (memory.get_or_insert_default(), &mut Look::Until(1.0));
    each_sweep_hit(memory, [a, b], [Some(masks), None], how, look, wanted, push);
    hits.sort_unstable_by_key(|hit| (hit.box_a, hit.box_b));
}

/// The first hit of two moving bodies. If several hits have the same time, the answer is the hit with the least box
/// indices. See [`sweep_all`].
#[must_use]
pub fn sweep(a: &BodyMotion<'_>, b: &BodyMotion<'_>, relative_tolerance: impl Into<Option<f32>>) -> Option<SweepHit> {
    let first: Cell<Option<SweepHit>> = Cell::new(None);
    // The bits of nonnegative times sort like the times.
    let key = |hit: &SweepHit| (hit.time.to_bits(), hit.box_a, hit.box_b);
    let keep = |hit| {
        let mut kept = first.get();
        let time = keep_first(&mut kept, hit, key).time;
        first.set(kept);
        Look::Until(time)
    };
    // After a hit at the start, only pairs with lesser indices can come first.
    let may_be_first = |box_a: usize, box_b: usize| {
        first.get().is_none_or(|hit| hit.time > 0.0 || (box_a, box_b) < (hit.box_a.index(), hit.box_b.index()))
    };
    let how = (Sought::One, tolerance(relative_tolerance));
    each_sweep_hit(&mut SweepMemory::default(), [a, b], [None; 2], how, &mut Look::Until(1.0), may_be_first, keep);
    first.get()
}

/// Returns `true` if any hitboxes hit each other. Stops at the first hit found. See [`sweep_all`].
#[must_use]
pub fn sweep_any(a: &BodyMotion<'_>, b: &BodyMotion<'_>, relative_tolerance: impl Into<Option<f32>>) -> bool {
    let mut any = false;
    let stop = |_| {
        any = true;
        Look::NoFurther
    };
    let how = (Sought::One, tolerance(relative_tolerance));
    each_sweep_hit(&mut SweepMemory::default(), [a, b], [None; 2], how, &mut Look::Until(1.0), |_, _| true, stop);
    any
}

/// Calls `found` for each wanted pair of boxes (by box index) that hit each other. `masks` limit the boxes of a body: a mask
/// for each sixteen boxes, `None` for all.
pub(crate) fn each_sweep_hit(
    memory: &mut SweepMemory,
    [a, b]: [&BodyMotion<'_>; 2],
    masks: [Option<&[u16]>; 2],
    (sought, relative_tolerance): (Sought, f32),
    look: &mut Look,
    wanted: impl Fn(usize, usize) -> bool,
    mut found: impl FnMut(SweepHit) -> Look,
) {
    let kernel = a.to.kernel;
    let SweepMemory { rooms: [room_a, room_b], motions } = memory;
    fn part(masks: Option<&[u16]>, start: usize, len: usize) -> Option<&[u16]> {
        masks.map(|masks| &masks[start / LANES..][..len])
    }
    let keep = |near: &mut [u16], wanted: Option<&[u16]>| {
        let wanted = wanted.unwrap_or(&[u16::MAX; BLOCKS]);
        near.iter_mut().zip(wanted).fold(0, |any, (near, wanted)| {
            *near &= wanted;
            any | *near
        }) != 0
    };
    let mut room_of_near = [[0; BLOCKS]; 3];
    let [room_near_a, room_near_b, room_near] = &mut room_of_near;
    for start_a in (0..a.len()).step_by(CHUNK) {
        let swept_a = a.swept_chunk(start_a, room_a);
        let of_a = part(masks[0], start_a, swept_a.len());
        let around_a = a.around_chunk(swept_a, of_a);
        let near_a = &mut room_near_a[..swept_a.len()];
        for start_b in (0..b.len()).step_by(CHUNK) {
            let swept_b = b.swept_chunk(start_b, room_b);
            let of_b = part(masks[1], start_b, swept_b.len());
            let (near_b, near) = (&mut room_near_b[..swept_b.len()], &mut room_near[..swept_b.len()]);
            kernels::bounds_masks(kernel, &around_a, swept_b, near_b);
            if !keep(near_b, of_b) {
                continue;
            }
            kernels::bounds_masks(kernel, &b.around_chunk(swept_b, Some(near_b)), swept_a, near_a);
            if !keep(near_a, of_a) {
                continue;
            }
            let chunks = [swept_a, swept_b];
            let settings = (sought, relative_tolerance);
            let mut search = SweepSearch::new([a, b], [start_a, start_b], chunks, settings, motions);
            for first in boxes_of(near_a) {
                let bounds = swept_a[first / LANES].get(first % LANES);
                kernels::bounds_masks(kernel, &bounds, swept_b, near);
                keep(near, Some(near_b));
                for second in boxes_of(near) {
                    if wanted(start_a + first, start_b + second) {
                        search.add([first, second], look, &mut found);
                    }
                }
                if *look == Look::NoFurther {
                    return;
                }
            }
            search.finish(look, &mut found);
            search.test_queue(look, &mut found);
        }
    }
}

/// The number of blocks of a chunk.
const BLOCKS: usize = CHUNK / LANES;

/// The places of the boxes of a chunk that masks select.
fn boxes_of(masks: &[u16]) -> impl Iterator<Item = usize> + '_ {
    masks.iter().enumerate().flat_map(|(block, &mask)| set_bits(mask).map(move |lane| block * LANES + lane))
}

/// Memory of searches, which takes long to initialize.
#[derive(Debug)]
pub(crate) struct SweepMemory {
    rooms: [SweptChunk; 2],
    motions: [[ObbMotion; CHUNK]; 2],
}

impl Default for SweepMemory {
    fn default() -> Self {
        let none = ObbMotion::still(&Obb::from_valid_parts(Vec3::ZERO, Vec3::ZERO, Mat3::IDENTITY));
        Self { rooms: [SWEPT_ROOM; 2], motions: [[none; CHUNK]; 2] }
    }
}

/// The most pairs of boxes that wait to be tested together.
const QUEUE: usize = 128;

/// Finds the hits among pairs of boxes of two chunks. Pairs wait until they fill whole vectors. A vector test then
/// rules out most of them together. The remaining pairs wait again, to be tested together, if the search must find all
/// hits; otherwise they are tested one by one.
struct SweepSearch<'s, 'b> {
    bodies: [&'s BodyMotion<'b>; 2],
    starts: [usize; 2],
    chunks: [&'s [BoundsBlock]; 2],
    sought: Sought,
    kernel: Kernel,
    relative_tolerance: f32,
    pairs: MovingPairs<'b>,
    waiting: [[u8; 2]; LANES],
    /// The motions of the boxes of both chunks that are `known`.
    motions: &'s mut [[ObbMotion; CHUNK]; 2],
    known: [u64; 2],
    queue: [[u8; 2]; QUEUE],
    queued: usize,
}

impl<'s, 'b> SweepSearch<'s, 'b> {
    fn new(
        bodies: [&'s BodyMotion<'b>; 2],
        starts: [usize; 2],
        chunks: [&'s [BoundsBlock]; 2],
        (sought, relative_tolerance): (Sought, f32),
        motions: &'s mut [[ObbMotion; CHUNK]; 2],
    ) -> Self {
        let (kernel, pairs, waiting) = (bodies[0].to.kernel, MovingPairs::new(), [[0; 2]; LANES]);
        let (known, queue, queued) = ([0; 2], [[0; 2]; QUEUE], 0);
        Self {
            bodies,
            starts,
            chunks,
            sought,
            kernel,
            relative_tolerance,
            pairs,
            waiting,
            motions,
            known,
            queue,
            queued,
        }
    }

    /// Adds a pair of boxes by their indices in the chunks.
    fn add(&mut self, pair: [usize; 2], look: &mut Look, found: &mut impl FnMut(SweepHit) -> Look) {
        self.waiting[self.pairs.len()] = pair.map(|place| place as u8);
        let [a, b] = [0, 1].map(|side| self.bodies[side].records(self.starts[side] + pair[side]));
        self.pairs.push(a, b);
        if self.pairs.is_full() {
            self.finish(look, found);
        }
    }

    fn finish(&mut self, look: &mut Look, found: &mut impl FnMut(SweepHit) -> Look) {
        let mut entries = [0.0; LANES];
        let mut may_meet = kernels::meeting_pairs(self.kernel, &self.pairs, self.relative_tolerance, &mut entries);
        for (lane, &pair) in self.waiting[..self.pairs.len()].iter().enumerate() {
            if self.forms(pair).into_iter().any(reaches_out) {
                may_meet |= 1 << lane;
                entries[lane] = 0.0;
            }
        }
        self.pairs.clear();
        if self.sought == Sought::All {
            self.wait_or_test(may_meet, look, found);
            return;
        }
        while may_meet != 0 {
            let lane = take_earliest(&mut may_meet, &entries);
            let Look::Until(max_time) = *look else { return };
            if entries[lane] > max_time {
                return;
            }
            if let Some(hit) = self.hit(self.waiting[lane], max_time) {
                *look = found(hit);
            }
        }
    }

    /// Puts pairs of two boxes into the queue, in their order, and tests pairs with other shapes.
    fn wait_or_test(&mut self, lanes: u16, look: &mut Look, found: &mut impl FnMut(SweepHit) -> Look) {
        for lane in set_bits(lanes) {
            let pair = self.waiting[lane];
            let Look::Until(max_time) = *look else { return };
            if self.forms(pair) == [HitboxShape::Box; 2] {
                self.queue[self.queued] = pair;
                self.queued += 1;
            } else if let Some(hit) = self.hit(pair, max_time) {
                *look = found(hit);
            }
        }
        if self.queued > QUEUE - LANES {
            self.test_queue(look, found);
        }
    }

    /// Tests the boxes in the queue together.
    fn test_queue(&mut self, look: &mut Look, found: &mut impl FnMut(SweepHit) -> Look) {
        let queue = &self.queue[..self.queued];
        let (Some(&first), Look::Until(max_time)) = (queue.first(), *look) else { return };
        for side in 0..2 {
            let wanted = queue.iter().fold(0, |wanted, pair| wanted | 1_u64 << pair[side]);
            let motions = &mut self.motions[side];
            let found = |place: usize, motion| motions[place] = motion;
            self.bodies[side].motions(self.starts[side], wanted & !self.known[side], found);
            self.known[side] |= wanted;
        }
        let motions = |pair: [u8; 2]| [0, 1].map(|side| &self.motions[side][usize::from(pair[side])]);
        let mut pairs = [motions(first); QUEUE];
        for (place, &pair) in pairs.iter_mut().zip(queue) {
            *place = motions(pair);
        }
        let mut contacts = [None; QUEUE];
        let (pairs, contacts) = (&pairs[..queue.len()], &mut contacts[..queue.len()]);
        kernels::first_contacts(self.kernel, pairs, self.relative_tolerance, max_time, contacts);
        for (&pair, contact) in queue.iter().zip(contacts) {
            if let Some(hit) = contact.and_then(|contact| self.hit_at(pair, &contact)) {
                *look = found(hit);
                if *look == Look::NoFurther {
                    break;
                }
            }
        }
        self.queued = 0;
    }

    fn forms(&self, pair: [u8; 2]) -> [HitboxShape; 2] {
        [0, 1].map(|side| self.bodies[side].form(self.starts[side] + usize::from(pair[side])))
    }

    fn hit(&mut self, pair: [u8; 2], max_time: f32) -> Option<SweepHit> {
        let ([a, b], forms) = (self.bodies, self.forms(pair));
        let places = pair.map(usize::from);
        let [first, second] = [0, 1].map(|side| self.starts[side] + places[side]);
        for (side, index) in [first, second].into_iter().enumerate() {
            if self.known[side] >> places[side] & 1 == 0 {
                self.motions[side][places[side]] = self.bodies[side].motion(index);
                self.known[side] |= 1 << places[side];
            }
        }
        let [one, other] = [0, 1].map(|side| &self.motions[side][places[side]]);
        let contact = if forms == [HitboxShape::Box; 2] {
            kernels::first_contact(self.kernel, one, other, self.relative_tolerance, max_time)
        } else {
            let (one, other) = (MovingSolid::of_body(a, first, one), MovingSolid::of_body(b, second, other));
            one.first_contact(&other, self.relative_tolerance, max_time)
        }?;
        self.hit_at(pair, &contact)
    }

    /// The hit of two boxes at their first contact.
    fn hit_at(&self, pair: [u8; 2], contact: &FirstContact) -> Option<SweepHit> {
        let [a, b] = self.bodies;
        let [first, second] = [0, 1].map(|side| self.starts[side] + usize::from(pair[side]));
        let (time, direction) = (contact.time, contact.direction);
        let [box_a, box_b] = [first, second].map(|index| BoxIndex(index as u16));
        let (joint_a, joint_b) = (a.joint(first), b.joint(second));
        // Boxes whose bounds do not overlap do not hit each other, even if they are within the tolerance.
        let overlap = contact.gap == 0.0 && self.forms(pair) == [HitboxShape::Box; 2];
        let bounds =
            |side: usize| self.chunks[side][usize::from(pair[side]) / LANES].get(usize::from(pair[side]) % LANES);
        let near = overlap || bounds(0).overlaps(&bounds(1));
        near.then_some(SweepHit { box_a, box_b, joint_a, joint_b, time, direction })
    }
}
