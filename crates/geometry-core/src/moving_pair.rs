//! Two moving boxes: where they are at one time, and for how long a gap between them lasts.
//!
//! Every function takes one pair and has no branches. `first_contact.rs` calls the functions for one pair, and in loops over eight
//! pairs, which the compiler turns into vectors. Both get the same bits.
//!
//! # Axes at right angles
//!
//! Stored axes are orthonormal to [`crate::tolerances::ORTHONORMAL_TOLERANCE`]. Here a box is replaced by the smallest
//! box around it whose axes are orthonormal (to 1e-11), which is larger by at most 2e-6 of the sum of its half extents. So
//! the 15 gaps follow from the dot products of both boxes' axes, and no gap is found that the stored boxes do not have.
//!
//! # For how long a gap lasts
//!
//! The boxes turn by the angular velocities `α` and `β`, `v` is the velocity of the second center relative to the first, and
//! `D` is the largest distance of the centers. An axis turns with the boxes: it is a face normal, or the cross product of two edges. Let
//! `n(t)` be the gap along it times its length `l(t)`. Then `n` is a sum of terms `x(t)` and `-h |x(t)|`, where each `x` is a product
//! of two boxes' axes, or of an axis and the centers' difference. An `x` differs from its tangent by at most half of its
//! largest second derivative times the time squared, and these derivatives are at most
//!
//! - `|β - α|² + |α × β|` for a product of two boxes' axes: the matrix between the axes is
//!   `[α]² - 2 [α] [β] + [β]² = [β - α]² + [β × α]`, where `[α]` is the matrix of the cross product with `α`;
//! - `|α|² D + 2 |α| |v|` for a product of the first box's axis and the centers' difference, with `β` in place of `α` for the
//!   second box, and `|α| + |β|` in place of `|α|` for a cross product of two edges.
//!
//! The absolute value of a tangent is at most the straight line between its values now and at a later time.
//! So `n` is at least a parabola, and the gap lasts until the parabola's root. Where no tangent changes its sign, the parabola touches
//! `n` now, and the roots approach the end of the gap as quickly as those of Newton's method.
//!
//! Near parallel edges the axis turns too fast for that. But along an axis that stays as it is now, boxes approach at most by the
//! speed of the centers and of the fastest corners. The later of the two times counts.

use crate::lane_numbers::{put_vector, put_vectors, vector, vectors};
use crate::math::sqrt;
use crate::moving_obb::{LEAST_CONTACT_TOLERANCE, ObbMotion};
use crate::rotation::{Rotation, sine_and_versine};
use crate::widest_gap::{Instant, NO_EDGE, Widest, edges};
use glam::DVec3;

/// The gap that the time advances to, as a share of the tolerance. It is above 0, so that a step ends within the tolerance although
/// bounds are not exact, and far below 1, so that each step is long: at least the rest of the tolerance divided by the greatest speed.
const TARGET: f64 = 0.25;

/// Two boxes at the time 0.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// The first box's axes.
    pub(crate) frame: [DVec3; 3],
    pub(crate) half: [DVec3; 2],
    pub(crate) instant: Instant,
    /// The largest gap of a contact.
    pub(crate) tolerance: f64,
}

/// The motions of two boxes, in the frame of the first box at the time 0.
#[derive(Clone, Copy)]
pub(crate) struct Moving {
    pub(crate) velocity: DVec3,
    /// The unit axes and the angles of both boxes' turns.
    pub(crate) spins: [DVec3; 2],
    pub(crate) angles: [f64; 2],
    /// The cross products of the second box's unit axis of turn with its axes, and with these cross products.
    pub(crate) crosses: [DVec3; 3],
    pub(crate) double_crosses: [DVec3; 3],
    /// The sum of the fastest corners' speeds by turning alone.
    pub(crate) corner_speed: f64,
    /// The largest second derivatives of gaps along normals of the first box, of the second box, and along other axes.
    pub(crate) bends: [f64; 3],
}

/// The parts of two motions that the search for their first contact uses.
#[derive(Clone, Copy)]
pub(crate) struct Stored {
    pub(crate) axes: [[DVec3; 3]; 2],
    pub(crate) half: [DVec3; 2],
    pub(crate) apart: DVec3,
    pub(crate) velocity: DVec3,
    pub(crate) spins: [DVec3; 2],
    pub(crate) angles: [f64; 2],
}

impl Stored {
    #[inline(always)]
    pub(crate) fn new(a: &ObbMotion, b: &ObbMotion) -> Self {
        let axes = |motion: &ObbMotion| {
            let axes = motion.start().axes();
            [axes.x_axis.as_dvec3(), axes.y_axis.as_dvec3(), axes.z_axis.as_dvec3()]
        };
        Self {
            axes: [axes(a), axes(b)],
            half: [a.half_extents(), b.half_extents()],
            apart: b.start().center().as_dvec3() - a.start().center().as_dvec3(),
            velocity: b.velocity() - a.velocity(),
            spins: [a.spin().0, b.spin().0],
            angles: [a.spin().1, b.spin().1],
        }
    }
}

impl Start {
    #[inline(always)]
    pub(crate) fn new(stored: &Stored, relative_tolerance: f64) -> Self {
        let (frame, half_a) = around(&stored.axes[0], stored.half[0]);
        let (axes, half_b) = around(&stored.axes[1], stored.half[1]);
        let inside = |v: DVec3| into_frame(&frame, v);
        Self {
            frame,
            half: [half_a, half_b],
            instant: Instant { axes: [inside(axes[0]), inside(axes[1]), inside(axes[2])], apart: inside(stored.apart) },
            tolerance: relative_tolerance * (sum(stored.half[0]) + sum(stored.half[1])),
        }
    }

    /// The direction of an axis from the first box toward the second, a unit vector outside of the frame.
    #[inline(always)]
    pub(crate) fn direction(&self, frame: &Rotation, widest: &Widest) -> DVec3 {
        let inside = frame.back(widest.axis * widest.sign);
        self.frame[0] * inside.x + self.frame[1] * inside.y + self.frame[2] * inside.z
    }
}

/// The tolerance that [`Start::new`] takes.
#[inline(always)]
pub(crate) fn raised(relative_tolerance: f32) -> f64 {
    // For a NaN, `f32::max` returns the other number.
    f64::from(relative_tolerance.max(LEAST_CONTACT_TOLERANCE))
}

/// The axes made orthonormal, and half extents along them that contain the box.
#[inline(always)]
fn around(axes: &[DVec3; 3], half: DVec3) -> ([DVec3; 3], DVec3) {
    let [x, y, z] = *axes;
    // The first step of Newton's method for the nearest rotation. The remaining errors are squares of the deviations.
    let (xx, yy, zz) = ((x.dot(x) - 1.0) * 0.5, (y.dot(y) - 1.0) * 0.5, (z.dot(z) - 1.0) * 0.5);
    let (xy, xz, yz) = (x.dot(y) * 0.5, x.dot(z) * 0.5, y.dot(z) * 0.5);
    let straight = [x - (x * xx + y * xy + z * xz), y - (x * xy + y * yy + z * yz), z - (x * xz + y * yz + z * zz)];
    let more = DVec3::new(
        half.x * xx.abs() + half.y * xy.abs() + half.z * xz.abs(),
        half.x * xy.abs() + half.y * yy.abs() + half.z * yz.abs(),
        half.x * xz.abs() + half.y * yz.abs() + half.z * zz.abs(),
    );
    (straight, half + more)
}

impl Moving {
    #[inline(always)]
    pub(crate) fn new(stored: &Stored, start: &Start) -> Self {
        let inside = |v: DVec3| into_frame(&start.frame, v);
        let velocity = inside(stored.velocity);
        let [spin_a, spin_b] = [inside(stored.spins[0]), inside(stored.spins[1])];
        let [angle_a, angle_b] = stored.angles;
        let [x, y, z] = start.instant.axes;
        let crosses = [spin_b.cross(x), spin_b.cross(y), spin_b.cross(z)];
        let double_crosses = [spin_b.cross(crosses[0]), spin_b.cross(crosses[1]), spin_b.cross(crosses[2])];
        let [half_a, half_b] = start.half;
        let corner_speed = length(half_a) * angle_a + length(half_b) * angle_b;
        let (turn_a, turn_b) = (spin_a * angle_a, spin_b * angle_b);
        let relative = turn_b - turn_a;
        let of_axes = relative.dot(relative) + length(turn_a.cross(turn_b));
        let (first, last) = (start.instant.apart, start.instant.apart + velocity);
        let farthest = sqrt(larger(first.dot(first), last.dot(last)));
        let way = 2.0 * length(velocity);
        let of_difference = |angle: f64| angle * (angle * farthest + way);
        let (size_a, size_b) = (sum(half_a), sum(half_b));
        let bends = [
            of_difference(angle_a) + of_axes * size_b,
            of_difference(angle_b) + of_axes * size_a,
            of_difference(angle_a + angle_b) + of_axes * (size_a + size_b),
        ];
        Self { velocity, spins: [spin_a, spin_b], angles: stored.angles, crosses, double_crosses, corner_speed, bends }
    }

    /// The rotation from the frame of the first box at the time 0 to its frame at another time, and the boxes then.
    #[inline(always)]
    pub(crate) fn instant_at(&self, start: &Start, time: f64) -> (Rotation, Instant) {
        let frame = Rotation::backward(self.spins[0], self.angles[0] * time);
        let (sine, versine) = sine_and_versine(self.angles[1] * time);
        let axis =
            |k: usize| frame.of(start.instant.axes[k] + self.crosses[k] * sine + self.double_crosses[k] * versine);
        let apart = frame.of(start.instant.apart + self.velocity * time);
        (frame, Instant { axes: [axis(0), axis(1), axis(2)], apart })
    }

    /// The time for which the gap certainly lasts.
    #[inline(always)]
    pub(crate) fn lasts(&self, start: &Start, frame: &Rotation, instant: &Instant, widest: &Widest, time: f64) -> f64 {
        let Instant { axes, apart } = instant;
        let [half_a, half_b] = start.half;
        let Widest { gap, axis, sign, over_length, edges: [i, j] } = *widest;
        let target = start.tolerance * TARGET;
        let velocity = frame.of(self.velocity);
        let (turn_a, turn_b) = (self.spins[0] * self.angles[0], frame.of(self.spins[1] * self.angles[1]));
        let spin = turn_b - turn_a;
        let (edge, other, is_face) = edges(axes, [i, j]);
        let turned = spin.cross(other * over_length);
        let change = edge.cross(turned) + turned * is_face;
        let along_change = axis.dot(velocity - turn_a.cross(*apart));
        let bend = if i == NO_EDGE { self.bends[1] } else { self.bends[2] };
        let bend = if j == NO_EDGE { self.bends[0] } else { bend };
        let bend = bend * over_length;
        let horizon = 1.0 - time;
        let at_a = axis + change * horizon;
        let at_b = at_a + axis.cross(spin) * horizon;
        let reach_a = half_a.x * at_a.x.abs() + half_a.y * at_a.y.abs() + half_a.z * at_a.z.abs();
        let along_b = DVec3::new(at_b.dot(axes[0]), at_b.dot(axes[1]), at_b.dot(axes[2]));
        let reach_b = half_b.x * along_b.x.abs() + half_b.y * along_b.y.abs() + half_b.z * along_b.z.abs();
        let end = sign * (at_a.dot(*apart) + along_change * horizon) - (reach_a + reach_b);
        let above = gap - target;
        let slope = (end - gap) / horizon - target * over_length * (self.angles[0] + self.angles[1]);
        let by_parabola = 2.0 * above / (sqrt(slope * slope + 2.0 * bend * above) - slope);
        // Along the axis as it is now.
        let speed = self.corner_speed - sign * axis.dot(velocity);
        let by_speed = if speed > 0.0 { above / speed } else { f64::INFINITY };
        larger(by_parabola, by_speed)
    }
}

impl Stored {
    pub(crate) const NUMBERS: usize = 38;

    #[inline(always)]
    pub(crate) fn read(row: impl Fn(usize) -> f64) -> Self {
        Self {
            axes: [vectors(&row, 0), vectors(&row, 9)],
            half: [vector(&row, 18), vector(&row, 21)],
            apart: vector(&row, 24),
            velocity: vector(&row, 27),
            spins: [vector(&row, 30), vector(&row, 33)],
            angles: [row(36), row(37)],
        }
    }

    #[inline(always)]
    pub(crate) fn write(&self, mut put: impl FnMut(usize, f64)) {
        put_vectors(&mut put, 0, &self.axes[0]);
        put_vectors(&mut put, 9, &self.axes[1]);
        put_vector(&mut put, 18, self.half[0]);
        put_vector(&mut put, 21, self.half[1]);
        put_vector(&mut put, 24, self.apart);
        put_vector(&mut put, 27, self.velocity);
        put_vector(&mut put, 30, self.spins[0]);
        put_vector(&mut put, 33, self.spins[1]);
        put(36, self.angles[0]);
        put(37, self.angles[1]);
    }
}

impl Start {
    pub(crate) const NUMBERS: usize = 28;
    /// The number of [`Start::tolerance`].
    pub(crate) const TOLERANCE: usize = 27;

    #[inline(always)]
    pub(crate) fn read(row: impl Fn(usize) -> f64) -> Self {
        Self {
            frame: vectors(&row, 0),
            half: [vector(&row, 9), vector(&row, 12)],
            instant: Instant { axes: vectors(&row, 15), apart: vector(&row, 24) },
            tolerance: row(Self::TOLERANCE),
        }
    }

    #[inline(always)]
    pub(crate) fn write(&self, mut put: impl FnMut(usize, f64)) {
        put_vectors(&mut put, 0, &self.frame);
        put_vector(&mut put, 9, self.half[0]);
        put_vector(&mut put, 12, self.half[1]);
        put_vectors(&mut put, 15, &self.instant.axes);
        put_vector(&mut put, 24, self.instant.apart);
        put(Self::TOLERANCE, self.tolerance);
    }
}

impl Moving {
    pub(crate) const NUMBERS: usize = 33;

    #[inline(always)]
    pub(crate) fn read(row: impl Fn(usize) -> f64) -> Self {
        Self {
            velocity: vector(&row, 0),
            spins: [vector(&row, 3), vector(&row, 6)],
            angles: [row(9), row(10)],
            crosses: vectors(&row, 11),
            double_crosses: vectors(&row, 20),
            corner_speed: row(29),
            bends: [row(30), row(31), row(32)],
        }
    }

    #[inline(always)]
    pub(crate) fn write(&self, mut put: impl FnMut(usize, f64)) {
        put_vector(&mut put, 0, self.velocity);
        put_vector(&mut put, 3, self.spins[0]);
        put_vector(&mut put, 6, self.spins[1]);
        put(9, self.angles[0]);
        put(10, self.angles[1]);
        put_vectors(&mut put, 11, &self.crosses);
        put_vectors(&mut put, 20, &self.double_crosses);
        put(29, self.corner_speed);
        put(30, self.bends[0]);
        put(31, self.bends[1]);
        put(32, self.bends[2]);
    }
}

#[inline(always)]
fn into_frame(frame: &[DVec3; 3], v: DVec3) -> DVec3 {
    DVec3::new(frame[0].dot(v), frame[1].dot(v), frame[2].dot(v))
}

#[inline(always)]
fn length(v: DVec3) -> f64 {
    sqrt(v.dot(v))
}

#[inline(always)]
fn sum(v: DVec3) -> f64 {
    v.x + v.y + v.z
}

/// The larger number, or `b` if one is NaN.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
