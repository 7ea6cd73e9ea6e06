//! The values that each preset has, and what `auto` stands for.

use crate::options::choices::{Bridge, Fit, Group, Measure, Poses, Preset, Shape};
use crate::options::table::{BakeOption, BakeOptions};

impl Preset {
    /// Every preset, the default first.
    pub const ALL: [Self; 4] = [Self::Recipe, Self::Tight, Self::Cover, Self::Always];
}

impl BakeOptions {
    /// All options as a preset has them. [`Preset::Recipe`] is the default.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let default = Self { preset, ..Self::default() };
        match preset {
            Preset::Recipe => default,
            Preset::Tight => Self {
                bridge: Bridge::Surface,
                fit: Fit::MinVolume,
                poses: Poses::Clips,
                keep: 0.9,
                tie_tolerance: 0.004,
                budget: 2.0,
                ..default
            },
            Preset::Cover => Self {
                bridge: Bridge::Surface,
                fit: Fit::MinVolume,
                poses: Poses::Clips,
                keep: 1.0,
                tie_tolerance: 0.004,
                ..default
            },
            Preset::Always => Self {
                bridge: Bridge::Surface,
                fit: Fit::MinVolume,
                poses: Poses::Any,
                tie_tolerance: 0.004,
                ..default
            },
        }
    }

    /// Another preset with these options: only the options in which presets differ have the values of the preset.
    ///
    /// For `measure = none` the clips are measured. With [`Poses::Any`] the shape is a box, because no other is possible.
    pub(crate) fn with_preset(&self, preset: Preset) -> Self {
        let mut options = Self { preset, ..self.clone() };
        let of_preset = Self::preset(preset);
        for row in BakeOption::ALL.iter().filter(|row| row.key != "preset") {
            let values = Preset::ALL.map(|preset| Self::preset(preset).get(row.key));
            if values.iter().any(|value| *value != values[0]) {
                row.copy(&of_preset, &mut options);
            }
        }
        if options.measure == Measure::None {
            options.measure = Measure::Clips;
        }
        if options.poses == Poses::Any {
            options.shape = Shape::Box;
        }
        options
    }

    /// [`BakeOptions::min_weight`] as a number, 0 to 1: the least share of a vertex's weights that a joint needs with
    /// [`Group::Threshold`] and [`Group::Any`].
    pub(crate) fn least_weight(&self) -> f64 {
        let auto = if self.group == Group::Threshold { 0.5 } else { 0.0 };
        self.min_weight.unwrap_or(auto)
    }

    /// [`BakeOptions::max_boxes`] as a number.
    pub(crate) fn most_boxes(&self) -> usize {
        self.max_boxes.unwrap_or(usize::MAX)
    }
}
