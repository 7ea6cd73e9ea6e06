//! What an attacker saw, for strikes on the past.

use crate::swing::StrikeError;
use rewind::Moment;
use runtime::BodyId;

/// The moments at which a client drew the targets of one attacker, while its swing went from the first tick to the last tick of
/// [`Strikes::advance_seen`](crate::Strikes::advance_seen).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen<'s> {
    /// The attacker. Its own hitboxes and weapons are those of the ticks.
    pub attacker: BodyId,
    /// The moment of all other bodies at the first tick.
    pub from: Moment,
    /// The moment of all other bodies at the last tick. In between, the moment runs at constant speed.
    pub to: Moment,
    /// Bodies with moments of their own at the first and at the last tick, as in
    /// [`History::at_each`](rewind::History::at_each). Each of them is posed for each such attacker that strikes, wherever it is.
    pub own: &'s [(BodyId, [Moment; 2])],
}

/// A moment this near to a tick is at the tick, in ticks for each tick that passes.
const TICK_ROUNDING: f64 = 1e-6;

impl Seen<'_> {
    pub(crate) fn check(&self) -> Result<(), StrikeError> {
        let moments = || [self.from, self.to].into_iter().chain(self.own.iter().flat_map(|(_, moments)| *moments));
        if moments().any(|moment| moment.fraction.is_nan()) {
            return Err(StrikeError::Moment { attacker: self.attacker });
        }
        Ok(())
    }

    /// The moment at a share of the way, in ticks.
    pub(crate) fn ticks_at(&self, moments: [Moment; 2], share: f64) -> f64 {
        let [from, to] = moments.map(|moment| moment.tick as f64 + f64::from(moment.fraction.clamp(0.0, 1.0)));
        let ticks = if share >= 1.0 { to } else { from + (to - from) * share };
        // Shares are rounded. Just before a tick, a body that is teleported would be at its old place.
        let is_at_tick = (ticks - ticks.round()).abs() < TICK_ROUNDING * (1.0 + (to - from).abs());
        if is_at_tick { ticks.round() } else { ticks }
    }
}
