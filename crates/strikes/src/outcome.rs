//! The outcome of a contact, from the states of the target.

use crate::clock::Clock;
use crate::strike::Outcome;
use baked_format::{AttackKind, BakedCharacter, ClipState, HitboxRole, StateKind};
use runtime::{BoxIndex, Character};
use std::sync::Arc;

/// The states of a target within a tick.
pub(crate) struct States {
    character: Arc<Character>,
    /// `None` if the target plays no clip.
    clock: Option<Clock>,
}

impl States {
    pub(crate) fn new(character: Arc<Character>, clock: Option<Clock>) -> Self {
        Self { character, clock }
    }

    fn all(&self) -> impl Iterator<Item = (&ClipState, &Clock)> {
        let baked: &BakedCharacter = self.character.baked();
        self.clock.iter().flat_map(|clock| {
            baked.states.iter().filter(|state| state.clip == clock.clip).map(move |state| (state, clock))
        })
    }

    /// Appends the shares of the tick at which a state begins or ends.
    pub(crate) fn edges(&self, edges: &mut Vec<f32>) {
        for (state, clock) in self.all() {
            state.active.iter().for_each(|window| clock.spans(window, |from, to| edges.extend([from, to])));
        }
    }

    /// Returns `true` if a hitbox is in a state at a share of the tick.
    pub(crate) fn has(&self, kind: StateKind, index: BoxIndex, share: f32) -> bool {
        self.all().any(|(state, clock)| {
            let mut open = false;
            if state.kind == kind && state.boxes.binary_search(&index.0).is_ok() {
                state.active.iter().for_each(|one| clock.spans(one, |from, to| open |= from <= share && share <= to));
            }
            open
        })
    }

    /// The outcome of an attack that meets a hitbox; `None` if nothing happens.
    pub(crate) fn outcome(&self, kind: AttackKind, index: BoxIndex, share: f32) -> Option<Outcome> {
        let has = |state| self.has(state, index, share);
        if has(StateKind::Invulnerable) {
            return Some(Outcome::Invulnerable);
        }
        match kind {
            AttackKind::Grab => {
                let names_none = !self.all().any(|(state, _)| state.kind == StateKind::Grabbable);
                (names_none || has(StateKind::Grabbable)).then_some(Outcome::Grab)
            }
            AttackKind::Throw => Some(Outcome::Throw),
            AttackKind::Strike if has(StateKind::Guard) || self.character.role(index) == HitboxRole::Guard => {
                Some(Outcome::Guard)
            }
            AttackKind::Strike if has(StateKind::Armor) => Some(Outcome::Armor),
            AttackKind::Strike => Some(Outcome::Hit),
        }
    }
}
