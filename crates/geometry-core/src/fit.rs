//! Covariance and principal axes in `f64`, for fitting boxes offline (feature `fit`).

use crate::error::ShapeError;
use crate::error::{MAX_COORDINATE, check_coordinates};
use crate::obb::Obb;
use crate::portable::round_up;
use glam::{DMat3, DVec3, Vec3};
use nalgebra::{Matrix3, SymmetricEigen};

/// The weight, the mean and the covariance of points or of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Covariance {
    /// The center of mass.
    pub mean: DVec3,
    /// The covariance about the mean, in the points' unit squared. The matrix is symmetric; its eigenvalues are not
    /// negative, except for rounding.
    pub matrix: DMat3,
    /// The number of points, or the area of the surface in the points' unit squared; zero if there are none.
    pub weight: f64,
}

impl Covariance {
    /// The covariance of no points.
    pub const EMPTY: Self = Self { mean: DVec3::ZERO, matrix: DMat3::ZERO, weight: 0.0 };
}

/// Computes the covariance of points of equal weight: the mean of `(p - mean)(p - mean)ᵀ`.
///
/// The points may be in any space and unit. The mean is computed relative to the first point, and the products relative
/// to the mean, so that a large distance from the origin costs no precision. A small correction removes the effect of
/// the mean's own rounding (Chan, Golub and LeVeque, *Algorithms for Computing the Sample Variance*, The American
/// Statistician 37 (1983)). Sums run in the order of the points. If a coordinate is NaN or infinite, so is the result.
///
/// ```
/// use geometry_core::fit::covariance_of_points;
/// use glam::DVec3;
///
/// let far = DVec3::splat(1.0e9);
/// let covariance = covariance_of_points(&[far - DVec3::X, far + DVec3::X]);
/// assert_eq!((covariance.mean, covariance.matrix.x_axis.x), (far, 1.0));
/// ```
pub fn covariance_of_points(points: &[DVec3]) -> Covariance {
    covariance(points.iter().copied())
}

/// Computes [`covariance_of_points`].
fn covariance(points: impl ExactSizeIterator<Item = DVec3> + Clone) -> Covariance {
    let weight = points.len() as f64;
    let Some(origin) = points.clone().next() else { return Covariance::EMPTY };
    let mean = origin + points.clone().fold(DVec3::ZERO, |sum, point| sum + (point - origin)) / weight;
    let (mut squares, mut products, mut residue) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
    for point in points {
        let offset = point - mean;
        squares += offset * offset;
        products += offset * DVec3::new(offset.y, offset.z, offset.x);
        residue += offset;
    }
    let squares = (squares - residue * residue / weight) / weight;
    let products = (products - residue * DVec3::new(residue.y, residue.z, residue.x) / weight) / weight;
    let (xy, yz, zx) = (products.x, products.y, products.z);
    let matrix =
        DMat3::from_cols(DVec3::new(squares.x, xy, zx), DVec3::new(xy, squares.y, yz), DVec3::new(zx, yz, squares.z));
    Covariance { mean, matrix, weight }
}

/// Computes the covariance of the surface of triangles. Every part of the surface counts by its area, so small
/// triangles do not count more than large ones.
///
/// The triangles may be in any space and unit. The covariance of each triangle is exact: about its own centroid the
/// second moment is the mean of the corners' products divided by 4. The triangles are added one by one by their weights
/// and means, which never subtracts large numbers (the pairwise update of Chan, Golub and LeVeque). Triangles without
/// area are ignored. If no triangle has an area, the result is [`Covariance::EMPTY`]. In that case, use
/// [`covariance_of_points`]. Sums run in the order of the triangles.
///
/// Source: Gottschalk, Lin and Manocha, *OBBTree* (1996), section 4; Ericson, *Real-Time Collision Detection*,
/// section 4.4.3.
///
/// ```
/// use geometry_core::fit::covariance_of_triangles;
/// use glam::DVec3;
///
/// let (a, b, c, d) = (DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y);
/// let square = covariance_of_triangles([[a, b, c], [a, c, d]]);
/// assert_eq!(square.weight, 1.0);
/// assert!((square.matrix.x_axis.x - 1.0 / 12.0).abs() < 1e-15);
/// ```
pub fn covariance_of_triangles(triangles: impl IntoIterator<Item = [DVec3; 3]>) -> Covariance {
    let mut total = Covariance::EMPTY;
    // The second moments about the mean, times the weight. The division by the weight comes last.
    let mut moment = DMat3::ZERO;
    for [a, b, c] in triangles {
        let area = (b - a).cross(c - a).length() * 0.5;
        if area == 0.0 {
            continue;
        }
        let centroid = a + ((b - a) + (c - a)) / 3.0;
        // ∫(x − m)(x − m)ᵀ = area / 12 · Σ (corner − m)(corner − m)ᵀ, where m is the centroid.
        let own = (outer(a - centroid) + outer(b - centroid) + outer(c - centroid)) * (area / 12.0);
        let weight = total.weight + area;
        let offset = centroid - total.mean;
        moment += own + outer(offset) * (total.weight * (area / weight));
        total.mean = if total.weight == 0.0 { centroid } else { total.mean + offset * (area / weight) };
        total.weight = weight;
    }
    if total.weight != 0.0 {
        total.matrix = moment * (1.0 / total.weight);
    }
    total
}

/// The axes of a symmetric matrix, sorted by descending variance.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct PrincipalAxes {
    /// Unit axes as columns, right-handed.
    pub axes: DMat3,
    /// The variance along each axis, descending, in the matrix's unit.
    pub variances: DVec3,
}

/// Computes the eigenvectors and eigenvalues of a symmetric matrix, in a canonical form. The variances are descending.
/// In each of the first two axes the component of the largest size is positive (the first such component if several are
/// equal). The third axis is the cross product of the first two, so that the axes are right-handed.
///
/// If two variances are equal, the axes between them are arbitrary, but the same on every run. For a matrix that is not
/// finite, the result is the identity with NaN variances.
///
/// ```
/// use geometry_core::fit::principal_axes;
/// use glam::{DMat3, DVec3};
///
/// let principal = principal_axes(&DMat3::from_diagonal(DVec3::new(1.0, 3.0, 2.0)));
/// assert_eq!(principal.variances, DVec3::new(3.0, 2.0, 1.0));
/// assert_eq!(principal.axes.x_axis, DVec3::Y);
/// assert_eq!(principal.axes.z_axis, DVec3::X);
/// ```
pub fn principal_axes(matrix: &DMat3) -> PrincipalAxes {
    if !matrix.is_finite() {
        return PrincipalAxes { axes: DMat3::IDENTITY, variances: DVec3::NAN };
    }
    // The matrix is scaled to size 1, so that squares inside the solver stay in range. The scale is a power of two, so
    // that nothing is rounded.
    let size = matrix.to_cols_array().into_iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    if size == 0.0 {
        return PrincipalAxes { axes: DMat3::IDENTITY, variances: DVec3::ZERO };
    }
    let (_, exponent) = libm::frexp(size);
    let scaled = matrix.to_cols_array().map(|value| libm::ldexp(value, -exponent));
    let eigen = SymmetricEigen::new(Matrix3::from_column_slice(&scaled));
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
    let axis = |k: usize| {
        let column = eigen.eigenvectors.column(order[k]);
        DVec3::new(column[0], column[1], column[2])
    };
    let x = canonical(axis(0).normalize_or(DVec3::X));
    // The solver's vectors are orthogonal only up to rounding.
    let y = axis(1) - x * x.dot(axis(1));
    let y = canonical(y.normalize_or(x.any_orthonormal_vector()));
    let variance = |k: usize| libm::ldexp(eigen.eigenvalues[order[k]], exponent);
    PrincipalAxes {
        axes: DMat3::from_cols(x, y, x.cross(y)),
        variances: DVec3::new(variance(0), variance(1), variance(2)),
    }
}

impl Obb {
    /// Returns a box around the points along their principal axes.
    ///
    /// The points may be in any space and unit. This fit is fast, but seldom gives the smallest box: places with many
    /// points influence the axes more than others. The fit computes in `f64`. The half extents are measured along the
    /// stored `f32` axes and rounded up, so that every point is inside up to one rounding of `f64`.
    ///
    /// # Errors
    /// Returns [`ShapeError`] if the list is empty, or a coordinate is not finite or too large.
    ///
    /// ```
    /// use geometry_core::Obb;
    /// use glam::Vec3;
    ///
    /// let stick = [Vec3::ZERO, Vec3::new(1.0, 1.0, 1.0), Vec3::new(2.0, 2.0, 2.1)];
    /// let fitted = Obb::try_from_points(&stick)?;
    /// assert!(stick.iter().all(|point| fitted.contains(*point)));
    /// assert!(fitted.half_extents().x > 1.7 && fitted.half_extents().z < 1e-6);
    /// # Ok::<(), geometry_core::ShapeError>(())
    /// ```
    pub fn try_from_points(points: &[Vec3]) -> Result<Self, ShapeError> {
        // One test for all points is fast. Only if it fails does a second pass look for the bad coordinate.
        let sound = |value: f32| value.abs() <= MAX_COORDINATE;
        if !points.iter().fold(true, |all, point| all & sound(point.x) & sound(point.y) & sound(point.z)) {
            for point in points {
                check_coordinates("points", &point.to_array())?;
            }
        }
        if points.is_empty() {
            return Err(ShapeError::NoPoints);
        }
        let exact = points.iter().map(|point| point.as_dvec3());
        let covariance = covariance(exact.clone());
        let axes = principal_axes(&covariance.matrix).axes.as_mat3();
        let placed = Self::try_new(covariance.mean.as_vec3(), Vec3::ZERO, axes)?;
        // The stored axes are not exactly orthogonal, so coordinates along them come from the inverse matrix, not from
        // projections.
        let stored = placed.axes().as_dmat3();
        let inverse = stored.inverse();
        let (low, high) = exact.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), point| {
            let local = inverse * (point - covariance.mean);
            (low.min(local), high.max(local))
        });
        let center = (covariance.mean + stored * ((low + high) * 0.5)).as_vec3();
        // The rounded center in the same coordinates. The rounding errors of this step are 2⁻⁵³ of the added numbers.
        let middle = inverse * (center.as_dvec3() - covariance.mean);
        let reach = (high - middle).max(middle - low);
        let spread = (high - low).max_element() + middle.abs().max_element();
        let half = reach.max(DVec3::ZERO) + DVec3::splat(spread * 1.0e-15);
        Self::try_new(center, Vec3::new(round_up(half.x), round_up(half.y), round_up(half.z)), placed.axes())
    }
}

/// Flips the axis so that its component of the largest size is positive; the first such component decides if several
/// are equal.
fn canonical(axis: DVec3) -> DVec3 {
    let mut largest = axis.x;
    for value in [axis.y, axis.z] {
        if value.abs() > largest.abs() {
            largest = value;
        }
    }
    if largest < 0.0 { -axis } else { axis }
}

/// `v vᵀ`.
fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_models::Random;

    /// A made-up cloud whose spreads are 3, 2 and 1 along turned axes.
    fn cloud(offset: DVec3) -> Vec<DVec3> {
        let turn = glam::DQuat::from_xyzw(0.3, -0.2, 0.5, 0.7).normalize();
        let mut random = Random::new(1);
        (0..500).map(|_| offset + turn * (DVec3::new(3.0, 2.0, 1.0) * random.in_box())).collect()
    }

    #[test]
    fn far_from_the_origin_nothing_is_lost() {
        let near = covariance_of_points(&cloud(DVec3::ZERO));
        let far = covariance_of_points(&cloud(DVec3::splat(1.0e6)));
        // Coordinates near 1e6 are themselves rounded to 1e-10.
        assert!(far.matrix.abs_diff_eq(near.matrix, 1e-9), "{} {}", far.matrix, near.matrix);
        let soup = |offset| cloud(offset).chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect::<Vec<_>>();
        let near = covariance_of_triangles(soup(DVec3::ZERO));
        let far = covariance_of_triangles(soup(DVec3::splat(-1.0e6)));
        assert!(far.matrix.abs_diff_eq(near.matrix, 1e-9) && (near.weight - far.weight).abs() < 1e-6);
    }

    #[test]
    fn triangles_split_into_pieces_change_nothing() {
        let whole = [DVec3::new(1.0, 0.0, 2.0), DVec3::new(4.0, 1.0, 0.0), DVec3::new(0.0, 5.0, 1.0)];
        fn pieces(t: [DVec3; 3], depth: u32, out: &mut Vec<[DVec3; 3]>) {
            if depth == 0 {
                return out.push(t);
            }
            let [a, b, c] = t;
            let (ab, bc, ca) = ((a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5);
            for piece in [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]] {
                pieces(piece, depth - 1, out);
            }
        }
        let mut fine = Vec::new();
        pieces(whole, 5, &mut fine);
        let (one, many) = (covariance_of_triangles([whole]), covariance_of_triangles(fine.iter().copied()));
        assert!(one.matrix.abs_diff_eq(many.matrix, 1e-12) && one.mean.abs_diff_eq(many.mean, 1e-12));
        // The slow reference: the mean of the corners of many small triangles.
        let centroids: Vec<_> = fine.iter().map(|[a, b, c]| (*a + *b + *c) / 3.0).collect();
        assert!(covariance_of_points(&centroids).matrix.abs_diff_eq(one.matrix, 5e-3));
    }

    #[test]
    fn principal_axes_are_sorted_right_handed_and_rebuild_the_matrix() {
        for scale in [1e-150, 1e-6, 1.0, 1e6, 1e150] {
            let matrix = covariance_of_points(&cloud(DVec3::ONE)).matrix * scale;
            let PrincipalAxes { axes, variances } = principal_axes(&matrix);
            assert!(variances.x >= variances.y && variances.y >= variances.z && variances.z > 0.0);
            assert!((axes.determinant() - 1.0).abs() < 1e-14);
            let rebuilt = axes * DMat3::from_diagonal(variances) * axes.transpose();
            assert!((rebuilt * scale.recip()).abs_diff_eq(matrix * scale.recip(), 1e-13));
            for axis in [axes.x_axis, axes.y_axis] {
                let largest = axis.to_array().into_iter().max_by(|p, q| p.abs().total_cmp(&q.abs()));
                assert!(largest.expect("three components") > 0.0);
            }
        }
    }

    #[test]
    fn odd_input() {
        assert_eq!(covariance_of_points(&[]), Covariance::EMPTY);
        assert_eq!(covariance_of_triangles([[DVec3::ONE; 3]]), Covariance::EMPTY);
        assert_eq!(principal_axes(&DMat3::ZERO).axes, DMat3::IDENTITY);
        assert!(principal_axes(&(DMat3::IDENTITY * f64::NAN)).variances.is_nan());
        let point = covariance_of_points(&[DVec3::splat(7.0); 3]);
        assert_eq!((point.mean, point.matrix), (DVec3::splat(7.0), DMat3::ZERO));
    }
}
