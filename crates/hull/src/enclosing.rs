//! Hulls with few vertices around hulls with many.
//!
//! An edge contraction replaces both ends of an edge by one apex that lies on or beyond the planes of all faces around the edge.
//! No face of the two ends is then a face of the new hull, so the ends are no longer vertices, and the new hull holds the old one.
//! Each round contracts the edges that add the least volume.
//!
//! Source: Sander, Gu, Gortler, Hoppe, Snyder, *Silhouette Clipping*, SIGGRAPH 2000: a progressive hull of any mesh, by edge
//! contractions outside the planes of the faces around the edge. A convex hull needs no test for self-intersection, and the added
//! volume counts every face that the apex is beyond.

use crate::builder::HullBuilder;
use crate::contraction::{Before, Frame, Planes};
use crate::convex_hull::{ConvexHull, HullShape};
use crate::plane::Plane;
use crate::predicates::{Coordinates, Predicates};
use crate::quickhull::Points;
use crate::scan::Scan;
use glam::DVec3;

/// A face with a smaller area is a sliver; its plane is ignored. The two numbers are shares of the square of the hull's size. An
/// apex may leave a little of the hull outside the planes of slivers, so the result grows until it holds the hull. The larger
/// number is tried if no edge can be contracted. The reason may be slivers on the flat side of a prism, between vertices that
/// rounding has moved, because their normals have any direction.
const LEAST_SLIVER: f64 = 1e-11;
const LARGEST_SLIVER: f64 = 1e-5;

/// The first and the largest growth of the result, as shares of its size, that make up for rounding.
const FIRST_GROWTH: f64 = 1.0 / (1u64 << 40) as f64;
const LARGEST_GROWTH: f64 = 1e-3;

impl ConvexHull {
    /// Returns a hull with at most `max_vertices` vertices that holds this hull and adds little volume to it.
    ///
    /// The result is in the space and unit of this hull. Exact predicates decide that no vertex of this hull lies outside. If
    /// this hull has at most `max_vertices` vertices, the result is a copy of it. The result depends on the positions of the
    /// vertices alone.
    ///
    /// Returns `None` if no such hull is found:
    ///
    /// - for a segment or a polygon with more than `max_vertices` vertices,
    /// - in some cases for a `max_vertices` below eight, because a solid such as a brick has no edge that can be contracted,
    /// - for a hull that is so large or so small that its volume is outside the range of `f64`.
    #[must_use]
    pub fn enclosing_hull(&self, max_vertices: usize) -> Option<Self> {
        if self.vertices().len() <= max_vertices {
            return Some(self.clone());
        }
        if self.shape() != HullShape::Solid {
            return None;
        }
        let mut builder = HullBuilder::new();
        let mut around = self.clone();
        let frame = Frame::of(self);
        let mut planes = Planes::new(self, frame, LEAST_SLIVER);
        let mut candidates = planes.candidates(self);
        while around.vertices().len() > max_vertices {
            let too_many = around.vertices().len() - max_vertices;
            let mut sliver = LEAST_SLIVER;
            let mut contractions = planes.contractions(&around, &candidates, too_many);
            while contractions.is_empty() && sliver <= LARGEST_SLIVER {
                sliver *= 10.0;
                let rough = Planes::new(&around, frame, sliver);
                contractions = rough.contractions(&around, &rough.candidates(&around), too_many);
            }
            let mut is_end = vec![false; around.vertices().len()];
            contractions.iter().flat_map(|one| one.edge).for_each(|end| is_end[end as usize] = true);
            let kept: Vec<u32> = (0..).zip(is_end).filter(|(_, is_end)| !is_end).map(|(vertex, _)| vertex).collect();
            let points = kept.iter().map(|&vertex| around.vertices()[vertex as usize]);
            let points: Vec<DVec3> = points.chain(contractions.iter().map(|one| one.apex)).collect();
            let next = builder.build(&points).ok()?;
            // Without a contraction, and where rounding keeps an end outside, the number of vertices stays the same.
            if next.vertices().len() >= around.vertices().len() {
                return None;
            }
            let old_vertices: Vec<Option<u32>> =
                next.source_indices().iter().map(|&source| kept.get(source as usize).copied()).collect();
            let next_planes = Planes::new(&next, frame, LEAST_SLIVER);
            let before =
                Before { hull: &around, planes: &planes, candidates: &candidates, old_vertices: &old_vertices };
            candidates = next_planes.candidates_after(&next, &before);
            (around, planes) = (next, next_planes);
        }
        let center = around.vertices().iter().sum::<DVec3>() / around.vertices().len() as f64;
        let mut growth = FIRST_GROWTH;
        let mut grown = around.clone();
        while grown.first_outside(self.vertices()).is_some() {
            if growth > LARGEST_GROWTH {
                return None;
            }
            let points: Vec<DVec3> = around.vertices().iter().map(|&at| at + (at - center) * growth).collect();
            grown = builder.build(&points).ok()?;
            growth *= 2.0;
        }
        (grown.vertices().len() <= max_vertices).then_some(grown)
    }

    /// Returns the index of the first point that lies outside the hull; `None` if the hull holds all points. The surface belongs
    /// to the hull. Exact predicates decide, whatever the shape of the hull.
    ///
    /// A point with a coordinate that is not finite counts as outside. The time is proportional to the number of points times the
    /// number of faces.
    #[must_use]
    pub fn first_outside(&self, points: &[DVec3]) -> Option<usize> {
        let count = self.vertices().len() as u32;
        let all = [self.vertices(), points].concat();
        let Ok(scan) = Scan::of(&all) else { return points.iter().position(|point| !point.is_finite()).or(Some(0)) };
        if self.shape() != HullShape::Solid {
            // A point is outside if and only if adding the point changes the vertices.
            let holds = |point: &DVec3| {
                let with_point = [self.vertices(), std::slice::from_ref(point)].concat();
                Self::from_points(&with_point).is_ok_and(|hull| hull.vertices() == self.vertices())
            };
            return points.iter().position(|point| !holds(point));
        }
        let coordinates = Coordinates::prepare(&all, scan.largest, scan.smallest_nonzero);
        let scaled: Vec<DVec3> = all.iter().map(|&point| coordinates.scaled(point)).collect();
        let exact = Predicates::new(coordinates, &all, &scaled);
        let view = Points::new(&all, &scaled, &scan, coordinates);
        let plane = |corners: &[u32]| {
            let corners = [corners[0], corners[1], corners[2]];
            (corners, view.plane(corners))
        };
        let planes: Vec<([u32; 3], Plane)> = self.faces().map(|face| plane(face.corners())).collect();
        let is_above = |point: u32, (corners, plane): &([u32; 3], Plane)| {
            // The working copy of a wide set has lost bits, so heights in it prove nothing.
            let height = if coordinates.wide { None } else { plane.certain(plane.height(view.local(point))) };
            height.map_or_else(|| exact.side_of_plane(*corners, point).is_gt(), |height| height > 0.0)
        };
        (0..points.len()).find(|&index| planes.iter().any(|plane| is_above(count + index as u32, plane)))
    }
}
