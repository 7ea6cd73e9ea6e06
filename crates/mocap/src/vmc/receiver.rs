//! The marionette's side: packets in, poses out.

use super::message::{self, Placement, Said};
use super::osc_reader::{PacketError, each_message};
use super::sender_clock::{Order, SenderClock};
use crate::rotation::{mul, rotate, slerp};
use crate::{HipsMotion, HumanBone, HumanPose};
use glam::{DQuat, DVec3};

/// How a [`Receiver`] treats bones that stop coming, and sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceiverSettings {
    /// How long a bone keeps its last rotation after its last packet, in seconds; at least 0.
    pub hold_seconds: f64,
    /// How long a bone then takes to its rest rotation, in seconds; at least 0.
    pub ease_seconds: f64,
    /// How far the hips are above the ankles of the performer's figure, in the performer's unit. Without it the figure's
    /// own leg bones tell, where the performer sends their offsets.
    pub hip_height: Option<f64>,
}

impl Default for ReceiverSettings {
    /// Holds for half a second, eases for one second, takes the height from the leg bones.
    fn default() -> Self {
        Self { hold_seconds: 0.5, ease_seconds: 1.0, hip_height: None }
    }
}

/// What became of the packets and messages so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets that came.
    pub packets: u64,
    /// Packets that are no Open Sound Control: nothing of them was used.
    pub malformed_packets: u64,
    /// Packets that a newer packet overtook: nothing of them was used.
    pub late_packets: u64,
    /// Packets that came before, byte for byte, at the sender's same time.
    pub repeated_packets: u64,
    /// Messages in packets that were used.
    pub messages: u64,
    /// Messages that set a bone or the root.
    pub placements: u64,
    /// Messages for bones that are none of the standard bones.
    pub unknown_bones: u64,
    /// Messages that move no bone: expressions, cameras, devices.
    pub ignored_messages: u64,
    /// Messages with a known address and arguments that cannot be used.
    pub malformed_messages: u64,
}

/// What became of one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its messages were used.
    Used,
    /// Its messages were used, but the same packet came before.
    Repeated,
    /// A newer packet came before it: it was dropped.
    Late,
}

#[derive(Clone, Copy, Debug)]
struct Received {
    placement: Placement,
    /// When it came, in seconds on the caller's clock.
    seconds: f64,
}

/// Turns VMC packets into poses. One receiver serves one performer.
///
/// Packets that carry the performer's clock (`/VMC/Ext/T`) are used in its order; a packet without it is used as it
/// comes. Nothing is allocated, whatever comes.
///
/// ```
/// use mocap::{HumanBone, HumanPose, vmc::Receiver};
///
/// # let packet = {
/// #     let args = ["Head".into()].into_iter().chain([0.0, 0.1, 0.0, 0.0, 0.6, 0.0, 0.8].map(rosc::OscType::Float));
/// #     let message = rosc::OscMessage { addr: "/VMC/Ext/Bone/Pos".into(), args: args.collect() };
/// #     rosc::encoder::encode(&rosc::OscPacket::Message(message)).unwrap()
/// # };
/// let mut receiver = Receiver::default();
/// let mut pose = HumanPose::T_POSE;
/// // let packet = &buffer[..socket.recv(&mut buffer)?];
/// receiver.receive(&packet, 0.0)?;
/// receiver.pose(0.010, &mut pose);
/// assert!(pose.bones().contains(HumanBone::Head) && receiver.counters().packets == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Receiver {
    settings: ReceiverSettings,
    rest: HumanPose,
    bones: [Option<Received>; HumanBone::COUNT],
    root: Placement,
    clock: SenderClock,
    is_loaded: Option<bool>,
    counters: Counters,
    last_packet: Option<f64>,
}

impl Default for Receiver {
    fn default() -> Self {
        Self::new(ReceiverSettings::default(), HumanPose::T_POSE)
    }
}

impl Receiver {
    /// A receiver that has heard nothing yet.
    ///
    /// Bones that stop coming, and bones that never came, take their rotation from `rest`: the rest pose of the figure
    /// that is driven, as [`crate::Rig::read`] gives it, or [`HumanPose::T_POSE`].
    #[must_use]
    pub fn new(settings: ReceiverSettings, rest: HumanPose) -> Self {
        Self {
            settings,
            rest,
            bones: [None; HumanBone::COUNT],
            root: Placement { position: DVec3::ZERO, rotation: DQuat::IDENTITY },
            clock: SenderClock::default(),
            is_loaded: None,
            counters: Counters::default(),
            last_packet: None,
        }
    }

    /// Takes in one packet. `seconds` is when it came, on the caller's clock, which must not run backwards.
    ///
    /// # Errors
    /// The packet is no Open Sound Control, or nests too deep; nothing of it was used. It is counted.
    pub fn receive(&mut self, packet: &[u8], seconds: f64) -> Result<Outcome, PacketError> {
        self.counters.packets += 1;
        // The whole packet is checked before anything of it is used.
        let mut time = None;
        let checked = each_message(packet, |message| time = time.or_else(|| message::time(&message)));
        if let Err(error) = checked {
            self.counters.malformed_packets += 1;
            return Err(error);
        }
        let outcome = match self.clock.place(time, packet) {
            Order::Late => {
                self.counters.late_packets += 1;
                return Ok(Outcome::Late);
            }
            Order::Repeated => {
                self.counters.repeated_packets += 1;
                Outcome::Repeated
            }
            Order::New | Order::SameTime => Outcome::Used,
        };
        self.last_packet = Some(seconds);
        let mut previous = None;
        each_message(packet, |message| {
            let said = message::read(&message, previous);
            if let Said::Bone(bone, _) = said {
                previous = Some(bone);
            }
            self.apply(said, seconds);
        })?;
        Ok(outcome)
    }

    fn apply(&mut self, said: Said, seconds: f64) {
        self.counters.messages += 1;
        match said {
            Said::Bone(bone, placement) => {
                self.counters.placements += 1;
                self.bones[bone.index()] = Some(Received { placement, seconds });
            }
            Said::Root(placement) => {
                self.counters.placements += 1;
                self.root = placement;
            }
            Said::Loaded(is_loaded) => self.is_loaded = Some(is_loaded),
            Said::Time(_) => {}
            Said::UnknownBone => self.counters.unknown_bones += 1,
            Said::Ignored => self.counters.ignored_messages += 1,
            Said::Malformed => self.counters.malformed_messages += 1,
        }
    }

    /// The pose at a time on the caller's clock, in seconds.
    ///
    /// The root's place and rotation are part of the hips'.
    pub fn pose(&self, seconds: f64, pose: &mut HumanPose) {
        pose.clone_from(&self.rest);
        for bone in HumanBone::ALL {
            let Some(received) = &self.bones[bone.index()] else { continue };
            let mut rotation = received.placement.rotation;
            if bone == HumanBone::Hips {
                rotation = mul(self.root.rotation, rotation);
            }
            let share = self.share_of_rest(seconds - received.seconds);
            if share > 0.0 {
                rotation = slerp(rotation, self.rest.rotation(bone), share);
            }
            pose.set_rotation(bone, rotation);
        }
        pose.set_hips(self.hips(seconds).or(self.rest.hips().copied()));
    }

    /// The hips' place; `None` where the performer sends none, or zeros for all places.
    fn hips(&self, seconds: f64) -> Option<HipsMotion> {
        let received = self.bones[HumanBone::Hips.index()].as_ref()?;
        if received.placement.position == DVec3::ZERO {
            return None;
        }
        let hip_height = self.settings.hip_height.filter(|height| *height > 0.0).or_else(|| self.leg_length());
        let mut position = self.root.position + rotate(self.root.rotation, received.placement.position);
        let share = self.share_of_rest(seconds - received.seconds);
        if let Some(rest) = self.rest.hips().filter(|_| share > 0.0) {
            let scale = hip_height.zip(rest.hip_height).map_or(1.0, |(performer, rest)| performer / rest);
            position += (rest.position * scale - position) * share;
        }
        Some(HipsMotion { position, hip_height })
    }

    /// How far the hips are above the ankles by the offsets of the leg bones that the performer sends.
    fn leg_length(&self) -> Option<f64> {
        use HumanBone::*;
        let drop = |bone: HumanBone| {
            let offset = self.bones[bone.index()].as_ref()?.placement.position;
            (offset != DVec3::ZERO).then_some(-offset.y)
        };
        let leg = |bones: [HumanBone; 3]| bones.into_iter().map(drop).sum::<Option<f64>>();
        let left = leg([LeftUpperLeg, LeftLowerLeg, LeftFoot])?;
        let right = leg([RightUpperLeg, RightLowerLeg, RightFoot])?;
        let height = 0.5 * (left + right);
        (height > 1e-3).then_some(height)
    }

    /// 0 while a bone is held, 1 when it is back at rest.
    fn share_of_rest(&self, age: f64) -> f64 {
        let late = age - self.settings.hold_seconds;
        if late.is_nan() || late <= 0.0 {
            return 0.0;
        }
        let linear = if self.settings.ease_seconds > 0.0 { (late / self.settings.ease_seconds).min(1.0) } else { 1.0 };
        linear * linear * (3.0 - 2.0 * linear)
    }

    /// What became of packets and messages so far.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Whether the performer says that it has a model and sends bones; `None` where it has not said either.
    #[must_use]
    pub fn is_loaded(&self) -> Option<bool> {
        self.is_loaded
    }

    /// When the last packet came that was used, in seconds on the caller's clock.
    #[must_use]
    pub fn last_packet(&self) -> Option<f64> {
        self.last_packet
    }
}
