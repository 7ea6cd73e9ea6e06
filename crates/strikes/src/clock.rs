//! The times of a clip that pass within a tick.

use baked_format::Window;
use runtime::{Character, ClipIndex};

/// The most loops of a clip that count within one tick.
const MAX_LOOPS: u8 = 64;

/// The times of a clip that pass within a tick, at constant speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clock {
    pub(crate) clip: ClipIndex,
    /// The time at the start of the tick, in seconds on the clip's own clock.
    pub(crate) from: f64,
    /// The time at the end of the tick, as if the clip went on past its ends.
    pub(crate) to: f64,
    /// The start and the length of the clip, if it begins again; otherwise `None`.
    cycle: Option<(f64, f64)>,
}

impl Clock {
    /// `None` if the character does not have the clip.
    pub(crate) fn new(character: &Character, clip: ClipIndex, [from, to]: [f64; 2], loops: bool) -> Option<Self> {
        let found = character.clips().get(clip.index())?;
        let (start, length) = (f64::from(found.start()), f64::from(found.seconds()));
        Some(Self { clip, from, to, cycle: (loops && length > 0.0).then_some((start, length)) })
    }

    /// The clock of a clip whose time is known at both ends of a tick. A jump of more than half the clip is a loop.
    pub(crate) fn between(character: &Character, clip: ClipIndex, from: f32, to: f32) -> Option<Self> {
        let length = f64::from(character.clips().get(clip.index())?.seconds());
        let (from, mut to) = (f64::from(from), f64::from(to));
        let jump = to - from;
        if jump.abs() > 0.5 * length {
            to -= jump.signum() * length;
        }
        Self::new(character, clip, [from, to], true)
    }

    /// The time at a share of the tick, within the clip.
    pub(crate) fn seconds_at(&self, share: f32) -> f32 {
        self.wrapped(self.from + (self.to - self.from) * f64::from(share)) as f32
    }

    /// The time at the end of the tick, within the clip.
    pub(crate) fn last(&self) -> f64 {
        self.wrapped(self.to)
    }

    fn wrapped(&self, time: f64) -> f64 {
        match self.cycle {
            Some((start, length)) => start + (time - start).rem_euclid(length),
            None => time,
        }
    }

    /// Calls `found` with the parts of the tick in which a window is open: shares from 0 to 1, in the order of the clip's
    /// times. The ends of the clip are one moment of a clip that begins again.
    pub(crate) fn spans(&self, window: &Window, mut found: impl FnMut(f32, f32)) {
        let (low, high) = (self.from.min(self.to), self.from.max(self.to));
        let (open, close) = (f64::from(window.from), f64::from(window.to));
        let mut add = |offset: f64| {
            let (first, last) = ((open + offset).max(low), (close + offset).min(high));
            if first > last {
                return;
            }
            if self.from == self.to {
                return found(0.0, 1.0);
            }
            let share = |time: f64| (((time - self.from) / (self.to - self.from)) as f32).clamp(0.0, 1.0);
            let (one, other) = (share(first), share(last));
            found(one.min(other), one.max(other));
        };
        let Some((_, length)) = self.cycle else { return add(0.0) };
        let first = ((low - close) / length).ceil();
        let last = ((high - open) / length).floor();
        (0..MAX_LOOPS)
            .map(|turn| first + f64::from(turn))
            .take_while(|turn| *turn <= last)
            .for_each(|turn| add(turn * length));
    }
}
