//! A global allocator that counts, for tests of how much memory some work uses.
//!
//! A test program that uses this crate gets the counting allocator, which calls the system's allocator. Each thread has
//! its own counts, so tests that run at the same time do not disturb each other. If the work starts other threads, their
//! memory is not counted.
//!
//! ```
//! let (list, used) = allocation_counter::of(|| {
//!     drop(vec![1_u8; 1000]);
//!     vec![1_u8; 300]
//! });
//! assert_eq!((used.allocations, used.peak, used.kept), (2, 1000, 300));
//! # drop(list);
//! ```
//!
//! The counts are of requested bytes. Memory that the system's allocator adds is not counted. If a block grows, it
//! counts as a new block beside the old block, which is then freed, even if the system grows it in place.

mod allocator;

/// The memory that some work used on its own thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// The number of allocations, including blocks that grew or shrank.
    pub allocations: usize,
    /// The largest number of bytes in use at the same time, minus the bytes in use before the work.
    pub peak: usize,
    /// The bytes in use after the work, minus the bytes in use before it. It is below 0 if the work freed older memory.
    pub kept: isize,
}

/// Runs some work and counts its memory. The returned value is still in use.
///
/// Calls may be nested.
pub fn of<T>(work: impl FnOnce() -> T) -> (T, Used) {
    let outer = allocator::counts();
    allocator::set_peak(outer.in_use);
    let result = work();
    let after = allocator::counts();
    allocator::set_peak(after.peak.max(outer.peak));
    let used = Used {
        allocations: after.allocations - outer.allocations,
        // The peak started at the bytes in use and only increased.
        peak: (after.peak - outer.in_use).unsigned_abs(),
        kept: after.in_use - outer.in_use,
    };
    (result, used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn no_work_uses_no_memory() {
        assert_eq!(of(|| black_box(1) + 1).1, Used { allocations: 0, peak: 0, kept: 0 });
    }

    #[test]
    fn a_growing_list_uses_both_blocks_and_keeps_one() {
        let (list, used) = of(|| {
            let mut list: Vec<u8> = Vec::with_capacity(100);
            list.extend([0; 100]);
            list.reserve_exact(50);
            list
        });
        assert_eq!((list.capacity(), used), (150, Used { allocations: 2, peak: 250, kept: 150 }));
    }

    #[test]
    fn zeroed_memory_counts() {
        let (list, used) = of(|| black_box(vec![0_u64; 64]));
        assert_eq!((list.len(), used), (64, Used { allocations: 1, peak: 512, kept: 512 }));
    }

    #[test]
    fn freeing_older_memory_gives_a_negative_count() {
        let list = black_box(vec![1_u8; 70]);
        assert_eq!(of(|| drop(list)).1, Used { allocations: 0, peak: 0, kept: -70 });
    }

    #[test]
    fn nested_work_does_not_change_the_outer_peak() {
        let ((), outer) = of(|| {
            drop(black_box(vec![1_u8; 500]));
            let (_list, inner) = of(|| black_box(vec![1_u8; 30]));
            assert_eq!(inner, Used { allocations: 1, peak: 30, kept: 30 });
        });
        assert_eq!(outer, Used { allocations: 2, peak: 500, kept: 0 });
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri stops if an allocation fails")]
    fn a_failed_allocation_is_not_in_use() {
        let (result, used) = of(|| black_box(Vec::<u8>::new()).try_reserve_exact(isize::MAX.unsigned_abs()));
        assert!(result.is_err());
        assert_eq!(used, Used { allocations: 0, peak: 0, kept: 0 });
    }

    #[test]
    fn each_thread_has_its_own_counts() {
        // The handle of a scoped thread is allocated by this thread, but the memory of that thread is not.
        let ((), mine) = of(|| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| of(|| drop(black_box(vec![1_u8; 1 << 20]))).1);
                assert_eq!(other.join().unwrap(), Used { allocations: 1, peak: 1 << 20, kept: 0 });
            });
        });
        assert!(mine.peak < 1 << 16, "{mine:?}");
    }
}
