//! Rays, shapes and moving boxes against all bodies of a world.

use crate::BoneboxWorld;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::borrow;
use crate::memory::{Out, OutList, list, read, text};
use crate::pair::{BoneboxSweepHit, tolerance};
use crate::shapes::{BoneboxOrientedBox, BoneboxRay, BoneboxVec3, capsule, sphere};
use geometry_core::Ray;
use runtime::{
    Body, BodyCastHit, BodyId, BodyRayHit, BodyShapeOverlap, BodySweepHit, BoxIndex, CollisionLayers, QueryFilter,
    QueryShape,
};
use std::ffi::{c_char, c_void};

/// The most tags that a filter takes.
pub const BONEBOX_MAX_FILTER_TAGS: usize = 16;

/// A function of the caller: whether a query may find a hitbox of a body. It must not change the world, and no C++
/// exception may leave it.
pub type BoneboxPredicate = Option<unsafe extern "C" fn(body: u64, hitbox: u16, user: *mut c_void) -> bool>;

/// Which bodies and hitboxes a query may find. All conditions must hold. A filter of zeros, and NULL, find everything.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BoneboxFilter {
    /// Bodies that are not found: the shooter, the owner of the blade.
    pub exclude: *const u64,
    /// How many.
    pub exclude_count: usize,
    /// Finds hitboxes that have any of these tags; none of them for hitboxes of all tags. At most 16.
    pub tags: *const *const c_char,
    /// How many.
    pub tag_count: usize,
    /// Where `has_layers` is true: the layers that the query is in. 0 leaves this half of the condition out.
    pub memberships: u32,
    /// Where `has_layers` is true: the layers that the query finds. 0 leaves this half of the condition out.
    pub mask: u32,
    /// Where `has_team` is true: the team that asks. Bodies of that team are not found.
    pub team: u32,
    /// Whether `memberships` and `mask` count.
    pub has_layers: bool,
    /// Whether `team` counts.
    pub has_team: bool,
    /// Finds hitboxes for which this function answers true; NULL for all. Called last, on the thread that asks.
    pub predicate: BoneboxPredicate,
    /// Passed to `predicate`.
    pub user: *mut c_void,
}

/// A hitbox of a body that a ray hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxRayHit {
    /// The body.
    pub body: u64,
    /// Its hitbox.
    pub hitbox: u16,
    /// The joint of the hitbox.
    pub joint: u16,
    /// Whether the ray starts inside the hitbox; `normal` is zero then.
    pub starts_inside: bool,
    /// When the ray enters the hitbox, in units of its direction; 0 where it starts inside.
    pub entry: f32,
    /// When the ray leaves the hitbox, in units of its direction; may be beyond the ray's `max_time`.
    pub exit: f32,
    /// Where the ray enters, world space.
    pub point: BoneboxVec3,
    /// Outward unit normal of the face where the ray enters, world space.
    pub normal: BoneboxVec3,
}

/// A hitbox of a body that a shape overlaps.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxOverlap {
    /// The body.
    pub body: u64,
    /// Its hitbox.
    pub hitbox: u16,
    /// The joint of the hitbox.
    pub joint: u16,
}

/// A hitbox of a body that a moving box hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxCastHit {
    /// The body.
    pub body: u64,
    /// Its hitbox.
    pub hitbox: u16,
    /// The joint of the hitbox.
    pub joint: u16,
    /// When they first touch, 0 to 1; never later than the true time.
    pub time: f32,
    /// Unit vector from the moving box towards the hitbox along which they hit each other, world space.
    pub direction: BoneboxVec3,
}

/// Where a moving box and the hitbox that it hits are in contact.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxCastContact {
    /// World space.
    pub point: BoneboxVec3,
    /// How deep, in world units; above 0 only where they overlap from the start.
    pub depth: f32,
    /// Unit vector from the moving box towards the hitbox, world space.
    pub direction: BoneboxVec3,
}

/// Two hitboxes of two bodies that hit each other while both move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxBodySweepHit {
    /// The body of the lesser id.
    pub body_a: u64,
    /// The other body.
    pub body_b: u64,
    /// Which hitboxes, when and how.
    pub hit: BoneboxSweepHit,
}

/// A function of the caller with what is passed to it.
struct Predicate {
    function: unsafe extern "C" fn(u64, u16, *mut c_void) -> bool,
    user: *mut c_void,
}

// SAFETY: queries call the function on the thread that asks, and nowhere else.
unsafe impl Sync for Predicate {}

impl Predicate {
    fn admits(&self, body: &Body, index: BoxIndex) -> bool {
        // SAFETY: the caller's promise, see `BoneboxPredicate`.
        unsafe { (self.function)(body.id().0, index.0, self.user) }
    }
}

/// Runs a query with the filter that the caller passed.
///
/// # Safety
/// `filter` is NULL or points to a filter whose lists and strings are valid.
unsafe fn with_filter<R>(
    filter: *const BoneboxFilter,
    ask: impl FnOnce(&QueryFilter<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    // SAFETY: the caller's promise.
    let Some(filter) = (unsafe { filter.as_ref() }) else { return ask(&QueryFilter::default()) };
    // SAFETY: the caller's promise; `BodyId` is a transparent `u64`.
    let exclude = unsafe { list(filter.exclude.cast::<BodyId>(), filter.exclude_count, "filter.exclude")? };
    if filter.tag_count > BONEBOX_MAX_FILTER_TAGS {
        let message = format!("`filter` has {} tags and may have at most {BONEBOX_MAX_FILTER_TAGS}", filter.tag_count);
        return Err(Failure::invalid(message));
    }
    // SAFETY: the caller's promise.
    let pointers = unsafe { list(filter.tags, filter.tag_count, "filter.tags")? };
    let mut tags = [""; BONEBOX_MAX_FILTER_TAGS];
    for (tag, &pointer) in tags.iter_mut().zip(pointers) {
        // SAFETY: the caller's promise.
        *tag = unsafe { text(pointer, "filter.tags")? };
    }
    let predicate = filter.predicate.map(|function| Predicate { function, user: filter.user });
    let admits = predicate.as_ref().map(|predicate| |body: &Body, index: BoxIndex| predicate.admits(body, index));
    let layers = CollisionLayers { memberships: filter.memberships, mask: filter.mask };
    ask(&QueryFilter {
        exclude,
        team: filter.has_team.then_some(filter.team),
        layers: filter.has_layers.then_some(layers),
        tags: &tags[..pointers.len()],
        predicate: admits.as_ref().map(|admits| admits as _),
    })
}

fn ray_hit(ray: &Ray, hit: &BodyRayHit) -> BoneboxRayHit {
    let &BodyRayHit { body, box_index, joint, entry, exit, normal } = hit;
    BoneboxRayHit {
        body: body.0,
        hitbox: box_index.0,
        joint: joint.0,
        starts_inside: normal.is_none(),
        entry,
        exit,
        point: ray.at(entry).into(),
        normal: normal.unwrap_or_default().into(),
    }
}

impl From<&BodyShapeOverlap> for BoneboxOverlap {
    fn from(overlap: &BodyShapeOverlap) -> Self {
        let &BodyShapeOverlap { body, box_index, joint } = overlap;
        Self { body: body.0, hitbox: box_index.0, joint: joint.0 }
    }
}

impl From<&BodyCastHit> for BoneboxCastHit {
    fn from(hit: &BodyCastHit) -> Self {
        let &BodyCastHit { body, box_index, joint, time, direction } = hit;
        Self { body: body.0, hitbox: box_index.0, joint: joint.0, time, direction: direction.into() }
    }
}

impl From<&BodySweepHit> for BoneboxBodySweepHit {
    fn from(hit: &BodySweepHit) -> Self {
        Self { body_a: hit.a.0, body_b: hit.b.0, hit: (&hit.hit).into() }
    }
}

/// The first hitbox that a ray hits. `found` tells whether there is one; `hit` is written only then. Of several hitboxes
/// that the ray enters at once, the one of the least body and index is found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_ray(
    world: *const BoneboxWorld,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxRayHit,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, asked, found, out) = unsafe {
            let outs = (Out::new(found, "found")?, Out::new(hit, "hit")?);
            (borrow(world, "world")?, read(ray, "ray")?, outs.0, outs.1)
        };
        let ray = asked.ray()?;
        // SAFETY: the caller's promise, see the crate's documentation.
        let first = unsafe { with_filter(filter, |filter| Ok(world.world.cast_ray(&ray, asked.max_time, filter)))? };
        found.write(first.is_some());
        if let Some(first) = first {
            out.write(ray_hit(&ray, &first));
        }
        Ok(())
    })
}

/// All hitboxes that a ray hits, nearest first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_ray_all(
    world: *const BoneboxWorld,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    out: *mut BoneboxRayHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, asked, out) =
            unsafe { (borrow(world, "world")?, read(ray, "ray")?, OutList::new(out, capacity, count)?) };
        let ray = asked.ray()?;
        let ask = |filter: &QueryFilter<'_>| {
            world.lists.with(|lists| {
                world.world.cast_ray_all(&ray, asked.max_time, filter, &mut lists.rays);
                out.write(lists.rays.iter().map(|hit| ray_hit(&ray, hit)))
            })
        };
        // SAFETY: the caller's promise, see the crate's documentation.
        unsafe { with_filter(filter, ask) }
    })
}

/// All hitboxes that a sphere overlaps, sorted by body, then hitbox.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_overlap_sphere(
    world: *const BoneboxWorld,
    center: BoneboxVec3,
    radius: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    // SAFETY: the caller's promise, see the crate's documentation.
    guard(error, || unsafe { overlap(world, &sphere(center, radius)?, filter, OutList::new(out, capacity, count)?) })
}

/// All hitboxes that a capsule overlaps, sorted by body, then hitbox. `start` and `end` are the middles of its ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_overlap_capsule(
    world: *const BoneboxWorld,
    start: BoneboxVec3,
    end: BoneboxVec3,
    radius: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        unsafe { overlap(world, &capsule(start, end, radius)?, filter, OutList::new(out, capacity, count)?) }
    })
}

/// All hitboxes that a box overlaps, sorted by body, then hitbox.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_overlap_box(
    world: *const BoneboxWorld,
    shape: *const BoneboxOrientedBox,
    filter: *const BoneboxFilter,
    out: *mut BoneboxOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let shape = unsafe { read(shape, "shape")? }.obb("shape")?;
        // SAFETY: as above.
        unsafe { overlap(world, &shape, filter, OutList::new(out, capacity, count)?) }
    })
}

/// # Safety
/// The rules of the crate's documentation.
unsafe fn overlap(
    world: *const BoneboxWorld,
    shape: &impl QueryShape,
    filter: *const BoneboxFilter,
    out: OutList<BoneboxOverlap>,
) -> Result<(), Failure> {
    // SAFETY: the caller's promise.
    let world = unsafe { borrow(world, "world")? };
    let ask = |filter: &QueryFilter<'_>| {
        world.lists.with(|lists| {
            world.world.overlapping_boxes(shape, filter, &mut lists.overlaps);
            out.write(lists.overlaps.iter().map(Into::into))
        })
    };
    // SAFETY: the caller's promise.
    unsafe { with_filter(filter, ask) }
}

/// All hitboxes that a box hits on its way from one place to another, earliest first: a blade, a projectile. `relative_tolerance`
/// is relative to the size of the boxes, 0 for the default.
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
        let (world, from, to, out) = unsafe {
            let out = OutList::new(out, capacity, count)?;
            (borrow(world, "world")?, read(from, "from")?, read(to, "to")?, out)
        };
        let (from, to, tolerance) = (from.obb("from")?, to.obb("to")?, tolerance(relative_tolerance)?);
        let ask = |filter: &QueryFilter<'_>| {
            world.lists.with(|lists| {
                world.world.cast_box(&from, &to, tolerance, filter, &mut lists.casts);
                out.write(lists.casts.iter().map(Into::into))
            })
        };
        // SAFETY: the caller's promise, see the crate's documentation.
        unsafe { with_filter(filter, ask) }
    })
}

/// What a box hits first on its way from one place to another, and where. `found` tells whether it hits anything; `hit`
/// and `contact` are written only then. `contact` may be NULL.
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
        let (world, from, to, found, out) = unsafe {
            let outs = (Out::new(found, "found")?, Out::new(hit, "hit")?);
            (borrow(world, "world")?, read(from, "from")?, read(to, "to")?, outs.0, outs.1)
        };
        let (from, to, tolerance) = (from.obb("from")?, to.obb("to")?, tolerance(relative_tolerance)?);
        let ask = |filter: &QueryFilter<'_>| Ok(world.world.cast_box_first(&from, &to, tolerance, filter));
        // SAFETY: the caller's promise, see the crate's documentation.
        let first = unsafe { with_filter(filter, ask)? };
        found.write(first.is_some());
        let Some(first) = first else { return Ok(()) };
        out.write((&first).into());
        if !contact.is_null()
            && let Some(found) = world.world.cast_contact(&from, &to, &first)
        {
            let runtime::CastContact { point, depth, direction } = found;
            let found = BoneboxCastContact { point: point.into(), depth, direction: direction.into() };
            // SAFETY: not NULL; the rest is the caller's promise.
            unsafe { contact.write(found) };
        }
        Ok(())
    })
}

/// Which hitboxes of which bodies hit each other on the way from pose to pose, sorted by bodies, then hitboxes, one entry
/// for each pair of hitboxes. `filter` must admit both hitboxes of a pair. Bodies move whose settings say `continuous`, and
/// all after `bonebox_world_start_motion`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_sweep(
    world: *const BoneboxWorld,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxBodySweepHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        // SAFETY: the caller's promise, see the crate's documentation.
        let (world, out) = unsafe { (borrow(world, "world")?, OutList::new(out, capacity, count)?) };
        let tolerance = tolerance(relative_tolerance)?;
        let ask = |filter: &QueryFilter<'_>| {
            world.lists.with(|lists| {
                world.world.sweep(tolerance, filter, &mut lists.sweeps);
                out.write(lists.sweeps.iter().map(Into::into))
            })
        };
        // SAFETY: the caller's promise, see the crate's documentation.
        unsafe { with_filter(filter, ask) }
    })
}
