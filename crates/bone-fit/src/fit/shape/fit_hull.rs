//! Fits a convex hull with few vertices that holds every point that it has to hold.

use super::fit_round::Held;
use super::stored_hull::StoredHull;
use crate::bounds::Bounds;
use crate::motion::support_points::SupportPoints;
use crate::plane_grid::PlaneGrid;
use geometry_core::portable;
use glam::DVec3;
use hull::{ConvexHull, HullBuilder};

/// More places than this are replaced by the vertices of their hull while more places are collected.
const MANY: usize = 1024;

impl Held<'_> {
    /// Fits a hull with at most `max_vertices` vertices around all points. The hull is at least twice `least` thick along each
    /// axis of the box, and every face is moved outward by at least `margin`; both in the joint's unit. Returns `None` if the
    /// points are flat and `least` is 0, or if no hull with so few vertices was found.
    pub(crate) fn fit_hull(&self, max_vertices: usize, least: f64, margin: f64) -> Option<StoredHull> {
        let thin = (DVec3::splat(least) - self.tight.half_extents.as_dvec3()).max(DVec3::ZERO);
        let around = |some: &[DVec3], others: &[DVec3]| {
            StoredHull::around(&ConvexHull::from_points(&[some, others].concat()).ok()?, max_vertices)
        };
        let corners = self.swollen(self.corners, thin);
        let standing = self.rounded_standing()?;
        let mut fitted = around(&corners, standing.vertices())?;
        // Many moving places often lie outside the first hull, and the farthest of them nearly determine the hull that is needed.
        // Few places lie outside the second hull; all of these are added to its vertices.
        let farthest = self.farthest_beyond(&fitted);
        if !farthest.is_empty() {
            fitted = around(&[corners, farthest].concat(), standing.vertices())?;
            let beyond = self.all_beyond(&fitted);
            if !beyond.is_empty() {
                fitted = around(fitted.exact().vertices(), &beyond)?;
            }
        }
        if margin > 0.0 {
            let swollen = self.swollen(fitted.exact().vertices(), DVec3::splat(margin));
            return StoredHull::around(&ConvexHull::from_points(&swollen).ok()?, max_vertices);
        }
        Some(fitted)
    }

    /// Returns the hull of the points at rest as readers store them, in `f32`.
    fn rounded_standing(&self) -> Option<ConvexHull> {
        let rounded: Vec<DVec3> = self.standing.iter().map(|point| point.as_vec3().as_dvec3()).collect();
        ConvexHull::from_points(&rounded).ok()
    }

    /// Returns the corners of boxes with these half extents around the points, along the axes of the piece's box.
    fn swollen(&self, points: &[DVec3], half: DVec3) -> Vec<DVec3> {
        if half == DVec3::ZERO {
            return points.to_vec();
        }
        let axes = portable::mat3_from_quaternion(self.tight.orientation).as_dmat3();
        let corner = |signs: usize| {
            let side = |bit: usize, length: f64| if signs >> bit & 1 == 1 { length } else { -length };
            axes * DVec3::new(side(0, half.x), side(1, half.y), side(2, half.z))
        };
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        points.iter().flat_map(|&point| corners.iter().map(move |&corner| point + corner)).collect()
    }

    /// Returns the moving places outside a hull that the hull has to hold, the farthest along many directions.
    fn farthest_beyond(&self, fitted: &StoredHull) -> Vec<DVec3> {
        let mut support = SupportPoints::new();
        self.visit_beyond(fitted, |at| support.add(at));
        support.points()
    }

    /// Returns points whose hull, together with a hull, holds every moving place outside this hull that the hull has to hold.
    fn all_beyond(&self, fitted: &StoredHull) -> Vec<DVec3> {
        let mut builder = HullBuilder::new();
        let mut beyond = Vec::new();
        let mut most = MANY;
        // The hull of the fitted hull and of the first places. Later places inside add nothing.
        let mut known: Option<PlaneGrid> = None;
        self.visit_beyond(fitted, |at| {
            if known.as_ref().is_some_and(|known| known.surely_holds(at)) {
                return;
            }
            beyond.push(at);
            if beyond.len() < most {
                return;
            }
            if let Ok(hull) = builder.build(&[fitted.exact().vertices(), &beyond].concat()) {
                known = PlaneGrid::of_hull(&hull);
                beyond = hull.vertices().to_vec();
            }
            most = MANY + 2 * beyond.len();
        });
        beyond
    }

    /// Calls `visit` with every moving place outside a hull that the hull has to hold.
    fn visit_beyond(&self, fitted: &StoredHull, mut visit: impl FnMut(DVec3)) {
        let Some((trajectories, survey)) = &self.motion else { return };
        let has_to_hold = self.has_to_hold();
        trajectories.visit_beyond(
            survey,
            |bounds| fitted.surely_holds(bounds),
            |places| {
                if !fitted.surely_holds(&Bounds::around(places.iter().copied())) {
                    let lacks = |at: &&DVec3| has_to_hold(**at) && !fitted.holds(**at);
                    places.iter().filter(lacks).for_each(|&at| visit(at));
                }
            },
        );
    }
}
