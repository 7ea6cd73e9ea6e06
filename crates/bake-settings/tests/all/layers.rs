//! Which of several sections holds.

use bake_settings::{CharacterSettings, Settings};
use bone_fit::Preset;
use glam::Vec3;
use skeleton::{Joint, LocalTransform, NamePattern, NodeIndex, Skeleton, Trs};

const FILE: &str = r#"
preset = "tight"
exclude = ["*twist*", "*ik*"]
margin = 0.01

[limits]
least_surface_clips = 0.98
most_escape = 0.05

[tags]
"*hand*" = ["hand", "strike"]

[sets]
hurt = ["head", "hand"]

[characters."kn*"]
margin = 0.02
[characters."kn*".limits]
most_escape = 0.1
[characters."kn*".joints.head]
tags = "head"
skip = true
boxes = [{ center = [0, 0.1, 0], half_extents = [1, 2, 3] }]

[characters.knight]
keep = 0.95
[characters.knight.joints.head]
skip = false
margin = 0

[characters.troll]
preset = "cover"
"#;

fn of(name: &str, words: &[(&str, &str)]) -> CharacterSettings {
    let words: Vec<(String, String)> =
        words.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Settings::parse(FILE).unwrap().for_character(name, &words).unwrap()
}

#[test]
fn a_characters_section_comes_over_everyones() {
    let [other, knave, knight] = ["runa", "knave", "knight"].map(|name| of(name, &[]));
    assert_eq!((other.options.preset, other.options.margin, other.options.keep), (Preset::Tight, 0.01, 0.9));
    assert_eq!(other.options.exclude, NamePattern::list("*twist*,*ik*"));
    assert!(other.overrides.joints.is_empty());
    assert_eq!((knave.options.margin, knight.options.margin, knight.options.keep), (0.02, 0.02, 0.95));
    assert_eq!((other.limits.most_escape, knave.limits.most_escape), (Some(0.05), Some(0.1)));
    assert_eq!(knave.limits.least_surface_clips, Some(0.98));
    assert!(knave.overrides.joints["head"].skip && !knight.overrides.joints["head"].skip);
    assert_eq!(knight.overrides.joints["head"].boxes[0].half_extents, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(knight.overrides.joints["head"].options["margin"], "0");
    assert_eq!(knight.overrides.sets["hurt"], ["head", "hand"]);
}

#[test]
fn a_preset_sets_all_anew() {
    let troll = of("troll", &[]);
    assert_eq!((troll.options.preset, troll.options.margin, troll.options.exclude.len()), (Preset::Cover, 0.0, 0));
    assert_eq!(troll.overrides.tags.len(), 1, "tags are no options");
}

#[test]
fn the_command_line_comes_over_the_file() {
    let knight = of("knight", &[("margin", "0.5")]);
    assert_eq!((knight.options.margin, knight.options.keep), (0.5, 0.95));
    let knight = of("knight", &[("margin", "0.5"), ("preset", "recipe")]);
    assert_eq!((knight.options.margin, knight.options.keep, knight.options.preset), (0.5, 1.0, Preset::Recipe));
    assert!(Settings::parse(FILE).unwrap().for_character("knight", &[("fit".into(), "pac".into())]).is_err());
}

fn skeleton(names: &[&str]) -> Skeleton {
    let joint = |(index, name): (usize, &&str)| Joint {
        name: (*name).into(),
        node: NodeIndex(index as u32),
        parent: None,
        rest: LocalTransform::Trs(Trs::IDENTITY),
        skinned: true,
    };
    Skeleton::new(names.iter().enumerate().map(joint).collect()).unwrap()
}

#[test]
fn characters_and_joints_that_are_not_there_are_named() {
    let settings = Settings::parse(FILE).unwrap();
    assert_eq!(settings.check_characters(["knight", "troll"]), Ok(()));
    insta::assert_snapshot!(settings.check_characters(["knight", "trol"]).unwrap_err(), @r#"
    31:13: there is no character "troll" in this folder or below; did you mean "trol"?
      31 | [characters.troll]
         |             ^^^^^
    "#);
    assert_eq!(settings.check_joints("runa", &skeleton(&["root"])), Ok(()));
    assert_eq!(settings.check_joints("knight", &skeleton(&["head"])), Ok(()));
    insta::assert_snapshot!(settings.check_joints("knight", &skeleton(&["haed", "hips"])).unwrap_err(), @r#"
    20:26: the character "knight" has no joint "head"; did you mean "haed"?
      20 | [characters."kn*".joints.head]
         |                          ^^^^
    "#);
    let everyone = Settings::parse("[joints.tail]\nskip = true").unwrap();
    insta::assert_snapshot!(everyone.check_joints("knight", &skeleton(&["haed", "hips"])).unwrap_err(), @r#"
    1:9: the character "knight" has no joint "tail"; move settings of some characters only to [characters.NAME.joints.JOINT]
      1 | [joints.tail]
        |         ^^^^
    "#);
}
