#![doc = include_str!("../README.md")]
//!
//! # Stages
//!
//! **In:** a [`SkinnedModel`](skinned_model::SkinnedModel) and [`BakeOptions`]. **Out:** a [`Bake`]: the
//! [`BakedCharacter`](baked_format::BakedCharacter) that goes into a file, and a [`FitReport`] with the measured
//! figures.
//!
//! `resolve` looks up the joints that the overrides name. Then a bake runs through these stages. Each stage is a type and
//! a folder; `bake.rs` calls the stages one after the other:
//!
//! | stage | type | folder | space |
//! |---|---|---|---|
//! | the surface and the joints that move it | `BoundMesh` | `skin` | mesh |
//! | the vertices and the surface that each joint owns | `Groups` | `assign` | joint |
//! | the pose of all joints at each sample time | `SampledPoses` | `poses` | model |
//! | the parts of groups that get one box each | `Pieces` | `fit` | joint |
//! | one box around each piece | `FittedBoxes` | `fit`, with `motion` | joint |
//! | bounds of the surface of each box in any pose, with `poses = any` | [`Envelope`](baked_format::Envelope) | `envelope` | joint |
//! | the share of the surface inside, and the escapes | [`Coverage`] | `measure` | model |
//! | bodies and constraints of a falling character (setting `ragdoll`) | [`Ragdoll`](baked_format::Ragdoll) | `ragdoll` | body |
//! | the skinned surface, one piece for each joint (option `skin`) | [`Skin`](baked_format::Skin) | `skin_pieces` | mesh |
//!
//! - [`bake`], [`bake_with`] and [`bake_observed`]: run all stages. Joints are fitted in parallel; any number of
//!   threads gives the same bytes.
//! - [`BakeOptions`]: the options as typed fields, and as words ([`BakeOptions::set`]) for files and command lines.
//! - [`Overrides`]: options and tags of single joints, and manual boxes. [`Limits`]: thresholds that fail a bake.
//! - [`enclose`](enclose()): the smallest stored box around points. Half extents are measured along the axes that the
//!   stored f32 orientation decodes to, and rounded outward.
//! - [`bake_with_hitboxes`]: the bake of a character with given hitboxes. [`union_box`] and [`mean_box`] make one box of
//!   those of several characters.
//! - [`Figures`]: the figures of one bake, for tables, pages and limits.
//! - [`compare_presets`]: the figures of every preset on one character.
//! - [`measure_halfway_blends`]: the share of the surface that the boxes hold half-way between two clips. No box is
//!   fitted to these poses.
//! - [`escapes_by_joint`]: the joints whose surface leaves the boxes, with the place and the sample time.
//! - [`fit::orientation`]: the methods that choose the orientation of a box.
//!
//! # The promise of a bake
//!
//! In the bind pose, in joint space, a hitbox of a joint holds every vertex that the joint owns, to the last f32 bit.
//!
//! - One rule decides which joint owns a vertex (`assign/owner.rs`). With `group = dominant` it is the joint whose
//!   weights, summed over its slots, are the largest. With `threshold` and `any` it is every joint with a large enough
//!   share.
//! - If the group of a joint was merged, its vertices lie in a hitbox of the joint that took the group.
//! - With `bridge = surface` or `ring`, the rule also gives fragments of the surface to joints. The promise then holds
//!   for the fragments too, in the bind pose and in the rest pose.
//! - The promise does not hold for vertices of joints that were left out by name, by size or by an override.
#![forbid(unsafe_code)]

mod bake;
mod revision;
mod compare;
mod figures;
mod limits;
mod error;
mod observer;
mod options;

mod resolve;
mod skin;
mod assign;
mod poses;
mod parts;
mod motion;
pub mod fit;
mod envelope;
mod measure;
mod skin_pieces;

mod attacks;
mod ragdoll;
mod warnings;
mod bounds;
mod plane_grid;

pub use assign::ignored::surface_names;
pub use attacks::check_attacks;
pub use bake::{Bake, FitReport, bake, bake_observed, bake_with, bake_with_hitboxes};
pub use baked_format::{HitboxRole, HitboxShape};
pub use bounds::COORDINATE_LIMIT;
pub use compare::{PresetFigures, compare_presets};
pub use error::BakeError;
pub use figures::{Figures, joined_names};
pub use fit::enclose::{TightBox, enclose, round_up, stored_orientation};
pub use fit::fitted_box::BoxReport;
pub use fit::shared_box::{mean_box, union_box};
pub use limits::{BrokenLimit, Limit, Limits};
pub use measure::blends::{BlendCoverage, measure_halfway_blends};
pub use measure::coverage::{Coverage, Escape, measure_boxes};
pub use measure::escapes::{JointEscape, JointFigures, escapes_by_joint, measure_joints};
pub use observer::{BakeObserver, BakeStep};
pub use options::{
    Attachments, AttackError, AttackProblem, AttackSettings, BakeOption, BakeOptions, Bridge, Fit, Group, Helpers,
    HumanoidOverride, JointOverride, LengthUnit, MAY_BE_MISSING, ManualBox, Measure, Morphs, NamedParts, Objective,
    OptionError, OptionKeyword, OptionKind, OverrideError, Overrides, Parts, Poses, Preset, RagdollError,
    RagdollJointSettings, RagdollSettings, Range, Shape, SkinAttributes, Small, StateSettings, StoredSkin, Symmetry,
    did_you_mean, nearest_name,
};
pub use poses::sample_times::SampleTime;
pub use poses::stray_bound::STRAY;
pub use resolve::{animal_tags, hitboxes_in_meters, joint_is_in_meters, part_tags, skin_givers};
pub use revision::ALGORITHM_REVISION;
pub use skin_pieces::SkinReport;
