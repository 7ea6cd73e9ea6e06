//! If several sections match a character, the right one applies.

use bake_settings::{Character, CharacterSettings, NewCharacter, Settings, check_patterns_of_entries, untagged_joints};
use baked_format::{AttackKind, StateKind, Window};
use bone_fit::{AttackSettings, HumanoidOverride, Preset, RagdollJointSettings, RagdollSettings, StateSettings};
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
fn the_section_of_a_character_overrides_the_section_for_all() {
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
fn a_preset_resets_all_options() {
    let troll = of("troll", &[]);
    assert_eq!((troll.options.preset, troll.options.margin, troll.options.exclude.len()), (Preset::Cover, 0.0, 0));
    assert_eq!(troll.overrides.tags.len(), 1, "a preset does not reset tags");
}

#[test]
fn a_preset_of_a_joint_resets_the_options_of_outer_sections() {
    let file = "[joints.arm]\nfit = \"pca\"\nmargin = 0.01\n[characters.troll.joints.arm]\npreset = \"cover\"\nmargin = 0.02\n";
    let troll = Settings::parse(file).unwrap().for_character("troll", &[]).unwrap();
    let arm: Vec<(&str, &str)> =
        troll.overrides.joints["arm"].options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(arm, [("margin", "0.02"), ("preset", "cover")]);
}

#[test]
fn the_command_line_overrides_the_file() {
    let knight = of("knight", &[("margin", "0.5")]);
    assert_eq!((knight.options.margin, knight.options.keep), (0.5, 0.95));
    let knight = of("knight", &[("margin", "0.5"), ("preset", "recipe")]);
    assert_eq!((knight.options.margin, knight.options.keep, knight.options.preset), (0.5, 1.0, Preset::Recipe));
    assert!(Settings::parse(FILE).unwrap().for_character("knight", &[("fit".into(), "pac".into())]).is_err());
}

#[test]
fn options_of_parts_are_added_to_those_of_outer_sections() {
    let text = "[parts]\nset = \"humanoid\"\nhead = { shape = \"sphere\", margin = 0.1 }\n\n\
        [characters.knight.parts]\nset = 6\n[characters.knight.parts.head]\nmargin = 0\n[characters.knight.parts.\"arm.left\"]\n\
        fit = \"upright\"\n";
    let of = |name: &str| {
        let settings = Settings::parse(text).unwrap().for_character(name, &[]).unwrap();
        (settings.options.get("parts").unwrap(), format!("{:?}", settings.overrides.parts))
    };
    let words = |parts: &str, text: &str| (parts.to_owned(), text.to_owned());
    assert_eq!(of("mage"), words("humanoid", r#"{"head": {"margin": "0.1", "shape": "sphere"}}"#));
    let knight = r#"{"arm.left": {"fit": "upright"}, "head": {"margin": "0", "shape": "sphere"}}"#;
    assert_eq!(of("knight"), words("6", knight));
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
fn missing_characters_and_joints_are_named() {
    let settings = Settings::parse(FILE).unwrap();
    assert_eq!(settings.check_characters(["knight", "troll"]), Ok(()));
    insta::assert_snapshot!(settings.check_characters(["knight", "trol"]).unwrap_err(), @r#"
    31:13: there is no character "troll" in this folder or its subfolders; did you mean "trol"?
      31 | [characters.troll]
         |             ^^^^^
    "#);
    insta::assert_snapshot!(settings.check_characters(["knight"]).unwrap_err(), @r#"
    31:13: there is no character "troll" in this folder or its subfolders; correct the name, or delete the section if its character is in another folder
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
    1:9: the character "knight" has no joint "tail"; `bonebox inspect` lists its joints; if only some characters have this joint, write [characters.NAME.joints.JOINT]
      1 | [joints.tail]
        |         ^^^^
    "#);
}

fn character(name: &str, joints: &[&str]) -> Character {
    Character {
        name: name.into(),
        joints: joints.iter().map(|joint| (*joint).to_owned()).collect(),
        surfaces: Vec::new(),
    }
}

#[test]
fn a_pattern_is_a_mistake_only_if_it_matches_in_no_character() {
    let (runa, hound) = (character("runa", &["hand_l", "hand_r", "index_01_l"]), character("hound", &["tail_01"]));
    let settings = Settings::parse("merge = [\"index*\"]\n[tags]\n\"tail*\" = \"tail\"").unwrap();
    assert!(settings.has_unmatched_patterns(&hound) && settings.has_unmatched_patterns(&runa));
    assert_eq!(
        settings.check_patterns(&[runa.clone(), hound.clone()]),
        Ok(()),
        "each pattern matches in one of the two characters"
    );
    insta::assert_snapshot!(settings.check_patterns(std::slice::from_ref(&runa)).unwrap_err(), @r#"
    3:1: the pattern "tail*" matches no joint of the character "runa"; `bonebox inspect` lists the joint names; if the pattern is for a character in another folder, delete it
      3 | "tail*" = "tail"
        | ^^^^^^^
    "#);
    let settings = Settings::parse("[tags]\n\"*handd*\" = \"hand\"").unwrap();
    insta::assert_snapshot!(settings.check_patterns(&[runa.clone(), hound.clone()]).unwrap_err(), @r#"
    2:1: the pattern "*handd*" matches no joint of any of 2 characters; the nearest joint names are "hand_l", "hand_r"
      2 | "*handd*" = "hand"
        | ^^^^^^^^^
    "#);
    let own = Settings::parse("[characters.hound]\nmerge = [\"*finger*\"]").unwrap();
    assert!(!own.has_unmatched_patterns(&runa) && own.has_unmatched_patterns(&hound));
    insta::assert_snapshot!(own.check_patterns(&[runa.clone(), hound]).unwrap_err(), @r#"
    2:10: the pattern "*finger*" matches no joint of the character "hound"; `bonebox inspect` lists the joint names; if the pattern is for a character in another folder, delete it
      2 | merge = ["*finger*"]
        |          ^^^^^^^^^^
    "#);
    let words = [("fit".to_owned(), "pca".to_owned()), ("exclude".to_owned(), "hand*,*lefthnd".to_owned())];
    insta::assert_snapshot!(check_patterns_of_entries(&words, &[character("a", &["mixamorig:LeftHand"])]).unwrap_err(), @r#"exclude: the pattern "hand*" matches no joint of the character "a"; the nearest joint name is "mixamorig:LeftHand""#);
}

#[test]
fn patterns_of_ignore_match_meshes_and_materials_too() {
    let mut runa = character("runa", &["head", "hair_01"]);
    runa.surfaces = vec!["Cape".to_owned(), "M_Hair".to_owned()];
    let settings = Settings::parse("ignore = [\"cape\", \"m_hair\", \"hair*\"]").unwrap();
    assert!(!settings.has_unmatched_patterns(&runa));
    assert!(Settings::parse("exclude = [\"cape\"]").unwrap().has_unmatched_patterns(&runa));
    let wrong = Settings::parse("ignore = [\"hair*\", \"capes\"]").unwrap();
    insta::assert_snapshot!(wrong.check_patterns(&[runa.clone()]).unwrap_err(), @r#"
    1:20: the pattern "capes" matches no joint, mesh, node or material of the character "runa"; the nearest name is "Cape"
      1 | ignore = ["hair*", "capes"]
        |                    ^^^^^^^
    "#);
    let words = [("ignore".to_owned(), "cape,tail".to_owned())];
    let error = check_patterns_of_entries(&words, &[runa]).unwrap_err();
    assert!(error.starts_with("ignore: the pattern \"tail\" matches no joint, mesh, node or material"), "{error}");
}

#[test]
fn a_pattern_with_the_mark_may_match_nothing() {
    let knight = character("knight", &["head", "hand.l"]);
    for (text, merge) in [
        ("merge = \"optional:tail*\"", "tail*"),
        ("merge = [\"hand*\", \"optional:tail*\", \" optional:head\"]", "hand*,tail*,head"),
    ] {
        let settings = Settings::parse(text).unwrap();
        assert!(!settings.has_unmatched_patterns(&knight), "{text}");
        let options = settings.for_character("knight", &[]).unwrap().options;
        assert_eq!(options.entries().iter().find(|(key, _)| key == "merge").unwrap().1, merge);
    }
    let settings = Settings::parse("merge = [\"optional:tail*\", \"paw*\"]").unwrap();
    assert!(settings.has_unmatched_patterns(&knight));
    let words = |value: &str| [("merge".to_owned(), value.to_owned())];
    assert_eq!(check_patterns_of_entries(&words("optional:tail*,hand*"), std::slice::from_ref(&knight)), Ok(()));
    assert!(check_patterns_of_entries(&words("optional:tail*,paw*"), &[knight]).is_err());
}

#[test]
fn degrees_turn_about_the_fixed_axes_x_then_y_then_z() {
    let file = "[[joints.head.boxes]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 2, 3]\nrotation = [90, 90, 0]";
    let head = &Settings::parse(file).unwrap().for_character("runa", &[]).unwrap().overrides.joints["head"];
    let turned = |axis: Vec3| (head.boxes[0].orientation * axis).round();
    // The rotation about x comes first and takes y to z. The rotation about y then takes z to x.
    assert_eq!((turned(Vec3::Y), turned(Vec3::X), turned(Vec3::Z)), (Vec3::X, -Vec3::Z, -Vec3::Y));
}

#[test]
fn lines_of_settings_are_found_again() {
    let settings = Settings::parse(FILE).unwrap();
    assert_eq!(settings.lines_of_boxes("knight", "head"), [23]);
    assert_eq!(settings.line_of_option("knight", None, "margin"), Some(17));
    assert_eq!(settings.line_of_option("runa", None, "margin"), Some(4));
    assert_eq!(settings.line_of_option("knight", Some("head"), "margin"), Some(29));
    assert_eq!(settings.line_of_option("knight", None, "rate"), None);
}

#[test]
fn the_line_of_a_limit_is_that_of_the_last_section_that_sets_it() {
    let text =
        "[limits]\nmost_escape = 0.1\nleast_surface_rest = 0.9\n\n[characters.\"kn*\".limits]\nmost_escape = 0.2\n";
    let settings = Settings::parse(text).unwrap();
    assert_eq!(settings.line_of_limit("knight", "most_escape"), Some(6));
    assert_eq!(settings.line_of_limit("knight", "least_surface_rest"), Some(3));
    assert_eq!(settings.line_of_limit("runa", "most_escape"), Some(2));
    assert_eq!(settings.line_of_limit("runa", "most_volume_ratio"), None);
    for (name, limit) in [("knight", 0.2), ("runa", 0.1)] {
        assert_eq!(settings.for_character(name, &[]).unwrap().limits.most_escape, Some(limit));
    }
}

#[test]
fn joints_without_a_tag_are_listed() {
    let hound = character("hound", &["front_paw_l", "hind_pastern_r", "b_12", "camera"]);
    assert_eq!(untagged_joints(&hound), ["b_12", "camera"]);
    let text =
        bake_settings::init(&[NewCharacter { character: hound, is_humanoid: false, part_tags: Vec::new() }], "x");
    assert!(text.contains("# Without a tag in hound: \"b_12\", \"camera\"\n"), "{text}");
}

/// The bones of a character's section override those for all characters, and `false` removes all bones.
#[test]
fn bones_of_a_section_override_those_of_outer_sections() {
    let file = Settings::parse(
        r#"
        [humanoid]
        leftHand = "wrist.l"
        head = "head"
        [characters."kn*".humanoid]
        leftHand = "hand.l"
        [characters.hound]
        humanoid = false
        [characters.hound_rider]
        humanoid = true
        "#,
    );
    let file = file.unwrap();
    let humanoid = |name: &str| file.for_character(name, &[]).unwrap().overrides.humanoid;
    let always = |list: &[(&str, &str)]| {
        HumanoidOverride::Always(list.iter().map(|&(bone, joint)| (bone.into(), joint.into())).collect())
    };
    assert_eq!(humanoid("knight"), always(&[("head", "head"), ("leftHand", "hand.l")]));
    assert_eq!(humanoid("hound"), HumanoidOverride::Never);
    assert_eq!(humanoid("hound_rider"), always(&[("head", "head"), ("leftHand", "wrist.l")]));
    assert_eq!(
        Settings::parse("").unwrap().for_character("a", &[]).unwrap().overrides.humanoid,
        HumanoidOverride::IfFound
    );
}

#[test]
fn attacks_of_a_character_override_those_of_all_characters() {
    let file = r#"
        [clips.jab]
        attacks = [
            { name = "jab", boxes = ["hand.left"], active = [[0.1, 0.2], [0.3, 0.4]], data = { b = 1, a = ["x", 1.5, true] } },
            { name = "kick", kind = "grab", boxes = "foot", active = [0.25, 0.5], group = "leg", rank = 2, rehit = 0.1, against = "hurt", strength = 3 },
        ]
        [[clips.dodge.states]]
        state = "invulnerable"
        active = [0, 0.25]
        [[characters.runa.clips.jab.attacks]]
        name = "jab"
        boxes = ["hand.right"]
        frames = [6, 9]
        rate = 60
        [[characters.runa.clips.jab.states]]
        state = "armor"
        boxes = "torso"
        active = [0.5, 0.5]
    "#;
    let settings = Settings::parse(file).unwrap();
    let of = |name| settings.for_character(name, &[]).unwrap().overrides;
    let window = |from, to| Window { from, to };
    let jab = AttackSettings {
        name: "jab".into(),
        clip: "jab".into(),
        kind: AttackKind::Strike,
        boxes: vec!["hand.left".into()],
        active: vec![window(0.1, 0.2), window(0.3, 0.4)],
        group: None,
        rank: 0,
        rehit: None,
        against: vec![],
        strength: 0.0,
        // Keys are sorted, so that their order in the file changes no bake.
        data: Some(r#"{"a":["x",1.5,true],"b":1}"#.into()),
    };
    let kick = AttackSettings {
        name: "kick".into(),
        kind: AttackKind::Grab,
        boxes: vec!["foot".into()],
        active: vec![window(0.25, 0.5)],
        group: Some("leg".into()),
        rank: 2,
        rehit: Some(0.1),
        against: vec!["hurt".into()],
        strength: 3.0,
        data: None,
        ..jab.clone()
    };
    let state = |clip: &str, kind, boxes: &[&str], active| StateSettings {
        clip: clip.into(),
        kind,
        boxes: boxes.iter().map(|&name| name.to_owned()).collect(),
        active: vec![active],
    };
    let dodge = state("dodge", StateKind::Invulnerable, &[], window(0.0, 0.25));
    assert_eq!(of("bruno").attacks, [jab.clone(), kick.clone()]);
    assert_eq!(of("bruno").states, std::slice::from_ref(&dodge));
    let own = AttackSettings { boxes: vec!["hand.right".into()], active: vec![window(0.1, 0.15)], data: None, ..jab };
    assert_eq!(of("runa").attacks, [kick, own]);
    assert_eq!(of("runa").states, [dodge, state("jab", StateKind::Armor, &["torso"], window(0.5, 0.5))]);
}

#[test]
fn a_ragdoll_of_a_character_overrides_that_of_all_characters() {
    let text = r#"
        [ragdoll]
        mass = 80
        slack = 3
        joints."*knee*" = { hinge = true, twist = 70 }
        [characters.runa.ragdoll]
        mass = 60.5
        joints."knee.l" = { swing = 20, damping = 1.5 }
        [characters.bruno]
        ragdoll = false
        [characters.hound]
        ragdoll = true
    "#;
    let of = |name: &str| Settings::parse(text).unwrap().for_character(name, &[]).unwrap().overrides.ragdoll;
    let knees = RagdollJointSettings { hinge: Some(true), twist: Some(70.0), ..RagdollJointSettings::default() };
    let knees = (NamePattern::new("*knee*"), knees);
    let left = RagdollJointSettings { swing: Some([20.0; 2]), damping: Some(1.5), ..RagdollJointSettings::default() };
    let all =
        RagdollSettings { mass: Some(80.0), slack: 3.0, joints: vec![knees.clone()], ..RagdollSettings::default() };
    assert_eq!(of("hound"), Some(all.clone()));
    assert_eq!(of("bruno"), None);
    let own = vec![knees, (NamePattern::new("knee.l"), left)];
    assert_eq!(of("runa"), Some(RagdollSettings { mass: Some(60.5), joints: own, ..all }));
    let none = Settings::parse("preset = \"tight\"").unwrap();
    assert_eq!(none.for_character("runa", &[]).unwrap().overrides.ragdoll, None);
    let misspelled = Settings::parse("[ragdoll.joints.\"*kne\"]\nhinge = true").unwrap();
    let runa = character("runa", &["knee.l"]);
    assert!(misspelled.has_unmatched_patterns(&runa));
    insta::assert_snapshot!(misspelled.check_patterns(&[runa]).unwrap_err().to_string());
}
