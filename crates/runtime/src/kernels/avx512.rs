//! Sixteen boxes at a time, x86-64 with AVX-512.

use core::arch::x86_64::*;

type V = __m512;
type M = __mmask16;
const WIDTH: usize = 16;

super::body::kernel!("avx512f");

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
fn all() -> M {
    u16::MAX
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "avx512f")]
fn le(so_far: M, a: V, b: V) -> M {
    _mm512_mask_cmp_ps_mask::<_CMP_LE_OQ>(so_far, a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn bits(mask: M) -> u16 {
    mask
}
