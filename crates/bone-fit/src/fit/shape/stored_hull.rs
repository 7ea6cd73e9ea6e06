//! Rounds hulls to the `f32` numbers of the file, so that they hold every point exactly.

use crate::bounds::Bounds;
use crate::fit::enclose::{TightBox, enclose};
use crate::plane_grid::PlaneGrid;
use baked_format::HitboxHull;
use glam::{DMat3, DVec3, Vec3};
use hull::{ConvexHull, HullShape};

/// A hull whose vertices are `f32` numbers.
#[derive(Clone, Debug)]
pub(crate) struct StoredHull {
    /// The hull of the stored vertices.
    exact: ConvexHull,
    grid: PlaneGrid,
    /// The error of a height above a plane, in the joint's unit.
    rounding: f64,
}

/// The first and the largest growth of a hull, as shares of its size, that make up for vertices rounded inward.
const FIRST_GROWTH: f64 = 1.0 / (1u64 << 26) as f64;
const LARGEST_GROWTH: f64 = 0.1;

/// The error of a height in `f64`, as a share of the sizes of the coordinates: ample for five roundings.
const ROUNDING: f64 = 1.0 / (1u64 << 48) as f64;

impl StoredHull {
    /// Makes a hull with at most `max_vertices` vertices that holds another hull. Returns `None` if the hull is flat, or if no
    /// hull with so few vertices was found.
    pub(crate) fn around(inner: &ConvexHull, max_vertices: usize) -> Option<Self> {
        if inner.shape() != HullShape::Solid {
            return None;
        }
        let outer = inner.enclosing_hull(max_vertices)?;
        let center = center_of(&outer);
        let mut growth = 0.0;
        loop {
            let vertices: Vec<Vec3> =
                outer.vertices().iter().map(|&at| (at + (at - center) * growth).as_vec3() + Vec3::ZERO).collect();
            let rounded = ConvexHull::from_points_f32(&vertices).ok()?;
            if rounded.shape() == HullShape::Solid && rounded.first_outside(inner.vertices()).is_none() {
                return Self::new(rounded);
            }
            growth = (2.0 * growth).max(FIRST_GROWTH);
            if growth > LARGEST_GROWTH {
                return None;
            }
        }
    }

    fn new(exact: ConvexHull) -> Option<Self> {
        let vertices = exact.vertices();
        let size = vertices.iter().map(|at| at.abs().element_sum()).fold(0.0, f64::max);
        Some(Self { grid: PlaneGrid::of_hull(&exact)?, rounding: ROUNDING * size, exact })
    }

    pub(crate) fn exact(&self) -> &ConvexHull {
        &self.exact
    }

    /// Returns the largest height of a point above the faces, negative inside, up to rounding.
    pub(crate) fn height(&self, point: DVec3) -> f64 {
        self.grid.highest(point).0
    }

    /// Returns a bound of the error of [`StoredHull::height`].
    pub(crate) fn rounding_at(&self, point: DVec3) -> f64 {
        self.rounding + ROUNDING * point.abs().element_sum()
    }

    /// Returns `true` if the hull holds a point, in exact arithmetic.
    pub(crate) fn holds(&self, point: DVec3) -> bool {
        let height = self.height(point);
        if height.abs() > self.rounding_at(point) { height < 0.0 } else { self.exact.first_outside(&[point]).is_none() }
    }

    /// Returns `true` if the hull certainly holds bounds. `false` is not certain.
    pub(crate) fn surely_holds(&self, bounds: &Bounds) -> bool {
        let (middle, half) = (bounds.center(), bounds.half_size());
        let rounding = self.rounding + ROUNDING * (middle.abs() + half).element_sum();
        self.grid.planes().iter().all(|plane| plane.above(middle) + plane.normal.abs().dot(half) < -rounding)
    }

    pub(crate) fn volume(&self) -> f64 {
        self.exact.volume()
    }

    /// Returns the hull as a file stores it.
    pub(crate) fn hitbox_hull(&self) -> HitboxHull {
        HitboxHull {
            vertices: self.exact.vertices().iter().map(|vertex| vertex.as_vec3()).collect(),
            triangles: self.exact.triangles().iter().map(|triangle| triangle.map(|index| index as u8)).collect(),
        }
    }

    /// Returns the box with these axes around the hull.
    pub(crate) fn boxed(&self, axes: &DMat3) -> TightBox {
        enclose(axes, self.exact.vertices())
    }
}

fn center_of(hull: &ConvexHull) -> DVec3 {
    hull.vertices().iter().sum::<DVec3>() / hull.vertices().len() as f64
}
