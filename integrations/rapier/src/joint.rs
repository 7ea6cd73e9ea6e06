//! The joints of ragdolls, and their limits at each turn.

use glam::{Quat, Vec3};
use ragdoll::{Constraint, ConstraintKind};
use rapier3d::prelude::*;

/// The share of the way to the limits for the present turn that limits go in a step. With all of it, limits and contacts push a
/// limb to and fro.
const FOLLOW: f32 = 0.1;

/// The number of times in a step that a joint would spring back: 1,000 Hz with 240 steps a second. Rapier's own is a million Hz,
/// with which figures do not come to rest.
const SPRINGS: f32 = 4.2;

/// The joint of a constraint: of the parent's and the child's frames.
#[must_use]
pub fn joint(constraint: &Constraint) -> GenericJoint {
    let locked = match constraint.kind {
        ConstraintKind::Ball => JointAxesMask::LOCKED_SPHERICAL_AXES,
        ConstraintKind::Hinge => JointAxesMask::LOCKED_REVOLUTE_AXES,
    };
    let mut joint = GenericJoint::new(locked);
    joint.set_local_frame1(Pose::from_parts(constraint.anchor, constraint.parent_from_frame));
    joint.set_local_frame2(Pose::from_parts(Vec3::ZERO, constraint.body_from_frame));
    joint.set_contacts_enabled(false);
    let axes = [
        (JointAxis::AngX, constraint.limits.x),
        (JointAxis::AngY, constraint.limits.y),
        (JointAxis::AngZ, constraint.limits.z),
    ];
    let free = match constraint.kind {
        ConstraintKind::Ball => &axes[..],
        ConstraintKind::Hinge => &axes[..1],
    };
    for &(axis, limit) in free {
        joint.set_limits(axis, [-limit, limit]);
        if constraint.stiffness > 0.0 || constraint.damping > 0.0 {
            joint.set_motor_model(axis, MotorModel::ForceBased);
            joint.set_motor(axis, 0.0, 0.0, constraint.stiffness, constraint.damping);
        }
    }
    joint
}

/// The springs of joints that are solved in steps of `dt` seconds.
#[must_use]
pub fn softness(dt: f32) -> SpringCoefficients<f32> {
    SpringCoefficients::new(SPRINGS / dt, 1.0)
}

/// Adapts the limits of a ball joint to how it is turned now, if its bodies are awake. Call it before each step, or before each
/// `steps` steps.
///
/// Rapier limits each axis by itself: the angle of the turn's quaternion about it. With swing and twist at once, that is
/// another angle than the swing, by up to 20 degrees at an elbow. With limits for the present turn, swing and twist have
/// theirs.
pub fn update_limits(
    joints: &mut ImpulseJointSet,
    bodies: &RigidBodySet,
    joint: ImpulseJointHandle,
    constraint: &Constraint,
    steps: u32,
) {
    let Some(held) = joints.get(joint).filter(|_| constraint.kind == ConstraintKind::Ball) else { return };
    let (Some(parent), Some(child)) = (bodies.get(held.body1()), bodies.get(held.body2())) else { return };
    if child.is_sleeping() {
        return;
    }
    let turn =
        (parent.rotation() * constraint.parent_from_frame).conjugate() * child.rotation() * constraint.body_from_frame;
    let limits = limits_at(turn, constraint.limits);
    let share = 1.0 - (1.0 - FOLLOW).powi(steps as i32);
    if let Some(held) = joints.get_mut(joint, false) {
        for (axis, [low, high]) in [JointAxis::AngY, JointAxis::AngZ].into_iter().zip(limits) {
            let old = held.data.limits[axis as usize];
            let toward = |from: f32, to: f32| from + share * (to - from);
            held.data.set_limits(axis, [toward(old.min, low), toward(old.max, high)]);
        }
    }
}

/// The limits of rapier's angles about y and z that stand for those of the swing, at a turn of the child's frame in the parent's.
///
/// Rapier's angle about y is `2 atan(q.y / q.w)`. With `q = swing * twist`, half the swing's angle `s` and half the twist's `t`, and
/// the swing's axis `(0, y, z)`, the quotients are `tan s * (y + z tan t)` and `tan s * (z - y tan t)`.
fn limits_at(turn: Quat, limits: Vec3) -> [[f32; 2]; 2] {
    let usual = [[-limits.y, limits.y], [-limits.z, limits.z]];
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let twist = (turn.x * turn.x + turn.w * turn.w).sqrt();
    // Near half a turn of twist or swing the quotients have no meaning.
    if turn.w < 0.1 * twist || twist < 0.1 {
        return usual;
    }
    let tan_twist = turn.x / turn.w;
    let (cosine, sine) = (turn.w / twist, turn.x / twist);
    // The y and z of the swing's axis, times the sine of half its angle.
    let across = [cosine * turn.y - sine * turn.z, cosine * turn.z + sine * turn.y];
    let swing = 2.0 * (across[0] * across[0] + across[1] * across[1]).sqrt().atan2(twist);
    let quotient = |limit: f32| {
        let angle = swing.max(limit).min(3.0);
        limit * (0.5 * angle).tan() / angle.max(1e-6)
    };
    let [now_y, now_z] = across.map(|part| part / twist);
    let around = |limit: f32, middle: f32| {
        let most = quotient(limit);
        [-most, most].map(|end| 2.0 * (end + middle).atan())
    };
    [around(limits.y, now_z * tan_twist), around(limits.z, -now_y * tan_twist)]
}
