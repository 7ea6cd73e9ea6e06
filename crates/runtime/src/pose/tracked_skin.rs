//! The skin of a posed character, if the pose keeps one.

use crate::skin::SkinError;
use crate::skin::posed_skin::PosedSkin;
use crate::{Bounds, PosedCharacter};
use std::sync::Arc;

impl PosedCharacter {
    /// Starts or stops keeping the data that exact queries need, from the next pose on. If the character was baked
    /// without its skin, nothing is kept and exact queries return an error.
    ///
    /// While the skin is tracked, each pose also computes one matrix product for each binding of the skin, and the
    /// bounds of each piece. Vertices are skinned only when a query needs them. A clone tracks the skin too, but it has
    /// no skinned vertices at first.
    pub fn track_skin(&mut self, is_tracked: bool) {
        if !is_tracked {
            self.skin = None;
        } else if self.skin.is_none() {
            self.skin = Some(Box::new(PosedSkin::with_kernel(self.kernel)));
        }
    }

    /// Returns `true` if the skin is tracked, see [`PosedCharacter::track_skin`].
    #[must_use]
    pub fn tracks_skin(&self) -> bool {
        self.skin.is_some()
    }

    /// The posed skin, or the reason why there is none.
    pub(crate) fn skin(&self) -> Result<&PosedSkin, SkinError> {
        let hitboxes = self.hitboxes.as_ref().ok_or(SkinError::NoPose)?;
        let character = || Arc::clone(&hitboxes.name);
        if hitboxes.skin.is_none() {
            return Err(SkinError::NoSkin { character: character() });
        }
        let posed = self.skin.as_deref().filter(|skin| skin.table().is_some());
        posed.ok_or_else(|| SkinError::NotTracked { character: character() })
    }

    /// [`PosedCharacter::skin`], to be skinned.
    pub(crate) fn skin_mut(&mut self) -> Result<&mut PosedSkin, SkinError> {
        self.skin()?;
        Ok(self.skin.get_or_insert_default())
    }

    /// The bounds of all hitboxes, and of the skin if it is posed.
    pub(crate) fn outer_bounds(&self) -> Bounds {
        match &self.skin {
            Some(skin) => self.bounds.union(&skin.bounds()),
            None => self.bounds,
        }
    }
}
