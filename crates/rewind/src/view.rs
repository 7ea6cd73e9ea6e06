//! The world as it was at a moment.

use crate::between::{is_same_animation, part_bounds, recipe_between, time_between};
use crate::moment::{Moment, MomentKind, Shown};
use crate::part::Part;
use crate::rules::{Interpolation, Refused, Rules};
use crate::scratch::{Scratch, Spare};
use crate::tick::Kind;
use geometry_core::Ray;
use runtime::kernels::Kernel;
use runtime::{
    Bodies, Body, BodyCastHit, BodyId, BodyRayHit, BodySettings, BodyShapeOverlap, BodyTiles, Bounds, CastShape,
    Character, ClipIndex, PartBounds, PoseError, PosedCharacter, QueryFilter, QueryShape,
};
use skeleton::JointIndex;
use std::sync::Arc;

/// The world as it was at a moment in the past: a set of [`Bodies`] that answers rays, casts of shapes, and overlaps, as a
/// [`HitboxWorld`](runtime::HitboxWorld) answers them in the present. A body is posed when a question first reaches its
/// bounds. The answers depend neither on the order of the questions nor on the thread, and many threads can ask one view.
///
/// For questions about one or two bodies, such as [`runtime::sweep`], [`runtime::distance`] or [`runtime::contacts`], take
/// the hitboxes of [`View::body`].
///
/// The [tiles](Bodies::tiles) and the places of a view are those of its own moment. Bodies that [`History::at_each`](crate::History::at_each) shows
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

/// A body that is shown at a moment of its own.
#[derive(Clone, Copy, Debug)]
struct Own {
    id: BodyId,
    /// The part that shows it.
    part: usize,
    shown: Shown,
}

impl<'h> View<'h> {
    /// `own` has the bodies that are shown at moments of their own, and `part_at` makes the part of a moment.
    pub(crate) fn new(
        spare: &'h Spare,
        shown: Shown,
        own: impl Iterator<Item = (BodyId, Shown)>,
        rules: &Rules<'h>,
        part_at: impl Fn(&Shown, &mut Scratch) -> Part<'h>,
    ) -> Self {
        let mut scratch = spare.take_scratch();
        let first = part_at(&shown, &mut scratch);
        let mut slots = first.from.bodies.len();
        let (mut others, mut list): (Vec<Part<'h>>, Vec<Own>) = (Vec::new(), Vec::new());
        for (id, at) in own {
            let is_part = |one: &Shown| one.place == at.place && (one.share > 0.0) == (at.share > 0.0);
            let known = list.iter().find(|own| is_part(&own.shown)).map(|own| own.part);
            let part = known.or(is_part(&shown).then_some(0)).unwrap_or_else(|| {
                let mut part = part_at(&at, &mut scratch);
                part.first_slot = slots;
                slots += part.from.bodies.len();
                others.push(part);
                others.len()
            });
            list.push(Own { id, part, shown: at });
        }
        // The first of two moments for one body counts.
        list.sort_by_key(|own| own.id);
        list.dedup_by_key(|own| own.id);
        if scratch.slots.len() < slots {
            scratch.slots.resize_with(slots, Default::default);
        }
        Self { spare, rules: *rules, first, others, own: list, shown, scratch }
    }

    /// The moment that the view shows.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.shown.moment
    }

    /// The moment at which the view shows a body: its own moment of [`History::at_each`](crate::History::at_each), or the moment of the view.
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

    /// The clip that a body plays, and its time at the moment, in seconds on the clip's own clock. Of several pose layers,
    /// the one with the largest weight counts, and of equal weights the first. `None` if the body plays no clip.
    #[must_use]
    pub fn clip_of(&self, id: BodyId) -> Option<(ClipIndex, f32)> {
        let (part, shown) = self.shown_of(id);
        let part = self.part(part);
        let place = part.find(id)?;
        let (from, past) = (part.from, &part.from.bodies[place]);
        let next = part.to.and_then(|to| Some((to, part.next(place, to, &self.rules)?)));
        let next = next.filter(|next| is_same_animation((from, past), *next));
        let character = &from.character_of(past).character;
        let between = |clip, seconds, next: Option<f32>| {
            (clip, next.map_or(seconds, |next| time_between(character, clip, seconds, next, shown.share)))
        };
        if past.kind == Kind::Clip {
            return Some(between(past.clip, past.seconds, next.map(|(_, next)| next.seconds)));
        }
        let layers = from.layers_of(past).iter().enumerate();
        let (index, layer) = layers.reduce(|best, one| if one.1.weight > best.1.weight { one } else { best })?;
        Some(between(layer.clip, layer.seconds, next.map(|(to, next)| to.layers_of(next)[index].seconds)))
    }

    /// The character and the settings of a body at the moment, without posing it. `None` if the body was not in the world, or
    /// had no pose.
    #[must_use]
    pub fn character_of(&self, id: BodyId) -> Option<(&Arc<Character>, BodySettings)> {
        let part = self.part(self.shown_of(id).0);
        let past = &part.from.bodies[part.find(id)?];
        Some((&part.from.character_of(past).character, part.from.settings_of(past)))
    }

    /// Calls `found` with the bounds of each body that the view's own moment shows. They contain the body at the moment. If
    /// the moment lies between two ticks, they contain it at all moments between the two.
    pub fn each_bounds(&self, mut found: impl FnMut(BodyId, Bounds)) {
        self.tiles().each(|place, bounds| found(self.first.from.ids[place], bounds));
    }

    /// Bounds of groups of a body's hitboxes, without posing the body. They contain its hitboxes at the moment. If the moment
    /// lies between two ticks, they contain them at all moments between the two.
    ///
    /// `None` if there are no such bounds at low cost: for bodies that play several clips or were posed with matrices, for a clip
    /// that begins again between the two ticks, for poses of [`Interpolation::Own`], and if the view does not have the body.
    #[must_use]
    pub fn part_bounds(&self, id: BodyId) -> Option<PartBounds> {
        let part = self.part(self.shown_of(id).0);
        let (from, past) = (part.from, &part.from.bodies[part.find(id)?]);
        let next = part.to.and_then(|to| Some((to, part.next(part.find(id)?, to, &self.rules)?)));
        if part.larger.is_some() {
            return None;
        }
        part_bounds((from, past), next)
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

    /// Poses a body as it was at this moment into memory of the caller, and keeps the matrices of `joints` for
    /// [`PosedCharacter::world_from_joint`], for example of a hand that holds a weapon. `posed` may [track the
    /// skin](PosedCharacter::track_skin). Poses between two ticks are those of [`Interpolation::Interpolated`].
    ///
    /// Returns `false`, and `posed` has no pose, if the view does not have the body, [`Rules::may_ask`] does not allow it, or
    /// a joint was not recorded: for a body that was posed with matrices, only [`Character::needed_joints`] are.
    pub fn pose_with_joints(&self, id: BodyId, joints: &[JointIndex], posed: &mut PosedCharacter) -> bool {
        let (part, shown) = self.shown_of(id);
        let part = self.part(part);
        let place = part.find(id).filter(|_| self.rules.may_ask.is_none_or(|may_ask| may_ask(id)));
        let Some(place) = place else {
            posed.clear();
            return false;
        };
        let (from, past) = (part.from, &part.from.bodies[place]);
        let next = part.to.and_then(|to| Some((to, part.next(place, to, &self.rules)?)));
        let needed = from.character_of(past).character.needed_joints();
        let has_own = past.has_own_joints() || next.is_some_and(|(_, next)| next.has_own_joints());
        if has_own && !joints.iter().all(|joint| needed.binary_search(joint).is_ok()) {
            posed.clear();
            return false;
        }
        posed.track_joints(joints);
        let mut work = self.scratch.work();
        match next {
            None => work.poser.pose(from, past, posed),
            Some((to, next)) => work.poser.pose_between((from, past), (to, next), shown.share, joints, posed),
        }
        .is_ok()
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

/// One part of a view, as bodies to ask about.
#[derive(Clone, Copy)]
pub(crate) struct PartOf<'v, 'h> {
    pub(crate) view: &'v View<'h>,
    pub(crate) part: usize,
}

impl<'v> PartOf<'v, '_> {
    /// The body at a place of the part's tiles.
    pub(crate) fn body_at(&self, place: usize) -> Option<&'v Body> {
        let scratch = &self.view.scratch;
        let index = self.view.part(self.part).first_slot + place;
        let slot = scratch.slots.get(index)?;
        if let Some(shown) = slot.get() {
            return shown.as_deref();
        }
        let (shown, reason) = match self.show(place) {
            Ok(body) => (body, None),
            Err(reason) => (None, Some(reason)),
        };
        let posed = slot.set(shown);
        let mut work = scratch.work();
        match posed {
            Ok(()) => {
                work.used.push(index as u32);
                if let Some(reason) = reason {
                    *reason(&mut work.refused) += 1;
                }
            }
            // Another thread was faster.
            Err(shown) => work.bodies.extend(shown),
        }
        slot.get()?.as_deref()
    }

    /// Returns `false` if the body is not posed yet, and the ray misses its hitboxes in any case.
    fn ray_may_hit(&self, place: usize, ray: &Ray, max_time: f32) -> bool {
        let (part, rules) = (self.view.part(self.part), &self.view.rules);
        let (from, past) = (part.from, &part.from.bodies[place]);
        let is_posed = || self.view.scratch.slots.get(part.first_slot + place).is_some_and(|slot| slot.get().is_some());
        // The view counts the bodies that the rules refuse, and does not know the poses of the caller's function.
        if !matches!(past.kind, Kind::Clip | Kind::Rest)
            || rules.may_ask.is_some()
            || part.larger.is_some()
            || is_posed()
        {
            return true;
        }
        let next = part.to.and_then(|to| Some((to, part.next(place, to, rules)?)));
        let share = self.view.shown_of(from.ids[place]).1.share;
        recipe_between((from, past), next, share)
            .is_none_or(|recipe| from.character_of(past).character.ray_may_hit(Kernel::best(), &recipe, ray, max_time))
    }

    /// Poses a body. `Ok(None)` if this part does not have it, and the counter of the reason if it is refused.
    #[expect(clippy::type_complexity, reason = "the error is the counter of a reason")]
    fn show(&self, place: usize) -> Result<Option<Box<Body>>, fn(&mut Refused) -> &mut u32> {
        let (part, rules) = (self.view.part(self.part), &self.view.rules);
        let (from, past, id) = (part.from, &part.from.bodies[place], part.from.ids[place]);
        let (own_part, shown) = self.view.shown_of(id);
        if past.kind == Kind::Nothing || own_part != self.part {
            return Ok(None);
        }
        if rules.may_ask.is_some_and(|may_ask| !may_ask(id)) {
            return Err(|refused| &mut refused.not_allowed);
        }
        let character = &from.character_of(past).character;
        let (settings, box_layers) = (from.settings_of(past), from.box_layers_of(past));
        let next = part.to.and_then(|to| Some((to, part.next(place, to, rules)?)));
        // The caller's function runs while no lock is held, because it may ask the view.
        let recipe = match (rules.interpolation, next) {
            (Interpolation::Own { pose, .. }, Some(next)) => Some(from.recipes(id, past, next, shown.share, pose)),
            _ => None,
        };
        let mut work = self.view.scratch.work();
        let mut body = work
            .take_body(character)
            .unwrap_or_else(|| Box::new(Body::outside(id, character.clone(), settings, Kernel::best())));
        body.become_body(id, character, settings, box_layers);
        body.posed_mut().track_skin(rules.track_skin && character.has_skin());
        let posed = body.posed_mut();
        let result: Result<(), PoseError> = match (&recipe, next) {
            (Some(recipe), _) => work.poser.pose_recipe(character, recipe, posed),
            (None, None) => work.poser.pose(from, past, posed),
            (None, Some((to, next))) => work.poser.pose_between((from, past), (to, next), shown.share, &[], posed),
        };
        let reason: fn(&mut Refused) -> &mut u32 = match (result, &part.larger) {
            (Err(_), _) => |refused| &mut refused.pose_failed,
            (Ok(()), Some((_, bounds))) if recipe.is_some() && !holds(&bounds[place], &body.posed().bounds()) => {
                |refused| &mut refused.out_of_margin
            }
            _ => return Ok(Some(body)),
        };
        work.bodies.push(body);
        Err(reason)
    }
}

fn holds(outer: &Bounds, inner: &Bounds) -> bool {
    outer.min.cmple(inner.min).all() && inner.max.cmple(outer.max).all()
}

impl Bodies for PartOf<'_, '_> {
    fn kernel(&self) -> Kernel {
        Kernel::best()
    }

    fn tiles(&self) -> BodyTiles<'_> {
        self.view.part(self.part).tiles()
    }

    fn body_at(&self, place: usize) -> Option<&Body> {
        PartOf::body_at(self, place)
    }

    fn ray_may_hit(&self, place: usize, ray: &Ray, max_time: f32) -> bool {
        PartOf::ray_may_hit(self, place, ray, max_time)
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

/// Many threads can ask one view.
const _: fn(&View<'_>) = |view| {
    fn is_sync(_: &(impl Sync + Send)) {}
    is_sync(view);
};
