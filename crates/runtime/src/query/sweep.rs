//! Finds the hitboxes of two moving characters that hit each other within a tick, and the time of each hit.

use super::contact::{Contact, ContactPoints};
use crate::Bounds;
use crate::kernels::layout::{BoundsBlock, LANES, Record, Row};
use crate::kernels::sweep_lanes::{MovingPairs, swept_bounds};
use crate::kernels::{self, Kernel};
use crate::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use baked_format::HitboxShape;
use geometry_core::tolerances::LEAST_CONTACT_TOLERANCE;
use geometry_core::{BoxedShape, Obb, ObbMotion};
use glam::Vec3;
use skeleton::JointIndex;
use std::sync::Arc;

/// The default tolerance of sweeps and box casts, relative to the half extents of both boxes (no unit).
pub const DEFAULT_SWEEP_TOLERANCE: f32 = 1e-4;

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
    /// The contact of the two hitboxes at [`SweepHit::time`]. Its depth is 0 or nearly 0, unless the hitboxes overlap
    /// from the start. `a` and `b` are the motions of the sweep; `None` if they do not have these boxes.
    #[must_use]
    pub fn contact(&self, a: &BodyMotion<'_>, b: &BodyMotion<'_>) -> Option<Contact> {
        let (one, other) = (a.solid_at(self.box_a, self.time)?, b.solid_at(self.box_b, self.time)?);
        Some(Contact::between(a.to.kernel, &one, (self.box_a, self.joint_a), &other, (self.box_b, self.joint_b)))
    }
}

/// The two poses of a motion are of different characters, or one of them is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a body cannot move from a pose of {from:?} to a pose of {to:?}; pose the same character twice")]
pub struct MotionError {
    /// The name of the character of the first pose; empty if there is no pose.
    pub from: Arc<str>,
    /// The name of the character of the last pose; empty if there is no pose.
    pub to: Arc<str>,
}

/// A body that moves from one pose to another within a tick.
///
/// Each hitbox moves with its box. The box's center moves on a straight line and its axes turn about one fixed axis by
/// less than half a turn, both at constant speed. The half extents are the larger ones of the two poses.
#[derive(Clone, Copy, Debug)]
pub struct BodyMotion<'a> {
    from: &'a PosedCharacter,
    to: &'a PosedCharacter,
}

impl<'a> BodyMotion<'a> {
    /// A motion from one pose to another pose of the same character.
    ///
    /// # Errors
    /// Returns an error if the poses are of different characters, or if either is not posed.
    pub fn new(from: &'a PosedCharacter, to: &'a PosedCharacter) -> Result<Self, MotionError> {
        match (&from.hitboxes, &to.hitboxes) {
            (Some(first), Some(last)) if first.is_same(last) => Ok(Self { from, to }),
            (first, last) => {
                let name = |of: &Option<Arc<crate::character::HitboxTable>>| {
                    of.as_ref().map_or_else(|| "".into(), |hitboxes| Arc::clone(&hitboxes.name))
                };
                Err(MotionError { from: name(first), to: name(last) })
            }
        }
    }

    /// The motion of a body that stands still.
    #[must_use]
    pub fn still(posed: &'a PosedCharacter) -> Self {
        Self { from: posed, to: posed }
    }

    fn len(&self) -> usize {
        self.from.records.len()
    }

    fn joint(&self, index: usize) -> JointIndex {
        self.from.joints()[index]
    }

    fn solid_at(&self, index: BoxIndex, time: f32) -> Option<Solid> {
        let index = index.index();
        (index < self.len()).then(|| Solid::new(self.from.form(index), self.motion(index).at(time)))
    }

    /// The shape of a hitbox, which moves with its box.
    fn shape(&self, index: usize) -> BoxedShape {
        match self.from.form(index) {
            HitboxShape::Box | HitboxShape::Hull => BoxedShape::Box,
            HitboxShape::Capsule => BoxedShape::Capsule,
            HitboxShape::Sphere => BoxedShape::Ball,
        }
    }

    fn swept(&self, index: usize) -> Bounds {
        swept_bounds(&self.from.records[index], &self.to.records[index])
    }

    pub(crate) fn bounds(&self) -> Bounds {
        (0..self.len()).fold(Bounds::EMPTY, |around, index| around.union(&self.swept(index)))
    }

    fn motion(&self, index: usize) -> ObbMotion {
        if self.is_still() {
            return ObbMotion::still(&self.to.records[index].posed_obb());
        }
        motion(&self.from.records[index].posed_obb(), &self.to.records[index].posed_obb())
    }

    fn is_still(&self) -> bool {
        std::ptr::eq(self.from, self.to)
    }

    /// Calls `found` with the indices of the boxes whose swept bounds may reach into `bounds`, in ascending order. A
    /// few other boxes may be passed too.
    fn each_near_box(&self, bounds: &Bounds, mut found: impl FnMut(usize)) {
        if !self.is_still() {
            for start in (0..self.len()).step_by(CHUNK) {
                let swept = SweptChunk::new(self, start);
                swept.each_near_box(self.to.kernel, bounds, |place| found(start + place));
            }
            return;
        }
        // The swept bounds of a box that stands still are its bounds, enlarged by less than this.
        let reach = self.to.bounds.max.abs().max(self.to.bounds.min.abs());
        let slack = reach + (self.to.bounds.max - self.to.bounds.min);
        let slack = Vec3::splat((slack.x + slack.y + slack.z) * SWEPT_SLACK);
        let bounds = Bounds { min: bounds.min - slack, max: bounds.max + slack };
        each_near_lane(self.to.kernel, &bounds, &self.to.blocks, found);
    }

    /// The records of a box in the first and in the last pose.
    fn records(&self, index: usize) -> [&'a Record; 2] {
        [&self.from.records[index], &self.to.records[index]]
    }
}

/// Calls `found` with the lanes whose bounds reach into `bounds`.
fn each_near_lane(kernel: Kernel, bounds: &Bounds, blocks: &[BoundsBlock], mut found: impl FnMut(usize)) {
    for (block, lanes) in blocks.iter().enumerate() {
        let mut mask = kernels::near(kernel, bounds, lanes);
        while mask != 0 {
            found(block * LANES + mask.trailing_zeros() as usize);
            mask &= mask - 1;
        }
    }
}

/// The number of boxes of a moving body whose swept bounds are kept at a time.
const CHUNK: usize = 64;

/// The bounds of the space that some boxes of a body pass through.
struct SweptChunk {
    blocks: [BoundsBlock; CHUNK / LANES],
    len: usize,
}

impl SweptChunk {
    /// Computes the swept bounds of the boxes from `start` on, at most [`CHUNK`].
    fn new(body: &BodyMotion<'_>, start: usize) -> Self {
        let end = body.len().min(start + CHUNK);
        let mut chunk = Self { blocks: [BoundsBlock::EMPTY; CHUNK / LANES], len: end - start };
        let blocks = &mut chunk.blocks[..chunk.len.div_ceil(LANES)];
        kernels::swept_bounds(body.to.kernel, &body.from.records[start..end], &body.to.records[start..end], blocks);
        chunk
    }

    fn bounds(&self, place: usize) -> Bounds {
        self.blocks[place / LANES].get(place % LANES)
    }

    /// The union of the swept bounds of all boxes of the chunk.
    fn around(&self) -> Bounds {
        (0..self.len).fold(Bounds::EMPTY, |around, place| around.union(&self.bounds(place)))
    }

    fn each_near_box(&self, kernel: Kernel, bounds: &Bounds, found: impl FnMut(usize)) {
        each_near_lane(kernel, bounds, &self.blocks[..self.len.div_ceil(LANES)], found);
    }
}

/// The most by which the swept bounds of a box that stands still exceed its bounds, as a share of the body's
/// coordinates and size: cosines are rounded, so [`swept_bounds`] treats the box as if it turned a little.
const SWEPT_SLACK: f32 = 1.0 / 262_144.0;

/// A motion with the larger half extents of the two poses, so that a box that grows is not missed. The capsule of the
/// larger box contains the capsules of both.
fn motion(from: &Obb, to: &Obb) -> ObbMotion {
    let half = from.half_extents().max(to.half_extents());
    ObbMotion::between(&Obb::from_valid_parts(from.center(), half, from.axes()), to)
}

/// Finds the hitboxes of two moving bodies that hit each other, and the first time of each hit. Fast bodies do not
/// tunnel.
///
/// `hits` is overwritten: one entry for each pair of boxes, sorted by box of `a`, then of `b`. Boxes that overlap at
/// the start hit each other at time 0. Times are never late. They are early by at most the time that it takes to close
/// a gap of `relative_tolerance` times the sum of both boxes' half extents; boxes that pass each other at a smaller
/// distance than this gap are listed too ([`geometry_core::Obb::first_contact`]). `None` is
/// [`DEFAULT_SWEEP_TOLERANCE`]; the least tolerance is 1e-6. Allocates only if `hits` must grow.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{BodyMotion, PosedCharacter, overlaps, sweep}; use glam::{Affine3A, Vec3};
/// # let arm = example::arm("Arm");
/// let place = |x: f32| {
///     let mut posed = PosedCharacter::new();
///     posed.pose_from_rest(&arm, &Affine3A::from_translation(Vec3::X * x)).map(|()| posed)
/// };
/// let (left, right, post) = (place(-100.0)?, place(100.0)?, place(0.0)?);
/// assert!(!overlaps(&left, &post) && !overlaps(&right, &post));
/// let mut hits = Vec::new();
/// let (moving, still) = (BodyMotion::new(&left, &right)?, BodyMotion::still(&post));
/// sweep(&moving, &still, None, &mut hits);
/// assert_eq!(hits.len(), 4);
/// assert!(hits.iter().all(|hit| (hit.time - 99.4 / 200.0).abs() < 1e-4));
/// let contact = hits[0].contact(&moving, &still).unwrap(); // the upper arms, a face on a face
/// assert!(contact.depth < 1e-3 && (contact.center() - Vec3::new(-0.3, 1.5, 0.0)).length() < 0.02, "{contact:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep(
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
    each_sweep_hit(a, b, tolerance(relative_tolerance), &mut Look::Until(1.0), |_, _| true, push);
    hits.sort_unstable_by_key(|hit| (hit.box_a, hit.box_b));
}

/// The first hit. Of several hits at the same time, the hit of the least boxes. See [`sweep`].
#[must_use]
pub fn sweep_first(
    a: &BodyMotion<'_>,
    b: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
) -> Option<SweepHit> {
    let mut best: Option<SweepHit> = None;
    let keep_first = |hit: SweepHit| {
        // The bits of nonnegative times sort like the times.
        let key = |hit: &SweepHit| (hit.time.to_bits(), hit.box_a, hit.box_b);
        let first = *best.get_or_insert(hit);
        let first = if key(&hit) < key(&first) { hit } else { first };
        best = Some(first);
        Look::Until(first.time)
    };
    each_sweep_hit(a, b, tolerance(relative_tolerance), &mut Look::Until(1.0), |_, _| true, keep_first);
    best
}

/// Returns `true` if any hitboxes hit each other. Stops at the first hit found. See [`sweep`].
#[must_use]
pub fn sweep_any(a: &BodyMotion<'_>, b: &BodyMotion<'_>, relative_tolerance: impl Into<Option<f32>>) -> bool {
    let mut any = false;
    let stop = |_| {
        any = true;
        Look::NoFurther
    };
    each_sweep_hit(a, b, tolerance(relative_tolerance), &mut Look::Until(1.0), |_, _| true, stop);
    any
}

pub(crate) fn tolerance(relative_tolerance: impl Into<Option<f32>>) -> f32 {
    // For a NaN, `f32::max` returns the other number.
    relative_tolerance.into().unwrap_or(DEFAULT_SWEEP_TOLERANCE).max(LEAST_CONTACT_TOLERANCE)
}

/// A hitbox of a body that a moving box hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The hitbox: [`crate::Character::hitbox`] has its name and tags.
    pub box_index: BoxIndex,
    /// The joint that the hitbox is attached to.
    pub joint: JointIndex,
    /// The time of the first contact, from 0 to 1; never later than the true time.
    pub time: f32,
    /// The direction of the hit: a unit vector in world space, from the moving box towards the hitbox.
    pub direction: Vec3,
}

/// The contact of a moving box with a hitbox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastContact {
    /// The middle of the contact, in world space.
    pub point: Vec3,
    /// The depth of the overlap at the time of the hit, in world units: 0 or nearly 0, unless the two overlap from the
    /// start.
    pub depth: f32,
    /// The direction of least penetration: a unit vector in world space, from the moving box towards the hitbox.
    pub direction: Vec3,
}

impl CastHit {
    /// The contact of the two at [`CastHit::time`]. Pass the `from`, `to` and `body` of the cast. `None` if the body
    /// does not have this box.
    #[must_use]
    pub fn contact(&self, from: &Obb, to: &Obb, body: &BodyMotion<'_>) -> Option<CastContact> {
        let (one, other) = (motion(from, to).at(self.time), body.solid_at(self.box_index, self.time)?);
        let points = ContactPoints::between(body.to.kernel, &Solid::Box(one), &other);
        Some(CastContact { point: points.center(), depth: points.depth, direction: points.direction })
    }
}

/// Finds the hitboxes of a moving body that a box (a blade, a projectile, a thrown chair) hits while it moves from one
/// pose to another, and the time of each hit. `hits` is overwritten, the earliest first. The moving box has the larger
/// half extents of both poses. See [`sweep`] for times and tolerance.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{BodyMotion, PosedCharacter, cast_box}; use geometry_core::Obb; use glam::{Affine3A, Quat, Vec3};
/// # let arm = example::arm("Arm");
/// # let mut posed = PosedCharacter::new();
/// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// let blade = |x| Obb::from_orientation(Vec3::new(x, 2.5, 0.0), Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
/// let mut hits = Vec::new();
/// let body = BodyMotion::still(&posed);
/// cast_box(&blade(-3.0), &blade(3.0), &body, None, &mut hits);
/// assert_eq!(arm.joint_name(hits[0].joint), "fore");
/// assert!((hits[0].time - 2.68 / 6.0).abs() < 1e-4);
/// let contact = hits[0].contact(&blade(-3.0), &blade(3.0), &body).unwrap();
/// assert!((contact.point - Vec3::new(-0.3, 2.5, 0.0)).length() < 0.01 && contact.depth < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_box(
    from: &Obb,
    to: &Obb,
    body: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
    hits: &mut Vec<CastHit>,
) {
    hits.clear();
    let cast = CastBox::new(from, to);
    let mut push = |(), hit| {
        hits.push(hit);
        Look::Until(1.0)
    };
    let mut search = CastSearch::new(&cast, body.to.kernel, tolerance(relative_tolerance));
    cast.each_near_box(body, |index| search.add(*body, (), index, &mut push));
    search.finish(&mut push);
    hits.sort_unstable_by_key(CastHit::key);
}

impl CastHit {
    /// The sort key: the earliest hit first; of several at the same time, the first box. The bits of nonnegative times
    /// sort like the times.
    pub(crate) fn key(&self) -> (u32, BoxIndex) {
        (self.time.to_bits(), self.box_index)
    }
}

/// The range of the search after a hit was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    /// Search for contacts that are not later than this time.
    Until(f32),
    /// Stop the search.
    NoFurther,
}

/// A moving box, and the bounds of the space that it passes through.
pub(crate) struct CastBox {
    motion: ObbMotion,
    /// The records of the box in the first and in the last pose.
    records: [Record; 2],
    pub(crate) bounds: Bounds,
}

impl CastBox {
    pub(crate) fn new(from: &Obb, to: &Obb) -> Self {
        let records = [from, to].map(|one| Record::new(one.center(), one.half_extents(), &one.axes()));
        Self { motion: motion(from, to), bounds: swept_bounds(&records[0], &records[1]), records }
    }

    /// Calls `found` with the indices of the body's boxes that the moving box may hit, in ascending order.
    pub(crate) fn each_near_box(&self, body: &BodyMotion<'_>, found: impl FnMut(usize)) {
        body.each_near_box(&self.bounds, found);
    }
}

/// Finds the hits of a moving box. Hitboxes of any number of bodies wait until they fill whole vectors; a vector test
/// rules out most of them together, and the others are tested one by one.
pub(crate) struct CastSearch<'c, 'b, T> {
    cast: &'c CastBox,
    record: [&'b Record; 2],
    kernel: Kernel,
    relative_tolerance: f32,
    pub(crate) look: Look,
    pairs: MovingPairs<'b>,
    waiting: [Option<(BodyMotion<'b>, T, u16)>; LANES],
}

impl<'c: 'b, 'b, T: Copy> CastSearch<'c, 'b, T> {
    pub(crate) fn new(cast: &'c CastBox, kernel: Kernel, relative_tolerance: f32) -> Self {
        let record = [&cast.records[0], &cast.records[1]];
        let (look, pairs, waiting) = (Look::Until(1.0), MovingPairs::new(), [None; LANES]);
        Self { cast, record, kernel, relative_tolerance, look, pairs, waiting }
    }

    /// Adds a box of a body, under the key `of`. `found` is called with each hit and returns the range of the further
    /// search.
    pub(crate) fn add(&mut self, body: BodyMotion<'b>, of: T, index: usize, found: impl FnMut(T, CastHit) -> Look) {
        self.waiting[self.pairs.len()] = Some((body, of, index as u16));
        self.pairs.push(self.record, body.records(index));
        if self.pairs.is_full() {
            self.finish(found);
        }
    }

    /// Tests the waiting boxes, starting with the boxes that can be hit earliest.
    pub(crate) fn finish(&mut self, mut found: impl FnMut(T, CastHit) -> Look) {
        let mut entries = [0.0; LANES];
        let mut may_meet = 0;
        if self.pairs.len() > 1 {
            may_meet = kernels::meeting_pairs(self.kernel, &self.pairs, self.relative_tolerance, &mut entries);
        } else if self.pairs.len() == 1 {
            // A single test costs less than ruling it out.
            may_meet = 1;
        }
        for (lane, waiting) in self.waiting[..self.pairs.len()].iter().enumerate() {
            // `meeting_pairs` tests boxes only. A round shape can reach out of its box if it is scaled unevenly.
            if let Some((body, _, index)) = waiting
                && body.shape(usize::from(*index)) != BoxedShape::Box
            {
                may_meet |= 1 << lane;
                entries[lane] = 0.0;
            }
        }
        self.pairs.clear();
        while may_meet != 0 {
            let lane = take_earliest(&mut may_meet, &entries);
            let Look::Until(max_time) = self.look else { return };
            if entries[lane] > max_time {
                return;
            }
            let Some((body, of, index)) = self.waiting[lane] else { continue };
            if let Some(hit) = self.hit(&body, usize::from(index), max_time) {
                self.look = found(of, hit);
            }
        }
    }

    fn hit(&self, body: &BodyMotion<'_>, index: usize, max_time: f32) -> Option<CastHit> {
        let (motion, shape) = (body.motion(index), body.shape(index));
        let contact = match shape {
            BoxedShape::Box => {
                kernels::first_contact(self.kernel, &self.cast.motion, &motion, self.relative_tolerance, max_time)
            }
            _ => self.cast.motion.first_contact_of(BoxedShape::Box, &motion, shape, self.relative_tolerance, max_time),
        }?;
        let (joint, box_index) = (body.joint(index), BoxIndex(index as u16));
        let hit = CastHit { joint, box_index, time: contact.time, direction: contact.direction };
        // A box whose bounds do not overlap is not hit, even if it is within the tolerance.
        self.cast.bounds.overlaps(&body.swept(index)).then_some(hit)
    }
}

/// Removes the lane of the earliest entry from the mask and returns it. The mask must not be empty.
fn take_earliest(mask: &mut u16, entries: &Row) -> usize {
    let mut earliest = mask.trailing_zeros() as usize;
    let mut rest = *mask & (*mask - 1);
    while rest != 0 {
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if entries[lane] < entries[earliest] {
            earliest = lane;
        }
    }
    *mask &= !(1 << earliest);
    earliest
}

/// Calls `found` for each wanted pair of boxes (by box index) that hit each other.
pub(crate) fn each_sweep_hit(
    a: &BodyMotion<'_>,
    b: &BodyMotion<'_>,
    relative_tolerance: f32,
    look: &mut Look,
    wanted: impl Fn(usize, usize) -> bool,
    mut found: impl FnMut(SweepHit) -> Look,
) {
    let kernel = a.to.kernel;
    for start_a in (0..a.len()).step_by(CHUNK) {
        let swept_a = SweptChunk::new(a, start_a);
        let around_a = swept_a.around();
        for start_b in (0..b.len()).step_by(CHUNK) {
            let swept_b = SweptChunk::new(b, start_b);
            let around_b = swept_b.around();
            if !around_a.overlaps(&around_b) {
                continue;
            }
            let mut search = SweepSearch::new([a, b], [start_a, start_b], kernel, relative_tolerance);
            for first in 0..swept_a.len {
                let bounds = swept_a.bounds(first);
                if !bounds.overlaps(&around_b) {
                    continue;
                }
                swept_b.each_near_box(kernel, &bounds, |second| {
                    if wanted(start_a + first, start_b + second) {
                        search.add([first, second], look, &mut found);
                    }
                });
                if *look == Look::NoFurther {
                    return;
                }
            }
            search.finish(look, &mut found);
        }
    }
}

/// Finds the hits among pairs of boxes of two chunks, as [`CastSearch`] does.
struct SweepSearch<'s, 'b> {
    bodies: [&'s BodyMotion<'b>; 2],
    starts: [usize; 2],
    kernel: Kernel,
    relative_tolerance: f32,
    pairs: MovingPairs<'b>,
    waiting: [[u8; 2]; LANES],
    motions: [[Option<ObbMotion>; CHUNK]; 2],
}

impl<'s, 'b> SweepSearch<'s, 'b> {
    fn new(bodies: [&'s BodyMotion<'b>; 2], starts: [usize; 2], kernel: Kernel, relative_tolerance: f32) -> Self {
        let (pairs, waiting) = (MovingPairs::new(), [[0; 2]; LANES]);
        let motions = [const { [const { None }; CHUNK] }; 2];
        Self { bodies, starts, kernel, relative_tolerance, pairs, waiting, motions }
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
            if self.shapes(pair) != [BoxedShape::Box; 2] {
                may_meet |= 1 << lane;
                entries[lane] = 0.0;
            }
        }
        self.pairs.clear();
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

    fn shapes(&self, pair: [u8; 2]) -> [BoxedShape; 2] {
        [0, 1].map(|side| self.bodies[side].shape(self.starts[side] + usize::from(pair[side])))
    }

    fn hit(&mut self, pair: [u8; 2], max_time: f32) -> Option<SweepHit> {
        let ([a, b], shapes) = (self.bodies, self.shapes(pair));
        let [place_a, place_b] = pair.map(usize::from);
        let [first, second] = [self.starts[0] + place_a, self.starts[1] + place_b];
        let [motions_a, motions_b] = &mut self.motions;
        let one = motions_a[place_a].get_or_insert_with(|| a.motion(first));
        let other = motions_b[place_b].get_or_insert_with(|| b.motion(second));
        let contact = match shapes {
            [BoxedShape::Box, BoxedShape::Box] => {
                kernels::first_contact(self.kernel, one, other, self.relative_tolerance, max_time)
            }
            [shape, other_shape] => one.first_contact_of(shape, other, other_shape, self.relative_tolerance, max_time),
        }?;
        let (time, direction) = (contact.time, contact.direction);
        let [box_a, box_b] = [first, second].map(|index| BoxIndex(index as u16));
        let (joint_a, joint_b) = (a.joint(first), b.joint(second));
        // Boxes whose bounds do not overlap do not hit each other, even if they are within the tolerance.
        let near = a.swept(first).overlaps(&b.swept(second));
        near.then_some(SweepHit { box_a, box_b, joint_a, joint_b, time, direction })
    }
}
