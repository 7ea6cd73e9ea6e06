//! Exact queries: questions about the skin of characters that were baked with it, as a system parameter.

use crate::body::{HitboxBodies, body_id};
use crate::shape::{InvalidShape, ray};
use crate::{HitboxFilter, HitboxQueryShape};
use bevy_ecs::entity::ContainsEntity;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Vec2, Vec3};
use bevy_shape::Ray3d;
use bonebox::skeleton::JointIndex;
use bonebox::{BodyId, HitboxWorld, SkinError, WorldError};
use std::sync::Arc;

/// Queries the skin of characters: a hit is a hit on the skin, and not only on a hitbox.
///
/// The assets must be baked with their skin (`bonebox bake --skin lossless`), and the characters must have
/// [`HitboxSettings::track_skin`](crate::HitboxSettings::track_skin). Answers are sorted, and the same on every machine.
/// The guide `docs/exact.md` of bonebox defines them.
///
/// A query computes the part of the skin that it needs and stores it in the body until the next pose. Bevy therefore does
/// not run a system with this parameter at the same time as systems with [`HitboxQuery`](crate::HitboxQuery).
///
/// ```
/// use bevy_bonebox::prelude::*;
/// use bevy_ecs::prelude::*;
/// use bevy_math::{Dir3, Vec3};
/// use bevy_shape::Ray3d;
///
/// fn shoot(shooter: Single<Entity, With<Hitboxes>>, mut skins: ExactHitboxQuery) -> Result {
///     let own = [*shooter];
///     let muzzle = Ray3d::new(Vec3::new(0.0, 1.4, 0.0), Dir3::Z);
///     if let Some(hit) = skins.cast_ray(muzzle, 100.0, &HitboxFilter::excluding(&own))? {
///         println!("a decal at {}, triangle {}", hit.point, hit.skin.source_triangle);
///     }
///     Ok(())
/// }
/// ```
#[derive(SystemParam, Debug)]
pub struct ExactHitboxQuery<'w> {
    bodies: ResMut<'w, HitboxBodies>,
}

/// A joint of a character and a triangle of its skin, with its names, in exact answers.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxSkinRef {
    /// The entity with [`Hitboxes`](crate::Hitboxes).
    pub entity: Entity,
    /// The entity of the joint that owns the skin; `None` if the character has no joint entities.
    pub joint: Option<Entity>,
    /// The joint's name in the character's skeleton.
    pub joint_name: Arc<str>,
    /// The triangle of the source; [`Bonebox::source_of`](crate::Bonebox::source_of) returns its mesh.
    pub source_triangle: u32,
}

impl ContainsEntity for HitboxSkinRef {
    fn entity(&self) -> Entity {
        self.entity
    }
}

/// The point where a ray hits the skin of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxSkinRayHit {
    /// The joint and the triangle.
    pub skin: HitboxSkinRef,
    /// The distance from the ray's origin, in world units.
    pub distance: f32,
    /// The hit, in world space.
    pub point: Vec3,
    /// The unit normal of the skinned triangle, in world space, on the side from which the corners of the source triangle
    /// run counter-clockwise.
    pub normal: Vec3,
    /// The unit normal in world space, interpolated between the skinned normals of the source triangle's corners. Equal to
    /// `normal` if the character was baked without normals (option `skin_attributes`), or if a corner has none.
    pub shading_normal: Vec3,
    /// glTF's `TEXCOORD_0` at the hit, interpolated between the corners of the source triangle. `None` if the character was
    /// baked without texture coordinates (option `skin_attributes`), or if a corner has none.
    pub texture_coordinate: Option<Vec2>,
    /// The weights of the three corners of the source triangle at the hit; their sum is 1 up to rounding.
    pub barycentric: [f32; 3],
    /// `true` if the ray comes from the side of `normal`, which is the outside of glTF meshes.
    pub front: bool,
}

/// Two joints of two characters whose skins touch.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxSkinTouch {
    /// The joint and a triangle of the character whose entity has the lesser bits.
    pub a: HitboxSkinRef,
    /// The joint and a triangle of the other character.
    pub b: HitboxSkinRef,
    /// A point that both triangles share, in world space.
    pub point: Vec3,
}

/// The nearest points of the skins of two characters.
#[derive(Clone, Debug, PartialEq)]
pub struct HitboxSkinDistance {
    /// The joint and the triangle of the first character that has the nearest point.
    pub a: HitboxSkinRef,
    /// The joint and the triangle of the second character.
    pub b: HitboxSkinRef,
    /// The distance in world units; 0 if and only if the skins touch.
    pub distance: f32,
    /// The nearest point on the first character's skin, in world space.
    pub point_a: Vec3,
    /// The nearest point on the second character's skin, in world space.
    pub point_b: Vec3,
}

/// The reason why an exact query has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactQueryError {
    /// The ray or the shape is invalid.
    #[error(transparent)]
    Shape(#[from] InvalidShape),
    /// A character that the query may find has no skin, does not track it, or has no pose.
    #[error("the skin of {entity} cannot be queried: {}", reason(error))]
    Skin {
        /// The entity with [`Hitboxes`](crate::Hitboxes).
        entity: Entity,
        /// The reason.
        error: SkinError,
    },
    /// The entity has no bound hitboxes.
    #[error("{0} has no bound hitboxes; give it `Hitboxes` and wait until `HitboxBinding::is_bound`")]
    NoHitboxes(Entity),
    /// Both characters of [`ExactHitboxQuery::distance`] are the same.
    #[error("{0} was given twice; pass two characters")]
    SameCharacter(Entity),
    /// Another error of the run time's world.
    #[error(transparent)]
    World(WorldError),
}

fn reason(error: &SkinError) -> String {
    match error {
        SkinError::NotTracked { character } => {
            format!("{character:?} does not track its skin; set `HitboxSettings::track_skin`")
        }
        other => other.to_string(),
    }
}

/// Returns the entity of a body. The ids of all bodies are the bits of entities.
fn entity_of(body: BodyId) -> Entity {
    Entity::try_from_bits(body.0).unwrap_or(Entity::PLACEHOLDER)
}

impl From<WorldError> for ExactQueryError {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Skin { id, error } => Self::Skin { entity: entity_of(id), error },
            WorldError::SameBody(id) => Self::SameCharacter(entity_of(id)),
            WorldError::NoBody(id) => Self::NoHitboxes(entity_of(id)),
            other => Self::World(other),
        }
    }
}

impl ExactHitboxQuery<'_> {
    /// Finds the first point of any skin that the ray hits within `max_distance` (`f32::INFINITY` for no limit), from
    /// either side. A filter with tags finds the skin of joints that have a hitbox with one of them.
    ///
    /// # Errors
    /// Returns an error if the ray is not finite, or if a character in the ray's way that the filter admits does not
    /// track its skin.
    pub fn cast_ray(
        &mut self,
        ray3d: Ray3d,
        max_distance: f32,
        filter: &HitboxFilter<'_>,
    ) -> Result<Option<HitboxSkinRayHit>, ExactQueryError> {
        let ray = ray(ray3d.origin, *ray3d.direction)?;
        let hit = filter.ask(|filter| self.world().exact_ray(&ray, max_distance, filter))?;
        Ok(hit.and_then(|hit| {
            Some(HitboxSkinRayHit {
                skin: self.name(hit.body, hit.joint, hit.source_triangle)?,
                distance: hit.time,
                point: hit.point,
                normal: hit.normal,
                shading_normal: hit.shading_normal,
                texture_coordinate: hit.texture_coordinate,
                barycentric: hit.barycentric,
                front: hit.front,
            })
        }))
    }

    /// Finds the joints of different characters whose skins touch, sorted by characters, then by joints, among the
    /// characters that [`HitboxSystems::Test`](crate::HitboxSystems::Test) found near each other: run the query after it.
    ///
    /// # Errors
    /// Returns an error if a character that comes near another and that the filter admits does not track its skin.
    pub fn touches(&mut self, filter: &HitboxFilter<'_>) -> Result<Vec<HitboxSkinTouch>, ExactQueryError> {
        let mut found = Vec::new();
        #[cfg(not(feature = "rayon"))]
        filter.ask(|filter| self.world().exact_touches(filter, &mut found))?;
        #[cfg(feature = "rayon")]
        filter.ask(|filter| self.world().exact_touches_parallel(filter, &mut found))?;
        let named = found.iter().filter_map(|touch| {
            let a = self.name(touch.body_a, touch.joint_a, touch.source_triangle_a)?;
            let b = self.name(touch.body_b, touch.joint_b, touch.source_triangle_b)?;
            Some(HitboxSkinTouch { a, b, point: touch.point })
        });
        Ok(named.collect())
    }

    /// Finds the joints whose skin the shape touches, each with one triangle, sorted by character, then by joint. Only the
    /// surface counts: a shape wholly inside a body touches nothing, see [`ExactHitboxQuery::containing`].
    ///
    /// # Errors
    /// Returns an error if a character near the shape that the filter admits does not track its skin.
    pub fn overlapping(
        &mut self,
        shape: &HitboxQueryShape,
        filter: &HitboxFilter<'_>,
    ) -> Result<Vec<HitboxSkinRef>, ExactQueryError> {
        let mut found = Vec::new();
        let world = self.world();
        filter.ask(|filter| match shape {
            HitboxQueryShape::Sphere(shape) => world.exact_shape_overlaps(shape, filter, &mut found),
            HitboxQueryShape::Capsule(shape) => world.exact_shape_overlaps(shape, filter, &mut found),
            HitboxQueryShape::Cuboid(shape) => world.exact_shape_overlaps(shape, filter, &mut found),
        })?;
        let named = found.iter().filter_map(|one| self.name(one.body, one.joint, one.source_triangle));
        Ok(named.collect())
    }

    /// Finds the characters whose skin contains a point in world space, sorted by their entities' bits. The filter's tags
    /// have no effect. See [`bonebox::PosedCharacter::skin_contains`] for the meaning of inside.
    ///
    /// # Errors
    /// Returns an error if a character near the point that the filter admits does not track its skin.
    pub fn containing(&mut self, point: Vec3, filter: &HitboxFilter<'_>) -> Result<Vec<Entity>, ExactQueryError> {
        let mut found = Vec::new();
        filter.ask(|filter| self.world().bodies_containing(point, filter, &mut found))?;
        Ok(found.into_iter().map(entity_of).collect())
    }

    /// Finds the nearest points of the skins of two characters that are at most `max_distance` world units apart
    /// (`f32::INFINITY` for any distance).
    ///
    /// # Errors
    /// Returns an error if a character has no bound hitboxes, has no pose or does not track its skin, or if both are the
    /// same.
    pub fn distance(
        &mut self,
        a: Entity,
        b: Entity,
        max_distance: f32,
    ) -> Result<Option<HitboxSkinDistance>, ExactQueryError> {
        let (body_a, body_b) = (body_id(a), body_id(b));
        let nearest = self.world().exact_distance(body_a, body_b, max_distance)?;
        Ok(nearest.and_then(|nearest| {
            Some(HitboxSkinDistance {
                a: self.name(body_a, nearest.joint_a, nearest.source_triangle_a)?,
                b: self.name(body_b, nearest.joint_b, nearest.source_triangle_b)?,
                distance: nearest.distance,
                point_a: nearest.point_a,
                point_b: nearest.point_b,
            })
        }))
    }

    /// Returns the posed bodies.
    #[must_use]
    pub fn bodies(&self) -> &HitboxBodies {
        &self.bodies
    }

    /// The skin is kept for each pose, so a query is no change of the bodies that systems could see.
    fn world(&mut self) -> &mut HitboxWorld {
        &mut self.bodies.bypass_change_detection().world
    }

    fn name(&self, body: BodyId, joint: JointIndex, source_triangle: u32) -> Option<HitboxSkinRef> {
        self.bodies.name_skin(entity_of(body), joint, source_triangle)
    }
}
