//! Sampling clips over vectors: the lanes of [`super::clip_lanes`], once for all instruction sets.

use super::clip_lanes::{KeyRow, LocalBlock, Moment, SHARES, SQUARE_SHARES, TERMS, Track, local_row};
use super::layout::{Fours, LANES};
use super::vectors::Vectors;

/// A quaternion in each lane.
type Four<V> = [V; 4];

#[inline(always)]
pub(super) fn sample_tracks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    tracks: &[Track],
    moments: &[Moment],
    blocks: &mut [LocalBlock],
) {
    for track in tracks {
        let moment = &moments[track.timeline];
        let width = track.width();
        let [a, b] = moment.keys.map(|key| &track.keys[width * key..][..width]);
        let block = &mut blocks[track.block];
        for at in (0..LANES).step_by(WIDTH) {
            if (track.lanes >> at) & (u16::MAX >> (LANES - WIDTH)) == 0 {
                continue;
            }
            let runs = s.load(&track.runs.0, at);
            let has_keys = s.le(s.all(), s.splat(0.0), runs);
            let fraction = s.mul(s.splat(moment.fraction), runs);
            if track.first_row == local_row::ROTATION {
                let rotation = rotation_between(s, &load4(s, a, at), &load4(s, b, at), fraction);
                for (row, number) in block.0[local_row::ROTATION..].iter_mut().zip(rotation) {
                    s.store(s.select(has_keys, number, s.load(row, at)), row, at);
                }
            } else {
                for (i, row) in block.0[track.first_row..][..3].iter_mut().enumerate() {
                    let (a, b) = (s.load(&a[i].0, at), s.load(&b[i].0, at));
                    let number = s.add(a, s.mul(fraction, s.sub(b, a)));
                    s.store(s.select(has_keys, number, s.load(row, at)), row, at);
                }
            }
        }
    }
}

/// `parent_from_joint` of as many joints as there are records.
#[inline(always)]
pub(super) fn local_matrices<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    blocks: &[LocalBlock],
    matrices: &mut [Fours],
) {
    for (block, matrices) in blocks.iter().zip(matrices.chunks_mut(LANES)) {
        for (at, matrices) in (0..LANES).step_by(WIDTH).zip(matrices.chunks_mut(WIDTH)) {
            let columns = columns(s, block, at);
            match matrices.first_chunk_mut::<WIDTH>() {
                Some(all) => store_columns(s, &columns, all),
                None => store_columns(s, &columns, matrices),
            }
        }
    }
}

#[inline(always)]
fn store_columns<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, columns: &[Four<S::V>; 4], matrices: &mut [Fours]) {
    for (index, column) in columns.iter().enumerate() {
        for (k, four) in s.transpose4(*column).into_iter().enumerate() {
            s.store_quarters(four, matrices, k, index);
        }
    }
}

/// Columns x, y, z and translation; the fourth number of each is 0.
#[inline(always)]
fn columns<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, block: &LocalBlock, at: usize) -> [Four<S::V>; 4] {
    let load = |row: usize| s.load(&block.0[row], at);
    let [x, y, z, w] = [load(0), load(1), load(2), load(3)];
    let (x2, y2, z2) = (s.add(x, x), s.add(y, y), s.add(z, z));
    let (xx, xy, xz) = (s.mul(x, x2), s.mul(x, y2), s.mul(x, z2));
    let (yy, yz, zz) = (s.mul(y, y2), s.mul(y, z2), s.mul(z, z2));
    let (wx, wy, wz) = (s.mul(w, x2), s.mul(w, y2), s.mul(w, z2));
    let (zero, one) = (s.splat(0.0), s.splat(1.0));
    let axes = [
        [s.sub(one, s.add(yy, zz)), s.add(xy, wz), s.sub(xz, wy)],
        [s.sub(xy, wz), s.sub(one, s.add(xx, zz)), s.add(yz, wx)],
        [s.add(xz, wy), s.sub(yz, wx), s.sub(one, s.add(xx, yy))],
    ];
    let mut columns =
        [[load(local_row::TRANSLATION), load(local_row::TRANSLATION + 1), load(local_row::TRANSLATION + 2), zero]; 4];
    for (c, axis) in axes.iter().enumerate() {
        let scale = load(local_row::SCALE + c);
        columns[c] = [s.mul(axis[0], scale), s.mul(axis[1], scale), s.mul(axis[2], scale), zero];
    }
    columns
}

#[inline(always)]
fn load4<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &[KeyRow], at: usize) -> Four<S::V> {
    [s.load(&rows[0].0, at), s.load(&rows[1].0, at), s.load(&rows[2].0, at), s.load(&rows[3].0, at)]
}

#[inline(always)]
fn rotation_between<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &Four<S::V>,
    b: &Four<S::V>,
    fraction: S::V,
) -> Four<S::V> {
    let one = s.splat(1.0);
    let cosine_less_one = s.sub(dot4(s, a, b), one);
    let rest = s.sub(one, fraction);
    let squares = [s.mul(rest, rest), s.mul(fraction, fraction)];
    // Both at once: each waits for its own products.
    let mut sums = [one; 2];
    for i in (0..TERMS).rev() {
        for (sum, square) in sums.iter_mut().zip(squares) {
            let term = s.sub(s.mul(s.splat(SQUARE_SHARES[i]), square), s.splat(SHARES[i]));
            *sum = s.add(s.mul(s.mul(term, cosine_less_one), *sum), one);
        }
    }
    let (from, to) = (s.mul(rest, sums[0]), s.mul(fraction, sums[1]));
    let mut sum = *a;
    for i in 0..4 {
        sum[i] = s.add(s.mul(a[i], from), s.mul(b[i], to));
    }
    let inverse = s.div(one, s.sqrt(dot4(s, &sum, &sum)));
    [s.mul(sum[0], inverse), s.mul(sum[1], inverse), s.mul(sum[2], inverse), s.mul(sum[3], inverse)]
}

#[inline(always)]
fn dot4<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, a: &Four<S::V>, b: &Four<S::V>) -> S::V {
    let sum = s.add(s.add(s.mul(a[0], b[0]), s.mul(a[1], b[1])), s.mul(a[2], b[2]));
    s.add(sum, s.mul(a[3], b[3]))
}
