//! Queries of all characters, as a system parameter.

use crate::body::{HitboxBodies, body_id};
use crate::shape::{InvalidShape, ray, two_kinds};
use crate::{HitboxQueryShape, HitboxRef, HitboxTouch};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Affine3A, Vec3};
use bevy_shape::Ray3d;
use bonebox::{
    BodyCastHit, BodyId, BodySweepHit, BoxIndex, BoxPair, CastShape, CollisionLayers, Contact, QueryFilter, Roles, Touch,
};

/// Queries all characters with hitboxes: rays, shapes, moving shapes, and motions between ticks.
/// [`ExactHitboxQuery`](crate::ExactHitboxQuery) queries their skin.
///
/// Answers use the present poses; after [`HitboxSystems::Pose`](crate::HitboxSystems::Pose), these are the poses of
/// this tick. Answers are sorted, and the same on every machine.
///
/// ```
/// use bevy_bonebox::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_math::{Dir3, Vec3};
/// use bevy_shape::Ray3d;
///
/// fn shoot(shooter: Single<Entity, With<Hitboxes>>, hitboxes: HitboxQuery) -> Result {
///     let own = [*shooter];
///     let muzzle = Ray3d::new(Vec3::new(0.0, 1.4, 0.0), Dir3::Z);
///     if let Some(hit) = hitboxes.cast_ray(muzzle, 100.0, &HitboxFilter::excluding(&own))? {
///         let damage = if hit.hitbox.has_tag("head") { 100 } else { 30 };
///         println!("{} takes {damage} at {}", hit.hitbox.entity, hit.hitbox.joint_name);
///     }
///     Ok(())
/// }
/// ```
#[derive(SystemParam, Debug)]
pub struct HitboxQuery<'w> {
    bodies: Res<'w, HitboxBodies>,
}

/// Conditions on the characters and hitboxes that a query may find. The default finds all enabled hitboxes
/// that can be hit.
#[derive(Clone, Copy, Debug, Default)]
pub struct HitboxFilter<'a> {
    /// Characters that the query ignores, such as the shooter or the owner of the blade.
    pub exclude: &'a [Entity],
    /// The team that the query belongs to, such as the shooter's. The query ignores characters of this team.
    pub team: Option<u32>,
    /// Finds hitboxes that interact with these layers, see [`bonebox::QueryFilter::layers`].
    pub layers: Option<CollisionLayers>,
    /// Finds hitboxes with one of these roles; by default the parts of characters that can be hit.
    pub roles: Roles,
    /// Finds hitboxes that have at least one of these tags; an empty slice finds hitboxes with any tags or none.
    pub tags: &'a [&'a str],
    /// The only character that the query finds, such as the target of an aimed blow; `None` finds all characters.
    pub only: Option<Entity>,
}

impl<'a> HitboxFilter<'a> {
    /// A filter that ignores these characters.
    #[must_use]
    pub fn excluding(exclude: &'a [Entity]) -> Self {
        Self { exclude, ..Self::default() }
    }

    /// A filter that finds hitboxes with at least one of these tags.
    #[must_use]
    pub fn tagged(tags: &'a [&'a str]) -> Self {
        Self { tags, ..Self::default() }
    }

    /// A filter that finds the hitboxes of one character.
    #[must_use]
    pub fn only(character: Entity) -> Self {
        Self { only: Some(character), ..Self::default() }
    }

    /// Converts the filter to the run time's filter and passes it to `ask`.
    pub(crate) fn ask<T>(&self, ask: impl FnOnce(&QueryFilter<'_>) -> T) -> T {
        let exclude: Vec<BodyId> = self.exclude.iter().copied().map(body_id).collect();
        let Self { team, layers, roles, tags, only, .. } = *self;
        let only = only.map(body_id);
        ask(&QueryFilter { only, exclude: &exclude, team, layers, roles, tags, predicate: None })
    }
}

/// A hitbox that a ray hits.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxRayHit {
    /// The hitbox.
    pub hitbox: HitboxRef,
    /// The distance from the ray's origin to the point where the ray enters the hitbox, in world units; 0 if the ray
    /// starts inside.
    pub distance: f32,
    /// The point where the ray enters the hitbox, in world space.
    pub point: Vec3,
    /// The outward unit normal of the hitbox's surface at `point`, in world space; `None` if the ray starts inside.
    pub normal: Option<Vec3>,
}

/// A hitbox that a moving shape hits.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxCastHit {
    /// The hitbox.
    pub hitbox: HitboxRef,
    /// The time of the first contact, from 0 (the start of the motion) to 1 (its end).
    pub time: f32,
    /// The contact point, in world space.
    pub point: Vec3,
    /// The direction of the hit: a unit vector from the moving shape towards the hitbox, in world space.
    pub direction: Vec3,
}

/// Two hitboxes that hit each other on the way from the last tick's poses to the present ones.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxSweepHit {
    /// The hitbox of the character whose entity has the lesser bits.
    pub a: HitboxRef,
    /// The hitbox of the other character.
    pub b: HitboxRef,
    /// The time of the first contact, from 0 (the last tick) to 1 (this tick).
    pub time: f32,
    /// The contact point, in world space.
    pub point: Vec3,
    /// The direction of the hit: a unit vector from `a` towards `b`, in world space.
    pub direction: Vec3,
}

impl HitboxQuery<'_> {
    /// Finds the first hitbox that the ray hits within `max_distance` (`f32::INFINITY` for no limit).
    ///
    /// # Errors
    /// Returns an error if the ray is not finite.
    pub fn cast_ray(
        &self,
        ray3d: Ray3d,
        max_distance: f32,
        filter: &HitboxFilter<'_>,
    ) -> Result<Option<HitboxRayHit>, InvalidShape> {
        let ray = ray(ray3d.origin, *ray3d.direction)?;
        let hit = filter.ask(|filter| self.bodies.world.cast_ray(&ray, max_distance, filter));
        Ok(hit.and_then(|hit| self.ray_hit(&ray3d, &hit)))
    }

    /// Finds all hitboxes that the ray hits within `max_distance`, the nearest first.
    ///
    /// # Errors
    /// Returns an error if the ray is not finite.
    pub fn cast_ray_all(
        &self,
        ray3d: Ray3d,
        max_distance: f32,
        filter: &HitboxFilter<'_>,
    ) -> Result<Vec<HitboxRayHit>, InvalidShape> {
        let ray = ray(ray3d.origin, *ray3d.direction)?;
        let mut hits = Vec::new();
        filter.ask(|filter| self.bodies.world.cast_ray_all(&ray, max_distance, filter, &mut hits));
        Ok(hits.iter().filter_map(|hit| self.ray_hit(&ray3d, hit)).collect())
    }

    /// Returns `true` if the ray hits any hitbox within `max_distance`; stops at the first hit found.
    ///
    /// # Errors
    /// Returns an error if the ray is not finite.
    pub fn cast_ray_any(
        &self,
        ray3d: Ray3d,
        max_distance: f32,
        filter: &HitboxFilter<'_>,
    ) -> Result<bool, InvalidShape> {
        let ray = ray(ray3d.origin, *ray3d.direction)?;
        Ok(filter.ask(|filter| self.bodies.world.cast_ray_any(&ray, max_distance, filter)))
    }

    /// Finds all hitboxes that the shape overlaps, sorted by character, then hitbox.
    #[must_use]
    pub fn overlapping(&self, shape: &HitboxQueryShape, filter: &HitboxFilter<'_>) -> Vec<HitboxRef> {
        let mut boxes = Vec::new();
        let world = &self.bodies.world;
        filter.ask(|filter| match shape {
            HitboxQueryShape::Sphere(shape) => world.overlapping_boxes(shape, filter, &mut boxes),
            HitboxQueryShape::Capsule(shape) => world.overlapping_boxes(shape, filter, &mut boxes),
            HitboxQueryShape::Cuboid(shape) => world.overlapping_boxes(shape, filter, &mut boxes),
        });
        boxes.iter().filter_map(|one| self.name(one.body, one.box_index)).collect()
    }

    /// Returns `true` if the shape overlaps any hitbox; stops at the first hitbox found.
    #[must_use]
    pub fn overlaps_any(&self, shape: &HitboxQueryShape, filter: &HitboxFilter<'_>) -> bool {
        let world = &self.bodies.world;
        filter.ask(|filter| match shape {
            HitboxQueryShape::Sphere(shape) => world.overlaps_shape(shape, filter),
            HitboxQueryShape::Capsule(shape) => world.overlaps_shape(shape, filter),
            HitboxQueryShape::Cuboid(shape) => world.overlaps_shape(shape, filter),
        })
    }

    /// Finds the first hitbox that a shape, such as a blade or a thrown stone, hits on its way from one place to another.
    /// Both shapes must be of one kind; if their sizes differ, the moving shape has the larger ones. Its center moves on a
    /// straight line, and its axes turn the shorter way, both at constant speed. Characters with
    /// [`HitboxSettings::continuous`](crate::HitboxSettings::continuous) move at the same time, the others stand still. Pass
    /// [`HitboxFilter::only`] to test one character.
    ///
    /// # Errors
    /// Returns an error if the shapes are of two kinds.
    pub fn cast_shape(
        &self,
        from: &HitboxQueryShape,
        to: &HitboxQueryShape,
        filter: &HitboxFilter<'_>,
    ) -> Result<Option<HitboxCastHit>, InvalidShape> {
        match (from, to) {
            (HitboxQueryShape::Sphere(from), HitboxQueryShape::Sphere(to)) => Ok(self.cast(from, to, filter)),
            (HitboxQueryShape::Capsule(from), HitboxQueryShape::Capsule(to)) => Ok(self.cast(from, to, filter)),
            (HitboxQueryShape::Cuboid(from), HitboxQueryShape::Cuboid(to)) => Ok(self.cast(from, to, filter)),
            _ => Err(two_kinds()),
        }
    }

    /// Finds all hitboxes that a shape hits on its way from one place to another, the earliest first. See
    /// [`HitboxQuery::cast_shape`].
    ///
    /// # Errors
    /// Returns an error if the shapes are of two kinds.
    pub fn cast_shape_all(
        &self,
        from: &HitboxQueryShape,
        to: &HitboxQueryShape,
        filter: &HitboxFilter<'_>,
    ) -> Result<Vec<HitboxCastHit>, InvalidShape> {
        match (from, to) {
            (HitboxQueryShape::Sphere(from), HitboxQueryShape::Sphere(to)) => Ok(self.cast_all(from, to, filter)),
            (HitboxQueryShape::Capsule(from), HitboxQueryShape::Capsule(to)) => Ok(self.cast_all(from, to, filter)),
            (HitboxQueryShape::Cuboid(from), HitboxQueryShape::Cuboid(to)) => Ok(self.cast_all(from, to, filter)),
            _ => Err(two_kinds()),
        }
    }

    /// Returns `true` if a shape hits any hitbox on its way from one place to another; stops at the first hit found. See
    /// [`HitboxQuery::cast_shape`].
    ///
    /// # Errors
    /// Returns an error if the shapes are of two kinds.
    pub fn cast_shape_any(
        &self,
        from: &HitboxQueryShape,
        to: &HitboxQueryShape,
        filter: &HitboxFilter<'_>,
    ) -> Result<bool, InvalidShape> {
        let world = &self.bodies.world;
        filter.ask(|filter| match (from, to) {
            (HitboxQueryShape::Sphere(from), HitboxQueryShape::Sphere(to)) => {
                Ok(world.cast_shape_any(from, to, None, filter))
            }
            (HitboxQueryShape::Capsule(from), HitboxQueryShape::Capsule(to)) => {
                Ok(world.cast_shape_any(from, to, None, filter))
            }
            (HitboxQueryShape::Cuboid(from), HitboxQueryShape::Cuboid(to)) => {
                Ok(world.cast_shape_any(from, to, None, filter))
            }
            _ => Err(two_kinds()),
        })
    }

    /// Finds the first hit between characters on the way from the last tick's poses to the present poses, at any speed.
    /// Characters that move need [`HitboxSettings::continuous`](crate::HitboxSettings::continuous).
    #[must_use]
    pub fn sweep(&self, filter: &HitboxFilter<'_>) -> Option<HitboxSweepHit> {
        let hit = filter.ask(|filter| self.bodies.world.sweep(None, filter))?;
        self.sweep_hit(&hit)
    }

    /// Finds all hitboxes that hit each other on the way from the last tick's poses to the present poses, sorted by
    /// character, then by hitbox. See [`HitboxQuery::sweep`].
    #[must_use]
    pub fn sweep_all(&self, filter: &HitboxFilter<'_>) -> Vec<HitboxSweepHit> {
        let mut hits = Vec::new();
        filter.ask(|filter| self.bodies.world.sweep_all(None, filter, &mut hits));
        hits.iter().filter_map(|hit| self.sweep_hit(hit)).collect()
    }

    /// Returns `true` if any characters hit each other on the way from the last tick's poses to the present poses; stops at
    /// the first hit found. See [`HitboxQuery::sweep`].
    #[must_use]
    pub fn sweep_any(&self, filter: &HitboxFilter<'_>) -> bool {
        filter.ask(|filter| self.bodies.world.sweep_any(None, filter))
    }

    /// Returns the matrix of a joint that [`HitboxSettings::track_joints`](crate::HitboxSettings::track_joints) names, in
    /// the present pose: the place of a weapon in a hand, also for characters that are posed by clips and have no joint
    /// entities. `None` if the entity has no bound hitboxes or no pose, or if the joint was not tracked in this pose.
    ///
    /// ```
    /// use bevy_bonebox::prelude::*;
    /// use bevy_ecs::prelude::*;
    /// use bevy_math::{Isometry3d, Vec3};
    ///
    /// /// A sword in the right hand: 1 m long, from the palm along the z axis of the joint, which goes across Runa's
    /// /// fingers. Keep the sword of the last tick, and pass both to `HitboxQuery::cast_shape_all`.
    /// fn sword(hitboxes: &HitboxQuery, fighter: Entity) -> Option<HitboxQueryShape> {
    ///     let hand = hitboxes.world_from_joint(fighter, "hand_r")?;
    ///     let (_, rotation, _) = hand.to_scale_rotation_translation();
    ///     let grip = hand.transform_point3(Vec3::new(0.0, 0.05, 0.0));
    ///     let place = Isometry3d::new(grip + rotation * (0.5 * Vec3::Z), rotation);
    ///     HitboxQueryShape::cuboid(place, Vec3::new(0.02, 0.02, 0.5)).ok()
    /// }
    /// ```
    #[must_use]
    pub fn world_from_joint(&self, entity: Entity, joint: &str) -> Option<Affine3A> {
        self.bodies.world.body(body_id(entity))?.world_from_joint(joint)
    }

    /// Computes the contact of the two hitboxes of a touch in the present poses; its depth is 0 if they no longer overlap.
    /// Returns `None` if a character was removed or has no pose.
    #[must_use]
    pub fn contact(&self, touch: &HitboxTouch) -> Option<Contact> {
        let (own, other) = (&touch.own, &touch.other);
        let joint =
            |one: &HitboxRef| Some(self.bodies.asset(one.entity)?.character().hitbox(BoxIndex(one.box_index))?.joint);
        self.bodies.world.contact(&Touch {
            body_a: body_id(own.entity),
            body_b: body_id(other.entity),
            answer: BoxPair {
                box_a: BoxIndex(own.box_index),
                box_b: BoxIndex(other.box_index),
                joint_a: joint(own)?,
                joint_b: joint(other)?,
            },
        })
    }

    /// Returns the posed bodies, for queries that this parameter does not offer.
    #[must_use]
    pub fn bodies(&self) -> &HitboxBodies {
        &self.bodies
    }

    fn name(&self, body: BodyId, index: BoxIndex) -> Option<HitboxRef> {
        self.bodies.name(Entity::try_from_bits(body.0)?, index)
    }

    fn cast<S: CastShape>(&self, from: &S, to: &S, filter: &HitboxFilter<'_>) -> Option<HitboxCastHit> {
        let hit = filter.ask(|filter| self.bodies.world.cast_shape(from, to, None, filter))?;
        self.cast_hit(from, to, &hit)
    }

    fn cast_all<S: CastShape>(&self, from: &S, to: &S, filter: &HitboxFilter<'_>) -> Vec<HitboxCastHit> {
        let mut hits = Vec::new();
        filter.ask(|filter| self.bodies.world.cast_shape_all(from, to, None, filter, &mut hits));
        hits.iter().filter_map(|hit| self.cast_hit(from, to, hit)).collect()
    }

    fn cast_hit<S: CastShape>(&self, from: &S, to: &S, hit: &BodyCastHit) -> Option<HitboxCastHit> {
        let point = self.bodies.world.cast_contact(from, to, hit)?.point;
        let hitbox = self.name(hit.body, hit.box_index)?;
        Some(HitboxCastHit { hitbox, time: hit.time, point, direction: hit.direction })
    }

    fn sweep_hit(&self, hit: &BodySweepHit) -> Option<HitboxSweepHit> {
        let (a, b) = (self.name(hit.body_a, hit.box_a)?, self.name(hit.body_b, hit.box_b)?);
        let point = self.bodies.world.sweep_contact(hit)?.center();
        Some(HitboxSweepHit { a, b, time: hit.time, point, direction: hit.direction })
    }

    fn ray_hit(&self, ray: &Ray3d, hit: &bonebox::BodyRayHit) -> Option<HitboxRayHit> {
        Some(HitboxRayHit {
            hitbox: self.name(hit.body, hit.box_index)?,
            distance: hit.entry,
            point: ray.get_point(hit.entry),
            normal: hit.normal,
        })
    }
}
