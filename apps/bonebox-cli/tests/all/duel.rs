//! Fights of the authored humans: the fist hits when and where the animation shows it.

use asset_bake::load_or_bake;
use glam::Affine3A;
use page_answers::duel::{Fighter, Tick, opposite, ticks};
use runtime::Character;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::Command;

fn fighter(name: &str, clip: &str, world_from_model: Affine3A) -> Fighter {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
    let character = Character::from_baked(load_or_bake(&path, &Default::default()).unwrap());
    Fighter::new(character, Some(clip), world_from_model).unwrap()
}

/// Runa jabs once with her left hand, at 30 ticks per second. Bruno stands in front of her.
fn jab(distance: f32) -> Vec<Tick> {
    let mut a = fighter("runa.glb", "jab", Affine3A::IDENTITY);
    let mut b = fighter("bruno.glb", "idle", opposite(distance, 0.0));
    let mut all = Vec::new();
    let keep = |tick| {
        all.push(tick);
        Ok(())
    };
    ticks(&mut a, &mut b, 30.0, 21, keep).unwrap();
    all
}

/// The first and the last tick in which `is_hit` holds. It must hold in all ticks between them.
fn span(ticks: &[Tick], is_hit: impl Fn(&Tick) -> bool) -> RangeInclusive<u32> {
    let hits: Vec<u32> = ticks.iter().filter(|tick| is_hit(tick)).map(|tick| tick.tick).collect();
    let span = *hits.first().expect("a hit")..=*hits.last().expect("a hit");
    assert_eq!(span.clone().count(), hits.len(), "the hit has no gap: {hits:?}");
    span
}

#[test]
fn the_fist_lands_on_the_chest_or_head_while_the_arm_is_out() {
    let ticks = jab(0.8);
    let targets = ["spine_03", "neck_01", "head"];
    let fist =
        span(&ticks, |tick| tick.pairs.iter().any(|pair| pair.a == "hand_l" && targets.contains(&pair.b.as_str())));
    // The keys of the clip: the arm moves out from 0.13 s on, is held, and is back in guard before 0.5 s.
    assert!((4..=8).contains(fist.start()) && (11..=15).contains(fist.end()), "{fist:?}");

    // Only the punching arm touches, and only Bruno's upper body is touched.
    let mut touching = BTreeSet::new();
    for pair in ticks.iter().flat_map(|tick| &tick.pairs) {
        let arm =
            ["lowerarm_l", "hand_l"].contains(&pair.a.as_str()) || pair.a.contains("_0") && pair.a.ends_with("_l");
        assert!(arm, "{pair:?}");
        touching.insert(pair.b.clone());
    }
    assert!(touching.iter().all(|name| targets.contains(&name.as_str()) || name == "spine_02"), "{touching:?}");

    // The hit is deepest in its middle, not at its ends.
    let depth = |tick: u32| ticks[tick as usize].pairs.iter().map(|pair| pair.depth).fold(0.0, f32::max);
    let middle = (fist.start() + fist.end()) / 2;
    assert!(depth(middle) > depth(*fist.start()) && depth(middle) > depth(*fist.end()));
}

#[test]
fn out_of_reach_there_is_no_hit() {
    assert!(jab(1.2).iter().all(|tick| tick.pairs.is_empty()));
}

#[test]
fn nearer_is_earlier_and_longer() {
    let length = |distance| span(&jab(distance), |tick| tick.pairs.iter().any(|pair| pair.a == "hand_l"));
    let (near, far) = (length(0.7), length(0.85));
    assert!(near.start() <= far.start() && near.end() >= far.end() && near.clone().count() > far.clone().count());
}

/// Runa jabs at Bruno, and the skins decide.
#[test]
fn exact_ticks_tell_a_near_miss_of_the_hitboxes_from_a_hit_on_the_skin() {
    let fighter = |name, clip, place| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name);
        let requested = asset_bake::RequestedSettings::default().with_options(&[("skin", "lossless")]).unwrap();
        let character = Character::from_baked(load_or_bake(&path, &requested).unwrap());
        let mut fighter = Fighter::new(character, Some(clip), place).unwrap();
        fighter.track_skin().unwrap();
        fighter
    };
    let mut a = fighter("runa.glb", "jab", Affine3A::IDENTITY);
    let mut b = fighter("bruno.glb", "idle", opposite(0.8, 0.0));
    let mut all: Vec<Tick> = Vec::new();
    ticks(&mut a, &mut b, 30.0, 21, |tick| {
        all.push(tick);
        Ok(())
    })
    .unwrap();

    let boxes = |tick: &Tick| tick.pairs.iter().any(|pair| pair.a == "hand_l" && pair.b == "spine_03");
    let skin = |tick: &Tick| {
        let is_hit = |pair: &&page_answers::duel::SkinPair| pair.a == "hand_l" && pair.b == "spine_03";
        tick.skin.as_ref().unwrap().iter().find(is_hit).and_then(|pair| pair.point)
    };
    // At the begin of the jab the boxes meet in the air before the chest.
    assert!(boxes(&all[6]) && all[6].skin.as_ref().unwrap().is_empty(), "{:?}", all[6]);
    // Then the fist is in the chest: its surface crosses the chest's, and fingers that lie deeper cross nothing.
    let point = skin(&all[9]).expect("the hand hits the chest");
    assert!((point[1] - 1.47).abs() < 0.05 && (point[2] - 0.7).abs() < 0.05, "{point:?}");
    assert!(all[9].skin.iter().flatten().any(|pair| pair.a == "middle_01_l" && pair.point.is_none()), "{:?}", all[9]);
    // A hit on the skin is one of the hitboxes too, here.
    assert!(all.iter().all(|tick| boxes(tick) || skin(tick).is_none()));
    // Boxes alone say nothing about the skin.
    assert!(jab(0.8).iter().all(|tick| tick.skin.is_none()));
}

#[test]
fn an_exact_duel_needs_the_skin() {
    let character = fighter("runa.glb", "jab", Affine3A::IDENTITY).track_skin().unwrap_err().to_string();
    assert!(character.contains("--skin lossless"), "{character}");
}

#[test]
fn the_readme_shows_what_its_duels_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let duels: Vec<&str> = readme.split("```sh\nbonebox duel ").skip(1).collect();
    assert_eq!(duels.len(), 2);
    for duel in duels {
        let (command, rest) = duel.split_once("\n```").expect("the end of the command");
        let (arguments, pattern) = command.split_once(" | grep ").unwrap_or((command, ""));
        let shown = rest.split_once("```text\n").and_then(|(_, text)| text.split_once("```")).expect("its output").0;
        let arguments = arguments.split_whitespace().filter(|word| *word != "\\");
        let mut program = Command::new(env!("CARGO_BIN_EXE_bonebox"));
        let output = program.arg("duel").args(arguments).current_dir(&root).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        let printed: Vec<&str> = printed.lines().filter(|line| line.contains(pattern)).collect();
        assert_eq!(printed, shown.lines().collect::<Vec<_>>());
    }
}
