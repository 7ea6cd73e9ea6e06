//! Crowds of figures with 24 boxes, animated, and our world over them.

use baked_characters::baked_figure;
use glam::{Affine3A, Quat, Vec3};
use runtime::{BodyId, BodySettings, Character, ClipIndex, ClipSampler, HitboxWorld};
use std::sync::Arc;
use test_models::Random;

/// The number of ticks after which everything repeats.
pub(crate) const TICKS: usize = 8;
/// All characters share these poses, which therefore stay in the caches. So the bench does not measure reading
/// megabytes of poses; an engine has just computed them.
const POSES: usize = 64;

/// The place and the pose of every character, tick by tick.
pub(crate) struct Scene {
    pub(crate) character: Arc<Character>,
    /// `[tick][body]`
    pub(crate) places: Vec<Vec<Affine3A>>,
    /// The pose of body `i` at a tick has the number `7 i + tick % TICKS`, so that everything repeats after `TICKS`.
    poses: Vec<Vec<Affine3A>>,
}

impl Scene {
    pub(crate) fn new(layout: &str, count: usize) -> Self {
        let character = Arc::new(Character::from_baked(baked_figure("figure")));
        let mut random = Random::new(3);
        let square_meters = match layout {
            "1 per m2" => 1.0,
            "1 per 4 m2" => 4.0,
            _ => 0.0,
        };
        let side = (count as f32 * square_meters).sqrt();
        let people: Vec<_> = (0..count)
            .map(|i| {
                let spot = match layout {
                    "line-up, 0.8 m apart" => Vec3::Z * (0.8 * i as f32),
                    _ => Vec3::new(random.between(0.0, side), 0.0, random.between(0.0, side)),
                };
                (spot, random.between(-1.0, 1.0))
            })
            .collect();
        let mut sampler = ClipSampler::new();
        let mut places = Vec::new();
        for tick in 0..TICKS {
            let time = tick as f32 / 60.0;
            let place = |&(spot, turn): &(Vec3, f32)| {
                let rotation = Quat::from_xyzw(0.0, turn, 0.0, 1.0 - turn.abs()).normalize();
                Affine3A::from_rotation_translation(rotation, spot + rotation * Vec3::Z * (1.4 * time))
            };
            places.push(people.iter().map(place).collect());
        }
        let mut pose = |index: usize| {
            let time = index as f32 / POSES as f32;
            sampler.sample(&character, ClipIndex(1), time).expect("the clip is there").to_vec()
        };
        let poses = (0..POSES).map(&mut pose).collect();
        Self { character, places, poses }
    }

    pub(crate) fn inputs(&self, tick: usize) -> impl Iterator<Item = (&Affine3A, &[Affine3A])> {
        let pose = move |body: usize| &*self.poses[(7 * body + tick % TICKS) % POSES];
        self.places[tick % TICKS].iter().enumerate().map(move |(body, place)| (place, pose(body)))
    }
}

/// The scene, in a `HitboxWorld`.
pub(crate) struct Ours<'a> {
    scene: &'a Scene,
    pub(crate) world: HitboxWorld,
    pub(crate) tick: usize,
}

impl<'a> Ours<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let mut world = HitboxWorld::new();
        for id in 0..scene.places[0].len() as u64 {
            world.insert(BodyId(id), Arc::clone(&scene.character), BodySettings::default()).expect("a new name");
        }
        Self { scene, world, tick: 0 }
    }

    pub(crate) fn pose(&mut self) {
        let mut inputs = self.scene.inputs(self.tick);
        let pose = |_, body: &mut runtime::BodyPoser<'_>| {
            let (place, pose) = inputs.next().expect("a pose for each body");
            body.pose_from_model(place, pose)
        };
        self.world.pose_each(pose).expect("finite poses");
        self.tick += 1;
    }

    /// A tick in which one of `every` characters is posed anew, another one at each tick.
    #[allow(dead_code, reason = "one of the benches uses it")]
    pub(crate) fn step_some(&mut self, every: usize) -> usize {
        for (body, (place, pose)) in self.scene.inputs(self.tick).enumerate().skip(self.tick % every).step_by(every) {
            self.world.pose_from_model(BodyId(body as u64), place, pose).expect("a finite pose");
        }
        self.tick += 1;
        self.world.update();
        self.world.touches().len()
    }

    pub(crate) fn step(&mut self) -> usize {
        self.pose();
        self.world.update();
        self.world.touches().len()
    }
}
