//! Eight boxes at a time, x86-64 with AVX2.

use core::arch::x86_64::*;

type V = __m256;
type M = __m256;
const WIDTH: usize = 8;

super::body::kernel!("avx2");

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
fn all() -> M {
    _mm256_castsi256_ps(_mm256_set1_epi32(-1))
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "avx2")]
fn le(so_far: M, a: V, b: V) -> M {
    _mm256_and_ps(so_far, _mm256_cmp_ps::<_CMP_LE_OQ>(a, b))
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits(mask: M) -> u16 {
    _mm256_movemask_ps(mask) as u16
}
