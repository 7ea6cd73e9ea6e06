//! Settings of single joints, keyed by name so that they survive every new bake: options, tags, sets, manual boxes,
//! bones.

use crate::options::attack_settings::{AttackSettings, StateSettings};
use crate::options::kind::OptionError;
use crate::options::nearest_name::did_you_mean;
use crate::options::ragdoll_settings::RagdollSettings;
use baked_format::{HitboxRole, HitboxShape};
use glam::{Quat, Vec3};
use skeleton::NamePattern;
use std::collections::BTreeMap;

/// All settings of single joints of one character, and of its humanoid.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Overrides {
    /// The settings of single joints, by the name of the joint.
    pub joints: BTreeMap<String, JointOverride>,
    /// Options of the parts of a humanoid, by the part's name: one of [`part_tags`](crate::part_tags). Only options with
    /// [`BakeOption::for_parts`](crate::BakeOption::for_parts). They override the options of the character, and those of a joint
    /// override them. Of the names of one part, such as `arm` and `arm.left`, the more special name wins.
    pub parts: BTreeMap<String, BTreeMap<String, String>>,
    /// Tags by patterns for joint names; a joint gets the tags of every pattern that matches it.
    pub tags: Vec<(NamePattern, Vec<String>)>,
    /// Names for groups of tags: a box with any of the set's tags has the set's name as a tag too.
    pub sets: BTreeMap<String, Vec<String>>,
    /// The condition under which the character has a humanoid, and the joints that the settings give to standard bones.
    pub humanoid: HumanoidOverride,
    /// What hitboxes do during parts of clips. Two attacks of one clip have different names.
    pub attacks: Vec<AttackSettings>,
    /// What hitboxes are during parts of clips.
    pub states: Vec<StateSettings>,
    /// The settings of the character's ragdoll; `None` for no ragdoll.
    pub ragdoll: Option<RagdollSettings>,
}

impl Overrides {
    /// Adds the attacks and the states that the asset itself has. Those of the overrides win: an attack of the asset is
    /// left out if its clip has an attack of the same name, and a state if its clip has the same state.
    pub fn add_of_asset(&mut self, attacks: Vec<AttackSettings>, states: Vec<StateSettings>) {
        let (own_attacks, own_states) = (self.attacks.len(), self.states.len());
        for attack in attacks {
            let same = |own: &AttackSettings| (&own.clip, &own.name) == (&attack.clip, &attack.name);
            if !self.attacks[..own_attacks].iter().any(same) {
                self.attacks.push(attack);
            }
        }
        for state in states {
            let same = |own: &StateSettings| (&own.clip, own.kind) == (&state.clip, state.kind);
            if !self.states[..own_states].iter().any(same) {
                self.states.push(state);
            }
        }
    }
}

/// The condition under which a baked character has a humanoid, and the joints that a user gave to bones.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum HumanoidOverride {
    /// The character has a humanoid if the asset's VRM extension or its joints' names give every required bone a joint.
    /// Other characters, such as hounds, have none, and that is no error.
    #[default]
    IfFound,
    /// The character has no humanoid. An example is a fox whose joints have the names of a person's joints.
    Never,
    /// The character must have a humanoid: a required bone without a joint is an error. The list has pairs of a bone,
    /// by its VRM 1.0 name, and a joint, by its name. Bones that are not in the list get their joints as with
    /// [`HumanoidOverride::IfFound`].
    Always(Vec<(String, String)>),
}

/// The settings of one joint.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct JointOverride {
    /// Options of this joint alone, by [`BakeOption::key`](crate::BakeOption::key); only options with [`BakeOption::for_joints`](crate::BakeOption::for_joints).
    pub options: BTreeMap<String, String>,
    /// Tags of all boxes of the joint.
    pub tags: Vec<String>,
    /// True if the joint gets no fitted box.
    pub skip: bool,
    /// Boxes that a person made, beside the fitted ones.
    pub boxes: Vec<ManualBox>,
}

/// The unit of the lengths of a manual box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthUnit {
    /// Meters of the character as it stands in the world in its rest pose, whatever the scale of the joint.
    #[default]
    Meters,
    /// The unit of the joint's space, as in a baked file.
    Joint,
}

impl LengthUnit {
    /// Every unit.
    pub const ALL: [Self; 2] = [Self::Meters, Self::Joint];

    /// The unit in one word, as in `bonebox.toml`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Meters => "meters",
            Self::Joint => "joint",
        }
    }
}

/// A hitbox that a person made, along the axes of its joint: a box, a capsule or a sphere.
#[derive(Clone, Debug, PartialEq)]
pub struct ManualBox {
    /// The shape inside the box that the other fields describe; not [`HitboxShape::Hull`], which has no manual form.
    pub shape: HitboxShape,
    /// Center along the joint's axes, from the joint's origin; finite.
    pub center: Vec3,
    /// Half extents along the box's own axes; each at least 0. The half extents of a capsule are
    /// its radius, half of its length with the caps, and its radius again. For a sphere, all three are its radius.
    pub half_extents: Vec3,
    /// Rotation `joint_from_box` as a quaternion of any length above 1e-6. A bake scales it to length 1.
    pub orientation: Quat,
    /// Tags beside those of the joint.
    pub tags: Vec<String>,
    /// What the box is for.
    pub role: HitboxRole,
    /// The unit of the center and of the half extents.
    pub unit: LengthUnit,
}

impl ManualBox {
    /// Returns why the half extents do not fit the shape, what they should be, and what to do; `None` if they fit.
    #[must_use]
    pub fn shape_problem(&self) -> Option<String> {
        let [x, y, z] = self.half_extents.to_array();
        let expected = match self.shape {
            HitboxShape::Box => return None,
            HitboxShape::Capsule if x == z && y >= x => return None,
            HitboxShape::Sphere if x == y && y == z => return None,
            HitboxShape::Capsule => {
                "those of a capsule are its radius, half of its length with the caps, and its radius again; give the first \
                 and the third the same value, and the second at least this value"
            }
            HitboxShape::Sphere => "for a sphere, all three are its radius; give all three the same value",
            HitboxShape::Hull => {
                return Some("its shape is a hull, which has no manual form; use a box, a capsule or a sphere".into());
            }
        };
        Some(format!("its half extents are [{x}, {y}, {z}], but {expected}"))
    }
}

/// The reason why overrides do not fit a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OverrideError {
    /// The character has no such joint. Correct the name, or remove the section.
    #[error("there is no joint {name:?}{}", did_you_mean(nearest.as_deref()))]
    UnknownJoint {
        /// The name that was given.
        name: String,
        /// The joint that was probably meant.
        nearest: Option<String>,
    },
    /// An option of a single joint could not be set.
    #[error("joint {joint:?}: {source}")]
    JointOption {
        /// The joint's name.
        joint: String,
        /// The error of the option.
        source: OptionError,
    },
    /// No part has this name. Correct the name.
    #[error("there is no part {name:?}{}", did_you_mean(nearest.as_deref()))]
    UnknownPart {
        /// The name that was given.
        name: String,
        /// The part that was probably meant.
        nearest: Option<String>,
    },
    /// An option of a single part could not be set.
    #[error("part {part:?}: {source}")]
    PartOption {
        /// The part's name.
        part: String,
        /// The error of the option.
        source: OptionError,
    },
    /// The numbers of a manual box make no box.
    #[error(
        "the manual box of joint {joint:?} is invalid: {problem}; its numbers are meters along the joint's axes, or with `unit = \"joint\"` in the joint's unit"
    )]
    ManualBox {
        /// The joint's name.
        joint: String,
        /// The invalid number, and the numbers that were expected.
        problem: String,
    },
}
