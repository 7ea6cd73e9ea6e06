//! Four boxes at a time, aarch64.

use super::*;
use core::arch::aarch64::*;

type V = float32x4_t;
type M = uint32x4_t;
const WIDTH: usize = 4;

table!(entries!(Neon, target_feature(enable = "neon")));
// `few` is 0, because no narrower kernel takes less time for few candidates.
ops!(Neon, "neon", 4, V, M, few: 0, also: {});

#[inline]
#[target_feature(enable = "neon")]
fn take_few(_: &mut Batch<'_>) {}

#[inline]
#[target_feature(enable = "neon")]
fn splat(value: f32) -> V {
    vdupq_n_f32(value)
}

#[inline]
#[target_feature(enable = "neon")]
fn load(row: &[f32; LANES], at: usize) -> V {
    let four = &row[at..at + WIDTH];
    // SAFETY: `four` is a slice of exactly four numbers, and this load asks for no alignment.
    unsafe { vld1q_f32(four.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: V, b: V) -> V {
    vaddq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn sub(a: V, b: V) -> V {
    vsubq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn mul(a: V, b: V) -> V {
    vmulq_f32(a, b)
}

/// `c + a * b`, fused: only the sum is rounded.
#[inline]
#[target_feature(enable = "neon")]
fn about_add_mul(c: V, a: V, b: V) -> V {
    vfmaq_f32(c, a, b)
}

/// `c - a * b`, fused: only the difference is rounded.
#[inline]
#[target_feature(enable = "neon")]
fn about_sub_mul(c: V, a: V, b: V) -> V {
    vfmsq_f32(c, a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn abs(a: V) -> V {
    vabsq_f32(a)
}

#[inline]
#[target_feature(enable = "neon")]
fn max(a: V, b: V) -> V {
    vmaxq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn min(a: V, b: V) -> V {
    vminq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn all() -> M {
    vdupq_n_u32(u32::MAX)
}

/// `so_far` and `a <= b`, false on NaN.
#[inline]
#[target_feature(enable = "neon")]
fn le(so_far: M, a: V, b: V) -> M {
    vandq_u32(so_far, vcleq_f32(a, b))
}

/// `so_far` and `a >= b`, false on NaN.
#[inline]
#[target_feature(enable = "neon")]
fn ge(so_far: M, a: V, b: V) -> M {
    vandq_u32(so_far, vcgeq_f32(a, b))
}

/// `a` where the comparison was true, `b` elsewhere.
#[inline]
#[target_feature(enable = "neon")]
fn select(mask: M, a: V, b: V) -> V {
    vbslq_f32(mask, a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn bits(mask: M) -> u16 {
    // Each lane keeps its own bit, and the sum of all lanes is the mask.
    let lane_bits = vshlq_u32(vshrq_n_u32::<31>(mask), LANE_NUMBERS.with_neon());
    vaddvq_u32(lane_bits) as u16
}

/// The number of places by which each lane's bit is shifted left.
struct LaneNumbers([i32; 4]);
static LANE_NUMBERS: LaneNumbers = LaneNumbers([0, 1, 2, 3]);

impl LaneNumbers {
    #[inline]
    #[target_feature(enable = "neon")]
    fn with_neon(&self) -> int32x4_t {
        // SAFETY: the array holds exactly four numbers, and this load asks for no alignment.
        unsafe { vld1q_s32(self.0.as_ptr()) }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn div(a: V, b: V) -> V {
    vdivq_f32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn sqrt(a: V) -> V {
    vsqrtq_f32(a)
}

/// Copies each number of four lanes to all four.
#[inline]
#[target_feature(enable = "neon")]
fn spread4(fours: V) -> [V; 4] {
    [vdupq_laneq_f32::<0>(fours), vdupq_laneq_f32::<1>(fours), vdupq_laneq_f32::<2>(fours), vdupq_laneq_f32::<3>(fours)]
}

/// Copies each number of two of four lanes each.
#[inline]
#[target_feature(enable = "neon")]
fn spread_pairs(a: V, b: V) -> [V; 4] {
    let (low, high) = (vzip1q_f32(a, b), vzip2q_f32(a, b));
    [vzip1q_f32(low, low), vzip2q_f32(low, low), vzip1q_f32(high, high), vzip2q_f32(high, high)]
}

/// Transposes a matrix of four vectors.
#[inline]
#[target_feature(enable = "neon")]
fn transpose4([a, b, c, d]: [V; 4]) -> [V; 4] {
    // `zip` interleaves two vectors. Interleaving first `a` with `c` and `b` with `d`, and then the results, transposes.
    let (ac, ac_high) = (vzip1q_f32(a, c), vzip2q_f32(a, c));
    let (bd, bd_high) = (vzip1q_f32(b, d), vzip2q_f32(b, d));
    [vzip1q_f32(ac, bd), vzip2q_f32(ac, bd), vzip1q_f32(ac_high, bd_high), vzip2q_f32(ac_high, bd_high)]
}

#[inline]
#[target_feature(enable = "neon")]
fn store(value: V, row: &mut [f32; LANES], at: usize) {
    let four = &mut row[at..at + WIDTH];
    // SAFETY: `four` is a slice of exactly four numbers, and this store asks for no alignment.
    unsafe { vst1q_f32(four.as_mut_ptr(), value) }
}

/// Column `index` of a matrix in each four lanes.
#[inline]
#[target_feature(enable = "neon")]
fn spread_column(matrix: &Affine3A, index: usize) -> V {
    super::column(matrix, index).into()
}

/// Numbers of a matrix by columns of four.
#[inline]
#[target_feature(enable = "neon")]
fn load_matrix(matrix: &Affine3A, at: usize) -> V {
    super::column(matrix, at / WIDTH).into()
}

/// The inverse of [`load_matrix`].
#[inline]
#[target_feature(enable = "neon")]
fn store_matrix(value: V, matrix: &mut Affine3A, at: usize) {
    assert!(at + WIDTH <= LANES, "a matrix has sixteen numbers");
    // SAFETY: a matrix by columns of four is sixteen numbers, of which four start at `at`; the store asks for no alignment.
    unsafe { vst1q_f32(std::ptr::from_mut(matrix).cast::<f32>().add(at), value) }
}

/// Columns of matrices to matrices, or back.
#[inline]
#[target_feature(enable = "neon")]
fn transpose_fours(columns: [V; 4]) -> [V; 4] {
    columns
}

/// The first vector of four numbers.
#[inline]
#[target_feature(enable = "neon")]
fn load_fours([a, _, _, _]: [Vec4; 4]) -> V {
    a.into()
}

/// The numbers, then zeros.
#[inline]
#[target_feature(enable = "neon")]
fn split_fours(value: V) -> [Vec4; 4] {
    [value.into(), Vec4::ZERO, Vec4::ZERO, Vec4::ZERO]
}

/// The lanes whose bits are set, moved to the front.
#[inline]
#[target_feature(enable = "neon")]
fn compress(value: V, lanes: u16) -> V {
    let (numbers, places) = (Vec4::from(value).to_array(), &super::batch::BIT_PLACES[usize::from(lanes & 0xF)].places);
    let number = |k: usize| numbers[(places[k] & 3) as usize];
    Vec4::new(number(0), number(1), number(2), number(3)).into()
}

/// Writes numbers of records that lie one after another.
#[inline]
#[target_feature(enable = "neon")]
fn store_in_records(value: V, records: &mut [Record; WIDTH], at: usize) {
    assert!(at + WIDTH <= 12 * WIDTH, "a record has twelve numbers");
    // SAFETY: the records are twelve times `WIDTH` numbers, of which `WIDTH` start at `at`; the store asks for no alignment.
    unsafe { vst1q_f32(records.as_mut_ptr().cast::<f32>().add(at), value) }
}
