//! Swordsmen and posts, and the ticks of their fights.

use baked_characters::baked_arm;
use baked_format::{Attack, AttackKind, BakedCharacter, ClipState, StateKind, Window};
use glam::{Affine3A, Vec3};
use rewind::{History, HistorySettings};
use runtime::{BodyId, BodySettings, BoxIndex, Character, ClipIndex, HitboxWorld};
use skeleton::{Channel, Clip, Interpolation, JointIndex, Property};
use std::sync::Arc;
use strikes::{Strike, StrikeRules, Strikes, Swing};

/// The clip `spin`: the sword turns about z, once in its length.
pub(crate) const SPIN: ClipIndex = ClipIndex(1);
/// The hitbox of the body, 1 to 2 units above the ground, and the sword, which is thin and begins where the body ends.
pub(crate) const BODY: BoxIndex = BoxIndex(0);
pub(crate) const SWORD: BoxIndex = BoxIndex(1);

/// An attack of the sword in the clip `spin`.
pub(crate) fn attack(name: &str, from: f32, to: f32) -> Attack {
    Attack {
        name: name.into(),
        clip: SPIN,
        kind: AttackKind::Strike,
        boxes: vec![SWORD.0],
        active: vec![Window { from, to }],
        group: name.into(),
        rank: 0,
        rehit: None,
        against: Vec::new(),
        strength: 0.0,
        data: Some(r#"{"damage":5}"#.into()),
    }
}

pub(crate) fn state(kind: StateKind, from: f32, to: f32) -> ClipState {
    ClipState { clip: SPIN, kind, boxes: vec![0, 1], active: vec![Window { from, to }] }
}

/// An arm whose forearm is a sword, `thick` units in each direction from its middle. It turns once in `seconds`.
pub(crate) fn baked_swordsman(
    seconds: f32,
    thick: f32,
    attacks: Vec<Attack>,
    states: Vec<ClipState>,
) -> BakedCharacter {
    let mut baked = baked_arm("swordsman");
    baked.boxes[1].half_extents = Vec3::new(thick, 0.7, thick);
    baked.boxes[1].center = Vec3::Y * 0.8;
    baked.boxes[1].tags = vec!["sword".into()];
    baked.boxes[0].tags = vec!["hurt".into()];
    let keys = 24_u8;
    // glam's own sines differ between platforms.
    let turn = |key: u8| {
        let half = std::f32::consts::PI * f32::from(key) / f32::from(keys);
        [0.0, 0.0, libm::sinf(half), libm::cosf(half)]
    };
    baked.clips.push(Clip {
        name: "spin".into(),
        timelines: vec![(0..=keys).map(|key| seconds * f32::from(key) / f32::from(keys)).collect()],
        channels: vec![Channel {
            joint: JointIndex(2),
            property: Property::Rotation,
            interpolation: Interpolation::Linear,
            timeline: 0,
            values: (0..=keys).flat_map(turn).collect(),
        }],
    });
    (baked.attacks, baked.states) = (attacks, states);
    baked.validate().unwrap();
    baked
}

pub(crate) fn swordsman(seconds: f32, attacks: Vec<Attack>, states: Vec<ClipState>) -> Arc<Character> {
    Arc::new(Character::from_baked(baked_swordsman(seconds, 0.02, attacks, states)))
}

/// A body of a fight: its place is `start + velocity * time`.
#[derive(Clone)]
pub(crate) struct Fighter {
    pub(crate) character: Arc<Character>,
    pub(crate) start: Vec3,
    pub(crate) velocity: Vec3,
    /// The seconds of the clip that pass in a second; `None` for the rest pose.
    pub(crate) plays: Option<f32>,
    pub(crate) loops: bool,
    pub(crate) settings: BodySettings,
}

impl Fighter {
    pub(crate) fn new(character: &Arc<Character>, start: Vec3) -> Self {
        let character = Arc::clone(character);
        let settings = BodySettings::default();
        Self { character, start, velocity: Vec3::ZERO, plays: None, loops: false, settings }
    }

    pub(crate) fn playing(self, speed: f32) -> Self {
        Self { plays: Some(speed), ..self }
    }

    pub(crate) fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    pub(crate) fn place(&self, time: f64) -> Affine3A {
        Affine3A::from_translation((self.start.as_dvec3() + self.velocity.as_dvec3() * time).as_vec3())
    }

    pub(crate) fn clip_time(&self, time: f64) -> Option<f32> {
        let length = f64::from(self.character.clips()[SPIN.index()].seconds());
        let passed = time * f64::from(self.plays?);
        Some(if self.loops { passed.rem_euclid(length) } else { passed.min(length) } as f32)
    }
}

/// A world of fighters and its history. Fighter `i` is body `i`.
pub(crate) struct Fight {
    pub(crate) fighters: Vec<Fighter>,
    pub(crate) rate: f64,
    pub(crate) world: HitboxWorld,
    pub(crate) history: History,
    pub(crate) ticks: u64,
}

impl Fight {
    /// Records tick 0.
    pub(crate) fn new(fighters: Vec<Fighter>, rate: f64) -> Self {
        let mut world = HitboxWorld::new();
        for (fighter, id) in fighters.iter().zip(0..) {
            world.insert(BodyId(id), Arc::clone(&fighter.character), fighter.settings).unwrap();
        }
        let history = History::new(HistorySettings { ticks: 700, tick_seconds: 1.0 / rate });
        let mut fight = Self { fighters, rate, world, history, ticks: 0 };
        fight.record(0);
        fight
    }

    pub(crate) fn record(&mut self, tick: u64) {
        self.record_at(tick, tick as f64 / self.rate);
    }

    /// Records a tick at which the clips are at those of a time.
    pub(crate) fn record_at(&mut self, tick: u64, clip_time: f64) {
        let time = tick as f64 / self.rate;
        for (fighter, id) in self.fighters.iter().zip(0..) {
            let (id, place) = (BodyId(id), fighter.place(time));
            match fighter.clip_time(clip_time) {
                Some(seconds) => self.world.pose_from_clip(id, &place, SPIN, seconds).unwrap(),
                None => self.world.pose_from_rest(id, &place).unwrap(),
            }
        }
        self.history.record(tick, &self.world).unwrap();
        self.ticks = tick;
    }

    /// Records the next tick.
    pub(crate) fn step(&mut self) {
        self.record(self.ticks + 1);
    }

    /// Records so many seconds, and advances the swings tick by tick.
    pub(crate) fn play(&mut self, swings: &mut Strikes, seconds: f64) -> Vec<Strike> {
        let (mut all, mut strikes) = (Vec::new(), Vec::new());
        let last = self.ticks + (seconds * self.rate).ceil() as u64;
        while self.ticks < last {
            self.step();
            let ticks = [self.ticks - 1, self.ticks];
            swings.advance(&self.history, ticks, &StrikeRules::default(), &mut strikes).unwrap();
            all.append(&mut strikes);
        }
        all
    }

    /// The time of a strike in seconds.
    pub(crate) fn seconds_of(&self, strike: &Strike) -> f64 {
        (strike.tick as f64 + f64::from(strike.time)) / self.rate
    }
}

/// Swings of body 0 alone.
pub(crate) fn one_swing() -> Strikes {
    let mut swings = Strikes::new();
    swings.begin(Swing::new(BodyId(0), 1, SPIN)).unwrap();
    swings
}

/// The ids of the targets.
pub(crate) fn targets(strikes: &[Strike]) -> Vec<u64> {
    strikes.iter().map(|strike| strike.target.0).collect()
}
