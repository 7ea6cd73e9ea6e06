//! The bodies that a question is asked about, and the questions.

use super::body_tiles::BodyTiles;
use super::{Body, BodyCastHit, BodyId, BodyRayHit, BodyShapeOverlap, QueryFilter};
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::ray_slabs::{RAY_BLOCKS, Slabs};
use crate::kernels::set_bits::set_bits;
use crate::kernels::{self, Kernel};
use crate::query::hit_search::{Look, Sought, keep_first, tolerance};
use crate::query::shape_cast::{CastMotion, CastSearch};
use crate::{BoxIndex, CastHit, CastShape, QueryShape};
use geometry_core::Ray;

/// Bodies in poses that do not change while somebody asks about them: those of a [`HitboxWorld`](super::HitboxWorld), or
/// those of a moment in the past. Each question is a function of this trait, and [`HitboxWorld`](super::HitboxWorld)
/// explains it at its function of the same name.
///
/// An implementation may pose a body when a question first needs it. The answers do not depend on the order of the
/// questions.
pub trait Bodies {
    /// The kernel of the questions. All kernels give the same answers.
    fn kernel(&self) -> Kernel;

    /// Bounds of the bodies. The bounds of a body contain its hitboxes, and may be larger.
    fn tiles(&self) -> BodyTiles<'_>;

    /// Bounds of the bodies that contain their [motions](Body::motion), for casts of moving shapes.
    fn moving_tiles(&self) -> BodyTiles<'_> {
        self.tiles()
    }

    /// The posed body at a place of the tiles. `None` if there is nothing to ask about it.
    fn body_at(&self, place: usize) -> Option<&Body>;

    /// Returns `false` if the ray misses the body at a place of the tiles within `0 <= t <= max_time`, as a test that takes less
    /// time than posing the body.
    fn ray_may_hit(&self, place: usize, ray: &Ray, max_time: f32) -> bool {
        let _all = (place, ray, max_time);
        true
    }

    /// See [`HitboxWorld::cast_ray`](super::HitboxWorld::cast_ray).
    fn cast_ray(&self, ray: &Ray, max_time: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> Option<BodyRayHit> {
        first_ray_hit(self, ray, max_time.into(), filter, self.tiles())
    }

    /// See [`HitboxWorld::cast_ray_all`](super::HitboxWorld::cast_ray_all).
    fn cast_ray_all(
        &self,
        ray: &Ray,
        max_time: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodyRayHit>,
    ) {
        hits.clear();
        self.each_ray_hit(ray, max_time, filter, |hit| {
            hits.push(hit);
            true
        });
        hits.sort_unstable_by_key(ray_key);
    }

    /// See [`HitboxWorld::cast_ray_any`](super::HitboxWorld::cast_ray_any).
    fn cast_ray_any(&self, ray: &Ray, max_time: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> bool {
        let mut any = false;
        self.each_ray_hit(ray, max_time, filter, |_| {
            any = true;
            false
        });
        any
    }

    /// Calls `found` with each hitbox that the ray hits, in any order, until `found` returns `false`.
    fn each_ray_hit(
        &self,
        ray: &Ray,
        max_time: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodyRayHit) -> bool,
    ) {
        let max_time = max_time.into().unwrap_or(f32::INFINITY);
        let slabs = Slabs::new(ray, max_time);
        let masks_of = |blocks: &[BoundsBlock], masks: &mut [u16]| {
            for (block, mask) in blocks.iter().zip(masks) {
                *mask = kernels::ray_lanes_of_block(self.kernel(), &slabs, block, &mut [0.0; LANES]);
            }
        };
        self.tiles().each_body(masks_of, |place| {
            if !self.ray_may_hit(place, ray, max_time) {
                return true;
            }
            let Some(body) = self.body_at(place) else { return true };
            let mut go_on = true;
            if filter.admits_body(body) {
                body.posed().each_ray_hit(ray, max_time, |hit| {
                    go_on = !filter.admits_box(body, hit.box_index) || found(BodyRayHit { body: body.id, answer: hit });
                    go_on
                });
            }
            go_on
        });
    }

    /// See [`HitboxWorld::overlapping_boxes`](super::HitboxWorld::overlapping_boxes).
    fn overlapping_boxes(&self, shape: &impl QueryShape, filter: &QueryFilter<'_>, boxes: &mut Vec<BodyShapeOverlap>) {
        boxes.clear();
        self.each_overlapped(shape, filter, |one| {
            boxes.push(one);
            true
        });
        boxes.sort_unstable();
    }

    /// See [`HitboxWorld::overlaps_shape`](super::HitboxWorld::overlaps_shape).
    fn overlaps_shape(&self, shape: &impl QueryShape, filter: &QueryFilter<'_>) -> bool {
        let mut any = false;
        self.each_overlapped(shape, filter, |_| {
            any = true;
            false
        });
        any
    }

    /// Calls `found` with each hitbox that the shape overlaps, in any order, until `found` returns `false`.
    fn each_overlapped(
        &self,
        shape: &impl QueryShape,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodyShapeOverlap) -> bool,
    ) {
        let bounds = shape.bounds();
        self.tiles().each_body(
            |blocks, masks| kernels::bounds_masks(self.kernel(), &bounds, blocks, masks),
            |place| {
                let Some(body) = self.body_at(place) else { return true };
                let mut go_on = true;
                if filter.admits_body(body) {
                    body.posed().each_overlapped(shape, |one| {
                        let overlap = BodyShapeOverlap { body: body.id, answer: one };
                        go_on = !filter.admits_box(body, one.box_index) || found(overlap);
                        go_on
                    });
                }
                go_on
            },
        );
    }

    /// See [`HitboxWorld::cast_shape`](super::HitboxWorld::cast_shape).
    fn cast_shape<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> Option<BodyCastHit> {
        let mut first: Option<BodyCastHit> = None;
        each_cast_hit(self, [from, to], Sought::One, relative_tolerance.into(), filter, |hit| {
            Look::Until(keep_first(&mut first, hit, cast_key).time)
        });
        first
    }

    /// See [`HitboxWorld::cast_shape_all`](super::HitboxWorld::cast_shape_all).
    fn cast_shape_all<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodyCastHit>,
    ) {
        hits.clear();
        each_cast_hit(self, [from, to], Sought::All, relative_tolerance.into(), filter, |hit| {
            hits.push(hit);
            Look::Until(1.0)
        });
        hits.sort_unstable_by_key(cast_key);
    }

    /// See [`HitboxWorld::cast_shape_any`](super::HitboxWorld::cast_shape_any).
    fn cast_shape_any<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> bool {
        let mut any = false;
        each_cast_hit(self, [from, to], Sought::One, relative_tolerance.into(), filter, |_| {
            any = true;
            Look::NoFurther
        });
        any
    }
}

/// The sort key of a hit: the nearest first, then by body and box.
fn ray_key(hit: &BodyRayHit) -> (u32, BodyId, BoxIndex) {
    ((hit.entry + 0.0).to_bits(), hit.body, hit.box_index)
}

/// The most tiles on a ray that wait until the first of them is tested.
const WAITING: usize = 128;

/// The sort key of a cast's hit: the earliest first, then by body and box. The bits of nonnegative times sort like the
/// times.
fn cast_key(hit: &BodyCastHit) -> (u32, BodyId, BoxIndex) {
    (hit.time.to_bits(), hit.body, hit.box_index)
}

/// [`Bodies::cast_ray`] with the bodies of some tiles.
pub(super) fn first_ray_hit<B: Bodies + ?Sized>(
    bodies: &B,
    ray: &Ray,
    max_time: Option<f32>,
    filter: &QueryFilter<'_>,
    tiles: BodyTiles<'_>,
) -> Option<BodyRayHit> {
    let max_time = max_time.unwrap_or(f32::INFINITY);
    let slabs = Slabs::new(ray, max_time);
    let mut first: Option<BodyRayHit> = None;
    let mut waiting = [(0, 0); WAITING];
    let mut count = 0;
    for (chunk, around) in tiles.around.chunks(RAY_BLOCKS).enumerate() {
        let mut entries = [[0.0; LANES]; RAY_BLOCKS];
        for lane in set_bits(kernels::ray_lanes(bodies.kernel(), &slabs, around, &mut entries)) {
            if count == WAITING {
                look_at_tiles(bodies, ray, &slabs, max_time, filter, tiles, &mut waiting, &mut first);
                count = 0;
            }
            // The bits of nonnegative times sort like the times.
            let tile = chunk * RAY_BLOCKS * LANES + lane;
            waiting[count] = (entries[lane / LANES][lane % LANES].to_bits(), tile as u32);
            count += 1;
        }
    }
    look_at_tiles(bodies, ray, &slabs, max_time, filter, tiles, &mut waiting[..count], &mut first);
    first
}

/// Tests the bodies of some tiles. `waiting` holds the entry time (as bits) and the index of each tile.
fn look_at_tiles<B: Bodies + ?Sized>(
    bodies: &B,
    ray: &Ray,
    slabs: &Slabs,
    max_time: f32,
    filter: &QueryFilter<'_>,
    tiles: BodyTiles<'_>,
    mut waiting: &mut [(u32, u32)],
    first: &mut Option<BodyRayHit>,
) {
    // Most rays hit a body of the first tiles, so searching for the next tile takes less time than sorting all of them.
    while let Some(nearest) = (0..waiting.len()).min_by_key(|&index| waiting[index]) {
        let (entry, tile) = waiting[nearest];
        if f32::from_bits(entry) > first.map_or(max_time, |first| first.entry) {
            return;
        }
        let last = waiting.len() - 1;
        waiting.swap(nearest, last);
        waiting = &mut waiting[..last];
        let tile = tile as usize;
        let mut found = [(0, 0); LANES];
        let count = lanes_in_order(bodies.kernel(), slabs, &tiles.blocks[tile], &mut found);
        let of_tile = &tiles.bodies[tile * LANES..];
        found[..count].iter_mut().for_each(|(_, lane)| *lane = of_tile[*lane as usize]);
        look_in_order(bodies, ray, slabs, max_time, filter, &found[..count], first);
    }
}

/// Writes the lanes of a block that the ray may hit to `found`, sorted by time: the bits of the time when the ray reaches
/// the lane's bounds, and the lane. Returns the number of entries.
fn lanes_in_order(kernel: Kernel, slabs: &Slabs, block: &BoundsBlock, found: &mut [(u32, u32); LANES]) -> usize {
    let mut entries = [0.0; LANES];
    let lanes = kernels::ray_lanes_of_block(kernel, slabs, block, &mut entries);
    let mut count = 0;
    for lane in set_bits(lanes) {
        // Insertion sort, because few lanes are hit.
        let one = (entries[lane].to_bits(), lane as u32);
        let mut place = count;
        while place > 0 && one < found[place - 1] {
            found[place] = found[place - 1];
            place -= 1;
        }
        found[place] = one;
        count += 1;
    }
    count
}

/// Tests bodies in the order in which the ray reaches their bounds, until the next bounds begin after the first
/// hit. `waiting` holds the entry time (as bits) and the place of each body, sorted.
fn look_in_order<B: Bodies + ?Sized>(
    bodies: &B,
    ray: &Ray,
    slabs: &Slabs,
    max_time: f32,
    filter: &QueryFilter<'_>,
    waiting: &[(u32, u32)],
    first: &mut Option<BodyRayHit>,
) {
    for &(entry, body) in waiting {
        let reach = first.map_or(max_time, |first| first.entry);
        if f32::from_bits(entry) > reach {
            return;
        }
        if !bodies.ray_may_hit(body as usize, ray, reach) {
            continue;
        }
        let Some(body) = bodies.body_at(body as usize).filter(|body| filter.admits_body(body)) else { continue };
        // The lanes have tested the bounds of the body already.
        let hit = body.posed().first_ray_hit_within(ray, slabs, reach, |index| filter.admits_box(body, index));
        if let Some(hit) = hit.map(|hit| BodyRayHit { body: body.id, answer: hit })
            && first.is_none_or(|first| ray_key(&hit) < ray_key(&first))
        {
            *first = Some(hit);
        }
    }
}

/// Calls `found` with each hitbox that the moving shape hits.
fn each_cast_hit<B: Bodies + ?Sized, S: CastShape>(
    bodies: &B,
    [from, to]: [&S; 2],
    sought: Sought,
    relative_tolerance: Option<f32>,
    filter: &QueryFilter<'_>,
    mut found: impl FnMut(BodyCastHit) -> Look,
) {
    let cast = CastMotion::new(from, to);
    let mut search = CastSearch::new(&cast, bodies.kernel(), sought, tolerance(relative_tolerance));
    let mut found = |id: BodyId, hit: CastHit| found(BodyCastHit { body: id, answer: hit });
    bodies.moving_tiles().each_body(
        |blocks, masks| kernels::bounds_masks(bodies.kernel(), &cast.bounds, blocks, masks),
        |place| {
            if let Some(body) = bodies.body_at(place).filter(|body| filter.admits_body(body)) {
                let motion = body.motion();
                cast.each_near_box(&motion, |index| {
                    if filter.admits_box(body, BoxIndex(index as u16)) {
                        search.add(motion, body.id, index, &mut found);
                    }
                });
            }
            search.look != Look::NoFurther
        },
    );
    search.finish(&mut found);
}
