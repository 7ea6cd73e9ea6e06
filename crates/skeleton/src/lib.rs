#![doc = include_str!("../README.md")]
//!
//! # Role in bonebox
//!
//! A skeleton and its clips come from an importer or from a baked file. The caller samples a clip into local transforms
//! ([`Clip::sample`]) and turns them into `model_from_joint` matrices ([`Skeleton::model_from_joints`]).
//!
//! - [`Skeleton`], [`Joint`], [`JointIndex`]: joints in an order where every parent comes before its children.
//! - [`LocalTransform`]: `parent_from_joint`, as translation, rotation and scale or as a matrix.
//! - [`Clip`], [`Channel`], [`ClipIndex`]: keys over time.
//! - [`NamePattern`], [`mirrored_name`]: patterns for joint names, and the name of the same joint on the other side of
//!   the body.
//! - [`printable()`]: a name with its control characters escaped, for messages.
//! - [`humanoid`]: the map from VRM's standard bones to joints, from a VRM extension, from the joints' names, or from a
//!   list.
//! - [`Quadruped`]: the parts of a four-legged animal's body, from the names, the hierarchy and the rest pose of joints.
#![forbid(unsafe_code)]

mod indices;
mod joints;
mod transform;
mod clip;
mod name_pattern;
mod mirrored_name;
mod printable;

pub mod humanoid;
mod quadruped;

pub use clip::{Channel, Clip, ClipError, Interpolation, Property, slerp};
pub use indices::{ClipIndex, JointIndex, NodeIndex};
pub use joints::{Joint, Skeleton, SkeletonError};
pub use mirrored_name::mirrored_name;
pub use name_pattern::NamePattern;
pub use printable::printable;
pub use quadruped::{Quadruped, QuadrupedError, QuadrupedPart};
pub use transform::{LocalTransform, Trs};
