//! Checks what readers may rely on of a ragdoll.

use crate::character::BakedCharacter;
use crate::check::{Check, at_most, joint_index, sorted, unit, value, within};
use crate::error::CharacterError;
use crate::limits::{MAX_BODIES, MAX_BODY_PAIRS, MAX_BOXES, MAX_COORDINATE, MAX_MASS};
use crate::ragdoll::{Constraint, ConstraintKind, Ragdoll, RagdollBody};
use glam::Vec3;
use std::collections::HashSet;
use std::f32::consts::PI;

/// The rounding of a sum of two moments that equals the third, as a share of their sum.
const ROUNDING: f64 = 1e-5;

pub(crate) fn validate_ragdoll(ragdoll: &Ragdoll, character: &BakedCharacter) -> Check {
    at_most(ragdoll.bodies.len(), MAX_BODIES, "bodies", || "ragdoll".into())?;
    if ragdoll.bodies.is_empty() {
        return Err(value("bodies of the ragdoll".into(), "none", "at least one body"));
    }
    let (mut joints, mut boxes) = (HashSet::new(), HashSet::new());
    for (index, body) in ragdoll.bodies.iter().enumerate() {
        let place = |field: &str| format!("{field} of bodies[{index}]");
        joint_index(body.joint.index(), character, || place("joint"))?;
        if !joints.insert(body.joint) {
            let found = character.skeleton.joint(body.joint).name.clone();
            return Err(value(place("joint"), found, "a joint that no other body has"));
        }
        validate_boxes(body, character, &place)?;
        if let Some(twice) = body.boxes.iter().find(|one| !boxes.insert(**one)) {
            return Err(value(place("boxes"), twice, "boxes that no other body has"));
        }
        validate_body(body, &place)?;
        if let Some(constraint) = &body.constraint {
            validate_constraint(constraint, index, &place)?;
        }
    }
    at_most(ragdoll.no_collision.len(), MAX_BODY_PAIRS, "pairs of bodies", || "ragdoll".into())?;
    for (index, pair) in ragdoll.no_collision.iter().enumerate() {
        let place = || format!("no_collision[{index}]");
        let [first, second] = *pair;
        if first >= second {
            return Err(value(place(), format!("{first} and {second}"), "the smaller index first"));
        }
        body_index(second, ragdoll.bodies.len(), place)?;
        if index > 0 && ragdoll.no_collision[index - 1] >= *pair {
            let found = format!("{first} and {second}");
            return Err(CharacterError::Order { place: place(), found, rule: "sort pairs, none twice" });
        }
    }
    Ok(())
}

fn validate_boxes(body: &RagdollBody, character: &BakedCharacter, place: &impl Fn(&str) -> String) -> Check {
    at_most(body.boxes.len(), MAX_BOXES, "boxes", || place("boxes"))?;
    sorted(&body.boxes, "sort boxes, none twice", || place("boxes"))?;
    let count = character.boxes.len();
    match body.boxes.last() {
        None => Err(value(place("boxes"), "none", "at least one box")),
        Some(&last) if usize::from(last) >= count => {
            Err(CharacterError::Index { place: place("boxes"), index: last.into(), what: "boxes", count })
        }
        Some(_) => Ok(()),
    }
}

fn validate_body(body: &RagdollBody, place: &impl Fn(&str) -> String) -> Check {
    point(body.position, || place("position"))?;
    unit(body.rotation, || place("rotation"))?;
    within(body.mass, f32::MIN_POSITIVE, MAX_MASS, "kilograms above 0, at most 1e18", || place("mass"))?;
    point(body.center_of_mass, || place("center of mass"))?;
    let wrong =
        || value(place("inertia"), format!("{:?}", body.inertia), "a positive definite tensor of a body, at most 1e18");
    if !body.inertia.iter().all(|entry| entry.abs() <= MAX_MASS) {
        return Err(wrong());
    }
    let [xx, yy, zz, xy, xz, yz] = body.inertia.map(f64::from);
    // No moment exceeds the sum of the two others if the tensor has no larger one than half of its trace.
    let half = 0.5 * (xx + yy + zz) * (1.0 + ROUNDING);
    let is_of_body =
        is_positive([xx, yy, zz, xy, xz, yz]) && is_positive([half - xx, half - yy, half - zz, -xy, -xz, -yz]);
    if is_of_body { Ok(()) } else { Err(wrong()) }
}

/// Returns `true` if a symmetric matrix is positive definite: Sylvester's criterion.
fn is_positive([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> bool {
    let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    xx > 0.0 && xx * yy - xy * xy > 0.0 && determinant > 0.0
}

fn validate_constraint(one: &Constraint, index: usize, place: &impl Fn(&str) -> String) -> Check {
    if usize::from(one.parent) >= index {
        return Err(value(place("parent"), one.parent, "a body before this one"));
    }
    point(one.anchor, || place("anchor"))?;
    unit(one.parent_from_frame, || place("parent_from_frame"))?;
    unit(one.body_from_frame, || place("body_from_frame"))?;
    for limit in one.limits.to_array() {
        within(limit, 0.0, PI, "radians from 0 to pi", || place("limits"))?;
    }
    if one.kind == ConstraintKind::Hinge && (one.limits.y, one.limits.z) != (0.0, 0.0) {
        return Err(value(place("limits"), one.limits, "no swing, because the constraint is a hinge"));
    }
    within(one.stiffness, 0.0, MAX_MASS, "a number from 0 to 1e18", || place("stiffness"))?;
    within(one.damping, 0.0, MAX_MASS, "a number from 0 to 1e18", || place("damping"))
}

fn point(at: Vec3, place: impl Fn() -> String) -> Check {
    let expected = "three numbers from -1e12 to 1e12";
    at.to_array().iter().try_for_each(|number| within(*number, -MAX_COORDINATE, MAX_COORDINATE, expected, &place))
}

fn body_index(index: u16, count: usize, place: impl Fn() -> String) -> Check {
    if usize::from(index) < count {
        return Ok(());
    }
    Err(CharacterError::Index { place: place(), index: index.into(), what: "bodies", count })
}
