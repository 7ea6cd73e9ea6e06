//! A log of packets and ticks with their times, which `bonebox live --record` writes and `--replay` reads.
//!
//! A log begins with [`HEADER`], followed by entries:
//!
//! - A packet: the letter `P`, the packet's time, its source, its length, and its bytes as they arrived.
//! - A tick: the letter `T` and the tick's time. At a tick, the program posed the characters and looked for touches.
//!
//! A time is an `f64` in seconds, and times never decrease. A source is one byte, and a length is a `u32`. Numbers are
//! big-endian.
//!
//! ```
//! use mocap::packet_log::{self, Entry};
//!
//! let mut log = packet_log::HEADER.to_vec();
//! packet_log::append(&mut log, Entry::Packet { seconds: 0.25, source: 0, bytes: b"one" })?;
//! packet_log::append(&mut log, Entry::Tick { seconds: 0.25 })?;
//! let entries = packet_log::entries(&log)?.collect::<Result<Vec<_>, _>>()?;
//! assert_eq!(entries[1], Entry::Tick { seconds: 0.25 });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::vmc::MAX_PACKET_BYTES;
use std::io::{self, Write};

/// The first line of a log.
pub const HEADER: &[u8] = b"bonebox packets 1\n";

/// The latest time of an entry, in seconds (about thirty years).
const MAX_SECONDS: f64 = 1e9;

/// One entry of a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry<'a> {
    /// A packet as it arrived.
    Packet {
        /// The packet's arrival time, in seconds since the log began.
        seconds: f64,
        /// The performer that sent the packet, counted from 0.
        source: u8,
        /// The packet's bytes, at most [`MAX_PACKET_BYTES`].
        bytes: &'a [u8],
    },
    /// A tick: the program posed the characters and looked for touches.
    Tick {
        /// The tick's time, in seconds since the log began.
        seconds: f64,
    },
}

/// The reason why bytes are not a packet log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PacketLogError {
    /// The bytes do not begin with [`HEADER`].
    #[error("this is not a packet log; choose a file that `bonebox live --record` wrote")]
    NoLog,
    /// An entry has an unknown kind, is incomplete or too long, or has a time that is out of range or earlier than the
    /// time of the entry before it.
    #[error("the packet log is damaged at byte {offset}; record it again, or cut the file there")]
    Damaged {
        /// The offset in bytes where the entry begins.
        offset: usize,
    },
}

/// Writes one entry at the end of a log. Write [`HEADER`] before the first entry.
///
/// # Errors
/// Returns the errors of writing to `log`. An entry that [`entries`] would refuse gives
/// [`io::ErrorKind::InvalidInput`], and nothing is written. The function does not check that times never decrease.
pub fn append(log: &mut impl Write, entry: Entry<'_>) -> io::Result<()> {
    let refuse = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    let (Entry::Packet { seconds, .. } | Entry::Tick { seconds }) = entry;
    if !(0.0..=MAX_SECONDS).contains(&seconds) {
        return refuse("the time of a packet or a tick must be from 0 to 1e9 seconds");
    }
    match entry {
        Entry::Packet { bytes, .. } if bytes.len() > MAX_PACKET_BYTES => {
            refuse("the packet is longer than a UDP packet can be")
        }
        Entry::Packet { seconds, source, bytes } => {
            log.write_all(b"P")?;
            log.write_all(&seconds.to_be_bytes())?;
            log.write_all(&[source])?;
            log.write_all(&(bytes.len() as u32).to_be_bytes())?;
            log.write_all(bytes)
        }
        Entry::Tick { seconds } => {
            log.write_all(b"T")?;
            log.write_all(&seconds.to_be_bytes())
        }
    }
}

/// Reads the entries of a log, in order. After an error the iterator ends.
///
/// # Errors
/// Returns [`PacketLogError::NoLog`] if the bytes do not begin with [`HEADER`].
pub fn entries(log: &[u8]) -> Result<Entries<'_>, PacketLogError> {
    let rest = log.strip_prefix(HEADER).ok_or(PacketLogError::NoLog)?;
    Ok(Entries { rest, length: log.len(), last: 0.0 })
}

/// The iterator that [`entries`] returns.
#[derive(Clone, Debug)]
pub struct Entries<'a> {
    rest: &'a [u8],
    /// The length of the whole log, in bytes.
    length: usize,
    /// The time of the last entry, in seconds.
    last: f64,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Result<Entry<'a>, PacketLogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let offset = self.length - self.rest.len();
        let found = first_entry(self.rest).filter(|(entry, _)| {
            let (Entry::Packet { seconds, .. } | Entry::Tick { seconds }) = entry;
            (self.last..=MAX_SECONDS).contains(seconds)
        });
        Some(match found {
            Some((entry, rest)) => {
                let (Entry::Packet { seconds, .. } | Entry::Tick { seconds }) = entry;
                (self.last, self.rest) = (seconds, rest);
                Ok(entry)
            }
            None => {
                self.rest = &[];
                Err(PacketLogError::Damaged { offset })
            }
        })
    }
}

/// Splits off the first entry. `None` if it is damaged.
fn first_entry(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (&kind, rest) = bytes.split_first()?;
    let (seconds, rest) = rest.split_first_chunk::<8>()?;
    let seconds = f64::from_be_bytes(*seconds);
    match kind {
        b'T' => Some((Entry::Tick { seconds }, rest)),
        b'P' => {
            let (&source, rest) = rest.split_first()?;
            let (length, rest) = rest.split_first_chunk::<4>()?;
            let length = u32::from_be_bytes(*length) as usize;
            let (bytes, rest) = rest.split_at_checked(length).filter(|_| length <= MAX_PACKET_BYTES)?;
            Some((Entry::Packet { seconds, source, bytes }, rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(log: &[u8]) -> Result<Vec<Entry<'_>>, PacketLogError> {
        entries(log)?.collect()
    }

    #[test]
    fn written_entries_are_read_back_and_damage_is_an_error() {
        let written = [
            Entry::Packet { seconds: 0.25, source: 0, bytes: b"one" },
            Entry::Tick { seconds: 0.25 },
            Entry::Packet { seconds: 0.5, source: 1, bytes: b"" },
            Entry::Tick { seconds: 1.0 },
        ];
        let mut log = HEADER.to_vec();
        written.iter().for_each(|&entry| append(&mut log, entry).unwrap());
        assert_eq!(read(&log).unwrap(), written);
        for length in 0..log.len() {
            if let Ok(entries) = read(&log[..length]) {
                assert!(entries.len() < written.len(), "{length}");
            }
        }
        let damaged = [&log[..], b"X"].concat();
        assert_eq!(read(&damaged), Err(PacketLogError::Damaged { offset: log.len() }));
        let mut rest = entries(&damaged).unwrap().skip(written.len());
        assert!(rest.next().unwrap().is_err() && rest.next().is_none(), "the iterator ends after an error");
        let mut backwards = log.clone();
        append(&mut backwards, Entry::Tick { seconds: 0.5 }).unwrap();
        assert_eq!(read(&backwards), Err(PacketLogError::Damaged { offset: log.len() }));
        assert_eq!(read(b"glTF"), Err(PacketLogError::NoLog));
    }

    #[test]
    fn entries_that_a_reader_would_refuse_are_not_written() {
        let mut log = HEADER.to_vec();
        for seconds in [f64::NAN, -1.0, 2e9] {
            assert!(append(&mut log, Entry::Tick { seconds }).is_err(), "{seconds}");
        }
        let bytes = &vec![0; MAX_PACKET_BYTES + 1];
        assert!(append(&mut log, Entry::Packet { seconds: 0.0, source: 0, bytes }).is_err());
        assert_eq!(log, HEADER);
    }
}
