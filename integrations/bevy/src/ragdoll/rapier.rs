//! Ragdolls in rapier.

use super::inertia::inertia;
use super::{RagdollBody, RagdollEngine, RagdollSystems};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;
use bevy_rapier3d::dynamics::{GenericJoint, RapierImpulseJointHandle};
use bevy_rapier3d::plugin::context::{RapierContextEntityLink, RapierContextJoints, RapierRigidBodySet};
use bevy_rapier3d::plugin::systems::sync_removals;
use bevy_rapier3d::prelude::{
    AdditionalMassProperties, AdditionalPgsIterations, AdditionalSolverIterations, Collider, ColliderMassProperties,
    Friction, ImpulseJoint, MassProperties, PhysicsSet, RigidBody, Sleeping, TimestepMode, TypedJoint, Velocity,
};
use bevy_rapier3d::rapier::dynamics::{
    GenericJointBuilder, JointAxesMask, MassProperties as RapierMassProperties, SpringCoefficients,
};
use bevy_time::Time;
use bevy_transform::components::Transform;
use bonebox::ragdoll::{BodyPlace, BodyShape, BodySolid, Constraint};
use bonebox_rapier::{STILL, softness, update_limits};

/// Makes the bodies of ragdolls rigid bodies of rapier. Add it after `RapierPhysicsPlugin`.
///
/// Bodies and joints are those of the crate `bonebox-rapier`: masses of the bake and some more inertia, limits of swing and
/// twist, and twice rapier's iterations. Rapier needs steps of 1/240 s: use [`TimestepMode::Fixed`] with four substeps in a
/// tick of 1/60 s.
#[derive(Clone, Copy, Debug)]
pub struct RagdollRapierPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

/// Runs in `PostUpdate`, rapier's own default.
impl Default for RagdollRapierPlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate)
    }
}

impl RagdollRapierPlugin {
    /// Runs in a schedule, which must be the schedule of `RapierPhysicsPlugin`.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for RagdollRapierPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<RagdollEngine>()
            .add_systems(
                self.schedule,
                (
                    (add_bodies, hold).chain().after(RagdollSystems::Advance).before(PhysicsSet::SyncBackend),
                    follow_turns.after(PhysicsSet::SyncBackend).before(PhysicsSet::StepSimulation),
                    read_places.after(PhysicsSet::Writeback).before(RagdollSystems::Show),
                ),
            )
            // `bevy_rapier` panics if bodies are despawned between the systems that follow removals. In other schedules than
            // `PostUpdate`, these run both there and in `PhysicsSet::SyncBackend`.
            .configure_sets(PostUpdate, RagdollSystems::Advance.before(sync_removals));
    }
}

/// The time of a tick and the number of steps in it.
fn tick(mode: &TimestepMode, time: &Time) -> (f32, u32) {
    let (dt, steps) = match *mode {
        TimestepMode::Fixed { dt, substeps } => (dt, substeps),
        TimestepMode::Variable { max_dt, time_scale, substeps } => {
            ((time.delta_secs() * time_scale).min(max_dt), substeps)
        }
        TimestepMode::Interpolated { dt, time_scale, substeps } => (dt * time_scale, substeps),
    };
    (dt, steps.max(1) as u32)
}

fn add_bodies(
    mut commands: Commands,
    bodies: Query<(Entity, &RagdollBody), Without<RigidBody>>,
    mode: Res<TimestepMode>,
    time: Res<Time>,
) {
    let (dt, steps) = tick(&mode, &time);
    for (entity, body) in &bodies {
        let baked = body.baked();
        let mass =
            RapierMassProperties::with_inertia_matrix(baked.center_of_mass, baked.mass, inertia(&body.rig, baked));
        let (normalized_linear_threshold, angular_threshold) = STILL;
        commands
            .entity(entity)
            .insert((
                kind(body),
                collider(body.rig.shapes(body.index)),
                ColliderMassProperties::Density(0.0),
                AdditionalMassProperties::MassProperties(MassProperties::from_rapier(mass)),
                Velocity { linear: body.velocity.linear, angular: body.velocity.angular },
            ))
            .insert_if_new((
                Friction::coefficient(0.8),
                Sleeping { normalized_linear_threshold, angular_threshold, ..Sleeping::default() },
                AdditionalSolverIterations(4),
                AdditionalPgsIterations(3),
            ));
        if let (Some(parent), Some(constraint)) = (body.parent, &baked.constraint) {
            let softness = softness(if dt > 0.0 { dt / steps as f32 } else { 1.0 / 240.0 });
            commands.entity(entity).insert(ImpulseJoint::new(parent, joint(constraint, softness)));
        }
        // Rapier takes one joint for each entity. A joint that leaves everything free keeps two bodies from colliding.
        for other in &body.passes {
            let raw = GenericJointBuilder::new(JointAxesMask::empty()).contacts_enabled(false).build();
            let free = TypedJoint::GenericJoint(GenericJoint { raw });
            commands.spawn((ImpulseJoint::new(*other, free), ChildOf(entity)));
        }
    }
}

fn joint(constraint: &Constraint, softness: SpringCoefficients<f32>) -> TypedJoint {
    let mut raw = bonebox_rapier::joint(constraint);
    raw.softness = softness;
    TypedJoint::GenericJoint(GenericJoint { raw })
}

fn kind(body: &RagdollBody) -> RigidBody {
    if body.is_limp { RigidBody::Dynamic } else { RigidBody::KinematicVelocityBased }
}

/// Moves the bodies that are held to their places in the animation, during the next step.
fn hold(
    mut bodies: Query<(&RagdollBody, &mut RigidBody, &Transform, &mut Velocity)>,
    mode: Res<TimestepMode>,
    time: Res<Time>,
) {
    let (dt, _) = tick(&mode, &time);
    for (body, mut own, now, mut velocity) in &mut bodies {
        own.set_if_neq(kind(body));
        if body.is_limp || dt <= 0.0 {
            continue;
        }
        let now = BodyPlace { position: now.translation, rotation: now.rotation };
        let toward = body.velocity_from(&now, dt);
        (velocity.linear, velocity.angular) = (toward.linear, toward.angular);
    }
}

/// Adapts the limits of joints to how they are turned. It changes rapier's own joints, because a change of `ImpulseJoint` would wake
/// the bodies.
fn follow_turns(
    joints: Query<(&RagdollBody, &RapierImpulseJointHandle, &RapierContextEntityLink)>,
    mut contexts: Query<(&RapierRigidBodySet, &mut RapierContextJoints)>,
    mode: Res<TimestepMode>,
    time: Res<Time>,
) {
    let (_, steps) = tick(&mode, &time);
    for (body, handle, link) in &joints {
        if let (Some(constraint), Ok((bodies, mut joints))) = (&body.baked().constraint, contexts.get_mut(link.0)) {
            update_limits(&mut joints.impulse_joints, &bodies.bodies, handle.0, constraint, steps);
        }
    }
}

fn read_places(mut bodies: Query<(&mut RagdollBody, &Transform), Changed<Transform>>) {
    for (mut body, now) in &mut bodies {
        body.place = BodyPlace { position: now.translation, rotation: now.rotation };
    }
}

/// All shapes of a body as one collider.
fn collider(shapes: &[BodyShape]) -> Collider {
    Collider::compound(shapes.iter().map(|shape| (shape.center, shape.rotation, solid(&shape.solid))).collect())
}

/// Rapier's boxes take half lengths. A hull that it refuses becomes the box around it.
fn solid(solid: &BodySolid) -> Collider {
    let cuboid = |half: Vec3| Collider::cuboid(half.x, half.y, half.z);
    match solid {
        BodySolid::Box(half) => cuboid(*half),
        BodySolid::Capsule { half_length, radius } => Collider::capsule_y(*half_length, *radius),
        BodySolid::Sphere(radius) => Collider::ball(*radius),
        BodySolid::Hull(hull) => Collider::convex_hull(&hull.vertices)
            .unwrap_or_else(|| cuboid(hull.vertices.iter().fold(Vec3::ZERO, |most, at| most.max(at.abs())))),
    }
}
