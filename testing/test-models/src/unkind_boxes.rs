//! Boxes and placements that share axes, faces, edges and corners.
//!
//! Boxes that are placed and turned at random nearly never have parallel edges or coplanar faces, and the mistakes of geometry are there.
//! Every test of boxes should take some of its boxes from here.

use crate::Random;
use glam::{Affine3A, DQuat, DVec3, Mat3, Quat, Vec3};

/// An oriented box: the arguments of `geometry_core::Obb::from_orientation`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxParts {
    /// The center.
    pub center: Vec3,
    /// Half of the edges' lengths, each at least 0.
    pub half_extents: Vec3,
    /// The turn of the box's axes, a unit quaternion.
    pub orientation: Quat,
}

/// A box before it is scaled, moved and rounded to `f32`.
#[derive(Clone, Copy)]
struct Exact {
    center: DVec3,
    half: DVec3,
    turn: DQuat,
}

impl Exact {
    /// A corner, or the middle of an edge, of a face or of the box, or a point half way to these, relative to the center.
    fn spot(&self, random: &mut Random) -> DVec3 {
        let mut share = || *random.pick(&[-1.0, -1.0, 1.0, 1.0, 0.0, 0.5]);
        self.turn * (self.half * DVec3::new(share(), share(), share()))
    }
}

impl Random {
    /// Boxes of which each shares a point with an earlier box, or nearly: a corner, or the middle of an edge or of a face. Some overlap,
    /// some touch, some are apart by a hair.
    ///
    /// - Their turns differ by multiples of 15 degrees, mostly about one axis, and sometimes by a tiny angle. Half of the time, all boxes
    ///   lean in the same direction.
    /// - Their half extents are often equal and sometimes 0.
    /// - All boxes are scaled by 1, 0.01 or 100, and are near the origin or up to a million units from it.
    pub fn unkind_boxes(&mut self, count: usize) -> Vec<BoxParts> {
        let lean = if self.below(2) == 0 { DQuat::IDENTITY } else { self.rotation().as_dquat().normalize() };
        let shared_axis = *self.pick(&DVec3::AXES);
        let scale = *self.pick(&[1.0, 1.0, 1.0, 0.01, 100.0]);
        let far = *self.pick(&[0.0, 0.0, 0.0, 1e3, 1e6]);
        let offset = if self.below(2) == 0 { *self.pick(&DVec3::AXES) } else { self.in_box() } * far;
        let mut boxes: Vec<Exact> = Vec::with_capacity(count);
        for _ in 0..count {
            let mut turn = match self.below(4) {
                0 => boxes.last().map_or(lean, |one| one.turn),
                1 => lean * self.steps_about(DVec3::X) * self.steps_about(DVec3::Y),
                _ => lean * self.steps_about(shared_axis),
            };
            if self.below(6) == 0 {
                let angle = *self.pick(&[1e-8, 1e-7, 1e-6, 1e-4, 1e-2]);
                let axis = *self.pick(&DVec3::AXES);
                turn = (turn * DQuat::from_xyzw(axis.x * angle, axis.y * angle, axis.z * angle, 1.0)).normalize();
            }
            let mut extent = || *self.pick(&[0.0, 0.02, 0.25, 0.5, 0.5, 1.0, 1.0, 2.0, 20.0]);
            let half = DVec3::new(extent(), extent(), extent());
            let mut one = Exact { center: DVec3::ZERO, half, turn };
            if !boxes.is_empty() {
                let anchor = *self.pick(&boxes);
                let nudge = *self.pick(&[0.0, 0.0, 1e-7, -1e-7, 1e-5, -1e-5, 1e-3, -1e-3, 0.1, -0.1, -0.5, 3.0]);
                let way = *self.pick(&[anchor, one]);
                let way = way.turn * *self.pick(&DVec3::AXES);
                one.center = anchor.center + anchor.spot(self) + way * nudge - one.spot(self);
            }
            boxes.push(one);
        }
        let parts = |one: Exact| BoxParts {
            center: (one.center * scale + offset).as_vec3(),
            half_extents: (one.half * scale).as_vec3(),
            orientation: one.turn.as_quat().normalize(),
        };
        boxes.into_iter().map(parts).collect()
    }

    /// Two boxes of [`Random::unkind_boxes`].
    pub fn unkind_pair(&mut self) -> [BoxParts; 2] {
        let boxes = self.unkind_boxes(2);
        [boxes[0], boxes[1]]
    }

    /// Transforms of bodies into the world.
    ///
    /// - All have one scale: 1, 0.01, 100, uneven, mirrored, along two axes only, or 0. All are near the origin, or all are a thousand or a
    ///   million units from it.
    /// - They differ by turns by multiples of 15 degrees, and by moves along the axes by a multiple of a quarter, at most 1.
    pub fn unkind_matrices<const N: usize>(&mut self) -> [Affine3A; N] {
        let scale = match self.below(8) {
            0 => Vec3::splat(*self.pick(&[0.01, 100.0])),
            1 => Vec3::new(0.5, 1.0, 2.0),
            2 => Vec3::new(-1.0, 1.0, 1.0),
            3 => *self.pick(&[Vec3::ZERO, Vec3::new(1.0, 0.0, 1.0), Vec3::NEG_ONE]),
            _ => Vec3::ONE,
        };
        let far = *self.pick(&Vec3::AXES) * *self.pick(&[0.0, 0.0, 0.0, 0.0, 1e3, 1e6]);
        std::array::from_fn(|_| {
            let turn = match self.below(4) {
                0 => DQuat::IDENTITY,
                1 => self.steps_about(DVec3::Y) * self.steps_about(DVec3::X),
                _ => self.steps_about(DVec3::Y),
            };
            let mut quarters = || 0.25 * self.below(9) as f32 - 1.0;
            let step = Vec3::new(quarters(), quarters(), quarters());
            let turned = Mat3::from_quat(turn.as_quat().normalize());
            Affine3A::from_mat3_translation(turned * Mat3::from_diagonal(scale), far + step * scale.abs().max_element())
        })
    }

    /// A turn by a multiple of 15 degrees about an axis.
    fn steps_about(&mut self, axis: DVec3) -> DQuat {
        turn_by_steps(axis, self.below(24))
    }
}

/// A turn by `steps` times 15 degrees about an axis, a unit vector.
#[must_use]
pub fn turn_by_steps(axis: DVec3, steps: usize) -> DQuat {
    let (sine, cosine) = libm::sincos((steps as f64 * 7.5).to_radians());
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_valid_and_often_share_axes() {
        let mut random = Random::new(1);
        let mut parallel = 0;
        for _ in 0..1000 {
            let [a, b] = random.unkind_pair();
            for one in [a, b] {
                assert!(one.center.is_finite() && one.half_extents.min_element() >= 0.0, "{one:?}");
                assert!(one.orientation.is_normalized(), "{one:?}");
            }
            let share = |i: Vec3, j: Vec3| (a.orientation * i).cross(b.orientation * j).length() < 1e-6;
            parallel += usize::from(Vec3::AXES.iter().any(|&i| Vec3::AXES.iter().any(|&j| share(i, j))));
            assert!(random.unkind_matrices::<3>().iter().all(Affine3A::is_finite));
        }
        assert!(parallel > 600, "{parallel} of 1000 pairs have parallel edges");
    }
}
