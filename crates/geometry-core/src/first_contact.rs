//! The first contact of moving boxes, of one pair and of many pairs side by side.

use crate::lane_numbers::{put_vector, vector};
#[cfg(doc)]
use crate::moving_obb::LEAST_CONTACT_TOLERANCE;
use crate::moving_obb::{FirstContact, MAX_STEPS, ObbMotion};
use crate::moving_pair::{Moving, Start, Stored, raised};
use crate::obb::Obb;
use crate::rotation::Rotation;
use crate::widest_gap::Widest;
use glam::DVec3;

/// The number of pairs that take their steps side by side.
const LANES: usize = 8;

/// Numbers of each lane, in the order of a type's `write`.
struct Rows<const NUMBERS: usize>([[f64; LANES]; NUMBERS]);

impl<const NUMBERS: usize> Rows<NUMBERS> {
    const ZERO: Self = Self([[0.0; LANES]; NUMBERS]);

    #[inline(always)]
    fn copy_lane(&mut self, lane: usize, other: &Self, other_lane: usize) {
        for (row, other) in self.0.iter_mut().zip(&other.0) {
            row[lane] = other[other_lane];
        }
    }
}

impl Obb {
    /// Returns the first contact of two boxes that move and turn from one pose to another, or `None` if they do not
    /// touch.
    ///
    /// Boxes are in contact if the widest gap between them is at most `relative_tolerance` times the sum of both boxes'
    /// half extents. `relative_tolerance` has no unit; 1e-4 is a good value. Values below [`LEAST_CONTACT_TOLERANCE`]
    /// are raised to it.
    ///
    /// - A contact is never missed and never late. It is early by at most the time that the boxes take to close the gap
    ///   of this tolerance.
    /// - Boxes that pass each other are reported as touching if they pass at less than a quarter of the tolerance, and
    ///   may be reported if they pass at less than the tolerance.
    /// - If the boxes overlap at the start, the time is 0.
    /// - A box whose axes are not quite orthonormal counts as the smallest box around it with orthonormal axes, which is
    ///   larger by at most 2e-6 of the sum of the half extents.
    /// - If [`MAX_STEPS`] steps find no answer, the result has the time that was reached and the remaining gap. The
    ///   boxes do not touch before that time.
    ///
    /// The algorithm is conservative advancement. While there is a gap along one of the 15 axes, it computes a time until
    /// which this gap certainly lasts, and advances to that time. Two bounds give such times: a parabola below the gap
    /// along the axis, which turns with the boxes, and the gap divided by the greatest speed of two points along the
    /// axis as it is now.
    ///
    /// Source: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems*, PhD thesis, Berkeley 1996, section
    /// 2.3; Ericson, *Real-Time Collision Detection*, section 5.5. The parabola is our own.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Mat3, Quat, Vec3};
    ///
    /// // A bar turns by a right angle and sweeps over a post. Neither end pose touches the post.
    /// let bar = Vec3::new(2.0, 0.1, 0.1);
    /// let from = Obb::from_orientation(Vec3::ZERO, bar, Quat::IDENTITY);
    /// let to = Obb::from_orientation(Vec3::ZERO, bar, Quat::from_rotation_z(1.5));
    /// let post = Obb::new(Vec3::new(1.2, 1.2, 0.0), Vec3::splat(0.1), Mat3::IDENTITY);
    /// assert!(!from.overlaps(&post) && !to.overlaps(&post));
    /// let hit = Obb::first_contact(&ObbMotion::between(&from, &to), &ObbMotion::still(&post), 1e-4).unwrap();
    /// assert!(hit.time > 0.3 && hit.time < 0.5);
    /// ```
    #[must_use]
    pub fn first_contact(a: &ObbMotion, b: &ObbMotion, relative_tolerance: f32) -> Option<FirstContact> {
        Self::first_contact_until(a, b, relative_tolerance, 1.0)
    }

    /// Computes [`Obb::first_contact`], but stops at the time `limit`. To find the first contact of many pairs, pass
    /// the earliest contact so far as the limit. The result is that of `first_contact`, or `None` if the contact is
    /// later than `limit`.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Mat3, Vec3};
    ///
    /// let at = |x| Obb::new(Vec3::X * x, Vec3::splat(0.5), Mat3::IDENTITY);
    /// let (thrown, wall) = (ObbMotion::between(&at(0.0), &at(4.0)), ObbMotion::still(&at(3.0)));
    /// let hit = Obb::first_contact(&thrown, &wall, 1e-4);
    /// assert_eq!(Obb::first_contact_until(&thrown, &wall, 1e-4, 0.5), hit);
    /// assert_eq!(Obb::first_contact_until(&thrown, &wall, 1e-4, 0.4), None);
    /// ```
    #[must_use]
    pub fn first_contact_until(
        a: &ObbMotion,
        b: &ObbMotion,
        relative_tolerance: f32,
        limit: f32,
    ) -> Option<FirstContact> {
        Self::first_contact_until_inlined(a, b, relative_tolerance, limit)
    }

    /// Computes [`Obb::first_contact_until`], to the same bits. The function is inlined, so the compiler uses the
    /// instructions that the caller has enabled (`#[target_feature]`).
    // Public only because the crate `runtime` inlines it into its kernels.
    #[doc(hidden)]
    #[must_use]
    #[inline(always)]
    pub fn first_contact_until_inlined(
        a: &ObbMotion,
        b: &ObbMotion,
        relative_tolerance: f32,
        limit: f32,
    ) -> Option<FirstContact> {
        let stored = Stored::new(a, b);
        let start = Start::new(&stored, raised(relative_tolerance));
        let mut instant = start.instant;
        let mut widest = instant.widest(&start.half);
        let mut frame = Rotation::NONE;
        let (mut time, mut steps) = (0.0, 0);
        if !is_contact(&start, &widest, steps) {
            let moving = Moving::new(&stored, &start);
            loop {
                time += moving.lasts(&start, &frame, &instant, &widest, time);
                if is_too_late(time, limit) {
                    return None;
                }
                (frame, instant) = moving.instant_at(&start, time);
                widest = instant.widest(&start.half);
                steps += 1;
                if is_contact(&start, &widest, steps) {
                    break;
                }
            }
        }
        Some(contact(time, widest.gap, start.direction(&frame, &widest)))
    }

    /// Writes the [`Obb::first_contact_until`] of each pair of motions into `contacts`, to the same bits. Both slices have
    /// one entry per pair. The function is inlined, so the compiler uses the instructions that the caller has enabled
    /// (`#[target_feature]`).
    ///
    /// # Panics
    /// Panics if `contacts` is shorter than `pairs`.
    ///
    /// ```
    /// use geometry_core::{Obb, ObbMotion};
    /// use glam::{Mat3, Vec3};
    ///
    /// let at = |x| Obb::new(Vec3::X * x, Vec3::splat(0.5), Mat3::IDENTITY);
    /// let (thrown, wall) = (ObbMotion::between(&at(0.0), &at(4.0)), ObbMotion::still(&at(3.0)));
    /// let mut contacts = [None; 2];
    /// Obb::first_contacts_inlined(&[[&thrown, &wall], [&wall, &wall]], 1e-4, 1.0, &mut contacts);
    /// assert_eq!(contacts[0], Obb::first_contact(&thrown, &wall, 1e-4));
    /// assert_eq!(contacts[1].unwrap().time, 0.0);
    /// ```
    #[inline(always)]
    pub fn first_contacts_inlined(
        pairs: &[[&ObbMotion; 2]],
        relative_tolerance: f32,
        limit: f32,
        contacts: &mut [Option<FirstContact>],
    ) {
        let (mut fresh, mut active) = (Fresh::NONE, Active::NONE);
        let mut taken = 0;
        loop {
            while !active.is_full() {
                if fresh.undecided != 0 {
                    active.take(&mut fresh, limit);
                } else if taken < pairs.len() {
                    let group = &pairs[taken..pairs.len().min(taken + LANES)];
                    fresh.take(group, taken, raised(relative_tolerance), contacts);
                    taken += group.len();
                } else {
                    break;
                }
            }
            if active.is_empty() {
                return;
            }
            active.step(limit, contacts);
        }
    }
}

/// Up to eight pairs at the time 0.
struct Fresh {
    stored: Rows<{ Stored::NUMBERS }>,
    start: Rows<{ Start::NUMBERS }>,
    moving: Rows<{ Moving::NUMBERS }>,
    widest: Rows<{ Widest::NUMBERS }>,
    /// The time for which the gap lasts.
    later: [f64; LANES],
    /// Bit `k` is set if the pair of lane `k` is apart at the time 0 and not yet in [`Active`].
    undecided: u32,
    /// The index of the first lane's pair.
    first: usize,
}

impl Fresh {
    const NONE: Self = Self {
        stored: Rows::ZERO,
        start: Rows::ZERO,
        moving: Rows::ZERO,
        widest: Rows::ZERO,
        later: [0.0; LANES],
        undecided: 0,
        first: 0,
    };

    /// Takes pairs, of which the first has the index `first`, and decides those that touch at the time 0. Lanes without a
    /// pair are computed too, from numbers that no longer matter.
    #[inline(always)]
    fn take(
        &mut self,
        pairs: &[[&ObbMotion; 2]],
        first: usize,
        relative_tolerance: f64,
        contacts: &mut [Option<FirstContact>],
    ) {
        let Self { stored, start: starts, moving: of_moving, widest: of_widest, later, .. } = self;
        for (lane, [a, b]) in pairs.iter().enumerate() {
            Stored::new(a, b).write(|at, number| stored.0[at][lane] = number);
        }
        let (mut gaps, mut directions) = ([0.0; LANES], Rows::<3>::ZERO);
        for (lane, gap) in gaps.iter_mut().enumerate() {
            let start = Start::new(&Stored::read(|at| stored.0[at][lane]), relative_tolerance);
            start.write(|at, number| starts.0[at][lane] = number);
            let widest = start.instant.widest(&start.half);
            widest.write(|at, number| of_widest.0[at][lane] = number);
            *gap = widest.gap;
            let direction = start.direction(&Rotation::NONE, &widest);
            put_vector(&mut |at, number| directions.0[at][lane] = number, 0, direction);
        }
        (self.undecided, self.first) = (0, first);
        for (lane, place) in contacts[first..first + pairs.len()].iter_mut().enumerate() {
            *place = None;
            if gaps[lane] <= starts.0[Start::TOLERANCE][lane] {
                *place = Some(contact(0.0, gaps[lane], vector(&|at| directions.0[at][lane], 0)));
            } else {
                self.undecided |= 1 << lane;
            }
        }
        if self.undecided == 0 {
            return;
        }
        for (lane, later) in later.iter_mut().enumerate() {
            let stored = Stored::read(|at| stored.0[at][lane]);
            let start = Start::read(|at| starts.0[at][lane]);
            let moving = Moving::new(&stored, &start);
            moving.write(|at, number| of_moving.0[at][lane] = number);
            let widest = Widest::read(|at| of_widest.0[at][lane]);
            *later = moving.lasts(&start, &Rotation::NONE, &start.instant, &widest, 0.0);
        }
    }
}

/// Up to eight pairs that are not decided yet, each at a time of its own.
struct Active {
    start: Rows<{ Start::NUMBERS }>,
    moving: Rows<{ Moving::NUMBERS }>,
    times: [f64; LANES],
    steps: [u32; LANES],
    /// The index of each lane's pair.
    pairs: [usize; LANES],
    /// Bit `k` is set if lane `k` has a pair. The other lanes are computed too, from numbers that no longer matter.
    lanes: u32,
}

impl Active {
    const NONE: Self = Self {
        start: Rows::ZERO,
        moving: Rows::ZERO,
        times: [0.0; LANES],
        steps: [0; LANES],
        pairs: [0; LANES],
        lanes: 0,
    };

    #[inline(always)]
    fn is_full(&self) -> bool {
        self.lanes.count_ones() as usize == LANES
    }

    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.lanes == 0
    }

    /// Takes an undecided pair, unless it is apart until the end.
    #[inline(always)]
    fn take(&mut self, fresh: &mut Fresh, limit: f32) {
        let from = fresh.undecided.trailing_zeros() as usize;
        fresh.undecided &= fresh.undecided - 1;
        if is_too_late(fresh.later[from], limit) {
            return;
        }
        let lane = (!self.lanes).trailing_zeros() as usize;
        self.lanes |= 1 << lane;
        self.start.copy_lane(lane, &fresh.start, from);
        self.moving.copy_lane(lane, &fresh.moving, from);
        (self.times[lane], self.steps[lane], self.pairs[lane]) = (fresh.later[from], 1, fresh.first + from);
    }

    /// Decides the pairs at their times, and advances the times of the pairs that are apart.
    #[inline(always)]
    fn step(&mut self, limit: f32, contacts: &mut [Option<FirstContact>]) {
        let mut directions = Rows::<3>::ZERO;
        let (mut gaps, mut later) = ([0.0; LANES], [0.0; LANES]);
        let Self { start, moving, times, .. } = &*self;
        for lane in 0..LANES {
            let start = Start::read(|at| start.0[at][lane]);
            let moving = Moving::read(|at| moving.0[at][lane]);
            let time = times[lane];
            let (frame, instant) = moving.instant_at(&start, time);
            let widest = instant.widest(&start.half);
            gaps[lane] = widest.gap;
            let direction = start.direction(&frame, &widest);
            put_vector(&mut |at, number| directions.0[at][lane] = number, 0, direction);
            later[lane] = time + moving.lasts(&start, &frame, &instant, &widest, time);
        }
        let mut lanes = self.lanes;
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            lanes &= lanes - 1;
            let tolerance = self.start.0[Start::TOLERANCE][lane];
            if gaps[lane] <= tolerance || self.steps[lane] == MAX_STEPS {
                let direction = vector(&|at| directions.0[at][lane], 0);
                contacts[self.pairs[lane]] = Some(contact(self.times[lane], gaps[lane], direction));
                self.lanes &= !(1 << lane);
            } else if is_too_late(later[lane], limit) {
                self.lanes &= !(1 << lane);
            } else {
                (self.times[lane], self.steps[lane]) = (later[lane], self.steps[lane] + 1);
            }
        }
    }
}

#[inline(always)]
fn is_contact(start: &Start, widest: &Widest, steps: u32) -> bool {
    widest.gap <= start.tolerance || steps == MAX_STEPS
}

/// Returns `true` if a contact at this time would come after the limit or after the end of the motion.
#[inline(always)]
pub(crate) fn is_too_late(time: f64, limit: f32) -> bool {
    // The time is rounded in the same way as the result, so that no contact at exactly `limit` is lost.
    time > 1.0 || time as f32 > limit
}

#[inline(always)]
fn contact(time: f64, gap: f64, direction: DVec3) -> FirstContact {
    FirstContact { time: time as f32, direction: direction.as_vec3(), gap: gap.max(0.0) as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Obb> {
        let turn = prop_oneof![
            3 => prop::array::uniform4(-1f32..1.0).prop_map(Quat::from_array),
            1 => Just(Quat::IDENTITY),
        ];
        let half = prop::array::uniform3(prop_oneof![4 => 0.0625f32..1.0, 1 => Just(0.0)]);
        (prop::array::uniform3(-2f32..2.0), half, turn).prop_map(|(center, half, turn)| {
            let turn = if turn.length_squared() > 0.01 { turn.normalize() } else { Quat::IDENTITY };
            Obb::from_orientation(center.into(), half.into(), turn)
        })
    }

    /// The first and the last place of two boxes; a half of them share axes, faces, edges or corners.
    fn places() -> impl Strategy<Value = [Obb; 4]> {
        let unkind = any::<u64>().no_shrink().prop_map(|seed| {
            let boxes = test_models::Random::new(seed).unkind_boxes(4);
            let at = |k: usize| Obb::from_orientation(boxes[k].center, boxes[k].half_extents, boxes[k].orientation);
            [at(0), at(1), at(2), at(3)]
        });
        prop_oneof![[place(), place(), place(), place()], unkind]
    }

    /// Boxes that stand still, that only move, that turn a little and that turn far.
    fn motions() -> impl Strategy<Value = (ObbMotion, ObbMotion)> {
        let kind = (0u8..4, -0.1f32..0.1);
        (places(), kind.clone(), kind)
            .prop_map(|([a, b, c, d], kind_a, kind_b)| (motion(&a, &b, kind_a), motion(&c, &d, kind_b)))
    }

    fn motion(from: &Obb, to: &Obb, (kind, little): (u8, f32)) -> ObbMotion {
        match kind {
            0 => ObbMotion::still(from),
            1 => ObbMotion::between(from, &Obb::new(to.center(), from.half_extents(), from.axes())),
            2 => {
                let axes = glam::Mat3::from_quat(Quat::from_xyzw(little, 0.02, 0.0, 1.0).normalize()) * from.axes();
                ObbMotion::between(from, &Obb::new(from.center() + Vec3::splat(little), from.half_extents(), axes))
            }
            _ => ObbMotion::between(from, to),
        }
    }

    proptest! {
        #[test]
        fn pairs_side_by_side_have_the_bits_of_one_at_a_time(
            motions in prop::collection::vec(motions(), 0..40),
            tolerance in prop_oneof![Just(1e-6f32), Just(1e-4), Just(f32::NAN)],
            limit in prop_oneof![2 => Just(1f32), 1 => 0f32..1.0],
        ) {
            let pairs: Vec<_> = motions.iter().map(|(a, b)| [a, b]).collect();
            let mut contacts = vec![None; pairs.len()];
            Obb::first_contacts_inlined(&pairs, tolerance, limit, &mut contacts);
            let bits = |contact: FirstContact| {
                (contact.time.to_bits(), contact.direction.to_array().map(f32::to_bits), contact.gap.to_bits())
            };
            for ([a, b], contact) in pairs.iter().zip(contacts) {
                let expected = Obb::first_contact_until(a, b, tolerance, limit);
                prop_assert_eq!(contact.map(bits), expected.map(bits), "{:?} {:?}", a, b);
            }
        }
    }
}
