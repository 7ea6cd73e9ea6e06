//! Stage 1: the model's surface, bound to joints, in f64.

pub(crate) mod bound_mesh;
pub(crate) mod patch;
pub(crate) mod morph_shapes;
