//! Measures the cost of the C library compared with the run time itself: a tick of a crowd, posed by clips, with its
//! events.

#![allow(unsafe_code, reason = "the functions take pointers")]
#![allow(clippy::unwrap_used, clippy::undocumented_unsafe_blocks, reason = "a bench passes what is valid")]

use baked_characters::baked_figure;
use bonebox_c::*;
use glam::{Affine3A, Mat4, Vec3};
use paired_timing::Turns;
use runtime::{BodyId, BodySettings, Character, ClipIndex, HitboxWorld};
use std::ptr::{null, null_mut};
use std::sync::Arc;

const BODIES: u64 = 1000;

/// Close enough that neighbors touch, each at a time of its own.
fn place(body: u64, tick: u32) -> (Affine3A, f32) {
    let (x, z) = (0.5 * (body % 32) as f32, 0.5 * (body / 32) as f32);
    let seconds = (body as f32 * 0.37 + tick as f32 / 60.0) % 1.0;
    (Affine3A::from_translation(Vec3::new(x, 0.0, z)), seconds)
}

fn by_the_run_time() -> impl FnMut() -> usize {
    let character = Arc::new(Character::from_baked(baked_figure("figure")));
    let mut world = HitboxWorld::new();
    for body in 0..BODIES {
        world.insert(BodyId(body), Arc::clone(&character), BodySettings::default()).unwrap();
    }
    let mut tick = 0;
    move || {
        tick += 1;
        for body in 0..BODIES {
            let (place, seconds) = place(body, tick);
            world.pose_from_clip(BodyId(body), &place, ClipIndex(1), seconds).unwrap();
        }
        world.update();
        world.events().len()
    }
}

fn by_the_c_library() -> impl FnMut() -> usize {
    let bytes = baked_format::write(&baked_figure("figure")).unwrap();
    let (mut character, mut world) = (null_mut(), null_mut());
    unsafe {
        assert_eq!(bonebox_character_load(bytes.as_ptr(), bytes.len(), &mut character, null_mut()), BoneboxResult::Ok);
        assert_eq!(bonebox_world_new(&mut world, null_mut()), BoneboxResult::Ok);
        for body in 0..BODIES {
            assert_eq!(bonebox_world_insert(world, body, character, null(), null_mut()), BoneboxResult::Ok);
        }
    }
    let mut tick = 0;
    let (mut poses, mut events) = (Vec::with_capacity(BODIES as usize), Vec::with_capacity(1 << 16));
    move || {
        tick += 1;
        poses.clear();
        poses.extend((0..BODIES).map(|body| {
            let (place, seconds) = place(body, tick);
            BoneboxClipPose {
                body,
                world_from_model: BoneboxMatrix { m: Mat4::from(place).to_cols_array() },
                clip: 1,
                seconds,
            }
        }));
        let mut count = 0;
        unsafe {
            let posed = bonebox_world_pose_from_clips(world, poses.as_ptr(), poses.len(), null_mut());
            assert_eq!(posed, BoneboxResult::Ok);
            assert_eq!(bonebox_world_update(world, null_mut()), BoneboxResult::Ok);
            let (out, room) = (events.as_mut_ptr(), events.capacity());
            let found = bonebox_world_events(world, out, room, &mut count, null_mut());
            assert_eq!(found, BoneboxResult::Ok);
            let events: &[BoneboxTouchEvent] = std::slice::from_raw_parts(out, count);
            events.len()
        }
    }
}

fn main() {
    let (mut rust, mut c) = (by_the_run_time(), by_the_c_library());
    assert!((0..8).all(|_| rust() == c()), "both find the same");
    let mut turns = Turns::new("c_library", "a tick of 1,000 characters").items(BODIES as f64, "character");
    turns.peer("runtime", || assert!(rust() > 0));
    turns.ours("C library", || assert!(c() > 0));
    turns.run();
}
