//! When do two moving characters meet within a tick?

use crate::box_lanes::{Bounds, Record};
use crate::{BoxIndex, PosedCharacter};
use geometry_core::{Obb, ObbMotion};
use glam::Vec3;
use skeleton::JointIndex;

/// Two joints that meet while both move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepHit {
    /// Of the first character.
    pub a: JointIndex,
    /// Of the second character.
    pub b: JointIndex,
    /// Of the first contact: 0 at the first poses, 1 at the last. Never later than the true one.
    pub time: f32,
    /// Unit vector from the box of `a` towards that of `b` in which they meet, world space.
    pub direction: Vec3,
}

/// The two poses of a body are of different characters, or one was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a body cannot move from a pose of {from} boxes to one of {to}; pose the same character twice")]
pub struct MotionError {
    /// Boxes of the first pose.
    pub from: usize,
    /// Boxes of the last pose.
    pub to: usize,
}

/// A body that moves from one pose to another within a tick.
///
/// Each box's centre moves on a straight line and its axes turn about one fixed axis, both at constant speed, by less
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
    /// The poses have different numbers of boxes.
    pub fn new(from: &'a PosedCharacter, to: &'a PosedCharacter) -> Result<Self, MotionError> {
        if from.records.len() != to.records.len() {
            return Err(MotionError { from: from.records.len(), to: to.records.len() });
        }
        Ok(Self { from, to })
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
        self.from.joints[index]
    }

    fn swept(&self, index: usize) -> Bounds {
        swept_bounds(&self.from.records[index], &self.to.records[index])
    }

    pub(crate) fn bounds(&self) -> Bounds {
        (0..self.len()).fold(Bounds::EMPTY, |around, index| around.union(&self.swept(index)))
    }

    fn motion(&self, index: usize) -> Option<ObbMotion> {
        motion(&self.from.records[index].obb()?, &self.to.records[index].obb()?)
    }
}

/// With the larger half extents, so that a box that grows is not missed.
fn motion(from: &Obb, to: &Obb) -> Option<ObbMotion> {
    let half = from.half_extents().max(to.half_extents());
    let from = Obb::try_new(from.center(), half, from.axes()).ok()?;
    Some(ObbMotion::between(&from, to))
}

/// Around all that a box passes through.
///
/// A corner's place is its centre's, on a line, and an arc of radius `r` and angle `t`. A line through the arc's ends at
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

/// Which joints of two moving bodies meet, and when first: no tunnelling, at any speed.
///
/// `hits` is overwritten: one entry a pair of joints, sorted by joint of `a`, then of `b`. Joints that touch at the
/// start meet at time 0. Times are never late; they are early by no more than the time it takes to close a gap of
/// `relative_tolerance` times the sum of both boxes' half extents, and boxes that pass each other nearer than that are
/// listed ([`geometry_core::Obb::first_contact`]). 1e-4 is a good tolerance; the least is 1e-6. Allocates only where
/// `hits` must grow.
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
/// sweep(&BodyMotion::new(&left, &right)?, &BodyMotion::still(&post), 1e-4, &mut hits);
/// assert_eq!(hits.len(), 4);
/// assert!(hits.iter().all(|hit| (hit.time - 99.4 / 200.0).abs() < 1e-4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep(a: &BodyMotion<'_>, b: &BodyMotion<'_>, relative_tolerance: f32, hits: &mut Vec<SweepHit>) {
    hits.clear();
    each_sweep_hit(
        a,
        b,
        relative_tolerance,
        &mut Look::Until(1.0),
        |_, _| true,
        |hit| {
            hits.push(hit);
            Look::Until(1.0)
        },
    );
    // Of joints with several boxes, the first contact; `time` is never negative, so that its bits sort as it does.
    let pair = |hit: &SweepHit| (hit.a, hit.b);
    hits.sort_unstable_by_key(|hit| (pair(hit), hit.time.to_bits()));
    hits.dedup_by_key(|hit| pair(hit));
}

/// The first hit of all, of several at once the one of the least joints; see [`sweep`].
#[must_use]
pub fn sweep_first(a: &BodyMotion<'_>, b: &BodyMotion<'_>, relative_tolerance: f32) -> Option<SweepHit> {
    let mut best: Option<SweepHit> = None;
    each_sweep_hit(
        a,
        b,
        relative_tolerance,
        &mut Look::Until(1.0),
        |_, _| true,
        |hit| {
            let key = |hit: &SweepHit| (hit.time.to_bits(), hit.a, hit.b);
            let first = *best.get_or_insert(hit);
            let first = if key(&hit) < key(&first) { hit } else { first };
            best = Some(first);
            Look::Until(first.time)
        },
    );
    best
}

/// Whether any joints meet; stops at the first found. See [`sweep`].
#[must_use]
pub fn sweep_any(a: &BodyMotion<'_>, b: &BodyMotion<'_>, relative_tolerance: f32) -> bool {
    let mut any = false;
    each_sweep_hit(
        a,
        b,
        relative_tolerance,
        &mut Look::Until(1.0),
        |_, _| true,
        |_| {
            any = true;
            Look::NoFurther
        },
    );
    any
}

/// A box of a body that a moving box hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CastHit {
    /// The joint that the box moves with.
    pub joint: JointIndex,
    /// Which of the character's boxes.
    pub box_index: BoxIndex,
    /// Of the first contact, between 0 and 1; never later than the true one.
    pub time: f32,
    /// Unit vector from the weapon towards the box in which they meet, world space.
    pub direction: Vec3,
}

/// Which boxes of a moving body a box-shaped weapon hits on its way from one pose to another, and when: `hits` is
/// overwritten, earliest first. The weapon's half extents are the larger ones of both. See [`sweep`] for times and
/// tolerance.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::{BodyMotion, PosedCharacter, cast_box}; use geometry_core::Obb; use glam::{Affine3A, Quat, Vec3};
/// # let arm = example::arm("Arm");
/// # let mut posed = PosedCharacter::new();
/// posed.pose_from_rest(&arm, &Affine3A::IDENTITY)?;
/// let blade = |x| Obb::from_orientation(Vec3::new(x, 2.5, 0.0), Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
/// let mut hits = Vec::new();
/// cast_box(&blade(-3.0), &blade(3.0), &BodyMotion::still(&posed), 1e-4, &mut hits);
/// assert_eq!(arm.joint_name(hits[0].joint), "fore");
/// assert!((hits[0].time - 2.68 / 6.0).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cast_box(from: &Obb, to: &Obb, body: &BodyMotion<'_>, relative_tolerance: f32, hits: &mut Vec<CastHit>) {
    hits.clear();
    let Some(weapon) = CastBox::new(from, to) else { return };
    weapon.each_hit(
        body,
        relative_tolerance,
        &mut Look::Until(1.0),
        |_| true,
        |hit| {
            hits.push(hit);
            Look::Until(1.0)
        },
    );
    hits.sort_unstable_by_key(CastHit::key);
}

impl CastHit {
    /// Earlier first; of boxes met at once, the first. Times are never negative and sort as their bits.
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
    /// `None` where a box cannot be that large.
    pub(crate) fn new(from: &Obb, to: &Obb) -> Option<Self> {
        let record = |one: &Obb| Record::new(one.center(), one.half_extents(), &one.axes());
        Some(Self { motion: motion(from, to)?, bounds: swept_bounds(&record(from), &record(to)) })
    }

    /// Calls `found` for each of the body's wanted boxes that the weapon hits, in order of their numbers.
    pub(crate) fn each_hit(
        &self,
        body: &BodyMotion<'_>,
        relative_tolerance: f32,
        look: &mut Look,
        wanted: impl Fn(usize) -> bool,
        mut found: impl FnMut(CastHit) -> Look,
    ) {
        for index in 0..body.len() {
            let Look::Until(limit) = *look else { return };
            if !(self.bounds.overlaps(&body.swept(index)) && wanted(index)) {
                continue;
            }
            let Some(motion) = body.motion(index) else { continue };
            let contact = Obb::first_contact_until(&self.motion, &motion, relative_tolerance, limit);
            let Some(contact) = contact else { continue };
            let (joint, box_index) = (body.joint(index), BoxIndex(index as u16));
            *look = found(CastHit { joint, box_index, time: contact.time, direction: contact.direction });
        }
    }
}

/// Calls `found` for each wanted pair of boxes (by their numbers) that meet.
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
            let Some(motion) = bounds.overlaps(&around).then(|| a.motion(first)).flatten() else { continue };
            for (place, other) in swept.iter().enumerate() {
                let second = start + place;
                if !(bounds.overlaps(other) && wanted(first, second)) {
                    continue;
                }
                let Look::Until(limit) = *look else { return };
                let Some(other) = motions[place].get_or_insert_with(|| b.motion(second)) else { continue };
                let contact = Obb::first_contact_until(&motion, other, relative_tolerance, limit);
                let Some(contact) = contact else { continue };
                let (time, direction) = (contact.time, contact.direction);
                *look = found(SweepHit { a: a.joint(first), b: b.joint(second), time, direction });
            }
        }
    }
}
