//! Sixteen boxes at a time, x86-64 with AVX-512F and POPCNT.

use core::arch::x86_64::*;

type V = __m512;
type M = __mmask16;
const WIDTH: usize = 16;

super::vectors::entries!(Avx512, "avx512f,popcnt");
// Up to half a vector of candidates takes less time with AVX2, which every processor with AVX-512 has.
super::vectors::ops!(Avx512, "avx512f,popcnt", 16, V, M, few: WIDTH / 2);

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

/// Column `index` of matrices `k`, `4 + k`, `8 + k` and `12 + k`.
#[inline]
#[target_feature(enable = "avx512f")]
fn load_columns(matrices: &[&Affine3A; WIDTH], k: usize, index: usize) -> V {
    let four = |matrix: usize| __m128::from(super::column(matrices[matrix], index));
    let half = _mm512_insertf32x4::<1>(_mm512_castps128_ps512(four(k)), four(4 + k));
    _mm512_insertf32x4::<3>(_mm512_insertf32x4::<2>(half, four(8 + k)), four(12 + k))
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
