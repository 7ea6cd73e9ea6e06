//! Random boxes for the tests of this folder.

use baked_format::{Hitbox, HitboxHull, HitboxRole, HitboxShape};
use glam::{Quat, Vec3};
use skeleton::JointIndex;
use test_models::Random;

/// The octahedron whose corners are the centers of a box's faces, up to rounding.
fn octahedron(center: Vec3, half_extents: Vec3, orientation: Quat) -> HitboxHull {
    let ends = Vec3::AXES.map(|axis| orientation * (axis * half_extents));
    HitboxHull {
        vertices: ends.into_iter().flat_map(|end| [center + end, center - end]).collect(),
        triangles: vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]],
    }
}

/// Boxes, capsules, spheres and hulls of any size about the joints, some of the boxes as thin as a sheet or a needle.
pub(crate) fn any_boxes(random: &mut Random, joints: u16, height: f32) -> Vec<Hitbox> {
    let mut boxes = Vec::new();
    for joint in 0..joints {
        for _ in 0..random.below(4) {
            let mut vector = |size: f32| size * random.vector();
            let (center, half, turn) = (vector(0.1 * height), vector(0.3 * height).abs(), vector(3.0));
            let thin = Vec3::from_array([0; 3].map(|_| if random.below(8) == 0 { 0.0 } else { 1.0 }));
            let shape = match random.below(5) {
                2 => HitboxShape::Hull,
                0 => HitboxShape::Capsule,
                1 => HitboxShape::Sphere,
                _ => HitboxShape::Box,
            };
            let half_extents = match shape {
                HitboxShape::Box => half * thin,
                HitboxShape::Hull => half + 0.01 * height,
                HitboxShape::Capsule => Vec3::new(half.x, half.x + half.y, half.x),
                HitboxShape::Sphere => Vec3::splat(half.x),
            };
            let orientation = Quat::from_scaled_axis(turn);
            let hull = (shape == HitboxShape::Hull).then(|| octahedron(center, half_extents, orientation));
            boxes.push(Hitbox {
                joint: JointIndex(joint),
                center,
                half_extents,
                orientation,
                role: HitboxRole::Hurt,
                tags: Vec::new(),
                vertices: 0,
                hull_vertices: 0,
                hull_volume: 0.0,
                min_volume: None,
                hull,
                shape,
            });
        }
    }
    boxes
}
