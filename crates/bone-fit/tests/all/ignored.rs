//! The options `ignore` and `helpers`: skin that no hitbox needs to hold.

use baked_format::{BakedCharacter, Source};
use bone_fit::{BakeError, BakeOptions, bake, surface_names};
use serde_json::json;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use test_models::Gltf;

fn model(gltf: &Gltf) -> SkinnedModel {
    import(&gltf.to_glb(), &NoExternalFiles).unwrap()
}

fn try_baked(gltf: &Gltf, words: &[(&str, &str)]) -> Result<BakedCharacter, BakeError> {
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let source = Source { file: "ignored.glb".into(), blake3: [0; 32], generator: String::new() };
    bake(&model(gltf), "ignored", source, &options).map(|bake| bake.character)
}

fn baked(gltf: &Gltf, words: &[(&str, &str)]) -> BakedCharacter {
    try_baked(gltf, words).unwrap()
}

fn joints(character: &BakedCharacter) -> Vec<&str> {
    character.boxes.iter().map(|hitbox| character.skeleton.joint(hitbox.joint).name.as_str()).collect()
}

fn warning<'a>(character: &'a BakedCharacter, code: &str) -> Option<&'a str> {
    character.warnings.iter().find(|warning| warning.code == code).map(|warning| warning.text.as_str())
}

fn coverage(character: &BakedCharacter) -> [f32; 2] {
    let coverage = character.coverage.as_ref().unwrap();
    [coverage.surface_rest, coverage.surface_clips]
}

/// The area of the triangles of the first mesh whose corners all satisfy `is_counted`.
fn area(model: &SkinnedModel, is_counted: impl Fn(usize) -> bool) -> f64 {
    let mesh = &model.meshes[0];
    let at = |corner: u32| mesh.positions[corner as usize].as_dvec3();
    let counted = mesh.triangles.iter().filter(|corners| corners.iter().all(|&corner| is_counted(corner as usize)));
    counted.map(|&[a, b, c]| (at(b) - at(a)).cross(at(c) - at(a)).length() / 2.0).sum()
}

#[test]
fn ignored_joints_get_no_hitboxes_and_do_not_count() {
    let man = test_models::box_man().to_gltf();
    let [all, ignoring, excluding] =
        [[("rate", "30")], [("ignore", "head,optional:tail*")], [("exclude", "head")]].map(|words| baked(&man, &words));
    assert_eq!(joints(&ignoring), joints(&excluding));
    assert!(joints(&all).contains(&"head") && !joints(&ignoring).contains(&"head"));
    assert_eq!(coverage(&ignoring), [1.0; 2]);
    assert!(coverage(&excluding)[0] < 0.99);
    let model = model(&man);
    let head = model.skeleton.find("head").unwrap();
    let mesh = &model.meshes[0];
    let of_head = |vertex: usize| mesh.joints[usize::from(mesh.influences.of(vertex).0[0])] == head;
    let share = 100.0 * area(&model, of_head) / area(&model, |_| true);
    assert_eq!(warning(&ignoring, "skin-ignored"), Some(format!("head: {share:.1} % of the skin ignored").as_str()));
    assert_eq!([warning(&all, "skin-ignored"), warning(&ignoring, "unassigned-vertices")], [None; 2]);
}

/// The man, whose head is a primitive with a material of its own. Both primitives share one list of vertices.
fn man_with_materials() -> Gltf {
    let mut man = test_models::box_man().to_gltf();
    let model = model(&man);
    let head = model.skeleton.find("head").unwrap();
    let mesh = &model.meshes[0];
    let is_head = |corner: u32| mesh.joints[usize::from(mesh.influences.of(corner as usize).0[0])] == head;
    let mut primitives = Vec::new();
    for (of_head, material) in [(false, 0), (true, 1)] {
        let corners = mesh.triangles.iter().flatten().filter(|&&corner| is_head(corner) == of_head);
        let corners: Vec<f64> = corners.map(|&corner| f64::from(corner)).collect();
        let mut primitive = man.json["meshes"][0]["primitives"][0].clone();
        primitive["indices"] = json!(man.accessor("SCALAR", test_models::Component::U32, false, &corners));
        primitive["material"] = json!(material);
        primitives.push(primitive);
    }
    man.json["meshes"][0]["primitives"] = json!(primitives);
    man.json["materials"] = json!([{ "name": "Skin" }, { "name": "M_Hair" }]);
    man
}

#[test]
fn materials_meshes_and_nodes_can_be_ignored() {
    let man = man_with_materials();
    assert_eq!(surface_names(&model(&man)), ["M_Hair", "Skin", "box man"]);
    let by_material = baked(&man, &[("ignore", "m_hair")]);
    let text = warning(&by_material, "skin-ignored").unwrap();
    let by_joint = baked(&test_models::box_man().to_gltf(), &[("ignore", "head")]);
    assert_eq!(text.replace("m_hair", "head"), warning(&by_joint, "skin-ignored").unwrap());
    assert_eq!(by_material.boxes, by_joint.boxes);
    // Unreadable materials stop no import.
    let mut broken = man;
    broken.json["materials"] = json!([{ "name": 5 }, 7]);
    assert_eq!(surface_names(&model(&broken)), ["box man"]);

    let tank = test_models::tank();
    assert_eq!(joints(&baked(&tank, &[])).iter().filter(|joint| **joint == "turret").count(), 1);
    let without = baked(&tank, &[("ignore", "turret")]);
    assert!(!joints(&without).contains(&"turret"), "{:?}", joints(&without));
    let without_gun = baked(&tank, &[("ignore", "gun")]);
    assert_eq!(joints(&without_gun), ["chassis", "hull", "track", "turret"]);
    // The antenna belongs to the hull, which keeps its own vertices.
    let hull = |character: &BakedCharacter| {
        character.boxes.iter().find(|one| character.skeleton.joint(one.joint).name == "hull").unwrap().vertices
    };
    assert_eq!([hull(&baked(&tank, &[])), hull(&baked(&tank, &[("ignore", "antenna")]))], [16, 8]);
}

#[test]
fn helpers_and_coarser_levels_are_ignored_unless_they_are_asked_for() {
    let plain = test_models::box_man().to_gltf();
    let mut man = test_models::box_man().to_gltf();
    let mesh = man.json["meshes"][0].clone();
    for name in ["Body_LOD1", "UCX_body", "far away"] {
        let mut mesh = mesh.clone();
        mesh["name"] = json!(name);
        let mesh = man.push("meshes", mesh);
        man.push("nodes", json!({ "name": name, "mesh": mesh, "skin": 0 }));
    }
    let nodes = man.json["nodes"].as_array().unwrap().len();
    let first = nodes - 4;
    man.json["nodes"][first]["name"] = json!("Body_LOD0");
    man.json["nodes"][first]["extensions"] = json!({ "MSFT_lod": { "ids": [nodes - 1, 999] } });
    man.json["extensionsUsed"] = json!(["MSFT_lod"]);
    let [expected, found] = [&plain, &man].map(|gltf| baked(gltf, &[("preset", "cover")]));
    assert_eq!(found.boxes, expected.boxes);
    assert_eq!(found.coverage, expected.coverage);
    let text = warning(&found, "helpers-ignored").unwrap();
    assert!(text.starts_with("Body_LOD1, UCX_body, far away: ignored as collision helpers"), "{text}");
    assert_eq!([warning(&found, "unassigned-vertices"), warning(&expected, "helpers-ignored")], [None; 2]);
    let all = baked(&man, &[("preset", "cover"), ("helpers", "include")]);
    assert_eq!(warning(&all, "helpers-ignored"), None);
    let vertices = |character: &BakedCharacter| character.boxes.iter().map(|one| one.vertices).sum::<u32>();
    assert_eq!(vertices(&all), 4 * vertices(&found));
}

/// A mesh may be shown by several nodes with the same skin. It has the names of all of them.
#[test]
fn each_node_that_shows_a_mesh_gives_it_a_name() {
    let shown_by = |nodes: [&str; 2]| {
        let mut man = test_models::box_man().to_gltf();
        let mut second = man.json["meshes"][0].clone();
        second["name"] = json!("second");
        let second = man.push("meshes", second);
        for node in nodes {
            man.push("nodes", json!({ "name": node, "mesh": second, "skin": 0 }));
        }
        man
    };
    let vertices = |gltf: &Gltf, ignore: &str| {
        baked(gltf, &[("ignore", ignore), ("measure", "none")]).boxes.iter().map(|one| one.vertices).sum::<u32>()
    };
    let man = shown_by(["coat", "cape"]);
    let [all, without] = [vertices(&man, ""), vertices(&test_models::box_man().to_gltf(), "")];
    assert_eq!(all, 2 * without);
    for name in ["coat", "cape", "second"] {
        assert_eq!(vertices(&man, name), without, "{name}");
    }
    assert_eq!(surface_names(&model(&man)), ["box man", "cape", "coat", "second"]);
    // What one node shows as skin is skin.
    for (nodes, kept) in [(["UCX_a", "cape"], all), (["cape", "UCX_a"], all), (["UCX_a", "ubx_b"], without)] {
        assert_eq!(vertices(&shown_by(nodes), ""), kept, "{nodes:?}");
    }
    assert_eq!(vertices(&shown_by(["box man_LOD1", "box man_LOD2"]), ""), without);
    assert_eq!(vertices(&shown_by(["box man_LOD1", "cape"]), ""), all);
}

#[test]
fn exact_answers_have_only_the_skin_that_is_not_ignored() {
    for skin in ["lossless", "compact"] {
        let man = man_with_materials();
        let [all, ignoring] = [[("skin", skin), ("ignore", "")], [("skin", skin), ("ignore", "m_hair")]]
            .map(|words| baked(&man, &words).skin.unwrap());
        let count = |skin: &baked_format::Skin| skin.pieces.iter().map(|piece| piece.triangles.len()).sum::<usize>();
        let model = model(&man);
        let head = model.skeleton.find("head").unwrap();
        let of_head = all.pieces.iter().find(|piece| piece.joint == head).unwrap();
        assert!(!of_head.triangles.is_empty());
        assert_eq!(count(&ignoring), count(&all) - of_head.triangles.len(), "{skin}");
        assert!(ignoring.pieces.iter().all(|piece| piece.joint != head));
    }
}

#[test]
fn without_any_skin_the_error_names_what_was_ignored() {
    let mut man = man_with_materials();
    let error = |man: &Gltf, ignore: &str| try_baked(man, &[("ignore", ignore)]).unwrap_err().to_string();
    let told = "no skin is left for hitboxes, because all of it is ignored (skin, m_hair); ignore less of it, or write \
        helpers = \"include\" if collision helpers or levels of detail are skin";
    assert_eq!(error(&man, "skin,m_hair,tail"), told);
    man.json["meshes"][0]["name"] = json!("UCX_man");
    assert!(error(&man, "skin").contains(" is ignored (UCX_man); "));
    // A manual box needs no skin.
    let other = try_baked(&man, &[("helpers", "include"), ("exclude", "*")]).unwrap_err();
    assert!(matches!(other, BakeError::NothingBound { .. }), "{other}");
}
