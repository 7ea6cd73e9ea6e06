//! Baked characters that code makes without a bake, for tests and benches of the run time and of the crates around it.
//!
//! - [`baked_arm`] has two boxes, and [`baked_tube`] gives it a skin.
//! - [`baked_figure`] has 24 boxes; [`with_hulls`] gives it other shapes, and [`baked_figure_for_any_pose`] adds
//!   envelopes. [`baked_skinned_figure`] has a skin of 3,456 triangles.
//! - [`golden_scenes`] has the scenes whose answers the golden tests sum.
//!
//! The crate does not import `runtime`, so that the unit tests of `runtime` can use it too.
//!
//! ```
//! let figure = baked_characters::baked_figure("figure");
//! assert_eq!(figure.boxes.len(), 24);
//! ```
#![forbid(unsafe_code)]

mod any_pose;
mod arm;
mod figure;
pub mod golden_scenes;
mod hulls;
mod skinned_figure;
mod tube;

pub use any_pose::baked_figure_for_any_pose;
pub use arm::baked_arm;
pub use figure::{baked_figure, unit};
pub use hulls::with_hulls;
pub use skinned_figure::baked_skinned_figure;
pub use tube::{baked_swelling_tube, baked_tube, with_morph_targets};
