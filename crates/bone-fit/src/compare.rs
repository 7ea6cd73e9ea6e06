//! What other presets would give.

use crate::bake::bake_with;
use crate::error::BakeError;
use crate::measure::coverage::Coverage;
use crate::options::{BakeOptions, Measure, Overrides, Preset};
use baked_format::Source;
use skinned_model::SkinnedModel;

/// Moments that a comparison looks at.
const MOMENTS: usize = 60;

/// A preset's figures on a character.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetFigures {
    /// Which.
    pub preset: Preset,
    /// How many boxes it makes.
    pub boxes: usize,
    /// Of all boxes, in model units at rest.
    pub volume: f64,
    /// What they hold, looked at in a few dozen moments.
    pub measured: Option<Coverage>,
}

/// Bakes with every preset, attachments and overrides as given, and says what each would give.
///
/// # Errors
/// As [`bake_with`].
pub fn compare_presets(
    model: &SkinnedModel,
    options: &BakeOptions,
    overrides: &Overrides,
) -> Result<Vec<PresetFigures>, BakeError> {
    let figures = |preset| {
        let of_preset = BakeOptions {
            attachments: options.attachments,
            measure: Measure::Clips,
            measure_moments: MOMENTS,
            ..BakeOptions::preset(preset)
        };
        let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let report = bake_with(model, "", source, &of_preset, overrides)?.report;
        Ok(PresetFigures { preset, boxes: report.boxes.len(), volume: report.total.volume, measured: report.measured })
    };
    [Preset::Recipe, Preset::Tight, Preset::Cover].into_iter().map(figures).collect()
}
