//! Overlaps of the corpus' characters, baked with `shape = "hull"`, agree with parry's answers about the same corners.

use asset_bake::Asset;
use baked_format::{HitboxShape, Source};
use bone_fit::{BakeOptions, bake};
use glam::{Affine3A, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::ConvexPolyhedron;
use runtime::{Character, ClipIndex, ClipSampler, PosedCharacter, overlapping_boxes};
use std::collections::BTreeSet;

/// The largest gap or depth at which parry's answer may differ, as a share of the character's height. parry computes in
/// `f32` with absolute tolerances.
const TOLERANCE: f32 = 1e-4;

/// Bakes every tenth character of the corpus with hulls, without measuring coverage.
fn some_characters() -> impl Iterator<Item = Character> {
    corpus::characters().into_iter().step_by(10).map(|path| {
        let model = Asset::open(&path).unwrap().import().unwrap().0;
        let source = Source { file: "corpus".into(), blake3: [0; 32], generator: String::new() };
        let options = BakeOptions::from_entries([("shape", "hull"), ("measure", "none")]).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy();
        Character::from_baked(bake(&model, &name, source, &options).unwrap().character)
    })
}

/// The posed hulls of a character as parry has them; `None` for a hitbox that is a box, or that parry refuses.
fn in_parry(character: &Character, posed: &PosedCharacter) -> Vec<Option<ConvexPolyhedron>> {
    let hull = |hitbox: runtime::HitboxInfo<'_>| {
        let corners = posed.posed_hull(hitbox.index)?.corners().collect();
        let triangles = &hitbox.baked.hull.as_ref()?.triangles;
        let triangles: Vec<_> = triangles.iter().map(|triangle| triangle.map(u32::from)).collect();
        ConvexPolyhedron::from_convex_mesh(corners, &triangles)
    };
    character.hitboxes().map(hull).collect()
}

#[test]
#[ignore = "needs the corpus of real characters: cargo xtask ignored corpus"]
fn hulls_of_real_characters_overlap_where_parry_says_so() {
    let (mut a, mut b, mut sampler, mut pairs) =
        (PosedCharacter::new(), PosedCharacter::new(), ClipSampler::new(), Vec::new());
    let (mut characters, mut asked, mut touching) = (0, 0, 0);
    let (mut farthest, mut differences): (f32, u32) = (0.0, 0);
    for character in some_characters() {
        let hulls = character.hitboxes().filter(|one| one.baked.shape == HitboxShape::Hull).count();
        if hulls < 2 {
            continue;
        }
        a.pose_from_rest(&character, &Affine3A::IDENTITY).unwrap();
        let around = a.bounds();
        let (wide, height) = ((around.max - around.min).with_y(0.0).length(), (around.max - around.min).max_element());
        for meeting in 0..12u8 {
            let share = f32::from(meeting) / 12.0;
            let turn = Quat::from_rotation_y(share * 6.0);
            let place = Affine3A::from_rotation_translation(turn, Vec3::new(wide * (0.1 + 0.5 * share), 0.0, 0.0));
            for (posed, place, time) in [(&mut a, Affine3A::IDENTITY, share), (&mut b, place, 1.0 - share)] {
                match character.clips().get(usize::from(meeting) % character.clips().len().max(1)) {
                    Some(clip) => {
                        let index = ClipIndex((usize::from(meeting) % character.clips().len()) as u32);
                        let time = clip.start() + time;
                        posed.pose_from_clip(&mut sampler, &character, &place, index, time).unwrap();
                    }
                    None => posed.pose_from_rest(&character, &place).unwrap(),
                }
            }
            overlapping_boxes(&a, &b, &mut pairs);
            let found: BTreeSet<_> = pairs.iter().map(|pair| (pair.box_a.index(), pair.box_b.index())).collect();
            let (of_a, of_b) = (in_parry(&character, &a), in_parry(&character, &b));
            let boxes: [Vec<_>; 2] = [&a, &b].map(|posed| posed.boxes().map(|one| one.obb()).collect());
            for (first, one) in of_a.iter().enumerate() {
                for (second, other) in of_b.iter().enumerate() {
                    let (Some(one), Some(other)) = (one, other) else { continue };
                    if !boxes[0][first].overlaps(&boxes[1][second]) {
                        assert!(!found.contains(&(first, second)), "{}: boxes apart", character.name());
                        continue;
                    }
                    let gap = parry3d::query::contact(&Pose::IDENTITY, one, &Pose::IDENTITY, other, height).unwrap();
                    let gap = gap.map_or(height, |contact| contact.dist);
                    let touches = found.contains(&(first, second));
                    if touches != (gap <= 0.0) {
                        farthest = farthest.max(gap.abs() / height);
                        differences += 1;
                    }
                    (asked, touching) = (asked + 1, touching + u32::from(touches));
                }
            }
        }
        characters += 1;
    }
    println!(
        "{characters} characters: of {asked} pairs of boxes that touch, {touching} pairs of hulls do; {differences} answers of \
         parry differ, at a gap or depth of at most {farthest:e} of the height"
    );
    assert!(characters >= 5 && asked > 1_000, "the corpus has shrunk");
    assert!(farthest <= TOLERANCE, "parry differs at {farthest:e} of the height");
}
