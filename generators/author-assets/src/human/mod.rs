//! How a human stands and moves: body language in a few dozen numbers, turned into joint rotations.

mod clips;
mod puppet;
mod stance;

pub use clips::motions;
pub use puppet::Puppet;
pub use stance::{Arm, Leg, Stance};
