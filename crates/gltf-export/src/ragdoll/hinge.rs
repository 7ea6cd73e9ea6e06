//! Hinges in place of swing and twist.

use baked_format::{Constraint, ConstraintKind};
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// The least limit of a hinge in radians: programs demand ranges that are not empty.
const LEAST_LIMIT: f64 = 1e-3;

/// A hinge of a body. The hinges of a body turn one after the other, and their angles are 0 in the middle of the range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hinge {
    /// `y`, `z` or `twist`: the axis of the constraint's frame.
    pub(super) label: &'static str,
    /// The name of the hinge, which no body and no other hinge has; empty until the figure gives it one.
    pub(super) name: String,
    /// The axis in the space of the body, as it is in the rest pose.
    pub(super) axis: DVec3,
    /// The angle in the rest pose, in radians.
    pub(super) rest: f64,
    /// The largest angle to both sides, in radians; `None` if every angle is allowed.
    pub(super) limit: Option<f64>,
    /// By how much the limit is larger than that of the swing or the twist, in radians.
    pub(super) wider: f64,
    /// The angle between the axes of both frames in the rest pose, of a constraint that is a hinge; in radians.
    pub(super) off: f64,
}

/// Returns the hinges of a constraint. `rest` is `parent_from_body` in the rest pose.
///
/// The swing is two hinges about y and z, and the twist is the last one. The turn of the child's frame in the parent's is then
/// `Rz(a) Ry(b) Rx(c)`, or with y first. The axis with the larger limit comes first, because the angle of the second one
/// cannot pass 90 degrees, and because the first one then has to be widened less.
pub(super) fn hinges(constraint: &Constraint, rest: DQuat) -> Vec<Hinge> {
    let [parent_from_frame, body_from_frame] =
        [constraint.parent_from_frame, constraint.body_from_frame].map(|one| one.as_dquat().normalize());
    let turn = (parent_from_frame.inverse() * rest * body_from_frame).normalize();
    let [twist, y, z] = constraint.limits.to_array().map(f64::from);
    let least = |limit: f64| limit.max(LEAST_LIMIT);
    let twist_hinge = |rest: f64, limit: Option<f64>, wider: f64, off: f64| {
        let limit = limit.filter(|limit| *limit < PI);
        Hinge { label: "twist", name: String::new(), axis: body_from_frame * DVec3::X, rest, limit, wider, off }
    };
    if constraint.kind == ConstraintKind::Hinge {
        let off = libm::acos((turn * DVec3::X).x.clamp(-1.0, 1.0));
        return vec![twist_hinge(twist_of(turn), Some(least(twist)), 0.0, off)];
    }
    let [first, second] =
        if y > z { [("y", DVec3::Y, y), ("z", DVec3::Z, z)] } else { [("z", DVec3::Z, z), ("y", DVec3::Y, y)] };
    let wide = widened(first.2, second.2);
    let (first_angle, second_angle) = angles(turn * DVec3::X, y > z);
    let first_turn = rotation(first.1, first_angle);
    let second_turn = rotation(second.1, second_angle);
    let twist_angle = twist_of((first_turn * second_turn).inverse() * turn);
    // In the rest pose, later hinges have already turned the axes of earlier ones.
    let after_twist = body_from_frame * rotation(DVec3::X, -twist_angle);
    let after_second = after_twist * second_turn.inverse();
    let hinge = |(label, axis, limit): (&'static str, DVec3, f64), turn: DQuat, rest: f64, wide: Option<f64>| Hinge {
        label,
        name: String::new(),
        axis: turn * axis,
        rest,
        limit: wide.map(least).filter(|limit| *limit < PI),
        wider: wide.map_or(0.0, |wide| (wide - limit).max(0.0)),
        off: 0.0,
    };
    vec![
        hinge(first, after_second, first_angle, wide.first),
        hinge(second, after_twist, second_angle, Some(wide.second)),
        twist_hinge(twist_angle, wide.twist.map(|more| least(twist + more)), wide.twist.unwrap_or(0.0), 0.0),
    ]
}

/// Limits of hinges that hold every swing within two limits.
struct Widened {
    first: Option<f64>,
    second: f64,
    /// What to add to the limit of the twist.
    twist: Option<f64>,
}

/// Both angles of the hinges grow with the swing, and so does the twist that they make together, so all are largest at the
/// corner of the pyramid, except for the second angle, which is largest without a swing about the first axis.
fn widened(first: f64, second: f64) -> Widened {
    let swing = (first * first + second * second).sqrt();
    if second >= FRAC_PI_2 || swing >= PI {
        return Widened { first: None, second: second.min(FRAC_PI_2), twist: None };
    }
    if swing == 0.0 {
        return Widened { first: Some(0.0), second: 0.0, twist: Some(0.0) };
    }
    let sine = libm::sin(swing);
    let first = libm::atan2(sine * first / swing, libm::cos(swing));
    let other = libm::asin((sine * second / swing).min(1.0));
    let twist = 2.0 * libm::atan(libm::tan(0.5 * first) * libm::tan(0.5 * other));
    Widened { first: Some(first), second, twist: Some(twist) }
}

/// The angles of the first two hinges that turn axis x to a direction.
fn angles(x: DVec3, is_y_first: bool) -> (f64, f64) {
    let angle =
        |side: f64, ahead: f64| if side * side + ahead * ahead > 1e-18 { libm::atan2(side, ahead) } else { 0.0 };
    match is_y_first {
        true => (angle(-x.z, x.x), libm::asin(x.y.clamp(-1.0, 1.0))),
        false => (angle(x.y, x.x), libm::asin((-x.z).clamp(-1.0, 1.0))),
    }
}

/// The angle of the turn about axis x that is nearest to a rotation, -π to π.
fn twist_of(rotation: DQuat) -> f64 {
    let sign = if rotation.w < 0.0 { -1.0 } else { 1.0 };
    2.0 * libm::atan2(sign * rotation.x, sign * rotation.w)
}

pub(super) fn rotation(axis: DVec3, angle: f64) -> DQuat {
    let axis = axis * libm::sin(0.5 * angle);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(0.5 * angle))
}
