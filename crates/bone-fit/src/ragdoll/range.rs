//! The range of a joint: how far it turns in given poses.

use super::character::DEGREE;
use super::swing_twist::{SwingTwist, rotation_about, rotation_vector};
use baked_format::ConstraintKind;
use geometry_core::fit::{covariance_of_points, principal_axes};
use geometry_core::portable::shortest_turn;
use glam::{DQuat, DVec2, DVec3};
use std::f64::consts::PI;

/// A joint is a hinge if it turns less than this to each side about the axes across its main axis, and if it turns at
/// least [`HINGE_RATIO`] times as far about the main axis.
const HINGE_ACROSS: f64 = 10.0 * DEGREE;
const HINGE_RATIO: f64 = 3.0;

/// The number of times that the frames are put into the middle of the range. Swing and twist change a little with the
/// frames; after this number the middle moves by less than a tenth of a degree.
const ROUNDS: usize = 8;

/// The number of last rounds that look at every rotation. The others look at [`SOME`] of them.
const LAST_ROUNDS: usize = 2;
const SOME: usize = 1_024;

/// The axes about which the swing may be measured, between 0 and 90 degrees.
const AXES: usize = 18;

/// Frames of a parent and a child, and how far the child's frame turns in the parent's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) kind: ConstraintKind,
    pub(super) parent_from_frame: DQuat,
    pub(super) body_from_frame: DQuat,
    /// The largest twist, and the largest y and z of the swing vector, in radians. A hinge has a swing too: what the poses
    /// turn across its axis.
    pub(super) limits: DVec3,
}

/// The rotations of a body in the space of its parent (`parent_from_body`), at all sample times.
pub(super) struct Turns<'a> {
    pub(super) rotations: &'a [DQuat],
    /// The direction of the bone in the space of the body.
    pub(super) bone: DVec3,
    /// The share of the rotations that the range holds.
    pub(super) share: f64,
}

impl Turns<'_> {
    /// The largest angle between a rotation and the first one.
    pub(super) fn most(&self) -> f64 {
        let first = self.rotations[0];
        let angle = |turn: &DQuat| rotation_vector(first.conjugate() * *turn).length();
        self.rotations.iter().map(angle).fold(0.0, f64::max)
    }

    /// Returns a small range that holds the share of the rotations: a hinge if the motion is one, or if it is wanted.
    pub(super) fn range(&self, hinge: Option<bool>) -> Range {
        let step = self.rotations.len().div_ceil(SOME).max(1);
        let some: Vec<DQuat> = self.rotations.iter().copied().step_by(step).collect();
        let some = Turns { rotations: &some, ..*self };
        let as_hinge = || self.about(&some, self.main_axis(), ConstraintKind::Hinge);
        let as_ball = || self.about(&some, self.bone, ConstraintKind::Ball);
        match hinge {
            Some(true) => as_hinge(),
            Some(false) => as_ball(),
            None => {
                let range = as_hinge();
                let limits = range.limits;
                let across = limits.y.max(limits.z);
                let is_hinge = across <= HINGE_ACROSS && limits.x >= HINGE_RATIO * across && limits.x >= HINGE_ACROSS;
                if is_hinge { range } else { as_ball() }
            }
        }
    }

    /// The range with this axis of the body as the frame's axis x. `some` are some of the rotations.
    fn about(&self, some: &Self, axis: DVec3, kind: ConstraintKind) -> Range {
        let body_from_frame = shortest_turn(DVec3::X, axis);
        let mut range =
            Range { kind, parent_from_frame: self.mean() * body_from_frame, body_from_frame, limits: DVec3::ZERO };
        for round in 0..ROUNDS {
            let turns = if round < ROUNDS - LAST_ROUNDS { some } else { self };
            // The axes turn in the first rounds only, so that the middle comes to rest.
            if round < ROUNDS / 2 {
                let turn = rotation_about(DVec3::X * narrowest(&turns.kept(&turns.parts(&range))));
                range.parent_from_frame *= turn;
                range.body_from_frame *= turn;
            }
            let (low, high) = bounds(&turns.kept(&turns.parts(&range)));
            let middle = 0.5 * (low + high);
            let swing = rotation_about(DVec3::new(0.0, middle.y, middle.z));
            range.parent_from_frame = (range.parent_from_frame * swing).normalize();
            range.body_from_frame = (range.body_from_frame * rotation_about(DVec3::X * -middle.x)).normalize();
        }
        range.limits = self.largest(&range);
        range
    }

    /// The coordinates of every rotation in the frames of a range: twist, y and z of the swing.
    pub(super) fn parts(&self, range: &Range) -> Vec<DVec3> {
        let parent = range.parent_from_frame.conjugate();
        let part = |turn: &DQuat| {
            let SwingTwist { twist, swing } = SwingTwist::of(parent * *turn * range.body_from_frame);
            DVec3::new(twist, swing.x, swing.y)
        };
        self.rotations.iter().map(part).collect()
    }

    /// The largest coordinates to both sides of the share of the rotations.
    pub(super) fn largest(&self, range: &Range) -> DVec3 {
        let parts: Vec<DVec3> = self.parts(range).into_iter().map(DVec3::abs).collect();
        self.inner(&parts, DVec3::ZERO).into_iter().fold(DVec3::ZERO, DVec3::max)
    }

    /// The share of the coordinates that are nearest to the middle of their bounds.
    fn kept(&self, parts: &[DVec3]) -> Vec<DVec3> {
        let (low, high) = bounds(parts);
        self.inner(parts, 0.5 * (low + high))
    }

    /// The share of the coordinates that are nearest to `middle`; each coordinate counts as a share of its largest distance.
    fn inner(&self, parts: &[DVec3], middle: DVec3) -> Vec<DVec3> {
        let most = parts.iter().fold(DVec3::ZERO, |most, part| most.max((*part - middle).abs()));
        let most = most.max(DVec3::splat(f64::MIN_POSITIVE));
        let mut parted: Vec<(f64, DVec3)> =
            parts.iter().map(|part| (((*part - middle).abs() / most).max_element(), *part)).collect();
        let count = ((parts.len() as f64 * self.share).ceil() as usize).clamp(1, parts.len());
        parted.select_nth_unstable_by(count - 1, |a, b| a.0.total_cmp(&b.0));
        parted.truncate(count);
        parted.into_iter().map(|(_, part)| part).collect()
    }

    /// The rotation in the middle: the normalized sum of the quaternions, each with the sign of the first one.
    fn mean(&self) -> DQuat {
        let first = self.rotations[0];
        let sum = self.rotations.iter().fold(glam::DVec4::ZERO, |sum, turn| {
            let turn = glam::DVec4::from(*turn);
            sum + if turn.dot(first.into()) < 0.0 { -turn } else { turn }
        });
        sum.try_normalize().map_or(first, DQuat::from_vec4)
    }

    /// The axis of the body about which it turns most.
    fn main_axis(&self) -> DVec3 {
        let back = self.mean().conjugate();
        let vectors: Vec<DVec3> = self.rotations.iter().map(|turn| rotation_vector(back * *turn)).collect();
        principal_axes(&covariance_of_points(&vectors).matrix).axes.x_axis
    }
}

/// The turn about axis x, from 0 to 90 degrees, after which the bounds of the swings have the least area.
fn narrowest(parts: &[DVec3]) -> f64 {
    let area = |angle: f64| {
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for part in parts {
            let turned = DVec2::new(cosine * part.y + sine * part.z, cosine * part.z - sine * part.y);
            (low, high) = (low.min(turned), high.max(turned));
        }
        // A swing of a degree more counts, so that a flat range still has a best axis.
        let size = high - low + DVec2::splat(DEGREE);
        size.x * size.y
    };
    let angles = (0..AXES).map(|step| step as f64 * (0.5 * PI / AXES as f64));
    angles.map(|angle| (area(angle), angle)).min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, angle)| angle)
}

fn bounds(parts: &[DVec3]) -> (DVec3, DVec3) {
    let start = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    parts.iter().fold(start, |(low, high), part| (low.min(*part), high.max(*part)))
}
