//! Wire boxes that another tool has edited are imported as manual boxes; the other wire boxes change nothing.

use crate::program::{bonebox, told};
use baked_format::{Hitbox, HitboxRole, HitboxShape};
use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with the hound and its wire export.
struct Folder {
    folder: tempfile::TempDir,
    /// The fitted boxes of the hound.
    boxes: Vec<Hitbox>,
}

impl Folder {
    fn new() -> Self {
        Self::with_settings("")
    }

    /// A folder with these settings; none if the text is empty.
    fn with_settings(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
        fs::copy(assets.join("hound.glb"), folder.path().join("hound.glb")).unwrap();
        let run = |arguments: &[&str]| {
            let output = bonebox(folder.path(), arguments);
            assert!(output.status.success(), "{}", told(&output));
        };
        let mut bake = assets.join("hound.bonebox");
        if !settings.is_empty() {
            fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
            run(&["bake", "hound.glb", "--quiet", "--measure", "none"]);
            bake = folder.path().join("hound.bonebox");
        }
        run(&["export", "hound.glb", "--to", "wire"]);
        let boxes = baked_format::read(&fs::read(bake).unwrap()).unwrap().boxes;
        Self { folder, boxes }
    }

    /// A folder with the hound below a node with a scale, such as Blender's armatures have, and its wire export.
    fn with_scaled_armature(scale: f64) -> Self {
        let folder = Self::new();
        let mut hound = Document::read(&fs::read(folder.path("hound.glb")).unwrap());
        let armature = hound.json["nodes"].as_array().unwrap().len();
        let below = hound.json["scenes"][0]["nodes"].take();
        hound.json["scenes"][0]["nodes"] = json!([armature]);
        let node = json!({ "name": "Armature", "scale": [scale, scale, scale], "children": below });
        hound.json["nodes"].as_array_mut().unwrap().push(node);
        fs::write(folder.path("hound.glb"), hound.write()).unwrap();
        let output = bonebox(folder.folder.path(), &["export", "hound.glb", "--to", "wire"]);
        assert!(output.status.success(), "{}", told(&output));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Edits the wire export and imports it. Returns the printed text and the settings file.
    fn import(&self, edit: impl FnOnce(&mut Document)) -> (String, Option<String>) {
        let mut document = Document::read(&fs::read(self.path("hound.wire.glb")).unwrap());
        edit(&mut document);
        fs::write(self.path("hound.wire.glb"), document.write()).unwrap();
        let output = bonebox(self.folder.path(), &["import", "hound.wire.glb"]);
        (told(&output), fs::read_to_string(self.path("bonebox.toml")).ok())
    }

    /// The manual boxes of one joint after a bake with the settings file.
    fn manual(&self, joint: &str) -> Vec<Hitbox> {
        let output = bonebox(self.folder.path(), &["bake", "hound.glb", "--quiet", "--measure", "none"]);
        assert!(output.status.success(), "{}", told(&output));
        let baked = baked_format::read(&fs::read(self.path("hound.bonebox")).unwrap()).unwrap();
        let index = baked.skeleton.find(joint);
        baked.boxes.into_iter().filter(|one| Some(one.joint) == index).collect()
    }

    fn fitted(&self, document: &Document, joint: &str) -> Hitbox {
        let ours = &document.wire(joint)["extras"]["bonebox"];
        self.boxes[ours["box"].as_u64().unwrap() as usize].clone()
    }
}

/// A .glb as JSON and its binary chunk.
struct Document {
    json: Value,
    binary: Vec<u8>,
}

impl Document {
    fn read(glb: &[u8]) -> Self {
        let json = gltf_container::Container::open(glb).unwrap().json;
        let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        Self { json: serde_json::from_slice(json).unwrap(), binary: glb[20 + length + 8..].to_vec() }
    }

    fn write(&self) -> Vec<u8> {
        let mut json = self.json.to_string().into_bytes();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        let total = 12 + 8 + json.len() + 8 + self.binary.len();
        for (bytes, kind) in [(&json, b"JSON"), (&self.binary, b"BIN\0")] {
            if glb.len() == 8 {
                glb.extend_from_slice(&(total as u32).to_le_bytes());
            }
            glb.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            glb.extend_from_slice(kind);
            glb.extend_from_slice(bytes);
        }
        glb
    }

    fn node(&self, name: &str) -> usize {
        self.json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap()
    }

    fn wire(&self, joint: &str) -> &Value {
        &self.json["nodes"][self.node(&format!("bb:{joint}"))]
    }

    fn wire_mut(&mut self, joint: &str) -> &mut Value {
        let index = self.node(&format!("bb:{joint}"));
        &mut self.json["nodes"][index]
    }

    fn wires_mut(&mut self) -> impl Iterator<Item = &mut Value> {
        let nodes = self.json["nodes"].as_array_mut().unwrap().iter_mut();
        nodes.filter(|node| node["name"].as_str().is_some_and(|name| name.starts_with("bb:")))
    }

    /// Gives every joint other axes, as tools do that require bones along one axis. Joint spaces, inverse bind matrices
    /// and boxes are turned, and no vertex or box moves.
    fn turn_joints(&mut self, turn: Quat) {
        let joints: Vec<usize> =
            self.json["skins"][0]["joints"].as_array().unwrap().iter().map(|j| j.as_u64().unwrap() as usize).collect();
        for (index, parent) in self.parents().into_iter().enumerate() {
            let (is_joint, below_joint) =
                (joints.contains(&index), parent.is_some_and(|parent| joints.contains(&parent)));
            let node = &mut self.json["nodes"][index];
            let before = if below_joint { turn.inverse() } else { Quat::IDENTITY };
            let after = if is_joint { turn } else { Quat::IDENTITY };
            let list =
                |value: &Value| value.as_array().map(|list| list.iter().map(|n| n.as_f64().unwrap() as f32).collect());
            let rotation = list(&node["rotation"]).map_or(Quat::IDENTITY, |v: Vec<f32>| Quat::from_slice(&v));
            let translation = list(&node["translation"]).map_or(Vec3::ZERO, |v: Vec<f32>| Vec3::from_slice(&v));
            node["rotation"] = json!((before * rotation * after).to_array());
            node["translation"] = json!((before * translation).to_array());
        }
        let accessor = &self.json["accessors"][self.json["skins"][0]["inverseBindMatrices"].as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let offset = |value: &Value| value["byteOffset"].as_u64().unwrap_or(0) as usize;
        let start = offset(accessor) + offset(view);
        for matrix in self.binary[start..start + 64 * joints.len()].chunks_exact_mut(64) {
            let numbers: Vec<f32> = matrix.chunks_exact(4).map(|n| f32::from_le_bytes(n.try_into().unwrap())).collect();
            let turned = Mat4::from_quat(turn.inverse()) * Mat4::from_cols_slice(&numbers);
            for (bytes, number) in matrix.chunks_exact_mut(4).zip(turned.to_cols_array()) {
                bytes.copy_from_slice(&number.to_le_bytes());
            }
        }
    }

    /// Applies the scale of the armature to everything below it, as "Apply scale" does: nothing moves in the scene.
    fn apply_scale(&mut self, scale: f64) {
        let armature = self.node("Armature");
        self.json["nodes"][armature]["scale"] = json!([1.0, 1.0, 1.0]);
        let times = |value: &mut Value| {
            let numbers = value.as_array_mut().into_iter().flatten();
            numbers.for_each(|number| *number = (scale * number.as_f64().unwrap()).into());
        };
        self.json["nodes"].as_array_mut().unwrap().iter_mut().for_each(|node| times(&mut node["translation"]));
        self.wires_mut().for_each(|node| times(&mut node["scale"]));
        let nodes = self.json["nodes"].as_array_mut().unwrap().iter_mut();
        nodes.for_each(|node| node.as_object_mut().unwrap().retain(|_, value| !value.is_null()));
    }

    /// The parent of each node.
    fn parents(&self) -> Vec<Option<usize>> {
        let nodes = self.json["nodes"].as_array().unwrap();
        let is_parent = |node: &Value, child: usize| {
            node["children"].as_array().is_some_and(|all| all.iter().any(|c| c.as_u64() == Some(child as u64)))
        };
        (0..nodes.len()).map(|child| nodes.iter().position(|node| is_parent(node, child))).collect()
    }

    /// Moves boxes along their bones as Blender 5.0 does when it loads a file and saves it again. Its importer gives a bone of the
    /// length `l` the length `l / scale`, with the scale of the armature, and moves the objects below the bone from its tail to its
    /// head by `l`. The armature is the deepest node above all joints.
    fn pass_through_blender(&mut self) {
        let parents = self.parents();
        let nodes = self.json["nodes"].as_array().unwrap().clone();
        let path = |node: usize| {
            let mut path: Vec<usize> = std::iter::successors(Some(node), |at| parents[*at]).collect();
            path.reverse();
            path
        };
        let skin = &self.json["skins"][0];
        let joints: Vec<usize> =
            skin["joints"].as_array().unwrap().iter().map(|j| j.as_u64().unwrap() as usize).collect();
        let named = skin["skeleton"].as_u64().map(|node| node as usize);
        let common = joints.iter().copied().chain(named).map(path);
        let common = common.reduce(|a, b| a.into_iter().zip(b).take_while(|(a, b)| a == b).map(|(a, _)| a).collect());
        let mut armature = common.unwrap().last().copied();
        if armature.is_some_and(|node| joints.contains(&node)) {
            armature = parents[armature.unwrap()];
        }
        let scale = armature.and_then(|node| nodes[node]["scale"].as_array());
        let scale =
            scale.map_or(1.0, |scale| scale.iter().map(|n| n.as_f64().unwrap()).fold(f64::NEG_INFINITY, f64::max));
        let far = |node: usize| {
            let place = nodes[node]["translation"].as_array();
            place.map_or(0.0, |place| place.iter().map(|n| n.as_f64().unwrap().powi(2)).sum::<f64>().sqrt())
        };
        let is_bone = |node: usize| {
            let below_armature =
                armature.is_none() || (path(node).contains(&armature.unwrap()) && Some(node) != armature);
            below_armature && joints.iter().any(|joint| path(*joint).contains(&node))
        };
        let bone_length = |bone: usize| {
            let mut at = bone;
            loop {
                let children = (0..nodes.len()).filter(|child| parents[*child] == Some(at) && is_bone(*child));
                let shortest = children.map(far).filter(|length| *length > 0.004).fold(f64::INFINITY, f64::min);
                match parents[at].filter(|parent| is_bone(*parent)) {
                    _ if shortest.is_finite() => return shortest,
                    Some(parent) => at = parent,
                    None => return if far(at) > 0.004 { far(at) } else { 1.0 },
                }
            }
        };
        for wire in 0..nodes.len() {
            if nodes[wire]["extras"]["bonebox"]["form"] == "wire" {
                let length = bone_length(parents[wire].unwrap());
                let y = nodes[wire]["translation"][1].as_f64().unwrap() + length * (1.0 / scale - 1.0);
                self.json["nodes"][wire]["translation"][1] = y.into();
            }
        }
    }

    /// Changes transforms as tools do without a user's edit: rounding, the other sign of quaternions, numbered names.
    fn save_as_another_tool(&mut self) {
        for (index, node) in self.wires_mut().enumerate() {
            let noisy = node["translation"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap() + 1e-7);
            node["translation"] = json!(noisy.collect::<Vec<f64>>());
            let negated = node["rotation"].as_array().unwrap().iter().map(|n| -n.as_f64().unwrap());
            node["rotation"] = json!(negated.collect::<Vec<f64>>());
            if index % 3 == 0 {
                node["name"] = format!("{}.001", node["name"].as_str().unwrap()).into();
            }
        }
        self.json["asset"] = json!({ "version": "2.0", "generator": "another tool" });
    }
}

#[test]
fn boxes_without_edits_write_nothing() {
    let quarter = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    for turn in [None, Some(quarter), Some(Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize())] {
        let folder = Folder::new();
        let (told, settings) = folder.import(|document| {
            turn.into_iter().for_each(|turn| document.turn_joints(turn));
            document.save_as_another_tool();
        });
        assert!(told.contains("nothing to write: 34 boxes are unchanged in hound"), "{told}");
        assert_eq!(settings, None);
    }
}

#[test]
fn boxes_below_a_scaled_armature_without_edits_write_nothing() {
    for scale in [0.01, 100.0] {
        for is_applied in [false, true] {
            let folder = Folder::with_scaled_armature(scale);
            let (told, settings) = folder.import(|document| {
                if is_applied {
                    document.apply_scale(scale);
                }
                document.turn_joints(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
                document.save_as_another_tool();
            });
            assert!(told.contains("nothing to write: 34 boxes are unchanged in hound"), "{scale} {is_applied}: {told}");
            assert_eq!(settings, None);
        }
    }
}

#[test]
fn boxes_of_another_preset_come_back() {
    let folder = Folder::new();
    let options = ["--preset", "tight", "--margin", "0.01", "--budget", "1", "--measure", "none"];
    let output = bonebox(folder.folder.path(), &[&["export", "hound.glb", "--to", "wire"], &options[..]].concat());
    assert!(output.status.success(), "{}", told(&output));
    let (told, settings) = folder.import(Document::save_as_another_tool);
    assert!(told.contains("nothing to write: "), "{told}");
    assert!(told.contains("note: the boxes were exported with other options than those that apply"), "{told}");
    assert!(told.contains("margin = 0.01, ") && told.contains("preset = tight"), "{told}");
    assert_eq!(settings, None);
    // With one edit, only that box is written.
    let (told, settings) = folder.import(|document| {
        let jaw = document.wires_mut().find(|node| node["extras"]["bonebox"]["joint"] == "jaw").unwrap();
        jaw["translation"][1] = (jaw["translation"][1].as_f64().unwrap() + 0.05).into();
    });
    assert!(told.contains("1 box of 1 joint of hound"), "{told}");
    // With the settings of the export, there is no note, and a second import writes the same box again.
    let settings = format!("preset = \"tight\"\nmargin = 0.01\nbudget = 1\n{}", settings.unwrap());
    fs::write(folder.path("bonebox.toml"), &settings).unwrap();
    let (told, again) = folder.import(|_| {});
    assert!(told.contains("1 box of 1 joint of hound") && !told.contains("note: the boxes were exported"), "{told}");
    assert_eq!(again, Some(settings));
}

#[test]
fn a_box_that_was_moved_and_scaled_becomes_a_manual_box() {
    let turns = [Quat::IDENTITY, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)];
    for turn in turns {
        let folder = Folder::new();
        let mut fitted = None;
        let (told, settings) = folder.import(|document| {
            fitted = Some(folder.fitted(document, "jaw"));
            let jaw = document.wire_mut("jaw");
            jaw["translation"][1] = (jaw["translation"][1].as_f64().unwrap() + 0.05).into();
            jaw["scale"][0] = (jaw["scale"][0].as_f64().unwrap() * 2.0).into();
            document.turn_joints(turn);
            document.save_as_another_tool();
        });
        assert!(told.contains("1 box of 1 joint of hound"), "{told}");
        let settings = settings.unwrap();
        assert_eq!(settings.matches("[[").count(), 1, "{settings}");
        let (found, fitted) = (folder.manual("jaw"), fitted.unwrap());
        assert_eq!(found.len(), 1, "{settings}");
        assert!(found[0].center.abs_diff_eq(fitted.center + Vec3::new(0.0, 0.05, 0.0), 1e-6), "{found:?} {fitted:?}");
        let longer = fitted.half_extents * Vec3::new(2.0, 1.0, 1.0);
        assert!(found[0].half_extents.abs_diff_eq(longer, 1e-6), "{found:?} {fitted:?}");
        assert!(found[0].orientation.dot(fitted.orientation).abs() > 1.0 - 1e-6, "{found:?} {fitted:?}");
    }
}

/// The wire box of a round shape is the box around it, and becomes the round shape again unless it was stretched.
#[test]
fn round_shapes_that_were_moved_and_scaled_stay_round() {
    let folder = Folder::with_settings("shape = \"capsule\"\n[characters.hound.joints.head]\nshape = \"sphere\"\n");
    let mut fitted = Vec::new();
    let (told, settings) = folder.import(|document| {
        for (joint, factors) in [("jaw", [1.5, 2.0, 1.5]), ("head", [2.0; 3]), ("tail_02", [1.0, 1.0, 3.0])] {
            fitted.push(folder.fitted(document, joint));
            let scale = document.wire_mut(joint)["scale"].as_array_mut().unwrap();
            for (scale, factor) in scale.iter_mut().zip(factors) {
                *scale = (scale.as_f64().unwrap() * factor).into();
            }
        }
        document.save_as_another_tool();
    });
    assert!(told.contains("3 boxes of 3 joints of hound"), "{told}");
    let note = "node \"bb:tail_02\": the box around this capsule is used, because it was stretched; scale a sphere evenly, and \
                the x and z axes of a capsule by the same factor";
    assert!(told.replace(".001", "").contains(note), "{told}");
    let settings = settings.unwrap();
    assert_eq!(settings.matches("shape = ").count(), 4, "{settings}");
    let [jaw, head, tail] = ["jaw", "head", "tail_02"].map(|joint| folder.manual(joint).remove(0));
    assert_eq!(
        [&jaw, &head, &tail].map(|one| one.shape),
        [HitboxShape::Capsule, HitboxShape::Sphere, HitboxShape::Box]
    );
    for (found, fitted, factors) in
        [(jaw, &fitted[0], [1.5, 2.0, 1.5]), (head, &fitted[1], [2.0; 3]), (tail, &fitted[2], [1.0, 1.0, 3.0])]
    {
        let expected = fitted.half_extents * Vec3::from(factors);
        assert!(found.half_extents.abs_diff_eq(expected, 1e-6), "{found:?} {fitted:?}");
        assert!(found.center.abs_diff_eq(fitted.center, 1e-6), "{found:?} {fitted:?}");
    }
}

#[test]
fn a_copy_is_a_second_box_and_the_first_keeps_its_numbers() {
    let folder = Folder::new();
    let mut fitted = None;
    let (told, _) = folder.import(|document| {
        fitted = Some(folder.fitted(document, "head"));
        let mut copy = document.wire("head").clone();
        copy["name"] = "bb:head.001".into();
        copy["translation"][1] = (copy["translation"][1].as_f64().unwrap() + 0.3).into();
        let (index, head) = (document.json["nodes"].as_array().unwrap().len(), document.node("head"));
        document.json["nodes"].as_array_mut().unwrap().push(copy);
        document.json["nodes"][head]["children"].as_array_mut().unwrap().insert(0, index.into());
    });
    assert!(told.contains("2 boxes of 1 joint of hound"), "{told}");
    let (found, fitted) = (folder.manual("head"), fitted.unwrap());
    let numbers = |one: &Hitbox| (one.center, one.half_extents, one.orientation);
    assert_eq!(found.iter().filter(|one| numbers(one) == numbers(&fitted)).count(), 1, "{found:?}");
    assert!(found.iter().any(|one| (one.center.y - fitted.center.y - 0.3).abs() < 1e-6), "{found:?}");
}

#[test]
fn boxes_without_extras_are_recognized_by_their_names() {
    let folder = Folder::new();
    let (told, settings) = folder.import(|document| {
        for node in document.wires_mut() {
            node.as_object_mut().unwrap().remove("extras");
        }
        document.wire_mut("tail_02")["scale"] = json!([0.1, 0.1, 0.1]);
    });
    assert!(told.contains("1 box of 1 joint of hound"), "{told}");
    assert!(settings.unwrap().contains("half_extents = [0.1, 0.1, 0.1]"));
}

#[test]
fn a_deleted_box_is_reported() {
    let folder = Folder::new();
    let (told, _) = folder.import(|document| {
        let (jaw, wire) = (document.node("jaw"), document.node("bb:jaw"));
        document.json["nodes"][jaw]["children"].as_array_mut().unwrap().retain(|child| *child != wire);
        document.json["nodes"][wire] = json!({ "name": "nothing" });
    });
    assert!(told.contains("joint \"jaw\" has no box in the file and keeps its fitted box"), "{told}");
}

/// Blender moves boxes below scaled armatures, which an export prevents.
#[test]
fn boxes_below_a_scaled_armature_come_back_from_blender() {
    for scale in [0.01, 1.0, 100.0] {
        let folder = Folder::with_scaled_armature(scale);
        let mut fitted = None;
        let (told, settings) = folder.import(|document| {
            document.pass_through_blender();
            document.save_as_another_tool();
        });
        assert!(told.contains("nothing to write: 34 boxes are unchanged in hound"), "{scale}: {told}");
        assert_eq!(settings, None);
        let (told, settings) = folder.import(|document| {
            fitted = Some(folder.fitted(document, "jaw"));
            let jaw = document.wire_mut("jaw");
            jaw["translation"][1] = (jaw["translation"][1].as_f64().unwrap() + 0.05).into();
        });
        assert!(told.contains("1 box of 1 joint of hound"), "{scale}: {told}");
        let (found, fitted) = (folder.manual("jaw"), fitted.unwrap());
        assert!(found[0].center.abs_diff_eq(fitted.center + Vec3::new(0.0, 0.05, 0.0), 1e-6), "{found:?} {settings:?}");
        assert!(found[0].half_extents.abs_diff_eq(fitted.half_extents, 1e-6), "{found:?} {fitted:?}");
    }
}

/// The imitation of Blender moves boxes below an armature that an export has left alone, as Blender does.
#[test]
fn without_the_node_of_the_export_blender_moves_all_boxes() {
    let folder = Folder::with_scaled_armature(100.0);
    let (told, _) = folder.import(|document| {
        let (armature, inserted) = (document.node("Armature"), document.node("bonebox armature"));
        document.json["nodes"][armature]["children"] = document.json["nodes"][inserted]["children"].take();
        document.json["nodes"][inserted] = json!({ "name": "nothing" });
        document.pass_through_blender();
    });
    assert!(told.contains("note: all 34 boxes differ from those of the export"), "{told}");
}

/// Settings that changed after the export, also those of joints, change nothing about the edits.
#[test]
fn edits_are_measured_against_the_export() {
    let folder = Folder::with_settings("[joints.head]\nmargin = 0.03\n[joints.jaw]\nshape = \"capsule\"\n");
    fs::write(folder.path("bonebox.toml"), "preset = \"cover\"\n[joints.neck_01]\nshape = \"sphere\"\n").unwrap();
    fs::remove_file(folder.path("hound.bonebox")).unwrap();
    let (told, _) = folder.import(Document::save_as_another_tool);
    assert!(told.contains("nothing to write: 34 boxes are unchanged in hound"), "{told}");
    let (told, settings) = folder.import(|document| {
        let jaw = document.wire_mut("jaw");
        jaw["translation"][1] = (jaw["translation"][1].as_f64().unwrap() + 0.05).into();
    });
    assert!(told.contains("1 box of 1 joint of hound"), "{told}");
    let settings = settings.unwrap();
    assert!(settings.contains("shape = \"capsule\"") && !settings.contains("joints.head"), "{settings}");
}

#[test]
fn all_boxes_may_be_edited() {
    let folder = Folder::new();
    let mut fitted = None;
    let (told, settings) = folder.import(|document| {
        fitted = Some(folder.fitted(document, "jaw"));
        for node in document.wires_mut() {
            let scale = node["scale"].as_array_mut().unwrap();
            scale.iter_mut().for_each(|number| *number = (1.1 * number.as_f64().unwrap()).into());
        }
        document.turn_joints(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
        document.save_as_another_tool();
    });
    assert!(told.contains("34 boxes of 34 joints of hound"), "{told}");
    assert!(told.contains("note: all 34 boxes differ from those of the export"), "{told}");
    assert_eq!(settings.unwrap().matches("[[").count(), 34);
    let (found, fitted) = (folder.manual("jaw"), fitted.unwrap());
    assert!(found[0].center.abs_diff_eq(fitted.center, 1e-6), "{found:?} {fitted:?}");
    assert!(found[0].half_extents.abs_diff_eq(1.1 * fitted.half_extents, 1e-6), "{found:?} {fitted:?}");
}

/// A box that was taken from its bone stays where it is in the scene.
#[test]
fn a_box_below_the_armature_keeps_its_place() {
    let folder = Folder::with_scaled_armature(0.01);
    let mut fitted = None;
    let (told, _) = folder.import(|document| {
        fitted = Some(folder.fitted(document, "jaw"));
        let parents = document.parents();
        let (wire, armature) = (document.node("bb:jaw"), document.node("bonebox armature"));
        let local = |node: usize| {
            let list = |key: &str| {
                let list = document.json["nodes"][node][key].as_array();
                list.map(|list| list.iter().map(|n| n.as_f64().unwrap() as f32).collect::<Vec<f32>>())
            };
            let place = list("translation").map_or(Vec3::ZERO, |list| Vec3::from_slice(&list));
            let turn = list("rotation").map_or(Quat::IDENTITY, |list| Quat::from_slice(&list));
            Mat4::from_rotation_translation(turn, place)
        };
        let mut placed = Mat4::from_translation(Vec3::new(0.0, 0.3, 0.0)) * local(wire);
        let mut at = parents[wire].unwrap();
        while at != armature {
            placed = local(at) * placed;
            at = parents[at].unwrap();
        }
        let (_, turn, place) = placed.to_scale_rotation_translation();
        let node = &mut document.json["nodes"][wire];
        (node["rotation"], node["translation"]) = (json!(turn.to_array()), json!(place.to_array()));
        let jaw = document.node("jaw");
        document.json["nodes"][jaw]["children"].as_array_mut().unwrap().retain(|child| *child != wire);
        document.json["nodes"][armature]["children"].as_array_mut().unwrap().push(wire.into());
    });
    assert!(told.contains("1 box of 1 joint of hound"), "{told}");
    let (found, fitted) = (folder.manual("jaw"), fitted.unwrap());
    assert!(found[0].center.abs_diff_eq(fitted.center + Vec3::new(0.0, 0.3, 0.0), 1e-5), "{found:?} {fitted:?}");
    assert!(found[0].half_extents.abs_diff_eq(fitted.half_extents, 1e-6), "{found:?} {fitted:?}");
}

#[test]
fn another_rest_pose_of_the_asset_is_reported() {
    let folder = Folder::new();
    let mut hound = Document::read(&fs::read(folder.path("hound.glb")).unwrap());
    let jaw = hound.node("jaw");
    let place = &mut hound.json["nodes"][jaw]["translation"];
    place[0] = (place[0].as_f64().unwrap_or_default() + 0.1).into();
    fs::write(folder.path("hound.glb"), hound.write()).unwrap();
    for joint in ["jaw", "head"] {
        let (told, _) = folder.import(|document| {
            let wire = document.wire_mut(joint);
            wire["translation"][1] = (wire["translation"][1].as_f64().unwrap() + 0.05).into();
        });
        assert!(told.contains("1 box of 1 joint") || told.contains("2 boxes of 2 joints"), "{told}");
        assert!(told.contains("note: joint \"jaw\" has another rest transform in the asset"), "{told}");
        assert!(!told.contains("note: joint \"head\""), "{told}");
    }
}

/// A box that was moved keeps its role. Colliders of a VRM, which hold back hair, have no boxes in the air.
#[test]
fn roles_come_back() {
    let settings = "[[joints.head.boxes]]\ncenter = [0, 0.1, 0]\nhalf_extents = [0.1, 0.1, 0.1]\nrole = \"grab\"\n\
                    [joints.head]\nskip = true\n";
    let folder = Folder::with_settings(settings);
    for form in ["omi", "vrm"] {
        let output = bonebox(folder.folder.path(), &["export", "hound.glb", "--to", form]);
        let warned = told(&output).contains("1 hitboxes have another role than `hurt`, and are left out");
        assert!(output.status.success() && warned == (form == "vrm"), "{}", told(&output));
    }
    fs::remove_file(folder.path("bonebox.toml")).unwrap();
    let (told_of, written) = folder.import(|document| {
        let wire = document.wire_mut("head");
        assert_eq!(wire["extras"]["bonebox"]["role"], "grab");
        wire["translation"][1] = json!(0.25);
    });
    let written = written.unwrap();
    assert!(written.contains("role = \"grab\""), "{told_of}\n{written}");
    let head = folder.manual("head");
    assert_eq!(head.iter().map(|one| one.role).collect::<Vec<_>>(), [HitboxRole::Grab]);
    assert!((head[0].center.y - 0.25).abs() < 1e-5, "{:?}", head[0].center);
    let into = ["import", "hound.omi.glb", "--character", "hound", "--into", "other.toml"];
    let output = bonebox(folder.folder.path(), &into);
    let other = fs::read_to_string(folder.path("other.toml")).unwrap();
    assert_eq!(other.matches("role = \"grab\"").count(), 1, "{}\n{other}", told(&output));
}
