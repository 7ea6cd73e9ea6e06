//! Tests of runs.

use super::*;

#[test]
fn an_output_folder_keeps_the_tree_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["tree/a/deep/man.glb", "tree/b/man.glb", "tree/man.glb", "else/other.glb"] {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        fs::write(at(name), test_models::box_man().to_glb()).unwrap();
    }
    let mut request = BakeRequest {
        // The inner folder changes nothing, and a file that is named has no folder.
        paths: vec![at("tree/a"), at("tree"), at("else/other.glb")],
        out_dir: Some(at("out")),
        ..BakeRequest::default()
    };
    let baked = |run: BakeRun| run.results.iter().filter(|row| matches!(row.outcome, BakeOutcome::Baked(_))).count();
    assert_eq!(baked(bake_assets(&request, &()).unwrap()), 4);
    for name in ["out/a/deep/man", "out/b/man", "out/man", "out/other"] {
        assert!(at(&format!("{name}.bonebox")).is_file() && at(&format!("{name}.bonebox.json")).is_file(), "{name}");
    }
    request.check = true;
    assert_eq!(baked(bake_assets(&request, &()).unwrap()), 4);
    (request.check, request.flat, request.out_dir) = (false, true, Some(at("flat")));
    let run = bake_assets(&request, &()).unwrap();
    let collide = |row: &&AssetResult| matches!(row.outcome, BakeOutcome::Failed(AssetError::SameOutput { .. }));
    assert_eq!(run.results.iter().filter(collide).count(), 3);
    assert_eq!(baked(run), 1);
}

#[test]
fn a_run_can_stop_at_the_first_failure_and_names_what_it_left() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.glb"), b"no glTF").unwrap();
    for name in ["b.glb", "c.glb"] {
        fs::write(folder.path().join(name), test_models::box_man().to_glb()).unwrap();
    }
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut request = BakeRequest { paths: vec![folder.path().to_owned()], ..BakeRequest::default() };
    request.fail_fast = true;
    let run = one_thread.install(|| bake_assets(&request, &()).unwrap());
    assert_eq!((run.results.len(), run.not_started.len()), (1, 2));
    assert!(!folder.path().join("b.bonebox").exists());
    request.fail_fast = false;
    let run = one_thread.install(|| bake_assets(&request, &()).unwrap());
    assert_eq!((run.results.len(), run.not_started.len()), (3, 0));
}

/// The results are those of a bake that writes: the same characters, the same broken limits, the same errors.
#[test]
fn a_bake_in_memory_writes_nothing_and_has_the_content_of_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut still = test_models::box_man();
    still.clips.clear();
    for (name, bytes) in [("still.glb", still.to_glb()), ("a.glb", b"no glTF".to_vec())] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    fs::write(folder.path().join("refused.glb"), test_models::box_man().to_glb()).unwrap();
    let toml = "preset = 'cover'\n[characters.refused.limits]\nmost_volume_ratio = 0.1\n";
    fs::write(folder.path().join("bonebox.toml"), toml).unwrap();
    let run = |in_memory| {
        let out_dir = Some(folder.path().join("out"));
        let paths = vec![folder.path().to_owned()];
        bake_assets(&BakeRequest { paths, out_dir, in_memory, ..BakeRequest::default() }, &()).unwrap().results
    };
    let kind = |row: &AssetResult| format!("{:?}", std::mem::discriminant(&row.outcome));
    let fresh = run(true);
    assert!(!folder.path().join("out").exists());
    let written = run(false);
    assert!(fresh.iter().map(kind).eq(written.iter().map(kind)));
    let [_, refused, still] = &fresh[..] else { panic!("{fresh:?}") };
    assert!(matches!(&refused.outcome, BakeOutcome::Refused(_, broken) if broken.len() == 1));
    let file = fs::read(folder.path().join("out/still.bonebox")).unwrap();
    assert_eq!(baked_format::write(still.outcome.character().unwrap()).unwrap(), file);
    let again = run(true);
    assert!(matches!(&again[2].outcome, BakeOutcome::Unchanged(found) if baked_format::write(found).unwrap() == file));
}

/// The warning is for the person who bakes: the bytes of the files do not change.
#[test]
fn boxes_for_clips_of_a_character_without_clips_give_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut still = test_models::box_man();
    still.clips.clear();
    fs::write(folder.path().join("still.glb"), still.to_glb()).unwrap();
    fs::write(folder.path().join("moving.glb"), test_models::box_man().to_glb()).unwrap();
    for (preset, warned) in [("cover", true), ("tight", true), ("recipe", false), ("always", false)] {
        fs::write(folder.path().join("bonebox.toml"), format!("preset = {preset:?}")).unwrap();
        for outcome in ["Baked", "Unchanged"] {
            let request = BakeRequest { paths: vec![folder.path().to_owned()], ..BakeRequest::default() };
            let results = bake_assets(&request, &()).unwrap().results;
            let codes = |at: usize| {
                let character = results[at].outcome.character().unwrap();
                character.warnings.iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>()
            };
            assert!(format!("{:?}", results[1].outcome).starts_with(outcome));
            assert!(!codes(0).contains(&"no-clips"), "{preset}");
            assert_eq!(codes(1).contains(&"no-clips"), warned, "{preset}");
            let stored = fs::read(folder.path().join("still.bonebox")).unwrap();
            let stored = baked_format::read(&stored).unwrap();
            assert!(stored.warnings.iter().all(|warning| warning.code != "no-clips"));
            assert_eq!(bone_fit::Figures::of_bake(&stored).coverage_clips, None);
            assert!(bone_fit::Figures::of_bake(&stored).coverage_rest.is_some());
        }
    }
}

/// A man whose whole skin has one material, and with a helmet.
fn man_with(material: &str, helmet: &str) -> Vec<u8> {
    let mut man = test_models::box_man().to_gltf();
    man.json["materials"] = serde_json::json!([{ "name": material }]);
    let mut mesh = man.json["meshes"][0].clone();
    let primitive = &mut mesh["primitives"][0];
    primitive["material"] = 0.into();
    let attributes = primitive["attributes"].as_object_mut().unwrap();
    attributes.retain(|name, _| name == "POSITION");
    let mesh = man.push("meshes", mesh);
    let node = man.push("nodes", serde_json::json!({ "name": helmet, "mesh": mesh }));
    let head = man.json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == "head").unwrap();
    man.json["nodes"][head]["children"] = serde_json::json!([node]);
    man.to_glb()
}

#[test]
fn names_that_ignore_matches_make_a_bake_stale() {
    let folder = tempfile::tempdir().unwrap();
    let (asset, settings) = (folder.path().join("man.glb"), folder.path().join("bonebox.toml"));
    fs::write(&settings, "ignore = [\"steel\", \"optional:cap\"]").unwrap();
    let request = BakeRequest { paths: vec![folder.path().to_owned()], ..BakeRequest::default() };
    let outcome = || bake_assets(&request, &()).unwrap().results.remove(0).outcome;
    let is_ignored = |outcome: &BakeOutcome| {
        let warnings = &outcome.character().unwrap().warnings;
        warnings.iter().find(|one| one.code == "skin-ignored").map(|one| one.text.clone())
    };
    for (material, helmet) in [("steel", "helmet"), ("bronze", "steel")] {
        fs::write(&asset, man_with(material, helmet)).unwrap();
        for expected in ["Baked", "Unchanged"] {
            let outcome = outcome();
            assert!(format!("{outcome:?}").starts_with(expected), "{outcome:?}");
            assert!(is_ignored(&outcome).is_some_and(|text| text.starts_with("steel: ")), "{outcome:?}");
        }
    }
    let failed = || match outcome() {
        BakeOutcome::Failed(error) => error.to_string(),
        other => panic!("a pattern matches nothing: {other:?}"),
    };
    fs::write(&asset, man_with("bronze", "cap")).unwrap();
    let told = failed();
    assert!(told.contains("\"steel\" matches no joint, mesh, node or material of the character \"man\""), "{told}");
    fs::write(&settings, "ignore = [\"optional:steel\", \"cap\"]").unwrap();
    assert!(is_ignored(&outcome()).is_some_and(|text| text.starts_with("cap: ")));
    fs::write(&settings, "ignore = \"caps\"").unwrap();
    let told = failed();
    assert!(told.contains("the nearest name is \"cap\""), "{told}");
}
