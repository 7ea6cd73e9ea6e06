//! The option `parts`: the joints that keep their skin, the tags of parts, and the warnings of merges.

use baked_format::{BakedCharacter, Source};
use bone_fit::{
    BakeOptions, HumanoidOverride, JointOverride, Overrides, Preset, bake_with, compare_presets, part_tags,
};
use skeleton::NamePattern;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::collections::BTreeSet;
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
