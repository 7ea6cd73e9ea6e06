//! Joints, poses and animation clips: no files, no meshes.
//!
//! **In:** a [`Skeleton`] and a [`Clip`], from an importer or from a baked file. **Out:** `model_from_joint` matrices.
//!
//! - [`Skeleton`]: joints in an order where every parent comes before its children, with their rest transforms.
//! - [`LocalTransform`]: `parent_from_joint`, as translation, rotation and scale or as a matrix.
//! - [`Clip`]: keys over time; [`Clip::sample`] overwrites the local transforms it animates.
//! - [`Skeleton::model_from_joints`]: from local transforms to matrices in model space.
//! - [`NamePattern`], [`mirrored_name`]: patterns for joint names, and the name on the other side of the body.
//!
//! Every result is the same to the last bit on every machine: own order of sums, `libm` for trigonometry.
//!
//! ```
//! use skeleton::{Joint, LocalTransform, NodeIndex, Skeleton, Trs};
//! use glam::{Affine3A, Vec3};
//!
//! let up = LocalTransform::Trs(Trs { translation: Vec3::Y, ..Trs::IDENTITY });
//! let joint = |name: &str, parent| Joint { name: name.into(), node: NodeIndex(0), parent, rest: up, skinned: true };
//! let skeleton = Skeleton::new(vec![joint("hip", None), joint("knee", Some(skeleton::JointIndex(0)))])?;
//! let mut matrices = vec![Affine3A::IDENTITY; 2];
//! skeleton.model_from_joints(&skeleton.rest_pose(), &mut matrices);
//! assert_eq!(Vec3::from(matrices[1].translation), Vec3::new(0.0, 2.0, 0.0));
//! # Ok::<(), skeleton::SkeletonError>(())
//! ```
#![forbid(unsafe_code)]

mod clip;
mod joints;
mod mirrored_name;
mod name_pattern;
mod transform;

pub use clip::{Channel, Clip, ClipError, Interpolation, Property};
pub use joints::{Joint, JointIndex, NodeIndex, Skeleton, SkeletonError};
pub use mirrored_name::mirrored_name;
pub use name_pattern::NamePattern;
pub use transform::{LocalTransform, Trs};
