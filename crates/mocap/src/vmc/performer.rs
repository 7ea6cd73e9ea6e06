//! The performer: converts poses to packets.

use super::osc_writer::{Argument, bundle, message};
use super::unity_space;
use crate::rotation::to_quat;
use crate::{HumanBone, HumanPose, Rig};
use glam::{DQuat, DVec3};

/// The settings by which a [`Performer`] splits a pose into packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerformerSettings {
    /// The largest size of a packet in bytes. A packet contains at least one bone, even if it is then larger. Packets
    /// of up to 1,400 bytes pass through Ethernet unsplit.
    pub packet_bytes: usize,
}

impl Default for PerformerSettings {
    fn default() -> Self {
        Self { packet_bytes: 1_400 }
    }
}

/// Converts poses of one figure to VMC packets. Each packet is a bundle that begins with the performer's clock.
#[derive(Clone, Debug)]
pub struct Performer {
    settings: PerformerSettings,
    hip_height: f64,
    /// For each bone of the figure, its position relative to the parent bone in the reference pose, for the hips relative to the
    /// origin. `None` for bones that the figure does not have.
    offsets: [Option<DVec3>; HumanBone::COUNT],
    bytes: Vec<u8>,
    /// The end offset of each packet.
    ends: Vec<usize>,
}

impl Performer {
    /// Makes a performer for the figure of a rig.
    #[must_use]
    pub fn new(settings: PerformerSettings, rig: &Rig) -> Self {
        let offset = |bone: HumanBone| {
            let parent = bone.parent().map_or(DVec3::ZERO, |parent| rig.reference_position(parent));
            rig.has_bone(bone).then(|| rig.reference_position(bone) - parent)
        };
        let offsets = HumanBone::ALL.map(offset);
        Self { settings, hip_height: rig.hip_height(), offsets, bytes: Vec::new(), ends: Vec::new() }
    }

    /// Returns the packets for one pose; send them in order. They stay valid until the next call. `seconds` is the time
    /// on the performer's own clock.
    ///
    /// The packets contain all bones of the figure; bones that the pose does not have get the identity. Once the buffer
    /// has grown, no call allocates memory.
    pub fn packets(&mut self, pose: &HumanPose, seconds: f32) -> impl ExactSizeIterator<Item = &[u8]> {
        self.bytes.clear();
        self.ends.clear();
        let mut start = self.start_packet(seconds);
        let bytes = &mut self.bytes;
        message(bytes, "/VMC/Ext/OK", ",i", &[Argument::Int(1)]);
        place(bytes, "/VMC/Ext/Root/Pos", "root", DVec3::ZERO, DQuat::IDENTITY);
        for bone in HumanBone::ALL {
            let Some(mut offset) = self.offsets[bone.index()] else { continue };
            if let Some(hips) = pose.hips_motion().filter(|_| bone == HumanBone::Hips) {
                offset = hips.position * hips.hip_height.map_or(1.0, |height| self.hip_height / height);
            }
            let before = self.bytes.len();
            place(&mut self.bytes, "/VMC/Ext/Bone/Pos", bone.unity_name(), offset, pose.rotation(bone));
            if self.bytes.len() - start > self.settings.packet_bytes && before > start + FIRST_BYTES {
                // The packet is full, so this bone starts the next packet.
                self.bytes.truncate(before);
                self.ends.push(before);
                start = self.start_packet(seconds);
                place(&mut self.bytes, "/VMC/Ext/Bone/Pos", bone.unity_name(), offset, pose.rotation(bone));
            }
        }
        self.ends.push(self.bytes.len());
        let starts = (0..self.ends.len()).map(|packet| packet.checked_sub(1).map_or(0, |before| self.ends[before]));
        starts.zip(&self.ends).map(|(start, &end)| &self.bytes[start..end])
    }

    fn start_packet(&mut self, seconds: f32) -> usize {
        let start = self.bytes.len();
        bundle(&mut self.bytes);
        message(&mut self.bytes, "/VMC/Ext/T", ",f", &[Argument::Float(seconds)]);
        debug_assert_eq!(self.bytes.len() - start, FIRST_BYTES);
        start
    }
}

/// The size in bytes of a bundle's header and its clock message.
const FIRST_BYTES: usize = 16 + 4 + 12 + 4 + 4;

fn place(bytes: &mut Vec<u8>, address: &str, name: &str, position: DVec3, rotation: DQuat) {
    let position = unity_space::position(position).as_vec3();
    let rotation = to_quat(unity_space::rotation(rotation));
    let [x, y, z] = position.to_array().map(Argument::Float);
    let [qx, qy, qz, qw] = rotation.to_array().map(Argument::Float);
    message(bytes, address, ",sfffffff", &[Argument::Text(name), x, y, z, qx, qy, qz, qw]);
}
