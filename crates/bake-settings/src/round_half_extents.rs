//! The half extents of capsules and spheres after a tool has scaled them.

use baked_format::HitboxShape;
use glam::Vec3;

/// The largest difference of two radii of a round shape, as a share of the larger radius. Tools round transforms.
const UNEVEN: f32 = 1e-3;

/// Returns the half extents that a shape can have and that are nearest to these; `None` if the shape would be stretched, and
/// for a hull.
pub fn round_half_extents(shape: HitboxShape, half_extents: Vec3) -> Option<Vec3> {
    let [x, y, z] = half_extents.to_array();
    let is_even = |a: f32, b: f32| (a - b).abs() <= UNEVEN * a.max(b);
    match shape {
        HitboxShape::Box => Some(half_extents),
        HitboxShape::Sphere if is_even(x, y) && is_even(y, z) && is_even(z, x) => {
            let radius = if x == y && y == z { x } else { half_extents.element_sum() / 3.0 };
            Some(Vec3::splat(radius))
        }
        HitboxShape::Capsule if is_even(x, z) && (y >= x.min(z) || is_even(x, y)) => {
            let radius = if x == z { x } else { 0.5 * (x + z) };
            Some(Vec3::new(radius, y.max(radius), radius))
        }
        HitboxShape::Sphere | HitboxShape::Capsule | HitboxShape::Hull => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_undone_and_stretching_is_refused() {
        let capsule = |half| round_half_extents(HitboxShape::Capsule, Vec3::from_array(half));
        let sphere = |half| round_half_extents(HitboxShape::Sphere, Vec3::from_array(half));
        assert_eq!(capsule([0.1, 0.3, 0.1]), Some(Vec3::new(0.1, 0.3, 0.1)));
        assert_eq!(capsule([1.0, 3.0, 1.0005]), Some(Vec3::new(1.00025, 3.0, 1.00025)));
        assert_eq!(capsule([1.0, 0.9995, 1.0]), Some(Vec3::ONE));
        assert_eq!(capsule([1.0, 3.0, 1.1]), None);
        assert_eq!(capsule([1.0, 0.5, 1.0]), None);
        assert_eq!(sphere([0.1; 3]), Some(Vec3::splat(0.1)));
        assert_eq!(sphere([1.0, 1.0, 1.1]), None);
        assert_eq!(round_half_extents(HitboxShape::Box, Vec3::X), Some(Vec3::X));
        assert_eq!(round_half_extents(HitboxShape::Hull, Vec3::ONE), None);
    }
}
