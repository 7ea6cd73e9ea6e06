//! Four boxes at a time, WebAssembly with `simd128`, without relaxed SIMD, whose answers differ between machines.
//!
//! `portable.rs` would be as right, because glam has these instructions too. But glam loads four numbers one by one,
//! and the compiler does not join the loads.

use super::*;
use core::arch::wasm32::*;

type V = v128;
type M = v128;
const WIDTH: usize = 4;

table!(entries!(Simd128, target_feature(enable = "simd128")));
// `few` is 0, because no narrower kernel takes less time for few candidates.
ops!(Simd128, "simd128", 4, V, M, few: 0, also: {});

#[inline]
#[target_feature(enable = "simd128")]
fn take_few(_: &mut Batch<'_>) {}

#[inline]
#[target_feature(enable = "simd128")]
fn splat(value: f32) -> V {
    f32x4_splat(value)
}

#[inline]
#[target_feature(enable = "simd128")]
fn load(row: &[f32; LANES], at: usize) -> V {
    let four = &row[at..at + WIDTH];
    // SAFETY: `four` is a slice of exactly four numbers, and this load asks for no alignment.
    unsafe { v128_load(four.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "simd128")]
fn add(a: V, b: V) -> V {
    f32x4_add(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn sub(a: V, b: V) -> V {
    f32x4_sub(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn mul(a: V, b: V) -> V {
    f32x4_mul(a, b)
}

/// `c + a * b`, both rounded.
#[inline]
#[target_feature(enable = "simd128")]
fn about_add_mul(c: V, a: V, b: V) -> V {
    f32x4_add(c, f32x4_mul(a, b))
}

/// `c - a * b`, both rounded.
#[inline]
#[target_feature(enable = "simd128")]
fn about_sub_mul(c: V, a: V, b: V) -> V {
    f32x4_sub(c, f32x4_mul(a, b))
}

#[inline]
#[target_feature(enable = "simd128")]
fn abs(a: V) -> V {
    f32x4_abs(a)
}

// `pmax` and `pmin` are one instruction on x86-64, where `max` and `min` of WebAssembly are several.
#[inline]
#[target_feature(enable = "simd128")]
fn max(a: V, b: V) -> V {
    f32x4_pmax(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn min(a: V, b: V) -> V {
    f32x4_pmin(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn all() -> M {
    u32x4_splat(u32::MAX)
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "simd128")]
fn le(so_far: M, a: V, b: V) -> M {
    v128_and(so_far, f32x4_le(a, b))
}

/// `so_far` and `a >= b`, false on NaN.
#[inline]
#[target_feature(enable = "simd128")]
fn ge(so_far: M, a: V, b: V) -> M {
    v128_and(so_far, f32x4_ge(a, b))
}

/// `a` where the comparison was true, `b` elsewhere.
#[inline]
#[target_feature(enable = "simd128")]
fn select(mask: M, a: V, b: V) -> V {
    v128_bitselect(a, b, mask)
}

#[inline]
#[target_feature(enable = "simd128")]
fn bits(mask: M) -> u16 {
    u16::from(i32x4_bitmask(mask))
}

#[inline]
#[target_feature(enable = "simd128")]
fn div(a: V, b: V) -> V {
    f32x4_div(a, b)
}

#[inline]
#[target_feature(enable = "simd128")]
fn sqrt(a: V) -> V {
    f32x4_sqrt(a)
}

/// Copies each number of four lanes to all four.
#[inline]
#[target_feature(enable = "simd128")]
fn spread4(fours: V) -> [V; 4] {
    [
        i32x4_shuffle::<0, 0, 0, 0>(fours, fours),
        i32x4_shuffle::<1, 1, 1, 1>(fours, fours),
        i32x4_shuffle::<2, 2, 2, 2>(fours, fours),
        i32x4_shuffle::<3, 3, 3, 3>(fours, fours),
    ]
}

/// Copies each number of two of four lanes each.
#[inline]
#[target_feature(enable = "simd128")]
fn spread_pairs(a: V, b: V) -> [V; 4] {
    [
        i32x4_shuffle::<0, 0, 4, 4>(a, b),
        i32x4_shuffle::<1, 1, 5, 5>(a, b),
        i32x4_shuffle::<2, 2, 6, 6>(a, b),
        i32x4_shuffle::<3, 3, 7, 7>(a, b),
    ]
}

/// Transposes a matrix of four vectors.
#[inline]
#[target_feature(enable = "simd128")]
fn transpose4([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, ab_high) = (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b));
    let (cd, cd_high) = (i32x4_shuffle::<0, 4, 1, 5>(c, d), i32x4_shuffle::<2, 6, 3, 7>(c, d));
    [
        i32x4_shuffle::<0, 1, 4, 5>(ab, cd),
        i32x4_shuffle::<2, 3, 6, 7>(ab, cd),
        i32x4_shuffle::<0, 1, 4, 5>(ab_high, cd_high),
        i32x4_shuffle::<2, 3, 6, 7>(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "simd128")]
fn store(value: V, row: &mut [f32; LANES], at: usize) {
    let four = &mut row[at..at + WIDTH];
    // SAFETY: `four` is a slice of exactly four numbers, and this store asks for no alignment.
    unsafe { v128_store(four.as_mut_ptr().cast(), value) }
}

/// Column `index` of a matrix in each four lanes.
#[inline]
#[target_feature(enable = "simd128")]
fn spread_column(matrix: &Affine3A, index: usize) -> V {
    super::column(matrix, index).into()
}

/// Numbers of a matrix by columns of four.
#[inline]
#[target_feature(enable = "simd128")]
fn load_matrix(matrix: &Affine3A, at: usize) -> V {
    super::column(matrix, at / WIDTH).into()
}

/// The inverse of [`load_matrix`].
#[inline]
#[target_feature(enable = "simd128")]
fn store_matrix(value: V, matrix: &mut Affine3A, at: usize) {
    assert!(at + WIDTH <= LANES, "a matrix has sixteen numbers");
    // SAFETY: a matrix by columns of four is sixteen numbers, of which four start at `at`; the store asks for no alignment.
    unsafe { v128_store(std::ptr::from_mut(matrix).cast::<f32>().add(at).cast(), value) }
}

/// Columns of matrices to matrices, or back.
#[inline]
#[target_feature(enable = "simd128")]
fn transpose_fours(columns: [V; 4]) -> [V; 4] {
    columns
}

/// The first vector of four numbers.
#[inline]
#[target_feature(enable = "simd128")]
fn load_fours([a, _, _, _]: [Vec4; 4]) -> V {
    a.into()
}

/// The numbers, then zeros.
#[inline]
#[target_feature(enable = "simd128")]
fn split_fours(value: V) -> [Vec4; 4] {
    [value.into(), Vec4::ZERO, Vec4::ZERO, Vec4::ZERO]
}

/// The lanes whose bits are set, moved to the front.
#[inline]
#[target_feature(enable = "simd128")]
fn compress(value: V, lanes: u16) -> V {
    let bytes = &PLACES_OF_BYTES[usize::from(lanes & 0xF)];
    // SAFETY: the array holds exactly sixteen bytes, and this load asks for no alignment.
    u8x16_swizzle(value, unsafe { v128_load(bytes.as_ptr().cast()) })
}

/// For each mask of four lanes, the places of the bytes of its lanes.
static PLACES_OF_BYTES: [[u8; 16]; 16] = {
    let mut all = [[0; 16]; 16];
    let mut index = 0;
    while index < 16 * 16 {
        let (mask, byte) = (index / 16, index % 16);
        all[mask][byte] = (4 * (batch::BIT_PLACES[mask].places[byte / 4] & 3) as usize + byte % 4) as u8;
        index += 1;
    }
    all
};

/// Writes numbers of records that lie one after another.
#[inline]
#[target_feature(enable = "simd128")]
fn store_in_records(value: V, records: &mut [Record; WIDTH], at: usize) {
    assert!(at + WIDTH <= 12 * WIDTH, "a record has twelve numbers");
    // SAFETY: the records are twelve times `WIDTH` numbers, of which `WIDTH` start at `at`; the store asks for no alignment.
    unsafe { v128_store(records.as_mut_ptr().cast::<f32>().add(at).cast(), value) }
}
