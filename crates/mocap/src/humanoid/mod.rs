//! The joints of a skeleton that stand for VRM's standard bones.

mod bone;
mod guess;
mod joint_words;
mod map;

pub use bone::{BoneSet, HumanBone};
pub(crate) use joint_words::JointWords;
pub use map::{Humanoid, HumanoidError, HumanoidSource};
