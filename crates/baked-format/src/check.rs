//! Checks of single values, with their place in the error.

use crate::character::BakedCharacter;
use crate::error::{CharacterError, LimitExceeded};
use crate::limits::MAX_STRING_BYTES;
use std::fmt::Display;

pub(crate) type Check = Result<(), CharacterError>;

pub(crate) fn at_most(found: usize, limit: usize, what: &'static str, place: impl Fn() -> String) -> Check {
    if found <= limit {
        return Ok(());
    }
    Err(LimitExceeded { place: place(), what, limit: limit as u64, found: found as u64 }.into())
}

pub(crate) fn text(text: &str, place: impl Fn() -> String) -> Check {
    at_most(text.len(), MAX_STRING_BYTES, "bytes of text", place)
}

pub(crate) fn joint_index(index: usize, character: &BakedCharacter, place: impl Fn() -> String) -> Check {
    let count = character.skeleton.len();
    if index < count {
        return Ok(());
    }
    Err(CharacterError::Index { place: place(), index: index as u64, what: "joints", count })
}

/// NaN is in no range.
#[inline]
pub(crate) fn within(number: f32, from: f32, to: f32, expected: &'static str, place: impl Fn() -> String) -> Check {
    if from <= number && number <= to { Ok(()) } else { Err(value(place(), number, expected)) }
}

pub(crate) fn value(place: String, found: impl Display, expected: &'static str) -> CharacterError {
    CharacterError::Value { place, found: found.to_string(), expected }
}
