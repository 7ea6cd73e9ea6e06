//! A sports suit: the skin of the trunk, upper arms and upper legs gets a color of its own and is smoothed like cloth.

use crate::character::{Joint, Rig, Surface};
use glam::DVec3;
use std::collections::BTreeMap;

/// The index of the suit's color.
pub(super) const SUIT: usize = 1;

/// The ends of sleeves and trouser legs, as a share of the limb's first bone. The names on the right are the beginnings
/// of the limb's joint names.
const LIMBS: [(&str, f64, &[&str]); 2] = [
    ("upperarm", 0.42, &["upperarm", "lowerarm", "hand", "thumb", "index", "middle", "ring", "pinky"]),
    ("thigh", 0.55, &["thigh", "calf", "foot", "ball"]),
];
/// The height of the collar above the root of the neck, in meters.
const COLLAR_HEIGHT: f64 = 0.025;
/// The drop of the collar per meter toward the front. No unit.
const COLLAR_SLANT: f64 = 0.5;
/// The number of smoothing rounds. They are enough to close folds that cloth would cover.
const ROUNDS: usize = 12;
/// Each round moves vertices toward the mean of their neighbors by the first share, and back by the second, which keeps
/// the volume. Source: Taubin, *A signal processing approach to fair surface design* (1995).
const PULL_AND_PUSH: [f64; 2] = [0.5, -0.51];

/// Smooths the skin under the suit and assigns the suit's color to its triangles, which are cut along straight hems.
pub(super) fn wear(rig: &Rig, surface: &mut Surface) {
    let covered: Vec<bool> = cover(rig, surface).into_iter().map(|cover| cover > 0.0).collect();
    smooth(surface, &covered);
    let mut cover = cover(rig, surface);
    cut(surface, &mut cover);
    for (triangle, material) in surface.triangles.iter().zip(&mut surface.materials) {
        if triangle.iter().all(|&corner| cover[corner as usize] >= 0.0) {
            *material = SUIT;
        }
    }
}

/// Per vertex: its distance inside the suit's hems, in meters; negative outside.
fn cover(rig: &Rig, surface: &Surface) -> Vec<f64> {
    let hems = rig.joints.iter().map(|joint| hem(rig, &joint.name)).collect::<Vec<_>>();
    let (neck, head) = (rig.find("neck_01"), rig.find("head"));
    let up = (rig.head(head) - rig.head(neck)).normalize() + DVec3::Z * COLLAR_SLANT;
    let of = |vertex: usize| {
        let position = surface.positions[vertex];
        let collar = COLLAR_HEIGHT - (position - rig.head(neck)).dot(up);
        match &hems[owner(&surface.influences[vertex])] {
            Some((end, along)) => collar.min((end - position).dot(*along)),
            None => collar,
        }
    };
    (0..surface.positions.len()).map(of).collect()
}

/// The hem on the limb of a joint: a point of its plane, and the direction down the limb.
fn hem(rig: &Rig, joint: &str) -> Option<(DVec3, DVec3)> {
    let (first, share, _) = LIMBS.iter().find(|limb| limb.2.iter().any(|prefix| joint.starts_with(prefix)))?;
    let side = &joint[joint.len() - 2..];
    let start = rig.find(&format!("{first}{side}"));
    let next = rig.joints.iter().find(|next| next.parent == Some(start))?;
    let bone = next.head - rig.head(start);
    Some((rig.head(start) + bone * *share, bone.normalize()))
}

fn owner(influences: &[(Joint, f64)]) -> Joint {
    influences.iter().fold((0, 0.0), |best, &row| if row.1 > best.1 { row } else { best }).0
}

fn smooth(surface: &mut Surface, chosen: &[bool]) {
    let mut neighbors = vec![Vec::new(); surface.positions.len()];
    for &[a, b, c] in &surface.triangles {
        for (from, to) in [(a, b), (b, c), (c, a), (b, a), (c, b), (a, c)] {
            neighbors[from as usize].push(to as usize);
        }
    }
    // On a closed surface every neighbor is in the list twice, which does not change the mean.
    for _ in 0..ROUNDS {
        for share in PULL_AND_PUSH {
            let old = surface.positions.clone();
            for (vertex, near) in neighbors.iter().enumerate().filter(|(vertex, _)| chosen[*vertex]) {
                let sum = near.iter().fold(DVec3::ZERO, |sum, &other| sum + old[other]);
                surface.positions[vertex] = old[vertex].lerp(sum / near.len() as f64, share);
            }
        }
    }
}

/// Cuts triangles where `cover` changes its sign. The new vertices have a cover of 0.
fn cut(surface: &mut Surface, cover: &mut Vec<f64>) {
    let old = std::mem::take(&mut surface.triangles);
    let materials = std::mem::take(&mut surface.materials);
    let mut made = BTreeMap::new();
    for (triangle, material) in old.into_iter().zip(materials) {
        // The outline of the triangle with the new vertices, then the polygons on both sides of the cut.
        let mut outline = Vec::new();
        for corner in 0..3 {
            let (from, to) = (triangle[corner], triangle[(corner + 1) % 3]);
            outline.push(from);
            if cover[from as usize] * cover[to as usize] < 0.0 {
                let edge = (from.min(to), from.max(to));
                outline.push(*made.entry(edge).or_insert_with(|| split(surface, cover, edge)));
            }
        }
        for sign in if outline.len() == 3 { &[0.0][..] } else { &[1.0, -1.0] } {
            let side: Vec<u32> = outline.iter().copied().filter(|&v| cover[v as usize] * sign >= 0.0).collect();
            for corner in 2..side.len() {
                surface.triangles.push([side[0], side[corner - 1], side[corner]]);
                surface.materials.push(material);
            }
        }
    }
}

/// Adds a vertex on an edge, where the cover is 0.
fn split(surface: &mut Surface, cover: &mut Vec<f64>, (from, to): (u32, u32)) -> u32 {
    let (from, to) = (from as usize, to as usize);
    let share = cover[from] / (cover[from] - cover[to]);
    surface.positions.push(surface.positions[from].lerp(surface.positions[to], share));
    let mut row: BTreeMap<Joint, f64> = BTreeMap::new();
    for (end, part) in [(from, 1.0 - share), (to, share)] {
        for &(joint, weight) in &surface.influences[end] {
            *row.entry(joint).or_insert(0.0) += weight * part;
        }
    }
    surface.influences.push(row.into_iter().collect());
    cover.push(0.0);
    (cover.len() - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_keeps_the_area_and_the_facing() {
        let corners = [DVec3::ZERO, DVec3::X * 2.0, DVec3::new(2.0, 2.0, 0.0), DVec3::Y * 2.0];
        let mut square = Surface {
            positions: corners.to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
            materials: vec![0; 2],
            influences: vec![vec![(0, 1.0)], vec![(1, 1.0)], vec![(1, 1.0)], vec![(0, 1.0)]],
        };
        let mut cover: Vec<f64> = corners.iter().map(|corner| 0.5 - corner.x).collect();
        cut(&mut square, &mut cover);
        let doubled = |triangle: &[u32; 3]| {
            let [a, b, c] = triangle.map(|corner| square.positions[corner as usize]);
            (b - a).cross(c - a).z
        };
        assert!(square.triangles.iter().all(|triangle| doubled(triangle) > 0.0));
        let inside = square.triangles.iter().filter(|t| t.iter().all(|&corner| cover[corner as usize] >= 0.0));
        assert!((inside.map(doubled).sum::<f64>() - 2.0).abs() < 1e-12);
        assert!((square.triangles.iter().map(doubled).sum::<f64>() - 8.0).abs() < 1e-12);
        assert_eq!(square.influences[4], [(0, 0.75), (1, 0.25)]);
        assert_eq!(square.positions.len(), 7, "two outer edges and the diagonal are each cut once");
    }
}
