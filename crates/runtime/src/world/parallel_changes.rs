//! Lists the changes of touches on all threads.

use super::growth::make_room;
use super::touch_changes::{NO_TOUCH, Present, compare, keep_present, resize};
use super::{Touch, TouchEvent, TouchPhase};
use rayon::prelude::*;

/// Buffers that are reused from update to update.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    tasks: Vec<Task>,
    /// The lengths of all tasks of all rounds.
    lens: Vec<Lens>,
}

/// The events of some pairs of bodies, until the number of events before them is known.
#[derive(Debug, Default)]
struct Task {
    events: Vec<TouchEvent>,
    lens: Lens,
}

/// The numbers of events and of present touches of some pairs of bodies.
#[derive(Clone, Copy, Debug, Default)]
struct Lens {
    events: usize,
    touches: usize,
}

/// [`super::touch_changes::update`] on all threads of rayon's pool.
pub(super) fn update(
    touches: &mut Vec<Touch>,
    present: Present<'_>,
    events: &mut Vec<TouchEvent>,
    buffers: &mut Buffers,
) {
    /// The number of pairs of bodies in one task, which takes about five microseconds.
    const PAIRS: usize = 128;
    /// The number of tasks in a round for each thread: enough that no thread waits long for the last task, and so few that
    /// the events of a round stay in the caches.
    const TASKS: usize = 4;
    update_in_tasks([PAIRS, TASKS * rayon::current_num_threads()], touches, present, events, buffers);
}

/// [`update`] with a number of pairs for each task, and a number of tasks for each round.
///
/// In each round, the tasks compare the touches of the next pairs, and then copy their events to the end of the list. If all
/// events were counted first, so that each task could write to its place at once, every pair would be compared twice.
pub(super) fn update_in_tasks(
    [pairs_in_task, tasks_in_round]: [usize; 2],
    touches: &mut Vec<Touch>,
    present: Present<'_>,
    events: &mut Vec<TouchEvent>,
    Buffers { tasks, lens }: &mut Buffers,
) {
    /// The number of events for each pair of bodies that a task reserves memory for in its first update, so that few
    /// tasks need more memory in a later update.
    const EVENTS: usize = 16;
    tasks.resize_with(tasks_in_round, Task::default);
    lens.clear();
    // Without pairs, one task finds that all touches ended.
    let all_tasks = present.pairs.len().div_ceil(pairs_in_task).max(1);
    let (before, mut count) = (&**touches, 0);
    for first_task in (0..all_tasks).step_by(tasks_in_round) {
        let round = &mut tasks[..tasks_in_round.min(all_tasks - first_task)];
        round.par_iter_mut().enumerate().for_each(|(index, task)| {
            let of_task = present.part((first_task + index) * pairs_in_task, pairs_in_task);
            task.events.clear();
            task.events.reserve(EVENTS * pairs_in_task);
            compare(of_task.touches_from(before), of_task, &mut task.events);
            let touches = task.events.iter().filter(|event| event.phase != TouchPhase::Ended).count();
            task.lens = Lens { events: task.events.len(), touches };
        });
        let first = count;
        for task in &*round {
            lens.push(task.lens);
            count += task.lens.events;
        }
        if count > events.len() {
            make_room(events, count - events.len());
            events.resize(count, TouchEvent { touch: NO_TOUCH, phase: TouchPhase::Ended });
        }
        copy(round, &mut events[first..count]);
    }
    events.truncate(count);
    resize(touches, present.found.len());
    keep(lens, events, touches);
}

/// Copies the events of some tasks to a list of the same length.
fn copy(tasks: &[Task], events: &mut [TouchEvent]) {
    if let [task] = tasks {
        return events.copy_from_slice(&task.events);
    }
    let (low, high) = tasks.split_at(tasks.len() / 2);
    let (to_low, to_high) = events.split_at_mut(low.iter().map(|task| task.events.len()).sum());
    rayon::join(|| copy(low, to_low), || copy(high, to_high));
}

/// [`keep_present`] for the events of some tasks.
fn keep(lens: &[Lens], events: &[TouchEvent], touches: &mut [Touch]) {
    if lens.len() == 1 {
        return keep_present(events, touches);
    }
    let (low, high) = lens.split_at(lens.len() / 2);
    let (of_low, of_high) = events.split_at(low.iter().map(|lens| lens.events).sum());
    let (to_low, to_high) = touches.split_at_mut(low.iter().map(|lens| lens.touches).sum());
    rayon::join(|| keep(low, of_low, to_low), || keep(high, of_high, to_high));
}
