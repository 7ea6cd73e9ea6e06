//! BVH: a hierarchy of joints and a table of numbers, as text.
//!
//! The grammar is Biovision's, as described by Meredith and Maddock, *Motion Capture File Formats Explained* (2001).
//! Offsets and positions are in any unit, and angles in degrees. Rotations are multiplied in the order of their
//! channels. A joint's position channels replace its offset, as in Blender.

mod channel;
mod error;
mod euler;
mod motion;
mod parse;
mod sample;
mod tokens;
mod write;

pub use channel::{Channel, Channels};
pub use error::BvhError;
pub use motion::{BvhJoint, Motion};
pub use sample::SampleError;
