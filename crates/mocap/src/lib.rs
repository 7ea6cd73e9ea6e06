#![doc = include_str!("../README.md")]
//!
//! # Main types
//!
//! - [`HumanBone`], [`Humanoid`]: the standard bones, and the map from bones to joints.
//! - [`HumanPose`]: a pose of the standard bones, independent of any skeleton.
//! - [`Rig`]: reads a [`HumanPose`] from the joints of one skeleton and writes it to the joints of another.
//! - [`vmc`]: converts packets to poses ([`vmc::Receiver`]) and poses to packets ([`vmc::Performer`]).
//! - [`packet_log`]: records packets with their times, so that they can be played again.
//! - [`bvh`]: converts BVH text to a [`bvh::Motion`] and back; a motion gives a skeleton and a clip.
//! - [`ClipRecorder`]: records poses of a skeleton as a clip.
//! - [`OneEuroFilter`]: reduces jitter. The crate never applies it by itself; call it between [`vmc::Receiver`] and
//!   [`Rig`].
//!
//! # Conventions
//!
//! - Humanoid space is right-handed with y up; the figure faces +z, and its left is +x (VRM 1.0).
//! - Rotations are unit quaternions in `f64` until they are written into a skeleton's local transforms.
//! - The results have the same bits on every machine: sums have a fixed order, trigonometry is `libm`'s, and there is
//!   no fused multiply-add.
//! - Once buffers have grown, no packet and no pose allocates memory. No bytes make any function panic.
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
/// The skeleton crate defines the standard bones, because a baked file says which joint is which bone.
pub use skeleton::humanoid::{BoneSet, HumanBone, Humanoid, HumanoidError, HumanoidSource};
