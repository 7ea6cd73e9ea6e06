//! A global allocator that counts, for tests of how much memory some work takes.
//!
//! A test program that names this crate has its allocator: the system's, with counts for each thread of its own. So
//! tests that run beside each other do not disturb each other, and memory that the work's own threads ask for is not
//! counted.
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
//! Bytes are those that were asked for. What the system's allocator adds to them, and whether it grew a block where it
//! stood, is its own affair: growing counts as a new block beside the old one, which then goes.

mod allocator;

/// What some work took from the allocator, on its own thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    /// How often there was memory asked for, growing and shrinking included.
    pub allocations: usize,
    /// The most bytes in use at once, beyond those that were in use before.
    pub peak: usize,
    /// Bytes in use after, less those before: below 0 where the work freed what was there before it.
    pub kept: isize,
}

/// Does some work, and counts what it uses. What it returns is still in use.
///
/// Work within the work may be counted too.
pub fn of<T>(work: impl FnOnce() -> T) -> (T, Used) {
    let outer = allocator::counts();
    allocator::set_peak(outer.in_use);
    let result = work();
    let after = allocator::counts();
    allocator::set_peak(after.peak.max(outer.peak));
    let used = Used {
        allocations: after.allocations - outer.allocations,
        // It began at what was in use and only grew.
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
    fn nothing_takes_nothing() {
        assert_eq!(of(|| black_box(1) + 1).1, Used { allocations: 0, peak: 0, kept: 0 });
    }

    #[test]
    fn growing_has_both_blocks_and_keeps_one() {
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
    fn freeing_what_was_there_before_is_below_zero() {
        let list = black_box(vec![1_u8; 70]);
        assert_eq!(of(|| drop(list)).1, Used { allocations: 0, peak: 0, kept: -70 });
    }

    #[test]
    fn inner_work_leaves_the_outer_peak() {
        let ((), outer) = of(|| {
            drop(black_box(vec![1_u8; 500]));
            let (_list, inner) = of(|| black_box(vec![1_u8; 30]));
            assert_eq!(inner, Used { allocations: 1, peak: 30, kept: 30 });
        });
        assert_eq!(outer, Used { allocations: 2, peak: 500, kept: 0 });
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri stops where a machine has no memory")]
    fn what_there_is_no_memory_for_is_not_in_use() {
        let (result, used) = of(|| black_box(Vec::<u8>::new()).try_reserve_exact(isize::MAX.unsigned_abs()));
        assert!(result.is_err());
        assert_eq!(used, Used { allocations: 0, peak: 0, kept: 0 });
    }

    #[test]
    fn each_thread_has_its_own_counts() {
        // A scoped thread's handle is of this thread; what it allocates is not.
        let ((), mine) = of(|| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| of(|| drop(black_box(vec![1_u8; 1 << 20]))).1);
                assert_eq!(other.join().unwrap(), Used { allocations: 1, peak: 1 << 20, kept: 0 });
            });
        });
        assert!(mine.peak < 1 << 16, "{mine:?}");
    }
}
