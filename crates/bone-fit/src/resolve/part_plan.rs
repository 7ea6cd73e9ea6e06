//! Where the skin of each joint goes.

use skeleton::JointIndex;

/// The parts that the option `parts` gives one character.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum PartPlan {
    /// Every joint keeps its skin.
    #[default]
    Joints,
    /// For each joint, the joint that gets its skin.
    Known(Vec<JointIndex>),
    /// The bake chooses at most this number of joints.
    Count(usize),
}
