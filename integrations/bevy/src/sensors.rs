//! Sensors that follow hitboxes, for physics engines; the modules `avian` and `rapier` give the sensors their colliders.

use crate::body::HitboxBodies;
use crate::{Bonebox, HitboxRef, Hitboxes};
use bevy_asset::AssetId;
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use bonebox::{Body, BoxIndex, HitboxShape, PosedHitbox};

/// Gives a character's hitboxes to the physics engine: one sensor for each hitbox, which follows its joint.
///
/// Sensors are separate entities and not children of the joints, so that the scale of a parent does not change them.
/// They have the component [`HitboxSensor`], and are despawned with the character. Observe `On<Add<HitboxSensor>>` to
/// give sensors collision layers.
#[derive(Component, Reflect, Clone, Debug, PartialEq, Eq, Default)]
#[reflect(Component, Clone, Debug, PartialEq, Default)]
pub struct HitboxSensors {
    /// The tags of hitboxes that get a sensor. If the list is empty, all hitboxes get one.
    pub tags: Vec<String>,
}

impl HitboxSensors {
    /// Makes sensors for the hitboxes that have at least one of these tags.
    #[must_use]
    pub fn tagged<T: Into<String>>(tags: impl IntoIterator<Item = T>) -> Self {
        Self { tags: tags.into_iter().map(Into::into).collect() }
    }

    fn wants(&self, hitbox: &HitboxRef) -> bool {
        self.tags.is_empty() || self.tags.iter().any(|tag| hitbox.has_tag(tag))
    }
}

/// A sensor of a physics engine that follows a hitbox.
#[derive(Component, Reflect, Clone, Debug, PartialEq)]
#[reflect(Component, Clone, Debug, PartialEq)]
pub struct HitboxSensor {
    /// The hitbox.
    pub hitbox: HitboxRef,
    /// The hitbox's center, in world space.
    pub center: Vec3,
    /// The hitbox's orientation, in world space.
    pub rotation: Quat,
    /// Half the hitbox's size along its own axes, in world units. A capsule lies along the y axis: x and z are its
    /// radius, and y is its radius plus half the length of its segment. All three numbers of a sphere are its radius.
    pub half_extents: Vec3,
    /// The hitbox's shape: a box, a capsule, a sphere or a convex hull.
    #[reflect(ignore)]
    pub shape: HitboxShape,
    /// The hull inside the box; `None` if the shape is no hull, or the pose flattens it.
    #[reflect(ignore)]
    pub hull: Option<SensorHull>,
}

/// The surface of a hitbox that is a convex hull.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SensorHull {
    /// The corners in world units, relative to the center of the [`HitboxSensor`] and along its own axes.
    pub corners: Vec<Vec3>,
    /// The triangles, indices into `corners`, counterclockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// The character that a sensor belongs to; sensors are despawned with it.
#[derive(Component, Clone, Copy, Debug)]
#[relationship(relationship_target = CharacterSensors)]
pub struct SensorOf(pub Entity);

/// The sensors of a character.
#[derive(Component, Debug)]
#[relationship_target(relationship = SensorOf, linked_spawn)]
pub struct CharacterSensors(Vec<Entity>);

/// The asset and the settings from which a character's sensors were made.
#[derive(Component, PartialEq)]
pub(crate) struct SensorsMadeFor {
    asset: AssetId<Bonebox>,
    sensors: HitboxSensors,
}

/// The systems that make and move sensors. They run before the physics engine's step.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HitboxSensorSystems;

/// The size of the sensor's collider, and the corners of a hull.
#[derive(Component, Clone, Debug)]
pub(crate) struct ColliderSize {
    half_extents: Vec3,
    corners: Vec<Vec3>,
}

/// A change of the size below this share of the size counts as rounding, and the collider is kept.
const SAME_SIZE: f32 = 1e-5;

impl ColliderSize {
    pub(crate) fn of(sensor: &HitboxSensor) -> Self {
        Self { half_extents: sensor.half_extents, corners: sensor.corners().to_vec() }
    }

    /// Returns `true` if the hitbox's size or its hull differs from that of its collider, because its joint is scaled.
    pub(crate) fn differs(&self, sensor: &HitboxSensor) -> bool {
        let limit = SAME_SIZE * self.half_extents.max_element();
        let is_moved = |one: Vec3, other: Vec3| (one - other).abs().max_element() > limit;
        let corners = sensor.corners();
        is_moved(self.half_extents, sensor.half_extents)
            || self.corners.len() != corners.len()
            || self.corners.iter().zip(corners).any(|(one, other)| is_moved(*one, *other))
    }
}

impl HitboxSensor {
    fn corners(&self) -> &[Vec3] {
        self.hull.as_ref().map_or(&[], |hull| &hull.corners)
    }
}

type Character<'a> =
    (Entity, &'a Hitboxes, Option<&'a HitboxSensors>, Option<&'a CharacterSensors>, Option<&'a SensorsMadeFor>);

/// Makes the sensors that characters lack, and despawns the sensors that are no longer wanted.
pub(crate) fn make_sensors(
    mut commands: Commands,
    bodies: Res<HitboxBodies>,
    characters: Query<Character, Or<(With<HitboxSensors>, With<CharacterSensors>)>>,
) {
    for (entity, hitboxes, wanted, present, made_for) in &characters {
        let body = bodies.body_id(entity).and_then(|id| bodies.world().body(id));
        let is_posed = bodies.posed(entity).next().is_some();
        let made_for_this = wanted
            .filter(|_| is_posed)
            .map(|sensors| SensorsMadeFor { asset: hitboxes.0.id(), sensors: sensors.clone() });
        if made_for == made_for_this.as_ref() {
            continue;
        }
        for sensor in present.into_iter().flat_map(|sensors| sensors.iter()) {
            commands.entity(sensor).despawn();
        }
        let (Some(made_for), Some(wanted), Some(body)) = (made_for_this, wanted, body) else {
            commands.entity(entity).remove::<SensorsMadeFor>();
            continue;
        };
        for (hitbox, posed) in bodies.posed(entity).filter(|(hitbox, _)| wanted.wants(hitbox)) {
            let sensor = sensor(body, hitbox, &posed);
            let place = Transform::from_translation(sensor.center).with_rotation(sensor.rotation);
            commands.spawn((sensor, place, SensorOf(entity)));
        }
        commands.entity(entity).insert(made_for);
    }
}

fn sensor(body: &Body, hitbox: HitboxRef, posed: &PosedHitbox) -> HitboxSensor {
    // A mirrored pose has left-handed axes, which are no rotation. A box with one axis reversed is the same box.
    let mut axes = posed.axes;
    let is_mirrored = axes.determinant() < 0.0;
    if is_mirrored {
        axes.z_axis = -axes.z_axis;
    }
    let rotation = Quat::from_mat3(&axes).normalize();
    let PosedHitbox { center, half_extents, shape, .. } = *posed;
    let hull = hull(body, posed, rotation, is_mirrored);
    HitboxSensor { hitbox, center, rotation, half_extents, shape, hull }
}

fn hull(body: &Body, posed: &PosedHitbox, rotation: Quat, is_mirrored: bool) -> Option<SensorHull> {
    let hull = body.posed().posed_hull(posed.index)?;
    let hitbox = body.character().hitbox(posed.index)?;
    let (center, back) = (posed.center.as_dvec3(), rotation.inverse());
    let corners = hull.exact_corners().map(|corner| back * (corner - center).as_vec3()).collect();
    let turned = |[a, b, c]: [u32; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    let triangles = hitbox.baked.hull.as_ref()?.triangles.iter().map(|corners| turned(corners.map(u32::from)));
    Some(SensorHull { corners, triangles: triangles.collect() })
}

/// Moves each sensor to the present pose of its hitbox.
pub(crate) fn follow_hitboxes(bodies: Res<HitboxBodies>, mut sensors: Query<&mut HitboxSensor>) {
    for mut one in &mut sensors {
        let index = BoxIndex(one.hitbox.box_index);
        let body = bodies.body_id(one.hitbox.entity).and_then(|id| bodies.world().body(id));
        if let Some((body, posed)) = body.and_then(|body| Some((body, body.posed_hitbox(index)?))) {
            let moved = sensor(body, one.hitbox.clone(), &posed);
            one.set_if_neq(moved);
        }
    }
}
