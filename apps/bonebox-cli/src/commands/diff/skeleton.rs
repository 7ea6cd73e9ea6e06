//! Changes of the joints, their hierarchy and their rest transforms, and of the humanoid.

use super::change::{Change, Fields, compare_lists, named, number, rounded};
use crate::shape_change::rotation_degrees;
use baked_format::BakedCharacter;
use glam::{Affine3A, Vec3};
use serde_json::Value;
use skeleton::humanoid::{HumanBone, Humanoid, HumanoidSource};
use skeleton::{Joint, JointIndex, LocalTransform, Trs};

/// The name of a joint, by which joints of two bakes are matched.
pub(super) fn joint_name(character: &BakedCharacter, joint: JointIndex) -> &str {
    character.skeleton.joints().get(joint.index()).map_or("?", |joint| joint.name.as_str())
}

/// A joint and the character that has it.
type JointOf<'a> = (&'a BakedCharacter, &'a Joint);

pub(super) fn compare_joints(changes: &mut Vec<Change>, sides: [&BakedCharacter; 2]) {
    fn parent<'a>((character, joint): JointOf<'a>) -> Option<&'a str> {
        joint.parent.map(|parent| joint_name(character, parent))
    }
    let described = |joint: JointOf<'_>| match parent(joint) {
        Some(parent) => format!("a child of {parent}"),
        None => "a root".into(),
    };
    let compared = |before: JointOf<'_>, after: JointOf<'_>, fields: &mut Fields| {
        // Joints are matched by name.
        let Joint { name: _, node, parent: _, rest, skinned } = before.1;
        fields.value("node", node.0, after.1.node.0);
        fields.value("parent", parent(before), parent(after));
        compare_transforms(fields, "rest", rest, &after.1.rest);
        fields.value("skinned", *skinned, after.1.skinned);
    };
    let joints = sides.map(|character| {
        let joints = character.skeleton.joints().iter().map(|joint| (character, joint));
        named(joints, |(_, joint)| joint.name.clone())
    });
    compare_lists(changes, "joint", joints, described, compared);
}

fn compare_transforms(fields: &mut Fields, field: &str, old: &LocalTransform, new: &LocalTransform) {
    match (old, new) {
        (LocalTransform::Trs(before), LocalTransform::Trs(after)) => {
            let Trs { translation, rotation, scale } = before;
            compare_places(fields, &format!("{field}.translation"), *translation, after.translation);
            if *rotation != after.rotation {
                let degrees = rotation_degrees(*rotation, after.rotation);
                let field = format!("{field}.rotation");
                let text = format!("{field} turned by {} degrees", rounded(degrees, 3));
                fields.note(field, text);
            }
            let numbers = |scale: Vec3| Value::from(scale.to_array().map(number).to_vec());
            fields.value(format!("{field}.scale"), numbers(*scale), numbers(after.scale));
        }
        (LocalTransform::Matrix(before), LocalTransform::Matrix(after)) => {
            compare_matrices(fields, &format!("{field}.matrix"), before, after);
        }
        (LocalTransform::Matrix(_), LocalTransform::Trs(_)) => {
            fields.note(field, format!("{field} is no longer a matrix"));
        }
        (LocalTransform::Trs(_), LocalTransform::Matrix(_)) => fields.note(field, format!("{field} became a matrix")),
    }
}

/// Adds a matrix if it differs: the distance of its origin, and whether its axes differ.
pub(super) fn compare_matrices(fields: &mut Fields, field: &str, old: &Affine3A, new: &Affine3A) {
    compare_places(fields, field, old.translation.into(), new.translation.into());
    if old.matrix3 != new.matrix3 {
        fields.note(field, format!("axes of {field} differ"));
    }
}

fn compare_places(fields: &mut Fields, field: &str, old: Vec3, new: Vec3) {
    if old != new {
        let distance = (new.as_dvec3() - old.as_dvec3()).length();
        fields.note(field, format!("{field} moved by {}", rounded(distance, 3)));
    }
}

pub(super) fn compare_humanoids([old, new]: [&BakedCharacter; 2]) -> Option<Change> {
    let described = |humanoid: &Humanoid| format!("{} bones, {}", humanoid.iter().count(), source(humanoid));
    let compared = |before: &Humanoid, after: &Humanoid, fields: &mut Fields| {
        fields.value("source", source(before), source(after));
        for bone in HumanBone::ALL {
            let joint = |character, humanoid: &Humanoid| humanoid.joint(bone).map(|joint| joint_name(character, joint));
            fields.value(format!("bones.{bone}"), joint(old, before), joint(new, after));
        }
    };
    Change::optional("humanoid", [old.humanoid.as_ref(), new.humanoid.as_ref()], described, compared)
}

fn source(humanoid: &Humanoid) -> &'static str {
    match humanoid.source() {
        HumanoidSource::Vrm => "vrm",
        HumanoidSource::Guessed => "guessed",
        HumanoidSource::Settings => "settings",
    }
}
