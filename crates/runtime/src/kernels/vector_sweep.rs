//! Moving boxes over vectors: the arithmetic of [`super::sweep_lanes`], once for all instruction sets.

use super::NEAR_TOLERANCE;
use super::layout::{BoundsBlock, LANES, Record, Row};
use super::sweep_lanes::{MEETING_DISTANCE, MovingPairs, SIXTEENTH_OF_PI_SQUARED, SIZE_SLACK, WAY_SLACK, WIDEN};
use super::vector_kernel::{Boxes, Three, add3, cross, dot, gather, scale, sub3, sum3};
use super::vectors::Vectors;

/// A moving box in each lane.
struct Moving<V> {
    center: Three<V>,
    /// The vector from the first center to the last.
    way: Three<V>,
    half: Three<V>,
    /// The middles of the chords along which the axes' ends turn.
    axes: [Three<V>; 3],
    /// The sum of the half extents, each times half the chord of its axis.
    turning: V,
}

impl<V: Copy> Moving<V> {
    #[inline(always)]
    fn new<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(s: S, from: &Boxes<V>, to: &Boxes<V>) -> Self {
        let mut half = from.half;
        let mut axes = from.axes;
        let mut turning = s.splat(0.0);
        for k in 0..3 {
            half[k] = s.max(from.half[k], to.half[k]);
            let chord = sub3(s, &to.axes[k], &from.axes[k]);
            axes[k] = scale(s, &add3(s, &from.axes[k], &to.axes[k]), s.splat(0.5));
            turning = s.add(turning, s.mul(half[k], s.sqrt(dot(s, &chord, &chord))));
        }
        let way = sub3(s, &to.center, &from.center);
        Self { center: from.center, way, half, axes, turning: s.mul(turning, s.splat(0.5)) }
    }
}

/// Returns a mask of the pairs that may meet, and writes their earliest possible times.
#[inline(always)]
pub(super) fn meeting_pairs<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    pairs: &MovingPairs<'_>,
    relative_tolerance: f32,
    entries: &mut Row,
) -> u16 {
    let mut may_meet = 0;
    for at in (0..pairs.len()).step_by(WIDTH) {
        let a = Moving::new(s, &lanes(s, &pairs.from[0], at), &lanes(s, &pairs.to[0], at));
        let b = Moving::new(s, &lanes(s, &pairs.from[1], at), &lanes(s, &pairs.to[1], at));
        may_meet |= s.bits(meeting_times(s, &a, &b, relative_tolerance, entries, at)) << at;
    }
    may_meet & pairs.lanes()
}

#[inline(always)]
fn lanes<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, records: &[&Record; LANES], at: usize) -> Boxes<S::V> {
    let mut some = [records[0]; WIDTH];
    some.copy_from_slice(&records[at..at + WIDTH]);
    gather(s, &some)
}

#[inline(always)]
fn meeting_times<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    a: &Moving<S::V>,
    b: &Moving<S::V>,
    relative_tolerance: f32,
    entries: &mut Row,
    at: usize,
) -> S::M {
    let apart = sub3(s, &b.center, &a.center);
    let way = sub3(s, &b.way, &a.way);
    let size = s.add(sum3(s, a.half[0], a.half[1], a.half[2]), sum3(s, b.half[0], b.half[1], b.half[2]));
    let ways = s.mul(sum3(s, length(s, &apart), length(s, &a.way), length(s, &b.way)), s.splat(WAY_SLACK));
    let margin = s.add(s.mul(size, s.splat(SIZE_SLACK + MEETING_DISTANCE * relative_tolerance)), ways);
    let margin = s.add(s.add(margin, s.splat(f32::MIN_POSITIVE)), s.add(a.turning, b.turning));

    let mut times = Times { enter: s.splat(0.0), leave: s.splat(1.0), margin };
    // Face axes of both boxes. The middles of turning axes are neither perpendicular nor of length 1.
    for k in 0..3 {
        for direction in [&a.axes[k], &b.axes[k]] {
            let reach = s.add(radius(s, direction, a), radius(s, direction, b));
            times.keep(s, dot(s, direction, &apart), dot(s, direction, &way), reach);
        }
    }

    // Edge axes: `L = Aᵢ × Bⱼ`, `L·Aₖ = Bⱼ·(Aₖ × Aᵢ)` and `L·Bₖ = Aᵢ·(Bⱼ × Bₖ)`.
    let (normals_a, normals_b) = (normals(s, &a.axes), normals(s, &b.axes));
    for i in 0..3 {
        let (apart, way) = (cross(s, &apart, &a.axes[i]), cross(s, &way, &a.axes[i]));
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let reach_a = s.add(
                s.mul(a.half[i1], s.abs(dot(s, &b.axes[j], &normals_a[i2]))),
                s.mul(a.half[i2], s.abs(dot(s, &b.axes[j], &normals_a[i1]))),
            );
            let reach_b = s.add(
                s.mul(b.half[j1], s.abs(dot(s, &a.axes[i], &normals_b[j2]))),
                s.mul(b.half[j2], s.abs(dot(s, &a.axes[i], &normals_b[j1]))),
            );
            times.keep(s, dot(s, &b.axes[j], &apart), dot(s, &b.axes[j], &way), s.add(reach_a, reach_b));
        }
    }
    let Times { enter, leave, .. } = times;
    let enter = s.mul(enter, s.splat(1.0 - WIDEN));
    s.store(enter, entries, at);
    s.le(s.all(), enter, s.mul(leave, s.splat(1.0 + WIDEN)))
}

/// The times at which boxes may overlap along all directions so far.
struct Times<V> {
    enter: V,
    leave: V,
    /// The margin that is added to all radii.
    margin: V,
}

impl<V: Copy> Times<V> {
    /// Keeps the times at which `|offset + speed t|` is at most `reach` and the margin.
    #[inline(always)]
    fn keep<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(&mut self, s: S, offset: V, speed: V, reach: V) {
        let reach = s.add(reach, self.margin);
        let backward = s.le(s.all(), speed, s.splat(0.0));
        let offset = s.select(backward, s.sub(s.splat(0.0), offset), offset);
        let inverse = s.div(s.splat(1.0), s.max(s.abs(speed), s.splat(f32::MIN_POSITIVE)));
        self.enter = s.max(s.mul(s.sub(s.splat(0.0), s.add(offset, reach)), inverse), self.enter);
        self.leave = s.min(s.mul(s.sub(reach, offset), inverse), self.leave);
    }
}

/// The sum of the components' absolute values.
#[inline(always)]
fn length<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, v: &Three<S::V>) -> S::V {
    sum3(s, s.abs(v[0]), s.abs(v[1]), s.abs(v[2]))
}

/// The reach of boxes along a direction.
#[inline(always)]
fn radius<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, direction: &Three<S::V>, of: &Moving<S::V>) -> S::V {
    sum3(
        s,
        s.mul(of.half[0], s.abs(dot(s, direction, &of.axes[0]))),
        s.mul(of.half[1], s.abs(dot(s, direction, &of.axes[1]))),
        s.mul(of.half[2], s.abs(dot(s, direction, &of.axes[2]))),
    )
}

#[inline(always)]
fn normals<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, [x, y, z]: &[Three<S::V>; 3]) -> [Three<S::V>; 3] {
    [cross(s, y, z), cross(s, z, x), cross(s, x, y)]
}

/// Writes the bounds of the space that each box passes through on its way from one record to the other. These bounds
/// contain the bounds of [`super::sweep_lanes::swept_bounds`].
#[inline(always)]
pub(super) fn swept_bounds<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    from: &[Record],
    to: &[Record],
    blocks: &mut [BoundsBlock],
) {
    for ((from, to), block) in from.chunks(LANES).zip(to.chunks(LANES)).zip(blocks) {
        let (mut first, mut last) = ([&Record::NONE; LANES], [&Record::NONE; LANES]);
        first.iter_mut().zip(from).for_each(|(place, record)| *place = record);
        last.iter_mut().zip(to).for_each(|(place, record)| *place = record);
        for at in (0..from.len()).step_by(WIDTH) {
            let (first, last) = (lanes(s, &first, at), lanes(s, &last, at));
            let mut half = first.half;
            let mut traces = half;
            for k in 0..3 {
                half[k] = s.max(first.half[k], last.half[k]);
                traces[k] = dot(s, &first.axes[k], &last.axes[k]);
            }
            let cosine = s.mul(s.sub(sum3(s, traces[0], traces[1], traces[2]), s.splat(1.0)), s.splat(0.5));
            let bent = s.max(s.sub(s.splat(1.0), cosine), s.splat(0.0));
            let radius = s.sqrt(dot(s, &half, &half));
            // A little more than the definition adds, so that these bounds contain the defined ones.
            let bend = s.mul(
                s.mul(radius, s.splat(1.000_01 * SIXTEENTH_OF_PI_SQUARED)),
                s.add(bent, s.splat(8.0 * f32::EPSILON)),
            );
            let near = s.mul(sum3(s, half[0], half[1], half[2]), s.splat(2.0 * NEAR_TOLERANCE));
            let slack = s.add(s.add(bend, near), s.splat(2.0 * f32::MIN_POSITIVE));
            for c in 0..3 {
                let (reach_first, reach_last) = (reach(s, &first.axes, &half, c), reach(s, &last.axes, &half, c));
                let low = s.min(s.sub(first.center[c], reach_first), s.sub(last.center[c], reach_last));
                let high = s.max(s.add(first.center[c], reach_first), s.add(last.center[c], reach_last));
                let grid = s.mul(s.max(s.abs(low), s.abs(high)), s.splat(4.0 * f32::EPSILON));
                let slack = s.add(slack, grid);
                s.store(s.sub(low, slack), &mut block.min[c], at);
                s.store(s.add(high, slack), &mut block.max[c], at);
            }
        }
    }
}

/// The reach of boxes along x, y or z.
#[inline(always)]
fn reach<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, axes: &[Three<S::V>; 3], half: &Three<S::V>, c: usize) -> S::V {
    sum3(s, s.mul(s.abs(axes[0][c]), half[0]), s.mul(s.abs(axes[1][c]), half[1]), s.mul(s.abs(axes[2][c]), half[2]))
}
