//! The state of a history as data that can be stored and sent.

use crate::history::{History, HistorySettings};
use crate::poser::Poser;
use crate::tick::{Kind, NONE, PastBody, PastCharacter, Tick};
use runtime::{
    Bodies, BodyId, BodySettings, Character, CollisionLayers, HitboxWorld, PoseError, PoseLayer, PosedCharacter,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The state of a [`History`], which can be stored and sent. The state has the names of the characters, not the characters
/// themselves. [`History::save`] makes the state and [`History::restore`] reads it. Use any serde format that keeps `f32`
/// and `f64` exactly. The fields are not public and may change between versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryState {
    ticks: u64,
    tick_seconds: f64,
    cuts: Vec<BodyId>,
    recorded: Vec<TickState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct TickState {
    number: u64,
    bodies: Vec<(BodyId, PastBody)>,
    characters: Vec<String>,
    settings: Vec<BodySettings>,
    layers: Vec<PoseLayer>,
    box_layers: Vec<CollisionLayers>,
    joints: Vec<f32>,
}

/// The reason why a state does not fit the characters.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The function that was passed to [`History::restore`] returned no character for a name. Load the character and return
    /// it for this name.
    #[error("tick {tick} has a {name:?}, for which no character was given; pass this character too")]
    NoCharacter {
        /// The tick.
        tick: u64,
        /// The character's name.
        name: String,
    },
    /// The state was damaged, or the character has changed since the history was saved.
    #[error(
        "tick {tick}: what was saved about body {id} does not fit its character; pass the character as it was then"
    )]
    WrongBody {
        /// The tick.
        tick: u64,
        /// The id of the body.
        id: BodyId,
    },
    /// The state was damaged, or the character has changed since the history was saved.
    #[error("tick {tick}: body {id} cannot be posed as it was saved; pass the character as it was then")]
    WrongPose {
        /// The tick.
        tick: u64,
        /// The id of the body.
        id: BodyId,
        /// The reason.
        #[source]
        error: PoseError,
    },
    /// The state was damaged.
    #[error(
        "the ticks of the saved history, or the bodies of tick {tick}, are not in order, or too many; save it again"
    )]
    WrongOrder {
        /// The tick.
        tick: u64,
    },
}

impl History {
    /// The state of the history, for [`History::restore`].
    #[must_use]
    pub fn save(&self) -> HistoryState {
        HistoryState {
            ticks: self.settings.ticks as u64,
            tick_seconds: self.settings.tick_seconds,
            cuts: self.cuts.clone(),
            recorded: self.ticks.iter().map(|tick| tick.save()).collect(),
        }
    }

    /// Makes a history from a saved state. Views of it give the same answers, and it has the same checksums. The function
    /// poses all bodies of all ticks once, to find their bounds.
    ///
    /// The function calls `character` with the name of each character. Only the name identifies the character, so all
    /// characters of the game need different names.
    ///
    /// # Errors
    /// Returns an error if a name has no character, or if the state does not fit the characters.
    pub fn restore(
        state: &HistoryState,
        mut character: impl FnMut(&str) -> Option<Arc<Character>>,
    ) -> Result<Self, RestoreError> {
        let ticks = usize::try_from(state.ticks).unwrap_or(usize::MAX);
        let mut history = Self::new(HistorySettings { ticks, tick_seconds: state.tick_seconds });
        let mut poser = Poser::default();
        for saved in &state.recorded {
            let tick = saved.number;
            if history.ticks.len() >= history.settings.ticks || history.newest().is_some_and(|newest| tick <= newest) {
                return Err(RestoreError::WrongOrder { tick });
            }
            let known = history.ticks.back().cloned();
            let restored = saved.restore(known.as_deref(), &mut poser, &mut character)?;
            history.ticks.push_back(Arc::new(restored));
            history.between.push_back(Default::default());
        }
        state.cuts.iter().for_each(|&body| history.cut(body));
        Ok(history)
    }
}

impl Tick {
    fn save(&self) -> TickState {
        TickState {
            number: self.number,
            bodies: self.ids.iter().copied().zip(self.bodies.iter().copied()).collect(),
            characters: self.characters.iter().map(|one| one.character.name().into()).collect(),
            settings: self.settings.clone(),
            layers: self.layers.clone(),
            box_layers: self.box_layers.clone(),
            joints: self.joints.clone(),
        }
    }
}

impl TickState {
    /// `known` is the tick before, which mostly has the same characters.
    fn restore(
        &self,
        known: Option<&Tick>,
        poser: &mut Poser,
        character: &mut impl FnMut(&str) -> Option<Arc<Character>>,
    ) -> Result<Tick, RestoreError> {
        let number = self.number;
        let mut characters = Vec::new();
        for name in &self.characters {
            let known = known.and_then(|known| known.characters.iter().find(|one| one.character.name() == name));
            let missing = || RestoreError::NoCharacter { tick: number, name: name.clone() };
            characters.push(match known {
                Some(known) => known.clone(),
                None => PastCharacter::new(character(name).ok_or_else(missing)?),
            });
        }
        let (ids, bodies) = self.bodies.iter().copied().unzip();
        let mut tick = Tick {
            number,
            ids,
            bodies,
            characters,
            settings: self.settings.clone(),
            layers: self.layers.clone(),
            box_layers: self.box_layers.clone(),
            joints: self.joints.clone(),
            tiles: Default::default(),
        };
        if !tick.ids.is_sorted_by(|one, next| one < next) {
            return Err(RestoreError::WrongOrder { tick: number });
        }
        // The world finds the bounds of the bodies.
        let mut world = HitboxWorld::new();
        for (&id, past) in tick.ids.iter().zip(&tick.bodies) {
            let settings = tick.check(past).ok_or(RestoreError::WrongBody { tick: number, id })?;
            let wrong_pose = |error| RestoreError::WrongPose { tick: number, id, error };
            let mut posed = PosedCharacter::new();
            poser.pose(&tick, past, &mut posed).map_err(wrong_pose)?;
            let character = Arc::clone(&tick.character_of(past).character);
            let wrong_body = |_| RestoreError::WrongBody { tick: number, id };
            world.insert(id, character, settings).map_err(wrong_body)?;
            if posed.is_posed() {
                world.pose_one(id, |body| body.copy_pose(&posed)).map_err(wrong_body)?;
            }
        }
        tick.tiles.copy(world.tiles());
        Ok(tick)
    }
}

impl Tick {
    /// The settings of a body that was read. `None` if any of its numbers names something that is not there.
    fn check(&self, past: &PastBody) -> Option<BodySettings> {
        let character = &self.characters.get(past.character as usize)?.character;
        let settings = *self.settings.get(past.settings as usize)?;
        let has =
            |count: usize, list: usize, first: u32| (first as usize).checked_add(count).is_some_and(|end| end <= list);
        let has_box_layers =
            past.box_layers == NONE || has(character.box_count(), self.box_layers.len(), past.box_layers);
        let has_lists = match past.kind {
            Kind::Nothing | Kind::Rest | Kind::Clip => true,
            Kind::Layers => has(past.layer_count.into(), self.layers.len(), past.first),
            Kind::PackedJoints | Kind::Joints => {
                let count = character.needed_joints().len();
                count > 0 && has(count * past.floats_of_joint(), self.joints.len(), past.first)
            }
        };
        (has_box_layers && has_lists).then_some(settings)
    }
}
