//! The progress of one bake, and its cancellation.

use crate::error::BakeError;

/// A step of one bake, in the order in which the steps run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BakeStep {
    /// The surface is bound to joints, and each joint gets the vertices and the surface that it owns.
    Assign,
    /// Clips are sampled, if the hitboxes are fitted to clips.
    Sample,
    /// The groups of joints are split, if the options allow several hitboxes for one joint.
    Split,
    /// One hitbox is fitted to each piece.
    Fit,
    /// The share of the surface that the hitboxes hold is measured.
    Measure,
}

/// Receives the progress of one bake and may cancel the bake. The observer `()` does neither.
///
/// A bake runs on several threads and calls the observer from any of these threads.
pub trait BakeObserver: Sync {
    /// Called when a step begins.
    fn step_started(&self, _step: BakeStep) {}
    /// Returns `true` if the bake should end with [`BakeError::Canceled`]. A bake calls this method before each step,
    /// before each piece that it splits or fits, and before each pose that it measures.
    fn is_canceled(&self) -> bool {
        false
    }
}

impl BakeObserver for () {}

/// Begins a step, unless the bake is canceled.
pub(crate) fn start(observer: &dyn BakeObserver, step: BakeStep) -> Result<(), BakeError> {
    check(observer)?;
    observer.step_started(step);
    Ok(())
}

/// Returns [`BakeError::Canceled`] if the bake is canceled.
pub(crate) fn check(observer: &dyn BakeObserver) -> Result<(), BakeError> {
    if observer.is_canceled() { Err(BakeError::Canceled) } else { Ok(()) }
}
