//! The player's side: snapshots that arrive late or never, and the picture that the player sees. The code is written as a
//! game writes it, with the math of glam, and takes nothing from the crate under test except [`Moment`].

use super::server::{Seen, Snapshot, TICKS_A_SECOND};
use glam::{Affine3A, Quat};
use rewind::Moment;
use runtime::{Animation, BodyId, Character, ClipIndex, ClipSampler, PoseLayer, PoseRecipe};
use std::collections::VecDeque;
use std::rc::Rc;
use test_models::Random;

/// Ticks by which a client draws behind the snapshot that it expects, beside its jitter.
const DELAY: f64 = 2.0;

/// The number of snapshots that a client keeps.
const KEPT: usize = 64;

pub(crate) struct Client {
    /// Seconds on the way from the server, and back.
    pub(crate) one_way: f64,
    /// The largest extra time of a packet, in seconds.
    jitter: f64,
    /// The share of packets that are lost.
    loss: f64,
    /// Snapshots by tick, with their times of arrival.
    received: VecDeque<(f64, Rc<Snapshot>)>,
}

/// What a client draws.
pub(crate) struct Picture {
    pub(crate) moment: Moment,
    pub(crate) bodies: Vec<Seen>,
    /// `true` if the picture lies between snapshots of ticks that do not follow each other, because one was lost or late.
    pub(crate) spans_a_gap: bool,
}

impl Client {
    pub(crate) fn new(random: &mut Random) -> Self {
        let latency = 0.020 + 0.230 * random.share_f64();
        let (jitter, loss) = (0.020 * random.share_f64(), 0.04 * random.share_f64());
        Self { one_way: latency / 2.0, jitter, loss, received: VecDeque::new() }
    }

    /// The server sends a snapshot at this time.
    pub(crate) fn send(&mut self, now: f64, snapshot: &Rc<Snapshot>, random: &mut Random) {
        if random.share_f64() >= self.loss {
            self.received.push_back((self.arrival(now, random), Rc::clone(snapshot)));
        }
        if self.received.len() > KEPT {
            self.received.pop_front();
        }
    }

    /// The time when a packet arrives, in either direction.
    pub(crate) fn arrival(&self, now: f64, random: &mut Random) -> f64 {
        now + self.one_way + self.jitter * random.share_f64()
    }

    /// Draws the world at this time. `None` if nothing arrived yet.
    pub(crate) fn draw(&self, now: f64) -> Option<Picture> {
        let here = || self.received.iter().filter(|(arrival, _)| *arrival <= now).map(|(_, snapshot)| snapshot);
        let newest = here().next_back()?.tick;
        let behind = (now - self.one_way - self.jitter) * TICKS_A_SECOND - DELAY;
        let moment = Moment::at(behind.min(newest as f64))?;
        let before = here().rfind(|snapshot| snapshot.tick <= moment.tick)?;
        let is_past = |snapshot: &&Rc<Snapshot>| snapshot.tick > before.tick;
        let Some(after) = here().find(is_past).filter(|_| moment.fraction > 0.0 || moment.tick > before.tick) else {
            // Nothing newer arrived, so the client stands still.
            let moment = Moment::of_tick(before.tick);
            return Some(Picture { moment, bodies: before.bodies.clone(), spans_a_gap: false });
        };
        let gap = after.tick - before.tick;
        let share = ((moment.tick - before.tick) as f32 + moment.fraction) / gap as f32;
        let mut artist = Artist::default();
        let bodies = before.bodies.iter().map(|seen| {
            let next = after.bodies.iter().find(|next| next.id == seen.id && next.life == seen.life);
            next.map_or_else(|| seen.clone(), |next| artist.between(seen, next, share))
        });
        Some(Picture { moment, bodies: bodies.collect(), spans_a_gap: gap > 1 })
    }
}

impl Picture {
    pub(crate) fn place_of(&self, id: BodyId) -> Option<Affine3A> {
        self.bodies.iter().find(|seen| seen.id == id).map(|seen| seen.recipe.place)
    }
}

/// Computes poses between those of two snapshots.
#[derive(Default)]
struct Artist {
    sampler: ClipSampler,
}

impl Artist {
    fn between(&mut self, a: &Seen, b: &Seen, s: f32) -> Seen {
        let character = &a.character;
        let place = mixed(&a.recipe.place, &b.recipe.place, s);
        let time = |clip: ClipIndex, a: f32, b: f32| looped(character, clip, a, b, s);
        let animation = match (&a.recipe.animation, &b.recipe.animation) {
            (Animation::Rest, Animation::Rest) => Animation::Rest,
            (Animation::Clip { clip, seconds }, Animation::Clip { clip: next, seconds: then }) if clip == next => {
                Animation::Clip { clip: *clip, seconds: time(*clip, *seconds, *then) }
            }
            (Animation::Layers(one), Animation::Layers(other)) if same_clips(one, other) => {
                let layers = one.iter().zip(other).map(|(a, b)| PoseLayer {
                    seconds: time(a.clip, a.seconds, b.seconds),
                    weight: a.weight * (1.0 - s) + b.weight * s,
                    ..a.clone()
                });
                Animation::Layers(layers.collect())
            }
            _ => {
                let [from, to] = [a, b].map(|seen| self.world_joints(seen));
                let model_from_world = place.inverse();
                let joints = from.iter().zip(&to).map(|(a, b)| model_from_world * mixed(a, b, s));
                Animation::Joints(joints.collect())
            }
        };
        Seen { recipe: PoseRecipe { place, animation }, ..a.clone() }
    }

    fn world_joints(&mut self, seen: &Seen) -> Vec<Affine3A> {
        let character = &seen.character;
        let joints = match &seen.recipe.animation {
            Animation::Rest => character.rest_matrices(),
            Animation::Clip { clip, seconds } => self.sampler.sample(character, *clip, *seconds).unwrap(),
            Animation::Layers(layers) => self.sampler.sample_layers(character, layers).unwrap(),
            Animation::Joints(joints) => joints,
        };
        joints.iter().map(|joint| seen.recipe.place * *joint).collect()
    }
}

fn same_clips(one: &[PoseLayer], other: &[PoseLayer]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.clip == b.clip && a.mode == b.mode)
}

/// A clip that began again goes on through its end.
fn looped(character: &Character, clip: ClipIndex, a: f32, b: f32, s: f32) -> f32 {
    let clip = &character.clips()[clip.index()];
    let mut way = b - a;
    way -= clip.seconds() * (way / clip.seconds()).round();
    clip.start() + (a + way * s - clip.start()).rem_euclid(clip.seconds())
}

#[expect(clippy::disallowed_methods, reason = "a client uses the slerp of its engine")]
pub(crate) fn mixed(a: &Affine3A, b: &Affine3A, s: f32) -> Affine3A {
    let [(scale, rotation, at), (scale_b, rotation_b, at_b)] = [a, b].map(Affine3A::to_scale_rotation_translation);
    let rotation: Quat = rotation.slerp(rotation_b, s);
    Affine3A::from_scale_rotation_translation(scale.lerp(scale_b, s), rotation, at.lerp(at_b, s))
}
