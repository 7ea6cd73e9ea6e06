//! The points of the surface at which boxes are measured.
//!
//! Each triangle is cut into `n * n` equal cells with edges of at most [`CELL`] of the character's height at rest, and at
//! most [`MOST_CELLS`] along an edge. A cell stands for its share of the posed triangle's area and is measured at its
//! middle. The triangles' corners are measured too; they stand for no area.

use crate::assign::owner::{CORNERS, JointWeights, Ownership};
use crate::assign::surface::canonical_corners;
use crate::measure::posed_boxes::PosedBoxes;
use crate::skin::bound_mesh::BoundMesh;
use glam::{DAffine3, DVec3};
use skeleton::JointIndex;

/// The longest edge of a cell, as a share of the character's height.
const CELL: f64 = 0.02;

/// Cells along one edge of a triangle at most.
const MOST_CELLS: usize = 8;

/// The points of a surface that are measured.
pub(crate) struct SurfaceSamples {
    pub(crate) triangles: Vec<Triangle>,
    /// The middle of each cell in barycentric coordinates of its triangle, and the joint that owns it.
    cells: Vec<([f64; 3], JointIndex)>,
}

/// One triangle of the surface.
pub(crate) struct Triangle {
    /// Index into [`BoundMesh::parts`].
    pub(crate) part: usize,
    /// Vertices of the part.
    pub(crate) corners: [u32; 3],
    /// The owners of the corners.
    pub(crate) owners: [JointIndex; 3],
    /// `cells[first_cell..first_cell + cells]` are the triangle's.
    first_cell: usize,
    cells: usize,
}

impl SurfaceSamples {
    pub(crate) fn new(mesh: &BoundMesh<'_>, rule: Ownership) -> Self {
        let at_rest = mesh.posed(&mesh.model_from_joint);
        let mut samples = Self { triangles: Vec::new(), cells: Vec::new() };
        for (index, part) in mesh.parts.iter().enumerate() {
            for &triangle in part.triangles {
                let corners = canonical_corners(part, triangle);
                let Some(weights) = JointWeights::of_triangle(mesh, part, corners) else { continue };
                let owner_at = |at| rule.strongest(&weights, at);
                let [Some(a), Some(b), Some(c)] = CORNERS.map(owner_at) else { continue };
                let [p, q, r] = corners.map(|corner| at_rest[index][corner as usize].unwrap_or(DVec3::ZERO));
                let longest = (q - p).length().max((r - q).length()).max((p - r).length());
                let along = (longest / (CELL * mesh.height)).ceil();
                let along = if along.is_finite() { (along as usize).clamp(1, MOST_CELLS) } else { 1 };
                let first_cell = samples.cells.len();
                samples.cells.extend(middles(along).filter_map(|at| Some((at, owner_at(at)?))));
                let cells = along * along;
                samples.triangles.push(Triangle { part: index, corners, owners: [a, b, c], first_cell, cells });
            }
        }
        samples
    }

    /// Calls `visit(point in model space, its owner, the area that it stands for)` for every point of the surface in a
    /// pose. Surface that collapsed joints own is left out.
    pub(crate) fn visit(
        &self,
        mesh: &BoundMesh<'_>,
        boxes: &PosedBoxes,
        model_from_joint: &[DAffine3],
        mut visit: impl FnMut(DVec3, JointIndex, f64),
    ) {
        let vertices = mesh.posed(model_from_joint);
        for triangle in &self.triangles {
            let corner = |corner: u32| vertices[triangle.part][corner as usize].unwrap_or(DVec3::ZERO);
            self.visit_triangle(triangle, triangle.corners.map(corner), |point, owner, area| {
                if !boxes.is_collapsed(owner) {
                    visit(point, owner, area);
                }
            });
        }
    }

    /// Calls `visit(point in model space, its owner, the area that it stands for)` for every point of one triangle, whose
    /// corners are given in model space.
    pub(crate) fn visit_triangle(
        &self,
        triangle: &Triangle,
        corners: [DVec3; 3],
        mut visit: impl FnMut(DVec3, JointIndex, f64),
    ) {
        let [a, b, c] = corners;
        let area = 0.5 * (b - a).cross(c - a).length() / triangle.cells as f64;
        for &([u, v, w], owner) in &self.cells[triangle.first_cell..triangle.first_cell + triangle.cells] {
            visit(u * a + v * b + w * c, owner, area);
        }
        for (corner, owner) in corners.into_iter().zip(triangle.owners) {
            visit(corner, owner, 0.0);
        }
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
        let cells = &self.cells[triangle.first_cell..triangle.first_cell + triangle.cells];
        let mut owners: Vec<JointIndex> = cells.iter().map(|(_, owner)| *owner).chain(triangle.owners).collect();
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
