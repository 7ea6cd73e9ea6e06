//! Brings records and matrices into lanes, and back.

use super::layout::{Quarters, Record};
use super::three::{Three, cross, sum3};
use super::vectors::{Vectors, part_of_matrix};
use glam::Affine3A;

/// A box in each lane.
#[derive(Clone, Copy)]
pub(super) struct Boxes<V> {
    pub(super) center: Three<V>,
    pub(super) half: Three<V>,
    pub(super) axes: [Three<V>; 3],
    /// The sum of the half extents.
    pub(super) size: V,
}

impl<V: Copy> Boxes<V> {
    /// The numbers of a [`Record`], in their order, four by four.
    #[inline(always)]
    fn quarters(&self) -> [[V; 4]; 3] {
        let (c, h, [x, y, _]) = (&self.center, &self.half, &self.axes);
        [[c[0], c[1], c[2], h[0]], [h[1], h[2], x[0], x[1]], [x[2], y[0], y[1], y[2]]]
    }
}

/// Brings the numbers of `WIDTH` records into lanes, and computes axis z and the sum of the half extents of each box.
#[inline(always)]
pub(super) fn gather<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, records: &[&Record; WIDTH]) -> Boxes<S::V> {
    let [cx, cy, cz, hx] = gather_quarter(s, records, 0);
    let [hy, hz, xx, xy] = gather_quarter(s, records, 1);
    let [xz, yx, yy, yz] = gather_quarter(s, records, 2);
    let (x, y) = ([xx, xy, xz], [yx, yy, yz]);
    Boxes { center: [cx, cy, cz], half: [hx, hy, hz], axes: [x, y, cross(s, &x, &y)], size: sum3(s, hx, hy, hz) }
}

/// Brings numbers `4 * quarter` to `4 * quarter + 4` of `WIDTH` records into lanes.
#[inline(always)]
pub(super) fn gather_quarter<const WIDTH: usize, S: Vectors<WIDTH>, R: Quarters>(
    s: S,
    records: &[&R; WIDTH],
    quarter: usize,
) -> [S::V; 4] {
    s.transpose4([
        s.load_quarters(records, 0, quarter),
        s.load_quarters(records, 1, quarter),
        s.load_quarters(records, 2, quarter),
        s.load_quarters(records, 3, quarter),
    ])
}

/// Writes the lanes to one record after another, as many as `records` has room for.
#[inline(always)]
pub(super) fn scatter<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, boxes: &Boxes<S::V>, records: &mut [Record]) {
    match records.first_chunk_mut::<WIDTH>() {
        Some(all) => scatter_into(s, boxes, all),
        None => {
            let mut all = [Record::NONE; WIDTH];
            scatter_into(s, boxes, &mut all);
            records.copy_from_slice(&all[..records.len()]);
        }
    }
}

/// Four records are three times four groups of four numbers, so whole vectors are written.
#[inline(always)]
fn scatter_into<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, boxes: &Boxes<S::V>, records: &mut [Record; WIDTH]) {
    let [a, b, c] = boxes.quarters();
    let fours = [s.transpose4(a), s.transpose4(b), s.transpose4(c)];
    for third in 0..3 {
        let mut groups = fours[0];
        for (i, group) in groups.iter_mut().enumerate() {
            let index = 4 * third + i;
            *group = fours[index % 3][index / 3];
        }
        for (i, part) in s.transpose_fours(groups).into_iter().enumerate() {
            let (of_four, at) = part_of_matrix::<WIDTH>(i);
            s.store_in_records(part, records, 48 * of_four + 16 * third + at);
        }
    }
}

/// Columns x, y, z and translation.
#[inline(always)]
pub(super) fn joint_columns<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    joints: &[&Affine3A; WIDTH],
) -> [Three<S::V>; 4] {
    let mut fours = [[s.splat(0.0); 4]; 4];
    for (k, fours) in fours.iter_mut().enumerate() {
        let mut parts = *fours;
        for (i, part) in parts.iter_mut().enumerate() {
            let (matrix, at) = part_of_matrix::<WIDTH>(i);
            *part = s.load_matrix(joints[4 * matrix + k], at);
        }
        *fours = s.transpose_fours(parts);
    }
    let mut columns = [[s.splat(0.0); 3]; 4];
    for (index, column) in columns.iter_mut().enumerate() {
        let rows = s.transpose4([fours[0][index], fours[1][index], fours[2][index], fours[3][index]]);
        *column = [rows[0], rows[1], rows[2]];
    }
    columns
}
