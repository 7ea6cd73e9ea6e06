//! The settings of attacks and states: what hitboxes do and are during parts of a clip.

use crate::options::nearest_name::did_you_mean;
use baked_format::{AttackKind, StateKind, Window};

/// An attack of a clip. [`baked_format::Attack`] says what the fields mean.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackSettings {
    /// The attack's name, unique among the attacks of its clip.
    pub name: String,
    /// The name of the clip.
    pub clip: String,
    /// What the attack does.
    pub kind: AttackKind,
    /// The hitboxes that attack: tags, or patterns for joint names.
    pub boxes: Vec<String>,
    /// When they attack, in seconds of the clip.
    pub active: Vec<Window>,
    /// The group; `None` for a group with the name of the attack.
    pub group: Option<String>,
    /// The rank within the group.
    pub rank: u16,
    /// After this time in seconds, the group can strike the same target again.
    pub rehit: Option<f32>,
    /// The tags of the hitboxes that the attack meets; empty for all hitboxes.
    pub against: Vec<String>,
    /// The strength in clashes.
    pub strength: f32,
    /// A JSON object that the game defines, as text.
    pub data: Option<String>,
}

/// A state of hitboxes during parts of a clip. [`baked_format::ClipState`] says what the fields mean.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSettings {
    /// The name of the clip.
    pub clip: String,
    /// The state.
    pub kind: StateKind,
    /// The hitboxes: tags, or patterns for joint names; empty for all hitboxes.
    pub boxes: Vec<String>,
    /// When they are in the state, in seconds of the clip.
    pub active: Vec<Window>,
}

/// The reason why an attack or a state does not fit a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{entry} of the clip {clip:?}: {problem}")]
pub struct AttackError {
    /// The name of the clip.
    pub clip: String,
    /// The attack, as `attack "jab"`, or the state, as `state "guard"`.
    pub entry: String,
    /// What is wrong, and what to do.
    pub problem: AttackProblem,
}

/// What is wrong with an attack or a state.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AttackProblem {
    /// The character has no such clip. Correct the name, or write the section for the characters that have the clip.
    #[error("the character has no clip with this name{}", did_you_mean(nearest.as_deref()))]
    UnknownClip {
        /// The clip that was probably meant.
        nearest: Option<String>,
    },
    /// No hitbox has the tag, and no joint with a hitbox matches the pattern.
    #[error("no hitbox has the tag {name:?}, and no joint with a hitbox has this name{}", did_you_mean(nearest.as_deref()))]
    NoHitbox {
        /// The tag or the pattern.
        name: String,
        /// The tag or the joint that was probably meant.
        nearest: Option<String>,
    },
    /// A window ends after its clip, or begins before it.
    #[error("the window from {from} to {to} s is not within the clip, which goes from {start} to {end} s")]
    OutsideOfClip {
        /// The window's first moment in seconds.
        from: f32,
        /// The window's last moment in seconds.
        to: f32,
        /// The clip's first moment in seconds.
        start: f32,
        /// The clip's last moment in seconds.
        end: f32,
    },
    /// The windows are not in order, or overlap. Join windows that touch.
    #[error(
        "its windows are not in order, or overlap or touch; write them from the earliest to the last, and join those that touch"
    )]
    Windows,
}

impl AttackSettings {
    /// The attack as messages name it.
    #[must_use]
    pub fn entry(&self) -> String {
        format!("attack {:?}", self.name)
    }
}

impl StateSettings {
    /// The state as messages name it.
    #[must_use]
    pub fn entry(&self) -> String {
        format!("state {:?}", self.kind.keyword())
    }
}
