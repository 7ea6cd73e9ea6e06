//! Families of boxes with a face on each of two edges. A family has one parameter.

use super::graph::Edge;
use crate::fit::extents::objective_of;
use crate::options::Objective;
use glam::DVec3;

/// Two perpendicular normals and their cross product as polynomials of one parameter.
pub(super) struct Family {
    /// For every `t`, `first[0] + first[1] t` is the normal of a face through the first edge.
    pub(super) first: [DVec3; 2],
    /// For every `t`, `second[0] + second[1] t` is the normal of a face through the second edge, perpendicular to the
    /// first normal.
    pub(super) second: [DVec3; 2],
    /// The cross product of both normals, as the coefficients of 1, `t` and `t^2`.
    pub(super) third: [DVec3; 3],
}

impl Family {
    pub(super) fn new(a: &Edge, b: &Edge) -> Self {
        // first . (b.from + u b.by) = (p + q t) + u (r + s t) vanishes at u = -(p + q t) / (r + s t).
        let (p, q) = (a.from.dot(b.from), a.by.dot(b.from));
        let (r, s) = (a.from.dot(b.by), a.by.dot(b.by));
        let first = [a.from, a.by];
        let second = [r * b.from - p * b.by, s * b.from - q * b.by];
        Self { first, second, third: cross_polynomial(&first, &second) }
    }

    /// Returns the same family with the second normal in the opposite direction.
    pub(super) fn flipped(self) -> Self {
        Self { first: self.first, second: self.second.map(|v| -v), third: self.third.map(|v| -v) }
    }

    pub(super) fn first(&self, t: f64) -> DVec3 {
        self.first[0] + t * self.first[1]
    }

    pub(super) fn second(&self, t: f64) -> DVec3 {
        self.second[0] + t * self.second[1]
    }

    pub(super) fn third(&self, t: f64) -> DVec3 {
        self.third[0] + t * (self.third[1] + t * self.third[2])
    }

    /// Returns a lower bound of the objective of every box of the family with a parameter in the range.
    ///
    /// `across[i]` is a vector from one vertex of the hull to another. Along its axis `i` the box is at least as wide
    /// as this vector.
    pub(super) fn least(&self, across: [DVec3; 3], [begin, end]: [f64; 2], objective: Objective) -> f64 {
        // Linear functions have their least value, and squared lengths their largest value, at an end of the range.
        let first = [self.first(begin), self.first(end)];
        let second = [self.second(begin), self.second(end)];
        let least = |ends: [DVec3; 2], across: DVec3| ends[0].dot(across).min(ends[1].dot(across)).max(0.0);
        let most_squared = |ends: [DVec3; 2]| ends[0].length_squared().max(ends[1].length_squared());
        let [constant, slope, bend] = self.third.map(|coefficient| coefficient.dot(across[2]));
        let curve = |t: f64| constant + t * (slope + t * bend);
        let mut third = curve(begin).min(curve(end));
        if bend > 0.0 {
            third = third.min(curve((-0.5 * slope / bend).clamp(begin, end)));
        }
        let widths = DVec3::new(least(first, across[0]), least(second, across[1]), third.max(0.0));
        let (first, second) = (most_squared(first), most_squared(second));
        match objective {
            // The length of the third normal is the product of the lengths of the first two.
            Objective::Volume => widths.element_product() / (first * second),
            Objective::SurfaceArea => {
                let (first, second) = (first.sqrt(), second.sqrt());
                objective_of(objective, widths / DVec3::new(first, second, first * second))
            }
        }
    }
}

fn cross_polynomial(a: &[DVec3; 2], b: &[DVec3; 2]) -> [DVec3; 3] {
    [a[0].cross(b[0]), a[0].cross(b[1]) + a[1].cross(b[0]), a[1].cross(b[1])]
}

/// The vertices that a box of a family touches, as indices of the graph's vertices.
#[derive(Clone, Copy)]
pub(super) struct Touched {
    pub(super) first: [usize; 2],
    pub(super) second: [usize; 2],
    pub(super) third: [usize; 2],
}

/// An event: the box stops touching a vertex and begins to touch a neighbor of it.
#[derive(Clone, Copy)]
pub(super) struct Event {
    pub(super) t: f64,
    /// The rate at which the neighbor overtakes the vertex. Of several events at once, the event with the steepest
    /// slope goes first.
    pub(super) slope: f64,
    /// The index of the vertex among the touched vertices.
    slot: usize,
    /// The neighbor, an index of the graph's vertices.
    pub(super) vertex: usize,
}

impl Event {
    const NEVER: f64 = f64::INFINITY;

    pub(super) fn slot<'a>(&self, touched: &'a mut Touched) -> &'a mut usize {
        match self.slot {
            0 => &mut touched.first[1],
            1 => &mut touched.second[1],
            slot => &mut touched.third[slot - 2],
        }
    }

    /// Returns the event at which `lead + slope (t' - t)` falls below zero.
    pub(super) fn of_line(slot: usize, vertex: usize, t: f64, lead: f64, slope: f64) -> Self {
        let after = if slope < 0.0 { lead.max(0.0) / -slope } else { Self::NEVER };
        Self { t: t + after, slope, slot, vertex }
    }

    /// Returns the event at which `lead + slope (t' - t) + bend (t' - t)^2` falls below zero.
    pub(super) fn of_curve(slot: usize, vertex: usize, t: f64, [lead, slope, bend]: [f64; 3]) -> Self {
        let lead = lead.max(0.0);
        let discriminant = slope * slope - 4.0 * bend * lead;
        let falls = slope < 0.0 || bend < 0.0;
        let after = if falls && discriminant >= 0.0 {
            let divisor = discriminant.sqrt() - slope;
            if divisor > 0.0 { 2.0 * lead / divisor } else { Self::NEVER }
        } else {
            Self::NEVER
        };
        Self { t: t + after, slope, slot, vertex }
    }
}
