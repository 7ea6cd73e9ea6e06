//! Damaged files: an error, never a panic and never another character.

use crate::support;
use baked_format::{HEADER_BYTES, ReadError, ReadErrorKind, fuzz, header, read, write};
use test_models::Random;

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
    for character in [
        support::scout(),
        support::nobody(),
        support::boxer(),
        support::faller(),
        support::mime(),
        support::compact_painter(),
    ] {
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
        support::boxer(),
        support::faller(),
        support::crowd_member(4, 2),
        support::tailor(),
        support::compact_tailor(),
        support::painter(),
        support::compact_mime(),
    ]
    .map(|seed| write(&seed).unwrap());
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut accepted, mut refused) = (0, 0);
    // A long run: BONEBOX_MUTATIONS=10000000 cargo test --release -p bonebox-baked-format --test all mutated
    let rounds = std::env::var("BONEBOX_MUTATIONS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(60_000);
    for round in 0..rounds {
        let mut payload = fuzz::payload_of(&seeds[round % seeds.len()]).to_vec();
        for _ in 0..1 + random.below(4) {
            mutate(&mut payload, &mut random);
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

/// What breaks readers: offsets and lengths that are huge, small, or those of something else; NaN; cuts.
fn mutate(payload: &mut Vec<u8>, random: &mut Random) {
    let length = payload.len();
    if length < 8 {
        return payload.extend_from_slice(&random.next_u64().to_le_bytes());
    }
    let word = 4 * random.below(length / 4);
    match random.below(8) {
        0 => payload[random.below(length)] ^= 1 << random.below(8),
        1 => payload[random.below(length)] = random.next_u64() as u8,
        2 => {
            let nan = f32::NAN.to_bits();
            let words = [0, 1, 2, 4, u32::MAX, i32::MAX as u32, length as u32, nan, (-1.0f32).to_bits(), 1 << 16];
            payload[word..word + 4].copy_from_slice(&random.pick(&words).to_le_bytes());
        }
        3 => {
            // An offset to anywhere: overlaps, cycles, other tables.
            let value = random.below(length) as i32 - random.below(2) as i32 * length as i32;
            payload[word..word + 4].copy_from_slice(&value.to_le_bytes());
        }
        4 => {
            let from = 4 * random.below(length / 4);
            payload.copy_within(from..from + 4, word);
        }
        5 => {
            let at = 2 * random.below(length / 2);
            payload[at..at + 2].copy_from_slice(&(random.below(64) as u16).to_le_bytes());
        }
        6 if random.below(8) == 0 => payload.truncate(random.below(length)),
        7 if random.below(8) == 0 => payload.extend_from_slice(&random.next_u64().to_le_bytes()),
        _ => {
            let byte = &mut payload[random.below(length)];
            *byte = byte.wrapping_add(1);
        }
    }
}
