//! Rays in batches against the same rays one by one.

use crate::characters::figure;
use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{BodyId, BodySettings, HitboxWorld, QueryFilter, RayBuffers, RayQuery};
use std::sync::Arc;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn rays_together_hit_what_they_hit_one_by_one(
        spots in prop::collection::vec((prop::array::uniform3(-4f32..4.0), -1f32..1.0, 0u8..4), 0..60),
        rays in prop::collection::vec(
            (prop::array::uniform3(-6f32..6.0), prop::array::uniform3(prop_oneof![4 => -1f32..1.0, 1 => Just(0.0)]), prop::option::of(0f32..8.0)),
            0..12,
        ),
        updates in any::<bool>(),
    ) {
        let character = Arc::new(figure("figure"));
        let excluded = [BodyId(1), BodyId(4)];
        for kernel in Kernel::available() {
            let mut world = HitboxWorld::with_kernel(kernel);
            for (id, &(at, turn, kind)) in (0..).zip(&spots) {
                world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).unwrap();
                let turn = Quat::from_xyzw(0.0, turn, 0.0, 1.0).normalize();
                if kind > 0 {
                    let place = Affine3A::from_rotation_translation(turn, Vec3::from(at) * Vec3::new(1.0, 0.2, 1.0));
                    world.pose_from_rest(BodyId(id), &place).unwrap();
                }
            }
            if updates {
                world.update();
            }
            for (id, &(at, _, kind)) in (0..).zip(&spots) {
                match kind {
                    1 => drop(world.remove(BodyId(id))),
                    2 => world.pose_from_rest(BodyId(id), &Affine3A::from_translation(at.into())).unwrap(),
                    _ => {}
                }
            }
            let mut queries = Vec::new();
            for (number, &(from, direction, max_time)) in rays.iter().enumerate() {
                if let Ok(ray) = Ray::try_new(from.into(), direction.into()) {
                    let exclude = if number % 2 == 0 { &excluded[..] } else { &[] };
                    let tags: &[&str] = if number % 3 == 0 { &["head", "chest"] } else { &[] };
                    queries.push(RayQuery { ray, max_time, filter: QueryFilter { exclude, tags, ..QueryFilter::default() } });
                }
            }
            let expected: Vec<_> =
                queries.iter().map(|query| world.cast_ray(&query.ray, query.max_time, &query.filter)).collect();
            let (mut buffers, mut hits) = (RayBuffers::default(), Vec::new());
            world.cast_rays(&queries, &mut buffers, &mut hits);
            prop_assert_eq!(&hits, &expected, "{:?}", kernel);
            // A batch of one ray or none, with buffers that are in use already.
            world.cast_rays(&queries[..queries.len().min(1)], &mut buffers, &mut hits);
            prop_assert_eq!(&hits[..], &expected[..expected.len().min(1)]);
            #[cfg(feature = "rayon")]
            {
                world.cast_rays_parallel(&queries, &mut buffers, &mut hits);
                prop_assert_eq!(&hits, &expected);
            }
        }
    }
}

/// More bodies than one tile of tiles holds, in a crowd and in a row.
#[test]
fn large_crowds_are_hit_as_one_by_one() {
    let character = Arc::new(figure("figure"));
    for (columns, count) in [(20, 600), (1, 300)] {
        let mut world = HitboxWorld::new();
        for id in 0..count {
            world.insert(BodyId(id), Arc::clone(&character), BodySettings::default()).unwrap();
            let at = Vec3::new((id % columns) as f32, 0.0, (id / columns) as f32);
            world.pose_from_rest(BodyId(id), &Affine3A::from_translation(at)).unwrap();
        }
        world.update();
        let query = |number: usize| {
            let turn = number as f32 * 0.7;
            let from = Vec3::new(-1.0 + (number % 7) as f32, 0.4 + 0.01 * number as f32, (number % 31) as f32);
            RayQuery::new(Ray::try_new(from, Vec3::new(zigzag(turn), -0.01, 1.0 - turn * 0.01)).unwrap())
        };
        let queries: Vec<_> = (0..128).map(query).collect();
        let (mut buffers, mut hits) = (RayBuffers::default(), Vec::new());
        world.cast_rays(&queries, &mut buffers, &mut hits);
        let one_by_one: Vec<_> = queries.iter().map(|query| world.cast_ray(&query.ray, None, &query.filter)).collect();
        assert!(one_by_one.iter().flatten().count() > 20);
        assert_eq!(hits, one_by_one);
    }
}

/// Goes up and down between -1 and 1.
fn zigzag(turn: f32) -> f32 {
    let phase = turn.rem_euclid(4.0);
    if phase < 2.0 { phase - 1.0 } else { 3.0 - phase }
}
