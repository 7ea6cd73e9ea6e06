//! The VMC messages that move a figure.

use super::osc_reader::Message;
use super::unity_space;
use crate::HumanBone;
use crate::rotation::normalized;
use glam::{DQuat, DVec3};

/// The largest coordinate that is accepted, in the sender's unit (meters by the protocol).
const FARTHEST: f64 = 1e4;

/// A position and a rotation relative to the parent, in humanoid space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placement {
    pub(crate) position: DVec3,
    pub(crate) rotation: DQuat,
}

/// The meaning of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Said {
    /// `/VMC/Ext/OK`: whether the performer has a model and sends bones.
    Loaded(bool),
    /// `/VMC/Ext/T`: the performer's clock, in seconds.
    Time(f32),
    /// `/VMC/Ext/Root/Pos`.
    Root(Placement),
    /// `/VMC/Ext/Bone/Pos`.
    Bone(HumanBone, Placement),
    /// `/VMC/Ext/Bone/Pos` of a bone that is not a standard bone.
    UnknownBone,
    /// A message that moves no bone, of VMC or of another protocol.
    Ignored,
    /// A message with one of the addresses above, but with arguments that are missing, not finite, too large or of the
    /// wrong type.
    Malformed,
}

/// Reads a message. `previous` is the bone of the previous message.
pub(crate) fn read(message: &Message<'_>, previous: Option<HumanBone>) -> Said {
    let mut arguments = message.arguments();
    let said = match message.address {
        b"/VMC/Ext/Bone/Pos" => arguments.string().and_then(|name| {
            let bone = HumanBone::from_unity_name(name, previous);
            let placement = placement(arguments.numbers()?)?;
            Some(bone.map_or(Said::UnknownBone, |bone| Said::Bone(bone, placement)))
        }),
        b"/VMC/Ext/Root/Pos" => arguments.string().and_then(|_| Some(Said::Root(placement(arguments.numbers()?)?))),
        b"/VMC/Ext/T" => time(message).map(Said::Time),
        b"/VMC/Ext/OK" => arguments.int().map(|loaded| Said::Loaded(loaded != 0)),
        _ => Some(Said::Ignored),
    };
    said.unwrap_or(Said::Malformed)
}

/// The performer's clock in seconds, if the message is `/VMC/Ext/T`.
pub(crate) fn time(message: &Message<'_>) -> Option<f32> {
    let seconds = message.arguments().number().filter(|_| message.address == b"/VMC/Ext/T")? as f32;
    // A finite double may be too large for a float.
    seconds.is_finite().then_some(seconds)
}

fn placement([px, py, pz, qx, qy, qz, qw]: [f64; 7]) -> Option<Placement> {
    let position = unity_space::position(DVec3::new(px, py, pz));
    let rotation = unity_space::rotation(normalized(DQuat::from_xyzw(qx, qy, qz, qw))?);
    (position.abs().max_element() <= FARTHEST).then_some(Placement { position, rotation })
}
