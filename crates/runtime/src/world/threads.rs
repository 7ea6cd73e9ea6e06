//! Work that one thread does, or that all threads share.

/// The threads that do some work.
#[derive(Clone, Copy, Debug)]
pub(super) enum Threads {
    /// The calling thread.
    One,
    /// All threads of rayon's pool.
    #[cfg(feature = "rayon")]
    All,
}

impl Threads {
    /// The number of items that one task takes. If all threads share the work, each thread gets sixteen tasks, so that
    /// no thread waits long for the last task. But a task takes at least `least` items, so that starting the task costs
    /// little in comparison.
    pub(super) fn items_in_task(self, items: usize, least: usize) -> usize {
        match self {
            Self::One => items.max(least),
            #[cfg(feature = "rayon")]
            Self::All => items.div_ceil(16 * rayon::current_num_threads()).max(least),
        }
    }

    /// Calls `work` with the index and the items of each chunk of `len` items; the last chunk may be shorter.
    pub(super) fn for_each_chunk<T: Send>(self, items: &mut [T], len: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        match self {
            Self::One => items.chunks_mut(len).enumerate().for_each(|(index, chunk)| work(index, chunk)),
            #[cfg(feature = "rayon")]
            Self::All => {
                use rayon::prelude::*;
                items.par_chunks_mut(len).enumerate().for_each(|(index, chunk)| work(index, chunk));
            }
        }
    }
}
