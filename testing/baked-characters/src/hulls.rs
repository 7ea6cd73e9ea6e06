//! Hulls of 6 to 10 corners among boxes, capsules and spheres.

use baked_format::{BakedCharacter, Hitbox, HitboxHull, HitboxShape};
use geometry_core::portable::{mat3_from_quaternion, mat3_mul_vec3};
use glam::Vec3;

/// Corners of a ring on the unit circle, in order: exact in `f64`, and the same on every machine.
pub(crate) const RING: [[f32; 2]; 8] =
    [[1.0, 0.0], [0.6, 0.8], [-0.28, 0.96], [-0.8, 0.6], [-0.96, -0.28], [-0.6, -0.8], [0.28, -0.96], [0.8, -0.6]];

/// The shapes of the hitboxes, in turn.
const SHAPES: [HitboxShape; 6] = [
    HitboxShape::Hull,
    HitboxShape::Box,
    HitboxShape::Hull,
    HitboxShape::Capsule,
    HitboxShape::Hull,
    HitboxShape::Sphere,
];

/// Two pyramids in the box of a hitbox, over and under a ring of 4 to 8 corners. The tip is not in the middle.
fn pyramids(one: &Hitbox, index: usize) -> HitboxHull {
    let sides = 4 + index % 5;
    let ring: Vec<[f32; 2]> =
        if sides == 4 { vec![RING[0], RING[2], RING[4], RING[6]] } else { RING[..sides].to_vec() };
    let axes = mat3_from_quaternion(one.orientation);
    // A little smaller than the box, so that rounding takes no corner out of it.
    let half = one.half_extents * 0.999;
    let place = |at: Vec3| one.center + mat3_mul_vec3(&axes, at * half);
    let corners = ring.iter().map(|&[x, z]| Vec3::new(x, 0.0, z));
    let tips = [Vec3::new(0.2, 1.0, 0.1), Vec3::new(-0.1, -1.0, 0.2)];
    let vertices: Vec<Vec3> = corners.chain(tips).map(place).collect();
    let (count, top) = (sides as u8, sides as u8);
    let triangles = (0..count).flat_map(|side| {
        let next = (side + 1) % count;
        [[next, side, top], [side, next, top + 1]]
    });
    HitboxHull { vertices, triangles: triangles.collect() }
}

/// Gives a character's hitboxes other shapes in turn: hulls, boxes, capsules and spheres.
///
/// # Panics
/// If the character is not valid.
#[must_use]
pub fn with_hulls(mut baked: BakedCharacter) -> BakedCharacter {
    for (index, one) in baked.boxes.iter_mut().enumerate() {
        let half = one.half_extents;
        one.shape = SHAPES[index % SHAPES.len()];
        match one.shape {
            HitboxShape::Box => {}
            HitboxShape::Hull => one.hull = Some(pyramids(one, index)),
            HitboxShape::Capsule => one.half_extents = Vec3::new(half.x, half.y.max(half.x), half.x),
            HitboxShape::Sphere => one.half_extents = Vec3::splat(half.max_element()),
        }
    }
    baked.validate().expect("a valid character");
    baked
}
