//! The points of the surface at which boxes are measured.
//!
//! Each triangle is cut into `n * n` equal cells with edges of at most [`CELL`] of the character's height at rest, and
//! at most [`MOST_CELLS`] along an edge. Each cell stands for an equal share of the posed triangle's area and is
//! measured at its middle. Escapes are also looked for at the triangles' corners, which stand for no area.

use crate::assign::owner::{CORNERS, JointWeights, Ownership};
use crate::assign::surface::canonical_corners;
use crate::skin::bound_mesh::BoundMesh;
use glam::{DAffine3, DVec3};
use skeleton::JointIndex;
use std::ops::Range;

/// The longest edge of a cell, as a share of the character's height.
const CELL: f64 = 0.02;

/// The largest number of cells along one edge of a triangle. The cells of a triangle are the bits of a `u64`.
const MOST_CELLS: usize = 8;

/// The points of a surface that are measured.
pub(crate) struct SurfaceSamples {
    pub(crate) triangles: Vec<Triangle>,
    /// The middle of each cell in barycentric coordinates of its triangle, and the joint that owns the cell.
    cells: Vec<([f64; 3], JointIndex)>,
    /// The cells of each triangle by owner: the joint that owns the cells, and a bit for each cell of the triangle.
    owned_cells: Vec<(JointIndex, u64)>,
    /// `grids[n - 1]` has the middles of `n * n` cells.
    grids: [Vec<CellLanes>; MOST_CELLS],
    /// For each vertex of each part, the owner of the first triangle that has the vertex as a corner and has a single
    /// owner; `None` if no triangle is of this kind.
    pub(crate) homes: Vec<Vec<Option<JointIndex>>>,
    /// For each vertex of each part, `true` if it is a corner of a triangle; `None` if the samples are of all joints.
    corners: Option<Vec<Vec<bool>>>,
}

/// One triangle of the surface.
pub(crate) struct Triangle {
    /// The part of the triangle, an index into [`BoundMesh::parts`].
    pub(crate) part: usize,
    /// The corners, indices of vertices of the part.
    pub(crate) corners: [u32; 3],
    /// The owners of the corners.
    pub(crate) owners: [JointIndex; 3],
    /// `true` if one joint owns all cells and is the [home](SurfaceSamples::homes) of all corners.
    pub(crate) is_at_home: bool,
    /// `cells[first_cell..first_cell + cells]` are the triangle's cells.
    first_cell: usize,
    /// The number of cells.
    pub(crate) cells: usize,
    /// The number of cells along one edge, 1 to [`MOST_CELLS`].
    along: usize,
    /// The triangle's entries of [`SurfaceSamples::owned_cells`].
    owned: Range<usize>,
}

/// The middles of four cells. Four numbers of one kind stand side by side, so that the compiler can use vector
/// instructions.
#[derive(Clone, Copy)]
pub(crate) struct CellLanes {
    /// The barycentric coordinates of each middle that belong to the first two corners. All three sum to 1.
    pub(crate) u: [f64; 4],
    pub(crate) v: [f64; 4],
    /// The bit of each cell; 0 where there is no cell.
    pub(crate) bits: [u64; 4],
}

impl Triangle {
    /// The area of the triangle that each of its cells stands for, in model units squared. The corners are in model space.
    #[inline]
    pub(crate) fn cell_area(&self, [a, b, c]: &[DVec3; 3]) -> f64 {
        0.5 * (b - a).cross(c - a).length() / self.cells as f64
    }
}

impl SurfaceSamples {
    pub(crate) fn new(mesh: &BoundMesh<'_>, rule: Ownership) -> Self {
        Self::of_joints(mesh, rule, None)
    }

    /// The points of the triangles in which one of these joints owns a point; of all triangles for `None`.
    pub(crate) fn of_joints(mesh: &BoundMesh<'_>, rule: Ownership, joints: Option<&[JointIndex]>) -> Self {
        let at_rest = mesh.posed(&mesh.model_from_joint);
        let is_asked = |joint: JointIndex| joints.is_none_or(|joints| joints.contains(&joint));
        // Only a joint that moves a triangle can own a point of it.
        let is_asked_binding: Vec<bool> = mesh.bindings.iter().map(|binding| is_asked(binding.joint)).collect();
        let homes = mesh.parts.iter().map(|part| vec![None; part.positions.len()]).collect();
        let mut samples = Self {
            triangles: Vec::new(),
            cells: Vec::new(),
            owned_cells: Vec::new(),
            grids: std::array::from_fn(|index| lanes(index + 1)),
            homes,
            corners: joints.map(|_| mesh.parts.iter().map(|part| vec![false; part.positions.len()]).collect()),
        };
        for (index, part) in mesh.parts.iter().enumerate() {
            for &triangle in part.triangles {
                let corners = canonical_corners(part, triangle);
                let mut influences = corners.iter().flat_map(|&corner| part.influences(corner as usize));
                if !influences.any(|influence| is_asked_binding[influence.binding]) {
                    continue;
                }
                let Some(weights) = JointWeights::of_triangle(mesh, part, corners) else { continue };
                let owner_at = |at| rule.strongest(&weights, at);
                let [Some(a), Some(b), Some(c)] = CORNERS.map(owner_at) else { continue };
                let [p, q, r] = corners.map(|corner| at_rest[index][corner as usize].unwrap_or(DVec3::ZERO));
                let longest = (q - p).length().max((r - q).length()).max((p - r).length());
                let along = (longest / (CELL * mesh.height)).ceil();
                let along = if along.is_finite() { (along as usize).clamp(1, MOST_CELLS) } else { 1 };
                let first_cell = samples.cells.len();
                samples.cells.extend(middles(along).filter_map(|at| Some((at, owner_at(at)?))));
                let owners = [a, b, c];
                let cell_owners = samples.cells[first_cell..].iter().map(|(_, owner)| *owner);
                if !cell_owners.chain(owners).any(is_asked) {
                    samples.cells.truncate(first_cell);
                    continue;
                }
                if let Some(all) = &mut samples.corners {
                    corners.iter().for_each(|&corner| all[index][corner as usize] = true);
                }
                let mut all_owners = samples.cells[first_cell..].iter().map(|(_, owner)| *owner).chain(owners);
                let is_at_home = all_owners.all(|owner| owner == a)
                    && corners.into_iter().fold(true, |all, corner| {
                        let home = samples.homes[index][corner as usize].get_or_insert(a);
                        all & (*home == a)
                    });
                let owned = samples.add_owned_cells(first_cell);
                let cells = along * along;
                samples.triangles.push(Triangle {
                    part: index,
                    corners,
                    owners,
                    is_at_home,
                    first_cell,
                    cells,
                    along,
                    owned,
                });
            }
        }
        samples
    }

    /// Returns `false` for a vertex that is certainly no corner of a triangle of the samples.
    pub(crate) fn has_corner(&self, part: usize, vertex: usize) -> bool {
        self.corners.as_ref().is_none_or(|corners| corners[part][vertex])
    }

    /// Sorts the cells from `first_cell` on by owner, and returns the range of the new entries.
    fn add_owned_cells(&mut self, first_cell: usize) -> Range<usize> {
        let first = self.owned_cells.len();
        for (cell, &(_, owner)) in self.cells[first_cell..].iter().enumerate() {
            match self.owned_cells[first..].iter_mut().find(|(known, _)| *known == owner) {
                Some((_, cells)) => *cells |= 1 << cell,
                None => self.owned_cells.push((owner, 1 << cell)),
            }
        }
        first..self.owned_cells.len()
    }

    /// The joints that own cells of a triangle, each with a bit for each of its cells: bit `i` stands for cell `i` of
    /// [`SurfaceSamples::cells`].
    pub(crate) fn owned_cells(&self, triangle: &Triangle) -> &[(JointIndex, u64)] {
        &self.owned_cells[triangle.owned.clone()]
    }

    /// The middles of the cells of a triangle, four by four.
    pub(crate) fn grid(&self, triangle: &Triangle) -> &[CellLanes] {
        &self.grids[triangle.along - 1]
    }

    /// The middle of each cell of a triangle in barycentric coordinates, and the joint that owns the cell.
    pub(crate) fn cells(&self, triangle: &Triangle) -> &[([f64; 3], JointIndex)] {
        &self.cells[triangle.first_cell..triangle.first_cell + triangle.cells]
    }

    /// The point of a triangle at barycentric coordinates.
    #[inline]
    pub(crate) fn point([a, b, c]: &[DVec3; 3], [u, v, w]: [f64; 3]) -> DVec3 {
        u * a + v * b + w * c
    }

    /// All measured points of a triangle, in model space, each with the joint that owns the point: the middles of the
    /// cells, then the corners. `corners` are the triangle's corners in model space.
    pub(crate) fn points(&self, triangle: &Triangle, corners: [DVec3; 3]) -> impl Iterator<Item = (DVec3, JointIndex)> {
        let middles = self.cells(triangle).iter().map(move |&(at, owner)| (Self::point(&corners, at), owner));
        middles.chain(corners.into_iter().zip(triangle.owners))
    }

    /// The corners of a triangle in model space; `model_from_mesh` has an entry for each of [`BoundMesh::bindings`].
    pub(crate) fn corners(
        &self,
        mesh: &BoundMesh<'_>,
        triangle: &Triangle,
        model_from_mesh: &[DAffine3],
    ) -> [DVec3; 3] {
        let part = &mesh.parts[triangle.part];
        triangle.corners.map(|corner| part.skinned(corner as usize, model_from_mesh).unwrap_or(DVec3::ZERO))
    }

    /// The joints that own points of a triangle, sorted.
    pub(crate) fn owners(&self, triangle: &Triangle) -> Vec<JointIndex> {
        let cells = self.cells(triangle).iter();
        let mut owners: Vec<JointIndex> = cells.map(|(_, owner)| *owner).chain(triangle.owners).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }
}

/// The middles of the `along * along` equal cells of a triangle, in barycentric coordinates.
fn middles(along: usize) -> impl Iterator<Item = [f64; 3]> {
    let upright = (0..along).flat_map(move |i| (0..along - i).map(move |j| (3 * i + 1, 3 * j + 1)));
    let inverted = (1..along).flat_map(move |i| (1..=along - i).map(move |j| (3 * i - 1, 3 * j - 1)));
    let third = 3.0 * along as f64;
    upright.chain(inverted).map(move |(i, j)| {
        let (a, b) = (i as f64 / third, j as f64 / third);
        [a, b, 1.0 - a - b]
    })
}

/// The middles of [`middles`], four by four.
fn lanes(along: usize) -> Vec<CellLanes> {
    let mut lanes = vec![CellLanes { u: [0.0; 4], v: [0.0; 4], bits: [0; 4] }; (along * along).div_ceil(4)];
    for (cell, [u, v, _]) in middles(along).enumerate() {
        let (four, lane) = (&mut lanes[cell / 4], cell % 4);
        (four.u[lane], four.v[lane], four.bits[lane]) = (u, v, 1 << cell);
    }
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_equal_parts_of_a_triangle() {
        for along in 1..=MOST_CELLS {
            let found: Vec<[f64; 3]> = middles(along).collect();
            assert_eq!(found.len(), along * along);
            let sum = found.iter().fold([0.0; 3], |sum, at| [sum[0] + at[0], sum[1] + at[1], sum[2] + at[2]]);
            assert!(
                found
                    .iter()
                    .all(|at| at.iter().all(|share| *share > 0.0) && (at.iter().sum::<f64>() - 1.0).abs() < 1e-12)
            );
            assert!(sum.iter().all(|sum| (sum / found.len() as f64 - 1.0 / 3.0).abs() < 1e-12), "{along}: {sum:?}");
        }
    }
}
