//! The skin of a posed character, if the pose keeps one.

use crate::skin::SkinError;
use crate::skin::posed_skin::PosedSkin;
use crate::{Bounds, Character, PosedCharacter};
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

    /// Sets the weights of morph targets, from the next pose on: one for each entry of
    /// [`Character::morph_targets`], in the same order, where 1 is the whole target. Weights may be negative or above 1. They
    /// stay until they are set again, or until the skin is no longer tracked. Before the first call, all weights are 0.
    /// [`PosedCharacter::update_joints`] uses the new weights too.
    ///
    /// The weights change the skin, and so the answers of exact queries. They do not change hitboxes: a bake with the option
    /// `morphs` makes hitboxes that hold the shapes which this option names. Interpolated shading normals stay those of the base
    /// shape, turned by the joints. A pose of another character ignores the weights.
    ///
    /// A weight that takes the skin beyond [`geometry_core::MAX_COORDINATE`] makes the next pose fail.
    ///
    /// # Errors
    /// Returns an error if the character was baked without its skin, if the pose does not [track
    /// it](PosedCharacter::track_skin), or if the number of weights is wrong or a weight is not finite. Then the earlier weights
    /// stay.
    ///
    /// ```
    /// use geometry_core::Ray;
    /// use glam::{Affine3A, Vec3};
    /// use runtime::{Character, PosedCharacter};
    ///
    /// let tube = Character::load(&std::fs::read("tests/data/swelling_tube.bonebox")?)?;
    /// let swell = tube.morph_targets().iter().position(|target| target.name == "swell").unwrap();
    /// let mut weights = vec![0.0; tube.morph_targets().len()];
    /// weights[swell] = 0.5;
    /// let mut posed = PosedCharacter::new();
    /// posed.track_skin(true);
    /// posed.set_morph_weights(&tube, &weights)?;
    /// posed.pose_from_rest(&tube, &Affine3A::IDENTITY)?;
    /// let shot = Ray::try_new(Vec3::new(-10.0, 2.5, 0.0), Vec3::X)?;
    /// let hit = posed.exact_ray(&shot, None)?.unwrap();
    /// assert!((hit.point.x + 0.75).abs() < 1e-6, "{hit:?}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_morph_weights(&mut self, character: &Character, weights: &[f32]) -> Result<(), SkinError> {
        let name = || Arc::clone(&character.hitboxes.name);
        let table = character.hitboxes.skin.as_ref().ok_or_else(|| SkinError::NoSkin { character: name() })?;
        let skin = self.skin.as_mut().ok_or_else(|| SkinError::NotTracked { character: name() })?;
        let expected = table.morph_targets;
        if weights.len() != expected {
            return Err(SkinError::MorphCount { character: name(), expected, found: weights.len() });
        }
        if let Some(target) = weights.iter().position(|weight| !weight.is_finite()) {
            let of_target = character.morph_targets().get(target).map_or("", |target| target.name.as_str());
            return Err(SkinError::MorphNotFinite { character: name(), target, name: of_target.into() });
        }
        skin.set_next_weights(table, weights);
        Ok(())
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
