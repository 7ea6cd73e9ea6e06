//! Two bodies of avian's solver, and impulses between them.

use avian3d::dynamics::solver::solver_body::{SolverBodies, SolverBody, SolverBodyIndex};
use bevy_math::{Mat3, Vec3};

/// Two bodies of the solver, with the inverses of their masses and inertias in the world.
pub(super) struct Pair {
    pub(super) bodies: [SolverBody; 2],
    masses: [f32; 2],
    pub(super) inertias: [Mat3; 2],
}

impl Pair {
    /// Returns `None` if neither body moves.
    pub(super) fn read(solver: &SolverBodies, indices: [SolverBodyIndex; 2]) -> Option<Self> {
        let mut pair = Self { bodies: Default::default(), masses: [0.0; 2], inertias: [Mat3::ZERO; 2] };
        for (side, index) in indices.into_iter().enumerate() {
            let (Some(body), Some(inertia)) = (solver.get(index), solver.get_inertia(index)) else { continue };
            pair.bodies[side] = body.clone();
            if !body.flags.is_kinematic() {
                let tensor = inertia.effective_inv_angular_inertia();
                pair.masses[side] = inertia.effective_inv_mass().max_element();
                pair.inertias[side] = Mat3::from_cols(
                    Vec3::new(tensor.m00, tensor.m01, tensor.m02),
                    Vec3::new(tensor.m01, tensor.m11, tensor.m12),
                    Vec3::new(tensor.m02, tensor.m12, tensor.m22),
                );
            }
        }
        (pair.masses != [0.0; 2]).then_some(pair)
    }

    pub(super) fn write(self, solver: &mut SolverBodies, indices: [SolverBodyIndex; 2]) {
        for (index, body) in indices.into_iter().zip(self.bodies) {
            if let Some(own) = solver.get_mut(index) {
                (own.linear_velocity, own.angular_velocity) = (body.linear_velocity, body.angular_velocity);
            }
        }
    }

    /// Pulls the body at the joint, and the parent the other way.
    pub(super) fn pull(&mut self, impulse: Vec3, arms: [Vec3; 2]) {
        for ((side, sign), arm) in [(0, -1.0), (1, 1.0)].into_iter().zip(arms) {
            self.bodies[side].linear_velocity += sign * self.masses[side] * impulse;
            self.bodies[side].angular_velocity += self.inertias[side] * arm.cross(sign * impulse);
        }
    }

    /// Turns the body, and the parent the other way.
    pub(super) fn turn(&mut self, impulse: Vec3) {
        self.bodies[0].angular_velocity -= self.inertias[0] * impulse;
        self.bodies[1].angular_velocity += self.inertias[1] * impulse;
    }

    /// The angular velocity of the body against the parent.
    pub(super) fn spin(&self) -> Vec3 {
        self.bodies[1].angular_velocity - self.bodies[0].angular_velocity
    }

    /// The velocity of the body against the parent at the joint.
    pub(super) fn speed(&self, arms: [Vec3; 2]) -> Vec3 {
        let [parent, body] =
            [0, 1].map(|side| self.bodies[side].linear_velocity + self.bodies[side].angular_velocity.cross(arms[side]));
        body - parent
    }

    /// The velocity at the joint for each impulse there.
    pub(super) fn ease(&self, arms: [Vec3; 2]) -> Mat3 {
        let of = |side: usize| {
            let arm = cross_matrix(arms[side]);
            Mat3::from_diagonal(Vec3::splat(self.masses[side])) - arm * self.inertias[side] * arm
        };
        of(0) + of(1)
    }
}

/// The matrix that takes a vector to the cross product with it.
fn cross_matrix(left: Vec3) -> Mat3 {
    Mat3::from_cols(left.cross(Vec3::X), left.cross(Vec3::Y), left.cross(Vec3::Z))
}
