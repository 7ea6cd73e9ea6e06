//! Bodies that play the same animation at the same time share one pose. No answer depends on which bodies do.

use crate::characters::{arm, figure};
use baked_characters::{baked_figure, baked_figure_for_any_pose, with_hulls};
use glam::{Affine3A, Vec3};
use runtime::{
    Animation, BodyId, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, JointMask, PoseLayer, PoseRecipe,
    PosedCharacter,
};
use std::sync::Arc;
use test_models::Random;

/// More bodies than poses that a world keeps at a time.
const BODIES: u64 = 600;

fn animation(random: &mut Random, character: &Character, masks: &[JointMask]) -> Animation {
    let mut clip = || ClipIndex(random.below(character.clips().len() + 1) as u32);
    let clips = [clip(), clip()];
    // Few times, so animations often differ in a single number.
    let mut seconds = || *random.pick(&[-0.0, 0.0, 0.25, 0.5, 0.500_000_06, 1e9, f32::NAN]);
    let times = [seconds(), seconds()];
    let weight = *random.pick(&[-0.0, 0.0, 0.3, 0.7, 1.0]);
    match random.below(6) {
        0 => Animation::Rest,
        1 | 2 => {
            let second = if random.below(2) == 0 { PoseLayer::blend } else { PoseLayer::add };
            let second = second(clips[1], times[1], weight);
            let second = if random.below(2) == 0 { second.masked(random.pick(masks)) } else { second };
            Animation::Layers(vec![PoseLayer::blend(clips[0], times[0], 1.0), second])
        }
        _ => Animation::Clip { clip: clips[0], seconds: times[0] },
    }
}

fn bits(posed: &PosedCharacter) -> Vec<[u32; 15]> {
    let bits = |one: runtime::PosedHitbox| {
        let axes = one.axes.to_cols_array();
        let numbers = one.center.to_array().into_iter().chain(one.half_extents.to_array()).chain(axes);
        let mut numbers = numbers.map(f32::to_bits);
        std::array::from_fn(|_| numbers.next().unwrap())
    };
    posed.boxes().map(bits).collect()
}

/// Every body has the boxes of the same recipe alone, whichever other bodies share its animation, however it is posed, and
/// whoever computes its boxes.
#[test]
fn shared_poses_have_the_bits_of_poses_alone() {
    let shapes = Character::from_baked(with_hulls(baked_figure("shapes")));
    let any_pose = Character::from_baked(baked_figure_for_any_pose("any pose"));
    let characters = [arm("arm"), arm("arm"), figure("figure"), shapes, any_pose].map(Arc::new);
    // Two masks of each character have the same weights. Some masks are of another character.
    let masks = characters.each_ref().map(|character| {
        let some = || JointMask::new(character, |joint| f32::from(joint.0 % 3) * 0.5);
        vec![
            some(),
            some(),
            JointMask::new(character, |joint| f32::from(joint.0 % 2)),
            JointMask::new(&characters[0], |_| 1.0),
        ]
    });
    let mut world = HitboxWorld::new();
    for id in 0..BODIES {
        let character = &characters[id as usize % characters.len()];
        world.insert(BodyId(id), Arc::clone(character), BodySettings::default()).unwrap();
        if id % 7 == 0 {
            let joints = character.skeleton().joints();
            world.track_joints(BodyId(id), &[joints[joints.len() - 1].name.as_str()]).unwrap();
        }
    }
    let (mut posed, mut alone, mut failed) = (0, PosedCharacter::new(), 0);
    for (seed, different) in [1, 3, 30, 300, 3000].into_iter().cycle().take(15).enumerate() {
        let mut random = Random::new(seed as u64);
        let animations: Vec<Vec<Animation>> = (0..characters.len())
            .map(|index| (0..different).map(|_| animation(&mut random, &characters[index], &masks[index])).collect())
            .collect();
        let recipes: Vec<PoseRecipe> = (0..BODIES as usize)
            .map(|id| {
                let spot = Vec3::new(random.between(0.0, 9.0), random.between(0.0, 0.5), random.between(0.0, 9.0));
                let place = Affine3A::from_rotation_translation(random.rotation(), spot);
                PoseRecipe { place, animation: random.pick(&animations[id % characters.len()]).clone() }
            })
            .collect();
        match seed % 3 {
            0 => drop(world.pose_each(|id, body| body.pose(&recipes[id.0 as usize]))),
            1 => drop(world.pose_all(|id, body| body.pose(&recipes[id.0 as usize]))),
            _ => (0..).map(BodyId).zip(&recipes).for_each(|(id, recipe)| drop(world.pose(id, recipe))),
        }
        if seed % 2 == 0 {
            world.update();
        }
        for (body, recipe) in world.bodies().zip(&recipes) {
            // The sampler is new, so it shares nothing.
            let result = alone.pose(&mut ClipSampler::new(), body.character(), recipe);
            assert_eq!(body.is_posed(), result.is_ok(), "{recipe:?}");
            assert_eq!(bits(body.posed()), bits(&alone), "{recipe:?}");
            posed += usize::from(result.is_ok());
            failed += usize::from(result.is_err());
        }
    }
    assert!(posed > 4000 && failed > 400, "{posed}, {failed}");
}
