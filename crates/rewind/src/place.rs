//! Places between two places.

use glam::{Affine3A, Mat3, Mat3A, Quat, Vec3, Vec3A};
use skeleton::slerp;

/// The largest cosine of the angle between two axes that still count as perpendicular. Places with more shear are
/// interpolated number by number.
const SHEAR: f32 = 1e-5;

/// A place that turns and scales along its own axes.
struct Parts {
    rotation: Quat,
    scale: Vec3,
}

impl Parts {
    /// `None` if the matrix shears, mirrors or has no extent.
    fn new(linear: &Mat3A) -> Option<Self> {
        let axes = [linear.x_axis, linear.y_axis, linear.z_axis].map(Vec3::from);
        let scale = Vec3::from_array(axes.map(length));
        if !(scale.min_element() > 0.0 && scale.is_finite()) {
            return None;
        }
        let [x, y, z] = [axes[0] / scale.x, axes[1] / scale.y, axes[2] / scale.z];
        let shear = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        (shear <= SHEAR && x.cross(y).dot(z) > 0.0)
            .then(|| Self { rotation: Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize(), scale })
    }
}

fn length(v: Vec3) -> f32 {
    v.dot(v).sqrt()
}

/// The place at `s` between two places, from 0 to 1. The translation moves along a straight line, the rotation turns the
/// short way, and the scale changes evenly. A place that shears or mirrors is interpolated number by number.
pub(crate) fn between(a: &Affine3A, b: &Affine3A, s: f32) -> Affine3A {
    let translation = a.translation + (b.translation - a.translation) * s;
    if a.matrix3 == b.matrix3 {
        return Affine3A { matrix3: a.matrix3, translation };
    }
    let (Some(one), Some(other)) = (Parts::new(&a.matrix3), Parts::new(&b.matrix3)) else {
        let mix = |a: Vec3A, b: Vec3A| a + (b - a) * s;
        let (a, b) = (&a.matrix3, &b.matrix3);
        let matrix3 = Mat3A::from_cols(mix(a.x_axis, b.x_axis), mix(a.y_axis, b.y_axis), mix(a.z_axis, b.z_axis));
        return Affine3A { matrix3, translation };
    };
    let rotation = Mat3A::from_quat(slerp(one.rotation, other.rotation, s));
    let scale = one.scale + (other.scale - one.scale) * s;
    let matrix3 = Mat3A::from_cols(rotation.x_axis * scale.x, rotation.y_axis * scale.y, rotation.z_axis * scale.z);
    Affine3A { matrix3, translation }
}

/// The distance that a point moves off the straight line between its two images, while its place goes from `a` to `b`:
/// at most this number, for every point within `radius` of the model's origin.
///
/// Let `R(s)` be the rotation, `S(s)` the scale and `x` the point. If the scale did not change, `R(s) S x` would run along
/// an arc with an angle `t` and a radius of at most `r = |S| radius`. An arc differs from the point at the same share of
/// its chord by at most `r t² / 8`, and `1 - cos(t / 2)` is at least `0.79 t² / 8` for angles up to half a turn. The
/// absolute dot product of the two quaternions is `cos(t / 2)`. A change of the scale by `d` moves a point by at most
/// `d radius` at either end.
pub(crate) fn off_the_line(a: &Affine3A, b: &Affine3A, radius: f32) -> f32 {
    if a.matrix3 == b.matrix3 {
        return 0.0;
    }
    let (Some(one), Some(other)) = (Parts::new(&a.matrix3), Parts::new(&b.matrix3)) else { return 0.0 };
    let cosine = one.rotation.dot(other.rotation).abs().min(1.0);
    let change = (one.scale - other.scale).abs().max_element();
    // Quaternions are rounded, which moves a point by less than a millionth of its distance.
    let scale = one.scale.max(other.scale).max_element();
    radius * (2.0 * scale * (1.0 - cosine) + 2.0 * change + 4e-6 * scale)
}

/// Returns `true` if each place between the two moves, turns and scales evenly, so that it keeps the shapes of hitboxes.
pub(crate) fn keeps_shapes(a: &Affine3A, b: &Affine3A) -> bool {
    /// The largest difference of the factors of an even scale, as a share of them.
    const UNEVEN: f32 = 1e-5;
    let is_even = |place: &Affine3A| {
        Parts::new(&place.matrix3)
            .is_some_and(|parts| parts.scale.max_element() - parts.scale.min_element() <= UNEVEN * parts.scale.x)
    };
    is_even(a) && (a.matrix3 == b.matrix3 || is_even(b))
}

/// A number that is at least as large as the largest factor by which the place scales a vector.
pub(crate) fn most_scale(place: &Affine3A) -> f32 {
    let columns = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis].map(Vec3::from);
    match Parts::new(&place.matrix3) {
        Some(parts) => parts.scale.max_element() * (1.0 + 2.0 * SHEAR),
        None => columns.iter().map(|column| column.dot(*column)).sum::<f32>().sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn place() -> impl Strategy<Value = Affine3A> {
        let numbers = prop::array::uniform9(-1f32..1.0);
        let scale = prop_oneof![4 => Just([1.0; 3]), 2 => (0.2f32..3.0).prop_map(|s| [s; 3]), 1 => prop::array::uniform3(0.2f32..3.0)];
        (numbers, scale, prop::bool::weighted(0.1)).prop_map(|(n, scale, sheared)| {
            let rotation = Quat::from_xyzw(n[0], n[1], n[2], n[3] + 1e-3).normalize();
            let mut place = Affine3A::from_scale_rotation_translation(
                Vec3::from_array(scale),
                rotation,
                Vec3::new(n[4], n[5], n[6]) * 5.0,
            );
            if sheared {
                place.matrix3.x_axis += place.matrix3.y_axis * n[7];
            }
            place
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn a_point_stays_near_the_line(a in place(), b in place(), x in prop::array::uniform3(-2f32..2.0), s in 0f32..1.0) {
            let x = Vec3::from_array(x);
            let found = between(&a, &b, s).transform_point3(x);
            let (from, to) = (a.transform_point3(x), b.transform_point3(x));
            let on_line = from + (to - from) * s;
            let bound = off_the_line(&a, &b, length(x)) + 1e-5 * (1.0 + length(from) + length(to));
            prop_assert!(length(found - on_line) <= bound, "{} of {bound}", length(found - on_line));
            let scaled = length(Vec3::from(a.matrix3 * Vec3A::from(x)));
            prop_assert!(scaled <= most_scale(&a) * length(x) * (1.0 + 1e-5));
        }

        #[test]
        fn the_ends_are_the_two_places(a in place(), b in place()) {
            for (s, end) in [(0.0, &a), (1.0, &b)] {
                let found = between(&a, &b, s);
                prop_assert!(found.abs_diff_eq(*end, 2e-5), "{found:?} {end:?}");
            }
        }
    }
}
