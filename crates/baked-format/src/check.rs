//! Checks of single values, with their place in the error.

use crate::character::BakedCharacter;
use crate::error::{CharacterError, LimitExceeded};
use crate::limits::{MAX_STRING_BYTES, UNIT_TOLERANCE};
use glam::Quat;
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

pub(crate) fn named(name: &str, place: impl Fn() -> String) -> Check {
    if name.is_empty() {
        return Err(value(place(), "empty", "a name"));
    }
    text(name, place)
}

/// Checks that each value is greater than the one before.
pub(crate) fn sorted<T: Ord + Display>(list: &[T], rule: &'static str, place: impl Fn() -> String) -> Check {
    match list.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(pair) => Err(CharacterError::Order { place: place(), found: pair[1].to_string(), rule }),
    }
}

/// Quotes a text and shortens it to fit on a line.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return format!("{text:?}");
    }
    let start: String = text.chars().take(MOST).collect();
    format!("{start:?}… ({} bytes)", text.len())
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

#[inline]
pub(crate) fn unit(rotation: Quat, place: impl Fn() -> String) -> Check {
    let [x, y, z, w] = rotation.to_array();
    let squared = x * x + y * y + z * z + w * w;
    if (squared - 1.0).abs() <= UNIT_TOLERANCE {
        return Ok(());
    }
    let found = format!("({x}, {y}, {z}, {w}), whose squared length is {squared}");
    Err(value(place(), found, "a quaternion of squared length 1 within 0.00001; normalize it"))
}
