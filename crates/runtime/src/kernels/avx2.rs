//! Eight boxes at a time, x86-64 with AVX2, FMA and POPCNT.

use super::*;
use core::arch::x86_64::*;

type V = __m256;
type M = __m256;
const WIDTH: usize = 8;

table!(entries!(Avx2, target_feature(enable = "avx2,fma,popcnt")));
// One or two candidates take the least time one by one. More candidates take the least time with AVX2; for no number of candidates is SSE2 the fastest.
ops!(Avx2, "avx2,fma,popcnt", 8, V, M, few: 2, also: {
    fn choose(numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]);
});

#[inline]
#[target_feature(enable = "avx2")]
fn take_few(batch: &mut Batch<'_>) {
    box_test::take_one_by_one(batch);
}

/// [`box_test::take`] for the last candidates of the AVX-512 kernel.
#[target_feature(enable = "avx2,fma,popcnt")]
pub(super) fn take(batch: &mut Batch<'_>) {
    align_frame();
    box_test::take(Avx2::new(), batch);
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(value: f32) -> V {
    _mm256_set1_ps(value)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(row: &[f32; LANES], at: usize) -> V {
    let eight = &row[at..at + WIDTH];
    // SAFETY: `eight` is a slice of exactly eight numbers, and this load asks for no alignment.
    unsafe { _mm256_loadu_ps(eight.as_ptr()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: V, b: V) -> V {
    _mm256_add_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub(a: V, b: V) -> V {
    _mm256_sub_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mul(a: V, b: V) -> V {
    _mm256_mul_ps(a, b)
}

/// `c + a * b`, fused: only the sum is rounded.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn about_add_mul(c: V, a: V, b: V) -> V {
    _mm256_fmadd_ps(a, b, c)
}

/// `c - a * b`, fused: only the difference is rounded.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn about_sub_mul(c: V, a: V, b: V) -> V {
    _mm256_fnmadd_ps(a, b, c)
}

#[inline]
#[target_feature(enable = "avx2")]
fn abs(a: V) -> V {
    _mm256_andnot_ps(_mm256_set1_ps(-0.0), a)
}

#[inline]
#[target_feature(enable = "avx2")]
fn max(a: V, b: V) -> V {
    _mm256_max_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn min(a: V, b: V) -> V {
    _mm256_min_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn all() -> M {
    _mm256_castsi256_ps(_mm256_set1_epi32(-1))
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "avx2")]
fn le(so_far: M, a: V, b: V) -> M {
    _mm256_and_ps(so_far, _mm256_cmp_ps::<_CMP_LE_OQ>(a, b))
}

/// `so_far` and `a >= b`, false on NaN.
#[inline]
#[target_feature(enable = "avx2")]
fn ge(so_far: M, a: V, b: V) -> M {
    _mm256_and_ps(so_far, _mm256_cmp_ps::<_CMP_GE_OQ>(a, b))
}

/// `a` where the comparison was true, `b` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn select(mask: M, a: V, b: V) -> V {
    _mm256_blendv_ps(b, a, mask)
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits(mask: M) -> u16 {
    _mm256_movemask_ps(mask) as u16
}

#[inline]
#[target_feature(enable = "avx2")]
fn div(a: V, b: V) -> V {
    _mm256_div_ps(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn sqrt(a: V) -> V {
    _mm256_sqrt_ps(a)
}

/// Copies each number of four lanes to all four.
#[inline]
#[target_feature(enable = "avx2")]
fn spread4(fours: V) -> [V; 4] {
    [
        _mm256_permute_ps::<0b00_00_00_00>(fours),
        _mm256_permute_ps::<0b01_01_01_01>(fours),
        _mm256_permute_ps::<0b10_10_10_10>(fours),
        _mm256_permute_ps::<0b11_11_11_11>(fours),
    ]
}

/// Copies each number of two of four lanes each.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_pairs(a: V, b: V) -> [V; 4] {
    [
        _mm256_shuffle_ps::<0b00_00_00_00>(a, b),
        _mm256_shuffle_ps::<0b01_01_01_01>(a, b),
        _mm256_shuffle_ps::<0b10_10_10_10>(a, b),
        _mm256_shuffle_ps::<0b11_11_11_11>(a, b),
    ]
}

/// Transposes rows to columns within each 128 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose4([a, b, c, d]: [V; 4]) -> [V; 4] {
    let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
        _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(value: V, row: &mut [f32; LANES], at: usize) {
    let eight = &mut row[at..at + WIDTH];
    // SAFETY: `eight` is a slice of exactly eight numbers, and this store asks for no alignment.
    unsafe { _mm256_storeu_ps(eight.as_mut_ptr(), value) }
}

/// Column `index` of a matrix in each four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn spread_column(matrix: &Affine3A, index: usize) -> V {
    let column = super::column(matrix, index).into();
    _mm256_set_m128(column, column)
}

/// Numbers of a matrix by columns of four.
#[inline]
#[target_feature(enable = "avx2")]
fn load_matrix(matrix: &Affine3A, at: usize) -> V {
    assert!(at + WIDTH <= LANES, "a matrix has sixteen numbers");
    // SAFETY: a matrix by columns of four is sixteen numbers, of which eight start at `at`; the load asks for no alignment.
    unsafe { _mm256_loadu_ps(std::ptr::from_ref(matrix).cast::<f32>().add(at)) }
}

/// The inverse of [`load_matrix`].
#[inline]
#[target_feature(enable = "avx2")]
fn store_matrix(value: V, matrix: &mut Affine3A, at: usize) {
    assert!(at + WIDTH <= LANES, "a matrix has sixteen numbers");
    // SAFETY: a matrix by columns of four is sixteen numbers, of which eight start at `at`; the store asks for no alignment.
    unsafe { _mm256_storeu_ps(std::ptr::from_mut(matrix).cast::<f32>().add(at), value) }
}

/// Columns of matrices to matrices, or back.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_fours([a, b, c, d]: [V; 4]) -> [V; 4] {
    [
        _mm256_permute2f128_ps::<0x20>(a, b),
        _mm256_permute2f128_ps::<0x31>(a, b),
        _mm256_permute2f128_ps::<0x20>(c, d),
        _mm256_permute2f128_ps::<0x31>(c, d),
    ]
}

/// The first two vectors of four numbers, side by side.
#[inline]
#[target_feature(enable = "avx2")]
fn load_fours([a, b, _, _]: [Vec4; 4]) -> V {
    _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(a.into()), b.into())
}

/// The numbers four by four, then zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn split_fours(value: V) -> [Vec4; 4] {
    [_mm256_castps256_ps128(value).into(), _mm256_extractf128_ps::<1>(value).into(), Vec4::ZERO, Vec4::ZERO]
}

/// The lanes whose bits are set, moved to the front.
#[inline]
#[target_feature(enable = "avx2")]
fn compress(value: V, lanes: u16) -> V {
    _mm256_permutevar8x32_ps(value, bit_places(lanes))
}

/// The places of the bits that are set among the lowest eight, the lowest first.
#[inline]
#[target_feature(enable = "avx2")]
fn bit_places(lanes: u16) -> __m256i {
    let places = &super::batch::BIT_PLACES[usize::from(lanes & 0xFF)].places;
    // SAFETY: `places` is an array of exactly eight numbers, and this load asks for no alignment.
    unsafe { _mm256_loadu_si256(places.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn choose(numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
    let eight = &numbers[at..at + WIDTH];
    // SAFETY: `eight` is a slice of exactly eight numbers, and this load asks for no alignment.
    let all = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
    let all =
        _mm256_add_epi32(_mm256_permutevar8x32_epi32(all, bit_places(lanes)), _mm256_set1_epi32(plus.cast_signed()));
    // SAFETY: `chosen` has room for eight numbers, and this store asks for no alignment.
    unsafe { _mm256_storeu_si256(chosen.as_mut_ptr().cast(), all) }
}

/// Writes numbers of records that lie one after another.
#[inline]
#[target_feature(enable = "avx2")]
fn store_in_records(value: V, records: &mut [Record; WIDTH], at: usize) {
    assert!(at + WIDTH <= 12 * WIDTH, "a record has twelve numbers");
    // SAFETY: the records are twelve times `WIDTH` numbers, of which `WIDTH` start at `at`; the store asks for no alignment.
    unsafe { _mm256_storeu_ps(records.as_mut_ptr().cast::<f32>().add(at), value) }
}
