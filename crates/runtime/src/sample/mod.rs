//! Clips: the matrices of the joints at a time, layers of clips, and bounds over a span of time.

mod bounds_over;
pub(crate) mod pose_layer;
pub(crate) mod sampler;
