//! Finds the triangles of two blocks that can touch, over vectors: the arithmetic of [`super::triangle_lanes`], once for all
//! instruction sets.

use super::layout::{LANES, Row};
use super::triangle_lanes::{TriangleBlock, UNDERFLOW};
use super::vectors::Vectors;

type Three<V> = [V; 3];

#[inline(always)]
pub(super) fn masks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &TriangleBlock,
    near_a: u16,
    b: &TriangleBlock,
    masks: &mut [u16; LANES],
) {
    *masks = [0; LANES];
    let mut left = near_a;
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        let mut mask = 0;
        for at in (0..LANES).step_by(WIDTH) {
            let mut near = s.all();
            for c in 0..3 {
                let (low, high) = (s.splat(a.bounds.min[c][lane]), s.splat(a.bounds.max[c][lane]));
                near = s.le(near, low, s.load(&b.bounds.max[c], at));
                near = s.le(near, s.load(&b.bounds.min[c], at), high);
            }
            let near = s.bits(near);
            if near == 0 {
                continue;
            }
            let (base, normal) = (load3(s, &b.corners[0], at), load3(s, &b.normal, at));
            let of_a = [splat3(s, &a.corners[0], lane), splat3(s, &a.corners[1], lane), splat3(s, &a.corners[2], lane)];
            let near = near & !parts(s, &base, &normal, s.load(&b.uncertain, at), &of_a);
            if near == 0 {
                continue;
            }
            let normal = splat3(s, &a.normal, lane);
            let of_b = [base, load3(s, &b.corners[1], at), load3(s, &b.corners[2], at)];
            let near = near & !parts(s, &of_a[0], &normal, s.splat(a.uncertain[lane]), &of_b);
            mask |= near << at;
        }
        masks[lane] = mask;
    }
}

#[inline(always)]
fn load3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &[Row; 3], at: usize) -> Three<S::V> {
    [s.load(&rows[0], at), s.load(&rows[1], at), s.load(&rows[2], at)]
}

#[inline(always)]
fn splat3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &[Row; 3], lane: usize) -> Three<S::V> {
    [s.splat(rows[0][lane]), s.splat(rows[1][lane]), s.splat(rows[2][lane])]
}

/// Lanes in which all corners are on one side of the plane, beyond doubt.
#[inline(always)]
fn parts<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    base: &Three<S::V>,
    normal: &Three<S::V>,
    uncertain: S::V,
    corners: &[Three<S::V>; 3],
) -> u16 {
    let (mut above, mut below) = (s.all(), s.all());
    let underflow = s.splat(UNDERFLOW);
    for at in corners {
        let from = [s.sub(at[0], base[0]), s.sub(at[1], base[1]), s.sub(at[2], base[2])];
        let height = s.add(s.mul(normal[0], from[0]), s.mul(normal[1], from[1]));
        let height = s.add(height, s.mul(normal[2], from[2]));
        let far = s.max(s.max(s.abs(from[0]), s.abs(from[1])), s.abs(from[2]));
        let doubt = s.add(s.mul(uncertain, far), s.add(s.mul(underflow, far), underflow));
        above = s.le(above, doubt, height);
        below = s.le(below, doubt, s.sub(s.splat(0.0), height));
    }
    s.bits(above) | s.bits(below)
}
