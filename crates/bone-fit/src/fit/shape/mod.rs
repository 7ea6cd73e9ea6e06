//! Fits capsules, spheres and hulls in place of boxes, around the points that the box of a piece holds.

mod ball;
mod capsule;
mod fit_hull;
mod fit_round;
mod random;
mod stored;
mod stored_hull;

pub use ball::{Ball, smallest_ball};
pub use capsule::{Capsule, smallest_capsule};
pub(crate) use fit_round::Held;
pub(crate) use stored::{StoredRound, joined_round};
pub(crate) use stored_hull::StoredHull;
