//! Queries of a world: rays and shapes against all bodies, and bodies that move.

use crate::BoneboxWorld;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::borrow;
use crate::memory::{emptied, list, text, write, write_found, write_list};
use crate::pair::tolerance;
use crate::shapes::{BoneboxRay, BoneboxShape, BoneboxVec3, CheckedShape};
use crate::world::present;
use geometry_core::Ray;
use runtime::{
    Bodies, Body, BodyId, BodyRayHit, BodyShapeOverlap, BodySweepHit, BoxIndex, BoxPredicate, CollisionLayers,
    HitboxRole, QueryFilter, RayBuffers, RayHit, RayQuery, Roles, ShapeOverlap, SweepHit,
};
use std::ffi::{c_char, c_void};

/// The largest number of tags that a filter can have.
pub const BONEBOX_MAX_FILTER_TAGS: usize = 16;

/// The role of a part of the figure that can be hit, such as every fitted hitbox.
pub const BONEBOX_ROLE_HURT: u8 = 1;
/// The role of a hitbox that hits others.
pub const BONEBOX_ROLE_STRIKE: u8 = 2;
/// The role of a hitbox that grabs others.
pub const BONEBOX_ROLE_GRAB: u8 = 4;
/// The role of a hitbox that stops strikes.
pub const BONEBOX_ROLE_GUARD: u8 = 8;
/// The role of a hitbox that notices others.
pub const BONEBOX_ROLE_SENSOR: u8 = 16;

/// A function of the caller that returns true if a query may find a hitbox of a body. It must not change the world and
/// must not throw a C++ exception.
pub type BoneboxPredicate = Option<unsafe extern "C" fn(body: u64, hitbox: u16, user: *mut c_void) -> bool>;

/// Conditions on the bodies and hitboxes that a query may find; all conditions must hold. NULL, or a filter of zeros,
/// finds everything that can be hit.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BoneboxFilter {
    /// The ids of bodies that the query ignores, such as the shooter or the owner of the blade.
    pub exclude: *const u64,
    /// The number of ids in `exclude`.
    pub exclude_count: usize,
    /// Tags, at most 16: the query finds the hitboxes that have at least one of them. Without tags, the query finds
    /// hitboxes with any tags or none.
    pub tags: *const *const c_char,
    /// The number of tags in `tags`.
    pub tag_count: usize,
    /// The layers that the query is in, if `has_layers` is true. The query finds only hitboxes whose mask has one of
    /// these layers; 0 switches this condition off.
    pub memberships: u32,
    /// The layers that the query finds, if `has_layers` is true. 0 switches this condition off.
    pub mask: u32,
    /// The team that the query belongs to, such as the shooter's, if `has_team` is true. The query ignores bodies of this
    /// team.
    pub team: u32,
    /// True if `memberships` and `mask` apply.
    pub has_layers: bool,
    /// True if `team` applies.
    pub has_team: bool,
    /// The roles of the hitboxes that the query finds: a sum of the numbers `BONEBOX_ROLE_...`. 0 finds only those that can be
    /// hit, `BONEBOX_ROLE_HURT`.
    pub roles: u8,
    /// A function that returns true for the hitboxes that the query may find; NULL accepts all hitboxes. The library
    /// calls it after all other conditions, on the thread that called the query.
    pub predicate: BoneboxPredicate,
    /// A pointer that the library passes to `predicate`.
    pub user: *mut c_void,
}

/// A hitbox of a body that a ray hits.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneboxBodyRayHit {
    /// The id of the body.
    pub body: u64,
    /// The hitbox, an index into the hitboxes of the body's character.
    pub hitbox: u16,
    /// The index of the joint that the hitbox is attached to.
    pub joint: u16,
    /// True if the ray starts inside the hitbox; `normal` is then zero.
    pub starts_inside: bool,
    /// The time at which the ray enters the hitbox, a multiple of the ray's direction; 0 if the ray starts inside the
    /// hitbox.
    pub entry: f32,
    /// The time at which the ray leaves the hitbox, a multiple of the ray's direction. It may be greater than the ray's
    /// `max_time`.
    pub exit: f32,
    /// The point where the ray enters the hitbox, in world space.
    pub point: BoneboxVec3,
    /// The outward unit normal of the hitbox's surface at `point`, in world space.
    pub normal: BoneboxVec3,
}

/// A ray of a batch and its filter.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct BoneboxRayQuery {
    /// The ray.
    pub ray: BoneboxRay,
    /// The filter of this ray; NULL finds everything that can be hit. Several rays may have the same filter.
    pub filter: *const BoneboxFilter,
}

/// The answer to one ray of a batch.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BoneboxRayAnswer {
    /// The first hitbox that the ray hits; zeros if `found` is false.
    pub hit: BoneboxBodyRayHit,
    /// True if the ray hits a hitbox.
    pub found: bool,
}

/// A hitbox of a body that a shape overlaps.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoneboxBodyShapeOverlap {
    /// The id of the body.
    pub body: u64,
    /// The hitbox, an index into the hitboxes of the body's character.
    pub hitbox: u16,
    /// The index of the joint that the hitbox is attached to.
    pub joint: u16,
}

/// Two hitboxes of two bodies that hit each other while both move.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxBodySweepHit {
    /// The lesser id of the two bodies.
    pub body_a: u64,
    /// The greater id of the two bodies.
    pub body_b: u64,
    /// The index of a hitbox of `body_a`.
    pub box_a: u16,
    /// The index of a hitbox of `body_b`.
    pub box_b: u16,
    /// The index of the joint that `box_a` is attached to.
    pub joint_a: u16,
    /// The index of the joint that `box_b` is attached to.
    pub joint_b: u16,
    /// The time of the first touch, from 0 (the start of the motion) to 1 (its end). It is never later than the true
    /// time.
    pub time: f32,
    /// The direction of the hit: a unit vector from the first hitbox towards the second, in world space.
    pub direction: BoneboxVec3,
}

/// A function of the caller and the pointer that is passed to it.
#[derive(Clone, Copy)]
struct Predicate {
    function: unsafe extern "C" fn(u64, u16, *mut c_void) -> bool,
    user: *mut c_void,
}

// SAFETY: a query calls the function only on the thread that called the query.
unsafe impl Sync for Predicate {}

impl Predicate {
    fn admits(&self, body: &Body, index: BoxIndex) -> bool {
        // SAFETY: the caller's promise, see `BoneboxPredicate`.
        unsafe { (self.function)(body.id().0, index.0, self.user) }
    }
}

/// A filter of the caller after all checks.
struct FilterParts<'a> {
    /// The filter without its tags and its function.
    filter: QueryFilter<'a>,
    tags: [&'a str; BONEBOX_MAX_FILTER_TAGS],
    tag_count: usize,
    predicate: Option<Predicate>,
}

impl<'a> FilterParts<'a> {
    /// # Safety
    /// `filter` is NULL or points to a filter whose lists and strings are valid while `'a` lasts.
    unsafe fn read(filter: *const BoneboxFilter) -> Result<Self, Failure> {
        let mut parts = Self { filter: QueryFilter::default(), tags: [""; _], tag_count: 0, predicate: None };
        let Some(filter) = filter.as_ref() else { return Ok(parts) };
        // SAFETY: the caller's promise; `BodyId` is a transparent `u64`.
        let exclude = unsafe { list(filter.exclude.cast::<BodyId>(), filter.exclude_count, "filter.exclude")? };
        if filter.tag_count > BONEBOX_MAX_FILTER_TAGS {
            let message =
                format!("`filter` has {} tags and may have at most {BONEBOX_MAX_FILTER_TAGS}", filter.tag_count);
            return Err(Failure::invalid(message));
        }
        let pointers = list(filter.tags, filter.tag_count, "filter.tags")?;
        for (tag, &pointer) in parts.tags.iter_mut().zip(pointers) {
            *tag = text(pointer, "filter.tags")?;
        }
        parts.tag_count = pointers.len();
        parts.predicate = filter.predicate.map(|function| Predicate { function, user: filter.user });
        let layers = CollisionLayers { memberships: filter.memberships, mask: filter.mask };
        parts.filter.exclude = exclude;
        parts.filter.team = filter.has_team.then_some(filter.team);
        parts.filter.layers = filter.has_layers.then_some(layers);
        parts.filter.roles = roles(filter.roles)?;
        Ok(parts)
    }

    /// The caller's function in the form that [`FilterParts::query`] takes.
    fn function(&self) -> Option<impl Fn(&Body, BoxIndex) -> bool + Sync + use<>> {
        let predicate = self.predicate?;
        Some(move |body: &Body, index: BoxIndex| predicate.admits(body, index))
    }

    fn query<'q>(&'q self, function: Option<&'q BoxPredicate<'q>>) -> QueryFilter<'q> {
        QueryFilter { tags: &self.tags[..self.tag_count], predicate: function, ..self.filter }
    }
}

/// The number of a role in C.
pub(crate) fn role_bit(role: HitboxRole) -> u8 {
    match role {
        HitboxRole::Hurt => BONEBOX_ROLE_HURT,
        HitboxRole::Strike => BONEBOX_ROLE_STRIKE,
        HitboxRole::Grab => BONEBOX_ROLE_GRAB,
        HitboxRole::Guard => BONEBOX_ROLE_GUARD,
        HitboxRole::Sensor => BONEBOX_ROLE_SENSOR,
    }
}

fn roles(bits: u8) -> Result<Roles, Failure> {
    let all = HitboxRole::ALL.map(role_bit).iter().sum::<u8>();
    if bits & !all != 0 {
        let message = format!("`filter.roles` is {bits}; pass a sum of the numbers BONEBOX_ROLE_..., at most {all}");
        return Err(Failure::invalid(message));
    }
    if bits == 0 {
        return Ok(Roles::default());
    }
    Ok(HitboxRole::ALL.into_iter().filter(|role| bits & role_bit(*role) != 0).collect())
}

/// Runs a query with the filter that the caller passed.
///
/// # Safety
/// `filter` is NULL or points to a filter whose lists and strings are valid.
pub(crate) unsafe fn with_filter<R>(
    filter: *const BoneboxFilter,
    ask: impl FnOnce(&QueryFilter<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let parts = FilterParts::read(filter)?;
    let function = parts.function();
    ask(&parts.query(function.as_ref().map(|function| function as _)))
}

/// Memory that batches of rays reuse. All lists but `hits` are empty between batches.
#[derive(Default)]
pub(crate) struct RayBatch {
    filters: Vec<FilterParts<'static>>,
    queries: Vec<RayQuery<'static>>,
    buffers: RayBuffers,
    hits: Vec<Option<BodyRayHit>>,
}

fn ray_hit(ray: &Ray, hit: &BodyRayHit) -> BoneboxBodyRayHit {
    let &BodyRayHit { body, answer: RayHit { box_index, joint, entry, exit, normal } } = hit;
    BoneboxBodyRayHit {
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

impl From<&BodyShapeOverlap> for BoneboxBodyShapeOverlap {
    fn from(overlap: &BodyShapeOverlap) -> Self {
        let &BodyShapeOverlap { body, answer: ShapeOverlap { box_index, joint } } = overlap;
        Self { body: body.0, hitbox: box_index.0, joint: joint.0 }
    }
}

impl From<&BodySweepHit> for BoneboxBodySweepHit {
    fn from(hit: &BodySweepHit) -> Self {
        let &BodySweepHit { body_a, body_b, answer: SweepHit { box_a, box_b, joint_a, joint_b, time, direction } } =
            hit;
        Self {
            body_a: body_a.0,
            body_b: body_b.0,
            box_a: box_a.0,
            box_b: box_b.0,
            joint_a: joint_a.0,
            joint_b: joint_b.0,
            time,
            direction: direction.into(),
        }
    }
}

/// Finds the first hitbox that a ray hits. Writes true to `found` if the ray hits a hitbox, else false, and writes
/// `hit` only if it is true. If the ray enters several hitboxes at the same time, the function returns the one with the
/// least body id, then the least index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_ray(
    world: *const BoneboxWorld,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxBodyRayHit,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = borrow(world, "world")?;
        let (ray, max_time) = BoneboxRay::read(ray)?;
        let first =
            with_filter(filter, |filter| Ok(with_bodies!(world, bodies => bodies.cast_ray(&ray, max_time, filter))))?;
        write_found(found, (hit, "hit"), first.map(|hit| ray_hit(&ray, &hit)))
    })
}

/// Casts many rays: writes to `answers[i]` the answer of `bonebox_world_cast_ray` to `queries[i]`. `answers` has room
/// for `count` elements. For many rays, this is faster than as many calls: the library sorts the bodies once for all of
/// them. The call allocates memory if a filter has a predicate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_rays(
    world: *const BoneboxWorld,
    queries: *const BoneboxRayQuery,
    count: usize,
    answers: *mut BoneboxRayAnswer,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, asked) = (borrow(world, "world")?, list(queries, count, "queries")?);
        if answers.is_null() && count > 0 {
            return Err(Failure::null("answers"));
        }
        world.lists.with(|lists| {
            let RayBatch { filters, queries, buffers, hits } = &mut lists.batch;
            // Neighbors with the same filter share one entry.
            let runs = || asked.chunk_by(|one, other| one.filter == other.filter);
            let mut parts: Vec<FilterParts<'_>> = emptied(std::mem::take(filters));
            for run in runs() {
                parts.push(FilterParts::read(run[0].filter)?);
            }
            let functions: Vec<_> = parts.iter().filter_map(FilterParts::function).collect();
            let mut next_function = functions.iter();
            let mut rays: Vec<RayQuery<'_>> = emptied(std::mem::take(queries));
            for (run, parts) in runs().zip(&parts) {
                let function = parts.predicate.and_then(|_| next_function.next());
                let filter = parts.query(function.map(|function| function as _));
                for asked in run {
                    let ray = asked.ray.ray().map_err(|failure| {
                        Failure::new(failure.result, format!("query {}: {}", rays.len(), failure.message))
                    })?;
                    rays.push(RayQuery { ray, max_time: Some(asked.ray.max_time), filter });
                }
            }
            match &world.past {
                None => world.world.cast_rays(&rays, buffers, hits),
                Some(past) => {
                    hits.clear();
                    hits.extend(rays.iter().map(|one| past.view().cast_ray(&one.ray, one.max_time, &one.filter)));
                }
            }
            for (index, (query, hit)) in rays.iter().zip(hits).enumerate() {
                let answer = hit.as_ref().map(|hit| BoneboxRayAnswer { hit: ray_hit(&query.ray, hit), found: true });
                // SAFETY: the caller promises room for `count` elements, and there are `count` rays.
                unsafe { answers.add(index).write(answer.unwrap_or_default()) };
            }
            *queries = emptied(rays);
            *filters = emptied(parts);
            Ok(())
        })
    })
}

/// Writes all hitboxes that a ray hits, the nearest first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_ray_all(
    world: *const BoneboxWorld,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    out: *mut BoneboxBodyRayHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = borrow(world, "world")?;
        let (ray, max_time) = BoneboxRay::read(ray)?;
        with_filter(filter, |filter| {
            world.lists.with(|lists| {
                with_bodies!(world, bodies => bodies.cast_ray_all(&ray, max_time, filter, &mut lists.rays));
                write_list(out, capacity, count, lists.rays.iter().map(|hit| ray_hit(&ray, hit)))
            })
        })
    })
}

/// Writes true to `any` if a ray hits any hitbox, else false. The function stops at the first hit that it finds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_cast_ray_any(
    world: *const BoneboxWorld,
    ray: *const BoneboxRay,
    filter: *const BoneboxFilter,
    any: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = borrow(world, "world")?;
        let (ray, max_time) = BoneboxRay::read(ray)?;
        write(
            any,
            "any",
            with_filter(filter, |filter| {
                Ok(with_bodies!(world, bodies => bodies.cast_ray_any(&ray, max_time, filter)))
            })?,
        )
    })
}

/// Writes all hitboxes that a shape overlaps, sorted by body, then by hitbox.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_overlapping_boxes(
    world: *const BoneboxWorld,
    shape: *const BoneboxShape,
    filter: *const BoneboxFilter,
    out: *mut BoneboxBodyShapeOverlap,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, shape) = (borrow(world, "world")?, CheckedShape::read(shape, "shape")?);
        with_filter(filter, |filter| {
            world.lists.with(|lists| {
                let found = &mut lists.overlaps;
                with_shape!(&shape, shape => with_bodies!(world, bodies => bodies.overlapping_boxes(shape, filter, found)));
                write_list(out, capacity, count, found.iter().map(Into::into))
            })
        })
    })
}

/// Writes true to `overlaps` if a shape overlaps any hitbox, else false. The function stops at the first hitbox that it
/// finds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_overlaps_shape(
    world: *const BoneboxWorld,
    shape: *const BoneboxShape,
    filter: *const BoneboxFilter,
    overlaps: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, shape) = (borrow(world, "world")?, CheckedShape::read(shape, "shape")?);
        let any = with_filter(filter, |filter| {
            Ok(with_shape!(&shape, shape => with_bodies!(world, bodies => bodies.overlaps_shape(shape, filter))))
        })?;
        write(overlaps, "overlaps", any)
    })
}

/// Finds the first hit between hitboxes of different bodies while the bodies move from pose to pose; see
/// `bonebox_world_sweep_all`. Writes true to `found` if there is a hit, else false, and writes `hit` only if it is true.
/// If several hits have the same time, the function writes the first of them in the order of `bonebox_world_sweep_all`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_sweep(
    world: *const BoneboxWorld,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    found: *mut bool,
    hit: *mut BoneboxBodySweepHit,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, tolerance) = (present(world, "world")?, tolerance(relative_tolerance)?);
        let first = with_filter(filter, |filter| Ok(world.world.sweep(tolerance, filter)))?;
        write_found(found, (hit, "hit"), first.as_ref())
    })
}

/// Writes all hitboxes of different bodies that hit each other while the bodies move from pose to pose: one entry with
/// the first time for each pair of hitboxes, sorted by bodies, then by hitboxes. `filter` must admit both hitboxes of a
/// pair. Bodies whose settings say `continuous` move from their pose at the last update; after
/// `bonebox_world_start_motion`, all bodies move from the poses that it stored. `relative_tolerance` is relative to the
/// size of the hitboxes, from 0 to 1; 0 selects the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_sweep_all(
    world: *const BoneboxWorld,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    out: *mut BoneboxBodySweepHit,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, tolerance) = (present(world, "world")?, tolerance(relative_tolerance)?);
        with_filter(filter, |filter| {
            world.lists.with(|lists| {
                world.world.sweep_all(tolerance, filter, &mut lists.sweeps);
                write_list(out, capacity, count, lists.sweeps.iter().map(Into::into))
            })
        })
    })
}

/// Writes true to `any` if hitboxes of any two bodies hit each other while the bodies move from pose to pose, else false;
/// see `bonebox_world_sweep_all`. The function stops at the first hit that it finds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_sweep_any(
    world: *const BoneboxWorld,
    relative_tolerance: f32,
    filter: *const BoneboxFilter,
    any: *mut bool,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, tolerance) = (present(world, "world")?, tolerance(relative_tolerance)?);
        write(any, "any", with_filter(filter, |filter| Ok(world.world.sweep_any(tolerance, filter)))?)
    })
}
