//! Files with several characters, and files with animations only.

use serde_json::json;
use skeleton::NodeIndex;
use skinned_model::{
    CharacterRoot, ImportError, NoExternalFiles, SkinnedModel, characters, has_skinned_mesh, import, import_character,
    import_motion,
};
use std::collections::BTreeSet;
use test_models::{Character, Clip, Gltf, Track, box_limb, box_man, in_one_file};

fn roots(gltf: &Gltf) -> Vec<String> {
    let roots = characters(&gltf.to_glb()).unwrap();
    assert_eq!(import(&gltf.to_glb(), &NoExternalFiles).unwrap().characters, roots);
    roots.into_iter().map(|root| root.name).collect()
}

fn each(gltf: &Gltf) -> Vec<SkinnedModel> {
    let bytes = gltf.to_glb();
    let roots = characters(&bytes).unwrap();
    let import = |root: CharacterRoot| import_character(&bytes, &NoExternalFiles, &|_| false, root.node).unwrap();
    roots.into_iter().map(import).collect()
}

/// A character of one chain of joints with these names, and a box at each joint.
fn chain(names: &[&str]) -> Character {
    let mut chain = Character::new("chain");
    for (at, name) in names.iter().enumerate() {
        let joint = chain.joint(name, at.checked_sub(1), [0.0, 1.0, 0.0]);
        chain.add_box(joint, [0.0, 0.5, 0.0], [0.1, 0.5, 0.1]);
    }
    chain
}

/// Each character has exactly the joints, the surface and the clips that it has in a file of its own.
#[test]
fn each_character_equals_its_import_from_a_file_of_its_own() {
    let (mut first, mut second) = (box_man(), box_man());
    second.positions.iter_mut().for_each(|point| point[0] *= 2.0);
    second.clips[0].name = "punch".into();
    first
        .clips
        .push(Clip { name: "nod".into(), tracks: vec![Track { joint: 2, keys: vec![(0.0, [0., 0., 0., 1.])] }] });
    let both = in_one_file(&[("runa", &first), ("bruno", &second)]);
    assert_eq!(roots(&both), ["runa", "bruno"]);
    for ((found, alone), root) in each(&both).into_iter().zip([first, second]).zip(["runa", "bruno"]) {
        let alone = import(&in_one_file(&[(root, &alone)]).to_glb(), &NoExternalFiles).unwrap();
        let joints = |model: &SkinnedModel| {
            let joints = model.skeleton.joints().iter();
            joints.map(|joint| (joint.name.clone(), joint.parent, joint.rest, joint.skinned)).collect::<Vec<_>>()
        };
        assert_eq!(joints(&found), joints(&alone));
        assert_eq!((&found.clips, &found.warnings), (&alone.clips, &alone.warnings));
        let [mesh, expected] = [&found.meshes, &alone.meshes].map(|meshes| {
            let [mesh] = &meshes[..] else { panic!("one mesh") };
            (&mesh.joints, &mesh.joint_from_mesh, &mesh.positions, &mesh.influences, &mesh.triangles)
        });
        assert_eq!(mesh, expected);
        assert!(found.characters.is_empty() && alone.characters.is_empty());
    }
}

/// Together, the second character's joints have other names. This is what a bake must not do unasked.
#[test]
fn characters_read_as_one_are_named_in_the_model() {
    let model = import(&in_one_file(&[("a", &box_man()), ("b", &box_man())]).to_glb(), &NoExternalFiles).unwrap();
    assert!(model.skeleton.find("head_2").is_some());
    assert_eq!(model.characters.len(), 2);
    assert!(model.characters.iter().all(|root| model.skeleton.joints().iter().any(|joint| joint.node == root.node)));
}

#[test]
fn groups_of_joints_that_are_no_copies_are_one_character() {
    let body = chain(&["hips", "spine", "chest", "neck", "head"]);
    let other = |names: &[&str]| roots(&in_one_file(&[("body", &body), ("other", &chain(names))]));
    assert_eq!(other(&["hips", "spine", "chest", "tail_1", "tail_2"]), ["body", "other"], "most names repeat");
    assert_eq!(other(&["hips", "spine", "tail_1", "tail_2", "tail_3"]), [""; 0], "few names repeat");
    assert_eq!(other(&["hips", "spine"]), [""; 0], "a small group");
    assert_eq!(other(&["", "", "", "", ""]), [""; 0], "joints without names");
    assert_eq!(roots(&in_one_file(&[("a", &chain(&["bone"])), ("b", &chain(&["bone"]))])), [""; 0], "single joints");
    assert_eq!(roots(&in_one_file(&[("a", &chain(&["", ""])), ("b", &chain(&["", ""]))])), [""; 0], "no names at all");
    assert_eq!(roots(&in_one_file(&[("body", &body)])), [""; 0]);
}

/// Two copies that one skin connects are one character.
#[test]
fn a_skin_connects_the_joints_that_it_names() {
    let limb = box_limb();
    let mut both = in_one_file(&[("a", &limb), ("b", &limb)]);
    assert_eq!(roots(&both).len(), 2);
    let of_second = both.json["skins"][1]["joints"][0].clone();
    both.json["skins"][0]["joints"][1] = of_second;
    assert_eq!(roots(&both), [""; 0]);
}

/// A skirt with a skin of its own, eyes and another creature in the same file.
#[test]
fn other_groups_belong_to_the_character_nearest_above() {
    let man = box_man();
    let (skirt, dragon) = (chain(&["skirt_1", "skirt_2"]), chain(&["wing", "claw", "jaw"]));
    let mut file = in_one_file(&[("a", &man), ("b", &man), ("skirt", &skirt), ("dragon", &dragon)]);
    // The skirt's root becomes a child of the root "b".
    let at = |name: &str| {
        let nodes = file.json["nodes"].as_array().unwrap();
        nodes.iter().position(|node| node["name"] == name && node["children"].is_array() && node["mesh"].is_null())
    };
    let [b, skirt] = ["b", "skirt"].map(|name| at(name).unwrap());
    file.json["nodes"][b]["children"].as_array_mut().unwrap().push(json!(skirt));
    file.json["scenes"][0]["nodes"].as_array_mut().unwrap().retain(|root| *root != json!(skirt));
    assert_eq!(roots(&file), ["a", "b", "dragon"]);
    let meshes: Vec<usize> = each(&file).iter().map(|model| model.meshes.len()).collect();
    assert_eq!(meshes, [1, 2, 1]);
    assert!(each(&file)[1].skeleton.find("skirt_2").is_some());
}

/// Below one node for all, as some exporters write it, with a sword in a hand, and a crate that is scenery.
#[test]
fn characters_below_a_common_node_share_it_and_nothing_else() {
    let man = box_man();
    let mut file = in_one_file(&[("a", &man), ("b", &man)]);
    let tops = file.json["scenes"][0]["nodes"].clone();
    let rigid = file.json["meshes"][0].clone();
    let mesh = file.push("meshes", rigid);
    file.json["meshes"][mesh]["primitives"][0]["attributes"]
        .as_object_mut()
        .unwrap()
        .retain(|key, _| key == "POSITION");
    let [sword, crates] = ["sword", "crate"].map(|name| file.push("nodes", json!({ "name": name, "mesh": mesh })));
    let scene = file.push("nodes", json!({ "name": "scene", "translation": [0, 1, 0], "children": tops }));
    file.json["nodes"][scene]["children"].as_array_mut().unwrap().push(json!(crates));
    file.json["scenes"][0]["nodes"] = json!([scene]);
    let head = file.json["nodes"].as_array().unwrap().iter().rposition(|node| node["name"] == "head").unwrap();
    file.json["nodes"][head]["children"] = json!([sword]);
    assert_eq!(roots(&file), ["a", "b"]);
    let [a, b] = &each(&file)[..] else { panic!("two characters") };
    for (model, root, carried) in [(a, "a", 0), (b, "b", 1)] {
        let names: Vec<&str> = model.skeleton.joints().iter().map(|joint| joint.name.as_str()).take(3).collect();
        assert_eq!(names, ["scene", root, "hips"]);
        assert_eq!(model.attachments.len(), carried);
        let codes: Vec<&str> = model.warnings.iter().map(|warning| warning.code).collect();
        assert_eq!(codes, ["left-out-meshes"], "the crate belongs to nobody");
    }
}

#[test]
fn hostile_and_missing_names_of_roots_are_unique() {
    let man = box_man();
    let cast = [("..", &man), ("", &man), ("..", &man), ("a/b\u{1}", &man)];
    let file = in_one_file(&cast);
    let nodes = characters(&file.to_glb()).unwrap();
    assert_eq!(roots(&file), ["..", &format!("node_{}", nodes[1].node), ".._2", "a/b\u{1}"]);
    let error = import_character(&file.to_glb(), &NoExternalFiles, &|_| false, NodeIndex(0)).unwrap_err();
    assert!(matches!(error, ImportError::UnknownRoot { node: 0, .. }), "{error}");
    assert!(error.to_string().contains(r#"the file has "..""#), "{error}");
}

/// The rule in its slowest form: groups are found by comparing every pair of joints, names by comparing every pair of
/// groups.
#[test]
fn random_forests_agree_with_the_slow_rule() {
    let mut random = test_models::Random::new(7);
    let mut several = 0;
    for case in 0..400 {
        let names = ["a", "b", "c", "d", "e", "f", ""];
        let cast: Vec<Character> = (0..2 + random.below(4))
            .map(|_| chain(&(0..1 + random.below(6)).map(|_| names[random.below(names.len())]).collect::<Vec<_>>()))
            .collect();
        let named: Vec<(String, &Character)> =
            cast.iter().zip(0..).map(|(one, at)| (format!("root{at}"), one)).collect();
        let file = in_one_file(&named.iter().map(|(name, one)| (name.as_str(), *one)).collect::<Vec<_>>());
        let sets: Vec<BTreeSet<&str>> = cast
            .iter()
            .map(|one| one.joints.iter().map(|joint| joint.name.as_str()).filter(|name| !name.is_empty()).collect())
            .collect();
        let most = sets.iter().map(BTreeSet::len).max().unwrap();
        let is_large = |set: &BTreeSet<&str>| set.len() >= 2 && set.len() * 2 >= most;
        let is_copy = |at: usize| {
            let others = || sets.iter().enumerate().filter(|(other, set)| *other != at && is_large(set));
            let repeated = sets[at].iter().filter(|name| others().any(|(_, set)| set.contains(*name))).count();
            is_large(&sets[at]) && 2 * repeated >= sets[at].len()
        };
        let copies = (0..sets.len()).filter(|&at| is_copy(at)).count();
        // Every root stands alone, so a group that is no copy is a character of its own.
        let expected: Vec<&str> =
            if copies < 2 { vec![] } else { named.iter().map(|(name, _)| name.as_str()).collect() };
        several += usize::from(copies >= 2);
        assert_eq!(roots(&file), expected, "case {case}: {sets:?}");
    }
    assert!((50..350).contains(&several), "{several}");
}

/// A large file with as many groups as joints takes linear time: the slow rule would compare 400 million pairs.
#[test]
fn many_groups_take_linear_time() {
    let count = 10_000;
    let mut gltf = in_one_file(&[("a", &chain(&["x", "y"]))]);
    let nodes = gltf.json["nodes"].as_array().unwrap().len();
    for at in 0..count {
        let first = nodes + 3 * at;
        gltf.push("nodes", json!({ "name": "x", "children": [first + 1] }));
        gltf.push("nodes", json!({ "name": "y" }));
        let skin = gltf.push("skins", json!({ "joints": [first, first + 1] }));
        gltf.push("nodes", json!({ "mesh": 0, "skin": skin }));
    }
    let start = std::time::Instant::now();
    assert_eq!(characters(&gltf.to_glb()).unwrap().len(), count + 1);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn joints_keep_their_names_in_each_character() {
    for model in each(&in_one_file(&[("a", &box_man()), ("b", &box_man()), ("c", &box_man())])) {
        assert!(model.skeleton.find("head").is_some() && model.skeleton.find("head_2").is_none());
    }
}

/// A file without a skin has motions. With a skin, the motions are the clips of the character, for all nodes as joints.
#[test]
fn motions_need_no_skin() {
    let mut gltf = box_man().to_gltf();
    let whole = import_motion(&gltf.to_glb(), &NoExternalFiles).unwrap();
    let clips = import(&gltf.to_glb(), &NoExternalFiles).unwrap().clips;
    assert_eq!((&whole.clips, whole.skeleton.len(), whole.meshes.len()), (&clips, box_man().joints.len() + 1, 0));
    assert!(has_skinned_mesh(&gltf.to_glb()) && !has_skinned_mesh(b"glTF"));
    gltf.json.as_object_mut().unwrap().remove("skins");
    for node in gltf.json["nodes"].as_array_mut().unwrap() {
        node.as_object_mut().unwrap().remove("skin");
    }
    assert!(!has_skinned_mesh(&gltf.to_glb()));
    assert!(matches!(import(&gltf.to_glb(), &NoExternalFiles), Err(ImportError::NoSkin { .. })));
    assert_eq!(import_motion(&gltf.to_glb(), &NoExternalFiles).unwrap().clips, clips);
}
