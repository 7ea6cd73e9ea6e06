//! Rays and shapes against all bodies of an world.

use crate::box_lanes::LANES;
use crate::kernels;
use crate::query::ray::Slabs;
use crate::query::shape::QueryShape;
use crate::{Body, BodyId, BoxIndex, CollisionLayers, HitboxWorld, RayHit};
use geometry_core::Ray;

/// A box of a body that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRayHit {
    /// Whose box it is.
    pub body: BodyId,
    /// Joint, box, entry, exit and normal.
    pub on_body: RayHit,
}

impl BodyRayHit {
    /// Nearer first, then by body and box.
    fn key(&self) -> (u32, BodyId, BoxIndex) {
        ((self.on_body.hit.entry + 0.0).to_bits(), self.body, self.on_body.box_index)
    }
}

/// Queries want the bodies as they were posed at the last [`HitboxWorld::update`]: bodies posed since may be missed, and after
/// an insertion or a removal nothing is found until the next update.
impl HitboxWorld {
    /// The first box that the ray hits within `0 <= t <= max_time`, of all bodies whose boxes interact with `layers`; of several
    /// entered at once, the one of the least body and box. See [`crate::PosedCharacter::cast_ray`].
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{HitboxWorld, BodyId, BodySettings, CollisionLayers}; use geometry_core::{Ray, Sphere}; use std::sync::Arc;
    /// use glam::{Affine3A, Vec3};
    /// # let arm = Arc::new(example::arm("Arm"));
    /// # let mut world = HitboxWorld::new();
    /// for id in 0..10u8 {
    ///     world.insert(BodyId(id.into()), Arc::clone(&arm), BodySettings::default())?;
    ///     world.pose_from_rest(BodyId(id.into()), &Affine3A::from_translation(Vec3::X * f32::from(id)))?;
    /// }
    /// world.update();
    /// let shot = Ray::try_new(Vec3::new(20.0, 1.5, 0.0), Vec3::NEG_X)?;
    /// assert_eq!(world.cast_ray(&shot, f32::INFINITY, CollisionLayers::default()).unwrap().body, BodyId(9));
    /// let mut hits = Vec::new();
    /// world.cast_ray_all(&shot, 15.0, CollisionLayers::default(), &mut hits);
    /// assert_eq!(hits.iter().map(|hit| hit.body.0).collect::<Vec<_>>(), [9, 8, 7, 6, 5]);
    /// let mut boxes = Vec::new();
    /// world.overlapping_boxes(&Sphere::try_new(Vec3::new(4.5, 2.0, 0.0), 0.3)?, CollisionLayers::default(), &mut boxes);
    /// assert_eq!(boxes.iter().map(|one| one.0.0).collect::<Vec<_>>(), [4, 4, 5, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray, max_time: f32, layers: CollisionLayers) -> Option<BodyRayHit> {
        /// Bodies in a ray's way that are put in order before they are looked at.
        const WAITING: usize = 128;
        let mut first: Option<BodyRayHit> = None;
        let mut waiting = [(0, 0); WAITING];
        let mut count = 0;
        let slabs = Slabs::new(ray, max_time);
        let (order, blocks) = self.broad.sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mut entries = [0.0; LANES];
            let mask = kernels::ray_mask(self.kernel, &slabs, block, &mut entries);
            each_bit(mask, |lane| {
                if count == WAITING {
                    self.look_in_order(ray, max_time, layers, &mut waiting, &mut first);
                    count = 0;
                }
                // Positive times sort as their bits; the sign of a zero must not.
                let entry = if entries[lane] > 0.0 { entries[lane] } else { 0.0 };
                waiting[count] = (entry.to_bits(), order[index * LANES + lane]);
                count += 1;
                true
            });
        }
        self.look_in_order(ray, max_time, layers, &mut waiting[..count], &mut first);
        first
    }

    /// Looks at bodies in the order in which the ray reaches them, while it reaches them before the first hit.
    fn look_in_order(
        &self,
        ray: &Ray,
        max_time: f32,
        layers: CollisionLayers,
        waiting: &mut [(u32, u32)],
        first: &mut Option<BodyRayHit>,
    ) {
        waiting.sort_unstable();
        for &(entry, body) in &*waiting {
            let reach = first.map_or(max_time, |first| first.on_body.hit.entry);
            if f32::from_bits(entry) > reach {
                return;
            }
            let body = &self.bodies[body as usize];
            body.posed().each_ray_hit(ray, reach, |on_body| {
                let hit = BodyRayHit { body: body.id(), on_body };
                let meets = body.layers_of_box(on_body.box_index.index()).interacts_with(layers);
                if meets && first.is_none_or(|first| hit.key() < first.key()) {
                    *first = Some(hit);
                }
                true
            });
        }
    }

    /// All boxes that the ray hits within `0 <= t <= max_time`, of all bodies whose boxes interact with `layers`: `hits` is
    /// overwritten, nearest first, then by body and box.
    pub fn cast_ray_all(&self, ray: &Ray, max_time: f32, layers: CollisionLayers, hits: &mut Vec<BodyRayHit>) {
        hits.clear();
        self.each_body_before(ray, max_time, |body| {
            body.posed().each_ray_hit(ray, max_time, |on_body| {
                if body.layers_of_box(on_body.box_index.index()).interacts_with(layers) {
                    hits.push(BodyRayHit { body: body.id(), on_body });
                }
                true
            });
            true
        });
        hits.sort_unstable_by_key(BodyRayHit::key);
    }

    /// Whether the ray hits any box within `0 <= t <= max_time`; stops at the first found.
    #[must_use]
    pub fn ray_hits_any(&self, ray: &Ray, max_time: f32, layers: CollisionLayers) -> bool {
        let mut any = false;
        self.each_body_before(ray, max_time, |body| {
            body.posed().each_ray_hit(ray, max_time, |on_body| {
                any = body.layers_of_box(on_body.box_index.index()).interacts_with(layers);
                !any
            });
            !any
        });
        any
    }

    /// All boxes that the shape touches, of all bodies whose boxes interact with `layers`: `boxes` is overwritten, by body, then
    /// box. See [`crate::PosedCharacter::overlapping_boxes`].
    pub fn overlapping_boxes(
        &self,
        shape: &impl QueryShape,
        layers: CollisionLayers,
        boxes: &mut Vec<(BodyId, BoxIndex)>,
    ) {
        boxes.clear();
        self.each_touched(shape, layers, |one| {
            boxes.push(one);
            true
        });
        boxes.sort_unstable();
    }

    /// Whether the shape touches any box; stops at the first found. See [`HitboxWorld::overlapping_boxes`].
    #[must_use]
    pub fn overlaps_shape(&self, shape: &impl QueryShape, layers: CollisionLayers) -> bool {
        let mut any = false;
        self.each_touched(shape, layers, |_| {
            any = true;
            false
        });
        any
    }

    fn each_touched(
        &self,
        shape: &impl QueryShape,
        layers: CollisionLayers,
        mut found: impl FnMut((BodyId, BoxIndex)) -> bool,
    ) {
        let bounds = shape.bounds();
        let (order, blocks) = self.broad.sorted();
        for (index, block) in blocks.iter().enumerate() {
            let mut mask = [0];
            kernels::bounds_masks(self.kernel, &bounds, std::slice::from_ref(block), &mut mask);
            let go_on = each_bit(mask[0], |lane| {
                let body = &self.bodies[order[index * LANES + lane] as usize];
                let mut go_on = true;
                body.posed().each_touched(shape, |one| {
                    go_on = !body.layers_of_box(one.index()).interacts_with(layers) || found((body.id(), one));
                    go_on
                });
                go_on
            });
            if !go_on {
                return;
            }
        }
    }

    /// Passes on bodies whose bounds the ray may hit, until told to stop.
    fn each_body_before<'a>(&'a self, ray: &Ray, max_time: f32, mut found: impl FnMut(&'a Body) -> bool) {
        let slabs = Slabs::new(ray, max_time);
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
