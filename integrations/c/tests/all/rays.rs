//! Batches of rays: the same answers as those of one ray after another.

use crate::door::{EVERYTHING, Failed, OwnWorld, asset, c, call, found, insert, matrix};
use baked_characters::golden_scenes::scene::Random;
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const BODIES: u64 = 40;

fn crowd() -> OwnWorld {
    let (runa, world) = (asset("runa"), OwnWorld::new());
    for body in 0..BODIES {
        insert(&world, body, &runa);
        let place = matrix(&Affine3A::from_translation(Vec3::new((body % 8) as f32, 0.0, (body / 8) as f32)));
        call(|error| unsafe { bonebox_world_pose_from_rest(world.0, body, &place, error) }).unwrap();
    }
    world
}

fn cast_rays(world: &OwnWorld, queries: &[BoneboxRayQuery]) -> Result<Vec<BoneboxRayAnswer>, Failed> {
    let mut answers = vec![BoneboxRayAnswer { found: true, ..Default::default() }; queries.len()];
    call(|error| unsafe {
        bonebox_world_cast_rays(world.0, queries.as_ptr(), queries.len(), answers.as_mut_ptr(), error)
    })?;
    Ok(answers)
}

unsafe extern "C" fn is_left(body: u64, _hitbox: u16, user: *mut c_void) -> bool {
    body % 8 < unsafe { *user.cast::<u64>() }
}

#[test]
fn batches_answer_as_one_ray_after_another() {
    let (world, mut random) = (crowd(), Random(5));
    let tag = c("head");
    let (tags, own, mut border) = ([tag.as_ptr()], [3, 11, 19], 4u64);
    let filters = [
        BoneboxFilter { exclude: own.as_ptr(), exclude_count: own.len(), ..EVERYTHING },
        BoneboxFilter { predicate: Some(is_left), user: (&raw mut border).cast(), ..EVERYTHING },
        BoneboxFilter { tags: tags.as_ptr(), tag_count: 1, ..EVERYTHING },
        EVERYTHING,
    ];
    for count in [0, 1, 3, 64] {
        let queries: Vec<_> = (0..count)
            .map(|index| {
                let spot = |random: &mut Random| {
                    Vec3::new(random.share() * 10.0 - 1.0, 0.5 + random.share(), random.share() * 7.0 - 1.0)
                };
                let (from, to) = (spot(&mut random), spot(&mut random));
                let direction = to - from;
                let ray =
                    BoneboxRay { origin: from.into(), direction: direction.into(), max_time: 0.5 + random.share() };
                // Runs of equal filters, among them NULL.
                BoneboxRayQuery { ray, filter: filters.get(index / 3 % 5).map_or(null(), |filter| filter) }
            })
            .collect();
        let answers = cast_rays(&world, &queries).unwrap();
        for (query, answer) in queries.iter().zip(&answers) {
            let one = found(|is, out, error| unsafe {
                bonebox_world_cast_ray(world.0, &query.ray, query.filter, is, out, error)
            });
            let one = one.unwrap();
            assert_eq!(one.is_some(), answer.found);
            assert_eq!(one.unwrap_or_default(), answer.hit);
        }
        if count == 64 {
            let hits = answers.iter().filter(|answer| answer.found).count();
            assert!((8..56).contains(&hits), "{hits} of 64 rays hit");
        }
    }
}

#[test]
fn a_bad_ray_in_a_batch_is_named() {
    let world = crowd();
    let (zero, one) = (BoneboxVec3::default(), BoneboxVec3 { x: 1.0, y: 0.0, z: 0.0 });
    let query =
        |direction| BoneboxRayQuery { ray: BoneboxRay { origin: zero, direction, max_time: 1.0 }, filter: null() };
    let failed = cast_rays(&world, &[query(one), query(zero)]).unwrap_err();
    assert_eq!(failed.result, BoneboxResult::InvalidArgument);
    assert!(failed.message.starts_with("query 1: `ray`: "), "{}", failed.message);
    assert!(cast_rays(&world, &[query(one)]).is_ok(), "the world answers again");
    let no_place = call(|error| unsafe { bonebox_world_cast_rays(world.0, &query(one), 1, null_mut(), error) });
    assert_eq!(no_place.unwrap_err().message, "`answers` is NULL; pass a valid pointer");
    let no_rays = call(|error| unsafe { bonebox_world_cast_rays(world.0, null(), 1, null_mut(), error) });
    assert_eq!(no_rays.unwrap_err().message, "`queries` is NULL; pass a valid pointer");
}
