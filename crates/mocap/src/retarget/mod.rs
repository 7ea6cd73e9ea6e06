//! Converts the joints of one skeleton to a pose of the standard bones, and that pose to the joints of another
//! skeleton.

mod clip_recorder;
mod human_pose;
mod reference;
mod rig;
mod transforms;
mod twist;

pub use clip_recorder::ClipRecorder;
pub use human_pose::{HipsMotion, HumanPose};
pub use reference::{ReferencePose, RigError};
pub use rig::Rig;
pub(crate) use transforms::{Affine, local_rotation};
