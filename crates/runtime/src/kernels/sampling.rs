//! Samples clips, by the arithmetic of [`super::clip_lanes`].

use super::clip_lanes::{
    KeyRow, LocalBlock, Moment, SHARES, SQUARE_SHARES, TERMS, Track, local_row, matrix_from_fours,
};
use super::layout::{Fours, LANES, Row};
use super::three::{Four, dot4};
use super::vectors::{Vectors, part_of_matrix};
use glam::Affine3A;
use skeleton::JointIndex;

/// The rows of a [`LocalBlock`], or a part of each.
type Rows<V> = [V; local_row::COUNT];

#[inline(always)]
pub(super) fn sample_tracks<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    tracks: &[Track],
    moments: &[Moment],
    blocks: &mut [LocalBlock],
) {
    for track in tracks {
        let block = &mut blocks[track.block];
        for at in (0..LANES).step_by(WIDTH) {
            let Some((has_keys, numbers)) = numbers(s, track, &moments[track.timeline], at) else { continue };
            for (row, number) in block.0[track.first_row..][..track.width()].iter_mut().zip(numbers) {
                s.store(s.select(has_keys, number, s.load(row, at)), row, at);
            }
        }
    }
}

/// [`sample_tracks`] of a pose that begins as `base`, then [`local_matrices`]. `tracks` is sorted by block.
#[inline(always)]
pub(super) fn sample_matrices<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    base: &[LocalBlock],
    tracks: &[Track],
    moments: &[Moment],
    matrices: &mut [Fours],
) {
    let mut tracks = tracks;
    for (index, (block, matrices)) in base.iter().zip(matrices.chunks_mut(LANES)).enumerate() {
        let (of_block, rest) = tracks.split_at(tracks.iter().take_while(|track| track.block == index).count());
        tracks = rest;
        for (at, matrices) in (0..LANES).step_by(WIDTH).zip(matrices.chunks_mut(WIDTH)) {
            let mut rows = load_rows(s, block, at);
            for track in of_block {
                let Some((has_keys, numbers)) = numbers(s, track, &moments[track.timeline], at) else { continue };
                // The rows stay in registers, because each arm names its rows.
                match track.first_row {
                    local_row::ROTATION => set_rows(s, &mut rows[local_row::ROTATION..][..4], has_keys, numbers),
                    local_row::TRANSLATION => set_rows(s, &mut rows[local_row::TRANSLATION..][..3], has_keys, numbers),
                    _ => set_rows(s, &mut rows[local_row::SCALE..][..3], has_keys, numbers),
                }
            }
            store_matrices(s, &rows, matrices);
        }
    }
}

#[inline(always)]
fn set_rows<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &mut [S::V], has_keys: S::M, numbers: Four<S::V>) {
    for (row, number) in rows.iter_mut().zip(numbers) {
        *row = s.select(has_keys, number, *row);
    }
}

/// The numbers of a track at a moment, and the lanes that have keys. The fourth number has no meaning if the track has
/// three rows. `None` if no lane from `at` on has keys.
#[inline(always)]
fn numbers<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    track: &Track,
    moment: &Moment,
    at: usize,
) -> Option<(S::M, Four<S::V>)> {
    if (track.lanes >> at) & (u16::MAX >> (LANES - WIDTH)) == 0 {
        return None;
    }
    let width = track.width();
    let [a, b] = moment.keys.map(|key| &track.keys[width * key..][..width]);
    let runs = s.load(&track.runs.0, at);
    let has_keys = s.le(s.all(), s.splat(0.0), runs);
    let fraction = s.mul(s.splat(moment.fraction), runs);
    let numbers = if track.first_row == local_row::ROTATION {
        let (a, b) = (load4(s, a, at), load4(s, b, at));
        if track.all_run { even_rotation_between(s, &a, &b, moment) } else { rotation_between(s, &a, &b, fraction) }
    } else {
        let mut numbers = [fraction; 4];
        for i in 0..3 {
            let (a, b) = (s.load(&a[i].0, at), s.load(&b[i].0, at));
            numbers[i] = s.add(a, s.mul(fraction, s.sub(b, a)));
        }
        numbers
    };
    Some((has_keys, numbers))
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
            store_matrices(s, &load_rows(s, block, at), matrices);
        }
    }
}

#[inline(always)]
fn load_rows<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, block: &LocalBlock, at: usize) -> Rows<S::V> {
    let mut rows = [s.splat(0.0); local_row::COUNT];
    for (row, numbers) in rows.iter_mut().zip(&block.0) {
        *row = s.load(numbers, at);
    }
    rows
}

#[inline(always)]
fn store_matrices<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &Rows<S::V>, matrices: &mut [Fours]) {
    let columns = columns(s, rows);
    match matrices.first_chunk_mut::<WIDTH>() {
        Some(all) => store_columns(s, &columns, all),
        None => store_columns(s, &columns, matrices),
    }
}

#[inline(always)]
fn store_columns<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, columns: &[Four<S::V>; 4], matrices: &mut [Fours]) {
    let [x, y, z, shift] = columns;
    let (x, y, z, shift) = (s.transpose4(*x), s.transpose4(*y), s.transpose4(*z), s.transpose4(*shift));
    for (k, (((x, y), z), shift)) in x.into_iter().zip(y).zip(z).zip(shift).enumerate() {
        let parts = s.transpose_fours([x, y, z, shift]);
        for (i, part) in parts.into_iter().enumerate() {
            let (matrix, at) = part_of_matrix::<WIDTH>(i);
            if let Some(matrix) = matrices.get_mut(4 * matrix + k) {
                s.store(part, &mut matrix.0, at);
            }
        }
    }
}

/// Columns x, y, z and translation; the fourth number of each is 0.
#[inline(always)]
fn columns<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, rows: &Rows<S::V>) -> [Four<S::V>; 4] {
    const TRANSLATION: usize = local_row::TRANSLATION;
    let [x, y, z, w] = [rows[0], rows[1], rows[2], rows[3]];
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
    let mut columns = [[rows[TRANSLATION], rows[TRANSLATION + 1], rows[TRANSLATION + 2], zero]; 4];
    for (c, axis) in axes.iter().enumerate() {
        let scale = rows[local_row::SCALE + c];
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
        let parent = &model_from_joint[parent.index()];
        let axes = [s.spread_column(parent, 0), s.spread_column(parent, 1), s.spread_column(parent, 2)];
        let shift = s.spread_column(parent, 3);
        let product = &mut model_from_joint[joint.index()];
        for at in (0..LANES).step_by(WIDTH) {
            let [x, y, z, _] = s.spread4(s.load(&local.0, at));
            let mut images = s.add(s.add(s.mul(axes[0], x), s.mul(axes[1], y)), s.mul(axes[2], z));
            if at + WIDTH == LANES {
                images = s.select(is_last, s.add(images, shift), images);
            }
            s.store_matrix(images, product, at);
        }
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
    weighted_sum(s, a, b, s.mul(rest, sums[0]), s.mul(fraction, sums[1]))
}

/// [`rotation_between`] with the fraction of the moment in all lanes.
#[inline(always)]
fn even_rotation_between<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &Four<S::V>,
    b: &Four<S::V>,
    moment: &Moment,
) -> Four<S::V> {
    let one = s.splat(1.0);
    let cosine_less_one = s.sub(dot4(s, a, b), one);
    let mut sums = [one; 2];
    for i in (0..TERMS).rev() {
        for (sum, terms) in sums.iter_mut().zip(&moment.terms) {
            *sum = s.add(s.mul(s.mul(s.splat(terms[i]), cosine_less_one), *sum), one);
        }
    }
    let (from, to) = (s.splat(1.0 - moment.fraction), s.splat(moment.fraction));
    weighted_sum(s, a, b, s.mul(from, sums[0]), s.mul(to, sums[1]))
}

/// The quaternion `a * from + b * to`, normalized.
#[inline(always)]
fn weighted_sum<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &Four<S::V>,
    b: &Four<S::V>,
    from: S::V,
    to: S::V,
) -> Four<S::V> {
    let mut sum = *a;
    for i in 0..4 {
        sum[i] = s.add(s.mul(a[i], from), s.mul(b[i], to));
    }
    let inverse = s.div(s.splat(1.0), s.sqrt(dot4(s, &sum, &sum)));
    [s.mul(sum[0], inverse), s.mul(sum[1], inverse), s.mul(sum[2], inverse), s.mul(sum[3], inverse)]
}
