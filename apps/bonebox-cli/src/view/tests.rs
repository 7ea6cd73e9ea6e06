//! Tests of the viewer's answers and its server, without a browser.

use super::page::Page;
use super::server;
use super::studio::{PlayerSettings, Studio};
use super::tracker::Tracker;
use bone_fit::BakeOptions;
use page_answers::Query;
use serde_json::Value;
use std::io::{BufRead as _, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;

struct Folder {
    folder: tempfile::TempDir,
    studio: Studio,
}

impl Folder {
    fn with_two_men() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.glb", "b.glb"] {
            std::fs::write(folder.path().join(name), test_models::box_man().to_glb()).unwrap();
        }
        let studio = Studio::new(&[folder.path().to_owned()], Default::default()).unwrap();
        Self { folder, studio }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn ask(&self, question: &str, query: &str) -> Value {
        let answer = self.studio.answer(question, &Query::parse(query)).unwrap();
        serde_json::from_str(&answer.unwrap()).unwrap()
    }

    fn refusal(&self, question: &str, query: &str) -> String {
        format!("{:#}", self.studio.answer(question, &Query::parse(query)).unwrap().unwrap_err())
    }
}

#[test]
fn lists_characters_and_options() {
    let listing = Folder::with_two_men().ask("listing", "");
    let names: Vec<&str> =
        listing["characters"].as_array().unwrap().iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(listing["options"].as_array().unwrap().len(), bone_fit::BakeOption::ALL.len());
}

#[test]
fn a_bake_is_that_of_the_command_line() {
    let folder = Folder::with_two_men();
    let out = folder.path("out").display().to_string();
    let glb = folder.path("a.glb").display().to_string();
    for (option, value) in [("fit", "joint-axes"), ("shape", "hull"), ("preset", "always")] {
        let bake = folder.ask("bake", &format!("id=0&option.{option}={value}"));
        crate::run(["bonebox", "bake", "--quiet", &format!("--{option}"), value, "-o", &out, &glb]);
        let written = std::fs::read_to_string(folder.path("out/a.bonebox.json")).unwrap();
        assert_eq!(bake["bake"], serde_json::from_str::<Value>(&written).unwrap(), "{option} {value}");
        assert_eq!(bake["colors"].as_array().unwrap().len(), bake["bake"]["joints"].as_array().unwrap().len());
    }
}

#[test]
fn a_bake_names_the_characters_that_share_its_hitboxes() {
    let folder = Folder::with_two_men();
    let mut thick = test_models::box_man();
    thick.positions.iter_mut().for_each(|point| point[2] *= 2.0);
    std::fs::write(folder.path("b.glb"), thick.to_glb()).unwrap();
    assert!(folder.ask("bake", "id=0")["shared"].is_null());
    let set = "fit = 'min-volume'\n[[shared]]\nname = 'fighter'\ncharacters = ['a', 'b']\n";
    std::fs::write(folder.path("bonebox.toml"), set).unwrap();
    let [a, b] = [0, 1].map(|id| folder.ask("bake", &format!("id={id}"))["shared"].clone());
    assert_eq!((&a["set"], &a["members"], &a["absent"]), (&"fighter".into(), &[0, 1].into(), &Value::Array(vec![])));
    assert_eq!((&b["set"], &b["members"]), (&a["set"], &a["members"]));
    let ratio = |shared: &Value| shared["volume_ratio"].as_f64().unwrap();
    assert!(ratio(&a) > ratio(&b) && ratio(&b) >= 0.999, "{a} {b}");
    // The page asks again if another character of the set changes.
    let version = folder.ask("version", "id=0");
    assert_eq!(version, folder.ask("version", "id=0"));
    std::fs::write(folder.path("b.glb"), test_models::box_man().to_glb()).unwrap();
    assert_ne!(version, folder.ask("version", "id=0"));
    // A character of the set that is not on the page has its name.
    let alone = Studio::new(&[folder.path("a.glb")], Default::default()).unwrap();
    let answer = alone.answer("bake", &Query::parse("id=0")).unwrap().unwrap();
    let bake: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&bake["shared"]["members"], &bake["shared"]["absent"]), (&[0].into(), &["b"].into()));
}

#[test]
fn a_ragdoll_has_shapes_and_its_report_the_physics_engine() {
    let folder = Folder::with_two_men();
    std::fs::write(folder.path("bonebox.toml"), "[characters.a]\nragdoll = true\n").unwrap();
    let [a, b] = [0, 1].map(|id| folder.ask("bake", &format!("id={id}")));
    let baked = folder.studio.baked(0, &asset_bake::RequestedSettings::default()).unwrap();
    let bodies = &baked.ragdoll.as_ref().unwrap().bodies;
    let shapes = a["body_shapes"].as_array().unwrap();
    assert_eq!((shapes.len(), &b["body_shapes"]), (bodies.len(), &Value::Array(Vec::new())));
    for (body, shapes) in bodies.iter().zip(shapes) {
        for (expected, shape) in baked.body_shapes(body).unwrap().iter().zip(shapes.as_array().unwrap()) {
            let numbers = |value: &Value| serde_json::from_value::<Vec<f32>>(value.clone()).unwrap();
            assert_eq!(numbers(&shape["center"]), expected.center.to_array());
            assert_eq!(numbers(&shape["rotation"]), expected.rotation.to_array());
            assert_eq!(numbers(&shape["box"]), expected.half_extents().to_array());
        }
        assert_eq!(shapes.as_array().unwrap().len(), body.boxes.len());
    }
    let slot = |id: &str| format!(r#"<script id="{id}" type="text/plain"></script>"#);
    std::fs::write(folder.path("viewer.html"), ["embedded", "physics", "baker"].map(slot).concat()).unwrap();
    std::fs::write(folder.path("physics.js.gz"), "rapier").unwrap();
    let path = |name: &str| folder.path(name).display().to_string();
    for (name, has_physics) in [("a.glb", true), ("b.glb", false)] {
        let out = path("report.html");
        crate::run(["bonebox", "report", "--page", &path("viewer.html"), &path(name), "-o", &out]);
        let report = std::fs::read_to_string(out).unwrap();
        assert_eq!(report.contains(">cmFwaWVy</script>"), has_physics, "{name}");
    }
}

#[test]
fn presets_are_compared_with_their_escapes() {
    let folder = Folder::with_two_men();
    let volume = |query: &str| folder.ask("bake", query)["volume"].as_f64().unwrap();
    let (recipe, cover) = (volume("id=0"), volume("id=0&option.preset=cover"));
    assert!(recipe > 0.0 && cover > 0.0 && recipe != cover);
    assert_eq!(recipe, volume("id=0&option.preset=recipe"));
    let bake = folder.ask("bake", "id=0");
    let escapes = folder.ask("escapes", "id=0");
    let worst = &bake["bake"]["coverage"];
    match escapes.as_array().unwrap().first() {
        Some(first) => {
            // One of the numbers is printed with six digits.
            let (told, baked) = (first["distance"].as_f64().unwrap(), worst["max_escape"].as_f64().unwrap());
            assert!((told - baked).abs() < 1e-5, "{told} {baked}");
            assert_eq!(first["clip"], worst["worst"]["clip"]);
        }
        None => assert_eq!(worst["max_escape"], 0.0),
    }
}

#[test]
fn hitboxes_for_any_pose_list_no_escapes_of_their_baked_boxes() {
    let folder = Folder::with_two_men();
    let hound = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/hound.glb");
    std::fs::copy(hound, folder.path("a.glb")).unwrap();
    let bake = folder.ask("bake", "id=0&option.preset=always");
    assert_eq!(bake["bake"]["coverage"]["max_escape"], 0.0);
    assert_eq!(folder.ask("escapes", "id=0&option.preset=always"), Value::Array(Vec::new()));
}

#[test]
fn settings_apply_to_the_page() {
    let folder = Folder::with_two_men();
    let before = folder.ask("bake", "id=0");
    assert_eq!(before["settings"], Value::Null);
    let text = "[limits]\nmost_volume_ratio = 0.5\n[joints.head]\nmargin = 0.1\ntags = \"head\"\n";
    std::fs::write(folder.path("bonebox.toml"), text).unwrap();
    let after = folder.ask("bake", "id=0");
    assert!(after["volume"].as_f64() > before["volume"].as_f64());
    assert!(after["settings"].as_str().unwrap().ends_with("bonebox.toml"));
    assert!(after["broken"][0].as_str().unwrap().contains("at most 0.5"), "{}", after["broken"]);
    std::fs::write(folder.path("bonebox.toml"), "[joints.haed]\nmargin = 0.1\n").unwrap();
    assert!(folder.refusal("bake", "id=0").contains("did you mean \"head\"?"));
}

#[test]
fn the_preset_of_the_settings_is_not_baked_again() {
    let folder = Folder::with_two_men();
    let baked = |words: &[(&str, &str)]| {
        folder.studio.baked(0, &asset_bake::RequestedSettings::default().with_options(words).unwrap()).unwrap()
    };
    let set = baked(&[]);
    assert!(std::sync::Arc::ptr_eq(&set, &baked(&[("preset", "recipe")])), "recipe is the default");
    assert!(!std::sync::Arc::ptr_eq(&set, &baked(&[("preset", "cover")])));
    std::fs::write(folder.path("bonebox.toml"), "[joints.head]\nmargin = 0.1\n").unwrap();
    let changed = baked(&[]);
    assert_ne!(set.boxes, changed.boxes);
    assert!(std::sync::Arc::ptr_eq(&changed, &baked(&[("preset", "recipe")])), "the margin applies to both");
}

#[test]
fn settings_of_another_character_keep_a_bake() {
    let folder = Folder::with_two_men();
    let write = |text: &str| std::fs::write(folder.path("bonebox.toml"), text).unwrap();
    let baked = |id| folder.studio.baked(id, &asset_bake::RequestedSettings::default()).unwrap();
    write("[characters.a.joints.head]\nmargin = 0.1\n");
    let (a, b) = (baked(0), baked(1));
    let version = folder.ask("version", "id=1");
    write("# another comment\n[characters.a.joints.head]\nmargin = 0.2\n[limits]\nmost_escape = 0.0\n");
    assert_ne!(folder.ask("version", "id=1"), version, "the page asks again, because a limit may have changed");
    assert!(std::sync::Arc::ptr_eq(&b, &baked(1)), "only the head of a has another margin");
    let again = baked(0);
    assert_ne!(a.boxes, again.boxes);
    write("[characters.a.joints.head]\nmargin = 0.1\n");
    assert!(std::sync::Arc::ptr_eq(&a, &baked(0)), "an edit that is taken back finds the earlier bake");
    std::fs::write(folder.path("b.glb"), test_models::box_limb().to_glb()).unwrap();
    assert!(!std::sync::Arc::ptr_eq(&b, &baked(1)), "another model is another bake");
}

#[test]
fn joints_belong_to_parts_by_tag_or_by_name() {
    let folder = Folder::with_two_men();
    std::fs::write(folder.path("bonebox.toml"), "[tags]\n\"lower_arm.left\" = \"fist\"\n").unwrap();
    let bake = folder.ask("bake", "id=0");
    let joints = bake["bake"]["joints"].as_array().unwrap().iter().map(|joint| joint["name"].as_str().unwrap());
    let parts = bake["parts"].as_array().unwrap().iter().map(|part| part.as_str().unwrap());
    let parts: std::collections::BTreeMap<&str, &str> = joints.zip(parts).collect();
    assert_eq!(parts["head"], "head");
    assert_eq!(parts["lower_arm.left"], "fist", "{parts:?}");
    assert_eq!(parts["lower_arm.right"], "arm.right", "{parts:?}");
}

#[test]
fn an_applied_proposal_is_in_the_settings_and_comments_stay() {
    let folder = Folder::with_two_men();
    let change = |text: &str| serde_json::from_str(text).unwrap();
    let margin = |value: &str| change(&format!(r#"{{"id":0,"joint":"head","key":"margin","value":"{value}"}}"#));
    let before = folder.ask("bake", "id=0");
    let written: Value = serde_json::from_str(&folder.studio.apply(&margin("0.1")).unwrap()).unwrap();
    assert!(written["file"].as_str().unwrap().ends_with("bonebox.toml"), "{written}");
    assert_eq!(
        (&written["before"], written["after"].as_str()),
        (&Value::Null, Some("[characters.a.joints.head]\nmargin = 0.1\n"))
    );
    let read = || std::fs::read_to_string(folder.path("bonebox.toml")).unwrap();
    assert_eq!(read(), "[characters.a.joints.head]\nmargin = 0.1\n");
    let after = folder.ask("bake", "id=0");
    assert!(after["volume"].as_f64() > before["volume"].as_f64());
    std::fs::write(
        folder.path("bonebox.toml"),
        "# ours\nfit = \"pca\" # quick\n[characters.a.joints.head]\nmargin = 0.1 # a hat\n",
    )
    .unwrap();
    folder.studio.apply(&margin("0.2")).unwrap();
    folder.studio.apply(&change(r#"{"id":0,"joint":null,"key":"preset","value":"cover"}"#)).unwrap();
    let text = read();
    assert!(text.contains("# ours\nfit = \"pca\" # quick\n") && text.contains("margin = 0.2 # a hat"), "{text}");
    assert_eq!(folder.ask("bake", "id=0")["bake"]["options"]["preset"], "cover");
    assert_eq!(folder.ask("bake", "id=1")["bake"]["options"]["preset"], "recipe", "the other stays as it is");
    let overridden = "[characters.a]\nfit = \"pca\"\n[characters.\"*\"]\nfit = \"vertex-pca\"\nmargin = 0.1\n";
    std::fs::write(folder.path("bonebox.toml"), overridden).unwrap();
    let refused = folder.studio.apply(&change(r#"{"id":0,"joint":null,"key":"margin","value":"0.2"}"#)).unwrap_err();
    assert!(format!("{refused:#}").contains("bonebox.toml: the section [characters.\"*\"]"), "{refused:#}");
    std::fs::write(folder.path("bonebox.toml"), &text).unwrap();
    let wrong = folder.studio.apply(&change(r#"{"id":0,"joint":null,"key":"fitt","value":"pca"}"#)).unwrap_err();
    assert!(format!("{wrong:#}").contains("fitt"), "{wrong:#}");
    assert_eq!(read(), text, "a wrong change writes nothing");
}

#[test]
fn changes_at_once_are_all_applied() {
    let folder = Folder::with_two_men();
    let bake = folder.ask("bake", "id=0");
    let joints: Vec<&str> =
        bake["bake"]["joints"].as_array().unwrap().iter().filter_map(|joint| joint["name"].as_str()).collect();
    assert!(joints.len() >= 8);
    std::thread::scope(|scope| {
        for joint in &joints {
            let studio = &folder.studio;
            scope.spawn(move || {
                let change = serde_json::json!({ "id": 0, "joint": joint, "key": "margin", "value": "0.1" });
                studio.apply(&serde_json::from_value(change).unwrap()).unwrap();
            });
        }
    });
    let text = std::fs::read_to_string(folder.path("bonebox.toml")).unwrap();
    assert_eq!(text.matches("margin = 0.1").count(), joints.len(), "{text}");
}

#[test]
fn a_change_that_the_command_line_overrides_is_refused() {
    let folder = Folder::with_two_men();
    let asked = asset_bake::RequestedSettings::default().with_options(&[("margin", "0.3")]).unwrap();
    let studio = Studio::new(&[folder.path("a.glb")], asked).unwrap();
    let change = |joint: Option<&str>| {
        let change = serde_json::json!({ "id": 0, "joint": joint, "key": "margin", "value": "0.1" });
        studio.apply(&serde_json::from_value(change).unwrap())
    };
    assert!(change(None).unwrap_err().to_string().contains("start it without --margin"));
    assert!(!folder.path("bonebox.toml").exists());
    change(Some("head")).expect("the section of a joint overrides the command line");
}

#[test]
fn a_report_holds_every_preset() {
    let folder = Folder::with_two_men();
    let kept = folder.studio.kept(1).unwrap();
    let presets: Vec<Option<&str>> = kept.iter().map(|kept| kept.preset.as_deref()).collect();
    assert_eq!(presets, [None, Some("recipe"), Some("tight"), Some("cover"), Some("always")]);
    assert!(kept.iter().all(|kept| kept.id == 1));
}

#[test]
fn a_report_says_which_settings_file_its_edits_change() {
    let folder = Folder::with_two_men();
    let path = |studio: &Studio| studio.settings_path(0).unwrap();
    let other = folder.path("settings/other.toml");
    for name in ["settings", "heroes/men"] {
        std::fs::create_dir_all(folder.path(name)).unwrap();
    }
    std::fs::write(&other, "margin = 0.1\n").unwrap();
    std::fs::copy(folder.path("a.glb"), folder.path("heroes/men/a.glb")).unwrap();
    let file = asset_bake::SettingsFileChoice::Path(other);
    let requested = asset_bake::RequestedSettings { file, ..Default::default() };
    let paths = [folder.path("heroes/men/a.glb")];
    assert_eq!(path(&Studio::new(&paths, requested).unwrap()), Some("other.toml".to_owned()));
    let deep = Studio::new(&paths, Default::default()).unwrap();
    for (written, expected) in [("", "../../"), ("heroes", "../"), ("heroes/men", "")] {
        std::fs::write(folder.path(written).join("bonebox.toml"), "").unwrap();
        assert_eq!(path(&deep), Some(format!("{expected}bonebox.toml")), "{written:?}");
    }
}

#[test]
fn new_characters_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::new(&[folder.path().to_owned()], Default::default()).unwrap();
    let ask = |question| -> Value {
        serde_json::from_str(&studio.answer(question, &Query::default()).unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask("version")["characters"], 0);
    std::fs::write(folder.path().join("late.glb"), test_models::box_man().to_glb()).unwrap();
    let begin = std::time::Instant::now();
    while ask("version")["characters"] == 0 && begin.elapsed().as_secs() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert_eq!(ask("listing")["characters"][0]["name"], "late");
}

#[test]
fn an_exact_duel_has_the_skins_too() {
    let folder = Folder::with_two_men();
    let words = "a=0&b=1&clip_a=jab&clip_b=&distance=0.5&turn=20&fps=24";
    let (boxes, exact) = (folder.ask("duel", words), folder.ask("duel", &format!("{words}&exact=1")));
    let ticks = |duel: &Value| duel["ticks"].as_array().unwrap().clone();
    assert!(ticks(&boxes).iter().all(|tick| tick["skin"].is_null()));
    let mut points = 0;
    for (with, without) in ticks(&exact).iter().zip(&ticks(&boxes)) {
        assert_eq!(with["pairs"], without["pairs"], "the skin changes no hitbox");
        points += with["skin"].as_array().unwrap().iter().filter(|pair| pair["point"].is_array()).count();
    }
    assert!(points > 0, "skins touch");
}

#[test]
fn a_ray_hits_the_triangle_that_the_run_time_says() {
    let folder = Folder::with_two_men();
    let ray = "id=0&clip=jab&time=0.1&origin=0.02,1.2,4&direction=0,0,-2";
    let answer = folder.ask("ray", ray);
    let requested = asset_bake::RequestedSettings::default().with_unless_set("skin", "lossless").unwrap();
    let character = runtime::Character::from_baked((*folder.studio.baked(0, &requested).unwrap()).clone());
    let mut posed = runtime::PosedCharacter::new();
    posed.track_skin(true);
    let clip = character.find_clip("jab").unwrap();
    posed.pose_from_clip(&mut runtime::ClipSampler::new(), &character, &glam::Affine3A::IDENTITY, clip, 0.1).unwrap();
    let shot = geometry_core::Ray::try_new(glam::Vec3::new(0.02, 1.2, 4.0), glam::Vec3::new(0.0, 0.0, -2.0)).unwrap();
    let hit = posed.exact_ray(&shot, None).unwrap().unwrap();
    assert_eq!(answer["joint"], character.joint_name(hit.joint));
    assert_eq!((&answer["is_skin"], &answer["source"]["triangle"]), (&Value::Bool(true), &hit.source_triangle.into()));
    assert_eq!(answer["distance"].as_f64().unwrap() as f32, 2.0 * hit.time, "in world units");
    let hitbox = character.hitbox(runtime::BoxIndex(answer["hitbox"].as_u64().unwrap() as u16)).unwrap();
    assert_eq!(hitbox.joint, hit.joint);
    let numbers = |value: &Value| -> Vec<f32> {
        value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
    };
    let vector = |value: &Value| glam::Vec3::from_slice(&numbers(value));
    assert_eq!(vector(&answer["point"]), hit.point);
    // The man has neither normals nor texture coordinates, so that the normal is that of the triangle.
    assert_eq!((vector(&answer["normal"]), &answer["texture_coordinate"]), (hit.normal, &Value::Null));
    let triangles: Vec<[glam::Vec3; 3]> = answer["triangles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|corners| std::array::from_fn(|corner| vector(&corners[corner])))
        .collect();
    let near = |corners: &[glam::Vec3; 3]| {
        let closest = geometry_core::triangle::closest_points(corners, &[hit.point; 3]);
        closest.distance < 1e-5
    };
    assert!(triangles.iter().any(near), "{triangles:?}");

    assert_eq!(folder.ask("ray", "id=0&origin=0,99,4&direction=0,0,-1"), Value::Null, "past the character");
    let opposite = folder.ask("ray", "id=1&distance=2&turn=0&origin=0,1.2,9&direction=0,0,-1");
    assert!((vector(&opposite["point"]).z - 2.0).abs() < 0.5, "at its place in a duel: {opposite}");
    assert!(folder.refusal("ray", "id=0&origin=0,0&direction=0,0,1").contains("three numbers"));
    assert!(folder.refusal("ray", "id=0&origin=0,0,0&direction=0,0,0").contains("direction"));
}

#[test]
fn a_ray_has_the_smooth_normal_and_the_place_on_the_texture() {
    let folder = Folder::with_two_men();
    std::fs::write(folder.path("a.glb"), test_models::painted_limb().to_glb()).unwrap();
    let answer = folder.ask("ray", "id=0&origin=1.2,0.03,4&direction=0,0,-1");
    let is_near = |value: &Value, expected: &[f64]| {
        let found: Vec<f64> = value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
        found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5)
    };
    assert!(is_near(&answer["point"], &[1.2, 0.03, 0.1]), "{answer}");
    // The corners at y = 0.1 and y = -0.1 have the normals (0, 1, 1) and (0, -1, 1), and u = 0.5 and u = 0.75; v is a ninth a ring.
    let length = (1.0 + 0.3f64 * 0.3).sqrt();
    assert!(is_near(&answer["normal"], &[0.0, 0.3 / length, 1.0 / length]), "{answer}");
    assert!(is_near(&answer["texture_coordinate"], &[0.5 + 0.25 * 0.35, 1.2 / 0.25 / 9.0]), "{answer}");
}

/// Bakes a file without its skin into a folder, and returns this folder, its viewer, and the character.
fn without_skin(glb_bytes: &[u8], options: &[&str]) -> (tempfile::TempDir, Studio, runtime::Character) {
    let folder = tempfile::tempdir().unwrap();
    let (glb, out) = (folder.path().join("a.glb").display().to_string(), folder.path().display().to_string());
    std::fs::write(&glb, glb_bytes).unwrap();
    crate::run([&["bonebox", "bake", "--quiet", "-o", &out, &glb][..], options].concat());
    let file = folder.path().join("a.bonebox");
    let character = runtime::Character::load(&std::fs::read(&file).unwrap()).unwrap();
    let studio = Studio::new(&[file], Default::default()).unwrap();
    (folder, studio, character)
}

/// The answer to a ray along -z, and the area of the triangles that the page highlights.
fn highlighted(studio: &Studio, origin: &str) -> (Value, f64) {
    let query = Query::parse(&format!("id=0&origin={origin}&direction=0,0,-1"));
    let answer: Value = serde_json::from_str(&studio.answer("ray", &query).unwrap().unwrap()).unwrap();
    assert_eq!((&answer["is_skin"], &answer["source"]), (&Value::Bool(false), &Value::Null));
    assert_eq!((&answer["normal"], &answer["texture_coordinate"]), (&Value::Null, &Value::Null));
    let vector = |value: &Value| glam::DVec3::from_array(std::array::from_fn(|axis| value[axis].as_f64().unwrap()));
    let area = |triangle: &Value| area([0, 1, 2].map(|corner| vector(&triangle[corner])));
    let areas = answer["triangles"].as_array().unwrap().iter().map(area).sum();
    (answer, areas)
}

fn area([a, b, c]: [glam::DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length() / 2.0
}

#[test]
fn a_ray_hits_the_hitboxes_of_a_file_without_skin() {
    let (_folder, studio, character) = without_skin(&test_models::box_man().to_glb(), &[]);
    let (answer, found) = highlighted(&studio, "0.02,1.2,4");
    assert_eq!(answer["triangles"].as_array().unwrap().len(), 12, "two triangles a side");
    // The areas of the faces add up to the area of the box.
    let index = runtime::BoxIndex(answer["hitbox"].as_u64().unwrap() as u16);
    let half = character.hitbox(index).unwrap().baked.half_extents.as_dvec3();
    let whole = 8.0 * (half.x * half.y + half.y * half.z + half.z * half.x);
    assert!((found - whole).abs() < 1e-4 * whole, "{found} {whole}");
    let refusal = studio.answer("duel", &Query::parse("a=0&b=0&exact=1")).unwrap().unwrap_err();
    assert!(format!("{refusal:#}").contains("was baked without its skin"), "{refusal:#}");
}

#[test]
fn a_ray_shows_the_faces_of_a_hull() {
    let (_folder, studio, character) = without_skin(&test_models::painted_limb().to_glb(), &["--shape", "hull"]);
    let (answer, found) = highlighted(&studio, "0.6,0.03,4");
    let index = runtime::BoxIndex(answer["hitbox"].as_u64().unwrap() as u16);
    let hull = character.hitbox(index).unwrap().baked.hull.as_ref().expect("a hull");
    assert_eq!(answer["triangles"].as_array().unwrap().len(), hull.triangles.len());
    let vertices: Vec<_> = hull.vertices.iter().map(|vertex| vertex.as_dvec3()).collect();
    let whole: f64 = hull.triangles.iter().map(|triangle| area(triangle.map(|at| vertices[usize::from(at)]))).sum();
    assert!((found - whole).abs() < 1e-4 * whole, "{found} {whole}");
}

#[test]
fn a_duel_is_that_of_the_command_line() {
    let folder = Folder::with_two_men();
    let duel = folder.ask("duel", "a=0&b=1&clip_a=jab&clip_b=&distance=0.5&turn=20&fps=24");
    let ticks = duel["ticks"].as_array().unwrap();
    assert!(ticks.iter().any(|tick| !tick["pairs"].as_array().unwrap().is_empty()), "they touch");
    let load = || {
        let model = skinned_model::import(&test_models::box_man().to_glb(), &skinned_model::NoExternalFiles).unwrap();
        let source = baked_format::Source { file: "a.glb".into(), blake3: [0; 32], generator: String::new() };
        runtime::Character::from_baked(bone_fit::bake(&model, "a", source, &BakeOptions::default()).unwrap().character)
    };
    let mut a = page_answers::duel::Fighter::new(load(), Some("jab"), glam::Affine3A::IDENTITY).unwrap();
    let mut b = page_answers::duel::Fighter::new(load(), None, page_answers::duel::opposite(0.5, 20.0)).unwrap();
    let mut expected = Vec::new();
    page_answers::duel::ticks(&mut a, &mut b, 24.0, ticks.len() as u32, |tick| {
        // The numbers go through text, because a number printed as f32 is a different number as f64.
        expected.push(serde_json::from_str::<Value>(&serde_json::to_string(&tick)?)?);
        Ok(())
    })
    .unwrap();
    assert_eq!(*ticks, expected);
}

/// A page draws glTF, with or without a server.
#[cfg(feature = "fbx")]
#[test]
fn the_page_gets_the_gltf_of_an_fbx_file() {
    let folder = tempfile::tempdir().unwrap();
    let fbx = test_models::Fbx::default().binary(&test_models::box_man());
    std::fs::write(folder.path().join("man.fbx"), &fbx).unwrap();
    let studio = Studio::new(&[folder.path().to_owned()], Default::default()).unwrap();
    let served = studio.file(&Query::parse("id=0")).unwrap();
    assert!(served.starts_with(b"glTF"));
    let import = |bytes: &[u8]| skinned_model::import(bytes, &skinned_model::NoExternalFiles).unwrap();
    assert_eq!(import(&served), import(&fbx));
    assert_eq!(studio.held(0).unwrap().bytes, served);
}

#[test]
fn refusals_say_what_is_wrong() {
    let folder = Folder::with_two_men();
    assert!(folder.refusal("bake", "id=7").contains("below 2"));
    assert!(folder.refusal("bake", "id=0&option.fit=pac").contains("did you mean \"pca\"?"));
    assert!(folder.refusal("pose", "id=0&clip=dance").contains("jab"));
    assert!(folder.refusal("duel", "a=0&b=1&fps=0").contains("fps"));
    assert!(folder.refusal("duel", "a=0&b=1&clip_a=jab&fps=1e6").contains("at most"));
    assert!(folder.studio.answer("secrets", &Query::default()).is_none());
    std::fs::write(folder.path("a.glb"), b"no glb").unwrap();
    assert!(folder.refusal("bake", "id=0").contains("a.glb"));
}

#[test]
fn a_changed_file_is_noticed_and_baked_again() {
    let folder = Folder::with_two_men();
    let (version, bake) = (folder.ask("version", "id=0"), folder.ask("bake", "id=0"));
    assert_eq!(version, folder.ask("version", "id=0"));
    assert_eq!(folder.ask("version", "id=1"), folder.ask("version", "id=1"));
    std::fs::write(folder.path("a.glb"), test_models::box_limb().to_glb()).unwrap();
    assert_ne!(version, folder.ask("version", "id=0"));
    assert_ne!(bake, folder.ask("bake", "id=0"));
    let before = folder.ask("version", "id=1");
    std::fs::write(folder.path("bonebox.toml"), "").unwrap();
    assert_ne!(before, folder.ask("version", "id=1"), "bonebox.toml is watched too");
}

#[test]
fn the_server_only_answers_requests_to_its_own_address() {
    let folder = Folder::with_two_men();
    let (server, address) = server::bind(0).unwrap();
    let get = |path: &str, host: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        answer.push_str(&String::from_utf8_lossy(&bytes));
        answer
    };
    let page = Page::without_physics("<html>the page</html>");
    std::thread::scope(|scope| {
        let site = server::Site { address, page: &page, studio: &folder.studio, tracker: None };
        let server = &server;
        scope.spawn(move || server::serve(server, &site));
        let us = address.to_string();
        assert!(get("/", &us).contains("the page"));
        assert!(get("/api/listing", &us).contains("\"name\":\"a\""));
        assert!(get("/api/bake?id=9", &us).starts_with("HTTP/1.1 422"));
        assert!(get("/etc/passwd", &us).starts_with("HTTP/1.1 404"));
        assert!(get("/api/listing", "evil.example").starts_with("HTTP/1.1 403"));
        let file = get("/api/file?id=0", &us);
        assert!(file.starts_with("HTTP/1.1 200") && file.contains("glTF"), "a model's own file");
        assert!(get("/api/physics", &us).starts_with("HTTP/1.1 422"), "this page has no physics engine beside it");
        assert!(get("/api/file?id=0&uri=..%2Fa.glb", &us).starts_with("HTTP/1.1 422"), "nothing above its folder");
        let post = |path: &str, headers: &str, body: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            let length = body.len();
            write!(stream, "POST {path} HTTP/1.1\r\nHost: {us}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}")
                .unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let change = r#"{"id":0,"joint":"head","key":"margin","value":"0.01"}"#;
        let json = "Content-Type: application/json\r\n";
        let own = format!("Origin: http://{us}\r\n{json}");
        assert!(post("/api/apply", json, change).starts_with("HTTP/1.1 403"), "not without an origin");
        let foreign = format!("Origin: http://evil.example\r\n{json}");
        assert!(post("/api/apply", &foreign, change).starts_with("HTTP/1.1 403"), "not from another page");
        let form = format!("Origin: http://{us}\r\nContent-Type: text/plain\r\n");
        assert!(post("/api/apply", &form, change).starts_with("HTTP/1.1 415"), "not as a form");
        assert!(!folder.path("bonebox.toml").exists());
        assert!(post("/api/apply", &own, "{}").starts_with("HTTP/1.1 400"));
        assert!(post("/api/apply", &own, change).starts_with("HTTP/1.1 200"));
        assert!(folder.path("bonebox.toml").exists());
        assert!(post("/api/listing", &own, "").starts_with("HTTP/1.1 405"));
        server.close();
    });
}

/// Reads the lines of a stream as JSON.
struct Lines(std::io::BufReader<TcpStream>);

impl Lines {
    fn ask(address: std::net::SocketAddr, query: &str) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        write!(stream, "GET /api/live?{query} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        Self(std::io::BufReader::new(stream))
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        line
    }

    fn next_json(&mut self) -> Value {
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the stream goes on");
            if line.starts_with('{') {
                return serde_json::from_str(&line).unwrap();
            }
        }
    }
}

#[test]
fn a_page_follows_a_tracker_until_the_server_ends() {
    let runa = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.bonebox");
    let baked = baked_format::read(&std::fs::read(&runa).unwrap()).unwrap();
    let character = runtime::Character::from_baked(baked);
    let tracker = Tracker::open("127.0.0.1:0".parse().unwrap()).unwrap();
    let studio = Studio::new(&[runa], Default::default()).unwrap();
    let studio = studio.with_tracker(tracker.address(), PlayerSettings::default());
    let (server, address) = server::bind(0).unwrap();
    let listing: Value = serde_json::from_str(&studio.answer("listing", &Query::default()).unwrap().unwrap()).unwrap();
    assert_eq!(listing["tracker"], tracker.address().to_string());
    let page = Page::without_physics("");
    std::thread::scope(|scope| {
        let site = server::Site { address, page: &page, studio: &studio, tracker: Some(&tracker) };
        let server = &server;
        scope.spawn(move || server::serve(server, &site));
        assert!(Lines::ask(address, "player=0&opponent=0&clip=dance").line().contains(" 422 "));
        assert!(Lines::ask(address, "player=7&opponent=0").line().contains(" 422 "));
        let mut lines = Lines::ask(address, "player=0&opponent=0&distance=0.3");
        assert!(lines.line().contains(" 200 "));
        assert_eq!(lines.next_json()["place"].as_array().unwrap().len(), 12);
        let still = lines.next_json();
        assert_eq!(still["packets"]["all"], 0);

        let mut rig = crate::live::BoneArguments::default().rig(&character).unwrap();
        let mut performer = mocap::vmc::Performer::new(mocap::vmc::PerformerSettings::default(), &rig);
        let clip = &character.clips()[page_answers::duel::find_clip(&character, "jab").unwrap().index()];
        let (mut local, mut pose) = (character.skeleton().rest_pose(), mocap::HumanPose::T_POSE);
        let sender = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        sender.send_to(b"no packet", tracker.address()).unwrap();
        let (mut moved, mut touched) = (false, false);
        for tick in 0..600 {
            let seconds = tick as f32 / 60.0;
            clip.sample(runtime::LoopMode::Loop.clip_time(clip, seconds.into()), &mut local);
            rig.human_pose_from_local(&local, &mut pose);
            for packet in performer.packets(&pose, seconds) {
                sender.send_to(packet, tracker.address()).unwrap();
            }
            let now = lines.next_json();
            moved |= now["joints"] != still["joints"] && now["packets"]["damaged"] == 1;
            touched |= !now["touches"].as_array().unwrap().is_empty();
            if moved && touched {
                break;
            }
        }
        assert!(moved && touched, "the player moves, and touches the opponent a step away: {moved} {touched}");
        server.close();
        let mut rest = String::new();
        lines.0.read_to_string(&mut rest).unwrap();
        assert!(rest.ends_with("\r\n0\r\n\r\n"), "the stream has an end");
    });
}
