//! The rules by which bodies and hitboxes are tested against each other: layers and teams.

use super::{Body, BodySettings, CollisionLayers};
use crate::pose::clone_in_place::clone_in_place;
use crate::{BoxIndex, Character};
use skeleton::JointIndex;

/// The part of a body's settings that decides, for all its hitboxes at once, which bodies it may be tested against.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyLayers {
    any: CollisionLayers,
    team: Option<u32>,
    self_touches: bool,
}

impl BodyLayers {
    pub(super) fn new(body: &Body) -> Self {
        let BodySettings { team, self_touches, .. } = body.settings;
        Self { any: body.any_layers, team, self_touches }
    }

    /// Returns `true` if the body is not tested against all others, or is tested against itself.
    fn is_special(&self) -> bool {
        self.any != CollisionLayers::default() || self.team.is_some() || self.self_touches
    }

    pub(super) fn interacts_with(&self, other: &Self) -> bool {
        self.any.interacts_with(other.any) && (self.team.is_none() || self.team != other.team)
    }
}

/// The layers of all bodies, by body place, close together in memory: the broad phase reads them in any order.
#[derive(Debug, Default)]
pub(super) struct AllLayers {
    of_bodies: Vec<BodyLayers>,
    /// The number of bodies for which [`BodyLayers::is_special`] is `true`. If the number is 0, no layers are read.
    special: usize,
}

clone_in_place!(AllLayers { of_bodies, special });

impl AllLayers {
    pub(super) fn insert(&mut self, place: usize, layers: BodyLayers) {
        self.special += usize::from(layers.is_special());
        self.of_bodies.insert(place, layers);
    }

    pub(super) fn remove(&mut self, place: usize) {
        self.special -= usize::from(self.of_bodies.remove(place).is_special());
    }

    pub(super) fn set(&mut self, place: usize, layers: BodyLayers) {
        let old = std::mem::replace(&mut self.of_bodies[place], layers);
        self.special = self.special + usize::from(layers.is_special()) - usize::from(old.is_special());
    }

    /// Returns `true` if two bodies may be tested against each other.
    #[inline]
    pub(super) fn interact(&self, a: usize, b: usize) -> bool {
        self.special == 0 || self.of_bodies[a].interacts_with(&self.of_bodies[b])
    }

    /// The places of the bodies whose own joints are tested against each other.
    pub(super) fn with_self_touches(&self) -> impl Iterator<Item = u32> + '_ {
        let of_bodies = if self.special == 0 { &[] } else { &*self.of_bodies };
        (0..).zip(of_bodies).filter(|(_, layers)| layers.self_touches).map(|(place, _)| place)
    }
}

/// Returns `true` if all boxes of two bodies are tested against each other, given that the bodies are.
pub(super) fn all_boxes_interact(a: &Body, b: &Body) -> bool {
    a.id != b.id && a.has_one_layer() && b.has_one_layer()
}

/// Returns `true` if two boxes are tested against each other, given that their bodies are.
pub(super) fn boxes_interact((a, first): (&Body, usize), (b, second): (&Body, usize)) -> bool {
    if a.id == b.id && (first >= second || are_neighbors(a, first, second)) {
        return false;
    }
    let layers = |body: &Body, index: usize| body.layers_of_box(BoxIndex(index as u16));
    all_boxes_interact(a, b) || layers(a, first).interacts_with(layers(b, second))
}

/// Returns `true` if the joints of two boxes are the same joint, or if one is the nearest ancestor with a box of the
/// other.
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
