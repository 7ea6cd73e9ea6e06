//! The edges that can lie in a face of the smallest box.
//!
//! First a good box is found by turning many boxes a few times; the sizes of these boxes come from a table. Then the
//! search leaves out each edge for which all boxes with a face through the edge are larger than the good box. This is
//! decided by a branch and bound over the turns of such boxes. On characters one edge in four stays, and one pair of
//! edges in nineteen.

use super::graph::{Edge, Graph};
use crate::fit::extents::{extents, objective_of};
use crate::options::Objective;
use glam::{DMat3, DVec3};
use std::f64::consts::FRAC_PI_2;

/// The largest rounding error of a bound or of a box's objective, as a share of the value.
pub(super) const ROUNDING: f64 = 1e-6;

/// The number of equal parts into which a quarter turn is divided at most; a power of two.
const STEPS: usize = 64;

/// An arc of normals smaller than this angle, in radians, is not divided.
const FINE_ARC: f64 = 0.025;

/// The vertices that a box touches, for directions spread over half a sphere. The directions are the centers of cells
/// on three sides of a cube.
#[derive(Clone)]
pub(super) struct SupportTable {
    /// The number of cells along a side of the cube.
    cells: usize,
    /// For each cell, a vector between two vertices of the hull: from the farthest vertex against the cell's direction
    /// to the farthest vertex along it.
    across: Vec<DVec3>,
}

impl SupportTable {
    /// Makes a table, with more cells for hulls with more edges.
    pub(super) fn new(graph: &Graph, edges: usize) -> Self {
        let cells = if edges > 250 { 24 } else { 12 };
        let mut across = Vec::with_capacity(3 * cells * cells);
        let mut row_start = [0, 0];
        for side in 0..3 {
            for i in 0..cells {
                let mut touched = row_start;
                for j in 0..cells {
                    let direction = cell_center(cells, side, i, j);
                    touched = [graph.climb(touched[0], direction), graph.climb(touched[1], -direction)];
                    across.push(graph.vertices[touched[0]] - graph.vertices[touched[1]]);
                    if j == 0 {
                        row_start = touched;
                    }
                }
            }
        }
        Self { cells, across }
    }

    /// Returns a vector from one vertex to another that is nearly the farthest across the hull along a direction. The
    /// direction may have any length.
    #[inline]
    pub(super) fn across(&self, direction: DVec3) -> DVec3 {
        // No branches, because none would be predictable: directions of any side and sign come in any order.
        let [x, y, z] = direction.to_array();
        let [x_is_largest, y_is_larger] = [(x.abs() >= y.abs()) & (x.abs() >= z.abs()), y.abs() >= z.abs()];
        let side = if x_is_largest { 0 } else { 2 - usize::from(y_is_larger) };
        let turned = [x, y, z, x, y];
        let (major, u, v) = (turned[side], turned[side + 1], turned[side + 2]);
        let half = 0.5 * self.cells as f64;
        let scale = half / major;
        let cell = |along: f64| ((along * scale + half) as u32 as usize).min(self.cells - 1);
        let found = self.across[(side * self.cells + cell(u)) * self.cells + cell(v)];
        1.0f64.copysign(major) * found
    }
}

/// Returns the direction through the middle of a cell. Its length is not normalized.
fn cell_center(cells: usize, side: usize, i: usize, j: usize) -> DVec3 {
    let at = |index: usize| (2 * index + 1) as f64 / cells as f64 - 1.0;
    let (u, v) = (at(i), at(j));
    match side {
        0 => DVec3::new(1.0, u, v),
        1 => DVec3::new(v, 1.0, u),
        _ => DVec3::new(u, v, 1.0),
    }
}

/// Returns a little more than the objective of a good box. The smallest box is not larger.
pub(super) fn upper_bound(graph: &Graph, supports: &SupportTable, start: &DMat3, objective: Objective) -> f64 {
    /// The number of cells of first axes along a side of the cube, and the number of turns about each first axis.
    const AXES: usize = 6;
    const TURNS: usize = 8;
    let mut best = [(f64::INFINITY, *start); 2];
    let turns: [[f64; 2]; TURNS] = std::array::from_fn(|turn| cosine_and_sine(turn * STEPS / TURNS));
    for (side, i, j) in (0..3 * AXES * AXES).map(|cell| (cell / (AXES * AXES), cell / AXES % AXES, cell % AXES)) {
        let first = cell_center(AXES, side, i, j).normalize();
        let (x, y) = first.any_orthonormal_pair();
        for [cosine, sine] in turns {
            let (second, third) = (cosine * x + sine * y, cosine * y - sine * x);
            let width = |axis: DVec3| axis.dot(supports.across(axis));
            let value = objective_of(objective, DVec3::new(width(first), width(second), width(third)));
            let found = (value, DMat3::from_cols(first, second, third));
            if value < best[0].0 {
                best = [found, best[0]];
            } else if value < best[1].0 {
                best[1] = found;
            }
        }
    }
    let starts = [*start, best[0].1, best[1].1];
    let found = starts.into_iter().map(|start| {
        let turned = descend(graph, start, objective);
        objective_of(objective, extents(&turned, &graph.vertices))
    });
    found.fold(f64::INFINITY, f64::min) * (1.0 + ROUNDING)
}

/// Turns a box about its axes, by ever smaller steps, while turns make the box smaller.
fn descend(graph: &Graph, start: DMat3, objective: Objective) -> DMat3 {
    /// Tangents of the first and the last turn.
    const STEPS: [f64; 2] = [0.1, 0.002];
    let mut touched = [[0; 2]; 3];
    let mut value = |axes: &DMat3| {
        let width = |index: usize| {
            let axis = axes.col(index);
            let [high, low] = &mut touched[index];
            (*high, *low) = (graph.climb(*high, axis), graph.climb(*low, -axis));
            axis.dot(graph.vertices[*high] - graph.vertices[*low])
        };
        objective_of(objective, DVec3::from_array([0, 1, 2].map(width)))
    };
    let (mut best, mut axes, mut step) = (value(&start), start, STEPS[0]);
    while step > STEPS[1] {
        let before = best;
        for (about, tangent) in [0, 1, 2].into_iter().flat_map(|about| [(about, step), (about, -step)]) {
            let (x, y) = ((about + 1) % 3, (about + 2) % 3);
            let mut turned = axes;
            *turned.col_mut(x) = (axes.col(x) + tangent * axes.col(y)).normalize();
            *turned.col_mut(y) = (axes.col(y) - tangent * axes.col(x)).normalize();
            let found = value(&turned);
            if found < best {
                (best, axes) = (found, turned);
            }
        }
        if best == before {
            step *= 0.5;
        }
    }
    axes
}

fn cosine_and_sine(step: usize) -> [f64; 2] {
    let (sine, cosine) = libm::sincos(step as f64 * (FRAC_PI_2 / STEPS as f64));
    [cosine, sine]
}

/// The edges that a box with an objective below a limit can have in a face.
pub(super) struct CandidateEdges<'a> {
    graph: &'a Graph,
    supports: &'a SupportTable,
    turns: [[f64; 2]; STEPS + 1],
    limit: f64,
    objective: Objective,
}

impl<'a> CandidateEdges<'a> {
    pub(super) fn new(graph: &'a Graph, supports: &'a SupportTable, limit: f64, objective: Objective) -> Self {
        Self { graph, supports, turns: std::array::from_fn(cosine_and_sine), limit, objective }
    }

    /// Returns `true` if the edge may be a candidate. `false` is certain.
    pub(super) fn may_be_in_face(&self, edge: &Edge) -> bool {
        let ends = [edge.from, (edge.from + edge.by).normalize()];
        let middle = (ends[0] + ends[1]).normalize_or_zero();
        let along = if edge.by.length_squared() > 1e-6 {
            ends[0].cross(ends[1])
        } else {
            // The normals are too close together for their cross product to give the direction.
            let [from, to] = edge.ends.map(|end| self.graph.vertices[end]);
            (to - from).reject_from(middle)
        };
        let Some(along) = along.try_normalize().filter(|_| middle != DVec3::ZERO) else { return true };
        let Self { supports, turns, limit, objective, .. } = self;
        let boxes = BoxesOnEdge { supports, turns, along, limit: *limit, objective: *objective };
        boxes.any_below_limit(&Turned { arc: ends, angle: edge.by.length(), steps: [0, STEPS] })
    }
}

/// All boxes with a face through an edge.
struct BoxesOnEdge<'a> {
    supports: &'a SupportTable,
    /// Cosine and sine of each step of a quarter turn.
    turns: &'a [[f64; 2]; STEPS + 1],
    /// The direction along the edge, of unit length.
    along: DVec3,
    limit: f64,
    objective: Objective,
}

/// A range of the boxes on an edge.
struct Turned {
    /// The normal of the face through the edge lies between these two normals of unit length.
    arc: [DVec3; 2],
    /// The angle between the two normals in radians, or a little less.
    angle: f64,
    /// The second axis is turned from the edge, about the normal, by an angle between these two steps.
    steps: [usize; 2],
}

impl BoxesOnEdge<'_> {
    /// Returns `true` if a box of the range may have an objective below the limit. `false` is certain.
    fn any_below_limit(&self, boxes: &Turned) -> bool {
        let [low, high] = boxes.steps;
        let turn = (high - low) as f64 * (FRAC_PI_2 / STEPS as f64);
        let halves = if boxes.angle > FINE_ARC && (boxes.angle > turn || high - low == 1) {
            let Some(middle) = (boxes.arc[0] + boxes.arc[1]).try_normalize() else { return true };
            [[boxes.arc[0], middle], [middle, boxes.arc[1]]].map(|arc| Turned {
                arc,
                angle: 0.5 * boxes.angle,
                steps: boxes.steps,
            })
        } else if high - low > 1 {
            let middle = (low + high) / 2;
            [[low, middle], [middle, high]].map(|steps| Turned { arc: boxes.arc, angle: boxes.angle, steps })
        } else {
            return true;
        };
        // The better half is tried first, because one box below the limit is enough.
        let least = [self.least(&halves[0]), self.least(&halves[1])];
        let order = if least[0] <= least[1] { [0, 1] } else { [1, 0] };
        order.into_iter().any(|half| least[half] < self.limit && self.any_below_limit(&halves[half]))
    }

    /// Returns a lower bound of the objective of these boxes.
    ///
    /// Each width is at least the distance between two vertices along the axis. The vertices are nearly the farthest
    /// vertices of the box in the middle of the range.
    fn least(&self, boxes: &Turned) -> f64 {
        let [begin, end] = boxes.arc;
        // The length of the sum is twice the cosine of half the angle between both normals.
        let sum = begin + end;
        let length = sum.length();
        let [cosine, sine] = self.turns[(boxes.steps[0] + boxes.steps[1]) / 2];
        let across_edge = sum.cross(self.along) / length;
        let first = self.supports.across(sum);
        let second = self.supports.across(cosine * self.along + sine * across_edge);
        let third = self.supports.across(cosine * across_edge - sine * self.along);
        let least_first = begin.dot(first).min(end.dot(first)).max(0.0);
        // The second axis is `cosine * along + sine * normal.cross(along)`; the third is its cross product with the
        // normal. On the arc between two directions, a vector reaches at least as far as along the direction where it
        // reaches less; if that reach is negative, at least as far as along the chord.
        let ends = [begin.cross(self.along), end.cross(self.along)];
        let on_arc = |across: DVec3| {
            let least = ends[0].dot(across).min(ends[1].dot(across));
            if least < 0.0 { 2.0 * least / length } else { least }
        };
        let (second_along, second_across) = (self.along.dot(second), on_arc(second));
        let (third_along, third_across) = (self.along.dot(third), on_arc(third));
        let widths = boxes.steps.map(|step| {
            let [cosine, sine] = self.turns[step];
            let second = cosine * second_along + sine * second_across;
            let third = cosine * third_across - sine * third_along;
            (second.max(0.0), third.max(0.0))
        });
        // Both widths are sine waves of the turn. Where both are positive, the waves and their products are least at an
        // end.
        let least_at_ends = |value: fn((f64, f64)) -> f64| value(widths[0]).min(value(widths[1]));
        let product = least_at_ends(|(second, third)| second * third);
        match self.objective {
            Objective::Volume => least_first * product,
            Objective::SurfaceArea => 2.0 * (least_first * least_at_ends(|(second, third)| second + third) + product),
        }
    }
}
