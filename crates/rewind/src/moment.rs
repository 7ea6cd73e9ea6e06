//! Moments in the past.

/// A moment between two recorded ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moment {
    /// The tick before the moment, or at the moment.
    pub tick: u64,
    /// The share of the way from this tick to the next number, from 0 to 1; a number outside this range is clamped.
    pub fraction: f32,
}

impl Moment {
    /// The moment of a tick.
    #[must_use]
    pub fn of_tick(tick: u64) -> Self {
        Self { tick, fraction: 0.0 }
    }

    /// The moment `ticks` after tick 0. `None` if the number is NaN or negative.
    ///
    /// ```
    /// use rewind::Moment;
    ///
    /// assert_eq!(Moment::at(61.25), Some(Moment { tick: 61, fraction: 0.25 }));
    /// assert_eq!(Moment::at(f64::NAN), None);
    /// ```
    #[must_use]
    pub fn at(ticks: f64) -> Option<Self> {
        (ticks >= 0.0).then(|| Self { tick: ticks as u64, fraction: (ticks - ticks.floor()) as f32 })
    }
}

/// The relation of a body's hitboxes in a view to what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MomentKind {
    /// The hitboxes are those of a recorded tick.
    Exact,
    /// The hitboxes lie between two recorded ticks.
    Interpolated,
    /// The moment is older than the oldest tick, which the view shows.
    ClampedToOldest,
    /// The moment is newer than the newest tick, which the view shows.
    ClampedToNewest,
    /// The moment is longer ago than [`Rules::max_back`](crate::Rules::max_back), which the view shows.
    ClampedToMaxBack,
    /// The body was teleported between the two ticks, or it became another character. The view shows the tick before.
    Cut,
}

/// A moment that the history and the rules allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shown {
    /// The last recorded tick that is not after the moment, as a place in the ring.
    pub(crate) place: usize,
    /// The share of the way to the next recorded tick; 0 at a tick.
    pub(crate) share: f32,
    pub(crate) moment: Moment,
    pub(crate) clamped: Option<MomentKind>,
}

/// The reason why there is no view of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MomentError {
    /// Nothing was recorded yet. Call [`History::record`](crate::History::record) in each tick.
    #[error("the history is empty; record each tick before you look at the past")]
    Empty,
    /// The fraction of the moment is NaN. A client may send any number: answer that nothing was hit.
    #[error("the fraction of the moment is not a number; refuse the shot")]
    NotANumber,
}
