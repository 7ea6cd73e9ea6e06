//! Hinges in place of swing and twist.

use baked_format::{Constraint, ConstraintKind};
use glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

/// The least limit of a hinge in radians: programs demand ranges that are not empty.
const LEAST_LIMIT: f64 = 1e-3;

/// A hinge of a body. The hinges of a body turn one after the other, and their angles are 0 in the middle of the range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Hinge {
    /// `y`, `z` or `twist`: the axis of the constraint's frame; `y2` or `z2` if it is the second hinge of that axis.
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
    /// `true` for the two hinges that must have the same angle; both together turn by that of the swing.
    pub(super) is_half: bool,
    /// The angle between the axes of both frames in the rest pose, of a constraint that is a hinge; in radians.
    pub(super) off: f64,
}

impl Hinge {
    fn new(label: &'static str, axis: DVec3, rest: f64, limit: f64) -> Self {
        let limit = Some(limit.max(LEAST_LIMIT)).filter(|limit| *limit < PI);
        Self { label, name: String::new(), axis, rest, limit, wider: 0.0, is_half: false, off: 0.0 }
    }
}

/// Makes the hinges of a constraint. The rotation is `parent_from_body` in the rest pose.
pub(super) type MakeHinges = fn(&Constraint, DQuat) -> Vec<Hinge>;

/// Returns four hinges for a ball: the outer axis of the swing by half of its angle, the inner one, the outer one again by the same
/// half, and the twist. One hinge for a hinge.
///
/// `Rz(a/2) Ry(b) Rz(a/2)` turns about an axis at right angles to x, so it is a swing, and the twist is a hinge of its own. As a
/// quaternion, it is `(sin(b/2) y + sin(a/2) cos(b/2) z, cos(a/2) cos(b/2))`. The outer axis is the one with the larger limit.
pub(super) fn coupled_hinges(constraint: &Constraint, rest: DQuat) -> Vec<Hinge> {
    let (turn, body_from_frame) = turn_at(constraint, rest);
    if constraint.kind == ConstraintKind::Hinge {
        return vec![single_hinge(constraint, turn, body_from_frame)];
    }
    let [outer, inner] = swing_axes(constraint);
    let twist_angle = twist_of(turn);
    let after_outer = body_from_frame * rotation(DVec3::X, -twist_angle);
    let swing = turn * rotation(DVec3::X, -twist_angle);
    let swing = if swing.w < 0.0 { -swing } else { swing };
    let part = |axis: DVec3| DVec3::new(swing.x, swing.y, swing.z).dot(axis);
    let inner_angle = 2.0 * libm::asin(part(inner.axis).clamp(-1.0, 1.0));
    let half_angle = libm::atan2(part(outer.axis), swing.w);
    let after_inner = after_outer * rotation(outer.axis, -half_angle);
    let before_inner = after_inner * rotation(inner.axis, -inner_angle);
    // The outer angle is largest at the corner of the pyramid, and the inner one without a swing about the outer axis.
    let most = (outer.limit * outer.limit + inner.limit * inner.limit).sqrt();
    let widest = match most {
        0.0 => 0.0,
        most if most >= PI => PI,
        most => 2.0 * libm::atan2(libm::sin(0.5 * most) * outer.limit / most, libm::cos(0.5 * most)),
    };
    let half = |label, turn: DQuat, wider: f64| Hinge {
        is_half: true,
        wider,
        ..Hinge::new(label, turn * outer.axis, half_angle, 0.5 * widest)
    };
    let [first, second] = if outer.label == "y" { ["y", "y2"] } else { ["z", "z2"] };
    vec![
        half(first, before_inner, widest - outer.limit),
        Hinge::new(inner.label, after_inner * inner.axis, inner_angle, inner.limit),
        half(second, after_outer, 0.0),
        Hinge::new("twist", body_from_frame * DVec3::X, twist_angle, f64::from(constraint.limits.x)),
    ]
}

/// Returns three hinges for a ball, the twist last, and one for a hinge.
///
/// The turn of the child's frame in the parent's is `Rz(a) Ry(b) Rx(c)`, or with y first. The axis with the larger limit comes
/// first, because the angle of the second one cannot pass 90 degrees, and because the first one then has to be widened less.
pub(super) fn three_hinges(constraint: &Constraint, rest: DQuat) -> Vec<Hinge> {
    let (turn, body_from_frame) = turn_at(constraint, rest);
    if constraint.kind == ConstraintKind::Hinge {
        return vec![single_hinge(constraint, turn, body_from_frame)];
    }
    let [first, second] = swing_axes(constraint);
    let wide = widened(first.limit, second.limit);
    let (first_angle, second_angle) = angles(turn * DVec3::X, first.label == "y");
    let first_turn = rotation(first.axis, first_angle);
    let second_turn = rotation(second.axis, second_angle);
    let twist_angle = twist_of((first_turn * second_turn).inverse() * turn);
    // In the rest pose, later hinges have already turned the axes of earlier ones.
    let after_second = body_from_frame * rotation(DVec3::X, -twist_angle);
    let after_first = after_second * second_turn.inverse();
    let hinge = |label, axis: DVec3, rest: f64, limit: f64, wide: Option<f64>| Hinge {
        wider: wide.map_or(0.0, |wide| (wide - limit).max(0.0)),
        ..Hinge::new(label, axis, rest, wide.unwrap_or(PI))
    };
    let twist = f64::from(constraint.limits.x);
    vec![
        hinge(first.label, after_first * first.axis, first_angle, first.limit, wide.first),
        hinge(second.label, after_second * second.axis, second_angle, second.limit, Some(wide.second)),
        hinge("twist", body_from_frame * DVec3::X, twist_angle, twist, wide.twist.map(|more| twist + more)),
    ]
}

/// The turn of the child's frame in the parent's, and `body_from_frame`.
fn turn_at(constraint: &Constraint, rest: DQuat) -> (DQuat, DQuat) {
    let [parent_from_frame, body_from_frame] =
        [constraint.parent_from_frame, constraint.body_from_frame].map(|one| one.as_dquat().normalize());
    ((parent_from_frame.inverse() * rest * body_from_frame).normalize(), body_from_frame)
}

fn single_hinge(constraint: &Constraint, turn: DQuat, body_from_frame: DQuat) -> Hinge {
    let off = libm::acos((turn * DVec3::X).x.clamp(-1.0, 1.0));
    let axis = body_from_frame * DVec3::X;
    Hinge { off, ..Hinge::new("twist", axis, twist_of(turn), f64::from(constraint.limits.x)) }
}

struct SwingAxis {
    label: &'static str,
    axis: DVec3,
    limit: f64,
}

/// The axes of the swing, the one with the larger limit first.
fn swing_axes(constraint: &Constraint) -> [SwingAxis; 2] {
    let y = SwingAxis { label: "y", axis: DVec3::Y, limit: constraint.limits.y.into() };
    let z = SwingAxis { label: "z", axis: DVec3::Z, limit: constraint.limits.z.into() };
    if y.limit > z.limit { [y, z] } else { [z, y] }
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

fn rotation(axis: DVec3, angle: f64) -> DQuat {
    let axis = axis * libm::sin(0.5 * angle);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, libm::cos(0.5 * angle))
}
