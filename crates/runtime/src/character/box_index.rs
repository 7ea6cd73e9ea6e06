//! The index of a hitbox.

use std::fmt;

/// The index of a hitbox among the character's hitboxes, from 0 to [`crate::Character::box_count`] (exclusive); also an
/// index into [`crate::PosedCharacter::boxes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct BoxIndex(pub u16);

impl BoxIndex {
    /// The index as a `usize`.
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
