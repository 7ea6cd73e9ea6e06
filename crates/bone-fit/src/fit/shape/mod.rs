//! Fits capsules and spheres in place of boxes: the smallest around the points that the box of a piece holds.

mod ball;
mod capsule;
mod fit_round;
mod random;
mod stored;

pub use ball::{Ball, smallest_ball};
pub use capsule::{Segment, smallest_capsule};
pub(crate) use fit_round::Held;
pub(crate) use stored::StoredRound;
