//! Works on many items at the same time, and hands the results on in the order of the items.

use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::vec::IntoIter;

/// Calls `work` for each item, at most for as many at the same time as the pool has threads. What `work` returns is called on
/// other threads, because it waits for disks and networks; meanwhile the pool goes on. `take` gets the results: one after the
/// other, in the order of the items, each as soon as those before it are there. Returns what `take` returns.
///
/// A parallel iterator of rayon gives each thread a range of the items, so the results of the last range would wait for all
/// others. And a thread that waits within `work` may start another item of its range, and then another one within that, so that
/// the memory would grow with the number of items.
pub(crate) fn map_in_order<T: Send, R: Send, K: Send, Finish: FnOnce() -> R + Send>(
    items: Vec<T>,
    work: impl Fn(T) -> Finish + Sync,
    take: impl FnMut(R) -> K + Send,
) -> Vec<K> {
    let threads = rayon::current_num_threads();
    let taken = Mutex::new(Taken { early: BTreeMap::new(), all: Vec::with_capacity(items.len()), take });
    thread::scope(|finishers| {
        let (sender, receiver) = sync_channel(threads);
        // Only the finishers have the receiver: without them, nobody waits for them.
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads {
            let (receiver, taken) = (receiver.clone(), &taken);
            finishers.spawn(move || {
                loop {
                    let next = lock(&receiver).recv();
                    let Ok((index, finish)): Result<(usize, Finish), _> = next else { return };
                    let result = finish();
                    lock(taken).put(index, result);
                }
            });
        }
        drop(receiver);
        let queue = Queue { items: Mutex::new(items.into_iter().enumerate()), work, sender };
        rayon::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|scope| queue.next(scope));
            }
        });
    });
    taken.into_inner().unwrap_or_else(PoisonError::into_inner).all
}

struct Queue<T, Work, Finish> {
    items: Mutex<Enumerate<IntoIter<T>>>,
    work: Work,
    sender: SyncSender<(usize, Finish)>,
}

impl<T: Send, Finish: Send, Work: Fn(T) -> Finish + Sync> Queue<T, Work, Finish> {
    /// Works on one item. The next one is a job of its own: a thread that came here while it waited within `work` returns to
    /// where it waited.
    fn next<'a>(&'a self, scope: &rayon::Scope<'a>) {
        let Some((index, item)) = lock(&self.items).next() else { return };
        if self.sender.send((index, (self.work)(item))).is_ok() {
            scope.spawn(|scope| self.next(scope));
        }
    }
}

struct Taken<R, K, Take> {
    /// Results whose turn has not come.
    early: BTreeMap<usize, R>,
    all: Vec<K>,
    take: Take,
}

impl<R, K, Take: FnMut(R) -> K> Taken<R, K, Take> {
    fn put(&mut self, index: usize, result: R) {
        self.early.insert(index, result);
        while let Some(result) = self.early.remove(&self.all.len()) {
            let kept = (self.take)(result);
            self.all.push(kept);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

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
                // The end waits for something else, and the items finish in another order.
                move || {
                    thread::sleep(Duration::from_micros((item as u64 * 7) % 1_000));
                    (item, sum)
                }
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
        assert!(map_in_order(Vec::<u8>::new(), |item| move || item, |item| item).is_empty());
    }

    #[test]
    fn a_panic_ends_the_work() {
        let work = |item: usize| move || assert!(item < 5, "the item is {item}");
        let run = || map_in_order((0..10_000).collect(), work, |()| ());
        assert!(std::panic::catch_unwind(run).is_err());
    }
}
