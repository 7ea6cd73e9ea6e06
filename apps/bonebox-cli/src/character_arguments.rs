//! Characters and places that the arguments of a command give.

use crate::wrong_argument::ensure_argument;
use asset_bake::{RequestedSettings, load_or_bake};
use glam::Affine3A;
use page_answers::duel::opposite;
use runtime::Character;
use std::path::Path;

/// Loads a baked file, or bakes an asset in memory.
pub(crate) fn load_character(path: &Path, requested: &RequestedSettings) -> anyhow::Result<Character> {
    Ok(Character::from_baked(load_or_bake(path, requested)?))
}

/// The place of the second fighter by the arguments `--distance` and `--turn`, as [`opposite`] computes it.
pub(crate) fn opposite_by_arguments(distance: f32, turn: f32) -> anyhow::Result<Affine3A> {
    ensure_argument(distance.is_finite() && turn.is_finite(), || {
        format!("--distance is {distance} and --turn is {turn}, but both must be finite numbers")
    })?;
    Ok(opposite(distance, turn))
}
