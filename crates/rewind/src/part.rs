//! The bodies of a view between two ticks.

use crate::between::{enlarged, is_connected};
use crate::rules::{Interpolation, Rules};
use crate::scratch::Spare;
use crate::tick::{Kind, PastBody, Tick};
use geometry_core::MAX_COORDINATE;
use runtime::{BodyId, BodyTiles, Bounds, TileList};
use std::sync::Arc;

/// The bodies of a view that are shown at a tick, or at moments between a tick and the next.
#[derive(Debug)]
pub(crate) struct Part<'h> {
    pub(crate) from: &'h Tick,
    /// The next tick, if the moments lie before it.
    pub(crate) to: Option<&'h Tick>,
    tiles: &'h TileList,
    /// Larger bounds in place of `tiles`, and by place: for poses of the caller's function.
    pub(crate) larger: Option<(Arc<TileList>, Vec<Bounds>)>,
    /// The slot of the first place.
    pub(crate) first_slot: usize,
}

impl<'h> Part<'h> {
    /// `way` has the next tick and the bounds on the way to it.
    pub(crate) fn new(
        from: &'h Tick,
        way: Option<(&'h Tick, &'h TileList)>,
        interpolation: Interpolation<'h>,
        spare: &Spare,
    ) -> Self {
        let larger = match (interpolation, way) {
            (Interpolation::Own { margin, .. }, Some((_, tiles))) => Some(larger(spare, from, tiles, margin)),
            _ => None,
        };
        let tiles = way.map_or(&from.tiles, |(_, tiles)| tiles);
        Self { from, to: way.map(|(to, _)| to), tiles, larger, first_slot: 0 }
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
