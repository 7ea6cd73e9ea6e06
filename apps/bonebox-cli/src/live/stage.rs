//! The player, driven by packets or poses, the opponent, driven by a clip, and what of them touches.

use crate::duel::find_clip;
use glam::Affine3A;
use mocap::vmc::{Counters, Receiver, ReceiverSettings};
use mocap::{HumanPose, OneEuroFilter, OneEuroSettings, Rig};
use runtime::{BodyId, BodySettings, Character, ClipIndex, HitboxWorld, LoopMode, TouchEvent};
use skeleton::LocalTransform;
use std::sync::Arc;

const PLAYER: BodyId = BodyId(1);
const OPPONENT: BodyId = BodyId(2);

/// Player and opponent in one world.
pub(crate) struct Stage {
    player: Arc<Character>,
    rig: Rig,
    receiver: Receiver,
    filter: Option<OneEuroFilter>,
    pose: HumanPose,
    local: Vec<LocalTransform>,
    model_from_joint: Vec<Affine3A>,
    opponent: Arc<Character>,
    clip: Option<ClipIndex>,
    world_from_opponent: Affine3A,
    world: HitboxWorld,
}

/// Two joints that touch, by name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct TouchNames<'a> {
    /// Joint of the player.
    pub(crate) a: &'a str,
    /// Joint of the opponent.
    pub(crate) b: &'a str,
}

impl Stage {
    pub(crate) fn new(
        player: Character,
        mut rig: Rig,
        opponent: Character,
        clip: Option<&str>,
        world_from_opponent: Affine3A,
        smooth: bool,
    ) -> anyhow::Result<Self> {
        let clip = clip.map(|name| find_clip(&opponent, name)).transpose()?;
        let (player, opponent) = (Arc::new(player), Arc::new(opponent));
        let local = player.skeleton().rest_pose();
        // A player whose bones stop coming eases to the character's own rest pose.
        let mut rest = HumanPose::T_POSE;
        rig.read(&local, &mut rest);
        let mut world = HitboxWorld::new();
        world.insert(PLAYER, player.clone(), BodySettings::default())?;
        world.insert(OPPONENT, opponent.clone(), BodySettings::default())?;
        Ok(Self {
            model_from_joint: vec![Affine3A::IDENTITY; local.len()],
            receiver: Receiver::new(ReceiverSettings::default(), rest),
            filter: smooth.then(|| OneEuroFilter::new(OneEuroSettings::default())),
            pose: HumanPose::T_POSE,
            player,
            rig,
            local,
            opponent,
            clip,
            world_from_opponent,
            world,
        })
    }

    /// Takes in a packet that came at a time in seconds; what is wrong with it is counted.
    pub(crate) fn receive(&mut self, packet: &[u8], seconds: f64) {
        let _ = self.receiver.receive(packet, seconds);
    }

    /// Poses both by the packets so far and looks for touches.
    pub(crate) fn tick(&mut self, seconds: f64) -> anyhow::Result<()> {
        self.receiver.pose(seconds, &mut self.pose);
        self.place(seconds)
    }

    /// As [`Stage::tick`], with a pose in place of packets.
    pub(crate) fn tick_with(&mut self, pose: &HumanPose, seconds: f64) -> anyhow::Result<()> {
        self.pose.clone_from(pose);
        self.place(seconds)
    }

    fn place(&mut self, seconds: f64) -> anyhow::Result<()> {
        if let Some(filter) = &mut self.filter {
            filter.apply(&mut self.pose, seconds);
        }
        self.rig.write(&self.pose, &mut self.local);
        self.player.skeleton().model_from_joints(&self.local, &mut self.model_from_joint);
        self.world.pose_from_model(PLAYER, &Affine3A::IDENTITY, &self.model_from_joint)?;
        match self.clip {
            Some(clip) => {
                let time = LoopMode::Loop.clip_time(&self.opponent.clips()[clip.index()], seconds as f32);
                self.world.pose_from_clip(OPPONENT, &self.world_from_opponent, clip, time)?;
            }
            None => self.world.pose_from_rest(OPPONENT, &self.world_from_opponent)?,
        }
        self.world.update();
        Ok(())
    }

    /// What became of packets so far.
    pub(crate) fn counters(&self) -> &Counters {
        self.receiver.counters()
    }

    /// All joints that touch now.
    pub(crate) fn touches(&self) -> impl Iterator<Item = TouchNames<'_>> {
        self.world.touches().iter().map(|touch| self.names(touch))
    }

    /// What has changed with the last tick.
    pub(crate) fn events(&self) -> &[TouchEvent] {
        self.world.events()
    }

    pub(crate) fn names(&self, touch: &runtime::Touch) -> TouchNames<'_> {
        TouchNames { a: self.player.joint_name(touch.joint_a), b: self.opponent.joint_name(touch.joint_b) }
    }
}
