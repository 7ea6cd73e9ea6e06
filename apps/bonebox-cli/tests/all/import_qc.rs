//! `bonebox import` of Source's `.qc` files.

use crate::program::{bonebox, told};
use baked_format::BakedCharacter;
use bone_fit::hitboxes_in_meters;
use glam::{DMat3, DQuat, DVec3};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use test_models::{Character, Gltf};

/// The lengths in meters of a unit of the joints' spaces along x, y and z.
const UNITS: [[f32; 3]; 4] = [[1.0; 3], [0.01; 3], [100.0; 3], [4.0, 0.5, 0.25]];

const SETTINGS: &str = "preset = \"recipe\"\nfit = \"joint-axes\"\nmeasure = \"none\"\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn with(man: &Gltf) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.0.path().join("man.glb"), man.to_glb()).unwrap();
        fs::write(folder.0.path().join("bonebox.toml"), SETTINGS).unwrap();
        folder
    }

    fn baked(&self) -> BakedCharacter {
        let output = bonebox(self.0.path(), &["bake", "man.glb"]);
        assert!(output.status.success(), "{}", told(&output));
        baked_format::read(&fs::read(self.0.path().join("man.bonebox")).unwrap()).unwrap()
    }

    fn import(&self, qc: &str, arguments: &[&str]) -> String {
        fs::write(self.0.path().join("man.qc"), qc).unwrap();
        told(&bonebox(self.0.path(), &[&["import", "man.qc"], arguments].concat()))
    }

    /// The joints with manual boxes, in the order of the settings file.
    fn joints(&self) -> Vec<String> {
        let text = fs::read_to_string(self.0.path().join("bonebox.toml")).unwrap();
        let joint =
            |line: &str| Some(line.strip_prefix("[characters.man.joints.")?.strip_suffix(']')?.replace('"', ""));
        text.lines().filter_map(joint).collect()
    }
}

/// The name of each hitbox's joint, its center and its half extents, in meters.
fn in_meters(character: &BakedCharacter) -> Vec<(String, [DVec3; 2])> {
    let names = character.boxes.iter().map(|one| character.skeleton.joint(one.joint).name.clone());
    names.zip(hitboxes_in_meters(character)).collect()
}

fn assert_near(found: &[(String, [DVec3; 2])], expected: &[(String, [DVec3; 2])], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for ((name, found), (joint, expected)) in found.iter().zip(expected) {
        assert_eq!(name, joint, "{what}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((*found - *expected).length() < 1e-6, "{what}, {name}: {found} is not {expected}");
        }
    }
}

/// Hitboxes that are written as `$hbox` lines in meters or in inches come back, whatever the scale of their joints.
#[test]
fn hitboxes_come_back_from_hbox_lines() {
    for unit in UNITS {
        let man = test_models::box_man().to_gltf_in(unit);
        for (meters, arguments) in [(1.0, &["--unit", "1"][..]), (0.0254, &[])] {
            let folder = Folder::with(&man);
            let baked = folder.baked();
            let expected = in_meters(&baked);
            let mut lines = String::new();
            for (name, [center, half_extents]) in &expected {
                let [low, high] = [*center - *half_extents, *center + *half_extents].map(|at| (at / meters).to_array());
                let numbers =
                    low.into_iter().chain(high).map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
                writeln!(lines, "$hbox 0 \"{name}\" {numbers}").unwrap();
            }
            let told = folder.import(&lines, arguments);
            assert!(told.contains(&format!("a unit of the file is taken for {meters} m (--unit)")), "{told}");
            assert!(told.contains("bonebox.toml: 11 boxes of 11 joints of man"), "{told}");
            let again = folder.baked();
            assert!(again.boxes.iter().all(|one| one.hull_volume == 0.0), "manual boxes replace the fitted ones");
            assert_near(&in_meters(&again), &expected, &format!("{unit:?}, {meters}"));
        }
    }
}

/// A quarter turn keeps a box of an unevenly scaled joint a box; other turns need an even scale, and so do capsules.
#[test]
fn turned_hitboxes_and_capsules_keep_their_size_in_meters() {
    let about = |axis: DVec3, degrees: f64| DMat3::from_quat(DQuat::from_axis_angle(axis, degrees.to_radians()));
    for unit in UNITS {
        let is_even = unit == [unit[0]; 3];
        let angles = if is_even { [20.0, 30.0, 40.0] } else { [0.0, 90.0, 0.0] };
        let folder = Folder::with(&test_models::box_man().to_gltf_in(unit));
        let [pitch, yaw, roll] = angles;
        let mut lines = format!("$hbox 1 \"head\" -2 -4 -6 2 8 6 {pitch} {yaw} {roll}\n");
        if is_even {
            lines += "$hbox 2 \"chest\" 0 1 0 0 9 0 0 0 0 3\n";
        }
        let told = folder.import(&lines, &[]);
        let character = folder.baked();
        let found = in_meters(&character);
        let of = |joint: &str| found.iter().find(|(name, _)| name == joint).unwrap().1;
        let turn = about(DVec3::Z, yaw) * about(DVec3::Y, pitch) * about(DVec3::X, roll);
        let inch = 0.0254;
        let [center, half_extents] = of("head");
        assert!((center - turn * DVec3::new(0.0, 2.0, 0.0) * inch).length() < 1e-6, "{unit:?}: {told}");
        assert!((half_extents - DVec3::new(2.0, 6.0, 6.0) * inch).length() < 1e-6, "{unit:?}: {half_extents}");
        let head = character.boxes.iter().find(|one| character.skeleton.joint(one.joint).name == "head").unwrap();
        let axes = DMat3::from_quat(head.orientation.as_dquat());
        assert!((axes - turn).to_cols_array().into_iter().all(|number| number.abs() < 1e-6), "{unit:?}");
        if is_even {
            let [center, half_extents] = of("chest");
            assert!((center - DVec3::Y * 5.0 * inch).length() < 1e-6, "{unit:?}: {center}");
            assert!((half_extents - DVec3::new(3.0, 7.0, 3.0) * inch).length() < 1e-6, "{unit:?}: {half_extents}");
        }
    }
}

/// A figure with a box at each joint. `#` in a name stands for the side. The names are those of the hips, the spine up to the
/// head, the arm from the shoulder, and the leg.
fn figure([torso, arm, leg]: [&[&str]; 3], sides: [&str; 2]) -> Character {
    let mut figure = Character::new("figure");
    let mut add = |name: &str, above: Option<usize>, offset: [f32; 3]| {
        let joint = figure.joint(name, above, offset);
        figure.add_box(joint, offset.map(|number| 0.4 * number), [0.04; 3]);
        joint
    };
    let mut spine: Vec<usize> = Vec::new();
    for name in torso {
        spine.push(add(name, spine.last().copied(), [0.0, if spine.is_empty() { 1.0 } else { 0.15 }, 0.0]));
    }
    for (side, sign) in sides.into_iter().zip([1.0, -1.0]) {
        for (limb, from, step) in [(arm, spine[spine.len() - 3], [0.15, 0.0, 0.0]), (leg, spine[0], [0.05, -0.25, 0.0])]
        {
            limb.iter().fold(from, |above, name| {
                add(&name.replace('#', side), Some(above), [sign * step[0], step[1], step[2]])
            });
        }
    }
    figure
}

fn mixamo() -> Gltf {
    let names = |list: &str| -> Vec<String> { list.split(' ').map(|name| format!("mixamorig:{name}")).collect() };
    let [torso, arm, leg] = [
        names("Hips Spine Spine1 Spine2 Neck Head"),
        names("#Shoulder #Arm #ForeArm #Hand"),
        names("#UpLeg #Leg #Foot #ToeBase"),
    ];
    let [torso, arm, leg] = [&torso, &arm, &leg].map(|names| names.iter().map(String::as_str).collect::<Vec<_>>());
    figure([&torso, &arm, &leg], ["Left", "Right"]).to_gltf()
}

/// A VRM character whose joints have names without a meaning, and no joint between spine and neck.
fn vrm() -> Gltf {
    let figure = figure([&["a", "b", "c", "d"], &["e#", "f#", "g#", "h#"], &["i#", "j#", "k#"]], ["0", "1"]);
    let mut gltf = figure.to_gltf();
    let bones = [
        ("hips", "a"),
        ("spine", "b"),
        ("neck", "c"),
        ("head", "d"),
        ("leftShoulder", "e0"),
        ("leftUpperArm", "f0"),
        ("leftLowerArm", "g0"),
        ("leftHand", "h0"),
        ("rightShoulder", "e1"),
        ("rightUpperArm", "f1"),
        ("rightLowerArm", "g1"),
        ("rightHand", "h1"),
        ("leftUpperLeg", "i0"),
        ("leftLowerLeg", "j0"),
        ("leftFoot", "k0"),
        ("rightUpperLeg", "i1"),
        ("rightLowerLeg", "j1"),
        ("rightFoot", "k1"),
    ];
    let node = |name: &str| figure.joints.iter().position(|joint| joint.name == name).unwrap();
    let listed = bones.map(|(bone, name)| (bone.to_owned(), json!({ "node": node(name) })));
    let bones: serde_json::Map<String, serde_json::Value> = listed.into_iter().collect();
    gltf.json["extensionsUsed"] = json!(["VRMC_vrm"]);
    gltf.json["extensions"] = json!({ "VRMC_vrm": { "specVersion": "1.0", "humanoid": { "humanBones": bones } } });
    gltf
}

fn hbox(names: &[&str]) -> String {
    names.iter().map(|name| format!("$hbox 0 \"{name}\" -1 -1 -1 1 1 1\n")).collect()
}

const VALVE: [&str; 8] = [
    "ValveBiped.Bip01_Head1",
    "ValveBiped.Bip01_Spine2",
    "ValveBiped.Bip01_Spine4",
    "ValveBiped.Bip01_Pelvis",
    "ValveBiped.Bip01_L_UpperArm",
    "ValveBiped.Bip01_R_Calf",
    "ValveBiped.weapon_bone",
    "ValveBiped.Bip01_L_Finger1",
];

#[test]
fn names_of_valve_find_the_joints_of_other_rigs() {
    let folder = Folder::with(&mixamo());
    insta::assert_snapshot!("qc_valve_to_mixamo", folder.import(&hbox(&VALVE), &[]));
    let joints = ["Head", "Hips", "LeftArm", "RightLeg", "Spine1", "Spine2"].map(|name| format!("mixamorig:{name}"));
    assert_eq!(folder.joints(), joints);
    let folder = Folder::with(&vrm());
    insta::assert_snapshot!("qc_valve_to_vrm", folder.import(&hbox(&VALVE), &[]));
    assert_eq!(folder.joints(), ["a", "b", "d", "f0", "j1"]);
    let character = folder.baked();
    let spine = character.skeleton.find("b");
    let at_spine = character.boxes.iter().filter(|one| Some(one.joint) == spine).count();
    assert_eq!(at_spine, 2, "Spine2 and Spine4 are one bone of this character");
}

#[test]
fn names_of_unreal_find_the_joints_of_other_rigs() {
    let names =
        ["head", "spine_01", "spine_03", "pelvis", "upperarm_l", "hand_r", "calf_r", "ball_l", "upperarm_twist_01_l"];
    let folder = Folder::with(&mixamo());
    insta::assert_snapshot!("qc_unreal_to_mixamo", folder.import(&hbox(&names), &[]));
    let joints = ["Head", "Hips", "LeftArm", "LeftToeBase", "RightHand", "RightLeg", "Spine", "Spine2"];
    assert_eq!(folder.joints(), joints.map(|name| format!("mixamorig:{name}")));
}

/// Names are only assigned to a humanoid, and a joint with the very name has priority.
#[test]
fn names_that_the_character_has_or_that_mean_nothing_stay() {
    let folder = Folder::with(&test_models::box_man().to_gltf());
    insta::assert_snapshot!("qc_without_humanoid", folder.import(&hbox(&["head", "pelvis", "tail"]), &[]));
    assert_eq!(folder.joints(), ["head"]);
    let folder = Folder::with(&mixamo());
    insta::assert_snapshot!("qc_of_nothing", folder.import(&hbox(&["tail", "weapon"]), &[]));
    let text = fs::read_to_string(folder.0.path().join("bonebox.toml")).unwrap();
    fs::write(folder.0.path().join("bonebox.toml"), format!("humanoid = false\n{text}")).unwrap();
    let told = folder.import(&hbox(&["ValveBiped.Bip01_Head1"]), &[]);
    assert!(told.contains("the character has no humanoid, so names of another rig are not assigned"), "{told}");
}
