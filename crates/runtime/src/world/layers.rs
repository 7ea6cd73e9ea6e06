//! Layers say which bodies and hitboxes are tested against which.

use super::Body;
use crate::Character;
use skeleton::JointIndex;

/// The layers that something is in, and the layers that it is tested against; the game gives the bits their meaning.
///
/// Two hitboxes are tested against each other where each is in a layer of the other's mask.
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
    /// The layers it is in.
    pub memberships: u32,
    /// The layers it is tested against.
    pub mask: u32,
}

impl CollisionLayers {
    /// In no layer and tested against none: overlaps nothing, and no query finds it.
    pub const NONE: Self = Self { memberships: 0, mask: 0 };

    /// Whether the two are tested against each other.
    #[must_use]
    #[inline]
    pub fn interacts_with(self, other: Self) -> bool {
        self.memberships & other.mask != 0 && other.memberships & self.mask != 0
    }

    /// All layers and masks of both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { memberships: self.memberships | other.memberships, mask: self.mask | other.mask }
    }
}

/// In all layers, tested against all.
impl Default for CollisionLayers {
    fn default() -> Self {
        Self { memberships: u32::MAX, mask: u32::MAX }
    }
}

/// What a body is tested against. [`super::HitboxWorld::set_settings`] changes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodySettings {
    /// Layers of all hitboxes that have none of their own, see [`super::HitboxWorld::set_box_layers`].
    pub layers: CollisionLayers,
    /// Bodies with the same number are not tested against each other; `None` has no allies.
    pub team: Option<u32>,
    /// Whether its own joints are tested against each other, neighbors excepted: a joint and the next one above that
    /// has a hitbox always overlap.
    pub self_touches: bool,
    /// Whether sweeps and box casts see it move from its pose at the last update to its present one, tick by tick,
    /// without [`super::HitboxWorld::start_motion`]. Takes memory for as many boxes again.
    pub continuous: bool,
}

/// Says which bodies a body may be tested against, whatever its hitboxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLayers {
    any: CollisionLayers,
    team: Option<u32>,
}

impl BodyLayers {
    pub(super) fn new(body: &Body) -> Self {
        Self { any: body.any_layers, team: body.settings.team }
    }

    pub(super) fn interacts_with(&self, other: &Self) -> bool {
        self.any.interacts_with(other.any) && (self.team.is_none() || self.team != other.team)
    }
}

/// Whether all of two bodies' boxes are tested against each other, where the bodies are.
pub(super) fn all_boxes_interact(a: &Body, b: &Body) -> bool {
    a.id != b.id && a.box_layers.is_empty() && b.box_layers.is_empty()
}

pub(super) fn boxes_interact((a, first): (&Body, usize), (b, second): (&Body, usize)) -> bool {
    if a.id == b.id && (first >= second || are_neighbors(a, first, second)) {
        return false;
    }
    let layers = |body: &Body, index: usize| body.box_layers.get(index).copied().unwrap_or(body.settings.layers);
    (a.box_layers.is_empty() && b.box_layers.is_empty()) || layers(a, first).interacts_with(layers(b, second))
}

/// Whether one box's joint is that of the other, or the next one above it that has a box.
fn are_neighbors(body: &Body, first: usize, second: usize) -> bool {
    let joints = body.posed.joints();
    let (first, second) = (joints[first], joints[second]);
    let above = |joint| next_above(&body.character, joint);
    first == second || above(second) == Some(first) || above(first) == Some(second)
}

fn next_above(character: &Character, joint: JointIndex) -> Option<JointIndex> {
    let mut above = character.skeleton().joint(joint).parent;
    while let Some(joint) = above.filter(|joint| character.hitboxes.joints.binary_search(joint).is_err()) {
        above = character.skeleton().joint(joint).parent;
    }
    above
}
