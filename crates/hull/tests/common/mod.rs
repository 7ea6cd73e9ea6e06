//! Point sets for tests and benches, the same on every machine.
#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test and bench takes what it needs")]

use glam::{DMat3, DVec3};
use hull::ConvexHull;
pub use test_models::Random;

pub fn points(count: usize, seed: u64, mut one: impl FnMut(&mut Random) -> DVec3) -> Vec<DVec3> {
    let mut random = Random::new(seed);
    (0..count).map(|_| one(&mut random)).collect()
}

/// Rounds the coordinates to single precision, which files store.
pub fn rounded_to_f32(points: &[DVec3]) -> Vec<DVec3> {
    points.iter().map(|p| p.as_vec3().as_dvec3()).collect()
}

/// Rotates the points by angles that are not special. The rotation is orthogonal up to rounding.
pub fn turned(points: &[DVec3]) -> Vec<DVec3> {
    let x = DVec3::new(0.48, -0.6, 0.64);
    let y = DVec3::new(0.8, 0.6, 0.0).normalize();
    let y = (y - x * x.dot(y)).normalize();
    let turn = DMat3::from_cols(x, y, x.cross(y));
    points.iter().map(|&p| turn * p).collect()
}

/// The rings of a cylinder along z with radius 1, from z = -1 to 1. Without rounding, every ring would be flat and
/// every side straight.
pub fn cylinder(sides: usize, rings: usize) -> Vec<DVec3> {
    let circle: Vec<(f64, f64)> = (0..sides).map(|i| unit_circle(i as f64 / sides as f64)).collect();
    let height = |ring: usize| 2.0 * ring as f64 / (rings - 1) as f64 - 1.0;
    (0..rings).flat_map(|ring| circle.iter().map(move |&(x, y)| DVec3::new(x, y, height(ring)))).collect()
}

/// A point on the unit circle; `turns` from 0 to 1 goes once around. It uses the half-angle formula, because the sine
/// differs between platforms.
fn unit_circle(turns: f64) -> (f64, f64) {
    let quarter = (turns * 4.0).floor();
    // The parameter only has to be monotone, because the points need not be evenly spaced.
    let t = turns * 4.0 - quarter;
    let (x, y) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
    match quarter as i32 {
        0 => (x, y),
        1 => (-y, x),
        2 => (-x, -y),
        _ => (y, -x),
    }
}

pub fn grid(n: i32) -> Vec<DVec3> {
    let side = move || (0..n).map(f64::from);
    side().flat_map(|x| side().flat_map(move |y| side().map(move |z| DVec3::new(x, y, z)))).collect()
}

/// Builds the hull of the points and proves it.
pub fn hull_of(points: &[DVec3]) -> ConvexHull {
    let hull = ConvexHull::from_points(points).expect("finite points have a hull");
    if let Err(defect) = hull.validate(points) {
        panic!(
            "{defect} in the hull of {} points, of which the first are {:?}",
            points.len(),
            &points[..points.len().min(40)]
        );
    }
    hull
}

/// parry3d's hull of the same points in single precision: its vertices and triangles, or its error.
pub fn parry_hull(points: &[DVec3]) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), String> {
    let points: Vec<parry3d::math::Vector> = points.iter().map(|p| p.as_vec3()).collect();
    let (vertices, triangles) = parry3d::transformation::try_convex_hull(&points).map_err(|e| format!("{e:?}"))?;
    Ok((vertices.iter().map(|p| p.as_dvec3()).collect(), triangles))
}

/// The volume of a closed surface, computed relative to its first vertex.
pub fn volume_of(vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
    let corner = |i: u32| vertices[i as usize] - vertices[0];
    triangles.iter().map(|&[a, b, c]| corner(a).dot(corner(b).cross(corner(c)))).sum::<f64>() / 6.0
}
