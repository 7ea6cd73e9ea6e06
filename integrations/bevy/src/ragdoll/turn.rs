//! The turn of a joint, as a twist and a swing.

use bevy_math::{Quat, Vec3};

/// The largest swing for which the gradients of its angles are exact, in radians: they grow without limit toward a half turn.
const MOST_SWING: f32 = 3.0;

/// The turn of a body's frame in the frame of its parent: a twist about x, then a swing about an axis across.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The twist about x, and the swing's axis times its angle, which has y and z. In radians.
    pub(super) angles: Vec3,
    swing: Quat,
}

impl Turn {
    pub(super) fn new(turn: Quat) -> Self {
        let swing = Quat::from_rotation_arc(Vec3::X, (turn * Vec3::X).normalize());
        let twist = swing.conjugate() * turn;
        let twist = if twist.w < 0.0 { -twist } else { twist };
        let across = swing.to_scaled_axis();
        Self { angles: Vec3::new(2.0 * twist.x.atan2(twist.w), across.y, across.z), swing }
    }

    /// The change of each angle for a small rotation of the body, in the frame of the parent.
    pub(super) fn gradients(&self) -> [Vec3; 3] {
        let axis = self.swing * Vec3::X;
        let across = Vec3::new(0.0, self.angles.y, self.angles.z);
        let angle = across.length();
        let twist = (Vec3::X + axis) / (1.0 + axis.x).max(0.01);
        if angle < 1e-4 {
            return [twist, Vec3::Y, Vec3::Z];
        }
        // The swing grows about its own axis, and turns about x by a rotation about an axis half way around.
        let own = across / angle;
        let other = Vec3::X.cross(own);
        let (sine, cosine) = angle.min(MOST_SWING).sin_cos();
        let around = (cosine * other + sine * Vec3::X) * (angle / sine);
        [twist, own.y * own + other.y * around, own.z * own + other.z * around]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twists and swings of up to 2.5 radians: the angles are those of the turn, and the gradients those of small turns.
    #[test]
    fn gradients_are_the_changes_of_the_angles() {
        let step = 1e-2f64;
        for seed in 0..500u32 {
            let number = |index: u32| ((seed * 7 + index) as f32 * 0.618_034).fract() - 0.5;
            let angles = Vec3::new(4.0 * number(1), 3.0 * number(2), 3.0 * number(3));
            let place = |angles: Vec3| {
                Quat::from_scaled_axis(Vec3::new(0.0, angles.y, angles.z)) * Quat::from_rotation_x(angles.x)
            };
            let turn = Turn::new(place(angles));
            assert!((turn.angles - angles).abs().max_element() < 1e-4, "{angles} {turn:?}");
            let gradients = turn.gradients();
            for axis in Vec3::AXES {
                let moved = |way: f64| Turn::new(Quat::from_scaled_axis(axis * (way * step) as f32) * place(angles));
                let change = (moved(1.0).angles - moved(-1.0).angles) / (2.0 * step) as f32;
                let found = Vec3::from_array(gradients.map(|gradient| gradient.dot(axis)));
                let off = (found - change).abs().max_element();
                assert!(off < 2e-3 * (1.0 + change.length()), "{angles} about {axis}: {found} {change}");
            }
        }
    }
}
