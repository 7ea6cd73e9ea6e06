//! A soft shadow on the floor, so that a figure does not seem to float.

use crate::draw::camera::Camera;
use crate::draw::polygon;
use crate::draw::scene::Scene;
use glam::{DVec2, DVec3};

/// The number of cells along each side of the floor's grid.
const CELLS: usize = 160;

/// The largest darkness of the floor, from 0 to 1.
const DARKEST: f32 = 0.30;

/// The darkness of each cell in a square of the floor.
pub(crate) struct Shadow {
    floor: f64,
    corner: DVec2,
    cell: f64,
    /// The darkness of the cells, row by row along z.
    darkness: Vec<f32>,
}

impl Shadow {
    /// Computes the shadow of the surfaces under a high light. If there are no surfaces, the boxes throw the shadow.
    pub(crate) fn cast(scene: &Scene, floor: f64) -> Option<Self> {
        // The light comes from above and slightly from the front left, so the shadow falls behind the figure to its
        // right.
        let fall = |point: DVec3| {
            let height = (point.y - floor).max(0.0);
            DVec2::new(point.x + 0.07 * height, point.z - 0.05 * height)
        };
        let mut shapes: Vec<Vec<DVec2>> = Vec::new();
        for surface in &scene.surfaces {
            let corner = |index: u32| fall(surface.positions[index as usize]);
            shapes.extend(surface.triangles.iter().map(|triangle| triangle.map(corner).to_vec()));
        }
        if shapes.is_empty() {
            for one in &scene.boxes {
                let solid = &one.solid;
                shapes.extend(solid.faces.iter().map(|face| face.map(|corner| fall(solid.corners[corner])).to_vec()));
            }
        }
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for point in shapes.iter().flatten().filter(|point| point.is_finite()) {
            (min, max) = (min.min(*point), max.max(*point));
        }
        let side = (max - min).max_element();
        if !(side > 0.0 && side.is_finite()) {
            return None;
        }
        // The square has room for the blur on all sides.
        let side = 1.5 * side;
        let corner = (min + max) * 0.5 - DVec2::splat(0.5 * side);
        let cell = side / CELLS as f64;
        let mut darkness = vec![0.0f32; CELLS * CELLS];
        for shape in &shapes {
            let cells: Vec<DVec2> = shape.iter().map(|point| (*point - corner) / cell).collect();
            polygon::for_each_row(&cells, 0..CELLS as u32, CELLS as u32, |z, columns| {
                columns.for_each(|x| darkness[z as usize * CELLS + x as usize] = DARKEST);
            });
        }
        for _ in 0..3 {
            darkness = blurred_along_x_and_turned(&darkness);
            darkness = blurred_along_x_and_turned(&darkness);
        }
        Some(Self { floor, corner, cell, darkness })
    }

    /// The darkness of the floor at a pixel, from 0 to 1.
    pub(crate) fn darkness_at_pixel(&self, camera: &Camera, pixel: DVec2) -> f32 {
        let Some(point) = camera.ground_point(pixel, self.floor) else { return 0.0 };
        let place = (DVec2::new(point.x, point.z) - self.corner) / self.cell - DVec2::splat(0.5);
        let (left, top) = (place.x.floor(), place.y.floor());
        let (right_share, bottom_share) = ((place.x - left) as f32, (place.y - top) as f32);
        let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
        let row = |z: f64| mix(self.cell_at(left, z), self.cell_at(left + 1.0, z), right_share);
        mix(row(top), row(top + 1.0), bottom_share)
    }

    fn cell_at(&self, x: f64, z: f64) -> f32 {
        let end = CELLS as f64;
        if x < 0.0 || z < 0.0 || x >= end || z >= end {
            return 0.0;
        }
        self.darkness[z as usize * CELLS + x as usize]
    }
}

/// A box blur. Three of them along each axis approximate a Gaussian blur.
fn blurred_along_x_and_turned(cells: &[f32]) -> Vec<f32> {
    const RADIUS: usize = 3;
    let mut turned = vec![0.0; cells.len()];
    for (z, row) in cells.chunks(CELLS).enumerate() {
        for x in 0..CELLS {
            let window = &row[x.saturating_sub(RADIUS)..(x + RADIUS + 1).min(CELLS)];
            turned[x * CELLS + z] = window.iter().sum::<f32>() / (2 * RADIUS + 1) as f32;
        }
    }
    turned
}
