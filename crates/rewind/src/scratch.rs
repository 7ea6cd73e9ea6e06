//! Memory of views, which the next views use again.

use crate::poser::Poser;
use runtime::{Body, Bounds, TileList};
use std::cell::{OnceCell, RefCell};
use std::sync::{Arc, Mutex, PoisonError};

/// The memory of a view.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// The bodies that were posed, by place. `Some(None)` is a body that the view does not show.
    pub(crate) slots: Vec<OnceCell<Option<Box<Body>>>>,
    /// The places whose slots are filled.
    pub(crate) used: RefCell<Vec<u32>>,
    /// Bodies of earlier views.
    #[expect(clippy::vec_box, reason = "a body moves between this list and a slot, without its bytes being copied")]
    pub(crate) bodies: RefCell<Vec<Box<Body>>>,
    pub(crate) poser: RefCell<Poser>,
    /// Bounds by place, for [`bounds_between`](crate::between::bounds_between).
    pub(crate) bounds: Vec<Bounds>,
}

impl Scratch {
    /// Empties the slots, and keeps their bodies.
    fn clear(&mut self) {
        for place in self.used.get_mut().drain(..) {
            self.bodies.get_mut().extend(self.slots[place as usize].take().flatten());
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

    fn lists(&self) -> std::sync::MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
