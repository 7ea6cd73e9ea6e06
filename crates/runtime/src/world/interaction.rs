//! The rules by which bodies and hitboxes are tested against each other: layers and teams.

use super::box_layers::MOST_CLASSES;
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
    a.id != b.id && [a, b].iter().all(|body| body.has_one_layer() && body.has_no_roles())
}

/// Calls `found` with groups of boxes of two bodies, given that the bodies are tested against each other: each group is
/// a mask of boxes for each of the two bodies, `None` for all boxes. All pairs of boxes that [`boxes_interact`] admits
/// are in one of the groups, and only there. Roles are not looked at. `masks` is memory.
pub(super) fn each_meeting(bodies: [&Body; 2], masks: &mut [Vec<u16>; 2], mut found: impl FnMut([Option<&[u16]>; 2])) {
    if bodies.iter().all(|body| body.has_one_layer()) {
        return found([None, None]);
    }
    let classes = bodies.map(Body::layer_classes);
    // With the body of fewer classes first, there are fewer groups.
    let one = usize::from(classes[1].len() < classes[0].len());
    let (of_one, of_other) = (classes[one], classes[1 - one]);
    let mut met = [0; MOST_CLASSES];
    for (met, layers) in met.iter_mut().zip(of_one.layers) {
        *met = of_other.interacting_with(*layers);
    }
    for (class, &meets) in met[..of_one.len()].iter().enumerate() {
        if meets == 0 || met[..class].contains(&meets) {
            continue;
        }
        let alike =
            (class..of_one.len()).filter(|&other| met[other] == meets).fold(0, |alike, other| alike | 1 << other);
        let [first, second] = &mut *masks;
        let (mask_of_one, mask_of_other) = if one == 0 { (first, second) } else { (second, first) };
        let group = [of_one.boxes_of(alike, mask_of_one), of_other.boxes_of(meets, mask_of_other)];
        found(if one == 0 { group } else { [group[1], group[0]] });
    }
}

/// Returns `true` if two boxes are tested against each other, given that their bodies are.
pub(super) fn boxes_interact((a, first): (&Body, usize), (b, second): (&Body, usize)) -> bool {
    if a.id == b.id && (first >= second || are_neighbors(a, first, second)) {
        return false;
    }
    let layers = |body: &Body, index: usize| body.layers_of_box(BoxIndex(index as u16));
    all_boxes_interact(a, b)
        || layers(a, first).interacts_with(layers(b, second)) && roles_meet((a, first), (b, second))
}

/// Returns `true` if the roles of two boxes let them meet.
fn roles_meet((a, first): (&Body, usize), (b, second): (&Body, usize)) -> bool {
    let role = |body: &Body, index: usize| body.character.hitboxes.role(index);
    a.has_no_roles() && b.has_no_roles() || a.role_meets(first, role(b, second)) && b.role_meets(second, role(a, first))
}

/// Returns `true` if the joints of two boxes are the same joint, or if one is the nearest ancestor with a box of the
/// other.
fn are_neighbors(body: &Body, first: usize, second: usize) -> bool {
    let joints = &body.character.hitboxes.joints;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Kernel;
    use crate::{BodyId, BoxSet};
    use proptest::prelude::*;
    use std::sync::Arc;

    /// A body of a figure with these layers of its boxes; the list repeats.
    fn body(id: u64, character: &Arc<Character>, of_boxes: &[CollisionLayers]) -> Body {
        let mut body = Body::outside(BodyId(id), Arc::clone(character), BodySettings::default(), Kernel::Scalar);
        for (index, layers) in (0..character.box_count() as u16).zip(of_boxes.iter().cycle()) {
            let one = BoxSet::from_indices(&character.hitboxes, &[index]).unwrap();
            body.box_layers_mut().set_rule(&one, *layers);
        }
        body.apply_layers();
        body
    }

    fn layers(most: u32) -> impl Strategy<Value = Vec<CollisionLayers>> {
        prop::collection::vec(
            (0..most, 0..most).prop_map(|(memberships, mask)| CollisionLayers { memberships, mask }),
            0..60,
        )
    }

    proptest! {
        /// The groups have the pairs that a look at each pair admits, each pair once. With many different layers, the groups
        /// may have more pairs.
        #[test]
        fn groups_have_the_boxes_that_may_meet(
            of_a in prop_oneof![layers(3), layers(64)],
            of_b in prop_oneof![layers(3), layers(64)],
        ) {
            let character = Arc::new(Character::from_baked(baked_characters::baked_figure("figure")));
            let (a, b) = (body(0, &character, &of_a), body(1, &character, &of_b));
            let count = character.box_count();
            let mut times = vec![0; count * count];
            let has = |mask: Option<&[u16]>, index: usize| mask.is_none_or(|mask| mask[index / 16] >> (index % 16) & 1 == 1);
            each_meeting([&a, &b], &mut Default::default(), |[mask_a, mask_b]| {
                for first in (0..count).filter(|&first| has(mask_a, first)) {
                    (0..count).filter(|&second| has(mask_b, second)).for_each(|second| times[first * count + second] += 1);
                }
            });
            let is_exact = [&a, &b].iter().all(|body| body.layer_classes().layers != [body.any_layers] || body.has_one_layer());
            for first in 0..count {
                for second in 0..count {
                    let (found, expected) = (times[first * count + second], boxes_interact((&a, first), (&b, second)));
                    prop_assert!(found <= 1 && found >= u32::from(expected), "{first} {second}: {found}");
                    prop_assert!(!is_exact || found == u32::from(expected), "{first} {second}: {found}");
                }
            }
        }
    }
}
