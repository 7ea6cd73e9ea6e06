//! Parts of a tick.

/// A part of a tick in which the same attacks of a swing are active.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) from: f32,
    pub(crate) to: f32,
}

impl Part {
    /// The moment at which the windows of attacks and states are read: no window begins or ends within a part.
    pub(crate) fn middle(&self) -> f32 {
        0.5 * (self.from + self.to)
    }
}
