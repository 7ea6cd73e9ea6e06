//! Finds the first two triangles of two blocks that touch.
//!
//! The first tests only rule out pairs of triangles that are apart: by bounds, by the slabs around the blocks, and by
//! the planes of both triangles. If all corners of each triangle are clearly off the other's plane, two determinants
//! decide whether the triangles touch (Guigue and Devillers, as in `geometry_core::triangle::overlap`). The exact predicates decide the
//! pairs for which rounding could matter.

use super::layout::{LANES, Row};
use super::near_bounds;
use super::three::{Three, cross, dot, load3, select3, splat3, sub3};
use super::triangle_lanes::{SLAB_UNCERTAIN, TriangleBlock, UNCERTAIN, UNDERFLOW, farthest};
use super::vectors::Vectors;
use geometry_core::triangle::overlap_or_direction;

#[inline(always)]
pub(super) fn first_touch<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &TriangleBlock,
    b: &TriangleBlock,
) -> Option<[usize; 2]> {
    let farthest = farthest(&a.around, &b.around);
    let widening = SLAB_UNCERTAIN * farthest + UNDERFLOW;
    let near_b = near(s, b, a, widening);
    if near_b == 0 {
        return None;
    }
    let mut near_a = near(s, a, b, widening);
    while near_a != 0 {
        let lane = near_a.trailing_zeros() as usize;
        near_a &= near_a - 1;
        for at in (0..LANES).step_by(WIDTH) {
            let near_b = near_b >> at & (u16::MAX >> (LANES - WIDTH));
            if near_b == 0 {
                continue;
            }
            match first_touched(s, a, lane, b, at, near_b, farthest) {
                Touch::At(other) => return Some([lane, other]),
                Touch::Nowhere => {}
                Touch::BlocksAreApart => return None,
            }
        }
    }
    None
}

/// Triangles of `block` whose bounds reach into the bounds of `other` and that reach into its slab.
#[inline(always)]
fn near<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    block: &TriangleBlock,
    other: &TriangleBlock,
    widening: f32,
) -> u16 {
    let slab = &other.slab;
    let (origin, direction) = (splat3(s, slab.origin), splat3(s, slab.direction));
    let (slab_low, slab_high) = (s.splat(slab.low - widening), s.splat(slab.high + widening));
    let mut mask = 0;
    for at in (0..LANES).step_by(WIDTH) {
        let near = s.bits(near_bounds::near(s, &other.around, &block.bounds, at));
        if near == 0 {
            continue;
        }
        let corners = [
            load3(s, &block.corners[0], 0, at),
            load3(s, &block.corners[1], 0, at),
            load3(s, &block.corners[2], 0, at),
        ];
        let (least, most) = extremes(s, heights(s, &origin, &direction, &corners));
        let apart = s.bits(s.le(s.all(), most, slab_low)) | s.bits(s.le(s.all(), slab_high, least));
        mask |= (near & !apart) << at;
    }
    mask
}

/// The result of the test of a triangle of the first block.
enum Touch {
    /// The lane of the triangle of the second block that it touches.
    At(usize),
    Nowhere,
    /// No triangles of the two blocks touch.
    BlocksAreApart,
}

/// The first triangle among `at` to `at + WIDTH` of `b` that is in `near_b` and that triangle `lane` of `a` touches. No
/// difference of the coordinates of two corners of the blocks rounds to more than `farthest`. The limit for the two
/// triangles alone would be lower and would leave fewer pairs to the exact predicates, but computing it takes longer.
#[inline(always)]
fn first_touched<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &TriangleBlock,
    lane: usize,
    b: &TriangleBlock,
    at: usize,
    near_b: u16,
    farthest: f32,
) -> Touch {
    let near = s.bits(near_bounds::near(s, &a.bounds.get(lane), &b.bounds, at)) & near_b;
    if near == 0 {
        return Touch::Nowhere;
    }
    let underflow = s.splat(UNDERFLOW * farthest + UNDERFLOW);
    let cube = s.splat(UNCERTAIN * farthest * farthest * farthest);
    let farthest = s.splat(farthest);
    let of_a = [lane3(s, &a.corners[0], lane), lane3(s, &a.corners[1], lane), lane3(s, &a.corners[2], lane)];
    let of_b = [load3(s, &b.corners[0], 0, at), load3(s, &b.corners[1], 0, at), load3(s, &b.corners[2], 0, at)];
    let above_b = heights(s, &of_b[0], &load3(s, &b.normal, 0, at), &of_a);
    let doubt = s.add(s.mul(s.load(&b.uncertain, at), farthest), underflow);
    let near = near & !one_side(s, above_b, doubt);
    if near == 0 {
        return Touch::Nowhere;
    }
    let mut clear = s.le(s.all(), doubt, least_size(s, above_b));
    let above_a = heights(s, &of_a[0], &lane3(s, &a.normal, lane), &of_b);
    let doubt = s.add(s.mul(s.splat(a.uncertain[lane]), farthest), underflow);
    let mut near = near & !one_side(s, above_a, doubt);
    clear = s.le(clear, doubt, least_size(s, above_a));
    let clear = s.bits(clear) & near;
    let mut touching = 0;
    if clear != 0 {
        let (first, second) = gaps(s, &of_a, above_b, &of_b, above_a);
        let doubt = s.add(cube, underflow);
        let below = s.sub(s.splat(0.0), doubt);
        near &= !(clear & (s.bits(s.le(s.all(), doubt, first)) | s.bits(s.le(s.all(), doubt, second))));
        touching = clear & s.bits(s.le(s.le(s.all(), first, below), second, below));
    }
    while near != 0 {
        let other = near.trailing_zeros() as usize;
        near &= near - 1;
        if touching >> other & 1 == 1 {
            return Touch::At(at + other);
        }
        match test_pair(a, b, [lane, at + other]) {
            Touch::Nowhere => {}
            found => return found,
        }
    }
    Touch::Nowhere
}

/// Tests a triangle of each block, as [`geometry_core::triangle::overlap`] does. If a direction separates the two triangles, it often
/// separates all triangles: surfaces without extent consist of pairs that the quick tests cannot decide.
fn test_pair(a: &TriangleBlock, b: &TriangleBlock, [lane, other]: [usize; 2]) -> Touch {
    #[cfg(test)]
    super::work::add();
    match overlap_or_direction(&a.triangle(lane), &b.triangle(other)) {
        Ok(true) => Touch::At(other),
        Err(direction) if a.is_separated(b, direction) => Touch::BlocksAreApart,
        _ => Touch::Nowhere,
    }
}

/// Returns two numbers. Each triangle meets the line in which the two planes cross, in an interval. If these intervals
/// are apart, one of the two numbers is above zero.
///
/// No corner may be on the other triangle's plane, and each plane must have corners of the other triangle on both sides.
#[inline(always)]
fn gaps<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &[Three<S::V>; 3],
    above_b: Three<S::V>,
    b: &[Three<S::V>; 3],
    above_a: Three<S::V>,
) -> (S::V, S::V) {
    // One corner of each triangle is alone on its side. It becomes the first corner, and its side becomes the upper
    // side.
    let ([p1, q1, r1], upper_b) = lone_corner_first(s, a, above_b);
    let ([p2, q2, r2], upper_a) = lone_corner_first(s, b, above_a);
    let (q2, r2) = (select3(s, upper_b, &q2, &r2), select3(s, upper_b, &r2, &q2));
    let (q1, r1) = (select3(s, upper_a, &q1, &r1), select3(s, upper_a, &r1, &q1));
    let across = sub3(s, &p2, &p1);
    let first = determinant(s, &sub3(s, &q1, &p1), &across, &sub3(s, &q2, &p1));
    let second = determinant(s, &sub3(s, &r1, &p1), &sub3(s, &r2, &p1), &across);
    (first, second)
}

/// The corners rotated so that the first is alone on its side, and a mask of the lanes where that side is the upper
/// one.
#[inline(always)]
fn lone_corner_first<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    [a, b, c]: &[Three<S::V>; 3],
    [height_a, height_b, height_c]: Three<S::V>,
) -> ([Three<S::V>; 3], S::M) {
    let (is_a, is_b) = (same_side(s, height_b, height_c), same_side(s, height_a, height_c));
    let first = select3(s, is_a, a, &select3(s, is_b, b, c));
    let second = select3(s, is_a, b, &select3(s, is_b, c, a));
    let third = select3(s, is_a, c, &select3(s, is_b, a, b));
    let lone = s.select(is_a, height_a, s.select(is_b, height_b, height_c));
    ([first, second, third], s.le(s.all(), s.splat(0.0), lone))
}

/// Returns `true` in lanes whose two heights have the same sign; neither is 0.
#[inline(always)]
fn same_side<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, one: S::V, other: S::V) -> S::M {
    let zero = s.splat(0.0);
    let along = s.select(s.le(s.all(), zero, one), other, s.sub(zero, other));
    s.le(s.all(), zero, along)
}

/// The dot products of `direction` and the vectors from `base` to the corners.
#[inline(always)]
fn heights<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    base: &Three<S::V>,
    direction: &Three<S::V>,
    [a, b, c]: &[Three<S::V>; 3],
) -> Three<S::V> {
    [dot(s, direction, &sub3(s, a, base)), dot(s, direction, &sub3(s, b, base)), dot(s, direction, &sub3(s, c, base))]
}

/// Lanes in which all heights are on one side, beyond doubt.
#[inline(always)]
fn one_side<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, heights: Three<S::V>, doubt: S::V) -> u16 {
    let (least, most) = extremes(s, heights);
    s.bits(s.le(s.all(), doubt, least)) | s.bits(s.le(s.all(), most, s.sub(s.splat(0.0), doubt)))
}

#[inline(always)]
fn extremes<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, [a, b, c]: Three<S::V>) -> (S::V, S::V) {
    (s.min(s.min(a, b), c), s.max(s.max(a, b), c))
}

#[inline(always)]
fn least_size<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, [a, b, c]: Three<S::V>) -> S::V {
    s.min(s.min(s.abs(a), s.abs(b)), s.abs(c))
}

#[inline(always)]
fn determinant<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, u: &Three<S::V>, v: &Three<S::V>, w: &Three<S::V>) -> S::V {
    dot(s, &cross(s, u, v), w)
}

/// The values of one lane of the rows, copied to all lanes.
#[inline(always)]
fn lane3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &[Row; 3], lane: usize) -> Three<S::V> {
    splat3(s, [rows[0][lane], rows[1][lane], rows[2][lane]])
}
