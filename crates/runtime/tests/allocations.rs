//! Nothing is allocated per tick once buffers have grown.
#![allow(unsafe_code, reason = "a global allocator that counts can only be written with unsafe")]

mod common {
    include!("common/example.rs");
}

use glam::{Affine3A, Vec3};
use runtime::{Arena, BodyId, BodySettings, ClipIndex, Posed, overlaps};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the promises that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    work();
    ALLOCATIONS.with(Cell::get) - before
}

#[test]
fn posing_and_testing_allocate_nothing_after_warm_up() {
    let arm = common::arm("arm");
    let wave = arm.find_clip("wave").unwrap();
    let (mut a, mut b, mut pairs) = (Posed::new(), Posed::new(), Vec::new());
    let mut tick = |time: f32| {
        let beside = Affine3A::from_translation(Vec3::X * 0.5);
        a.pose_from_clip(&arm, &Affine3A::IDENTITY, wave, time).unwrap();
        b.pose_from_clips(&arm, &beside, (wave, time), (wave, 0.5 * time), 0.3).unwrap();
        overlaps(&a, &b, &mut pairs);
        assert!(!pairs.is_empty());
    };
    assert!(allocations(|| tick(0.0)) > 0, "the counter counts");
    let after = allocations(|| (1..100).for_each(|i| tick(0.02 * i as f32)));
    assert_eq!(after, 0);
}

#[test]
fn an_arena_allocates_nothing_after_warm_up() {
    let arm = Arc::new(common::arm("arm"));
    let mut arena = Arena::new();
    for id in 0..50u64 {
        let settings = BodySettings { self_touches: id.is_multiple_of(2), ..BodySettings::default() };
        arena.insert(BodyId(id), Arc::clone(&arm), settings).unwrap();
    }
    let mut tick = |time: f32| {
        for id in 0..50u16 {
            let place = Affine3A::from_translation(Vec3::X * (0.1 + time) * f32::from(id));
            arena.pose_from_clip(BodyId(id.into()), &place, ClipIndex(0), time).unwrap();
        }
        arena.update();
        arena.touches().len()
    };
    // Most touches come first: they stand closest at time zero.
    (0..5).for_each(|i| assert!(tick(0.01 * i as f32) > 0));
    let after = allocations(|| (5..100).for_each(|i| assert!(tick(0.01 * i as f32) > 0)));
    assert_eq!(after, 0);
}
