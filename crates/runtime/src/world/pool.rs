//! Memory that several callers of `&self` functions share.

use std::sync::{Mutex, PoisonError};

/// Values that nobody uses at the moment. A function takes one, and gives it back at its end.
#[derive(Debug)]
pub(super) struct Pool<T>(Mutex<Vec<T>>);

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Pool<T> {
    /// A value that nobody uses, or a new one.
    pub(super) fn take(&self, new: impl FnOnce() -> T) -> T {
        let one = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        one.unwrap_or_else(new)
    }

    /// Keeps a value for the next caller.
    pub(super) fn give_back(&self, one: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(one);
    }
}
