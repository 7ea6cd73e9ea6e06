//! Ragdolls with odd names, shapes and joints, and bakes and sources that cannot be exported.

use super::found::compare;
use super::gltf_reader;
use super::usda_reader::{self, Prim};
use super::{bake, exported, two_bodies};
use crate::tests::json;
use crate::{CapsulePolicy, ExportError, ExportForm, export, export_origin};
use baked_format::{BakedCharacter, ConstraintKind, HitboxRole, HitboxShape};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const GLTF: [ExportForm; 2] = [ExportForm::OmiRagdoll, ExportForm::KhrRagdoll];

/// A limb with two bodies, a stiff joint and a pair that does not collide.
fn limb() -> (BakedCharacter, Vec<u8>) {
    let glb = test_models::box_limb().to_glb();
    let mut character = bake(&glb, "limb", "joints", "box");
    character.ragdoll = Some(two_bodies(&character));
    (character, glb)
}

fn usda(character: &BakedCharacter) -> String {
    String::from_utf8(exported(character, &[], ExportForm::Usda).bytes).unwrap()
}

#[test]
fn usda_of_a_limb() {
    insta::assert_snapshot!(usda(&limb().0));
}

/// What each glTF form adds to the nodes and to the document.
#[test]
fn gltf_of_a_limb() {
    let (character, source) = limb();
    for form in GLTF {
        let json = json(&exported(&character, &source, form).bytes);
        let added = json!({ "extensions": json["extensions"], "nodes": json["nodes"], "used": json["extensionsUsed"] });
        insta::assert_snapshot!(form.keyword(), serde_json::to_string_pretty(&added).unwrap());
    }
}

#[test]
fn a_bake_without_a_ragdoll_is_refused() {
    let (mut character, source) = limb();
    character.ragdoll = None;
    for form in ExportForm::ALL.into_iter().filter(|form| form.is_ragdoll()) {
        let error = export(&character, &source, form, CapsulePolicy::EqualVolume).unwrap_err();
        assert_eq!(error.to_string(), "\"limb\" has no ragdoll; bake with `ragdoll = true` in bonebox.toml");
    }
}

#[test]
fn a_node_has_at_most_one_body() {
    let (character, source) = limb();
    for (form, extension) in GLTF.into_iter().zip(["OMI_physics_body", "KHR_physics_rigid_bodies"]) {
        let once = exported(&character, &source, form).bytes;
        let error = export(&character, &once, form, CapsulePolicy::EqualVolume).unwrap_err();
        assert_eq!(error, ExportError::HasExtension { node: 0, extension });
        // The other extension may be there.
        for other in GLTF.into_iter().filter(|other| *other != form) {
            exported(&character, &once, other);
        }
    }
    let few = br#"{"asset":{"version":"2.0"},"nodes":[{}]}"#;
    let error = export(&character, few, ExportForm::KhrRagdoll, CapsulePolicy::EqualVolume).unwrap_err();
    assert_eq!(error, ExportError::MissingNode { node: 1, found: 1 });
}

/// Names of joints may have any letter, and may differ in letters that USD does not allow.
#[test]
fn odd_names_stay_apart_and_read_back() {
    let names = [
        "a.b",
        "a_b",
        "a-b",
        "1",
        "",
        "\"quoted\"\\",
        "new\nline\u{1}",
        "Kn\u{f6}chel",
        "\u{1f5e1}",
        "bodies",
        "joints",
    ];
    let mut man = test_models::box_man();
    man.name = "7 \"men\"\n".into();
    for (joint, name) in man.joints.iter_mut().zip(names) {
        joint.name = name.into();
    }
    let glb = man.to_glb();
    let mut character = bake(&glb, "7 \"men\"\n\u{1f5e1}", "joints", "box");
    character.source.file = "a \"b\"\\\n.glb".into();
    let text = usda(&character);
    assert_eq!(export_origin(text.as_bytes()).unwrap().source, character.source.file);
    let file = Prim::read(&text);
    let is_name = |name: &str| {
        !name.starts_with(|first: char| first.is_ascii_digit())
            && !name.is_empty()
            && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_')
    };
    assert!(is_name(&file.children[1].name), "{}", file.children[1].name);
    let bodies = &file.children[1].child("bodies").children;
    let prims: BTreeSet<&str> = bodies.iter().map(|prim| prim.name.as_str()).collect();
    assert_eq!(prims.len(), character.ragdoll.as_ref().unwrap().bodies.len());
    assert!(prims.iter().all(|name| is_name(name)), "{prims:?}");
    let quotes = |text: &str| text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap().to_owned();
    let found = bodies.iter().map(|prim| crate::ron::unescaped(&quotes(&prim.attributes["bonebox:joint"])).unwrap());
    let joints =
        character.ragdoll.as_ref().unwrap().bodies.iter().map(|body| &character.skeleton.joint(body.joint).name);
    assert!(found.eq(joints.cloned()));
    let (bodies, joints) = usda_reader::read(&character, &text);
    compare(&character, &bodies, &joints, "odd names");
    for form in GLTF {
        let (bodies, joints) = gltf_reader::read(&character, &exported(&character, &glb, form).bytes, form);
        compare(&character, &bodies, &joints, "odd names");
    }
}

/// Without a constraint, a body is the root of a tree. Trees with several bodies are articulations.
#[test]
fn several_trees_stay_apart() {
    let glb = test_models::box_man().to_glb();
    let mut character = bake(&glb, "man", "joints", "box");
    let shin = character.skeleton.find("shin.left").unwrap();
    let thigh = character.skeleton.find("thigh.right").unwrap();
    for body in &mut character.ragdoll.as_mut().unwrap().bodies {
        if body.joint == shin || body.joint == thigh {
            body.constraint = None;
        }
    }
    let text = usda(&character);
    let (bodies, joints) = usda_reader::read(&character, &text);
    compare(&character, &bodies, &joints, "trees");
    assert_eq!((bodies.len(), joints.len()), (11, 8));
    // The shin has a tree of its own without a joint.
    assert_eq!(text.matches("PhysicsArticulationRootAPI").count(), 2);
    for form in GLTF {
        let (bodies, joints) = gltf_reader::read(&character, &exported(&character, &glb, form).bytes, form);
        compare(&character, &bodies, &joints, "trees");
    }
}

/// The collider of a hitbox is below the hitbox's joint if that joint moves with the body, and otherwise below the body's joint.
#[test]
fn bodies_may_have_hitboxes_of_several_joints() {
    for unit in [1.0, 0.01] {
        let glb = test_models::box_man().to_gltf_in([unit; 3]).to_glb();
        let mut character = bake(&glb, "man", "joints", "box");
        let joint = |name: &str| character.skeleton.find(name).unwrap();
        let [head, arm, hand] = ["head", "upper_arm.left", "lower_arm.left"].map(joint);
        let nodes = [arm, hand].map(|joint| character.skeleton.joint(joint).node.0 as usize);
        let ragdoll = character.ragdoll.as_mut().unwrap();
        let at = |joint| ragdoll.bodies.iter().position(|body| body.joint == joint).unwrap();
        // The lower arm is below the upper arm, and the head is not.
        let [head, arm, hand] = [head, arm, hand].map(at);
        let taken = std::mem::take(&mut ragdoll.bodies[head].boxes);
        let below = std::mem::take(&mut ragdoll.bodies[hand].boxes);
        ragdoll.bodies[arm].boxes.extend(taken.iter().chain(&below));
        ragdoll.bodies.iter_mut().for_each(|body| body.boxes.sort_unstable());
        let mut removed = [head, hand];
        removed.sort_unstable();
        for index in removed.into_iter().rev() {
            ragdoll.bodies.remove(index);
            for body in &mut ragdoll.bodies {
                let Some(constraint) = &mut body.constraint else { continue };
                constraint.parent -= u16::from(usize::from(constraint.parent) > index);
            }
        }
        ragdoll.no_collision.clear();
        character.validate().unwrap();
        for form in GLTF {
            let bytes = exported(&character, &glb, form).bytes;
            let (bodies, joints) = gltf_reader::read(&character, &bytes, form);
            compare(&character, &bodies, &joints, "several joints");
            let json = json(&bytes);
            let parent = |hitbox: u16| {
                let all = json["nodes"].as_array().unwrap();
                let node = all.iter().position(|node| node["extras"]["bonebox"]["box"] == hitbox).unwrap();
                let holds = |one: &Value| one["children"].as_array().is_some_and(|all| all.contains(&node.into()));
                all.iter().position(holds).unwrap()
            };
            assert_eq!([parent(taken[0]), parent(below[0])], nodes, "{form:?}");
        }
        let (bodies, joints) = usda_reader::read(&character, &usda(&character));
        compare(&character, &bodies, &joints, "several joints");
    }
}

/// Sizes are above zero, flat hulls are boxes, and hitboxes without a body are counted.
#[test]
fn flat_shapes_get_a_thickness() {
    let (mut character, source) = limb();
    let mut spare = character.boxes[1].clone();
    spare.role = HitboxRole::Guard;
    character.boxes.push(spare);
    character.boxes[0].half_extents = Vec3::new(0.5, 0.0, 0.25);
    character.boxes.iter_mut().for_each(|one| one.orientation = Quat::IDENTITY);
    let flat = &mut character.boxes[1];
    let vertices = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|[x, z]| Vec3::new(x - 0.5, 0.0, z - 0.5));
    (flat.shape, flat.center, flat.half_extents) = (HitboxShape::Hull, Vec3::ZERO, Vec3::new(0.5, 0.0, 0.5));
    flat.hull = Some(baked_format::HitboxHull { vertices: vertices.into(), triangles: vec![[0, 1, 2], [0, 2, 1]] });
    let warnings = [
        "1 hitboxes are flat hulls; the boxes around them replace them",
        "1 of 3 hitboxes belong to no body of the ragdoll, and are left out",
    ];
    let export = exported(&character, &source, ExportForm::Usda);
    assert_eq!(export.warnings, warnings);
    let text = String::from_utf8(export.bytes).unwrap();
    assert!(text.contains("float3 xformOp:scale = (0.5, 0.00005, 0.25)"), "{text}");
    assert!(text.contains("float3 xformOp:scale = (0.5, 0.00005, 0.5)"), "{text}");
    for form in GLTF {
        let export = exported(&character, &source, form);
        assert_eq!(export.warnings, warnings);
        let json = json(&export.bytes);
        let name = if form == ExportForm::KhrRagdoll { "KHR_implicit_shapes" } else { "OMI_physics_shape" };
        let sizes: Vec<&Value> =
            json["extensions"][name]["shapes"].as_array().unwrap().iter().map(|shape| &shape["box"]["size"]).collect();
        assert_eq!(sizes, [&json!([1.0, 0.0001, 0.5]), &json!([1.0, 0.0001, 1.0])]);
    }
    // Capsules and spheres without a radius.
    character.boxes[0].shape = HitboxShape::Sphere;
    character.boxes[0].half_extents = Vec3::ZERO;
    character.boxes[1].shape = HitboxShape::Capsule;
    character.boxes[1].hull = None;
    character.boxes[1].half_extents = Vec3::new(0.0, 0.5, 0.0);
    let text = usda(&character);
    assert_eq!(text.matches("double radius = 0.00005\n").count(), 2, "{text}");
}

/// Limits are degrees in USD and radians in glTF. A hinge has one axis, and half a turn is no limit.
#[test]
fn limits_and_drives_have_the_units_of_the_form() {
    let (mut character, source) = limb();
    let constraint =
        |character: &mut BakedCharacter| character.ragdoll.as_mut().unwrap().bodies[1].constraint.take().unwrap();
    let mut one = constraint(&mut character);
    (one.kind, one.limits, one.stiffness) = (ConstraintKind::Hinge, Vec3::new(std::f32::consts::PI, 0.0, 0.0), 180.0);
    character.ragdoll.as_mut().unwrap().bodies[1].constraint = Some(one);
    let file = Prim::read(&usda(&character));
    let joint = &file.children[1].child("joints").children[0];
    assert_eq!((joint.kind.as_str(), joint.attributes["physics:axis"].as_str()), ("PhysicsRevoluteJoint", "\"X\""));
    assert_eq!((joint.number("physics:lowerLimit"), joint.number("physics:upperLimit")), (-180.0, 180.0));
    let drive = |key: &str| joint.number(&format!("drive:angular:physics:{key}"));
    assert!((drive("stiffness") - std::f64::consts::PI).abs() < 1e-6);
    assert!((drive("damping") - 3.0_f64.to_radians()).abs() < 1e-6);
    for form in GLTF {
        let json = json(&exported(&character, &source, form).bytes);
        let name = if form == ExportForm::KhrRagdoll { "KHR_physics_rigid_bodies" } else { "OMI_physics_joint" };
        let joint = &json["extensions"][name]["physicsJoints"][0];
        let limits = json!([
            { "linearAxes": [0, 1, 2], "min": 0.0, "max": 0.0 },
            { "angularAxes": [1, 2], "min": 0.0, "max": 0.0 },
        ]);
        let drive = json!({
            "type": "angular", "mode": "force", "axis": 0, "stiffness": 180.0, "positionTarget": 0.0, "damping": 3.0,
            "velocityTarget": 0.0,
        });
        assert_eq!((&joint["limits"], &joint["drives"]), (&limits, &json!([drive])));
    }
}
