//! Ragdolls in avian.

use super::avian_joint::{RagdollJoint, prepare, solve, warm_start};
use super::inertia::{inertia, spread};
use super::{RagdollBody, RagdollEngine, RagdollSystems};
use avian3d::dynamics::integrator::IntegrationSystems;
use avian3d::dynamics::joints::EntityConstraint;
use avian3d::dynamics::joints::joint_graph::JointGraphPlugin;
use avian3d::dynamics::solver::schedule::SubstepSolverSystems;
use avian3d::prelude::{
    AngularInertia, AngularVelocity, CcdFilter, CenterOfMass, Collider, Friction, JointCollisionDisabled,
    LinearVelocity, Mass, Physics, PhysicsSchedule, PhysicsSystems, PhysicsTime, Position, RigidBody, Rotation,
    SolverSystems, SpeculativeCcd, SubstepSchedule, SweptCcd,
};
use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_math::Vec3;
use bevy_time::Time;
use bonebox::ragdoll::{BodyPlace, BodyShape, BodySolid};

/// Makes the bodies of ragdolls rigid bodies of avian. Add it after avian's `PhysicsPlugins`.
///
/// The joints are constraints of this crate in avian's solver, with the limits, the stiffness and the damping of the bake.
/// Avian's own joints have no limit for each axis of a swing, and figures with them do not come to rest. Bodies have the masses
/// of the bake and some more inertia, speculative contacts and no swept CCD. Avian's six substeps in a tick of 64 Hz are enough.
#[derive(Clone, Copy, Debug)]
pub struct RagdollAvianPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

/// Runs in `FixedPostUpdate`, avian's own default.
impl Default for RagdollAvianPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedPostUpdate)
    }
}

impl RagdollAvianPlugin {
    /// Runs in a schedule, which must be the schedule of avian's `PhysicsPlugins`.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for RagdollAvianPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<RagdollEngine>()
            .add_plugins((JointGraphPlugin::<RagdollJoint>::default(), JointGraphPlugin::<Passing>::default()))
            .add_systems(self.schedule, (add_bodies, hold).chain().in_set(PhysicsSystems::First))
            .add_systems(self.schedule, read_places.in_set(PhysicsSystems::Last))
            .configure_sets(self.schedule, RagdollSystems::Advance.before(PhysicsSystems::First))
            .configure_sets(self.schedule, RagdollSystems::Show.after(PhysicsSystems::Last))
            .add_systems(PhysicsSchedule, prepare.in_set(SolverSystems::PrepareJoints))
            .add_systems(
                SubstepSchedule,
                (
                    warm_start.after(IntegrationSystems::Velocity).before(SubstepSolverSystems::WarmStart),
                    solve::<true>.after(SubstepSolverSystems::SolveConstraints).before(IntegrationSystems::Position),
                    solve::<false>.after(SubstepSolverSystems::Relax).before(SubstepSolverSystems::Damping),
                ),
            );
    }
}

/// Two bodies that never collide, and that no joint holds together.
#[derive(Component, Clone, Debug)]
struct Passing([Entity; 2]);

impl EntityConstraint<2> for Passing {
    fn entities(&self) -> [Entity; 2] {
        self.0
    }
}

impl MapEntities for Passing {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        self.0 = self.0.map(|body| mapper.get_mapped(body));
    }
}

fn add_bodies(mut commands: Commands, bodies: Query<(Entity, &RagdollBody), Without<RigidBody>>) {
    for (entity, body) in &bodies {
        let baked = body.baked();
        let (_, radius) = spread(&body.rig);
        commands
            .entity(entity)
            .insert((
                kind(body),
                collider(body.rig.shapes(body.index)),
                Position(body.place.position),
                Rotation(body.place.rotation),
                LinearVelocity(body.velocity.linear),
                AngularVelocity(body.velocity.angular),
                Mass(baked.mass),
                AngularInertia::from_mat3_unchecked(inertia(&body.rig, baked)),
                CenterOfMass(baked.center_of_mass),
            ))
            // A sweep would stop a hand at the floor at the end of a step, away from its arm. Speculative contacts stop both.
            .insert_if_new((
                Friction::new(0.8),
                SweptCcd::new().with_filter(CcdFilter::NONE),
                SpeculativeCcd::new(radius),
            ));
        // A joint has an entity of its own, which goes with the body.
        if let (Some(parent), Some(constraint)) = (body.parent, baked.constraint.clone()) {
            let joint = RagdollJoint { parent, body: entity, constraint };
            commands.spawn((joint, JointCollisionDisabled, ChildOf(entity)));
        }
        for other in &body.passes {
            commands.spawn((Passing([*other, entity]), JointCollisionDisabled, ChildOf(entity)));
        }
    }
}

fn kind(body: &RagdollBody) -> RigidBody {
    if body.is_limp { RigidBody::Dynamic } else { RigidBody::Kinematic }
}

/// Moves the bodies that are held to their places in the animation, during the next step.
fn hold(
    mut commands: Commands,
    mut bodies: Query<(
        Entity,
        &RagdollBody,
        &RigidBody,
        &Position,
        &Rotation,
        &mut LinearVelocity,
        &mut AngularVelocity,
    )>,
    time: Res<Time>,
    physics: Res<Time<Physics>>,
) {
    let dt = time.delta_secs() * physics.relative_speed();
    for (entity, body, own, position, rotation, mut linear, mut angular) in &mut bodies {
        if *own != kind(body) {
            commands.entity(entity).insert(kind(body));
        }
        if body.is_limp || dt <= 0.0 {
            continue;
        }
        let now = BodyPlace { position: position.0, rotation: rotation.0 };
        let toward = body.velocity_from(&now, dt);
        (linear.0, angular.0) = (toward.linear, toward.angular);
    }
}

fn read_places(mut bodies: Query<(&mut RagdollBody, &Position, &Rotation), Changed<Position>>) {
    for (mut body, position, rotation) in &mut bodies {
        body.place = BodyPlace { position: position.0, rotation: rotation.0 };
    }
}

/// All shapes of a body as one collider.
fn collider(shapes: &[BodyShape]) -> Collider {
    Collider::compound(shapes.iter().map(|shape| (shape.center, shape.rotation, solid(&shape.solid))).collect())
}

/// Avian's boxes take full lengths. A hull that it refuses becomes the box around it.
fn solid(solid: &BodySolid) -> Collider {
    let cuboid = |half: Vec3| Collider::cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
    match solid {
        BodySolid::Box(half) => cuboid(*half),
        BodySolid::Capsule { half_length, radius } => Collider::capsule(*radius, 2.0 * half_length),
        BodySolid::Sphere(radius) => Collider::sphere(*radius),
        BodySolid::Hull(hull) => Collider::convex_hull(&hull.vertices)
            .unwrap_or_else(|| cuboid(hull.vertices.iter().fold(Vec3::ZERO, |most, at| most.max(at.abs())))),
    }
}
