//! Changes of the joints, their hierarchy and their rest transforms, and of the humanoid.

use super::change::{Change, Fields, compare_lists, named, number, rounded};
use crate::shape_change::rotation_degrees;
use baked_format::BakedCharacter;
use glam::{Affine3A, Mat3, Vec3};
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
    let spaces = JointAxes::new(sides[0]);
    let described = |joint: JointOf<'_>| match parent(joint) {
        Some(parent) => format!("a child of {parent}"),
        None => "a root".into(),
    };
    let compared = |before: JointOf<'_>, after: JointOf<'_>, fields: &mut Fields| {
        // Joints are matched by name.
        let Joint { name: _, node, parent: _, rest, skinned } = before.1;
        fields.value("node", node.0, after.1.node.0);
        fields.value("parent", parent(before), parent(after));
        compare_transforms(fields, "rest", (rest, &after.1.rest), spaces.of(before.1.parent));
        fields.value("skinned", *skinned, after.1.skinned);
    };
    let joints = sides.map(|character| {
        let joints = character.skeleton.joints().iter().map(|joint| (character, joint));
        named(joints, |(_, joint)| joint.name.clone())
    });
    compare_lists(changes, "joint", joints, described, compared);
}

/// For each joint of a character, the axes of its space at rest, in meters.
pub(super) struct JointAxes(Vec<Mat3>);

impl JointAxes {
    pub(super) fn new(character: &BakedCharacter) -> Self {
        let skeleton = &character.skeleton;
        let spaces = skeleton.rest_matrices();
        Self(spaces.into_iter().map(|space| space.matrix3.into()).collect())
    }

    /// The axes of a joint's space; those of the model for no joint.
    pub(super) fn of(&self, joint: Option<JointIndex>) -> Mat3 {
        joint.and_then(|joint| self.0.get(joint.index())).copied().unwrap_or(Mat3::IDENTITY)
    }
}

fn compare_transforms(
    fields: &mut Fields,
    field: &str,
    (old, new): (&LocalTransform, &LocalTransform),
    parent_axes: Mat3,
) {
    match (old, new) {
        (LocalTransform::Trs(before), LocalTransform::Trs(after)) => {
            let Trs { translation, rotation, scale } = before;
            compare_places(fields, &format!("{field}.translation"), (*translation, after.translation), parent_axes);
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
            compare_matrices(fields, &format!("{field}.matrix"), (before, after), parent_axes);
        }
        (LocalTransform::Matrix(_), LocalTransform::Trs(_)) => {
            fields.note(field, format!("{field} is no longer a matrix"));
        }
        (LocalTransform::Trs(_), LocalTransform::Matrix(_)) => fields.note(field, format!("{field} became a matrix")),
    }
}

/// Adds a matrix if it differs: the distance of its origin in meters, and whether its axes differ. `axes` are those of the space
/// that it leads to, in meters.
pub(super) fn compare_matrices(fields: &mut Fields, field: &str, (old, new): (&Affine3A, &Affine3A), axes: Mat3) {
    compare_places(fields, field, (old.translation.into(), new.translation.into()), axes);
    if old.matrix3 != new.matrix3 {
        fields.note(field, format!("axes of {field} differ"));
    }
}

fn compare_places(fields: &mut Fields, field: &str, (old, new): (Vec3, Vec3), axes: Mat3) {
    if old != new {
        let distance = (axes.as_dmat3() * (new.as_dvec3() - old.as_dvec3())).length();
        fields.note(field, format!("{field} moved by {} m", rounded(distance, 3)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use skinned_model::NoExternalFiles;

    /// Joints move by meters, whatever the scale of the joints above them is.
    #[test]
    fn joints_and_bindings_move_by_meters() {
        for unit in [[1.0; 3], [0.01; 3], [100.0; 3], [4.0, 0.5, 0.25]] {
            let man = test_models::box_man();
            let model = skinned_model::import(&man.to_gltf_in(unit).to_glb(), &NoExternalFiles).unwrap();
            let source = baked_format::Source { file: String::new(), blake3: [0; 32], generator: String::new() };
            let options = bone_fit::BakeOptions::from_entries([("measure", "none"), ("skin", "lossless")]).unwrap();
            let old = bone_fit::bake(&model, "man", source, &options).unwrap().character;
            let mut new = old.clone();
            let mut joints = new.skeleton.joints().to_vec();
            let LocalTransform::Trs(rest) = &mut joints[2].rest else { panic!("a joint of the man has no matrix") };
            rest.translation += Vec3::new(0.3, 0.4, 0.0) / Vec3::from_array(unit);
            new.skeleton = skeleton::Skeleton::new(joints).unwrap();
            let binding = &mut new.skin.as_mut().unwrap().bindings[2];
            binding.joint_from_mesh.translation += glam::Vec3A::new(0.0, 0.6, 0.8) / glam::Vec3A::from_array(unit);
            let mut changes = Vec::new();
            compare_joints(&mut changes, [&old, &new]);
            super::super::skin::compare_skins(&mut changes, [&old, &new]);
            let printed: Vec<String> = changes.iter().map(ToString::to_string).collect();
            assert_eq!(
                printed,
                [
                    "changed  joint head: rest.translation moved by 0.5 m",
                    "changed  skin binding head: joint_from_mesh moved by 1 m"
                ],
                "{unit:?}"
            );
        }
    }
}
