//! Tests `bonebox.toml` through the program.

use crate::program::{bonebox, told};
use baked_format::BakedCharacter;
use skeleton::humanoid::{HumanBone, HumanoidSource};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with the made-up characters `limb.glb` and `man.glb`, and a settings file.
fn folder(settings: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("limb.glb"), test_models::box_limb().to_glb()).unwrap();
    fs::write(folder.path().join("man.glb"), test_models::box_man().to_glb()).unwrap();
    fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    folder
}

fn baked(file: PathBuf) -> BakedCharacter {
    baked_format::read(&fs::read(file).unwrap()).unwrap()
}

/// The result of each character in the table of a bake.
fn results(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = bonebox(folder, &[&["bake", "."], arguments].concat());
    let table = String::from_utf8(output.stdout.clone()).unwrap();
    let rows = table.lines().skip(1).take_while(|line| !line.is_empty());
    let rows: Vec<String> = rows.map(|row| row.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect();
    assert!(!rows.is_empty(), "{}", told(&output));
    rows
}

#[test]
fn the_nearest_settings_file_applies_however_the_asset_is_named() {
    let folder = folder("min_thickness = 0.01\n");
    let below = folder.path().join("props/old");
    fs::create_dir_all(&below).unwrap();
    fs::rename(folder.path().join("man.glb"), below.join("man.glb")).unwrap();
    let thickness = |arguments: &[&str], file: &Path| {
        let output = bonebox(folder.path(), arguments);
        assert!(output.status.success(), "{}", told(&output));
        let options = baked(file.to_owned()).options;
        options.into_iter().find(|(key, _)| key == "min_thickness").map(|(_, value)| value)
    };
    let man = below.join("man.bonebox");
    for path in [".", "props", "props/old/man.glb", "props/../props/old"] {
        assert_eq!(thickness(&["bake", path, "--force"], &man).as_deref(), Some("0.01"), "{path}");
    }
    assert_eq!(thickness(&["bake", ".", "--min-thickness", "0.5"], &man).as_deref(), Some("0.5"));
    assert_eq!(thickness(&["bake", ".", "--no-settings"], &man), None);
    assert_eq!(thickness(&["bake", ".", "--preset", "recipe"], &man), None, "a preset resets all options");
    fs::write(folder.path().join("other.toml"), "min_thickness = 0.03").unwrap();
    assert_eq!(thickness(&["bake", ".", "--settings", "other.toml"], &man).as_deref(), Some("0.03"));
    fs::write(folder.path().join("props/bonebox.toml"), "min_thickness = 0.02").unwrap();
    assert_eq!(thickness(&["bake", "."], &man).as_deref(), Some("0.02"), "nearer");
    assert_eq!(thickness(&["bake", "."], &folder.path().join("limb.bonebox")).as_deref(), Some("0.01"));
    // Settings files above the root of a checkout do not apply.
    fs::remove_file(folder.path().join("props/bonebox.toml")).unwrap();
    fs::create_dir(folder.path().join("props/.git")).unwrap();
    assert_eq!(thickness(&["bake", "."], &man), None);
}

#[test]
fn an_edit_bakes_only_the_characters_that_it_affects() {
    let folder = folder("");
    let write = |settings: &str| fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    let results = || results(folder.path(), &[]);
    let (both, none) = (["limb.glb baked", "man.glb baked"], ["limb.glb unchanged", "man.glb unchanged"]);
    let only_man = ["limb.glb unchanged", "man.glb baked"];
    assert_eq!(results(), both);
    assert_eq!(results(), none);
    write("# a comment\n[limits]\nleast_surface_rest = 0.1\n");
    assert_eq!(results(), none, "limits do not change boxes");
    write("[characters.man]\nmargin = 0.01\n");
    assert_eq!(results(), only_man);
    write("[characters.man]\nmargin = 0.01\n[tags]\n\"*wing*\" = \"wing\"\n");
    assert_eq!(results(), none, "no joint is a wing");
    write("[characters.man.joints.head]\ntags = \"head\"\n");
    assert_eq!(results(), only_man);
    assert_eq!(results(), none);
    write(
        "[characters.man.joints.head]\ntags = \"head\"\nboxes = [{ center = [0, 0, 0], half_extents = [1, 1, 1] }]\n",
    );
    assert_eq!(results(), only_man);
    write("margin = 0.02");
    assert_eq!(results(), both);
    fs::remove_file(folder.path().join("bonebox.toml")).unwrap();
    assert_eq!(results(), both);
}

#[test]
fn manual_boxes_tags_and_sets_are_in_the_file_and_survive_bakes() {
    let folder = folder(
        r#"
[tags]
"*" = "body"
[sets]
hurt = ["head", "body"]
[characters.man.joints.head]
tags = "head"
skip = true
[[characters.man.joints.head.boxes]]
center = [0.0, 0.1, 0.0]
half_extents = [0.25, 0.5, 0.75]
orientation = [0.0, 0.0, 0.0, 2.0]
tags = ["helmet"]
"#,
    );
    for _ in 0..2 {
        assert!(bonebox(folder.path(), &["bake", ".", "--force"]).status.success());
        let man = baked(folder.path().join("man.bonebox"));
        let head = man.skeleton.find("head").unwrap();
        let boxes: Vec<_> = man.boxes.iter().filter(|one| one.joint == head).collect();
        assert_eq!(boxes.len(), 1);
        assert_eq!(boxes[0].half_extents.to_array(), [0.25, 0.5, 0.75]);
        assert_eq!(boxes[0].orientation.to_array(), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(boxes[0].tags, ["body", "head", "helmet", "hurt"]);
        assert!(man.boxes.iter().all(|one| one.tags.contains(&"hurt".to_owned())));
    }
    assert!(bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]).status.success());
}

#[test]
fn a_broken_limit_fails_the_bake_and_keeps_the_earlier_outputs() {
    let folder = folder("");
    assert!(bonebox(folder.path(), &["bake", "."]).status.success());
    let before = fs::read(folder.path().join("man.bonebox")).unwrap();
    let limits = "[characters.man.limits]\nleast_surface_clips = 1.0\nmost_escape = 0.001\nmost_volume_ratio = 0.5\n";
    fs::write(folder.path().join("bonebox.toml"), limits).unwrap();
    // Limits also apply to earlier bakes.
    insta::assert_snapshot!("limits_of_an_earlier_bake", told(&bonebox(folder.path(), &["bake", ".", "--jobs", "1"])));
    let other = bonebox(folder.path(), &["bake", ".", "--margin", "0.001", "--jobs", "1"]);
    assert!(told(&other).contains(" refused "), "{}", told(&other));
    assert_eq!(other.status.code(), Some(1));
    assert!(fs::read(folder.path().join("man.bonebox")).unwrap() == before);
    assert!(fs::read(folder.path().join("limb.bonebox")).unwrap() != before);
    let check = bonebox(folder.path(), &["bake", ".", "--check", "--quiet"]);
    assert_eq!(check.status.code(), Some(1), "{}", told(&check));
}

#[test]
fn mistakes_are_shown_with_file_and_line() {
    let mistakes = [
        ("unknown_key", "margin = 0.1\npresett = \"tight\"\n"),
        ("unknown_character", "[characters.limp]\nmargin = 0.1\n"),
        ("unknown_joint", "[characters.man.joints.haed]\nskip = true\n"),
        ("no_toml", "preset = tight\n"),
    ];
    for (name, settings) in mistakes {
        let folder = folder(settings);
        insta::assert_snapshot!(
            format!("settings_{name}"),
            told(&bonebox(folder.path(), &["bake", ".", "--jobs", "1"]))
        );
    }
    let folder = folder("");
    fs::write(folder.path().join("bonebox.toml"), b"# ok\n# \xff\n").unwrap();
    insta::assert_snapshot!("settings_no_utf8", told(&bonebox(folder.path(), &["bake", "man.glb"])));
    let missing = bonebox(folder.path(), &["bake", ".", "--settings", "nowhere.toml"]);
    insta::assert_snapshot!("settings_missing", told(&missing));
}

#[test]
fn init_writes_a_file_with_cover_and_parts_and_never_overwrites() {
    let folder = folder("");
    fs::remove_file(folder.path().join("bonebox.toml")).unwrap();
    let boxes = |more: &[&str]| {
        assert!(bonebox(folder.path(), &[&["bake", ".", "--quiet"], more].concat()).status.success());
        let baked = baked(folder.path().join("man.bonebox"));
        baked
            .boxes
            .into_iter()
            .map(|one| (one.joint, one.center, one.half_extents, one.orientation))
            .collect::<Vec<_>>()
    };
    let expected = boxes(&["--preset", "cover", "--parts", "18"]);
    insta::assert_snapshot!("init", told(&bonebox(folder.path(), &["init", "."])));
    let text = fs::read_to_string(folder.path().join("bonebox.toml")).unwrap();
    insta::assert_snapshot!("init_file", text);
    assert!(fs::read_to_string(folder.path().join("bonebox.schema.json")).unwrap() == bake_settings::schema());
    assert_eq!(boxes(&[]), expected);
    let man = baked(folder.path().join("man.bonebox"));
    let head = man.boxes.iter().find(|one| man.skeleton.joint(one.joint).name == "head").unwrap();
    assert_eq!(head.tags, ["head", "hurt"]);
    fs::write(folder.path().join("bonebox.toml"), "margin = 0.1").unwrap();
    insta::assert_snapshot!("init_again", told(&bonebox(folder.path(), &["init", "man.glb"])));
    assert_eq!(fs::read_to_string(folder.path().join("bonebox.toml")).unwrap(), "margin = 0.1");
    assert!(bonebox(folder.path(), &["init", ".", "--force"]).status.success());
    assert_eq!(fs::read_to_string(folder.path().join("bonebox.toml")).unwrap(), text);
}

#[test]
fn presets_are_compared_below_the_table() {
    let folder = folder("");
    let one = told(&bonebox(folder.path(), &["bake", "limb.glb"]));
    insta::assert_snapshot!("compare", one);
    assert!(
        !told(&bonebox(folder.path(), &["bake", "limb.glb"])).contains("tight"),
        "an unchanged asset is not compared"
    );
    assert!(!told(&bonebox(folder.path(), &["bake", "limb.glb", "--force", "--no-compare"])).contains("tight"));
    let many = |more: &[&str]| told(&bonebox(folder.path(), &[&["bake", ".", "--force"], more].concat()));
    assert!(!many(&[]).contains("tight"), "several assets are not compared by default");
    assert_eq!(many(&["--compare"]).matches("tight").count(), 2);
}

/// The cells of a line in a table, for the columns of coverage and escapes by the heading of the table.
fn figures(heading: &str, line: &str) -> Vec<String> {
    let cells =
        |line: &str| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    let (names, cells): (Vec<String>, Vec<String>) = (cells(heading), cells(line));
    ["boxes", "at rest", "moving", "escape"]
        .map(|name| cells[names.iter().position(|one| one == name).unwrap()].clone())
        .into()
}

#[test]
fn a_bake_and_its_comparison_show_the_same_figures() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb"), folder.path().join("runa.glb"))
        .unwrap();
    let output = bonebox(folder.path(), &["bake", "runa.glb", "--preset", "tight", "--compare"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let (above, below) = text.split_once("\n\n").unwrap();
    let (above, below): (Vec<&str>, Vec<&str>) = (above.lines().collect(), below.lines().collect());
    let tight = below.iter().find(|line| line.contains(" tight ")).unwrap();
    assert_eq!(figures(above[0], above[1]), figures(below[0], tight), "{text}");
    assert!(!text.contains("(this bake)"), "{text}");
    // If an option in which presets differ has another value than in its preset, the bake has a row of its own.
    let output = bonebox(folder.path(), &["bake", "runa.glb", "--budget", "1.5", "--measure", "rest", "--compare"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let (above, below) = text.split_once("\n\n").unwrap();
    let (above, below): (Vec<&str>, Vec<&str>) = (above.lines().collect(), below.lines().collect());
    assert!(below[1].contains(" (this bake) "), "{text}");
    assert_eq!(figures(above[0], above[1]), figures(below[0], below[1]), "{text}");
}

#[test]
fn exported_boxes_can_be_imported_unchanged() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let cases = [("hound", "omi", "box"), ("runa", "khr", "box"), ("hound", "khr", "auto"), ("runa", "omi", "capsule")];
    for (name, form, shape) in cases {
        let folder = tempfile::tempdir().unwrap();
        let at = |ending: &str| folder.path().join(format!("{name}.{ending}"));
        fs::copy(assets.join(format!("{name}.glb")), at("glb")).unwrap();
        let settings = format!("# ours\nmeasure = \"rest\"\nshape = \"{shape}\"\n[tags]\n\"*\" = \"body\"\n");
        fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
        let run = |arguments: &[&str]| {
            let output = bonebox(folder.path(), arguments);
            assert!(output.status.success(), "{}", told(&output));
            String::from_utf8(output.stdout).unwrap()
        };
        run(&["bake", &format!("{name}.glb"), "--quiet"]);
        let before = baked(at("bonebox")).boxes;
        run(&["export", &format!("{name}.glb"), "--to", form]);
        let told = run(&["import", &format!("{name}.{form}.glb")]);
        assert!(told.contains(&format!("{} boxes", before.len())), "{told}");
        let settings = fs::read_to_string(folder.path().join("bonebox.toml")).unwrap();
        assert!(settings.starts_with("# ours\n"), "{settings}");
        run(&["bake", &format!("{name}.glb"), "--quiet"]);
        let after = baked(at("bonebox")).boxes;
        assert_eq!(after.len(), before.len());
        for (after, before) in after.iter().zip(&before) {
            assert_eq!(after.vertices, 0, "the joint has no fitted box");
            assert_eq!((after.joint, after.shape, &after.tags), (before.joint, before.shape, &before.tags));
            assert_eq!((after.center, after.orientation), (before.center, before.orientation));
            // The export multiplies by the joint's scale and the import divides by it, with three roundings of f32.
            let error = (after.half_extents - before.half_extents).abs() / before.half_extents;
            assert!(error.max_element() <= 3.0 * f32::EPSILON, "{after:?} {before:?}");
        }
    }
}

/// The made-up man with nodes and shapes as other tools write them.
fn man_with_shapes() -> String {
    let glb = test_models::box_man().to_gltf().to_embedded();
    let mut json: serde_json::Value = serde_json::from_str(&glb).unwrap();
    let node_of = |json: &serde_json::Value, name: &str| {
        json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap()
    };
    json["extensions"] = serde_json::json!({
        "KHR_implicit_shapes": { "shapes": [
            { "type": "box", "box": { "size": [2.0, 4.0, 6.0] } },
            { "type": "capsule", "capsule": { "height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.25 } },
            { "type": "plane", "plane": {} },
            { "type": "capsule", "capsule": { "height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.5 } },
        ] },
        "OMI_physics_shape": { "shapes": [{ "type": "sphere", "sphere": { "radius": 0.25 } }] },
    });
    let khr = |shape: u32, part: &str| {
        let mut body = serde_json::json!({});
        body[part] = serde_json::json!({ "geometry": { "shape": shape } });
        serde_json::json!({ "KHR_physics_rigid_bodies": body })
    };
    let added = [
        ("head", serde_json::json!({ "name": "hat holder", "translation": [0.0, 1.0, 0.0], "scale": [0.5, 0.5, 0.5] })),
        (
            "hat holder",
            serde_json::json!({ "name": "hat", "translation": [2.0, 0.0, 0.0], "extensions": khr(0, "trigger") }),
        ),
        ("chest", serde_json::json!({ "name": "vest", "extensions": khr(1, "collider") })),
        ("chest", serde_json::json!({ "name": "floor", "extensions": khr(2, "collider") })),
        ("hips", serde_json::json!({ "name": "belt", "scale": [0.5, 0.5, 0.5], "extensions": khr(3, "collider") })),
        ("hips", serde_json::json!({ "name": "egg", "scale": [1.0, 1.0, 0.5], "extensions": khr(3, "collider") })),
        (
            "hips",
            serde_json::json!({ "name": "mesh", "extensions": { "OMI_physics_body": { "trigger": { "mesh": 0 } } } }),
        ),
        (
            "shin.left",
            serde_json::json!({ "name": "ball", "extensions": { "OMI_physics_body": { "trigger": { "shape": 0 } } } }),
        ),
    ];
    for (parent, node) in added {
        let (index, parent) = (json["nodes"].as_array().unwrap().len(), node_of(&json, parent));
        json["nodes"].as_array_mut().unwrap().push(node);
        let children = &mut json["nodes"][parent]["children"];
        if children.is_null() {
            *children = serde_json::json!([]);
        }
        children.as_array_mut().unwrap().push(index.into());
    }
    json.to_string()
}

#[test]
fn shapes_of_other_tools_are_taken_and_the_rest_is_told() {
    let folder = folder("");
    fs::remove_file(folder.path().join("bonebox.toml")).unwrap();
    fs::write(folder.path().join("physics.gltf"), man_with_shapes()).unwrap();
    let output = bonebox(folder.path(), &["import", "physics.gltf", "--character", "man", "--keep-fitted"]);
    let text = fs::read_to_string(folder.path().join("bonebox.toml")).unwrap_or_default();
    insta::assert_snapshot!("import_gltf", format!("{}--- bonebox.toml\n{text}", told(&output)));
}

#[test]
fn hbox_lines_are_taken() {
    let folder = folder("# ours\n");
    let qc = "$hboxset \"default\"\n$hbox 1 \"head\" -4 0 -4 4 8 4\n$hbox 4 \"arm\" 0 0 0 1 1 1\n$hbox 3 chest 0 0\n";
    fs::write(folder.path().join("man.qc"), qc).unwrap();
    let output = bonebox(folder.path(), &["import", "man.qc", "--unit", "0.025"]);
    let text = fs::read_to_string(folder.path().join("bonebox.toml")).unwrap();
    insta::assert_snapshot!("import_qc", format!("{}--- bonebox.toml\n{text}", told(&output)));
    fs::rename(folder.path().join("man.qc"), folder.path().join("mann.qc")).unwrap();
    fs::write(folder.path().join("PHYS_Hero.json"), r#"[{"Type": "PhysicsAsset", "Name": "PHYS_Hero"}]"#).unwrap();
    fs::write(folder.path().join("PHYS_Ann.json"), r#"{"Type": "PhysicsAsset", "Name": "PHYS_Ann"}"#).unwrap();
    insta::assert_snapshot!("import_list", told(&bonebox(folder.path(), &["import", "PHYS_Hero.json"])));
    insta::assert_snapshot!("import_json", told(&bonebox(folder.path(), &["import", "PHYS_Ann.json"])));
    insta::assert_snapshot!("import_whose", told(&bonebox(folder.path(), &["import", "mann.qc"])));
    fs::write(folder.path().join("mann.qc"), "$modelname x\n").unwrap();
    let nothing = bonebox(folder.path(), &["import", "mann.qc", "--character", "man"]);
    insta::assert_snapshot!("import_nothing", told(&nothing));
}

#[test]
fn a_pattern_must_match_in_some_character_of_the_folder() {
    let folder = folder("[tags]\nhead = \"head\"\n");
    assert!(bonebox(folder.path(), &["bake", "limb.glb"]).status.success(), "the pattern matches in the man");
    fs::write(folder.path().join("bonebox.toml"), "merge = [\"*finger*\"]\n[tags]\n\"*haed*\" = \"head\"\n").unwrap();
    insta::assert_snapshot!("pattern_in_no_character", told(&bonebox(folder.path(), &["bake", "man.glb"])));
    fs::remove_file(folder.path().join("bonebox.toml")).unwrap();
    assert!(bonebox(folder.path(), &["bake", ".", "--exclude", "head"]).status.success());
    insta::assert_snapshot!(
        "pattern_of_the_command_line",
        told(&bonebox(folder.path(), &["bake", "limb.glb", "--force", "--exclude", "head"]))
    );
}

#[test]
fn a_folder_with_exports_bakes_its_characters_alone() {
    let folder = folder("");
    let run = |arguments: &[&str]| told(&bonebox(folder.path(), arguments));
    for form in ["omi", "khr", "vrm", "wire"] {
        run(&["export", "man.glb", "--to", form]);
    }
    let baked = run(&["bake", "."]);
    assert!(
        baked.contains("note: 4 not baked, because they are exports of bonebox (such as ./man.khr.glb)"),
        "{baked}"
    );
    assert!(!folder.path().join("man.omi.bonebox").exists(), "{baked}");
    let named = run(&["bake", "man.omi.glb", "--no-compare"]);
    assert!(named.contains("man.omi.glb  baked"), "{named}");
}

#[test]
fn an_export_overwrites_only_its_like() {
    let folder = folder("");
    let run = |arguments: &[&str]| told(&bonebox(folder.path(), arguments));
    assert!(run(&["export", "man.glb", "--to", "ron", "-o", "boxes"]).starts_with("exit code 0"));
    assert!(run(&["export", "man.glb", "--to", "ron", "-o", "boxes"]).starts_with("exit code 0"));
    let other = run(&["export", "limb.glb", "--to", "ron", "-o", "boxes"]);
    assert!(other.contains("boxes exists and is an export of man.glb to ron; no file was written"), "{other}");
    assert!(run(&["export", "limb.glb", "--to", "ron", "-o", "boxes", "--force"]).starts_with("exit code 0"));
    // A folder gets the default name.
    fs::create_dir(folder.path().join("out")).unwrap();
    assert!(run(&["export", "man.glb", "--to", "omi", "-o", "out"]).starts_with("exit code 0"));
    assert!(folder.path().join("out/man.omi.glb").exists());
}

#[test]
fn a_box_in_centimeters_is_warned_about_with_its_line() {
    let folder = folder(
        "margin = 0.2\n\n[[characters.man.joints.head.boxes]]\ncenter = [0, 12, 0]\nhalf_extents = [9, 13, 11]\n",
    );
    let output = bonebox(folder.path(), &["bake", "man.glb"]);
    assert!(output.status.success(), "{}", told(&output));
    let lines: Vec<String> =
        told(&output).lines().filter(|line| line.contains("implausible")).map(str::to_owned).collect();
    insta::assert_snapshot!("box_in_centimeters", lines.join("\n"));
    // The file does not hold the line, so that an edit of a comment changes no byte of it.
    assert!(baked(folder.path().join("man.bonebox")).warnings.iter().all(|warning| !warning.text.contains("toml")));
    assert!(told(&bonebox(folder.path(), &["bake", "man.glb"])).contains("bonebox.toml:3"), "also for an earlier bake");
}

#[test]
fn a_round_shape_in_any_pose_is_refused_with_its_line() {
    let folder = folder("preset = \"always\"\n\n[characters.man.joints.head]\nshape = \"sphere\"\n");
    let error = |arguments: &[&str]| {
        let output = bonebox(folder.path(), &[&["bake", "man.glb"], arguments].concat());
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let in_file = error(&[]);
    assert!(in_file.contains("bonebox.toml:4:"), "{in_file}");
    assert!(in_file.contains("set shape = \"box\", or poses = \"clips\""), "{in_file}");
    let asked = error(&["--shape", "capsule"]);
    assert!(asked.contains("shape is \"capsule\"") && !asked.contains("bonebox.toml"), "{asked}");
    assert!(!folder.path().join("man.bonebox").exists());
}

/// A character has a humanoid where one is found, or where the settings ask for one; then what is missing is an error with
/// its place.
#[test]
fn a_humanoid_is_found_given_or_refused() {
    let folder = folder("");
    fs::remove_file(folder.path().join("limb.glb")).unwrap();
    let write = |settings: &str| fs::write(folder.path().join("bonebox.toml"), settings).unwrap();
    let humanoid = |name: &str| baked(folder.path().join(name)).humanoid;
    let error = || {
        let output = bonebox(folder.path(), &["bake", "man.glb"]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(results(folder.path(), &[]), ["man.glb baked"]);
    assert_eq!(humanoid("man.bonebox"), None, "a man without hands and feet");
    let inspected = told(&bonebox(folder.path(), &["inspect", "man.bonebox"]));
    let reason = "no humanoid: no joint was found for the bone leftFoot, which every humanoid needs";
    assert!(inspected.contains(reason), "{inspected}");
    write("[humanoid]\nhead = \"head\"\nspine = \"chest\"\n");
    let missing = error();
    for part in [
        "bonebox.toml:1:2: the character \"man\": no joint was found for the bone leftFoot, which every humanoid needs",
        "[characters.\"man\".humanoid]",
    ] {
        assert!(missing.contains(part), "{missing}");
    }
    write("[characters.man.humanoid]\nspine = \"chest\"\nleftLowerLeg = \"shin.lef\"\n");
    let unknown = error();
    for part in ["bonebox.toml:3:16", "names the joint \"shin.lef\"", "similar names are \"shin.left\""] {
        assert!(unknown.contains(part), "{unknown}");
    }
    fs::remove_file(folder.path().join("man.glb")).unwrap();

    let runa = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
    fs::copy(runa, folder.path().join("runa.glb")).unwrap();
    let joint = |bone: HumanBone| {
        let runa = baked(folder.path().join("runa.bonebox"));
        let joint = runa.humanoid.as_ref().unwrap().joint(bone);
        joint.map(|joint| runa.skeleton.joint(joint).name.clone())
    };
    write("");
    results(folder.path(), &[]);
    assert_eq!(humanoid("runa.bonebox").unwrap().source(), HumanoidSource::Guessed);
    assert_eq!(joint(HumanBone::Chest).as_deref(), Some("spine_02"));
    write("[humanoid]\nchest = \"spine_03\"\n");
    assert_eq!(results(folder.path(), &[]), ["runa.glb baked"], "an edit bakes again");
    assert_eq!(humanoid("runa.bonebox").unwrap().source(), HumanoidSource::Settings);
    assert_eq!((joint(HumanBone::Chest).as_deref(), joint(HumanBone::UpperChest)), (Some("spine_03"), None));
    let shown = String::from_utf8(bonebox(folder.path(), &["inspect", "runa.bonebox"]).stdout).unwrap();
    assert!(
        shown.contains("humanoid, given in bonebox.toml: 51 bones\n  hips = pelvis, spine = spine_01, "),
        "{shown}"
    );
    write("[characters.runa]\nhumanoid = false\n");
    assert_eq!(results(folder.path(), &[]), ["runa.glb baked"]);
    assert_eq!(humanoid("runa.bonebox"), None);
}
