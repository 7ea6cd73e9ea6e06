//! The contacts of a swing's hitboxes with another body.

use crate::clock::Clock;
use crate::film::Film;
use baked_format::Attack;
use glam::Vec3;
use runtime::{Body, BodyId, Bounds, BoxIndex, Character, HitboxShape, PosedHitbox, SweepHit, sweep_boxes};
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

/// A part of a tick in which the same attacks of a swing are active.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) from: f32,
    pub(crate) to: f32,
}

impl Part {
    /// The moment at which the windows of attacks and states are read: no window begins or ends within a part.
    pub(crate) fn middle(&self) -> f32 {
        0.5 * (self.from + self.to)
    }
}

/// A swing within a tick.
pub(crate) struct Moving {
    pub(crate) id: BodyId,
    pub(crate) character: Arc<Character>,
    pub(crate) clock: Clock,
    /// The attacks of the clip, as indices into `BakedCharacter::attacks`, and the parts of the tick in which they are active.
    attacks: Vec<(u32, Vec<(f32, f32)>)>,
    /// The parts in which any attack is active, in order.
    pub(crate) parts: Vec<Part>,
    /// Bounds of the attacking hitboxes in all parts.
    pub(crate) bounds: Bounds,
}

/// A hitbox of an attack that meets another hitbox.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// The share of the tick.
    pub(crate) time: f32,
    /// A moment of the part of the tick, at which windows are read.
    pub(crate) middle: f32,
    pub(crate) attack: u32,
    pub(crate) boxes: [BoxIndex; 2],
    pub(crate) joints: [JointIndex; 2],
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) depth: f32,
}

impl Moving {
    /// A swing within a tick of so many seconds.
    pub(crate) fn new(film: &mut Film<'_>, id: BodyId, character: Arc<Character>, clock: Clock, seconds: f64) -> Self {
        let mut attacks = Vec::new();
        for (index, attack) in character.baked().attacks.iter().enumerate().filter(|(_, one)| one.clip == clock.clip) {
            let mut spans = Vec::new();
            attack.active.iter().for_each(|window| clock.spans(window, |from, to| spans.push((from, to))));
            if !spans.is_empty() {
                attacks.push((index as u32, spans));
            }
        }
        let mut moving = Self { id, character, clock, attacks, parts: Vec::new(), bounds: Bounds::EMPTY };
        if !moving.attacks.is_empty() {
            moving.find_parts(film, seconds);
            moving.find_bounds(film);
        }
        moving
    }

    pub(crate) fn attack(&self, index: u32) -> &Attack {
        &self.character.baked().attacks[index as usize]
    }

    /// The attacks that are active at any moment of the tick.
    pub(crate) fn open_attacks(&self) -> impl Iterator<Item = u32> {
        self.attacks.iter().map(|(index, _)| *index)
    }

    /// The attacks that are active at a moment.
    fn active(&self, share: f32) -> impl Iterator<Item = (u32, &Attack)> {
        let is_open = move |spans: &[(f32, f32)]| spans.iter().any(|(from, to)| *from <= share && share <= *to);
        self.attacks.iter().filter(move |(_, spans)| is_open(spans)).map(|(index, _)| (*index, self.attack(*index)))
    }

    /// The attack with the largest strength above 0 that a hitbox makes at a moment.
    fn strongest(&self, index: BoxIndex, share: f32) -> Option<u32> {
        let attacks = self.active(share).filter(|(_, one)| one.boxes.binary_search(&index.0).is_ok());
        let strong = attacks.filter(|(_, one)| one.strength > 0.0);
        strong.max_by(|a, b| a.1.strength.total_cmp(&b.1.strength)).map(|(attack, _)| attack)
    }

    fn find_parts(&mut self, film: &mut Film<'_>, seconds: f64) {
        let count = (seconds / PART_SECONDS - 1e-6).ceil().clamp(1.0, MAX_PARTS) as u16;
        let mut edges: Vec<f32> = (0..=count).map(|part| f32::from(part) / f32::from(count)).collect();
        let spans = || self.attacks.iter().flat_map(|(_, spans)| spans);
        spans().for_each(|&(from, to)| edges.extend([from, to]));
        let mut parts = parts_between(&mut edges);
        // A window that opens and closes at one moment is a part of its own.
        parts.extend(spans().filter(|(from, to)| from == to).map(|&(from, to)| Part { from, to }));
        parts.sort_unstable_by_key(|part| (part.from.to_bits(), part.to.to_bits()));
        parts.dedup_by_key(|part| (part.from.to_bits(), part.to.to_bits()));
        parts.retain(|part| self.active(part.middle()).next().is_some());
        let mut divided = Vec::new();
        parts.into_iter().for_each(|part| self.divide(film, part, MAX_HALVINGS, &mut divided));
        self.parts = divided;
    }

    /// Divides a part until no attacking hitbox turns far.
    fn divide(&self, film: &mut Film<'_>, part: Part, halvings: u32, divided: &mut Vec<Part>) {
        film.prepare(part.from);
        film.prepare(part.to);
        let middle = part.middle();
        let is_divisible = halvings > 0 && part.from < middle && middle < part.to;
        if !is_divisible || !self.turns_far(film, part) {
            divided.push(part);
            return;
        }
        self.divide(film, Part { to: middle, ..part }, halvings - 1, divided);
        self.divide(film, Part { from: middle, ..part }, halvings - 1, divided);
    }

    fn turns_far(&self, film: &Film<'_>, part: Part) -> bool {
        let ends = [part.from, part.to].map(|share| film.body(share, self.id));
        let [Some(first), Some(last)] = ends else { return false };
        self.active(part.middle()).flat_map(|(_, attack)| &attack.boxes).any(|&index| {
            let boxes = [first, last].map(|body| body.posed_hitbox(BoxIndex(index)));
            let [Some(one), Some(other)] = boxes else { return false };
            turn_cosine(&one, &other) < PART_TURN
        })
    }

    fn find_bounds(&mut self, film: &Film<'_>) {
        let mut bounds = Bounds::EMPTY;
        for part in &self.parts {
            for share in [part.from, part.to] {
                let Some(body) = film.body(share, self.id) else { continue };
                for &index in self.active(part.middle()).flat_map(|(_, attack)| &attack.boxes) {
                    let Some(one) = body.posed_hitbox(BoxIndex(index)) else { continue };
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
        }
        self.bounds = bounds;
    }

    /// Appends the meetings of the attacking hitboxes with a target, from a moment on: for each part, the first contact of
    /// each pair. `edges` divide the parts further.
    pub(crate) fn meet(
        &self,
        film: &mut Film<'_>,
        target: BodyId,
        edges: &[f32],
        start: f32,
        found: &mut Vec<Meeting>,
    ) {
        let wants = |attack: &Attack, body: &Body, index: BoxIndex| {
            let tags = body.character().tags(index);
            attack.against.is_empty() || attack.against.iter().any(|tag| tags.contains(tag))
        };
        self.each_hit(film, target, edges, start, |part, body, hit| {
            for (attack, one) in self.active(part.middle()) {
                if one.boxes.binary_search(&hit.boxes[0].0).is_ok() && wants(one, body, hit.boxes[1]) {
                    found.push(Meeting { attack, ..*hit });
                }
            }
        });
    }

    /// Calls `found` with the first meeting of an attack of each of two swings, both with a strength above 0, for each pair of
    /// hitboxes and each part. The second number is the attack of `other`.
    pub(crate) fn clash(&self, film: &mut Film<'_>, other: &Self, mut found: impl FnMut(&Meeting, u32)) {
        let mut edges = Vec::new();
        other.attacks.iter().flat_map(|(_, spans)| spans).for_each(|&(from, to)| edges.extend([from, to]));
        self.each_hit(film, other.id, &edges, 0.0, |part, _, hit| {
            let strongest = |of: &Self, index: BoxIndex| of.strongest(index, part.middle());
            if let (Some(attack), Some(second)) = (strongest(self, hit.boxes[0]), strongest(other, hit.boxes[1])) {
                found(&Meeting { attack, ..*hit }, second);
            }
        });
    }

    fn each_hit(
        &self,
        film: &mut Film<'_>,
        target: BodyId,
        edges: &[f32],
        start: f32,
        mut found: impl FnMut(Part, &Body, &Meeting),
    ) {
        let (mut boxes, mut hits, mut shares) = (Vec::new(), Vec::new(), Vec::new());
        for part in self.parts.iter().filter(|part| part.to >= start) {
            shares.clear();
            let from = part.from.max(start);
            shares.extend([from, part.to]);
            shares.extend(edges.iter().filter(|&&edge| from < edge && edge < part.to));
            let pieces = match parts_between(&mut shares) {
                pieces if pieces.is_empty() => vec![Part { from, to: part.to }],
                pieces => pieces,
            };
            for piece in pieces {
                film.prepare(piece.from);
                film.prepare(piece.to);
                let ends = [piece.from, piece.to];
                let Some((own, other)) = film.body(piece.from, self.id).zip(film.body(piece.from, target)) else {
                    return;
                };
                let Some((a, b)) = film.motion(ends, self.id).zip(film.motion(ends, target)) else { return };
                boxes.clear();
                boxes.extend(
                    self.active(piece.middle()).flat_map(|(_, attack)| &attack.boxes).map(|&one| BoxIndex(one)),
                );
                let wanted = |first, second| own.layers_of_box(first).interacts_with(other.layers_of_box(second));
                sweep_boxes(&a, &b, &boxes, wanted, None, &mut hits);
                for hit in &hits {
                    let Some(contact) = hit.contact(&a, &b) else { continue };
                    let SweepHit { box_a, box_b, joint_a, joint_b, time, .. } = *hit;
                    let time = (piece.from + (piece.to - piece.from) * time).clamp(piece.from, piece.to);
                    let meeting = Meeting {
                        time,
                        middle: piece.middle(),
                        attack: 0,
                        boxes: [box_a, box_b],
                        joints: [joint_a, joint_b],
                        point: contact.center(),
                        normal: contact.direction,
                        depth: contact.depth,
                    };
                    found(piece, other, &meeting);
                }
            }
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
