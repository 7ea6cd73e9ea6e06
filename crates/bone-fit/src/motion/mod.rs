//! Where the corners of a patch go in their joint's space while the character moves.

pub(crate) mod quantile;
pub(crate) mod support_points;
pub(crate) mod trajectories;
