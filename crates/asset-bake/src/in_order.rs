//! Works on many items at the same time, and hands the results on in the order of the items.

use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::sync::{Mutex, PoisonError};
use std::vec::IntoIter;

/// Calls `work` for each item, at most for as many at the same time as the pool has threads, and calls `take` with the results:
/// one after the other, in the order of the items, each as soon as those before it are there. Returns what `take` returns.
///
/// A parallel iterator of rayon gives each thread a range of the items, so the results of the last range would wait for all
/// others. And a thread that waits within `work` may start another item of its range, and then another one within that, so that
/// the memory would grow with the number of items.
pub(crate) fn map_in_order<T: Send, R: Send, K: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
    take: impl FnMut(R) -> K + Send,
) -> Vec<K> {
    let taken = Taken { early: BTreeMap::new(), all: Vec::with_capacity(items.len()), take };
    let queue = Queue { items: Mutex::new(items.into_iter().enumerate()), work, taken: Mutex::new(taken) };
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|scope| queue.next(scope));
        }
    });
    queue.taken.into_inner().unwrap_or_else(PoisonError::into_inner).all
}

struct Queue<T, R, K, Work, Take> {
    items: Mutex<Enumerate<IntoIter<T>>>,
    work: Work,
    taken: Mutex<Taken<R, K, Take>>,
}

struct Taken<R, K, Take> {
    /// Results whose turn has not come.
    early: BTreeMap<usize, R>,
    all: Vec<K>,
    take: Take,
}

impl<T: Send, R: Send, K: Send, Work: Fn(T) -> R + Sync, Take: FnMut(R) -> K + Send> Queue<T, R, K, Work, Take> {
    /// Works on one item. The next one is a job of its own: a thread that came here while it waited within `work` returns to
    /// where it waited.
    fn next<'a>(&'a self, scope: &rayon::Scope<'a>) {
        let Some((index, item)) = self.items.lock().unwrap_or_else(PoisonError::into_inner).next() else { return };
        let result = (self.work)(item);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let Taken { early, all, take } = &mut *taken;
        early.insert(index, result);
        while let Some(result) = early.remove(&all.len()) {
            all.push(take(result));
        }
        drop(taken);
        scope.spawn(|scope| self.next(scope));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_come_in_order_and_few_items_are_worked_on_at_once() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            let work = |item: usize| {
                most.fetch_max(1 + now.fetch_add(1, Ordering::SeqCst), Ordering::SeqCst);
                // Work that waits for other threads.
                let sum: usize = (0..2_000 * (1 + item % 7)).into_par_iter().map(|one| one % 3).sum();
                now.fetch_sub(1, Ordering::SeqCst);
                (item, sum)
            };
            let mut seen = Vec::new();
            let doubled = pool.install(|| {
                map_in_order((0..300).collect(), work, |(item, _)| {
                    seen.push(item);
                    2 * item
                })
            });
            assert_eq!(doubled, (0..300).map(|item| 2 * item).collect::<Vec<_>>());
            assert_eq!(seen, (0..300).collect::<Vec<_>>());
            assert!(most.load(Ordering::SeqCst) <= threads, "{most:?} of {threads}");
        }
        assert!(map_in_order(Vec::<u8>::new(), |item| item, |item| item).is_empty());
    }
}
