use crate::convex_hull::{ConvexHull, HullShape};
use crate::error::HullError;
use crate::facets::{Facets, compare_positions};
use crate::planar;
use crate::predicates::{Coordinates, Predicates, exponent_of};
use crate::quickhull::{Points, Quickhull, Start};
use crate::scan::Scan;
use glam::{DVec3, Vec3};

/// Builds hulls one after the other and reuses its memory.
///
/// ```
/// use glam::DVec3;
/// use hull::{HullBuilder, HullShape};
///
/// let mut builder = HullBuilder::new();
/// let flat = builder.build(&[DVec3::ZERO, DVec3::X, DVec3::Y])?;
/// assert_eq!(flat.shape(), HullShape::Polygon);
/// let solid = builder.build(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
/// assert_eq!((solid.shape(), solid.volume()), (HullShape::Solid, 1.0 / 6.0));
/// # Ok::<(), hull::HullError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HullBuilder {
    quickhull: Quickhull,
    facets: Facets,
}

impl ConvexHull {
    /// Builds the hull of any finite points.
    ///
    /// A [`HullBuilder`] builds many hulls faster, because it reuses its memory.
    ///
    /// # Errors
    /// Returns [`HullError`] if the list is empty, a coordinate is not finite, or there are more than
    /// [`crate::MAX_POINTS`] points.
    pub fn from_points(points: &[DVec3]) -> Result<Self, HullError> {
        HullBuilder::new().build(points)
    }

    /// Builds the hull of `f32` points. Every `f32` converts to `f64` exactly.
    ///
    /// # Errors
    /// Returns the errors of [`Self::from_points`].
    pub fn from_points_f32(points: &[Vec3]) -> Result<Self, HullError> {
        Self::from_points(&points.iter().map(|point| point.as_dvec3()).collect::<Vec<_>>())
    }
}

impl HullBuilder {
    /// Creates a builder that has not allocated memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds the hull of any finite points. The result equals [`ConvexHull::from_points`], whatever hulls the builder
    /// built before.
    ///
    /// # Errors
    /// Returns [`HullError`] if the list is empty, a coordinate is not finite, or there are more than
    /// [`crate::MAX_POINTS`] points.
    pub fn build(&mut self, points: &[DVec3]) -> Result<ConvexHull, HullError> {
        let scan = Scan::of(points)?;
        let coordinates = Coordinates::prepare(points, scan.largest, scan.smallest_nonzero);
        let mut scaled = std::mem::take(&mut self.quickhull.scaled);
        scaled.clear();
        if coordinates.exponent != 0 {
            scaled.extend(points.iter().map(|&p| coordinates.scaled(p)));
        }
        let view = Points::new(points, &scaled, &scan, coordinates);
        let start = self.quickhull.run(view, &scan);
        let exact = Predicates::new(coordinates, points, &scaled);
        // For exponents of at most 150 the sixth power of a length is a normal number, so the hull needs no scaling.
        let exponent = if scan.largest == 0.0 { 0 } else { -exponent_of(scan.largest) };
        let exponent = if exponent.abs() > 150 { exponent } else { 0 };
        let hull = match start {
            Start::Point(index) => ConvexHull::point(points[index as usize], index),
            Start::Line(a, b) => segment(points, a, b),
            Start::Plane([a, b, c]) => {
                let axis = exact.open_axis(a, b, c).unwrap_or(0);
                self.facets.set_polygon(planar::polygon(points, axis, exact), points);
                ConvexHull::from_facets(HullShape::Polygon, &self.facets, points, exponent)
            }
            Start::Solid => {
                self.facets.merge(&self.quickhull, points, view);
                ConvexHull::from_facets(HullShape::Solid, &self.facets, points, exponent)
            }
        };
        self.quickhull.scaled = scaled;
        Ok(hull)
    }
}

/// `a` and `b` must be extreme along an axis on which the line is not constant; they are then the ends of the segment.
fn segment(points: &[DVec3], a: u32, b: u32) -> ConvexHull {
    let (a, b) = if compare_positions(points[a as usize], points[b as usize]).is_lt() { (a, b) } else { (b, a) };
    ConvexHull::segment([points[a as usize], points[b as usize]], [a, b])
}
