//! The kernel that defines the answer. Every other kernel repeats these operations in this order.

use super::MARGIN;
use crate::lanes::{Block, LANES, Lane};

pub(super) fn masks(query: &Lane, blocks: &[Block], masks: &mut [u16]) {
    for (block, mask) in blocks.iter().zip(masks) {
        *mask = 0;
        for lane in 0..LANES {
            *mask |= u16::from(overlaps(query, &block.get(lane))) << lane;
        }
    }
}

/// Whether the boxes share a point. Every comparison is one that fails on NaN.
pub(super) fn overlaps(a: &Lane, b: &Lane) -> bool {
    let d = [b.center[0] - a.center[0], b.center[1] - a.center[1], b.center[2] - a.center[2]];
    let reach = a.radius + b.radius;
    let margin = reach * MARGIN;
    near(a, b, &d, reach, margin) && no_axis_separates(a, b, &d, margin)
}

/// The spheres and the axis-aligned boxes around the two overlap.
fn near(a: &Lane, b: &Lane, d: &[f32; 3], reach: f32, margin: f32) -> bool {
    let reach = reach + margin;
    dot(d, d) <= reach * reach
        && d[0].abs() <= (a.extent[0] + b.extent[0]) + margin
        && d[1].abs() <= (a.extent[1] + b.extent[1]) + margin
        && d[2].abs() <= (a.extent[2] + b.extent[2]) + margin
}

fn no_axis_separates(a: &Lane, b: &Lane, d: &[f32; 3], margin: f32) -> bool {
    let (ha, hb) = (&a.half, &b.half);
    // The cosines between the boxes' axes, and the way from centre to centre along those of `a`.
    let r = a.axes.map(|axis| [dot(&axis, &b.axes[0]), dot(&axis, &b.axes[1]), dot(&axis, &b.axes[2])]);
    let q = r.map(|row| row.map(f32::abs));
    let t = [dot(d, &a.axes[0]), dot(d, &a.axes[1]), dot(d, &a.axes[2])];
    let touching = |distance: f32, reach: f32| distance.abs() <= reach + margin;
    for i in 0..3 {
        let reach = ha[i] + (hb[0] * q[i][0] + hb[1] * q[i][1] + hb[2] * q[i][2]);
        if !touching(t[i], reach) {
            return false;
        }
    }
    for j in 0..3 {
        let reach = hb[j] + (ha[0] * q[0][j] + ha[1] * q[1][j] + ha[2] * q[2][j]);
        if !touching(dot(d, &b.axes[j]), reach) {
            return false;
        }
    }
    // The edges' cross products, not normalised: both sides of the comparison shrink alike, and the margin, which
    // does not, keeps nearly parallel edges from inventing a gap.
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let reach = (ha[i1] * q[i2][j] + ha[i2] * q[i1][j]) + (hb[j1] * q[i][j2] + hb[j2] * q[i][j1]);
            if !touching(t[i2] * r[i1][j] - t[i1] * r[i2][j], reach) {
                return false;
            }
        }
    }
    true
}

fn dot(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
