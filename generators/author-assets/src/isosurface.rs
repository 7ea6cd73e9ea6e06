//! Makes a closed surface around a shape that a distance function describes.

use glam::DVec3;

/// Returns vertices and outward triangles of the surface where `distance` is 0, found on a grid of cubes with edge
/// length `size`.
///
/// Each cube that the surface passes through gets one vertex. It starts at the mean of the points where the surface
/// crosses the cube's edges, and then moves onto the surface. Each grid edge that crosses the surface gets one quad.
/// `distance` must be negative inside, and positive on the whole border of the box from `low` to `high`.
///
/// Source: Gibson, *Constrained elastic surface nets* (1998), without the relaxation.
pub fn surface_nets(
    distance: &impl Fn(DVec3) -> f64,
    low: DVec3,
    high: DVec3,
    size: f64,
) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let grid = Grid::new(distance, low, high, size);
    let [nx, ny, nz] = grid.nodes;
    let mut positions = Vec::new();
    let mut vertex_of_cell = vec![u32::MAX; grid.values.len()];
    for z in 0..nz - 1 {
        for y in 0..ny - 1 {
            for x in 0..nx - 1 {
                if let Some(position) = grid.crossing([x, y, z]) {
                    vertex_of_cell[grid.index([x, y, z])] = positions.len() as u32;
                    positions.push(onto(distance, position, size));
                }
            }
        }
    }
    let mut triangles = Vec::new();
    for z in 1..nz - 1 {
        for y in 1..ny - 1 {
            for x in 1..nx - 1 {
                for axis in 0..3 {
                    let node = [x, y, z];
                    let inside = grid.values[grid.index(node)] < 0.0;
                    let next_inside = grid.values[grid.index(step(node, axis))] < 0.0;
                    if inside != next_inside {
                        let cell = |u: usize, v: usize| {
                            let mut cell = node;
                            cell[(axis + 1) % 3] -= u;
                            cell[(axis + 2) % 3] -= v;
                            vertex_of_cell[grid.index(cell)]
                        };
                        let mut quad = [cell(1, 1), cell(0, 1), cell(0, 0), cell(1, 0)];
                        if next_inside {
                            quad.reverse();
                        }
                        triangles.extend(shorter_cut(&positions, quad));
                    }
                }
            }
        }
    }
    (positions, triangles)
}

fn step(mut node: [usize; 3], axis: usize) -> [usize; 3] {
    node[axis] += 1;
    node
}

/// Splits a quad into two triangles along the shorter diagonal.
fn shorter_cut(positions: &[DVec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let length = |i: u32, j: u32| positions[i as usize].distance_squared(positions[j as usize]);
    if length(a, c) <= length(b, d) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
}

/// Moves a point onto the surface by three Newton steps along the gradient. No step is longer than the cube.
fn onto(distance: &impl Fn(DVec3) -> f64, mut point: DVec3, size: f64) -> DVec3 {
    let h = size * 0.05;
    for _ in 0..3 {
        let slope = |axis: DVec3| (distance(point + axis * h) - distance(point - axis * h)) / (2.0 * h);
        let gradient = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
        let squared = gradient.length_squared();
        if squared < 1e-6 {
            break;
        }
        let mut way = gradient * (-distance(point) / squared);
        let length = way.length();
        if length > size * 0.5 {
            way *= size * 0.5 / length;
        }
        point += way;
    }
    point
}

struct Grid {
    low: DVec3,
    size: f64,
    nodes: [usize; 3],
    values: Vec<f64>,
}

impl Grid {
    fn new(distance: &impl Fn(DVec3) -> f64, low: DVec3, high: DVec3, size: f64) -> Self {
        let nodes = ((high - low) / size).to_array().map(|cells| cells.ceil() as usize + 2);
        let mut grid = Self { low, size, nodes, values: Vec::new() };
        for z in 0..nodes[2] {
            for y in 0..nodes[1] {
                for x in 0..nodes[0] {
                    grid.values.push(distance(grid.point([x, y, z])));
                }
            }
        }
        grid
    }

    fn index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.nodes[1] + y) * self.nodes[0] + x
    }

    fn point(&self, [x, y, z]: [usize; 3]) -> DVec3 {
        self.low + DVec3::new(x as f64, y as f64, z as f64) * self.size
    }

    /// The mean of the points where the surface crosses the edges of the cube with this lowest corner.
    fn crossing(&self, cell: [usize; 3]) -> Option<DVec3> {
        let (mut sum, mut count) = (DVec3::ZERO, 0.0);
        for corner in 0..8_usize {
            let from = [cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)];
            for axis in (0..3).filter(|axis| corner >> axis & 1 == 0) {
                let to = step(from, axis);
                let (a, b) = (self.values[self.index(from)], self.values[self.index(to)]);
                if (a < 0.0) != (b < 0.0) {
                    sum += self.point(from).lerp(self.point(to), a / (a - b));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surface_of_a_ball_is_round_closed_and_faces_outward() {
        let ball = |p: DVec3| p.length() - 0.5;
        let (positions, triangles) = surface_nets(&ball, DVec3::splat(-0.6), DVec3::splat(0.6), 0.07);
        assert!(positions.iter().all(|p| (p.length() - 0.5).abs() < 1e-4));
        let mut edges = std::collections::BTreeMap::new();
        let mut volume = 0.0;
        for t in &triangles {
            let [a, b, c] = t.map(|corner| positions[corner as usize]);
            volume += a.dot(b.cross(c)) / 6.0;
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                *edges.entry((t[i].min(t[j]), t[i].max(t[j]))).or_insert(0) += if t[i] < t[j] { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|&balance| balance == 0), "each edge belongs to one triangle in each direction");
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
        assert!(volume > 0.97 * exact && volume < exact, "volume {volume}, expected just below {exact}");
    }
}
