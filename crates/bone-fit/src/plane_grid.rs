//! Finds the plane of a convex hull that a point is highest above, without a look at all planes.
//!
//! A grid divides a box around the hull into cells. For each cell, the grid has the planes that are the highest plane
//! for at least one point of the cell. Near the surface of a hull with few vertices, these are three or four of sixty.

use crate::bounds::Bounds;
use glam::DVec3;
use hull::{ConvexHull, Face};

/// The plane of a face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FacePlane {
    /// The outward unit normal.
    pub(crate) normal: DVec3,
    /// The height of the plane along the normal.
    pub(crate) height: f64,
}

impl FacePlane {
    /// Returns the height of a point above the plane.
    #[inline]
    pub(crate) fn above(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.height
    }
}

/// The planes of a convex hull, and the cells of a box around it.
#[derive(Clone, Debug)]
pub(crate) struct PlaneGrid {
    planes: Vec<FacePlane>,
    /// The lowest corner of the box.
    low: DVec3,
    cells_per_unit: DVec3,
    /// The planes that matter in each cell, cell after cell: first along x, then y, then z.
    relevant: Vec<u16>,
    /// `relevant[starts[i]..starts[i + 1]]` belong to cell `i`. Empty if there are more planes than a `u16` can count.
    starts: Vec<u32>,
    /// A point that is this far below all planes is surely inside, in the unit of the points.
    slack: f64,
}

/// The number of cells along each axis. More cells take longer to make than they save.
const CELLS: usize = 8;

/// The box is larger than the hull by this share of its size on each side, so that it also has points that are a little outside.
const ROOM: f64 = 0.125;

/// A plane matters if it is the highest plane or lower by at most this share of the size of the coordinates. Heights
/// have far smaller errors.
const SLACK: f64 = 1e-9;

impl PlaneGrid {
    /// Makes the grid of a hull with these planes and vertices.
    pub(crate) fn new(planes: Vec<FacePlane>, vertices: &[DVec3]) -> Self {
        let around = Bounds::around(vertices.iter().copied());
        let room = around.size() * ROOM;
        let (low, size) = (around.low - room, around.size() + 2.0 * room);
        let cell = size / CELLS as f64;
        let slack = SLACK * (around.low.abs().max(around.high.abs()).element_sum() + size.element_sum());
        // A point that rounding puts into a neighboring cell is in the enlarged cell.
        let half = 0.5 * cell + DVec3::splat(slack);
        let mut grid =
            Self { planes, low, cells_per_unit: cell.recip(), relevant: Vec::new(), starts: Vec::new(), slack };
        if grid.planes.len() > usize::from(u16::MAX) {
            return grid;
        }
        grid.starts.push(0);
        for index in 0..CELLS.pow(3) {
            let at = [index % CELLS, index / CELLS % CELLS, index / (CELLS * CELLS)];
            let middle = low + cell * (DVec3::from_array(at.map(|step| step as f64)) + 0.5);
            let mut top = (f64::NEG_INFINITY, DVec3::ZERO);
            for plane in &grid.planes {
                let above = plane.above(middle);
                top = if above > top.0 { (above, plane.normal) } else { top };
            }
            // No point of the cell brings the plane nearer to the top one than this.
            let matters =
                |plane: &FacePlane| top.0 - plane.above(middle) <= (plane.normal - top.1).abs().dot(half) + slack;
            let of_cell = (0..).zip(&grid.planes).filter(|(_, plane)| matters(plane)).map(|(index, _)| index);
            grid.relevant.extend(of_cell);
            grid.starts.push(grid.relevant.len() as u32);
        }
        grid
    }

    /// Makes the grid of a solid hull. Returns `None` if a face is too small for a normal.
    pub(crate) fn of_hull(hull: &ConvexHull) -> Option<Self> {
        let vertices = hull.vertices();
        let plane = |face: Face<'_>| {
            let normal = face.normal()?;
            let heights = face.corners().iter().map(|&corner| normal.dot(vertices[corner as usize]));
            Some(FacePlane { normal, height: heights.fold(f64::NEG_INFINITY, f64::max) })
        };
        Some(Self::new(hull.faces().map(plane).collect::<Option<_>>()?, vertices))
    }

    pub(crate) fn planes(&self) -> &[FacePlane] {
        &self.planes
    }

    /// Returns the planes that matter for a point; `None` if the point is outside the box.
    #[inline]
    fn relevant(&self, point: DVec3) -> Option<&[u16]> {
        let at = (point - self.low) * self.cells_per_unit;
        // The comparison is false for NaN.
        if !(at.cmpge(DVec3::ZERO) & at.cmplt(DVec3::splat(CELLS as f64))).all() {
            return None;
        }
        let [x, y, z] = at.to_array().map(|step| step as usize);
        let cell = x + CELLS * (y + CELLS * z);
        let (start, end) = (*self.starts.get(cell)?, *self.starts.get(cell + 1)?);
        self.relevant.get(start as usize..end as usize)
    }

    /// Returns `true` if a point is at most `tolerance` above every plane.
    #[inline]
    pub(crate) fn holds(&self, point: DVec3, tolerance: f64) -> bool {
        match self.relevant(point) {
            Some(relevant) => relevant.iter().all(|&index| self.planes[usize::from(index)].above(point) <= tolerance),
            None => self.planes.iter().all(|plane| plane.above(point) <= tolerance),
        }
    }

    /// Returns `true` if a point is certainly inside. `false` is not certain.
    pub(crate) fn surely_holds(&self, point: DVec3) -> bool {
        self.holds(point, -self.slack)
    }

    /// Returns the largest height of a point above the planes, negative inside, and the index of the first plane with this height.
    #[inline]
    pub(crate) fn highest(&self, point: DVec3) -> (f64, usize) {
        let mut best = (f64::NEG_INFINITY, 0);
        let mut look_at = |index: usize| {
            let above = self.planes[index].above(point);
            if above > best.0 {
                best = (above, index);
            }
        };
        match self.relevant(point) {
            Some(relevant) => relevant.iter().for_each(|&index| look_at(usize::from(index))),
            None => (0..self.planes.len()).for_each(look_at),
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_models::Random;

    /// Compares the grid with all planes, for points inside, near the surface and far away.
    #[test]
    fn the_highest_plane_is_that_of_all_planes() {
        let mut random = Random::new(7);
        let mut in_grid = 0;
        for case in 0..60 {
            let (size, place) = (random.in_box() * 4.0, random.in_box() * 100.0);
            let size = if case % 4 == 0 { size * DVec3::new(1.0, 1e-6, 1.0) } else { size };
            let count = 4 + random.below(if case == 59 { 200 } else { 60 });
            let points: Vec<DVec3> =
                (0..count).map(|_| random.in_box().normalize_or(DVec3::X) * size + place).collect();
            let hull = ConvexHull::from_points(&points).unwrap();
            let grid = PlaneGrid::of_hull(&hull).unwrap();
            for number in 0..2000 {
                let point = match number % 3 {
                    0 => points[random.below(count)] + random.in_box() * size * 0.05,
                    1 => place + random.in_box() * size,
                    _ => place + random.in_box() * 3.0,
                };
                in_grid += usize::from(grid.relevant(point).is_some());
                let mut expected = (f64::NEG_INFINITY, 0);
                for (index, plane) in grid.planes().iter().enumerate() {
                    if plane.above(point) > expected.0 {
                        expected = (plane.above(point), index);
                    }
                }
                assert_eq!(grid.highest(point), expected, "case {case}, {point}");
                for tolerance in [expected.0.next_down(), expected.0, 0.0] {
                    assert_eq!(grid.holds(point, tolerance), expected.0 <= tolerance, "case {case}, {point}");
                }
                assert!(!grid.surely_holds(point) || hull.first_outside(&[point]).is_none(), "case {case}, {point}");
            }
        }
        assert!(in_grid > 60_000, "{in_grid} points in the grid");
        let empty = PlaneGrid::new(Vec::new(), &[]);
        assert!(empty.holds(DVec3::ONE, 0.0) && empty.highest(DVec3::ONE).0 == f64::NEG_INFINITY);
    }
}
