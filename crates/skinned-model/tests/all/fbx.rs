//! Imports FBX files. Each holds a made-up character in one of many forms, and the glTF of the same character says what must come out.

use glam::{Affine3A, DVec3, EulerRot, Quat, Vec3};
use serde_json::json;
use skeleton::humanoid::{HumanBone, Humanoid};
use skeleton::{LocalTransform, Property};
use skinned_model::skinning::skin_positions;
use skinned_model::{ImportError, Morphed, NoExternalFiles, SkinnedModel, fuzz, gltf_bytes, import, import_motion};
use std::time::{Duration, Instant};
use test_models::{Character, Clip, Fbx, Random, Track, box_limb, box_man, mutated, painted_limb, soft_limb};

/// The largest distance of a vertex in meters that rounding to 32 bits explains.
const ROUNDING: f64 = 2e-6;

fn import_fbx(bytes: &[u8]) -> SkinnedModel {
    let model = import(bytes, &NoExternalFiles).unwrap();
    model.validate().unwrap();
    model
}

/// The corners of all triangles in model space, at rest or at a time of the first clip.
fn posed(model: &SkinnedModel, time: Option<f32>) -> Vec<DVec3> {
    let mut local = model.skeleton.rest_pose();
    if let Some(time) = time {
        model.clips[0].sample(time, &mut local);
    }
    let mut model_from_joint = vec![Affine3A::IDENTITY; local.len()];
    model.skeleton.model_from_joints(&local, &mut model_from_joint);
    let of_mesh = |mesh: &skinned_model::SkinnedMesh| -> Vec<DVec3> {
        let points = skin_positions(mesh, &model_from_joint);
        mesh.triangles.iter().flatten().map(|&corner| points[corner as usize].unwrap()).collect()
    };
    model.meshes.iter().flat_map(of_mesh).collect()
}

fn assert_same_surface(found: &SkinnedModel, expected: &SkinnedModel, about: &str) {
    let times = expected.clips.first().map(|clip| (0..=30).map(|frame| clip.end() * frame as f32 / 30.0));
    for time in [None].into_iter().chain(times.into_iter().flatten().map(Some)) {
        let (found, expected) = (posed(found, time), posed(expected, time));
        assert_eq!(found.len(), expected.len(), "{about}");
        let worst = found.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(worst <= ROUNDING, "{about}, {time:?}: {worst} m");
    }
}

/// All units, axes and scales of a file.
fn forms() -> Vec<Fbx> {
    let mut all = Vec::new();
    for (unit, scale) in [(100.0, 1.0), (1.0, 1.0), (1.0, 100.0), (2.54, 1.0), (1.0, 120.0), (100.0, 1.2)] {
        all.extend([false, true].map(|is_z_up| Fbx { unit, scale, is_z_up, ..Fbx::default() }));
    }
    all
}

#[test]
fn every_form_of_a_file_gives_the_surface_of_the_gltf() {
    for character in [box_limb(), soft_limb(), painted_limb(), box_man()] {
        let expected = import_fbx(&character.to_glb());
        for form in forms() {
            let about = format!("{} as {form:?}", character.name);
            let model = import_fbx(&form.binary(&character));
            assert!(model.warnings.is_empty(), "{about}: {:?}", model.warnings);
            assert_eq!(import_fbx(form.text(&character).as_bytes()), model, "{about}");
            assert_same_surface(&model, &expected, &about);
            for joint in expected.skeleton.joints() {
                let parent = |skeleton: &skeleton::Skeleton| {
                    let parent = skeleton.joint(skeleton.find(&joint.name)?).parent?;
                    Some(skeleton.joint(parent).name.clone())
                };
                assert_eq!(parent(&model.skeleton), parent(&expected.skeleton), "{about}");
            }
        }
    }
}

/// Joint space is in meters, in a file of meters and one of centimeters, and also if the file undoes the centimeters by a scale. A
/// scale that an artist chose stays.
#[test]
fn joints_are_in_meters() {
    for (unit, scale, expected) in
        [(100.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.0, 100.0, 1.0), (2.54, 1.0, 1.0), (1.0, 120.0, 1.2), (100.0, 1.2, 1.2)]
    {
        let model = import_fbx(&Fbx { unit, scale, ..Fbx::default() }.binary(&box_limb()));
        let LocalTransform::Trs(upper) = model.skeleton.joint(model.skeleton.find("upper").unwrap()).rest else {
            panic!()
        };
        let LocalTransform::Trs(lower) = model.skeleton.joint(model.skeleton.find("lower").unwrap()).rest else {
            panic!()
        };
        assert!((upper.scale - Vec3::splat(expected)).length() < 1e-6, "{unit} {scale}: {}", upper.scale);
        assert!((lower.translation - Vec3::X / expected).length() < 1e-6, "{unit} {scale}: {}", lower.translation);
        assert_eq!(lower.scale, Vec3::ONE);
    }
}

#[test]
fn normals_and_texture_coordinates_are_read() {
    let (found, expected) = (import_fbx(&Fbx::default().binary(&painted_limb())), import_fbx(&painted_limb().to_glb()));
    let of_corners = |model: &SkinnedModel| -> Vec<_> {
        let mesh = &model.meshes[0];
        let corner = |&corner: &u32| {
            (mesh.normals[corner as usize].unwrap(), mesh.texture_coordinates[corner as usize].unwrap())
        };
        mesh.triangles.iter().flatten().map(corner).collect()
    };
    for ((normal, coordinate), (right_normal, right_coordinate)) in
        of_corners(&found).into_iter().zip(of_corners(&expected))
    {
        assert!((normal - right_normal).length() < 1e-6 && (coordinate - right_coordinate).length() < 1e-6);
    }
    // The seam of the texture doubles vertices, in the FBX as in the glTF.
    assert_eq!(found.meshes[0].positions.len(), expected.meshes[0].positions.len());
}

#[test]
fn a_rest_pose_may_differ_from_the_bind_pose() {
    let degrees = [10.0f32, 20.0, 30.0];
    for form in forms() {
        // The angles are about the axes of the file, so their order differs if z is up.
        let turn = degrees.map(f32::to_radians);
        let turn = match form.is_z_up {
            false => Quat::from_euler(EulerRot::ZYX, turn[2], turn[1], turn[0]),
            true => Quat::from_euler(EulerRot::YZX, turn[1], turn[2], turn[0]),
        };
        let mut gltf = box_limb().to_gltf();
        gltf.json["nodes"][1]["rotation"] = json!(turn.to_array());
        gltf.json.as_object_mut().unwrap().remove("animations");
        let expected = import(&gltf.to_glb(), &NoExternalFiles).unwrap();
        let form = Fbx { turned: vec![(1, degrees.map(f64::from))], ..form };
        let mut limb = box_limb();
        limb.clips.clear();
        assert_same_surface(&import_fbx(&form.binary(&limb)), &expected, &format!("{form:?}"));
    }
}

#[test]
fn several_meshes_have_skins_of_their_own() {
    let form = Fbx { meshes: 3, unit: 1.0, ..Fbx::default() };
    let model = import_fbx(&form.binary(&box_man()));
    assert_eq!(model.meshes.len(), 3);
    assert_same_surface(&model, &import_fbx(&box_man().to_glb()), "three meshes");
}

/// The two triangles of a face of a box have the same vertices, whichever diagonal divides it.
#[test]
fn faces_with_four_corners_are_divided() {
    let model = import_fbx(&Fbx { has_quads: true, ..Fbx::default() }.binary(&box_man()));
    let expected = import_fbx(&box_man().to_glb());
    let faces = |model: &SkinnedModel| -> Vec<Vec<[i64; 3]>> {
        let face = |corners: &[DVec3]| {
            let mut corners: Vec<[i64; 3]> =
                corners.iter().map(|at| at.to_array().map(|x| (x * 1e5).round() as i64)).collect();
            corners.sort_unstable();
            corners.dedup();
            corners
        };
        posed(model, None).chunks(6).map(face).collect()
    };
    assert_eq!(faces(&model), faces(&expected));
}

#[test]
fn blend_shapes_are_morph_targets() {
    let offsets = vec![[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]];
    for (unit, scale) in [(100.0, 1.0), (1.0, 1.0), (1.0, 100.0)] {
        let form = Fbx { shape: Some(("fist".to_owned(), offsets.clone())), unit, scale, ..Fbx::default() };
        let model = import_fbx(&form.binary(&box_limb()));
        let [targets] = &model.morph_targets[..] else { panic!("{:?}", model.morph_targets) };
        assert_eq!((targets.of, &targets.names[..]), (Morphed::Mesh(0), &["fist".to_owned()][..]));
        assert_eq!(targets.weights, [[0.5]]);
        // The vertices are in the order in which faces name them.
        let positions = &model.meshes[0].positions;
        for (vertex, offset) in &targets.offsets[0] {
            let moved =
                box_limb().positions.iter().position(|&at| positions[*vertex as usize].distance(Vec3::from(at)) < 1e-6);
            assert!(offset.distance(Vec3::from(offsets[moved.unwrap()])) < 1e-6, "{unit} {scale}: {offset}");
        }
        assert_eq!(targets.offsets[0].len(), 3);
    }
}

#[test]
fn a_take_is_sampled_at_each_frame() {
    let model = import_fbx(&Fbx::default().binary(&box_limb()));
    let [clip] = &model.clips[..] else { panic!("{:?}", model.clips) };
    assert_eq!(clip.name, "bend");
    let turn = clip.channels.iter().find(|channel| channel.property == Property::Rotation).unwrap();
    let times = &clip.timelines[turn.timeline as usize];
    // 30 frames in a second, and the first one.
    assert_eq!((times.len(), times[0], times[15], times[30]), (31, 0.0, 0.5, 1.0));
    // A property that never changes has two keys.
    let still = clip.channels.iter().find(|channel| channel.property == Property::Translation).unwrap();
    assert_eq!(clip.timelines[still.timeline as usize], [0.0, 1.0]);
    // The end of a take is sampled too if it lies between two frames.
    let mut limb = box_limb();
    limb.clips[0].tracks[0].keys[1].0 = 0.11;
    let model = import_fbx(&Fbx::default().binary(&limb));
    assert!(
        model.clips[0].timelines.iter().any(|times| *times == [0.0, 1.0 / 30.0, 2.0 / 30.0, 0.1, 0.11]),
        "{:?}",
        model.clips
    );
}

/// The file says where a take begins and ends. If it does not, the keys say it.
#[test]
fn a_take_has_the_range_of_the_file_or_of_its_keys() {
    let text = Fbx::default().text(&box_limb());
    let end = |text: &str| import_fbx(text.as_bytes()).clips[0].end();
    assert_eq!(end(&text), 1.0);
    // Half a second.
    assert_eq!(end(&text.replacen("46186158000", "23093079000", 1)), 0.5);
    assert_eq!(end(&text.replace("LocalStop", "Unknown")), 1.0);
    // A take that begins at its middle: the clip begins at 0, and shows the pose of the middle.
    let late = import_fbx(
        text.replacen(
            "\"LocalStart\", \"KTime\", \"Time\", \"\", 0",
            "\"LocalStart\", \"KTime\", \"Time\", \"\", 23093079000",
            1,
        )
        .as_bytes(),
    );
    assert_eq!(late.clips[0].end(), 0.5);
    let (late, whole) = (posed(&late, Some(0.0)), posed(&import_fbx(text.as_bytes()), Some(0.5)));
    assert!(late.iter().zip(&whole).all(|(a, b)| a.distance(*b) < ROUNDING));
}

/// A swing that turns around between two frames reaches its end.
#[test]
fn keys_between_frames_are_sampled() {
    let mut limb = box_limb();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    limb.clips[0].tracks[0].keys.push((1.51, [0.0, 0.0, 0.0, 1.0]));
    limb.clips[0].tracks[0].keys[1] = (1.01, [0.0, 0.0, half, half]);
    let model = import_fbx(&Fbx::default().binary(&limb));
    assert_same_surface(&model, &import_fbx(&limb.to_glb()), "keys between frames");
    let turn = model.clips[0].channels.iter().find(|channel| channel.property == Property::Rotation).unwrap();
    let times = &model.clips[0].timelines[turn.timeline as usize];
    // 46 frames, the key at 1.01 s, and the end at 1.51 s.
    assert_eq!(times.len(), 48);
}

/// Blender names a take `OBJECT|ACTION`.
#[test]
fn a_take_loses_the_name_of_its_object() {
    for (take, expected) in [("limb|bend", "bend"), ("arm|bend", "arm|bend"), ("limb|", "limb|"), ("upper|a|b", "a|b")]
    {
        let mut limb = box_limb();
        limb.clips[0].name = take.to_owned();
        assert_eq!(import_fbx(&Fbx::default().binary(&limb)).clips[0].name, expected);
    }
}

#[test]
fn motions_need_no_skin() {
    let mut limb = box_limb();
    (limb.positions, limb.triangles, limb.influences) = Default::default();
    let file = Fbx { meshes: 0, ..Fbx::default() }.binary(&limb);
    assert!(matches!(import(&file, &NoExternalFiles), Err(ImportError::NoSkin { .. })));
    let motion = import_motion(&file, &NoExternalFiles).unwrap();
    assert_eq!((motion.clips.len(), motion.skeleton.len()), (1, 2));
}

/// A hand's bone for a sword has no vertices, so no skin names it. glTF exports of programs have such bones in the skin.
#[test]
fn bones_without_vertices_are_joints() {
    for (unit, scale) in [(100.0, 1.0), (1.0, 1.0), (1.0, 100.0)] {
        let form = Fbx { sockets: vec![("sword", 1, [0.5, 0.25, 0.0])], unit, scale, ..Fbx::default() };
        let model = import_fbx(&form.binary(&box_limb()));
        let sword = model.skeleton.find("sword").unwrap();
        let mesh = &model.meshes[0];
        let slot = mesh.joints.iter().position(|&joint| joint == sword).unwrap();
        // In the bind pose, the socket is at x = 1.5 and y = 0.25.
        let at = mesh.joint_from_mesh[slot].transform_point3(Vec3::new(1.5, 0.25, 0.0));
        assert!(at.length() < 1e-6, "{at}");
    }
}

/// A figure with the names of Mixamo, which also numbers its characters.
#[test]
fn the_names_of_mixamo_are_humanoid() {
    for prefix in ["mixamorig:", "mixamorig1:"] {
        let mut man = Character::new("man");
        let mut bone =
            |name: &str, parent: Option<usize>, at: [f32; 3]| man.joint(&format!("{prefix}{name}"), parent, at);
        let hips = bone("Hips", None, [0.0, 1.0, 0.0]);
        let spine = bone("Spine", Some(hips), [0.0, 0.1, 0.0]);
        let neck = bone("Neck", Some(spine), [0.0, 0.4, 0.0]);
        bone("Head", Some(neck), [0.0, 0.1, 0.0]);
        for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
            let arm = bone(&format!("{side}Arm"), Some(spine), [sign * 0.2, 0.35, 0.0]);
            let fore = bone(&format!("{side}ForeArm"), Some(arm), [sign * 0.3, 0.0, 0.0]);
            bone(&format!("{side}Hand"), Some(fore), [sign * 0.3, 0.0, 0.0]);
            let thigh = bone(&format!("{side}UpLeg"), Some(hips), [sign * 0.1, -0.05, 0.0]);
            let shin = bone(&format!("{side}Leg"), Some(thigh), [0.0, -0.45, 0.0]);
            bone(&format!("{side}Foot"), Some(shin), [0.0, -0.42, 0.0]);
        }
        (0..man.joints.len()).for_each(|joint| man.add_box(joint, [0.0; 3], [0.05; 3]));
        // Mixamo's files are in centimeters.
        let model = import_fbx(&Fbx { unit: 1.0, ..Fbx::default() }.binary(&man));
        let humanoid = Humanoid::guess(&model.skeleton).unwrap();
        for (bone, name) in
            [(HumanBone::Hips, "Hips"), (HumanBone::LeftLowerArm, "LeftForeArm"), (HumanBone::RightFoot, "RightFoot")]
        {
            let joint = humanoid.joint(bone).unwrap();
            assert_eq!(model.skeleton.joint(joint).name, format!("{prefix}{name}"));
        }
    }
}

#[test]
fn a_gltf_stays_as_it_is_and_an_fbx_becomes_a_glb() {
    let glb = box_limb().to_glb();
    assert!(matches!(gltf_bytes(&glb).unwrap(), std::borrow::Cow::Borrowed(same) if same == glb));
    let converted = gltf_bytes(&Fbx::default().binary(&box_limb())).unwrap().into_owned();
    assert_eq!(import_fbx(&converted), import_fbx(&Fbx::default().binary(&box_limb())));
}

#[test]
fn mistakes_are_named_with_their_place() {
    let text = Fbx::default().text(&box_limb());
    let changed = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1).into_bytes()
    };
    let scale = r#""Lcl Scaling", "Lcl Scaling", "", "", "#;
    let wrong = [
        ("a position", changed("a: 0,-0.1", "a: nan,-0.1")),
        ("a scale", changed(&format!("{scale}1"), &format!("{scale}1e300"))),
        ("a long take", changed("46186158000", "4611686018427387904")),
        ("a cut file", Fbx::default().binary(&box_limb())[..1000].to_vec()),
        ("a header", b"Kaydara FBX Binary".to_vec()),
        ("no skin", changed("\tC: \"OO\", 10002, 10001\n", "")),
    ];
    let told = wrong.map(|(about, bytes)| match import(&bytes, &NoExternalFiles) {
        Err(error) => format!("{about}: {error}"),
        Ok(_) => panic!("{about} is accepted"),
    });
    insta::assert_snapshot!("fbx_mistakes", told.join("\n"));
}

/// A file that uses all that the writer knows.
fn many_features() -> (Fbx, Character) {
    let mut limb = painted_limb();
    limb.clips.push(Clip {
        name: "again".to_owned(),
        tracks: vec![Track { joint: 0, keys: vec![(0.0, [0.0, 0.0, 0.0, 1.0])] }],
    });
    let shape = Some(("fist".to_owned(), vec![[0.1, 0.0, 0.0], [0.0, 0.2, 0.0]]));
    let sockets = vec![("sword", 1, [0.1, 0.2, 0.3])];
    let form = Fbx {
        unit: 2.54,
        is_z_up: true,
        turned: vec![(1, [10.0, 20.0, 30.0])],
        shape,
        meshes: 2,
        sockets,
        ..Fbx::default()
    };
    (form, limb)
}

#[test]
fn every_truncation_is_read_or_refused() {
    let (form, limb) = (Fbx::default(), box_limb());
    let (binary, text) = (form.binary(&limb), form.text(&limb).into_bytes());
    for length in 0..binary.len() {
        // All bytes after the last element are zeros, and the reader does not miss them.
        assert!(!fuzz::fbx(&binary[..length]) || length >= binary.len() - 13, "{length} of {} bytes", binary.len());
    }
    // The reader accepts some texts without their end.
    for length in 0..text.len() {
        fuzz::fbx(&text[..length]);
    }
}

#[test]
fn mutations_are_read_or_refused() {
    const LONGEST: Duration = Duration::from_secs(10);
    let (form, limb) = many_features();
    let seeds = [
        form.binary(&limb),
        form.text(&limb).into_bytes(),
        Fbx::default().binary(&box_limb()),
        Fbx::default().text(&box_limb()).into_bytes(),
    ];
    assert!(seeds.iter().all(|seed| fuzz::fbx(seed)));
    let (mut random, mut accepted) = (Random::new(2027), 0);
    let rounds = crate::mutations::rounds(4000);
    for seed in seeds.iter().cycle().take(rounds) {
        let file = mutated(seed, &mut random);
        let start = Instant::now();
        accepted += usize::from(fuzz::fbx(&file));
        assert!(start.elapsed() < LONGEST, "{:?} for {} bytes", start.elapsed(), file.len());
    }
    // Both results must be frequent, otherwise the mutations test little.
    assert!(accepted > rounds / 10 && accepted < rounds * 9 / 10, "{accepted} of {rounds} accepted");
}
