//! Moving boxes: the rejects and the bounds that [`super::sweep_lanes`] explains.

use super::NEAR_TOLERANCE;
use super::gather::{Boxes, gather};
use super::layout::{BoundsBlock, LANES, Record, Row};
use super::sweep_lanes::{ARC, BEND, BENT_SLACK, CHORD_SLACK, GRID, MovingPairs, SIZE_SLACK, WAY_SLACK, WIDEN};
use super::three::{Three, dot, sub3, sum3};
use super::vectors::Vectors;

/// A moving box in each lane.
struct Moving<V> {
    first: Boxes<V>,
    last: Boxes<V>,
    /// The larger half extents of both poses.
    half: Three<V>,
    /// The sum of `half`.
    size: V,
    /// An upper limit of the angle by which the box turns, in radians.
    angle: V,
}

impl<V: Copy> Moving<V> {
    #[inline(always)]
    fn new<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(s: S, first: Boxes<V>, last: Boxes<V>) -> Self {
        let mut half = first.half;
        let mut squares = half;
        for k in 0..3 {
            half[k] = s.max(first.half[k], last.half[k]);
            let chord = sub3(s, &last.axes[k], &first.axes[k]);
            squares[k] = dot(s, &chord, &chord);
        }
        // For a turn by `angle`, the squares of the chords of three perpendicular axes sum to twice the square of
        // `2 sin(angle / 2)`.
        let square = s.mul(sum3(s, squares[0], squares[1], squares[2]), s.splat(0.5));
        let chord = s.add(s.sqrt(square), s.splat(CHORD_SLACK));
        let bow = s.add(s.splat(1.0), s.mul(s.mul(chord, chord), s.splat(ARC)));
        let size = sum3(s, half[0], half[1], half[2]);
        Self { first, last, half, size, angle: s.mul(chord, bow) }
    }
}

/// Returns a mask of the pairs that may meet, and writes their earliest possible times.
#[inline(always)]
pub(super) fn meeting_pairs<const WIDTH: usize, S: Vectors<WIDTH>>(
    s: S,
    pairs: &MovingPairs<'_>,
    relative_tolerance: f32,
    earliest: &mut Row,
) -> u16 {
    let mut may_meet = 0;
    for at in (0..pairs.len()).step_by(WIDTH) {
        let a = Moving::new(s, lanes(s, &pairs.from[0], at), lanes(s, &pairs.to[0], at));
        let b = Moving::new(s, lanes(s, &pairs.from[1], at), lanes(s, &pairs.to[1], at));
        may_meet |= s.bits(meeting_times(s, &a, &b, relative_tolerance, earliest, at)) << at;
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
    earliest: &mut Row,
    at: usize,
) -> S::M {
    let (first, last) = (Ends::new(s, &a.first, &b.first), Ends::new(s, &a.last, &b.last));
    let way = sub3(s, &last.apart, &first.apart);
    let way = s.sqrt(dot(s, &way, &way));
    let farthest = s.sqrt(s.max(dot(s, &first.apart, &first.apart), dot(s, &last.apart, &last.apart)));
    let size = s.add(a.size, b.size);
    let both = s.add(a.angle, b.angle);
    let ways = s.mul(s.add(length(s, &first.apart), length(s, &last.apart)), s.splat(WAY_SLACK));
    let margin = s.add(s.mul(size, s.splat(SIZE_SLACK + relative_tolerance)), ways);
    let margin = s.add(margin, s.splat(f32::MIN_POSITIVE));
    // A radius, and the distance of the centers along a direction, differ from a straight line between their values at both
    // ends. The margins cover the largest difference.
    let bend = s.mul(s.mul(both, both), s.splat(0.125));
    let margin_a = s.add(margin, s.add(s.mul(b.size, bend), bow(s, a.angle, farthest, way)));
    let margin_b = s.add(margin, s.add(s.mul(a.size, bend), bow(s, b.angle, farthest, way)));
    let margin_edges = s.add(margin, s.add(s.mul(size, bend), bow(s, both, farthest, way)));

    let mut times = Times { before: s.splat(0.0), after: s.splat(0.0) };
    for k in 0..3 {
        let own = s.add(a.half[k], margin_a);
        let reach = [s.add(own, first.reach_b(s, k, &b.half)), s.add(own, last.reach_b(s, k, &b.half))];
        times.keep(s, [first.along_a[k], last.along_a[k]], reach);
        let own = s.add(b.half[k], margin_b);
        let reach = [s.add(own, first.reach_a(s, k, &a.half)), s.add(own, last.reach_a(s, k, &a.half))];
        times.keep(s, [first.along_b[k], last.along_b[k]], reach);
    }
    for i in 0..3 {
        for j in 0..3 {
            let reach = [
                s.add(margin_edges, first.reach_of_edges(s, i, j, &a.half, &b.half)),
                s.add(margin_edges, last.reach_of_edges(s, i, j, &a.half, &b.half)),
            ];
            times.keep(s, [first.along_edges(s, i, j), last.along_edges(s, i, j)], reach);
        }
    }
    let Times { before, after } = times;
    s.store(s.mul(before, s.splat(1.0 - WIDEN)), earliest, at);
    s.le(s.all(), s.add(before, after), s.splat(1.0 + WIDEN))
}

/// Bounds the difference between the centers' distance along a direction that turns by an angle, and the straight line
/// between its values at both ends.
#[inline(always)]
fn bow<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, angle: S::V, farthest: S::V, way: S::V) -> S::V {
    let twice = s.add(way, way);
    s.mul(s.mul(angle, s.splat(0.125)), s.add(s.mul(angle, farthest), twice))
}

/// Two boxes at one end of their motions.
struct Ends<V> {
    /// The vector from the first box's center to the second's, in world space and along both boxes' axes.
    apart: Three<V>,
    along_a: Three<V>,
    along_b: Three<V>,
    /// `products[i][j]` is the dot product of axis `i` of the first box and axis `j` of the second.
    products: [Three<V>; 3],
    /// The absolute values of `products`.
    absolute: [Three<V>; 3],
}

impl<V: Copy> Ends<V> {
    #[inline(always)]
    fn new<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(s: S, a: &Boxes<V>, b: &Boxes<V>) -> Self {
        let apart = sub3(s, &b.center, &a.center);
        let (mut along_a, mut along_b) = (apart, apart);
        let mut products = a.axes;
        let mut absolute = a.axes;
        for i in 0..3 {
            along_a[i] = dot(s, &a.axes[i], &apart);
            along_b[i] = dot(s, &b.axes[i], &apart);
            for j in 0..3 {
                products[i][j] = dot(s, &a.axes[i], &b.axes[j]);
                absolute[i][j] = s.abs(products[i][j]);
            }
        }
        Self { apart, along_a, along_b, products, absolute }
    }

    /// The reach of the second box along axis `i` of the first.
    #[inline(always)]
    fn reach_b<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(&self, s: S, i: usize, half: &Three<V>) -> V {
        dot(s, &self.absolute[i], half)
    }

    /// The reach of the first box along axis `j` of the second.
    #[inline(always)]
    fn reach_a<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(&self, s: S, j: usize, half: &Three<V>) -> V {
        dot(s, &[self.absolute[0][j], self.absolute[1][j], self.absolute[2][j]], half)
    }

    /// The centers' distance along the cross product of axis `i` of the first box and axis `j` of the second.
    #[inline(always)]
    fn along_edges<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(&self, s: S, i: usize, j: usize) -> V {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        s.sub(s.mul(self.along_a[i2], self.products[i1][j]), s.mul(self.along_a[i1], self.products[i2][j]))
    }

    /// The reach of both boxes along the same cross product.
    #[inline(always)]
    fn reach_of_edges<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(
        &self,
        s: S,
        i: usize,
        j: usize,
        half_a: &Three<V>,
        half_b: &Three<V>,
    ) -> V {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let of_a = s.add(s.mul(half_a[i1], self.absolute[i2][j]), s.mul(half_a[i2], self.absolute[i1][j]));
        let of_b = s.add(s.mul(half_b[j1], self.absolute[i][j2]), s.mul(half_b[j2], self.absolute[i][j1]));
        s.add(of_a, of_b)
    }
}

/// The longest times for which the boxes are apart along one of the directions added so far, as shares of the motion.
struct Times<V> {
    /// From the start of the motion on.
    before: V,
    /// Until the end of the motion.
    after: V,
}

impl<V: Copy> Times<V> {
    /// Adds a direction. `reach` includes the margins, so at each time the gap along the direction is at least as large as
    /// on the straight line between the gaps at the start and at the end.
    #[inline(always)]
    fn keep<const WIDTH: usize, S: Vectors<WIDTH, V = V>>(&mut self, s: S, along: [V; 2], reach: [V; 2]) {
        self.before = s.max(time_apart(s, along, reach), self.before);
        self.after = s.max(time_apart(s, [along[1], along[0]], [reach[1], reach[0]]), self.after);
    }
}

/// Returns the time for which the boxes stay apart, from the end `along[0]` on: at most 0 if they are not apart there,
/// above 1 if they stay apart for the whole motion.
#[inline(always)]
fn time_apart<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, along: [S::V; 2], reach: [S::V; 2]) -> S::V {
    let backward = s.le(s.all(), along[0], s.splat(0.0));
    let other = s.select(backward, s.sub(s.splat(0.0), along[1]), along[1]);
    let gap = s.sub(s.abs(along[0]), reach[0]);
    let other_gap = s.sub(other, reach[1]);
    s.div(gap, s.max(s.sub(gap, other_gap), s.splat(f32::MIN_POSITIVE)))
}

/// The sum of the components' absolute values.
#[inline(always)]
fn length<const WIDTH: usize, S: Vectors<WIDTH>>(s: S, v: &Three<S::V>) -> S::V {
    sum3(s, s.abs(v[0]), s.abs(v[1]), s.abs(v[2]))
}

/// Writes [`super::sweep_lanes::swept_bounds`] of each box, to the same bits.
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
            let bent = s.add(s.max(s.sub(s.splat(1.0), cosine), s.splat(0.0)), s.splat(BENT_SLACK));
            let radius = s.sqrt(dot(s, &half, &half));
            let bend = s.mul(s.mul(radius, s.splat(BEND)), bent);
            let near = s.mul(sum3(s, half[0], half[1], half[2]), s.splat(2.0 * NEAR_TOLERANCE));
            let slack = s.add(s.add(bend, near), s.splat(2.0 * f32::MIN_POSITIVE));
            for c in 0..3 {
                let (reach_first, reach_last) = (reach(s, &first.axes, &half, c), reach(s, &last.axes, &half, c));
                let low = s.min(s.sub(first.center[c], reach_first), s.sub(last.center[c], reach_last));
                let high = s.max(s.add(first.center[c], reach_first), s.add(last.center[c], reach_last));
                let grid = s.mul(s.max(s.abs(low), s.abs(high)), s.splat(GRID));
                let slack = s.add(grid, slack);
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
