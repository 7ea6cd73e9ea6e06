use crate::{NoExternalFiles, SkinnedModel, import};
use glam::{Affine3A, Vec3};
use serde_json::json;
use test_models::{Gltf, box_limb, tank};

fn imported(gltf: &Gltf) -> SkinnedModel {
    import(&gltf.to_glb(), &NoExternalFiles).unwrap()
}

/// The name of each attachment, and the name of the joint that carries it.
fn carried(model: &SkinnedModel) -> Vec<(&str, &str)> {
    let joint = |index| model.skeleton.joint(index).name.as_str();
    model.attachments.iter().map(|attachment| (attachment.name.as_str(), joint(attachment.joint))).collect()
}

fn text_of<'a>(model: &'a SkinnedModel, code: &str) -> Vec<&'a str> {
    model.warnings.iter().filter(|warning| warning.code == code).map(|warning| warning.text.as_str()).collect()
}

#[test]
fn a_turret_beside_the_body_its_gun_and_a_mesh_above_the_joints_are_taken_in() {
    let model = imported(&tank());
    let expected = [("turret", "turret"), ("gun", "gun"), ("antenna", "hull"), ("chassis", "chassis")];
    assert_eq!(carried(&model), expected);
    let joints: Vec<_> = model.skeleton.joints().iter().map(|joint| (joint.name.as_str(), joint.skinned)).collect();
    let expected =
        [("scene", false), ("chassis", false), ("hull", true), ("track", true), ("turret", false), ("gun", false)];
    assert_eq!(joints, expected);
    assert!(model.attachments.iter().all(|attachment| attachment.joint_from_mesh == Affine3A::IDENTITY));
    model.validate().unwrap();
}

#[test]
fn a_clip_of_the_turret_moves_the_gun() {
    let model = imported(&tank());
    let clip = &model.clips[0];
    assert_eq!((model.clips.len(), clip.name.as_str()), (1, "aim"));
    let mut local = model.skeleton.rest_pose();
    clip.sample(clip.end(), &mut local);
    let mut model_from_joint = vec![Affine3A::IDENTITY; local.len()];
    model.skeleton.model_from_joints(&local, &mut model_from_joint);
    let gun = model.attachments.iter().find(|attachment| attachment.name == "gun").unwrap();
    let muzzle = model_from_joint[gun.joint.index()].transform_point3(Vec3::Z * 2.0);
    assert!(muzzle.distance(Vec3::new(2.0, 1.0, 0.0)) < 1e-6, "{muzzle}");
}

#[test]
fn scenery_is_left_out_with_its_size_and_name() {
    let model = imported(&tank());
    let text = "1 mesh without a skin is left out (8 vertices), because no joint moves it: node 7 \"crate\". To give a mesh \
                a hitbox, make its node a child of a joint";
    assert_eq!(text_of(&model, "left-out-meshes"), [text]);
}

#[test]
fn a_long_list_of_scenery_is_counted_and_cut() {
    let mut gltf = tank();
    let first = gltf.json["nodes"].as_array().unwrap().len();
    for number in 0..20 {
        gltf.push("nodes", json!({ "name": format!("rock {number}"), "mesh": 5 }));
    }
    let model = imported(&gltf);
    let [text] = text_of(&model, "left-out-meshes")[..] else { panic!("one warning") };
    assert!(text.starts_with("21 meshes without a skin are left out (168 vertices)"), "{text}");
    assert!(text.contains(&format!("node {} \"rock 6\" and 13 more.", first + 6)), "{text}");
}

#[test]
fn a_clip_of_a_node_below_a_joint_moves_the_mesh_on_it() {
    let mut gltf = tank();
    gltf.json["animations"][0]["channels"][0]["target"]["node"] = json!(5);
    let model = imported(&gltf);
    let antenna = model.attachments.iter().find(|attachment| attachment.name == "antenna").unwrap();
    assert_eq!(model.skeleton.joint(antenna.joint).name, "antenna");
    assert_eq!(model.clips[0].channels[0].joint, antenna.joint);
}

#[test]
fn a_node_below_a_joint_whose_clip_only_morphs_is_no_joint() {
    let mut gltf = tank();
    gltf.json["animations"][0]["channels"][0]["target"] = json!({ "node": 5, "path": "weights" });
    assert_eq!(carried(&imported(&gltf))[2], ("antenna", "hull"));
}

#[test]
fn meshes_beside_an_armature_are_taken_in_where_a_clip_moves_both() {
    let mut gltf = tank();
    gltf.json["animations"][0]["channels"][0]["target"]["node"] = json!(8);
    let model = imported(&gltf);
    assert_eq!(carried(&model).last(), Some(&("crate", "crate")));
    assert_eq!(text_of(&model, "left-out-meshes"), [""; 0]);
}

#[test]
fn lines_and_points_are_not_missed() {
    let mut gltf = box_limb().to_gltf();
    let points = gltf.floats("VEC3", [0.0; 6]);
    let primitive = json!({ "attributes": { "POSITION": points }, "mode": 1 });
    let mesh = gltf.push("meshes", json!({ "primitives": [primitive] }));
    gltf.push("nodes", json!({ "mesh": mesh }));
    assert_eq!(text_of(&imported(&gltf), "left-out-meshes"), [""; 0]);
}
