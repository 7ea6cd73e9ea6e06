//! Edited hitboxes: what is written, what stays, and that the fitted hitboxes come back.

use bake_settings::{EditError, EditedHitbox, JointEdit, Settings, with_hitboxes};
use baked_format::{BakedCharacter, HitboxShape};
use bone_fit::{LengthUnit, ManualBox};
use glam::{Quat, Vec3};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::LazyLock;

pub(crate) static RUNA: LazyLock<BakedCharacter> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.bonebox");
    baked_format::read(&std::fs::read(path).unwrap()).unwrap()
});

fn hitboxes_of(joint: &str) -> Vec<EditedHitbox> {
    let index = RUNA.skeleton.find(joint).unwrap();
    RUNA.boxes.iter().filter(|one| one.joint == index).map(EditedHitbox::from).collect()
}

fn edit(text: &str, joint: &str, hitboxes: Vec<EditedHitbox>) -> Result<String, EditError> {
    let edits = BTreeMap::from([(joint.to_owned(), JointEdit::Hitboxes(hitboxes))]);
    with_hitboxes(&[], text, "runa", &RUNA, &edits).map(|edited| edited.text)
}

fn fitted(text: &str, joint: &str) -> Result<String, EditError> {
    let edits = BTreeMap::from([(joint.to_owned(), JointEdit::Fitted)]);
    with_hitboxes(&[], text, "runa", &RUNA, &edits).map(|edited| edited.text)
}

fn boxes_in(text: &str, joint: &str) -> (Vec<ManualBox>, bool) {
    let settings = Settings::parse(text).unwrap().for_character("runa", &[]).unwrap();
    settings.overrides.joints.get(joint).map(|one| (one.boxes.clone(), one.skip)).unwrap_or_default()
}

#[test]
fn an_edit_reads_back_and_other_lines_stay() {
    let text = "# ours\npreset = \"cover\" # tight is too small\n\n[characters.runa]\nmargin = 0.01\n";
    let mut head = hitboxes_of("head");
    head[0].center += Vec3::new(0.012_345_678, 0.0, 0.0);
    let edited = edit(text, "head", head.clone()).unwrap();
    assert!(edited.starts_with(text), "{edited}");
    let (boxes, skip) = boxes_in(&edited, "head");
    assert!(skip && boxes.len() == 1);
    assert!((boxes[0].center - head[0].center).abs().max_element() < 1e-5);
    assert!((boxes[0].half_extents - head[0].half_extents).abs().max_element() < 1e-5);
    let between = boxes[0].orientation.normalize().inverse() * head[0].orientation;
    assert!(between.xyz().length() < 2e-5);
    assert_eq!(boxes[0].unit, LengthUnit::Meters);
    insta::assert_snapshot!(edited);
    // Written again, nothing changes, and without the edit it is the text from before.
    assert_eq!(edit(&edited, "head", head).unwrap(), edited);
    assert_eq!(fitted(&edited, "head").unwrap(), text);
}

/// The edit of `tests/one-edit`, which the tests of the page, of Blender and of Python make too.
#[test]
fn every_tool_makes_this_edit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/one-edit");
    let [before, after] = ["before.toml", "after.toml"].map(|name| folder.join(name));
    let mut head = hitboxes_of("head").remove(0);
    head.center = Vec3::new(0.0, 0.15, 0.02);
    head.half_extents = 0.5 * Vec3::new(0.3, 0.24, 0.26);
    head.orientation = Quat::IDENTITY;
    head.tags = vec!["crown".into()];
    let text = edit(&std::fs::read_to_string(before).unwrap(), "head", vec![head]).unwrap();
    if std::env::var_os("BONEBOX_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&after, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(after).unwrap(), text);
}

#[test]
fn a_hitbox_that_nobody_edited_keeps_its_numbers() {
    let there = hitboxes_of("head").remove(0);
    // A tool has rounded it, and stores the opposite quaternion of the same rotation.
    let noisy = EditedHitbox {
        center: there.center * (1.0 + 2e-7),
        half_extents: there.half_extents * (1.0 - 2e-7),
        orientation: Quat::from_array(there.orientation.to_array().map(|part| -part * 1.5)),
        ..there.clone()
    };
    let other = EditedHitbox { center: Vec3::Y, ..there.clone() };
    let (boxes, _) = boxes_in(&edit("", "head", vec![noisy, other]).unwrap(), "head");
    let numbers = |one: &ManualBox| (one.center, one.half_extents, one.orientation);
    assert_eq!(numbers(&boxes[0]), (there.center, there.half_extents, there.orientation));
    assert_eq!(boxes[1].center, Vec3::Y);
}

/// A bake scales the rotation of a manual box to length 1. Its numbers in the file stay all the same.
#[test]
fn a_manual_box_that_nobody_edited_again_keeps_its_numbers() {
    let mut head = hitboxes_of("head").remove(0);
    head.center += Vec3::X;
    let once = edit("", "head", vec![head]).unwrap();
    let manual = boxes_in(&once, "head").0.remove(0);
    assert_ne!(manual.orientation.normalize(), manual.orientation);
    let of_bake = EditedHitbox {
        shape: manual.shape,
        role: manual.role,
        tags: manual.tags.clone(),
        center: manual.center,
        half_extents: manual.half_extents,
        orientation: manual.orientation.normalize(),
    };
    assert_eq!(edit(&once, "head", vec![of_bake.clone()]).unwrap(), once);
    let other = EditedHitbox { center: Vec3::Y, ..of_bake.clone() };
    let twice = edit(&once, "head", vec![of_bake, other]).unwrap();
    assert_eq!(boxes_in(&twice, "head").0[0], manual);
}

#[test]
fn no_hitbox_at_all_is_a_joint_that_is_skipped() {
    let edited = edit("", "head", Vec::new()).unwrap();
    assert_eq!(edited, "[characters.runa.joints.head]\nskip = true\n");
    assert_eq!(fitted(&edited, "head").unwrap(), "");
    let before = edit("", "head", hitboxes_of("head")).unwrap();
    assert_eq!(edit(&before, "head", Vec::new()).unwrap(), edited);
}

#[test]
fn what_cannot_be_a_manual_box_becomes_the_box_around_it_with_a_note() {
    let shaped = |shape, half_extents| {
        let one = EditedHitbox { shape, half_extents, center: Vec3::X, ..hitboxes_of("head").remove(0) };
        let edits = BTreeMap::from([("head".to_owned(), JointEdit::Hitboxes(vec![one]))]);
        let edited = with_hitboxes(&[], "", "runa", &RUNA, &edits).unwrap();
        (boxes_in(&edited.text, "head").0.remove(0).shape, edited.notes)
    };
    assert_eq!(shaped(HitboxShape::Capsule, Vec3::new(0.1, 0.2, 0.1)), (HitboxShape::Capsule, Vec::new()));
    let (shape, notes) = shaped(HitboxShape::Capsule, Vec3::new(0.1, 0.2, 0.15));
    assert!(shape == HitboxShape::Box && notes[0].contains("head: the box around this capsule"), "{notes:?}");
    let (shape, notes) = shaped(HitboxShape::Hull, Vec3::ONE);
    assert!(shape == HitboxShape::Box && notes[0].contains("cannot be a hull"), "{notes:?}");
}

#[test]
fn comments_and_other_settings_of_the_joint_stay() {
    let text = "[characters.runa.joints.head]\n# the helmet\ntags = [\"head\"] # for damage\n";
    let edited = edit(text, "head", hitboxes_of("head")).unwrap();
    assert!(edited.contains("# the helmet") && edited.contains("# for damage"), "{edited}");
    assert_eq!(fitted(&edited, "head").unwrap(), text);
    let commented = "# of the helmet\n[characters.runa.joints.head]\nskip = true\n";
    assert_eq!(fitted(commented, "head").unwrap(), "# of the helmet\n[characters.runa.joints.head]\n");
    assert_eq!(fitted(text, "hand_l").unwrap(), text);
}

#[test]
fn mistakes_say_where_and_what_to_do() {
    let head = || hitboxes_of("head").remove(0);
    let problem = |text: &str, joint: &str, one: EditedHitbox| edit(text, joint, vec![one]).unwrap_err().to_string();
    assert_eq!(problem("", "haed", head()), "the character has no joint \"haed\"; did you mean \"head\"?");
    let nan = EditedHitbox { center: Vec3::splat(f32::NAN), ..head() };
    assert!(problem("", "head", nan).starts_with("hitbox 0 of the joint \"head\": its center is [NaN"));
    let negative = EditedHitbox { half_extents: -Vec3::ONE, ..head() };
    assert!(problem("", "head", negative).contains("each must be at least 0"));
    let no_turn = EditedHitbox { orientation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), ..head() };
    assert!(problem("", "head", no_turn).contains("must be a rotation"));
    let other = "[[joints.head.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n";
    assert!(matches!(edit(other, "head", vec![head()]), Err(EditError::OtherBoxes { .. })));
    assert!(matches!(fitted(other, "head"), Err(EditError::OtherBoxes { .. })));
    let skipped = "[joints.head]\nskip = true\n";
    let problem = fitted(skipped, "head").unwrap_err().to_string();
    assert!(problem.starts_with("the section [joints.\"head\"] has `skip = true`"), "{problem}");
    // An edit of such a joint is no contradiction.
    assert!(boxes_in(&edit(skipped, "head", vec![head()]).unwrap(), "head").1);
}

proptest! {
    /// Two tools that mean the same edit write the same text, although each rounds in its own way.
    #[test]
    fn noise_of_tools_does_not_reach_the_file(
        center in prop::array::uniform3(-20_000..20_000i32),
        half in prop::array::uniform3(1_000..9_000i32),
        noise in prop::array::uniform6(-0.2..0.2f64),
        exponent in -6..6i32,
    ) {
        // Half extents of four digits: the step is a tenth of their last digit.
        let unit = 10f64.powi(exponent);
        let with = |noise: [f64; 6]| {
            let at = |whole: i32, noise: f64| ((f64::from(whole) + noise * 0.1) * unit) as f32;
            let [a, b, c, d, e, f] = noise;
            let center = Vec3::new(at(center[0], a), at(center[1], b), at(center[2], c));
            let half_extents = Vec3::new(at(half[0].max(1_001), d), at(half[1], e), at(half[2], f));
            let one = EditedHitbox { center, half_extents, orientation: Quat::IDENTITY, shape: HitboxShape::Box, ..hitboxes_of("head").remove(0) };
            edit("", "head", vec![one]).unwrap()
        };
        prop_assert_eq!(with([0.0; 6]), with(noise));
    }

    /// The fitted hitboxes come back, and the text with them, wherever the section of the joint was.
    #[test]
    fn an_edit_that_is_taken_back_leaves_no_trace(
        lines in prop::collection::vec(prop::sample::select(vec![
            "[characters.runa]\nmargin = 0.5\n",
            "[characters.runa.joints.hand_l]\nskip = true\n",
            "[characters.\"r*\"]\nmargin = 0.25\n",
            "[tags]\n\"head\" = \"skull\"\n",
            "[characters.bruno.joints.head]\nskip = true\n",
        ]), 0..5),
        joint in prop::sample::select(vec!["head", "hand_r", "pelvis"]),
    ) {
        let mut seen = std::collections::BTreeSet::new();
        let text: String = lines.into_iter().filter(|line| seen.insert(*line)).map(|line| format!("{line}\n")).collect();
        let mut hitboxes = hitboxes_of(joint);
        hitboxes[0].center += Vec3::splat(0.01);
        let edited = edit(&text, joint, hitboxes).unwrap();
        prop_assert_eq!(boxes_in(&edited, joint).0.len(), 1);
        let back = fitted(&edited, joint).unwrap();
        prop_assert_eq!(back.trim_end(), text.trim_end());
    }
}
