//! What an attack did.

use baked_format::Attack;
use glam::Vec3;
use runtime::{BodyId, BoxIndex, Character};
use skeleton::JointIndex;

/// What happens when an attack meets a hitbox, in the order in which the rules are asked. See
/// [the guide](https://github.com/bonebox/bonebox/blob/main/docs/attacks.md#outcomes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Outcome {
    /// The hitbox is invulnerable. The attack can still strike later. Reported once for each target and group of a swing.
    Invulnerable,
    /// Attacking hitboxes of two swings meet, both with a strength above 0. The swing with the lower strength ends, and two
    /// equal swings both end. Each of the two swings reports the clash.
    Clash {
        /// `true` if the attacker's swing goes on.
        goes_on: bool,
    },
    /// A grab meets a grabbable hitbox, or a target whose clip names no grabbable hitboxes.
    Grab,
    /// A throw meets a hitbox. Guards and armor do not help.
    Throw,
    /// A strike meets a hitbox that guards: one in the state, or one of the role `Guard` at any time.
    Guard,
    /// A strike meets a hitbox with armor.
    Armor,
    /// A strike meets a hitbox, and in the same tick the target hits the attacker too.
    Trade,
    /// A strike meets a hitbox.
    Hit,
}

/// One attack that met one target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strike {
    /// The recorded tick before the strike.
    pub tick: u64,
    /// The share of the way from this tick to the next recorded tick, from 0 to 1. The clip's motion is swept
    /// in parts of at most 5 degrees and 1/120 second, each along a straight line.
    pub time: f32,
    /// What happened.
    pub outcome: Outcome,
    /// The body that attacks.
    pub attacker: BodyId,
    /// The number of its swing.
    pub instance: u32,
    /// The body that was met.
    pub target: BodyId,
    /// The attack, an index into `BakedCharacter::attacks` of the attacker; see [`Strike::attack`].
    pub attack: u32,
    /// The time of the attacker's clip, in seconds on the clip's own clock.
    pub seconds: f32,
    /// The weapon that strikes, as the number that was passed to [`Strikes::equip`](crate::Strikes::equip). `None` if
    /// `attacker_box` strikes.
    pub attacker_weapon: Option<u32>,
    /// The attacker's hitbox, or the hitbox that holds the weapon; [`Character::tags`] has its tags.
    pub attacker_box: BoxIndex,
    /// The joint of the weapon, or of `attacker_box`.
    pub attacker_joint: JointIndex,
    /// The target's weapon that was met in a clash. `None` if `target_box` was met.
    pub target_weapon: Option<u32>,
    /// The target's hitbox, or the hitbox that holds the weapon.
    pub target_box: BoxIndex,
    /// The joint of the weapon, or of `target_box`.
    pub target_joint: JointIndex,
    /// The middle of the contact, in world space.
    pub point: Vec3,
    /// The direction of the contact: a unit vector in world space, from the attacker's hitbox towards the target's.
    pub normal: Vec3,
    /// The depth of the contact, in world units. 0 or nearly 0, unless the hitboxes overlapped when the attack began.
    pub depth: f32,
}

impl Strike {
    /// The attack, with its name, group, rank, strength and `data`. Pass the attacker's character. `None` if this is
    /// another character.
    #[must_use]
    pub fn attack<'c>(&self, attacker: &'c Character) -> Option<&'c Attack> {
        attacker.baked().attacks.get(self.attack as usize)
    }

    /// The key by which strikes are sorted: time, outcome, attacker, swing, target, attack, hitboxes and weapons.
    pub(crate) fn key(&self) -> impl Ord + use<> {
        let time = (self.tick, self.time.to_bits());
        let weapons = (self.attacker_weapon, self.target_weapon);
        let boxes = (self.attack, self.attacker_box, self.target_box, weapons);
        (time, self.outcome, self.attacker, self.instance, self.target, boxes)
    }
}
