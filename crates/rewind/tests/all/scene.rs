//! A world of bodies that do everything that a history has to store.

use baked_characters::{
    baked_arm, baked_figure, baked_figure_for_any_pose, baked_skinned_figure, baked_tube, with_hulls,
};
use glam::{Affine3A, Quat, Vec3};
use runtime::{
    AnimationRef, BodyId, BodySettings, Character, ClipIndex, CollisionLayers, HitboxWorld, JointMask, PoseLayer,
    PoseRecipeRef,
};
use skeleton::JointIndex;
use std::sync::Arc;
use test_models::Random;

#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) world: HitboxWorld,
    pub(crate) random: Random,
    characters: Vec<Arc<Character>>,
    walks: Vec<Walk>,
}

/// The motion of a body, and what it plays.
#[derive(Clone)]
struct Walk {
    id: BodyId,
    at: Vec3,
    rotation: Quat,
    step: Vec3,
    turn: Quat,
    scale: f32,
    clip: ClipIndex,
    seconds: f32,
    plays: u8,
}

impl Scene {
    pub(crate) fn new(seed: u64, bodies: usize) -> Self {
        let characters = [
            baked_arm("arm"),
            baked_tube("tube"),
            baked_figure("figure"),
            with_hulls(baked_figure("hulls")),
            baked_skinned_figure("skinned"),
            baked_figure_for_any_pose("any"),
        ];
        let characters = characters.map(|baked| Arc::new(Character::from_baked(baked))).to_vec();
        let mut scene = Self { world: HitboxWorld::new(), random: Random::new(seed), characters, walks: Vec::new() };
        scene.world.keep_joints(true);
        for id in 0..bodies {
            scene.insert(BodyId(id as u64 * 3));
        }
        scene
    }

    fn insert(&mut self, id: BodyId) {
        let random = &mut self.random;
        let character = Arc::clone(random.pick(&self.characters));
        let team = *random.pick(&[None, Some(1), Some(2)]);
        let settings = BodySettings { team, ..BodySettings::default() };
        let clips = character.clips().len().max(1);
        let walk = Walk {
            id,
            at: random.vector() * 4.0,
            rotation: random.rotation(),
            step: random.vector() * 0.3,
            turn: skeleton::slerp(Quat::IDENTITY, random.rotation(), 0.2),
            scale: *random.pick(&[1.0, 1.0, 1.0, 0.5, 1.3]),
            clip: ClipIndex(random.below(clips) as u32),
            seconds: random.between(0.0, 2.0),
            plays: random.below(6) as u8,
        };
        self.world.insert(id, character, settings).unwrap();
        self.walks.push(walk);
        self.walks.sort_by_key(|walk| walk.id);
    }

    /// Moves and poses all bodies, and changes some of their settings. Returns the ids of bodies that were teleported.
    pub(crate) fn step(&mut self) -> Vec<BodyId> {
        let mut cuts = Vec::new();
        if self.random.below(6) == 0 && self.walks.len() > 2 {
            let place = self.random.below(self.walks.len());
            let walk = self.walks.remove(place);
            self.world.remove(walk.id).unwrap();
        }
        if self.random.below(6) == 0 {
            let id = BodyId(self.random.below(60) as u64);
            if self.world.body(id).is_none() {
                self.insert(id);
            }
        }
        let Self { world, random, walks, .. } = self;
        for walk in walks {
            let character = Arc::clone(world.body(walk.id).unwrap().character());
            if random.below(25) == 0 {
                walk.at = random.vector() * 4.0;
                cuts.push(walk.id);
            }
            if random.below(12) == 0 {
                walk.plays = random.below(6) as u8;
                walk.clip = ClipIndex(random.below(character.clips().len().max(1)) as u32);
            }
            walk.rotation = (walk.rotation * walk.turn).normalize();
            walk.at += walk.step;
            walk.seconds += 1.0 / 30.0;
            let place = Affine3A::from_scale_rotation_translation(Vec3::splat(walk.scale), walk.rotation, walk.at);
            pose(world, random, walk, &character, &place);
            if random.below(8) == 0 {
                let joint = character.hitboxes().nth(random.below(character.box_count())).unwrap().joint;
                let boxes = character.boxes_of_joint(joint);
                if random.below(2) == 0 {
                    world.set_boxes_enabled(walk.id, &boxes, random.below(2) == 0).unwrap();
                } else {
                    world.set_box_layers(walk.id, &boxes, CollisionLayers { memberships: 2, mask: 4 }).unwrap();
                }
            }
        }
        cuts
    }
}

fn pose(world: &mut HitboxWorld, random: &mut Random, walk: &Walk, character: &Character, place: &Affine3A) {
    let clip = walk.clip;
    let animation = character.clips().get(clip.index());
    let time = |seconds: f32| animation.map_or(0.0, |clip| clip.start() + seconds % clip.seconds().max(1e-3));
    let id = walk.id;
    match (walk.plays, animation) {
        (0, _) | (_, None) => world.pose_from_rest(id, place).unwrap(),
        (1 | 2, _) => world.pose_from_clip(id, place, clip, time(walk.seconds)).unwrap(),
        (3, _) => {
            let mask = JointMask::new(character, |joint: JointIndex| f32::from(joint.0 % 3) * 0.5);
            let layers = [
                PoseLayer::blend(clip, time(walk.seconds), 1.0),
                PoseLayer::blend(clip, time(walk.seconds * 0.7 + 0.3), 0.6).masked(&mask),
                PoseLayer::add(clip, time(walk.seconds * 1.3), 0.4),
            ];
            let animation = AnimationRef::Layers(&layers);
            world.pose(id, PoseRecipeRef { place: *place, animation }).unwrap();
        }
        (4, _) => {
            let mut joints = character.rest_matrices().to_vec();
            let bend = Affine3A::from_quat(skeleton::slerp(Quat::IDENTITY, walk.turn, walk.seconds.fract()));
            joints.iter_mut().skip(2).for_each(|joint| *joint *= bend);
            if random.below(3) == 0 {
                joints.iter_mut().for_each(|joint| *joint *= Affine3A::from_scale(Vec3::new(1.0, 1.1, 0.9)));
            }
            world.pose_one(id, |body| body.pose_from_model(place, &joints)).unwrap();
        }
        _ => {
            if random.below(3) == 0 {
                world.clear_pose(id).unwrap();
            } else {
                world.pose_from_clip(id, place, clip, time(walk.seconds)).unwrap();
            }
        }
    }
}
