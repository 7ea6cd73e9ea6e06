//! The last stage: the share of the surface that the boxes hold, and the escapes of the rest.

pub(crate) mod surface_samples;
pub(crate) mod hull_planes;
pub(crate) mod posed_boxes;
pub(crate) mod held_cells;
pub(crate) mod farthest;
pub(crate) mod blends;
pub(crate) mod escape_search;
pub(crate) mod coverage;
pub(crate) mod escapes;
#[cfg(test)]
pub(crate) mod test_boxes;
