//! Names of attacks and states, and their places in a file.

use baked_format::Window;

/// An attack or a state of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClipEntry<'a> {
    /// The attack with this name.
    Attack(&'a str),
    /// The state with this number among the states of the clip, in the order of a bake, counted from 0.
    State(usize),
}

impl ClipEntry<'_> {
    /// The entry in messages.
    pub(crate) fn shown(self) -> String {
        match self {
            Self::Attack(name) => format!("attack {name:?}"),
            Self::State(number) => format!("state {number}"),
        }
    }
}

/// The place of an attack or a state in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryPlace<'s> {
    /// The pattern of the section's characters; `None` for the section of all characters.
    pub(crate) pattern: Option<&'s str>,
    /// The number among the attacks, or among the states, of the same section and clip.
    pub(crate) index: usize,
    /// The windows in the file, in seconds.
    pub(crate) active: &'s [Window],
}
