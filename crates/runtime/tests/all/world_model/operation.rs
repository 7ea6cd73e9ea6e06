//! The operations, how they are chosen, and how they are applied to worlds and model.

use super::model::ModelBody;
use super::{Cast, Trial};
use glam::{Affine3A, DVec3, Mat3, Quat, Vec3};
use runtime::{
    BodyId, BodyPoser, BodySettings, BoxSet, Character, ClipIndex, ClipSampler, CollisionLayers, HitboxWorld,
    PoseError, PoseLayer, PosedCharacter,
};
use skeleton::JointIndex;
use std::sync::Arc;
use test_models::{Random, turn_by_steps};

#[derive(Clone, Debug)]
pub(super) enum Operation {
    Insert {
        id: BodyId,
        character: usize,
        settings: BodySettings,
    },
    Remove(BodyId),
    /// Removes a body and inserts another body with the same id.
    Replace {
        id: BodyId,
        character: usize,
    },
    Pose {
        id: BodyId,
        place: Affine3A,
        pose: Pose,
    },
    /// Poses every body, each at a place of its own.
    PoseAll {
        seed: u64,
    },
    TrackJoints {
        id: BodyId,
        count: usize,
    },
    SetSettings {
        id: BodyId,
        settings: BodySettings,
    },
    SetLayers {
        id: BodyId,
        boxes: Boxes,
        layers: Option<CollisionLayers>,
    },
    SetEnabled {
        id: BodyId,
        boxes: Boxes,
        enabled: bool,
    },
    StartMotion,
    ResetMotion(BodyId),
    Update,
    /// The third world becomes a clone of the first.
    Clone {
        into_old: bool,
    },
    /// The third world becomes a restored copy of the first.
    Restore {
        through_json: bool,
    },
}

/// A pose of one body.
#[derive(Clone, Debug)]
pub(super) enum Pose {
    Rest,
    Clip {
        clip: u16,
        seconds: f32,
    },
    Layers {
        first: u16,
        second: u16,
        weight: f32,
        adds: bool,
    },
    /// Matrices of one's own: the joints lie in a chain, each turned a little, each with its own scale.
    Matrices {
        in_world: bool,
        turn: f32,
        scale: f32,
        broken: Option<u16>,
    },
    UpdateJoints {
        joints: Vec<u16>,
        broken: Option<u16>,
    },
    /// The pose of another body of the same character that tracks the same joints.
    CopyOf(BodyId),
}

/// A set of hitboxes of a character.
#[derive(Clone, Copy, Debug)]
pub(super) enum Boxes {
    All,
    None,
    OfTag(usize),
    OfJoint(usize),
}

impl Boxes {
    fn random(random: &mut Random) -> Self {
        match random.below(8) {
            0 => Self::All,
            1 => Self::None,
            2..5 => Self::OfTag(random.below(8)),
            _ => Self::OfJoint(random.below(40)),
        }
    }

    fn of(self, character: &Character) -> BoxSet {
        match self {
            Self::All => character.all_boxes(),
            Self::None => character.all_boxes().complement(),
            Self::OfTag(index) => {
                let tags: Vec<&str> = character.hitboxes().flat_map(|one| one.tags).map(String::as_str).collect();
                character.boxes_with_tag(tags[index % tags.len()]).unwrap()
            }
            Self::OfJoint(index) => character.boxes_of_joint(JointIndex((index % character.skeleton().len()) as u16)),
        }
    }
}

fn layers(random: &mut Random) -> CollisionLayers {
    let some = [0, 1, 2, 3, u32::MAX];
    match random.below(4) {
        0 => CollisionLayers::default(),
        1 => CollisionLayers::NONE,
        _ => CollisionLayers { memberships: *random.pick(&some), mask: *random.pick(&some) },
    }
}

fn settings(random: &mut Random) -> BodySettings {
    BodySettings {
        layers: if random.below(3) > 0 { CollisionLayers::default() } else { layers(random) },
        team: *random.pick(&[None, None, Some(1), Some(2)]),
        self_touches: random.below(3) == 0,
        continuous: random.below(2) == 0,
    }
}

/// Places that share axes and coordinates with each other, near and far, with scales of all kinds.
pub(super) fn place(random: &mut Random) -> Affine3A {
    let step = *random.pick(&[0.25, 0.5, 1.0]);
    let mut at = Vec3::new(random.below(5) as f32, 0.0, random.below(3) as f32) * step;
    let turn = match random.below(3) {
        0 => Quat::IDENTITY,
        1 => {
            let axis = *random.pick(&DVec3::AXES);
            turn_by_steps(axis, random.below(24)).as_quat()
        }
        _ => random.rotation(),
    };
    let scale = match random.below(16) {
        0 => Vec3::ZERO,
        1 => Vec3::splat(0.01),
        2 => Vec3::splat(100.0),
        3 => Vec3::new(1.0, 2.0, 0.5),
        4 => Vec3::new(-1.0, 1.0, 1.0),
        5 => Vec3::new(1.0, 0.0, 1.0),
        _ => Vec3::ONE,
    };
    match random.below(24) {
        0 => at += Vec3::new(1e6, 0.0, -1e6),
        1 => at.x = f32::NAN,
        2 => at.y = 1e30,
        3..9 => at += random.vector(),
        _ => {}
    }
    Affine3A::from_scale_rotation_translation(scale, turn, at)
}

impl Pose {
    fn random(random: &mut Random, trial: &Trial, id: BodyId) -> Self {
        let broken = |random: &mut Random| (random.below(8) == 0).then(|| random.below(30) as u16);
        match random.below(12) {
            0..2 => Self::Rest,
            2..6 => Self::Clip {
                clip: random.below(3) as u16,
                seconds: if random.below(30) == 0 { f32::NAN } else { random.between(-0.5, 2.5) },
            },
            6..8 => Self::Layers {
                first: random.below(2) as u16,
                second: random.below(2) as u16,
                weight: random.between(-0.2, 1.2),
                adds: random.below(2) == 0,
            },
            8..10 => Self::Matrices {
                in_world: random.below(2) == 0,
                turn: random.signed(),
                scale: *random.pick(&[1.0, 1.0, 0.5, 0.0, -1.0]),
                broken: broken(random),
            },
            10 => Self::UpdateJoints {
                joints: (0..random.below(4)).map(|_| random.below(25) as u16).collect(),
                broken: broken(random),
            },
            _ => {
                let tracked = |id| trial.model.bodies.get(&id).map(|body| (body.character.name(), &body.tracked));
                let source = trial.any_id(random);
                if tracked(source).is_some() && tracked(source) == tracked(id) {
                    Self::CopyOf(source)
                } else {
                    Self::Rest
                }
            }
        }
    }

    /// Matrices for each joint of a character.
    fn matrices(count: usize, turn: f32, scale: f32, place: &Affine3A, broken: Option<u16>) -> Vec<Affine3A> {
        let step = Affine3A::from_mat3_translation(
            Mat3::from_rotation_z(turn * 0.3) * Mat3::from_rotation_x(turn * 0.2),
            Vec3::new(0.02, 0.15, 0.01),
        );
        let mut along = *place;
        let one = Affine3A::from_scale(Vec3::new(1.0, scale, 1.0));
        let mut matrices: Vec<Affine3A> = (0..count)
            .map(|_| {
                along *= step;
                along * one
            })
            .collect();
        if let Some(joint) = broken
            && let Some(matrix) = matrices.get_mut(usize::from(joint))
        {
            matrix.translation.x = f32::INFINITY;
        }
        matrices
    }

    /// Poses a body of a world.
    fn apply(
        &self,
        body: &mut BodyPoser<'_>,
        place: &Affine3A,
        source: Option<&PosedCharacter>,
    ) -> Result<(), PoseError> {
        let count = body.character().skeleton().len();
        match self {
            Self::Rest => body.pose_from_rest(place),
            &Self::Clip { clip, seconds } => body.pose_from_clip(place, ClipIndex(clip.into()), seconds),
            &Self::Layers { first, second, weight, adds } => {
                body.pose_from_layers(place, &Self::layers(first, second, weight, adds))
            }
            &Self::Matrices { in_world: true, turn, scale, broken } => {
                body.pose_from_world(&Self::matrices(count, turn, scale, place, broken))
            }
            &Self::Matrices { in_world: false, turn, scale, broken } => {
                body.pose_from_model(place, &Self::matrices(count, turn, scale, &Affine3A::IDENTITY, broken))
            }
            Self::UpdateJoints { joints, broken } => {
                let joints: Vec<_> = joints.iter().map(|&joint| JointIndex(joint)).collect();
                body.update_joints(&Self::matrices(count, 0.5, 1.0, place, *broken), &joints)
            }
            Self::CopyOf(_) => body.copy_pose(source.unwrap()),
        }
    }

    /// Poses a body of the model by the functions of [`PosedCharacter`].
    fn apply_to_model(
        &self,
        body: &mut ModelBody,
        place: &Affine3A,
        source: Option<&PosedCharacter>,
    ) -> Result<(), PoseError> {
        body.begin_pose();
        if let Self::CopyOf(_) = self {
            let source = source.unwrap();
            if source.is_posed() {
                body.posed = source.clone();
                return Ok(());
            }
            body.posed.clear();
            // The error has no constructor that tests can use.
            return body.posed.update_joints(&body.character, &[], &[]);
        }
        let mut sampler = ClipSampler::new();
        let character = Arc::clone(&body.character);
        let (character, posed) = (&*character, &mut body.posed);
        let count = character.skeleton().len();
        match self {
            Self::Rest => posed.pose_from_rest(character, place),
            &Self::Clip { clip, seconds } => {
                posed.pose_from_clip(&mut sampler, character, place, ClipIndex(clip.into()), seconds)
            }
            &Self::Layers { first, second, weight, adds } => {
                posed.pose_from_layers(&mut sampler, character, place, &Self::layers(first, second, weight, adds))
            }
            &Self::Matrices { in_world: true, turn, scale, broken } => {
                posed.pose_from_world(character, &Self::matrices(count, turn, scale, place, broken))
            }
            &Self::Matrices { in_world: false, turn, scale, broken } => posed.pose_from_model(
                character,
                place,
                &Self::matrices(count, turn, scale, &Affine3A::IDENTITY, broken),
            ),
            Self::UpdateJoints { joints, broken } => {
                let joints: Vec<_> = joints.iter().map(|&joint| JointIndex(joint)).collect();
                posed.update_joints(character, &Self::matrices(count, 0.5, 1.0, place, *broken), &joints)
            }
            Self::CopyOf(_) => unreachable!("handled above"),
        }
    }

    fn layers(first: u16, second: u16, weight: f32, adds: bool) -> [PoseLayer; 2] {
        let second = ClipIndex(second.into());
        let top = if adds { PoseLayer::add(second, 0.3, weight) } else { PoseLayer::blend(second, 0.3, weight) };
        [PoseLayer::blend(ClipIndex(first.into()), 0.6, 1.0), top]
    }
}

impl Operation {
    pub(super) fn random(random: &mut Random, trial: &Trial) -> Self {
        let id = trial.any_id(random);
        let character = random.below(trial.characters.len());
        let few = trial.model.bodies.len() < 2;
        match random.below(64) {
            _ if few && random.below(2) == 0 => Self::Insert { id, character, settings: settings(random) },
            0..6 => Self::Insert { id, character, settings: settings(random) },
            6..8 => Self::Remove(id),
            8 => Self::Replace { id, character },
            9..34 => Self::Pose { id, place: place(random), pose: Pose::random(random, trial, id) },
            34..36 => Self::PoseAll { seed: random.next_u64() },
            36 => Self::TrackJoints { id, count: random.below(4) },
            37..40 => Self::SetSettings { id, settings: settings(random) },
            40..43 => {
                let layers = (random.below(3) > 0).then(|| layers(random));
                Self::SetLayers { id, boxes: Boxes::random(random), layers }
            }
            43..46 => Self::SetEnabled { id, boxes: Boxes::random(random), enabled: random.below(2) == 0 },
            46..48 => Self::StartMotion,
            48..50 => Self::ResetMotion(id),
            50..60 => Self::Update,
            60..62 => Self::Clone { into_old: random.below(2) == 0 },
            _ => Self::Restore { through_json: random.below(2) == 0 },
        }
    }
}

impl Trial {
    pub(super) fn apply(&mut self, operation: &Operation) {
        match operation {
            &Operation::Insert { id, character, settings } => self.insert(id, character, settings),
            &Operation::Remove(id) => self.remove(id),
            &Operation::Replace { id, character } => {
                self.remove(id);
                self.insert(id, character, BodySettings::default());
            }
            Operation::Pose { id, place, pose } => self.pose(*id, place, pose),
            &Operation::PoseAll { seed } => self.pose_all(seed),
            &Operation::TrackJoints { id, count } => {
                let Some(body) = self.model.bodies.get_mut(&id) else { return };
                let joints: Vec<_> = (0..body.character.skeleton().len() as u16).map(JointIndex).collect();
                body.tracked = joints.into_iter().rev().take(count).collect();
                body.posed.track_joints(&body.tracked);
                let names: Vec<&str> = body.tracked.iter().map(|&joint| body.character.joint_name(joint)).collect();
                self.worlds.iter_mut().for_each(|world| world.track_joints(id, &names).unwrap());
            }
            &Operation::SetSettings { id, settings } => {
                let is_there = self.model.bodies.get_mut(&id).map(|body| body.set_settings(settings)).is_some();
                for world in &mut self.worlds {
                    assert_eq!(world.set_settings(id, settings).is_ok(), is_there);
                }
            }
            &Operation::SetLayers { id, boxes, layers } => {
                let Some(body) = self.model.bodies.get_mut(&id) else { return };
                let boxes = boxes.of(&body.character);
                body.set_layers(&boxes, layers);
                for world in &mut self.worlds {
                    match layers {
                        Some(layers) => world.set_box_layers(id, &boxes, layers).unwrap(),
                        None => world.clear_box_layers(id, &boxes).unwrap(),
                    }
                }
            }
            &Operation::SetEnabled { id, boxes, enabled } => {
                let Some(body) = self.model.bodies.get_mut(&id) else { return };
                let boxes = boxes.of(&body.character);
                body.set_enabled(&boxes, enabled);
                self.worlds.iter_mut().for_each(|world| world.set_boxes_enabled(id, &boxes, enabled).unwrap());
            }
            Operation::StartMotion => {
                self.model.bodies.values_mut().for_each(ModelBody::start_motion);
                self.worlds.iter_mut().for_each(HitboxWorld::start_motion);
            }
            &Operation::ResetMotion(id) => {
                let is_there = self.model.bodies.get_mut(&id).map(ModelBody::reset_motion).is_some();
                for world in &mut self.worlds {
                    assert_eq!(world.reset_motion(id).is_ok(), is_there);
                }
            }
            Operation::Update => {
                self.model.update();
                self.worlds.iter_mut().for_each(HitboxWorld::update);
            }
            &Operation::Clone { into_old } => {
                if into_old {
                    self.old.clone_from(&self.worlds[0]);
                    std::mem::swap(&mut self.old, &mut self.worlds[2]);
                } else {
                    self.worlds[2] = self.worlds[0].clone();
                }
            }
            #[cfg_attr(not(feature = "serde"), allow(unused_variables, reason = "states need serde"))]
            &Operation::Restore { through_json } => {
                #[cfg(feature = "serde")]
                self.restore(through_json);
            }
        }
    }

    fn insert(&mut self, id: BodyId, character: usize, settings: BodySettings) {
        let character = &self.characters[character];
        let is_new = !self.model.bodies.contains_key(&id);
        for world in &mut self.worlds {
            assert_eq!(world.insert(id, Arc::clone(character), settings).is_ok(), is_new);
            if self.cast == Cast::Skins {
                world.track_skin(id, true).unwrap();
            }
        }
        if is_new {
            let mut body = ModelBody::new(Arc::clone(character), settings);
            body.posed.track_skin(self.cast == Cast::Skins);
            self.model.bodies.insert(id, body);
        }
    }

    fn remove(&mut self, id: BodyId) {
        let is_there = self.model.remove(id);
        for world in &mut self.worlds {
            assert_eq!(world.remove(id).is_ok(), is_there);
        }
    }

    fn pose(&mut self, id: BodyId, place: &Affine3A, pose: &Pose) {
        let source = match pose {
            Pose::CopyOf(source) => self.model.bodies.get(source).cloned(),
            _ => None,
        };
        let Some(body) = self.model.bodies.get_mut(&id) else { return };
        if let Pose::CopyOf(_) = pose
            && source.as_ref().is_none_or(|source| source.tracked != body.tracked)
        {
            return;
        }
        let source = source.map(|source| source.posed);
        let expected = pose.apply_to_model(body, place, source.as_ref()).is_ok();
        for world in &mut self.worlds {
            let done = world.pose_one(id, |body| pose.apply(body, place, source.as_ref()));
            assert_eq!(done.is_ok(), expected, "{done:?}");
        }
    }

    fn pose_all(&mut self, seed: u64) {
        let clip_of = |id: BodyId| {
            let mut random = Random::new(seed ^ id.0);
            (place(&mut random), Pose::Clip { clip: 0, seconds: random.between(0.0, 1.0) })
        };
        for (&id, body) in &mut self.model.bodies {
            let (place, pose) = clip_of(id);
            let _may_fail = pose.apply_to_model(body, &place, None);
        }
        for (index, world) in self.worlds.iter_mut().enumerate() {
            let pose = |id: BodyId, body: &mut BodyPoser<'_>| {
                let (place, pose) = clip_of(id);
                pose.apply(body, &place, None)
            };
            let _may_fail = if index == 0 { world.pose_all(pose) } else { world.pose_each(pose) };
        }
    }

    #[cfg(feature = "serde")]
    fn restore(&mut self, through_json: bool) {
        let state = self.worlds[0].save();
        let state: runtime::WorldState = if through_json {
            serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap()
        } else {
            postcard::from_bytes(&postcard::to_allocvec(&state).unwrap()).unwrap()
        };
        let find = |name: &str| self.characters.iter().find(|one| one.name() == name).cloned();
        self.worlds[2] = HitboxWorld::restore(&state, find).unwrap();
    }
}
