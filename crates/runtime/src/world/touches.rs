//! Touches between bodies, and their changes from update to update.

use super::Touch;

/// The change of a touch since the update before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TouchPhase {
    /// The touch did not exist at the update before.
    Started,
    /// The touch existed at the update before.
    Persisted,
    /// The touch no longer exists.
    Ended,
}

/// A touch and its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TouchEvent {
    /// The hitboxes that touch, or that touched at the update before.
    pub touch: Touch,
    /// The change since the update before.
    pub phase: TouchPhase,
}

/// Adds touches that ended because their bodies were removed, before touches that started under the same ids; empties
/// `ended`.
pub(super) fn add_ended(ended: &mut Vec<Touch>, events: &mut Vec<TouchEvent>) {
    if ended.is_empty() {
        return;
    }
    events.extend(ended.drain(..).map(|touch| TouchEvent { touch, phase: TouchPhase::Ended }));
    events.sort_unstable_by_key(|event| (event.touch, event.phase != TouchPhase::Ended));
}
