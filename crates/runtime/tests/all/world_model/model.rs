//! A slow plain model of a world.

use runtime::kernels::Kernel;
use runtime::{
    BodyId, BodyMotion, BodySettings, BoxIndex, BoxPair, BoxSet, Character, CollisionLayers, HitboxRole, HitboxShape,
    PosedCharacter, QueryFilter, Touch, TouchEvent, TouchPhase, overlapping_boxes,
};
use skeleton::JointIndex;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The bodies of a world, and the touches of its last update.
#[derive(Clone, Default)]
pub(super) struct Model {
    pub(super) bodies: BTreeMap<BodyId, ModelBody>,
    pub(super) touches: Vec<Touch>,
    pub(super) events: Vec<TouchEvent>,
    ended: Vec<Touch>,
}

#[derive(Clone)]
pub(super) struct ModelBody {
    pub(super) character: Arc<Character>,
    pub(super) settings: BodySettings,
    rules: Vec<(Vec<BoxIndex>, CollisionLayers)>,
    disabled: BTreeSet<BoxIndex>,
    pub(super) posed: PosedCharacter,
    pub(super) tracked: Vec<JointIndex>,
    /// The pose in which the body's motion began; `None` if no motion began.
    start: Option<PosedCharacter>,
    /// The body was posed since the last update.
    was_posed: bool,
    /// The body was posed since its motion began, and in the last tick if it is continuous.
    moves: bool,
}

impl ModelBody {
    pub(super) fn new(character: Arc<Character>, settings: BodySettings) -> Self {
        let posed = PosedCharacter::with_kernel(Kernel::Scalar);
        let (rules, disabled, tracked) = (Vec::new(), BTreeSet::new(), Vec::new());
        Self { character, settings, rules, disabled, posed, tracked, start: None, was_posed: false, moves: false }
    }

    /// Must be called before a pose changes.
    pub(super) fn begin_pose(&mut self) {
        if self.settings.continuous && !self.was_posed {
            self.start = Some(self.posed.clone());
        }
        (self.was_posed, self.moves) = (true, true);
    }

    /// Makes the motion begin at the present pose. The body stands still until it is posed again.
    pub(super) fn start_motion(&mut self) {
        self.start = Some(self.posed.clone());
        self.moves = false;
    }

    /// Ends the motion: the body stands still until it is posed again.
    pub(super) fn reset_motion(&mut self) {
        if self.start.is_some() {
            self.start_motion();
        }
    }

    pub(super) fn set_settings(&mut self, settings: BodySettings) {
        if self.settings.continuous && !settings.continuous {
            self.start = None;
        }
        self.settings = settings;
    }

    pub(super) fn set_layers(&mut self, boxes: &BoxSet, layers: Option<CollisionLayers>) {
        let boxes: Vec<_> = boxes.iter().collect();
        self.rules.retain(|(known, _)| *known != boxes);
        self.rules.extend(layers.map(|layers| (boxes, layers)));
    }

    pub(super) fn set_enabled(&mut self, boxes: &BoxSet, enabled: bool) {
        for index in boxes.iter() {
            if enabled {
                self.disabled.remove(&index)
            } else {
                self.disabled.insert(index)
            };
        }
    }

    /// The pose in which the body's motion began; `None` if the body stands still.
    pub(super) fn moves_from(&self) -> Option<&PosedCharacter> {
        self.start.as_ref().filter(|start| self.moves && start.is_posed() && self.posed.is_posed())
    }

    pub(super) fn motion(&self) -> BodyMotion<'_> {
        match self.moves_from() {
            Some(start) => BodyMotion::new(start, &self.posed).expect("two poses of the same character"),
            None => BodyMotion::still(&self.posed),
        }
    }

    pub(super) fn layers_of_box(&self, index: BoxIndex) -> CollisionLayers {
        if self.disabled.contains(&index) {
            return CollisionLayers::NONE;
        }
        let of_rules = self.rules.iter().filter(|(boxes, _)| boxes.contains(&index)).map(|(_, layers)| *layers);
        of_rules.reduce(CollisionLayers::union).unwrap_or(self.settings.layers)
    }

    fn has_own_layers(&self, index: BoxIndex) -> bool {
        self.rules.iter().any(|(boxes, _)| boxes.contains(&index))
    }

    /// Returns `true` if the joints of two boxes are the same, or if one is the nearest joint with a box above the other.
    fn are_neighbors(&self, first: JointIndex, second: JointIndex) -> bool {
        let has_box = |joint| self.character.hitboxes().any(|one| one.joint == joint);
        let above = |joint| {
            let parent = |joint: JointIndex| self.character.skeleton().joint(joint).parent;
            std::iter::successors(parent(joint), |&joint| parent(joint)).find(|&joint| has_box(joint))
        };
        first == second || above(first) == Some(second) || above(second) == Some(first)
    }
}

/// Returns `true` if the layers and teams let two hitboxes touch. The bodies are different.
pub(super) fn interact((a, first): (&ModelBody, BoxIndex), (b, second): (&ModelBody, BoxIndex)) -> bool {
    let are_allies = a.settings.team.is_some() && a.settings.team == b.settings.team;
    !are_allies && a.layers_of_box(first).interacts_with(b.layers_of_box(second)) && roles_meet((a, first), (b, second))
}

/// Returns `true` if the roles of two hitboxes let them touch, as the documentation of the world says it.
fn roles_meet((a, first): (&ModelBody, BoxIndex), (b, second): (&ModelBody, BoxIndex)) -> bool {
    use HitboxRole::{Grab, Guard, Hurt, Sensor, Strike};
    let (one, other) = (role(a, first), role(b, second));
    let (one_is_free, other_is_free) = (a.has_own_layers(first), b.has_own_layers(second));
    match (one, other) {
        (Hurt, Hurt | Strike | Grab) | (Strike | Grab, Hurt) | (Strike, Guard) | (Guard, Strike) => true,
        (Hurt, Guard | Sensor) => other_is_free,
        (Guard | Sensor, Hurt) => one_is_free,
        (Grab | Guard | Sensor, Grab | Guard | Sensor) | (Strike, Strike | Grab | Sensor) | (Grab | Sensor, Strike) => {
            one_is_free && other_is_free
        }
    }
}

fn role(body: &ModelBody, index: BoxIndex) -> HitboxRole {
    body.character.hitbox(index).unwrap().baked.role
}

impl Model {
    pub(super) fn remove(&mut self, id: BodyId) -> bool {
        let is_of = |touch: &Touch| touch.body_a == id || touch.body_b == id;
        self.ended.extend(self.touches.extract_if(.., |touch| is_of(touch)));
        self.bodies.remove(&id).is_some()
    }

    pub(super) fn update(&mut self) {
        for body in self.bodies.values_mut() {
            if body.settings.continuous && !body.was_posed {
                body.moves = false;
            }
            body.was_posed = false;
        }
        let touches = self.find_touches();
        let before = std::mem::replace(&mut self.touches, touches);
        let is_in = |touches: &[Touch], touch: &Touch| touches.binary_search(touch).is_ok();
        let event = |touch: &Touch, phase| TouchEvent { touch: *touch, phase };
        self.events.clear();
        for touch in &self.touches {
            let phase = if is_in(&before, touch) { TouchPhase::Persisted } else { TouchPhase::Started };
            self.events.push(event(touch, phase));
        }
        let gone = before.iter().filter(|touch| !is_in(&self.touches, touch)).chain(&self.ended);
        self.events.extend(gone.map(|touch| event(touch, TouchPhase::Ended)));
        self.events.sort_by_key(|event| (event.touch, event.phase != TouchPhase::Ended));
        self.ended.clear();
    }

    fn find_touches(&self) -> Vec<Touch> {
        let (mut touches, mut pairs) = (Vec::new(), Vec::new());
        for (&body_a, a) in &self.bodies {
            for (&body_b, b) in self.bodies.range(body_a..) {
                let is_same = body_a == body_b;
                overlapping_boxes(&a.posed, &b.posed, &mut pairs);
                check_boxes(&a.posed, &b.posed, &pairs);
                for pair in &pairs {
                    let runtime::BoxPair { box_a, box_b, joint_a, joint_b } = *pair;
                    let can_touch = if is_same {
                        let layers = [box_a, box_b].map(|index| a.layers_of_box(index));
                        a.settings.self_touches
                            && box_a < box_b
                            && !a.are_neighbors(joint_a, joint_b)
                            && layers[0].interacts_with(layers[1])
                            && roles_meet((a, box_a), (a, box_b))
                    } else {
                        interact((a, box_a), (b, box_b))
                    };
                    if can_touch {
                        touches.push(Touch { body_a, body_b, answer: BoxPair { box_a, box_b, joint_a, joint_b } });
                    }
                }
            }
        }
        touches.sort_unstable();
        touches
    }

    /// Calls `found` with each body that the filter may admit.
    pub(super) fn posed_bodies(&self) -> impl Iterator<Item = (BodyId, &ModelBody)> {
        self.bodies.iter().map(|(&id, body)| (id, body)).filter(|(_, body)| body.posed.is_posed())
    }
}

/// Compares the pairs of boxes that are boxes with a test of every pair.
fn check_boxes(a: &PosedCharacter, b: &PosedCharacter, pairs: &[runtime::BoxPair]) {
    for one in a.boxes().filter(|one| one.shape == HitboxShape::Box) {
        for other in b.boxes().filter(|other| other.shape == HitboxShape::Box) {
            let found = pairs.binary_search_by_key(&(one.index, other.index), |pair| (pair.box_a, pair.box_b)).is_ok();
            assert_eq!(found, one.obb().overlaps(&other.obb()), "{one:?} {other:?}");
        }
    }
}

/// Returns `true` if the filter finds this hitbox, as [`QueryFilter`] says it.
pub(super) fn admits(
    filter: &QueryFilter<'_>,
    divisor: u16,
    (id, body): (BodyId, &ModelBody),
    index: BoxIndex,
) -> bool {
    let layers = body.layers_of_box(index);
    let tags = body.character.tags(index);
    let of_layers = filter.layers.is_none_or(|wanted| {
        (wanted.mask == 0 || layers.memberships & wanted.mask != 0)
            && (wanted.memberships == 0 || layers.mask & wanted.memberships != 0)
    });
    filter.only.is_none_or(|only| only == id)
        && !filter.exclude.contains(&id)
        && (filter.team.is_none() || filter.team != body.settings.team)
        && layers != CollisionLayers::NONE
        && of_layers
        && filter.roles.contains(role(body, index))
        && (filter.tags.is_empty() || tags.iter().any(|tag| filter.tags.contains(&tag.as_str())))
        && index.0.is_multiple_of(divisor)
}
