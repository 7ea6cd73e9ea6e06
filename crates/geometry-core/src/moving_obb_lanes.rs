//! First contacts of many pairs of moving boxes, eight pairs side by side.
//!
//! Each lane takes the steps of [`Obb::first_contact_until`] in the same arithmetic and gets the same bits. The steps of one
//! pair wait for each other, and those of eight pairs do not. A lane whose pair is decided takes the next pair at once.

use crate::moving_obb::{Contact, LEAST_CONTACT_TOLERANCE, MAX_STEPS, ObbMotion};
use crate::obb::Obb;
use glam::DVec3;

const LANES: usize = 8;

/// One number of each lane.
type Row = [f64; LANES];

/// A vector of each lane: rows x, y and z.
type Rows3 = [Row; 3];

const ZERO: Rows3 = [[0.0; LANES]; 3];

/// The axes whose cross products are the 15 directions, in the order of [`crate::SatAxis::ALL`]: 0 to 2 are the first box's
/// axes, 3 to 5 the second box's.
const EDGES: [[usize; 2]; 15] = [
    [1, 2],
    [2, 0],
    [0, 1],
    [4, 5],
    [5, 3],
    [3, 4],
    [0, 3],
    [0, 4],
    [0, 5],
    [1, 3],
    [1, 4],
    [1, 5],
    [2, 3],
    [2, 4],
    [2, 5],
];

/// The turning of one box of each pair.
struct Turning {
    /// The axes in the first pose.
    start: [Rows3; 3],
    /// The axis and the angle of the turn.
    spin: Rows3,
    angle: Row,
    /// The cross products and the dot products of `spin` with the axes.
    crosses: [Rows3; 3],
    dots: Rows3,
    /// The distance from the center to a corner.
    corner: Row,
}

impl Turning {
    const NONE: Self = Self {
        start: [ZERO; 3],
        spin: ZERO,
        angle: [0.0; LANES],
        crosses: [ZERO; 3],
        dots: ZERO,
        corner: [0.0; LANES],
    };

    #[inline(always)]
    fn set(&mut self, lane: usize, motion: &ObbMotion) {
        let axes = motion.start().axes().as_dmat3();
        let (spin, angle) = motion.spin();
        // The axes of a box that does not turn keep their bits if minus zero is added to them.
        let (spin, turns) = if angle == 0.0 { (DVec3::splat(-0.0), false) } else { (spin, true) };
        for (column, axis) in [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().enumerate() {
            set3(&mut self.start[column], lane, axis);
            set3(&mut self.crosses[column], lane, if turns { spin.cross(axis) } else { spin });
            self.dots[column][lane] = if turns { spin.dot(axis) } else { 0.0 };
        }
        set3(&mut self.spin, lane, spin);
        self.angle[lane] = angle;
        self.corner[lane] = motion.half_extents().length();
    }

    /// Writes the axes at each lane's time: the arithmetic of `ObbMotion::axes_at`.
    #[inline(always)]
    fn turn(&self, times: &Row, axes: &mut [Rows3; 6], first: usize) {
        let (mut sines, mut cosines) = ([0.0; LANES], [1.0; LANES]);
        for lane in 0..LANES {
            if times[lane] != 0.0 && self.angle[lane] != 0.0 {
                (sines[lane], cosines[lane]) = libm::sincos(self.angle[lane] * times[lane]);
            }
        }
        for (column, rows) in axes[first..first + 3].iter_mut().enumerate() {
            let dots = &self.dots[column];
            for (r, row) in rows.iter_mut().enumerate() {
                let (start, cross, spin) = (&self.start[column][r], &self.crosses[column][r], &self.spin[r]);
                for k in 0..LANES {
                    row[k] = start[k] * cosines[k] + cross[k] * sines[k] + spin[k] * (dots[k] * (1.0 - cosines[k]));
                }
            }
        }
    }
}

/// The widest gap of each lane, and its direction from the first box toward the second.
struct Widest {
    gaps: Row,
    directions: Rows3,
}

impl Widest {
    #[inline(always)]
    fn new(axes: &[Rows3; 6], half: &[Rows3; 2], apart: &Rows3) -> Self {
        let mut gaps = [f64::NEG_INFINITY; LANES];
        // The directions become unit vectors in the end: a division is slow.
        let mut directions = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
        let (mut along_widest, mut lengths) = ([1.0; LANES], [1.0; LANES]);
        for [first, second] in EDGES {
            let ([fx, fy, fz], [sx, sy, sz]) = (&axes[first], &axes[second]);
            for k in 0..LANES {
                // The order of `AxisLanes::new`.
                let x = fy[k] * sz[k] - sy[k] * fz[k];
                let y = fz[k] * sx[k] - sz[k] * fx[k];
                let z = fx[k] * sy[k] - sx[k] * fy[k];
                let dot = |other: &Rows3| x * other[0][k] + y * other[1][k] + z * other[2][k];
                let length = crate::math::sqrt(x * x + y * y + z * z);
                let along = dot(apart);
                let radius_a = half[0][0][k] * dot(&axes[0]).abs()
                    + half[0][1][k] * dot(&axes[1]).abs()
                    + half[0][2][k] * dot(&axes[2]).abs();
                let radius_b = half[1][0][k] * dot(&axes[3]).abs()
                    + half[1][1][k] * dot(&axes[4]).abs()
                    + half[1][2][k] * dot(&axes[5]).abs();
                let gap = (along.abs() - (radius_a + radius_b)) / length;
                let gap = if length < 1.0e-9 { f64::NEG_INFINITY } else { gap };
                let is_wider = gap > gaps[k];
                gaps[k] = if is_wider { gap } else { gaps[k] };
                directions[0][k] = if is_wider { x } else { directions[0][k] };
                directions[1][k] = if is_wider { y } else { directions[1][k] };
                directions[2][k] = if is_wider { z } else { directions[2][k] };
                lengths[k] = if is_wider { length } else { lengths[k] };
                along_widest[k] = if is_wider { along } else { along_widest[k] };
            }
        }
        let [x, y, z] = &mut directions;
        for k in 0..LANES {
            let over = if along_widest[k] < 0.0 { -1.0 } else { 1.0 } / lengths[k];
            x[k] *= over;
            y[k] *= over;
            z[k] *= over;
        }
        Self { gaps, directions }
    }
}

#[inline(always)]
fn set3(rows: &mut Rows3, lane: usize, v: DVec3) {
    (rows[0][lane], rows[1][lane], rows[2][lane]) = (v.x, v.y, v.z);
}

impl Obb {
    /// Writes the [`Obb::first_contact_until`] of each pair of motions into `contacts`, to the same bits. Both slices have
    /// one entry per pair. The function is inlined, so the compiler uses the instructions that the caller has enabled
    /// (`#[target_feature]`).
    ///
    /// # Panics
    /// If `contacts` is shorter than `pairs`.
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
        contacts: &mut [Option<Contact>],
    ) {
        // For a NaN, `f32::max` returns the other number.
        let relative_tolerance = f64::from(relative_tolerance.max(LEAST_CONTACT_TOLERANCE));
        let mut sides = [Turning::NONE; 2];
        let mut half = [ZERO; 2];
        let (mut start, mut relative) = (ZERO, ZERO);
        let (mut times, mut tolerances) = ([0.0; LANES], [0.0; LANES]);
        let mut steps = [0; LANES];
        let mut pair_of_lane = [usize::MAX; LANES];
        let (mut next, mut busy) = (0, 0);
        loop {
            for lane in 0..LANES {
                if pair_of_lane[lane] < pairs.len() {
                    continue;
                }
                // A lane without a pair is computed too, from numbers that no longer matter.
                (times[lane], steps[lane]) = (0.0, 0);
                let Some([a, b]) = pairs.get(next) else { continue };
                pair_of_lane[lane] = next;
                (next, busy) = (next + 1, busy + 1);
                let (half_a, half_b) = (a.half_extents(), b.half_extents());
                set3(&mut half[0], lane, half_a);
                set3(&mut half[1], lane, half_b);
                set3(&mut start, lane, b.start().center().as_dvec3() - a.start().center().as_dvec3());
                set3(&mut relative, lane, b.velocity() - a.velocity());
                let size = (half_a.x + half_a.y + half_a.z) + (half_b.x + half_b.y + half_b.z);
                tolerances[lane] = relative_tolerance * size;
                sides[0].set(lane, a);
                sides[1].set(lane, b);
            }
            if busy == 0 {
                return;
            }
            let mut apart = ZERO;
            for r in 0..3 {
                for k in 0..LANES {
                    apart[r][k] = start[r][k] + relative[r][k] * times[k];
                }
            }
            let mut axes = [ZERO; 6];
            sides[0].turn(&times, &mut axes, 0);
            sides[1].turn(&times, &mut axes, 3);
            let Widest { gaps, directions } = Widest::new(&axes, &half, &apart);
            let (mut speeds, mut later) = ([0.0; LANES], [0.0; LANES]);
            let [dx, dy, dz] = &directions;
            for k in 0..LANES {
                let turning = |side: &Turning| {
                    let [sx, sy, sz] = &side.spin;
                    let x = sy[k] * dz[k] - dy[k] * sz[k];
                    let y = sz[k] * dx[k] - dz[k] * sx[k];
                    let z = sx[k] * dy[k] - dx[k] * sy[k];
                    crate::math::sqrt(x * x + y * y + z * z) * side.angle[k] * side.corner[k]
                };
                let closing = -(dx[k] * relative[0][k] + dy[k] * relative[1][k] + dz[k] * relative[2][k]);
                speeds[k] = closing + turning(&sides[0]) + turning(&sides[1]);
                later[k] = times[k] + gaps[k] / speeds[k];
            }
            for lane in 0..LANES {
                let Some(contact) = contacts.get_mut(pair_of_lane[lane]) else { continue };
                let gap = gaps[lane];
                let is_decided = if gap <= tolerances[lane] || steps[lane] == MAX_STEPS {
                    let direction = DVec3::new(dx[lane], dy[lane], dz[lane]).as_vec3();
                    *contact = Some(Contact { time: times[lane] as f32, direction, gap: gap.max(0.0) as f32 });
                    true
                } else if speeds[lane] <= 0.0 || later[lane] > 1.0 || later[lane] as f32 > limit {
                    *contact = None;
                    true
                } else {
                    (times[lane], steps[lane]) = (later[lane], steps[lane] + 1);
                    false
                };
                if is_decided {
                    pair_of_lane[lane] = usize::MAX;
                    busy -= 1;
                }
            }
        }
    }
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

    /// Boxes that stand still, that only move, that turn a little and that turn far.
    fn motion() -> impl Strategy<Value = ObbMotion> {
        (place(), place(), 0u8..4, -0.1f32..0.1).prop_map(|(from, to, kind, little)| {
            let moved = to.center();
            match kind {
                0 => ObbMotion::still(&from),
                1 => ObbMotion::between(&from, &Obb::new(moved, from.half_extents(), from.axes())),
                2 => {
                    let axes = glam::Mat3::from_quat(Quat::from_xyzw(little, 0.02, 0.0, 1.0).normalize()) * from.axes();
                    ObbMotion::between(&from, &Obb::new(from.center() + Vec3::splat(little), from.half_extents(), axes))
                }
                _ => ObbMotion::between(&from, &to),
            }
        })
    }

    proptest! {
        #[test]
        fn pairs_side_by_side_have_the_bits_of_one_at_a_time(
            motions in prop::collection::vec((motion(), motion()), 0..40),
            tolerance in prop_oneof![Just(1e-6f32), Just(1e-4), Just(f32::NAN)],
            limit in prop_oneof![2 => Just(1f32), 1 => 0f32..1.0],
        ) {
            let pairs: Vec<_> = motions.iter().map(|(a, b)| [a, b]).collect();
            let mut contacts = vec![None; pairs.len()];
            Obb::first_contacts_inlined(&pairs, tolerance, limit, &mut contacts);
            let bits = |contact: Contact| {
                (contact.time.to_bits(), contact.direction.to_array().map(f32::to_bits), contact.gap.to_bits())
            };
            for ([a, b], contact) in pairs.iter().zip(contacts) {
                let expected = Obb::first_contact_until(a, b, tolerance, limit);
                prop_assert_eq!(contact.map(bits), expected.map(bits), "{:?} {:?}", a, b);
            }
        }
    }
}
