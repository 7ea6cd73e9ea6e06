//! The filters that run after decompression: unit vectors, rotations, scaled integers and colors, which are stored in
//! fewer bits than they use later.

use crate::document::view_compression::Filter;

/// Applies `filter` in place to elements of `stride` bytes.
pub(super) fn apply(filter: Filter, stride: usize, data: &mut [u8]) -> Result<(), String> {
    let fits = match filter {
        Filter::None => true,
        Filter::Octahedral | Filter::Color => stride == 4 || stride == 8,
        Filter::Quaternion => stride == 8,
        Filter::Exponential => stride.is_multiple_of(4),
    };
    if !fits {
        return Err(format!("elements of {stride} bytes do not fit the filter {filter:?}"));
    }
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Exponential, _) => data.as_chunks_mut().0.iter_mut().for_each(exponential),
        (Filter::Octahedral, 4) => each_of_four(data, i8::from_le_bytes, i8::to_le_bytes, |v| octahedral(v, 127.0)),
        (Filter::Octahedral, _) => each_of_four(data, i16::from_le_bytes, i16::to_le_bytes, |v| octahedral(v, 32767.0)),
        (Filter::Quaternion, _) => each_of_four(data, i16::from_le_bytes, i16::to_le_bytes, quaternion),
        (Filter::Color, 4) => each_of_four(data, u8::from_le_bytes, u8::to_le_bytes, |v| color(v, 8)),
        (Filter::Color, _) => each_of_four(data, u16::from_le_bytes, u16::to_le_bytes, |v| color(v, 16)),
    }
    Ok(())
}

/// Maps elements that consist of four numbers of `N` bytes each.
fn each_of_four<T: Into<i32> + TryFrom<i32> + Default, const N: usize>(
    data: &mut [u8],
    read: fn([u8; N]) -> T,
    write: fn(T) -> [u8; N],
    map: impl Fn([i32; 4]) -> [i32; 4],
) {
    for numbers in data.as_chunks_mut::<N>().0.as_chunks_mut::<4>().0 {
        let mapped = map(numbers.map(|number| read(number).into()));
        *numbers = mapped.map(|number| write(T::try_from(number).unwrap_or_default()));
    }
}

fn rounded(x: f32) -> i32 {
    (x + if x >= 0.0 { 0.5 } else { -0.5 }) as i32
}

/// A unit vector folded onto an octahedron. `z` holds the stored integer that stands for 1, and the fourth number stays
/// unchanged.
fn octahedral([x, y, one, w]: [i32; 4], largest: f32) -> [i32; 4] {
    let (x, y) = (x as f32, y as f32);
    let z = one as f32 - x.abs() - y.abs();
    let fold = z.min(0.0);
    let x = x + if x >= 0.0 { fold } else { -fold };
    let y = y + if y >= 0.0 { fold } else { -fold };
    let scale = largest / (x * x + y * y + z * z).sqrt();
    [rounded(x * scale), rounded(y * scale), rounded(z * scale), w]
}

/// A rotation without its largest component. The fourth number holds the index of that component and the stored integer
/// that stands for 1.
fn quaternion([x, y, z, packed]: [i32; 4]) -> [i32; 4] {
    let one = (packed | 3) as f32;
    let scale = std::f32::consts::FRAC_1_SQRT_2 / one;
    let [x, y, z] = [x, y, z].map(|number| number as f32 * scale);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let largest = (packed & 3) as usize;
    let mut numbers = [0; 4];
    for (offset, number) in [w, x, y, z].into_iter().enumerate() {
        numbers[(largest + offset) & 3] = rounded(number * 32767.0);
    }
    numbers
}

/// A float as a signed mantissa of 24 bits and a signed exponent of 8 bits.
fn exponential(bytes: &mut [u8; 4]) {
    let stored = i32::from_le_bytes(*bytes);
    let (mantissa, exponent) = (stored << 8 >> 8, stored >> 24);
    *bytes = libm::ldexpf(mantissa as f32, exponent).to_le_bytes();
}

/// Brightness, orange and green differences, and alpha, whose highest bit gives the stored integer that stands for 1.
fn color([y, orange, green, alpha]: [i32; 4], bits: u32) -> [i32; 4] {
    let signed = |number: i32| number << (32 - bits) >> (32 - bits);
    let (orange, green) = (signed(orange), signed(green));
    let one = (1 << (32 - alpha.leading_zeros())) - 1;
    let alpha = alpha << 1 & one | alpha & 1;
    let scale = ((1 << bits) - 1) as f32 / one as f32;
    [y + orange - green, y + green, y - orange - green, alpha].map(|number| (number as f32 * scale + 0.5) as i32)
}
