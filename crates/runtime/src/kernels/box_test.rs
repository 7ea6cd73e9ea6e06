//! The box test: whether the boxes of candidates overlap.
//!
//! # What the box test must answer
//!
//! The box test answers yes or no for each pair, as `geometry_core::Obb::overlaps` does. Nothing else uses the numbers of the
//! test, so a kernel may compute the 15 gaps in any order. The order of the sums and products within a gap is not free: the
//! error bounds below depend on it.
//!
//! In the following rules, the tolerance is `SEPARATION_TOLERANCE` times the sum of all half extents, plus `f32::MIN_POSITIVE`
//! for boxes so small that products underflow. A kernel puts each pair into one of three groups:
//!
//! - *Apart*: only if some gap is above the tolerance.
//! - *Overlap*: only if all 15 gaps are below minus two tolerances. For this answer, a kernel must compute all 15 gaps.
//! - *Unsure*: always allowed. `settle` then asks `Obb::overlaps`.
//!
//! The function `overlap` below returns two masks. The first mask has the lanes that are not apart, and the second mask has those
//! of these lanes that are unsure. If `Obb::overlaps` says that an unsure pair is apart, `settle` clears the pair's bit in the
//! first mask.
//!
//! The answers are the same with and without fused multiply-add, because `settle` decides all unsure pairs in the same way.
//!
//! The tolerance is the same for all axes, so the largest gap decides. One maximum is cheaper than fifteen comparisons. An early
//! stop, after only some of the axes, was tried. With eight pairs at a time, the early stop gained nothing, because in nearly
//! every vector at least one pair needs all axes.
//!
//! # Error bounds
//!
//! If you change how a gap is computed, derive the following bounds anew. Tests on random boxes do not prove the bounds.
//!
//! The words are those of `geometry-core/src/sat_obb_obb.rs`, which derives the bounds for `geometry_core::first_stage`:
//!
//! - The *radius* of a box along an axis is the half length of the box along this axis.
//! - The *gap* of two boxes A and B along an axis is the distance of their centers along the axis minus their two radii.
//! - `S` is the sum of all six half extents, `u` is 2⁻²⁴, and `T` is the vector between the centers.
//! - `δ` (1e-6) is the largest deviation of the dot products of stored axes from those of orthonormal axes.
//! - `R = AᵀB` has the columns `Rⱼ`.
//!
//! The kernels differ from `first_stage` in four ways:
//!
//! - A record stores no axis z. The kernel computes axis z of A as a cross product, with fused
//!   multiply-add if the instruction set has it. `Record::posed_obb`, which makes the box for `Obb::overlaps`, computes this
//!   axis without fused multiply-add. The two results differ by at most `7u`.
//! - The kernel uses `R₀ × R₁` as `R₂`. `first_stage` uses `Aᵀ` times axis z of B.
//! - The kernel uses `Rⱼ·AᵀT` as the distance of the centers along axis j of B. `first_stage` uses `Bⱼ·T`.
//! - The kernel adds or subtracts products one after another, with fused multiply-add, which does not round the product. A gap
//!   has at most four radii, so this order adds a rounding error of at most `8u S`, as long as `|T|` is at most `2S`. If `|T|`
//!   is greater, a face of A shows a gap, and the boxes are apart anyway.
//!
//! **Exact arithmetic.** Even without rounding, the stored axes give these differences:
//!
//! - `AᵀA` differs from the identity by at most `3δ` in the spectral norm. So A and B differ from orthonormal matrices by `1.5δ`,
//!   `R` by `3.1δ`, `det A` from 1 by `1.5δ`, and a cross product of two of A's axes from the third one by `4.5δ`.
//! - `R₀ × R₁` differs from `Aᵀ` times axis z of B by at most `3 · 3.1δ < 10δ`. This difference adds `10δ S` to the error `δ S`
//!   of A's faces.
//! - `R₀ × R₁` is the exact radius of B's axis z along the edges' axes of `R₀` and `R₁`, where `first_stage` is off by up to
//!   `15δ`. `R₂ × R₀` and `R₁ × R₂` are within `9δ` of `R₁` and `R₀`. So the error of the radii along edges is still at most
//!   `15δ S`.
//! - `Rⱼ·AᵀT` is `Bⱼ·(AAᵀ)T`, which is off by `3δ|T|`.
//! - `(R₀ × R₁)·AᵀT` is `det A` times `T` along `B₀ × B₁`, the exact normal of B's face, and is off by `1.5δ|T|`. A's radius
//!   along this normal is off by `4.5δ S`.
//!
//! **Rounding.** These errors are at most:
//!
//! - `AᵀT`: `4u|T|`, `4u|T|` and `11u|T|` (`12.4u|T|` together).
//! - A column `R₀` or `R₁`: `3u`, `3u` and `10u` (`10.9u` together). So `R₂` is off by `2 · 10.9u + 3.5u < 26u`.
//! - A distance `Rⱼ·AᵀT` or `|tᵢRₖⱼ - tₖRᵢⱼ|`: `26u|T| + 12.4u|T| + 3u|T| < 42u|T|`.
//! - The radii: `26u S + 4u S`.
//!
//! **The limits of the groups.** These errors are smaller than the limits above:
//!
//! - *Apart.* If boxes share a point, then `|T| ≤ S(1 + δ)`, and a computed gap is at most
//!   `42u S + 30u S + 8u S + 15δ S`, which is less than `2.0e-5 S`. The tolerance is `3.05e-5 S`. So a
//!   computed gap above the tolerance proves that the boxes are at least `1.05e-5 S` apart. The direction of this gap need not
//!   be one of the 15 exact axes: boxes that are so far apart have a gap of a comparable size along one of the 15 axes,
//!   so `Obb::overlaps` finds them apart too.
//! - *Overlap.* If boxes are disjoint, one of the 15 exact axes has a gap. A computed edge axis differs from the exact
//!   one by at most `4.5δ + 6δ = 10.5δ`, which acts on `|T| + S ≤ 3S`. So the computed gap is at least
//!   `-(84u + 30u + 8u + 31.5δ + 15δ) S`, which is above `-5.4e-5 S`. For the faces, the errors are smaller: `4.5δ` on
//!   `3S`, and `11δ` or `7δ`. Two tolerances are `6.1e-5 S`.

use super::gather::gather_quarter;
use super::layout::{LANES, Record};
use super::set_bits::set_bits;
use super::three::{Three, sum3};
use super::vectors::Vectors;
use super::{Batch, OverlapSink};
use geometry_core::Obb;
use geometry_core::tolerances::SEPARATION_TOLERANCE;
use std::hint::black_box;

#[inline(always)]
pub(super) fn flush<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    batch: &mut Batch<'_>,
    sink: &mut OverlapSink<'_>,
) -> bool {
    loop {
        take(s, batch);
        if let Some(go_on) = batch.tell(sink) {
            return go_on;
        }
    }
}

/// Tests all candidates of a batch; a batch of [`Batch::for_first`] stops after the first vector in which a pair was found.
/// In other batches no branch depends on the number of pairs found, so the processor begins the next vector before it has
/// finished the one before.
#[inline(always)]
pub(super) fn take<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, batch: &mut Batch<'_>) {
    // The half extents of a vector of pairs, see `gather_pair`. AVX-512 has registers enough to do without this memory.
    let mut half = [[s.splat(0.0); 3]; 2];
    let half = if WIDTH < LANES { black_box(&mut half) } else { &mut half };
    while let Some((a, b, count)) = batch.next_candidates::<WIDTH>(S::FEW) {
        let (overlapping, unsure) = overlap(s, &gather_pair(s, &a, &b, half));
        let there = u16::MAX >> (LANES - count);
        let overlapping = settle(overlapping & there, unsure & there, |k| batch.candidate(k).map(Record::posed_obb));
        let mut found = [0; LANES];
        if let Some(keys) = batch.next_keys() {
            s.choose(keys, 0, overlapping, 0, &mut found);
        }
        batch.take::<WIDTH>(count, overlapping, &found);
        if batch.is_to_tell() {
            return;
        }
    }
    if !batch.is_empty() {
        s.take_few(batch);
    }
}

/// [`take`], one candidate after the other.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(super) fn take_one_by_one(batch: &mut Batch<'_>) {
    while let Some(([a], [b], count)) = batch.next_candidates(0)
        && let Some(&keys) = batch.next_keys()
    {
        batch.take::<1>(count, u16::from(a.posed_obb().overlaps_near(&b.posed_obb())), &keys);
        if batch.is_to_tell() {
            return;
        }
    }
}

/// Two boxes A and B in each lane, in A's frame: its origin is A's center, and its axes are A's axes.
struct Pair<V> {
    /// B's center in A's frame.
    center: Three<V>,
    /// B's axes x and y in A's frame. Axis z is their cross product.
    axes: [Three<V>; 2],
    /// The half extents of A and of B.
    half: [Three<V>; 2],
}

/// Brings pairs of records into lanes. The half extents pass through `half`.
///
/// Do not change the order of the statements without measuring. Axis z of A, and what follows from it, takes longest to
/// compute, and a kernel with sixteen registers holds few of these numbers at a time. The caller hides from the compiler
/// where `half` points, so the compiler must write each half extent before it reads further records. Otherwise the
/// compiler reads records early, and stores more numbers on the stack because of that.
#[inline(always)]
fn gather_pair<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &[&Record; WIDTH],
    b: &[&Record; WIDTH],
    half: &mut [Three<S::V>; 2],
) -> Pair<S::V> {
    let [hy, hz, xx, xy] = gather_quarter(s, a, 1);
    (half[0][1], half[0][2]) = (hy, hz);
    let [xz, yx, yy, yz] = gather_quarter(s, a, 2);
    let (x, y) = ([xx, xy, xz], [yx, yy, yz]);
    let frame = [x, y, about_cross(s, &x, &y)];
    let [a_cx, a_cy, a_cz, hx] = gather_quarter(s, a, 0);
    half[0][0] = hx;
    let [b_cx, b_cy, b_cz, hx] = gather_quarter(s, b, 0);
    half[1][0] = hx;
    let center = in_frame(s, &frame, &[s.sub(b_cx, a_cx), s.sub(b_cy, a_cy), s.sub(b_cz, a_cz)]);
    let [hy, hz, xx, xy] = gather_quarter(s, b, 1);
    (half[1][1], half[1][2]) = (hy, hz);
    let [xz, yx, yy, yz] = gather_quarter(s, b, 2);
    let axes = [in_frame(s, &frame, &[xx, xy, xz]), in_frame(s, &frame, &[yx, yy, yz])];
    Pair { center, axes, half: *half }
}

/// The coordinates of `v` along three axes.
#[inline(always)]
fn in_frame<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, axes: &[Three<S::V>; 3], v: &Three<S::V>) -> Three<S::V> {
    [about_dot(s, &axes[0], v), about_dot(s, &axes[1], v), about_dot(s, &axes[2], v)]
}

/// Returns the lanes that are not apart by the first stage, and those of them that are too close to call.
#[inline(always)]
fn overlap<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, pair: &Pair<S::V>) -> (u16, u16) {
    let gap = widest_gap(s, pair);
    let [a, b] = &pair.half;
    let size = s.add(sum3(s, a[0], a[1], a[2]), sum3(s, b[0], b[1], b[2]));
    let tolerance = s.about_add_mul(s.splat(f32::MIN_POSITIVE), size, s.splat(SEPARATION_TOLERANCE));
    let overlapping = s.le(s.all(), gap, tolerance);
    (s.bits(overlapping), s.bits(s.le(overlapping, s.mul(s.splat(-2.0), tolerance), gap)))
}

/// The widest gap along all 15 axes.
#[inline(always)]
fn widest_gap<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, pair: &Pair<S::V>) -> S::V {
    let (t, [x, y], [ha, hb]) = (&pair.center, &pair.axes, &pair.half);
    // B's axes in A's frame, and the absolute values.
    let r = [*x, *y, about_cross(s, x, y)];
    let mut p = r;
    let (mut of_a, mut of_b, mut of_edges) = (*t, *t, r);
    for j in 0..3 {
        p[j] = [s.abs(r[j][0]), s.abs(r[j][1]), s.abs(r[j][2])];
        let along = s.sub(s.abs(about_dot(s, &r[j], t)), hb[j]);
        of_b[j] = s.sub(along, about_dot_in_order(s, ha, &p[j]));
        let across = about_cross(s, t, &r[j]);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            let along = s.about_sub_mul(s.abs(across[i]), ha[i2], p[j][i1]);
            of_edges[j][i] = s.about_sub_mul(along, ha[i1], p[j][i2]);
        }
    }
    for i in [2, 1, 0] {
        let along = s.sub(s.abs(t[i]), ha[i]);
        of_a[i] = s.sub(along, about_dot_in_order(s, hb, &[p[0][i], p[1][i], p[2][i]]));
        for (j, of_edges) in of_edges.iter_mut().enumerate() {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let along = s.about_sub_mul(of_edges[i], hb[j1], p[j2][i]);
            of_edges[i] = s.about_sub_mul(along, hb[j2], p[j1][i]);
        }
    }
    // A tree of comparisons, because with a chain each gap would wait for the one before.
    let e = &of_edges;
    let faces = s.max(s.max(s.max(of_b[0], of_b[1]), s.max(of_b[2], of_a[2])), s.max(of_a[1], of_a[0]));
    let edges = s.max(s.max(s.max(e[0][2], e[1][2]), s.max(e[2][2], e[0][1])), s.max(e[1][1], e[2][1]));
    s.max(s.max(faces, edges), s.max(s.max(e[0][0], e[1][0]), e[2][0]))
}

/// [`dot`](super::three::dot), with products that are rounded as in [`Vectors::about_add_mul`]: the bits of an answer must not depend on it.
#[inline(always)]
fn about_dot<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> S::V {
    s.about_add_mul(s.about_add_mul(s.mul(a[2], b[2]), a[0], b[0]), a[1], b[1])
}

/// [`about_dot`], from the first product to the last.
#[inline(always)]
fn about_dot_in_order<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> S::V {
    s.about_add_mul(s.about_add_mul(s.mul(a[0], b[0]), a[1], b[1]), a[2], b[2])
}

/// [`cross`](super::three::cross), with products that are rounded as in [`Vectors::about_add_mul`]: the bits of an answer must not depend on it.
#[inline(always)]
fn about_cross<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [
        s.about_sub_mul(s.mul(a[1], b[2]), a[2], b[1]),
        s.about_sub_mul(s.mul(a[2], b[0]), a[0], b[2]),
        s.about_sub_mul(s.mul(a[0], b[1]), a[1], b[0]),
    ]
}

/// Returns `overlapping` without the `unsure` lanes whose pair does not overlap by `Obb::overlaps`. `unsure` is a part of
/// `overlapping`.
#[inline]
fn settle(overlapping: u16, unsure: u16, pair: impl Fn(usize) -> [Obb; 2]) -> u16 {
    if unsure == 0 { overlapping } else { settle_each(overlapping, unsure, pair) }
}

#[cold]
#[inline(never)]
fn settle_each(mut overlapping: u16, unsure: u16, pair: impl Fn(usize) -> [Obb; 2]) -> u16 {
    for lane in set_bits(unsure) {
        let [a, b] = pair(lane);
        if !a.overlaps(&b) {
            overlapping &= !(1 << lane);
        }
    }
    overlapping
}
