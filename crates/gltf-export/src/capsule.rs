//! Boxes as capsules, for formats without boxes.

use glam::{Quat, Vec3};

/// The rule for the size of the capsule that replaces a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CapsulePolicy {
    /// The largest capsule inside the box that keeps the box's length.
    Inscribed,
    /// A capsule with the box's volume. Its cross-section has the area of the box's cross-section, unless the box is
    /// too short for such a capsule.
    #[default]
    EqualVolume,
    /// A capsule that contains the box.
    Enclosing,
}

/// A capsule along the longest axis of a box, in the space in which the box's center and orientation are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Center of one cap.
    pub head: Vec3,
    /// Center of the other cap; equal to `head` for a sphere.
    pub tail: Vec3,
    /// The radius, in the unit of that space; at least 0.
    pub radius: f32,
}

impl Capsule {
    /// Returns the capsule that replaces a box, along its longest axis.
    #[must_use]
    pub fn of_box(center: Vec3, half_extents: Vec3, orientation: Quat, policy: CapsulePolicy) -> Self {
        let axes = geometry_core::portable::mat3_from_quaternion(orientation);
        let mut extents = [(half_extents.x, axes.x_axis), (half_extents.y, axes.y_axis), (half_extents.z, axes.z_axis)];
        // Stable: equal extents keep the order of the axes.
        extents.sort_by(|a, b| b.0.total_cmp(&a.0));
        let [(long, axis), (middle, _), (short, _)] = extents;
        let (radius, reach) = match policy {
            CapsulePolicy::Inscribed => (short, long - short),
            CapsulePolicy::Enclosing => (libm::hypotf(middle, short), long),
            CapsulePolicy::EqualVolume => equal_volume(long, middle, short),
        };
        Self { head: center - axis * reach, tail: center + axis * reach, radius }
    }
}

/// Returns the radius of the capsule with the box's volume, and half the distance between the centers of its caps. The
/// cross-sections of the capsule and the box have equal areas, unless the box is so short that a sphere with its volume
/// is longer.
fn equal_volume(long: f32, middle: f32, short: f32) -> (f32, f32) {
    use std::f64::consts::PI;
    let [long, middle, short] = [long, middle, short].map(f64::from);
    let volume = 8.0 * long * middle * short;
    let radius = (4.0 * middle * short / PI).sqrt();
    let reach = if radius > 0.0 { long - 2.0 / 3.0 * radius } else { long };
    if reach >= 0.0 { (radius as f32, reach as f32) } else { (libm::cbrt(0.75 * volume / PI) as f32, 0.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn volume(capsule: &Capsule) -> f64 {
        let (radius, length) = (f64::from(capsule.radius), f64::from(capsule.head.distance(capsule.tail)));
        std::f64::consts::PI * radius * radius * (length + 4.0 / 3.0 * radius)
    }

    fn distance(capsule: &Capsule, point: Vec3) -> f32 {
        let along = capsule.tail - capsule.head;
        let share = if along == Vec3::ZERO { 0.0 } else { (point - capsule.head).dot(along) / along.length_squared() };
        point.distance(capsule.head + along * share.clamp(0.0, 1.0))
    }

    proptest! {
        #[test]
        fn policies_do_what_they_say(h in [0.01f32..2.0, 0.01f32..2.0, 0.01f32..2.0]) {
            let half = Vec3::from(h);
            let capsule = |policy| Capsule::of_box(Vec3::ONE, half, Quat::IDENTITY, policy);

            let enclosing = capsule(CapsulePolicy::Enclosing);
            for corner in 0..8 {
                let sign = Vec3::new((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32) * 2.0 - 1.0;
                prop_assert!(distance(&enclosing, Vec3::ONE + half * sign) <= enclosing.radius * 1.00001);
            }

            let inscribed = capsule(CapsulePolicy::Inscribed);
            let reach = (inscribed.tail - inscribed.head).abs() / 2.0 + inscribed.radius;
            prop_assert!((reach - half).max_element() <= 1e-6 * half.max_element());

            let equal = volume(&capsule(CapsulePolicy::EqualVolume));
            let wanted = 8.0 * f64::from(h[0]) * f64::from(h[1]) * f64::from(h[2]);
            prop_assert!((equal / wanted - 1.0).abs() < 1e-4, "{equal} instead of {wanted}");
        }
    }
}
