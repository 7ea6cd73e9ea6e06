//! The last stage: the share of the surface that the boxes hold, and how far the rest escapes.

pub(crate) mod coverage;
pub(crate) mod escapes;
pub(crate) mod posed_boxes;
pub(crate) mod surface_samples;
