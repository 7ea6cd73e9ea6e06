//! Maps between the spaces of mirrored joints.

use glam::{DAffine3, DMat3, DVec3};

/// A map between two joint spaces that mirrors: a rotation and a reflection, an even scale, and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reflection {
    /// Orthogonal, with the determinant -1.
    linear: DMat3,
    scale: f64,
    translation: DVec3,
}

/// The largest entry by which a matrix may differ from an orthogonal matrix.
const UNEVEN: f64 = 1e-4;

/// A scale that differs from 1 by less comes from the rounding of matrices.
const ROUNDING: f64 = 1e-5;

impl Reflection {
    /// Returns `None` for a map that does not mirror, or that does not map boxes to boxes because its scale is uneven.
    pub(crate) fn new(map: &DAffine3) -> Option<Self> {
        let determinant = map.matrix3.determinant();
        let scale = libm::cbrt(-determinant);
        let linear = map.matrix3 * (1.0 / scale);
        let apart = linear.transpose() * linear - DMat3::IDENTITY;
        let is_even = apart.to_cols_array().into_iter().all(|entry| entry.abs() <= UNEVEN);
        if !(scale > 0.0 && is_even && map.translation.is_finite()) {
            return None;
        }
        let x = linear.x_axis.try_normalize()?;
        let y = linear.y_axis.reject_from_normalized(x).try_normalize()?;
        let scale = if (scale - 1.0).abs() < ROUNDING { 1.0 } else { scale };
        Some(Self { linear: DMat3::from_cols(x, y, y.cross(x)), scale, translation: map.translation })
    }

    pub(crate) fn inverse(&self) -> Self {
        let linear = self.linear.transpose();
        Self { linear, scale: 1.0 / self.scale, translation: linear * self.translation * (-1.0 / self.scale) }
    }

    pub(crate) fn point(&self, point: DVec3) -> DVec3 {
        self.linear * point * self.scale + self.translation
    }

    /// Maps a length.
    pub(crate) fn length(&self, length: f64) -> f64 {
        length * self.scale
    }

    /// Maps a volume.
    pub(crate) fn volume(&self, volume: f64) -> f64 {
        volume * self.scale * self.scale * self.scale
    }

    /// Maps a plane, given by its unit normal and its offset. A point below the plane is mapped to a point below the result.
    pub(crate) fn plane_image(&self, normal: DVec3, offset: f64) -> (DVec3, f64) {
        let image = self.linear * normal;
        (image, self.length(offset) + image.dot(self.translation))
    }

    /// Maps the axes of a box. The result is right-handed: its first axis has the opposite direction.
    pub(crate) fn axes(&self, axes: &DMat3) -> DMat3 {
        let DMat3 { x_axis, y_axis, z_axis } = self.linear * *axes;
        DMat3::from_cols(-x_axis, y_axis, z_axis)
    }

    /// The unit normal of the plane of a map from a space to itself, and the plane's offset along it.
    pub(crate) fn plane(&self) -> Option<(DVec3, f64)> {
        // The linear map is the identity minus twice the normal times its transpose.
        let twice = DMat3::IDENTITY - self.linear;
        let columns = [twice.x_axis, twice.y_axis, twice.z_axis];
        let longest = columns.into_iter().max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let normal = longest?.try_normalize()?;
        Some((normal, 0.5 * normal.dot(self.translation)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use test_models::Random;

    fn turn(random: &mut Random) -> DMat3 {
        DMat3::from_quat(
            DQuat::from_xyzw(random.signed_f64(), random.signed_f64(), random.signed_f64(), 0.7).normalize(),
        )
    }

    /// Compares points, axes and planes with those of the matrices.
    #[test]
    fn a_reflection_is_its_matrix() {
        let mut random = Random::new(5);
        for case in 0..200 {
            let scale = [1.0, 0.01, 100.0, 1.0 + 1e-7][case % 4];
            let linear = turn(&mut random) * DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0)) * scale;
            let map = DAffine3 { matrix3: linear, translation: random.in_box() };
            let reflection = Reflection::new(&map).unwrap();
            let (point, axes) = (random.in_box(), turn(&mut random));
            let near = |a: DVec3, b: DVec3| assert!(a.distance(b) <= 3e-7 * (1.0 + scale), "{case}: {a} and {b}");
            near(reflection.point(point), map.transform_point3(point));
            near(reflection.inverse().point(reflection.point(point)), point);
            let mapped = reflection.axes(&axes);
            assert!((mapped.determinant() - 1.0).abs() < 1e-12);
            near(mapped.y_axis * scale, linear * axes.y_axis);
            near(mapped.x_axis * scale, -(linear * axes.x_axis));
            let (normal, offset) = reflection.plane_image(axes.x_axis, 0.3);
            let (below, image) = (axes.x_axis.dot(point) - 0.3, normal.dot(reflection.point(point)) - offset);
            assert!((below * scale - image).abs() <= 3e-7 * (1.0 + scale), "{case}: {below} and {image}");
            assert_eq!(Reflection::new(&DAffine3 { matrix3: -linear, ..map }), None);
            let uneven = linear * DMat3::from_diagonal(DVec3::new(1.0, 1.001, 1.0));
            assert_eq!(Reflection::new(&DAffine3 { matrix3: uneven, ..map }), None);
            assert_eq!(Reflection::new(&DAffine3 { matrix3: DMat3::ZERO, ..map }), None);
        }
    }

    #[test]
    fn the_plane_of_a_map_to_the_same_space_is_found() {
        let mut random = Random::new(6);
        for _ in 0..200 {
            let (normal, offset) = (random.on_sphere(), random.signed_f64());
            let matrix3 = DMat3::from_cols(
                DVec3::X - 2.0 * normal.x * normal,
                DVec3::Y - 2.0 * normal.y * normal,
                DVec3::Z - 2.0 * normal.z * normal,
            );
            let (found, at) =
                Reflection::new(&DAffine3 { matrix3, translation: 2.0 * offset * normal }).unwrap().plane().unwrap();
            let sign = found.dot(normal).signum();
            assert!(found.distance(sign * normal) < 1e-12 && (at - sign * offset).abs() < 1e-12);
        }
    }
}
