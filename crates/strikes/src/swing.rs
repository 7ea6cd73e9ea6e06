//! Attacks that run, and the reasons why they cannot.

use runtime::{BodyId, ClipIndex};

/// One use of a clip's attacks by a body, from the moment that the body begins to play the clip.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Swing {
    /// The body that attacks.
    pub attacker: BodyId,
    /// A number of the game's own that tells swings of the same body apart.
    pub instance: u32,
    /// The clip that has the attacks.
    pub clip: ClipIndex,
    /// The time at which the swing begins, in seconds on the clip's own clock.
    pub seconds: f32,
    /// The seconds of the clip that pass in a second; at least 0.
    pub speed: f32,
    /// `true` if the clip begins again at its end. Otherwise the swing ends with its clip.
    pub loops: bool,
}

impl Swing {
    /// A swing from the start of a clip, at normal speed, without loops.
    #[must_use]
    pub fn new(attacker: BodyId, instance: u32, clip: ClipIndex) -> Self {
        Self { attacker, instance, clip, seconds: 0.0, speed: 1.0, loops: false }
    }
}

/// The reason why swings cannot begin, change or advance. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StrikeError {
    /// The time of a swing is not a finite number.
    #[error("the swing of body {attacker} begins at {seconds} seconds; pass a finite time of its clip")]
    Time {
        /// The body that attacks.
        attacker: BodyId,
        /// The time that was passed.
        seconds: f32,
    },
    /// The speed of a swing is not a number from 0 to [`Strikes::MAX_SPEED`](crate::Strikes::MAX_SPEED).
    #[error("the swing of body {attacker} has the speed {speed}; pass a number from 0 to 1000")]
    Speed {
        /// The body that attacks.
        attacker: BodyId,
        /// The speed that was passed.
        speed: f32,
    },
    /// The body already has a running swing with this number.
    #[error("body {attacker} already has a running swing {instance}; end it first, or pass another number")]
    AlreadyRunning {
        /// The body that attacks.
        attacker: BodyId,
        /// The number of the swing.
        instance: u32,
    },
    /// No swing of the body with this number runs.
    #[error("body {attacker} has no running swing {instance}; it was never begun, or it has ended")]
    NotRunning {
        /// The body that attacks.
        attacker: BodyId,
        /// The number of the swing.
        instance: u32,
    },
    /// The history does not have a tick.
    #[error("the history has no tick {tick}; record each tick before swings advance to it, and keep enough ticks")]
    NoTick {
        /// The tick that was passed.
        tick: u64,
    },
    /// The last tick is before the first.
    #[error("swings cannot advance from tick {from} back to tick {to}; for a rollback, restore a clone of the state")]
    Backwards {
        /// The first tick.
        from: u64,
        /// The last tick.
        to: u64,
    },
    /// The seconds from tick to tick of the history are not a number above 0.
    #[error("the history has {seconds} seconds from tick to tick; set `HistorySettings::tick_seconds` above 0")]
    TickSeconds {
        /// [`rewind::HistorySettings::tick_seconds`].
        seconds: f64,
    },
    /// An attacker has no pose at a tick.
    #[error("body {attacker} has a running swing, but no pose at tick {tick}; end the swings of bodies that leave")]
    NoBody {
        /// The body that attacks.
        attacker: BodyId,
        /// The tick.
        tick: u64,
    },
    /// An attacker's character does not have the clip of its swing.
    #[error("the character of body {attacker} has no clip {clip}; end a swing when its body becomes another character")]
    NoClip {
        /// The body that attacks.
        attacker: BodyId,
        /// The clip of the swing.
        clip: ClipIndex,
    },
    /// A number of a weapon is not finite or out of range, a half extent is negative, or its attacks are not sorted.
    #[error(
        "weapon {weapon} of body {body} has a place or a size that is not a finite number in range, or attacks that are not \
         sorted; half extents are at least 0"
    )]
    Weapon {
        /// The body that carries the weapon.
        body: BodyId,
        /// The number of the weapon.
        weapon: u32,
    },
    /// An attacker's body does not have the joint or the holder of its weapon, or its poses do not.
    #[error(
        "at tick {tick}, body {attacker} does not have the joint or the holder of its weapon {weapon}, or the weapon is out \
         of range; equip it again when the body becomes another character, and use a joint of `needed_joints` if the game \
         poses the body with matrices"
    )]
    NoSocket {
        /// The body that attacks.
        attacker: BodyId,
        /// The number of the weapon.
        weapon: u32,
        /// The tick.
        tick: u64,
    },
    /// A moment of [`Seen`](crate::Seen) is NaN. A client may send any number.
    #[error(
        "a moment that the attacker {attacker} saw has a fraction that is not a number; refuse what its client sent"
    )]
    Moment {
        /// The body that attacks.
        attacker: BodyId,
    },
    /// With [`StrikeRules::exact`](crate::StrikeRules::exact), an attack meets a body without a skin.
    #[error(
        "at tick {tick}, an attack meets body {target}, whose character has no skin; bake it with `skin = \"lossless\"` or \
         `skin = \"compact\"`, or advance without `exact`"
    )]
    NoSkin {
        /// The body that was met.
        target: BodyId,
        /// The tick.
        tick: u64,
    },
}
