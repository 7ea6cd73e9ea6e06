//! Stage 3: the sample times of all clips, and the joint matrices at those times.

pub(crate) mod sample_times;
pub(crate) mod refine;
pub(crate) mod stray_bound;
pub(crate) mod sampled;
