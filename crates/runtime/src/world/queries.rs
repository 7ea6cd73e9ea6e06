//! Ray casts, and overlaps with shapes, against all bodies of a world.

use super::body_tiles::BodyTiles;
use super::{BodyId, BodyRayHit, BodyShapeOverlap, HitboxWorld, QueryFilter};
use crate::kernels;
use crate::kernels::layout::{BoundsBlock, LANES};
use crate::kernels::ray_slabs::{RAY_BLOCKS, Slabs};
use crate::kernels::set_bits::set_bits;
use crate::{BoxIndex, QueryShape};
use geometry_core::Ray;

/// The sort key of a hit: the nearest first, then by body and box.
fn ray_key(hit: &BodyRayHit) -> (u32, BodyId, BoxIndex) {
    ((hit.entry + 0.0).to_bits(), hit.body, hit.box_index)
}

/// The most tiles on a ray that wait until the first of them is tested.
const WAITING: usize = 128;

/// Ray casts and overlaps with shapes find bodies in their present poses, even if [`HitboxWorld::update`] was not called
/// after the last pose.
impl HitboxWorld {
    /// The first hitbox that the ray hits within `0 <= t <= max_time` (`None`: at any time), of all hitboxes that
    /// `filter` admits. If the ray enters several hitboxes at the same time, the answer is the hitbox with the least body
    /// id, then the least box index. The unit of times is the length of the ray's direction. If
    /// `max_time` is negative or NaN, nothing is hit. See [`crate::PosedCharacter::cast_ray`].
    ///
    /// ```
    /// use geometry_core::{Ray, Sphere};
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{BodyId, BodySettings, Character, HitboxWorld, QueryFilter};
    /// use std::sync::Arc;
    ///
    /// let arm = Arc::new(Character::load(&std::fs::read("tests/data/arm.bonebox")?)?);
    /// let mut world = HitboxWorld::new();
    /// for id in 0..10u8 {
    ///     world.insert(BodyId(id.into()), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id.into()), &Affine3A::from_translation(Vec3::X * f32::from(id)))?;
    /// }
    /// let all = QueryFilter::default();
    /// let shot = Ray::try_new(Vec3::new(20.0, 1.5, 0.0), Vec3::NEG_X)?;
    /// assert_eq!(world.cast_ray(&shot, None, &all).unwrap().body, BodyId(9));
    /// let mut hits = Vec::new();
    /// world.cast_ray_all(&shot, 15.0, &all, &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.body.0).collect::<Vec<_>>(), [9, 8, 7, 6, 5]);
    /// let mut boxes = Vec::new();
    /// world.overlapping_boxes(&Sphere::try_new(Vec3::new(4.5, 2.0, 0.0), 0.3)?, &all, &mut boxes);
    /// assert_eq!(boxes.iter().map(|one| one.body.0).collect::<Vec<_>>(), [4, 4, 5, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(
        &self,
        ray: &Ray,
        max_time: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> Option<BodyRayHit> {
        self.first_ray_hit(ray, max_time.into(), filter, self.broad.tiles())
    }

    /// [`HitboxWorld::cast_ray`] with the bodies of some tiles.
    pub(super) fn first_ray_hit(
        &self,
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
            for lane in set_bits(kernels::ray_lanes(self.kernel, &slabs, around, &mut entries)) {
                if count == WAITING {
                    self.look_at_tiles(ray, &slabs, max_time, filter, tiles, &mut waiting, &mut first);
                    count = 0;
                }
                // The bits of nonnegative times sort like the times.
                let tile = chunk * RAY_BLOCKS * LANES + lane;
                waiting[count] = (entries[lane / LANES][lane % LANES].to_bits(), tile as u32);
                count += 1;
            }
        }
        self.look_at_tiles(ray, &slabs, max_time, filter, tiles, &mut waiting[..count], &mut first);
        first
    }

    /// Tests the bodies of some tiles. `waiting` holds the entry time (as bits) and the index of each tile.
    fn look_at_tiles(
        &self,
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
            let mut bodies = [(0, 0); LANES];
            let count = self.lanes_in_order(slabs, &tiles.blocks[tile], &mut bodies);
            let of_tile = &tiles.bodies[tile * LANES..];
            bodies[..count].iter_mut().for_each(|(_, lane)| *lane = of_tile[*lane as usize]);
            self.look_in_order(ray, slabs, max_time, filter, &bodies[..count], first);
        }
    }

    /// Writes the lanes of a block that the ray may hit to `found`, sorted by time: the bits of the time when the ray reaches
    /// the lane's bounds, and the lane. Returns the number of entries.
    fn lanes_in_order(&self, slabs: &Slabs, block: &BoundsBlock, found: &mut [(u32, u32); LANES]) -> usize {
        let mut entries = [0.0; LANES];
        let lanes = kernels::ray_lanes_of_block(self.kernel, slabs, block, &mut entries);
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
    fn look_in_order(
        &self,
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
            let body = &self.bodies[body as usize];
            if !filter.admits_body(body) {
                continue;
            }
            // The lanes have tested the bounds of the body already.
            let hit = body.posed.first_ray_hit_within(ray, slabs, reach, |index| filter.admits_box(body, index));
            if let Some(hit) = hit.map(|hit| BodyRayHit { body: body.id, answer: hit })
                && first.is_none_or(|first| ray_key(&hit) < ray_key(&first))
            {
                *first = Some(hit);
            }
        }
    }

    /// All hitboxes that the ray hits within `0 <= t <= max_time` (`None`: at any time) and that `filter` admits.
    /// `hits` is overwritten and sorted: the nearest first, then by body and box.
    pub fn cast_ray_all(
        &self,
        ray: &Ray,
        max_time: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodyRayHit>,
    ) {
        hits.clear();
        self.each_ray_hit(ray, max_time.into(), filter, |hit| {
            hits.push(hit);
            true
        });
        hits.sort_unstable_by_key(ray_key);
    }

    /// Returns `true` if the ray hits any hitbox that `filter` admits within `0 <= t <= max_time` (`None`: at any
    /// time). Stops at the first hit found.
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray, max_time: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> bool {
        let mut any = false;
        self.each_ray_hit(ray, max_time.into(), filter, |_| {
            any = true;
            false
        });
        any
    }

    fn each_ray_hit(
        &self,
        ray: &Ray,
        max_time: Option<f32>,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodyRayHit) -> bool,
    ) {
        let max_time = max_time.unwrap_or(f32::INFINITY);
        let slabs = Slabs::new(ray, max_time);
        let masks_of = |blocks: &[BoundsBlock], masks: &mut [u16]| {
            for (block, mask) in blocks.iter().zip(masks) {
                *mask = kernels::ray_lanes_of_block(self.kernel, &slabs, block, &mut [0.0; LANES]);
            }
        };
        self.broad.tiles().each_body(masks_of, |place| {
            let body = &self.bodies[place];
            let mut go_on = true;
            if filter.admits_body(body) {
                body.posed.each_ray_hit(ray, max_time, |hit| {
                    go_on = !filter.admits_box(body, hit.box_index) || found(BodyRayHit { body: body.id, answer: hit });
                    go_on
                });
            }
            go_on
        });
    }

    /// All hitboxes that the shape overlaps and that `filter` admits. `boxes` is overwritten and sorted by body, then
    /// box. See [`crate::PosedCharacter::overlapping_boxes`].
    pub fn overlapping_boxes(
        &self,
        shape: &impl QueryShape,
        filter: &QueryFilter<'_>,
        boxes: &mut Vec<BodyShapeOverlap>,
    ) {
        boxes.clear();
        self.each_overlapped(shape, filter, |one| {
            boxes.push(one);
            true
        });
        boxes.sort_unstable();
    }

    /// Returns `true` if the shape overlaps any hitbox that `filter` admits. Stops at the first hitbox found. See
    /// [`HitboxWorld::overlapping_boxes`].
    #[must_use]
    pub fn overlaps_shape(&self, shape: &impl QueryShape, filter: &QueryFilter<'_>) -> bool {
        let mut any = false;
        self.each_overlapped(shape, filter, |_| {
            any = true;
            false
        });
        any
    }

    fn each_overlapped(
        &self,
        shape: &impl QueryShape,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodyShapeOverlap) -> bool,
    ) {
        let bounds = shape.bounds();
        self.broad.tiles().each_body(
            |blocks, masks| kernels::bounds_masks(self.kernel, &bounds, blocks, masks),
            |place| {
                let body = &self.bodies[place];
                let mut go_on = true;
                if filter.admits_body(body) {
                    body.posed.each_overlapped(shape, |one| {
                        let overlap = BodyShapeOverlap { body: body.id, answer: one };
                        go_on = !filter.admits_box(body, one.box_index) || found(overlap);
                        go_on
                    });
                }
                go_on
            },
        );
    }
}
