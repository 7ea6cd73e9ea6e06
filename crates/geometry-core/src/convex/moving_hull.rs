//! The first contact of two moving and turning shapes of which at least one is a hull.

use super::nearest::{Enough, nearest};
use super::posed_hull::PosedHull;
use super::solid::{Core, Solid};
use super::straight_cast::{Cast, Closeness, cast};
use crate::first_contact::is_too_late;
use crate::moving_obb::{FirstContact, LEAST_CONTACT_TOLERANCE, MAX_STEPS, ObbMotion};
use crate::moving_round::{BoxedShape, Posed};
use crate::obb::POINT_TOLERANCE;
use glam::DMat3;

/// If the two places of a hull, in the frame of its box, differ by at most this share of the tolerance, the hull counts
/// as rigid.
const RIGID: f64 = 0.25;

/// A hull that moves with the box around it from one pose to another between the times 0 and 1.
///
/// In the frame of its box, the hull has one place in the first pose and one in the last pose. If the box only moves and turns,
/// the two places are the same up to rounding. If a scale changes, they differ, and the moving shape is the smallest convex set
/// around both places.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct HullMotion<'a> {
    motion: ObbMotion,
    /// The hull in the first and in the last pose, both turned and moved back with the box to its first pose.
    places: [PosedHull<'a>; 2],
    /// The largest distance of a corner between both places.
    change: f64,
    /// The largest distance of a corner from the center of the box; 0 if the box does not turn.
    reach: f64,
}

impl<'a> HullMotion<'a> {
    /// Makes the motion of a hull with its box. `from` and `to` are the same hull in the box's first and last pose.
    pub fn new(motion: &ObbMotion, from: &PosedHull<'a>, to: &PosedHull<'a>) -> Self {
        let (first, last) = (motion.center_at(0.0), motion.center_at(1.0));
        // Without a turn, all corners of a hull that keeps its shape move alike, and no speed depends on the reach.
        if motion.is_straight() && to.linear == from.linear {
            let moved_back = PosedHull { center: first + (to.center - last), ..*to };
            let change = crate::math::sqrt((moved_back.center - from.center).length_squared());
            return Self { motion: *motion, places: [*from, moved_back], change, reach: 0.0 };
        }
        let back = motion.rotation_at(1.0).transpose();
        let moved_back = to.turned(&back, first + back * (to.center - last));
        let corners = from.exact_corners().zip(moved_back.exact_corners());
        let (change, reach) = corners.fold((0.0_f64, 0.0_f64), |(change, reach), (one, other)| {
            let farthest = (one - first).length_squared().max((other - first).length_squared());
            (change.max((one - other).length_squared()), reach.max(farthest))
        });
        let [change, reach] = [change, reach].map(crate::math::sqrt);
        Self { motion: *motion, places: [*from, moved_back], change, reach }
    }

    /// The hull of the first pose, moved to its place at `time`, from 0 to 1; other times are clamped.
    pub fn at(&self, time: f32) -> PosedHull<'a> {
        let time = f64::from(if time > 0.0 { time.min(1.0) } else { 0.0 });
        self.place_at(0, &self.motion.rotation_at(time), time)
    }

    fn place_at(&self, place: usize, rotation: &DMat3, time: f64) -> PosedHull<'a> {
        let posed = &self.places[place];
        let center = self.motion.center_at(time) + *rotation * (posed.center - self.motion.center_at(0.0));
        posed.turned(rotation, center)
    }

    fn solid_at(&self, time: f64, is_rigid: bool) -> Solid<'a> {
        let rotation = self.motion.rotation_at(time);
        Self::solid(is_rigid, |place| self.place_at(place, &rotation, time))
    }

    /// The hull at the first place, or the convex set around both places.
    fn solid(is_rigid: bool, at: impl Fn(usize) -> PosedHull<'a>) -> Solid<'a> {
        let first = at(0);
        if is_rigid {
            return Solid { core: Core::Hull(first), center: first.center, radius: 0.0 };
        }
        let last = at(1);
        Solid { core: Core::Hulls([first, last], last.center - first.center), center: first.center, radius: 0.0 }
    }
}

/// A shape that moves with a box.
#[derive(Clone, Copy, Debug)]
pub enum MovingShape<'a> {
    /// A box, or a capsule or a sphere in a box.
    Boxed(&'a ObbMotion, BoxedShape),
    /// A hull.
    Hull(&'a HullMotion<'a>),
}

impl MovingShape<'_> {
    fn motion(&self) -> &ObbMotion {
        match self {
            Self::Boxed(motion, _) => motion,
            Self::Hull(hull) => &hull.motion,
        }
    }

    /// The distance from the center of the box to the fastest point of the shape's core.
    fn reach(&self) -> f64 {
        match self {
            Self::Boxed(motion, shape) => motion.reach(*shape),
            Self::Hull(hull) => hull.reach,
        }
    }

    /// The distance by which the shape may reach out of the rigid shape.
    fn change(&self) -> f64 {
        match self {
            Self::Boxed(..) => 0.0,
            Self::Hull(hull) => hull.change,
        }
    }

    /// The shape at the time 0.
    fn first_solid(&self, is_rigid: bool) -> Solid<'_> {
        match self {
            Self::Hull(hull) => HullMotion::solid(is_rigid, |place| hull.places[place]),
            Self::Boxed(..) => self.solid_at(0.0, is_rigid),
        }
    }

    fn solid_at(&self, time: f64, is_rigid: bool) -> Solid<'_> {
        match self {
            Self::Hull(hull) => hull.solid_at(time, is_rigid),
            Self::Boxed(motion, shape) => match motion.shape_at(*shape, time) {
                Posed::Box { center, axes, half } => Solid { core: Core::Box { axes, half }, center, radius: 0.0 },
                Posed::Round(capsule) => Solid::of_capsule(&capsule),
            },
        }
    }

    /// Returns the first contact of two moving shapes, or `None` if they do not touch until the time `limit`, from 0 to 1. The
    /// shapes move with the boxes that bound them. [`Obb::first_contact_until`](crate::Obb::first_contact_until) does the same
    /// for two boxes.
    ///
    /// If no shape turns, one shape is cast at the other. Otherwise the time advances step by step.
    ///
    /// The contact is never missed and never late. It is early by at most the time that it takes to close a gap of
    /// `relative_tolerance` times the sum of both boxes' half extents.
    ///
    /// Source of the cast: van den Bergen, *Ray Casting against General Convex Objects with Application to Continuous
    /// Collision Detection*, 2004.
    ///
    /// ```
    /// use geometry_core::{BoxedShape, Hull, HullMotion, MovingShape, Obb, ObbMotion, PosedHull};
    /// use glam::{Mat3, Vec3};
    ///
    /// // A tetrahedron in the corner of its box flies past a ball, but the box hits the ball.
    /// let corners = [Vec3::NEG_ONE, Vec3::new(1.0, -1.0, -1.0), Vec3::new(-1.0, 1.0, -1.0), Vec3::new(-1.0, -1.0, 1.0)];
    /// let hull = Hull::try_new(&corners, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
    /// let at = |x| Vec3::new(x, 0.0, 0.0);
    /// let cube = |x| Obb::new(at(x), Vec3::ONE, Mat3::IDENTITY);
    /// let posed = |x| PosedHull::new(&hull, &Mat3::IDENTITY, at(x).as_dvec3()).unwrap();
    /// let thrown = ObbMotion::between(&cube(-5.0), &cube(5.0));
    /// let ball = ObbMotion::still(&Obb::new(Vec3::splat(0.9), Vec3::splat(0.3), Mat3::IDENTITY));
    /// let ball = MovingShape::Boxed(&ball, BoxedShape::Ball);
    /// let flying = HullMotion::new(&thrown, &posed(-5.0), &posed(5.0));
    /// let flying = MovingShape::Hull(&flying);
    /// assert!(flying.first_contact(&ball, 1e-4, 1.0).is_none());
    /// assert!(MovingShape::Boxed(&thrown, BoxedShape::Box).first_contact(&ball, 1e-4, 1.0).is_some());
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    #[must_use]
    pub fn first_contact(&self, other: &MovingShape<'_>, relative_tolerance: f32, limit: f32) -> Option<FirstContact> {
        let (motion, other_motion) = (self.motion(), other.motion());
        if let (Self::Boxed(_, shape), MovingShape::Boxed(_, other_shape)) = (self, other) {
            return motion.first_contact_of(*shape, other_motion, *other_shape, relative_tolerance, limit);
        }
        let size = motion.half_extents().element_sum() + other_motion.half_extents().element_sum();
        // For a NaN, `f32::max` returns the other number.
        let tolerance = f64::from(relative_tolerance.max(LEAST_CONTACT_TOLERANCE)) * size;
        let rigid = [self.change(), other.change()].map(|change| change <= RIGID * tolerance);
        let changes = [self.change(), other.change()].into_iter().zip(rigid);
        // The rounding of the stored axes, and what a shape that counts as rigid leaves out.
        let margin: f64 = changes.filter(|(_, rigid)| *rigid).map(|(change, _)| change).sum();
        let margin = margin + f64::from(POINT_TOLERANCE) * size;
        let relative =
            other_motion.center_at(1.0) - other_motion.center_at(0.0) - (motion.center_at(1.0) - motion.center_at(0.0));
        let (reach, other_reach) = (self.reach(), other.reach());
        let mut time = 0.0_f64;
        if motion.is_straight() && other_motion.is_straight() {
            let (a, b) = (self.first_solid(rigid[0]), other.first_solid(rigid[1]));
            match cast(&a, &b, relative, Closeness { margin, tolerance }, limit) {
                Cast::Apart => return None,
                Cast::Contact { time, direction, distance } => {
                    let gap = (distance - margin).max(0.0) as f32;
                    return Some(FirstContact { time: time as f32, direction: direction.as_vec3(), gap });
                }
                Cast::Crossing(simplex) => {
                    let direction = a.core_depth(&b, simplex.around_origin(), &simplex).direction.as_vec3();
                    return Some(FirstContact { time: 0.0, direction, gap: 0.0 });
                }
                Cast::Unknown { time: proven } => time = proven,
            }
        }
        for step in 0..=MAX_STEPS {
            let (a, b) = (self.solid_at(time, rigid[0]), other.solid_at(time, rigid[1]));
            let found = nearest(&a.core, &b.core, b.center - a.center, Enough { beyond: f64::INFINITY, within: 0.0 });
            // The lower limit of the distance holds along its own direction, whatever rounding did to the nearest points.
            let distance = found.lower - (a.radius + b.radius);
            if distance <= tolerance + margin || step == MAX_STEPS {
                let direction = a.separation(&b).direction.as_vec3();
                return Some(FirstContact { time: time as f32, direction, gap: (distance - margin).max(0.0) as f32 });
            }
            let gap = distance - margin;
            let turning = |motion: &ObbMotion, reach: f64| motion.turning_across(found.direction) * reach;
            let speed = -found.direction.dot(relative) + turning(motion, reach) + turning(other_motion, other_reach);
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
