//! Pose layers over vectors: the arithmetic of [`super::layer_lanes`], written once for all instruction sets.

use super::clip_lanes::{LocalBlock, local_row};
use super::layer_lanes::LEAST_SQUARE;
use super::layout::{LANES, Row};
use super::vectors::Vectors;

/// The form over vectors of [`super::layer_lanes::blend_blocks`].
#[inline(always)]
pub(super) fn blend_blocks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &mut [LocalBlock],
    b: &[LocalBlock],
    weights: &[Row],
) {
    for ((a, b), weights) in a.iter_mut().zip(b).zip(weights) {
        for at in (0..LANES).step_by(WIDTH) {
            let weight = s.load(weights, at);
            let (mut of_a, mut of_b) = (load4(s, a, at), load4(s, b, at));
            let near = sign(s, dot4(s, &of_a, &of_b));
            for i in 0..4 {
                of_b[i] = s.mul(of_b[i], near);
                of_a[i] = s.add(of_a[i], s.mul(s.sub(of_b[i], of_a[i]), weight));
            }
            set_rotations(s, a, &of_a, weight, at);
            for row in local_row::TRANSLATION..local_row::COUNT {
                let (of_a, of_b) = (s.load(&a.0[row], at), s.load(&b.0[row], at));
                s.store(s.add(of_a, s.mul(s.sub(of_b, of_a), weight)), &mut a.0[row], at);
            }
        }
    }
}

/// The form over vectors of [`super::layer_lanes::add_blocks`].
#[inline(always)]
pub(super) fn add_blocks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &mut [LocalBlock],
    b: &[LocalBlock],
    from: &[LocalBlock],
    weights: &[Row],
) {
    let one = s.splat(1.0);
    for (((a, b), from), weights) in a.iter_mut().zip(b).zip(from).zip(weights) {
        for at in (0..LANES).step_by(WIDTH) {
            let weight = s.load(weights, at);
            let [bx, by, bz, bw] = load4(s, b, at);
            let [fx, fy, fz, fw] = load4(s, from, at);
            let [ax, ay, az, aw] = load4(s, a, at);
            let (sub, add, mul) = (S::sub, S::add, S::mul);
            // `b` times the conjugate of `from`.
            let x = add(s, sub(s, sub(s, mul(s, bx, fw), mul(s, bw, fx)), mul(s, by, fz)), mul(s, bz, fy));
            let y = add(s, sub(s, sub(s, mul(s, by, fw), mul(s, bw, fy)), mul(s, bz, fx)), mul(s, bx, fz));
            let z = add(s, sub(s, sub(s, mul(s, bz, fw), mul(s, bw, fz)), mul(s, bx, fy)), mul(s, by, fx));
            let w = add(s, add(s, add(s, mul(s, bw, fw), mul(s, bx, fx)), mul(s, by, fy)), mul(s, bz, fz));
            let near = s.mul(weight, sign(s, w));
            let (x, y, z) = (s.mul(x, near), s.mul(y, near), s.mul(z, near));
            let w = s.add(s.sub(one, weight), s.mul(w, near));
            let turned = [
                sub(s, add(s, add(s, mul(s, w, ax), mul(s, x, aw)), mul(s, y, az)), mul(s, z, ay)),
                add(s, add(s, sub(s, mul(s, w, ay), mul(s, x, az)), mul(s, y, aw)), mul(s, z, ax)),
                add(s, sub(s, add(s, mul(s, w, az), mul(s, x, ay)), mul(s, y, ax)), mul(s, z, aw)),
                sub(s, sub(s, sub(s, mul(s, w, aw), mul(s, x, ax)), mul(s, y, ay)), mul(s, z, az)),
            ];
            set_rotations(s, a, &turned, weight, at);
            for row in local_row::TRANSLATION..local_row::SCALE {
                let change = s.sub(s.load(&b.0[row], at), s.load(&from.0[row], at));
                s.store(s.add(s.load(&a.0[row], at), s.mul(change, weight)), &mut a.0[row], at);
            }
            for row in local_row::SCALE..local_row::COUNT {
                let (of_b, of_from) = (s.load(&b.0[row], at), s.load(&from.0[row], at));
                let is_zero = s.le(s.all(), s.abs(of_from), s.splat(0.0));
                let ratio = s.select(is_zero, one, s.div(of_b, of_from));
                let factor = s.add(one, s.mul(s.sub(ratio, one), weight));
                s.store(s.mul(s.load(&a.0[row], at), factor), &mut a.0[row], at);
            }
        }
    }
}

/// -1 where the number is below zero, 1 elsewhere.
#[inline(always)]
fn sign<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, number: S::V) -> S::V {
    let is_below = s.le(s.all(), number, s.splat(0f32.next_down()));
    s.select(is_below, s.splat(-1.0), s.splat(1.0))
}

#[inline(always)]
fn load4<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, block: &LocalBlock, at: usize) -> [S::V; 4] {
    let rows = &block.0;
    [s.load(&rows[0], at), s.load(&rows[1], at), s.load(&rows[2], at), s.load(&rows[3], at)]
}

#[inline(always)]
fn dot4<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &[S::V; 4], b: &[S::V; 4]) -> S::V {
    let sum = s.add(s.add(s.mul(a[0], b[0]), s.mul(a[1], b[1])), s.mul(a[2], b[2]));
    s.add(sum, s.mul(a[3], b[3]))
}

/// Normalizes the rotations of lanes with a weight.
#[inline(always)]
fn set_rotations<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &mut LocalBlock,
    rotations: &[S::V; 4],
    weight: S::V,
    at: usize,
) {
    let square = dot4(s, rotations, rotations);
    let has_length = s.le(s.all(), s.splat(LEAST_SQUARE.next_up()), square);
    // A lane changes only if its weight is above 0; no weight is negative.
    let changes = s.le(has_length, s.splat(0f32.next_up()), weight);
    let length = s.sqrt(square);
    for (row, rotation) in block.0[local_row::ROTATION..][..4].iter_mut().zip(rotations) {
        s.store(s.select(changes, s.div(*rotation, length), s.load(row, at)), row, at);
    }
}
