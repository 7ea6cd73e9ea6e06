//! The content of a picture: surfaces and boxes in world space.

use crate::draw::solid::Solid;
use glam::{DVec3, Vec3};
use page_answers::color::Rgb;
use std::collections::BTreeMap;

/// The whole content of a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) boxes: Vec<SceneBox>,
    /// The height of the floor that receives shadows.
    pub(crate) floor: Option<f64>,
}

/// A mesh in a pose.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    /// The vertices in world space.
    pub(crate) positions: Vec<DVec3>,
    /// The corners of each triangle, as indices into `positions`.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// The normals at the corners of each triangle, in world space, of unit length.
    pub(crate) normals: Vec<[DVec3; 3]>,
    pub(crate) color: Rgb,
}

/// A posed hitbox.
#[derive(Clone, Debug)]
pub(crate) struct SceneBox {
    /// The faces and edges in world space.
    pub(crate) solid: Solid,
    pub(crate) color: Rgb,
    pub(crate) emphasis: Emphasis,
}

/// The strength with which a box is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emphasis {
    /// One of many equally important boxes.
    Plain,
    /// A box that is less important than the highlighted boxes.
    Quiet,
    /// A highlighted box.
    Lit,
}

impl Surface {
    /// Makes a surface that is shaded smoothly where it bends gently, with sharp edges elsewhere.
    ///
    /// `bind_positions` shows which vertices are the same point of the surface, because exporters repeat vertices along
    /// texture seams.
    pub(crate) fn new(positions: Vec<DVec3>, triangles: &[[u32; 3]], bind_positions: &[Vec3], color: Rgb) -> Self {
        let finite = |triangle: &&[u32; 3]| {
            triangle.iter().all(|&corner| positions.get(corner as usize).is_some_and(|point| point.is_finite()))
        };
        let triangles: Vec<[u32; 3]> = triangles.iter().filter(finite).copied().collect();
        let normals = corner_normals(&positions, &triangles, bind_positions);
        Self { positions, triangles, normals, color }
    }
}

/// The cosine of the largest angle between two triangles that are shaded smoothly.
const CREASE_COSINE: f64 = 0.55;

fn corner_normals(positions: &[DVec3], triangles: &[[u32; 3]], bind_positions: &[Vec3]) -> Vec<[DVec3; 3]> {
    let points = welded(bind_positions, positions.len());
    let areas: Vec<DVec3> = triangles
        .iter()
        .map(|triangle| {
            let [a, b, c] = triangle.map(|corner| positions[corner as usize]);
            (b - a).cross(c - a)
        })
        .collect();
    let units: Vec<DVec3> = areas.iter().map(|area| area.normalize_or_zero()).collect();
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); positions.len()];
    for (index, triangle) in triangles.iter().enumerate() {
        for corner in triangle {
            around[points[*corner as usize] as usize].push(index as u32);
        }
    }
    triangles
        .iter()
        .zip(&units)
        .map(|(triangle, unit)| {
            triangle.map(|corner| {
                let neighbors = around[points[corner as usize] as usize].iter().take(64);
                let sum: DVec3 = neighbors
                    .filter(|&&other| units[other as usize].dot(*unit) >= CREASE_COSINE)
                    .map(|&other| areas[other as usize])
                    .sum();
                sum.try_normalize().unwrap_or(*unit)
            })
        })
        .collect()
}

/// For each vertex, the first vertex at the same position.
fn welded(bind_positions: &[Vec3], count: usize) -> Vec<u32> {
    let mut first = BTreeMap::new();
    let mut weld = |(index, point): (usize, &Vec3)| {
        // Zero has two signs, which must compare equal.
        let key = (*point + Vec3::ZERO).to_array().map(f32::to_bits);
        *first.entry(key).or_insert(index as u32)
    };
    let mut points: Vec<u32> = bind_positions.iter().take(count).enumerate().map(&mut weld).collect();
    points.extend(points.len() as u32..count as u32);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharp_edges_are_kept_and_seams_are_smoothed() {
        // Two triangles at a right angle, then two coplanar triangles whose shared edge is written twice.
        let bent = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let positions = |points: &[Vec3]| points.iter().map(|point| point.as_dvec3()).collect::<Vec<_>>();
        let surface = Surface::new(positions(&bent), &[[0, 1, 2], [0, 2, 3]], &bent, Rgb([1.0; 3]));
        assert_eq!(surface.normals, [[DVec3::Z; 3], [DVec3::X; 3]]);
        let seam = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X, Vec3::new(1.0, 1.0, 0.4), Vec3::Y];
        let surface = Surface::new(positions(&seam), &[[0, 1, 2], [3, 4, 5]], &seam, Rgb([1.0; 3]));
        assert_eq!(surface.normals[0][1], surface.normals[1][0]);
    }

    #[test]
    fn triangles_without_finite_corners_are_left_out() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::new(f64::NAN, 0.0, 0.0)];
        let surface = Surface::new(points.to_vec(), &[[0, 1, 2], [0, 1, 9], [0, 0, 1]], &[], Rgb([1.0; 3]));
        assert_eq!(surface.triangles, [[0, 0, 1]]);
    }
}
