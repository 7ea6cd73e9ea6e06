//! The bodies at the moments of one tick.

use crate::clock::Clock;
use crate::part::Part;
use crate::seen::Seen;
use crate::weapon::{Equipped, unit_box};
use rewind::{History, Moment, MomentKind, Rules, View};
use runtime::{Body, BodyId, BodyMotion, Bounds, Character, PartBounds, PosedCharacter, SweepBuffers};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The look at the bodies: 0 is the present, and `n` is what the attacker `n - 1` of a list sees of all others.
pub(crate) type Eye = usize;

/// The bodies as they are in the tick.
pub(crate) const PRESENT: Eye = 0;

/// The bodies at all moments from one recorded tick to the next. A moment is a share of the way, from 0 to 1.
pub(crate) struct Film<'h> {
    history: &'h History,
    ticks: [u64; 2],
    rules: Rules<'h>,
    /// The rules for what attackers see.
    seen_rules: Rules<'h>,
    pub(crate) seen: &'h [Seen<'h>],
    /// The shares of the way from the first to the last moment of [`Seen`] at which this tick begins and ends.
    shares: [f64; 2],
    /// The views so far, by the look and by the bits of the share, which sort like the shares.
    views: BTreeMap<(Eye, u32), View<'h>>,
    weapons: &'h [Equipped],
    /// The weapons that were posed, by the bits of the share and by place. `None` if the body does not have the joint.
    armed: BTreeMap<(u32, usize), Option<PosedCharacter>>,
    /// All bodies with bounds at all moments, for each look so far.
    bounds: BTreeMap<Eye, BodyBounds>,
    /// Bounds of groups of hitboxes in the present at all moments, for each body so far; `None` if there are none.
    pub(crate) parts: BTreeMap<BodyId, Option<PartBounds>>,
    /// The groups of hitboxes of a target's character that an attack of an attacker's character may strike, so far.
    pub(crate) wanted: Vec<([*const Character; 2], u32, u16)>,
    /// Memory of sweeps.
    pub(crate) buffers: SweepBuffers,
}

/// Bodies with their bounds.
struct BodyBounds {
    /// In ascending order.
    by_id: Vec<(BodyId, Bounds)>,
    /// The [keys](sort_key) of the least x of the bounds and of the places in `by_id`, in ascending order.
    by_x: Vec<u64>,
    /// The largest extent along x.
    widest: f32,
}

impl BodyBounds {
    fn new(by_id: Vec<(BodyId, Bounds)>) -> Self {
        let mut by_x: Vec<u64> = (0..).zip(&by_id).map(|(place, (_, one))| sort_key(one.min.x, place)).collect();
        by_x.sort_unstable();
        let widest = by_id.iter().map(|(_, one)| one.max.x - one.min.x).fold(0.0, f32::max);
        Self { by_id, by_x, widest }
    }

    /// Calls `found` with the bodies whose bounds overlap these bounds.
    fn each_near(&self, bounds: &Bounds, mut found: impl FnMut(BodyId)) {
        // Rounded down, so that no body is missed.
        let least = (bounds.min.x - self.widest).next_down();
        let (first, last) = (sort_key(least, 0), sort_key(bounds.max.x, u32::MAX));
        let start = self.by_x.partition_point(|key| *key < first);
        for key in self.by_x[start..].iter().take_while(|key| **key <= last) {
            let (id, one) = &self.by_id[(*key & u64::from(u32::MAX)) as usize];
            if overlap(one, bounds) {
                found(*id);
            }
        }
    }
}

/// A number and a place as a key that sorts like the number, and then like the place.
fn sort_key(number: f32, place: u32) -> u64 {
    let bits = (number + 0.0).to_bits();
    let ordered = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(ordered) << 32 | u64::from(place)
}

pub(crate) fn overlap(a: &Bounds, b: &Bounds) -> bool {
    a.min.cmple(b.max).all() && b.min.cmple(a.max).all()
}

/// The amount by which the bounds of groups of hitboxes are enlarged, as a share of the body's size. In a part of a sweep, a box
/// turns while its center runs along a straight line. A box whose half diagonal is a seventh of the body's size leaves the bounds
/// of both ends by less if it turns by less than 40 degrees.
const TURNED: f32 = 0.01;

/// The middle of the tick.
const MIDDLE: f32 = 0.5;

/// The history and the lists that a film looks at.
#[derive(Clone, Copy)]
pub(crate) struct Source<'h> {
    pub(crate) history: &'h History,
    pub(crate) weapons: &'h [Equipped],
    pub(crate) seen: &'h [Seen<'h>],
    pub(crate) teleport_distance: f32,
    pub(crate) max_back: f64,
}

impl<'h> Film<'h> {
    /// `None` if the history is empty. `shares` says where the tick lies between the first and the last moment that
    /// attackers see.
    pub(crate) fn new(source: &Source<'h>, ticks: [u64; 2], shares: [f64; 2]) -> Option<Self> {
        let Source { history, weapons, seen, teleport_distance, max_back } = *source;
        let rules = Rules { max_back: f64::INFINITY, teleport_distance, ..Rules::default() };
        let seen_rules = Rules { max_back, ..rules };
        let (views, armed, bounds, parts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (wanted, buffers) = (Vec::new(), SweepBuffers::default());
        let mut film = Self {
            history,
            ticks,
            rules,
            seen_rules,
            seen,
            shares,
            views,
            weapons,
            armed,
            bounds,
            parts,
            wanted,
            buffers,
        };
        film.prepare_look(PRESENT);
        film.view(PRESENT, MIDDLE).is_some().then_some(film)
    }

    /// The look of an attacker at its targets.
    pub(crate) fn eye_of(&self, attacker: BodyId) -> Eye {
        self.seen.iter().position(|seen| seen.attacker == attacker).map_or(PRESENT, |place| place + 1)
    }

    /// Finds the bodies of a look, with their bounds.
    pub(crate) fn prepare_look(&mut self, eye: Eye) {
        if self.bounds.contains_key(&eye) {
            return;
        }
        [0.0, MIDDLE, 1.0].into_iter().for_each(|share| self.prepare(eye, share));
        let mut bounds: Vec<(BodyId, Bounds)> = Vec::new();
        // The view of a moment between two ticks has bounds for all moments between them.
        let mut shares = self.edges(eye);
        shares.extend([0.0, 1.0]);
        shares.sort_unstable_by(f32::total_cmp);
        for ends in shares.windows(2) {
            let middle = 0.5 * (ends[0] + ends[1]);
            for share in [ends[0], middle, ends[1]] {
                self.prepare(eye, share);
                if let Some(view) = self.view(eye, share).filter(|_| eye != PRESENT || share == middle) {
                    let first = bounds.len();
                    bounds.extend(view.ids().map(|id| (id, Bounds::EMPTY)));
                    let new = &mut bounds[first..];
                    view.each_bounds(|id, one| {
                        if let Ok(place) = new.binary_search_by_key(&id, |(id, _)| *id) {
                            new[place].1 = one;
                        }
                    });
                }
            }
        }
        if let Some(seen) = self.seen_of(eye) {
            // Bodies at moments of their own may be anywhere.
            let anywhere = Bounds { min: glam::Vec3::NEG_INFINITY, max: glam::Vec3::INFINITY };
            bounds.extend(seen.own.iter().map(|(id, _)| (*id, anywhere)));
        }
        bounds.sort_unstable_by_key(|(id, _)| *id);
        bounds.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.union(&next.1);
            }
            is_same
        });
        self.bounds.insert(eye, BodyBounds::new(bounds));
    }

    /// The bounds of a body at all moments of a look that was [prepared](Film::prepare_look).
    pub(crate) fn bounds_of(&self, eye: Eye, id: BodyId) -> Option<Bounds> {
        let by_id = &self.bounds.get(&eye)?.by_id;
        by_id.binary_search_by_key(&id, |(id, _)| *id).ok().map(|place| by_id[place].1)
    }

    /// Finds the bounds of the groups of a body's hitboxes in the present.
    pub(crate) fn find_parts(&mut self, id: BodyId) {
        if self.parts.contains_key(&id) {
            return;
        }
        let bounds = self.bounds_of(PRESENT, id);
        let parts = self.view(PRESENT, MIDDLE).and_then(|view| view.part_bounds(id)).zip(bounds);
        let parts = parts.map(|(parts, bounds)| parts.enlarged((bounds.max - bounds.min).max_element() * TURNED));
        self.parts.insert(id, parts);
    }

    /// Bounds of groups of a body's hitboxes at all moments in the present. `None` if they are not known at low cost.
    pub(crate) fn parts_of(&mut self, id: BodyId) -> Option<&PartBounds> {
        self.find_parts(id);
        self.parts.get(&id)?.as_ref()
    }

    /// Returns `false` if a swing cannot strike a target while its hitboxes are within these bounds.
    pub(crate) fn may_reach(&self, eye: Eye, target: BodyId, groups: u16, bounds: &Bounds) -> bool {
        let parts = self.parts.get(&target).and_then(Option::as_ref).filter(|_| eye == PRESENT);
        parts.is_none_or(|parts| parts.overlaps(groups, bounds))
    }

    /// The bodies of a look that was prepared whose bounds overlap these bounds, in ascending order.
    pub(crate) fn near(&self, eye: Eye, bounds: &Bounds, near: &mut Vec<BodyId>) {
        near.clear();
        if let Some(bodies) = self.bounds.get(&eye) {
            bodies.each_near(bounds, |id| near.push(id));
        }
        near.sort_unstable();
    }

    fn seen_of(&self, eye: Eye) -> Option<&'h Seen<'h>> {
        let seen = self.seen;
        eye.checked_sub(1).and_then(|place| seen.get(place))
    }

    /// The shares at which a look passes a recorded tick: targets move differently before and after.
    pub(crate) fn edges(&self, eye: Eye) -> Vec<f32> {
        let Some(seen) = self.seen_of(eye) else { return Vec::new() };
        let mut edges = Vec::new();
        let mut add = |moments: [Moment; 2]| {
            let [from, to] = self.shares.map(|share| seen.ticks_at(moments, share));
            for tick in self.history.ticks().map(|tick| tick as f64) {
                if from.min(to) < tick && tick < from.max(to) {
                    edges.push(((tick - from) / (to - from)) as f32);
                }
            }
        };
        add([seen.from, seen.to]);
        seen.own.iter().for_each(|(_, moments)| add(*moments));
        edges
    }

    /// Makes the view of a moment.
    pub(crate) fn prepare(&mut self, eye: Eye, share: f32) {
        let key = (eye, (share + 0.0).to_bits());
        if !self.views.contains_key(&key)
            && let Some(view) = self.look(eye, share)
        {
            self.views.insert(key, view);
        }
    }

    /// The view of a moment. It fails only for an empty history and for NaN.
    pub(crate) fn look(&self, eye: Eye, share: f32) -> Option<View<'h>> {
        if let Some(seen) = self.seen_of(eye) {
            let [from, to] = self.shares;
            let at = from + (to - from) * f64::from(share);
            let moment = |moments| Moment::at(seen.ticks_at(moments, at));
            let own: Vec<_> = seen.own.iter().filter_map(|(id, one)| Some((*id, moment(*one)?))).collect();
            return self.history.at_each(moment([seen.from, seen.to])?, &own, &self.seen_rules).ok();
        }
        let [from, to] = self.ticks;
        let passed = f64::from(share) * (to - from) as f64;
        let moment = if share >= 1.0 {
            Moment::of_tick(to)
        } else {
            Moment { tick: from + passed as u64, fraction: (passed - passed.floor()) as f32 }
        };
        self.history.at_with(moment, &self.rules).ok()
    }

    fn view(&self, eye: Eye, share: f32) -> Option<&View<'h>> {
        self.views.get(&(eye, (share + 0.0).to_bits()))
    }

    /// Returns `true` if no view shows the body between the two ticks: it was teleported, it left, or it became another
    /// character. It stands at the first tick's place until the second tick.
    fn is_cut(&self, id: BodyId) -> bool {
        self.view(PRESENT, MIDDLE).is_none_or(|view| view.kind(id) != Some(MomentKind::Interpolated))
    }

    /// The share at which a body has the pose of this share.
    fn share_of(&self, eye: Eye, share: f32, id: BodyId) -> f32 {
        if eye == PRESENT && share >= 1.0 && self.is_cut(id) { 0.0 } else { share }
    }

    /// A body at a moment that was [prepared](Film::prepare).
    pub(crate) fn body(&self, eye: Eye, share: f32, id: BodyId) -> Option<&Body> {
        self.view(eye, self.share_of(eye, share, id))?.body(id)
    }

    /// The motion of a body between two moments that were prepared.
    pub(crate) fn motion(&self, eye: Eye, [from, to]: [f32; 2], id: BodyId) -> Option<BodyMotion<'_>> {
        let first = self.body(eye, from, id)?.posed();
        if from == to || (eye != PRESENT && self.is_seen_cut(eye, from, to, id)) {
            return Some(BodyMotion::still(first));
        }
        BodyMotion::new(first, self.body(eye, to, id)?.posed()).ok()
    }

    /// Returns `true` if a look shows no motion of the body between two moments without a tick between them. The moment in
    /// the middle must be prepared.
    fn is_seen_cut(&self, eye: Eye, from: f32, to: f32, id: BodyId) -> bool {
        self.view(eye, 0.5 * (from + to)).is_none_or(|view| view.kind(id) == Some(MomentKind::Cut))
    }

    /// The share at which a body of a look has the pose of this share of a part.
    fn moved_share(&self, eye: Eye, part: Part, share: f32, id: BodyId) -> f32 {
        let is_still = eye != PRESENT && part.from < part.to && self.is_seen_cut(eye, part.from, part.to, id);
        if is_still { part.from } else { self.share_of(eye, share, id) }
    }

    /// A body of a look within a part, at one of its ends: it does not move if it is teleported.
    pub(crate) fn moved(&self, eye: Eye, part: Part, share: f32, id: BodyId) -> Option<&Body> {
        self.body(eye, self.moved_share(eye, part, share, id), id)
    }

    /// A new view of a body within a part.
    pub(crate) fn moved_look(&self, eye: Eye, part: Part, share: f32, id: BodyId) -> Option<View<'h>> {
        self.look(eye, self.moved_share(eye, part, share, id))
    }

    /// Poses a weapon at a moment that was prepared for the present. Returns `false` if its body does not have the joint.
    pub(crate) fn arm(&mut self, share: f32, weapon: usize) -> bool {
        let key = ((share + 0.0).to_bits(), weapon);
        if let Some(known) = self.armed.get(&key) {
            return known.is_some();
        }
        let one = &self.weapons[weapon];
        let pose = || {
            let view = self.view(PRESENT, self.share_of(PRESENT, share, one.body))?;
            let (mut body, mut posed) = (PosedCharacter::new(), PosedCharacter::new());
            if !view.pose_with_joints(one.body, &[one.joint], &mut body) {
                return None;
            }
            let place = one.place_at(&body.world_from_joint(one.joint)?);
            posed.pose_from_rest(unit_box(), &place).ok()?;
            Some(posed)
        };
        let posed = pose();
        let is_armed = posed.is_some();
        self.armed.insert(key, posed);
        is_armed
    }

    /// A weapon at a moment that was [prepared](Film::arm).
    pub(crate) fn weapon(&self, share: f32, weapon: usize) -> Option<&PosedCharacter> {
        self.armed.get(&((share + 0.0).to_bits(), weapon))?.as_ref()
    }

    /// The motion of a weapon between two moments that were prepared.
    pub(crate) fn weapon_motion(&self, [from, to]: [f32; 2], weapon: usize) -> Option<BodyMotion<'_>> {
        let first = self.weapon(from, weapon)?;
        if from == to {
            return Some(BodyMotion::still(first));
        }
        BodyMotion::new(first, self.weapon(to, weapon)?).ok()
    }

    pub(crate) fn weapons(&self) -> &'h [Equipped] {
        self.weapons
    }

    pub(crate) fn character(&self, eye: Eye, id: BodyId) -> Option<Arc<Character>> {
        Some(Arc::clone(self.view(eye, 0.0)?.character_of(id)?.0))
    }

    pub(crate) fn team(&self, eye: Eye, id: BodyId) -> Option<u32> {
        self.view(eye, 0.0)?.character_of(id)?.1.team
    }

    /// The times of the clip that a body plays.
    pub(crate) fn clock_of(&self, eye: Eye, id: BodyId) -> Option<Clock> {
        let view = self.view(eye, 0.0)?;
        let (clip, from) = view.clip_of(id)?;
        let is_cut = eye == PRESENT && self.is_cut(id);
        let last = self.view(eye, 1.0).filter(|_| !is_cut).and_then(|view| view.clip_of(id));
        let to = last.filter(|(last, _)| *last == clip).map_or(from, |(_, to)| to);
        Clock::between(view.character_of(id)?.0, clip, from, to)
    }
}
