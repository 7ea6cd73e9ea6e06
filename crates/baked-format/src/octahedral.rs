//! Unit vectors as two whole numbers: the octahedral map of Meyer et al., *On Floating-Point Normal Vectors* (2010).
//!
//! A direction is a point of the octahedron `|x| + |y| + |z| = STEPS` with whole coordinates. `u` and `v` are its x and y
//! where z is not negative; the lower half is folded outward over the edges of the upper one.

use glam::Vec3;

/// The largest size of a number. Axes are stored exactly.
pub(crate) const STEPS: i32 = 2047;

/// Returns the unit vector of two numbers from -[`STEPS`] to [`STEPS`].
pub(crate) fn unit_vector([u, v]: [i32; 2]) -> Vec3 {
    let z = STEPS - u.abs() - v.abs();
    let [x, y] = if z < 0 { folded([u, v]) } else { [u, v] };
    let [x, y, z] = [x, y, z].map(f64::from);
    let length = (x * x + y * y + z * z).sqrt();
    Vec3::from_array([x, y, z].map(|number| (number / length) as f32))
}

/// Returns the numbers whose vector is nearest, up to one step. `unit` has the length 1, up to rounding.
pub(crate) fn numbers(unit: Vec3) -> [i32; 2] {
    let [x, y, z] = unit.to_array().map(f64::from);
    let sum = x.abs() + y.abs() + z.abs();
    let steps = [x, y].map(|number| (number / sum * f64::from(STEPS)).round() as i32);
    if z < 0.0 { folded(steps) } else { steps }
}

/// Mirrors a point of the upper half at the nearest edge of the octahedron. Folding twice gives the same point.
fn folded([u, v]: [i32; 2]) -> [i32; 2] {
    let with_sign = |size: i32, sign: i32| if sign < 0 { -size } else { size };
    [with_sign(STEPS - v.abs(), u), with_sign(STEPS - u.abs(), v)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn axes_are_exact_and_stored_vectors_stay() {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Y, Vec3::NEG_Z] {
            assert_eq!(unit_vector(numbers(axis)), axis);
        }
        let [by_u, by_v] = if cfg!(miri) { [8999, 997] } else { [89, 1] };
        for u in (-STEPS..=STEPS).step_by(by_u) {
            for v in (-STEPS..=STEPS).step_by(by_v) {
                let unit = unit_vector([u, v]);
                assert_eq!(unit_vector(numbers(unit)), unit, "{u} {v}");
            }
        }
    }

    proptest! {
        #[test]
        fn the_error_is_below_six_hundredths_of_a_degree(x in -1.0f64..1.0, y in -1.0f64..1.0, z in -1.0f64..1.0) {
            let direction = glam::DVec3::new(x, y, z);
            prop_assume!(direction.length() > 1e-3);
            let unit = direction.normalize();
            let found = unit_vector(numbers(unit.as_vec3())).as_dvec3();
            prop_assert!(unit.cross(found).length() < 0.06f64.to_radians() && unit.dot(found) > 0.0, "{unit} {found}");
        }
    }
}
