//! The system's allocator with counters.

#![allow(unsafe_code, reason = "an allocator needs unsafe code; every call is passed on to the system's allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The counts of one thread since it began.
#[derive(Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) allocations: usize,
    /// The bytes in use. It is below 0 on a thread that frees memory of other threads.
    pub(crate) in_use: isize,
    /// The largest `in_use` since [`set_peak`].
    pub(crate) peak: isize,
}

thread_local! {
    // The cell needs neither initialization nor a destructor, so it can be used at any time of the thread's life.
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { allocations: 0, in_use: 0, peak: 0 }) };
}

pub(crate) fn counts() -> Counts {
    COUNTS.get()
}

pub(crate) fn set_peak(peak: isize) {
    COUNTS.set(Counts { peak, ..COUNTS.get() });
}

/// Counts a new block. If the system had no memory, nothing is counted.
fn took(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if !pointer.is_null() {
        let Counts { allocations, in_use, peak } = COUNTS.get();
        // No allocation is larger than isize::MAX.
        let in_use = in_use + bytes.cast_signed();
        COUNTS.set(Counts { allocations: allocations + 1, in_use, peak: peak.max(in_use) });
    }
    pointer
}

fn gave_back(bytes: usize) {
    let counts = COUNTS.get();
    COUNTS.set(Counts { in_use: counts.in_use - bytes.cast_signed(), ..counts });
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: each call is passed to `System` unchanged, and the counting neither allocates nor panics.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        took(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        took(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        gave_back(layout.size());
        // SAFETY: the caller's promise; `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise; `pointer` came from `System`.
        let moved = took(unsafe { System.realloc(pointer, layout, new_size) }, new_size);
        if !moved.is_null() {
            gave_back(layout.size());
        }
        moved
    }
}
