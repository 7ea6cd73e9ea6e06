//! Imports correct, unusual and wrong files, each built here.

use glam::{Affine3A, DVec3, Vec3};
use serde_json::{Value, json};
use skeleton::{Interpolation, JointIndex, LocalTransform, Property};
use skinned_model::skinning::{joint_points, skin_positions};
use skinned_model::{ImportError, Morphed, NoExternalFiles, ResolveError, ResolveUri, SkinnedModel, import};
use test_models::{Character, Component, Gltf, box_limb, box_man};

/// The box limb (joints: nodes 0 and 1; mesh: node 2), after an edit.
fn limb(edit: impl FnOnce(&mut Gltf)) -> Result<SkinnedModel, ImportError> {
    let mut gltf = box_limb().to_gltf();
    edit(&mut gltf);
    import(&gltf.to_glb(), &NoExternalFiles)
}

fn imported(gltf: &Gltf) -> Result<SkinnedModel, ImportError> {
    import(&gltf.to_glb(), &NoExternalFiles)
}

fn names(model: &SkinnedModel) -> Vec<&str> {
    model.skeleton.joints().iter().map(|joint| joint.name.as_str()).collect()
}

fn codes(model: &SkinnedModel) -> Vec<&str> {
    model.warnings.iter().map(|warning| warning.code).collect()
}

fn primitive(gltf: &mut Gltf) -> &mut Value {
    &mut gltf.json["meshes"][0]["primitives"][0]
}

/// A tour from bytes to skinned positions.
#[test]
fn api_walkthrough() {
    let model = import(&box_limb().to_glb(), &NoExternalFiles).unwrap();
    assert_eq!(names(&model), ["upper", "lower"]);
    assert_eq!(codes(&model), [""; 0]);
    let mesh = &model.meshes[0];
    assert_eq!((mesh.positions.len(), mesh.triangles.len()), (16, 24));

    // The vertices of the lower arm in the space of its joint form a box of known size.
    let lower = joint_points(mesh, 1).into_iter().zip(0..).filter(|(_, vertex)| mesh.influences.of(*vertex).0[0] == 1);
    let lower: Vec<DVec3> = lower.map(|(point, _)| point).collect();
    let low = lower.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = lower.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    assert!((low - DVec3::new(0.0, -0.08, -0.12)).length() < 1e-6, "{low}");
    assert!((high - DVec3::new(0.8, 0.08, 0.12)).length() < 1e-6, "{high}");

    // At the end of the clip the lower arm points up.
    let clip = &model.clips[0];
    let mut local = model.skeleton.rest_pose();
    clip.sample(clip.end(), &mut local);
    let mut model_from_joint = vec![Affine3A::IDENTITY; local.len()];
    model.skeleton.model_from_joints(&local, &mut model_from_joint);
    let top = skin_positions(mesh, &model_from_joint).into_iter().flatten().fold(0.0, |top, point| point.y.max(top));
    assert!((top - 0.8).abs() < 1e-6, "{top}");
}

#[test]
fn containers_give_the_same_model() {
    struct Bin(Vec<u8>);
    impl ResolveUri for Bin {
        fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
            assert_eq!(uri, "the%20limb.bin");
            Ok(self.0.clone())
        }
    }
    let gltf = box_limb().to_gltf();
    let model = import(&gltf.to_glb(), &NoExternalFiles).unwrap();
    assert_eq!(import(gltf.to_embedded().as_bytes(), &NoExternalFiles).unwrap(), model);
    let separate = gltf.to_separate("the%20limb.bin");
    assert_eq!(import(separate.as_bytes(), &Bin(gltf.bin.clone())).unwrap(), model);
    let percent: String = gltf.bin.iter().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(import(gltf.to_separate(&format!("data:,{percent}")).as_bytes(), &NoExternalFiles).unwrap(), model);

    let pointer = Bin(b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n".to_vec());
    let error = import(separate.as_bytes(), &pointer).unwrap_err().to_string();
    assert!(error.contains("found a pointer of Git LFS; run `git lfs pull`"), "{error}");
    let short = Bin(gltf.bin[1..].to_vec());
    assert!(matches!(import(separate.as_bytes(), &short), Err(ImportError::Malformed { .. })));
    assert!(matches!(import(separate.as_bytes(), &NoExternalFiles), Err(ImportError::Buffer { .. })));
}

#[test]
fn joints_without_a_unique_name_get_a_stable_unique_name() {
    let mut man = Character::new("names");
    for (name, parent) in [("", None), ("a", Some(0)), ("a", Some(0)), ("a_2", Some(0)), ("", Some(0))] {
        man.joint(name, parent, [0.0; 3]);
    }
    man.add_box(0, [0.0; 3], [1.0; 3]);
    let model = import(&man.to_glb(), &NoExternalFiles).unwrap();
    assert_eq!(names(&model), ["node_0", "a", "a_3", "a_2", "node_4"]);
}

/// The skin lists joint 5 (the child) before joint 3 (the parent). Node 4 is between them and node 6 above; nodes 7 and
/// 8 are elsewhere.
#[test]
fn joints_are_in_tree_order_with_all_nodes_above_and_no_others() {
    let model = limb(|gltf| {
        gltf.json["nodes"] = json!([
            { "mesh": 0, "skin": 0 }, {}, {},
            { "name": "parent", "children": [8, 4] }, { "name": "between", "children": [5] },
            { "name": "child", "children": [7] }, { "name": "above", "children": [3] },
            { "name": "tip" }, { "name": "branch" },
        ]);
        gltf.json["skins"][0]["joints"] = json!([5, 3]);
        gltf.json["animations"] = json!([]);
    })
    .unwrap();
    assert_eq!(names(&model), ["above", "parent", "between", "child"]);
    let skinned: Vec<bool> = model.skeleton.joints().iter().map(|joint| joint.skinned).collect();
    assert_eq!(skinned, [false, true, false, true]);
    assert_eq!(model.meshes[0].joints, [JointIndex(3), JointIndex(1)]);
}

#[test]
fn a_joint_with_a_matrix_is_animated_only_if_the_matrix_can_be_split() {
    let sheared = [0., 2., 0., 0., -2., 0., 0., 0., 0.5, 0., 1., 0., 7., 8., 9., 1.];
    let model = limb(|gltf| gltf.json["nodes"][1] = json!({ "name": "lower", "matrix": sheared })).unwrap();
    let LocalTransform::Matrix(rest) = model.skeleton.joints()[1].rest else { panic!("a matrix") };
    assert_eq!(rest.to_cols_array(), [0., 2., 0., -2., 0., 0., 0.5, 0., 1., 7., 8., 9.]);
    assert_eq!((codes(&model), model.clips.len()), (vec!["animated-matrix"], 0));

    let quarter_turn = [0., 2., 0., 0., -2., 0., 0., 0., 0., 0., 2., 0., 7., 8., 9., 1.];
    let model = limb(|gltf| gltf.json["nodes"][1] = json!({ "matrix": quarter_turn })).unwrap();
    let LocalTransform::Trs(rest) = model.skeleton.joints()[1].rest else { panic!("taken apart") };
    assert_eq!((rest.translation, rest.scale), (Vec3::new(7.0, 8.0, 9.0), Vec3::splat(2.0)));
    assert_eq!((codes(&model), model.clips.len()), (vec!["animated-matrix"], 1));

    let unmoved = limb(|gltf| {
        gltf.json["nodes"][1] = json!({ "matrix": quarter_turn });
        gltf.json["animations"] = json!([]);
    });
    let unmoved = unmoved.unwrap();
    assert!(matches!(unmoved.skeleton.joints()[1].rest, LocalTransform::Matrix(_)) && unmoved.warnings.is_empty());
}

#[test]
fn a_skinned_mesh_ignores_its_nodes_transform_and_counts_once_for_each_skin() {
    let plain = limb(|_| ()).unwrap();
    let mut model = limb(|gltf| {
        gltf.json["nodes"][2]["scale"] = json!([-3, 1, 100]);
        gltf.push("nodes", json!({ "mesh": 0, "skin": 0, "translation": [5, 5, 5] }));
        let skin = gltf.json["skins"][0].clone();
        gltf.push("skins", skin);
        gltf.push("nodes", json!({ "mesh": 0, "skin": 1 }));
    })
    .unwrap();
    assert_eq!(model.meshes.len(), 2);
    let other = model.meshes.pop().unwrap();
    assert_eq!((&other.positions, &other.joints), (&model.meshes[0].positions, &model.meshes[0].joints));
    assert_eq!(model, plain);
}

#[test]
fn skins_that_share_joints_are_merged_by_node() {
    let model = limb(|gltf| {
        let matrices = gltf.floats("MAT4", [2., 0., 0., 0., 0., 2., 0., 0., 0., 0., 2., 0., 0., 0., 0., 1.].repeat(2));
        gltf.push("skins", json!({ "joints": [1, 0], "inverseBindMatrices": matrices }));
        gltf.push("nodes", json!({ "mesh": 0, "skin": 1 }));
    })
    .unwrap();
    assert_eq!(model.skeleton.len(), 2);
    assert_eq!(model.meshes[1].joints, [JointIndex(1), JointIndex(0)]);
    assert_eq!(model.meshes[1].joint_from_mesh[0], Affine3A::from_scale(Vec3::splat(2.0)));
    assert_ne!(model.meshes[0].joint_from_mesh[0], model.meshes[1].joint_from_mesh[0]);
}

#[test]
fn missing_inverse_bind_matrices_are_the_identity() {
    let model =
        limb(|gltf| drop(gltf.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices"))).unwrap();
    assert_eq!(model.meshes[0].joint_from_mesh, [Affine3A::IDENTITY; 2]);
}

#[test]
fn triangles_of_lists_strips_and_fans() {
    let triangles = |mode: u32, indices: &[f64]| {
        let model = limb(|gltf| {
            let accessor = gltf.accessor("SCALAR", Component::U8, false, indices);
            primitive(gltf)["indices"] = accessor.into();
            primitive(gltf)["mode"] = mode.into();
        });
        model.unwrap().meshes[0].triangles.clone()
    };
    let five = [9., 8., 7., 6., 5.];
    assert_eq!(triangles(4, &five), [[9, 8, 7]]);
    assert_eq!(triangles(5, &five), [[9, 8, 7], [8, 6, 7], [7, 6, 5]]);
    assert_eq!(triangles(6, &five), [[8, 7, 9], [7, 6, 9], [6, 5, 9]]);
    for points_or_lines in 0..4 {
        assert!(triangles(points_or_lines, &five).is_empty());
    }
    assert!(triangles(5, &five[..2]).is_empty());
    let unindexed = limb(|gltf| drop(primitive(gltf).as_object_mut().unwrap().remove("indices"))).unwrap();
    assert_eq!(unindexed.meshes[0].triangles[..2], [[0, 1, 2], [3, 4, 5]]);
    assert_eq!(unindexed.meshes[0].triangles.len(), 5, "the last of 16 vertices belongs to no triangle");
}

#[test]
fn primitives_are_joined_and_padded_to_the_widest_influences() {
    let model = limb(|gltf| {
        let more = gltf.accessor("VEC4", Component::U8, true, &[51.0; 64]);
        let slots = gltf.accessor("VEC4", Component::U8, false, &[1.0; 64]);
        let mut second = primitive(gltf).clone();
        (second["attributes"]["JOINTS_1"], second["attributes"]["WEIGHTS_1"]) = (slots.into(), more.into());
        gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
    })
    .unwrap();
    let mesh = &model.meshes[0];
    assert_eq!((mesh.positions.len(), mesh.influences.per_vertex), (32, 8));
    assert_eq!(mesh.triangles[24], [16, 20, 22]);
    assert_eq!(mesh.influences.of(15).1, [1., 0., 0., 0., 0., 0., 0., 0.]);
    assert_eq!(mesh.influences.of(16).1, [1., 0., 0., 0., 0.2, 0.2, 0.2, 0.2]);
    assert_eq!(mesh.influences.of(16).0[4..], [1; 4]);
}

/// Replaces the weights and joints of the first vertices.
fn weighted(rows: &[[f32; 4]], joints: &[[u16; 4]]) -> Result<SkinnedModel, ImportError> {
    limb(|gltf| {
        let mut weights = vec![[1.0, 0.0, 0.0, 0.0]; 16];
        weights[..rows.len()].copy_from_slice(rows);
        let mut slots = vec![[0; 4]; 16];
        slots[..joints.len()].copy_from_slice(joints);
        let weights = gltf.floats("VEC4", weights.into_flattened());
        let slots = gltf.shorts("VEC4", slots.into_flattened());
        (primitive(gltf)["attributes"]["WEIGHTS_0"], primitive(gltf)["attributes"]["JOINTS_0"]) =
            (weights.into(), slots.into());
    })
}

#[test]
fn odd_weights_are_zeroed_counted_and_reported() {
    let rows = [[f32::NAN, 0.5, -1.0, 0.0], [f32::INFINITY, 0.0, -0.0, 0.0], [2.0, 2.0, 0.0, 0.0], [0.0; 4]];
    let model = weighted(&rows, &[]).unwrap();
    let influences = &model.meshes[0].influences;
    assert_eq!(influences.of(0).1, [0.0, 0.5, 0.0, 0.0]);
    assert_eq!(influences.of(2).1, [2.0, 2.0, 0.0, 0.0], "sums other than 1 are kept");
    assert_eq!(codes(&model), ["nan-weights", "negative-weights", "unassigned-vertices"]);
    assert!(model.warnings[2].text.contains("2 of 16 vertices (the first is vertex 1)"), "{}", model.warnings[2].text);
    let identity = [Affine3A::IDENTITY; 2];
    assert!(skin_positions(&model.meshes[0], &identity)[3].is_none());

    assert!(matches!(weighted(&[[0.0; 4]; 16], &[]), Err(ImportError::NoWeights { vertices: 16 })));
}

#[test]
fn slots_beyond_the_skin_are_an_error_unless_without_weight() {
    let beyond = weighted(&[], &[[2, 0, 0, 0]]).unwrap_err();
    assert!(beyond.to_string().contains("JOINTS_0, vertex 0: expected one of the skin's 2 joints"), "{beyond}");
    let model = weighted(&[], &[[0, 60_000, 0, 0]]).unwrap();
    assert_eq!(model.meshes[0].influences.of(0).0, [0; 4]);
}

#[test]
fn influences_of_every_allowed_type_are_read() {
    for (component, one) in [(Component::U8, 255.0), (Component::U16, 65535.0), (Component::F32, 1.0)] {
        let model = limb(|gltf| {
            let weights = gltf.accessor("VEC4", component, component != Component::F32, &[one, 0., 0., 0.].repeat(16));
            let slots = gltf.accessor("VEC4", Component::U8, false, &[1., 0., 0., 0.].repeat(16));
            (primitive(gltf)["attributes"]["WEIGHTS_0"], primitive(gltf)["attributes"]["JOINTS_0"]) =
                (weights.into(), slots.into());
        })
        .unwrap();
        assert_eq!(model.meshes[0].influences.of(3), (&[1, 0, 0, 0][..], &[1.0, 0.0, 0.0, 0.0][..]), "{component:?}");
    }
}

#[test]
fn quantized_positions_are_read_by_their_type() {
    for (component, normalized, stored, expected) in [
        (Component::I8, true, [127., -127., -128.], Vec3::new(1.0, -1.0, -1.0)),
        (Component::U8, true, [255., 0., 51.], Vec3::new(1.0, 0.0, 0.2)),
        (Component::I16, true, [32767., -32768., 0.], Vec3::new(1.0, -1.0, 0.0)),
        (Component::U16, false, [65535., 3., 0.], Vec3::new(65535.0, 3.0, 0.0)),
        (Component::I16, false, [-5., 3., 0.], Vec3::new(-5.0, 3.0, 0.0)),
    ] {
        let model = limb(|gltf| {
            let positions = gltf.accessor("VEC3", component, normalized, &stored.repeat(16));
            primitive(gltf)["attributes"]["POSITION"] = positions.into();
        });
        assert_eq!(model.unwrap().meshes[0].positions, [expected; 16], "{component:?}");
    }
}

/// The caller decides by a node's extras whether a rigid mesh is part of the character.
#[test]
fn rigid_meshes_are_ignored_by_their_extras() {
    let mut gltf = box_limb().to_gltf();
    let points = gltf.floats("VEC3", [0., 0., 0., 1., 0., 0., 0., 1., 0.]);
    let mesh = gltf.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": points } }] }));
    let plate = |name: &str, extras| json!({ "name": name, "mesh": mesh, "extras": extras });
    let marked = gltf.push("nodes", plate("marked", json!({ "mine": true })));
    let other = gltf.push("nodes", plate("other", json!({ "yours": true })));
    gltf.json["nodes"][1]["children"] = json!([marked, other]);
    let names = |is_ignored: &dyn Fn(&str) -> bool| {
        let model = skinned_model::import_ignoring(&gltf.to_glb(), &NoExternalFiles, is_ignored).unwrap();
        model.attachments.into_iter().map(|attachment| attachment.name).collect::<Vec<_>>()
    };
    assert_eq!(names(&|_| false), ["marked", "other"]);
    assert_eq!(names(&|extras| extras.contains("mine")), ["other"]);
}

/// A helmet on a hook below the lower arm, a blade on the upper arm's own node, and scenery beside them.
#[test]
fn the_nearest_joint_above_carries_a_rigid_mesh() {
    let model = limb(|gltf| {
        let points = gltf.floats("VEC3", [0., 0., 0., 1., 0., 0., 0., 1., 0.]);
        let mesh =
            gltf.push("meshes", json!({ "name": "plate", "primitives": [{ "attributes": { "POSITION": points } }] }));
        let helmet = gltf.push("nodes", json!({ "name": "helmet", "mesh": mesh, "translation": [1, 0, 0] }));
        let hook = gltf.push("nodes", json!({ "scale": [-2, 2, 2], "children": [helmet] }));
        gltf.json["nodes"][1]["children"] = json!([hook]);
        gltf.json["nodes"][0]["mesh"] = mesh.into();
        gltf.push("nodes", json!({ "name": "scenery", "mesh": mesh }));
    })
    .unwrap();
    let found: Vec<_> = model.attachments.iter().map(|it| (it.name.as_str(), it.joint.0, it.positions.len())).collect();
    assert_eq!(found, [("upper", 0, 3), ("helmet", 1, 3)]);
    assert_eq!(model.attachments[0].joint_from_mesh, Affine3A::IDENTITY);
    assert_eq!(
        model.attachments[1].joint_from_mesh.to_cols_array(),
        [-2., 0., 0., 0., 2., 0., 0., 0., 2., -2., 0., 0.]
    );
    assert_eq!(model.attachments[1].triangles, [[0, 1, 2]]);
}

#[test]
fn clips_share_timelines_and_keep_only_channels_of_joints() {
    let model = limb(|gltf| {
        let input = gltf.floats("SCALAR", [2.0, 3.0]);
        let spline = gltf.floats("VEC3", [0.0; 18]);
        let turns = gltf.accessor("VEC4", Component::I16, true, &[0., 0., 0., 32767.].repeat(2));
        let outside = gltf.push("nodes", json!({ "name": "camera" }));
        let channel = |sampler: usize, node: usize, path: &str| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
        gltf.push("animations", json!({ "name": "bend",
            "samplers": [{ "input": input, "output": spline, "interpolation": "CUBICSPLINE" },
                { "input": input, "output": turns, "interpolation": "STEP" }],
            "channels": [channel(1, 1, "rotation"), channel(0, 0, "scale"), channel(0, outside, "scale"),
                channel(0, 0, "weights"), { "sampler": 0, "target": { "path": "pointer" } }, channel(0, 0, "scale")] }));
        gltf.push("animations", json!({ "samplers": [{ "input": input, "output": spline, "interpolation": "CUBICSPLINE" }],
            "channels": [channel(0, outside, "translation")] }));
    })
    .unwrap();
    assert_eq!(model.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["bend", "bend_2"]);
    let clip = &model.clips[1];
    assert_eq!((clip.start(), clip.end(), clip.timelines.len(), clip.channels.len()), (2.0, 3.0, 1, 2));
    let kinds: Vec<_> = clip.channels.iter().map(|it| (it.joint.0, it.property, it.interpolation)).collect();
    let expected = [(0, Property::Scale, Interpolation::CubicSpline), (1, Property::Rotation, Interpolation::Step)];
    assert_eq!(kinds, expected);
    assert_eq!(clip.channels[1].values, [0., 0., 0., 1., 0., 0., 0., 1.]);
    assert_eq!(codes(&model), ["repeated-channel"]);
}

#[test]
fn a_clip_with_broken_keys_is_left_out_and_the_character_stays() {
    for (times, value) in [([1.0, 1.0], 0.0), ([2.0, 1.0], 0.0), ([f32::NAN, 1.0], 0.0), ([0.0, 1.0], f32::NAN)] {
        let model = limb(|gltf| {
            let (input, output) = (gltf.floats("SCALAR", times), gltf.floats("VEC3", [value; 6]));
            gltf.push(
                "animations",
                json!({ "samplers": [{ "input": input, "output": output }],
                "channels": [{ "sampler": 0, "target": { "node": 0, "path": "scale" } }] }),
            );
        })
        .unwrap();
        assert_eq!((codes(&model), model.clips.len()), (vec!["broken-clip"], 1));
    }
}

#[test]
fn rotations_are_normalized() {
    let model = limb(|gltf| {
        gltf.json["nodes"][0]["rotation"] = json!([0, 0, 3, 4]);
        gltf.json["nodes"][1]["rotation"] = json!([0, 0, 0, 0]);
        let (input, output) = (gltf.floats("SCALAR", [0.0]), gltf.floats("VEC4", [0.0, 0.0, 0.3, 0.4]));
        gltf.json["animations"] = json!([{ "samplers": [{ "input": input, "output": output }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "rotation" } }] }]);
    })
    .unwrap();
    let rest = |joint: usize| match model.skeleton.joints()[joint].rest {
        LocalTransform::Trs(trs) => trs.rotation.to_array(),
        LocalTransform::Matrix(_) => panic!("no matrix"),
    };
    assert_eq!((rest(0), rest(1)), ([0.0, 0.0, 0.6, 0.8], [0.0, 0.0, 0.0, 1.0]));
    assert_eq!(model.clips[0].channels[0].values, [0.0, 0.0, 0.6, 0.8]);
    assert_eq!(codes(&model), ["rotation-not-unit"; 2]);
}

#[test]
fn extensions_are_refused_by_name_only_where_they_matter() {
    let required = |name: &str| limb(|gltf| gltf.json["extensionsRequired"] = json!([name]));
    for harmless in ["KHR_materials_clearcoat", "KHR_texture_basisu", "VRMC_vrm", "KHR_physics_rigid_bodies"] {
        assert_eq!(codes(&required(harmless).unwrap()), [""; 0], "{harmless}");
    }
    assert_eq!(codes(&required("EXT_mesh_gpu_instancing").unwrap()), ["ignored-extension"]);
    let error = required("ACME_bent_space").unwrap_err().to_string();
    assert!(error.contains("\"ACME_bent_space\""), "{error}");
    limb(|gltf| gltf.json["extensionsUsed"] = json!(["ACME_bent_space"])).unwrap();
}

#[test]
fn humanoids_of_both_vrm_versions_are_read() {
    let with = |extensions: Value| limb(|gltf| gltf.json["extensions"] = extensions).unwrap();
    let bones = |model: &SkinnedModel| -> Vec<(String, u16)> {
        model.validate().unwrap();
        model.humanoid.iter().map(|bone| (bone.name.clone(), bone.joint.0)).collect()
    };
    let expected = [("hips".to_owned(), 0), ("leftThumbProximal".to_owned(), 1)];
    let new = json!({ "hips": { "node": 0 }, "leftThumbProximal": { "node": 1, "extras": [1] } });
    let model = with(json!({ "VRMC_vrm": { "specVersion": "1.0", "humanoid": { "humanBones": new } } }));
    assert_eq!((bones(&model).as_slice(), codes(&model)), (&expected[..], vec![]));
    let old = json!([{ "bone": "hips", "node": 0, "useDefaultValues": true }, { "bone": "leftThumbIntermediate", "node": 1 }]);
    let model = with(json!({ "VRM": { "humanoid": { "humanBones": old, "armStretch": 0.05 }, "meta": {} } }));
    assert_eq!((bones(&model).as_slice(), codes(&model)), (&expected[..], vec![]));
    // The newer extension has priority. Files without a humanoid give an empty list.
    let model = with(json!({ "VRM": { "humanoid": { "humanBones": old } }, "VRMC_vrm": { "specVersion": "1.0" } }));
    assert_eq!((bones(&model), codes(&model)), (vec![], vec![]));
    assert_eq!(bones(&limb(|_| ()).unwrap()), []);
}

#[test]
fn a_humanoid_that_is_wrong_is_left_out_with_a_warning() {
    let with = |bones: Value| {
        let extension = json!({ "VRMC_vrm": { "humanoid": { "humanBones": bones } } });
        let model = limb(|gltf| gltf.json["extensions"] = extension).unwrap();
        model.validate().unwrap();
        (model.humanoid.len(), codes(&model).first().copied().unwrap_or_default().to_owned())
    };
    assert_eq!(with(json!({ "hips": { "node": 0 }, "spine": { "node": 99 } })), (1, "bad-humanoid".into()));
    assert_eq!(with(json!({ "hips": { "node": 0 }, "spine": { "node": 0 } })), (1, "bad-humanoid".into()));
    assert_eq!(with(json!({ "hips": { "node": 0 }, "spine": { "node": 2 } })), (1, "humanoid-without-joint".into()));
    assert_eq!(with(json!({ "hips": { "node": -1 } })), (0, "bad-humanoid".into()));
    assert_eq!(with(json!([])), (0, "bad-humanoid".into()));
    let many: serde_json::Map<String, Value> =
        (0..300).map(|bone| (format!("bone{bone}"), json!({ "node": 0 }))).collect();
    assert_eq!(with(Value::Object(many)), (0, "bad-humanoid".into()));
    for extensions in [json!(null), json!([]), json!({ "VRM": 5 })] {
        let model = limb(|gltf| gltf.json["extensions"] = extensions).unwrap();
        assert!(model.humanoid.is_empty());
    }
}

#[test]
fn other_versions_are_named_in_the_error() {
    for (asset, json) in [("1.0", json!({ "meshes": {}, "nodes": {} })), ("3.0", json!({}))] {
        let mut json = json;
        json["asset"] = json!({ "version": asset });
        let error = import(json.to_string().as_bytes(), &NoExternalFiles).unwrap_err();
        assert_eq!(error, ImportError::Version { found: format!("{asset:?}") });
    }
    let newer = limb(|gltf| gltf.json["asset"] = json!({ "version": "2.1", "minVersion": "2.1" }));
    assert!(matches!(newer, Err(ImportError::Version { .. })));
    limb(|gltf| gltf.json["asset"] = json!({ "version": "2.1", "minVersion": "2.0" })).unwrap();
}

#[test]
fn unknown_and_broken_materials_textures_and_images_do_not_matter() {
    limb(|gltf| {
        gltf.json["materials"] = json!([{ "pbrMetallicRoughness": "shiny" }]);
        gltf.json["textures"] = json!([{ "extensions": { "EXT_texture_webp": { "source": 9 } } }]);
        gltf.json["images"] = json!([{ "uri": "file:///nowhere.webp" }]);
        gltf.json["scenes"] = json!([{}]);
        primitive(gltf)["material"] = json!(77);
    })
    .unwrap();
}

#[test]
fn primitives_without_influences_are_left_out_with_a_warning_and_attachments_may_morph() {
    let model = limb(|gltf| {
        primitive(gltf)["targets"] = json!([{ "POSITION": 1 }]);
        let position = primitive(gltf)["attributes"]["POSITION"].clone();
        let bare = json!({ "attributes": { "POSITION": position } });
        gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(bare.clone());
        let mut smiling = bare;
        smiling["targets"] = json!([{ "POSITION": 1 }]);
        let face = gltf.push("meshes", json!({ "primitives": [smiling] }));
        gltf.json["nodes"][1]["mesh"] = face.into();
    })
    .unwrap();
    assert_eq!(codes(&model), ["unskinned-primitive"]);
    assert_eq!(model.meshes[0].positions.len(), 16);
    let morphed: Vec<_> = model.morph_targets.iter().map(|targets| targets.of).collect();
    assert_eq!(morphed, [Morphed::Mesh(0), Morphed::Attachment(0)]);
}

/// A target moves vertices of two primitives; another one moves nothing. Weights are those of the node, and of two animations.
#[test]
fn morph_targets_of_skins_have_their_offsets_and_all_weights() {
    let model = limb(|gltf| {
        let (mut rise, mut turn) = (vec![0.0; 48], vec![0.0; 48]);
        (rise[3], rise[46], turn[0]) = (0.5, -0.25, 1.0);
        let rise = gltf.floats("VEC3", rise);
        let turn = gltf.floats("VEC3", turn);
        primitive(gltf)["targets"] = json!([{ "POSITION": rise }, {}, { "NORMAL": turn }]);
        let second = primitive(gltf).clone();
        gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(second);
        gltf.json["meshes"][0]["weights"] = json!([1, 1, 1]);
        gltf.json["meshes"][0]["extras"] = json!({ "targetNames": ["Rise", ""], "other": 1 });
        gltf.json["nodes"][2]["weights"] = json!([0.5, 0, -0.0]);
        let times = gltf.floats("SCALAR", [0.0, 2.0]);
        let line = gltf.floats("SCALAR", [0.0, 0.0, 0.0, 0.5, 0.0, 0.0]);
        let flat = [0.0; 9];
        let mut spline = [flat, flat].concat();
        // The curve starts at 0 with the slope 1, and ends at 0 with the slope -1: at the middle it is at half a second.
        (spline[6], spline[9]) = (1.0, -1.0);
        let spline = gltf.floats("SCALAR", spline);
        let animation = |output: usize, interpolation: &str| {
            json!({
            "samplers": [{ "input": times, "output": output, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": 2, "path": "weights" } }] })
        };
        gltf.push("animations", animation(line, "LINEAR"));
        gltf.push("animations", animation(spline, "CUBICSPLINE"));
    })
    .unwrap();
    assert_eq!(codes(&model), [""; 0]);
    let [targets] = &model.morph_targets[..] else { panic!("{:?}", model.morph_targets) };
    let moved = |base: u32| [(base + 1, Vec3::new(0.5, 0.0, 0.0)), (base + 15, Vec3::new(0.0, -0.25, 0.0))];
    assert_eq!(targets.offsets, [[moved(0), moved(16)].concat(), vec![], vec![]]);
    assert_eq!(targets.names, ["Rise", "target_1", "target_2"]);
    assert_eq!(targets.weights[..2], [[0.5, 0.0, 0.0], [0.0; 3]]);
    let spline: Vec<f32> = targets.weights[2..].iter().map(|weights| weights[0]).collect();
    let expected = (1..8).map(|part| f64::from(part) / 8.0).map(|t| 2.0 * t * (1.0 - t));
    let expected: Vec<f32> = expected.map(|weight| weight as f32).filter(|weight| *weight != 0.5).collect();
    let unique = [expected[0], expected[1], expected[2]];
    assert_eq!(spline, unique, "the curve goes up and down, and its middle is the weight of the node");
    model.validate().unwrap();
}

#[test]
fn broken_morph_targets_and_weights_are_left_out_with_a_warning() {
    let model = limb(|gltf| {
        let short = gltf.floats("VEC3", [1.0; 45]);
        let pairs = gltf.floats("VEC2", [1.0; 32]);
        let mut broken = [1.0; 48];
        broken[40] = f32::NAN;
        let broken = gltf.floats("VEC3", broken);
        let good = gltf.floats("VEC3", [1.0; 48]);
        primitive(gltf)["targets"] =
            json!([{ "POSITION": short }, { "POSITION": pairs }, { "POSITION": broken }, { "POSITION": good }]);
        gltf.json["nodes"][2]["weights"] = json!([1, 1]);
        gltf.json["meshes"][0]["extras"] = json!({ "targetNames": [1, 2] });
        let times = gltf.floats("SCALAR", [0.0, 2.0]);
        let few = gltf.floats("SCALAR", [0.0; 7]);
        gltf.push(
            "animations",
            json!({ "samplers": [{ "input": times, "output": few }],
            "channels": [{ "sampler": 0, "target": { "node": 2, "path": "weights" } }] }),
        );
    })
    .unwrap();
    let codes = codes(&model);
    assert_eq!(codes, [&["unreadable-attribute"; 4][..], &["broken-clip"]].concat());
    let texts: Vec<&str> = model.warnings.iter().map(|warning| warning.text.as_str()).collect();
    insta::assert_snapshot!(texts.join("\n"));
    let [targets] = &model.morph_targets[..] else { panic!("{:?}", model.morph_targets) };
    assert_eq!(targets.offsets.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 0, 16]);
    assert_eq!(targets.names[3], "target_3");
    assert!(targets.weights.is_empty());
}

#[test]
fn deep_chains_below_and_above_joints_need_no_stack() {
    let chain = |gltf: &mut Gltf, length: usize, end: Value| {
        let first = gltf.json["nodes"].as_array().unwrap().len();
        (first..first + length).for_each(|node| {
            gltf.push("nodes", json!({ "children": [node + 1] }));
        });
        gltf.push("nodes", end);
        first
    };
    let below = limb(|gltf| {
        let first = chain(gltf, 100_000, json!({ "mesh": 0 }));
        gltf.json["nodes"][1]["children"] = json!([first]);
    })
    .unwrap();
    assert_eq!((below.skeleton.len(), below.attachments.len()), (2, 1));
    let above = |length: usize| {
        limb(|gltf| {
            chain(gltf, length, json!({ "children": [0] }));
        })
    };
    assert_eq!(above(65_533).unwrap().skeleton.len(), 65_536);
    assert!(matches!(above(65_534), Err(ImportError::TooManyJoints { found: 65_537 })));
}

#[test]
fn a_man_of_boxes_is_read_as_he_was_made() {
    let (man, model) = (box_man(), import(&box_man().to_glb(), &NoExternalFiles).unwrap());
    let made: Vec<&str> = man.joints.iter().map(|joint| joint.name.as_str()).collect();
    let mut found = names(&model);
    found.sort_unstable();
    let mut sorted = made.clone();
    sorted.sort_unstable();
    assert_eq!(found, sorted);
    let positions: Vec<[f32; 3]> = model.meshes[0].positions.iter().map(|point| point.to_array()).collect();
    assert_eq!((positions, &model.meshes[0].triangles), (man.positions, &man.triangles));
    model.validate().unwrap();
}

/// The messages that a technical artist reads for the most common mistakes.
#[cfg(feature = "meshopt")]
#[test]
fn error_texts() {
    type Edit<'a> = (&'a str, &'a dyn Fn(&mut Gltf));
    let edits: [Edit<'_>; 14] = [
        ("no skin", &|gltf| gltf.json["nodes"][2] = json!({ "mesh": 0 })),
        ("no influences", &|gltf| primitive(gltf)["attributes"] = json!({ "POSITION": 1 })),
        ("weights missing", &|gltf| drop(primitive(gltf)["attributes"].as_object_mut().unwrap().remove("WEIGHTS_0"))),
        ("node missing", &|gltf| gltf.json["skins"][0]["joints"] = json!([0, 99])),
        ("two parents", &|gltf| gltf.json["nodes"][2]["children"] = json!([1])),
        ("cycle", &|gltf| gltf.json["nodes"][1]["children"] = json!([0])),
        ("range", &|gltf| gltf.json["accessors"][1]["count"] = json!(1_000_000)),
        ("zeros", &|gltf| {
            let accessor = json!({ "componentType": 5126, "count": 2_000_000_000u32, "type": "VEC3" });
            let accessor = gltf.push("accessors", accessor);
            primitive(gltf)["attributes"]["POSITION"] = accessor.into();
        }),
        ("type", &|gltf| primitive(gltf)["attributes"]["WEIGHTS_0"] = json!(1)),
        ("position", &|gltf| {
            let points = gltf.floats("VEC3", [f32::INFINITY; 48]);
            primitive(gltf)["attributes"]["POSITION"] = points.into();
        }),
        ("matrix", &|gltf| {
            let matrices = gltf.floats("MAT4", [2.0; 32]);
            gltf.json["skins"][0]["inverseBindMatrices"] = matrices.into();
        }),
        ("compression", &|gltf| {
            gltf.json["bufferViews"][1]["extensions"] = json!({ "EXT_meshopt_compression": { "buffer": 0, "byteLength": 9,
                "byteStride": 12, "count": 16, "mode": "ATTRIBUTES" } });
        }),
        ("uri", &|gltf| {
            gltf.json["buffers"] = json!([{ "byteLength": 4000, "uri": "https://example.invalid/limb.bin" }])
        }),
        ("long name", &|gltf| {
            gltf.json["meshes"][0]["name"] = json!("very ".repeat(2000));
            primitive(gltf)["mode"] = json!(9);
        }),
    ];
    let texts: Vec<String> =
        edits.iter().map(|(name, edit)| format!("{name}\n    {}\n", limb(edit).unwrap_err())).collect();
    insta::assert_snapshot!(texts.concat());
}

/// Every type that glTF and KHR_mesh_quantization allow gives the same attributes, up to rounding.
#[test]
fn normals_and_texture_coordinates_are_read() {
    let limb = test_models::painted_limb();
    let model = imported(&limb.to_gltf()).unwrap();
    let mesh = &model.meshes[0];
    assert!(mesh.normals.len() == mesh.positions.len() && mesh.texture_coordinates.len() == mesh.positions.len());
    for (found, expected) in mesh.texture_coordinates.iter().zip(&limb.texture_coordinates) {
        assert_eq!(found.unwrap().to_array(), *expected);
    }
    for (found, expected) in mesh.normals.iter().zip(&limb.normals) {
        assert!((found.unwrap() - Vec3::from_array(*expected)).length() < 1e-6);
    }
    model.validate().unwrap();
    // Quantized, with normals of any length.
    let mut gltf = limb.to_gltf();
    let normals: Vec<f64> = limb.normals.as_flattened().iter().map(|&number| (100.0 * number).into()).collect();
    let coordinates: Vec<f64> =
        limb.texture_coordinates.as_flattened().iter().map(|&number| f64::from(number) * 65_535.0).collect();
    let normals = gltf.accessor("VEC3", Component::I8, true, &normals);
    let coordinates = gltf.accessor("VEC2", Component::U16, true, &coordinates);
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    (attributes["NORMAL"], attributes["TEXCOORD_0"]) = (json!(normals), json!(coordinates));
    let quantized = imported(&gltf).unwrap();
    assert!(quantized.warnings.is_empty(), "{:?}", quantized.warnings);
    for (found, expected) in quantized.meshes[0].normals.iter().zip(&mesh.normals) {
        assert!((found.unwrap() - expected.unwrap()).length() < 0.01);
    }
    for (found, expected) in quantized.meshes[0].texture_coordinates.iter().zip(&mesh.texture_coordinates) {
        assert!((found.unwrap() - expected.unwrap()).length() < 1e-4);
    }
}

#[test]
fn attributes_that_cannot_be_read_are_left_out_with_a_warning() {
    let limb = test_models::painted_limb();
    let mut gltf = limb.to_gltf();
    let too_few = gltf.floats("VEC3", [0.0, 1.0, 0.0]);
    let of_another_type = gltf.floats("VEC3", limb.normals.iter().flatten().copied());
    let attributes = &mut gltf.json["meshes"][0]["primitives"][0]["attributes"];
    (attributes["NORMAL"], attributes["TEXCOORD_0"]) = (json!(too_few), json!(of_another_type));
    let model = imported(&gltf).unwrap();
    assert!(model.meshes[0].normals.is_empty() && model.meshes[0].texture_coordinates.is_empty());
    let warnings: Vec<&str> = model.warnings.iter().map(|warning| warning.text.as_str()).collect();
    assert!(model.warnings.iter().all(|warning| warning.code == "unreadable-attribute"), "{warnings:?}");
    insta::assert_snapshot!(warnings.join("\n"), @r#"
    node 2 "limb", mesh 0 "limb", primitive 0, NORMAL, accessor 9: expected 45 elements, as many as POSITION has, found 1; the file is damaged: export it again; the attribute is left out
    node 2 "limb", mesh 0 "limb", primitive 0, TEXCOORD_0, accessor 10: expected VEC2 of floats, or of 8 or 16-bit integers, found VEC3 of floats; the exporter writes a type that glTF 2.0 does not allow here: use another exporter, or report the problem to its authors; the attribute is left out
    "#);
    // A normal without a direction, and a texture coordinate that is not finite.
    let mut limb = limb;
    limb.normals[3] = [0.0; 3];
    limb.texture_coordinates[4] = [0.5, f32::INFINITY];
    let model = imported(&limb.to_gltf()).unwrap();
    let mesh = &model.meshes[0];
    assert!(mesh.normals[3].is_none() && mesh.texture_coordinates[4].is_none());
    assert_eq!(mesh.normals.iter().flatten().count() + 1, mesh.positions.len());
    // Two primitives, of which one has attributes.
    let mut gltf = limb.to_gltf();
    let mut bare = gltf.json["meshes"][0]["primitives"][0].clone();
    bare["attributes"].as_object_mut().unwrap().retain(|key, _| key != "NORMAL" && key != "TEXCOORD_0");
    gltf.json["meshes"][0]["primitives"].as_array_mut().unwrap().insert(0, bare);
    let model = imported(&gltf).unwrap();
    let (mesh, half) = (&model.meshes[0], limb.positions.len());
    assert_eq!(mesh.normals.len(), 2 * half);
    assert!(mesh.normals[..half].iter().all(Option::is_none) && mesh.texture_coordinates[half].is_some());
    model.validate().unwrap();
}

#[test]
fn rigid_meshes_have_attributes_too() {
    let mut gltf = test_models::tank();
    let normals = gltf.floats("VEC3", [0.0, 2.0, 0.0].repeat(8));
    // The gun is mesh 2.
    gltf.json["meshes"][2]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    let model = imported(&gltf).unwrap();
    let gun = model.attachments.iter().find(|attachment| attachment.name == "gun").unwrap();
    assert_eq!(gun.normals, vec![Some(Vec3::Y); 8]);
    assert!(gun.texture_coordinates.is_empty());
}
