//! Compares the touches of two updates on all threads.

use super::growth::make_room;
use super::touch_changes::{EventSink, NO_TOUCH, Present, compare, keep_present, resize};
use super::{Touch, TouchEvent, TouchPhase};
use rayon::prelude::*;

/// The part of a comparison that one task does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Task {
    /// The index of its first pair of bodies.
    first_pair: usize,
    /// The index of its first event.
    first_event: usize,
    events: usize,
    /// The number of touches of its pairs, which are those of its events that did not end.
    touches: usize,
}

/// [`compare`] and [`keep_present`] on all threads of rayon's pool. `touches` holds the touches of the update before, and
/// then the present ones. The buffer `tasks` is reused.
pub(super) fn compare_parallel(
    touches: &mut Vec<Touch>,
    present: Present<'_>,
    events: &mut Vec<TouchEvent>,
    tasks: &mut Vec<Task>,
) {
    /// The number of pairs of bodies in one task, which takes about ten microseconds.
    const PAIRS: usize = 128;
    compare_in_tasks(PAIRS, touches, present, events, tasks);
}

/// [`compare_parallel`] with a number of pairs for each task. All events are counted before they are written, so that
/// each task can write into its own part of the lists.
pub(super) fn compare_in_tasks(
    pairs_a_task: usize,
    touches: &mut Vec<Touch>,
    present: Present<'_>,
    events: &mut Vec<TouchEvent>,
    tasks: &mut Vec<Task>,
) {
    let count = present.pairs.len().div_ceil(pairs_a_task).max(1);
    tasks.clear();
    tasks.resize(count, Task::default());
    let before = &**touches;
    let part = |first_pair: usize| part_of(before, present, [first_pair, first_pair + pairs_a_task]);
    tasks.par_iter_mut().enumerate().for_each(|(index, task)| {
        let first_pair = index * pairs_a_task;
        let (before, present) = part(first_pair);
        let mut counter = Counter(0);
        compare(before, present, &mut counter);
        let touches = present.pairs.iter().map(|pair| present.found.boxes_of(pair[2] as usize).len()).sum();
        *task = Task { first_pair, first_event: 0, events: counter.0, touches };
    });
    let (mut event_count, mut touch_count) = (0, 0);
    for task in &mut *tasks {
        task.first_event = event_count;
        event_count += task.events;
        touch_count += task.touches;
    }
    make_room(events, event_count.saturating_sub(events.len()));
    events.resize(event_count, TouchEvent { touch: NO_TOUCH, phase: TouchPhase::Ended });
    for_each_part(tasks, events, |task| task.events, &|task, events| {
        let (before, present) = part(task.first_pair);
        compare(before, present, &mut Writer(events.iter_mut()));
    });
    resize(touches, touch_count);
    for_each_part(tasks, touches, |task| task.touches, &|task, touches| {
        keep_present(&events[task.first_event..task.first_event + task.events], touches);
    });
}

/// The touches of the update before and the pairs of bodies that a task compares: the pairs from `start` to `end`.
fn part_of<'p>(before: &'p [Touch], present: Present<'p>, [start, end]: [usize; 2]) -> (&'p [Touch], Present<'p>) {
    let pairs = present.pairs;
    let first_touch = |pair: usize| {
        let ids = present.ids_of(pairs[pair]);
        before.partition_point(|touch| (touch.a, touch.b) < ids)
    };
    // The first task begins with the first touch, and the last task ends with the last touch, also if their bodies touch
    // nothing now.
    let from = if start == 0 { 0 } else { first_touch(start) };
    let until = if end < pairs.len() { first_touch(end) } else { before.len() };
    (&before[from..until], Present { pairs: &pairs[start..end.min(pairs.len())], ..present })
}

/// Calls `then` with each task and its part of a list on all threads. `len` is the length of a task's part.
fn for_each_part<T: Send>(
    tasks: &[Task],
    list: &mut [T],
    len: fn(&Task) -> usize,
    then: &(impl Fn(&Task, &mut [T]) + Sync),
) {
    if let [task] = tasks {
        return then(task, list);
    }
    let (low, high) = tasks.split_at(tasks.len() / 2);
    let (list_of_low, list_of_high) = list.split_at_mut(low.iter().map(len).sum());
    rayon::join(|| for_each_part(low, list_of_low, len, then), || for_each_part(high, list_of_high, len, then));
}

/// Counts events.
struct Counter(usize);

impl EventSink for Counter {
    fn expect(&mut self, _: usize) {}

    #[inline]
    fn add(&mut self, _: TouchEvent) {
        self.0 += 1;
    }
}

/// Writes events over the entries of a list.
struct Writer<'e>(std::slice::IterMut<'e, TouchEvent>);

impl EventSink for Writer<'_> {
    fn expect(&mut self, _: usize) {}

    #[inline]
    fn add(&mut self, event: TouchEvent) {
        if let Some(place) = self.0.next() {
            *place = event;
        }
    }
}
