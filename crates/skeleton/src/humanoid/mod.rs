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

pub use bone::{BoneSet, HumanBone};
pub use bones_of_names::bones_of_names;
pub use guess::{BoneGuess, Certainty};
pub use joint_words::{JointWords, words_of};
pub use map::{Humanoid, HumanoidError, HumanoidSource};
pub use parts::PartSet;
