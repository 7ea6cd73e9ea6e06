//! Damaged files: an error, never a panic and never another character.

use crate::support;
use baked_format::{HEADER_BYTES, ReadError, ReadErrorKind, fuzz, header, read, write};

#[test]
fn every_truncation_is_an_error() {
    let bytes = write(&support::scout()).unwrap();
    for length in 0..bytes.len() {
        assert!(matches!(read(&bytes[..length]), Err(ReadError::Truncated { .. })), "{length} bytes");
    }
}

#[test]
fn more_bytes_are_an_error() {
    let mut bytes = write(&support::scout()).unwrap();
    let expected = bytes.len() as u64;
    bytes.push(0);
    assert_eq!(read(&bytes), Err(ReadError::TrailingBytes { expected, found: expected + 1 }));
}

#[test]
fn every_flipped_bit_is_an_error() {
    let bytes = write(&support::scout()).unwrap();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = read(&flipped).expect_err("a flipped bit went unnoticed");
        assert_eq!(error.kind(), ReadErrorKind::BadInput, "bit {bit}: {error}");
    }
}

/// Past the checksum: this is what validation is for.
#[test]
fn every_flipped_bit_behind_a_right_checksum_is_safe() {
    for character in [support::scout(), support::nobody(), support::tailor(), support::compact_painter()] {
        let bytes = write(&character).unwrap();
        let mut payload = fuzz::payload_of(&bytes).to_vec();
        for bit in 0..8 * payload.len() {
            payload[bit / 8] ^= 1 << (bit % 8);
            fuzz::payload(&payload);
            payload[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn mutated_payloads_behind_a_right_checksum_are_safe() {
    let seeds = [
        support::scout(),
        support::nobody(),
        support::crowd_member(4, 2),
        support::tailor(),
        support::compact_tailor(),
        support::painter(),
    ]
    .map(|seed| write(&seed).unwrap());
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0, 0);
    // A long run: BONEBOX_MUTATIONS=10000000 cargo test --release -p bonebox-baked-format --test all mutated
    let rounds = std::env::var("BONEBOX_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(60_000);
    for round in 0..rounds {
        let mut payload = fuzz::payload_of(&seeds[round % seeds.len()]).to_vec();
        for _ in 0..1 + random.below(4) {
            random.mutate(&mut payload);
        }
        let file = fuzz::sealed(&payload);
        fuzz::file(&file);
        match read(&file) {
            Ok(_) => accepted += 1,
            Err(_) => refused += 1,
        }
    }
    // Both ways out are taken often, or the mutations teach nothing.
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > rounds / 30 && refused > rounds / 3, "{accepted} accepted, {refused} refused");
}

#[test]
fn bytes_of_other_files_are_refused() {
    for bytes in [b"glTF\x02\0\0\0".as_slice(), b"{\n  \"format\": \"bonebox\"", &[0; 4096], &[0xff; 64]] {
        assert!(matches!(read(bytes), Err(ReadError::NotBonebox { .. })));
    }
    assert_eq!(read(b""), Err(ReadError::Truncated { expected: HEADER_BYTES as u64, found: 0 }));
}

#[test]
fn the_header_survives_a_damaged_payload() {
    let mut bytes = write(&support::scout()).unwrap();
    let whole = header(&bytes).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    assert_eq!(header(&bytes), Ok(whole));
    assert!(matches!(read(&bytes), Err(ReadError::Corrupted { part: "payload", .. })));
}

/// xorshift64*, Vigna 2016.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 32) as usize) % end.max(1)
    }

    /// What breaks readers: offsets and lengths that are huge, small, or those of something else; NaN; cuts.
    fn mutate(&mut self, payload: &mut Vec<u8>) {
        let length = payload.len();
        let word = 4 * self.below(length / 4);
        match self.below(8) {
            0 if length > 0 => payload[self.below(length)] ^= 1 << self.below(8),
            1 if length > 0 => payload[self.below(length)] = self.next() as u8,
            2 if length >= 4 => {
                let nan = f32::NAN.to_bits();
                let words = [0, 1, 2, 4, u32::MAX, i32::MAX as u32, length as u32, nan, (-1.0f32).to_bits(), 1 << 16];
                let value = words[self.below(words.len())];
                payload[word..word + 4].copy_from_slice(&value.to_le_bytes());
            }
            3 if length >= 8 => {
                // An offset to anywhere: overlaps, cycles, other tables.
                let value = self.below(length) as i32 - self.below(2) as i32 * length as i32;
                payload[word..word + 4].copy_from_slice(&value.to_le_bytes());
            }
            4 if length >= 8 => {
                let from = 4 * self.below(length / 4);
                payload.copy_within(from..from + 4, word);
            }
            5 => {
                let at = 2 * self.below(length / 2);
                if let Some(half) = payload.get_mut(at..at + 2) {
                    half.copy_from_slice(&(self.below(64) as u16).to_le_bytes());
                }
            }
            6 if self.below(8) == 0 => payload.truncate(self.below(length)),
            7 if self.below(8) == 0 => payload.extend_from_slice(&self.next().to_le_bytes()),
            _ => {
                let at = self.below(length);
                if let Some(byte) = payload.get_mut(at) {
                    *byte = byte.wrapping_add(1);
                }
            }
        }
    }
}
