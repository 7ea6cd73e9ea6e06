//! Finds the hitboxes of two moving characters that hit each other within a tick, and when.

use super::contact::{Contact, ContactPoints};
use crate::Bounds;
use crate::kernels;
use crate::kernels::layout::{LANES, Record};
use crate::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use baked_format::HitboxShape;
use geometry_core::{BoxedShape, Obb, ObbMotion};
use glam::Vec3;
use skeleton::JointIndex;
use std::sync::Arc;

/// The tolerance that sweeps and casts use where they are given none: a share of both boxes' half extents, no unit.
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
    /// Time of the first contact: 0 at the first poses, 1 at the last. Never later than the true one.
    pub time: f32,
    /// Unit vector from `box_a` towards `box_b` along which they hit each other, world space.
    pub direction: Vec3,
}

impl SweepHit {
    /// Where the two boxes are in contact at [`SweepHit::time`], and how deep: deep only where they overlap from the
    /// start. `a` and `b` are the motions that were swept; `None` where they have no such boxes.
    #[must_use]
    pub fn contact(&self, a: &BodyMotion<'_>, b: &BodyMotion<'_>) -> Option<Contact> {
        let (one, other) = (a.solid_at(self.box_a, self.time)?, b.solid_at(self.box_b, self.time)?);
        Some(Contact::between(&one, (self.box_a, self.joint_a), &other, (self.box_b, self.joint_b)))
    }
}

/// The two poses of a motion are of different characters, or one of them is no pose.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a body cannot move from a pose of {from:?} to a pose of {to:?}; pose the same character twice")]
pub struct MotionError {
    /// Name of the character of the first pose; empty where there is none.
    pub from: Arc<str>,
    /// Name of the character of the last pose; empty where there is none.
    pub to: Arc<str>,
}

/// A body that moves from one pose to another within a tick.
///
/// Each hitbox moves with its box. The box's center moves on a straight line and its axes turn about one fixed axis, both at constant speed, by less
/// than half a turn; half extents are the larger ones of the two poses.
#[derive(Clone, Copy, Debug)]
pub struct BodyMotion<'a> {
    from: &'a PosedCharacter,
    to: &'a PosedCharacter,
}

impl<'a> BodyMotion<'a> {
    /// From one pose to another of the same character.
    ///
    /// # Errors
    /// The poses are of different characters, or one of them is no pose.
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

    /// A body that stays.
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
            HitboxShape::Box => BoxedShape::Box,
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
        motion(&self.from.records[index].posed_obb(), &self.to.records[index].posed_obb())
    }

    fn is_still(&self) -> bool {
        std::ptr::eq(self.from, self.to)
    }

    /// Calls `found` with the boxes whose swept bounds may reach into `bounds`, in order of their numbers: with all where
    /// the body moves. `found` answers whether it wants more.
    fn each_near_box(&self, bounds: &Bounds, mut found: impl FnMut(usize) -> bool) {
        if !self.is_still() {
            let _ = (0..self.len()).all(found);
            return;
        }
        // Swept bounds of a box that stays are its bounds, enlarged by less than this.
        let reach = self.to.bounds.max.abs().max(self.to.bounds.min.abs());
        let slack = reach + (self.to.bounds.max - self.to.bounds.min);
        let slack = Vec3::splat((slack.x + slack.y + slack.z) * SWEPT_SLACK);
        let bounds = Bounds { min: bounds.min - slack, max: bounds.max + slack };
        for (block, lanes) in self.to.blocks.iter().enumerate() {
            let mut mask = kernels::near(self.to.kernel, &bounds, lanes);
            while mask != 0 {
                if !found(block * LANES + mask.trailing_zeros() as usize) {
                    return;
                }
                mask &= mask - 1;
            }
        }
    }
}

/// By how much the swept bounds of a box that stays are larger than its bounds, at most, as a share of the body's
/// coordinates and size: [`swept_bounds`] takes the box for one that turns by what cosines round by.
const SWEPT_SLACK: f32 = 1.0 / 262_144.0;

/// With the larger half extents, so that a box that grows is not missed. The capsule of the larger box holds those of both.
fn motion(from: &Obb, to: &Obb) -> ObbMotion {
    let half = from.half_extents().max(to.half_extents());
    ObbMotion::between(&Obb::from_valid_parts(from.center(), half, from.axes()), to)
}

/// Around all that a box passes through.
///
/// A corner's place is its center's, on a line, and an arc of radius `r` and angle `t`. A line through the arc's ends at
/// the same times is never farther from it than `r t² / 8` (the error of linear interpolation), and `t² <= π² (1 - cos
/// t) / 2`, so that the union of both ends' bounds, enlarged by `π² r (1 - cos t) / 16`, holds everything.
fn swept_bounds(from: &Record, to: &Record) -> Bounds {
    let half = from.half().max(to.half());
    let radius = (half.x * half.x + half.y * half.y + half.z * half.z).sqrt();
    let (a, b) = (from.axes(), to.axes());
    let cosine = (a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis) - 1.0) * 0.5;
    const SIXTEENTH_OF_PI_SQUARED: f32 = 0.616_851;
    let bend = SIXTEENTH_OF_PI_SQUARED * radius * ((1.0 - cosine).max(0.0) + 4.0 * f32::EPSILON);
    let grown = |record: &Record| Record::new(record.center(), half, &record.axes()).bounds();
    let ends = grown(from).union(&grown(to));
    Bounds { min: (ends.min - bend).map(f32::next_down), max: (ends.max + bend).map(f32::next_up) }
}

/// Finds the hitboxes of two moving bodies that hit each other, and when first: no tunneling, at any speed.
///
/// `hits` is overwritten: one entry for each pair of boxes, sorted by box of `a`, then of `b`. Boxes that overlap at the
/// start hit each other at time 0. Times are never late; they are early by no more than the time it takes to close a gap
/// of `relative_tolerance` times the sum of both boxes' half extents, and boxes that pass each other nearer than that are
/// listed ([`geometry_core::Obb::first_contact`]). `None` is [`DEFAULT_SWEEP_TOLERANCE`]; the least is 1e-6. Allocates
/// only where `hits` must grow.
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

/// The first hit of all, of several at once the one of the least boxes; see [`sweep`].
#[must_use]
pub fn sweep_first(
    a: &BodyMotion<'_>,
    b: &BodyMotion<'_>,
    relative_tolerance: impl Into<Option<f32>>,
) -> Option<SweepHit> {
    let mut best: Option<SweepHit> = None;
    let keep_first = |hit: SweepHit| {
        // Times are never negative and sort as their bits.
        let key = |hit: &SweepHit| (hit.time.to_bits(), hit.box_a, hit.box_b);
        let first = *best.get_or_insert(hit);
        let first = if key(&hit) < key(&first) { hit } else { first };
        best = Some(first);
        Look::Until(first.time)
    };
    each_sweep_hit(a, b, tolerance(relative_tolerance), &mut Look::Until(1.0), |_, _| true, keep_first);
    best
}

/// Whether any hitboxes hit each other; stops at the first found. See [`sweep`].
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
    relative_tolerance.into().unwrap_or(DEFAULT_SWEEP_TOLERANCE)
}

/// A hitbox of a body that a moving box hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The hitbox: [`crate::Character::hitbox`] has its name and tags.
    pub box_index: BoxIndex,
    /// The joint it is attached to.
    pub joint: JointIndex,
    /// Time of the first contact, 0 to 1; never later than the true one.
    pub time: f32,
    /// Unit vector from the moving box towards the hitbox along which they hit each other, world space.
    pub direction: Vec3,
}

/// Where a moving box is in contact with a hitbox.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastContact {
    /// The middle of the contact, world space.
    pub point: Vec3,
    /// How deep the two overlap at the time of the hit, in world units: 0 or nearly so, unless they overlap from the
    /// start.
    pub depth: f32,
    /// Unit vector of least penetration, from the moving box towards the hitbox, world space.
    pub direction: Vec3,
}

impl CastHit {
    /// Where the two boxes are in contact at [`CastHit::time`]. `from`, `to` and `body` are those of the cast; `None`
    /// where the body has no such box.
    #[must_use]
    pub fn contact(&self, from: &Obb, to: &Obb, body: &BodyMotion<'_>) -> Option<CastContact> {
        let (one, other) = (motion(from, to).at(self.time), body.solid_at(self.box_index, self.time)?);
        let points = ContactPoints::between(&Solid::Box(one), &other);
        Some(CastContact { point: points.center(), depth: points.depth, direction: points.direction })
    }
}

/// Finds the hitboxes of a moving body that a box hits on its way from one pose to another, and when: a blade, a
/// projectile, a thrown chair. `hits` is overwritten, earliest first. The moving box's half extents are the larger ones of both poses.
/// See [`sweep`] for times and tolerance.
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
    let push = |hit| {
        hits.push(hit);
        Look::Until(1.0)
    };
    cast.each_hit(body, tolerance(relative_tolerance), &mut Look::Until(1.0), |_| true, push);
    hits.sort_unstable_by_key(CastHit::key);
}

impl CastHit {
    /// Earlier first; of boxes hit at once, the first. Times are never negative and sort as their bits.
    pub(crate) fn key(&self) -> (u32, BoxIndex) {
        (self.time.to_bits(), self.box_index)
    }
}

/// What to look for after an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    /// For contacts not later than this.
    Until(f32),
    /// For nothing.
    NoFurther,
}

/// A box on its way, and bounds around all that it passes through.
pub(crate) struct CastBox {
    motion: ObbMotion,
    pub(crate) bounds: Bounds,
}

impl CastBox {
    pub(crate) fn new(from: &Obb, to: &Obb) -> Self {
        let record = |one: &Obb| Record::new(one.center(), one.half_extents(), &one.axes());
        Self { motion: motion(from, to), bounds: swept_bounds(&record(from), &record(to)) }
    }

    /// Calls `found` for each of the body's wanted boxes that the moving box hits, in order of their numbers.
    pub(crate) fn each_hit(
        &self,
        body: &BodyMotion<'_>,
        relative_tolerance: f32,
        look: &mut Look,
        wanted: impl Fn(usize) -> bool,
        mut found: impl FnMut(CastHit) -> Look,
    ) {
        body.each_near_box(&self.bounds, |index| {
            let Look::Until(max_time) = *look else { return false };
            if !(self.bounds.overlaps(&body.swept(index)) && wanted(index)) {
                return true;
            }
            let (motion, shape) = (body.motion(index), body.shape(index));
            let contact = self.motion.first_contact_of(BoxedShape::Box, &motion, shape, relative_tolerance, max_time);
            if let Some(contact) = contact {
                let (joint, box_index) = (body.joint(index), BoxIndex(index as u16));
                *look = found(CastHit { joint, box_index, time: contact.time, direction: contact.direction });
            }
            true
        });
    }
}

/// Calls `found` for each wanted pair of boxes (by their numbers) that hit each other.
pub(crate) fn each_sweep_hit(
    a: &BodyMotion<'_>,
    b: &BodyMotion<'_>,
    relative_tolerance: f32,
    look: &mut Look,
    wanted: impl Fn(usize, usize) -> bool,
    mut found: impl FnMut(SweepHit) -> Look,
) {
    /// Boxes of `b` whose swept bounds and motions are kept at a time.
    const CHUNK: usize = 64;
    let around_a = a.bounds();
    for start in (0..b.len()).step_by(CHUNK) {
        let mut swept = [Bounds::EMPTY; CHUNK];
        let swept = &mut swept[..CHUNK.min(b.len() - start)];
        swept.iter_mut().zip(start..).for_each(|(bounds, index)| *bounds = b.swept(index));
        let around = swept.iter().fold(Bounds::EMPTY, |around, bounds| around.union(bounds));
        if !around.overlaps(&around_a) {
            continue;
        }
        let mut motions = [const { None }; CHUNK];
        for first in 0..a.len() {
            let bounds = a.swept(first);
            if !bounds.overlaps(&around) {
                continue;
            }
            let (motion, shape) = (a.motion(first), a.shape(first));
            for (place, other) in swept.iter().enumerate() {
                let second = start + place;
                if !(bounds.overlaps(other) && wanted(first, second)) {
                    continue;
                }
                let Look::Until(max_time) = *look else { return };
                let other = motions[place].get_or_insert_with(|| b.motion(second));
                let contact = motion.first_contact_of(shape, other, b.shape(second), relative_tolerance, max_time);
                let Some(contact) = contact else { continue };
                let (time, direction) = (contact.time, contact.direction);
                let [box_a, box_b] = [first, second].map(|index| BoxIndex(index as u16));
                let (joint_a, joint_b) = (a.joint(first), b.joint(second));
                *look = found(SweepHit { box_a, box_b, joint_a, joint_b, time, direction });
            }
        }
    }
}
