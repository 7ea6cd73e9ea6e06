//! The paths of a patch's corners in their joint's space while the character moves.

pub(crate) mod quantile;
pub(crate) mod support_points;
pub(crate) mod trajectories;
