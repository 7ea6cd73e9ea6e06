//! Compresses meshes with Draco and imports them again.
#![cfg(feature = "draco")]
use draco_core::draco_types::DataType;
use draco_core::encoder_buffer::EncoderBuffer;
use draco_core::encoder_options::EncoderOptions;
use draco_core::geometry_attribute::{GeometryAttributeType, PointAttribute};
use draco_core::mesh_encoder::MeshEncoder;
use draco_core::{Mesh, PointIndex};
use serde_json::{Value, json};
use skinned_model::{ImportError, NoExternalFiles, SkinnedModel, import};
use test_models::{Character, Gltf, box_limb, box_man};

fn attribute(
    kind: GeometryAttributeType,
    components: u8,
    data: DataType,
    bytes: &[u8],
    points: usize,
) -> PointAttribute {
    let mut attribute = PointAttribute::new();
    attribute.init(kind, components, data, false, points);
    attribute.buffer_mut().write(0, bytes);
    attribute
}

/// A character's mesh as a Draco stream without quantization. The attributes 0, 1, 2 are positions, joints and weights.
fn stream(character: &Character, method: i32) -> Vec<u8> {
    let points = character.positions.len();
    let slot = |vertex: usize, i: usize| character.influences[vertex].get(i).copied().unwrap_or((0, 0.0));
    let rows = || (0..points).flat_map(|vertex| (0..4).map(move |i| (vertex, i)));
    let positions: Vec<u8> = character.positions.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let joints: Vec<u8> = rows().flat_map(|(vertex, i)| slot(vertex, i).0.to_le_bytes()).collect();
    let weights: Vec<u8> = rows().flat_map(|(vertex, i)| slot(vertex, i).1.to_le_bytes()).collect();
    let mut mesh = Mesh::new();
    mesh.add_attribute(attribute(GeometryAttributeType::Position, 3, DataType::Float32, &positions, points));
    mesh.add_attribute(attribute(GeometryAttributeType::Generic, 4, DataType::Uint16, &joints, points));
    mesh.add_attribute(attribute(GeometryAttributeType::Generic, 4, DataType::Float32, &weights, points));
    character.triangles.iter().for_each(|triangle| mesh.add_face(triangle.map(PointIndex)));
    let mut options = EncoderOptions::new();
    options.set_encoding_method(method);
    let (mut encoder, mut bytes) = (MeshEncoder::new(), EncoderBuffer::new());
    encoder.set_mesh(mesh);
    encoder.encode(&options, &mut bytes).unwrap();
    bytes.data().to_vec()
}

/// The character's file with its mesh in a stream. Its accessors announce the data and have no bytes.
fn compressed(character: &Character, method: i32) -> Gltf {
    let mut gltf = character.to_gltf();
    let view = gltf.view(&stream(character, method));
    let primitive = gltf.json["meshes"][0]["primitives"][0].clone();
    let attributes = primitive["attributes"].as_object().unwrap();
    for accessor in attributes.values().chain([&primitive["indices"]]) {
        gltf.json["accessors"][accessor.as_u64().unwrap() as usize].as_object_mut().unwrap().remove("bufferView");
    }
    gltf.json["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression": {
        "bufferView": view, "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 } } });
    gltf.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    gltf
}

fn extension(gltf: &mut Gltf) -> &mut Value {
    &mut gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
}

/// Every triangle as the bits of its corners, starting at the smallest corner, because Draco changes the order of
/// points and triangles.
fn triangles(model: &SkinnedModel) -> Vec<[Vec<u32>; 3]> {
    let mesh = &model.meshes[0];
    let corner = |&vertex: &u32| {
        let (slots, weights) = mesh.influences.of(vertex as usize);
        let position = mesh.positions[vertex as usize].to_array().map(f32::to_bits);
        let influences = slots.iter().map(|&slot| u32::from(slot)).chain(weights.iter().map(|weight| weight.to_bits()));
        position.into_iter().chain(influences).collect::<Vec<u32>>()
    };
    let rotated = |triangle: &[u32; 3]| {
        let mut corners = [0, 1, 2].map(|i| corner(&triangle[i]));
        let least = (0..3).min_by_key(|&i| corners[i].clone()).unwrap_or(0);
        corners.rotate_left(least);
        corners
    };
    let mut triangles: Vec<_> = mesh.triangles.iter().map(rotated).collect();
    triangles.sort_unstable();
    triangles
}

#[test]
fn a_stream_without_quantization_gives_the_plain_mesh() {
    for character in [box_limb(), box_man()] {
        let plain = import(&character.to_glb(), &NoExternalFiles).unwrap();
        for method in [0, 1] {
            let model = import(&compressed(&character, method).to_glb(), &NoExternalFiles).unwrap();
            assert_eq!(model.meshes[0].positions.len(), plain.meshes[0].positions.len());
            assert_eq!(triangles(&model), triangles(&plain), "{}, method {method}", character.name);
            assert_eq!(
                (model.skeleton, model.clips, model.warnings),
                (plain.skeleton.clone(), plain.clips.clone(), vec![])
            );
        }
    }
}

#[test]
fn streams_that_differ_from_the_file_are_refused() {
    let edits: [fn(&mut Gltf); 6] = [
        |gltf| gltf.json["accessors"][1]["count"] = json!(15),
        |gltf| gltf.json["accessors"][4]["count"] = json!(69),
        |gltf| extension(gltf)["attributes"]["JOINTS_0"] = json!(7),
        |gltf| extension(gltf)["attributes"]["JOINTS_0"] = json!(0),
        |gltf| drop(extension(gltf)["attributes"].as_object_mut().unwrap().remove("WEIGHTS_0")),
        |gltf| extension(gltf)["bufferView"] = json!(0),
    ];
    for (number, edit) in edits.into_iter().enumerate() {
        let mut gltf = compressed(&box_limb(), 1);
        edit(&mut gltf);
        let error = import(&gltf.to_glb(), &NoExternalFiles).unwrap_err();
        assert!(matches!(error, ImportError::Compressed { .. }), "{number}: {error}");
    }
    let mut gltf = compressed(&box_limb(), 1);
    extension(&mut gltf)["bufferView"] = json!(99);
    assert!(matches!(import(&gltf.to_glb(), &NoExternalFiles), Err(ImportError::MissingObject { .. })));
}

/// Constant data compresses to almost nothing, so a small stream may expand to any size. The size that the accessors
/// announce is charged to the budget before decoding, and the decoder may not exceed it.
#[test]
fn a_small_stream_of_many_points_cannot_exceed_the_budget() {
    let mut gltf = compressed(&box_limb(), 1);
    for accessor in 1..4 {
        gltf.json["accessors"][accessor]["count"] = json!(10_000_000);
    }
    assert!(matches!(import(&gltf.to_glb(), &NoExternalFiles), Err(ImportError::Limit { .. })));
}
