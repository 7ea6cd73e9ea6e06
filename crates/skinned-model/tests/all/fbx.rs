//! Imports FBX files. Each holds a made-up character in one of many forms, and the glTF of the same character says what must come out.

use glam::{Affine3A, DMat3, DQuat, DVec3, EulerRot, Quat, Vec3};
use serde_json::json;
use skeleton::humanoid::{HumanBone, Humanoid};
use skeleton::{LocalTransform, Property};
use skinned_model::skinning::skin_positions;
use skinned_model::{ImportError, Morphed, NoExternalFiles, SkinnedModel, fuzz, gltf_bytes, import, import_motion};
use std::time::{Duration, Instant};
use test_models::{Character, Clip, Fbx, FbxShape, Random, Track, box_limb, box_man, mutated, painted_limb, soft_limb};

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

/// The largest distance of two corners of triangles, whichever corner is the first one.
fn distance(triangle: &[DVec3], other: &[DVec3]) -> f64 {
    let turned =
        |first: usize| (0..3).map(|corner| triangle[(first + corner) % 3].distance(other[corner])).fold(0.0, f64::max);
    (0..3).map(turned).fold(f64::INFINITY, f64::min)
}

fn assert_same_surface(found: &SkinnedModel, expected: &SkinnedModel, about: &str) {
    let times = expected.clips.first().map(|clip| (0..=30).map(|frame| clip.end() * frame as f32 / 30.0));
    for time in [None].into_iter().chain(times.into_iter().flatten().map(Some)) {
        let (found, expected) = (posed(found, time), posed(expected, time));
        assert_eq!(found.len(), expected.len(), "{about}");
        let worst = found.chunks(3).zip(expected.chunks(3)).map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
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

fn left_handed_forms() -> Vec<Fbx> {
    let mut all = Vec::new();
    for axis in 0..3 {
        let mirrored = Some(axis);
        all.extend([false, true].map(|is_z_up| Fbx { mirrored, is_z_up, ..Fbx::default() }));
        all.push(Fbx { mirrored, unit: 1.0, ..Fbx::default() });
        all.push(Fbx { mirrored, unit: 1.0, scale: 100.0, is_z_up: true, meshes: 2, ..Fbx::default() });
    }
    all
}

/// A left-handed space is mirrored: the left hand of the file stays the left hand, and the outside of the surface stays outside.
#[test]
fn left_handed_files_are_mirrored() {
    for character in [soft_limb(), painted_limb(), box_man()] {
        let expected = import_fbx(&character.to_glb());
        for form in left_handed_forms() {
            let about = format!("{} as {form:?}", character.name);
            let model = import_fbx(&form.binary(&character));
            assert!(model.warnings.is_empty(), "{about}: {:?}", model.warnings);
            assert_eq!(import_fbx(form.text(&character).as_bytes()), model, "{about}");
            assert_same_surface(&model, &expected, &about);
            let (found, right) = (normals_of_corners(&model), normals_of_corners(&expected));
            let pairs = found.chunks(3).zip(right.chunks(3));
            assert!(found.len() == right.len() && pairs.into_iter().all(|(a, b)| distance(a, b) < 1e-6), "{about}");
        }
    }
}

/// The normals of the corners of all triangles that have one, in model space in the bind pose.
fn normals_of_corners(model: &SkinnedModel) -> Vec<DVec3> {
    let mut model_from_joint = vec![Affine3A::IDENTITY; model.skeleton.len()];
    model.skeleton.model_from_joints(&model.skeleton.rest_pose(), &mut model_from_joint);
    let of_mesh = |mesh: &skinned_model::SkinnedMesh| -> Vec<DVec3> {
        let model_from_mesh = model_from_joint[mesh.joints[0].index()] * mesh.joint_from_mesh[0];
        let turned = |normal: Vec3| model_from_mesh.transform_vector3(normal).normalize().as_dvec3();
        let normal = |&corner: &u32| Some(turned(mesh.normals.get(corner as usize).copied()??));
        mesh.triangles.iter().flatten().filter_map(normal).collect()
    };
    model.meshes.iter().flat_map(of_mesh).collect()
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
    for form in forms().into_iter().chain(left_handed_forms()) {
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
        let shape = FbxShape { name: "fist".to_owned(), offsets: offsets.clone(), ..FbxShape::default() };
        let form = Fbx { shape: Some(shape), unit, scale, ..Fbx::default() };
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

/// A blend shape may have shapes on the way. The vertices move on straight lines from one to the next, and beyond the last one.
#[test]
fn shapes_between_are_morph_targets() {
    let between = vec![(0.25, vec![[0.0, 0.1, 0.0]]), (0.75, vec![[0.0, 0.1, 0.2]])];
    let keys = vec![(0.0, -0.5), (1.0, 1.5)];
    let offsets = vec![[0.3, 0.0, 0.0]];
    let form = Fbx { shape: Some(FbxShape { name: "fist".to_owned(), offsets, between, keys }), ..Fbx::default() };
    let model = import_fbx(&form.binary(&box_limb()));
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let [targets] = &model.morph_targets[..] else { panic!("{:?}", model.morph_targets) };
    assert_eq!(targets.names, ["fist 25%", "fist 75%", "fist"]);
    // At rest, half of the first and of the second shape. Then a list for each frame, but for the one at rest.
    assert_eq!((&targets.weights[0][..], targets.weights.len()), (&[0.5, 0.5, 0.0][..], 31));
    let stops = [(0.0, Vec3::ZERO), (0.25, Vec3::Y * 0.1), (0.75, Vec3::new(0.0, 0.1, 0.2)), (1.0, Vec3::X * 0.3)];
    let expected = |weight: f32| {
        let two = stops.windows(2).find(|two| weight <= two[1].0).unwrap_or(&stops[2..]);
        two[0].1 + (two[1].1 - two[0].1) * (weight - two[0].0) / (two[1].0 - two[0].0)
    };
    let frames = (0..=30).map(|frame| -0.5 + 2.0 * frame as f32 / 30.0).filter(|weight| (weight - 0.5).abs() > 1e-3);
    for (weight, found) in [0.5].into_iter().chain(frames).zip(&targets.weights) {
        let moved: Vec3 = targets.offsets.iter().zip(found).map(|(offsets, weight)| offsets[0].1 * *weight).sum();
        assert!(moved.distance(expected(weight)) < 1e-6, "{weight}: {moved}, expected {}", expected(weight));
    }
}

/// Blender writes a weight for each vertex of a shape key with a vertex group, in place of the weights of shapes.
#[test]
fn blend_shapes_may_have_weights_of_vertices() {
    let offsets = vec![[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.3]];
    let shape = FbxShape { name: "fist".to_owned(), offsets, ..FbxShape::default() };
    let text = Fbx { shape: Some(shape), ..Fbx::default() }.text(&box_limb());
    let blender = "FBXVersion: 7400\n\tCreator: \"Blender (stable FBX IO) - 4.2.0 - 5.12.3\"";
    let text = text.replace("FBXVersion: 7400", blender);
    let weights = "FullWeights: *1 {\n\t\t\ta: 100\n";
    assert!(text.contains(weights), "{text}");
    let model = import_fbx(text.replace(weights, "FullWeights: *3 {\n\t\t\ta: 100,50,0\n").as_bytes());
    let mut lengths: Vec<f32> = model.morph_targets[0].offsets[0].iter().map(|(_, offset)| offset.length()).collect();
    lengths.sort_by(f32::total_cmp);
    lengths.retain(|length| *length > 0.0);
    assert_eq!(lengths, [0.1, 0.1]);
}

/// A take may move a property of another object that the weight of a blend shape is connected to, as in old files of 3ds Max.
#[test]
fn weights_may_be_properties_of_other_objects() {
    let shape = FbxShape {
        name: "fist".to_owned(),
        offsets: vec![[0.1; 3]],
        keys: vec![(0.0, 0.0), (1.0, 1.0)],
        ..FbxShape::default()
    };
    let text = Fbx { shape: Some(shape), ..Fbx::default() }.text(&box_limb());
    let direct = "10004, \"DeformPercent\"";
    assert!(text.contains(direct), "{text}");
    let text = text.replace(direct, &format!("10000, \"Fist\"\n\tC: \"PP\", 10000, \"Fist\", {direct}"));
    let at = text.find("Model: 10000, ").unwrap();
    let line = at + text[at..].find("P: \"Lcl Scaling\"").unwrap();
    let text = format!("{}P: \"Fist\", \"Number\", \"\", \"A+U\", 0\n\t\t\t{}", &text[..line], &text[line..]);
    let weights = &import_fbx(text.as_bytes()).morph_targets[0].weights;
    assert_eq!((weights.len(), &weights[weights.len() - 1][..]), (31, &[1.0][..]));
}

/// A bone may inherit the scale of its parent (FBX has the number 1 for this), none of it (2, as bones of Maya do), or scale each of its
/// own axes as its parent scales its axes (0).
///
/// Source: `CalculateGlobalTransform` in the example `Transformations` of the FBX SDK.
struct Global {
    rotation: DQuat,
    scale: DMat3,
    translation: DVec3,
}

impl Global {
    fn linear(&self) -> DMat3 {
        DMat3::from_quat(self.rotation) * self.scale
    }

    /// A bone below `parent`, whose own scale is `scale_of_parent`.
    fn child(
        parent: &Self,
        scale_of_parent: DVec3,
        inherits: i64,
        translation: DVec3,
        turn: DQuat,
        scale: DVec3,
    ) -> Self {
        let rotation = parent.rotation * turn;
        let own = DMat3::from_diagonal(scale);
        let linear = DMat3::from_quat(rotation)
            * match inherits {
                0 => parent.scale * own,
                2 => parent.scale * DMat3::from_diagonal(scale_of_parent).inverse() * own,
                _ => DMat3::from_quat(turn).inverse() * parent.scale * DMat3::from_quat(turn) * own,
            };
        Self {
            rotation,
            scale: DMat3::from_quat(rotation).inverse() * linear,
            translation: parent.linear() * translation + parent.translation,
        }
    }
}

/// Four bones in a row, each with a box, and a second bone at the end of the second one.
fn arm() -> Character {
    let mut arm = Character::new("arm");
    let mut above = None;
    for (index, name) in ["root", "upper", "lower", "hand"].into_iter().enumerate() {
        let joint = arm.joint(name, above, [if index == 0 { 0.0 } else { 1.0 }, 0.1, 0.0]);
        arm.add_box(joint, [0.5, 0.0, 0.0], [0.4, 0.1, 0.2]);
        above = Some(joint);
    }
    let plate = arm.joint("plate", Some(1), [0.5, 0.2, 0.0]);
    arm.add_box(plate, [0.0, 0.1, 0.0], [0.1, 0.1, 0.1]);
    let turned = |degrees: f32| Quat::from_euler(EulerRot::XYZ, 0.0, 0.2, degrees.to_radians()).to_array();
    let tracks =
        [1, 2, 3].map(|joint| Track { joint, keys: vec![(0.0, turned(10.0)), (0.5, turned(30.0 * joint as f32))] });
    arm.clips.push(Clip { name: "bend".to_owned(), tracks: tracks.to_vec() });
    arm
}

#[test]
fn bones_inherit_scales_as_the_file_says() {
    let arm = arm();
    let uneven = vec![(0.0, [1.0, 2.0, 0.5]), (0.5, [2.0, 1.0, 1.5])];
    let (even, still) = (vec![(0.0, [1.0; 3]), (0.5, [2.0; 3])], vec![(0.0, [1.5; 3])]);
    let mut scales = vec![vec![(1, uneven.clone())], vec![(1, even.clone())], vec![(1, still.clone())]];
    scales.push(vec![(1, uneven.clone()), (2, even)]);
    scales.push(vec![(1, still), (2, uneven)]);
    for scaled in scales {
        for inherits in [[2, 2, 2, 2], [2, 2, 2, 1], [2, 0, 2, 2], [0, 0, 0, 0], [1, 2, 0, 1], [1, 1, 1, 2]] {
            let inherits: Vec<(usize, i64)> = (1..).zip(inherits).collect();
            for is_z_up in [false, true] {
                let form =
                    Fbx { scaled: scaled.clone(), inherits: inherits.clone(), unit: 1.0, is_z_up, ..Fbx::default() };
                assert_inherits(&arm, &form);
            }
        }
    }
}

fn assert_inherits(arm: &Character, form: &Fbx) {
    let model = import_fbx(&form.binary(arm));
    for time in [None].into_iter().chain((0..=15).map(|frame| Some(frame as f32 / 30.0))) {
        let share = time.map_or(0.0, |time| f64::from(time) / 0.5);
        let mut all: Vec<Global> = Vec::new();
        let mut own = Vec::new();
        for (index, joint) in arm.joints.iter().enumerate() {
            let scale = form.scaled.iter().find(|(scaled, _)| *scaled == index).map_or(DVec3::ONE, |(_, keys)| {
                let [first, last] = [keys.first(), keys.last()].map(|key| Vec3::from(key.unwrap().1).as_dvec3());
                first.lerp(last, share)
            });
            // The angles of the file's axes move on straight lines.
            let mut tracks = arm.clips[0].tracks.iter().filter(|_| time.is_some());
            let turn = tracks.find(|track| track.joint == index).map_or(DQuat::IDENTITY, |track| {
                let order = if form.is_z_up { EulerRot::YZX } else { EulerRot::ZYX };
                let angles = |key: usize| {
                    let (a, b, c) = Quat::from_array(track.keys[key].1).as_dquat().normalize().to_euler(order);
                    DVec3::new(a, b, c)
                };
                let angles = angles(0).lerp(angles(1), share);
                DQuat::from_euler(order, angles.x, angles.y, angles.z)
            });
            let translation = Vec3::from(joint.translation).as_dvec3();
            let inherits =
                form.inherits.iter().find(|(inheriting, _)| *inheriting == index).map_or(1, |(_, number)| *number);
            let top = Global { rotation: DQuat::IDENTITY, scale: DMat3::IDENTITY, translation: DVec3::ZERO };
            let (parent, above) = joint.parent.map_or((&top, DVec3::ONE), |parent| (&all[parent], own[parent]));
            let global = Global::child(parent, above, inherits, translation, turn, scale);
            all.push(global);
            own.push(scale);
        }
        // Each vertex belongs to one joint.
        let place = |&corner: &u32| {
            let joint = usize::from(arm.influences[corner as usize][0].0);
            let in_joint = Vec3::from(arm.positions[corner as usize]) - Vec3::from(arm.origin(joint));
            all[joint].linear() * in_joint.as_dvec3() + all[joint].translation
        };
        let expected: Vec<DVec3> = arm.triangles.iter().flatten().map(place).collect();
        let found = posed(&model, time);
        assert_eq!(found.len(), expected.len());
        let worst = found.iter().zip(&expected).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        assert!(worst <= 2.0 * ROUNDING, "{form:?}, {time:?}: {worst} m");
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

/// A helper has the vertices of a bone whose scale other bones do not inherit. They are joints nevertheless.
#[test]
fn bones_beside_a_scale_are_joints() {
    let form = Fbx {
        sockets: vec![("sword", 0, [0.5, 0.25, 0.0])],
        inherits: vec![(1, 2), (2, 2)],
        scaled: vec![(0, vec![(0.0, [1.0; 3]), (1.0, [1.0, 2.0, 1.0])])],
        ..Fbx::default()
    };
    let model = import_fbx(&form.binary(&box_limb()));
    let names: Vec<&str> = model.skeleton.joints().iter().map(|joint| &*joint.name).collect();
    assert_eq!(names, ["upper", "upper (scale)", "lower", "sword"]);
    let (mesh, sword) = (&model.meshes[0], model.skeleton.find("sword").unwrap());
    let slot = mesh.joints.iter().position(|&joint| joint == sword).unwrap();
    let at = mesh.joint_from_mesh[slot].transform_point3(Vec3::new(0.5, 0.25, 0.0));
    assert!(at.length() < 1e-6, "{at}");
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
        man.clips.push(Clip { name: "squash".to_owned(), tracks: Vec::new() });
        // Mixamo's files are in centimeters. A program such as Maya may have added a scale that the forearm does not inherit.
        let arm = man.joints.iter().position(|joint| joint.name.ends_with("LeftArm")).unwrap();
        let scaled = vec![(arm, vec![(0.0, [1.0, 2.0, 1.0]), (1.0, [1.0; 3])])];
        let inherits = (0..man.joints.len()).map(|joint| (joint, 2)).collect();
        let centimeters = Fbx { unit: 1.0, ..Fbx::default() };
        for form in [centimeters.clone(), Fbx { scaled, inherits, ..centimeters }] {
            let model = import_fbx(&form.binary(&man));
            let humanoid = Humanoid::guess(&model.skeleton).unwrap();
            for (bone, name) in [
                (HumanBone::Hips, "Hips"),
                (HumanBone::LeftUpperArm, "LeftArm"),
                (HumanBone::LeftLowerArm, "LeftForeArm"),
                (HumanBone::RightFoot, "RightFoot"),
            ] {
                let joint = humanoid.joint(bone).unwrap();
                assert_eq!(model.skeleton.joint(joint).name, format!("{prefix}{name}"));
            }
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
    let shape = FbxShape {
        name: "fist".to_owned(),
        offsets: vec![[0.1, 0.0, 0.0], [0.0, 0.2, 0.0]],
        between: vec![(0.5, vec![[0.0, 0.0, 0.3]])],
        keys: vec![(0.0, 0.0), (1.0, 1.0)],
    };
    let sockets = vec![("sword", 1, [0.1, 0.2, 0.3])];
    let form = Fbx {
        unit: 2.54,
        is_z_up: true,
        mirrored: Some(2),
        turned: vec![(1, [10.0, 20.0, 30.0])],
        inherits: vec![(1, 2)],
        scaled: vec![(0, vec![(0.0, [1.0, 2.0, 3.0]), (1.0, [1.0; 3])])],
        shape: Some(shape),
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
