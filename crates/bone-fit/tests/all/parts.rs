//! The option `parts`: the joints that keep their skin, the tags of parts, and the warnings of merges.

use baked_format::{BakedCharacter, Hitbox, Source};
use bone_fit::{
    BakeOptions, HumanoidOverride, JointOverride, Overrides, Preset, bake_with, compare_presets, part_tags,
};
use skeleton::NamePattern;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn asset(name: &str) -> SkinnedModel {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    import(&std::fs::read(file).unwrap(), &NoExternalFiles).unwrap()
}

fn bake(model: &SkinnedModel, words: &[(&str, &str)], overrides: &Overrides) -> BakedCharacter {
    let quick = [("preset", "recipe"), ("measure", "rest")];
    let options = BakeOptions::from_entries(quick.into_iter().chain(words.iter().copied())).unwrap();
    let source = Source { file: "parts.glb".into(), blake3: [0; 32], generator: String::new() };
    bake_with(model, "parts", source, &options, overrides).unwrap().character
}

fn joints(character: &BakedCharacter) -> Vec<&str> {
    character.boxes.iter().map(|hitbox| character.skeleton.joint(hitbox.joint).name.as_str()).collect()
}

fn codes(character: &BakedCharacter) -> Vec<&str> {
    character.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

const STANDARD: [&str; 18] = [
    "calf_l",
    "calf_r",
    "foot_l",
    "foot_r",
    "hand_l",
    "hand_r",
    "head",
    "lowerarm_l",
    "lowerarm_r",
    "neck_01",
    "pelvis",
    "spine_01",
    "spine_02",
    "spine_03",
    "thigh_l",
    "thigh_r",
    "upperarm_l",
    "upperarm_r",
];

#[test]
fn a_humanoid_has_18_hitboxes_with_tags_and_all_its_skin_in_them() {
    for file in ["runa.glb", "bruno.glb"] {
        let model = asset(file);
        let all = bake(&model, &[], &Overrides::default());
        let parts = bake(&model, &[("parts", "humanoid")], &Overrides::default());
        let mut found = joints(&parts);
        found.sort_unstable();
        assert_eq!(found, STANDARD, "{file}");
        let vertices = |character: &BakedCharacter| character.boxes.iter().map(|hitbox| hitbox.vertices).sum::<u32>();
        assert_eq!(vertices(&parts), vertices(&all), "{file}");
        let rest = |character: &BakedCharacter| character.coverage.as_ref().unwrap().surface_rest;
        assert!(rest(&parts) > rest(&all), "{file}: {} and {}", rest(&parts), rest(&all));
        let tags = |joint: &str| {
            let hitbox = parts.boxes.iter().find(|hitbox| parts.skeleton.joint(hitbox.joint).name == joint).unwrap();
            hitbox.tags.join(" ")
        };
        assert_eq!(tags("hand_l"), "hand hand.left");
        assert_eq!(tags("lowerarm_r"), "arm arm.right");
        assert_eq!(tags("thigh_r"), "leg leg.right");
        assert_eq!([tags("spine_01"), tags("pelvis"), tags("head")], ["belly torso", "hips torso", "head"]);
        assert!(parts.boxes.iter().all(|hitbox| hitbox.tags.iter().all(|tag| part_tags().contains(&tag.as_str()))));
        assert!(all.boxes.iter().all(|hitbox| hitbox.tags.is_empty()));
        assert_eq!(bake(&model, &[("parts", "humanoid-coarse")], &Overrides::default()).boxes.len(), 6, "{file}");
        let fingers = bake(&model, &[("parts", "humanoid-fingers")], &Overrides::default());
        assert_eq!(fingers.boxes.len(), 48, "{file}");
    }
}

#[test]
fn own_tags_are_added_and_joints_with_settings_keep_their_skin() {
    let mut overrides = Overrides::default();
    overrides.tags.push((NamePattern::new("head"), vec!["weak".to_owned()]));
    overrides.sets.insert("critical".to_owned(), vec!["weak".to_owned(), "neck".to_owned()]);
    let own = JointOverride { options: [("shape".to_owned(), "sphere".to_owned())].into(), ..Default::default() };
    overrides.joints.insert("thumb_01_l".to_owned(), own);
    let parts = bake(&asset("runa.glb"), &[("parts", "humanoid")], &overrides);
    let tags = |joint: &str| {
        let hitbox = parts.boxes.iter().find(|hitbox| parts.skeleton.joint(hitbox.joint).name == joint).unwrap();
        hitbox.tags.join(" ")
    };
    assert_eq!(
        [tags("head"), tags("neck_01"), tags("thumb_01_l")],
        ["critical head weak", "critical neck", "hand hand.left"]
    );
    assert_eq!(parts.boxes.len(), 19);
}

fn options_of(parts: &[(&str, &[(&str, &str)])]) -> Overrides {
    let own =
        |words: &[(&str, &str)]| words.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let parts = parts.iter().map(|(name, words)| ((*name).to_owned(), own(words))).collect();
    Overrides { parts, ..Overrides::default() }
}

#[test]
fn each_part_may_have_a_shape_of_its_own() {
    let model = asset("runa.glb");
    let mut overrides = options_of(&[
        ("head", &[("shape", "sphere")]),
        ("arm", &[("shape", "capsule")]),
        ("arm.left", &[("shape", "hull")]),
        ("torso", &[("margin", "0.05")]),
        ("hips", &[("shape", "capsule")]),
    ]);
    let own = JointOverride { options: [("shape".to_owned(), "sphere".to_owned())].into(), ..Default::default() };
    overrides.joints.insert("upperarm_r".to_owned(), own);
    let baked = bake(&model, &[("parts", "humanoid")], &overrides);
    let plain = bake(&model, &[("parts", "humanoid")], &Overrides::default());
    let shape = |joint: &str| baked.boxes[joints(&baked).iter().position(|one| *one == joint).unwrap()].shape.keyword();
    assert_eq!([shape("head"), shape("neck_01"), shape("spine_02"), shape("hand_l")], ["sphere", "box", "box", "box"]);
    assert_eq!([shape("lowerarm_r"), shape("lowerarm_l"), shape("upperarm_l")], ["capsule", "hull", "hull"]);
    assert_eq!([shape("upperarm_r"), shape("pelvis")], ["sphere", "capsule"]);
    // Joints of parts with options give their skin away as before, and the torso has grown.
    assert_eq!(joints(&baked), joints(&plain));
    let size = |character: &BakedCharacter| character.boxes.iter().map(|one| one.volume()).collect::<Vec<f32>>();
    let chest = joints(&plain).iter().position(|joint| *joint == "spine_02").unwrap();
    assert!(size(&baked)[chest] > 1.2 * size(&plain)[chest]);
    assert!(!codes(&baked).contains(&"part-without-effect"));
    // Without parts, every joint of the part has the options.
    let all = bake(&model, &[("exclude", "*finger*")], &options_of(&[("foot.left", &[("shape", "sphere")])]));
    let spheres = all.boxes.iter().filter(|one| one.shape == baked_format::HitboxShape::Sphere);
    let names: Vec<&str> = spheres.map(|one| all.skeleton.joint(one.joint).name.as_str()).collect();
    assert!(!names.is_empty() && names.iter().all(|name| name.ends_with("_l")), "{names:?}");
    // The shapes of the coarse set follow its parts.
    let coarse = bake(&model, &[("parts", "humanoid-coarse")], &options_of(&[("leg.right", &[("shape", "capsule")])]));
    let capsules = coarse.boxes.iter().filter(|one| one.shape == baked_format::HitboxShape::Capsule);
    assert_eq!(capsules.map(|one| coarse.skeleton.joint(one.joint).name.as_str()).collect::<Vec<_>>(), ["thigh_r"]);
}

#[test]
fn options_of_parts_that_are_not_there_warn_and_unknown_parts_are_errors() {
    let overrides = options_of(&[("head", &[("shape", "sphere")]), ("hand", &[("shape", "capsule")])]);
    let hound = bake(&asset("hound.glb"), &[], &overrides);
    assert!(hound.boxes.iter().all(|one| one.shape == baked_format::HitboxShape::Box));
    let texts: Vec<&str> =
        hound.warnings.iter().filter(|one| one.code == "part-without-effect").map(|one| one.text.as_str()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    insta::assert_snapshot!(texts[0], @r#"the options of the part "hand" have no effect: the character has no humanoid; name the bones under [humanoid], or use [joints.NAME]"#);
    let runa =
        bake(&asset("runa.glb"), &[("exclude", "hand*, *thumb*, *index*, *middle*, *ring*, *pinky*")], &overrides);
    let texts: Vec<&str> =
        runa.warnings.iter().filter(|one| one.code == "part-without-effect").map(|one| one.text.as_str()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    insta::assert_snapshot!(texts[0], @r#"the options of the part "hand" have no effect: no hitbox of the character belongs to this part; delete the section, or write it for the characters that have the part"#);
    let error = |overrides: &Overrides, options: &BakeOptions| {
        let source = Source { file: "parts.glb".into(), blake3: [0; 32], generator: String::new() };
        bake_with(&asset("hound.glb"), "parts", source, options, overrides).unwrap_err().to_string()
    };
    let default = BakeOptions::default();
    insta::assert_snapshot!(error(&options_of(&[("heads", &[])]), &default), @r#"there is no part "heads"; did you mean "head"?"#);
    insta::assert_snapshot!(error(&options_of(&[("head", &[("keep", "1")])]), &default), @r#"part "head": there is no option "keep""#);
    insta::assert_snapshot!(error(&options_of(&[("head", &[("shape", "ball")])]), &default), @r#"part "head": shape is "ball", but must be "box", "capsule", "sphere", "hull" or "auto"; did you mean "hull"?"#);
}

/// A file is baked again if the options of a part change.
#[test]
fn options_of_parts_are_in_the_record() {
    let model = asset("hound.glb");
    let record = |overrides: &Overrides| overrides.record(&model.skeleton, &BakeOptions::default()).unwrap();
    let [sphere, capsule] = ["sphere", "capsule"].map(|shape| record(&options_of(&[("head", &[("shape", shape)])])));
    assert_ne!(sphere, capsule);
    assert_eq!(record(&options_of(&[("head", &[])])), record(&Overrides::default()));
}

/// The names of both sides, without the side.
fn without_sides(names: &[&str]) -> Vec<Vec<String>> {
    let of_side = |side: &str| {
        let mut names: Vec<String> =
            names.iter().filter_map(|name| Some(name.strip_suffix(side)?.to_owned())).collect();
        names.sort_unstable();
        names
    };
    vec![of_side("_l"), of_side("_r")]
}

#[test]
fn a_number_of_parts_treats_both_sides_alike() {
    for file in ["runa.glb", "bruno.glb", "hound.glb"] {
        let model = asset(file);
        for count in [1, 6, 12, 18, 30, 200] {
            let parts = bake(&model, &[("parts", &count.to_string())], &Overrides::default());
            let names = joints(&parts);
            println!("{file} {count}: {} {names:?}", names.len());
            assert!(names.len() <= count && names.len() + 1 >= count.min(20), "{file}: {} of {count}", names.len());
            let [left, right] = &without_sides(&names)[..] else { unreachable!() };
            assert_eq!(left, right, "{file} {count}");
        }
    }
}

/// The same model after a change of every joint's name and of every vertex by 0.003 % of the height: the step of positions
/// with 15 bits.
fn changed(model: &SkinnedModel) -> SkinnedModel {
    let mut model = model.clone();
    let joints = model.skeleton.joints().iter().cloned().enumerate();
    let renamed = joints.map(|(index, joint)| skeleton::Joint { name: format!("bone {index}"), ..joint });
    model.skeleton = skeleton::Skeleton::new(renamed.collect()).unwrap();
    let mut random = test_models::Random::new(7);
    for mesh in &mut model.meshes {
        for position in &mut mesh.positions {
            *position += random.vector() * 5e-5;
        }
    }
    model
}

/// Fingers are nearly alike, so a tiny change of the mesh may choose another finger: one pair of joints.
#[test]
fn the_choice_of_parts_is_stable() {
    let mut equal = 0;
    for file in ["runa.glb", "hound.glb"] {
        let model = asset(file);
        let other = changed(&model);
        for count in ["4", "6", "8", "10", "12", "14", "16", "18"] {
            let indices = |model: &SkinnedModel| {
                let character = bake(model, &[("parts", count)], &Overrides::default());
                character.boxes.iter().map(|hitbox| hitbox.joint).collect::<BTreeSet<_>>()
            };
            let (before, after) = (indices(&model), indices(&other));
            let gone = before.difference(&after).count();
            println!("{file} {count}: {gone} other joints");
            assert!(gone <= 2 && before.len() == after.len(), "{file} {count}: {before:?} became {after:?}");
            equal += usize::from(gone == 0);
        }
    }
    assert!(equal >= 14, "{equal} of 16 choices stay the same");
}

#[test]
fn a_character_without_a_humanoid_gets_a_number_of_parts_and_a_warning() {
    let model = asset("hound.glb");
    let parts = bake(&model, &[("parts", "humanoid")], &Overrides::default());
    let by_number = bake(&model, &[("parts", "18")], &Overrides::default());
    assert_eq!(joints(&parts), joints(&by_number));
    assert_eq!(codes(&parts), ["parts-without-humanoid"]);
    assert!(
        parts.warnings[0].text.contains("leftFoot") && parts.warnings[0].text.contains("write parts = 18"),
        "{parts:?}"
    );
    let never = Overrides { humanoid: HumanoidOverride::Never, ..Overrides::default() };
    let parts = bake(&asset("runa.glb"), &[("parts", "humanoid-coarse")], &never);
    assert!(parts.warnings[0].text.contains("the settings say"), "{parts:?}");
    assert!(parts.boxes.len() <= 6);
}

#[test]
fn merges_that_do_nothing_or_lose_a_tag_are_warned_about() {
    let model = asset("runa.glb");
    let mut overrides = Overrides::default();
    overrides.tags.push((NamePattern::new("hand_l"), vec!["glove".to_owned()]));
    let merged = bake(&model, &[("merge", "hand_?,pelvis")], &overrides);
    assert_eq!(codes(&merged), ["merge-without-effect", "tag-lost"], "{:#?}", merged.warnings);
    assert!(merged.warnings[0].text.starts_with("merge = \"pelvis\" matches 1 joints"), "{:?}", merged.warnings[0]);
    assert!(merged.warnings[1].text.contains("\"glove\"") && merged.warnings[1].text.contains("\"lowerarm_l\""));
    assert!(codes(&bake(&model, &[("merge", "*_0?_l")], &overrides)).is_empty());
}

#[test]
fn presets_are_compared_with_the_other_options() {
    let model = import(&test_models::box_man().to_glb(), &NoExternalFiles).unwrap();
    let options = BakeOptions::from_entries([("parts", "3"), ("merge", "*lower*")]).unwrap();
    let own = bake(&model, &[("parts", "3"), ("merge", "*lower*"), ("measure", "clips")], &Overrides::default());
    let figures = compare_presets(&model, &options, &Overrides::default(), &own).unwrap();
    assert_eq!(figures.iter().map(|one| one.preset).collect::<Vec<_>>(), Preset::ALL.map(Some));
    for one in figures {
        let budget = if one.preset == Some(Preset::Tight) { 2 } else { 1 };
        assert!(one.figures.boxes <= 3 * budget, "{one:?}");
    }
}

/// The tags of each joint with a hitbox, and the names of joints with hitboxes without tags.
fn tags_of_joints(character: &BakedCharacter) -> BTreeMap<&str, String> {
    let tags = |hitbox: &Hitbox| (character.skeleton.joint(hitbox.joint).name.as_str(), hitbox.tags.join(" "));
    character.boxes.iter().map(tags).collect()
}

#[test]
fn a_four_legged_animal_has_tags_of_its_parts() {
    let hound = asset("hound.glb");
    let baked = bake(&hound, &[("parts", "30")], &Overrides::default());
    let tags = tags_of_joints(&baked);
    for (joint, expected) in [
        ("head", "head"),
        ("jaw", "head"),
        ("neck_02", "neck"),
        ("chest", "torso"),
        ("hips", "torso"),
        ("tail_02", "tail"),
        ("upperarm_l", "leg leg.front.left leg.left"),
        ("front_paw_r", "leg leg.front.right leg.right"),
        ("thigh_l", "leg leg.hind.left leg.left"),
        ("hind_paw_r", "leg leg.hind.right leg.right"),
    ] {
        assert_eq!(tags[joint], expected, "{joint} of {tags:#?}");
    }
    assert!(tags.values().all(|tags| !tags.is_empty()), "{tags:#?}");
    // The set of a human's parts stands for a number, and a set of tags may have those of the animal.
    let mut overrides = Overrides::default();
    overrides.sets.insert("weak".to_owned(), vec!["head".to_owned(), "tail".to_owned()]);
    let baked = bake(&hound, &[("parts", "humanoid")], &overrides);
    assert!(tags_of_joints(&baked)["head"].contains("weak"));
    // One hitbox for each joint has only the tags of the user.
    let joints = bake(&hound, &[], &Overrides::default());
    assert!(joints.boxes.iter().all(|hitbox| hitbox.tags.is_empty()));
}
