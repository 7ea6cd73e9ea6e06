//! A collar with studs: a rigid mesh on a neck joint.

use crate::character::{Rig, RigidMesh};
use glam::DVec3;

const SIDES: u32 = 20;

/// A ring around the neck. Every fourth side has a stud.
pub(super) fn mesh(rig: &Rig) -> RigidMesh {
    let joint = rig.find("neck_01");
    let frame = rig.joints[joint].frame;
    let origin = rig.head(joint) + frame.y_axis * 0.085;
    // The cross-section of the ring: the distance from the neck's axis and the height along it. It is counter-clockwise
    // seen from the side where the ring's angle grows away from the viewer.
    let profile = [(0.092, -0.02), (0.112, -0.02), (0.112, 0.02), (0.092, 0.02)];
    let mut positions = Vec::new();
    for side in 0..SIDES {
        let angle = f64::from(side) / f64::from(SIDES) * std::f64::consts::TAU;
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        positions.extend(profile.map(|(radius, height)| DVec3::new(radius * sine, height, radius * cosine)));
    }
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        let next = (side + 1) % SIDES;
        for corner in 0..4 {
            let after = (corner + 1) % 4;
            let [a, b, c, d] = [side * 4 + corner, next * 4 + corner, next * 4 + after, side * 4 + after];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    for side in (0..SIDES).step_by(4) {
        let angle = (f64::from(side) + 0.5) / f64::from(SIDES) * std::f64::consts::TAU;
        stud(angle, &mut positions, &mut triangles);
    }
    RigidMesh { name: "collar".to_owned(), joint, frame, origin, positions, triangles }
}

/// Adds a pyramid that points away from the neck.
fn stud(angle: f64, positions: &mut Vec<DVec3>, triangles: &mut Vec<[u32; 3]>) {
    let outward = DVec3::new(libm::sin(angle), 0.0, libm::cos(angle));
    let (across, up) = (DVec3::Y.cross(outward) * 0.012, DVec3::Y * 0.012);
    let middle = outward * 0.109;
    let first = positions.len() as u32;
    positions.extend([middle - across - up, middle + across - up, middle + across + up, middle - across + up]);
    positions.push(outward * 0.135);
    let [a, b, c, d, tip] = [0, 1, 2, 3, 4].map(|corner| first + corner);
    triangles.extend([[a, b, tip], [b, c, tip], [c, d, tip], [d, a, tip], [a, c, b], [a, d, c]]);
}
