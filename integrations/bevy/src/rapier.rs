//! Hitboxes as sensors of rapier.

use crate::HitboxSystems;
use crate::sensors::{ColliderSize, HitboxSensor, HitboxSensorSystems, HitboxSensors, follow_hitboxes, make_sensors};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_rapier3d::prelude::{ActiveCollisionTypes, ActiveEvents, Collider, CollidingEntities, PhysicsSet, Sensor};
use bevy_transform::components::Transform;
use bonebox::HitboxShape;

/// Gives the characters with [`HitboxSensors`] sensors of rapier, and moves them to their hitboxes before each step.
///
/// Sensors are colliders without a rigid body. Rapier moves a kinematic body only at the end of a step, so it would test
/// the body's sensors at the places of the last tick. Sensors are tested against all colliders, including other sensors.
///
/// Each sensor is at the last pose of its hitbox. In `PostUpdate`, rapier steps before transforms are propagated, so
/// sensors are at the poses of the frame before. To give rapier the hitboxes of the same tick, run rapier,
/// [`BoneboxPlugin`](crate::BoneboxPlugin) and this plugin in `FixedUpdate`. Sensors report collisions by rapier's
/// `CollidingEntities` and `CollisionEvent`.
#[derive(Clone, Copy, Debug)]
pub struct HitboxRapierPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

/// Runs in `PostUpdate`, rapier's own default.
impl Default for HitboxRapierPlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate)
    }
}

impl HitboxRapierPlugin {
    /// Runs in a schedule, which must be the schedule of `RapierPhysicsPlugin`.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for HitboxRapierPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<HitboxSensors>().register_type::<HitboxSensor>();
        app.configure_sets(self.schedule, HitboxSensorSystems.before(PhysicsSet::SyncBackend));
        if self.schedule != PostUpdate.intern() {
            app.configure_sets(self.schedule, HitboxSensorSystems.after(HitboxSystems::Pose));
        }
        app.add_systems(
            self.schedule,
            (make_sensors, follow_hitboxes, add_colliders, move_sensors).chain().in_set(HitboxSensorSystems),
        );
    }
}

/// Rapier's shapes take half lengths. The half length of a capsule is that of its segment. A hull that the engine refuses, or
/// that the pose flattens, is the box around it.
fn collider(sensor: &HitboxSensor) -> Collider {
    let half = sensor.half_extents;
    let cuboid = || Collider::cuboid(half.x, half.y, half.z);
    match sensor.shape {
        HitboxShape::Box => cuboid(),
        HitboxShape::Hull => {
            let hull = sensor.hull.as_ref();
            hull.and_then(|hull| Collider::convex_mesh(hull.corners.clone(), &hull.triangles)).unwrap_or_else(cuboid)
        }
        HitboxShape::Capsule => Collider::capsule_y(half.y - half.x, half.x),
        HitboxShape::Sphere => Collider::ball(half.x),
    }
}

fn add_colliders(mut commands: Commands, sensors: Query<(Entity, &HitboxSensor), Without<ColliderSize>>) {
    for (entity, sensor) in &sensors {
        commands.entity(entity).insert((
            Sensor,
            collider(sensor),
            CollidingEntities::default(),
            ActiveEvents::COLLISION_EVENTS,
            ActiveCollisionTypes::all(),
            ColliderSize::of(sensor),
        ));
    }
}

fn move_sensors(
    mut sensors: Query<(&HitboxSensor, &mut Transform, &mut Collider, &mut ColliderSize), Changed<HitboxSensor>>,
) {
    for (sensor, mut place, mut shape, mut size) in &mut sensors {
        *place = Transform::from_translation(sensor.center).with_rotation(sensor.rotation);
        if size.differs(sensor) {
            *shape = collider(sensor);
            *size = ColliderSize::of(sensor);
        }
    }
}
