//! Hostile requests, and the memory of a history.
#![allow(clippy::unwrap_used, reason = "a test that cannot make its world should stop")]

#[path = "all/scene.rs"]
mod scene;

use geometry_core::{MAX_COORDINATE, Ray};
use glam::{Affine3A, Vec3};
use rewind::{History, HistorySettings, Interpolation, Moment, MomentError, PastShot, Rules};
use runtime::{Bodies, BodyId, BodySettings, Character, ClipIndex, HitboxWorld, QueryFilter};
use scene::Scene;
use std::sync::Arc;
use test_models::Random;

/// Any bits, or a number that makes trouble more often than other numbers.
fn any_float(random: &mut Random) -> f32 {
    const TROUBLE: [f32; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MIN_POSITIVE,
        1e-45,
        f32::MAX,
        f32::MIN,
        MAX_COORDINATE,
        -MAX_COORDINATE,
    ];
    match random.below(4) {
        0 => f32::from_bits(random.next_u64() as u32),
        1 => *random.pick(&TROUBLE),
        2 => random.signed(),
        _ => random.between(0.0, 1.0),
    }
}

/// Any number, or one near a recorded tick or an end of the numbers.
fn any_tick(random: &mut Random, history: &History) -> u64 {
    let near = *random.pick(&[0, 1 << 52, u64::MAX, history.oldest().unwrap(), history.newest().unwrap()]);
    match random.below(4) {
        0 => random.next_u64(),
        1 => near.wrapping_add(random.below(7) as u64).wrapping_sub(3),
        _ => history.newest().unwrap().wrapping_sub(random.below(45) as u64),
    }
}

fn any_ray(random: &mut Random) -> Ray {
    loop {
        let mut vector = |scale: f32| Vec3::from_array(std::array::from_fn(|_| any_float(random) * scale));
        let (origin, direction) = (vector(5.0), vector(1.0));
        if let Ok(ray) = Ray::try_new(origin, direction) {
            return ray;
        }
    }
}

/// Asks what a hostile player may ask. Returns the number of views, of rays that hit, and of bodies that were found.
fn ask(history: &History, random: &mut Random, requests: usize) -> [usize; 3] {
    let mut found = [0; 3];
    for _ in 0..requests {
        let moment = Moment { tick: any_tick(random, history), fraction: any_float(random) };
        let rules = Rules {
            max_back: *random.pick(&[0.25, 1e9, 0.0, f64::NAN, f64::INFINITY, -1.0]),
            teleport_distance: any_float(random),
            interpolation: *random.pick(&[Interpolation::Interpolated, Interpolation::Nearest]),
            ..Rules::default()
        };
        let view = match history.at_with(moment, &rules) {
            Ok(view) => view,
            Err(error) => {
                assert!(error == MomentError::NotANumber && moment.fraction.is_nan());
                continue;
            }
        };
        let shown = view.moment();
        assert!((0.0..=1.0).contains(&shown.fraction), "{moment:?} {shown:?}");
        assert!(history.oldest().unwrap() <= shown.tick && shown.tick <= history.newest().unwrap(), "{shown:?}");
        found[0] += 1;
        let (ray, max_time) = (any_ray(random), (random.below(2) == 0).then(|| any_float(random)));
        let any = view.cast_ray_any(&ray, max_time, &QueryFilter::default());
        let first = view.cast_ray(&ray, max_time, &QueryFilter::default());
        assert_eq!(any, first.is_some(), "{moment:?} {ray:?} {max_time:?}");
        found[1] += usize::from(any);
        let id = BodyId(if random.below(2) == 0 { random.next_u64() } else { random.below(60) as u64 });
        let body = view.body(id);
        assert!(body.is_none() || view.kind(id).is_some());
        found[2] += usize::from(body.is_some());
    }
    found
}

#[test]
fn a_million_hostile_requests_neither_panic_nor_grow() {
    let mut random = Random::new(9);
    // The second history has gaps of every size, and ends with the last number.
    let far = [0, 1, 3, 100, 1 << 24, (1 << 53) + 1, u64::MAX - 40, u64::MAX - 2, u64::MAX - 1, u64::MAX];
    let numbers: [Vec<u64>; 2] = [(1000..1050).collect(), far.to_vec()];
    for (seed, numbers) in numbers.iter().enumerate() {
        let mut scene = Scene::new(seed as u64, 8);
        let mut history = History::new(HistorySettings { ticks: 40, ..HistorySettings::default() });
        for &number in numbers {
            scene.step().into_iter().for_each(|cut| history.cut(cut));
            history.record(number, &scene.world).unwrap();
        }
        ask(&history, &mut random, 20_000);
        let (found, used) = allocation_counter::of(|| ask(&history, &mut random, 500_000));
        assert!(found.iter().all(|count| *count > 5_000), "{found:?}");
        assert_eq!(used.kept, 0, "{used:?}");
    }
}

/// The same play again and again: after the first times, the ring has the memory that it needs.
#[test]
fn recording_and_looking_back_allocate_nothing_after_warm_up() {
    let first = Scene::new(4, 60);
    let mut history = History::new(HistorySettings { ticks: 16, ..HistorySettings::default() });
    let mut hits = Vec::new();
    let (mut tick, mut found) = (0, 0);
    let mut play = |ticks: usize| {
        let mut scene = first.clone();
        let mut allocations = 0;
        for _ in 0..ticks {
            // The scene itself may allocate.
            let cuts = scene.step();
            let Scene { world, random, .. } = &mut scene;
            let filter = QueryFilter::default();
            let ((), used) = allocation_counter::of(|| {
                cuts.iter().for_each(|cut| history.cut(*cut));
                history.record(tick, world).unwrap();
                let shots: [PastShot<'_>; 20] = std::array::from_fn(|_| {
                    let moment = Moment::at((tick as f64 - 16.0 * random.share_f64()).max(0.0)).unwrap();
                    let (from, to) = (random.vector() * 5.0, random.vector() * 4.0);
                    PastShot { moment, ray: Ray::try_new(from, to - from).unwrap(), max_time: None, filter }
                });
                history.cast_rays(&shots, &Rules::default(), &mut hits);
                let view = history.at(shots[0].moment).unwrap();
                found += hits.iter().filter(|hit| matches!(hit, Ok(Some(_)))).count() + view.ids().count();
            });
            allocations += used.allocations;
            tick += 1;
        }
        allocations
    };
    let allocations: [usize; 5] = std::array::from_fn(|_| play(10 * 16));
    assert!(allocations[0] > 100 && found > 10_000, "the counter counts: {allocations:?}, {found}");
    assert_eq!(allocations[4], 0, "{allocations:?}");
}

/// 64 ticks of 1,000 characters that play a clip, with the bounds that views between ticks need.
#[test]
fn a_thousand_bodies_take_at_most_ten_megabytes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/runa.bonebox");
    let runa = Arc::new(Character::load(&std::fs::read(path).unwrap()).unwrap());
    let mut world = HitboxWorld::new();
    for id in 0..1000 {
        world.insert(BodyId(id), Arc::clone(&runa), BodySettings::default()).unwrap();
    }
    let miss = Ray::try_new(Vec3::Y * 100.0, Vec3::Y).unwrap();
    let mut record = |history: &mut History, tick: u64| {
        world
            .pose_each(|id, body| {
                let place = Affine3A::from_translation(Vec3::new((id.0 % 32) as f32, 0.0, (id.0 / 32) as f32));
                body.pose_from_clip(&place, ClipIndex(id.0 as u32 % 6), 0.01 * tick as f32)
            })
            .unwrap();
        world.update();
        history.record(tick, &world).unwrap();
    };
    // The world's own memory grows while its bodies come near each other for the first time.
    (0..=100).for_each(|tick| record(&mut History::default(), tick));
    let (history, used) = allocation_counter::of(|| {
        let mut history = History::default();
        (1..=100).for_each(|tick| record(&mut history, tick));
        history
    });
    let ((), of_views) = allocation_counter::of(|| {
        for tick in 37..100 {
            let view = history.at_with(Moment { tick, fraction: 0.5 }, &Rules { max_back: 9.0, ..Rules::default() });
            assert!(!view.unwrap().cast_ray_any(&miss, None, &QueryFilter::default()));
        }
    });
    assert_eq!(history.len(), 64);
    let kept = used.kept + of_views.kept;
    println!("64 ticks of 1,000 bodies: {} bytes, {} of them for views between ticks", kept, of_views.kept);
    println!("{:.1} bytes for each body and tick", kept as f64 / 64_000.0);
    assert!(kept <= 10_000_000, "{kept}");
}
