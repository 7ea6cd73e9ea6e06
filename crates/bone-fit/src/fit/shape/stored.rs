//! Rounds capsules and spheres to the `f32` numbers of the file, so that they hold every point to the last bit.

use super::ball::Ball;
use super::capsule::{Capsule, squared_distance};
use crate::fit::enclose::{TightBox, round_up, stored_orientation};
use crate::fit::reflection::Reflection;
use baked_format::{HitboxShape, RoundShape};
use glam::{DMat3, DVec3, Quat, Vec3};

/// A capsule or a sphere, stored as the box around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StoredRound {
    pub(crate) shape: HitboxShape,
    pub(crate) tight: TightBox,
}

/// The error of a distance in `f64`, as a share of the distance plus the sum of the sizes of the coordinates.
const ROUNDING: f64 = 1.0 / (1u64 << 49) as f64;

/// Makes the sphere of a ball. It holds the points and is at least as large as the ball.
pub(crate) fn stored_ball(ball: &Ball, points: &[DVec3]) -> StoredRound {
    let half_extents = Vec3::splat(round_up(ball.radius));
    let tight = TightBox { center: ball.center.as_vec3() + Vec3::ZERO, half_extents, orientation: Quat::IDENTITY };
    let mut stored = StoredRound { shape: HitboxShape::Sphere, tight };
    stored.hold(points);
    stored
}

/// Rounds a capsule to `f32`. The result holds the points and has at least the capsule's radius.
pub(crate) fn stored_capsule(capsule: &Capsule, points: &[DVec3]) -> StoredRound {
    let [start, end] = capsule.ends;
    let along = end - start;
    let y = along.try_normalize().unwrap_or(DVec3::Y);
    let x = y.any_orthonormal_vector();
    let (orientation, _) = stored_orientation(&DMat3::from_cols(x, y, x.cross(y)));
    let center = (0.5 * (start + end)).as_vec3() + Vec3::ZERO;
    let mut stored =
        StoredRound { shape: HitboxShape::Capsule, tight: TightBox { center, half_extents: Vec3::ZERO, orientation } };
    stored.set(round_up(capsule.radius), round_up(0.5 * along.length()));
    stored.hold(points);
    stored
}

/// Returns two mirrored capsules or spheres around two of the same shape. `reflection` maps from the space of the second to that
/// of the first. `plane` has the normal and the offset of the plane of symmetry if both are in the same space. Each result also
/// holds the points of its side.
pub(crate) fn joined_round(
    both: [&StoredRound; 2],
    reflection: &Reflection,
    points: [&[DVec3]; 2],
    plane: Option<(DVec3, f64)>,
) -> [StoredRound; 2] {
    /// More than the rounding of a stored capsule, as a share of its size.
    const SLACK: f64 = 1e-6;
    let [own, other] = [both[0].ends(), both[1].ends().map(|end| reflection.point(end))];
    let radii = [f64::from(both[0].radius()), reflection.length(f64::from(both[1].radius()))];
    let needed = |ends: [DVec3; 2]| {
        let of_side = |side: [DVec3; 2], radius: f64| side.map(|end| squared_distance(ends, end).sqrt() + radius);
        of_side(own, radii[0]).into_iter().chain(of_side(other, radii[1])).fold(0.0, f64::max)
    };
    // The ends of the other that are near those of this capsule.
    let is_swapped = (own[1] - own[0]).dot(other[1] - other[0]) < 0.0;
    let near = if is_swapped { [other[1], other[0]] } else { other };
    let between = [0.5 * (own[0] + near[0]), 0.5 * (own[1] + near[1])];
    let candidates = match plane {
        None => vec![own, other, between],
        Some((normal, offset)) => {
            let onto = |at: DVec3| at - normal * (normal.dot(at) - offset);
            let middle = onto(0.5 * (own[0] + own[1]));
            let across = normal * (0.5 * normal.dot(own[1] - own[0]));
            vec![own.map(onto), [middle - across, middle + across]]
        }
    };
    let sized = candidates.into_iter().map(|ends| Capsule { ends, radius: needed(ends) });
    let smallest = sized.min_by(|a, b| a.volume().total_cmp(&b.volume()));
    let mut capsule = smallest.unwrap_or(Capsule { ends: own, radius: needed(own) });
    if both[0].shape == HitboxShape::Sphere {
        capsule.ends = [0.5 * (capsule.ends[0] + capsule.ends[1]); 2];
    }
    let size = capsule.radius + capsule.ends.iter().map(|end| end.abs().element_sum()).fold(0.0, f64::max);
    capsule.radius += SLACK * size;
    let inverse = reflection.inverse();
    let image = Capsule { ends: capsule.ends.map(|end| inverse.point(end)), radius: inverse.length(capsule.radius) };
    let stored = |capsule: &Capsule, points: &[DVec3]| match both[0].shape {
        HitboxShape::Sphere => stored_ball(&Ball { center: capsule.ends[0], radius: capsule.radius }, points),
        _ => stored_capsule(capsule, points),
    };
    [stored(&capsule, points[0]), stored(&image, points[1])]
}

impl StoredRound {
    fn set(&mut self, radius: f32, reach: f32) {
        let long =
            if self.shape == HitboxShape::Sphere { radius } else { round_up(f64::from(radius) + f64::from(reach)) };
        self.tight.half_extents = Vec3::new(radius, long, radius);
    }

    /// The centers of both caps in joint space, as a reader of the file decodes them.
    pub(crate) fn ends(&self) -> [DVec3; 2] {
        let TightBox { center, half_extents, orientation } = self.tight;
        let decoded = RoundShape::in_box(self.shape, center, half_extents, orientation);
        decoded.map_or([center.as_dvec3(); 2], |round| [round.start.as_dvec3(), round.end.as_dvec3()])
    }

    pub(crate) fn radius(&self) -> f32 {
        self.tight.half_extents.x
    }

    /// The volume, in the joint's unit cubed.
    pub(crate) fn volume(&self) -> f64 {
        let [x, y, _] = self.tight.half_extents.to_array().map(f64::from);
        std::f64::consts::PI * x * x * (4.0 / 3.0 * x + 2.0 * (y - x))
    }

    /// Enlarges the radius until every point is inside, in exact arithmetic and in `f32`.
    pub(crate) fn hold(&mut self, points: &[DVec3]) {
        let reach = self.tight.half_extents.y - self.tight.half_extents.x;
        // A larger radius moves the ends by a rounding; the next turn of the loop allows for that.
        loop {
            let needed = self.needed(points);
            if needed <= self.radius() {
                return;
            }
            self.set(needed.max(self.radius().next_up()), reach);
        }
    }

    fn needed(&self, points: &[DVec3]) -> f32 {
        let ends = self.ends();
        let far = |&point: &DVec3| {
            let exact = squared_distance(ends, point).sqrt();
            let size = point.abs().max(ends[0].abs()).max(ends[1].abs()).element_sum();
            let exact = exact + ROUNDING * (exact + size);
            // A point that is stored in f32 may be rounded away from the segment.
            let stored = squared_distance(ends, point.as_vec3().as_dvec3()).sqrt();
            exact.max(stored + ROUNDING * (stored + size))
        };
        round_up(points.iter().map(far).fold(0.0, f64::max))
    }

    /// Returns the shape with a radius of at least `least`, in the joint's unit.
    pub(crate) fn thickened(mut self, least: f64) -> Self {
        let reach = self.tight.half_extents.y - self.tight.half_extents.x;
        self.set(self.radius().max(round_up(least)), reach);
        self
    }

    /// Returns the shape with a radius that is larger by `by`, in the joint's unit.
    pub(crate) fn grown(mut self, by: f64) -> Self {
        let reach = self.tight.half_extents.y - self.tight.half_extents.x;
        self.set(round_up(f64::from(self.radius()) + by), reach);
        self
    }
}
