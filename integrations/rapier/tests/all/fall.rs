//! A figure that falls onto a floor and down stairs, and what is measured meanwhile.

use crate::naive::Naive;
use asset_bake::FolderResolver;
use bone_fit::{BakeOptions, Overrides, RagdollSettings};
use bonebox_rapier::{Material, Ragdoll, parameters};
use glam::{Affine3A, Quat, Vec3};
use ragdoll::{BodyPlace, ConstraintKind, RagdollBody, RagdollRig};
use rapier3d::prelude::*;
use runtime::Character;
use skinned_model::import;
use std::path::{Path, PathBuf};
use test_models::Random;

/// A character to throw.
pub struct Figure {
    pub name: String,
    pub character: Character,
    pub rig: RagdollRig,
    /// In meters.
    pub height: f32,
}

/// A ragdoll in a world.
enum Falling {
    Baked(Ragdoll),
    Naive(Vec<RigidBodyHandle>),
}

impl Falling {
    fn bodies(&self) -> &[RigidBodyHandle] {
        match self {
            Self::Baked(ragdoll) => ragdoll.bodies(),
            Self::Naive(bodies) => bodies,
        }
    }
}

/// What happened in ten seconds.
#[derive(Debug)]
pub struct Fall {
    /// The time in seconds after which no body moves.
    pub rest: Option<f32>,
    /// The largest distance between two places that a joint holds together, as a share of the height.
    pub apart: f32,
    /// The farthest that a joint turned past a limit, in degrees.
    pub past_limit: f32,
    /// The same in the last second.
    pub past_limit_at_rest: f32,
    /// The deepest overlap of two bodies in the end, as a share of the height.
    pub overlap: f32,
    /// The kinetic energy in the end, as a share of that of a fall from the figure's height.
    pub energy: f32,
    /// The most energy, kinetic and of its height, that the figure had beyond that of its start, as a share of that of a fall from its
    /// height. A figure that explodes gains energy.
    pub gained: f32,
    pub is_finite: bool,
}

impl Figure {
    /// The characters of `assets/` and those of the corpus, if it is there.
    pub fn all() -> impl Iterator<Item = Self> {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
        let mut files: Vec<PathBuf> = ["runa", "bruno", "hound"].map(|name| assets.join(format!("{name}.glb"))).into();
        if let Some(corpus) = corpus::find() {
            files.extend(corpus::RAGDOLLS.map(|file| corpus.join(file)));
        }
        files.into_iter().map(|file| Self::load(&file))
    }

    pub fn load(file: &Path) -> Self {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let model = import(&std::fs::read(file).unwrap(), &FolderResolver::beside(file)).unwrap();
        let humanoid = skeleton::humanoid::Humanoid::guess(&model.skeleton).is_ok();
        let parts = if humanoid { "humanoid" } else { "18" };
        let options = [("preset", "tight"), ("parts", parts), ("max_boxes", "1"), ("measure", "none")];
        let options = BakeOptions::from_entries(options).unwrap();
        let overrides = Overrides { ragdoll: Some(RagdollSettings::default()), ..Overrides::default() };
        let source = baked_format::Source { file: String::new(), blake3: [0; 32], generator: String::new() };
        let bake = bone_fit::bake_with(&model, &name, source, &options, &overrides).unwrap();
        let height = bake.report.height as f32;
        let character = Character::from_baked(bake.character);
        let rig = RagdollRig::new(&character).unwrap();
        Self { name, character, rig, height }
    }

    /// The places of the bodies in a pose of a clip.
    pub fn places(&self, rig: &RagdollRig, place: &Affine3A, clip: usize, time: f32) -> Vec<BodyPlace> {
        let skeleton = self.character.skeleton();
        let mut local = skeleton.rest_pose();
        if let Some(clip) = self.character.clips().get(clip) {
            clip.sample(clip.start() + time, &mut local);
        }
        let mut matrices = vec![Affine3A::IDENTITY; skeleton.len()];
        skeleton.model_from_joints(&local, &mut matrices);
        let mut places = Vec::new();
        rig.places(place, &matrices, &mut places).unwrap();
        places
    }

    /// The share of the poses of all clips, 30 a second, in which every joint is within its limits.
    pub fn reach(&self, bodies: &[RagdollBody]) -> f32 {
        let (mut within, mut count) = (0u32, 0u32);
        for (index, clip) in self.character.clips().iter().enumerate() {
            for frame in 0..=(clip.seconds() * 30.0) as usize {
                let places = self.places(&self.rig, &Affine3A::IDENTITY, index, frame as f32 / 30.0);
                // A hinge of a bake may turn by 10 degrees across its axis in the clips; it is the only axis that counts.
                within += u32::from(held(bodies, &places).1 <= 0.1);
                count += 1;
            }
        }
        within as f32 / count as f32
    }

    /// Drops the figure, `scale` times as large, from its height onto a floor with stairs.
    pub fn fall(&self, seed: u64, scale: f32) -> Fall {
        self.drop(seed, &self.rig.scaled(scale), scale, None)
    }

    /// Drops a ragdoll that knows nothing of the figure's clips and skin.
    pub fn fall_naively(&self, seed: u64, naive: &Naive) -> Fall {
        self.drop(seed, &self.rig, 1.0, Some(naive))
    }

    fn drop(&self, seed: u64, rig: &RagdollRig, scale: f32, naive: Option<&Naive>) -> Fall {
        let mut random = Random::new(seed + 1);
        let height = self.height * scale;
        let figures = height / 1.7;
        let mut world = PhysicsWorld { integration_parameters: parameters(height), ..PhysicsWorld::default() };
        let dt = world.integration_parameters.dt;
        let stairs = seed % 2 == 1;
        world.insert_collider(
            ColliderBuilder::cuboid(50.0 * figures, figures, 50.0 * figures).translation(Vec3::NEG_Y * figures),
            None,
        );
        if stairs {
            for step in 0..6 {
                let up = 0.18 * figures * (6 - step) as f32;
                let at = Vec3::new(0.3 * figures * step as f32, 0.5 * up, 0.0);
                world.insert_collider(
                    ColliderBuilder::cuboid(0.15 * figures, 0.5 * up, 2.0 * figures).translation(at),
                    None,
                );
            }
        }
        let clip = random.below(self.character.clips().len().max(1));
        let time = random.between(0.0, 1.0);
        let turn = random.rotation();
        let up = figures * if stairs { 2.2 } else { 1.0 };
        let place =
            |rotation: Quat, at: Vec3| Affine3A::from_scale_rotation_translation(Vec3::splat(scale), rotation, at);
        // A naive figure starts in the rest pose. From a pose of a clip, far beyond its limits, its joints fly apart at once.
        let clip = if naive.is_some() { usize::MAX } else { clip };
        // The lowest point of the figure is at `up`.
        let low = self.lowest(rig, &self.places(rig, &place(turn, Vec3::ZERO), clip, time));
        let places = self.places(rig, &place(turn, Vec3::Y * (up - low)), clip, time);
        let spin = random.vector() * 2.0 / figures.sqrt();
        let velocities: Vec<ragdoll::BodyVelocity> = places
            .iter()
            .zip(rig.bodies())
            .map(|(place, body)| {
                let arm = place.point(body.center_of_mass) - places[0].position;
                ragdoll::BodyVelocity { linear: spin.cross(arm) + Vec3::X * figures.sqrt(), angular: spin }
            })
            .collect();
        let falling = match naive {
            None => Falling::Baked(Ragdoll::spawn(&mut world, rig, &places, &velocities, Material::default())),
            Some(naive) => Falling::Naive(naive.spawn(&mut world, &places, &velocities)),
        };
        let bodies = naive.map_or(rig.bodies(), |naive| &naive.bodies);
        let mass: f32 = rig.bodies().iter().map(|body| body.mass).sum();
        let unit = mass * 9.81 * height;
        let mut fall = Fall {
            rest: None,
            apart: 0.0,
            past_limit: 0.0,
            past_limit_at_rest: 0.0,
            overlap: 0.0,
            energy: 0.0,
            gained: 0.0,
            is_finite: true,
        };
        let whole_energy = |world: &PhysicsWorld| -> f32 {
            let bodies = falling.bodies().iter().map(|handle| &world.bodies[*handle]);
            let of_body = |body: &RigidBody| body.kinetic_energy() + body.mass() * 9.81 * body.center_of_mass().y;
            bodies.map(of_body).sum::<f32>() / unit
        };
        let mut at_start = None;
        let mut now = Vec::new();
        let seconds = 10.0 * figures.sqrt().max(1.0);
        let steps = (seconds / dt) as usize;
        for step in 0..steps {
            if let Falling::Baked(ragdoll) = &falling {
                ragdoll.update_limits(&mut world, rig);
            }
            world.step();
            now.clear();
            now.extend(falling.bodies().iter().map(|handle| {
                let at = world.bodies[*handle].position();
                BodyPlace { position: at.translation, rotation: at.rotation }
            }));
            let energy: f32 =
                falling.bodies().iter().map(|handle| world.bodies[*handle].kinetic_energy()).sum::<f32>() / unit;
            fall.is_finite &= now.iter().all(|place| place.position.is_finite() && place.rotation.is_finite());
            // A hundredth of the speed of a fall from the height of the figure.
            if energy > 1e-4 {
                fall.rest = None;
            } else if fall.rest.is_none() {
                fall.rest = Some(step as f32 * dt / figures.sqrt().max(1.0));
            }
            let whole = whole_energy(&world);
            fall.gained = fall.gained.max(whole - *at_start.get_or_insert(whole));
            let (apart, past) = held(bodies, &now);
            // The first steps take the figure from its clip into its limits.
            if step as f32 * dt > 0.1 * figures.sqrt() {
                fall.apart = fall.apart.max(apart / height);
                fall.past_limit = fall.past_limit.max(past);
            }
            if step + (1.0 / dt) as usize > steps {
                fall.past_limit_at_rest = fall.past_limit_at_rest.max(past);
            }
            fall.energy = energy;
        }
        for pair in world.narrow_phase.contact_pairs() {
            let bodies = [pair.collider1, pair.collider2].map(|one| world.colliders[one].parent());
            if let [Some(_), Some(_)] = bodies {
                let deepest = pair
                    .manifolds()
                    .iter()
                    .flat_map(|manifold| &manifold.points)
                    .map(|point| -point.dist)
                    .fold(0.0, f32::max);
                fall.overlap = fall.overlap.max(deepest / height);
            }
        }
        fall
    }

    fn lowest(&self, rig: &RagdollRig, places: &[BodyPlace]) -> f32 {
        let mut low = f32::INFINITY;
        for (index, place) in places.iter().enumerate() {
            for shape in rig.shapes(index) {
                for corner in shape.bounding_box().unwrap().corners() {
                    low = low.min(place.point(corner).y);
                }
            }
        }
        low
    }
}

/// The largest distance between held places, and the most degrees past a limit.
pub fn held(bodies: &[RagdollBody], places: &[BodyPlace]) -> (f32, f32) {
    let (mut apart, mut past) = (0.0f32, 0.0f32);
    for (body, place) in bodies.iter().zip(places) {
        let Some(constraint) = &body.constraint else { continue };
        let parent = &places[usize::from(constraint.parent)];
        apart = apart.max(parent.point(constraint.anchor).distance(place.position));
        let turn =
            (parent.rotation * constraint.parent_from_frame).conjugate() * place.rotation * constraint.body_from_frame;
        let swing = Quat::from_rotation_arc(Vec3::X, turn * Vec3::X);
        let twist = swing.conjugate() * turn;
        let twist = if twist.w < 0.0 { -twist } else { twist };
        let (swing, twist) = (swing.to_scaled_axis(), twist.to_scaled_axis().x);
        let parts = Vec3::new(twist, swing.y, swing.z).abs() - constraint.limits;
        let parts = if constraint.kind == ConstraintKind::Hinge { Vec3::new(parts.x, 0.0, 0.0) } else { parts };
        past = past.max(parts.max_element().to_degrees());
    }
    (apart, past)
}
