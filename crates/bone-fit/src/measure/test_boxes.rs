//! Random boxes for the tests of this folder.

use baked_format::{Hitbox, HitboxShape};
use glam::{Quat, Vec3};
use skeleton::JointIndex;
use test_models::Random;

/// A number from -1 to 1.
pub(crate) fn number(random: &mut Random) -> f32 {
    (random.next_u64() >> 40) as f32 / 8_388_608.0 - 1.0
}

/// Boxes, capsules and spheres of any size about the joints, some of the boxes as thin as a sheet or a needle.
pub(crate) fn any_boxes(random: &mut Random, joints: u16, height: f32) -> Vec<Hitbox> {
    let mut boxes = Vec::new();
    for joint in 0..joints {
        for _ in 0..random.below(4) {
            let mut vector = |size: f32| Vec3::from_array([0; 3].map(|_| size * number(random)));
            let (center, half, turn) = (vector(0.1 * height), vector(0.3 * height).abs(), vector(3.0));
            let thin = Vec3::from_array([0; 3].map(|_| if random.below(8) == 0 { 0.0 } else { 1.0 }));
            let shape = match random.below(4) {
                0 => HitboxShape::Capsule,
                1 => HitboxShape::Sphere,
                _ => HitboxShape::Box,
            };
            let half_extents = match shape {
                HitboxShape::Box | HitboxShape::Hull => half * thin,
                HitboxShape::Capsule => Vec3::new(half.x, half.x + half.y, half.x),
                HitboxShape::Sphere => Vec3::splat(half.x),
            };
            boxes.push(Hitbox {
                joint: JointIndex(joint),
                center,
                half_extents,
                orientation: Quat::from_scaled_axis(turn),
                tags: Vec::new(),
                vertices: 0,
                hull_vertices: 0,
                hull_volume: 0.0,
                min_volume: None,
                hull: None,
                shape,
            });
        }
    }
    boxes
}
