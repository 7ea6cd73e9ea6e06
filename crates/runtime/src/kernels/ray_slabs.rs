//! A ray against the bounds of sixteen boxes.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES, Row};
use super::three::splat3;
use super::vectors::Vectors;
use geometry_core::Ray;
use glam::Vec3A;

/// The share of a time by which times are widened: more than twice the rounding error. Times are products of a
/// difference of stored numbers and an inverse, so each rounds three times, relative to itself.
const WIDEN: f32 = 8.0 * f32::EPSILON;

/// The amount by which the earliest times are made earlier in addition to [`WIDEN`]: below this number, the rounding error of a product
/// is absolute and no longer relative.
const LEAST_TIME: f32 = f32::MIN_POSITIVE;

/// The most blocks that are tested together: their lanes are the bits of a `u64`.
pub(crate) const RAY_BLOCKS: usize = u64::BITS as usize / LANES;

/// A time beyond all times along axes on which the ray moves.
const AT_REST: f32 = 1e30;

/// The limit of inverses: smaller inverses keep times below [`AT_REST`], since coordinates are at most
/// [`geometry_core::MAX_COORDINATE`].
const GREATEST_INVERSE: f32 = 1e15;

/// A ray for conservative tests against bounds: the tests pass all bounds that the ray hits.
///
/// Vectors of four numbers, because a load of numbers that were just stored one by one takes several times as long.
pub(crate) struct Slabs {
    origin: Vec3A,
    /// One over the direction, and the largest number for an axis on which the ray does not move. All 0 if a component
    /// of the direction is too small; then all bounds pass.
    inverse: Vec3A,
    /// The amount by which times are moved apart: [`AT_REST`] for an axis on which the ray does not move, otherwise 0. Along
    /// such an axis, the ray then meets the bounds that contain its origin at all times, and all other bounds at no time, up
    /// to a tiny distance. All [`AT_REST`] if `inverse` is 0.
    spread: Vec3A,
    max_time: f32,
}

impl Slabs {
    pub(crate) fn new(ray: &Ray, max_time: f32) -> Self {
        Self::along(ray.origin().into(), ray.direction().into(), max_time)
    }

    /// The slabs of a ray with this origin and direction.
    pub(crate) fn along(origin: Vec3A, direction: Vec3A, max_time: f32) -> Self {
        let inverse = 1.0 / direction;
        let has_inverse = inverse.abs().cmple(Vec3A::splat(GREATEST_INVERSE));
        if has_inverse.all() {
            return Self { origin, inverse, spread: Vec3A::ZERO, max_time };
        }
        let is_at_rest = direction.cmpeq(Vec3A::ZERO);
        if !(has_inverse | is_at_rest).all() {
            return Self { origin, inverse: Vec3A::ZERO, spread: Vec3A::splat(AT_REST), max_time };
        }
        let inverse = Vec3A::select(is_at_rest, Vec3A::MAX, inverse);
        let spread = Vec3A::select(is_at_rest, Vec3A::splat(AT_REST), Vec3A::ZERO);
        Self { origin, inverse, spread, max_time }
    }

    /// Returns `false` if a component of the direction is too small.
    #[inline]
    fn has_inverse(&self) -> bool {
        self.inverse != Vec3A::ZERO
    }

    /// The latest time of the query.
    #[inline]
    pub(crate) fn max_time(&self) -> f32 {
        self.max_time
    }

    /// The earliest time at which the ray may hit the bounds; `None` if it cannot hit them.
    #[inline]
    pub(crate) fn may_hit(&self, bounds: &Bounds) -> Option<f32> {
        let first = (Vec3A::from(bounds.min) - self.origin) * self.inverse - self.spread;
        let second = (Vec3A::from(bounds.max) - self.origin) * self.inverse + self.spread;
        let (low, high) = (first.min(second).max_element(), first.max(second).min_element());
        let enter = if low > 0.0 { low } else { 0.0 };
        let leave = if high < self.max_time { high } else { self.max_time };
        let enter = enter * (1.0 - WIDEN) - LEAST_TIME;
        let enter = if enter > 0.0 { enter } else { 0.0 };
        (!bounds.is_empty() && enter <= leave * (1.0 + WIDEN)).then_some(enter)
    }
}

/// [`Slabs::may_hit`] of all lanes.
#[inline(always)]
pub(super) fn ray_lanes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    slabs: &Slabs,
    blocks: &[BoundsBlock],
    earliest: &mut [Row],
) -> u64 {
    if slabs.spread == Vec3A::ZERO {
        ray_lanes_of::<WIDTH, false, S>(s, slabs, blocks, earliest)
    } else if slabs.has_inverse() {
        ray_lanes_of::<WIDTH, true, S>(s, slabs, blocks, earliest)
    } else {
        all_lanes(s, slabs, blocks, earliest)
    }
}

/// All lanes with a box, at time 0, for a ray whose direction has no inverse.
#[inline(always)]
fn all_lanes<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    slabs: &Slabs,
    blocks: &[BoundsBlock],
    earliest: &mut [Row],
) -> u64 {
    let mut lanes = 0;
    for (index, (block, earliest)) in blocks.iter().zip(earliest).enumerate() {
        *earliest = [0.0; LANES];
        for at in (0..LANES).step_by(WIDTH) {
            let is_there = s.le(s.all(), s.load(&block.min[0], at), s.load(&block.max[0], at));
            lanes |= u64::from(s.bits(is_there)) << (index * LANES + at);
        }
    }
    if slabs.max_time >= 0.0 { lanes } else { 0 }
}

/// `SPREADS` is `true` if a number of [`Slabs::spread`] is not 0. Most rays move along all axes, and their numbers are 0. The ray
/// [has an inverse](Slabs::has_inverse).
///
/// A lane without a box has a minimum of infinity and a maximum of minus infinity, so the ray enters it after it leaves it.
#[inline(always)]
fn ray_lanes_of<const WIDTH: usize, const SPREADS: bool, S: Vectors<WIDTH>>(
    s: S,
    slabs: &Slabs,
    blocks: &[BoundsBlock],
    earliest: &mut [Row],
) -> u64 {
    let mut lanes = 0;
    let is_backward = slabs.inverse.cmplt(Vec3A::ZERO);
    let is_backward = [is_backward.test(0), is_backward.test(1), is_backward.test(2)];
    let origin = splat3(s, slabs.origin.to_array());
    // From the bounds to the origin, the difference needs no instruction for the load.
    let inverse = splat3(s, (-slabs.inverse).to_array());
    let spread = splat3(s, slabs.spread.to_array());
    let (zero, max_time) = (s.splat(0.0), s.splat(slabs.max_time));
    let (earlier, later, least) = (s.splat(1.0 - WIDEN), s.splat(1.0 + WIDEN), s.splat(-LEAST_TIME));
    for (index, (block, earliest)) in blocks.iter().zip(earliest).enumerate() {
        let sides = [&block.min, &block.max];
        let mut mask = 0;
        for at in (0..LANES).step_by(WIDTH) {
            let (mut enter, mut leave) = (least, max_time);
            for c in 0..3 {
                let near = s.load(&sides[usize::from(is_backward[c])][c], at);
                let far = s.load(&sides[usize::from(!is_backward[c])][c], at);
                let (mut near, mut far) =
                    (s.mul(s.sub(origin[c], near), inverse[c]), s.mul(s.sub(origin[c], far), inverse[c]));
                if SPREADS {
                    (near, far) = (s.sub(near, spread[c]), s.add(far, spread[c]));
                }
                enter = s.max(near, enter);
                leave = s.min(far, leave);
            }
            let enter = s.max(s.about_add_mul(least, enter, earlier), zero);
            s.store(enter, earliest, at);
            mask |= u64::from(s.bits(s.le(s.all(), enter, s.mul(leave, later)))) << at;
        }
        lanes |= mask << (index * LANES);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, ray_lanes, ray_lanes_of_block};
    use super::{Bounds, BoundsBlock, LANES, Ray, Slabs};
    use glam::Vec3;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = f32> {
        prop_oneof![4 => -3f32..3.0, 2 => (-3i8..4).prop_map(f32::from), 1 => Just(0.0f32), 1 => Just(1e-40f32), 1 => Just(1e10f32)]
    }

    proptest! {
        /// Every kernel passes the bounds that the slab method in double precision hits, at times that are not late.
        #[test]
        fn no_bounds_that_a_ray_hits_are_missed(
            boxes in prop::collection::vec((prop::array::uniform3(number()), prop::array::uniform3(0u8..3)), 1..40),
            origin in prop::array::uniform3(number()),
            direction in prop::array::uniform3(number()),
            max_time in prop_oneof![Just(f32::INFINITY), 0f32..5.0],
        ) {
            prop_assume!(direction.iter().any(|component| component.abs() > geometry_core::MIN_DIRECTION));
            let ray = Ray::try_new(origin.into(), direction.into()).unwrap();
            let slabs = Slabs::new(&ray, max_time);
            let mut blocks = vec![BoundsBlock::EMPTY; boxes.len().div_ceil(LANES)];
            let mut expected = Vec::new();
            for (index, (min, size)) in boxes.iter().enumerate() {
                let max: [f32; 3] = std::array::from_fn(|c| min[c] + f32::from(size[c]));
                let bounds = Bounds { min: Vec3::from(*min), max: max.into() };
                blocks[index / LANES].set(index % LANES, &bounds);
                let (mut enter, mut leave) = (0.0f64, f64::from(max_time));
                for c in 0..3 {
                    let [low, high] = [min[c], max[c]].map(|face| f64::from(face) - f64::from(origin[c]));
                    let speed = f64::from(direction[c]);
                    let times = [low / speed, high / speed];
                    if speed == 0.0 {
                        leave = if low <= 0.0 && 0.0 <= high { leave } else { f64::NEG_INFINITY };
                    } else {
                        enter = enter.max(times[0].min(times[1]));
                        leave = leave.min(times[0].max(times[1]));
                    }
                }
                expected.push((enter <= leave).then_some(enter));
            }
            for kernel in Kernel::available() {
                let mut earliest = vec![[f32::NAN; LANES]; blocks.len()];
                let lanes = ray_lanes(kernel, &slabs, &blocks, &mut earliest);
                for (index, expected) in expected.iter().enumerate() {
                    let may_hit = lanes >> index & 1 == 1;
                    if let Some(enter) = expected {
                        prop_assert!(may_hit, "{kernel:?}: {:?}", boxes[index]);
                        prop_assert!(f64::from(earliest[index / LANES][index % LANES]) <= *enter);
                    }
                }
                prop_assert_eq!(lanes >> boxes.len(), 0, "lanes without a box");
                // Without fused multiply-add, the times are those of one lane.
                for index in (0..boxes.len()).filter(|_| kernel == Kernel::Scalar) {
                    let (block, lane) = (index / LANES, index % LANES);
                    let found = (lanes >> index & 1 == 1).then_some(earliest[block][lane]);
                    prop_assert_eq!(found, slabs.may_hit(&blocks[block].get(lane)));
                }
            }
        }
    }

    /// The rounding error of times this small is absolute, not relative.
    #[test]
    fn the_least_times_are_not_late() {
        let ray = Ray::try_new(Vec3::new(0.0, 0.0, 2.0), Vec3::X * 0.221_204_24).unwrap();
        let slabs = Slabs::new(&ray, f32::INFINITY);
        let bounds = Bounds { min: Vec3::new(1e-40, 0.0, 1.987_860_3), max: Vec3::new(1e-40, 2.0, 2.987_860_3) };
        let exact = f64::from(bounds.min.x) / f64::from(ray.direction().x);
        let mut block = BoundsBlock::EMPTY;
        block.set(0, &bounds);
        for kernel in Kernel::available() {
            let mut earliest = [f32::NAN; LANES];
            assert_eq!(ray_lanes_of_block(kernel, &slabs, &block, &mut earliest), 1, "{kernel:?}");
            assert!(f64::from(earliest[0]) <= exact, "{kernel:?}: {} is after {exact}", earliest[0]);
        }
    }

    #[test]
    fn bounds_to_the_side_are_missed() {
        let ray = Ray::try_new(Vec3::ZERO, Vec3::X).unwrap();
        let slabs = Slabs::new(&ray, 10.0);
        let at = |x: f32, y: f32| Bounds { min: Vec3::new(x, y, -1.0), max: Vec3::new(x + 1.0, y + 1.0, 1.0) };
        assert!(slabs.may_hit(&at(3.0, -0.5)).is_some_and(|enter| (2.999..=3.0).contains(&enter)));
        assert_eq!(
            [at(3.0, 0.5), at(-3.0, -0.5), at(10.5, -0.5), Bounds::EMPTY].map(|one| slabs.may_hit(&one)),
            [None; 4]
        );
    }
}
