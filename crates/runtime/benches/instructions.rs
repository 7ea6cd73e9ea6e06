//! The work whose instructions callgrind counts for `cargo xtask bench --instructions`. Without callgrind, this program only
//! asserts that every answer is right.

mod common;
use baked_characters::{baked_figure, baked_figure_for_any_pose};
use common::{
    by_kernel,
    mix::{Mix, hits},
    place,
};
use geometry_core::{Capsule, Obb, Sphere};
use glam::{Affine3A, Vec3};
use paired_timing::count;
use runtime::{
    BodyId, BodyMotion, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, JointMask, PoseLayer,
    PosedCharacter, QueryFilter, RayBuffers, RayQuery, distance, kernels::Kernel, overlapping_joints, sweep_all,
};
use std::hint::black_box;
use std::sync::Arc;

fn main() {
    box_test();
    character_pair();
    any_pose();
    layers();
    world();
    moving_pair();
    apart();
}

fn box_test() {
    for name in ["half", "near", "far", "hit"] {
        let mix = Mix::new(name);
        let expected = hits(&mix.posed(Kernel::Scalar), &mut Vec::new());
        for kernel in Kernel::available() {
            let (posed, mut pairs) = (mix.posed(kernel), Vec::new());
            count(&format!("box_test {name} {kernel:?}"), || {
                assert_eq!(hits(black_box(&posed), &mut pairs), expected);
            });
        }
    }
}

fn character_pair() {
    let character = Character::from_baked(baked_figure("figure"));
    let a = place(&character, 0.0, 0.0, 0.3);
    for (name, x) in [("in close contact", 0.3), ("bounds touch", 0.72)] {
        let b = place(&character, x, -1.2, 0.8);
        let mut pairs = Vec::new();
        overlapping_joints(&a, &b, &mut pairs);
        let expected = pairs.len();
        for kernel in Kernel::available() {
            let a = by_kernel(&a, kernel);
            count(&format!("character_pair {name} {kernel:?}"), || {
                overlapping_joints(black_box(&a), black_box(&b), &mut pairs);
                assert_eq!(pairs.len(), expected);
            });
        }
    }
}

/// Poses 24 boxes that hold their surface in any pose, with 96 clusters that up to two other joints move.
fn any_pose() {
    let character = Character::from_baked(baked_figure_for_any_pose("figure"));
    let mut sampler = ClipSampler::new();
    let matrices = sampler.sample(&character, ClipIndex(1), 0.3).expect("a pose").to_vec();
    let world = Affine3A::from_translation(Vec3::X);
    for kernel in Kernel::available() {
        let mut posed = PosedCharacter::with_kernel(kernel);
        count(&format!("pose for any pose {kernel:?}"), || {
            posed.pose_from_model(&character, black_box(&world), black_box(&matrices)).is_ok()
        });
    }
}

/// Samples the 53 joints of an asset from one layer, and from two layers of which the second blends, blends under a mask, or
/// adds.
fn layers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = Character::load(&std::fs::read(path).expect("the asset")).expect("a right character");
    let [walk, hit] = ["walk", "hit"].map(|name| runa.find_clip(name).expect("a clip"));
    let upper = JointMask::new(&runa, |joint| f32::from(u8::from(joint.0 > 20)));
    let whole = PoseLayer::blend(walk, 0.3, 1.0);
    let blended = PoseLayer::blend(hit, 0.2, 0.5);
    let layers = [
        ("blended", [whole.clone(), blended.clone()]),
        ("blended with a mask", [whole.clone(), blended.masked(&upper)]),
        ("added", [whole.clone(), PoseLayer::add(hit, 0.2, 0.5)]),
    ];
    for kernel in Kernel::available() {
        let mut sampler = ClipSampler::with_kernel(kernel);
        count(&format!("sample a clip {kernel:?}"), || assert!(sampler.sample(&runa, walk, black_box(0.3)).is_ok()));
        let mut sample = |layers: &[PoseLayer]| sampler.sample_layers(&runa, black_box(layers)).is_ok();
        count(&format!("pose of one layer {kernel:?}"), || assert!(sample(std::slice::from_ref(&whole))));
        for (name, layers) in &layers {
            count(&format!("pose of one layer, one {name} {kernel:?}"), || assert!(sample(layers)));
        }
    }
}

/// Poses a row of 100 characters who stand shoulder to shoulder, finds their touches, and casts a ray along the row.
fn world() {
    let character = Arc::new(Character::from_baked(baked_figure("figure")));
    let (mut posed, mut sampler) = (PosedCharacter::new(), ClipSampler::new());
    let world = Affine3A::from_translation(Vec3::X);
    count("pose from a clip", || {
        posed.pose_from_clip(&mut sampler, &character, &world, ClipIndex(1), black_box(0.3)).is_ok()
    });
    let uneven = Affine3A::from_scale(Vec3::new(1.0, 1.01, 1.0));
    count("pose with 1 % uneven scale", || posed.pose_from_rest(&character, black_box(&uneven)).is_ok());
    let mut world = HitboxWorld::new();
    for id in 0..100 {
        world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).expect("a new name");
        let at = Affine3A::from_translation(Vec3::X * (0.3 * id as f32));
        world.pose_from_rest(BodyId(id), &at).expect("a finite pose");
    }
    world.update();
    let touches = world.touches().len();
    assert!(touches > 0);
    count("world of 100, one tick", || {
        world.update();
        assert_eq!(world.touches().len(), touches);
    });
    let at = |id: BodyId| Affine3A::from_translation(Vec3::X * (0.3 * id.0 as f32));
    count("pose 100 characters", || {
        (0..100).for_each(|id| assert!(posed.pose_from_rest(&character, &at(BodyId(id))).is_ok()));
    });
    count("pose 100 bodies of a world, whose queries follow", || {
        assert!(world.pose_each(|id, body| body.pose_from_rest(&at(id))).is_ok());
    });
    let ray = geometry_core::Ray::try_new(Vec3::new(-1.0, 1.2, 0.0), Vec3::X).expect("a direction");
    count("ray along 100", || assert!(world.cast_ray(black_box(&ray), None, &QueryFilter::default()).is_some()));
    let (mut buffers, mut hits) = (RayBuffers::default(), Vec::new());
    let rays = vec![RayQuery::new(ray); 256];
    count("256 rays along 100, together", || {
        world.cast_rays(black_box(&rays), &mut buffers, &mut hits);
        assert!(hits.iter().all(Option::is_some));
    });
    let blade = |x: f32| Obb::new(Vec3::new(x, 1.2, 0.0), Vec3::new(0.02, 0.45, 0.03), glam::Mat3::IDENTITY);
    let (from, to, mut struck) = (blade(3.0), blade(3.4), Vec::new());
    count("a weapon that moves by 0.4 m among 100", || {
        world.cast_shape_all(black_box(&from), &to, None, &QueryFilter::default(), &mut struck);
        assert!(!struck.is_empty());
    });
    let stone = |x: f32| Sphere::try_new(Vec3::new(x, 1.2, 0.0), 0.15).expect("a sphere");
    count("a sphere that moves by 0.4 m among 100", || {
        world.cast_shape_all(black_box(&stone(3.0)), &stone(3.4), None, &QueryFilter::default(), &mut struck);
        assert!(!struck.is_empty());
    });
    let staff = |x: f32| Capsule::try_new(Vec3::new(x, 0.75, 0.0), Vec3::new(x, 1.65, 0.0), 0.03).expect("a capsule");
    count("a capsule that moves by 0.4 m among 100", || {
        world.cast_shape_all(black_box(&staff(3.0)), &staff(3.4), None, &QueryFilter::default(), &mut struck);
        assert!(!struck.is_empty());
    });
}

/// Sweeps two characters in close contact that move and turn.
fn moving_pair() {
    let character = Character::from_baked(baked_figure("figure"));
    let (a, b) = (place(&character, 0.0, 0.0, 0.3), place(&character, 0.3, -1.2, 0.8));
    let (a_next, b_next) = (place(&character, 0.05, 0.05, 0.35), place(&character, 0.25, -1.15, 0.85));
    for kernel in Kernel::available() {
        let [a, a_next, b, b_next] = [&a, &a_next, &b, &b_next].map(|posed| by_kernel(posed, kernel));
        let a = BodyMotion::new(&a, &a_next).expect("one character");
        let b = BodyMotion::new(&b, &b_next).expect("one character");
        let mut hits = Vec::new();
        count(&format!("sweep of a close pair {kernel:?}"), || {
            sweep_all(black_box(&a), black_box(&b), None, &mut hits);
            assert!(hits.len() > 20);
        });
    }
}

/// Computes the distance of two characters that stand 1.5 m from each other.
fn apart() {
    let character = Character::from_baked(baked_figure("figure"));
    let (a, b) = (place(&character, 0.0, 0.0, 0.3), place(&character, 1.5, -1.2, 0.8));
    for kernel in Kernel::available() {
        let (a, b) = (by_kernel(&a, kernel), by_kernel(&b, kernel));
        count(&format!("distance of two characters {kernel:?}"), || {
            assert!(distance(black_box(&a), black_box(&b), None).is_some_and(|found| found.distance > 0.1));
        });
    }
}
