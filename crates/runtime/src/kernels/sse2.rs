//! Four boxes at a time, any x86-64.

use super::*;
use core::arch::x86_64::*;

type V = __m128;
type M = __m128;
const WIDTH: usize = 4;

table!(entries!(Sse2, target_feature(enable = "sse2")));
// `few` is 0, because no narrower kernel takes less time for few candidates.
ops!(Sse2, "sse2", 4, V, M, few: 0, also: {});

#[inline]
#[target_feature(enable = "sse2")]
fn take_few(_: &mut Batch<'_>) {}

#[inline]
#[target_feature(enable = "sse2")]
fn splat(value: f32) -> V {
    _mm_set1_ps(value)
}

#[inline]
#[target_feature(enable = "sse2")]
fn load(row: &[f32; LANES], at: usize) -> V {
    let four = &row[at..at + WIDTH];
    // SAFETY: `four` is a slice of exactly four numbers, and this load asks for no alignment.
    unsafe { _mm_loadu_ps(four.as_ptr()) }
}

#[inline]
#[target_feature(enable = "sse2")]
fn add(a: V, b: V) -> V {
    _mm_add_ps(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn sub(a: V, b: V) -> V {
    _mm_sub_ps(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn mul(a: V, b: V) -> V {
    _mm_mul_ps(a, b)
}

/// `c + a * b`: the product is rounded, then the sum.
#[inline]
#[target_feature(enable = "sse2")]
fn about_add_mul(c: V, a: V, b: V) -> V {
    _mm_add_ps(_mm_mul_ps(a, b), c)
}

/// `c - a * b`: the product is rounded, then the difference.
#[inline]
#[target_feature(enable = "sse2")]
fn about_sub_mul(c: V, a: V, b: V) -> V {
    _mm_sub_ps(c, _mm_mul_ps(a, b))
}

#[inline]
#[target_feature(enable = "sse2")]
fn abs(a: V) -> V {
    _mm_andnot_ps(_mm_set1_ps(-0.0), a)
}

#[inline]
#[target_feature(enable = "sse2")]
fn max(a: V, b: V) -> V {
    _mm_max_ps(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn min(a: V, b: V) -> V {
    _mm_min_ps(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn all() -> M {
    _mm_castsi128_ps(_mm_set1_epi32(-1))
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "sse2")]
fn le(so_far: M, a: V, b: V) -> M {
    _mm_and_ps(so_far, _mm_cmple_ps(a, b))
}

/// `so_far` and `a >= b`, false on NaN.
#[inline]
#[target_feature(enable = "sse2")]
fn ge(so_far: M, a: V, b: V) -> M {
    _mm_and_ps(so_far, _mm_cmpge_ps(a, b))
}

/// `a` where the comparison was true, `b` elsewhere.
#[inline]
#[target_feature(enable = "sse2")]
fn select(mask: M, a: V, b: V) -> V {
    _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b))
}

#[inline]
#[target_feature(enable = "sse2")]
fn bits(mask: M) -> u16 {
    _mm_movemask_ps(mask) as u16
}

#[inline]
#[target_feature(enable = "sse2")]
fn div(a: V, b: V) -> V {
    _mm_div_ps(a, b)
}

#[inline]
#[target_feature(enable = "sse2")]
fn sqrt(a: V) -> V {
    _mm_sqrt_ps(a)
}

/// Copies each number of four lanes to all four.
#[inline]
#[target_feature(enable = "sse2")]
fn spread4(fours: V) -> [V; 4] {
    [
        _mm_shuffle_ps::<0b00_00_00_00>(fours, fours),
        _mm_shuffle_ps::<0b01_01_01_01>(fours, fours),
        _mm_shuffle_ps::<0b10_10_10_10>(fours, fours),
        _mm_shuffle_ps::<0b11_11_11_11>(fours, fours),
    ]
}

/// Copies each number of two of four lanes each.
#[inline]
#[target_feature(enable = "sse2")]
fn spread_pairs(a: V, b: V) -> [V; 4] {
    [
        _mm_shuffle_ps::<0b00_00_00_00>(a, b),
        _mm_shuffle_ps::<0b01_01_01_01>(a, b),
        _mm_shuffle_ps::<0b10_10_10_10>(a, b),
        _mm_shuffle_ps::<0b11_11_11_11>(a, b),
    ]
}

/// Transposes a matrix of four vectors.
#[inline]
#[target_feature(enable = "sse2")]
fn transpose4([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
    [
        _mm_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "sse2")]
fn store(value: V, row: &mut [f32; LANES], at: usize) {
    let four = &mut row[at..at + WIDTH];
    // SAFETY: `four` is a slice of exactly four numbers, and this store asks for no alignment.
    unsafe { _mm_storeu_ps(four.as_mut_ptr(), value) }
}

/// Column `index` of a matrix in each four lanes.
#[inline]
#[target_feature(enable = "sse2")]
fn spread_column(matrix: &Affine3A, index: usize) -> V {
    super::column(matrix, index).into()
}

/// Numbers of a matrix by columns of four.
#[inline]
#[target_feature(enable = "sse2")]
fn load_matrix(matrix: &Affine3A, at: usize) -> V {
    super::column(matrix, at / WIDTH).into()
}

/// The inverse of [`load_matrix`].
#[inline]
#[target_feature(enable = "sse2")]
fn store_matrix(value: V, matrix: &mut Affine3A, at: usize) {
    assert!(at + WIDTH <= LANES, "a matrix has sixteen numbers");
    // SAFETY: a matrix by columns of four is sixteen numbers, of which four start at `at`; the store asks for no alignment.
    unsafe { _mm_storeu_ps(std::ptr::from_mut(matrix).cast::<f32>().add(at), value) }
}

/// Columns of matrices to matrices, or back.
#[inline]
#[target_feature(enable = "sse2")]
fn transpose_fours(columns: [V; 4]) -> [V; 4] {
    columns
}

/// The first vector of four numbers.
#[inline]
#[target_feature(enable = "sse2")]
fn load_fours([a, _, _, _]: [Vec4; 4]) -> V {
    a.into()
}

/// The numbers, then zeros.
#[inline]
#[target_feature(enable = "sse2")]
fn split_fours(value: V) -> [Vec4; 4] {
    [value.into(), Vec4::ZERO, Vec4::ZERO, Vec4::ZERO]
}

/// The lanes whose bits are set, moved to the front.
#[inline]
#[target_feature(enable = "sse2")]
fn compress(value: V, lanes: u16) -> V {
    let (numbers, places) = (Vec4::from(value).to_array(), &super::batch::BIT_PLACES[usize::from(lanes & 0xF)].places);
    let number = |k: usize| numbers[(places[k] & 3) as usize];
    Vec4::new(number(0), number(1), number(2), number(3)).into()
}

/// Writes numbers of records that lie one after another.
#[inline]
#[target_feature(enable = "sse2")]
fn store_in_records(value: V, records: &mut [Record; WIDTH], at: usize) {
    assert!(at + WIDTH <= 12 * WIDTH, "a record has twelve numbers");
    // SAFETY: the records are twelve times `WIDTH` numbers, of which `WIDTH` start at `at`; the store asks for no alignment.
    unsafe { _mm_storeu_ps(records.as_mut_ptr().cast::<f32>().add(at), value) }
}
