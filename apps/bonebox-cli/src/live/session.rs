//! Two characters, each moved by packets, by poses or by a clip, and the touches of their joints.
//!
//! A session opens no socket and reads no clock. `bonebox live` and the page of `bonebox view` pass packets and times
//! to it.

use glam::Affine3A;
use mocap::vmc::{Counters, Receiver, ReceiverSettings};
use mocap::{HumanPose, OneEuroFilter, OneEuroSettings, Rig};
use page_answers::duel::find_clip;
use runtime::{BodyId, BodySettings, Character, ClipIndex, HitboxWorld, LoopMode, TouchEvent};
use skeleton::LocalTransform;
use std::sync::Arc;

/// One of the two sides of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The first character; it stands at the origin.
    Player,
    /// The second character.
    Opponent,
}

impl Side {
    /// Both sides, in the order of [`Side::index`].
    pub(crate) const BOTH: [Self; 2] = [Self::Player, Self::Opponent];

    /// The index of the side in lists of both: 0 for the player, 1 for the opponent.
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// Returns the name of the side in messages.
    pub(crate) fn name(self) -> &'static str {
        ["player", "opponent"][self.index()]
    }

    fn body(self) -> BodyId {
        BodyId(1 + self.index() as u64)
    }
}

/// A character, and the packets, poses or clip that move it.
pub(crate) struct Actor {
    character: Arc<Character>,
    world_from_model: Affine3A,
    motion: Motion,
}

enum Motion {
    Rest,
    Clip(ClipIndex),
    Tracked(Box<Tracked>),
}

/// The state of a character that a person moves.
struct Tracked {
    rig: Rig,
    receiver: Receiver,
    filter: Option<OneEuroFilter>,
    pose: HumanPose,
    local: Vec<LocalTransform>,
    model_from_joint: Vec<Affine3A>,
}

impl Actor {
    /// Makes a character that plays a clip in a loop, given by name or index, or keeps its rest pose.
    ///
    /// # Errors
    /// Returns an error if the character has no such clip.
    pub(crate) fn playing(
        character: Character,
        clip: Option<&str>,
        world_from_model: Affine3A,
    ) -> anyhow::Result<Self> {
        let motion = match clip {
            Some(name) => Motion::Clip(find_clip(&character, name)?),
            None => Motion::Rest,
        };
        Ok(Self { character: Arc::new(character), world_from_model, motion })
    }

    /// Makes a character that packets or poses move. `smooth` reduces jitter. `rig` must belong to the character's
    /// skeleton.
    pub(crate) fn tracked(character: Character, mut rig: Rig, world_from_model: Affine3A, smooth: bool) -> Self {
        let local = character.skeleton().rest_pose();
        // A bone for which no more packets arrive moves slowly to its place in the character's own rest pose.
        let mut rest = HumanPose::T_POSE;
        rig.human_pose_from_local(&local, &mut rest);
        let tracked = Tracked {
            receiver: Receiver::new(ReceiverSettings::default(), rest),
            filter: smooth.then(|| OneEuroFilter::new(OneEuroSettings::default())),
            pose: HumanPose::T_POSE,
            model_from_joint: vec![Affine3A::IDENTITY; local.len()],
            rig,
            local,
        };
        Self { character: Arc::new(character), world_from_model, motion: Motion::Tracked(Box::new(tracked)) }
    }

    /// Poses the actor's body in the world. `given` replaces the pose from the packets.
    fn place(
        &mut self,
        world: &mut HitboxWorld,
        body: BodyId,
        seconds: f64,
        given: Option<&HumanPose>,
    ) -> anyhow::Result<()> {
        match &mut self.motion {
            Motion::Rest => world.pose_from_rest(body, &self.world_from_model)?,
            Motion::Clip(clip) => {
                let time = LoopMode::Loop.clip_time(&self.character.clips()[clip.index()], seconds);
                world.pose_from_clip(body, &self.world_from_model, *clip, time)?;
            }
            Motion::Tracked(tracked) => {
                match given {
                    Some(pose) => tracked.pose.clone_from(pose),
                    None => tracked.receiver.pose(seconds, &mut tracked.pose),
                }
                if let Some(filter) = &mut tracked.filter {
                    filter.apply(&mut tracked.pose, seconds);
                }
                tracked.rig.local_from_human_pose(&tracked.pose, &mut tracked.local);
                self.character.skeleton().model_from_joints(&tracked.local, &mut tracked.model_from_joint);
                world.pose_from_model(body, &self.world_from_model, &tracked.model_from_joint)?;
            }
        }
        Ok(())
    }
}

/// The player and the opponent in one world.
pub(crate) struct Session {
    actors: [Actor; 2],
    world: HitboxWorld,
}

/// The names of two joints that touch.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct TouchNames<'a> {
    /// The joint of the player.
    pub(crate) a: &'a str,
    /// The joint of the opponent.
    pub(crate) b: &'a str,
}

impl Session {
    pub(crate) fn new(player: Actor, opponent: Actor) -> anyhow::Result<Self> {
        let mut world = HitboxWorld::new();
        for (side, actor) in Side::BOTH.into_iter().zip([&player, &opponent]) {
            world.insert(side.body(), actor.character.clone(), BodySettings::default())?;
        }
        Ok(Self { actors: [player, opponent], world })
    }

    /// Receives a packet for one side at a time in seconds, and returns whether it was used. Errors of packets are
    /// counted. A side that plays a clip uses no packets.
    pub(crate) fn receive(&mut self, side: Side, packet: &[u8], seconds: f64) -> bool {
        match &mut self.actors[side.index()].motion {
            Motion::Tracked(tracked) => tracked.receiver.receive(packet, seconds).is_ok(),
            Motion::Rest | Motion::Clip(_) => false,
        }
    }

    /// Poses both sides by clips and by the packets so far, and finds their touches. `seconds` must not go backward.
    pub(crate) fn tick(&mut self, seconds: f64) -> anyhow::Result<()> {
        self.tick_with(None, seconds)
    }

    /// Works as [`Session::tick`], with a pose for the player instead of packets.
    pub(crate) fn tick_with(&mut self, player: Option<&HumanPose>, seconds: f64) -> anyhow::Result<()> {
        for (side, given) in Side::BOTH.into_iter().zip([player, None]) {
            self.actors[side.index()].place(&mut self.world, side.body(), seconds, given)?;
        }
        self.world.update();
        Ok(())
    }

    /// The sides that packets move.
    pub(crate) fn tracked_sides(&self) -> impl Iterator<Item = Side> {
        Side::BOTH.into_iter().filter(|&side| self.counters(side).is_some())
    }

    /// The packet counters of a side; `None` if packets do not move it.
    pub(crate) fn counters(&self, side: Side) -> Option<&Counters> {
        match &self.actors[side.index()].motion {
            Motion::Tracked(tracked) => Some(tracked.receiver.counters()),
            Motion::Rest | Motion::Clip(_) => None,
        }
    }

    /// `parent_from_joint` of each joint of a side at the last tick; `None` if packets do not move it.
    pub(crate) fn local_transforms(&self, side: Side) -> Option<&[LocalTransform]> {
        match &self.actors[side.index()].motion {
            Motion::Tracked(tracked) => Some(&tracked.local),
            Motion::Rest | Motion::Clip(_) => None,
        }
    }

    /// All joints that touch now.
    pub(crate) fn touches(&self) -> impl Iterator<Item = TouchNames<'_>> {
        self.world.touches().iter().map(|touch| self.names(touch))
    }

    /// The touches that started, persisted or ended at the last tick.
    pub(crate) fn events(&self) -> &[TouchEvent] {
        self.world.events()
    }

    pub(crate) fn names(&self, touch: &runtime::Touch) -> TouchNames<'_> {
        let [player, opponent] = &self.actors;
        TouchNames { a: player.character.joint_name(touch.joint_a), b: opponent.character.joint_name(touch.joint_b) }
    }
}
