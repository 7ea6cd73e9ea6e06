//! Stage 6, with `poses = any`: bounds of the surface of each box in any pose. `docs/any-pose.md` has the proof.

pub(crate) mod moved_corners;
pub(crate) mod planning_poses;
pub(crate) mod clusters;
pub(crate) mod neighbors;
pub(crate) mod plan;
pub(crate) mod joins;
pub(crate) mod envelopes;
pub(crate) mod posed;
