//! The contacts of a swing's hitboxes with another body.

use crate::clock::Clock;
use crate::exact::{Exact, Pair, ends_of};
use crate::film::{Eye, Film, PRESENT, overlap};
use crate::part::Part;
use baked_format::{Attack, AttackKind, HitboxRole};
use glam::Vec3;
use runtime::{
    Body, BodyId, BodyMotion, Bounds, BoxIndex, Character, CollisionLayers, HitboxShape, PosedHitbox, SweepHit,
    sweep_boxes,
};
use skeleton::JointIndex;
use std::sync::Arc;

/// The longest part of a sweep, in seconds.
const PART_SECONDS: f64 = 1.0 / 120.0;

/// The most parts of equal length that a tick is divided into.
const MAX_PARTS: f64 = 1024.0;

/// The cosine of the largest turn of an attacking hitbox within a part, 5 degrees. The center of a swept box runs along a
/// straight line; at 5 degrees, it leaves the circle by 0.1 % of the radius.
const PART_TURN: f32 = 0.996_194_7;

/// The most times that a part is halved.
const MAX_HALVINGS: u32 = 6;

/// A swing within a tick.
pub(crate) struct Moving {
    pub(crate) id: BodyId,
    pub(crate) character: Arc<Character>,
    pub(crate) clock: Clock,
    /// The attacks that are active at any moment of the tick.
    attacks: Vec<Open>,
    /// The weapons of the body, as places in the list.
    weapons: Vec<usize>,
    /// The look at its targets.
    pub(crate) eye: Eye,
    /// The parts in which any attack is active, in order.
    pub(crate) parts: Vec<Part>,
    /// Bounds of the attacking hitboxes in each part.
    part_bounds: Vec<Bounds>,
    /// Bounds of the attacking hitboxes in all parts.
    pub(crate) bounds: Bounds,
    /// Bounds of all that may strike at any moment of the tick, which are larger than necessary. `None` if they are not known.
    pub(crate) rough_reach: Option<Bounds>,
    /// The groups of hitboxes that strike at any moment of the tick. `None` if their bounds are not known.
    pub(crate) groups: Option<u16>,
}

/// An attack that is active in a tick.
struct Open {
    /// An index into `BakedCharacter::attacks`.
    attack: u32,
    /// The first attack of the clip with the same group.
    group: u32,
    /// The parts of the tick in which it is active.
    spans: Vec<(f32, f32)>,
}

/// A hitbox of an attack that meets another hitbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The share of the tick.
    pub(crate) time: f32,
    /// A moment of the part of the tick, at which windows are read.
    pub(crate) middle: f32,
    pub(crate) attack: u32,
    pub(crate) sides: [Side; 2],
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) depth: f32,
}

/// What meets at one side of a contact: a hitbox, or a weapon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    /// The hitbox, or the holder of the weapon.
    pub(crate) box_index: BoxIndex,
    pub(crate) joint: JointIndex,
    /// The weapon, as a place in the list.
    pub(crate) weapon: Option<usize>,
}

impl Side {
    fn of_box(box_index: BoxIndex, joint: JointIndex) -> Self {
        Self { box_index, joint, weapon: None }
    }

    fn of_weapon(film: &Film<'_>, weapon: usize) -> Self {
        let one = &film.weapons()[weapon];
        Self { box_index: one.holder, joint: one.joint, weapon: Some(weapon) }
    }
}

impl Moving {
    /// A swing within a tick, without its parts. Returns a weapon as the error if the body does not have its joint or its
    /// holder.
    pub(crate) fn new(film: &Film<'_>, id: BodyId, character: Arc<Character>, clock: Clock) -> Result<Self, usize> {
        let all = &character.baked().attacks;
        let mut attacks = Vec::new();
        for (index, attack) in (0..).zip(all).filter(|(_, one)| one.clip == clock.clip) {
            let mut spans = Vec::new();
            attack.active.iter().for_each(|window| clock.spans(window, |from, to| spans.push((from, to))));
            if !spans.is_empty() {
                let first = all.iter().position(|other| other.clip == attack.clip && other.group == attack.group);
                let group = first.map_or(index, |first| first as u32);
                attacks.push(Open { attack: index, group, spans });
            }
        }
        let mut weapons: Vec<usize> =
            (0..).zip(film.weapons()).filter(|(_, one)| one.body == id).map(|(at, _)| at).collect();
        if let Some(&weapon) = weapons.iter().find(|&&weapon| {
            let one = &film.weapons()[weapon];
            one.holder.index() >= character.box_count() || one.joint.index() >= character.skeleton().len()
        }) {
            return Err(weapon);
        }
        weapons.retain(|&weapon| {
            let one = &film.weapons()[weapon];
            attacks.iter().any(|open| one.takes_part(open.attack, &all[open.attack as usize].boxes))
        });
        let (eye, bounds, rough_reach) = (film.eye_of(id), Bounds::EMPTY, None);
        let (parts, part_bounds) = (Vec::new(), Vec::new());
        Ok(Self { id, character, clock, attacks, weapons, eye, parts, part_bounds, bounds, rough_reach, groups: None })
    }

    /// Takes away all attacks of a swing that stands still.
    pub(crate) fn stand_still(&mut self) {
        self.attacks.clear();
        self.weapons.clear();
    }

    /// Returns `true` if an attack is active at any moment of the tick.
    pub(crate) fn is_active(&self) -> bool {
        !self.attacks.is_empty()
    }

    /// Finds `rough_reach`, without posing the body.
    pub(crate) fn find_rough_reach(&mut self, film: &mut Film<'_>) {
        self.rough_reach = if !self.is_active() {
            Some(Bounds::EMPTY)
        } else if !self.weapons.is_empty() {
            None
        } else if let Some(parts) = film.parts_of(self.id) {
            let boxes = self.attacks.iter().flat_map(|open| &self.attack(open.attack).boxes);
            let boxes = boxes.map(|&index| BoxIndex(index));
            let (groups, reach) = (parts.groups_of(boxes.clone()), parts.of_boxes(boxes));
            self.groups = Some(groups);
            Some(reach)
        } else {
            film.bounds_of(PRESENT, self.id)
        };
    }

    /// Finds the parts of a tick of so many seconds, and their bounds. Returns a weapon as the error if the body's poses do
    /// not have its joint.
    pub(crate) fn find_reach(&mut self, film: &mut Film<'_>, seconds: f64) -> Result<(), usize> {
        self.find_parts(film, seconds)?;
        self.find_bounds(film);
        Ok(())
    }

    /// Returns `true` if an attack of the tick has a strength above 0.
    pub(crate) fn may_clash(&self) -> bool {
        self.open_attacks().any(|attack| self.attack(attack).strength > 0.0)
    }

    pub(crate) fn attack(&self, index: u32) -> &Attack {
        &self.character.baked().attacks[index as usize]
    }

    /// The attacks that are active at any moment of the tick.
    pub(crate) fn open_attacks(&self) -> impl Iterator<Item = u32> {
        self.attacks.iter().map(|open| open.attack)
    }

    /// The first attack of the clip with the same group as an open attack.
    pub(crate) fn group_of(&self, attack: u32) -> u32 {
        self.attacks.iter().find(|open| open.attack == attack).map_or(attack, |open| open.group)
    }

    /// The attacks that are active at a moment.
    fn active(&self, share: f32) -> impl Iterator<Item = (u32, &Attack)> {
        let is_open = move |spans: &[(f32, f32)]| spans.iter().any(|(from, to)| *from <= share && share <= *to);
        let open = self.attacks.iter().filter(move |open| is_open(&open.spans));
        open.map(|open| (open.attack, self.attack(open.attack)))
    }

    /// Returns `true` if a hitbox or a weapon strikes in an attack.
    fn takes_part(film: &Film<'_>, side: Side, (index, attack): (u32, &Attack)) -> bool {
        match side.weapon {
            Some(weapon) => film.weapons()[weapon].takes_part(index, &attack.boxes),
            None => attack.boxes.binary_search(&side.box_index.0).is_ok(),
        }
    }

    /// The weapons that strike at a moment.
    fn active_weapons(&self, film: &Film<'_>, share: f32) -> impl Iterator<Item = usize> {
        self.weapons.iter().copied().filter(move |&weapon| {
            self.active(share).any(|attack| Self::takes_part(film, Side::of_weapon(film, weapon), attack))
        })
    }

    /// The attack with the largest strength above 0 that a hitbox or a weapon makes at a moment.
    fn strongest(&self, film: &Film<'_>, side: Side, share: f32) -> Option<u32> {
        let attacks = self.active(share).filter(|attack| Self::takes_part(film, side, *attack));
        let strong = attacks.filter(|(_, one)| one.strength > 0.0);
        strong.max_by(|a, b| a.1.strength.total_cmp(&b.1.strength)).map(|(attack, _)| attack)
    }

    fn find_parts(&mut self, film: &mut Film<'_>, seconds: f64) -> Result<(), usize> {
        let count = (seconds / PART_SECONDS - 1e-6).ceil().clamp(1.0, MAX_PARTS) as u16;
        let mut edges: Vec<f32> = (0..=count).map(|part| f32::from(part) / f32::from(count)).collect();
        let spans = || self.attacks.iter().flat_map(|open| &open.spans);
        spans().for_each(|&(from, to)| edges.extend([from, to]));
        let mut parts = parts_between(&mut edges);
        // A window that opens and closes at one moment is a part of its own.
        parts.extend(spans().filter(|(from, to)| from == to).map(|&(from, to)| Part { from, to }));
        parts.sort_unstable_by_key(|part| (part.from.to_bits(), part.to.to_bits()));
        parts.dedup_by_key(|part| (part.from.to_bits(), part.to.to_bits()));
        parts.retain(|part| self.active(part.middle()).next().is_some());
        let mut divided = Vec::new();
        parts.into_iter().try_for_each(|part| self.divide(film, part, MAX_HALVINGS, &mut divided))?;
        self.parts = divided;
        Ok(())
    }

    /// Poses the attacker at a moment.
    fn prepare(&self, film: &mut Film<'_>, share: f32) -> Result<(), usize> {
        film.prepare(PRESENT, share);
        self.weapons.iter().try_for_each(|&weapon| if film.arm(share, weapon) { Ok(()) } else { Err(weapon) })
    }

    /// Divides a part until no attacking hitbox turns far.
    fn divide(&self, film: &mut Film<'_>, part: Part, halvings: u32, divided: &mut Vec<Part>) -> Result<(), usize> {
        self.prepare(film, part.from)?;
        self.prepare(film, part.to)?;
        let middle = part.middle();
        let is_divisible = halvings > 0 && part.from < middle && middle < part.to;
        if !is_divisible || !self.turns_far(film, part) {
            divided.push(part);
            return Ok(());
        }
        self.divide(film, Part { to: middle, ..part }, halvings - 1, divided)?;
        self.divide(film, Part { from: middle, ..part }, halvings - 1, divided)
    }

    fn turns_far(&self, film: &Film<'_>, part: Part) -> bool {
        let ends = [part.from, part.to].map(|share| film.body(PRESENT, share, self.id));
        let [Some(first), Some(last)] = ends else { return false };
        let weapon_turns_far = self.active_weapons(film, part.middle()).any(|weapon| {
            let ends = [part.from, part.to].map(|share| film.weapon(share, weapon)?.hitbox(BoxIndex(0)));
            matches!(ends, [Some(one), Some(other)] if turn_cosine(&one, &other) < PART_TURN)
        });
        if weapon_turns_far {
            return true;
        }
        self.active(part.middle()).flat_map(|(_, attack)| &attack.boxes).any(|&index| {
            let boxes = [first, last].map(|body| body.posed_hitbox(BoxIndex(index)));
            let [Some(one), Some(other)] = boxes else { return false };
            turn_cosine(&one, &other) < PART_TURN
        })
    }

    fn find_bounds(&mut self, film: &Film<'_>) {
        self.part_bounds.clear();
        for part in &self.parts {
            let mut bounds = Bounds::EMPTY;
            for share in [part.from, part.to] {
                let Some(body) = film.body(PRESENT, share, self.id) else { continue };
                let boxes = self.active(part.middle()).flat_map(|(_, attack)| &attack.boxes);
                let boxes = boxes.filter_map(|&index| body.posed_hitbox(BoxIndex(index)));
                let weapons = self.active_weapons(film, part.middle());
                let weapons = weapons.filter_map(|weapon| film.weapon(share, weapon)?.hitbox(BoxIndex(0)));
                for one in boxes.chain(weapons) {
                    // Centers run along straight lines, so these bounds hold the boxes in between too. A round shape that
                    // is scaled unevenly reaches out of its box, by less than its largest half extent.
                    let half = one.half_extents;
                    let radius = match one.shape {
                        HitboxShape::Box => (half.x * half.x + half.y * half.y + half.z * half.z).sqrt(),
                        _ => half.x + half.y + half.z + half.max_element(),
                    };
                    let radius = Vec3::splat(radius * 1.001);
                    bounds = bounds.union(&Bounds { min: one.center - radius, max: one.center + radius });
                }
            }
            self.part_bounds.push(bounds);
        }
        self.bounds = self.part_bounds.iter().fold(Bounds::EMPTY, |all, one| all.union(one));
    }

    /// Appends the meetings of the attacking hitboxes with a target, from a moment on: for each part, the first contact of
    /// each pair. `edges` divide the parts further.
    pub(crate) fn meet(
        &self,
        film: &mut Film<'_>,
        target: BodyId,
        edges: &[f32],
        start: f32,
        exact: Option<&mut Exact>,
        found: &mut Vec<Meeting>,
    ) {
        let each_attack = |film: &Film<'_>, part: Part, body: &Body, sides: [Side; 2], each: &mut dyn FnMut(u32)| {
            for attack in self.active(part.middle()) {
                let takes_part = Self::takes_part(film, sides[0], attack);
                if takes_part && self.wants(attack.0, body.character(), sides[1].box_index) {
                    each(attack.0);
                }
            }
        };
        let wanted = |film: &Film<'_>, part: Part, body: &Body, sides: [Side; 2]| {
            let mut any = false;
            each_attack(film, part, body, sides, &mut |_| any = true);
            any
        };
        let groups = film.wanted_groups(self, target);
        self.each_hit(film, (self.eye, target, groups), &[], edges, (start, exact), wanted, |film, part, body, hit| {
            each_attack(film, part, body, hit.sides, &mut |attack| found.push(Meeting { attack, ..*hit }));
        });
    }

    /// Returns `true` if an attack may strike a hitbox of a character: it can be hit, or it guards against a strike, and it has
    /// a tag that the attack is against.
    pub(crate) fn wants(&self, attack: u32, target: &Character, index: BoxIndex) -> bool {
        let Attack { kind, against, .. } = self.attack(attack);
        let is_met = match target.role(index) {
            HitboxRole::Hurt => true,
            HitboxRole::Guard => *kind == AttackKind::Strike,
            HitboxRole::Strike | HitboxRole::Grab | HitboxRole::Sensor => false,
        };
        is_met && (against.is_empty() || against.iter().any(|tag| target.tags(index).contains(tag)))
    }

    /// Calls `found` with the first meeting of an attack of each of two swings, both with a strength above 0, for each pair of
    /// hitboxes and weapons and each part. The second number is the attack of `other`.
    pub(crate) fn clash(&self, film: &mut Film<'_>, other: &Self, mut found: impl FnMut(&Meeting, u32)) {
        let mut edges = Vec::new();
        other.attacks.iter().flat_map(|open| &open.spans).for_each(|&(from, to)| edges.extend([from, to]));
        let both = |film: &Film<'_>, part: Part, sides: [Side; 2]| {
            let strongest = |of: &Self, side: Side| of.strongest(film, side, part.middle());
            strongest(self, sides[0]).zip(strongest(other, sides[1]))
        };
        let wanted = |film: &Film<'_>, part: Part, _: &Body, sides: [Side; 2]| both(film, part, sides).is_some();
        let target = (PRESENT, other.id, other.groups.unwrap_or(u16::MAX));
        self.each_hit(film, target, &other.weapons, &edges, (0.0, None), wanted, |film, part, _, hit| {
            if let Some((attack, second)) = both(film, part, hit.sides) {
                found(&Meeting { attack, ..*hit }, second);
            }
        });
    }

    /// Calls `found` with the contacts of the attacking hitboxes and weapons with the hitboxes and some weapons of a target, of
    /// the pairs that are `wanted`. No hitbox outside of the `groups` is.
    fn each_hit(
        &self,
        film: &mut Film<'_>,
        (eye, target, groups): (Eye, BodyId, u16),
        target_weapons: &[usize],
        edges: &[f32],
        (start, mut exact): (f32, Option<&mut Exact>),
        wanted: impl Fn(&Film<'_>, Part, &Body, [Side; 2]) -> bool,
        mut found: impl FnMut(&Film<'_>, Part, &Body, &Meeting),
    ) {
        let (mut boxes, mut hits, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        let mut buffers = std::mem::take(&mut film.buffers);
        let passed = film.edges(eye);
        // Weapons of the target reach out of its bounds.
        let around = film.bounds_of(eye, target).filter(|_| target_weapons.is_empty());
        let is_near = |film: &Film<'_>, bounds: &Bounds| match around {
            Some(around) => overlap(bounds, &around) && film.may_reach(eye, target, groups, bounds),
            None => true,
        };
        for (part, bounds) in self.parts.iter().zip(&self.part_bounds).filter(|(part, _)| part.to >= start) {
            if !is_near(film, bounds) {
                continue;
            }
            shares.clear();
            let from = part.from.max(start);
            shares.extend([from, part.to]);
            shares.extend(edges.iter().chain(&passed).filter(|&&edge| from < edge && edge < part.to));
            let pieces = match parts_between(&mut shares) {
                pieces if pieces.is_empty() => vec![Part { from, to: part.to }],
                pieces => pieces,
            };
            for piece in pieces {
                let ends = [piece.from, piece.to];
                for share in ends {
                    // The weapons of both bodies had all their joints before.
                    let _was_armed = self.prepare(film, share);
                    film.prepare(eye, share);
                    target_weapons.iter().for_each(|&weapon| _ = film.arm(share, weapon));
                }
                if eye != PRESENT {
                    film.prepare(eye, piece.middle());
                }
                let film = &*film;
                let bodies = film.body(PRESENT, piece.from, self.id).zip(film.body(eye, piece.from, target));
                let Some((own, other)) = bodies else { continue };
                let motions = film.motion(PRESENT, ends, self.id).zip(film.motion(eye, ends, target));
                let Some((a, b)) = motions else { continue };
                boxes.clear();
                boxes.extend(
                    self.active(piece.middle()).flat_map(|(_, attack)| &attack.boxes).map(|&one| BoxIndex(one)),
                );
                let mut sweep = |pair: [(&BodyMotion<'_>, Option<usize>); 2], boxes: &[BoxIndex]| {
                    let [(a, weapon_a), (b, weapon_b)] = pair;
                    let layers = |of: &Body, weapon: Option<usize>, index: BoxIndex| -> CollisionLayers {
                        of.layers_of_box(weapon.map_or(index, |weapon| film.weapons()[weapon].holder))
                    };
                    let side = |of: &Body, index: BoxIndex, weapon: Option<usize>| match weapon {
                        Some(weapon) => Side::of_weapon(film, weapon),
                        None => Side::of_box(index, of.character().baked().boxes[index.index()].joint),
                    };
                    let meet = |one, two| {
                        layers(own, weapon_a, one).interacts_with(layers(other, weapon_b, two))
                            && wanted(film, piece, other, [side(own, one, weapon_a), side(other, two, weapon_b)])
                    };
                    sweep_boxes(a, b, boxes, meet, None, &mut buffers, &mut hits);
                    for hit in &hits {
                        let (mut hit, mut on_skin) = (*hit, None);
                        // A shield has no skin, so its hitbox stands for it.
                        let has_skin = other.character().role(hit.box_b) != HitboxRole::Guard;
                        if let Some(exact) = exact.as_deref_mut().filter(|_| has_skin) {
                            let own = |share| match weapon_a {
                                Some(weapon) => film.weapon(share, weapon),
                                None => Some(film.body(PRESENT, share, self.id)?.posed()),
                            };
                            let ends = own(piece.from).zip(own(piece.to));
                            let Some(own) = ends.and_then(|(from, to)| ends_of(from, to, hit.box_a)) else { continue };
                            let pair = Pair { film, piece, eye, target, own, hit };
                            let Some(touch) = exact.first_touch(&pair) else { continue };
                            (hit.time, on_skin) = (touch.time, Some(touch.point));
                        }
                        let Some(contact) = hit.contact(a, b) else { continue };
                        let SweepHit { box_a, box_b, time, .. } = hit;
                        let time = (piece.from + (piece.to - piece.from) * time).clamp(piece.from, piece.to);
                        let meeting = Meeting {
                            time,
                            middle: piece.middle(),
                            attack: 0,
                            sides: [side(own, box_a, weapon_a), side(other, box_b, weapon_b)],
                            point: on_skin.unwrap_or(contact.center()),
                            normal: contact.direction,
                            depth: contact.depth,
                        };
                        found(film, piece, other, &meeting);
                    }
                };
                let blade = |weapon| film.weapon_motion(ends, weapon);
                sweep([(&a, None), (&b, None)], &boxes);
                for weapon in self.active_weapons(film, piece.middle()) {
                    let Some(own) = blade(weapon) else { continue };
                    sweep([(&own, Some(weapon)), (&b, None)], &[BoxIndex(0)]);
                    for &second in target_weapons {
                        let Some(other) = blade(second) else { continue };
                        sweep([(&own, Some(weapon)), (&other, Some(second))], &[BoxIndex(0)]);
                    }
                }
                for &second in target_weapons {
                    let Some(other) = blade(second) else { continue };
                    sweep([(&a, None), (&other, Some(second))], &boxes);
                }
            }
        }
        film.buffers = buffers;
    }
}

impl Film<'_> {
    /// The groups of a target's hitboxes that the open attacks of a swing may strike.
    pub(crate) fn wanted_groups(&mut self, swing: &Moving, target: BodyId) -> u16 {
        let Some(parts) = self.parts.get(&target).and_then(Option::as_ref) else { return u16::MAX };
        let Some(character) = self.character(PRESENT, target) else { return u16::MAX };
        let mut groups = 0;
        for attack in swing.open_attacks() {
            let key = [Arc::as_ptr(&swing.character), Arc::as_ptr(&character)];
            let known = self.wanted.iter().find(|(of, which, _)| *of == key && *which == attack);
            groups |= known.map(|(.., groups)| *groups).unwrap_or_else(|| {
                let boxes = (0..character.box_count()).map(|index| BoxIndex(index as u16));
                let found = parts.groups_of(boxes.filter(|one| swing.wants(attack, &character, *one)));
                self.wanted.push((key, attack, found));
                found
            });
        }
        groups
    }

    /// Returns `false` if a swing cannot strike a target at any moment, which its look was prepared for. No body is posed.
    pub(crate) fn may_strike(&mut self, swing: &Moving, target: BodyId) -> bool {
        if swing.eye != PRESENT {
            return true;
        }
        self.find_parts(target);
        let wanted = self.wanted_groups(swing, target);
        let parts = |id| self.parts.get(&id).and_then(Option::as_ref);
        match (swing.groups, parts(swing.id), swing.rough_reach, parts(target)) {
            (Some(groups), Some(own), _, Some(other)) => own.meets(groups, other, wanted),
            (_, _, Some(reach), Some(other)) => other.overlaps(wanted, &reach),
            _ => true,
        }
    }
}

/// Sorts edges, and returns the parts between them.
fn parts_between(edges: &mut Vec<f32>) -> Vec<Part> {
    edges.sort_unstable_by(f32::total_cmp);
    edges.dedup();
    edges.windows(2).map(|ends| Part { from: ends[0], to: ends[1] }).collect()
}

/// The cosine of the angle between the axes of a box at two moments.
fn turn_cosine(one: &PosedHitbox, other: &PosedHitbox) -> f32 {
    // In this order of operations on every machine.
    let dot = |a: Vec3, b: Vec3| a.x * b.x + a.y * b.y + a.z * b.z;
    let (a, b) = (one.axes, other.axes);
    0.5 * (dot(a.x_axis, b.x_axis) + dot(a.y_axis, b.y_axis) + dot(a.z_axis, b.z_axis) - 1.0)
}
