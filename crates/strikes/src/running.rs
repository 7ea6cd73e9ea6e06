//! A swing that runs, and what it has struck.

use crate::swing::StrikeError;
use runtime::{BodyId, ClipIndex};
use std::fmt;

/// The largest speed of a swing.
pub(crate) const MAX_SPEED: f32 = 1000.0;

/// A number as its bits, so that equal states have equal bits and every serializer keeps them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(crate) struct Number(u64);

impl Number {
    pub(crate) fn new(number: f64) -> Self {
        Self(number.to_bits())
    }

    pub(crate) fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A group of attacks of a swing that has met a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Struck {
    pub(crate) target: BodyId,
    /// The first attack of the group, an index into `BakedCharacter::attacks`.
    pub(crate) group: u32,
    /// `true` if it was reported that the target was invulnerable.
    pub(crate) was_invulnerable: bool,
    pub(crate) has_struck: bool,
    /// The time since the start of the swing from which the group can strike the target again; `None` if it cannot.
    pub(crate) ready: Option<Number>,
}

/// A swing that runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Running {
    pub(crate) attacker: BodyId,
    pub(crate) instance: u32,
    pub(crate) clip: ClipIndex,
    pub(crate) loops: bool,
    pub(crate) speed: Number,
    /// The time of the clip.
    pub(crate) seconds: Number,
    /// The seconds since the swing began, without those in which it was frozen.
    pub(crate) elapsed: Number,
    /// Sorted by target and group.
    pub(crate) struck: Vec<Struck>,
}

impl Running {
    pub(crate) fn mark(&mut self, struck: Struck) {
        match self.struck.binary_search_by_key(&(struck.target, struck.group), |one| (one.target, one.group)) {
            Ok(place) => self.struck[place] = struck,
            Err(place) => self.struck.insert(place, struck),
        }
    }

    /// Returns an error if the time or the speed is out of range, as after a state that somebody made up.
    pub(crate) fn check(&self) -> Result<(), StrikeError> {
        let (attacker, seconds, speed) = (self.attacker, self.seconds.get(), self.speed.get());
        if !seconds.is_finite() {
            return Err(StrikeError::Time { attacker, seconds: seconds as f32 });
        }
        if !(0.0..=f64::from(MAX_SPEED)).contains(&speed) {
            return Err(StrikeError::Speed { attacker, speed: speed as f32 });
        }
        Ok(())
    }
}
