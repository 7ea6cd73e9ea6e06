//! Oriented rectangles around points: by principal axes, and the rectangle of least area.

extern crate alloc;

use crate::error::{ShapeError, check_coordinates};
use crate::plane::obb2::Obb2;
use alloc::vec::Vec;
use glam::{DVec2, Vec2};

impl Obb2 {
    /// Returns a rectangle around the points along their principal axes. The x axis has the greatest variance.
    ///
    /// This fit is fast, but seldom gives the smallest rectangle: places with many points influence the axes more than
    /// others. Every point is inside, to the last bit: the fit computes in `f64`, and half extents are measured along
    /// the stored axes and rounded up. If the variance is equal in all directions, the angle is 0.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the list is empty, or a coordinate is not finite or too large.
    ///
    /// ```
    /// use geometry_core::plane::Obb2;
    /// use glam::Vec2;
    ///
    /// let trail = [Vec2::ZERO, Vec2::new(1.0, 1.1), Vec2::new(2.0, 1.9), Vec2::new(3.0, 3.0)];
    /// let fitted = Obb2::try_from_points_pca(&trail)?;
    /// assert!(trail.iter().all(|point| fitted.contains(*point)));
    /// assert!(fitted.half_extents().y < 0.1);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn try_from_points_pca(points: &[Vec2]) -> Result<Self, ShapeError> {
        let origin = checked_origin(points)?;
        let exact = || points.iter().map(|point| point.as_dvec2());
        let mean = origin + exact().fold(DVec2::ZERO, |sum, point| sum + (point - origin)) / points.len() as f64;
        let (mut xx, mut xy, mut yy) = (0.0_f64, 0.0_f64, 0.0_f64);
        for offset in exact().map(|point| point - mean) {
            xx += offset.x * offset.x;
            xy += offset.x * offset.y;
            yy += offset.y * offset.y;
        }
        // The angle of the eigenvector with the larger eigenvalue, in closed form.
        let angle = if xy == 0.0 && xx >= yy { 0.0 } else { 0.5 * libm::atan2(2.0 * xy, xx - yy) };
        Self::try_around(exact(), mean.as_vec2(), angle as f32)
    }

    /// Returns the rectangle of least area around the points, by rotating calipers on their convex hull.
    ///
    /// A rectangle of least area has a side along an edge of the hull (Freeman and Shapira, *Determining the
    /// Minimum-Area Encasing Rectangle for an Arbitrary Closed Curve*, CACM 18(7), 1975). The algorithm turns four
    /// supporting lines around the hull once (Toussaint, *Solving Geometric Problems with the Rotating Calipers*,
    /// 1983). Every point is inside, to the last bit, and the area is the least up to `f32` rounding. The time is `n
    /// log n` for `n` points, because the points are sorted. The function allocates memory (crate `alloc`).
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the list is empty, or a coordinate is not finite or too large.
    ///
    /// ```
    /// use geometry_core::plane::Obb2;
    /// use glam::Vec2;
    ///
    /// let triangle = [Vec2::ZERO, Vec2::new(4.0, 0.0), Vec2::new(0.0, 3.0)];
    /// let least = Obb2::try_from_points_min_area(&triangle)?;
    /// assert!((least.area() - 12.0).abs() < 1e-4);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn try_from_points_min_area(points: &[Vec2]) -> Result<Self, ShapeError> {
        let origin = checked_origin(points)?;
        let hull = convex_hull(points.iter().map(|point| point.as_dvec2()).collect());
        let angle = match hull.as_slice() {
            [] | [_] => 0.0,
            [a, b] => libm::atan2(b.y - a.y, b.x - a.x),
            hull => {
                let start = flush_edge(hull);
                let edge = hull[(start + 1) % hull.len()] - hull[start];
                libm::atan2(edge.y, edge.x)
            }
        };
        Self::try_around(hull.iter().copied(), origin.as_vec2(), angle as f32)
    }
}

fn checked_origin(points: &[Vec2]) -> Result<DVec2, ShapeError> {
    for point in points {
        check_coordinates("points", &point.to_array())?;
    }
    points.first().map(|point| point.as_dvec2()).ok_or(ShapeError::NoPoints)
}

/// Twice the area of a triangle; positive if the triangle is counter-clockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Returns the corners of the convex hull, counter-clockwise and without collinear points, by Andrew's monotone chain.
///
/// Source: Andrew, *Another Efficient Algorithm for Convex Hulls in Two Dimensions*, Information Processing Letters 9
/// (1979).
fn convex_hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut hull: Vec<DVec2> = Vec::new();
        for point in points {
            while hull.len() >= 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0 {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        hull
    };
    let mut hull = chain(&mut points.iter().copied());
    let upper = chain(&mut points.iter().rev().copied());
    hull.extend(upper);
    hull
}

/// Returns the first corner of the edge along which the rectangle around the hull has the least area, by rotating
/// calipers.
fn flush_edge(hull: &[DVec2]) -> usize {
    let count = hull.len();
    let next = |k: usize| if k + 1 == count { 0 } else { k + 1 };
    let (mut right, mut top, mut left) = (0, 0, 0);
    let mut best = (f64::INFINITY, 0);
    for first in 0..count {
        let along = hull[next(first)] - hull[first];
        let across = along.perp();
        // Each caliper advances while the next corner is farther out. No caliper passes its start twice.
        let advance = |from: usize, direction: DVec2| {
            let mut k = from;
            for _ in 0..count {
                if direction.dot(hull[next(k)] - hull[k]) <= 0.0 {
                    break;
                }
                k = next(k);
            }
            k
        };
        right = advance(if first == 0 { next(first) } else { right }, along);
        top = advance(if first == 0 { right } else { top }, across);
        left = advance(if first == 0 { top } else { left }, -along);
        let (width, height) = (along.dot(hull[right] - hull[left]), across.dot(hull[top] - hull[first]));
        let area = width * height / along.length_squared();
        if area < best.0 {
            best = (area, first);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_models::Random;

    /// A made-up cloud of points, the same in every run.
    fn cloud(count: usize, seed: u64, size: Vec2, offset: Vec2) -> Vec<Vec2> {
        let mut random = Random::new(seed);
        let mut uniform = || Vec2::new(random.signed(), random.signed());
        (0..count).map(|_| offset + Vec2::from_angle(0.7).rotate(size * uniform())).collect()
    }

    /// The slow reference: computes the area for the direction of every pair of points.
    fn least_area_by_force(points: &[Vec2]) -> f64 {
        let mut least = f64::INFINITY;
        for a in points {
            for b in points {
                let along = (b.as_dvec2() - a.as_dvec2()).normalize_or_zero();
                if along != DVec2::ZERO {
                    let extent = |axis: DVec2| {
                        let (low, high) =
                            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
                                let at = axis.dot(point.as_dvec2());
                                (low.min(at), high.max(at))
                            });
                        high - low
                    };
                    least = least.min(extent(along) * extent(along.perp()));
                }
            }
        }
        least
    }

    #[test]
    fn calipers_agree_with_brute_force() {
        for seed in 0..40 {
            for (size, offset) in [(Vec2::new(3.0, 1.0), Vec2::ZERO), (Vec2::splat(0.1), Vec2::splat(1000.0))] {
                let points = cloud(3 + seed as usize, seed, size, offset);
                let fitted = Obb2::try_from_points_min_area(&points).expect("finite points");
                let least = least_area_by_force(&points);
                let area = 4.0 * f64::from(fitted.half_extents().x) * f64::from(fitted.half_extents().y);
                // The center is rounded to f32, and the half extents grow by the rounding error.
                let rounding = 4.0 * f64::from(fitted.extent_sum()) * f64::from(offset.x.max(1.0)) * 1.2e-7;
                assert!((area - least).abs() <= least * 1e-5 + rounding, "{seed}: {area} {least}");
            }
        }
    }

    #[test]
    fn every_point_is_inside_to_the_last_bit() {
        for seed in 0..40 {
            let points = cloud(50, seed, Vec2::new(2.0, 0.3), Vec2::new(-500.0, 70.0));
            for fitted in [Obb2::try_from_points_pca(&points), Obb2::try_from_points_min_area(&points)] {
                let fitted = fitted.expect("finite points");
                let [x, y] = fitted.exact_axes();
                for point in &points {
                    let offset = point.as_dvec2() - fitted.center().as_dvec2();
                    let half = fitted.half_extents().as_dvec2() * x.length_squared();
                    assert!(
                        x.dot(offset).abs() <= half.x * (1.0 + 1e-15) && y.dot(offset).abs() <= half.y * (1.0 + 1e-15)
                    );
                }
            }
        }
    }

    #[test]
    fn few_and_flat_points() {
        assert_eq!(Obb2::try_from_points_min_area(&[]), Err(ShapeError::NoPoints));
        assert_eq!(Obb2::try_from_points_pca(&[]), Err(ShapeError::NoPoints));
        assert!(Obb2::try_from_points_pca(&[Vec2::NAN]).is_err());
        let point = Obb2::try_from_points_min_area(&[Vec2::splat(3.0); 4]).expect("one point");
        assert_eq!((point.center(), point.half_extents()), (Vec2::splat(3.0), Vec2::ZERO));
        let line: Vec<_> = (0..9).map(|k| Vec2::new(k as f32, 2.0 * k as f32)).collect();
        for fitted in [Obb2::try_from_points_pca(&line), Obb2::try_from_points_min_area(&line)] {
            let fitted = fitted.expect("a line");
            assert!(fitted.half_extents().y < 1e-6 && (fitted.half_extents().x - 80.0_f32.sqrt()).abs() < 1e-5);
        }
        let square = [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE];
        assert_eq!(Obb2::try_from_points_pca(&square).expect("a square").angle(), 0.0);
    }
}
