use crate::{CapsulePolicy, ExportError, ExportForm, export, export_origin, has_exported_boxes, is_exported_box, ron};
use baked_format::{BakedCharacter, HitboxShape, Source};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use gltf_container::Container;
use serde_json::Value;
use skinned_model::NoExternalFiles;
use std::path::Path;

/// A bake with the default options.
fn bake(glb: &[u8]) -> BakedCharacter {
    let model = skinned_model::import_ignoring(glb, &NoExternalFiles, &is_exported_box).unwrap();
    let source = Source { file: "hound.glb".into(), blake3: [0; 32], generator: "test".into() };
    bone_fit::bake(&model, "hound", source, &Default::default()).unwrap().character
}

/// A tracked bake and the asset it was made from.
fn baked(name: &str) -> (BakedCharacter, Vec<u8>) {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let read = |ending: &str| std::fs::read(assets.join(format!("{name}.{ending}"))).unwrap();
    (baked_format::read(&read("bonebox")).unwrap(), read("glb"))
}

/// The hound with two bodies.
fn hound_with_ragdoll() -> (BakedCharacter, Vec<u8>) {
    let (mut character, source) = baked("hound");
    character.ragdoll = Some(crate::ragdoll::tests::two_bodies(&character));
    character.validate().unwrap();
    (character, source)
}

fn exported(form: ExportForm) -> (BakedCharacter, Vec<u8>, Vec<u8>) {
    let (character, source) = baked("hound");
    let export = export(&character, &source, form, CapsulePolicy::Enclosing).unwrap();
    assert_eq!(export.warnings, Vec::<String>::new());
    (character, source, export.bytes)
}

pub(crate) fn json(glb: &[u8]) -> Value {
    serde_json::from_slice(Container::open(glb).unwrap().json).unwrap()
}

/// `world_from_node` of every node, from the JSON alone.
pub(crate) fn world_from_nodes(json: &Value) -> Vec<DAffine3> {
    let nodes = json["nodes"].as_array().unwrap();
    let list =
        |value: &Value| value.as_array().map(|list| list.iter().map(|n| n.as_f64().unwrap()).collect::<Vec<_>>());
    let local: Vec<DAffine3> = nodes
        .iter()
        .map(|node| {
            assert!(node["matrix"].is_null(), "the characters have no matrices");
            let scale = list(&node["scale"]).map_or(DVec3::ONE, |v| DVec3::from_slice(&v));
            let rotation = list(&node["rotation"]).map_or(DQuat::IDENTITY, |v| DQuat::from_slice(&v).normalize());
            let translation = list(&node["translation"]).map_or(DVec3::ZERO, |v| DVec3::from_slice(&v));
            DAffine3::from_scale_rotation_translation(scale, rotation, translation)
        })
        .collect();
    let mut world = local.clone();
    let mut pending: Vec<(usize, usize)> = Vec::new();
    let children = |node: usize| nodes[node]["children"].as_array().cloned().unwrap_or_default();
    let is_child = |node: usize| (0..nodes.len()).any(|parent| children(parent).iter().any(|c| c == node));
    for root in (0..nodes.len()).filter(|&node| !is_child(node)) {
        pending.extend(children(root).iter().map(|child| (root, child.as_u64().unwrap() as usize)));
    }
    while let Some((parent, node)) = pending.pop() {
        world[node] = world[parent] * local[node];
        pending.extend(children(node).iter().map(|child| (node, child.as_u64().unwrap() as usize)));
    }
    world
}

/// Corners of the run time's boxes in the rest pose.
pub(crate) fn posed_corners(character: &BakedCharacter) -> Vec<[glam::Vec3; 8]> {
    let character = runtime::Character::from_baked(character.clone());
    let mut posed = runtime::PosedCharacter::new();
    posed.pose_from_rest(&character, &glam::Affine3A::IDENTITY).unwrap();
    posed.boxes().map(|posed| posed.obb().corners()).collect()
}

fn added_nodes(json: &Value) -> Vec<(usize, &Value)> {
    let nodes = json["nodes"].as_array().unwrap().iter().enumerate();
    nodes.filter(|(_, node)| node["name"].as_str().is_some_and(|name| name.starts_with("bb:"))).collect()
}

/// Every exported corner is a corner of the run time's box, in whatever order.
fn assert_same_boxes(character: &BakedCharacter, json: &Value, half: impl Fn(&Value) -> DVec3) {
    let (world, corners) = (world_from_nodes(json), posed_corners(character));
    let added = added_nodes(json);
    assert_eq!(added.len(), character.boxes.len());
    for ((index, node), expected) in added.into_iter().zip(corners) {
        for corner in 0..8 {
            let sign = DVec3::new((corner & 1) as f64, (corner >> 1 & 1) as f64, (corner >> 2) as f64) * 2.0 - 1.0;
            let found = world[index].transform_point3(sign * half(node)).as_vec3();
            let nearest = expected.iter().map(|corner| corner.distance(found)).fold(f32::INFINITY, f32::min);
            assert!(nearest < 1e-5, "{}: {found} is {nearest} from every corner", node["name"]);
        }
    }
}

#[test]
fn omi_and_khr_boxes_stand_where_the_run_time_has_them() {
    let (character, _, omi) = exported(ExportForm::Omi);
    let omi = json(&omi);
    let size = |shapes: &Value, index: &Value| {
        let size = &shapes[index.as_u64().unwrap() as usize]["box"]["size"];
        DVec3::from_array(std::array::from_fn(|axis| size[axis].as_f64().unwrap() / 2.0))
    };
    let shapes = &omi["extensions"]["OMI_physics_shape"]["shapes"];
    assert_same_boxes(&character, &omi, |node| {
        size(shapes, &node["extensions"]["OMI_physics_body"]["trigger"]["shape"])
    });

    let (character, _, khr) = exported(ExportForm::Khr);
    let khr = json(&khr);
    let shapes = &khr["extensions"]["KHR_implicit_shapes"]["shapes"];
    assert_same_boxes(&character, &khr, |node| {
        size(shapes, &node["extensions"]["KHR_physics_rigid_bodies"]["trigger"]["geometry"]["shape"])
    });
    assert!(khr["extensionsRequired"].is_null());
}

#[test]
fn wire_boxes_stand_where_the_run_time_has_them() {
    let (character, _, wire) = exported(ExportForm::Wire);
    assert_same_boxes(&character, &json(&wire), |_| DVec3::ONE);
}

#[test]
fn the_source_is_kept_to_the_byte() {
    for form in [ExportForm::Omi, ExportForm::Khr, ExportForm::Vrm, ExportForm::Wire] {
        let (_, source, bytes) = exported(form);
        let (before, after) = (json(&source), json(&bytes));
        for (key, value) in before.as_object().unwrap() {
            match value {
                // The wire's cube is appended to the binary chunk.
                Value::Array(_) if key == "buffers" && form == ExportForm::Wire => {}
                Value::Array(elements) if key != "nodes" => {
                    assert_eq!(after[key].as_array().unwrap()[..elements.len()], elements[..], "{key}");
                }
                Value::Array(_) | Value::Object(_) => {}
                _ => assert_eq!(after[key], *value, "{key}"),
            }
        }
        let binary = |glb| Container::open(glb).unwrap().binary.unwrap();
        let more = if form == ExportForm::Wire { 120 } else { 0 };
        assert!(binary(&bytes).starts_with(binary(&source)), "{form:?}: the binary chunk is untouched");
        assert_eq!(binary(&bytes).len(), binary(&source).len() + more, "{form:?}");
        assert_eq!(u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize, bytes.len());
    }
}

#[test]
fn an_export_bakes_to_what_its_source_bakes_to() {
    let (character, source) = hound_with_ragdoll();
    let before = bake(&source);
    for form in ExportForm::ALL.into_iter().filter(|form| form.is_gltf()) {
        let export = export(&character, &source, form, CapsulePolicy::EqualVolume).unwrap();
        assert!(bake(&export.bytes) == before, "{form:?}");
    }
}

#[test]
fn vrm_colliders_are_added_to_those_that_are_there() {
    let (character, source) = baked("hound");
    let once = export(&character, &source, ExportForm::Vrm, CapsulePolicy::Inscribed).unwrap().bytes;
    let twice = export(&character, &once, ExportForm::Vrm, CapsulePolicy::Inscribed).unwrap();
    assert!(twice.warnings[0].contains("boxes of an earlier export"), "{:?}", twice.warnings);
    let twice = twice.bytes;
    let spring = &json(&twice)["extensions"]["VRMC_springBone"];
    let count = character.boxes.len();
    assert_eq!(spring["colliders"].as_array().unwrap().len(), 2 * count);
    assert_eq!(spring["colliderGroups"][1]["colliders"][0], count);
    assert_eq!(spring["specVersion"], "1.0");
    assert_eq!(
        json(&twice)["extensionsUsed"].as_array().unwrap().iter().filter(|used| *used == "VRMC_springBone").count(),
        1
    );
}

#[test]
fn texts_of_a_made_up_character() {
    let mut character = baked("hound").0;
    character.boxes.truncate(2);
    insta::assert_snapshot!(ron::text(&character));
}

#[test]
fn every_export_says_where_it_came_from() {
    let (character, source) = hound_with_ragdoll();
    assert_eq!(export_origin(&source), None);
    for form in ExportForm::ALL {
        let export = export(&character, &source, form, CapsulePolicy::EqualVolume).unwrap().bytes;
        let origin = export_origin(&export).unwrap_or_else(|| panic!("{form:?}"));
        assert_eq!((origin.form, origin.source.as_str()), (form, "hound.glb"));
        let has_nodes = form.is_gltf() && form != ExportForm::Vrm;
        assert_eq!(form.is_gltf() && has_exported_boxes(&export), has_nodes, "{form:?}");
    }
}

/// Names of files may have any letter, also those that JSON and RON write in different ways.
#[test]
fn the_origin_of_an_export_may_have_any_name() {
    let (mut character, source) = hound_with_ragdoll();
    for name in
        ["--> <b>.glb", "M\u{e4}dchen.glb", "Bruno's \"hound\".glb", "a\\b, c.glb", "line\n\r\t\u{1}\u{1f5e1}.glb"]
    {
        character.source.file = name.into();
        for form in ExportForm::ALL {
            let export = export(&character, &source, form, CapsulePolicy::EqualVolume).unwrap().bytes;
            assert_eq!(export_origin(&export).map(|origin| origin.source).as_deref(), Some(name), "{form:?}");
        }
    }
}

#[test]
fn colliders_of_vrm_1_do_not_go_into_vrm_0() {
    let (character, _) = baked("hound");
    let nodes = (0..character.skeleton.len()).map(|_| "{}").collect::<Vec<_>>().join(",");
    let file = |extension: &str| {
        format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes},{{}},{{}},{{}}],"extensions":{{{extension}}}}}"#)
    };
    let vrm = |extension: &str| {
        export(&character, file(extension).as_bytes(), ExportForm::Vrm, CapsulePolicy::EqualVolume).map(|_| ())
    };
    assert_eq!(vrm(r#""VRM":{"specVersion":"0.0"}"#), Err(ExportError::OldVrm));
    assert_eq!(vrm(r#""VRMC_vrm":{"specVersion":"1.0"}"#), Ok(()));
}

/// A sphere and a capsule go into the forms that have them, with the sizes of the bake.
#[test]
fn capsules_and_spheres_are_exported_as_such() {
    let (mut character, source) = baked("hound");
    let half = character.boxes[0].half_extents;
    character.boxes[0].shape = HitboxShape::Sphere;
    character.boxes[0].half_extents = Vec3::splat(half.x);
    character.boxes[1].shape = HitboxShape::Capsule;
    character.boxes[1].half_extents = Vec3::new(0.05, 0.2, 0.05);
    let document = |form| {
        let export = export(&character, &source, form, CapsulePolicy::Enclosing).unwrap();
        (json(&export.bytes), export.warnings)
    };
    let number = |value: &Value| value.as_f64().unwrap() as f32;
    for (form, extension) in [(ExportForm::Omi, "OMI_physics_shape"), (ExportForm::Khr, "KHR_implicit_shapes")] {
        let (json, warnings) = document(form);
        let shapes = &json["extensions"][extension]["shapes"];
        assert!(warnings.is_empty() && shapes[2]["type"] == "box", "{warnings:?}");
        assert_eq!((&shapes[0]["type"], number(&shapes[0]["sphere"]["radius"])), (&"sphere".into(), half.x));
        let capsule = &shapes[1]["capsule"];
        assert_eq!(shapes[1]["type"], "capsule");
        assert_eq!((number(&capsule["radiusTop"]), number(&capsule["radiusBottom"])), (0.05, 0.05));
        assert!((number(&capsule["height"]) - 0.3).abs() < 1e-6);
    }
    let (json, _) = document(ExportForm::Vrm);
    let colliders = &json["extensions"]["VRMC_springBone"]["colliders"];
    assert_eq!(number(&colliders[0]["shape"]["sphere"]["radius"]), half.x);
    let capsule = &colliders[1]["shape"]["capsule"];
    let end = |value: &Value| Vec3::from_array([0, 1, 2].map(|axis| number(&value[axis])));
    assert!((end(&capsule["offset"]).distance(end(&capsule["tail"])) - 0.3).abs() < 1e-6);
    assert_eq!(number(&capsule["radius"]), 0.05);
    let (_, warnings) = document(ExportForm::Wire);
    assert_eq!(warnings, ["2 hitboxes are capsules or spheres; the lines are those of the boxes around them"]);
}

/// A hull goes into both physics forms as a mesh in the space of its node, and into the others as the box around it.
#[test]
fn hulls_are_exported_as_convex_meshes() {
    let (mut character, source) = baked("hound");
    let one = &mut character.boxes[1];
    let center = one.center;
    let vertices: Vec<Vec3> =
        Vec3::AXES.into_iter().flat_map(|axis| [center + 0.25 * axis, center - 0.25 * axis]).collect();
    let triangles = vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    (one.shape, one.orientation, one.half_extents) = (HitboxShape::Hull, glam::Quat::IDENTITY, Vec3::splat(0.5));
    one.hull = Some(baked_format::HitboxHull { vertices, triangles });
    character.validate().unwrap();
    let document = |form| {
        let export = export(&character, &source, form, CapsulePolicy::Enclosing).unwrap();
        (json(&export.bytes), export.warnings)
    };
    let index = |value: &Value| value.as_u64().unwrap() as usize;
    let check_mesh = |document: &Value, mesh: usize| {
        let primitive = &document["meshes"][mesh]["primitives"][0];
        let positions = &document["accessors"][index(&primitive["attributes"]["POSITION"])];
        let indices = &document["accessors"][index(&primitive["indices"])];
        assert_eq!((index(&positions["count"]), index(&indices["count"])), (6, 24));
        let number = |value: &Value| value.as_f64().unwrap() as f32;
        assert!((number(&positions["max"][0]) - 0.25).abs() < 1e-5, "{positions}");
        assert!((number(&positions["min"][2]) + 0.25).abs() < 1e-5, "{positions}");
        assert_eq!(document["bufferViews"][index(&indices["bufferView"])]["target"], 34963);
        // glTF requires the stride of a view with the vertices of several meshes.
        assert_eq!(document["bufferViews"][index(&positions["bufferView"])]["byteStride"], 12);
    };

    assert!(ron::text(&character).contains(", hull: (vertices: [("), "the text holds the vertices");
    let (omi, warnings) = document(ExportForm::Omi);
    let shapes = &omi["extensions"]["OMI_physics_shape"]["shapes"];
    assert_eq!((&shapes[1]["type"], &shapes[2]["type"]), (&"convex".into(), &"box".into()));
    check_mesh(&omi, index(&shapes[1]["convex"]["mesh"]));
    assert!(warnings.is_empty(), "{warnings:?}");

    let (khr, warnings) = document(ExportForm::Khr);
    let nodes = khr["nodes"].as_array().unwrap();
    let geometry = |joint: usize| {
        let is_box = |node: &&Value| node["extras"]["bonebox"]["box"] == joint;
        let node = nodes.iter().find(is_box).unwrap();
        node["extensions"]["KHR_physics_rigid_bodies"]["trigger"]["geometry"].clone()
    };
    assert_eq!((&geometry(0)["shape"], &geometry(2)["shape"]), (&0.into(), &1.into()));
    assert_eq!(geometry(1)["convexHull"], true);
    let mesh_node = index(&geometry(1)["node"]);
    check_mesh(&khr, index(&nodes[mesh_node]["mesh"]));
    let is_child = |node: &Value| node["children"].as_array().is_some_and(|all| all.contains(&mesh_node.into()));
    assert!(!nodes.iter().any(is_child) && warnings.is_empty(), "{warnings:?}");

    for (form, end) in [(ExportForm::Wire, "the lines are those of"), (ExportForm::Vrm, "the capsules replace")] {
        let (_, warnings) = document(form);
        let word = form.keyword();
        assert_eq!(warnings, [format!("1 hitboxes are hulls, which {word} cannot hold; {end} the boxes around them")]);
    }
}
