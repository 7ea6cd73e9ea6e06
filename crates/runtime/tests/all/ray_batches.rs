//! Rays one by one and in batches, against a loop over all bodies.

use crate::characters::figure;
use geometry_core::Ray;
use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use runtime::kernels::Kernel;
use runtime::{BodyId, BodyRayHit, BodySettings, HitboxWorld, QueryFilter, RayBuffers, RayHit, RayQuery};
use std::sync::Arc;

/// The answer of [`HitboxWorld::cast_ray`], from the hits of every body.
fn by_looking_at_all(world: &HitboxWorld, query: &RayQuery<'_>) -> Option<BodyRayHit> {
    let RayQuery { ray, max_time, filter } = query;
    let (mut of_body, mut all) = (Vec::new(), Vec::new());
    for body in world.bodies().filter(|body| !filter.exclude.contains(&body.id())) {
        body.posed().cast_ray_all(ray, *max_time, &mut of_body);
        let tags = |hit: &RayHit| body.character().tags(hit.box_index);
        let has_tag =
            |hit: &&RayHit| filter.tags.is_empty() || tags(hit).iter().any(|tag| filter.tags.contains(&tag.as_str()));
        all.extend(of_body.iter().filter(has_tag).map(|hit| (body.id(), *hit)));
    }
    let first = all.into_iter().min_by(|(a, one), (b, other)| {
        one.entry.total_cmp(&other.entry).then(a.cmp(b)).then(one.box_index.cmp(&other.box_index))
    });
    first.map(|(body, answer)| BodyRayHit { body, answer })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn rays_together_and_one_by_one_hit_the_first_box(
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
            let expected: Vec<_> = queries.iter().map(|query| by_looking_at_all(&world, query)).collect();
            for (query, expected) in queries.iter().zip(&expected) {
                prop_assert_eq!(&world.cast_ray(&query.ray, query.max_time, &query.filter), expected, "{:?}", kernel);
            }
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
fn the_first_boxes_of_large_crowds_are_hit() {
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
        let queries: Vec<_> = (0..256).map(query).collect();
        let (mut buffers, mut hits) = (RayBuffers::default(), Vec::new());
        let mut check = |world: &HitboxWorld| {
            let expected: Vec<_> = queries.iter().map(|query| by_looking_at_all(world, query)).collect();
            assert!(expected.iter().flatten().count() > 20);
            world.cast_rays(&queries, &mut buffers, &mut hits);
            assert_eq!(hits, expected);
            let one_by_one = queries.iter().map(|query| world.cast_ray(&query.ray, None, &query.filter));
            assert!(one_by_one.eq(expected));
        };
        check(&world);
        // Bodies that have moved since the update, one by one and all together.
        let moved = |id: BodyId| Affine3A::from_translation(Vec3::new((id.0 % 37) as f32, 0.1, (id.0 % 41) as f32));
        (0..count).step_by(5).for_each(|id| world.pose_from_rest(BodyId(id), &moved(BodyId(id))).unwrap());
        check(&world);
        world.pose_each(|id, body| body.pose_from_rest(&moved(id))).unwrap();
        check(&world);
    }
}

/// Goes up and down between -1 and 1.
fn zigzag(turn: f32) -> f32 {
    let phase = turn.rem_euclid(4.0);
    if phase < 2.0 { phase - 1.0 } else { 3.0 - phase }
}
