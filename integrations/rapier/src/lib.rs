#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod joint;

pub use joint::{joint, softness, update_limits};

use glam::{Mat3, Vec3};
use ragdoll::{BodyPlace, BodySolid, BodyVelocity, RagdollRig};
use rapier3d::prelude::*;

/// The moment of inertia that every body has beside its own, as a share of that of the whole figure. Without it, a hand that weighs a
/// hundredth of the figure turns far past its limits before the solver has answered.
const ARMATURE: f32 = 0.004;

/// The speeds below which a body may sleep: heights of a person, and radians, per second. With rapier's own, which are five times as
/// large, a limb falls asleep while it still turns back from beyond its limit.
pub const STILL: (f32, f32) = (0.01, 0.1);

/// A ragdoll in a [`PhysicsWorld`]: one rigid body for each of its bodies, in their order.
#[derive(Clone, Debug)]
pub struct Ragdoll {
    bodies: Vec<RigidBodyHandle>,
    /// The joint that holds each body; `None` for roots.
    joints: Vec<Option<ImpulseJointHandle>>,
}

/// What all shapes of a ragdoll are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// The friction of the shapes.
    pub friction: f32,
    /// The share of the speed that a bounce keeps, 0 to 1.
    pub restitution: f32,
    /// The groups of the shapes, and the groups that they meet.
    pub groups: InteractionGroups,
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.8, restitution: 0.0, groups: InteractionGroups::all() }
    }
}

impl Ragdoll {
    /// Puts a ragdoll into the world. `places` and `velocities` have one entry for each body, from [`RagdollRig::places`] and
    /// [`RagdollRig::velocities`]; without velocities the bodies rest.
    ///
    /// # Panics
    /// Panics if a list has another length than the rig has bodies.
    pub fn spawn(
        world: &mut PhysicsWorld,
        rig: &RagdollRig,
        places: &[BodyPlace],
        velocities: &[BodyVelocity],
        material: Material,
    ) -> Self {
        assert_eq!(places.len(), rig.bodies().len(), "one place for each body");
        assert!(velocities.is_empty() || velocities.len() == places.len(), "one velocity for each body, or none");
        let armature = Mat3::from_diagonal(Vec3::splat(ARMATURE * spread(rig)));
        let mut bodies = Vec::with_capacity(places.len());
        for (index, (body, place)) in rig.bodies().iter().zip(places).enumerate() {
            let velocity = velocities.get(index).copied().unwrap_or_default();
            let [xx, yy, zz, xy, xz, yz] = body.inertia;
            let inertia = Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz));
            let mass = MassProperties::with_inertia_matrix(body.center_of_mass, body.mass, inertia + armature);
            let one = RigidBodyBuilder::dynamic()
                .pose(pose(place))
                .linvel(velocity.linear)
                .angvel(velocity.angular)
                .additional_mass_properties(mass)
                .user_data(index as u128);
            let handle = world.insert_body(one);
            let activation = world.bodies[handle].activation_mut();
            (activation.normalized_linear_threshold, activation.angular_threshold) = STILL;
            for shape in rig.shapes(index) {
                let at = Pose::from_parts(shape.center, shape.rotation);
                let solid = solid(&shape.solid)
                    .position(at)
                    .density(0.0)
                    .friction(material.friction)
                    .restitution(material.restitution)
                    .collision_groups(material.groups)
                    .user_data(shape.hitbox.into());
                world.insert_collider(solid, Some(handle));
            }
            bodies.push(handle);
        }
        let joints = rig.bodies().iter().zip(&bodies).map(|(body, handle)| {
            let constraint = body.constraint.as_ref()?;
            let parent = bodies[usize::from(constraint.parent)];
            let mut joint = joint(constraint);
            joint.softness = softness(world.integration_parameters.dt);
            Some(world.insert_impulse_joint(parent, *handle, joint))
        });
        let joints: Vec<_> = joints.collect();
        // A joint that leaves everything free keeps two bodies from colliding.
        let is_held = |first: usize, second: usize| {
            let parent = |body: usize| rig.bodies()[body].constraint.as_ref().map(|one| usize::from(one.parent));
            parent(second) == Some(first) || parent(first) == Some(second)
        };
        for &[first, second] in rig.no_collision() {
            let [first, second] = [first, second].map(usize::from);
            if !is_held(first, second) {
                let free = GenericJointBuilder::new(JointAxesMask::empty()).contacts_enabled(false);
                world.insert_impulse_joint(bodies[first], bodies[second], free);
            }
        }
        Self { bodies, joints }
    }

    /// The handles of the bodies, in the order of [`RagdollRig::bodies`].
    #[must_use]
    pub fn bodies(&self) -> &[RigidBodyHandle] {
        &self.bodies
    }

    /// The handles of the joints that hold the bodies; `None` for roots.
    #[must_use]
    pub fn joints(&self) -> &[Option<ImpulseJointHandle>] {
        &self.joints
    }

    /// Reads the places of the bodies, for [`RagdollRig::world_from_joints`]. A body that the game has removed keeps its entry of
    /// `places`, or is at the origin.
    pub fn places(&self, world: &PhysicsWorld, places: &mut Vec<BodyPlace>) {
        places.resize(self.bodies.len(), BodyPlace::IDENTITY);
        for (handle, place) in self.bodies.iter().zip(places) {
            if let Some(body) = world.bodies.get(*handle) {
                let at = body.position();
                *place = BodyPlace { position: at.translation, rotation: at.rotation };
            }
        }
    }

    /// Adapts the limits of ball joints to how they are turned now; see [`update_limits`]. Call it before each step.
    pub fn update_limits(&self, world: &mut PhysicsWorld, rig: &RagdollRig) {
        for (body, joint) in rig.bodies().iter().zip(&self.joints) {
            if let (Some(constraint), Some(joint)) = (&body.constraint, joint) {
                update_limits(&mut world.impulse_joints, &world.bodies, *joint, constraint, 1);
            }
        }
    }

    /// Lets single bodies fall, or holds them. A body that is held follows [`Ragdoll::follow`] and pushes what it meets; a body that
    /// falls hangs at those that are held. So a shot arm goes limp while the rest plays its animation.
    pub fn set_limp(&self, world: &mut PhysicsWorld, body: usize, is_limp: bool) {
        let kind = if is_limp { RigidBodyType::Dynamic } else { RigidBodyType::KinematicPositionBased };
        if let Some(body) = self.bodies.get(body).and_then(|handle| world.bodies.get_mut(*handle)) {
            body.set_body_type(kind, true);
        }
    }

    /// Moves the bodies that are held to the places of an animation, during the next step.
    pub fn follow(&self, world: &mut PhysicsWorld, places: &[BodyPlace]) {
        for (handle, place) in self.bodies.iter().zip(places) {
            if let Some(body) = world.bodies.get_mut(*handle).filter(|body| body.is_kinematic()) {
                body.set_next_kinematic_position(pose(place));
            }
        }
    }

    /// Takes the ragdoll out of the world, with its shapes and joints.
    pub fn remove(self, world: &mut PhysicsWorld) {
        for handle in self.bodies {
            world.remove_body_with_colliders(handle, true);
        }
    }
}

/// The moment of inertia of the whole figure in the rest pose, about its center of mass: of points.
fn spread(rig: &RagdollRig) -> f32 {
    let points = || rig.bodies().iter().map(|body| (body.mass, body.position + body.rotation * body.center_of_mass));
    let mass: f32 = points().map(|(mass, _)| mass).sum();
    let center = points().map(|(mass, at)| at * mass).sum::<Vec3>() / mass;
    points().map(|(mass, at)| mass * at.distance_squared(center)).sum()
}

/// The shape of a solid about its own center. A hull that rapier does not take becomes the box around it.
fn solid(solid: &BodySolid) -> ColliderBuilder {
    match solid {
        BodySolid::Box(half) => cuboid(*half),
        BodySolid::Capsule { half_length, radius } => ColliderBuilder::capsule_y(*half_length, *radius),
        BodySolid::Sphere(radius) => ColliderBuilder::ball(*radius),
        BodySolid::Hull(hull) => {
            let most = hull.vertices.iter().fold(Vec3::ZERO, |most, at| most.max(at.abs()));
            ColliderBuilder::convex_hull(&hull.vertices).unwrap_or_else(|| cuboid(most))
        }
    }
}

fn cuboid(half: Vec3) -> ColliderBuilder {
    ColliderBuilder::cuboid(half.x, half.y, half.z)
}

fn pose(place: &BodyPlace) -> Pose {
    Pose::from_parts(place.position, place.rotation)
}

/// Settings of the simulation for figures of this height in meters: 240 steps a second of 8 iterations, with which joints stay
/// together within about a hundredth of the height. Small figures need shorter steps, because they fall faster for their size. For a
/// game with 60 ticks a second, make four steps in each tick.
#[must_use]
pub fn parameters(height: f32) -> IntegrationParameters {
    let figures = height / 1.7;
    let time = figures.sqrt().min(1.0);
    let usual = IntegrationParameters::default();
    let faster =
        |one: SpringCoefficients<f32>| SpringCoefficients::new(one.natural_frequency / time, one.damping_ratio);
    IntegrationParameters {
        dt: time / 240.0,
        length_unit: figures,
        // A speed grows with the square root of the size. Overlaps of a large figure that are pushed apart at the usual speed for its size
        // would throw it into the air.
        normalized_max_corrective_velocity: usual.normalized_max_corrective_velocity / figures.sqrt(),
        num_solver_iterations: 8,
        num_internal_pgs_iterations: 4,
        contact_softness: faster(usual.contact_softness),
        static_contact_softness: faster(usual.static_contact_softness),
        ..usual
    }
}
