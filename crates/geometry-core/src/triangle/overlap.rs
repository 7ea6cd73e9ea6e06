//! The exact test of two triangles for a common point.
//!
//! A first stage computes the heights of the corners of each triangle over the plane of the other triangle in `f64`. If
//! all heights and the two orientations that decide the test are larger than their rounding errors can be, the first
//! stage gives the result (Guigue and Devillers, *Fast and Robust Triangle-Triangle Overlap Test Using Orientation
//! Predicates*, journal of graphics tools 8(1), 2003). All other pairs, including all degenerate pairs, go to a second
//! stage: if the direction between the nearest points of the borders separates the triangles by more than rounding, they
//! are apart. The third stage are exact predicates, which take about ten times as long: two triangles share a point if an
//! edge of one triangle shares a point with the other triangle.

use super::borders::closest_of_borders;
use super::orientation::{has_both, side_of_plane, turn};
use super::{Corners, edges, in_f64};
use glam::{DVec3, Vec3};

/// The largest error of a determinant of three vectors of differences, as a share of the product of the largest
/// components; no unit. A determinant, summed as in this file, is off by less than 7 roundings (and a bit) of the sum
/// of the sizes of its six products (Shewchuk, section 4.3). Each product is at most the product of the largest
/// components, so the error is less than 43 · 2^-53 of that product.
const UNCERTAIN: f64 = 64.0 / 9_007_199_254_740_992.0;

/// The largest error of a sum of three products of a difference, as a share of the sum of their sizes, doubled; no unit.
const SUM_UNCERTAIN: f64 = 8.0 / 9_007_199_254_740_992.0;

/// Returns `true` if two triangles share a point. Touching counts. The result is exact for all finite coordinates,
/// without a tolerance and without rounding.
///
/// A triangle without area is tested as the segment or the point that it is.
///
/// ```
/// use geometry_core::triangle::overlap;
/// use glam::Vec3;
///
/// let flat = [Vec3::ZERO, Vec3::X, Vec3::Z];
/// let needle = |y: f32| [Vec3::new(0.5, y, 0.25), Vec3::new(0.5, 1.0, 0.25), Vec3::new(0.5, 2.0, 0.25)];
/// assert!(overlap(&flat, &needle(0.0)) && !overlap(&flat, &needle(f32::MIN_POSITIVE)));
/// ```
#[must_use]
pub fn overlap(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    overlap_or_direction(a, b).is_ok_and(|touches| touches)
}

/// Returns the result of [`overlap`]. If the second stage tells the triangles apart, the function returns the direction that
/// separates them as the error: from the first triangle to the second, not of unit length. The direction often separates other
/// triangles near these two as well.
///
/// # Errors
/// Returns a direction along which the second triangle lies wholly farther than the first.
#[inline]
pub fn overlap_or_direction(a: &[Vec3; 3], b: &[Vec3; 3]) -> Result<bool, DVec3> {
    let (a, b) = (in_f64(a), in_f64(b));
    quick_answer(&a, &b).map_or_else(|| careful_answer(&a, &b), Ok)
}

/// Returns the result of [`overlap`] by its last stage alone, which is slower. Use it in tests that compare quick
/// results with exact results.
#[must_use]
pub fn overlap_exactly(a: &[Vec3; 3], b: &[Vec3; 3]) -> bool {
    touch(&in_f64(a), &in_f64(b))
}

/// Returns the result of the second and the third stage.
#[cold]
#[inline(never)]
fn careful_answer(a: &Corners, b: &Corners) -> Result<bool, DVec3> {
    let (_, on_a, on_b) = closest_of_borders(a, b);
    let direction = on_b - on_a;
    if is_separating(direction, a, b) { Err(direction) } else { Ok(touch(a, b)) }
}

/// Returns `true` if the second triangle lies wholly farther along the direction than the first triangle, beyond doubt.
#[inline]
pub(super) fn is_separating(direction: DVec3, a: &Corners, b: &Corners) -> bool {
    b.iter().all(|q| {
        a.iter().all(|p| {
            let products = direction * (*q - *p);
            let sizes = products.abs();
            // Each product is off by at most two roundings of its size, and each of the two sums by one more.
            products.x + products.y + products.z > SUM_UNCERTAIN * (sizes.x + sizes.y + sizes.z)
        })
    })
}

/// Returns the result of the first stage; `None` if rounding could decide.
#[inline]
pub(super) fn quick_answer(a: &Corners, b: &Corners) -> Option<bool> {
    let above_b = heights(b, a)?;
    if same_side(&above_b) {
        return Some(false);
    }
    let above_a = heights(a, b)?;
    if same_side(&above_a) {
        return Some(false);
    }
    // One corner of each triangle is alone on its side. This corner becomes the first corner, and its side the upper
    // side.
    let ([p1, q1, r1], flips_b) = lone_corner_first(a, &above_b);
    let ([p2, q2, r2], flips_a) = lone_corner_first(b, &above_a);
    let (q2, r2) = if flips_b { (r2, q2) } else { (q2, r2) };
    let (q1, r1) = if flips_a { (r1, q1) } else { (q1, r1) };
    // Both triangles cross the line that the planes share. The triangles overlap if their intervals on this line
    // overlap.
    let first = certain_side(p1, q1, p2, q2)?;
    if first {
        return Some(false);
    }
    Some(!certain_side(p1, r1, r2, p2)?)
}

/// Returns the heights of the points over the plane of `corners`, scaled by twice the triangle's area; `None` if the
/// sign of a height is uncertain.
#[inline]
fn heights(corners: &Corners, points: &Corners) -> Option<[f64; 3]> {
    let [a, b, c] = corners;
    let (u, v) = (*b - *a, *c - *a);
    let normal = u.cross(v);
    let size = UNCERTAIN * largest(u) * largest(v);
    let mut heights = [0.0; 3];
    for (height, point) in heights.iter_mut().zip(points) {
        let w = *point - *a;
        *height = normal.dot(w);
        if height.abs() <= size * largest(w) {
            return None;
        }
    }
    Some(heights)
}

/// Returns `true` if `p` is above the plane of the other points; `None` if the side is uncertain.
#[inline]
fn certain_side(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> Option<bool> {
    let (u, v, w) = (b - a, c - a, p - a);
    let height = u.cross(v).dot(w);
    (height.abs() > UNCERTAIN * largest(u) * largest(v) * largest(w)).then_some(height > 0.0)
}

#[inline]
fn largest(v: DVec3) -> f64 {
    let v = v.abs();
    v.x.max(v.y).max(v.z)
}

#[inline]
fn same_side(heights: &[f64; 3]) -> bool {
    let above = heights.map(|height| height > 0.0);
    above[0] == above[1] && above[1] == above[2]
}

/// Returns the corners turned so that the first corner is alone on its side, and `true` if that side is the lower side.
#[inline]
fn lone_corner_first([a, b, c]: &Corners, heights: &[f64; 3]) -> (Corners, bool) {
    let above = heights.map(|height| height > 0.0);
    if above[1] == above[2] {
        ([*a, *b, *c], !above[0])
    } else if above[0] == above[2] {
        ([*b, *c, *a], !above[1])
    } else {
        ([*c, *a, *b], !above[2])
    }
}

/// Returns `true` if two triangles share a point, by exact predicates alone.
#[cold]
#[inline(never)]
pub(super) fn touch(a: &Corners, b: &Corners) -> bool {
    edges(a).iter().any(|edge| edge_touches(*edge, b)) || edges(b).iter().any(|edge| edge_touches(*edge, a))
}

fn edge_touches([p, q]: [DVec3; 2], triangle: &Corners) -> bool {
    let [a, b, c] = *triangle;
    let (at_p, at_q) = (side_of_plane(a, b, c, p), side_of_plane(a, b, c, q));
    if at_p * at_q > 0 {
        return false;
    }
    if at_p == 0 && at_q == 0 {
        return edge_touches_in_plane([p, q], triangle);
    }
    // The segment meets the plane in one point, and the triangle has area. The point is in the triangle if it is on one
    // side of all edges.
    !has_both([side_of_plane(p, q, a, b), side_of_plane(p, q, b, c), side_of_plane(p, q, c, a)])
}

/// Returns `true` if a segment and a triangle share a point. The segment lies in the triangle's plane, or the triangle
/// has no area.
fn edge_touches_in_plane([p, q]: [DVec3; 2], triangle: &Corners) -> bool {
    let [a, b, c] = *triangle;
    let Some(axis) = (0..3).find(|&axis| turn(axis, a, b, c) != 0) else {
        return segments_touch([p, q], ends_of_line(triangle));
    };
    // Seen along this axis, no two points of the plane have the same image.
    let inside = |at: DVec3| !has_both([turn(axis, a, b, at), turn(axis, b, c, at), turn(axis, c, a, at)]);
    inside(p) || inside(q) || edges(triangle).iter().any(|edge| segments_touch_seen_along(axis, [p, q], *edge))
}

/// Returns `true` if two segments in space share a point. Each segment may be a point.
fn segments_touch([p, q]: [DVec3; 2], [u, v]: [DVec3; 2]) -> bool {
    if side_of_plane(p, q, u, v) != 0 {
        return false;
    }
    let is_open = |&axis: &usize| {
        [[p, q, u], [p, q, v], [u, v, p], [u, v, q]].iter().any(|[a, b, c]| turn(axis, *a, *b, *c) != 0)
    };
    match (0..3).find(is_open) {
        Some(axis) => segments_touch_seen_along(axis, [p, q], [u, v]),
        None => intervals_touch([p, q], [u, v]),
    }
}

/// Returns `true` if two segments of one plane share a point. The plane must not be parallel to the axis.
fn segments_touch_seen_along(axis: usize, [p, q]: [DVec3; 2], [u, v]: [DVec3; 2]) -> bool {
    let of_second = [turn(axis, p, q, u), turn(axis, p, q, v)];
    let of_first = [turn(axis, u, v, p), turn(axis, u, v, q)];
    if of_second == [0, 0] && of_first == [0, 0] {
        return intervals_touch([p, q], [u, v]);
    }
    of_second[0] * of_second[1] <= 0 && of_first[0] * of_first[1] <= 0
}

/// Returns `true` if two segments of one line share a point. The order of coordinates is the order along the line.
fn intervals_touch(first: [DVec3; 2], second: [DVec3; 2]) -> bool {
    let ([low, high], [other_low, other_high]) = (in_order(first), in_order(second));
    !is_before(high, other_low) && !is_before(other_high, low)
}

/// Returns the ends of the segment or point that a triangle without area is.
fn ends_of_line([a, b, c]: &Corners) -> [DVec3; 2] {
    let [low, high] = in_order([*a, *b]);
    [if is_before(*c, low) { *c } else { low }, if is_before(high, *c) { *c } else { high }]
}

fn in_order([a, b]: [DVec3; 2]) -> [DVec3; 2] {
    if is_before(b, a) { [b, a] } else { [a, b] }
}

fn is_before(a: DVec3, b: DVec3) -> bool {
    a.x < b.x || (a.x == b.x && (a.y < b.y || (a.y == b.y && a.z < b.z)))
}
