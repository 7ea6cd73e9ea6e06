//! The bodies at the moments of one tick.

use crate::clock::Clock;
use rewind::{History, Moment, MomentKind, Rules, View};
use runtime::{Body, BodyId, BodyMotion, Bounds, Character};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The bodies at all moments from one recorded tick to the next. A moment is a share of the way, from 0 to 1.
pub(crate) struct Film<'h> {
    history: &'h History,
    ticks: [u64; 2],
    rules: Rules<'h>,
    /// The views so far, by the bits of their shares, which sort like the shares.
    views: BTreeMap<u32, View<'h>>,
    /// All bodies at the first tick, with bounds at all moments, in ascending order.
    pub(crate) bounds: Vec<(BodyId, Bounds)>,
}

/// The middle of the tick.
const MIDDLE: f32 = 0.5;

impl<'h> Film<'h> {
    /// `None` if the history is empty.
    pub(crate) fn new(history: &'h History, ticks: [u64; 2], teleport_distance: f32) -> Option<Self> {
        let rules = Rules { max_back: f64::INFINITY, teleport_distance, ..Rules::default() };
        let mut film = Self { history, ticks, rules, views: BTreeMap::new(), bounds: Vec::new() };
        [0.0, MIDDLE, 1.0].into_iter().for_each(|share| film.prepare(share));
        let mut bounds = Vec::new();
        film.view(MIDDLE)?.each_bounds(|id, one| bounds.push((id, one)));
        bounds.sort_unstable_by_key(|(id, _)| *id);
        film.bounds = bounds;
        Some(film)
    }

    /// Makes the view of a moment.
    pub(crate) fn prepare(&mut self, share: f32) {
        let share = share + 0.0;
        if self.views.contains_key(&share.to_bits()) {
            return;
        }
        let [from, to] = self.ticks;
        let passed = f64::from(share) * (to - from) as f64;
        let moment = if share >= 1.0 {
            Moment::of_tick(to)
        } else {
            Moment { tick: from + passed as u64, fraction: (passed - passed.floor()) as f32 }
        };
        // A view fails only for an empty history and for NaN.
        if let Ok(view) = self.history.at_with(moment, &self.rules) {
            self.views.insert(share.to_bits(), view);
        }
    }

    fn view(&self, share: f32) -> Option<&View<'h>> {
        self.views.get(&(share + 0.0).to_bits())
    }

    /// Returns `true` if no view shows the body between the two ticks: it was teleported, it left, or it became another
    /// character. It stands at the first tick's place until the second tick.
    fn is_cut(&self, id: BodyId) -> bool {
        self.view(MIDDLE).is_none_or(|view| view.kind(id) != Some(MomentKind::Interpolated))
    }

    /// A body at a moment that was [prepared](Film::prepare).
    pub(crate) fn body(&self, share: f32, id: BodyId) -> Option<&Body> {
        let share = if share >= 1.0 && self.is_cut(id) { 0.0 } else { share };
        self.view(share)?.body(id)
    }

    /// The motion of a body between two moments that were prepared.
    pub(crate) fn motion(&self, [from, to]: [f32; 2], id: BodyId) -> Option<BodyMotion<'_>> {
        let first = self.body(from, id)?.posed();
        if from == to {
            return Some(BodyMotion::still(first));
        }
        BodyMotion::new(first, self.body(to, id)?.posed()).ok()
    }

    pub(crate) fn character(&self, id: BodyId) -> Option<Arc<Character>> {
        Some(Arc::clone(self.view(0.0)?.character_of(id)?.0))
    }

    pub(crate) fn team(&self, id: BodyId) -> Option<u32> {
        self.view(0.0)?.character_of(id)?.1.team
    }

    /// The times of the clip that a body plays.
    pub(crate) fn clock_of(&self, id: BodyId) -> Option<Clock> {
        let (clip, from) = self.view(0.0)?.clip_of(id)?;
        let last = self.view(1.0).filter(|_| !self.is_cut(id)).and_then(|view| view.clip_of(id));
        let to = last.filter(|(last, _)| *last == clip).map_or(from, |(_, to)| to);
        Clock::between(self.view(0.0)?.character_of(id)?.0, clip, from, to)
    }
}
