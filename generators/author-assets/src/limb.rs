//! Limbs of two bones that reach for a point: arms and legs.

use crate::turn;
use glam::{DMat3, DVec3};

/// The rest pose of a limb with two bones, in model space.
#[derive(Clone, Copy, Debug)]
pub struct Limb {
    upper: DVec3,
    lower: DVec3,
    upper_frame: DMat3,
    lower_frame: DMat3,
}

/// The pose of a limb that reaches for a point: the rotations of its two bones and the position of its end.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The rotation of the upper bone from rest, in model space.
    pub upper: DMat3,
    /// The rotation of the lower bone from rest, in model space.
    pub lower: DMat3,
    /// The position of the limb's end: the target, or the nearest point that the limb reaches.
    pub end: DVec3,
}

/// A limb is never straighter than this share of its length, because knees move abruptly near full extension.
const STRAIGHTEST: f64 = 0.998;

impl Limb {
    /// Makes a limb from the rest positions of shoulder, elbow and wrist (or hip, knee and ankle). `bulge` is the
    /// direction in which the middle joint moves when the limb bends.
    #[must_use]
    pub fn new(root: DVec3, middle: DVec3, end: DVec3, bulge: DVec3) -> Self {
        let hinge = Self::hinge((end - root).normalize(), bulge);
        let (upper, lower) = (middle - root, end - middle);
        Self { upper, lower, upper_frame: turn::frame(upper, hinge), lower_frame: turn::frame(lower, hinge) }
    }

    fn hinge(direction: DVec3, bulge: DVec3) -> DVec3 {
        direction.cross(turn::perpendicular(direction, bulge))
    }

    /// The length of both bones, in meters.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.upper.length() + self.lower.length()
    }

    /// Poses the limb from `root` to `target`, or as near as it reaches, bent toward `bulge`.
    #[must_use]
    pub fn reach(&self, root: DVec3, target: DVec3, bulge: DVec3) -> Reach {
        let (a, b) = (self.upper.length(), self.lower.length());
        let wanted = (target - root).length();
        let distance = wanted.clamp((a - b).abs() * 1.02 + 1e-6, (a + b) * STRAIGHTEST);
        let direction = if wanted > 1e-9 { (target - root) / wanted } else { -DVec3::Y };
        let side = turn::perpendicular(direction, bulge);
        // By the law of cosines: the position of the middle joint along the line to the target, and its distance from
        // that line.
        let along = (a * a - b * b + distance * distance) / (2.0 * distance);
        let off = (a * a - along * along).max(0.0).sqrt();
        let middle = root + direction * along + side * off;
        let end = root + direction * distance;
        let hinge = direction.cross(side);
        Reach {
            upper: turn::frame(middle - root, hinge) * self.upper_frame.transpose(),
            lower: turn::frame(end - middle, hinge) * self.lower_frame.transpose(),
            end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limb_reaches_as_far_as_it_can_and_keeps_its_lengths() {
        let (hip, knee, ankle) = (DVec3::new(0.1, 0.9, 0.0), DVec3::new(0.12, 0.48, 0.02), DVec3::new(0.15, 0.08, 0.0));
        let leg = Limb::new(hip, knee, ankle, DVec3::Z);
        for target in [DVec3::new(0.2, 0.3, 0.4), DVec3::new(0.1, -3.0, 0.0), DVec3::new(0.1, 0.89, 0.0)] {
            let reach = leg.reach(hip, target, DVec3::Z);
            let bent = hip + reach.upper * (knee - hip);
            let end = bent + reach.lower * (ankle - knee);
            assert!(end.abs_diff_eq(reach.end, 1e-9), "{end} {}", reach.end);
            let span = (target - hip).length();
            if span > 0.1 && span < 0.8 {
                assert!(end.abs_diff_eq(target, 1e-9));
            }
            assert!(bent.z > hip.z, "the knee points forward");
        }
    }
}
