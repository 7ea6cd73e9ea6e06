//! Vectors of three numbers and quaternions in each lane. Every sum and every product is rounded, in the order written here.

use super::layout::Row;
use super::vectors::Vectors;

/// x, y and z of a vector in each lane.
pub(super) type Three<V> = [V; 3];

#[inline(always)]
pub(super) fn add3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [s.add(a[0], b[0]), s.add(a[1], b[1]), s.add(a[2], b[2])]
}

#[inline(always)]
pub(super) fn sub3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [s.sub(a[0], b[0]), s.sub(a[1], b[1]), s.sub(a[2], b[2])]
}

#[inline(always)]
pub(super) fn select3<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    mask: S::M,
    a: &Three<S::V>,
    b: &Three<S::V>,
) -> Three<S::V> {
    [s.select(mask, a[0], b[0]), s.select(mask, a[1], b[1]), s.select(mask, a[2], b[2])]
}

#[inline(always)]
pub(super) fn scale<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, v: &Three<S::V>, by: S::V) -> Three<S::V> {
    [s.mul(v[0], by), s.mul(v[1], by), s.mul(v[2], by)]
}

#[inline(always)]
pub(super) fn cross<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> Three<S::V> {
    [
        s.sub(s.mul(a[1], b[2]), s.mul(a[2], b[1])),
        s.sub(s.mul(a[2], b[0]), s.mul(a[0], b[2])),
        s.sub(s.mul(a[0], b[1]), s.mul(a[1], b[0])),
    ]
}

#[inline(always)]
pub(super) fn dot<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Three<S::V>, b: &Three<S::V>) -> S::V {
    sum3(s, s.mul(a[0], b[0]), s.mul(a[1], b[1]), s.mul(a[2], b[2]))
}

/// A quaternion in each lane.
pub(super) type Four<V> = [V; 4];

#[inline(always)]
pub(super) fn dot4<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Four<S::V>, b: &Four<S::V>) -> S::V {
    let sum = s.add(s.add(s.mul(a[0], b[0]), s.mul(a[1], b[1])), s.mul(a[2], b[2]));
    s.add(sum, s.mul(a[3], b[3]))
}

#[inline(always)]
pub(super) fn sum3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: S::V, b: S::V, c: S::V) -> S::V {
    s.add(s.add(a, b), c)
}

/// The product of a matrix and the vector `v` in each lane; only the columns x, y and z are used.
#[inline(always)]
pub(super) fn transform<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    columns: &[Three<S::V>; 4],
    v: &Three<S::V>,
) -> Three<S::V> {
    let mut transformed = *v;
    for (c, component) in transformed.iter_mut().enumerate() {
        *component = sum3(s, s.mul(columns[0][c], v[0]), s.mul(columns[1][c], v[1]), s.mul(columns[2][c], v[2]));
    }
    transformed
}

#[inline(always)]
pub(super) fn load3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &[Row], first: usize, at: usize) -> Three<S::V> {
    [s.load(&rows[first], at), s.load(&rows[first + 1], at), s.load(&rows[first + 2], at)]
}

#[inline(always)]
pub(super) fn splat3<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, [x, y, z]: [f32; 3]) -> Three<S::V> {
    [s.splat(x), s.splat(y), s.splat(z)]
}
