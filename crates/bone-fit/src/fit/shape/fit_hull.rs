//! Fits a convex hull with few vertices that holds every point that it has to hold.

use super::fit_round::{Held, ROUNDS};
use super::stored_hull::StoredHull;
use crate::bounds::Bounds;
use crate::motion::support_points::SupportPoints;
use geometry_core::portable;
use glam::DVec3;
use hull::ConvexHull;

/// The number of times that a hull grows to hold the last places outside it. Each time it grows by twice as much.
const GROWTHS: i32 = 12;

impl Held<'_> {
    /// Fits a hull with at most `max_vertices` vertices around all points. The hull is at least twice `least` thick along each
    /// axis of the box, and every face is moved outward by at least `margin`; both in the joint's unit. Returns `None` if the
    /// points are flat and `least` is 0, or if no hull with so few vertices was found.
    pub(crate) fn fit_hull(&self, max_vertices: usize, least: f64, margin: f64) -> Option<StoredHull> {
        let thin = (DVec3::splat(least) - self.tight.half_extents.as_dvec3()).max(DVec3::ZERO);
        let mut points = self.swollen(self.corners, thin);
        let stored = self.rounded_standing()?;
        let around = |points: &[DVec3]| {
            let exact = ConvexHull::from_points(&[points, stored.vertices()].concat()).ok()?;
            StoredHull::around(&exact, max_vertices)
        };
        let mut fitted = around(&points)?;
        for _ in 0..ROUNDS {
            let (beyond, _) = self.beyond_hull(&fitted);
            if beyond.is_empty() {
                break;
            }
            points.extend(beyond);
            fitted = around(&points)?;
        }
        let (_, mut farthest) = self.beyond_hull(&fitted);
        let unswollen = fitted.clone();
        for power in 0..GROWTHS {
            if farthest <= 0.0 {
                break;
            }
            fitted = unswollen.grown(farthest * f64::from(1u32 << power))?;
            farthest = self.beyond_hull(&fitted).1;
        }
        if farthest > 0.0 {
            return None;
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

    /// Returns the moving places outside a hull that the hull has to hold, the farthest along many directions, and a bound
    /// of their heights above the faces; 0 if there is no place outside.
    fn beyond_hull(&self, fitted: &StoredHull) -> (Vec<DVec3>, f64) {
        let Some((trajectories, survey)) = &self.motion else { return (Vec::new(), 0.0) };
        let mut support = SupportPoints::new();
        let mut highest = 0.0;
        let surely_holds = |bounds: &Bounds| fitted.surely_holds(bounds);
        trajectories.visit_beyond(survey, surely_holds, |at| {
            if (self.keeps_all || self.is_in_box(at)) && !fitted.holds(at) {
                support.add(at);
                // A place whose height is below its rounding error still needs a hull that grows by more than that.
                highest = (fitted.height(at) + 2.0 * fitted.rounding_at(at)).max(highest);
            }
        });
        (support.points(), highest)
    }
}
