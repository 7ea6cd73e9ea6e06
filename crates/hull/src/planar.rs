//! The hull of points that lie exactly in one plane.

use crate::facets::compare_positions;
use crate::predicates::Predicates;
use glam::DVec3;

/// Returns the corners of the polygon, counter-clockwise seen from the positive end of `axis`, starting at the corner
/// whose position sorts first. Among equal points, the first in the input is the corner.
///
/// The plane must not be parallel to `axis`, so that points stay distinct when the coordinate of `axis` is dropped. The
/// points must not be collinear.
///
/// Source: Andrew's monotone chain, *Another Efficient Algorithm for Convex Hulls in Two Dimensions*, 1979.
pub(crate) fn polygon(points: &[DVec3], axis: usize, exact: Predicates<'_>) -> Vec<u32> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let along = |a: u32, b: u32| {
        let (a, b) = (points[a as usize], points[b as usize]);
        let by = |axis: usize| a[axis].partial_cmp(&b[axis]).unwrap_or(std::cmp::Ordering::Equal);
        by(u).then_with(|| by(v))
    };
    let mut sorted: Vec<u32> = (0..points.len() as u32).collect();
    sorted.sort_by(|&a, &b| along(a, b));
    sorted.dedup_by(|later, first| along(*later, *first).is_eq());

    let mut chain = half_chain(sorted.iter().copied(), axis, exact);
    chain.pop();
    let mut upper = half_chain(sorted.iter().rev().copied(), axis, exact);
    upper.pop();
    chain.append(&mut upper);
    let start =
        (0..chain.len()).min_by(|&i, &j| compare_positions(points[chain[i] as usize], points[chain[j] as usize]));
    chain.rotate_left(start.unwrap_or(0));
    chain
}

/// Returns the corners of the chain that only turns left.
fn half_chain(points: impl Iterator<Item = u32>, axis: usize, exact: Predicates<'_>) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..] {
            if exact.turn(axis, a, b, point).is_gt() {
                break;
            }
            chain.pop();
        }
        chain.push(point);
    }
    chain
}
