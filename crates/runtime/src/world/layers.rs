//! Collision layers, and the settings of a body.

/// The collision layers that a body or a hitbox is in, and the layers that it is tested against. The game decides what
/// each bit means.
///
/// Two hitboxes are tested against each other if each is in a layer of the other's mask.
///
/// ```
/// use runtime::CollisionLayers;
/// const HURT: u32 = 1;
/// const STRIKE: u32 = 2;
/// let head = CollisionLayers { memberships: HURT, mask: STRIKE };
/// let fist = CollisionLayers { memberships: STRIKE, mask: HURT };
/// assert!(head.interacts_with(fist) && !head.interacts_with(head) && !fist.interacts_with(fist));
/// assert!(!CollisionLayers::NONE.interacts_with(CollisionLayers::default()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollisionLayers {
    /// The layers that the body or hitbox is in, one bit for each layer.
    pub memberships: u32,
    /// The layers that the body or hitbox is tested against, one bit for each layer.
    pub mask: u32,
}

impl CollisionLayers {
    /// No layers and an empty mask: a hitbox with these layers overlaps nothing, and no query finds it.
    pub const NONE: Self = Self { memberships: 0, mask: 0 };

    /// Returns `true` if two hitboxes with these layers are tested against each other.
    #[must_use]
    #[inline]
    pub fn interacts_with(self, other: Self) -> bool {
        self.memberships & other.mask != 0 && other.memberships & self.mask != 0
    }

    /// The layers that are in either value, with a mask of the layers that are in either mask.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { memberships: self.memberships | other.memberships, mask: self.mask | other.mask }
    }
}

/// All layers and a full mask.
impl Default for CollisionLayers {
    fn default() -> Self {
        Self { memberships: u32::MAX, mask: u32::MAX }
    }
}

/// The settings that decide which bodies a body is tested against. [`super::HitboxWorld::set_settings`] changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodySettings {
    /// The layers of all hitboxes without layers of their own, see [`super::HitboxWorld::set_box_layers`].
    pub layers: CollisionLayers,
    /// The body's team. Bodies of the same team are not tested against each other; a body with `None` has no allies.
    pub team: Option<u32>,
    /// `true` if the body's own hitboxes are tested against each other, by the same rule of layers as the hitboxes of two
    /// bodies. Hitboxes of one joint are left out, and so are hitboxes of a joint and of its nearest ancestor with a
    /// hitbox, because they always overlap.
    pub self_touches: bool,
    /// `true` if the body moves in every tick, for sweeps and shape casts: from its pose in the tick before to its
    /// current pose. The game then does not call [`super::HitboxWorld::start_motion`]. A call of
    /// [`super::HitboxWorld::update`] ends a tick: the next pose starts a new motion, which begins at the pose that the
    /// body had in this update. So call `update` once in every tick, even if the game reads no touches. A body that is
    /// not posed during a whole tick stands still. A body that stops being continuous stands still. A continuous body
    /// needs memory for a second copy of its boxes.
    pub continuous: bool,
}
