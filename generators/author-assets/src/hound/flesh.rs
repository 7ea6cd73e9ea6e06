//! The hound's skin: round cones along the bones, blended into one surface.

use super::tail;
use crate::character::{Joint, Rig, Surface};
use crate::isosurface;
use glam::DVec3;

/// The width of the blend between lumps of one limb, in meters. With a larger value, limbs get bulges where their bones
/// meet.
const MELT: f64 = 0.012;
/// The width of the blend between a limb and the body, in meters.
const LIMB_MELT: f64 = 0.045;
/// If a vertex is this much farther from the flesh of a second bone than from that of the first, the second bone does
/// not move it, in meters.
const BLEND: f64 = 0.05;
/// The edge length of the grid's cubes, in meters.
const GRID: f64 = 0.0155;

/// A round cone: a ball that moves from one point to another while it grows or shrinks.
struct Lump {
    joint: Joint,
    limb: usize,
    from: DVec3,
    to: DVec3,
    from_radius: f64,
    to_radius: f64,
    /// The width of the cone across the body, as a share of its height.
    narrow: f64,
}

impl Lump {
    /// The distance to the skin of the lump. It is slightly too small where the lump is narrowed.
    fn distance(&self, point: DVec3) -> f64 {
        let squeeze = |v: DVec3| DVec3::new(v.x / self.narrow, v.y, v.z);
        let (to_point, axis) = (squeeze(point - self.from), squeeze(self.to - self.from));
        let share = (to_point.dot(axis) / axis.length_squared().max(1e-12)).clamp(0.0, 1.0);
        let radius = self.from_radius + (self.to_radius - self.from_radius) * share;
        ((to_point - axis * share).length() - radius) * self.narrow.min(1.0)
    }
}

/// Lumps along whole bones: joint, radius at the head of the bone, radius at its tail, narrowing.
const ALONG: [(&str, f64, f64, f64); 20] = [
    ("hips", 0.125, 0.115, 0.88),
    ("spine_01", 0.108, 0.115, 0.85),
    ("spine_02", 0.12, 0.145, 0.82),
    ("chest", 0.155, 0.115, 0.80),
    ("neck_01", 0.105, 0.082, 0.9),
    ("neck_02", 0.082, 0.07, 0.95),
    ("head", 0.072, 0.034, 0.85),
    ("jaw", 0.027, 0.018, 1.0),
    ("tail_01", 0.036, 0.026, 1.0),
    ("tail_02", 0.026, 0.022, 1.0),
    ("tail_03", 0.022, 0.018, 1.0),
    ("tail_04", 0.018, 0.011, 1.0),
    ("shoulder_l", 0.075, 0.064, 0.75),
    ("upperarm_l", 0.062, 0.05, 0.85),
    ("forearm_l", 0.046, 0.03, 0.9),
    ("front_pastern_l", 0.03, 0.028, 1.0),
    ("thigh_l", 0.105, 0.07, 0.72),
    ("shin_l", 0.06, 0.031, 0.85),
    ("hind_pastern_l", 0.03, 0.027, 0.9),
    ("ear_l", 0.022, 0.016, 1.0),
];

type Free = (&'static str, [f64; 3], [f64; 3], f64, f64, f64);

/// The position of the left eye.
const EYE: [f64; 3] = [0.041, 0.925, 0.672];

/// Lumps at other places: joint, start, end, both radii, narrowing.
const BESIDE: [Free; 11] = [
    // Breast and belly.
    ("chest", [0.0, 0.58, 0.18], [0.0, 0.60, 0.36], 0.13, 0.09, 0.78),
    ("spine_02", [0.0, 0.61, 0.0], [0.0, 0.58, 0.14], 0.10, 0.12, 0.85),
    // Brow and skull.
    ("head", [0.0, 0.915, 0.60], [0.0, 0.922, 0.655], 0.068, 0.05, 0.98),
    ("head", [0.0, 0.895, 0.70], [0.0, 0.893, 0.80], 0.04, 0.03, 0.95),
    // Paws, each with two pairs of toes.
    ("front_paw_l", [0.095, 0.032, 0.315], [0.09, 0.024, 0.375], 0.028, 0.022, 1.0),
    ("front_paw_l", [0.125, 0.032, 0.315], [0.13, 0.024, 0.375], 0.028, 0.022, 1.0),
    ("hind_paw_l", [0.096, 0.032, -0.425], [0.092, 0.024, -0.365], 0.027, 0.021, 1.0),
    ("hind_paw_l", [0.124, 0.032, -0.425], [0.128, 0.024, -0.365], 0.027, 0.021, 1.0),
    ("head", EYE, EYE, 0.011, 0.011, 1.0),
    ("head", [-EYE[0], EYE[1], EYE[2]], [-EYE[0], EYE[1], EYE[2]], 0.011, 0.011, 1.0),
    ("ear_tip_l", [0.078, 1.035, 0.55], [0.092, 1.065, 0.565], 0.016, 0.011, 1.0),
];

fn lumps(rig: &Rig) -> Vec<Lump> {
    let mut lumps = Vec::new();
    let mut both = |name: &str, from: DVec3, to: DVec3, from_radius: f64, to_radius: f64, narrow: f64| {
        let sides: &[(&str, f64)] = if name.ends_with("_l") { &[("_l", 1.0), ("_r", -1.0)] } else { &[("", 1.0)] };
        for &(suffix, side) in sides {
            let joint = rig.find(&name.strip_suffix("_l").map_or(name.to_owned(), |stem| format!("{stem}{suffix}")));
            let mirror = |p: DVec3| DVec3::new(p.x * side, p.y, p.z);
            lumps.push(Lump {
                joint,
                limb: limb_of(name),
                from: mirror(from),
                to: mirror(to),
                from_radius,
                to_radius,
                narrow,
            });
        }
    };
    for (name, from_radius, to_radius, narrow) in ALONG {
        let joint = rig.find(name);
        both(name, rig.head(joint), tail(rig, joint), from_radius, to_radius, narrow);
    }
    for (name, from, to, from_radius, to_radius, narrow) in BESIDE {
        both(name, DVec3::from_array(from), DVec3::from_array(to), from_radius, to_radius, narrow);
    }
    lumps
}

/// The trunk and the limbs, by the beginnings of their joints' names. The legs of both sides may share an entry,
/// because they never come near each other.
const LIMBS: [&[&str]; 6] = [
    &["hips", "spine", "chest", "neck", "head"],
    &["tail"],
    &["ear"],
    &["shoulder", "upperarm", "forearm", "front"],
    &["thigh", "shin", "hind"],
    &["jaw"],
];
/// The jaw has a surface of its own, so that the mouth opens instead of stretching.
const JAW: usize = 5;

fn limb_of(name: &str) -> usize {
    let limb = LIMBS.iter().position(|prefixes| prefixes.iter().any(|prefix| name.starts_with(prefix)));
    limb.expect("every joint with flesh belongs to a limb")
}

/// The distance to the common skin of some limbs.
fn skin_distance(lumps: &[Lump], limbs: std::ops::Range<usize>, point: DVec3) -> f64 {
    // A distance larger than that of any point of the grid.
    let far = 10.0;
    let limb_distance = |limb| {
        let lumps = lumps.iter().filter(|lump| lump.limb == limb);
        lumps.fold(far, |so_far, lump| melted(so_far, lump.distance(point), MELT))
    };
    limbs.fold(far, |so_far, limb| melted(so_far, limb_distance(limb), LIMB_MELT))
}

/// The minimum of two numbers, with a rounded corner of the given width.
///
/// Source: Quilez, *Smooth minimum* (the quadratic one).
fn melted(a: f64, b: f64, width: f64) -> f64 {
    let near = (width - (a - b).abs()).max(0.0) / width;
    a.min(b) - near * near * width * 0.25
}

/// Makes the skin and its influences.
pub(super) fn surface(rig: &Rig) -> Surface {
    let lumps = lumps(rig);
    let mut surface = Surface::default();
    for limbs in [0..JAW, JAW..LIMBS.len()] {
        let distance = |point: DVec3| skin_distance(&lumps, limbs.clone(), point);
        // The plane between left and right contains grid points, so that both sides get the same flesh.
        let side = 17.0 * GRID;
        let (low, high) = (DVec3::new(-side, -0.05, -0.95), DVec3::new(side, 1.13, 0.90));
        let (positions, triangles) = isosurface::surface_nets(&distance, low, high, GRID);
        let first = surface.positions.len() as u32;
        let own: Vec<&Lump> = lumps.iter().filter(|lump| limbs.contains(&lump.limb)).collect();
        surface.influences.extend(positions.iter().map(|&point| influences(rig, &own, point)));
        surface.positions.extend(positions);
        surface.triangles.extend(triangles.iter().map(|triangle| triangle.map(|corner| first + corner)));
    }
    surface.materials = surface.triangles.iter().map(|triangle| material(&surface, triangle)).collect();
    surface
}

/// The material of a triangle: fur, or the dark color of nose and eyes.
fn material(surface: &Surface, triangle: &[u32; 3]) -> usize {
    let middle = triangle.iter().map(|&corner| surface.positions[corner as usize]).sum::<DVec3>() / 3.0;
    let nose = middle.z > 0.815 && middle.y > 0.89;
    let eye = DVec3::new(middle.x.abs(), middle.y, middle.z).distance(DVec3::from_array(EYE)) < 0.018;
    usize::from(nose || eye)
}

/// The joint of the nearest lump, and its neighbors in the skeleton with weights that fade over [`BLEND`].
fn influences(rig: &Rig, lumps: &[&Lump], point: DVec3) -> Vec<(Joint, f64)> {
    let mut nearest = vec![f64::INFINITY; rig.joints.len()];
    for lump in lumps {
        nearest[lump.joint] = nearest[lump.joint].min(lump.distance(point));
    }
    let mut owner = 0;
    for (joint, &distance) in nearest.iter().enumerate() {
        if distance < nearest[owner] {
            owner = joint;
        }
    }
    let parent = |joint: Joint| rig.joints[joint].parent;
    let mut row = Vec::new();
    for (joint, &distance) in nearest.iter().enumerate() {
        let next = joint == owner || parent(joint) == Some(owner) || parent(owner) == Some(joint);
        let share = 1.0 - (distance - nearest[owner]) / BLEND;
        if next && share > 0.0 {
            row.push((joint, share * share));
        }
    }
    row
}
