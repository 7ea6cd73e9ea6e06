//! Tests the tags and sets of the characters in `assets/`, and the examples of the documentation that find hitboxes by tag.

use bake_settings::Settings;
use glam::Affine3A;
use runtime::{Character, ClipSampler, PosedCharacter, UnknownTag, overlapping_boxes};
use std::fs;
use std::path::{Path, PathBuf};

const CHARACTERS: [&str; 3] = ["bruno", "hound", "runa"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn shipped(name: &str) -> Character {
    Character::load(&fs::read(root().join("assets").join(format!("{name}.bonebox"))).unwrap()).unwrap()
}

/// The number of hitboxes with a tag.
fn tagged(character: &Character, tag: &str) -> Result<usize, UnknownTag> {
    character.boxes_with_tag(tag).map(|boxes| boxes.len())
}

#[test]
fn every_shipped_hitbox_has_a_part_of_the_body_as_its_tag() {
    const PARTS: [&str; 12] = [
        "head",
        "neck",
        "torso",
        "tail",
        "arm.left",
        "arm.right",
        "hand.left",
        "hand.right",
        "leg.left",
        "leg.right",
        "foot.left",
        "foot.right",
    ];
    for name in CHARACTERS {
        let character = shipped(name);
        for one in &character.baked().boxes {
            let parts: Vec<&String> = one.tags.iter().filter(|tag| PARTS.contains(&tag.as_str())).collect();
            let joint = character.joint_name(one.joint);
            assert_eq!(parts.len(), 1, "{name}, {joint}: {:?}", one.tags);
            let (left, right) = (joint.ends_with("_l"), joint.ends_with("_r"));
            assert!(!left || !parts[0].ends_with(".right"), "{name}, {joint}: {:?}", one.tags);
            assert!(!right || !parts[0].ends_with(".left"), "{name}, {joint}: {:?}", one.tags);
        }
    }
}

#[test]
fn tags_and_sets_exist_in_the_shipped_characters() {
    for name in ["bruno", "runa"] {
        let human = shipped(name);
        let count = |tag| tagged(&human, tag);
        // A hand has its palm and fifteen finger joints.
        assert_eq!((count("hand.left"), count("hand")), (Ok(16), Ok(32)), "{name}");
        assert_eq!((count("head"), count("neck"), count("torso")), (Ok(1), Ok(1), Ok(4)), "{name}");
        assert_eq!((count("arm"), count("leg"), count("foot")), (Ok(6), Ok(4), Ok(4)), "{name}");
        assert_eq!((count("strike"), count("hurt")), (Ok(36), Ok(16)), "{name}");
    }
    let hound = shipped("hound");
    let count = |tag| tagged(&hound, tag);
    assert_eq!((count("head"), count("jaw"), count("tail")), (Ok(6), Ok(1), Ok(4)));
    assert_eq!((count("strike"), count("hurt"), count("foot")), (Ok(5), Ok(30), Ok(4)));
}

/// A typical question of a game, "does a striking hand touch a part that can be hurt", on the shipped characters.
#[test]
fn a_jab_strikes_what_can_be_hurt() {
    let (runa, bruno) = (shipped("runa"), shipped("bruno"));
    let (strike, hurt) = (runa.boxes_with_tag("strike").unwrap(), bruno.boxes_with_tag("hurt").unwrap());
    let torso = bruno.boxes_with_tag("torso").unwrap();
    let (mut a, mut b, mut sampler) = (PosedCharacter::new(), PosedCharacter::new(), ClipSampler::new());
    a.pose_from_clip(&mut sampler, &runa, &Affine3A::IDENTITY, runa.find_clip("jab").unwrap(), 0.3).unwrap();
    b.pose_from_rest(&bruno, &page_answers::duel::opposite(0.8, 0.0)).unwrap();
    let mut pairs = Vec::new();
    overlapping_boxes(&a, &b, &mut pairs);
    let hits: Vec<_> = pairs.iter().filter(|pair| strike.contains(pair.box_a) && hurt.contains(pair.box_b)).collect();
    assert!(hits.iter().any(|pair| torso.contains(pair.box_b)), "{pairs:?}");
}

/// The joints and tags in the guides' settings exist in a shipped character.
#[test]
fn examples_of_settings_are_right_for_runa() {
    let skeleton = shipped("runa").baked().skeleton.clone();
    let joints = skeleton.joints().iter().map(|joint| joint.name.clone()).collect();
    let runa = bake_settings::Character { name: "runa".into(), joints, surfaces: Vec::new() };
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let example = fs::read_to_string(root().join("crates/bake-settings/example.toml")).unwrap();
    let block = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    for text in [block, &example] {
        let settings = Settings::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        settings.check_joints("runa", &skeleton).unwrap();
        let tags = settings.for_character("runa", &[]).unwrap().overrides.tags;
        assert!(!tags.is_empty(), "{text}");
        for (pattern, _) in &tags {
            assert!(runa.joints.iter().any(|joint| pattern.matches(joint)), "{pattern} in\n{text}");
        }
    }
}
