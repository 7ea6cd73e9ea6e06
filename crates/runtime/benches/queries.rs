//! Measures loading, sampling, posing, rays, contacts, distances and sweeps, without another library beside them.

mod common;
use baked_characters::baked_figure;
use common::place;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime};
use geometry_core::Ray;
use glam::{Affine3A, Vec3};
use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodyMotion, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld, JointMask, PoseLayer,
    PosedCharacter, QueryFilter, RayBuffers, RayQuery, contacts, distance, sweep, sweep_all,
};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;
use test_models::Random;

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(50).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group
}

/// Loads files; the times include the checksum and the validation.
fn load(criterion: &mut Criterion) {
    let mut group = group(criterion, "load");
    let mut one = |name: &str, bytes: &[u8]| {
        assert!(Character::load(bytes).is_ok());
        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| Character::load(black_box(bytes))));
    };
    let mut baked = baked_figure("figure");
    let bytes = |baked: &_| baked_format::write(baked).expect("a right character");
    one("24 joints with clips", &bytes(&baked));
    baked.clips.clear();
    baked.attacks.clear();
    baked.states.clear();
    one("24 joints without clips", &bytes(&baked));
    let runa = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = std::fs::read(runa).expect("the asset");
    let mut bare = Character::load(&runa).expect("a right character").baked().clone();
    // Coverage names clips.
    (bare.clips, bare.coverage) = (Vec::new(), None);
    one("53 joints with clips", &runa);
    one("53 joints without clips", &bytes(&bare));
}

/// Poses a character of 24 joints and boxes.
fn pose(criterion: &mut Criterion) {
    let character = Character::from_baked(baked_figure("figure"));
    let mut local = character.skeleton().rest_pose();
    character.clips()[1].sample(0.3, &mut local);
    let mut matrices = vec![Affine3A::IDENTITY; local.len()];
    character.skeleton().model_from_joints(&local, &mut matrices);
    let (mut posed, mut by_clip) = (PosedCharacter::new(), PosedCharacter::new());
    let mut sampler = ClipSampler::new();
    posed.pose_from_model(&character, &Affine3A::IDENTITY, &matrices).expect("a finite pose");
    by_clip.pose_from_clip(&mut sampler, &character, &Affine3A::IDENTITY, ClipIndex(1), 0.3).expect("a finite pose");
    // The run time's clip differs from the file's curve in the last bits.
    assert_eq!(posed.boxes().len(), 24);
    assert!((posed.bounds().min - by_clip.bounds().min).length() < 1e-5);
    let mut group = group(criterion, "pose");
    group.bench_function("from joint matrices", |bencher| {
        bencher.iter(|| posed.pose_from_model(&character, &Affine3A::IDENTITY, black_box(&matrices)));
    });
    group.bench_function("from a clip", |bencher| {
        bencher.iter(|| {
            by_clip.pose_from_clip(&mut sampler, &character, &Affine3A::IDENTITY, ClipIndex(1), black_box(0.3))
        });
    });
    // Scale along one axis of the model turns the boxes into parallelepipeds.
    let uneven = Affine3A::from_scale(Vec3::new(1.0, 1.01, 1.0));
    group.bench_function("from joint matrices, 1 % uneven scale", |bencher| {
        bencher.iter(|| posed.pose_from_model(&character, &uneven, black_box(&matrices)));
    });
}

/// Samples a clip into the matrices of 53 joints. The twin samples the file's curves one channel at a time.
fn sample(criterion: &mut Criterion) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = Character::load(&std::fs::read(path).expect("the asset")).expect("a right character");
    let (walk, hit) = (runa.find_clip("walk").expect("a clip"), runa.find_clip("hit").expect("a clip"));
    let seconds = runa.clips()[walk.index()].seconds();
    let mut local = runa.skeleton().rest_pose();
    let mut matrices = vec![Affine3A::IDENTITY; local.len()];
    let mut exact = |time: f32| {
        runa.clips()[walk.index()].sample(time, &mut local);
        runa.skeleton().model_from_joints(&local, &mut matrices);
        matrices[52].translation
    };
    let mut sampler = ClipSampler::new();
    let mut sampled = |time: f32| sampler.sample(&runa, walk, time).expect("the clip is there")[52].translation;
    assert!((sampled(0.3) - exact(0.3)).length() < 1e-5);
    let mut blender = ClipSampler::new();
    let mut random = Random::new(8);
    let times: Vec<f32> = (0..997).map(|_| random.between(0.0, seconds)).collect();
    let mut group = group(criterion, "from a clip to the matrices of 53 joints");
    let mut place = 0;
    let mut next = || {
        place += 1;
        place
    };
    group.bench_function("the file's curves, forward", |bencher| {
        bencher.iter(|| exact(black_box(next() as f32 / 60.0) % seconds));
    });
    group.bench_function("forward", |bencher| bencher.iter(|| sampled(black_box(next() as f32 / 60.0) % seconds)));
    group.bench_function("random times", |bencher| bencher.iter(|| sampled(times[next() % times.len()])));
    for kernel in Kernel::available() {
        let mut sampler = ClipSampler::with_kernel(kernel);
        let mut sampled = |time: f32| sampler.sample(&runa, walk, time).expect("the clip is there")[52].translation;
        group.bench_function(format!("random times, {kernel:?}"), |bencher| {
            bencher.iter(|| sampled(times[next() % times.len()]));
        });
    }
    // The difference of the rows for one layer and for two layers is the time of a layer.
    let upper = JointMask::new(&runa, |joint| f32::from(u8::from(joint.0 > 20)));
    let mut layered =
        |layers: &[PoseLayer]| blender.sample_layers(&runa, layers).expect("the clips are there")[52].translation;
    let of_time = |time: f32| {
        [
            PoseLayer::blend(walk, time, 1.0),
            PoseLayer::blend(hit, time, 0.5),
            PoseLayer::blend(walk, 0.5 * time, 0.3),
            PoseLayer::blend(hit, 0.5 * time, 0.25),
        ]
    };
    for count in [1, 2, 4] {
        group.bench_function(format!("layers: {count} blended"), |bencher| {
            bencher.iter(|| layered(&of_time(times[next() % times.len()])[..count]));
        });
    }
    group.bench_function("layers: 1, and 1 added", |bencher| {
        bencher.iter(|| {
            let time = times[next() % times.len()];
            layered(&[PoseLayer::blend(walk, time, 1.0), PoseLayer::add(hit, time, 0.5)])
        });
    });
    group.bench_function("layers: 1, and 1 with a mask", |bencher| {
        bencher.iter(|| {
            let time = times[next() % times.len()];
            layered(&[PoseLayer::blend(walk, time, 1.0), PoseLayer::blend(hit, time, 0.5).masked(&upper)])
        });
    });
}

/// Casts rays against 1,000 characters at 1 per square meter.
fn rays(criterion: &mut Criterion) {
    let character = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut world = HitboxWorld::new();
    let mut random = Random::new(5);
    for id in 0..1000 {
        world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).expect("a new name");
        let at = Vec3::new(random.between(0.0, 32.0), 0.0, random.between(0.0, 32.0));
        world.pose_from_rest(BodyId(id), &Affine3A::from_translation(at)).expect("a finite pose");
    }
    world.update();
    let rays: Vec<Ray> = (0..200)
        .map(|_| {
            let from = Vec3::new(random.between(-5.0, 37.0), random.between(0.3, 1.7), random.between(-5.0, 37.0));
            let to = Vec3::new(random.between(0.0, 32.0), random.between(0.3, 1.7), random.between(0.0, 32.0));
            Ray::try_new(from, (to - from).normalize()).expect("a direction")
        })
        .collect();
    let cast = |ray: &Ray| world.cast_ray(ray, None, &QueryFilter::default());
    let hits = rays.iter().filter(|ray| cast(ray).is_some()).count();
    assert!(hits > rays.len() / 2, "{hits} of {} rays hit", rays.len());
    let any = |ray: &&Ray| world.cast_ray_any(black_box(ray), None, &QueryFilter::default());
    let mut all = Vec::new();
    let mut all_in_order = |ray: &Ray| {
        world.cast_ray_all(black_box(ray), None, &QueryFilter::default(), &mut all);
        !all.is_empty()
    };
    assert_eq!(rays.iter().filter(any).count(), hits);
    assert_eq!(rays.iter().filter(|ray| all_in_order(ray)).count(), hits);
    let mut group = group(criterion, "rays against 1,000 characters");
    group.throughput(Throughput::Elements(rays.len() as u64));
    group.bench_function("first", |bencher| {
        bencher.iter(|| rays.iter().filter(|ray| cast(black_box(ray)).is_some()).count());
    });
    let queries: Vec<RayQuery<'_>> = rays.iter().cycle().take(256).map(|&ray| RayQuery::new(ray)).collect();
    let (mut buffers, mut together) = (RayBuffers::default(), Vec::new());
    world.cast_rays(&queries, &mut buffers, &mut together);
    assert!(together.iter().zip(&queries).all(|(hit, query)| *hit == cast(&query.ray)));
    group.throughput(Throughput::Elements(queries.len() as u64));
    group.bench_function("256 together, first", |bencher| {
        bencher.iter(|| {
            world.cast_rays(black_box(&queries), &mut buffers, &mut together);
            together.len()
        });
    });
    group.throughput(Throughput::Elements(rays.len() as u64));
    group.bench_function("any", |bencher| bencher.iter(|| rays.iter().filter(any).count()));
    group.bench_function("all in order", |bencher| {
        bencher.iter(|| rays.iter().filter(|ray| all_in_order(ray)).count());
    });
}

/// Computes contacts, distances and sweeps of two characters of 24 boxes, in close contact or apart.
fn pairs(criterion: &mut Criterion) {
    let character = Character::from_baked(baked_figure("figure"));
    let (a, b) = (place(&character, 0.0, 0.0, 0.3), place(&character, 0.3, -1.2, 0.8));
    let (a_next, b_next) = (place(&character, 0.05, 0.05, 0.35), place(&character, 0.25, -1.15, 0.85));
    let (a_motion, b_motion) =
        (BodyMotion::new(&a, &a_next).expect("one character"), BodyMotion::new(&b, &b_next).expect("one character"));
    let far = place(&character, 1.5, -1.2, 0.8);
    let (mut found, mut hits) = (Vec::new(), Vec::new());
    contacts(&a, &b, &mut found);
    let touching = found.len();
    assert!(distance(&a, &b, f32::INFINITY).is_some_and(|nearest| nearest.distance == 0.0));
    let nearest = distance(&a, &far, f32::INFINITY).expect("boxes");
    assert!((0.1..1.5).contains(&nearest.distance), "{}", nearest.distance);
    sweep_all(&a_motion, &b_motion, 1e-4, &mut hits);
    assert!(hits.len() >= touching && touching > 20, "{} and {touching}", hits.len());
    assert!(sweep(&a_motion, &b_motion, 1e-4).is_some());
    let mut group = group(criterion, "two characters of 24 boxes");
    group.bench_function("contacts", |bencher| bencher.iter(|| contacts(black_box(&a), &b, &mut found)));
    group.bench_function("distance, 1.5 apart", |bencher| {
        bencher.iter(|| distance(black_box(&a), &far, f32::INFINITY));
    });
    group.bench_function("sweep, all pairs", |bencher| {
        bencher.iter(|| sweep_all(black_box(&a_motion), &b_motion, 1e-4, &mut hits));
    });
    group.bench_function("sweep, first", |bencher| {
        bencher.iter(|| sweep(black_box(&a_motion), &b_motion, 1e-4));
    });
}

criterion_group!(benches, load, pose, sample, rays, pairs);
criterion_main!(benches);
