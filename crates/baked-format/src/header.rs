//! The 32 bytes in front of the payload.
//!
//! | bytes | what |
//! |---|---|
//! | 0..8 | [`MAGIC`] |
//! | 8..10 | format version |
//! | 10..12 | format minor version |
//! | 12..16 | zero |
//! | 16..24 | payload length in bytes |
//! | 24..28 | CRC-32 of the payload |
//! | 28..32 | CRC-32 of bytes 0..28 |
//!
//! All numbers are little-endian and unsigned. The header has 32 bytes, so that a payload in an aligned buffer keeps
//! FlatBuffers' alignment.

use crate::error::{LimitExceeded, ReadError};
use crate::limits::MAX_FILE_BYTES;
use crate::version::{FORMAT_MINOR_VERSION, FORMAT_VERSION, HEADER_BYTES, MAGIC};

/// The contents of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The format version of the file, see [`FORMAT_VERSION`].
    pub version: u16,
    /// The minor version of the file, see [`FORMAT_MINOR_VERSION`].
    pub minor_version: u16,
    /// The length of the payload in bytes. The file is [`HEADER_BYTES`] longer.
    pub payload_bytes: u64,
    /// CRC-32 (the polynomial of zlib and PNG) of the payload.
    pub payload_checksum: u32,
}

impl Header {
    pub(crate) fn for_payload(minor_version: u16, payload: &[u8]) -> Self {
        Self {
            version: FORMAT_VERSION,
            minor_version,
            payload_bytes: payload.len() as u64,
            payload_checksum: crc32fast::hash(payload),
        }
    }

    pub(crate) fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&self.version.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.minor_version.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.payload_bytes.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.payload_checksum.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[..28]);
        bytes[28..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// Reads the header alone, which says whether the bytes are a .bonebox file, and of what version. The payload may be
/// cut off or damaged.
///
/// # Errors
/// Returns an error if the bytes are not a .bonebox file, end within the header, or have a damaged header. A version
/// that this crate cannot read is not an error here.
pub fn header(bytes: &[u8]) -> Result<Header, ReadError> {
    let Some(bytes) = bytes.first_chunk::<HEADER_BYTES>() else {
        let known = bytes.len().min(MAGIC.len());
        if known == 0 || bytes[..known] == MAGIC[..known] {
            return Err(ReadError::Truncated { expected: HEADER_BYTES as u64, found: bytes.len() as u64 });
        }
        return Err(not_bonebox(bytes));
    };
    if bytes[..8] != MAGIC {
        return Err(not_bonebox(bytes));
    }
    let (stored, computed) = (u32_at(bytes, 28), crc32fast::hash(&bytes[..28]));
    if stored != computed {
        return Err(ReadError::Corrupted { part: "header", stored, computed });
    }
    let payload_bytes = u64::from(u32_at(bytes, 16)) | u64::from(u32_at(bytes, 20)) << 32;
    Ok(Header {
        version: u16::from_le_bytes([bytes[8], bytes[9]]),
        minor_version: u16::from_le_bytes([bytes[10], bytes[11]]),
        payload_bytes,
        payload_checksum: u32_at(bytes, 24),
    })
}

/// Returns the payload, after checking version, length and checksum.
pub(crate) fn payload(bytes: &[u8]) -> Result<(Header, &[u8]), ReadError> {
    let header = header(bytes)?;
    if header.version != FORMAT_VERSION {
        return Err(ReadError::UnsupportedVersion { version: header.version, minor_version: header.minor_version });
    }
    let is_newer = header.minor_version > FORMAT_MINOR_VERSION;
    if u32_at(bytes, 12) != 0 && !is_newer {
        return Err(ReadError::Malformed { place: "header bytes 12 to 15".into(), problem: "not zero".into() });
    }
    let (found, expected) = (bytes.len() as u64, header.payload_bytes.saturating_add(HEADER_BYTES as u64));
    if expected > MAX_FILE_BYTES as u64 {
        return Err(ReadError::Limit(LimitExceeded {
            place: "file".into(),
            what: "bytes",
            limit: MAX_FILE_BYTES as u64,
            found: expected,
        }));
    }
    if found < expected {
        return Err(ReadError::Truncated { expected, found });
    }
    if found > expected {
        return Err(ReadError::TrailingBytes { expected, found });
    }
    let payload = &bytes[HEADER_BYTES..];
    let (stored, computed) = (header.payload_checksum, crc32fast::hash(payload));
    if stored != computed {
        return Err(ReadError::Corrupted { part: "payload", stored, computed });
    }
    Ok((header, payload))
}

/// The bytes before the letters of the magic after a transfer as text: unchanged, without the highest bit, converted
/// from Latin-1 to UTF-8, and replaced because they are not UTF-8.
const FIRST_BYTES_AS_TEXT: [&[u8]; 4] = [b"\x89", b"\x09", b"\xc2\x89", "\u{fffd}".as_bytes()];

/// The bytes after the letters of the magic after a transfer as text: unchanged, and with the line ends of Unix, Windows
/// or an old Mac in place of one or both kinds of line ends.
const LINE_ENDS_AS_TEXT: [&[u8]; 6] =
    [b"\r\n\x1a\n", b"\n\x1a\n", b"\r\r\n\x1a\r\n", b"\r\n\x1a\r\n", b"\r\x1a\r", b"\n\n\x1a\n"];

fn not_bonebox(bytes: &[u8]) -> ReadError {
    let after = |prefix: &&[u8]| bytes.strip_prefix(*prefix)?.strip_prefix(&MAGIC[1..4]);
    let rest = FIRST_BYTES_AS_TEXT.iter().find_map(after);
    if rest.is_some_and(|rest| LINE_ENDS_AS_TEXT.iter().any(|ends| rest.starts_with(ends))) {
        ReadError::SentAsText
    } else {
        ReadError::NotBonebox { found: Box::from(&bytes[..bytes.len().min(8)]) }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_a_file_is() {
        let file = Header::for_payload(1, b"payload").to_bytes();
        assert_eq!(header(&file).unwrap(), Header::for_payload(1, b"payload"));
        assert!(matches!(header(b""), Err(ReadError::Truncated { expected: 32, found: 0 })));
        assert!(matches!(header(&file[..31]), Err(ReadError::Truncated { found: 31, .. })));
        assert!(matches!(header(b"glTF\x02\0\0\0"), Err(ReadError::NotBonebox { .. })));
        assert!(matches!(header(b"gl"), Err(ReadError::NotBonebox { .. })));
    }

    #[test]
    fn a_transfer_as_text_is_told_apart() {
        let file = Header::for_payload(1, b"payload").to_bytes();
        let unix: Vec<u8> = String::from_utf8_lossy(&file).replace("\r\n", "\n").into_bytes();
        assert!(!unix.starts_with(&MAGIC));
        assert!(matches!(header(&unix), Err(ReadError::SentAsText)));
        let latin: String = file.iter().map(|&byte| char::from(byte)).collect();
        let mut seven_bits = file;
        seven_bits[0] &= 0x7f;
        let replaced = |from: &[u8], to: &[u8]| {
            let mut bytes = Vec::new();
            let mut rest = &file[..];
            while let Some(&first) = rest.first() {
                let is_found = rest.starts_with(from);
                bytes.extend(if is_found { to } else { std::slice::from_ref(&first) });
                rest = &rest[if is_found { from.len() } else { 1 }..];
            }
            bytes
        };
        let converted = [
            latin.into_bytes(),
            seven_bits.to_vec(),
            replaced(b"\r\n", b"\n"),
            replaced(b"\n", b"\r\n"),
            replaced(b"\r", b"\n"),
        ];
        for bytes in converted {
            assert!(matches!(header(&bytes), Err(ReadError::SentAsText)), "{:?}", bytes[..9].escape_ascii());
        }
    }

    #[test]
    fn a_damaged_byte_of_the_magic_is_no_transfer_as_text() {
        let file = Header::for_payload(1, b"payload").to_bytes();
        for (at, byte) in [(0, 0x8a), (0, 0), (1, b'C'), (4, b' '), (5, b'\r'), (6, 0), (7, b'\r')] {
            let mut damaged = file;
            damaged[at] = byte;
            assert!(matches!(header(&damaged), Err(ReadError::NotBonebox { .. })), "byte {at}");
        }
    }

    #[test]
    fn every_bit_counts() {
        let file = Header::for_payload(1, b"payload").to_bytes();
        for bit in 0..8 * HEADER_BYTES {
            let mut flipped = file;
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(header(&flipped).is_err(), "bit {bit}");
        }
    }
}
