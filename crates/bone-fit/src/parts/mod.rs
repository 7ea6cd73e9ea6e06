//! The parts of the character: joints that get hitboxes, and joints that give their skin to them.

pub(crate) mod mirror;
pub(crate) mod moving_points;
pub(crate) mod gather;
