//! Finds the pairs of moving boxes that may meet, and their earliest possible times, for sixteen pairs at a time.
//!
//! The boxes' motions are those of [`geometry_core::ObbMotion`] with the larger half extents of both poses. A reject must be
//! certain, so everything is bounded outward:
//!
//! The 15 directions along which boxes are tested turn with the boxes: their axes `aᵢ(t)` and `bⱼ(t)`, and the cross products
//! `aᵢ(t) × bⱼ(t)`. Let the boxes turn by the angles `α` and `β`, let `w` be the way of the second center relative to the
//! first, and let `d(t)` be the centers' difference, which moves along a line. A function that differs from the straight
//! line between its values at the times 0 and 1 does so by at most an eighth of its largest second derivative, so
//!
//! - `aᵢ·bⱼ` differs by at most `(α + β)² / 8`, and so does each radius, times the half extents;
//! - `aᵢ·d` differs by at most `(α² |d| + 2 α |w|) / 8`, and `bⱼ·d` likewise with `β`; for a cross product, put
//!   `α + β`, because it is not longer than 1 and turns by at most that much.
//!
//! With these margins, the boxes are apart along a direction during one interval that begins at time 0 or one that ends at
//! time 1. Boxes meet only at times that lie in no such interval. For small angles the margins are far smaller than
//! those of bounds around whole arcs, which grow with the angle itself.
//!
//! Two boxes count as met where the widest gap along the 15 directions, at unit length, is at most a tolerance; so it is at
//! most the tolerance along each of these directions.

use super::NEAR_TOLERANCE;
use super::bounds::Bounds;
use super::layout::{LANES, Record};
use glam::Mat3;

/// The margin for rounding, as a share of the sum of all half extents. Up to a few millionths
/// ([`geometry_core::tolerances::ORTHONORMAL_TOLERANCE`]), the stored axes are orthonormal, and the last pose's axes are
/// those of the motion's end. Sums of products round by less than 2^-19.
pub(super) const SIZE_SLACK: f32 = 1.0 / 16_384.0;

/// The margin for rounding, as a share of the centers' differences at both ends: 256 roundings. The arithmetic of cross
/// products assumes that the stored axes are orthonormal, and they are so up to 17 roundings. The last pose's axes are those
/// of the motion's end up to a few millionths.
pub(super) const WAY_SLACK: f32 = 1.0 / 65_536.0;

/// The margin for the length of a chord of the unit circle: the axes at its ends have errors of a few millionths.
pub(super) const CHORD_SLACK: f32 = 1e-5;

/// An arc of at most half a circle with the chord `c` and radius 1 is not longer than `c (1 + ARC c²)`: the arc is `2 asin(c / 2)`,
/// the quotient of `asin x - x` and `x³` grows with `x`, and at `x = 1` it is `π / 2 - 1`.
pub(super) const ARC: f32 = 0.142_7;

/// The share of a time by which times are widened: eight roundings.
pub(super) const WIDEN: f32 = 8.0 * f32::EPSILON;

/// The largest distance of an arc from its chord, as a share of `r (1 - cos t)` for an arc of radius `r` and angle `t`: a
/// sixteenth of π², and 64 roundings.
pub(super) const BEND: f32 = 0.616_857;

/// The margin for the rounding of one minus a cosine.
pub(super) const BENT_SLACK: f32 = 8.0 * f32::EPSILON;

/// The margin for the rounding of swept bounds, as a share of their coordinates.
pub(super) const GRID: f32 = 4.0 * f32::EPSILON;

/// The records of pairs of moving boxes in the first poses and in the last poses.
pub(crate) struct MovingPairs<'r> {
    pub(super) from: [[&'r Record; LANES]; 2],
    pub(super) to: [[&'r Record; LANES]; 2],
    len: usize,
}

impl<'r> MovingPairs<'r> {
    pub(crate) const fn new() -> Self {
        const NONE: &Record = &Record::NONE;
        Self { from: [[NONE; LANES]; 2], to: [[NONE; LANES]; 2], len: 0 }
    }

    /// Adds a pair. Each box is given by its records in the first and in the last pose.
    ///
    /// # Panics
    /// Panics if there are sixteen pairs already.
    pub(crate) fn push(&mut self, a: [&'r Record; 2], b: [&'r Record; 2]) {
        (self.from[0][self.len], self.to[0][self.len]) = (a[0], a[1]);
        (self.from[1][self.len], self.to[1][self.len]) = (b[0], b[1]);
        self.len += 1;
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_full(&self) -> bool {
        self.len == LANES
    }

    /// The lanes that hold pairs.
    pub(super) fn lanes(&self) -> u16 {
        match self.len {
            0 => 0,
            len => u16::MAX >> (LANES - len),
        }
    }
}

/// The bounds of the space that a box passes through. [`super::swept_bounds`] repeats this arithmetic, in the order written here.
///
/// A corner's place is the sum of the box's center, which moves along a line, and a vector that runs along an arc of
/// radius `r` and angle `t`. A point that moves evenly along the arc's chord is at each time within `r t² / 8` of that
/// vector (the error of linear interpolation), and `t² <= π² (1 - cos t) / 2`. So the union of the bounds at both ends,
/// enlarged by `π² r (1 - cos t) / 16`, contains the box at every time.
pub(crate) fn swept_bounds(from: &Record, to: &Record) -> Bounds {
    let half = from.half().max(to.half());
    let (first, last) = (from.axes(), to.axes());
    let products = [first.x_axis.dot(last.x_axis), first.y_axis.dot(last.y_axis), first.z_axis.dot(last.z_axis)];
    let cosine = (products[0] + products[1] + products[2] - 1.0) * 0.5;
    let bent = (1.0 - cosine).max(0.0) + BENT_SLACK;
    let bend = (half.x * half.x + half.y * half.y + half.z * half.z).sqrt() * BEND * bent;
    let slack = bend + (half.x + half.y + half.z) * (2.0 * NEAR_TOLERANCE) + 2.0 * f32::MIN_POSITIVE;
    let reach = |axes: &Mat3| axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
    let (reach_first, reach_last) = (reach(&first), reach(&last));
    let low = (from.center() - reach_first).min(to.center() - reach_last);
    let high = (from.center() + reach_first).max(to.center() + reach_last);
    let slack = low.abs().max(high.abs()) * GRID + slack;
    Bounds { min: low - slack, max: high + slack }
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, meeting_pairs, swept_bounds as swept_bounds_by};
    use super::*;
    use crate::kernels::layout::BoundsBlock;
    use geometry_core::{Obb, ObbMotion};
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    fn unit(q: [f32; 4]) -> Quat {
        let q = Quat::from_array(q);
        if q.length_squared() > 1e-3 { q.normalize() } else { Quat::IDENTITY }
    }

    /// The first and the last pose: boxes that stay, that only move, that turn a little and by up to half a turn.
    fn motion(reach: f32) -> impl Strategy<Value = [Obb; 2]> {
        let half = || prop::array::uniform3(prop_oneof![4 => 0.0625f32..1.0, 1 => Just(0.0)]);
        let turn = || prop::array::uniform4(-1f32..1.0).prop_map(unit);
        let more = prop_oneof![
            2 => Just(Quat::IDENTITY),
            2 => (-0.2f32..0.2).prop_map(|angle| unit([angle, 0.3 * angle, 0.1, 1.0])),
            1 => prop::array::uniform4(-1f32..1.0).prop_map(unit),
        ];
        let way = prop_oneof![1 => Just(Vec3::ZERO), 4 => prop::array::uniform3(-3f32..3.0).prop_map(Vec3::from)];
        let center = prop::array::uniform3(-reach..reach).prop_map(Vec3::from);
        (center, half(), turn(), more, way).prop_map(|(center, half, turn, more, way)| {
            let last = center + way;
            [
                Obb::from_orientation(center, half.into(), turn),
                Obb::from_orientation(last, half.into(), (more * turn).normalize()),
            ]
        })
    }

    /// Motions of [`motion`], the first near the origin; or motions between boxes that share axes, faces, edges and corners.
    fn motions(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<[Obb; 2]>> {
        let unkind = (any::<u64>().no_shrink(), count.clone()).prop_map(|(seed, count)| {
            let boxes = test_models::Random::new(seed).unkind_boxes(2 * count);
            let at = |k: usize, of: usize| {
                Obb::from_orientation(boxes[k].center, boxes[of].half_extents, boxes[k].orientation)
            };
            (0..count).map(|k| [at(2 * k, 2 * k), at(2 * k + 1, 2 * k)]).collect()
        });
        let others = prop::collection::vec(motion(2.5), count.start - 1..count.end - 1);
        let random = (motion(0.5), others).prop_map(|(first, others)| [vec![first], others].concat());
        prop_oneof![2 => random, 1 => unkind]
    }

    fn records(boxes: &[Obb; 2]) -> [Record; 2] {
        boxes.map(|one| Record::of_box(&one))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn pairs_that_meet_are_never_ruled_out_and_never_late(
            motions in motions(2..18),
            tolerance in prop_oneof![Just(1e-6f32), Just(1e-4), Just(1e-2)],
            scale in prop_oneof![4 => Just(1f32), 1 => Just(1e-6), 1 => Just(1e5)],
        ) {
            let scaled = |one: &[Obb; 2]| one.map(|one| Obb::new(one.center() * scale, one.half_extents() * scale, one.axes()));
            let a = scaled(&motions[0]);
            let others: Vec<_> = motions[1..].iter().map(scaled).collect();
            let record = records(&a);
            let of_others: Vec<_> = others.iter().map(records).collect();
            let mut pairs = MovingPairs::new();
            of_others.iter().for_each(|[from, to]| pairs.push([&record[0], &record[1]], [from, to]));
            let motion = ObbMotion::between(&a[0], &a[1]);
            for kernel in Kernel::available() {
                let mut earliest = [f32::NAN; LANES];
                let may_meet = meeting_pairs(kernel, &pairs, tolerance, &mut earliest);
                prop_assert_eq!(may_meet & !pairs.lanes(), 0);
                for (lane, other) in others.iter().enumerate() {
                    let contact = Obb::first_contact(&motion, &ObbMotion::between(&other[0], &other[1]), tolerance);
                    if let Some(contact) = contact {
                        prop_assert!(may_meet >> lane & 1 == 1, "{kernel:?}: {a:?} and {other:?} meet");
                        prop_assert!(earliest[lane] <= contact.time, "{kernel:?}: {} is after {}", earliest[lane], contact.time);
                    }
                }
            }
        }

        #[test]
        fn bounds_of_lanes_have_the_bits_of_the_defined_ones(motions in motions(1..41)) {
            let (from, to): (Vec<_>, Vec<_>) = motions.iter().map(records).map(|[from, to]| (from, to)).unzip();
            for kernel in Kernel::available() {
                let mut blocks = vec![BoundsBlock::EMPTY; from.len().div_ceil(LANES)];
                swept_bounds_by(kernel, &from, &to, &mut blocks);
                for (index, (from, to)) in from.iter().zip(&to).enumerate() {
                    let (defined, found) = (swept_bounds(from, to), blocks[index / LANES].get(index % LANES));
                    prop_assert_eq!(found, defined, "{:?}", kernel);
                }
            }
        }
    }

    /// The test rules out a blade that passes by and keeps one that passes through.
    #[test]
    fn passing_boxes_are_ruled_out() {
        let at = |x: f32, y: f32, turn: f32| {
            Obb::from_orientation(
                Vec3::new(x, y, 0.0),
                Vec3::new(0.02, 0.45, 0.03),
                Quat::from_xyzw(0.0, 0.0, turn, 1.0).normalize(),
            )
        };
        let (still, moving) = (records(&[at(0.0, 0.0, 0.0); 2]), records(&[at(-0.2, 1.0, 0.0), at(0.2, 1.0, 0.05)]));
        let through = records(&[at(-0.2, 0.5, 0.0), at(0.2, 0.5, 0.05)]);
        let mut pairs = MovingPairs::new();
        pairs.push([&still[0], &still[1]], [&moving[0], &moving[1]]);
        pairs.push([&still[0], &still[1]], [&through[0], &through[1]]);
        for kernel in Kernel::available() {
            let mut earliest = [f32::NAN; LANES];
            assert_eq!(meeting_pairs(kernel, &pairs, 1e-4, &mut earliest), 0b10, "{kernel:?}");
            assert!((0.2..0.45).contains(&earliest[1]), "{}", earliest[1]);
        }
    }
}
