//! Orders packets by the sender's own clock.

/// If a packet is older than the newest packet by more than this, in seconds, the sender must have restarted.
const RESTART_SECONDS: f32 = 1.0;

/// The place of a packet in the order of the sender's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first packet of its time, or a packet without a time.
    New,
    /// Another packet of the newest time.
    SameTime,
    /// A packet whose bytes arrived before, at the newest time.
    Repeated,
    /// A packet that is older than the newest packet.
    Late,
}

/// The newest time of a sender, and the packets that arrived with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SenderClock {
    newest: Option<f32>,
    /// Checksums of the packets of the newest time. If more packets arrive than there are entries, repeats of the
    /// packets without an entry are not recognized.
    sums: [u64; 16],
    known: usize,
}

impl SenderClock {
    /// Places a packet in the order. `time` is its `/VMC/Ext/T` in seconds, if it has one.
    pub(crate) fn place(&mut self, time: Option<f32>, packet: &[u8]) -> Order {
        let Some(time) = time else { return Order::New };
        match self.newest {
            Some(newest) if time < newest && newest - time <= RESTART_SECONDS => return Order::Late,
            Some(newest) if time == newest => {
                let sum = sum(packet);
                if self.sums[..self.known].contains(&sum) {
                    return Order::Repeated;
                }
                self.remember(sum);
                return Order::SameTime;
            }
            _ => {}
        }
        self.newest = Some(time);
        self.known = 0;
        self.remember(sum(packet));
        Order::New
    }

    fn remember(&mut self, sum: u64) {
        if let Some(place) = self.sums.get_mut(self.known) {
            *place = sum;
            self.known += 1;
        }
    }
}

/// A checksum that distinguishes packets unless they are made to collide: it multiplies and rotates words of 8 bytes.
fn sum(packet: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = packet.as_chunks::<8>();
    let sum = words.iter().fold(packet.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, &byte| mix(sum, u64::from(byte)))
}
