//! Packets and ticks with their times, in a file: what `--record` writes and `--replay` plays.
//!
//! The file begins with [`HEADER`]. Then come entries: `T` and the time of a tick, or `P`, the time of a packet, its length and
//! its bytes. Times are seconds as `f64`, lengths `u32`, both with the most significant byte first.

use anyhow::Context as _;
use mocap::vmc::MAX_PACKET_BYTES;
use std::io::Write;

/// The first line of a packet log.
const HEADER: &[u8] = b"bonebox packets 1\n";

/// One entry of a packet log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Entry<'a> {
    /// A packet and when it came, in seconds.
    Packet(f64, &'a [u8]),
    /// The program looked for touches, at this time in seconds.
    Tick(f64),
}

/// Writes the first line.
pub(crate) fn start(out: &mut impl Write) -> std::io::Result<()> {
    out.write_all(HEADER)
}

/// Adds an entry.
pub(crate) fn write(out: &mut impl Write, entry: Entry<'_>) -> std::io::Result<()> {
    match entry {
        Entry::Packet(seconds, packet) => {
            out.write_all(b"P")?;
            out.write_all(&seconds.to_be_bytes())?;
            out.write_all(&(packet.len() as u32).to_be_bytes())?;
            out.write_all(packet)
        }
        Entry::Tick(seconds) => {
            out.write_all(b"T")?;
            out.write_all(&seconds.to_be_bytes())
        }
    }
}

/// Calls `each` with every entry of a log; times must not run backwards.
pub(crate) fn read<'a>(log: &'a [u8], mut each: impl FnMut(Entry<'a>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut rest = log.strip_prefix(HEADER).context("this is no packet log: expected a file that `--record` wrote")?;
    let mut last = 0.0;
    while !rest.is_empty() {
        let offset = log.len() - rest.len();
        let (entry, after) = entry(rest).with_context(|| format!("the packet log is damaged at byte {offset}"))?;
        let (Entry::Packet(seconds, _) | Entry::Tick(seconds)) = entry;
        anyhow::ensure!(
            seconds >= last && seconds < 1e9,
            "the packet log is damaged at byte {offset}: time {seconds} s"
        );
        (last, rest) = (seconds, after);
        each(entry)?;
    }
    Ok(())
}

/// The first entry and what follows it; `None` where it is damaged.
fn entry(bytes: &[u8]) -> Option<(Entry<'_>, &[u8])> {
    let (&kind, rest) = bytes.split_first()?;
    let (seconds, rest) = rest.split_first_chunk::<8>()?;
    let seconds = f64::from_be_bytes(*seconds);
    match kind {
        b'T' => Some((Entry::Tick(seconds), rest)),
        b'P' => {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            let length = u32::from_be_bytes(*length) as usize;
            let (packet, rest) = rest.split_at_checked(length).filter(|_| length <= MAX_PACKET_BYTES)?;
            Some((Entry::Packet(seconds, packet), rest))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(log: &[u8]) -> anyhow::Result<usize> {
        let mut count = 0;
        read(log, |_| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    #[test]
    fn what_is_written_is_read_and_damage_is_told() {
        let written = [Entry::Packet(0.25, b"one"), Entry::Tick(0.25), Entry::Packet(0.5, b""), Entry::Tick(1.0)];
        let mut log = Vec::new();
        start(&mut log).unwrap();
        written.iter().for_each(|&entry| write(&mut log, entry).unwrap());
        let mut again = Vec::new();
        read(&log, |entry| {
            again.push(entry);
            Ok(())
        })
        .unwrap();
        assert_eq!(again, written);
        for length in 0..log.len() {
            if let Ok(count) = entries(&log[..length]) {
                assert!(count < written.len(), "{length}");
            }
        }
        let error = entries(&[&log[..], b"X"].concat()).unwrap_err();
        assert_eq!(error.to_string(), format!("the packet log is damaged at byte {}", log.len()));
        let mut backwards = log.clone();
        write(&mut backwards, Entry::Tick(0.5)).unwrap();
        assert!(entries(&backwards).is_err());
        assert!(entries(b"glTF").is_err());
    }
}
