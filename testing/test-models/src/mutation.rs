//! Damages files, in the same way on every run.

use crate::Random;

/// Numbers that often cause errors in JSON.
const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "255",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "-1",
    "1e39",
    "0.5",
    "null",
];

/// Words that often cause errors in binary data.
const WORDS: [u32; 8] = [0, 1, 0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 0x7f80_0000, 0x7fc0_0000];

/// Returns the file with one to four changes: bytes, words or numbers in its JSON are replaced, and pieces are cut out,
/// repeated or swapped. The lengths in the header of a GLB and of its JSON chunk usually stay correct, so that the
/// importer reads past the container.
#[must_use]
pub fn mutated(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..1 + random.below(4) {
        mutate(&mut bytes, random);
    }
    if file.starts_with(b"glTF") && random.below(8) > 0 {
        mend_lengths(&mut bytes);
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(14) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.next_u64() as u8,
        2 => bytes.truncate(at),
        3 => {
            let end = bytes.len().min(at + 1 + random.below(16));
            bytes.drain(at..end);
        }
        4 => {
            let piece = bytes[at..bytes.len().min(at + 1 + random.below(64))].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        5 => {
            let word = random.pick(&WORDS).to_le_bytes();
            let end = bytes.len().min(at + 4);
            bytes[at..end].copy_from_slice(&word[..end - at]);
        }
        _ => replace_number(bytes, at, random),
    }
}

/// Replaces the first number at or after `at` that follows a colon, a comma or a bracket.
fn replace_number(bytes: &mut Vec<u8>, at: usize, random: &mut Random) {
    let starts = |i: usize| bytes[i].is_ascii_digit() && i > 0 && b":,[".contains(&bytes[i - 1]);
    let Some(start) = (at..bytes.len()).find(|&i| starts(i)) else { return };
    let length = bytes[start..].iter().take_while(|&&byte| byte.is_ascii_digit() || byte == b'.').count();
    let number = random.pick(&NUMBERS).bytes();
    bytes.splice(start..start + length, number);
}

/// Corrects the lengths in the container, if the binary chunk can still be found.
fn mend_lengths(bytes: &mut [u8]) {
    const JSON: usize = 20;
    let length = bytes.len();
    let Some(bin) = bytes.get(JSON..).and_then(|rest| rest.windows(4).position(|word| word == b"BIN\0")) else {
        return;
    };
    let lengths = [(8, length), (12, bin.saturating_sub(4)), (JSON + bin - 4, length - JSON - bin - 4)];
    for (at, length) in lengths {
        bytes[at..at + 4].copy_from_slice(&(length as u32).to_le_bytes());
    }
}
