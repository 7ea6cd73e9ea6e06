//! Tests with streams that the meshoptimizer library 0.25 wrote from data made here, and with a slow encoder as a
//! reference.

use super::*;
use proptest::prelude::*;

fn compression(mode: Mode, count: usize, stride: usize) -> Compression {
    let (count, stride) = (count as u64, stride as u64);
    Compression { buffer: 0, offset: 0, length: 0, stride, count, mode, filter: Filter::None }
}

fn hex(text: &str) -> Vec<u8> {
    text.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

const TRIANGLES: [u32; 24] = [0, 1, 2, 2, 1, 3, 4, 6, 5, 7, 8, 9, 2, 1, 7, 40, 41, 42, 3, 9, 40, 0, 0, 5];
const TRIANGLES_CODED: &str = "e1f010feff92fffffff00cff020202ff3e0202434de805007687566778a9866589689801690000";
const SEQUENCE_CODED: &str = "d10004040002080408020804041a0218a10105050e180722001400000000";
const VERTICES_CODED: [&str; 2] = [
    "a007006500656666cbcdcbcbcd6565656765ff0000006565656707006700656668cdcbcdcbcb6765656565ff00000067656565070067ff\
     9a66683234323434181a1a1a1aff000000181a1a1a01382000007a070006121e2a36424e5a66727e8a96a2aeff000000bac6d2de050000\
     080882000000060223223223223223ae000000030000000000000000000000000000000000000000000000000000000000000000c8",
    "a13f9b006500656666cbcdcbcbcd656565676565656567006600666666cccccccccc6666666666666666660098009a6668323432343418\
     1a1a1a1a181a1a1a0106007b010006121e2a36424e5a66727e8a96a2aebac6d2de060223223223223223ae000000030000000000000000\
     00000000000000000000000000c80101",
];

/// Twenty elements: a float, a square in 16 bits, a cycle of three values, a constant.
fn vertices() -> Vec<u8> {
    let element = |i: u32| {
        let (x, square) = ((i as f32 * 0.1).to_le_bytes(), ((3 * i * i) as u16).to_le_bytes());
        [x[0], x[1], x[2], x[3], square[0], square[1], (i % 3) as u8, 200]
    };
    (0..20).flat_map(element).collect()
}

fn indices(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|&index| u32::from_le_bytes(index)).collect()
}

#[test]
fn triangles_of_the_library_decode() {
    let bytes = decompress(&hex(TRIANGLES_CODED), &compression(Mode::Triangles, 24, 4)).unwrap();
    assert_eq!(indices(&bytes), TRIANGLES);
    let bytes = decompress(&hex(TRIANGLES_CODED), &compression(Mode::Triangles, 24, 2)).unwrap();
    let halves: Vec<u32> = bytes.chunks(2).map(|pair| u32::from(u16::from_le_bytes([pair[0], pair[1]]))).collect();
    assert_eq!(halves, TRIANGLES);
}

#[test]
fn a_sequence_of_the_library_decodes() {
    let bytes = decompress(&hex(SEQUENCE_CODED), &compression(Mode::Indices, 24, 4)).unwrap();
    assert_eq!(indices(&bytes), TRIANGLES);
}

#[test]
fn attributes_of_the_library_decode_in_both_versions() {
    for coded in VERTICES_CODED {
        let bytes = decompress(&hex(coded), &compression(Mode::Attributes, 20, 8)).unwrap();
        assert_eq!(bytes, vertices());
    }
}

/// A stream does not say how long it is, so every other length must be an error.
#[test]
fn every_truncation_and_every_longer_stream_is_an_error() {
    let cases = [
        (TRIANGLES_CODED.to_owned(), compression(Mode::Triangles, 24, 4)),
        (SEQUENCE_CODED.to_owned(), compression(Mode::Indices, 24, 4)),
        (VERTICES_CODED[0].to_owned(), compression(Mode::Attributes, 20, 8)),
        (VERTICES_CODED[1].to_owned(), compression(Mode::Attributes, 20, 8)),
    ];
    for (coded, compression) in cases {
        let mut bytes = hex(&coded);
        for length in 0..bytes.len() {
            decompress(&bytes[..length], &compression).unwrap_err();
        }
        bytes.push(0);
        decompress(&bytes, &compression).unwrap_err();
    }
}

#[test]
fn strides_and_filters_that_do_not_fit_are_errors() {
    for (mode, stride) in [
        (Mode::Attributes, 6),
        (Mode::Attributes, 0),
        (Mode::Attributes, 260),
        (Mode::Indices, 1),
        (Mode::Triangles, 8),
    ] {
        decompress(&[0xa0; 600], &compression(mode, 3, stride)).unwrap_err();
    }
    for (filter, stride) in [(Filter::Octahedral, 12), (Filter::Quaternion, 4), (Filter::Color, 16)] {
        filters::apply(filter, stride, &mut [0; 48]).unwrap_err();
    }
}

#[test]
fn filters_give_unit_vectors_rotations_and_powers_of_two() {
    let mut octahedral = [0, 0, 127, 1, 64, 64, 127, 1, 127, 0, 127, 1].map(|number: i8| number as u8);
    filters::apply(Filter::Octahedral, 4, &mut octahedral).unwrap();
    // Straight up; on an edge of the upper half, halfway between x and y except for rounding; along x.
    assert_eq!(octahedral.map(|byte| byte as i8), [0, 0, 127, 1, 90, 90, -1, 1, 127, 0, 0, 1]);

    // x, y and z are all 0, so the component that is left out is 1. First it is the component after them, then the
    // first component.
    let stored: Vec<u8> = [0i16, 0, 0, 0x7ff | 3, 0, 0, 0, 0x7fc].iter().flat_map(|n| n.to_le_bytes()).collect();
    let mut rotations: [u8; 16] = stored.try_into().unwrap();
    filters::apply(Filter::Quaternion, 8, &mut rotations).unwrap();
    let numbers: Vec<i16> = rotations.chunks(2).map(|n| i16::from_le_bytes([n[0], n[1]])).collect();
    assert_eq!(numbers, [0, 0, 0, 32767, 32767, 0, 0, 0]);

    for (mantissa, exponent, value) in [(3, 0, 3.0f32), (-3, -1, -1.5), (1, 10, 1024.0), (0, -100, 0.0)] {
        let mut bytes = ((exponent << 24) | (mantissa & 0xff_ffff_i32)).to_le_bytes();
        filters::apply(Filter::Exponential, 4, &mut bytes).unwrap();
        assert_eq!(f32::from_le_bytes(bytes), value);
    }

    let mut white = [0x7f, 0, 0, 0x80 | 0x7f];
    filters::apply(Filter::Color, 4, &mut white).unwrap();
    assert_eq!(white[3], 255);
}

/// A slow encoder for version 0. For each group it chooses the narrowest width that holds most values.
fn encode(data: &[u8], stride: usize, first: &[u8]) -> Vec<u8> {
    let zigzag = |difference: u8| (difference << 1) ^ if difference >= 128 { 0xff } else { 0 };
    let mut stream = vec![0xa0];
    let mut previous = first.to_vec();
    let block = (8192 / stride / 16 * 16).min(256);
    for elements in data.chunks(block * stride) {
        for (byte, &last) in previous.iter().enumerate() {
            let column = elements.iter().skip(byte).step_by(stride);
            let before = [last].into_iter().chain(column.clone().copied());
            let values: Vec<u8> = column.zip(before).map(|(&now, before)| zigzag(now.wrapping_sub(before))).collect();
            encode_column(&values, &mut stream);
        }
        previous.copy_from_slice(&elements[elements.len() - stride..]);
    }
    stream.resize(stream.len() + 32usize.saturating_sub(stride), 0);
    stream.extend(first);
    stream
}

fn encode_column(values: &[u8], stream: &mut Vec<u8>) {
    let (mut headers, mut groups) = (vec![0u8; values.len().div_ceil(16).div_ceil(4)], Vec::new());
    for (index, group) in values.chunks(16).enumerate() {
        let mut padded = [0; 16];
        padded[..group.len()].copy_from_slice(group);
        let codings = [0, 1, 2, 3].map(|header| (header, encode_group(&padded, [0, 2, 4, 8][usize::from(header)])));
        let possible = codings.into_iter().filter_map(|(header, bytes)| Some((header, bytes?)));
        let (header, bytes) = possible.min_by_key(|(_, bytes)| bytes.len()).unwrap();
        headers[index / 4] |= header << (index % 4 * 2);
        groups.extend(bytes);
    }
    stream.extend(headers);
    stream.extend(groups);
}

/// `None` if the width is 0 and some value is not 0.
fn encode_group(values: &[u8; 16], width: u32) -> Option<Vec<u8>> {
    match width {
        0 => return values.iter().all(|&value| value == 0).then(Vec::new),
        8 => return Some(values.to_vec()),
        _ => {}
    }
    let escape = (1u8 << width) - 1;
    let packed = values
        .chunks(8 / width as usize)
        .map(|chunk| chunk.iter().fold(0, |byte, &value| byte << width | value.min(escape)));
    Some(packed.chain(values.iter().copied().filter(|&value| value >= escape)).collect())
}

proptest! {
    #[test]
    fn attributes_come_back_from_a_slow_encoder(
        words in 1usize..=64,
        seed in proptest::collection::vec((0u8..4, any::<u8>()), 1..40),
        count in 1usize..600,
    ) {
        let stride = 4 * words;
        // The seed selects runs of constants, small steps or noise.
        let byte = |at: usize| {
            let (kind, value) = seed[at / 7 % seed.len()];
            match kind { 0 => 0, 1 => (at as u8).wrapping_mul(3), 2 => value, _ => (at as u32).wrapping_mul(2_654_435_761).to_le_bytes()[3] }
        };
        let data: Vec<u8> = (0..count * stride).map(byte).collect();
        let first: Vec<u8> = (0..stride).map(|at| byte(at * 5 + 1)).collect();
        let coded = encode(&data, stride, &first);
        prop_assert_eq!(decompress(&coded, &compression(Mode::Attributes, count, stride)).unwrap(), data);
    }

    #[test]
    fn noise_is_an_error_or_data_of_the_right_length(
        mode in 0u8..3,
        noise in proptest::collection::vec(any::<u8>(), 0..200),
        count in 0usize..40,
        words in 1usize..5,
    ) {
        let (mode, header) = match mode {
            0 => (Mode::Attributes, 0xa0 | noise.len() as u8 & 1),
            1 => (Mode::Triangles, 0xe1),
            _ => (Mode::Indices, 0xd1),
        };
        let bytes: Vec<u8> = [header].into_iter().chain(noise).collect();
        if let Ok(data) = decompress(&bytes, &compression(mode, 3 * count, 4 * words)) {
            prop_assert_eq!(data.len(), 12 * count * words);
        }
    }
}
