//! The content of an entry of `shared`.

use skeleton::NamePattern;

/// Characters that get the same hitboxes, as one entry of the key `shared` says.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedSettings {
    /// The name of the set of hitboxes.
    pub name: String,
    /// Patterns for the names of the characters.
    pub characters: Vec<NamePattern>,
    /// The way in which the hitboxes are made.
    pub from: SharedFrom,
    /// The treatment of bones of different lengths.
    pub scale: SharedScale,
}

impl SharedSettings {
    /// Returns `true` if the character with this name is to have the hitboxes.
    #[must_use]
    pub fn has(&self, character: &str) -> bool {
        self.characters.iter().any(|pattern| pattern.matches(character))
    }
}

/// The way in which shared hitboxes are made from those that each character would have alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedFrom {
    /// Each hitbox holds those of all characters.
    Union,
    /// Each hitbox has the mean center, size and orientation of those of all characters.
    Mean,
    /// The hitboxes are those of the character with this name.
    Character(String),
}

/// The treatment of bones of different lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedScale {
    /// The hitboxes of all characters are equal in joint space.
    None,
    /// The hitboxes of a joint are as many times larger as the bone is longer.
    Bone,
}

impl SharedScale {
    /// Both values, in the order of the documentation.
    pub const ALL: [Self; 2] = [Self::None, Self::Bone];

    /// The word in a settings file.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bone => "bone",
        }
    }
}
