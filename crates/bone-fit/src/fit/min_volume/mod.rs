//! The smallest box around a convex hull.
//!
//! O'Rourke (*Finding minimal enclosing boxes*, 1985) proves that a smallest box has two adjacent faces that each hold
//! an edge of the hull. A face that holds an edge has its normal on the arc between the normals of the edge's two
//! faces. For every pair of edges the two normals, kept perpendicular, run through a family of one parameter; the third
//! normal is their cross product. Along the family the box touches the same vertices between *events*. At an event the
//! box stops touching a vertex and begins to touch a neighbor of it, so that a third edge lies in a face. Jylänki (*An
//! exact algorithm for finding minimum oriented bounding boxes*, 2015) finds minima at such events only, and so does
//! this search. The search also looks at the middle between two events, because minima lie there too for the surface
//! area and for hulls with needle-like faces.
//!
//! Few edges can lie in a face of the smallest box: a box with a face that holds an edge far from its best turn is much
//! too large, for any other faces. [`candidate_edges`] leaves such edges out before pairs are looked at.

mod candidate_edges;
mod family;
mod graph;
mod search;

use super::extents::{canonical, extents, objective_of};
use crate::options::Objective;
use candidate_edges::ROUNDING;
use glam::{DMat3, DVec3};
use hull::{ConvexHull, HullShape};
use search::Search;

/// A solid whose thickness is less than this share of its length counts as flat. Its thickness comes from the rounding
/// of f32 positions far from the joint, so the normals of its rim and its volume are noise.
const FLAT: f64 = 1e-5;

/// An edge is parallel to a normal if the sine of the angle between them is at most this.
const PARALLEL: f64 = 1e-6;

/// Returns the axes of the smallest box around the hull; right-handed, by decreasing extent, signs canonical.
///
/// A solid gets the box of least volume (or surface), a polygon and a solid no thicker than [`FLAT`] the rectangle of
/// least area, a segment its direction. `start` is the first candidate, for best results the principal axes. The result
/// is never larger than the box with the axes `start`. For a flat hull, `start` gives the plane.
pub(super) fn axes(hull: &ConvexHull, start: &DMat3, objective: Objective) -> DMat3 {
    let long = extents(start, hull.vertices());
    let found = match hull.shape() {
        HullShape::Solid if long.min_element() > FLAT * long.max_element() => Search::new(hull, start, objective).run(),
        HullShape::Solid | HullShape::Polygon => least_rectangle(hull, start, long),
        HullShape::Segment | HullShape::Point => *start,
    };
    canonical(&found, hull.vertices())
}

/// Bounds of all boxes around a hull, before the smallest box is found.
pub(super) struct BoxBounds {
    search: Search,
    /// The objective of a good box, in the unit of the search.
    good: f64,
}

impl BoxBounds {
    /// Returns `None` for hulls whose smallest box is found without a long search.
    pub(super) fn of_volume(hull: &ConvexHull, start: &DMat3) -> Option<Self> {
        let long = extents(start, hull.vertices());
        if hull.shape() != HullShape::Solid || long.min_element() <= FLAT * long.max_element() {
            return None;
        }
        let mut search = Search::new(hull, start, Objective::Volume);
        let good = search.find_limit()?;
        Some(Self { search, good })
    }

    /// Returns a lower bound of the volume of all boxes, in the hull's unit cubed: a large share of the smallest box's
    /// volume, or 0.
    pub(super) fn least_volume(&self) -> f64 {
        /// The shares of a good box's volume that are tried as lower bounds.
        const SHARES: [f64; 2] = [0.98, 0.92];
        let least = SHARES.into_iter().map(|share| share * self.good).find(|&least| self.search.is_at_least(least));
        least.map_or(0.0, |least| least * (1.0 - ROUNDING) / self.search.unit_cubed())
    }

    /// Returns the volume of a good box or a little more, in the hull's unit cubed: mostly within a hundredth of the
    /// smallest box's volume.
    pub(super) fn good_volume(&self) -> f64 {
        self.good / self.search.unit_cubed()
    }

    /// Returns the axes of [`axes`], or `None` if the volume of the smallest box is certainly above `most`, in the
    /// hull's unit cubed.
    pub(super) fn axes_unless_above(&self, hull: &ConvexHull, most: f64) -> Option<DMat3> {
        let found = self.search.clone().run_unless_above(most * self.search.unit_cubed());
        found.map(|axes| canonical(&axes, hull.vertices()))
    }
}

/// Returns the axes of the least rectangle in the plane across the shortest of `start`'s axes.
fn least_rectangle(hull: &ConvexHull, start: &DMat3, long: DVec3) -> DMat3 {
    let thin = (0..3).min_by(|&a, &b| long[a].total_cmp(&long[b])).unwrap_or(2);
    let turned = DMat3::from_cols(start.col((thin + 1) % 3), start.col((thin + 2) % 3), start.col(thin));
    let found = smallest_about(hull, &turned, Objective::Volume);
    // The order of the axes of `start` decides between sides of equal length.
    if found == turned { *start } else { found }
}

/// Returns the axes of the smallest box around the hull whose third axis is that of `start`. The result is never larger than the
/// box with the axes `start`.
///
/// Seen along the third axis, a smallest box has a side along an edge of the hull: Freeman and Shapira (*Determining the
/// minimum-area encasing rectangle for an arbitrary closed curve*, 1975) prove this for the area, and so for the volume. It also
/// holds for the surface area. While the sides turn and touch the same vertices, the lengths of both are `A cos(x)` and
/// `B cos(x + d)`, both concave. Where the derivative of their product plus a multiple of their sum vanishes, the second
/// derivative is not positive, so there is no minimum between two edges.
pub(super) fn smallest_about(hull: &ConvexHull, start: &DMat3, objective: Objective) -> DMat3 {
    let vertices = hull.vertices();
    let normal = start.z_axis;
    let measure = |long: DVec3| match objective {
        // The third length is the same for all boxes, and is 0 for flat hulls.
        Objective::Volume => long.x * long.y,
        Objective::SurfaceArea => objective_of(objective, long),
    };
    let mut best = (*start, measure(extents(start, vertices)));
    for edge in hull.edges() {
        let [from, to] = edge.map(|end| vertices[end as usize]);
        let across = (to - from).reject_from_normalized(normal);
        // Seen along the normal, such an edge is a point, and the direction of its rest is noise.
        if across.length_squared() <= PARALLEL * PARALLEL * (to - from).length_squared() {
            continue;
        }
        let Some(along) = across.try_normalize() else { continue };
        let axes = DMat3::from_cols(along, normal.cross(along), normal);
        let size = measure(extents(&axes, vertices));
        if size < best.1 {
            best = (axes, size);
        }
    }
    best.0
}
