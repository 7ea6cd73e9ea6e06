//! Who is tested against whom.

use super::Body;
use crate::Character;
use skeleton::JointIndex;

/// What something is, and what it wants to be tested against; bits are the caller's.
///
/// Two boxes are tested where each has a layer that the other's mask names.
///
/// ```
/// use runtime::CollisionLayers;
/// const HURT: u32 = 1;
/// const STRIKE: u32 = 2;
/// let (head, fist) = (CollisionLayers { memberships: HURT, mask: STRIKE }, CollisionLayers { memberships: STRIKE, mask: HURT });
/// assert!(head.interacts_with(fist) && !head.interacts_with(head) && !fist.interacts_with(fist));
/// assert!(!CollisionLayers::NONE.interacts_with(CollisionLayers::default()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollisionLayers {
    /// What it is.
    pub memberships: u32,
    /// What it is tested against.
    pub mask: u32,
}

impl CollisionLayers {
    /// Touches nothing.
    pub const NONE: Self = Self { memberships: 0, mask: 0 };

    /// Whether the two are tested against each other.
    #[must_use]
    #[inline]
    pub fn interacts_with(self, other: Self) -> bool {
        self.memberships & other.mask != 0 && other.memberships & self.mask != 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self { memberships: self.memberships | other.memberships, mask: self.mask | other.mask }
    }
}

/// All layers, tested against all.
impl Default for CollisionLayers {
    fn default() -> Self {
        Self { memberships: u32::MAX, mask: u32::MAX }
    }
}

/// What a body is tested against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct BodySettings {
    /// For all boxes whose tags have no filter of their own.
    pub layers: CollisionLayers,
    /// Bodies with the same number are not tested against each other; `None` has no allies.
    pub team: Option<u32>,
    /// Whether its own joints are tested against each other, neighbours excepted: a joint and the next one above that
    /// has a box always touch.
    pub self_touches: bool,
}

/// Whom a body may be tested against, whatever its boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLayers {
    any: CollisionLayers,
    team: Option<u32>,
}

impl BodyLayers {
    pub(super) fn new(body: &Body) -> Self {
        Self { any: body.any, team: body.settings.team }
    }

    pub(super) fn interacts_with(&self, other: &Self) -> bool {
        self.any.interacts_with(other.any) && (self.team.is_none() || self.team != other.team)
    }
}

/// Whether all of two bodies' boxes are tested against each other, where the bodies are.
pub(super) fn all_boxes_interact(a: &Body, b: &Body) -> bool {
    a.id != b.id && a.box_layers.is_empty() && b.box_layers.is_empty()
}

pub(crate) fn boxes_interact((a, first): (&Body, usize), (b, second): (&Body, usize)) -> bool {
    if a.id == b.id && (first >= second || are_neighbours(a, first, second)) {
        return false;
    }
    (a.box_layers.is_empty() && b.box_layers.is_empty())
        || a.layers_of_box(first).interacts_with(b.layers_of_box(second))
}

/// Whether one box's joint is that of the other, or the next one above it that has a box.
fn are_neighbours(body: &Body, first: usize, second: usize) -> bool {
    let (first, second) = (body.posed.joints[first], body.posed.joints[second]);
    let above = |joint| next_above(&body.character, joint);
    first == second || above(second) == Some(first) || above(first) == Some(second)
}

fn next_above(character: &Character, joint: JointIndex) -> Option<JointIndex> {
    let mut above = character.skeleton().joint(joint).parent;
    while let Some(joint) = above.filter(|joint| character.box_joints.binary_search(joint).is_err()) {
        above = character.skeleton().joint(joint).parent;
    }
    above
}
