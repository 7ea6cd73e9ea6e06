//! What a reader allocates is bounded by the number of bytes it is given, also where those bytes are made to hurt.
#![allow(clippy::unwrap_used, reason = "made-up data that is known to be right")]

#[path = "all/support/mod.rs"]
mod support;

use baked_format::{fuzz, read, write};

/// The most that was out at once during `read`, beyond what was out before.
fn peak(file: &[u8]) -> usize {
    allocation_counter::of(|| drop(std::hint::black_box(read(file)))).1.peak
}

#[test]
fn memory_is_bounded_by_the_size_of_the_input() {
    let seeds = [
        support::scout(),
        support::crowd_member(50, 0),
        support::crowd_member(20, 40),
        support::tailor(),
        support::compact_tailor(),
        support::compact_painter(),
        support::compact_mime(),
        support::dancer(),
    ];
    for seed in &seeds {
        let bytes = write(seed).unwrap();
        let most = peak(&bytes);
        assert!(most > 0 && most < 8 * bytes.len() + 4096, "{most} bytes for an honest {}", bytes.len());
    }
    // Every 32-bit word becomes, one at a time, a count or an offset that promises much.
    for seed in &seeds {
        let bytes = write(seed).unwrap();
        let mut payload = fuzz::payload_of(&bytes).to_vec();
        let step = 4 * (payload.len() / 8192 + 1);
        for at in (0..payload.len() - 3).step_by(step) {
            for word in [0x0000_ffff, 0x000f_ffff, 0x3fff_ffff, u32::MAX] {
                let kept: [u8; 4] = payload[at..at + 4].try_into().unwrap();
                payload[at..at + 4].copy_from_slice(&word.to_le_bytes());
                let file = fuzz::sealed(&payload);
                let most = peak(&file);
                assert!(most < 32 * file.len() + 4096, "{most} bytes for {} with {word:08x} at {at}", file.len());
                payload[at..at + 4].copy_from_slice(&kept);
            }
        }
    }
    // Offsets alone: nothing is cheaper to write than a long list of one table.
    for (what, file) in fuzz::bombs() {
        let most = peak(&file);
        assert!(most < 48 * file.len() + 4096, "{what}: {most} bytes for {}", file.len());
    }
}
