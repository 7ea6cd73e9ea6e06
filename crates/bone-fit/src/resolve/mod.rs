//! Before the stages: the options and the overrides, resolved to the joints of one character and checked together.

mod humanoid;
mod joint_options;
mod joint_units;
mod overrides;
mod part_plan;
mod parts;

pub(crate) use humanoid::FoundHumanoid;
pub(crate) use joint_options::JointOptions;
pub use joint_units::{hitboxes_in_meters, joint_is_in_meters};
pub(crate) use part_plan::PartPlan;
pub(crate) use parts::WithoutHumanoid;
pub use parts::{animal_tags, part_tags, skin_givers};
