//! How much memory a file may ask for.
//!
//! glTF objects share data: a thousand primitives of 60 bytes may each name the same accessor of a megabyte, and an
//! accessor without data stands for any number of zeros. Everything that is decoded is therefore charged here first.

use crate::error::ImportError;
use std::cell::Cell;

/// Free for every file.
const BASE: u64 = 48 << 20;
/// Free for each byte of geometry: a compressed vertex of eight bytes takes some 400, all steps counted.
const PER_DATA_BYTE: u64 = 48;
/// Free for each byte of JSON, whose parsing alone may take 40.
const PER_JSON_BYTE: u64 = 8;

/// What is left of the bytes an import may decode.
pub(crate) struct Budget {
    limit: u64,
    spent: Cell<u64>,
}

impl Budget {
    /// For a file with so much JSON.
    pub(crate) fn for_json(bytes: usize) -> Self {
        Self { limit: BASE.saturating_add((bytes as u64).saturating_mul(PER_JSON_BYTE)), spent: Cell::new(0) }
    }

    /// So much geometry has come in.
    pub(crate) fn add_data(&mut self, bytes: usize) {
        self.limit = self.limit.saturating_add((bytes as u64).saturating_mul(PER_DATA_BYTE));
    }

    /// Takes `elements` of `size` bytes for `place`.
    pub(crate) fn charge(&self, elements: u64, size: usize, place: impl FnOnce() -> String) -> Result<(), ImportError> {
        let found = elements.saturating_mul(size as u64);
        let spent = self.spent.get().saturating_add(found);
        if spent > self.limit {
            let cure = "If the count is right, split the asset or store shared vertices once; else the file is damaged";
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
    fn refuses_at_the_limit_and_never_wraps() {
        let mut budget = Budget::for_json(10);
        budget.add_data(5);
        budget.charge(BASE + 80 + 240, 1, String::new).unwrap();
        assert!(matches!(budget.charge(1, 1, String::new), Err(ImportError::Limit { found: 1, .. })));
        assert!(Budget::for_json(10).charge(u64::MAX, 12, String::new).is_err());
    }
}
