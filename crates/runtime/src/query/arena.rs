//! Rays and shapes against all bodies of an arena.

use crate::kernels;
use crate::lanes::LANES;
use crate::query::ray::Slabs;
use crate::query::shape::QueryShape;
use crate::{Arena, Body, BodyId, BoxIndex, Filter, JointRayHit};
use geometry_core::Ray;

/// A box of a body that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRayHit {
    /// Whose box it is.
    pub body: BodyId,
    /// Joint, box, entry, exit and normal.
    pub on_body: JointRayHit,
}

impl BodyRayHit {
    /// Nearer first, then by body and box.
    fn key(&self) -> (u32, BodyId, BoxIndex) {
        ((self.on_body.hit.entry + 0.0).to_bits(), self.body, self.on_body.box_index)
    }
}

/// Queries want the bodies as they were posed at the last [`Arena::update`]: bodies posed since may be missed, and after
/// an insertion or a removal nothing is found until the next update.
impl Arena {
    /// The first box that the ray meets within `0 <= t <= limit`, of all bodies whose boxes meet `filter`; of several
    /// entered at once, the one of the least body and box. See [`crate::Posed::cast_ray`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{Arena, BodyId, BodySettings, Filter}; use geometry_core::{Ray, Sphere}; use std::sync::Arc;
    /// use glam::{Affine3A, Vec3};
    /// # let arm = Arc::new(example::arm("Arm"));
    /// # let mut arena = Arena::new();
    /// for id in 0..10u8 {
    ///     arena.insert(BodyId(id.into()), Arc::clone(&arm), BodySettings::default())?;
    ///     arena.pose_from_rest(BodyId(id.into()), &Affine3A::from_translation(Vec3::X * f32::from(id)))?;
    /// }
    /// arena.update();
    /// let shot = Ray::try_new(Vec3::new(20.0, 1.5, 0.0), Vec3::NEG_X)?;
    /// assert_eq!(arena.cast_ray(&shot, f32::INFINITY, Filter::default()).unwrap().body, BodyId(9));
    /// let mut hits = Vec::new();
    /// arena.cast_ray_all(&shot, 15.0, Filter::default(), &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.body.0).collect::<Vec<_>>(), [9, 8, 7, 6, 5]);
    /// let mut boxes = Vec::new();
    /// arena.boxes_touching(&Sphere::try_new(Vec3::new(4.5, 2.0, 0.0), 0.3)?, Filter::default(), &mut boxes);
    /// assert_eq!(boxes.iter().map(|one| one.0.0).collect::<Vec<_>>(), [4, 4, 5, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, limit: f32, filter: Filter) -> Option<BodyRayHit> {
        /// Bodies in a ray's way that are put in order before they are looked at.
        const WAITING: usize = 128;
        let mut first: Option<BodyRayHit> = None;
        let mut waiting = [(0, 0); WAITING];
        let mut count = 0;
        let slabs = Slabs::new(ray, limit);
        let (order, blocks) = self.broad.sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mut entries = [0.0; LANES];
            let mask = kernels::ray_mask(self.kernel, &slabs, block, &mut entries);
            each_bit(mask, |lane| {
                if count == WAITING {
                    self.look_in_order(ray, limit, filter, &mut waiting, &mut first);
                    count = 0;
                }
                // Positive times sort as their bits; the sign of a zero must not.
                let entry = if entries[lane] > 0.0 { entries[lane] } else { 0.0 };
                waiting[count] = (entry.to_bits(), order[index * LANES + lane]);
                count += 1;
                true
            });
        }
        self.look_in_order(ray, limit, filter, &mut waiting[..count], &mut first);
        first
    }

    /// Looks at bodies in the order in which the ray reaches them, while it reaches them before the first hit.
    fn look_in_order(
        &self,
        ray: &Ray,
        limit: f32,
        filter: Filter,
        waiting: &mut [(u32, u32)],
        first: &mut Option<BodyRayHit>,
    ) {
        waiting.sort_unstable();
        for &(entry, body) in &*waiting {
            let reach = first.map_or(limit, |first| first.on_body.hit.entry);
            if f32::from_bits(entry) > reach {
                return;
            }
            let body = &self.bodies[body as usize];
            body.posed().each_ray_hit(ray, reach, |on_body| {
                let hit = BodyRayHit { body: body.id(), on_body };
                let meets = body.box_filter(on_body.box_index.index()).meets(filter);
                if meets && first.is_none_or(|first| hit.key() < first.key()) {
                    *first = Some(hit);
                }
                true
            });
        }
    }

    /// All boxes that the ray meets within `0 <= t <= limit`, of all bodies whose boxes meet `filter`: `hits` is
    /// overwritten, nearest first, then by body and box.
    pub fn cast_ray_all(&self, ray: &Ray, limit: f32, filter: Filter, hits: &mut Vec<BodyRayHit>) {
        hits.clear();
        self.each_body_before(ray, limit, |body| {
            body.posed().each_ray_hit(ray, limit, |on_body| {
                if body.box_filter(on_body.box_index.index()).meets(filter) {
                    hits.push(BodyRayHit { body: body.id(), on_body });
                }
                true
            });
            true
        });
        hits.sort_unstable_by_key(BodyRayHit::key);
    }

    /// Whether the ray meets any box within `0 <= t <= limit`; stops at the first found.
    #[must_use]
    pub fn ray_hits_any(&self, ray: &Ray, limit: f32, filter: Filter) -> bool {
        let mut any = false;
        self.each_body_before(ray, limit, |body| {
            body.posed().each_ray_hit(ray, limit, |on_body| {
                any = body.box_filter(on_body.box_index.index()).meets(filter);
                !any
            });
            !any
        });
        any
    }

    /// All boxes that the shape touches, of all bodies whose boxes meet `filter`: `boxes` is overwritten, by body, then
    /// box. See [`crate::Posed::boxes_touching`].
    pub fn boxes_touching(&self, shape: &impl QueryShape, filter: Filter, boxes: &mut Vec<(BodyId, BoxIndex)>) {
        boxes.clear();
        self.each_touched(shape, filter, |one| {
            boxes.push(one);
            true
        });
        boxes.sort_unstable();
    }

    /// Whether the shape touches any box; stops at the first found. See [`Arena::boxes_touching`].
    #[must_use]
    pub fn touches_any(&self, shape: &impl QueryShape, filter: Filter) -> bool {
        let mut any = false;
        self.each_touched(shape, filter, |_| {
            any = true;
            false
        });
        any
    }

    fn each_touched(&self, shape: &impl QueryShape, filter: Filter, mut found: impl FnMut((BodyId, BoxIndex)) -> bool) {
        let bounds = shape.bounds();
        let (order, blocks) = self.broad.sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mut mask = [0];
            kernels::bounds_masks(self.kernel, &bounds, std::slice::from_ref(block), &mut mask);
            let go_on = each_bit(mask[0], |lane| {
                let body = &self.bodies[order[index * LANES + lane] as usize];
                let mut go_on = true;
                body.posed().each_touched(shape, |one| {
                    go_on = !body.box_filter(one.index()).meets(filter) || found((body.id(), one));
                    go_on
                });
                go_on
            });
            if !go_on {
                return;
            }
        }
    }

    /// Passes on bodies whose bounds the ray may meet, until told to stop.
    fn each_body_before<'a>(&'a self, ray: &Ray, limit: f32, mut found: impl FnMut(&'a Body) -> bool) {
        let slabs = Slabs::new(ray, limit);
        let (order, blocks) = self.broad.sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mask = kernels::ray_mask(self.kernel, &slabs, block, &mut [0.0; LANES]);
            if !each_bit(mask, |lane| found(&self.bodies[order[index * LANES + lane] as usize])) {
                return;
            }
        }
    }
}

fn each_bit(mut mask: u16, mut then: impl FnMut(usize) -> bool) -> bool {
    while mask != 0 {
        if !then(mask.trailing_zeros() as usize) {
            return false;
        }
        mask &= mask - 1;
    }
    true
}
