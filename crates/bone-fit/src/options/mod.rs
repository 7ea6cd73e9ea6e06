//! The settings of a bake, as files and command lines write them: options, and overrides for single joints.

mod attack_settings;
mod choices;
mod kind;
mod nearest_name;
mod overrides;
mod presets;
mod ragdoll_settings;
mod table;
mod keyword_enum;

pub use attack_settings::{AttackError, AttackProblem, AttackSettings, StateSettings};
pub use choices::{
    Attachments, Bridge, Fit, Group, Helpers, Measure, Morphs, NamedParts, Objective, Parts, Poses, Preset, Shape,
    SkinAttributes, Small, StoredSkin, Symmetry,
};
pub use keyword_enum::OptionKeyword;
pub(crate) use keyword_enum::one_line;
pub(crate) use kind::NO_MAXIMUM;
pub use kind::{MAY_BE_MISSING, OptionError, OptionKind, Range};
pub use nearest_name::{did_you_mean, nearest_name};
pub use overrides::{HumanoidOverride, JointOverride, LengthUnit, ManualBox, OverrideError, Overrides};
pub use ragdoll_settings::{RagdollError, RagdollJointSettings, RagdollSettings};
pub use table::{BakeOption, BakeOptions};
