//! Worlds and histories as bytes.

use crate::door::{
    OwnCharacter, OwnHistory, OwnWorld, all, assert_failed, asset, bytes, call, found, insert, matrix, value,
};
use baked_characters::golden_scenes::scene::Random;
use bonebox_c::*;
use glam::{Affine3A, Vec3};
use std::ptr::null;

fn saved(world: &OwnWorld) -> Vec<u8> {
    bytes(value(|out, error| unsafe { bonebox_world_save(world.0, out, error) }).unwrap())
}

fn restore(world: &OwnWorld, bytes: &[u8], characters: &[&OwnCharacter]) -> Result<(), crate::door::Failed> {
    let list: Vec<*const BoneboxCharacter> = characters.iter().map(|one| one.0.cast_const()).collect();
    call(|error| unsafe {
        bonebox_world_restore(world.0, bytes.as_ptr(), bytes.len(), list.as_ptr(), list.len(), error)
    })
}

fn restore_history(bytes: &[u8], characters: &[&OwnCharacter]) -> Result<OwnHistory, crate::door::Failed> {
    let list: Vec<*const BoneboxCharacter> = characters.iter().map(|one| one.0.cast_const()).collect();
    value(|out, error| unsafe {
        bonebox_history_restore(bytes.as_ptr(), bytes.len(), list.as_ptr(), list.len(), out, error)
    })
    .map(OwnHistory)
}

/// Two characters that stand in each other, a third that is alone, and their last ticks.
fn scene() -> (OwnCharacter, OwnCharacter, OwnWorld, OwnHistory) {
    let (runa, bruno, world) = (asset("runa"), asset("bruno"), OwnWorld::new());
    let history = OwnHistory::new(6, 0.05).unwrap();
    for (body, character) in [(1, &runa), (2, &bruno), (3, &runa)] {
        insert(&world, body, character);
    }
    for tick in 0..8_u16 {
        for (body, x) in [(1, 0.0), (2, 0.1), (3, 9.0)] {
            let place = matrix(&Affine3A::from_translation(Vec3::X * (x + 0.1 * f32::from(tick))));
            let pose = BoneboxClipPose { body, world_from_model: place, clip: 1, seconds: 0.05 * f32::from(tick) };
            call(|error| unsafe { bonebox_world_pose_from_clips(world.0, &pose, 1, error) }).unwrap();
        }
        world.update();
        history.record(tick.into(), &world).unwrap();
    }
    (runa, bruno, world, history)
}

#[test]
fn a_restored_world_goes_on_as_the_saved_one() {
    let (runa, bruno, world, _) = scene();
    let (made, other) = (saved(&world), OwnWorld::new());
    insert(&other, 77, &runa);
    restore(&other, &made, &[&bruno, &runa]).unwrap();
    assert_eq!(saved(&other), made);
    let touches = |world: &OwnWorld| {
        all(|out, room, count, error| unsafe { bonebox_world_touches(world.0, out, room, count, error) }).unwrap()
    };
    let events = |world: &OwnWorld| {
        all(|out, room, count, error| unsafe { bonebox_world_events(world.0, out, room, count, error) }).unwrap()
    };
    assert!(touches(&world).len() > 5);
    for _ in 0..3 {
        assert_eq!((touches(&world), events(&world)), (touches(&other), events(&other)));
        for world in [&world, &other] {
            let place = matrix(&Affine3A::from_translation(Vec3::X * 3.0));
            call(|error| unsafe { bonebox_world_pose_from_rest(world.0, 2, &place, error) }).unwrap();
            world.update();
        }
    }
}

#[test]
fn a_restored_history_has_the_same_sums() {
    let (runa, bruno, world, history) = scene();
    let made = bytes(value(|out, error| unsafe { bonebox_history_save(history.0, out, error) }).unwrap());
    let restored = restore_history(&made, &[&runa, &bruno]).unwrap();
    let difference =
        || found(|is, out, error| unsafe { bonebox_history_first_difference(history.0, restored.0, is, out, error) });
    let sum =
        |history: &OwnHistory| value(|out, error| unsafe { bonebox_history_checksum(history.0, out, error) }).unwrap();
    assert_eq!((sum(&history), difference().unwrap()), (sum(&restored), None));
    let ray = BoneboxRay {
        origin: BoneboxVec3 { x: 0.55, y: 1.2, z: 9.0 },
        direction: BoneboxVec3 { x: 0.0, y: 0.0, z: -1.0 },
        max_time: 99.0,
    };
    let hits = [&history, &restored].map(|history| {
        let then = history.at(5, 0.5, &[]).unwrap();
        found(|is, out, error| unsafe { bonebox_world_cast_ray(then.0, &ray, null(), is, out, error) }).unwrap()
    });
    assert!(hits[0].is_some() && hits[0] == hits[1], "{hits:?}");
    for history in [&history, &restored] {
        history.record(8, &world).unwrap();
    }
    assert_eq!(sum(&history), sum(&restored));
}

#[test]
fn bytes_that_do_not_fit_are_refused() {
    use BoneboxResult::{BadFile, NotFound};
    let (runa, bruno, world, history) = scene();
    let both = [&runa, &bruno];
    let made = saved(&world);
    let before = saved(&world);
    assert_failed(restore(&world, b"", &both), BadFile, "the 0 bytes are not a saved world");
    assert_failed(restore(&world, &made[..19], &both), BadFile, "not a saved world");
    let of_history = bytes(value(|out, error| unsafe { bonebox_history_save(history.0, out, error) }).unwrap());
    assert_failed(restore(&world, &of_history, &both), BadFile, "not a saved world");
    assert_failed(restore_history(&made, &both), BadFile, "not a saved history");
    let mut newer = made.clone();
    newer[8] += 1;
    assert_failed(restore(&world, &newer, &both), BadFile, "has version 3, and this library reads version 2");
    let mut damaged = made.clone();
    damaged[100] ^= 1;
    assert_failed(restore(&world, &damaged, &both), BadFile, "its checksum is wrong");
    let longer = with_sum([&*made, &[0]].concat());
    assert_failed(restore(&world, &longer, &both), BadFile, "1 bytes too many");
    assert_failed(restore(&world, &made, &[&runa]), NotFound, "\"bruno\", for which no character was given");
    assert_failed(restore_history(&of_history, &[]), NotFound, "no character was given");
    assert_eq!(saved(&world), before, "a failure changes nothing");
}

/// Corrects the checksum, as an attacker would.
fn with_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let add = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let sum = bytes[20..].iter().fold(0xcbf2_9ce4_8422_2325, add);
    bytes[12..20].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Bytes that are damaged on purpose, with a right checksum, restore something or fail, but are never a defect.
#[test]
fn hostile_bytes_are_no_defects() {
    let (runa, bruno, world, history) = scene();
    let both = [&runa, &bruno];
    let of_history = bytes(value(|out, error| unsafe { bonebox_history_save(history.0, out, error) }).unwrap());
    let (target, mut random, mut counts) = (OwnWorld::new(), Random(11), [0; 2]);
    for (made, rounds) in [(saved(&world), 3_000), (of_history, 1_500)] {
        for _ in 0..rounds {
            let mut damaged = made.clone();
            for _ in 0..1 + (random.share() * 3.0) as usize {
                let at = 20 + (random.share() * (damaged.len() - 21) as f32) as usize;
                match (random.share() * 3.0) as usize {
                    0 => damaged.truncate(at + 1),
                    1 => damaged[at] = (random.share() * 255.0) as u8,
                    _ => damaged[at] = 0xff,
                }
            }
            let damaged = with_sum(damaged);
            let result = if made[7] == 1 {
                restore(&target, &damaged, &both).map(|()| {
                    target.update();
                    let _ = saved(&target);
                })
            } else {
                restore_history(&damaged, &both).map(|history| {
                    let _ = history.at(5, 0.5, &[]).map(|then| {
                        all(|out, room, count, error| unsafe { bonebox_world_bodies(then.0, out, room, count, error) })
                    });
                })
            };
            counts[usize::from(result.is_ok())] += 1;
            if let Err(failed) = result {
                assert!(matches!(failed.result, BoneboxResult::BadFile | BoneboxResult::NotFound), "{failed:?}");
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 300), "{counts:?}");
}

/// If this test fails, the layout of what is saved has changed: raise `BONEBOX_STATE_VERSION`, then write the new lengths
/// here. (The lengths also change with the joints and hitboxes of the characters.)
#[test]
fn the_bytes_are_those_of_their_version() {
    let (_runa, _bruno, world, history) = scene();
    let of_history = bytes(value(|out, error| unsafe { bonebox_history_save(history.0, out, error) }).unwrap());
    assert_eq!((BONEBOX_STATE_VERSION, saved(&world).len(), of_history.len()), (2, 8615, 1387));
}
