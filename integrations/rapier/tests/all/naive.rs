//! The ragdoll that a game makes without clips and skin: a capsule for each bone, and joints that turn by 15 degrees to each side of
//! the rest pose. It is what the ragdolls of bonebox are compared with.

use glam::{Quat, Vec3};
use ragdoll::{BodyPlace, BodyVelocity, ConstraintKind, RagdollBody, RagdollRig};
use rapier3d::prelude::*;

/// In radians.
const LIMIT: f32 = 15.0 * std::f32::consts::PI / 180.0;

/// The radius of a capsule as a share of the length of its bone, and the least radius as a share of the figure's longest bone. Without
/// it, a short bone weighs next to nothing, and the figure explodes.
const RADIUS: f32 = 0.2;
const LEAST_RADIUS: f32 = 0.1;

/// The same bodies and joints as the rig, without what only bonebox knows.
pub struct Naive {
    pub bodies: Vec<RagdollBody>,
    /// The end of the bone that begins at the origin of each body, in the space of the body.
    ends: Vec<Vec3>,
}

impl Naive {
    pub fn new(rig: &RagdollRig) -> Self {
        let mut bodies = rig.bodies().to_vec();
        let ends = (0..bodies.len()).map(|body| end(rig.bodies(), body)).collect();
        for index in 0..bodies.len() {
            let Some(parent) = bodies[index].constraint.as_ref().map(|one| usize::from(one.parent)) else { continue };
            let parent_from_body = bodies[parent].rotation.conjugate() * bodies[index].rotation;
            if let Some(constraint) = &mut bodies[index].constraint {
                constraint.kind = ConstraintKind::Ball;
                (constraint.parent_from_frame, constraint.body_from_frame) = (parent_from_body, Quat::IDENTITY);
                constraint.limits = Vec3::splat(LIMIT);
            }
        }
        Self { bodies, ends }
    }

    /// Puts the ragdoll into the world with the usual builders of rapier, and masses of one density.
    pub fn spawn(
        &self,
        world: &mut PhysicsWorld,
        places: &[BodyPlace],
        velocities: &[BodyVelocity],
    ) -> Vec<RigidBodyHandle> {
        let longest = self.ends.iter().map(|end| end.length()).fold(0.0, f32::max);
        let capsule = |end: &Vec3| {
            let radius = (RADIUS * end.length()).max(LEAST_RADIUS * longest);
            ColliderBuilder::capsule_from_endpoints(Vec3::ZERO, *end, radius)
        };
        let volume: f32 = self.ends.iter().map(|end| capsule(end).build().volume()).sum();
        let density = self.bodies.iter().map(|body| body.mass).sum::<f32>() / volume;
        let mut handles = Vec::new();
        for ((place, velocity), end) in places.iter().zip(velocities).zip(&self.ends) {
            let body = RigidBodyBuilder::dynamic()
                .pose(Pose::from_parts(place.position, place.rotation))
                .linvel(velocity.linear)
                .angvel(velocity.angular);
            let handle = world.insert_body(body);
            // Its capsules overlap, so they only meet the ground.
            let groups = InteractionGroups::new(Group::GROUP_1, !Group::GROUP_1, InteractionTestMode::And);
            let collider = capsule(end).density(density).friction(0.8).collision_groups(groups);
            world.insert_collider(collider, Some(handle));
            handles.push(handle);
        }
        for (body, handle) in self.bodies.iter().zip(&handles) {
            let Some(constraint) = &body.constraint else { continue };
            let mut joint = GenericJoint::new(JointAxesMask::LOCKED_SPHERICAL_AXES);
            joint.set_local_frame1(Pose::from_parts(constraint.anchor, constraint.parent_from_frame));
            joint.set_contacts_enabled(false);
            for axis in [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ] {
                joint.set_limits(axis, [-LIMIT, LIMIT]);
            }
            world.insert_impulse_joint(handles[usize::from(constraint.parent)], *handle, joint);
        }
        handles
    }
}

/// The farthest of the joints that hang at a body, or at the end of a limb, the point as far beyond the center of mass.
fn end(bodies: &[RagdollBody], body: usize) -> Vec3 {
    let held = bodies.iter().filter_map(|one| one.constraint.as_ref().filter(|held| usize::from(held.parent) == body));
    let farthest = held.map(|one| one.anchor).max_by(|a, b| a.length().total_cmp(&b.length()));
    farthest.unwrap_or(2.0 * bodies[body].center_of_mass)
}
