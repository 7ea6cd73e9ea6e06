//! The figures of every preset on one character.

use crate::bake::bake_with;
use crate::error::BakeError;
use crate::figures::Figures;
use crate::measure::blends::{BlendCoverage, measure_halfway_blends};
use crate::options::{BakeOptions, Overrides, Poses, Preset};
use baked_format::{BakedCharacter, Source};
use skinned_model::SkinnedModel;

/// The figures of one preset on a character, or of the bake that the presets are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetFigures {
    /// The preset; `None` for a bake whose options are not exactly those of a preset.
    pub preset: Option<Preset>,
    /// The figures of the bake: volume, coverage, escape and others.
    pub figures: Figures,
    /// The coverage and the escape half-way between two sample times of the clips; `None` if the model has no clip.
    pub between: Option<BlendCoverage>,
}

/// Returns the figures of every preset on one character.
///
/// - `options` are the options of the character's own bake. Every preset keeps all of them in which presets do not differ,
///   such as `parts`, `merge` and `shape`. For `measure = none` the clips are measured, and boxes for any pose have no other
///   shape.
/// - `overrides` apply to every preset. A preset with `poses = any` ignores the shapes that they set for single joints,
///   because it allows only boxes.
/// - `own` is the bake that was made with `options`. If `options` are exactly a preset, the figures of `own` are those
///   of the preset, which is not baked again. Otherwise the figures of `own` come first in the list.
///
/// # Errors
/// Returns the errors of [`bake_with`].
pub fn compare_presets(
    model: &SkinnedModel,
    options: &BakeOptions,
    overrides: &Overrides,
    own: &BakedCharacter,
) -> Result<Vec<PresetFigures>, BakeError> {
    let figures_of = |preset: Option<Preset>, character: &BakedCharacter, options: &BakeOptions| PresetFigures {
        preset,
        figures: Figures::of_bake(character),
        between: measure_halfway_blends(model, character, options),
    };
    let as_given = |preset: Preset| options.with_preset(preset);
    let own_preset = Preset::ALL.into_iter().find(|&preset| as_given(preset) == *options);
    let own = figures_of(own_preset, own, options);
    let of_preset = |preset: Preset| {
        if own_preset == Some(preset) {
            return Ok(own.clone());
        }
        let options = as_given(preset);
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let overrides = if options.poses == Poses::Any { &without_shapes(overrides) } else { overrides };
        let bake = bake_with(model, "", source, &options, overrides)?;
        Ok(figures_of(Some(preset), &bake.character, &options))
    };
    let presets = Preset::ALL.into_iter().map(of_preset);
    let first = own_preset.is_none().then(|| Ok(own.clone()));
    first.into_iter().chain(presets).collect()
}

/// Returns the overrides without the shapes of joints, which `poses = any` excludes.
fn without_shapes(overrides: &Overrides) -> Overrides {
    let mut overrides = overrides.clone();
    for joint in overrides.joints.values_mut() {
        joint.options.remove("shape");
    }
    overrides
}
