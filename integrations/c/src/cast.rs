//! Casts: shapes that move from one place to another, against all bodies of a world or against one character.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::borrow;
use crate::memory::{Out, OutList, read};
use crate::pair::{body_motion, tolerance};
use crate::query::{BoneboxFilter, with_filter};
use crate::shapes::{BoneboxOrientedBox, BoneboxShape, BoneboxVec3, ShapeMotion};
use crate::{BoneboxPose, BoneboxWorld};
use runtime::{BodyCastHit, BoxIndex, CastContact, CastHit, CastShape, QueryFilter};
use skeleton::JointIndex;

/// A hitbox of a body that a moving shape hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxCastHit {
    /// The body.
    pub body: u64,
    /// The hitbox, an index into the hitboxes of the body's character.
    pub hitbox: u16,
    /// The joint of the hitbox.
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
pub struct BoneboxPoseCastHit {
    /// The hitbox, an index into the hitboxes of the character.
    pub hitbox: u16,
    /// The joint of the hitbox.
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

impl From<&BodyCastHit> for BoneboxCastHit {
    fn from(hit: &BodyCastHit) -> Self {
        let &BodyCastHit { body, box_index, joint, time, direction } = hit;
        Self { body: body.0, hitbox: box_index.0, joint: joint.0, time, direction: direction.into() }
    }
}

impl From<&CastHit> for BoneboxPoseCastHit {
    fn from(hit: &CastHit) -> Self {
        let &CastHit { box_index, joint, time, direction } = hit;
        Self { hitbox: box_index.0, joint: joint.0, time, direction: direction.into() }
    }
}

impl From<&BoneboxPoseCastHit> for CastHit {
    fn from(hit: &BoneboxPoseCastHit) -> Self {
        let &BoneboxPoseCastHit { hitbox, joint, time, direction } = hit;
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

/// Writes all hitboxes that a shape, such as a blade, a projectile or a thrown stone, hits on its way from one place to
/// another, the earliest first. `from` and `to` must have the same kind; if their sizes differ, the moving shape has
/// the larger ones. Its center moves on a straight line and its axes turn the shorter way, both at constant speed.
/// `relative_tolerance` is relative to the size of the shapes, from 0 to 1; 0 selects the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_shape(
    world: *const BoneboxWorld,
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxCastHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (motion, out) = unsafe { (ShapeMotion::read(from, to)?, OutList::new(out, capacity, count)?) };
        // SAFETY: as above.
        with_motion!(motion, [from, to] => unsafe { cast(world, &from, &to, relative_tolerance, filter, out) })
    })
}

/// Finds the first hitbox that a shape hits on its way from one place to another; see `bonebox_world_cast_shape`.
/// Writes true to `found` if the shape hits a hitbox, else false, and writes `hit` and `contact` only if it is true.
/// `contact` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_shape_first(
    world: *const BoneboxWorld,
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxCastHit,
    contact: *mut BoneboxCastContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (motion, found, hit) =
            unsafe { (ShapeMotion::read(from, to)?, Out::new(found, "found")?, Out::new(hit, "hit")?) };
        // SAFETY: as above.
        with_motion!(motion, [from, to] => unsafe {
            cast_first(world, &from, &to, relative_tolerance, filter, found, hit, contact)
        })
    })
}

/// Writes all hitboxes that a box hits on its way from one place to another, the earliest first: the same as
/// `bonebox_world_cast_shape` for a shape of the kind `BONEBOX_SHAPE_KIND_BOX`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_box(
    world: *const BoneboxWorld,
    from: *const BoneboxOrientedBox,
    to: *const BoneboxOrientedBox,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxCastHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (from, to, out) = unsafe { (read(from, "from")?, read(to, "to")?, OutList::new(out, capacity, count)?) };
        // SAFETY: as above.
        unsafe { cast(world, &from.obb("from")?, &to.obb("to")?, relative_tolerance, filter, out) }
    })
}

/// Finds the first hitbox that a box hits on its way from one place to another: the same as
/// `bonebox_world_cast_shape_first` for a shape of the kind `BONEBOX_SHAPE_KIND_BOX`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_box_first(
    world: *const BoneboxWorld,
    from: *const BoneboxOrientedBox,
    to: *const BoneboxOrientedBox,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxCastHit,
    contact: *mut BoneboxCastContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (from, to, found, hit) = unsafe {
            let outs = (Out::new(found, "found")?, Out::new(hit, "hit")?);
            (read(from, "from")?, read(to, "to")?, outs.0, outs.1)
        };
        let (from, to) = (from.obb("from")?, to.obb("to")?);
        // SAFETY: as above.
        unsafe { cast_first(world, &from, &to, relative_tolerance, filter, found, hit, contact) }
    })
}

/// # Safety
/// The rules of the crate's documentation.
unsafe fn cast<S: CastShape>(
    world: *const BoneboxWorld,
    from: &S,
    to: &S,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    out: OutList<BoneboxCastHit>,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (world, tolerance) = (unsafe { borrow(world, "world")? }, tolerance(relative_tolerance)?);
    let ask = |filter: &QueryFilter<'_>| {
        world.lists.with(|lists| {
            world.world.cast_shape(from, to, tolerance, filter, &mut lists.casts);
            out.write(lists.casts.iter().map(Into::into))
        })
    };
    // SAFETY: the caller's promise.
    unsafe { with_filter(filter, ask) }
}

/// # Safety
/// The rules of the crate's documentation.
#[allow(clippy::too_many_arguments, reason = "the arguments of the C functions")]
unsafe fn cast_first<S: CastShape>(
    world: *const BoneboxWorld,
    from: &S,
    to: &S,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    found: Out<'_, bool>,
    hit: Out<'_, BoneboxCastHit>,
    contact: *mut BoneboxCastContact,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let (world, tolerance) = (unsafe { borrow(world, "world")? }, tolerance(relative_tolerance)?);
    let ask = |filter: &QueryFilter<'_>| Ok(world.world.cast_shape_first(from, to, tolerance, filter));
    // SAFETY: the caller's promise.
    let first = unsafe { with_filter(filter, ask)? };
    found.write(first.is_some());
    let Some(first) = first else { return Ok(()) };
    hit.write((&first).into());
    if !contact.is_null()
        && let Some(found) = world.world.cast_contact(from, to, &first)
    {
        // SAFETY: not NULL; the rest is the caller's promise.
        unsafe { contact.write(found.into()) };
    }
    Ok(())
}

/// Writes all hitboxes of one character that a moving shape hits, the earliest first, while the character moves from
/// one pose to another; see `bonebox_world_cast_shape`. Both poses must belong to the same character; pass the same
/// pose twice for a character that stands still.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_cast_shape(
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    pose_from: *const BoneboxPose,
    pose_to: *const BoneboxPose,
    relative_tolerance: f32,
    out: *mut BoneboxPoseCastHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (motion, pose, body, out) = unsafe {
            let out = OutList::new(out, capacity, count)?;
            let pose = borrow(pose_from, "pose_from")?;
            (ShapeMotion::read(from, to)?, pose, body_motion(pose, borrow(pose_to, "pose_to")?)?, out)
        };
        let tolerance = tolerance(relative_tolerance)?;
        pose.lists.with(|lists| {
            with_motion!(motion, [from, to] => {
                runtime::cast_shape(&from, &to, &body, tolerance, &mut lists.casts);
            });
            out.write(lists.casts.iter().map(Into::into))
        })
    })
}

/// Writes the contact of a moving shape with a hitbox at the time of a hit that `bonebox_cast_shape` found. Pass the
/// same shapes and poses. A hitbox that the character does not have is a failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_cast_contact(
    from: *const BoneboxShape,
    to: *const BoneboxShape,
    pose_from: *const BoneboxPose,
    pose_to: *const BoneboxPose,
    hit: *const BoneboxPoseCastHit,
    contact: *mut BoneboxCastContact,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (motion, body, hit, out) = unsafe {
            let body = body_motion(borrow(pose_from, "pose_from")?, borrow(pose_to, "pose_to")?)?;
            (ShapeMotion::read(from, to)?, body, read(hit, "hit")?, Out::new(contact, "contact")?)
        };
        let contact = with_motion!(motion, [from, to] => CastHit::from(&hit).contact(&from, &to, &body));
        let missing = || Failure::not_found(format!("the posed character has no hitbox {}", hit.hitbox));
        out.write(contact.ok_or_else(missing)?.into());
        Ok(())
    })
}
