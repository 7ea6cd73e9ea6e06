//! Casts: shapes that move from one place to another, against all bodies of a world or against one character.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::borrow;
use crate::memory::{read, write, write_found, write_list};
use crate::pair::{body_motion, tolerance};
use crate::query::{BoneboxFilter, with_filter};
use crate::shapes::{BoneboxShape, BoneboxVec3, ShapeMotion};
use crate::{BoneboxPose, BoneboxWorld};
use runtime::{Bodies, BodyCastHit, BoxIndex, CastContact, CastHit};
use skeleton::JointIndex;

/// A hitbox of a body that a moving shape hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxBodyCastHit {
    /// The id of the body.
    pub body: u64,
    /// The hitbox, an index into the hitboxes of the body's character.
    pub hitbox: u16,
    /// The index of the joint that the hitbox is attached to.
    pub joint: u16,
    /// The time of the first touch, from 0 (the start of the motion) to 1 (its end). It is never later than the true
    /// time.
    pub time: f32,
    /// The direction of the hit: a unit vector from the moving shape towards the hitbox, in world space.
    pub direction: BoneboxVec3,
}

/// A hitbox of a posed character that a moving shape hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxCastHit {
    /// The hitbox, an index into the hitboxes of the character.
    pub hitbox: u16,
    /// The index of the joint that the hitbox is attached to.
    pub joint: u16,
    /// The time of the first touch, from 0 (the start of the motion) to 1 (its end). It is never later than the true
    /// time.
    pub time: f32,
    /// The direction of the hit: a unit vector from the moving shape towards the hitbox, in world space.
    pub direction: BoneboxVec3,
}

/// The contact between a moving shape and the hitbox that it hits, at the time of the hit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxCastContact {
    /// The contact point, in world space.
    pub point: BoneboxVec3,
    /// The depth in world units. It is greater than 0 only if the shape and the hitbox overlap at the start of the
    /// motion.
    pub depth: f32,
    /// A unit vector from the moving shape towards the hitbox, in world space.
    pub direction: BoneboxVec3,
}

impl From<&BodyCastHit> for BoneboxBodyCastHit {
    fn from(hit: &BodyCastHit) -> Self {
        let &BodyCastHit { body, answer: CastHit { box_index, joint, time, direction } } = hit;
        Self { body: body.0, hitbox: box_index.0, joint: joint.0, time, direction: direction.into() }
    }
}

impl From<&CastHit> for BoneboxCastHit {
    fn from(hit: &CastHit) -> Self {
        let &CastHit { box_index, joint, time, direction } = hit;
        Self { hitbox: box_index.0, joint: joint.0, time, direction: direction.into() }
    }
}

impl From<&BoneboxCastHit> for CastHit {
    fn from(hit: &BoneboxCastHit) -> Self {
        let &BoneboxCastHit { hitbox, joint, time, direction } = hit;
        Self { box_index: BoxIndex(hitbox), joint: JointIndex(joint), time, direction: direction.into() }
    }
}

impl From<CastContact> for BoneboxCastContact {
    fn from(contact: CastContact) -> Self {
        let CastContact { point, depth, direction } = contact;
        Self { point: point.into(), depth, direction: direction.into() }
    }
}

/// Evaluates an expression for the first and the last place of a moving shape, which have the type of its kind.
macro_rules! with_motion {
    ($motion:expr, [$from:ident, $to:ident] => $ask:expr) => {
        match $motion {
            ShapeMotion::Sphere([$from, $to]) => $ask,
            ShapeMotion::Capsule([$from, $to]) => $ask,
            ShapeMotion::Box([$from, $to]) => $ask,
        }
    };
}

/// Finds the first hitbox that a shape, such as a blade, a projectile or a thrown stone, hits on its way from one place
/// to another. Writes true to `found` if the shape hits a hitbox, else false, and writes `hit` and `contact` only if it
/// is true. `contact` may be NULL. `from` and `to` must have the same kind; if their sizes differ, the moving shape has
/// the larger ones. Its center moves on a straight line and its axes turn the shorter way, both at constant speed.
/// `relative_tolerance` is relative to the size of the shapes, from 0 to 1; 0 selects the default. If the shape hits
/// several hitboxes at the same time, the function returns the one with the least body id, then the least index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_shape(
    world: *const BoneboxWorld,
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxBodyCastHit,
    contact: *mut BoneboxCastContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, motion) = (borrow(world, "world")?, ShapeMotion::read(from, to)?);
        let tolerance = tolerance(relative_tolerance)?;
        with_motion!(motion, [from, to] => {
            let first = with_filter(filter, |filter| Ok(with_bodies!(world, bodies => bodies.cast_shape(&from, &to, tolerance, filter))))?;
            write_hit(found, hit, contact, first.as_ref(), |hit| {
                hit.contact(&from, &to, &world.body(hit.body.0).ok()?.motion())
            })
        })
    })
}

/// Writes all hitboxes that a shape hits on its way from one place to another, the earliest first; see
/// `bonebox_world_cast_shape`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_shape_all(
    world: *const BoneboxWorld,
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxBodyCastHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, motion) = (borrow(world, "world")?, ShapeMotion::read(from, to)?);
        let tolerance = tolerance(relative_tolerance)?;
        with_filter(filter, |filter| {
            world.lists.with(|lists| {
                let hits = &mut lists.casts;
                with_motion!(motion, [from, to] => {
                with_bodies!(world, bodies => bodies.cast_shape_all(&from, &to, tolerance, filter, hits));
                });
                write_list(out, capacity, count, hits.iter().map(Into::into))
            })
        })
    })
}

/// Writes true to `any` if a shape hits any hitbox on its way from one place to another, else false. The function stops
/// at the first hit that it finds, and is faster than `bonebox_world_cast_shape`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_shape_any(
    world: *const BoneboxWorld,
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    any: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, motion) = (borrow(world, "world")?, ShapeMotion::read(from, to)?);
        let tolerance = tolerance(relative_tolerance)?;
        let found = with_filter(filter, |filter| {
            Ok(with_motion!(motion, [from, to] => {
            with_bodies!(world, bodies => bodies.cast_shape_any(&from, &to, tolerance, filter))
            }))
        })?;
        write(any, "any", found)
    })
}

/// Writes the first hit, and its contact if the caller wants it.
///
/// # Safety
/// Each pointer is NULL or may be written.
unsafe fn write_hit<'h, T, H: From<&'h T>>(
    found: *mut bool,
    hit: *mut H,
    to: *mut BoneboxCastContact,
    first: Option<&'h T>,
    contact: impl FnOnce(&T) -> Option<CastContact>,
) -> Result<(), Failure> {
    write_found(found, (hit, "hit"), first)?;
    match first.filter(|_| !to.is_null()).and_then(contact) {
        Some(contact) => write(to, "contact", contact.into()),
        None => Ok(()),
    }
}

/// Finds the first hitbox of one character that a moving shape hits while the character moves from one pose to another;
/// see `bonebox_world_cast_shape`. Both poses must belong to the same character; pass the same pose twice for a
/// character that stands still.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_cast_shape(
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    pose_from: *const BoneboxPose,
    pose_to: *const BoneboxPose,
    relative_tolerance: f32,
    found: *mut bool,
    hit: *mut BoneboxCastHit,
    contact: *mut BoneboxCastContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (motion, body) = (ShapeMotion::read(from, to)?, body_motion(pose_from, pose_to)?);
        let tolerance = tolerance(relative_tolerance)?;
        with_motion!(motion, [from, to] => {
            let first = runtime::cast_shape(&from, &to, &body, tolerance);
            write_hit(found, hit, contact, first.as_ref(), |hit| hit.contact(&from, &to, &body))
        })
    })
}

/// Writes all hitboxes of one character that a moving shape hits while the character moves from one pose to another, the
/// earliest first; see `bonebox_cast_shape`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_cast_shape_all(
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    pose_from: *const BoneboxPose,
    pose_to: *const BoneboxPose,
    relative_tolerance: f32,
    out: *mut BoneboxCastHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (motion, body) = (ShapeMotion::read(from, to)?, body_motion(pose_from, pose_to)?);
        let tolerance = tolerance(relative_tolerance)?;
        borrow(pose_from, "pose_from")?.lists.with(|lists| {
            let hits = &mut lists.casts;
            with_motion!(motion, [from, to] => runtime::cast_shape_all(&from, &to, &body, tolerance, hits));
            write_list(out, capacity, count, hits.iter().map(Into::into))
        })
    })
}

/// Writes true to `any` if a moving shape hits any hitbox of one character while the character moves from one pose to
/// another, else false; see `bonebox_cast_shape`. The function stops at the first hit that it finds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_cast_shape_any(
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    pose_from: *const BoneboxPose,
    pose_to: *const BoneboxPose,
    relative_tolerance: f32,
    any: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (motion, body) = (ShapeMotion::read(from, to)?, body_motion(pose_from, pose_to)?);
        let tolerance = tolerance(relative_tolerance)?;
        let found = with_motion!(motion, [from, to] => runtime::cast_shape_any(&from, &to, &body, tolerance));
        write(any, "any", found)
    })
}

/// Writes the contact of a moving shape with a hitbox at the time of a hit that `bonebox_cast_shape_all` found. Pass
/// the same shapes and poses. The function fails if the character does not have the hitbox.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_cast_contact(
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    pose_from: *const BoneboxPose,
    pose_to: *const BoneboxPose,
    hit: *const BoneboxCastHit,
    contact: *mut BoneboxCastContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (motion, body) = (ShapeMotion::read(from, to)?, body_motion(pose_from, pose_to)?);
        let hit = read(hit, "hit")?;
        let found = with_motion!(motion, [from, to] => CastHit::from(&hit).contact(&from, &to, &body));
        let missing = || Failure::not_found(format!("the posed character has no hitbox {}", hit.hitbox));
        write(contact, "contact", found.ok_or_else(missing)?.into())
    })
}
