//! A world computes the boxes of a body when somebody first asks about them. No answer depends on who asks first.

use crate::characters::{arm, figure};
use baked_characters::{baked_figure, baked_figure_for_any_pose, with_hulls};
use geometry_core::{Obb, Ray, Sphere};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    Animation, Bodies, BodyId, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, PoseLayer, PoseRecipe,
    PosedCharacter, PosedHitbox, QueryFilter,
};
use std::sync::Arc;
use test_models::Random;

const BODIES: u64 = 24;

fn characters() -> Vec<Arc<Character>> {
    let shapes = Character::from_baked(with_hulls(baked_figure("shapes")));
    let any_pose = Character::from_baked(baked_figure_for_any_pose("any pose"));
    [arm("arm"), figure("figure"), shapes, any_pose].map(Arc::new).into()
}

fn world(characters: &[Arc<Character>]) -> HitboxWorld {
    let mut world = HitboxWorld::new();
    for id in 0..BODIES {
        let character = Arc::clone(&characters[id as usize % characters.len()]);
        world.insert(BodyId(id), character, BodySettings::default()).unwrap();
    }
    world
}

/// Places of all kinds: even and uneven scale, mirrors, shear, far away, out of range and not finite.
fn place(random: &mut Random) -> Affine3A {
    let spot = Vec3::new(random.between(0.0, 9.0), random.between(0.0, 0.5), random.between(0.0, 9.0));
    let turned = Affine3A::from_rotation_translation(random.rotation(), spot);
    match random.below(16) {
        0 => turned * Affine3A::from_scale(Vec3::splat(random.between(0.1, 3.0))),
        1 => turned * Affine3A::from_scale(Vec3::new(1.0, random.between(0.5, 2.0), 1.0)),
        2 => turned * Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
        3 => {
            let mut sheared = turned;
            sheared.matrix3.x_axis += sheared.matrix3.y_axis * random.between(0.0, 0.01);
            sheared
        }
        4 => Affine3A::from_translation(Vec3::splat(random.between(-1e5, 1e5))) * turned,
        5 => turned * Affine3A::from_scale(Vec3::splat(*random.pick(&[0.0, 1e-30, 1e30]))),
        6 => Affine3A::from_translation(Vec3::X * *random.pick(&[f32::NAN, f32::INFINITY, 1e38, 1e30])) * turned,
        _ => Affine3A::from_rotation_translation(Quat::from_rotation_y(random.between(0.0, 6.0)), spot),
    }
}

fn recipe(random: &mut Random, character: &Character) -> PoseRecipe {
    let missing = usize::from(random.below(20) == 0);
    let clip = ClipIndex(random.below(character.clips().len() + missing) as u32);
    let seconds = if random.below(20) == 0 { f32::NAN } else { random.between(-0.5, 3.0) };
    let animation = match random.below(5) {
        0 => Animation::Rest,
        1 => Animation::Layers(vec![PoseLayer::blend(ClipIndex(0), 0.3, 1.0), PoseLayer::blend(clip, seconds, 0.5)]),
        _ => Animation::Clip { clip, seconds },
    };
    PoseRecipe { place: place(random), animation }
}

fn boxes(posed: &PosedCharacter) -> Vec<PosedHitbox> {
    posed.boxes().collect()
}

/// The answer to a random question, as text.
fn answer(world: &HitboxWorld, seed: u64) -> String {
    let mut random = Random::new(seed);
    let all = QueryFilter::default();
    let mut spot = || Vec3::new(random.between(0.0, 9.0), random.between(0.0, 2.0), random.between(0.0, 9.0));
    let (from, to) = (spot(), spot());
    match seed % 6 {
        0 => format!("{:?}", world.cast_ray(&Ray::try_new(from, (to - from).normalize()).unwrap(), None, &all)),
        1 => {
            let mut hits = Vec::new();
            world.cast_ray_all(&Ray::try_new(from, (to - from).normalize()).unwrap(), None, &all, &mut hits);
            format!("{hits:?}")
        }
        2 => {
            let mut found = Vec::new();
            world.overlapping_boxes(&Sphere::try_new(from, 0.7).unwrap(), &all, &mut found);
            format!("{found:?}")
        }
        3 => {
            let blade = |at| Obb::from_orientation(at, Vec3::new(0.02, 0.4, 0.1), Quat::IDENTITY);
            let mut hits = Vec::new();
            world.cast_shape_all(&blade(from), &blade(to), None, &all, &mut hits);
            format!("{hits:?}")
        }
        4 => format!("{:?}", world.body(BodyId(seed % BODIES)).map(|body| boxes(body.posed()))),
        _ => format!("{:?}", world.body(BodyId(seed % BODIES)).map(|body| (body.is_posed(), body.recipe()))),
    }
}

#[test]
fn answers_do_not_depend_on_who_asks_first() {
    let characters = characters();
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let (mut lazy, mut read, mut copy) = (world(&characters), world(&characters), world(&characters));
        for tick in 0..8 {
            for id in (0..BODIES).map(BodyId) {
                if random.below(4) == 0 {
                    continue;
                }
                let recipe = recipe(&mut random, read.body(id).unwrap().character());
                let results = [&mut lazy, &mut read].map(|world| world.pose(id, &recipe));
                assert_eq!(results[0], results[1]);
                let _all = boxes(read.body(id).unwrap().posed());
                // The same pose outside of any world.
                let (mut alone, body) = (PosedCharacter::new(), lazy.body(id).unwrap());
                let result = alone.pose(&mut ClipSampler::new(), body.character(), &recipe);
                assert_eq!((results[0].is_ok(), body.is_posed()), (result.is_ok(), result.is_ok()), "{recipe:?}");
                assert_eq!(boxes(&alone), boxes(read.body(id).unwrap().posed()));
            }
            if tick % 3 == 0 {
                copy.clone_from(&lazy);
            }
            let questions: Vec<u64> = (0..40).map(|_| random.next_u64() >> 8).collect();
            if random.below(2) == 0 {
                std::thread::scope(|scope| {
                    for start in 0..4 {
                        let (lazy, read, questions) = (&lazy, &read, &questions);
                        scope.spawn(move || {
                            for &seed in questions.iter().cycle().skip(10 * start).take(40) {
                                assert_eq!(answer(lazy, seed), answer(read, seed));
                            }
                        });
                    }
                });
            }
            // Some updates come before anybody has asked.
            if random.below(2) == 0 {
                [&mut lazy, &mut read, &mut copy].into_iter().for_each(HitboxWorld::update);
                assert_eq!((lazy.touches(), lazy.events()), (read.touches(), read.events()));
            }
            questions.iter().for_each(|&seed| assert_eq!(answer(&lazy, seed), answer(&read, seed)));
            // The bounds by which bodies are found contain the boxes.
            let bodies: Vec<_> = lazy.bodies().collect();
            lazy.tiles().each(|place, bounds| {
                assert!(bounds.contains(&bodies[place].posed().bounds()), "{bounds:?} of {:?}", bodies[place].recipe());
            });
            if tick % 3 == 0 {
                let all = |world: &HitboxWorld| world.bodies().map(|body| boxes(body.posed())).collect::<Vec<_>>();
                assert_eq!(all(&copy), all(&lazy));
            }
        }
        let removed = [&mut lazy, &mut read].map(|world| world.remove(BodyId(3)).unwrap());
        assert_eq!(boxes(removed[0].posed()), boxes(removed[1].posed()));
    }
}
