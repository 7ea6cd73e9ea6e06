//! The map from VRM's standard bones to the joints of a skeleton.

mod bone;
mod bones_of_names;
mod guess;
mod joint_words;
mod map;
mod parts;
#[cfg(test)]
mod naming_schemes;
#[cfg(test)]
mod test_skeletons;
#[cfg(test)]
pub(crate) use test_skeletons::{kaykit, placed};

pub use bone::{BoneSet, HumanBone};
pub use bones_of_names::bones_of_names;
pub use guess::{BoneGuess, Certainty};
pub(crate) use guess::{places, walk};
pub use joint_words::{JointWords, words_of};
pub(crate) use joint_words::{Part, Side};
pub use map::{Humanoid, HumanoidError, HumanoidSource};
pub use parts::PartSet;
