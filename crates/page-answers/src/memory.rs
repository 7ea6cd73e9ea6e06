//! The last results of long computations.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last results by key, each with the state of what it was made from.
#[derive(Debug)]
pub struct Memory<K, T> {
    most: usize,
    slots: Mutex<BTreeMap<K, Arc<Slot<T>>>>,
}

/// The slot is locked while its value is made, so that another request for the same value waits for it.
type Slot<T> = Mutex<Option<(String, Arc<T>)>>;

impl<K: Ord, T> Memory<K, T> {
    /// A memory for this number of results.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, slots: Mutex::default() }
    }

    /// The stored value for a key if the state is the same as before, otherwise a new value.
    ///
    /// # Errors
    /// Returns the error of `make`. Then no value is stored.
    pub fn get(&self, key: K, state: String, make: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<Arc<T>> {
        let slot = self.slot(key);
        let mut slot = lock(&slot);
        if let Some((_, known)) = slot.as_ref().filter(|(known, _)| *known == state) {
            return Ok(known.clone());
        }
        let made = Arc::new(make()?);
        *slot = Some((state, made.clone()));
        Ok(made)
    }

    fn slot(&self, key: K) -> Arc<Slot<T>> {
        let mut slots = lock(&self.slots);
        if slots.len() >= self.most && !slots.contains_key(&key) {
            slots.clear();
        }
        slots.entry(key).or_default().clone()
    }
}

/// Locks the mutex. A value from a thread that panicked is still valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
