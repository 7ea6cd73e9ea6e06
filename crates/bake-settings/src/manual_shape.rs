//! The shape of a hitbox after a tool has scaled it.

use baked_format::HitboxShape;
use glam::Vec3;

/// The largest difference of two radii of a round shape, as a share of the larger radius. Tools round transforms.
const UNEVEN: f32 = 1e-3;

/// A shape that a manual box can have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ManualShape {
    /// A box, a capsule or a sphere.
    pub shape: HitboxShape,
    /// The half extents, which the shape can have.
    pub half_extents: Vec3,
    /// The reason why a box replaces the shape; `None` if nothing replaces it.
    pub why_box: Option<&'static str>,
}

impl ManualShape {
    /// The nearest shape that a manual box can have. A hull and a stretched round shape become the box around them.
    #[must_use]
    pub fn nearest(shape: HitboxShape, half_extents: Vec3) -> Self {
        let why_box = match round_half_extents(shape, half_extents) {
            Some(half_extents) => return Self { shape, half_extents, why_box: None },
            None if shape == HitboxShape::Hull => "a manual box cannot be a hull",
            None => "it was stretched; scale a sphere evenly, and the x and z axes of a capsule by the same factor",
        };
        Self { shape: HitboxShape::Box, half_extents, why_box: Some(why_box) }
    }
}

/// Returns the half extents that a shape can have and that are nearest to these; `None` if the shape would be stretched, and
/// for a hull.
fn round_half_extents(shape: HitboxShape, half_extents: Vec3) -> Option<Vec3> {
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
