//! The first contact of two moving and turning shapes. At least one of the shapes is a capsule or a sphere.

use crate::dcapsule::{DCapsule, ShapeSeparation};
use crate::dcapsule_obb::separation_from_box;
use crate::first_contact::is_too_late;
use crate::moving_obb::{FirstContact, LEAST_CONTACT_TOLERANCE, MAX_STEPS, ObbMotion};
use crate::obb::{Obb, POINT_TOLERANCE};
use glam::DVec3;

/// The shape inside a box: the box itself, or a capsule or a sphere that the box bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoxedShape {
    /// The box.
    #[default]
    Box,
    /// The capsule that [`DCapsule::along_axis_1`] makes from the box.
    Capsule,
    /// The sphere that [`DCapsule::ball_around`] makes from the box.
    Ball,
}

/// A shape at one instant.
pub(crate) enum Posed {
    Box { center: DVec3, axes: [DVec3; 3], half: DVec3 },
    Round(DCapsule),
}

impl ObbMotion {
    pub(crate) fn shape_at(&self, shape: BoxedShape, time: f64) -> Posed {
        let (center, axes, half) = (self.center_at(time), self.axes_at(time), self.half_extents());
        let radius = half.max_element();
        match shape {
            BoxedShape::Box => Posed::Box { center, axes, half },
            BoxedShape::Capsule => {
                let radius = half.x.max(half.z);
                let half_segment = axes[1] * (half.y - radius).max(0.0);
                Posed::Round(DCapsule { center, half_segment, radius })
            }
            BoxedShape::Ball => Posed::Round(DCapsule { center, half_segment: DVec3::ZERO, radius }),
        }
    }

    /// The distance from the center to the fastest point of the shape's core: a corner of a box, or an end of a
    /// segment.
    pub(crate) fn reach(&self, shape: BoxedShape) -> f64 {
        match self.shape_at(shape, 0.0) {
            Posed::Box { half, .. } => half.length(),
            Posed::Round(round) => round.half_segment.length(),
        }
    }

    /// Returns the first contact of two moving shapes, or `None` if they do not touch until the time `limit`, from 0 to
    /// 1. The shapes move with the boxes that bound them. [`Obb::first_contact_until`] does the same for two boxes.
    ///
    /// The contact is never missed and never late. It is early by at most the time that it takes to close a gap of
    /// `relative_tolerance` times the sum of both boxes' half extents.
    ///
    /// ```
    /// use geometry_core::{BoxedShape, Obb, ObbMotion};
    /// use glam::{Mat3, Vec3};
    ///
    /// let at = |x| Obb::new(Vec3::X * x, Vec3::ONE, Mat3::IDENTITY);
    /// let (thrown, ball) = (ObbMotion::between(&at(0.0), &at(8.0)), ObbMotion::still(&Obb::new(Vec3::new(6.0, 1.6, 1.6), Vec3::ONE, Mat3::IDENTITY)));
    /// let hit = thrown.first_contact_of(BoxedShape::Ball, &ball, BoxedShape::Ball, 1e-4, 1.0);
    /// assert!(hit.is_none()); // the boxes hit each other, the balls pass
    /// assert!(Obb::first_contact(&thrown, &ball, 1e-4).is_some());
    /// ```
    #[must_use]
    pub fn first_contact_of(
        &self,
        shape: BoxedShape,
        other: &Self,
        other_shape: BoxedShape,
        relative_tolerance: f32,
        limit: f32,
    ) -> Option<FirstContact> {
        if shape == BoxedShape::Box && other_shape == BoxedShape::Box {
            return Obb::first_contact_until(self, other, relative_tolerance, limit);
        }
        let size = self.half_extents().element_sum() + other.half_extents().element_sum();
        // For a NaN, `f32::max` returns the other number.
        let tolerance = f64::from(relative_tolerance.max(LEAST_CONTACT_TOLERANCE)) * size;
        let relative = other.center_at(1.0) - other.center_at(0.0) - (self.center_at(1.0) - self.center_at(0.0));
        let (reach, other_reach) = (self.reach(shape), other.reach(other_shape));
        let mut time = 0.0_f64;
        for step in 0..=MAX_STEPS {
            let found = separation(&self.shape_at(shape, time), &other.shape_at(other_shape, time))?;
            // The margin covers the rounding of the stored axes.
            let gap = found.distance - f64::from(POINT_TOLERANCE) * size;
            if gap <= tolerance || step == MAX_STEPS {
                let direction = found.direction.as_vec3();
                return Some(FirstContact { time: time as f32, direction, gap: gap.max(0.0) as f32 });
            }
            let turning = |motion: &Self, reach: f64| motion.turning_across(found.direction) * reach;
            let speed = -found.direction.dot(relative) + turning(self, reach) + turning(other, other_reach);
            if speed <= 0.0 {
                return None;
            }
            time += gap / speed;
            if is_too_late(time, limit) {
                return None;
            }
        }
        None
    }
}

/// Returns the separation of two shapes; `None` for two boxes.
fn separation(a: &Posed, b: &Posed) -> Option<ShapeSeparation> {
    match (a, b) {
        (Posed::Box { .. }, Posed::Box { .. }) => None,
        (Posed::Round(round), Posed::Box { center, axes, half }) => {
            Some(separation_from_box(round, *center, *axes, *half))
        }
        (Posed::Box { center, axes, half }, Posed::Round(round)) => {
            Some(separation_from_box(round, *center, *axes, *half).swapped())
        }
        (Posed::Round(a), Posed::Round(b)) => Some(a.separation(b)),
    }
}
