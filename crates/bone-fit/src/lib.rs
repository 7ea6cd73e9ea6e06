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

mod bake;
mod between;
mod boxes;
mod bridge;
mod choice;
mod clips;
mod enclose;
mod escapes;
mod extent;
mod extremes;
pub mod fit;
mod gains;
mod group;
mod help;
mod histogram;
mod limits;
mod measure;
mod moments;
mod motion;
mod names;
mod options;
mod overrides;
mod patch;
mod report;
mod roles;
mod split;
mod surface;
mod words;

pub use bake::{Bake, BakeError, COORDINATE_LIMIT, MOST_MOMENTS, bake, bake_with};
pub use between::STRAY;
pub use clips::Instant;
pub use enclose::{TightBox, enclose, round_up, stored_orientation};
pub use escapes::{JointEscape, escapes_by_joint};
pub use gains::{PresetFigures, compare_presets};
pub use group::SHARE_TOLERANCE;
pub use help::{OptionHelp, OptionKind};
pub use limits::Limits;
pub use measure::{CELL, Escape, INSIDE, MOST_CELLS, Measured, measure_boxes};
pub use motion::COLLAPSED;
pub use names::{matches, matches_any, mirrored};
pub use options::{
    Attachments, BakeOptions, Bridge, Fit, Group, Measure, Objective, OptionError, Poses, Preset, Small, Symmetry,
};
pub use overrides::{HandBox, JointOverride, Overrides};
pub use report::{BoxReport, FitReport, Totals};
pub use roles::{Rig, guess_rig, guess_tag};
pub use words::nearest;
