//! How much memory a file may ask for.
//!
//! glTF objects share data: a thousand primitives of 60 bytes may each name the same accessor of a megabyte, and an
//! accessor without data stands for any number of zeros. Everything that is decoded is therefore charged here first.

use crate::ImportError;
use std::cell::Cell;

/// Free for every file.
const BASE: u64 = 48 << 20;
/// Free for each byte of input.
const PER_INPUT_BYTE: u64 = 24;

/// What is left of the bytes an import may decode.
pub(crate) struct Budget {
    limit: u64,
    spent: Cell<u64>,
}

impl Budget {
    pub(crate) fn for_input(bytes: u64) -> Self {
        Self { limit: BASE.saturating_add(bytes.saturating_mul(PER_INPUT_BYTE)), spent: Cell::new(0) }
    }

    /// More input has come in from outside the file.
    pub(crate) fn add_input(&mut self, bytes: u64) {
        self.limit = self.limit.saturating_add(bytes.saturating_mul(PER_INPUT_BYTE));
    }

    /// Takes `elements` of `size` bytes for `place`.
    pub(crate) fn charge(&self, elements: u64, size: usize, place: impl FnOnce() -> String) -> Result<(), ImportError> {
        self.spent.set(self.after(elements, size, place)?);
        Ok(())
    }

    /// Whether [`Budget::charge`] would pass, without taking anything.
    pub(crate) fn would_allow(
        &self,
        elements: u64,
        size: usize,
        place: impl FnOnce() -> String,
    ) -> Result<(), ImportError> {
        self.after(elements, size, place).map(drop)
    }

    /// Spent bytes after such a charge.
    fn after(&self, elements: u64, size: usize, place: impl FnOnce() -> String) -> Result<u64, ImportError> {
        let found = elements.saturating_mul(size as u64);
        let spent = self.spent.get().saturating_add(found);
        if spent <= self.limit {
            return Ok(spent);
        }
        let cure = "If the count is right, split the asset or store shared vertices once; else the file is damaged";
        Err(ImportError::Limit { place: place(), found, limit: self.limit, cure })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_at_the_limit_and_never_wraps() {
        let budget = Budget::for_input(10);
        budget.charge(BASE + 240, 1, String::new).unwrap();
        assert!(matches!(budget.charge(1, 1, String::new), Err(ImportError::Limit { found: 1, .. })));
        assert!(Budget::for_input(10).charge(u64::MAX, 12, String::new).is_err());
    }
}
