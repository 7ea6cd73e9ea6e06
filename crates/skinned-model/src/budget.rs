//! Limits the memory that the import of a file may use.
//!
//! A small file may need much memory, because glTF objects share data: a thousand primitives of 60 bytes each may name
//! the same accessor of a megabyte, and an accessor without data has any number of zeros. So the importer charges every
//! decoded array to the budget before it allocates the array.

use crate::error::ImportError;
use std::cell::Cell;

/// The number of bytes that every file may use.
const BASE: u64 = 48 << 20;
/// The number of bytes that each byte of geometry adds: a compressed vertex of eight bytes takes about 400 in all
/// steps.
const PER_DATA_BYTE: u64 = 48;
/// The number of bytes that each byte of JSON adds; parsing a byte of JSON may take 40.
const PER_JSON_BYTE: u64 = 8;

/// The bytes that an import may decode, and the bytes charged so far.
pub(crate) struct Budget {
    limit: u64,
    spent: Cell<u64>,
}

impl Budget {
    /// The budget of a file with this many bytes of JSON.
    pub(crate) fn for_json(bytes: usize) -> Self {
        Self { limit: BASE.saturating_add((bytes as u64).saturating_mul(PER_JSON_BYTE)), spent: Cell::new(0) }
    }

    /// Raises the limit for this many bytes of geometry.
    pub(crate) fn add_data(&mut self, bytes: usize) {
        self.limit = self.limit.saturating_add((bytes as u64).saturating_mul(PER_DATA_BYTE));
    }

    /// Charges `elements` elements of `size` bytes for the object `place`.
    pub(crate) fn charge(&self, elements: u64, size: usize, place: impl FnOnce() -> String) -> Result<(), ImportError> {
        let found = elements.saturating_mul(size as u64);
        let spent = self.spent.get().saturating_add(found);
        if spent > self.limit {
            let cure = "if the count is right, split the asset or store shared vertices once; else the file is damaged";
            return Err(ImportError::Limit { place: place(), found, limit: self.limit, cure });
        }
        self.spent.set(spent);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charges_above_the_limit_are_refused_without_overflow() {
        let mut budget = Budget::for_json(10);
        budget.add_data(5);
        budget.charge(BASE + 80 + 240, 1, String::new).unwrap();
        assert!(matches!(budget.charge(1, 1, String::new), Err(ImportError::Limit { found: 1, .. })));
        assert!(Budget::for_json(10).charge(u64::MAX, 12, String::new).is_err());
    }
}
