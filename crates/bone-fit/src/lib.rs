//! Vertices of a skinned model to one tight box a joint, with a report.
//!
//! **In:** a [`SkinnedModel`](skinned_model::SkinnedModel) and [`BakeOptions`]. **Out:** a [`Bake`]: the
//! [`BakedCharacter`](baked_format::BakedCharacter) that goes into a file, and a [`FitReport`] with what was measured.
//!
//! ```text
//! vertices --group--> points of each joint, in its space --hull--> ConvexHull --fit--> axes --enclose--> box in f32
//! ```
//!
//! - [`BakeOptions`]: typed fields, and the same as words ([`BakeOptions::set`]) for files and command lines.
//! - [`bake`]: all of it; joints in parallel, the same bytes for any number of threads.
//! - [`enclose`](enclose()): the promise of a bake. In joint space a box holds every point assigned to it, to the last
//!   f32 bit: extents are measured along the axes that the stored f32 orientation decodes to, and rounded outward.
//! - [`bake_with`]: with [`Overrides`] of single joints: options, tags, boxes made by hand. [`Limits`] fail a bad bake.
//! - [`compare_presets`]: what other presets would give on this character.
//! - [`escapes_by_joint`]: which joints' surface leaves the boxes, where and when.
//! - [`fit::orientation`]: the ways to turn a box.
//!
//! Fitting is done in f64, without fused multiply-add or platform trigonometry, in fixed orders.
//!
//! ```
//! use bone_fit::BakeOptions;
//!
//! let mut options = BakeOptions::default();
//! options.set("fit", "vertex-pca")?;
//! let error = options.set("fit", "vertx-pca").unwrap_err();
//! assert!(error.to_string().ends_with(r#"did you mean "vertex-pca"?"#));
//! # Ok::<(), bone_fit::OptionError>(())
//! ```
#![forbid(unsafe_code)]

mod assign;
mod bake;
mod bounds;
mod compare;
mod error;
pub mod fit;
mod help;
mod limits;
mod measure;
mod motion;
mod names;
mod options;
mod overrides;
mod poses;
mod report;
mod roles;
mod skin;
mod warnings;
mod words;

pub use assign::owner::SHARE_TOLERANCE;
pub use bake::{Bake, bake, bake_with};
pub use compare::{PresetFigures, compare_presets};
pub use error::BakeError;
pub use fit::enclose::{COORDINATE_LIMIT, TightBox, enclose, round_up, stored_orientation};
pub use help::{OptionHelp, OptionKind};
pub use limits::Limits;
pub use measure::coverage::{CELL, Escape, INSIDE, MOST_CELLS, Measured, measure_boxes};
pub use measure::escapes::{JointEscape, escapes_by_joint};
pub use motion::trajectories::COLLAPSED;
pub use names::{matches, matches_any, mirrored};
pub use options::{
    Attachments, BakeOptions, Bridge, Fit, Group, Measure, Objective, OptionError, Poses, Preset, Small, Symmetry,
};
pub use overrides::{HandBox, JointOverride, Overrides};
pub use poses::refine::STRAY;
pub use poses::sample_times::{MOST_SAMPLE_TIMES, SampleTime};
pub use report::{BoxReport, FitReport, Totals};
pub use roles::{Rig, guess_rig, guess_tag};
pub use words::nearest;
