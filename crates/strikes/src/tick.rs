//! The strikes of one tick.

use crate::clock::Clock;
use crate::contacts::{Meeting, Moving};
use crate::exact::Exact;
use crate::film::{Eye, Film, PRESENT, overlap};
use crate::outcome::States;
use crate::running::{Number, Running, Struck};
use crate::strike::{Outcome, Strike};
use crate::swing::StrikeError;
use baked_format::StateKind;
use runtime::{BodyId, Bounds};

/// Contacts of a group at most this long after its first contact, in seconds, are at once: the lowest rank strikes.
const AT_ONCE_SECONDS: f64 = 1.0 / 60.0;

/// The shortest time between two strikes of a group at the same target, in seconds.
const LEAST_REHIT: f64 = 1.0 / 240.0;

/// A strike, or the two strikes of a clash, that happen unless a swing has ended before.
struct Event {
    strike: Strike,
    /// What the other swing of a clash did.
    second: Option<Strike>,
    /// The swings, as places in the list; twice the same if it is no clash.
    swings: [usize; 2],
    /// `true` for each swing that ends.
    ends: [bool; 2],
    /// What the first swing remembers; `None` for a clash.
    struck: Option<Struck>,
}

impl Event {
    fn of_strike(strike: Strike, swing: usize, struck: Struck) -> Self {
        Self { strike, second: None, swings: [swing; 2], ends: [false; 2], struck: Some(struck) }
    }
}

/// One recorded tick to the next.
pub(crate) struct Tick<'t> {
    pub(crate) number: u64,
    pub(crate) seconds: f64,
    pub(crate) swings: &'t mut Vec<Running>,
    /// The swings that stand still, by place.
    pub(crate) frozen: &'t [bool],
    /// Memory for the search of touches of the skin; `None` if the hitboxes count.
    pub(crate) exact: Option<Exact>,
}

impl Tick<'_> {
    /// Advances all swings to the end of the tick, and appends their strikes in order.
    pub(crate) fn advance(mut self, film: &mut Film<'_>, strikes: &mut Vec<Strike>) -> Result<(), StrikeError> {
        let moving = self.moving(film)?;
        let (mut events, mut near) = (Vec::new(), Vec::new());
        for (index, of_swing) in moving.iter().enumerate().filter(|(_, one)| !one.parts.is_empty()) {
            near_bodies(film, of_swing, of_swing.eye, &of_swing.bounds, &mut near);
            for &target in &near {
                let is_done = is_done(&self.swings[index], of_swing, target);
                if !is_done && film.may_strike(of_swing, target) {
                    self.strike(film, &moving, (index, of_swing), target, &mut events);
                }
            }
            let posed = moving.iter().enumerate().skip(index + 1).filter(|(_, other)| !other.parts.is_empty());
            for (other, second) in posed {
                let is_near = overlap(&of_swing.bounds, &second.bounds);
                if is_near && second.id != of_swing.id && may_meet(film, (PRESENT, second.id), of_swing.id) {
                    self.clash(film, &moving, [index, other], &mut events);
                }
            }
        }
        if let Some(target) = self.exact.as_ref().and_then(|exact| exact.without_skin) {
            return Err(StrikeError::NoSkin { target, tick: self.number });
        }
        events.sort_by_key(|event| event.strike.key());
        let first = strikes.len();
        let mut ended = vec![false; moving.len()];
        for Event { strike, second, swings, ends, struck } in events {
            if swings.into_iter().any(|swing| ended[swing]) {
                continue;
            }
            for (swing, ends) in swings.into_iter().zip(ends) {
                ended[swing] |= ends;
            }
            if let Some(struck) = struck {
                self.swings[swings[0]].mark(struck);
            }
            strikes.push(strike);
            strikes.extend(second);
        }
        strikes[first..].sort_by_key(Strike::key);
        mark_trades(&mut strikes[first..]);
        self.finish(&moving, &ended);
        Ok(())
    }

    /// The swings within the tick.
    fn moving(&self, film: &mut Film<'_>) -> Result<Vec<Moving>, StrikeError> {
        let mut moving = Vec::with_capacity(self.swings.len());
        let (film_weapons, mut near) = (film.weapons(), Vec::new());
        let lacks_joint = |attacker: BodyId, weapon: usize| {
            let number = film_weapons[weapon].number;
            StrikeError::NoSocket { attacker, weapon: number, tick: self.number }
        };
        for (running, &is_frozen) in self.swings.iter().zip(self.frozen) {
            let (attacker, clip) = (running.attacker, running.clip);
            let character =
                film.character(PRESENT, attacker).ok_or(StrikeError::NoBody { attacker, tick: self.number })?;
            let from = running.seconds.get();
            let to = if is_frozen { from } else { from + self.seconds * running.speed.get() };
            let clock = Clock::new(&character, clip, [from, to], running.loops);
            let clock = clock.ok_or(StrikeError::NoClip { attacker, clip })?;
            let mut one =
                Moving::new(film, attacker, character, clock).map_err(|weapon| lacks_joint(attacker, weapon))?;
            if is_frozen {
                one.stand_still();
            }
            one.find_rough_reach(film);
            moving.push(one);
        }
        for index in 0..moving.len() {
            if self.may_strike(film, &moving, index, &mut near) {
                let one = &mut moving[index];
                one.find_reach(film, self.seconds).map_err(|weapon| lacks_joint(one.id, weapon))?;
            }
        }
        Ok(moving)
    }

    /// Returns `false` if no attack of a swing can meet anything, without posing any body.
    fn may_strike(&self, film: &mut Film<'_>, moving: &[Moving], index: usize, near: &mut Vec<BodyId>) -> bool {
        let (swing, running) = (&moving[index], &self.swings[index]);
        if !swing.is_active() {
            return false;
        }
        film.prepare_look(swing.eye);
        let Some(reach) = swing.rough_reach else { return true };
        near_bodies(film, swing, swing.eye, &reach, near);
        if near.iter().any(|id| !is_done(running, swing, *id) && film.may_strike(swing, *id)) {
            return true;
        }
        let may_clash = |other: &Moving| {
            other.is_active()
                && other.rough_reach.is_none_or(|other| overlap(&other, &reach))
                && other.id != swing.id
                && other.may_clash()
                && may_meet(film, (PRESENT, other.id), swing.id)
        };
        swing.may_clash() && moving.iter().any(may_clash)
    }

    /// Moves the clocks on, and removes swings that have ended.
    fn finish(self, moving: &[Moving], ended: &[bool]) {
        let mut place = 0;
        self.swings.retain_mut(|running| {
            let (one, is_ended, is_frozen) = (&moving[place], ended[place], self.frozen[place]);
            place += 1;
            if !is_frozen {
                running.elapsed = Number::new(running.elapsed.get() + self.seconds);
                running.seconds = Number::new(one.clock.last());
            }
            let last = one.character.clips().get(one.clock.clip.index()).map_or(0.0, |clip| f64::from(clip.end()));
            let is_over = !running.loops && !is_frozen && running.speed.get() > 0.0 && one.clock.to >= last;
            !is_ended && !is_over
        });
    }

    /// The states of a body: those of its own swing, or of the clip that it plays. What an attacker sees plays its clips.
    fn states(film: &Film<'_>, moving: &[Moving], (eye, id): (Eye, BodyId)) -> Option<States> {
        // Swings are sorted by attacker. The first of several counts.
        let first = moving.get(moving.partition_point(|one| one.id < id));
        let own = first.filter(|one| eye == PRESENT && one.id == id).map(|one| one.clock);
        Some(States::new(film.character(eye, id)?, own.or_else(|| film.clock_of(eye, id))))
    }

    /// Appends what a swing does to a target.
    fn strike(
        &mut self,
        film: &mut Film<'_>,
        moving: &[Moving],
        (index, swing): (usize, &Moving),
        target: BodyId,
        events: &mut Vec<Event>,
    ) {
        let mut exact = self.exact.take();
        let running = &self.swings[index];
        let Some(states) = Self::states(film, moving, (swing.eye, target)) else {
            self.exact = exact;
            return;
        };
        let (mut edges, mut all) = (Vec::new(), Vec::new());
        states.edges(&mut edges);
        swing.meet(film, target, &edges, 0.0, exact.as_mut(), &mut all);
        let mut groups: Vec<u32> = all.iter().map(|meeting| swing.group_of(meeting.attack)).collect();
        groups.sort_unstable();
        groups.dedup();
        for group in groups {
            let before = running.struck.iter().find(|struck| (struck.target, struck.group) == (target, group));
            let mut is_reported = before.is_some_and(|struck| struck.was_invulnerable);
            let mut ready = match before {
                Some(Struck { has_struck: true, ready: None, .. }) => continue,
                Some(Struck { has_struck: true, ready: Some(ready), .. }) => {
                    ((ready.get() - running.elapsed.get()) / self.seconds) as f32
                }
                _ => 0.0,
            };
            let mut again = Vec::new();
            while ready <= 1.0 {
                let meetings = if ready <= 0.0 {
                    &all
                } else {
                    again.clear();
                    swing.meet(film, target, &edges, ready, exact.as_mut(), &mut again);
                    &again
                };
                let of_group = || meetings.iter().filter(|meeting| swing.group_of(meeting.attack) == group);
                let with_outcome = || {
                    of_group().filter_map(|meeting| {
                        let kind = swing.attack(meeting.attack).kind;
                        Some((meeting, states.outcome(kind, meeting.sides[1].box_index, meeting.middle)?))
                    })
                };
                let chosen =
                    self.choose(swing, with_outcome().filter(|(_, outcome)| *outcome != Outcome::Invulnerable));
                let mut struck = Struck { target, group, was_invulnerable: true, has_struck: false, ready: None };
                if !is_reported {
                    let dodged = with_outcome().filter(|(_, outcome)| *outcome == Outcome::Invulnerable);
                    let dodged = self.choose(swing, dodged);
                    let is_first = |one: &Meeting| chosen.is_none_or(|(chosen, _)| one.time < chosen.time);
                    if let Some((meeting, outcome)) = dodged.filter(|(meeting, _)| is_first(meeting)) {
                        is_reported = true;
                        let strike = self.report(film, (index, swing), target, meeting, outcome);
                        events.push(Event::of_strike(strike, index, struck));
                    }
                }
                let Some((meeting, outcome)) = chosen else { break };
                let rehit = swing.attack(meeting.attack).rehit.map(|rehit| f64::from(rehit).max(LEAST_REHIT));
                let at = running.elapsed.get() + f64::from(meeting.time) * self.seconds;
                struck.was_invulnerable = is_reported;
                struck.has_struck = true;
                struck.ready = rehit.map(|rehit| Number::new(at + rehit));
                let strike = self.report(film, (index, swing), target, meeting, outcome);
                events.push(Event::of_strike(strike, index, struck));
                let Some(rehit) = rehit else { break };
                ready = meeting.time + (rehit / self.seconds) as f32;
            }
        }
        self.exact = exact;
    }

    /// The meeting that strikes: the lowest rank of those that happen at once with the first, then the earliest, then the
    /// outcome that is asked first, then the deepest.
    fn choose<'m>(
        &self,
        swing: &Moving,
        meetings: impl Iterator<Item = (&'m Meeting, Outcome)> + Clone,
    ) -> Option<(&'m Meeting, Outcome)> {
        let first = meetings.clone().map(|(meeting, _)| meeting.time).reduce(f32::min)?;
        let last = first + (AT_ONCE_SECONDS / self.seconds) as f32;
        meetings.filter(|(meeting, _)| meeting.time <= last).min_by_key(|(meeting, outcome)| {
            // The bits of numbers that are not negative sort like the numbers.
            let depth = std::cmp::Reverse((meeting.depth + 0.0).to_bits());
            (swing.attack(meeting.attack).rank, meeting.time.to_bits(), *outcome, depth, meeting.attack, meeting.sides)
        })
    }

    fn report(
        &self,
        film: &Film<'_>,
        (index, swing): (usize, &Moving),
        target: BodyId,
        of: &Meeting,
        outcome: Outcome,
    ) -> Strike {
        let [attacker_weapon, target_weapon] =
            of.sides.map(|side| side.weapon.map(|weapon| film.weapons()[weapon].number));
        Strike {
            tick: self.number,
            time: of.time,
            outcome,
            attacker: swing.id,
            instance: self.swings[index].instance,
            target,
            attack: of.attack,
            seconds: swing.clock.seconds_at(of.time),
            attacker_weapon,
            attacker_box: of.sides[0].box_index,
            attacker_joint: of.sides[0].joint,
            target_weapon,
            target_box: of.sides[1].box_index,
            target_joint: of.sides[1].joint,
            point: of.point,
            normal: of.normal,
            depth: of.depth,
        }
    }

    /// Appends the first clash of two swings.
    fn clash(&self, film: &mut Film<'_>, moving: &[Moving], places: [usize; 2], events: &mut Vec<Event>) {
        let pair = places.map(|place| &moving[place]);
        let states = pair.map(|one| Self::states(film, moving, (PRESENT, one.id)));
        let [Some(first_states), Some(second_states)] = states else { return };
        let mut first: Option<(Meeting, u32)> = None;
        pair[0].clash(film, pair[1], |meeting, second| {
            let hidden = |of: &States, side: usize| {
                of.has(StateKind::Invulnerable, meeting.sides[side].box_index, meeting.middle)
            };
            let is_first = first.as_ref().is_none_or(|(first, _)| meeting.time < first.time);
            if is_first && !hidden(&first_states, 0) && !hidden(&second_states, 1) {
                first = Some((*meeting, second));
            }
        });
        let Some((meeting, second)) = first else { return };
        let [a, b] = [pair[0].attack(meeting.attack).strength, pair[1].attack(second).strength];
        let goes_on = [a > b, b > a];
        let flipped =
            Meeting { attack: second, sides: [meeting.sides[1], meeting.sides[0]], normal: -meeting.normal, ..meeting };
        let [strike, second] = [0, 1].map(|side| {
            let outcome = Outcome::Clash { goes_on: goes_on[side] };
            let of = if side == 0 { &meeting } else { &flipped };
            self.report(film, (places[side], pair[side]), pair[1 - side].id, of, outcome)
        });
        let ends = goes_on.map(|goes_on| !goes_on);
        events.push(Event { strike, second: Some(second), swings: places, ends, struck: None });
    }
}

/// The bodies of a look that a swing may meet within bounds, in ascending order.
fn near_bodies(film: &Film<'_>, swing: &Moving, eye: Eye, bounds: &Bounds, near: &mut Vec<BodyId>) {
    film.near(eye, bounds, near);
    near.retain(|id| *id != swing.id && may_meet(film, (eye, *id), swing.id));
}

/// Returns `true` unless two bodies are of the same team.
fn may_meet(film: &Film<'_>, (eye, target): (Eye, BodyId), attacker: BodyId) -> bool {
    film.team(PRESENT, attacker).is_none_or(|team| film.team(eye, target) != Some(team))
}

/// Returns `true` if the groups of all open attacks have struck a target, and none strikes it again.
fn is_done(running: &Running, swing: &Moving, target: BodyId) -> bool {
    swing.open_attacks().all(|attack| {
        let key = (target, swing.group_of(attack));
        let found = running.struck.binary_search_by_key(&key, |struck| (struck.target, struck.group));
        found.is_ok_and(|place| running.struck[place].has_struck && running.struck[place].ready.is_none())
    })
}

/// Turns the hits of two bodies that hit each other into trades.
fn mark_trades(strikes: &mut [Strike]) {
    let hits: Vec<[BodyId; 2]> = strikes
        .iter()
        .filter(|strike| strike.outcome == Outcome::Hit)
        .map(|strike| [strike.attacker, strike.target])
        .collect();
    for strike in strikes.iter_mut().filter(|strike| strike.outcome == Outcome::Hit) {
        if hits.contains(&[strike.target, strike.attacker]) {
            strike.outcome = Outcome::Trade;
        }
    }
}
