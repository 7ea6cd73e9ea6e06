//! Convex polygons to triangles.

/// The largest number of corners for the search for the best triangulation, which takes time in proportion to its cube.
/// Polygons with more corners get a fan.
const MOST_CORNERS: usize = 24;

/// Cuts a convex polygon into triangles. Corners are indices into `points`, in the order of the polygon.
///
/// Corners may lie on the straight line between their neighbors. The function returns the triangulation whose smallest
/// triangle is largest, so that a corner on a straight line gets a triangle with area.
pub(crate) fn triangulate(points: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let count = points.len();
    if count < 3 {
        return Vec::new();
    }
    if count > MOST_CORNERS {
        return (2..count).map(|last| [0, last - 1, last]).collect();
    }
    // `best[first][last]` has the smallest area in the best triangulation of the corners from `first` to `last`, and
    // the corner that makes a triangle with both.
    let mut best = vec![vec![(f64::INFINITY, 0); count]; count];
    for width in 2..count {
        for first in 0..count - width {
            let last = first + width;
            let mut found = (f64::NEG_INFINITY, first + 1);
            for middle in first + 1..last {
                let area = doubled_area(points[first], points[middle], points[last]);
                let smallest = area.min(best[first][middle].0).min(best[middle][last].0);
                if smallest > found.0 {
                    found = (smallest, middle);
                }
            }
            best[first][last] = found;
        }
    }
    let mut triangles = Vec::with_capacity(count - 2);
    let mut open = vec![(0, count - 1)];
    while let Some((first, last)) = open.pop() {
        if last - first >= 2 {
            let middle = best[first][last].1;
            triangles.push([first, middle, last]);
            open.extend([(middle, last), (first, middle)]);
        }
    }
    triangles
}

fn doubled_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_on_straight_lines_get_triangles_with_area() {
        // A triangle with two additional corners on one side, and one additional corner on another side.
        let points = [[0.0, 0.0], [0.25, 0.0], [0.5, 0.0], [1.0, 0.0], [0.5, 0.5], [0.0, 1.0]];
        let triangles = triangulate(&points);
        let areas: Vec<f64> =
            triangles.iter().map(|&[a, b, c]| doubled_area(points[a], points[b], points[c])).collect();
        assert_eq!(triangles.len(), 4);
        assert!(areas.iter().all(|area| *area > 0.1), "{areas:?}");
        assert!((areas.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(triangles.iter().all(|[a, b, c]| a < b && b < c), "the polygon's direction is lost: {triangles:?}");
    }

    #[test]
    fn large_polygons_and_lines() {
        let circle: Vec<[f64; 2]> =
            (0..40).map(|step| [libm::cos(f64::from(step) * 0.15), libm::sin(f64::from(step) * 0.15)]).collect();
        assert_eq!(triangulate(&circle).len(), 38);
        assert_eq!(triangulate(&circle[..2]), Vec::<[usize; 3]>::new());
    }
}
