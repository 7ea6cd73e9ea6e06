//! [`Character::ray_may_hit`] leaves out bodies that a ray misses, and never one that it hits.

use crate::characters::{arm, figure};
use baked_characters::{baked_figure, baked_figure_for_any_pose, with_hulls};
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use runtime::kernels::Kernel;
use runtime::{Animation, Character, ClipIndex, ClipSampler, PoseLayer, PoseRecipe, PoseRecipeRef, PosedCharacter};
use test_models::Random;

fn place(random: &mut Random) -> Affine3A {
    let mut number = |far: f32| random.between(-far, far);
    let spot = Vec3::new(number(1.0), number(1.0), number(1.0));
    let spot = spot * *random.pick(&[0.0, 1.0, 30.0, 300.0, 1e4, 1e5]);
    let scale = *random.pick(&[1.0, 1.0, 1.0, 0.01, 0.3, 30.0]);
    let turned = Affine3A::from_rotation_translation(random.rotation(), spot);
    let place = turned * Affine3A::from_scale(Vec3::splat(scale));
    match random.below(6) {
        0 => Affine3A::from_translation(spot),
        1 => place * Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0)),
        // As uneven as a place may be that counts as even, and far more uneven.
        2 => place * Affine3A::from_scale(Vec3::new(1.0, 1.0 + 7.0 * f32::EPSILON, 1.0)),
        3 => place * Affine3A::from_scale(Vec3::new(1.0, 1.5, 1.0)),
        _ => place,
    }
}

/// A ray that passes an edge of a hitbox closely, from near or from far away.
fn ray(random: &mut Random, posed: &PosedCharacter) -> Ray {
    let boxes: Vec<_> = posed.boxes().collect();
    let one = random.pick(&boxes);
    let mut sign = || {
        let any = random.between(-1.0, 1.0);
        *random.pick(&[-1.0, 0.0, 1.0, any])
    };
    let on_the_box =
        Vec3::new(sign(), sign(), sign()) * one.half_extents * *random.pick(&[0.999_99, 1.0, 1.000_01, 2.0, 9.0]);
    let through = one.center + one.axes * on_the_box;
    let way = match random.below(4) {
        0 => *random.pick(&[Vec3::X, Vec3::NEG_Y, Vec3::Z]),
        1 => one.axes.x_axis,
        _ => random.rotation() * Vec3::X,
    };
    let far = *random.pick(&[0.0, 0.1, 1.0, 20.0, 500.0]);
    Ray::try_new(through - way * far, way * *random.pick(&[1.0, 0.01, 300.0])).unwrap()
}

#[test]
fn a_ray_that_hits_a_pose_may_hit_its_recipe() {
    let shapes = Character::from_baked(with_hulls(baked_figure("shapes")));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = Character::load(&std::fs::read(path).unwrap()).unwrap();
    let mut random = Random::new(8);
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    for character in [arm("arm"), figure("figure"), shapes, runa] {
        let (mut hits, mut misses, mut left_out) = (0, 0, 0);
        for _ in 0..20_000 {
            let clip = ClipIndex(random.below(character.clips().len()) as u32);
            let end = character.clips()[clip.index()].end();
            let (within, any) = (random.between(0.0, end), random.between(-1.0, 1e3));
            let seconds = *random.pick(&[0.0, end, within, any]);
            let animation = if random.below(8) == 0 { Animation::Rest } else { Animation::Clip { clip, seconds } };
            let recipe = PoseRecipe { place: place(&mut random), animation };
            posed.pose(&mut sampler, &character, &recipe).unwrap();
            let ray = ray(&mut random, &posed);
            let may_hit = |max_time: f32| {
                Kernel::available()
                    .all(|kernel| character.ray_may_hit(kernel, &PoseRecipeRef::from(&recipe), &ray, max_time))
            };
            if let Some(hit) = posed.cast_ray(&ray, None) {
                assert!(may_hit(f32::INFINITY) && may_hit(hit.entry), "{recipe:?}, {ray:?}");
                hits += 1;
            } else {
                misses += 1;
                left_out += usize::from(!may_hit(f32::INFINITY));
            }
        }
        println!("{}: {hits} hits, {misses} misses, {left_out} left out", character.name());
        // Many rays pass closely, and places far away or with uneven scale leave out no ray.
        assert!(hits > 5_000 && misses > 3_000 && left_out * 10 > misses, "{hits}, {misses}, {left_out}");
    }
}

#[test]
fn rays_may_hit_recipes_without_bounds() {
    let any_pose = Character::from_baked(baked_figure_for_any_pose("any pose"));
    let figure = figure("figure");
    let miss = Ray::try_new(Vec3::Y * 100.0, Vec3::Y).unwrap();
    let may_hit = |character: &Character, animation: Animation| {
        let recipe = PoseRecipe { place: Affine3A::IDENTITY, animation };
        character.ray_may_hit(Kernel::Scalar, &PoseRecipeRef::from(&recipe), &miss, f32::INFINITY)
    };
    assert!(!may_hit(&figure, Animation::Rest));
    assert!(!may_hit(&figure, Animation::Clip { clip: ClipIndex(0), seconds: 0.5 }));
    assert!(may_hit(&any_pose, Animation::Rest), "no bounds over clips");
    assert!(may_hit(&figure, Animation::Layers(vec![PoseLayer::blend(ClipIndex(0), 0.0, 1.0)])));
    assert!(may_hit(&figure, Animation::Clip { clip: ClipIndex(0), seconds: f32::NAN }), "posing returns the error");
    assert!(may_hit(&figure, Animation::Clip { clip: ClipIndex(99), seconds: 0.0 }), "posing returns the error");
}
