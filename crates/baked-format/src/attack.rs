//! What hitboxes do and are during parts of a clip: attacks and states.

use skeleton::ClipIndex;

/// A part of a clip: seconds on the clip's own clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The first moment of the window, in seconds, at least 0.
    pub from: f32,
    /// The last moment of the window, in seconds, at least `from`.
    pub to: f32,
}

/// What an attack does when it meets a hitbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AttackKind {
    /// It strikes.
    #[default]
    Strike,
    /// It grabs hitboxes that are [`StateKind::Grabbable`].
    Grab,
    /// It throws. Guards and armor do not help.
    Throw,
}

impl AttackKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Strike, Self::Grab, Self::Throw];

    /// The kind's name in settings and in JSON: `strike`, `grab` or `throw`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Strike => "strike",
            Self::Grab => "grab",
            Self::Throw => "throw",
        }
    }
}

/// Hitboxes that attack during parts of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct Attack {
    /// The attack's name, unique among the attacks of its clip.
    pub name: String,
    /// The clip, an index into `BakedCharacter::clips`.
    pub clip: ClipIndex,
    /// What the attack does.
    pub kind: AttackKind,
    /// The hitboxes that attack: indices into `BakedCharacter::boxes`, sorted, none twice, at least one.
    pub boxes: Vec<u16>,
    /// When they attack. Sorted, at least one; a window begins after the one before has ended.
    pub active: Vec<Window>,
    /// All attacks of a swing with the same group strike a target once. Not empty.
    pub group: String,
    /// The attack with the lowest rank strikes if several attacks of a group meet a target at once.
    pub rank: u16,
    /// After this time in seconds, the group can strike the same target again; `None` if it strikes once.
    pub rehit: Option<f32>,
    /// The attack meets hitboxes that have one of these tags; empty for all hitboxes. Sorted by bytes, none twice.
    pub against: Vec<String>,
    /// Attacks whose strength is above 0 clash with each other. At least 0.
    pub strength: f32,
    /// A JSON object that the game defines, as text. This crate does not read it.
    pub data: Option<String>,
}

/// What hitboxes are during parts of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StateKind {
    /// No attack has an effect.
    Invulnerable,
    /// Strikes are blocked.
    Guard,
    /// Strikes hit, and do not interrupt.
    Armor,
    /// Grabs have an effect.
    Grabbable,
}

impl StateKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Invulnerable, Self::Guard, Self::Armor, Self::Grabbable];

    /// The kind's name in settings and in JSON: `invulnerable`, `guard`, `armor` or `grabbable`.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Invulnerable => "invulnerable",
            Self::Guard => "guard",
            Self::Armor => "armor",
            Self::Grabbable => "grabbable",
        }
    }
}

/// Hitboxes that are in a state during parts of a clip.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipState {
    /// The clip, an index into `BakedCharacter::clips`.
    pub clip: ClipIndex,
    /// The state.
    pub kind: StateKind,
    /// Indices into `BakedCharacter::boxes`, sorted, none twice, at least one.
    pub boxes: Vec<u16>,
    /// When they are in the state. Sorted, at least one; a window begins after the one before has ended.
    pub active: Vec<Window>,
}
