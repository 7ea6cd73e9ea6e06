//! The running swings, and what they have struck.

use crate::exact::Exact;
use crate::film::{Film, Source};
use crate::running::{MAX_SPEED, Number, Running};
use crate::seen::Seen;
use crate::strike::Strike;
use crate::swing::{StrikeError, Swing};
use crate::tick::Tick;
use crate::weapon::{Equipped, Weapon};
use rewind::History;
use runtime::BodyId;

/// A body that hit stop holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Frozen {
    body: BodyId,
    /// The ticks that are left, at least 1.
    ticks: u64,
}

/// The rules of [`Strikes::advance`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrikeRules {
    /// A body that moves farther than this from one tick to the next, in world units, was teleported: it strikes nothing and
    /// nothing strikes it on the way. See [`rewind::Rules::teleport_distance`].
    pub teleport_distance: f32,
    /// The longest time back from the newest tick for the moments of [`Seen`], in seconds. See [`rewind::Rules::max_back`].
    pub max_back: f64,
    /// `true` if a strike counts only when the attacking hitbox or weapon touches the *skin* of the target's hitbox, and not
    /// the hitbox alone. The point of the strike is then on the skin. A hitbox counts as touching if it does when enlarged by
    /// 1/1000 of the half extents of both hitboxes; the box around a hull stands for the hull. Clashes do not change.
    ///
    /// Each target that an attack meets must have a skin: [`Character::has_skin`](runtime::Character::has_skin).
    pub exact: bool,
}

/// 2 units from tick to tick, 0.25 seconds back, and hitboxes count.
impl Default for StrikeRules {
    fn default() -> Self {
        Self { teleport_distance: 2.0, max_back: 0.25, exact: false }
    }
}

/// The swings that run, and the targets that each of them has struck. This is the whole state: save a clone for a rollback.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strikes {
    /// Sorted by attacker and instance.
    swings: Vec<Running>,
    /// Sorted by body.
    frozen: Vec<Frozen>,
    /// Sorted by body and number.
    weapons: Vec<Equipped>,
}

impl Strikes {
    /// The largest speed of a swing.
    pub const MAX_SPEED: f32 = MAX_SPEED;

    /// No swings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a swing. Call it before [`Strikes::advance`] leaves the tick at which the body's clip is at
    /// [`Swing::seconds`].
    ///
    /// # Errors
    /// Returns an error for a time that is not finite, a speed out of range, or a swing that runs already.
    pub fn begin(&mut self, swing: Swing) -> Result<(), StrikeError> {
        let Swing { attacker, instance, clip, seconds, speed, loops } = swing;
        let (speed, seconds) = (Number::new(speed.into()), Number::new(seconds.into()));
        let new =
            Running { attacker, instance, clip, loops, speed, seconds, elapsed: Number::new(0.0), struck: Vec::new() };
        new.check()?;
        match self.find(attacker, instance) {
            Ok(_) => Err(StrikeError::AlreadyRunning { attacker, instance }),
            Err(place) => {
                self.swings.insert(place, new);
                Ok(())
            }
        }
    }

    /// Ends a swing. Returns `false` if it did not run.
    pub fn end(&mut self, attacker: BodyId, instance: u32) -> bool {
        let place = self.find(attacker, instance);
        place.map(|place| self.swings.remove(place)).is_ok()
    }

    /// Ends all swings of a body, for example because it was hit or has left. A body that has left is not frozen any more.
    pub fn end_all(&mut self, attacker: BodyId) {
        self.swings.retain(|one| one.attacker != attacker);
        self.frozen.retain(|one| one.body != attacker);
    }

    /// Gives a body a weapon, which strikes in its swings from the tick on that [`Strikes::advance`] has reached. `number` is
    /// the game's own, and tells the weapons of a body apart; a weapon with the same number is replaced.
    ///
    /// The body keeps the weapon until [`Strikes::unequip`], whatever its swings do.
    ///
    /// ```
    /// use glam::Vec3;
    /// use runtime::{BodyId, Character};
    /// use strikes::{Strikes, Weapon};
    ///
    /// let runa = Character::load(&std::fs::read("../../assets/runa.bonebox")?)?;
    /// let mut swings = Strikes::new();
    /// // A blade from the grip to the tip, 4 cm wide, in the space of the hand's joint.
    /// let (place, half_extents) = Weapon::blade(Vec3::Y * 0.1, Vec3::Y * 1.0, 0.04);
    /// let sword = Weapon::at_joint(&runa, "hand_l", place, half_extents)?;
    /// swings.equip(BodyId(1), 0, &sword)?;
    /// // Only in the attacks with these names, whatever hitboxes they have:
    /// swings.equip(BodyId(1), 1, &sword.in_attacks(&runa, &["fist"])?)?;
    /// assert!(swings.unequip(BodyId(1), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if a number of the weapon is not finite or out of range, if a half extent is negative, or if the list
    /// of attacks is not sorted.
    pub fn equip(&mut self, body: BodyId, number: u32, weapon: &Weapon) -> Result<(), StrikeError> {
        let new = Equipped::new(body, number, weapon)?;
        match self.weapons.binary_search_by_key(&(body, number), |one| (one.body, one.number)) {
            Ok(place) => self.weapons[place] = new,
            Err(place) => self.weapons.insert(place, new),
        }
        Ok(())
    }

    /// Takes a weapon from a body. Returns `false` if it did not have the weapon.
    pub fn unequip(&mut self, body: BodyId, number: u32) -> bool {
        let place = self.weapons.binary_search_by_key(&(body, number), |one| (one.body, one.number));
        place.map(|place| self.weapons.remove(place)).is_ok()
    }

    /// The weapons of all bodies, by body and number.
    pub fn weapons(&self) -> impl ExactSizeIterator<Item = (BodyId, u32, Weapon)> + '_ {
        self.weapons.iter().map(|one| (one.body, one.number, one.weapon()))
    }

    /// Changes the speed of a swing, from the tick on that [`Strikes::advance`] has reached.
    ///
    /// # Errors
    /// Returns an error for a speed out of range, or a swing that does not run.
    pub fn set_speed(&mut self, attacker: BodyId, instance: u32, speed: f32) -> Result<(), StrikeError> {
        let place = self.find(attacker, instance).map_err(|_| StrikeError::NotRunning { attacker, instance })?;
        let changed = Running { speed: Number::new(speed.into()), ..self.swings[place].clone() };
        changed.check()?;
        self.swings[place] = changed;
        Ok(())
    }

    /// Hit stop: the swings of both bodies stand still for so many ticks. They neither strike nor clash. A body that is frozen already
    /// keeps the larger number. The game holds the animations of bodies that [are frozen](Strikes::is_frozen).
    pub fn hit_stop(&mut self, bodies: [BodyId; 2], ticks: u64) {
        for body in bodies.into_iter().filter(|_| ticks > 0) {
            match self.frozen.binary_search_by_key(&body, |one| one.body) {
                Ok(place) => self.frozen[place].ticks = self.frozen[place].ticks.max(ticks),
                Err(place) => self.frozen.insert(place, Frozen { body, ticks }),
            }
        }
    }

    /// Returns `true` if hit stop holds the body in the next tick.
    #[must_use]
    pub fn is_frozen(&self, body: BodyId) -> bool {
        self.frozen.binary_search_by_key(&body, |one| one.body).is_ok()
    }

    /// The running swings, by attacker and instance, each with the present time of its clip.
    pub fn swings(&self) -> impl ExactSizeIterator<Item = Swing> + '_ {
        self.swings.iter().map(|one| Swing {
            attacker: one.attacker,
            instance: one.instance,
            clip: one.clip,
            seconds: one.seconds.get() as f32,
            speed: one.speed.get() as f32,
            loops: one.loops,
        })
    }

    /// Advances all swings from one recorded tick to a later one, and overwrites `strikes` with what they did, sorted by time.
    /// The bodies move as [`History::at`] shows them between ticks. Each recorded tick in between takes its turn.
    ///
    /// A swing that does not loop ends with its clip. A clash ends swings too.
    ///
    /// # Errors
    /// Returns an error if a tick is missing or if a swing does not fit its body. Then no swing has advanced, and `strikes` is
    /// empty.
    pub fn advance(
        &mut self,
        history: &History,
        ticks: [u64; 2],
        rules: &StrikeRules,
        strikes: &mut Vec<Strike>,
    ) -> Result<(), StrikeError> {
        self.advance_seen(history, ticks, rules, &[], strikes)
    }

    /// Advances all swings as [`Strikes::advance`] does, and lets some attackers strike the past: their targets are where the
    /// attacker's client drew them. `seen` has these attackers; of two entries for one attacker, the first counts.
    ///
    /// The states of such a target are those of the clip that it played at that moment. Clashes are always those of the ticks.
    ///
    /// ```
    /// use rewind::{History, Moment};
    /// use runtime::BodyId;
    /// use strikes::{Seen, Strike, StrikeError, StrikeRules, Strikes};
    ///
    /// /// The client of body 1 drew all other bodies `behind` ticks before.
    /// fn advance(
    ///     swings: &mut Strikes,
    ///     history: &History,
    ///     tick: u64,
    ///     behind: f64,
    ///     strikes: &mut Vec<Strike>,
    /// ) -> Result<(), StrikeError> {
    ///     let moment = |tick: u64| Moment::at(tick as f64 - behind).unwrap_or(Moment::of_tick(0));
    ///     let seen = [Seen { attacker: BodyId(1), from: moment(tick - 1), to: moment(tick), own: &[] }];
    ///     swings.advance_seen(history, [tick - 1, tick], &StrikeRules::default(), &seen, strikes)
    /// }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`Strikes::advance`], and an error for a moment that is NaN.
    pub fn advance_seen(
        &mut self,
        history: &History,
        ticks: [u64; 2],
        rules: &StrikeRules,
        seen: &[Seen<'_>],
        strikes: &mut Vec<Strike>,
    ) -> Result<(), StrikeError> {
        strikes.clear();
        let (swings, frozen) = (self.swings.clone(), self.frozen.clone());
        let result = self.advance_all(history, ticks, rules, seen, strikes);
        if result.is_err() {
            strikes.clear();
            (self.swings, self.frozen) = (swings, frozen);
        }
        result
    }

    fn advance_all(
        &mut self,
        history: &History,
        [from, to]: [u64; 2],
        rules: &StrikeRules,
        seen: &[Seen<'_>],
        strikes: &mut Vec<Strike>,
    ) -> Result<(), StrikeError> {
        if from > to {
            return Err(StrikeError::Backwards { from, to });
        }
        for tick in [from, to] {
            if !history.ticks().any(|one| one == tick) {
                return Err(StrikeError::NoTick { tick });
            }
        }
        let tick_seconds = history.settings().tick_seconds;
        if !(tick_seconds > 0.0 && tick_seconds.is_finite()) {
            return Err(StrikeError::TickSeconds { seconds: tick_seconds });
        }
        self.swings.iter().try_for_each(Running::check)?;
        self.weapons.iter().try_for_each(Equipped::check)?;
        seen.iter().try_for_each(Seen::check)?;
        let numbers: Vec<u64> = history.ticks().filter(|tick| (from..=to).contains(tick)).collect();
        let StrikeRules { teleport_distance, max_back, exact } = *rules;
        let source = Source { history, weapons: &self.weapons, seen, teleport_distance, max_back };
        for ticks in numbers.windows(2) {
            let (number, passed) = (ticks[0], ticks[1] - ticks[0]);
            if !self.swings.is_empty() {
                let is_frozen = |body| self.frozen.binary_search_by_key(&body, |one: &Frozen| one.body).is_ok();
                let frozen: Vec<bool> = self.swings.iter().map(|one| is_frozen(one.attacker)).collect();
                let seconds = tick_seconds * passed as f64;
                let shares = [number, ticks[1]].map(|tick| (tick - from) as f64 / (to - from) as f64);
                let mut film =
                    Film::new(&source, [number, ticks[1]], shares).ok_or(StrikeError::NoTick { tick: number })?;
                let tick = Tick {
                    number,
                    seconds,
                    swings: &mut self.swings,
                    frozen: &frozen,
                    exact: exact.then(Exact::default),
                };
                tick.advance(&mut film, strikes)?;
            }
            self.frozen.retain_mut(|one| {
                one.ticks = one.ticks.saturating_sub(passed);
                one.ticks > 0
            });
        }
        Ok(())
    }

    fn find(&self, attacker: BodyId, instance: u32) -> Result<usize, usize> {
        self.swings.binary_search_by_key(&(attacker, instance), |one| (one.attacker, one.instance))
    }
}
