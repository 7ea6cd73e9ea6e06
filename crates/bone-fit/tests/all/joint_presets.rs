//! Presets, poses and bridges of single joints.

use baked_format::{Hitbox, Source};
use bone_fit::{Bake, BakeError, BakeOptions, JointOverride, Overrides, bake_with, compare_presets, escapes_by_joint};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::path::Path;
use test_models::soft_limb;

fn limb() -> SkinnedModel {
    import(&soft_limb().to_glb(), &NoExternalFiles).unwrap()
}

fn asset(name: &str) -> SkinnedModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    import(&std::fs::read(path).unwrap(), &NoExternalFiles).unwrap()
}

/// Overrides with options for single joints.
fn own(joints: &[(&str, &[(&str, &str)])]) -> Overrides {
    let options = |words: &[(&str, &str)]| words.iter().map(|&(key, value)| (key.into(), value.into())).collect();
    let joint = |(name, words): &(&str, &[(&str, &str)])| {
        ((*name).to_owned(), JointOverride { options: options(words), ..JointOverride::default() })
    };
    Overrides { joints: joints.iter().map(joint).collect(), ..Overrides::default() }
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)], overrides: &Overrides) -> Result<Bake, BakeError> {
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    let source = Source { file: "made-up.glb".into(), blake3: [0; 32], generator: "test".into() };
    let bake = bake_with(model, "made-up", source, &options, overrides)?;
    bake.character.validate().unwrap();
    Ok(bake)
}

fn boxes_of<'a>(bake: &'a Bake, joint: &str) -> Vec<&'a Hitbox> {
    let joint = bake.character.skeleton.find(joint).unwrap();
    bake.character.boxes.iter().filter(|one| one.joint == joint).collect()
}

/// The ties between weights are an option of the whole character, so they are given to both bakes.
#[test]
fn a_preset_of_every_joint_is_the_preset_of_the_character() {
    for (preset, words) in [
        ("cover", vec![("tie_tolerance", "0.004")]),
        ("tight", vec![("tie_tolerance", "0.004"), ("budget", "2")]),
        ("recipe", vec![]),
    ] {
        let whole = baked(&limb(), &[("preset", preset)], &Overrides::default()).unwrap();
        let joints = [("upper", &[("preset", preset)][..]), ("lower", &[("preset", preset)])];
        let by_joint = baked(&limb(), &words, &own(&joints)).unwrap();
        assert_eq!(by_joint.character.boxes, whole.character.boxes, "{preset}");
    }
}

#[test]
fn a_preset_of_one_joint_covers_this_joint_and_leaves_the_others() {
    let (model, covered) = (asset("bruno.glb"), own(&[("upperarm_l", &[("preset", "cover")])]));
    let options = [("measure", "none")];
    let [before, after] = [Overrides::default(), covered].map(|own| baked(&model, &options, &own).unwrap());
    let arm = model.skeleton.find("upperarm_l").unwrap();
    for (one, other) in before.character.boxes.iter().zip(&after.character.boxes) {
        assert_eq!(one == other, one.joint != arm, "{}", model.skeleton.joint(one.joint).name);
    }
    let escape = |bake: &Bake| {
        let escapes = escapes_by_joint(&model, &bake.character.boxes, &BakeOptions::default());
        escapes.iter().find(|one| one.joint == arm).map(|one| one.distance)
    };
    assert!(escape(&before).unwrap() > 0.01);
    assert_eq!(escape(&after), None);
}

#[test]
fn options_of_a_joint_override_its_preset() {
    let [cover, with_margin, in_bind] = [
        vec![("preset", "cover")],
        vec![("margin", "0.1"), ("preset", "cover")],
        vec![("bridge", "none"), ("poses", "bind"), ("preset", "cover")],
    ]
    .map(|words| baked(&limb(), &[], &own(&[("lower", &words)])).unwrap());
    let half_extents = |bake: &Bake| boxes_of(bake, "lower")[0].half_extents;
    let grown = half_extents(&with_margin) - half_extents(&cover);
    let margin = 0.1 * cover.report.height as f32;
    assert!((grown - margin).abs().max_element() < 1e-5, "{grown}");
    // `min-volume` and the corners of the bind pose are left of the preset.
    let by_hand = baked(&limb(), &[("fit", "min-volume")], &Overrides::default()).unwrap();
    assert_eq!(boxes_of(&in_bind, "lower"), boxes_of(&by_hand, "lower"));
}

/// The joint that gets the surface of a merged joint decides how this surface is held.
#[test]
fn a_merged_joint_is_held_as_the_joint_above_asks() {
    let words = [("merge", "lower"), ("tie_tolerance", "0.004")];
    let by_joint = baked(&limb(), &words, &own(&[("upper", &[("preset", "cover")])])).unwrap();
    let whole = baked(&limb(), &[("preset", "cover"), ("merge", "lower")], &Overrides::default()).unwrap();
    assert_eq!(by_joint.character.boxes, whole.character.boxes);
}

#[test]
fn only_whole_characters_are_fitted_to_any_pose() {
    let any = baked(&limb(), &[], &own(&[("upper", &[("preset", "always")])])).unwrap_err();
    assert_eq!(any, BakeError::AnyPoseOfJoint { joint: "upper".into() });
    insta::assert_snapshot!(any, @r#"joint "upper": only a whole character can have poses = "any" or preset = "always"; write it for the character, or use poses = "clips" or preset = "cover" for the joint"#);
    let always = [("preset", "always")];
    let [alone, beside] = [Overrides::default(), own(&[("lower", &[("preset", "recipe"), ("poses", "bind")])])]
        .map(|overrides| baked(&limb(), &always, &overrides).unwrap());
    assert_eq!(beside.character, alone.character, "presets and poses of joints have no effect");
    let wrong = own(&[("lower", &[("preset", "covr")])]);
    assert!(baked(&limb(), &always, &wrong).is_err(), "but they are checked");
}

#[test]
fn a_preset_of_a_joint_keeps_the_options_in_which_presets_do_not_differ() {
    let words = [("shape", "capsule"), ("margin", "0.05")];
    let [without, with] = [Overrides::default(), own(&[("lower", &[("preset", "cover")])])]
        .map(|overrides| baked(&limb(), &words, &overrides).unwrap());
    assert_eq!(boxes_of(&with, "lower")[0].shape, boxes_of(&without, "lower")[0].shape);
    let whole = [("preset", "cover"), ("shape", "capsule"), ("margin", "0.05"), ("tie_tolerance", "0")];
    let whole = baked(&limb(), &whole, &Overrides::default()).unwrap();
    assert_eq!(boxes_of(&with, "lower"), boxes_of(&whole, "lower"));
}

/// A file is baked again if its record changes.
#[test]
fn the_record_of_a_joint_tells_all_options_that_change_its_hitbox() {
    let model = limb();
    let record = |character: &[(&str, &str)], joint: &[(&str, &str)]| {
        let options = BakeOptions::from_entries(character.iter().copied()).unwrap();
        own(&[("lower", joint)]).record(&model.skeleton, &options).unwrap()
    };
    let tight = [("preset", "tight")];
    assert_ne!(record(&tight, &[("preset", "cover")]), record(&tight, &[("keep", "0.9"), ("preset", "cover")]));
    let margin = [("margin", "0.01")];
    assert_ne!(record(&margin, &[]), record(&margin, &[("margin", "0")]));
    assert_eq!(record(&margin, &[]), record(&margin, &[("margin", "0.01")]));
    assert_eq!(record(&[("preset", "always")], &[("preset", "cover")]), "");
    insta::assert_snapshot!(record(&[], &[("preset", "cover")]), @r#"
    "lower"
      bridge = "surface"
      fit = "min-volume"
      poses = "clips"
      preset = "cover"
    "#);
}

/// `always` excludes shapes of single joints, and yet its figures are among the others.
#[test]
fn presets_are_compared_although_a_joint_has_its_own() {
    let words = [("preset", "cover"), ("shape", "capsule")];
    let overrides = own(&[("lower", &words)]);
    let bake = baked(&limb(), &[], &overrides).unwrap();
    let rows = compare_presets(&limb(), &BakeOptions::default(), &overrides, &bake.character).unwrap();
    assert_eq!(rows.len(), 4);
}
