//! The world as it was at a moment.

use crate::between::is_connected;
use crate::moment::{Moment, MomentKind};
use crate::scratch::{Scratch, Spare};
use crate::tick::{Kind, PastBody, Tick};
use glam::Vec3;
use runtime::kernels::Kernel;
use runtime::{Bodies, Body, BodyId, BodyTiles, TileList};
use std::cell::{Cell, OnceCell};
use std::fmt;

/// The poses that a view shows between two ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Poses between those of the two ticks, as most clients draw them. If both ticks play the same clips, their times and
    /// weights are interpolated. Otherwise each joint turns the short way from one pose to the other.
    #[default]
    Interpolated,
    /// The pose of the nearer tick.
    Nearest,
}

/// The rules that a server applies to each look at the past.
#[derive(Clone, Copy)]
pub struct Rules<'r> {
    /// The longest time back from the newest tick, in seconds. An older moment is replaced by the oldest that is allowed.
    pub max_back: f64,
    /// A body that moves farther than this from one tick to the next, in world units, was teleported: no view shows it in
    /// between. Bodies that are posed with matrices have no place, so only [`History::cut`](crate::History::cut) marks
    /// their teleports.
    pub teleport_distance: f32,
    /// The poses between two ticks.
    pub interpolation: Interpolation,
    /// Returns `true` if anybody may ask about a body; `None` allows all bodies.
    pub may_ask: Option<&'r (dyn Fn(BodyId) -> bool + Sync)>,
    /// `true` if the bodies of the view keep their skin, for exact questions. Bodies without a skin are not affected.
    pub track_skin: bool,
}

/// 0.25 seconds, 2 units from tick to tick, poses in between, all bodies, no skin.
impl Default for Rules<'_> {
    fn default() -> Self {
        Self {
            max_back: 0.25,
            teleport_distance: 2.0,
            interpolation: Interpolation::Interpolated,
            may_ask: None,
            track_skin: false,
        }
    }
}

impl fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("max_back", &self.max_back)
            .field("teleport_distance", &self.teleport_distance)
            .field("interpolation", &self.interpolation)
            .field("may_ask", &self.may_ask.map(|_| "a function"))
            .field("track_skin", &self.track_skin)
            .finish()
    }
}

/// The bodies that a view looked at and did not show, by reason. A body counts once, if a question reached its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// [`Rules::may_ask`] did not allow the body.
    pub not_allowed: u32,
    /// The pose between the two ticks is not finite, or out of range.
    pub pose_failed: u32,
}

/// The world as it was at a moment in the past: a set of [`Bodies`] that answers rays, casts of shapes, and overlaps, as a
/// [`HitboxWorld`](runtime::HitboxWorld) answers them in the present. A body is posed when a question first reaches its
/// bounds. The answers depend neither on the order of the questions nor on the thread.
///
/// For questions about one or two bodies, such as [`runtime::sweep`], [`runtime::distance`] or [`runtime::contacts`], take
/// the hitboxes of [`View::body`].
#[derive(Debug)]
pub struct View<'h> {
    /// The list that the scratch memory goes back to.
    spare: &'h Spare,
    from: &'h Tick,
    /// The next tick, the share of the way to it, and the bounds on this way.
    to: Option<(&'h Tick, f32, &'h TileList)>,
    moment: Moment,
    clamped: Option<MomentKind>,
    rules: Rules<'h>,
    refused: Cell<Refused>,
    scratch: Scratch,
}

impl<'h> View<'h> {
    pub(crate) fn new(
        (spare, mut scratch): (&'h Spare, Scratch),
        from: &'h Tick,
        mut to: Option<(&'h Tick, f32, &'h TileList)>,
        moment: Moment,
        clamped: Option<MomentKind>,
        rules: &Rules<'h>,
    ) -> Self {
        let mut from = from;
        if rules.interpolation == Interpolation::Nearest
            && let Some((next, share, _)) = to.take()
            && share >= 0.5
        {
            from = next;
        }
        if scratch.slots.len() < from.bodies.len() {
            scratch.slots.resize_with(from.bodies.len(), OnceCell::new);
        }
        Self { spare, from, to, moment, clamped, rules: *rules, refused: Cell::default(), scratch }
    }

    /// The moment that the view shows.
    #[must_use]
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The relation of this body's hitboxes to what was recorded. `None` if the body was not in the world at this moment, or
    /// had no pose.
    #[must_use]
    pub fn kind(&self, id: BodyId) -> Option<MomentKind> {
        let place = self.from.find(id)?;
        let body = &self.from.bodies[place];
        if body.kind == Kind::Nothing {
            return None;
        }
        Some(self.clamped.unwrap_or(match self.to {
            None => MomentKind::Exact,
            Some((to, ..)) if self.next(place, body, to).is_some() => MomentKind::Interpolated,
            Some(_) => MomentKind::Cut,
        }))
    }

    /// The bodies that the view did not show so far, by reason.
    #[must_use]
    pub fn refused(&self) -> Refused {
        self.refused.get()
    }

    /// A body at this moment. `None` if it was not in the world, had no pose, or the rules do not allow to ask about it.
    #[must_use]
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.body_at(self.from.find(id)?)
    }

    /// A body at this moment, for exact questions about its skin with [`Rules::track_skin`]. See [`View::body`].
    #[must_use]
    pub fn body_mut(&mut self, id: BodyId) -> Option<&mut Body> {
        let place = self.from.find(id)?;
        self.body_at(place)?;
        self.scratch.slots[place].get_mut()?.as_deref_mut()
    }

    /// Two different bodies at this moment, for exact questions about both. See [`View::body_mut`].
    #[must_use]
    pub fn bodies_mut(&mut self, ids: [BodyId; 2]) -> Option<[&mut Body; 2]> {
        let places = [self.from.find(ids[0])?, self.from.find(ids[1])?];
        for place in places {
            self.body_at(place)?;
        }
        let [a, b] = self.scratch.slots.get_disjoint_mut(places).ok()?;
        Some([a.get_mut()?.as_deref_mut()?, b.get_mut()?.as_deref_mut()?])
    }

    /// The ids of all bodies that were in the world at this moment and had a pose, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = BodyId> + '_ {
        let both = self.from.ids.iter().zip(&self.from.bodies);
        both.filter(|(_, body)| body.kind != Kind::Nothing).map(|(id, _)| *id)
    }

    /// The body at the next tick, if the view shows it between the two.
    fn next<'t>(&self, place: usize, body: &PastBody, to: &'t Tick) -> Option<&'t PastBody> {
        let id = self.from.ids[place];
        let place = if to.ids.get(place) == Some(&id) { place } else { to.find(id)? };
        let next = &to.bodies[place];
        if !is_connected((self.from, body), (to, next)) {
            return None;
        }
        let ticks = (to.number - self.from.number) as f32;
        let is_near = |a: Vec3, b: Vec3| {
            let way = b - a;
            way.dot(way).sqrt() <= self.rules.teleport_distance * ticks
        };
        if !body.has_own_joints() && !is_near(body.place().translation.into(), next.place().translation.into()) {
            return None;
        }
        Some(next)
    }

    /// Poses a body.
    fn show(&self, place: usize) -> Option<Box<Body>> {
        let refuse = |count: fn(&mut Refused)| {
            let mut refused = self.refused.get();
            count(&mut refused);
            self.refused.set(refused);
        };
        let past = &self.from.bodies[place];
        if past.kind == Kind::Nothing {
            return None;
        }
        let id = self.from.ids[place];
        if self.rules.may_ask.is_some_and(|may_ask| !may_ask(id)) {
            refuse(|refused| refused.not_allowed += 1);
            return None;
        }
        let character = &self.from.character_of(past).character;
        let (settings, box_layers) = (self.from.settings_of(past), self.from.box_layers_of(past));
        let mut body = match self.scratch.bodies.borrow_mut().pop() {
            Some(body) => body,
            None => Box::new(Body::outside(id, character.clone(), settings, Kernel::best())),
        };
        body.become_body(id, character, settings, box_layers);
        body.posed_mut().track_skin(self.rules.track_skin && character.has_skin());
        let poser = &mut *self.scratch.poser.borrow_mut();
        let next = self.to.and_then(|(to, share, _)| Some((to, self.next(place, past, to)?, share)));
        let posed = match next {
            None => poser.pose(self.from, past, body.posed_mut()),
            Some((to, next, share)) => poser.pose_between((self.from, past), (to, next), share, body.posed_mut()),
        };
        if posed.is_err() {
            refuse(|refused| refused.pose_failed += 1);
            self.scratch.bodies.borrow_mut().push(body);
            return None;
        }
        Some(body)
    }
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        self.spare.give_back(std::mem::take(&mut self.scratch));
    }
}

impl Bodies for View<'_> {
    fn kernel(&self) -> Kernel {
        Kernel::best()
    }

    fn tiles(&self) -> BodyTiles<'_> {
        match self.to {
            Some((.., tiles)) => tiles.tiles(),
            None => self.from.tiles.tiles(),
        }
    }

    fn body_at(&self, place: usize) -> Option<&Body> {
        let slot = self.scratch.slots.get(place)?;
        let posed = slot.get_or_init(|| {
            self.scratch.used.borrow_mut().push(place as u32);
            self.show(place)
        });
        posed.as_deref()
    }
}
