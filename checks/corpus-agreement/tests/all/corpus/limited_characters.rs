//! Bounds over spans of the corpus' clips contain every pose in the span, and a character with some of its hitboxes poses
//! them as the whole character does.

use asset_bake::Asset;
use baked_format::Source;
use bone_fit::{BakeOptions, bake};
use glam::{Affine3A, Quat, Vec3};
use runtime::{Bounds, BoxIndex, Character, ClipIndex, ClipSampler, LoopMode, PosedCharacter};

/// Bakes every tenth character of the corpus, without measuring coverage.
fn some_characters() -> impl Iterator<Item = Character> {
    corpus::characters().into_iter().step_by(10).map(|path| {
        let model = Asset::open(&path).unwrap().import().unwrap().0;
        let source = Source { file: "corpus".into(), blake3: [0; 32], generator: String::new() };
        let words = [("preset", "cover"), ("measure", "none"), ("attachments", "skip")];
        let options = BakeOptions::from_entries(words).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        Character::from_baked(bake(&model, &name, source, &options).unwrap().character)
    })
}

fn somewhere() -> Affine3A {
    Affine3A::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::new(30.0, 2.0, -15.0))
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn bounds_over_spans_of_clips_contain_every_pose() {
    let (mut posed, mut sampler, mut spans) = (PosedCharacter::new(), ClipSampler::new(), 0);
    for character in some_characters() {
        for (index, clip) in (0..).map(ClipIndex).zip(character.clips()) {
            for (mode, elapsed, duration) in [(LoopMode::Loop, 0.37, 0.1), (LoopMode::Once, 0.2, 0.3)] {
                let over = character.bounds_over(index, mode, elapsed, duration).unwrap();
                let in_world = over.transformed(&somewhere());
                let mut around = Bounds::EMPTY;
                for step in 0..=10u8 {
                    let time = mode.clip_time(clip, elapsed + duration * f64::from(step) / 10.0);
                    posed.pose_from_clip(&mut sampler, &character, &Affine3A::IDENTITY, index, time).unwrap();
                    around = around.union(&posed.bounds());
                    assert!(over.contains(&posed.bounds()), "{} {} at {time}: {over:?}", character.name(), clip.name);
                    posed.pose_from_clip(&mut sampler, &character, &somewhere(), index, time).unwrap();
                    assert!(in_world.contains(&posed.bounds()), "{} {} at {time}", character.name(), clip.name);
                }
                let (wide, needed) = ((over.max - over.min).max_element(), (around.max - around.min).max_element());
                assert!(wide <= 3.0 * needed, "{} {}: {wide} for {needed}", character.name(), clip.name);
                spans += 1;
            }
        }
    }
    assert!(spans > 50, "{spans} spans: the corpus has shrunk");
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn a_character_with_some_boxes_poses_them_as_the_whole_character_does() {
    let (mut all_posed, mut some_posed) = (PosedCharacter::new(), PosedCharacter::new());
    let mut sampler = ClipSampler::new();
    let (mut characters, mut boxes, mut joints_left_out) = (0, 0, 0);
    for whole in some_characters().filter(|whole| whole.box_count() > 1) {
        // The boxes of every third joint that has boxes.
        let mut owners: Vec<_> = whole.hitboxes().map(|hitbox| hitbox.joint).collect();
        owners.dedup();
        let sets = owners.iter().step_by(3).map(|&joint| whole.boxes_of_joint(joint));
        let set = sets.reduce(|all, one| all.union(&one).unwrap()).unwrap();
        let some = whole.with_only_boxes("some", &set).unwrap();
        assert_eq!((some.box_count(), some.clips().len()), (set.len(), whole.clips().len()));
        joints_left_out += whole.needed_joints().len() - some.needed_joints().len();
        let poses = (0..whole.clips().len()).map(|clip| Some(ClipIndex(clip as u32))).chain([None]);
        for clip in poses {
            match clip {
                Some(clip) => {
                    let time = whole.clips()[clip.index()].start() + 0.4;
                    all_posed.pose_from_clip(&mut sampler, &whole, &somewhere(), clip, time).unwrap();
                    some_posed.pose_from_clip(&mut sampler, &some, &somewhere(), clip, time).unwrap();
                }
                None => {
                    all_posed.pose_from_rest(&whole, &somewhere()).unwrap();
                    some_posed.pose_from_rest(&some, &somewhere()).unwrap();
                }
            }
            for (posed, index) in some_posed.boxes().zip(set.iter()) {
                let expected = all_posed.hitbox(index).unwrap();
                let numbers =
                    |one: &runtime::PosedHitbox| (one.joint, one.shape, one.center, one.half_extents, one.axes);
                assert_eq!(numbers(&posed), numbers(&expected), "{} {index}", whole.name());
                assert_eq!(some.tags(posed.index), whole.tags(index));
                boxes += 1;
            }
        }
        assert!(some.hitbox(BoxIndex(set.len() as u16)).is_none());
        characters += 1;
    }
    println!("{characters} characters, {boxes} posed boxes, {joints_left_out} joints left out");
    assert!(characters >= 6 && boxes > 400 && joints_left_out > 0, "the corpus has shrunk");
}
