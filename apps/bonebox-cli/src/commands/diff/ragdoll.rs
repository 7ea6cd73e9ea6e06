//! Changes of ragdolls: bodies are matched by their joints.

use super::attacks::box_names;
use super::change::{Change, Fields, compare_lists, named, number};
use baked_format::{BakedCharacter, Constraint, Ragdoll, RagdollBody};
use glam::{Quat, Vec3};

type Side<'a> = (&'a BakedCharacter, &'a Ragdoll, &'a RagdollBody);

pub(super) fn compare_ragdolls(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    let bodies = sides.map(|character| {
        let of = |ragdoll| move |body| (character, ragdoll, body);
        let bodies = character.ragdoll.iter().flat_map(|ragdoll| ragdoll.bodies.iter().map(of(ragdoll)));
        named(bodies, |(character, _, body)| joint(character, body))
    });
    let described =
        |(character, _, body): Side<'_>| format!("{} kg with {}", body.mass, box_names(character, &body.boxes));
    compare_lists(
        changes,
        "body",
        bodies,
        described,
        |(old, old_ragdoll, before), (new, new_ragdoll, after), fields| {
            let RagdollBody { joint: _, position, rotation, boxes, mass, center_of_mass, inertia, constraint } = before;
            fields.value("boxes", box_names(old, boxes), box_names(new, &after.boxes));
            fields.value("position", vector(*position), vector(after.position));
            fields.value("rotation", quaternion(*rotation), quaternion(after.rotation));
            fields.value("mass", number(*mass), number(after.mass));
            fields.value("center_of_mass", vector(*center_of_mass), vector(after.center_of_mass));
            fields.value("inertia", numbers(inertia), numbers(&after.inertia));
            compare_constraints(fields, (old, old_ragdoll, constraint), (new, new_ragdoll, &after.constraint));
            let free = [(old, old_ragdoll, before), (new, new_ragdoll, after)].map(never_meets);
            fields.value("no_collision", free[0].as_str(), free[1].as_str());
        },
    );
}

type Held<'a> = (&'a BakedCharacter, &'a Ragdoll, &'a Option<Constraint>);

fn compare_constraints(fields: &mut Fields, (old, old_ragdoll, before): Held<'_>, (new, new_ragdoll, after): Held<'_>) {
    let parent = |character: &BakedCharacter, ragdoll: &Ragdoll, one: &Option<Constraint>| {
        let body = one.as_ref().and_then(|one| ragdoll.bodies.get(usize::from(one.parent)));
        body.map_or_else(|| "none".into(), |body| joint(character, body))
    };
    fields.value("parent", parent(old, old_ragdoll, before), parent(new, new_ragdoll, after));
    let (Some(before), Some(after)) = (before, after) else { return };
    let Constraint {
        parent: _,
        kind,
        anchor,
        parent_from_frame,
        body_from_frame,
        limits,
        stiffness,
        damping,
        limits_from,
    } = before;
    fields.value("kind", kind.keyword(), after.kind.keyword());
    fields.value("anchor", vector(*anchor), vector(after.anchor));
    fields.value("parent_from_frame", quaternion(*parent_from_frame), quaternion(after.parent_from_frame));
    fields.value("body_from_frame", quaternion(*body_from_frame), quaternion(after.body_from_frame));
    fields.value("limits", degrees(*limits), degrees(after.limits));
    fields.value("stiffness", number(*stiffness), number(after.stiffness));
    fields.value("damping", number(*damping), number(after.damping));
    fields.value("limits_from", limits_from.keyword(), after.limits_from.keyword());
}

/// The joints of the bodies that never collide with a body.
fn never_meets((character, ragdoll, body): Side<'_>) -> String {
    let index = ragdoll.bodies.iter().position(|one| one.joint == body.joint).unwrap_or_default();
    let other = |&[first, second]: &[u16; 2]| match (usize::from(first), usize::from(second)) {
        (first, second) if first == index => Some(second),
        (first, second) if second == index => Some(first),
        _ => None,
    };
    let others = ragdoll.no_collision.iter().filter_map(other).filter_map(|other| ragdoll.bodies.get(other));
    others.map(|other| joint(character, other)).collect::<Vec<_>>().join(", ")
}

fn joint(character: &BakedCharacter, body: &RagdollBody) -> String {
    character.skeleton.joint(body.joint).name.clone()
}

fn vector(at: Vec3) -> String {
    numbers(&at.to_array())
}

fn quaternion(turn: Quat) -> String {
    numbers(&turn.to_array())
}

fn degrees(angles: Vec3) -> String {
    angles.to_array().map(|angle| format!("{:.1}°", angle.to_degrees())).join(" ")
}

fn numbers(list: &[f32]) -> String {
    list.iter().map(f32::to_string).collect::<Vec<_>>().join(" ")
}
