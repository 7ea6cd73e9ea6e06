//! The number that a hitbox is named by.

use std::fmt;

/// A hitbox's place among the character's, from 0 to [`crate::Character::box_count`]; also its place in
/// [`crate::PosedCharacter::boxes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct BoxIndex(pub u16);

impl BoxIndex {
    /// As a slice index.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for BoxIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
