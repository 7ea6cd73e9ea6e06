//! The widest gap between two boxes along the 15 axes, from the dot products of their axes.
//!
//! The functions have no branches, so that a loop over many pairs becomes vectors.

use crate::lane_numbers::{put_vector, vector};
use crate::math::sqrt;
use glam::DVec3;

/// Edges whose cross product is shorter than this have no reliable direction. A gap along such an axis is ignored; it differs
/// from the gap along a face normal by less than this share of the boxes' sizes.
const PARALLEL: f64 = 1.0e-8;

/// The two edges whose cross product is an axis: indices of the first and the second box's axes. For a face normal, which is
/// parallel to one edge, the other edge is [`NO_EDGE`]. The indices are `f64`, because the compiler turns comparisons of integers
/// into jumps.
pub(crate) type Edges = [f64; 2];

/// See [`Edges`].
pub(crate) const NO_EDGE: f64 = 3.0;

/// Two boxes at one time, in the frame of the first box, whose axes are x, y and z.
#[derive(Clone, Copy)]
pub(crate) struct Instant {
    /// The second box's axes, which are orthonormal.
    pub(crate) axes: [DVec3; 3],
    /// The vector from the first center to the second.
    pub(crate) apart: DVec3,
}

/// The widest gap, or the least overlap.
#[derive(Clone, Copy)]
pub(crate) struct Widest {
    /// The gap in the boxes' unit; minus the depth if the boxes overlap.
    pub(crate) gap: f64,
    /// The axis of the gap, a unit vector in the frame of the first box.
    pub(crate) axis: DVec3,
    /// The sign of the axis' direction from the first box toward the second: 1 or -1.
    pub(crate) sign: f64,
    /// 1 divided by the length of the two edges' cross product; 1 for a face normal.
    pub(crate) over_length: f64,
    pub(crate) edges: Edges,
}

/// The edges of an axis, and 1 for a face normal, otherwise 0.
#[inline(always)]
pub(crate) fn edges(axes: &[DVec3; 3], [i, j]: Edges) -> (DVec3, DVec3, f64) {
    let one = |k: f64| if i == k { 1.0 } else { 0.0 };
    let edge = DVec3::new(one(0.0), one(1.0), one(2.0));
    let pick = |x: f64, y: f64, z: f64| {
        let number = if j == 0.0 { x } else { 0.0 };
        let number = if j == 1.0 { y } else { number };
        if j == 2.0 { z } else { number }
    };
    let [x, y, z] = axes;
    let other = DVec3::new(pick(x.x, y.x, z.x), pick(x.y, y.y, z.y), pick(x.z, y.z, z.z));
    let is_face = if i == NO_EDGE { 1.0 } else { 0.0 };
    (edge, other, if j == NO_EDGE { 1.0 } else { is_face })
}

impl Instant {
    /// Finds the widest gap; if several are equally wide, the first in the order of [`crate::SatAxis::ALL`].
    #[inline(always)]
    pub(crate) fn widest(&self, half: &[DVec3; 2]) -> Widest {
        let r = self.axes.map(|axis| axis.to_array());
        let p = self.axes.map(|axis| axis.abs().to_array());
        let t = self.apart.to_array();
        let (a, b) = (half[0].to_array(), half[1].to_array());
        let face_a = |i: usize| {
            let gap = t[i].abs() - (a[i] + (b[0] * p[0][i] + b[1] * p[1][i] + b[2] * p[2][i]));
            Gap { gap, edges: [i as f64, NO_EDGE] }
        };
        let face_b = |j: usize| {
            let along = t[0] * r[j][0] + t[1] * r[j][1] + t[2] * r[j][2];
            let gap = along.abs() - (b[j] + (a[0] * p[j][0] + a[1] * p[j][1] + a[2] * p[j][2]));
            Gap { gap, edges: [NO_EDGE, j as f64] }
        };
        let cross = |i: usize, j: usize| {
            let ([i1, i2], [j1, j2]) = ([(i + 1) % 3, (i + 2) % 3], [(j + 1) % 3, (j + 2) % 3]);
            let along = t[i2] * r[j][i1] - t[i1] * r[j][i2];
            let reach = (a[i1] * p[j][i2] + a[i2] * p[j][i1]) + (b[j1] * p[j2][i] + b[j2] * p[j1][i]);
            let gap = along.abs() - reach;
            let length_squared = r[j][i1] * r[j][i1] + r[j][i2] * r[j][i2];
            let square = if length_squared > PARALLEL * PARALLEL { gap * gap.abs() } else { f64::NEG_INFINITY };
            CrossGap { gap: Gap { gap, edges: [i as f64, j as f64] }, square, length_squared }
        };
        let of_a = face_a(0).or_wider(face_a(1)).or_wider(face_a(2));
        let of_b = face_b(0).or_wider(face_b(1)).or_wider(face_b(2));
        let face = of_a.or_wider(of_b);
        let row = |i: usize| cross(i, 0).or_wider(cross(i, 1)).or_wider(cross(i, 2));
        let face = CrossGap { gap: face, square: face.gap * face.gap.abs(), length_squared: 1.0 };
        let CrossGap { gap: Gap { gap, edges: of_widest }, length_squared, .. } =
            face.or_wider(row(0).or_wider(row(1)).or_wider(row(2)));
        let over_length = 1.0 / sqrt(length_squared);
        let (edge, other, is_face) = edges(&self.axes, of_widest);
        let axis = (edge.cross(other) + (edge + other) * is_face) * over_length;
        let sign = if axis.dot(self.apart) < 0.0 { -1.0 } else { 1.0 };
        Widest { gap: gap * over_length, axis, sign, over_length, edges: of_widest }
    }
}

#[derive(Clone, Copy)]
struct Gap {
    gap: f64,
    edges: Edges,
}

impl Gap {
    #[inline(always)]
    fn or_wider(self, other: Self) -> Self {
        let wider = other.gap > self.gap;
        Self { gap: if wider { other.gap } else { self.gap }, edges: wider_edges(wider, other.edges, self.edges) }
    }
}

#[inline(always)]
fn wider_edges(wider: bool, [i, j]: Edges, [other_i, other_j]: Edges) -> Edges {
    [if wider { i } else { other_i }, if wider { j } else { other_j }]
}

/// A gap times the length of its axis.
#[derive(Clone, Copy)]
struct CrossGap {
    gap: Gap,
    /// The square of `gap` with its sign; minus infinity if the axis is too short.
    square: f64,
    length_squared: f64,
}

impl CrossGap {
    /// Compares two gaps without a division by the lengths.
    #[inline(always)]
    fn or_wider(self, other: Self) -> Self {
        let wider = other.square * self.length_squared > self.square * other.length_squared;
        Self {
            gap: Gap {
                gap: if wider { other.gap.gap } else { self.gap.gap },
                edges: wider_edges(wider, other.gap.edges, self.gap.edges),
            },
            square: if wider { other.square } else { self.square },
            length_squared: if wider { other.length_squared } else { self.length_squared },
        }
    }
}

impl Widest {
    pub(crate) const NUMBERS: usize = 8;

    #[inline(always)]
    pub(crate) fn read(row: impl Fn(usize) -> f64) -> Self {
        Self { gap: row(0), axis: vector(&row, 1), sign: row(4), over_length: row(5), edges: [row(6), row(7)] }
    }

    #[inline(always)]
    pub(crate) fn write(&self, mut put: impl FnMut(usize, f64)) {
        put(0, self.gap);
        put_vector(&mut put, 1, self.axis);
        put(4, self.sign);
        put(5, self.over_length);
        put(6, self.edges[0]);
        put(7, self.edges[1]);
    }
}
