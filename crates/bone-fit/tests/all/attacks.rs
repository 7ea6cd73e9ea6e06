//! Attacks and states of settings: their clips and hitboxes are found, and mistakes have their place and their cure.

use baked_format::{AttackKind, Source, StateKind, Window};
use bone_fit::{AttackSettings, Bake, BakeError, BakeOptions, Overrides, StateSettings, bake_with};
use skeleton::NamePattern;
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::path::Path;

fn runa() -> SkinnedModel {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/runa.glb");
    import(&std::fs::read(path).unwrap(), &NoExternalFiles).unwrap()
}

fn baked(attacks: Vec<AttackSettings>, states: Vec<StateSettings>) -> Result<Bake, BakeError> {
    let tags = vec![(NamePattern::new("hand_?"), vec!["fist".to_owned()])];
    let overrides = Overrides { tags, attacks, states, ..Overrides::default() };
    let options = BakeOptions::from_entries([("measure", "none")]).unwrap();
    let source = Source { file: "runa.glb".into(), blake3: [0; 32], generator: "test".into() };
    let bake = bake_with(&runa(), "runa", source, &options, &overrides)?;
    bake.character.validate().unwrap();
    Ok(bake)
}

fn jab() -> AttackSettings {
    AttackSettings {
        name: "jab".into(),
        clip: "jab".into(),
        kind: AttackKind::Strike,
        boxes: vec!["fist".into()],
        active: vec![Window { from: 0.15, to: 0.35 }],
        group: None,
        rank: 0,
        rehit: None,
        against: vec!["torso".into(), "head".into(), "head".into()],
        strength: 0.0,
        data: None,
    }
}

#[test]
fn names_are_tags_or_patterns_for_joints() {
    let kick =
        AttackSettings { clip: "roundhouse_kick".into(), boxes: vec!["calf_r".into(), "foot_?".into()], ..jab() };
    let guard = StateSettings {
        clip: "guard".into(),
        kind: StateKind::Guard,
        boxes: vec![],
        active: vec![Window { from: 0.0, to: 1.2 }],
    };
    // The kick comes first here, and its clip comes later.
    let bake = baked(vec![kick, jab()], vec![guard]).unwrap();
    let character = &bake.character;
    let joints = |boxes: &[u16]| -> Vec<&str> {
        let joint = |&index: &u16| character.skeleton.joint(character.boxes[usize::from(index)].joint).name.as_str();
        boxes.iter().map(joint).collect()
    };
    let [first, second] = character.attacks.as_slice() else { panic!("two attacks") };
    assert_eq!((character.clips[first.clip.index()].name.as_str(), first.group.as_str()), ("jab", "jab"));
    assert_eq!(joints(&first.boxes), ["hand_l", "hand_r"]);
    assert_eq!(joints(&second.boxes), ["foot_l", "calf_r", "foot_r"]);
    assert_eq!(first.against, ["head", "torso"]);
    assert_eq!(character.states[0].boxes.len(), character.boxes.len());
    assert!(character.warnings.iter().all(|warning| !warning.code.starts_with("attack")), "{:?}", character.warnings);
}

#[test]
fn mistakes_name_the_clip_and_the_cure() {
    let window = |from, to| vec![Window { from, to }];
    let mistakes = [
        AttackSettings { clip: "jabb".into(), ..jab() },
        AttackSettings { clip: "moonwalk".into(), ..jab() },
        AttackSettings { boxes: vec!["fits".into()], ..jab() },
        AttackSettings { boxes: vec!["fist".into(), "*claw*".into()], ..jab() },
        AttackSettings { active: window(0.6, 0.75), ..jab() },
        AttackSettings { active: [window(0.1, 0.2), window(0.2, 0.3)].concat(), ..jab() },
    ];
    let said: Vec<String> =
        mistakes.into_iter().map(|attack| baked(vec![attack], vec![]).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn implausible_attacks_have_a_warning() {
    // The jab has not begun to move in these 30 ms.
    let still = AttackSettings { name: "still".into(), active: vec![Window { from: 0.0, to: 0.03 }], ..jab() };
    let rival =
        AttackSettings { name: "rival".into(), group: Some("jab".into()), boxes: vec!["hand_l".into()], ..jab() };
    let sour = AttackSettings { name: "sour".into(), rank: 1, ..rival.clone() };
    let later = AttackSettings { name: "later".into(), active: vec![Window { from: 0.4, to: 0.5 }], ..rival.clone() };
    let bake = baked(vec![still, jab(), rival, sour, later], vec![]).unwrap();
    let told: Vec<String> = bake
        .character
        .warnings
        .iter()
        .filter(|warning| warning.code.starts_with("attack"))
        .map(|warning| format!("{}: {}", warning.code, warning.text))
        .collect();
    insta::assert_snapshot!(told.join("\n"));
}

/// A bake is made again if its attacks change.
#[test]
fn attacks_are_part_of_the_record() {
    let record = |attacks: Vec<AttackSettings>| {
        let overrides = Overrides { attacks, ..Overrides::default() };
        overrides.record(&runa().skeleton, &BakeOptions::default()).unwrap()
    };
    let later = AttackSettings { active: vec![Window { from: 0.15, to: 0.36 }], ..jab() };
    let records = [record(vec![]), record(vec![jab()]), record(vec![later])];
    assert!(records[0].is_empty() && records[1] != records[2]);
}
