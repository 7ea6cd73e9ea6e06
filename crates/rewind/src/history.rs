//! The ring of recorded ticks.

use crate::between::bounds_between;
use crate::moment::{Moment, MomentError, MomentKind, Shown};
use crate::part::Part;
use crate::rules::{Interpolation, Rules};
use crate::scratch::{Scratch, Spare};
use crate::tick::Tick;
use crate::view::View;
use geometry_core::Ray;
use runtime::{Bodies, BodyId, BodyRayHit, HitboxWorld, QueryFilter, TileList};
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// The size of a [`History`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HistorySettings {
    /// The number of ticks that are kept; at least 2.
    pub ticks: usize,
    /// The seconds from one tick to the next, for [`Rules::max_back`].
    pub tick_seconds: f64,
}

/// 64 ticks, 64 ticks a second.
impl Default for HistorySettings {
    fn default() -> Self {
        Self { ticks: 64, tick_seconds: 1.0 / 64.0 }
    }
}

/// What [`History::record`] stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The number of bodies that can be seen at this tick.
    pub bodies: usize,
    /// The number of bodies without a pose, which nobody sees.
    pub without_pose: usize,
    /// The number of bodies whose pose could not be stored, so nobody sees them either: bodies that were posed with
    /// matrices in a world that does not [keep](HitboxWorld::keep_joints) them, or with the pose of another body.
    pub without_recipe: usize,
    /// The first of these bodies.
    pub first_without_recipe: Option<BodyId>,
}

/// The reason why a tick cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Ticks are recorded in ascending order. After a rollback, call [`History::drop_after`] first.
    #[error(
        "tick {tick} is not after tick {newest}, the newest in the history; call `drop_after` before you record a tick again"
    )]
    NotNewer {
        /// The tick that was passed.
        tick: u64,
        /// The newest tick of the history.
        newest: u64,
    },
}

/// The past of a world: for each of the last ticks, the recipe of each body's pose, its character and its settings.
///
/// A history stores numbers, not hitboxes. [`History::at`] gives a [`View`] of a moment, which poses a body only if a
/// question needs it. Many threads can look at many moments at once.
///
/// # Memory
/// A body takes about 120 bytes in each tick, and 30 more once somebody looked between this tick and the next. 4 bytes for
/// each layer of its boxes and 24 bytes for each pose layer are added, and 28 bytes for each joint of a body that is posed
/// with matrices. After the ring has been filled once,
/// nothing is allocated as long as the world does not grow.
#[derive(Debug)]
pub struct History {
    pub(crate) settings: HistorySettings,
    pub(crate) ticks: VecDeque<Arc<Tick>>,
    /// Bounds of the bodies between each tick and the next, computed when a view first needs them.
    pub(crate) between: VecDeque<OnceLock<Arc<TileList>>>,
    /// Ticks whose memory is free.
    spare_ticks: Vec<Arc<Tick>>,
    spare: Spare,
    /// Bodies that are teleported before the next tick.
    pub(crate) cuts: Vec<BodyId>,
}

/// A clone shares the memory of the recorded ticks.
impl Clone for History {
    fn clone(&self) -> Self {
        Self {
            settings: self.settings,
            ticks: self.ticks.clone(),
            between: self.between.clone(),
            spare_ticks: Vec::new(),
            spare: Spare::default(),
            cuts: self.cuts.clone(),
        }
    }
}

impl Default for History {
    fn default() -> Self {
        Self::new(HistorySettings::default())
    }
}

impl History {
    /// An empty history.
    #[must_use]
    pub fn new(settings: HistorySettings) -> Self {
        let settings = HistorySettings { ticks: settings.ticks.max(2), ..settings };
        Self {
            settings,
            ticks: VecDeque::new(),
            between: VecDeque::new(),
            spare_ticks: Vec::new(),
            spare: Spare::default(),
            cuts: Vec::new(),
        }
    }

    /// Stores the present poses, characters, settings and box layers of all bodies as those of this tick. Call it once in
    /// each tick, after the bodies were posed. Tick numbers may have gaps.
    ///
    /// # Errors
    /// Returns an error if `tick` is not greater than the newest recorded tick.
    pub fn record(&mut self, tick: u64, world: &HitboxWorld) -> Result<Recorded, RecordError> {
        if let Some(newest) = self.newest().filter(|newest| tick <= *newest) {
            return Err(RecordError::NotNewer { tick, newest });
        }
        if self.ticks.len() >= self.settings.ticks {
            let bounds = self.between.pop_front();
            self.keep(bounds);
            self.spare_ticks.extend(self.ticks.pop_front());
        }
        // A tick that a clone of the history shares is left to the clone.
        self.spare_ticks.retain_mut(|tick| Arc::get_mut(tick).is_some());
        let mut new = self.spare_ticks.pop().unwrap_or_default();
        let left = match Arc::get_mut(&mut new) {
            Some(new) => new.record(tick, world, self.ticks.back().map(|tick| &**tick), &self.cuts),
            None => return Ok(Recorded::default()),
        };
        self.cuts.clear();
        let bodies = new.bodies.len() - left.without_pose - left.without_recipe;
        self.ticks.push_back(new);
        self.between.push_back(OnceLock::new());
        Ok(Recorded {
            bodies,
            without_pose: left.without_pose,
            without_recipe: left.without_recipe,
            first_without_recipe: left.first_without_recipe,
        })
    }

    /// Marks a body that is teleported, or respawns, from the newest tick to the next one that is recorded. No view shows
    /// it between its two places.
    pub fn cut(&mut self, body: BodyId) {
        if !self.cuts.contains(&body) {
            self.cuts.push(body);
        }
    }

    /// Forgets all ticks after this one, for a rollback that computes them again. Marks of [`History::cut`] since the
    /// newest tick are forgotten too.
    pub fn drop_after(&mut self, tick: u64) {
        while self.newest().is_some_and(|newest| newest > tick) {
            self.spare_ticks.extend(self.ticks.pop_back());
            let bounds = self.between.pop_back();
            self.keep(bounds);
        }
        let bounds = self.between.back_mut().map(std::mem::take);
        self.keep(bounds);
        self.cuts.clear();
    }

    /// Keeps the memory of bounds that are not needed any more.
    fn keep(&mut self, bounds: Option<OnceLock<Arc<TileList>>>) {
        if let Some(tiles) = bounds.and_then(OnceLock::into_inner) {
            self.spare.give_back_tiles(tiles);
        }
    }

    /// The settings that the history was made with.
    #[must_use]
    pub fn settings(&self) -> HistorySettings {
        self.settings
    }

    /// The recorded ticks, in ascending order.
    pub fn ticks(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        self.ticks.iter().map(|tick| tick.number)
    }

    /// The oldest recorded tick.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.ticks.front().map(|tick| tick.number)
    }

    /// The newest recorded tick.
    #[must_use]
    pub fn newest(&self) -> Option<u64> {
        self.ticks.back().map(|tick| tick.number)
    }

    /// The number of recorded ticks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Returns `true` if nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ticks.is_empty()
    }

    /// The world as it was at a moment, with the default [`Rules`].
    ///
    /// # Errors
    /// Returns an error if the history is empty, or the fraction is NaN.
    pub fn at(&self, moment: Moment) -> Result<View<'_>, MomentError> {
        self.at_with(moment, &Rules::default())
    }

    /// The world as it was at a moment. A moment that the history or the rules do not allow is replaced by the nearest
    /// that they allow, and [`View::kind`] says so.
    ///
    /// # Errors
    /// Returns an error if the history is empty, or the fraction is NaN.
    pub fn at_with<'h>(&'h self, moment: Moment, rules: &Rules<'h>) -> Result<View<'h>, MomentError> {
        self.at_each(moment, &[], rules)
    }

    /// The world as a client saw it that shows some bodies at moments of their own, for example because it interpolates
    /// each body between the last two snapshots that had it. `own` has these bodies and their moments; of two moments for
    /// one body, the first counts. All other bodies are shown at `moment`. The rules apply to each moment.
    ///
    /// A body is posed only if a question reaches its bounds. A question looks at the bounds of all bodies once for each
    /// pair of ticks that the moments lie between.
    ///
    /// # Errors
    /// Returns an error if the history is empty, or the fraction of any moment is NaN.
    pub fn at_each<'h>(
        &'h self,
        moment: Moment,
        own: &[(BodyId, Moment)],
        rules: &Rules<'h>,
    ) -> Result<View<'h>, MomentError> {
        let shown = self.find(moment, rules)?;
        own.iter().try_for_each(|(_, moment)| self.find(*moment, rules).map(drop))?;
        let own = own.iter().filter_map(|(id, moment)| Some((*id, self.find(*moment, rules).ok()?)));
        let part_at = |shown: &Shown, scratch: &mut Scratch| {
            let way = (shown.share > 0.0).then(|| self.way_from(shown.place, scratch));
            Part::new(&self.ticks[shown.place], way, rules.interpolation, &self.spare)
        };
        Ok(View::new(&self.spare, shown, own, rules, part_at))
    }

    /// The moment, or the nearest that the history and the rules allow.
    fn find(&self, moment: Moment, rules: &Rules<'_>) -> Result<Shown, MomentError> {
        let (Some(oldest), Some(newest)) = (self.oldest(), self.newest()) else { return Err(MomentError::Empty) };
        if moment.fraction.is_nan() {
            return Err(MomentError::NotANumber);
        }
        let mut moment = Moment { fraction: moment.fraction.clamp(0.0, 1.0), ..moment };
        let mut clamped = None;
        let back = (rules.max_back / self.settings.tick_seconds).max(0.0);
        let allowed = (newest as f64 - back).max(0.0);
        if (moment.tick as f64 + f64::from(moment.fraction)) < allowed {
            moment = Moment { tick: allowed as u64, fraction: (allowed - allowed.floor()) as f32 };
            clamped = Some(MomentKind::ClampedToMaxBack);
        }
        if moment.tick < oldest {
            (moment, clamped) = (Moment::of_tick(oldest), clamped.or(Some(MomentKind::ClampedToOldest)));
        } else if moment.tick > newest || (moment.tick == newest && moment.fraction > 0.0) {
            (moment, clamped) = (Moment::of_tick(newest), Some(MomentKind::ClampedToNewest));
        }
        let place = self.ticks.partition_point(|tick| tick.number <= moment.tick) - 1;
        let share = self.ticks.get(place + 1).map_or(0.0, |next| {
            let number = self.ticks[place].number;
            ((moment.tick - number) as f32 + moment.fraction) / (next.number - number) as f32
        });
        let is_nearest = matches!(rules.interpolation, Interpolation::Nearest);
        let (place, share) = match share {
            share if share >= 1.0 || (is_nearest && share >= 0.5) => (place + 1, 0.0),
            _ if is_nearest => (place, 0.0),
            share => (place, share),
        };
        Ok(Shown { place, share, moment, clamped })
    }

    /// The tick after the one at a place of the ring, and the bounds of the bodies on the way to it.
    fn way_from(&self, place: usize, scratch: &mut Scratch) -> (&Tick, &TileList) {
        let (from, to) = (&self.ticks[place], &self.ticks[place + 1]);
        let tiles = self.between[place].get_or_init(|| {
            let mut tiles = self.spare.take_tiles();
            bounds_between(from, to, &mut scratch.bounds, Arc::make_mut(&mut tiles));
            tiles
        });
        (to, tiles)
    }

    /// Casts many rays, each at its own moment: `hits[i]` is the first hit of `shots[i]`, or the reason why there is no
    /// view of its moment. `hits` is overwritten.
    pub fn cast_rays<'h>(
        &'h self,
        shots: &[PastShot<'_>],
        rules: &Rules<'h>,
        hits: &mut Vec<Result<Option<BodyRayHit>, MomentError>>,
    ) {
        hits.clear();
        hits.extend(
            shots
                .iter()
                .map(|shot| Ok(self.at_with(shot.moment, rules)?.cast_ray(&shot.ray, shot.max_time, &shot.filter))),
        );
    }
}

/// A ray that a player cast at a moment in the past.
#[derive(Clone, Copy, Debug)]
pub struct PastShot<'a> {
    /// The moment that the player saw.
    pub moment: Moment,
    /// The ray, in world space.
    pub ray: Ray,
    /// The latest time of a hit; `None` sets no limit.
    pub max_time: Option<f32>,
    /// The bodies and hitboxes that the ray may find, for example all but the shooter.
    pub filter: QueryFilter<'a>,
}
