//! The .bonebox file: bytes to a checked character and back.
#![forbid(unsafe_code)]

mod character;

pub use character::{BakeWarning, BakedBox, BakedCharacter, Coverage, Source, WorstEscape};
