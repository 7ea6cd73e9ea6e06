//! The first bytes of every file, and the versions that this crate reads and writes.

/// The format version this crate writes and reads. It counts changes that an older reader cannot ignore.
pub const FORMAT_VERSION: u16 = 1;

/// The newest minor version this crate knows. It counts additions that an older reader may ignore. A file has the
/// lowest minor version with all that the file uses: 3 with a ragdoll or with morph targets of the skin, 2 with roles of
/// hitboxes, 1 with attacks or states, otherwise 0.
pub const FORMAT_MINOR_VERSION: u16 = 3;

/// The first bytes of every .bonebox file. Like the first bytes of PNG, they contain a byte that is not ASCII, and line
/// ends that a transfer as text would change.
pub const MAGIC: [u8; 8] = *b"\x89BBX\r\n\x1a\n";

/// The number of bytes before the payload, in every version.
pub const HEADER_BYTES: usize = 32;
