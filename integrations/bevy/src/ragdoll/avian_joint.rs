//! The joints of ragdolls in avian's solver.
//!
//! Avian's own joints do not fit. They move bodies after the contacts were solved, and so a figure that lies on the floor creeps and
//! never sleeps; the swing limit of `SphericalJoint` is a circular cone, where a ragdoll has one limit for each axis; and a fall
//! that starts beyond a limit turns a limb back in one substep. These joints are solved with the contacts, by impulses that are
//! kept from substep to substep, as soft constraints.
//!
//! Source: Erin Catto, [*Solver2D*](https://box2d.org/posts/2024/02/solver2d/), "Soft Step".

use super::avian_pair::Pair;
use super::turn::Turn;
use avian3d::dynamics::joints::EntityConstraint;
use avian3d::dynamics::solver::softness_parameters::{SoftnessCoefficients, SoftnessParameters};
use avian3d::dynamics::solver::solver_body::{SolverBodies, SolverBodyIndex};
use avian3d::prelude::{ComputedCenterOfMass, Position, RigidBody, Rotation};
use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::prelude::*;
use bevy_math::{Mat3, Quat, Vec3};
use bevy_time::Time;
use bonebox::ragdoll::{Constraint, ConstraintKind};

/// The share of the way back to the limits, and to where both bodies meet, that a joint goes in a second, if a fall starts with the
/// pose of a clip that is beyond.
const RETURN: f32 = 10.0;

/// The number of times in a substep that a joint would spring back.
const SPRINGS: f32 = 0.25;

/// The damping of these springs, as a share of the critical one.
const DAMPING: f32 = 2.0;

/// Two bodies that a joint holds together.
#[derive(Component, Clone, Debug)]
#[require(JointState)]
pub(super) struct RagdollJoint {
    pub(super) parent: Entity,
    pub(super) body: Entity,
    pub(super) constraint: Constraint,
}

impl EntityConstraint<2> for RagdollJoint {
    fn entities(&self) -> [Entity; 2] {
        [self.parent, self.body]
    }
}

impl MapEntities for RagdollJoint {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        (self.parent, self.body) = (mapper.get_mapped(self.parent), mapper.get_mapped(self.body));
    }
}

/// What the solver keeps of a joint. "Start" is the start of the step.
#[derive(Component, Clone, Debug, Default)]
pub(super) struct JointState {
    indices: [SolverBodyIndex; 2],
    /// The joint relative to the center of mass of each body at the start, in the world.
    arms: [Vec3; 2],
    /// From the center of mass of the parent to that of the body at the start, in the world.
    between: Vec3,
    /// `world_from_frame` of each body at the start.
    frames: [Quat; 2],
    /// The distance of the joint from where the parent holds it, in the parent's frame, and the angles beyond each limit in
    /// radians, which the solver lets be. Both go to zero.
    gap: Vec3,
    slack: Vec3,
    is_running: bool,
    /// The impulses that hold the joint together, and that keep each angle in its limits, on the body.
    pull: Vec3,
    torques: Vec3,
}

impl RagdollJoint {
    /// The limits of twist and swing in radians. A hinge does not swing.
    fn limits(&self) -> Vec3 {
        match self.constraint.kind {
            ConstraintKind::Ball => self.constraint.limits,
            ConstraintKind::Hinge => Vec3::new(self.constraint.limits.x, 0.0, 0.0),
        }
    }
}

/// Reads the places of the bodies before the substeps.
pub(super) fn prepare(
    mut joints: Query<(&RagdollJoint, &mut JointState)>,
    bodies: Query<(&RigidBody, &Position, &Rotation, &ComputedCenterOfMass, Option<&SolverBodyIndex>)>,
) {
    for (joint, mut state) in &mut joints {
        let Ok([parent, body]) = bodies.get_many([joint.parent, joint.body]) else {
            *state = JointState::default();
            continue;
        };
        let (constraint, state) = (&joint.constraint, &mut *state);
        let center = |(_, at, turn, center, _): (&_, &Position, &Rotation, &ComputedCenterOfMass, Option<&_>)| {
            at.0 + turn.0 * center.0
        };
        state.indices = [parent.4, body.4].map(|index: Option<&SolverBodyIndex>| index.copied().unwrap_or_default());
        state.arms = [parent.2.0 * (constraint.anchor - parent.3.0), body.2.0 * -body.3.0];
        state.between = center(body) - center(parent);
        state.frames = [parent.2.0 * constraint.parent_from_frame, body.2.0 * constraint.body_from_frame];
        if !state.is_running || !(parent.0.is_dynamic() || body.0.is_dynamic()) {
            let apart = state.between + state.arms[1] - state.arms[0];
            state.gap = state.frames[0].conjugate() * apart;
            let turn = Turn::new(state.frames[0].conjugate() * state.frames[1]);
            state.slack = (turn.angles.abs() - joint.limits()).max(Vec3::ZERO);
            (state.pull, state.torques, state.is_running) = (Vec3::ZERO, Vec3::ZERO, true);
        }
    }
}

/// What a substep knows of a joint.
struct Now {
    arms: [Vec3; 2],
    /// `world_from_frame` of the parent.
    frame: Quat,
    turn: Turn,
    /// The axis of the turn times its angle in radians, in the world.
    whole: Vec3,
    /// The change of each angle for a small rotation of the body, in the world.
    gradients: [Vec3; 3],
}

impl JointState {
    fn now(&self, pair: &Pair) -> Now {
        let turns = [0, 1].map(|side| pair.bodies[side].delta_rotation);
        let [frame, own] = [0, 1].map(|side| turns[side] * self.frames[side]);
        let whole = frame.conjugate() * own;
        let turn = Turn::new(whole);
        let whole = frame * if whole.w < 0.0 { -whole } else { whole }.to_scaled_axis();
        let gradients = turn.gradients().map(|gradient| frame * gradient);
        Now { arms: [0, 1].map(|side| turns[side] * self.arms[side]), frame, turn, whole, gradients }
    }
}

/// Applies the impulses of the last substep.
pub(super) fn warm_start(mut joints: Query<&mut JointState>, mut solver: ResMut<SolverBodies>) {
    for state in &mut joints {
        let Some(mut pair) = Pair::read(&solver, state.indices) else { continue };
        let now = state.now(&pair);
        pair.pull(state.pull, now.arms);
        for (gradient, torque) in now.gradients.into_iter().zip(state.torques.to_array()) {
            pair.turn(gradient * torque);
        }
        pair.write(&mut solver, state.indices);
    }
}

/// Solves the velocities of joints. With the bias, joints also come back to their places and limits; without it, the velocities
/// that the bias made are taken away again.
pub(super) fn solve<const BIASED: bool>(
    mut joints: Query<(&RagdollJoint, &mut JointState)>,
    mut solver: ResMut<SolverBodies>,
    time: Res<Time>,
) {
    let dt = time.delta_secs();
    if dt <= 0.0 {
        return;
    }
    let soft = SoftnessParameters::new(DAMPING, SPRINGS / dt).compute_coefficients(dt);
    let soft = if BIASED { soft } else { SoftnessCoefficients { bias: 0.0, mass_scale: 1.0, impulse_scale: 0.0 } };
    for (joint, mut state) in &mut joints {
        let Some(mut pair) = Pair::read(&solver, state.indices) else { continue };
        let now = state.now(&pair);
        if BIASED {
            let keep = 1.0 / (1.0 + RETURN * dt);
            let beyond = (now.turn.angles.abs() - joint.limits()).max(Vec3::ZERO);
            (state.gap, state.slack) = (state.gap * keep, (state.slack * keep).min(beyond));
            spring(&mut pair, &joint.constraint, &now, dt);
        }
        state.solve(joint, &now, &mut pair, soft, dt);
        pair.write(&mut solver, state.indices);
    }
}

impl JointState {
    fn solve(&mut self, joint: &RagdollJoint, now: &Now, pair: &mut Pair, soft: SoftnessCoefficients, dt: f32) {
        let SoftnessCoefficients { bias, mass_scale, impulse_scale } = soft;
        let limits = joint.limits();
        for (axis, gradient) in now.gradients.into_iter().enumerate() {
            let ease: f32 = pair.inertias.iter().map(|inertia| gradient.dot(*inertia * gradient)).sum();
            if ease <= 0.0 {
                continue;
            }
            let (angle, slack) = (now.turn.angles[axis], self.slack[axis]);
            // Toward the limit that is nearer.
            let side = if angle < 0.0 { -1.0 } else { 1.0 };
            let mut old = self.torques[axis];
            let new = if axis > 0 && joint.constraint.kind == ConstraintKind::Hinge {
                let beyond = side * (side * angle - slack).max(0.0);
                let speed = gradient.dot(pair.spin());
                old - mass_scale * (speed + bias * beyond) / ease - impulse_scale * old
            } else {
                if side * old > 0.0 {
                    pair.turn(gradient * -old);
                    old = 0.0;
                }
                let within = limits[axis] + slack - side * angle;
                let speed = -side * gradient.dot(pair.spin());
                let held = -side * old;
                let more = if within > 0.0 {
                    // Only the speed that would pass the limit in this substep is taken away.
                    -(speed + within / dt) / ease
                } else {
                    -mass_scale * (speed + bias * within) / ease - impulse_scale * held
                };
                -side * (held + more).max(0.0)
            };
            if new.is_finite() {
                self.torques[axis] = new;
                pair.turn(gradient * (new - old));
            }
        }
        let apart = pair.bodies[1].delta_position - pair.bodies[0].delta_position + self.between + now.arms[1]
            - now.arms[0]
            - now.frame * self.gap;
        let answer = pair.ease(now.arms).inverse() * (pair.speed(now.arms) + bias * apart);
        let impulse = -mass_scale * answer - impulse_scale * self.pull;
        if impulse.is_finite() {
            self.pull += impulse;
            pair.pull(impulse, now.arms);
        }
    }
}

/// The stiffness and the damping of a joint. Implicit, so that none is too strong for the step.
fn spring(pair: &mut Pair, constraint: &Constraint, now: &Now, dt: f32) {
    let (stiffness, damping) = (constraint.stiffness, constraint.damping);
    let softness = dt * (damping + dt * stiffness);
    if softness > 0.0 {
        let wanted = pair.spin() + now.whole * (stiffness / (damping + dt * stiffness));
        let ease = pair.inertias[0] + pair.inertias[1] + Mat3::from_diagonal(Vec3::splat(1.0 / softness));
        pair.turn(-(ease.inverse() * wanted));
    }
}
