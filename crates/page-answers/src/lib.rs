#![doc = include_str!("../README.md")]
//!
//! # Main functions and types
//!
//! - [`Answers`] answers the questions of the page about [`Characters`]. The caller implements this trait: the program
//!   `bonebox` with files. [`HeldCharacters`] are characters in memory, with which the page answers its own questions.
//! - [`Query`] is the query of an address, with the parts of a question.
//! - [`Bake`], [`Escape`], [`Model`], [`RayAnswer`] and [`Duel`] are the answers. A test writes
//!   `apps/viewer/src/data/types.ts` from these types.
//! - [`Edits`] are hitboxes that the page edits, and [`Measured`] has their figures.
//! - [`duel`] moves two characters tick by tick, and [`duel_strikes`] finds what their attacks hit.
//! - [`color`] has the color of each joint.
//!
//! The crate opens no file, starts no thread and knows no network.
#![forbid(unsafe_code)]

mod query;

pub mod color;
pub mod duel;
pub mod duel_strikes;

mod escape;
mod edits;
mod measured;
mod bake;
mod model;
mod ray;

mod memory;
mod characters;
mod held_characters;
mod answers;

#[cfg(test)]
mod tests;

pub use answers::{Answers, Duel, PosedBox};
pub use bake::{Bake, Kept, Shared};
pub use characters::{Characters, ListedCharacter, ListedOption, Listing};
pub use edits::Edits;
pub use escape::Escape;
pub use held_characters::{HeldBuffers, HeldCharacter, HeldCharacters};
pub use measured::{MeasureQuery, Measured};
pub use memory::Memory;
pub use model::Model;
pub use query::Query;
pub use ray::RayAnswer;
