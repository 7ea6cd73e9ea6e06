//! What other presets would give on the same character.

use crate::bake::bake_with;
use crate::error::BakeError;
use crate::figures::Figures;
use crate::options::{BakeOptions, Measure, Overrides, Preset};
use baked_format::Source;
use skinned_model::SkinnedModel;

/// The figures of one preset on a character.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetFigures {
    /// The preset.
    pub preset: Preset,
    /// Whether the bake at hand was made with exactly this preset, so that its figures are these.
    pub is_own: bool,
    /// The figures.
    pub figures: Figures,
}

/// Returns the figures of every preset: attachments, overrides and what is measured stay as given. `own` are the figures of
/// the bake that was made with `options`; they are not computed again where `options` are exactly a preset's.
///
/// # Errors
/// As [`bake_with`].
pub fn compare_presets(
    model: &SkinnedModel,
    options: &BakeOptions,
    overrides: &Overrides,
    own: &Figures,
) -> Result<Vec<PresetFigures>, BakeError> {
    let figures_of = |preset| {
        let of_preset = BakeOptions {
            attachments: options.attachments,
            measure: if options.measure == Measure::None { Measure::Clips } else { options.measure },
            measure_times: options.measure_times,
            rate: options.rate,
            ..BakeOptions::preset(preset)
        };
        if of_preset == *options {
            return Ok(PresetFigures { preset, is_own: true, figures: own.clone() });
        }
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let bake = bake_with(model, "", source, &of_preset, overrides)?;
        Ok(PresetFigures { preset, is_own: false, figures: Figures::of_bake(&bake.character) })
    };
    [Preset::Recipe, Preset::Tight, Preset::Cover].into_iter().map(figures_of).collect()
}
