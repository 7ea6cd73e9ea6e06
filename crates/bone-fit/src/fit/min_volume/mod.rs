//! The smallest box around a convex hull.
//!
//! O'Rourke (*Finding minimal enclosing boxes*, 1985) proves that a smallest box has two adjacent faces that each hold
//! an edge of the hull. A face that holds an edge has its normal on the arc between the normals of the edge's two
//! faces. For every pair of edges the two normals, kept perpendicular, run through a family of one parameter; the third
//! is their cross product. Along the family the box touches the same vertices between *events*, where a touched vertex
//! hands over to a neighbor: there a third edge lies in a face. Jylänki (*An exact algorithm for finding minimum
//! oriented bounding boxes*, 2015) finds minima at such events only, and so do we; the middle between two events is
//! looked at all the same, because for the surface area, and for hulls with needle-like faces, minima lie there too.
//!
//! Few edges can lie in a face of the smallest box: a box with a face that holds an edge far from its best turn is much
//! too large, whatever the other faces do. [`candidate_edges`] leaves such edges out before pairs are looked at.

mod candidate_edges;
mod family;
mod graph;
mod search;

use super::extents::{canonical, extents};
use crate::options::Objective;
use candidate_edges::ROUNDING;
use glam::{DMat3, DVec3};
use hull::{ConvexHull, HullShape};
use search::Search;

/// A solid thinner than this share of its length is flat but for the rounding of f32 positions far from the joint: the
/// normals of its rim are noise, and so would be the volume.
const FLAT: f64 = 1e-5;

/// Axes of the smallest box around the hull; right-handed, by decreasing extent, signs canonical.
///
/// A solid gets the box of least volume (or surface), a polygon and a solid no thicker than [`FLAT`] the rectangle of
/// least area, a segment its direction. `start` is a candidate to beat, principal axes best: the answer is never larger
/// than the box with those axes, and the plane of what is flat is taken from it.
pub(super) fn axes(hull: &ConvexHull, start: &DMat3, objective: Objective) -> DMat3 {
    let long = extents(start, hull.vertices());
    let found = match hull.shape() {
        HullShape::Solid if long.min_element() > FLAT * long.max_element() => Search::new(hull, start, objective).run(),
        HullShape::Solid | HullShape::Polygon => least_rectangle(hull, start, long),
        HullShape::Segment | HullShape::Point => *start,
    };
    canonical(&found, hull.vertices())
}

/// What is known of all boxes around a hull before the smallest is found.
pub(super) struct BoxBounds {
    search: Search,
    /// The objective of a good box, in the unit of the search.
    good: f64,
}

impl BoxBounds {
    /// `None` for hulls around which the smallest box is found at once.
    pub(super) fn of_volume(hull: &ConvexHull, start: &DMat3) -> Option<Self> {
        let long = extents(start, hull.vertices());
        if hull.shape() != HullShape::Solid || long.min_element() <= FLAT * long.max_element() {
            return None;
        }
        let mut search = Search::new(hull, start, Objective::Volume);
        let good = search.find_limit()?;
        Some(Self { search, good })
    }

    /// A volume that no box is below, in the hull's unit: a large share of the smallest box's, or 0.
    pub(super) fn least_volume(&self) -> f64 {
        /// Shares of a good box's volume.
        const SHARES: [f64; 2] = [0.98, 0.92];
        let least = SHARES.into_iter().map(|share| share * self.good).find(|&least| self.search.is_at_least(least));
        least.map_or(0.0, |least| least * (1.0 - ROUNDING) / self.search.unit().powi(3))
    }

    /// The volume of a good box or a little more, in the hull's unit: mostly within a hundredth of the smallest box's.
    pub(super) fn good_volume(&self) -> f64 {
        self.good / self.search.unit().powi(3)
    }

    /// The axes that [`axes`] gives, or `None` where the volume of the smallest box is above `most` for certain, in the hull's
    /// unit.
    pub(super) fn axes_unless_above(&self, hull: &ConvexHull, most: f64) -> Option<DMat3> {
        let found = self.search.clone().run_unless_above(most * self.search.unit().powi(3));
        found.map(|axes| canonical(&axes, hull.vertices()))
    }
}

/// The least rectangle in the plane across the shortest of `start`'s axes: it has a side along an edge (Freeman and
/// Shapira, *Determining the minimum-area encasing rectangle for an arbitrary closed curve*, 1975).
fn least_rectangle(hull: &ConvexHull, start: &DMat3, long: DVec3) -> DMat3 {
    let vertices = hull.vertices();
    let thin = (0..3).min_by(|&a, &b| long[a].total_cmp(&long[b])).unwrap_or(2);
    let normal = start.col(thin);
    let mut best = (*start, long[(thin + 1) % 3] * long[(thin + 2) % 3]);
    for edge in hull.edges() {
        let [from, to] = edge.map(|end| vertices[end as usize]);
        let Some(along) = (to - from).reject_from_normalized(normal).try_normalize() else { continue };
        let axes = DMat3::from_cols(along, normal.cross(along), normal);
        let long = extents(&axes, vertices);
        if long.x * long.y < best.1 {
            best = (axes, long.x * long.y);
        }
    }
    best.0
}
