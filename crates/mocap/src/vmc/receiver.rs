//! The receiver: converts packets to poses.

use super::message::{self, Placement, Said};
use super::osc_reader::{PacketError, each_message};
use super::sender_clock::{Order, SenderClock};
use crate::rotation::{mul, rotate, slerp};
use crate::{HipsMotion, HumanBone, HumanPose};
use glam::{DQuat, DVec3};

/// The settings by which a [`Receiver`] treats missing bones and the figure's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReceiverSettings {
    /// The time for which a bone keeps its last rotation after its last message, in seconds; at least 0.
    pub hold_seconds: f64,
    /// The time that a bone takes, after `hold_seconds`, to return to its rest rotation, in seconds; at least 0.
    pub ease_seconds: f64,
    /// The height of the hips above the ankles of the performer's figure, in the performer's unit. `None` computes it
    /// from the offsets of the leg bones, if the performer sends them.
    pub hip_height: Option<f64>,
}

impl Default for ReceiverSettings {
    /// Holds for half a second, eases for one second, and computes the hip height from the leg bones.
    fn default() -> Self {
        Self { hold_seconds: 0.5, ease_seconds: 1.0, hip_height: None }
    }
}

/// Counters of packets and messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The number of packets that arrived, including those that were not used.
    pub packets: u64,
    /// Packets that [`Receiver::receive`] refused with a [`PacketError`]. The receiver used nothing of them.
    pub malformed_packets: u64,
    /// Packets that arrived after a newer packet. The receiver used nothing of them.
    pub late_packets: u64,
    /// Packets that repeat an earlier packet with the same sender time, byte for byte. The receiver used them again.
    pub repeated_packets: u64,
    /// Messages in the packets that were used.
    pub messages: u64,
    /// Messages that set a bone or the root.
    pub placements: u64,
    /// Messages for bones that are not standard bones.
    pub unknown_bones: u64,
    /// Messages that move no bone: expressions, cameras, devices.
    pub ignored_messages: u64,
    /// Messages with a known address but unusable arguments.
    pub malformed_messages: u64,
}

/// The result of one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The packet's messages were used.
    Used,
    /// The packet's messages were used, but the same packet had arrived before.
    Repeated,
    /// The packet was dropped, because a newer packet had arrived before.
    Late,
}

#[derive(Clone, Copy, Debug)]
struct Received {
    placement: Placement,
    /// The arrival time, in seconds on the caller's clock.
    seconds: f64,
}

/// Converts VMC packets to poses. One receiver serves one performer.
///
/// Packets with the performer's clock (`/VMC/Ext/T`) are used in the order of that clock. Packets without the clock are
/// used in the order of arrival. No packet makes the receiver allocate memory.
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
    /// Makes a receiver that has received no packet yet.
    ///
    /// Bones that stop arriving, or never arrived, take their rotation from `rest`. Pass the rest pose of the figure
    /// that you drive, as [`crate::Rig::human_pose_from_local`] returns it, or [`HumanPose::T_POSE`].
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

    /// Receives one packet. `seconds` is its arrival time on the caller's clock, which must not go backward.
    ///
    /// # Errors
    /// Returns [`PacketError`] if the packet is not Open Sound Control, is too long, or nests too deeply. The packet is
    /// counted, and nothing of it is used.
    pub fn receive(&mut self, packet: &[u8], seconds: f64) -> Result<Outcome, PacketError> {
        self.counters.packets += 1;
        // The whole packet is checked before any message of it is used.
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

    /// Writes the pose at the time `seconds` on the caller's clock.
    ///
    /// The position and the rotation of the root move and turn the hips.
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
        pose.set_hips_motion(self.hips(seconds).or(self.rest.hips_motion().copied()));
    }

    /// The position of the hips. `None` if the performer sends no position, or zeros for all positions.
    fn hips(&self, seconds: f64) -> Option<HipsMotion> {
        let received = self.bones[HumanBone::Hips.index()].as_ref()?;
        if received.placement.position == DVec3::ZERO {
            return None;
        }
        let hip_height = self.settings.hip_height.filter(|height| *height > 0.0).or_else(|| self.leg_length());
        let mut position = self.root.position + rotate(self.root.rotation, received.placement.position);
        let share = self.share_of_rest(seconds - received.seconds);
        if let Some(rest) = self.rest.hips_motion().filter(|_| share > 0.0) {
            let scale = hip_height.zip(rest.hip_height).map_or(1.0, |(performer, rest)| performer / rest);
            position += (rest.position * scale - position) * share;
        }
        Some(HipsMotion { position, hip_height })
    }

    /// The height of the hips above the ankles, from the offsets of the leg bones that the performer sends.
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

    /// The share of the rest rotation: 0 while a bone is held, 1 when it has returned to rest.
    fn share_of_rest(&self, age: f64) -> f64 {
        let late = age - self.settings.hold_seconds;
        if late.is_nan() || late <= 0.0 {
            return 0.0;
        }
        let linear = if self.settings.ease_seconds > 0.0 { (late / self.settings.ease_seconds).min(1.0) } else { 1.0 };
        linear * linear * (3.0 - 2.0 * linear)
    }

    /// The counters of packets and messages so far.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Returns whether the performer says that it has a model and sends bones. `None` if it has sent no `/VMC/Ext/OK`
    /// yet.
    #[must_use]
    pub fn is_loaded(&self) -> Option<bool> {
        self.is_loaded
    }

    /// The arrival time of the last packet that was used, in seconds on the caller's clock.
    #[must_use]
    pub fn last_packet(&self) -> Option<f64> {
        self.last_packet
    }
}
