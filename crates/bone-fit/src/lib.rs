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
mod bridge;
mod enclose;
pub mod fit;
mod group;
mod help;
mod options;
mod patch;
mod report;
mod surface;
mod words;

pub use bake::{Bake, BakeError, COORDINATE_LIMIT, bake};
pub use enclose::{TightBox, enclose, round_up, stored_orientation};
pub use group::SHARE_TOLERANCE;
pub use help::OptionHelp;
pub use options::{Attachments, BakeOptions, Bridge, Fit, Group, Objective, OptionError, Preset};
pub use report::{BoxReport, FitReport, Totals};
pub use words::nearest;
