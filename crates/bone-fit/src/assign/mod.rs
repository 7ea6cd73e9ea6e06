//! Stage 2: the joint that owns each vertex and each fragment of the surface, and the joints that get a box.

pub(crate) mod owner;
pub(crate) mod ignored;
pub(crate) mod groups;
pub(crate) mod surface;
pub(crate) mod polygon_clip;
pub(crate) mod select;
