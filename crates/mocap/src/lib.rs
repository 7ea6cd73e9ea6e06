#![doc = include_str!("../README.md")]
//!
//! # Main types
//!
//! - [`HumanBone`], [`Humanoid`]: the standard bones, and which joint is which bone.
//! - [`HumanPose`]: a pose of the standard bones, free of any skeleton.
//! - [`Rig`]: reads a [`HumanPose`] from the joints of one skeleton and writes it to the joints of another.
//! - [`vmc`]: packets to poses ([`vmc::Receiver`]) and back ([`vmc::Performer`]).
//! - [`packet_log`]: packets with their times, to play them again.
//! - [`bvh`]: text to a [`bvh::Motion`] and back; a motion is a skeleton and a clip.
//! - [`ClipRecorder`]: poses of a skeleton to a clip of it.
//! - [`OneEuroFilter`]: less jitter; off unless it is called.
//!
//! # Conventions
//!
//! - Humanoid space is right-handed with y up; the figure faces +z, and its left is +x (VRM 1.0).
//! - Rotations are unit quaternions in `f64` until they are written into a skeleton's local transforms.
//! - Same input, same bits on every machine: one order of sums, `libm` for trigonometry, no fused multiply-add.
//! - Nothing is allocated per packet or pose once buffers have grown. No bytes make anything panic.
#![forbid(unsafe_code)]

mod retarget;

pub mod bvh;
pub mod packet_log;
pub mod vmc;

mod one_euro;
mod rotation;

#[doc(hidden)]
pub mod fuzz;

pub use one_euro::{OneEuroFilter, OneEuroSettings};
pub use retarget::{ClipRecorder, HipsMotion, HumanPose, ReferencePose, Rig, RigError};
/// The standard bones are part of the skeleton, because a baked file says which joint is which bone.
pub use skeleton::humanoid::{BoneSet, HumanBone, Humanoid, HumanoidError, HumanoidSource};
