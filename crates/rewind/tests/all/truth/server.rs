//! The server's side: characters that walk, turn, strafe, teleport, die and come back.

use glam::{Affine3A, EulerRot, Quat, Vec3};
use rewind::History;
use runtime::{
    Animation, BodyId, BodySettings, Character, ClipIndex, HitboxWorld, JointMask, PoseLayer, PoseRecipe, WorldError,
};
use skeleton::JointIndex;
use std::rc::Rc;
use std::sync::Arc;
use test_models::Random;

pub(crate) const TICKS_A_SECOND: f64 = 64.0;
const SECONDS: f32 = 1.0 / 64.0;

/// The half width of the field in meters.
const FIELD: f32 = 20.0;

/// What the server sends about one character.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) id: BodyId,
    pub(crate) character: Arc<Character>,
    pub(crate) recipe: PoseRecipe,
    /// The joint whose hitboxes are off.
    pub(crate) off: Option<JointIndex>,
    /// Goes up when the character is teleported, or comes back after its death.
    pub(crate) life: u32,
}

/// What the server sends in one tick.
pub(crate) struct Snapshot {
    pub(crate) tick: u64,
    pub(crate) bodies: Vec<Seen>,
}

/// A world of characters, posed from recipes.
pub(crate) fn world_of(bodies: &[Seen]) -> Result<HitboxWorld, WorldError> {
    let mut world = HitboxWorld::new();
    for Seen { id, character, recipe, off, .. } in bodies {
        world.insert(*id, Arc::clone(character), BodySettings::default())?;
        if let Some(joint) = off {
            world.set_boxes_enabled(*id, &character.boxes_of_joint(*joint), false)?;
        }
        world.pose(*id, recipe)?;
    }
    Ok(world)
}

/// A character of `assets/`, and what it can play.
struct Model {
    character: Arc<Character>,
    walk: ClipIndex,
    /// Clips that are played alone, or above the hips over a walk.
    moves: Vec<ClipIndex>,
    /// A clip that is added on top.
    added: ClipIndex,
    upper_body: JointMask,
    /// Joints with hitboxes.
    joints: Vec<JointIndex>,
}

impl Model {
    fn load(name: &str, hips: &str, moves: &[&str], added: &str) -> Self {
        let path = format!("{}/../../assets/{name}.bonebox", env!("CARGO_MANIFEST_DIR"));
        let character = Arc::new(Character::load(&std::fs::read(path).unwrap()).unwrap());
        let clip = |name: &str| character.find_clip(name).unwrap();
        let above = character.skeleton().find(hips).unwrap();
        Self {
            walk: clip("walk"),
            moves: moves.iter().map(|name| clip(name)).collect(),
            added: clip(added),
            upper_body: JointMask::below(&character, above).unwrap(),
            joints: character.hitboxes().map(|one| one.joint).collect(),
            character,
        }
    }
}

/// What a character plays.
#[derive(Clone, Copy, PartialEq)]
enum Plays {
    Rest,
    Clip,
    Layers,
    /// [`Plays::Layers`], and one more that is added.
    More,
}

struct Actor {
    id: BodyId,
    model: usize,
    at: Vec3,
    /// Turn about the vertical axis, and the angles of a lean.
    yaw: f32,
    lean: [f32; 2],
    scale: f32,
    /// Speed forward and to the side, in meters a second.
    speed: [f32; 2],
    /// Radians a second.
    turning: f32,
    plays: Plays,
    clip: ClipIndex,
    /// Seconds since the walk, the clip and the added clip began.
    times: [f32; 3],
    /// The weights of the clip and the added clip, and the weights that they move to.
    weights: [f32; 2],
    wanted: [f32; 2],
    off: Option<JointIndex>,
    life: u32,
    /// Ticks until a dead character comes back.
    dead: u32,
}

pub(crate) struct Server {
    pub(crate) world: HitboxWorld,
    pub(crate) history: History,
    models: Vec<Model>,
    actors: Vec<Actor>,
    random: Random,
    tick: u64,
}

impl Server {
    pub(crate) fn new(seed: u64, characters: u64) -> Self {
        let fighter = ["idle", "guard", "jab", "roundhouse_kick"];
        let models = vec![
            Model::load("bruno", "spine_01", &fighter, "hit"),
            Model::load("runa", "spine_01", &fighter, "hit"),
            Model::load("hound", "chest", &["idle", "bite"], "bite"),
        ];
        let mut random = Random::new(seed);
        let actors = (0..characters).map(|id| Actor::new(BodyId(id * 7), &models, &mut random)).collect();
        let mut server =
            Self { world: HitboxWorld::new(), history: History::default(), models, actors, random, tick: 0 };
        for actor in &server.actors {
            let character = Arc::clone(&server.models[actor.model].character);
            server.world.insert(actor.id, character, BodySettings::default()).unwrap();
        }
        server
    }

    /// Plays one tick, records it, and returns what is sent to the clients.
    pub(crate) fn step(&mut self) -> Rc<Snapshot> {
        let Self { world, history, models, actors, random, tick } = self;
        let mut bodies = Vec::new();
        for actor in actors.iter_mut() {
            actor.step(models, random, world, history);
            if actor.dead > 0 {
                continue;
            }
            let character = &models[actor.model].character;
            let recipe = actor.recipe(&models[actor.model]);
            world.pose(actor.id, &recipe).unwrap();
            let (id, off, life) = (actor.id, actor.off, actor.life);
            bodies.push(Seen { id, character: Arc::clone(character), recipe, off, life });
        }
        world.update();
        let recorded = history.record(*tick, world).unwrap();
        assert_eq!((recorded.bodies, recorded.without_recipe), (bodies.len(), 0));
        *tick += 1;
        Rc::new(Snapshot { tick: *tick - 1, bodies })
    }
}

impl Actor {
    fn new(id: BodyId, models: &[Model], random: &mut Random) -> Self {
        let mut actor = Self {
            id,
            model: 0,
            at: Vec3::ZERO,
            yaw: 0.0,
            lean: [0.0; 2],
            scale: 1.0,
            speed: [0.0; 2],
            turning: 0.0,
            plays: Plays::Rest,
            clip: ClipIndex(0),
            times: [0.0; 3],
            weights: [0.0; 2],
            wanted: [0.0; 2],
            off: None,
            life: 0,
            dead: 0,
        };
        actor.spawn(models, random);
        actor
    }

    fn spawn(&mut self, models: &[Model], random: &mut Random) {
        self.model = random.below(models.len());
        self.at = Vec3::new(random.between(-FIELD, FIELD), 0.0, random.between(-FIELD, FIELD));
        self.yaw = random.between(-3.0, 3.0);
        self.scale = *random.pick(&[1.0, 1.0, 0.9, 1.15]);
        self.off = None;
        self.change_plays(&models[self.model], random);
        self.change_course(random);
    }

    fn change_course(&mut self, random: &mut Random) {
        self.speed = [random.between(-2.0, 6.0), random.between(-3.5, 3.5)];
        self.turning = random.between(-4.0, 4.0);
        self.lean = [random.between(-0.15, 0.15), random.between(-0.15, 0.15)];
    }

    fn change_plays(&mut self, model: &Model, random: &mut Random) {
        use Plays::{Clip, Layers, More, Rest};
        self.plays = *random.pick(&[Rest, Clip, Clip, Clip, Layers, Layers, Layers, More, More, More]);
        self.clip = *random.pick(&model.moves);
        self.times = std::array::from_fn(|_| random.between(0.0, 4.0));
        self.weights = [random.between(0.0, 1.0), random.between(0.0, 1.0)];
    }

    fn step(&mut self, models: &[Model], random: &mut Random, world: &mut HitboxWorld, history: &mut History) {
        if self.dead > 0 {
            self.dead -= 1;
            if self.dead == 0 {
                // Another character may come back under this id.
                self.spawn(models, random);
                self.life += 1;
                let character = Arc::clone(&models[self.model].character);
                world.insert(self.id, character, BodySettings::default()).unwrap();
                history.cut(self.id);
            }
            return;
        }
        match random.below(4000) {
            0..4 => {
                world.remove(self.id).unwrap();
                self.dead = 1 + random.below(60) as u32;
                return;
            }
            // Far across the field, or a short blink.
            4..16 => {
                let way = if random.below(2) == 0 { FIELD } else { 1.5 };
                self.at += random.vector() * Vec3::new(way, 0.0, way);
                self.life += 1;
                history.cut(self.id);
            }
            16..60 => self.change_plays(&models[self.model], random),
            60..120 => self.change_course(random),
            // A flick of the mouse.
            120..150 => self.yaw += random.between(-2.5, 2.5),
            150..180 => self.toggle_boxes(&models[self.model], random, world),
            180..260 => self.wanted = [random.between(0.0, 1.0), random.between(0.0, 1.0)],
            _ => {}
        }
        self.yaw += self.turning * SECONDS;
        let velocity = Quat::from_rotation_y(self.yaw) * Vec3::new(self.speed[1], 0.0, self.speed[0]);
        self.at += velocity * SECONDS;
        let pace = [0.3 + 0.25 * self.speed[0].abs(), 1.0, 1.3];
        for (time, pace) in self.times.iter_mut().zip(pace) {
            *time += pace * SECONDS;
        }
        for (weight, wanted) in self.weights.iter_mut().zip(self.wanted) {
            *weight += (wanted - *weight).clamp(-0.05, 0.05);
        }
        if self.at.abs().max_element() > FIELD {
            // Turn back to the middle.
            self.at = self.at.clamp(Vec3::splat(-FIELD), Vec3::splat(FIELD));
            self.yaw += 1.0;
        }
    }

    fn toggle_boxes(&mut self, model: &Model, random: &mut Random, world: &mut HitboxWorld) {
        let character = &model.character;
        match self.off.take() {
            Some(joint) => world.set_boxes_enabled(self.id, &character.boxes_of_joint(joint), true).unwrap(),
            None => {
                let joint = *random.pick(&model.joints);
                world.set_boxes_enabled(self.id, &character.boxes_of_joint(joint), false).unwrap();
                self.off = Some(joint);
            }
        }
    }

    fn recipe(&self, model: &Model) -> PoseRecipe {
        let rotation = Quat::from_euler(EulerRot::YXZ, self.yaw, self.lean[0], self.lean[1]);
        let place = Affine3A::from_scale_rotation_translation(Vec3::splat(self.scale), rotation, self.at);
        let looped = |clip: ClipIndex, elapsed: f32| {
            let clip = &model.character.clips()[clip.index()];
            clip.start() + elapsed % clip.seconds()
        };
        let layers = |count: usize| {
            let all = [
                PoseLayer::blend(model.walk, looped(model.walk, self.times[0]), 1.0),
                PoseLayer::blend(self.clip, looped(self.clip, self.times[1]), self.weights[0])
                    .masked(&model.upper_body),
                PoseLayer::add(model.added, looped(model.added, self.times[2]), 0.5 * self.weights[1]),
            ];
            Animation::Layers(all[..count].to_vec())
        };
        let animation = match self.plays {
            Plays::Rest => Animation::Rest,
            Plays::Clip => Animation::Clip { clip: self.clip, seconds: looped(self.clip, self.times[1]) },
            Plays::Layers => layers(2),
            Plays::More => layers(3),
        };
        PoseRecipe { place, animation }
    }
}
