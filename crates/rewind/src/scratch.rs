//! Memory of views, which the next views use again.

use crate::poser::Poser;
use crate::rules::Refused;
use runtime::{Body, Bounds, Character, TileList};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The memory of a view.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The bodies that were posed, by slot. `Some(None)` is a body that the view does not show.
    pub(crate) slots: Vec<OnceLock<Option<Box<Body>>>>,
    work: Mutex<Work>,
    /// Bounds by place, for [`bounds_between`](crate::between::bounds_between).
    pub(crate) bounds: Vec<Bounds>,
}

/// What a view needs to pose a body. Threads that share a view pose one body at a time.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// The slots that are filled.
    pub(crate) used: Vec<u32>,
    /// Bodies of earlier views.
    #[expect(clippy::vec_box, reason = "a body moves between this list and a slot, without its bytes being copied")]
    pub(crate) bodies: Vec<Box<Body>>,
    pub(crate) poser: Poser,
    pub(crate) refused: Refused,
}

impl Work {
    /// A body of an earlier view, of this character if one is near the end of the list: the memory of another character is
    /// filled anew.
    pub(crate) fn take_body(&mut self, character: &Arc<Character>) -> Option<Box<Body>> {
        const SEARCHED: usize = 16;
        let first = self.bodies.len().saturating_sub(SEARCHED);
        let place = self.bodies[first..].iter().rposition(|body| Arc::ptr_eq(body.character(), character));
        place.map(|place| self.bodies.swap_remove(first + place)).or_else(|| self.bodies.pop())
    }
}

impl Scratch {
    pub(crate) fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Empties the slots, and keeps their bodies.
    fn clear(&mut self) {
        let work = self.work.get_mut().unwrap_or_else(PoisonError::into_inner);
        work.refused = Refused::default();
        for slot in work.used.drain(..) {
            work.bodies.extend(self.slots[slot as usize].take().flatten());
        }
    }
}

/// Memory that nothing uses at the moment.
#[derive(Debug, Default)]
pub(crate) struct Spare(Mutex<Lists>);

#[derive(Debug, Default)]
struct Lists {
    scratches: Vec<Scratch>,
    tiles: Vec<Arc<TileList>>,
}

impl Spare {
    pub(crate) fn take_scratch(&self) -> Scratch {
        self.lists().scratches.pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, mut scratch: Scratch) {
        /// More than so many views at once are rare; their memory is not kept.
        const KEPT: usize = 64;
        scratch.clear();
        let mut lists = self.lists();
        if lists.scratches.len() < KEPT {
            lists.scratches.push(scratch);
        }
    }

    /// A list that nobody else has.
    pub(crate) fn take_tiles(&self) -> Arc<TileList> {
        self.lists().tiles.pop().unwrap_or_default()
    }

    /// Keeps a list for later, except if a clone of the history still has it.
    pub(crate) fn give_back_tiles(&self, mut tiles: Arc<TileList>) {
        if Arc::get_mut(&mut tiles).is_some() {
            self.lists().tiles.push(tiles);
        }
    }

    fn lists(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
