//! The bodies of a view between two ticks.

use crate::between::{enlarged, is_connected};
use crate::history::History;
use crate::rules::{Interpolation, Rules};
use crate::scratch::{Scratch, Spare};
use crate::tick::{Kind, PastBody, Tick};
use crate::view::{Refused, Shown, View};
use geometry_core::MAX_COORDINATE;
use runtime::kernels::Kernel;
use runtime::{Bodies, Body, BodyId, BodyTiles, Bounds, PoseError, TileList};
use std::sync::Arc;

/// The bodies of a view that are shown at a tick, or at moments between a tick and the next.
#[derive(Debug)]
pub(crate) struct Part<'h> {
    pub(crate) from: &'h Tick,
    /// The next tick, if the moments lie before it.
    pub(crate) to: Option<&'h Tick>,
    tiles: &'h TileList,
    /// Larger bounds in place of `tiles`, and by place: for poses of the caller's function.
    larger: Option<(Arc<TileList>, Vec<Bounds>)>,
    /// The slot of the first place.
    pub(crate) first_slot: usize,
}

impl<'h> Part<'h> {
    pub(crate) fn new(
        history: &'h History,
        shown: &Shown,
        rules: &Rules<'h>,
        scratch: &mut Scratch,
        first_slot: usize,
    ) -> Self {
        let from = &*history.ticks[shown.place];
        if shown.share == 0.0 {
            return Self { from, to: None, tiles: &from.tiles, larger: None, first_slot };
        }
        let (to, tiles) = history.way_from(shown.place, scratch);
        let larger = match rules.interpolation {
            Interpolation::Own { margin, .. } => Some(larger(&history.spare, from, tiles, margin)),
            _ => None,
        };
        Self { from, to: Some(to), tiles, larger, first_slot }
    }

    /// Returns `true` if the part has the ticks of a moment.
    pub(crate) fn shows(&self, shown: &Shown, history: &History) -> bool {
        std::ptr::eq(self.from, &*history.ticks[shown.place]) && self.to.is_some() == (shown.share > 0.0)
    }

    pub(crate) fn tiles(&self) -> BodyTiles<'_> {
        self.larger.as_ref().map_or(self.tiles, |(tiles, _)| tiles).tiles()
    }

    /// The place of a body that has a pose.
    pub(crate) fn find(&self, id: BodyId) -> Option<usize> {
        self.from.find(id).filter(|&place| self.from.bodies[place].kind != Kind::Nothing)
    }

    /// The body at the next tick, if it is shown between the two.
    pub(crate) fn next<'t>(&self, place: usize, to: &'t Tick, rules: &Rules<'_>) -> Option<&'t PastBody> {
        let (id, body) = (self.from.ids[place], &self.from.bodies[place]);
        let place = if to.ids.get(place) == Some(&id) { place } else { to.find(id)? };
        let next = &to.bodies[place];
        if !is_connected((self.from, body), (to, next)) {
            return None;
        }
        let ticks = (to.number - self.from.number) as f32;
        let way = to.position_of(next) - self.from.position_of(body);
        (way.dot(way).sqrt() <= rules.teleport_distance * ticks).then_some(next)
    }

    /// Gives memory back.
    pub(crate) fn give_back(&mut self, spare: &Spare) {
        if let Some((tiles, _)) = self.larger.take() {
            spare.give_back_tiles(tiles);
        }
    }
}

/// The bounds of bodies with a margin, in tiles and by place. A margin that is not a number counts as 0.
fn larger(spare: &Spare, from: &Tick, tiles: &TileList, margin: f32) -> (Arc<TileList>, Vec<Bounds>) {
    let margin = if margin.is_nan() { 0.0 } else { margin.clamp(0.0, 2.0 * MAX_COORDINATE) };
    let (mut list, mut by_place) = (spare.take_tiles(), vec![Bounds::EMPTY; from.bodies.len()]);
    Arc::make_mut(&mut list).copy_with(tiles.tiles(), |place, bounds| {
        by_place[place] = enlarged(bounds, margin);
        by_place[place]
    });
    (list, by_place)
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
            .bodies
            .pop()
            .unwrap_or_else(|| Box::new(Body::outside(id, character.clone(), settings, Kernel::best())));
        body.become_body(id, character, settings, box_layers);
        body.posed_mut().track_skin(rules.track_skin && character.has_skin());
        let posed = body.posed_mut();
        let result: Result<(), PoseError> = match (&recipe, next) {
            (Some(recipe), _) => work.poser.pose_recipe(character, recipe, posed),
            (None, None) => work.poser.pose(from, past, posed),
            (None, Some((to, next))) => work.poser.pose_between((from, past), (to, next), shown.share, posed),
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
}
