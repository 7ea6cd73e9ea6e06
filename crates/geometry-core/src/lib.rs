//! Boxes and their tests in 2D and 3D: separating axes, sweeps, principal axes.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

mod error;
mod math;

pub mod portable;

pub mod aabb;
#[cfg(feature = "fit")]
pub mod fit;
pub mod obb;
pub mod packed_obb;
pub mod sat_obb_obb;

pub use aabb::Aabb;
pub use error::{AXES_TOLERANCE, MAX_COORDINATE, ShapeError};
pub use obb::{Obb, ObbError};
pub use packed_obb::PackedObb;
pub use sat_obb_obb::{SatAxis, SatCache, Separation};
