//! Sixteen boxes at a time, x86-64 with AVX-512F and POPCNT.

use super::*;
use core::arch::x86_64::*;

type V = __m512;
type M = __mmask16;
const WIDTH: usize = 16;

table!(entries!(Avx512, target_feature(enable = "avx512f,popcnt")));
// Up to half a vector of candidates takes less time with AVX2, which every processor with AVX-512 has.
ops!(Avx512, "avx512f,popcnt", 16, V, M, few: WIDTH / 2, also: {
    fn choose(numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]);
    fn choose_few(numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]);
});

#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn take_few(batch: &mut Batch<'_>) {
    super::avx2::take(batch);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(value: f32) -> V {
    _mm512_set1_ps(value)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(row: &[f32; LANES], at: usize) -> V {
    let sixteen = &row[at..at + WIDTH];
    // SAFETY: `sixteen` is a slice of exactly sixteen numbers, and this load asks for no alignment.
    unsafe { _mm512_loadu_ps(sixteen.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: V, b: V) -> V {
    _mm512_add_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sub(a: V, b: V) -> V {
    _mm512_sub_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn mul(a: V, b: V) -> V {
    _mm512_mul_ps(a, b)
}

/// `c + a * b`, fused: only the sum is rounded.
#[inline]
#[target_feature(enable = "avx512f")]
fn about_add_mul(c: V, a: V, b: V) -> V {
    _mm512_fmadd_ps(a, b, c)
}

/// `c - a * b`, fused: only the difference is rounded.
#[inline]
#[target_feature(enable = "avx512f")]
fn about_sub_mul(c: V, a: V, b: V) -> V {
    _mm512_fnmadd_ps(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn abs(a: V) -> V {
    _mm512_abs_ps(a)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn max(a: V, b: V) -> V {
    _mm512_max_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn min(a: V, b: V) -> V {
    _mm512_min_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn all() -> M {
    u16::MAX
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "avx512f")]
fn le(so_far: M, a: V, b: V) -> M {
    _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(so_far, a, b)
}

/// `so_far` and `a >= b`, false on NaN.
#[inline]
#[target_feature(enable = "avx512f")]
fn ge(so_far: M, a: V, b: V) -> M {
    _mm512_mask_cmp_ps_mask::<_CMP_GE_OQ>(so_far, a, b)
}

/// `a` where the comparison was true, `b` elsewhere.
#[inline]
#[target_feature(enable = "avx512f")]
fn select(mask: M, a: V, b: V) -> V {
    _mm512_mask_blend_ps(mask, b, a)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn bits(mask: M) -> u16 {
    mask
}

#[inline]
#[target_feature(enable = "avx512f")]
fn div(a: V, b: V) -> V {
    _mm512_div_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sqrt(a: V) -> V {
    _mm512_sqrt_ps(a)
}

/// Copies each number of four lanes to all four.
#[inline]
#[target_feature(enable = "avx512f")]
fn spread4(fours: V) -> [V; 4] {
    [
        _mm512_permute_ps::<0b00_00_00_00>(fours),
        _mm512_permute_ps::<0b01_01_01_01>(fours),
        _mm512_permute_ps::<0b10_10_10_10>(fours),
        _mm512_permute_ps::<0b11_11_11_11>(fours),
    ]
}

/// Copies each number of two of four lanes each.
#[inline]
#[target_feature(enable = "avx512f")]
fn spread_pairs(a: V, b: V) -> [V; 4] {
    [
        _mm512_shuffle_ps::<0b00_00_00_00>(a, b),
        _mm512_shuffle_ps::<0b01_01_01_01>(a, b),
        _mm512_shuffle_ps::<0b10_10_10_10>(a, b),
        _mm512_shuffle_ps::<0b11_11_11_11>(a, b),
    ]
}

/// Transposes rows to columns within each 128 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose4([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
    [
        _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(value: V, row: &mut [f32; LANES], at: usize) {
    let sixteen = &mut row[at..at + WIDTH];
    // SAFETY: `sixteen` is a slice of exactly sixteen numbers, and this store asks for no alignment.
    unsafe { _mm512_storeu_ps(sixteen.as_mut_ptr(), value) }
}

/// Column `index` of a matrix in each four lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn spread_column(matrix: &Affine3A, index: usize) -> V {
    _mm512_broadcast_f32x4(super::column(matrix, index).into())
}

/// Numbers of a matrix by columns of four.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_matrix(matrix: &Affine3A, at: usize) -> V {
    assert!(at == 0, "a vector holds a whole matrix");
    // SAFETY: a matrix by columns of four is sixteen numbers, and this load asks for no alignment.
    unsafe { _mm512_loadu_ps(std::ptr::from_ref(matrix).cast()) }
}

/// The inverse of [`load_matrix`].
#[inline]
#[target_feature(enable = "avx512f")]
fn store_matrix(value: V, matrix: &mut Affine3A, at: usize) {
    assert!(at == 0, "a vector holds a whole matrix");
    // SAFETY: a matrix by columns of four is sixteen numbers, and this store asks for no alignment.
    unsafe { _mm512_storeu_ps(std::ptr::from_mut(matrix).cast(), value) }
}

/// Columns of matrices to matrices, or back.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_fours([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab_low, ab_high) = (_mm512_shuffle_f32x4::<0b01_00_01_00>(a, b), _mm512_shuffle_f32x4::<0b11_10_11_10>(a, b));
    let (cd_low, cd_high) = (_mm512_shuffle_f32x4::<0b01_00_01_00>(c, d), _mm512_shuffle_f32x4::<0b11_10_11_10>(c, d));
    [
        _mm512_shuffle_f32x4::<0b10_00_10_00>(ab_low, cd_low),
        _mm512_shuffle_f32x4::<0b11_01_11_01>(ab_low, cd_low),
        _mm512_shuffle_f32x4::<0b10_00_10_00>(ab_high, cd_high),
        _mm512_shuffle_f32x4::<0b11_01_11_01>(ab_high, cd_high),
    ]
}

/// Four vectors of four numbers, side by side.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_fours([a, b, c, d]: [Vec4; 4]) -> V {
    let half = _mm512_insertf32x4::<1>(_mm512_castps128_ps512(a.into()), b.into());
    _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(half, c.into()), d.into())
}

/// The numbers four by four.
#[inline]
#[target_feature(enable = "avx512f")]
fn split_fours(value: V) -> [Vec4; 4] {
    [
        _mm512_castps512_ps128(value).into(),
        _mm512_extractf32x4_ps::<1>(value).into(),
        _mm512_extractf32x4_ps::<2>(value).into(),
        _mm512_extractf32x4_ps::<3>(value).into(),
    ]
}

/// The lanes whose bits are set, moved to the front.
#[inline]
#[target_feature(enable = "avx512f")]
fn compress(value: V, lanes: u16) -> V {
    _mm512_maskz_compress_ps(lanes, value)
}

/// The sum of `plus` and each number whose bit is set.
#[inline]
#[target_feature(enable = "avx512f")]
fn choose(numbers: &[u32; LANES], _: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
    // SAFETY: `numbers` is an array of exactly sixteen numbers, and this load asks for no alignment.
    let all = unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) };
    let all = _mm512_add_epi32(all, _mm512_set1_epi32(plus.cast_signed()));
    // SAFETY: `chosen` is an array of exactly sixteen numbers, and this store asks for no alignment.
    unsafe { _mm512_storeu_si512(chosen.as_mut_ptr().cast(), _mm512_maskz_compress_epi32(lanes, all)) }
}

/// [`choose`] of few bits.
#[inline]
#[target_feature(enable = "avx512f,popcnt")]
fn choose_few(numbers: &[u32; LANES], _: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
    // SAFETY: `numbers` is an array of exactly sixteen numbers, and this load asks for no alignment.
    let all = unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) };
    let all = _mm512_add_epi32(all, _mm512_set1_epi32(plus.cast_signed()));
    let all = _mm512_maskz_compress_epi32(lanes, all);
    // SAFETY: `chosen` is an array of sixteen numbers, this store writes eight of them, and it asks for no alignment.
    unsafe { _mm256_storeu_si256(chosen.as_mut_ptr().cast(), _mm512_castsi512_si256(all)) }
    if lanes.count_ones() > 8 {
        // SAFETY: `chosen` is an array of exactly sixteen numbers, and this store asks for no alignment.
        unsafe { _mm512_storeu_si512(chosen.as_mut_ptr().cast(), all) }
    }
}

/// Writes numbers of records that lie one after another.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_in_records(value: V, records: &mut [Record; WIDTH], at: usize) {
    assert!(at + WIDTH <= 12 * WIDTH, "a record has twelve numbers");
    // SAFETY: the records are twelve times `WIDTH` numbers, of which `WIDTH` start at `at`; the store asks for no alignment.
    unsafe { _mm512_storeu_ps(records.as_mut_ptr().cast::<f32>().add(at), value) }
}
