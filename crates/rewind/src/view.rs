//! The world as it was at a moment.

use crate::history::History;
use crate::moment::{Moment, MomentKind};
use crate::part::{Part, PartOf};
use crate::rules::Rules;
use crate::scratch::{Scratch, Spare};
use crate::tick::Kind;
use geometry_core::Ray;
use runtime::kernels::Kernel;
use runtime::{
    Bodies, Body, BodyCastHit, BodyId, BodyRayHit, BodyShapeOverlap, BodyTiles, CastShape, QueryFilter, QueryShape,
};

/// The bodies that a view looked at and did not show, by reason. A body counts once, if a question reached its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// [`Rules::may_ask`] did not allow the body.
    pub not_allowed: u32,
    /// The pose between the two ticks is not finite, or out of range, or does not fit the character.
    pub pose_failed: u32,
    /// The pose of [`Interpolation::Own`](crate::Interpolation::Own) lies outside its margin.
    pub out_of_margin: u32,
}

/// The world as it was at a moment in the past: a set of [`Bodies`] that answers rays, casts of shapes, and overlaps, as a
/// [`HitboxWorld`](runtime::HitboxWorld) answers them in the present. A body is posed when a question first reaches its
/// bounds. The answers depend neither on the order of the questions nor on the thread, and many threads can ask one view.
///
/// For questions about one or two bodies, such as [`runtime::sweep`], [`runtime::distance`] or [`runtime::contacts`], take
/// the hitboxes of [`View::body`].
///
/// The [tiles](Bodies::tiles) and the places of a view are those of its own moment. Bodies that [`History::at_each`] shows
/// at other moments are in tiles of their own; all questions of [`Bodies`] find them.
#[derive(Debug)]
pub struct View<'h> {
    /// The list that the scratch memory goes back to.
    pub(crate) spare: &'h Spare,
    pub(crate) rules: Rules<'h>,
    /// The bodies at the moment of the view.
    first: Part<'h>,
    /// The bodies at other moments, one part for each pair of ticks.
    others: Vec<Part<'h>>,
    /// The bodies that are shown at moments of their own, in ascending order.
    own: Vec<Own>,
    shown: Shown,
    pub(crate) scratch: Scratch,
}

/// A moment that the history and the rules allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shown {
    /// The last recorded tick that is not after the moment, as a place in the ring.
    pub(crate) place: usize,
    /// The share of the way to the next recorded tick; 0 at a tick.
    pub(crate) share: f32,
    pub(crate) moment: Moment,
    pub(crate) clamped: Option<MomentKind>,
}

/// A body that is shown at a moment of its own.
#[derive(Clone, Copy, Debug)]
struct Own {
    id: BodyId,
    /// The part that shows it.
    part: usize,
    shown: Shown,
}

impl<'h> View<'h> {
    /// `own` has the bodies that are shown at moments of their own.
    pub(crate) fn new(
        history: &'h History,
        shown: Shown,
        own: impl Iterator<Item = (BodyId, Shown)>,
        rules: &Rules<'h>,
    ) -> Self {
        let mut scratch = history.spare.take_scratch();
        let first = Part::new(history, &shown, rules, &mut scratch, 0);
        let mut slots = first.from.bodies.len();
        let (mut others, mut list): (Vec<Part<'h>>, Vec<Own>) = (Vec::new(), Vec::new());
        for (id, shown) in own {
            let parts = || std::iter::once(&first).chain(&others);
            let part = parts().position(|part| part.shows(&shown, history)).unwrap_or_else(|| {
                let part = Part::new(history, &shown, rules, &mut scratch, slots);
                slots += part.from.bodies.len();
                others.push(part);
                others.len()
            });
            list.push(Own { id, part, shown });
        }
        // Of two moments for one body, the first counts.
        list.sort_by_key(|own| own.id);
        list.dedup_by_key(|own| own.id);
        if scratch.slots.len() < slots {
            scratch.slots.resize_with(slots, Default::default);
        }
        Self { spare: &history.spare, rules: *rules, first, others, own: list, shown, scratch }
    }

    /// The moment that the view shows.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.shown.moment
    }

    /// The moment at which the view shows a body: its own moment of [`History::at_each`], or the moment of the view.
    #[must_use]
    pub fn moment_of(&self, id: BodyId) -> Moment {
        self.shown_of(id).1.moment
    }

    /// The relation of this body's hitboxes to what was recorded. `None` if the body was not in the world at this moment, or
    /// had no pose.
    #[must_use]
    pub fn kind(&self, id: BodyId) -> Option<MomentKind> {
        let (part, shown) = self.shown_of(id);
        let part = self.part(part);
        let place = part.find(id)?;
        Some(shown.clamped.unwrap_or(match part.to {
            None => MomentKind::Exact,
            Some(to) if part.next(place, to, &self.rules).is_some() => MomentKind::Interpolated,
            Some(_) => MomentKind::Cut,
        }))
    }

    /// The bodies that the view did not show so far, by reason.
    #[must_use]
    pub fn refused(&self) -> Refused {
        self.scratch.work().refused
    }

    /// A body at this moment. `None` if it was not in the world, had no pose, or the rules do not allow to ask about it.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        let part = self.shown_of(id).0;
        self.part_of(part).body_at(self.part(part).find(id)?)
    }

    /// A body at this moment, for exact questions about its skin with [`Rules::track_skin`]. See [`View::body`].
    #[must_use]
    pub fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        let slot = self.filled_slot(id)?;
        self.scratch.slots[slot].get_mut()?.as_deref_mut()
    }

    /// Two different bodies at this moment, for exact questions about both. See [`View::body_mut`].
    #[must_use]
    pub fn bodies_mut(&mut self, ids: [BodyId; 2]) -> Option<[&mut Body; 2]> {
        let slots = [self.filled_slot(ids[0])?, self.filled_slot(ids[1])?];
        let [a, b] = self.scratch.slots.get_disjoint_mut(slots).ok()?;
        Some([a.get_mut()?.as_deref_mut()?, b.get_mut()?.as_deref_mut()?])
    }

    /// The ids of all bodies that were in the world at this moment and had a pose, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        let has_own = |id: BodyId| self.own.binary_search_by_key(&id, |own| own.id).is_ok();
        let both = self.first.from.ids.iter().zip(&self.first.from.bodies);
        let mut usual = both.filter(move |(id, body)| body.kind != Kind::Nothing && !has_own(**id)).peekable();
        let mut own = self.own.iter().filter(|own| self.part(own.part).find(own.id).is_some()).peekable();
        std::iter::from_fn(move || match (usual.peek(), own.peek()) {
            (Some(&(&id, _)), Some(one)) if id < one.id => usual.next().map(|_| id),
            (_, Some(_)) => own.next().map(|own| own.id),
            _ => usual.next().map(|(id, _)| *id),
        })
    }

    /// The moment of a body, and the part that shows it.
    pub(crate) fn shown_of(&self, id: BodyId) -> (usize, &Shown) {
        match self.own.binary_search_by_key(&id, |own| own.id) {
            Ok(place) => (self.own[place].part, &self.own[place].shown),
            Err(_) => (0, &self.shown),
        }
    }

    pub(crate) fn part(&self, part: usize) -> &Part<'h> {
        part.checked_sub(1).map_or(&self.first, |other| &self.others[other])
    }

    fn part_of(&self, part: usize) -> PartOf<'_, 'h> {
        PartOf { view: self, part }
    }

    fn parts(&self) -> impl Iterator<Item = PartOf<'_, 'h>> {
        (0..=self.others.len()).map(|part| self.part_of(part))
    }

    /// The slot of a body, which is posed.
    fn filled_slot(&self, id: BodyId) -> Option<usize> {
        let part = self.shown_of(id).0;
        let place = self.part(part).find(id)?;
        self.part_of(part).body_at(place)?;
        Some(self.part(part).first_slot + place)
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        for part in std::iter::once(&mut self.first).chain(&mut self.others) {
            part.give_back(self.spare);
        }
        self.spare.give_back(std::mem::take(&mut self.scratch));
    }
}

impl Bodies for View<'_> {
    fn kernel(&self) -> Kernel {
        Kernel::best()
    }

    fn tiles(&self) -> BodyTiles<'_> {
        self.first.tiles()
    }

    fn body_at(&self, place: usize) -> Option<&Body> {
        self.part_of(0).body_at(place)
    }

    // Each question goes to all parts. The sort keys are those of a world.

    fn cast_ray(&self, ray: &Ray, max_time: impl Into<Option<f32>>, filter: &QueryFilter<'_>) -> Option<BodyRayHit> {
        let max_time = max_time.into();
        let key = |hit: &BodyRayHit| ((hit.entry + 0.0).to_bits(), hit.body, hit.box_index);
        self.parts().fold(None, |first: Option<BodyRayHit>, part| {
            let hit = part.cast_ray(ray, first.map_or(max_time, |first| Some(first.entry)), filter);
            first.into_iter().chain(hit).min_by_key(key)
        })
    }

    fn each_ray_hit(
        &self,
        ray: &Ray,
        max_time: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodyRayHit) -> bool,
    ) {
        let (max_time, mut go_on) = (max_time.into(), true);
        for part in self.parts() {
            part.each_ray_hit(ray, max_time, filter, |hit| {
                go_on = go_on && found(hit);
                go_on
            });
        }
    }

    fn each_overlapped(
        &self,
        shape: &impl QueryShape,
        filter: &QueryFilter<'_>,
        mut found: impl FnMut(BodyShapeOverlap) -> bool,
    ) {
        let mut go_on = true;
        for part in self.parts() {
            part.each_overlapped(shape, filter, |one| {
                go_on = go_on && found(one);
                go_on
            });
        }
    }

    fn cast_shape<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> Option<BodyCastHit> {
        let tolerance = relative_tolerance.into();
        self.parts().filter_map(|part| part.cast_shape(from, to, tolerance, filter)).min_by_key(cast_key)
    }

    fn cast_shape_all<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
        hits: &mut Vec<BodyCastHit>,
    ) {
        let tolerance = relative_tolerance.into();
        self.part_of(0).cast_shape_all(from, to, tolerance, filter, hits);
        let mut more = Vec::new();
        for part in self.parts().skip(1) {
            part.cast_shape_all(from, to, tolerance, filter, &mut more);
            hits.append(&mut more);
        }
        hits.sort_unstable_by_key(cast_key);
    }

    fn cast_shape_any<S: CastShape>(
        &self,
        from: &S,
        to: &S,
        relative_tolerance: impl Into<Option<f32>>,
        filter: &QueryFilter<'_>,
    ) -> bool {
        let tolerance = relative_tolerance.into();
        self.parts().any(|part| part.cast_shape_any(from, to, tolerance, filter))
    }
}

/// The sort key of a cast's hit.
fn cast_key(hit: &BodyCastHit) -> (u32, BodyId, runtime::BoxIndex) {
    (hit.time.to_bits(), hit.body, hit.box_index)
}
