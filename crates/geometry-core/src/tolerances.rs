//! The tolerances of this crate's tests and the limits of its searches. The documentation of each constant derives its
//! value.

pub use crate::convex::HULL_TOLERANCE;
pub use crate::dcapsule::ROUND_TOLERANCE;
pub use crate::error::AXES_TOLERANCE;
pub use crate::moving_obb::{LEAST_CONTACT_TOLERANCE, MAX_STEPS};
pub use crate::obb::{ORTHONORMAL_TOLERANCE, POINT_TOLERANCE};
pub use crate::ray_obb::GRAZING;
pub use crate::sat_obb_obb::{EXACT_TOLERANCE, SEPARATION_TOLERANCE};
pub use crate::transform_obb::SHEAR_TOLERANCE;
pub use crate::triangle::{TOUCHING_POINT_ERROR, TRIANGLE_TOLERANCE};
