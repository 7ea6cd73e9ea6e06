//! A sports suit: the trunk, short sleeves and legs of the skin in a colour of their own, and smooth as cloth.

use crate::character::{Rig, Surface};
use glam::DVec3;

/// Index of the suit's colour.
pub(super) const SUIT: usize = 1;

/// Joints whose skin the suit covers, and down to which share of the bone.
const COVERED: [(&str, f64); 10] = [
    ("pelvis", 1.0),
    ("spine_01", 1.0),
    ("spine_02", 1.0),
    ("spine_03", 1.0),
    ("clavicle_l", 1.0),
    ("clavicle_r", 1.0),
    ("upperarm_l", 0.42),
    ("upperarm_r", 0.42),
    ("thigh_l", 0.55),
    ("thigh_r", 0.55),
];
/// Rounds of smoothing: enough to close what cloth would span.
const ROUNDS: usize = 12;
/// Each round pulls vertices to their neighbours' mean by the first share and pushes back by the second, which keeps the
/// volume. Source: Taubin, *A signal processing approach to fair surface design* (1995).
const PULL_AND_PUSH: [f64; 2] = [0.5, -0.51];

/// Gives the suit its faces and smooths what lies under it. Triangles stand in pairs, each a quad of the base mesh.
pub(super) fn wear(rig: &Rig, surface: &mut Surface) {
    let mut covered = vec![false; surface.positions.len()];
    for quad in 0..surface.triangles.len() / 2 {
        let [a, b, c] = surface.triangles[2 * quad];
        let corners = [a, b, c, surface.triangles[2 * quad + 1][2]].map(|corner| corner as usize);
        if is_covered(rig, surface, corners) {
            surface.materials[2 * quad..2 * quad + 2].fill(SUIT);
            for corner in corners {
                covered[corner] = true;
            }
        }
    }
    smooth(surface, &covered);
}

fn smooth(surface: &mut Surface, chosen: &[bool]) {
    let mut neighbours = vec![Vec::new(); surface.positions.len()];
    for &[a, b, c] in &surface.triangles {
        for (from, to) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
            neighbours[from as usize].push(to as usize);
        }
    }
    // Every neighbour stands in the list twice on a closed surface: the mean is the same.
    for _ in 0..ROUNDS {
        for share in PULL_AND_PUSH {
            let old = surface.positions.clone();
            for (vertex, near) in neighbours.iter().enumerate().filter(|(vertex, _)| chosen[*vertex]) {
                let sum = near.iter().fold(DVec3::ZERO, |sum, &other| sum + old[other]);
                surface.positions[vertex] = old[vertex].lerp(sum / near.len() as f64, share);
            }
        }
    }
}

/// Whether the joint that moves a face most is under the suit at the face's middle.
fn is_covered(rig: &Rig, surface: &Surface, corners: [usize; 4]) -> bool {
    let mut shares = vec![0.0; rig.joints.len()];
    for (joint, weight) in corners.iter().flat_map(|&corner| &surface.influences[corner]) {
        shares[*joint] += weight;
    }
    let owner = (0..shares.len()).fold(0, |best, joint| if shares[joint] > shares[best] { joint } else { best });
    let joint = &rig.joints[owner];
    let Some(&(_, reach)) = COVERED.iter().find(|(name, _)| *name == joint.name) else { return false };
    // Where the bone ends: at the joint that continues it.
    let Some(next) = rig.joints.iter().find(|next| next.parent == Some(owner)) else { return false };
    let (bone, middle) = (next.head - joint.head, corners.iter().map(|&c| surface.positions[c]).sum::<DVec3>() / 4.0);
    reach >= 1.0 || (middle - joint.head).dot(bone) < reach * bone.length_squared()
}
