//! Hitboxes as sensors of avian.

use crate::HitboxSystems;
use crate::sensors::{ColliderSize, HitboxSensor, HitboxSensorSystems, HitboxSensors, follow_hitboxes, make_sensors};
use avian3d::parry::shape::SharedShape;
use avian3d::prelude::{
    Collider, CollidingEntities, CollisionEventsEnabled, PhysicsSystems, Position, RigidBody, Rotation, Sensor,
};
use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bonebox::HitboxShape;

/// Gives the characters with [`HitboxSensors`] kinematic sensors of avian, and moves them to their hitboxes before each step.
///
/// Each sensor is at the last pose of its hitbox. To give avian the hitboxes of the same tick, run
/// [`BoneboxPlugin`](crate::BoneboxPlugin) in a schedule before avian's, such as `FixedUpdate`. Sensors report
/// collisions by avian's `CollidingEntities` and `CollisionStart`. Avian counts boxes as touching if they are nearer
/// than its `NarrowPhaseConfig::contact_tolerance`.
#[derive(Clone, Copy, Debug)]
pub struct HitboxAvianPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

/// Runs in `FixedPostUpdate`, avian's own default.
impl Default for HitboxAvianPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedPostUpdate)
    }
}

impl HitboxAvianPlugin {
    /// Runs in a schedule, which must be the schedule of avian's `PhysicsPlugins`.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for HitboxAvianPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<HitboxSensors>()
            .register_type::<HitboxSensor>()
            .configure_sets(self.schedule, HitboxSensorSystems.after(HitboxSystems::Pose).in_set(PhysicsSystems::First))
            .add_systems(
                self.schedule,
                (make_sensors, follow_hitboxes, add_colliders, move_sensors).chain().in_set(HitboxSensorSystems),
            );
    }
}

/// Avian's shapes take full lengths. The length of a capsule is that of its segment. A hull that the engine refuses, or that
/// the pose flattens, is the box around it.
fn collider(sensor: &HitboxSensor) -> Collider {
    let half = sensor.half_extents;
    let cuboid = || Collider::cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
    match sensor.shape {
        HitboxShape::Box => cuboid(),
        HitboxShape::Hull => {
            let hull = sensor.hull.as_ref();
            let shape = hull.and_then(|hull| SharedShape::convex_mesh(hull.corners.clone(), &hull.triangles));
            shape.map_or_else(cuboid, Collider::from)
        }
        HitboxShape::Capsule => Collider::capsule(half.x, 2.0 * (half.y - half.x)),
        HitboxShape::Sphere => Collider::sphere(half.x),
    }
}

fn add_colliders(mut commands: Commands, sensors: Query<(Entity, &HitboxSensor), Without<ColliderSize>>) {
    for (entity, sensor) in &sensors {
        commands.entity(entity).insert((
            RigidBody::Kinematic,
            Sensor,
            collider(sensor),
            CollidingEntities::default(),
            CollisionEventsEnabled,
            Position(sensor.center),
            Rotation(sensor.rotation),
            ColliderSize::of(sensor),
        ));
    }
}

/// Sets avian's own components, because avian ignores changes of a `Transform` below a tenth of a degree.
fn move_sensors(
    mut sensors: Query<
        (&HitboxSensor, &mut Position, &mut Rotation, &mut Collider, &mut ColliderSize),
        Changed<HitboxSensor>,
    >,
) {
    for (sensor, mut position, mut rotation, mut shape, mut size) in &mut sensors {
        position.0 = sensor.center;
        rotation.0 = sensor.rotation;
        if size.differs(sensor) {
            *shape = collider(sensor);
            *size = ColliderSize::of(sensor);
        }
    }
}
