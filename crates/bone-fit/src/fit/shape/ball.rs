//! The smallest ball around points.
//!
//! Source: Welzl, *Smallest enclosing disks (balls and ellipsoids)*, 1991, in the form without recursion of de Berg et al.,
//! *Computational Geometry*, section 4.7: the points are added one after the other, and a point outside the ball of the earlier
//! points lies on the border of the next ball.

use super::random::Random;
use glam::{DMat3, DVec3};

/// A ball in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// The center, in the space of the points.
    pub center: DVec3,
    /// The radius, in the unit of the points; at least 0.
    pub radius: f64,
}

/// The share of the radius by which a point may be outside a ball and still count as inside while the search runs,
/// because rounding moves points of the border outside.
const BORDER: f64 = 1e-12;

/// Returns the smallest ball around the points, to rounding. The ball around no points has its center at the origin and the
/// radius 0.
///
/// All coordinates must be finite. The radius is the distance of the farthest point from the center, computed in `f64`. Takes
/// time in proportion to the number of points, on average over orders of the points; the order here is always the same.
#[must_use]
pub fn smallest_ball(points: &[DVec3]) -> Ball {
    let mut order = points.to_vec();
    let mut random = Random::new();
    for index in (1..order.len()).rev() {
        order.swap(index, random.below(index + 1));
    }
    let Some(&first) = order.first() else { return Ball { center: DVec3::ZERO, radius: 0.0 } };
    let mut ball = Ball { center: first, radius: 0.0 };
    for (index, &point) in order.iter().enumerate() {
        if !ball.holds(point) {
            ball = with_border(&order[..index], &[point]);
        }
    }
    Ball { radius: farthest(ball.center, points), ..ball }
}

/// Returns the smallest ball around `points` that has the one to three points of `border` on its border.
fn with_border(points: &[DVec3], border: &[DVec3]) -> Ball {
    let mut ball = through(border);
    for (index, &point) in points.iter().enumerate() {
        if ball.holds(point) {
            continue;
        }
        let mut next = [point; 4];
        next[1..=border.len()].copy_from_slice(border);
        let next = &next[..=border.len()];
        ball = if next.len() < 4 { with_border(&points[..index], next) } else { through(next) };
    }
    ball
}

/// Returns the smallest ball with one to four points on its border. If no such ball exists, because the points lie on a line or
/// in a plane, returns the ball around the center of their bounds.
fn through(border: &[DVec3]) -> Ball {
    let origin = border[0];
    let mut sides = [DVec3::ZERO; 3];
    sides.iter_mut().zip(&border[1..]).for_each(|(side, point)| *side = *point - origin);
    let [a, b, c] = sides;
    let offset = match border.len() {
        1 => DVec3::ZERO,
        2 => a * 0.5,
        3 => {
            let normal = a.cross(b);
            let square = 2.0 * normal.length_squared();
            (b.length_squared() * normal.cross(a) - a.length_squared() * normal.cross(b)) / square
        }
        _ => {
            let rows = DMat3::from_cols(a, b, c).transpose();
            rows.inverse() * (0.5 * DVec3::new(a.length_squared(), b.length_squared(), c.length_squared()))
        }
    };
    if offset.is_finite() {
        return Ball { center: origin + offset, radius: offset.length() };
    }
    let low = border.iter().fold(DVec3::INFINITY, |low, point| low.min(*point));
    let high = border.iter().fold(DVec3::NEG_INFINITY, |high, point| high.max(*point));
    let center = 0.5 * (low + high);
    Ball { center, radius: farthest(center, border) }
}

fn farthest(center: DVec3, points: &[DVec3]) -> f64 {
    points.iter().map(|point| (*point - center).length_squared()).fold(0.0, f64::max).sqrt()
}

impl Ball {
    fn holds(&self, point: DVec3) -> bool {
        let reach = self.radius * (1.0 + BORDER);
        (point - self.center).length_squared() <= reach * reach
    }

    /// The volume, in the points' unit cubed.
    #[must_use]
    pub fn volume(&self) -> f64 {
        4.0 / 3.0 * std::f64::consts::PI * self.radius * self.radius * self.radius
    }
}
