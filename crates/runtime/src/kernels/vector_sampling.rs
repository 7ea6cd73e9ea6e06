//! Sampling clips over vectors: the lanes of [`super::clip_lanes`], once for all instruction sets.

use super::clip_lanes::{
    KeyRow, LocalBlock, Moment, SHARES, SQUARE_SHARES, TERMS, Track, local_row, matrix_from_fours,
};
use super::layout::{Fours, LANES, Quarters, Row};
use super::vectors::Vectors;
use glam::{Affine3A, Vec4};
use skeleton::JointIndex;

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

/// Writes `parent_from_joint` of as many joints as `matrices` has entries.
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

/// The products of [`geometry_core::portable::affine_mul`], as many columns at a time as fill a vector.
#[inline(always)]
pub(super) fn model_matrices<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    joints: &[JointIndex],
    parents: &[Option<JointIndex>],
    local: &[Fours],
    model_from_joint: &mut [Affine3A],
) {
    /// The numbers of the last column of a matrix.
    const LAST: Row = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    let is_last = s.le(s.all(), s.splat(1.0), s.load(&LAST, LANES - WIDTH));
    for ((joint, parent), local) in joints.iter().zip(parents).zip(local) {
        let Some(parent) = parent else {
            model_from_joint[joint.index()] = matrix_from_fours(local);
            continue;
        };
        let parent = [&model_from_joint[parent.index()]; WIDTH];
        let axes = [s.load_columns(&parent, 0, 0), s.load_columns(&parent, 0, 1), s.load_columns(&parent, 0, 2)];
        let shift = s.load_columns(&parent, 0, 3);
        let mut product = [Vec4::ZERO; 4];
        for at in (0..4).step_by(WIDTH / 4) {
            let column = |index: usize| local.quarter((at + index) % 4);
            let [x, y, z, _] = s.spread4(s.load_fours([column(0), column(1), column(2), column(3)]));
            let mut images = s.add(s.add(s.mul(axes[0], x), s.mul(axes[1], y)), s.mul(axes[2], z));
            if at + WIDTH / 4 == 4 {
                images = s.select(is_last, s.add(images, shift), images);
            }
            let images = s.split_fours(images);
            product[at..at + WIDTH / 4].copy_from_slice(&images[..WIDTH / 4]);
        }
        model_from_joint[joint.index()] = matrix_from_fours(&Fours(product));
    }
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
    // Both sums are computed in one loop, because each step of a sum has to wait for the step before it.
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
