//! The settings of a bake: options, settings of single joints, and limits.

mod choices;
mod humanoid;
mod kind;
mod limits;
mod nearest_name;
mod overrides;
mod presets;
mod table;
mod keyword_enum;

pub use choices::{
    Attachments, Bridge, Fit, Group, Measure, Objective, Poses, Preset, Shape, SkinAttributes, Small, StoredSkin,
    Symmetry,
};
pub(crate) use humanoid::FoundHumanoid;
pub use humanoid::HumanoidOverride;
pub use keyword_enum::OptionKeyword;
pub use kind::{OptionError, OptionKind, Range};
pub use limits::{Limit, Limits};
pub use nearest_name::{did_you_mean, nearest_name};
pub(crate) use overrides::ResolvedOverrides;
pub use overrides::{JointOverride, ManualBox, OverrideError, Overrides};
pub use table::{BakeOption, BakeOptions};
