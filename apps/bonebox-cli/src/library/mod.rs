//! Many characters at once: their figures, broken limits, and changes since an earlier commit.
//!
//! - [`survey`] bakes the characters in memory and compares them with a [`git`] commit.
//! - [`index`] writes the page of a library, [`markdown`] a summary for a pull request, and [`json`] the same for programs.
//!   [`pictures`] draws the page and the summary.
//! - [`findings`] collects broken limits, failures and warnings of a bake, and [`sarif`] and [`junit`] write them for build systems.

mod figures;
pub(crate) mod findings;
pub(crate) mod git;
pub(crate) mod index;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod markdown;
mod pictures;
pub(crate) mod sarif;
pub(crate) mod survey;
