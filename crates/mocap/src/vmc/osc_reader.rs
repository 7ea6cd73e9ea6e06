//! Reads Open Sound Control packets in place, without copies, recursion or allocations.
//!
//! The tests of this crate compare with rosc. The code does not use rosc, because rosc allocates each string and its
//! types nest without a limit: a packet of 64 KiB may contain thousands of nested bundles or arrays.

use super::MAX_PACKET_BYTES;

/// The deepest nesting of bundles that is read. Performers send one level.
const DEEPEST: usize = 8;
/// The size in bytes of `#bundle`, its zero byte and the time tag.
const BUNDLE_HEADER: usize = 16;

/// The reason why a packet was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// The packet is longer than a UDP packet can be.
    #[error(
        "the packet has {bytes} bytes, but a UDP packet has at most {MAX_PACKET_BYTES}; pass one UDP packet at a time"
    )]
    TooLong {
        /// The packet's size in bytes.
        bytes: usize,
    },
    /// The bytes do not follow Open Sound Control 1.0.
    #[error(
        "the packet is damaged at byte {offset}: expected {expected}; check that the sender speaks VMC (OSC over UDP)"
    )]
    Malformed {
        /// The offset in bytes from the start of the packet.
        offset: usize,
        /// The value that was expected at this offset.
        expected: &'static str,
    },
    /// The packet nests bundles too deeply.
    #[error(
        "the packet nests bundles more than {DEEPEST} levels deep, expected one level; check that the sender speaks VMC (OSC over UDP)"
    )]
    TooDeep,
}

/// One message: an address, and its arguments still encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message<'a> {
    /// The address without padding; it begins with `/`.
    pub(crate) address: &'a [u8],
    /// The type tags, one letter for each argument, without the comma and padding.
    tags: &'a [u8],
    data: &'a [u8],
}

/// Calls `visit` with every message of a packet, in order. A packet is a message, or a bundle of messages and bundles.
pub(crate) fn each_message<'a>(packet: &'a [u8], mut visit: impl FnMut(Message<'a>)) -> Result<(), PacketError> {
    if packet.len() > MAX_PACKET_BYTES {
        return Err(PacketError::TooLong { bytes: packet.len() });
    }
    if !is_bundle(packet) {
        visit(Message::read(packet, 0)?);
        return Ok(());
    }
    if packet.len() < BUNDLE_HEADER {
        return Err(PacketError::Malformed { offset: 8, expected: "the time tag of a bundle" });
    }
    let mut ends = [0; DEEPEST];
    let mut open = 1;
    ends[0] = packet.len();
    let mut at = BUNDLE_HEADER;
    while open > 0 {
        let end = ends[open - 1];
        if at == end {
            open -= 1;
            continue;
        }
        let size = packet[at..end].first_chunk::<4>().map(|bytes| u32::from_be_bytes(*bytes) as usize);
        let start = at + 4;
        let size = size.filter(|&size| size % 4 == 0 && size <= end - start);
        let Some(size) = size else {
            return Err(PacketError::Malformed { offset: at, expected: "the size of a bundle's element" });
        };
        let element = &packet[start..start + size];
        if is_bundle(element) {
            if size < BUNDLE_HEADER {
                return Err(PacketError::Malformed { offset: start + 8, expected: "the time tag of a bundle" });
            }
            if open == DEEPEST {
                return Err(PacketError::TooDeep);
            }
            ends[open] = start + size;
            open += 1;
            at = start + BUNDLE_HEADER;
        } else {
            visit(Message::read(element, start)?);
            at = start + size;
        }
    }
    Ok(())
}

fn is_bundle(element: &[u8]) -> bool {
    element.starts_with(b"#bundle\0")
}

impl<'a> Message<'a> {
    fn read(element: &'a [u8], offset: usize) -> Result<Self, PacketError> {
        let malformed = |at: usize, expected| PacketError::Malformed { offset: offset + at, expected };
        let mut data = element;
        let address = take_string(&mut data).filter(|address| address.starts_with(b"/"));
        let address = address.ok_or(malformed(0, "an address that begins with / and is padded to 4 bytes"))?;
        let after_address = element.len() - data.len();
        let tags = take_string(&mut data).and_then(|tags| tags.strip_prefix(b","));
        let tags =
            tags.ok_or(malformed(after_address, "type tags that begin with a comma and are padded to 4 bytes"))?;
        Ok(Self { address, tags, data })
    }

    pub(crate) fn arguments(&self) -> Arguments<'a> {
        Arguments { tags: self.tags, data: self.data }
    }
}

/// Reads the arguments of a message one by one. Each method returns `None` if the next argument is missing or has
/// another type.
pub(crate) struct Arguments<'a> {
    tags: &'a [u8],
    data: &'a [u8],
}

impl<'a> Arguments<'a> {
    /// Reads a string.
    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        match self.tag()? {
            b's' | b'S' => take_string(&mut self.data),
            _ => None,
        }
    }

    /// Reads a number of any of the four numeric types. It must be finite.
    #[inline]
    pub(crate) fn number(&mut self) -> Option<f64> {
        let number = match self.tag()? {
            b'f' => f64::from(f32::from_be_bytes(self.take()?)),
            b'd' => f64::from_be_bytes(self.take()?),
            b'i' => f64::from(i32::from_be_bytes(self.take()?)),
            b'h' => i64::from_be_bytes(self.take()?) as f64,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    pub(crate) fn numbers<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    /// Reads a whole number of type `i`.
    pub(crate) fn int(&mut self) -> Option<i32> {
        match self.tag()? {
            b'i' => Some(i32::from_be_bytes(self.take()?)),
            _ => None,
        }
    }

    fn tag(&mut self) -> Option<u8> {
        let (&tag, rest) = self.tags.split_first()?;
        self.tags = rest;
        Some(tag)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.data.split_first_chunk::<N>()?;
        self.data = rest;
        Some(*bytes)
    }
}

/// Reads a string that ends with a zero byte and is padded to a multiple of 4 bytes. Returns it without the zeros.
#[inline]
fn take_string<'a>(data: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = data.iter().position(|&byte| byte == 0)?;
    let padded = (length + 4) & !3;
    let (string, rest) = data.split_at_checked(padded)?;
    *data = rest;
    Some(&string[..length])
}
