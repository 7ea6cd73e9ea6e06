//! The nearest points of two segments, in `f64`.

use glam::DVec3;

/// Returns the point of the first segment and the point of the second segment that are nearest to each other. Each segment is
/// given by its two ends, in any space and unit, and may be a point. If the segments are parallel, several pairs of points may be
/// nearest; the function returns one of these pairs.
///
/// Source: Ericson, *Real-Time Collision Detection*, section 5.1.9.
///
/// ```
/// use geometry_core::closest_on_segments;
/// use glam::DVec3;
///
/// let (along_x, above) = ([DVec3::ZERO, DVec3::X], [DVec3::new(0.25, 1.0, 0.0), DVec3::new(0.25, 3.0, 0.0)]);
/// assert_eq!(closest_on_segments(along_x, above), (DVec3::X * 0.25, above[0]));
/// ```
#[inline]
#[must_use]
pub fn closest_on_segments([p1, q1]: [DVec3; 2], [p2, q2]: [DVec3; 2]) -> (DVec3, DVec3) {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e, f) = (d1.dot(d1), d2.dot(d2), d2.dot(r));
    let (b, c) = (d1.dot(d2), d1.dot(r));
    let determinant = a * e - b * b;
    let mut s = if determinant > 0.0 { ((b * f - c * e) / determinant).clamp(0.0, 1.0) } else { 0.0 };
    let mut t = if e > 0.0 { (b * s + f) / e } else { 0.0 };
    if !(0.0..=1.0).contains(&t) {
        t = t.clamp(0.0, 1.0);
        s = if a > 0.0 { ((b * t - c) / a).clamp(0.0, 1.0) } else { 0.0 };
    } else if e == 0.0 && a > 0.0 {
        s = (-c / a).clamp(0.0, 1.0);
    }
    (p1 + d1 * s, p2 + d2 * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The least distance between `steps + 1` points of each segment, evenly spread.
    fn by_looking_at_points([p1, q1]: [DVec3; 2], [p2, q2]: [DVec3; 2], steps: u32) -> f64 {
        let place = |step: u32| f64::from(step) / f64::from(steps);
        let points = |p: DVec3, q: DVec3| (0..=steps).map(move |step| p.lerp(q, place(step)));
        points(p1, q1).flat_map(|a| points(p2, q2).map(move |b| a.distance(b))).fold(f64::INFINITY, f64::min)
    }

    /// Coordinates on a coarse grid, so that segments are often points, parallel or crossing.
    fn end() -> impl Strategy<Value = DVec3> {
        [-2..=2_i32, -2..=2, -2..=2].prop_map(|xyz| DVec3::from_array(xyz.map(f64::from)))
    }

    proptest! {
        #[test]
        fn no_other_points_are_nearer(a in [end(), end()], b in [end(), end()]) {
            let (p, q) = closest_on_segments(a, b);
            let least = by_looking_at_points(a, b, 24);
            // Each point is at most half a step from one that the twin looks at; the longest segment has a length of 7.
            prop_assert!((p.distance(q) - 1e-12..p.distance(q) + 0.3).contains(&least), "{p} {q} {least}");
            for (point, [from, to]) in [(p, a), (q, b)] {
                let detour = from.distance(point) + point.distance(to) - from.distance(to);
                prop_assert!(detour <= 1e-12, "{point} is not on its segment");
            }
        }
    }
}
