//! Checksums of recorded ticks, which find the tick and the body at which two machines went apart.

use crate::history::History;
use crate::tick::{Kind, PastBody, Tick};
use runtime::{BodyId, LayerMode};

/// A sum of 64-bit words: FNV-1a, one word at a time, with the bits mixed after each word.
#[derive(Clone, Copy)]
struct Sum(u64);

impl Sum {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 32;
    }

    fn add_float(&mut self, number: f32) {
        self.add(u64::from(number.to_bits()));
    }
}

impl Tick {
    /// The sum of what is stored about one body: its id, character, settings, layers and pose.
    fn sum_of(&self, id: BodyId, body: &PastBody) -> u64 {
        let mut sum = Sum::new();
        sum.add(id.0);
        self.character_of(body).character.name().bytes().for_each(|byte| sum.add(byte.into()));
        let settings = self.settings_of(body);
        sum.add(u64::from(settings.layers.memberships) << 32 | u64::from(settings.layers.mask));
        sum.add(settings.team.map_or(u64::MAX, u64::from));
        sum.add(u64::from(settings.self_touches) | u64::from(settings.continuous) << 1 | u64::from(body.is_cut) << 2);
        for layers in self.box_layers_of(body) {
            sum.add(u64::from(layers.memberships) << 32 | u64::from(layers.mask));
        }
        sum.add(body.kind as u64);
        if body.kind != Kind::Nothing {
            body.place().to_cols_array().into_iter().for_each(|number| sum.add_float(number));
            sum.add(body.clip.0.into());
            sum.add_float(body.seconds);
        }
        for layer in self.layers_of(body) {
            sum.add(u64::from(layer.clip.0) << 1 | u64::from(layer.mode == LayerMode::Add));
            sum.add_float(layer.seconds);
            sum.add_float(layer.weight);
        }
        self.joint_numbers_of(body).iter().for_each(|&number| sum.add_float(number));
        sum.0
    }

    fn sum(&self) -> u64 {
        let mut sum = Sum::new();
        sum.add(self.number);
        self.ids.iter().zip(&self.bodies).for_each(|(&id, body)| sum.add(self.sum_of(id, body)));
        sum.0
    }
}

impl History {
    /// A number that is equal for histories with the same ticks, with overwhelming probability, and on every machine. It
    /// covers everything that views are made of, except for the weights of joint masks.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let mut sum = Sum::new();
        self.ticks.iter().for_each(|tick| sum.add(tick.sum()));
        sum.0
    }

    /// The [checksum](History::checksum) of one tick, for example to send it each tick. `None` if it is not recorded.
    #[must_use]
    pub fn checksum_of(&self, tick: u64) -> Option<u64> {
        let place = self.ticks.binary_search_by_key(&tick, |tick| tick.number).ok()?;
        Some(self.ticks[place].sum())
    }

    /// The first tick and the first body about which two histories differ, of the ticks that both have. A body that only
    /// one of them has counts too.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<(u64, BodyId)> {
        self.ticks.iter().find_map(|one| {
            let place = other.ticks.binary_search_by_key(&one.number, |tick| tick.number).ok()?;
            let other = &other.ticks[place];
            if one.sum() == other.sum() {
                return None;
            }
            let mut ids: Vec<BodyId> = one.ids.iter().chain(&other.ids).copied().collect();
            ids.sort_unstable();
            let sum = |tick: &Tick, id: BodyId| tick.find(id).map(|place| tick.sum_of(id, &tick.bodies[place]));
            ids.into_iter().find(|&id| sum(one, id) != sum(other, id)).map(|id| (one.number, id))
        })
    }
}
