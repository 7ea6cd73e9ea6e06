//! Four boxes at a time, any x86-64.

use core::arch::x86_64::*;

type V = __m128;
type M = __m128;
const WIDTH: usize = 4;

super::body::kernel!("sse2");

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
fn all() -> M {
    _mm_castsi128_ps(_mm_set1_epi32(-1))
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "sse2")]
fn le(so_far: M, a: V, b: V) -> M {
    _mm_and_ps(so_far, _mm_cmple_ps(a, b))
}

#[inline]
#[target_feature(enable = "sse2")]
fn bits(mask: M) -> u16 {
    _mm_movemask_ps(mask) as u16
}
