//! VMC, the Virtual Motion Capture protocol: Open Sound Control messages in UDP packets.
//!
//! A *performer* sends bones and a *marionette* receives them. [`Performer`] and [`Receiver`] are these two sides
//! without the socket. They write and read the messages `/VMC/Ext/OK`, `/VMC/Ext/T`, `/VMC/Ext/Root/Pos` and
//! `/VMC/Ext/Bone/Pos`.
//!
//! Sources: [VMC protocol](https://protocol.vmc.info/english), [Open Sound Control 1.0](https://opensoundcontrol.stanford.edu/spec-1_0.html).

mod message;
mod osc_reader;
mod osc_writer;
mod performer;
mod receiver;
mod sender_clock;
mod unity_space;

pub use osc_reader::PacketError;
pub use performer::{Performer, PerformerSettings};
pub use receiver::{Counters, Outcome, Receiver, ReceiverSettings};

/// The port on which a marionette usually listens.
pub const MARIONETTE_PORT: u16 = 39539;
/// The port on which a performer usually listens for assistants.
pub const PERFORMER_PORT: u16 = 39540;
/// The largest size of a UDP packet over IPv4, in bytes.
pub const MAX_PACKET_BYTES: usize = 65_507;
