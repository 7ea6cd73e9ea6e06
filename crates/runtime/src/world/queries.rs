//! Ray casts, and overlaps with shapes, against all bodies of a world.

use super::body_tiles::BodyTiles;
use super::{Bodies, Body, BodyRayHit, BodyShapeOverlap, HitboxWorld, QueryFilter};
use crate::QueryShape;
use crate::kernels::Kernel;
use geometry_core::Ray;

impl Bodies for HitboxWorld {
    fn kernel(&self) -> Kernel {
        self.kernel
    }

    fn tiles(&self) -> BodyTiles<'_> {
        self.broad.tiles()
    }

    fn moving_tiles(&self) -> BodyTiles<'_> {
        self.swept.as_ref().unwrap_or(&self.broad).tiles()
    }

    fn body_at(&self, place: usize) -> Option<&Body> {
        self.bodies.get(place)
    }

    fn ray_may_hit(&self, place: usize, ray: &Ray, max_time: f32) -> bool {
        self.bodies.get(place).is_none_or(|body| body.ray_may_hit(self.kernel, ray, max_time))
    }
}

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
        Bodies::cast_ray(self, ray, max_time, filter)
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
        Bodies::cast_ray_all(self, ray, max_time, filter, hits);
    }

    /// Returns `true` if the ray hits any hitbox that `filter` admits within `0 <= t <= max_time` (`None`: at any
    /// time). Stops at the first hit found.
    #[must_use]
    pub fn cast_ray_any(&self, ray: &Ray, max_time: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> bool {
        Bodies::cast_ray_any(self, ray, max_time, filter)
    }

    /// All hitboxes that the shape overlaps and that `filter` admits. `boxes` is overwritten and sorted by body, then
    /// box. See [`crate::PosedCharacter::overlapping_boxes`].
    pub fn overlapping_boxes(
        &self,
        shape: &impl QueryShape,
        filter: &QueryFilter<'_>,
        boxes: &mut Vec<BodyShapeOverlap>,
    ) {
        Bodies::overlapping_boxes(self, shape, filter, boxes);
    }

    /// Returns `true` if the shape overlaps any hitbox that `filter` admits. Stops at the first hitbox found. See
    /// [`HitboxWorld::overlapping_boxes`].
    #[must_use]
    pub fn overlaps_shape(&self, shape: &impl QueryShape, filter: &QueryFilter<'_>) -> bool {
        Bodies::overlaps_shape(self, shape, filter)
    }
}
