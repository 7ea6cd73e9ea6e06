//! Sixteen posed triangles side by side, and which pairs of two such blocks can touch.
//!
//! Two triangles cannot touch where their bounds are apart, or where all corners of one are on one side of the plane of
//! the other. The planes are tested in `f32`, with more room for rounding than there can be: pairs that are let through are
//! decided exactly by [`geometry_core::triangle::overlap`], so that a kernel lets through what it likes and changes no
//! answer. All kernels let through the same nevertheless.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES, Row};
use glam::Vec3;

/// A height over a plane is a determinant of three vectors of differences. In `f32` it is off by less than 48 · 2^-24 of the
/// product of their largest components (see `geometry_core::triangle`). A share; no unit.
pub(super) const UNCERTAIN: f32 = 64.0 / 16_777_216.0;

/// What products that underflow can add to that, for each unit of a corner's distance and once.
pub(super) const UNDERFLOW: f32 = f32::MIN_POSITIVE;

/// Sixteen triangles. Lanes without a triangle have [`Bounds::EMPTY`].
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct TriangleBlock {
    /// Around each triangle.
    pub(crate) bounds: BoundsBlock,
    /// `corners[k][c]` holds coordinate `c` of corner `k` of each triangle.
    pub(super) corners: [[Row; 3]; 3],
    /// The cross product of the first two edges that leave corner 0.
    pub(super) normal: [Row; 3],
    /// [`UNCERTAIN`] times the largest components of these two edges.
    pub(super) uncertain: Row,
}

impl TriangleBlock {
    /// At most sixteen triangles.
    pub(crate) fn new(triangles: impl Iterator<Item = [Vec3; 3]>) -> Self {
        let zero = [0.0; LANES];
        let mut block =
            Self { bounds: BoundsBlock::EMPTY, corners: [[zero; 3]; 3], normal: [zero; 3], uncertain: zero };
        let mut count = 0;
        for (lane, triangle) in triangles.take(LANES).enumerate() {
            for (rows, corner) in block.corners.iter_mut().zip(triangle) {
                rows[0][lane] = corner.x;
                rows[1][lane] = corner.y;
                rows[2][lane] = corner.z;
            }
            count = lane + 1;
        }
        let [a, b, c] = &block.corners;
        // Plain loops over rows, which the compiler turns into vectors.
        let (mut u, mut v) = ([zero; 3], [zero; 3]);
        for axis in 0..3 {
            for lane in 0..LANES {
                let (one, two, three) = (a[axis][lane], b[axis][lane], c[axis][lane]);
                u[axis][lane] = two - one;
                v[axis][lane] = three - one;
                let (low, high) = if one < two { (one, two) } else { (two, one) };
                block.bounds.min[axis][lane] = if three < low { three } else { low };
                block.bounds.max[axis][lane] = if three > high { three } else { high };
            }
        }
        for lane in 0..LANES {
            let (u, v) = ([u[0][lane], u[1][lane], u[2][lane]], [v[0][lane], v[1][lane], v[2][lane]]);
            block.normal[0][lane] = u[1] * v[2] - u[2] * v[1];
            block.normal[1][lane] = u[2] * v[0] - u[0] * v[2];
            block.normal[2][lane] = u[0] * v[1] - u[1] * v[0];
            block.uncertain[lane] = UNCERTAIN * largest(u) * largest(v);
        }
        for lane in count..LANES {
            block.bounds.set(lane, &Bounds::EMPTY);
        }
        block
    }

    fn corner(&self, lane: usize, corner: usize) -> [f32; 3] {
        self.corners[corner].map(|row| row[lane])
    }

    /// Whether all corners of a triangle of `other` are on one side of the plane of this triangle, beyond doubt.
    fn parts(&self, lane: usize, other: &Self, other_lane: usize) -> bool {
        let (base, normal) = (self.corner(lane, 0), self.normal.map(|row| row[lane]));
        let (mut above, mut below) = (true, true);
        for corner in 0..3 {
            let at = other.corner(other_lane, corner);
            let from = [at[0] - base[0], at[1] - base[1], at[2] - base[2]];
            let height = (normal[0] * from[0] + normal[1] * from[1]) + normal[2] * from[2];
            let far = largest(from);
            let doubt = self.uncertain[lane] * far + (UNDERFLOW * far + UNDERFLOW);
            above &= doubt <= height;
            below &= doubt <= 0.0 - height;
        }
        above || below
    }
}

#[inline(always)]
fn largest(v: [f32; 3]) -> f32 {
    let [x, y, z] = v.map(f32::abs);
    let larger = if x > y { x } else { y };
    if larger > z { larger } else { z }
}

/// The scalar kernel of [`super::triangle_masks`].
pub(super) fn masks(a: &TriangleBlock, near_a: u16, b: &TriangleBlock, masks: &mut [u16; LANES]) {
    for (lane, mask) in masks.iter_mut().enumerate() {
        *mask = 0;
        if near_a >> lane & 1 == 0 {
            continue;
        }
        let bounds = a.bounds.get(lane);
        for other in 0..LANES {
            let can_touch =
                bounds.overlaps(&b.bounds.get(other)) && !b.parts(other, a, lane) && !a.parts(lane, b, other);
            *mask |= u16::from(can_touch) << other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, triangle_masks};
    use super::*;
    use geometry_core::triangle::overlap;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![4 => -1f32..1.0, 2 => (-2i8..3).prop_map(f32::from), 1 => Just(1e-30f32), 1 => -1e-3f32..1e-3]
    }

    fn corners() -> impl Strategy<Value = [Vec3; 3]> {
        prop::array::uniform3(prop::array::uniform3(number()).prop_map(Vec3::from_array))
    }

    proptest! {
        #[test]
        fn no_pair_that_touches_is_left_out_and_kernels_agree(
            a in prop::collection::vec(corners(), 1..=LANES),
            b in prop::collection::vec(corners(), 1..=LANES),
            scale in prop_oneof![3 => Just(1.0f32), 1 => Just(1e-20f32), 1 => Just(1e10f32)],
        ) {
            let scaled = |triangles: Vec<[Vec3; 3]>| -> Vec<[Vec3; 3]> {
                triangles.into_iter().map(|corners| corners.map(|corner| corner * scale)).collect()
            };
            let (a, b) = (scaled(a), scaled(b));
            let (block_a, block_b) = (TriangleBlock::new(a.iter().copied()), TriangleBlock::new(b.iter().copied()));
            let mut expected = [0; LANES];
            masks(&block_a, u16::MAX, &block_b, &mut expected);
            for (lane, mask) in expected.iter().enumerate() {
                for other in 0..LANES {
                    let let_through = mask >> other & 1 == 1;
                    let touches = lane < a.len() && other < b.len() && overlap(&a[lane], &b[other]);
                    prop_assert!(let_through || !touches);
                    prop_assert!(!let_through || (lane < a.len() && other < b.len()), "lanes without a triangle");
                }
            }
            for kernel in Kernel::available() {
                let mut found = [0; LANES];
                triangle_masks(kernel, &block_a, u16::MAX, &block_b, &mut found);
                prop_assert_eq!(found, expected, "{:?}", kernel);
            }
        }
    }
}
