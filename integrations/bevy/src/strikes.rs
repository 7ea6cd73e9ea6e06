//! Strikes, as messages: which attack hit whom, once, and when.

use crate::body::{HitboxBodies, body_id};
use crate::rewind::record;
use crate::{HitboxHistory, HitboxRef, HitboxSystems};
use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bonebox::strikes::{Strike, StrikeError, StrikeRules, Strikes, Swing};
use bonebox::{BodyId, BoxIndex, ClipIndex};

/// Advances the swings in [`HitboxSwings`] in each tick, and writes a [`HitboxStrike`] for each strike. Add it after
/// [`HitboxRewindPlugin`](crate::HitboxRewindPlugin), with the same schedule.
#[derive(Clone, Copy, Debug)]
pub struct HitboxStrikePlugin {
    schedule: Interned<dyn ScheduleLabel>,
    rules: StrikeRules,
}

/// Advances swings in `PostUpdate`.
impl Default for HitboxStrikePlugin {
    fn default() -> Self {
        Self::in_schedule(PostUpdate, StrikeRules::default())
    }
}

impl HitboxStrikePlugin {
    /// Advances swings in a schedule of your choice: that of the other plugins.
    #[must_use]
    pub fn in_schedule(schedule: impl ScheduleLabel, rules: StrikeRules) -> Self {
        Self { schedule: schedule.intern(), rules }
    }
}

impl Plugin for HitboxStrikePlugin {
    fn build(&self, app: &mut App) {
        let (swings, found) = (Strikes::new(), Vec::new());
        app.insert_resource(HitboxSwings { swings, rules: self.rules, tick: None, found });
        app.add_message::<HitboxStrike>();
        app.add_systems(self.schedule, advance.after(record).after(HitboxSystems::Pose).before(HitboxSystems::Test));
    }
}

/// The running swings of all characters, and their weapons.
#[derive(Resource, Debug)]
pub struct HitboxSwings {
    /// The swings. [`HitboxSwings::swing`] makes a swing of an entity, and the body of an entity is
    /// [`HitboxSwings::body`].
    pub swings: Strikes,
    /// The rules of each tick.
    pub rules: StrikeRules,
    /// The recorded tick that the swings have reached.
    tick: Option<u64>,
    found: Vec<Strike>,
}

impl HitboxSwings {
    /// A swing of a character from the start of a clip, for [`Strikes::begin`].
    #[must_use]
    pub fn swing(character: Entity, instance: u32, clip: ClipIndex) -> Swing {
        Swing::new(body_id(character), instance, clip)
    }

    /// The body of a character, for weapons and hit stop.
    #[must_use]
    pub fn body(character: Entity) -> BodyId {
        body_id(character)
    }
}

/// An attack that met a character.
///
/// ```
/// use bevy_bonebox::HitboxStrike;
/// use bevy_bonebox::bonebox::strikes::Outcome;
/// use bevy_ecs::prelude::*;
///
/// fn hurt(mut strikes: MessageReader<HitboxStrike>) {
///     for strike in strikes.read().filter(|one| one.strike.outcome == Outcome::Hit) {
///         println!("{} hits {:?} of {}", strike.attack, strike.target.tags, strike.target.entity);
///     }
/// }
/// ```
#[derive(Message, Clone, Debug, PartialEq)]
pub struct HitboxStrike {
    /// The attacker's hitbox, or the hitbox that holds the weapon.
    pub attacker: HitboxRef,
    /// The target's hitbox.
    pub target: HitboxRef,
    /// The name of the attack.
    pub attack: String,
    /// The game's own data of the attack, as JSON.
    pub data: Option<String>,
    /// The outcome, the time, the point and the rest.
    pub strike: Strike,
}

fn advance(
    bodies: Res<HitboxBodies>,
    history: Res<HitboxHistory>,
    mut swings: ResMut<HitboxSwings>,
    mut messages: MessageWriter<HitboxStrike>,
) {
    let newest = history.tick();
    // A tick that is not in the history any more is skipped: nothing was recorded for a long time.
    let before = swings.tick.replace(newest).filter(|tick| history.history().oldest().is_some_and(|one| one <= *tick));
    let Some(before) = before.filter(|tick| *tick < newest) else { return };
    let HitboxSwings { swings, rules, found, .. } = &mut *swings;
    // Each error ends at least one swing, or stops.
    while let Err(error) = swings.advance(history.history(), [before, newest], rules, found) {
        bevy_log::error!("strikes: {error}");
        match error {
            StrikeError::NoBody { attacker, .. }
            | StrikeError::NoClip { attacker, .. }
            | StrikeError::NoSocket { attacker, .. } => swings.end_all(attacker),
            _ => break,
        }
    }
    for strike in found.iter() {
        let name = |body: BodyId, index: BoxIndex| {
            let entity = Entity::try_from_bits(body.0)?;
            bodies.name(entity, index).or_else(|| bodies.name_ended(entity, index))
        };
        let attacker = name(strike.attacker, strike.attacker_box).zip(name(strike.target, strike.target_box));
        let character = Entity::try_from_bits(strike.attacker.0).and_then(|entity| bodies.asset(entity));
        let attack = character.and_then(|asset| strike.attack(asset.character()));
        let (Some((attacker, target)), Some(attack)) = (attacker, attack) else {
            bevy_log::warn!("strikes: a character left in the tick of its strike at tick {}", strike.tick);
            continue;
        };
        let (attack, data) = (attack.name.clone(), attack.data.clone());
        messages.write(HitboxStrike { attacker, target, attack, data, strike: *strike });
    }
}
