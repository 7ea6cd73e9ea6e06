//! The stances and clips of humans: a few dozen numbers per stance, converted to joint rotations.

mod clips;
mod puppet;
mod stance;

pub use clips::motions;
pub use puppet::Puppet;
pub use stance::{Arm, Leg, Stance};
