//! The figures of a character that the page of a library and a summary show.

use crate::commands::diff::change::rounded;
use crate::commands::table;
use bone_fit::Figures;
use serde::Serialize;

/// A column of figures.
#[derive(Clone, Copy, Serialize)]
pub(super) struct Column {
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    /// The meaning, for people.
    pub(super) title: &'static str,
}

/// A figure of a character.
pub(super) struct Figure {
    /// The number to sort by; `None` if it was not measured.
    pub(super) value: Option<f64>,
    /// The number with its unit, as `bonebox inspect` and the tables of `bonebox bake` print it.
    pub(super) text: String,
}

const fn column(key: &'static str, label: &'static str, title: &'static str) -> Column {
    Column { key, label, title }
}

/// The columns of [`figures`].
pub(super) const COLUMNS: [Column; 8] = [
    column("boxes", "hitboxes", "The number of hitboxes"),
    column("rest", "at rest", "The share of the skin inside the hitboxes in the rest pose"),
    column("moving", "moving", "The share of the skin inside the hitboxes, the average over the clips"),
    column(
        "escape",
        "escape",
        "The largest distance from the skin to the nearest hitbox at any sample time, in percent of the height",
    ),
    column("volume", "volume", "The volume of all hitboxes at rest, in cubic meters"),
    column("bytes", "size", "The size of the baked file"),
    column("clips", "clips", "The number of clips"),
    column("warnings", "warnings", "The number of warnings"),
];

/// The figures of a character, whose baked file has so many bytes.
pub(super) fn figures(figures: &Figures, bytes: u64) -> [Figure; COLUMNS.len()] {
    let count = |number: usize| Figure { value: Some(number as f64), text: number.to_string() };
    let share = |value: Option<f64>| Figure { value, text: table::share(value) };
    [
        count(figures.boxes),
        share(figures.coverage_rest),
        share(figures.coverage_clips),
        Figure { value: figures.largest_escape, text: table::escape(figures) },
        Figure { value: Some(figures.volume), text: format!("{} m³", rounded(figures.volume, 3)) },
        Figure { value: Some(bytes as f64), text: size(bytes) },
        count(figures.clips),
        count(figures.warnings),
    ]
}

/// A number of bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
