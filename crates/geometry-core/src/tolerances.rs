//! By how much the tests of this crate lean to contact, and where they stop. Each constant is derived where it is used.

pub use crate::error::AXES_TOLERANCE;
pub use crate::moving_obb::{LEAST_CONTACT_TOLERANCE, MAX_STEPS};
pub use crate::obb::{ORTHONORMAL_TOLERANCE, POINT_TOLERANCE};
pub use crate::ray_obb::GRAZING;
pub use crate::sat_obb_obb::{EXACT_TOLERANCE, SEPARATION_TOLERANCE};
pub use crate::transform_obb::SHEAR_TOLERANCE;
pub use crate::triangle::{TOUCHING_POINT_ERROR, TRIANGLE_TOLERANCE};
