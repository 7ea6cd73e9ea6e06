//! The order of packets by the sender's own clock.

/// A packet that is older than the newest by more than this comes from a sender that started again, in seconds.
const RESTART_SECONDS: f32 = 1.0;

/// What a packet's time says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The first of its time, or a packet without a time.
    New,
    /// Another packet of the newest time.
    SameTime,
    /// The same bytes came before, at the newest time.
    Repeated,
    /// A newer packet came before.
    Late,
}

/// The newest time that a sender gave and the packets that came with it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SenderClock {
    newest: Option<f32>,
    /// Sums of the packets of the newest time; those beyond the list's length are not recognized again.
    sums: [u64; 16],
    known: usize,
}

impl SenderClock {
    /// Places a packet in order. `time` is its `/VMC/Ext/T` in seconds, where it has one.
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

/// Tells packets apart that were not made to look alike: multiply and rotate over words of 8 bytes.
fn sum(packet: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = packet.as_chunks::<8>();
    let sum = words.iter().fold(packet.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, &byte| mix(sum, u64::from(byte)))
}
