//! The scenes of the golden tests: the same bodies, places and questions for the run time and for what wraps it.

pub mod layers;
pub mod scene;
pub mod tubes;
