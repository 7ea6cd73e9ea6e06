//! The smallest capsule around points.
//!
//! The volume as a function of the two ends of the segment has many local minima and creases, so the search has two parts. For
//! each of a set of axes, the first part takes the smallest circle around the points seen along the axis, and moves both caps
//! inward as far as they go. From the best of these capsules, and from random segments, the second part moves both ends at random
//! as long as that makes the capsule smaller.

use super::ball::smallest_ball;
use super::random::Random;
use glam::DVec3;
use std::f64::consts::PI;

/// A capsule in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// The centers of both caps.
    pub ends: [DVec3; 2],
    /// The radius: the farthest point's distance from the segment, as it is computed in `f64`.
    pub radius: f64,
}

/// The number of axes, spread over half a sphere, that the first part tries beside the given axes.
const AXES: usize = 64;

/// The number of capsules of the first part that the second part starts from.
const STARTS: usize = 12;

/// The number of random segments that the second part starts from.
const RANDOM_STARTS: usize = 24;

/// The number of random steps of one length before the second part decides whether shorter steps are needed.
const TRIES: usize = 32;

/// The lengths of the first and the last step of the second part, as shares of the radius of the smallest ball.
const FIRST_STEP: f64 = 0.3;
const LAST_STEP: f64 = 1e-4;

/// The number of results of the second part that are polished, and the lengths of the first steps of each polishing run, as
/// shares of the radius of the smallest ball.
const POLISHED: usize = 4;
const POLISHING_STEPS: [f64; 4] = [0.1, 0.03, 0.01, 0.003];

/// The factor by which steps become shorter if no step has made the capsule smaller.
const SHORTER: f64 = 0.6;

/// Returns the smallest capsule found around the points. `axes` are directions of any length to try first, such as the axes of a
/// small box.
///
/// All coordinates must be finite. The search takes time in proportion to the number of points, so pass the corners of the
/// points' convex hull. The volume is within 1 % of the least that longer searches find: see `tests/all/round_shapes.rs` and,
/// for real characters, `tests/all/corpus/round_shapes.rs`. The same points in the same order give the same capsule on every
/// machine.
#[must_use]
pub fn smallest_capsule(points: &[DVec3], axes: &[DVec3]) -> Capsule {
    let ball = smallest_ball(points);
    let mut best = Capsule { ends: [ball.center; 2], radius: ball.radius };
    if ball.radius <= 0.0 {
        return best;
    }
    let mut found: Vec<Capsule> =
        axes.iter().copied().chain(spread()).filter_map(|axis| along(points, axis.try_normalize()?)).collect();
    found.sort_by(|a, b| a.volume().total_cmp(&b.volume()));
    found.truncate(STARTS);
    let mut random = Random::new();
    found.push(best);
    for _ in 0..RANDOM_STARTS {
        let mut end =
            || ball.center + DVec3::new(random.normal(), random.normal(), random.normal()) * (0.5 * ball.radius);
        found.push(Capsule::around(points, [end(), end()]));
    }
    let mut refined: Vec<Capsule> =
        found.into_iter().map(|start| refine(points, start, ball.radius, &mut random)).collect();
    refined.sort_by(|a, b| a.volume().total_cmp(&b.volume()));
    for &start in refined.iter().take(POLISHED) {
        let polished = polish(points, start, ball.radius, &mut random);
        // The capsule along the axis that was found may have a better line and length.
        let axis = (polished.ends[1] - polished.ends[0]).try_normalize();
        let snapped = axis.and_then(|axis| along(points, axis)).filter(|one| one.volume() < polished.volume());
        let again = snapped.map(|start| polish(points, start, ball.radius, &mut random));
        for one in [Some(polished), again].into_iter().flatten() {
            if one.volume() < best.volume() {
                best = one;
            }
        }
    }
    best
}

/// Returns the smallest capsule found along one of the axes around the points; a ball if none is smaller.
pub(super) fn capsule_along(points: &[DVec3], axes: &[DVec3]) -> Capsule {
    let ball = smallest_ball(points);
    let ball = Capsule { ends: [ball.center; 2], radius: ball.radius };
    let found = axes.iter().filter_map(|axis| along(points, axis.try_normalize()?));
    found.fold(ball, |best, next| if next.volume() < best.volume() { next } else { best })
}

/// Returns directions that are evenly spread over half a sphere by the golden angle.
fn spread() -> impl Iterator<Item = DVec3> {
    const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
    (0..AXES).map(|index| {
        let height = (index as f64 + 0.5) / AXES as f64;
        let (sin, cos) = libm::sincos(index as f64 * GOLDEN_ANGLE);
        let across = (1.0 - height * height).sqrt();
        DVec3::new(across * cos, height, across * sin)
    })
}

/// Returns the smallest capsule found along an axis, through the center of the smallest circle around the points seen along the
/// axis. A larger radius shortens the segment, so the function tries several radii.
fn along(points: &[DVec3], axis: DVec3) -> Option<Capsule> {
    let flat: Vec<DVec3> = points.iter().map(|&point| point - axis * axis.dot(point)).collect();
    let circle = smallest_ball(&flat);
    let shapes = (0..16).map(|step| {
        let radius = circle.radius * (1.0 + 0.03 * f64::from(step));
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (point, flat) in points.iter().zip(&flat) {
            let height = axis.dot(*point);
            let cap = (radius * radius - (*flat - circle.center).length_squared()).max(0.0).sqrt();
            (low, high) = (low.min(height + cap), high.max(height - cap));
        }
        let (low, high) = if low <= high { (low, high) } else { (0.5 * (low + high), 0.5 * (low + high)) };
        // Rounding may move the circle's center out of the plane through the origin.
        let middle = circle.center - axis * axis.dot(circle.center);
        Capsule::around(points, [middle + axis * low, middle + axis * high])
    });
    shapes.min_by(|a, b| a.volume().total_cmp(&b.volume()))
}

/// Moves both ends as long as that makes the capsule smaller, in steps that become shorter and shorter.
fn refine(points: &[DVec3], start: Capsule, size: f64, random: &mut Random) -> Capsule {
    let (mut best, mut volume) = (start, start.volume());
    let mut step = FIRST_STEP * size;
    while step > LAST_STEP * size {
        let mut is_better = false;
        for _ in 0..TRIES {
            let mut vector = || DVec3::new(random.normal(), random.normal(), random.normal()) * step;
            let child = Capsule::around(points, [best.ends[0] + vector(), best.ends[1] + vector()]);
            if child.volume() < volume {
                (best, volume, is_better) = (child, child.volume(), true);
            }
        }
        if !is_better {
            step *= SHORTER;
        }
    }
    best
}

/// Moves both ends by an evolution strategy with one parent and one child, in which success makes the steps longer.
///
/// Source: Rechenberg, *Evolutionsstrategie*, 1973.
fn polish(points: &[DVec3], start: Capsule, size: f64, random: &mut Random) -> Capsule {
    let (mut best, mut volume) = (start, start.volume());
    for first in POLISHING_STEPS {
        let mut step = first * size;
        while step > 1e-7 * size {
            let mut vector = || DVec3::new(random.normal(), random.normal(), random.normal()) * step;
            let child = Capsule::around(points, [best.ends[0] + vector(), best.ends[1] + vector()]);
            if child.volume() < volume {
                (best, volume) = (child, child.volume());
                step *= 1.5;
            } else {
                // One success in five keeps the length of steps.
                step *= 0.903;
            }
        }
    }
    best
}

impl Capsule {
    /// Makes the capsule with these ends around the points.
    fn around(points: &[DVec3], ends: [DVec3; 2]) -> Self {
        let far = points.iter().map(|&point| squared_distance(ends, point)).fold(0.0, f64::max);
        Self { ends, radius: far.sqrt() }
    }

    /// The volume, in the points' unit cubed.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let long = (self.ends[1] - self.ends[0]).length();
        PI * self.radius * self.radius * (4.0 / 3.0 * self.radius + long)
    }
}

/// Returns the squared distance of a point from a segment. Both ends of the segment may be the same point.
pub(super) fn squared_distance([start, end]: [DVec3; 2], point: DVec3) -> f64 {
    let (along, from) = (end - start, point - start);
    let long = along.length_squared();
    let place = if long > 0.0 { (from.dot(along) / long).clamp(0.0, 1.0) } else { 0.0 };
    (from - along * place).length_squared()
}
