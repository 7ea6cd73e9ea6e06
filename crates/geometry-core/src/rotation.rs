//! Rotations about a unit axis without branches, so that a loop over many of them becomes vectors.

use glam::DVec3;

/// The rows of a rotation matrix.
#[derive(Clone, Copy)]
pub(crate) struct Rotation([DVec3; 3]);

impl Rotation {
    pub(crate) const NONE: Self = Self([DVec3::X, DVec3::Y, DVec3::Z]);

    /// Rodrigues' rotation about a unit axis by minus an angle from 0 to π.
    #[inline(always)]
    pub(crate) fn backward(axis: DVec3, angle: f64) -> Self {
        let (sine, versine) = sine_and_versine(angle);
        let DVec3 { x, y, z } = axis;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (versine * (x * y), versine * (x * z), versine * (y * z));
        let (sx, sy, sz) = (sine * x, sine * y, sine * z);
        Self([
            DVec3::new(1.0 - versine * (yy + zz), xy + sz, xz - sy),
            DVec3::new(xy - sz, 1.0 - versine * (xx + zz), yz + sx),
            DVec3::new(xz + sy, yz - sx, 1.0 - versine * (xx + yy)),
        ])
    }

    /// The rotated vector.
    #[inline(always)]
    pub(crate) fn of(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = &self.0;
        DVec3::new(x.dot(v), y.dot(v), z.dot(v))
    }

    /// The inverse rotation of a vector.
    #[inline(always)]
    pub(crate) fn back(&self, v: DVec3) -> DVec3 {
        let [x, y, z] = self.0;
        x * v.x + y * v.y + z * v.z
    }
}

/// The sine, and 1 minus the cosine, of an angle from 0 to π, to 1e-10: Taylor's series at a quarter of the angle.
#[inline(always)]
pub(crate) fn sine_and_versine(angle: f64) -> (f64, f64) {
    let x = angle * 0.25;
    let y = x * x;
    let sine = x
        * (1.0
            + y * (-1.0 / 6.0
                + y * (1.0 / 120.0 + y * (-1.0 / 5_040.0 + y * (1.0 / 362_880.0 + y * (-1.0 / 39_916_800.0))))));
    let cosine = 1.0
        + y * (-0.5
            + y * (1.0 / 24.0
                + y * (-1.0 / 720.0 + y * (1.0 / 40_320.0 + y * (-1.0 / 3_628_800.0 + y * (1.0 / 479_001_600.0))))));
    let (half_sine, half_cosine) = (2.0 * sine * cosine, 1.0 - 2.0 * sine * sine);
    (2.0 * half_sine * half_cosine, 2.0 * half_sine * half_sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_versines_are_those_of_libm() {
        for k in 0..=1000 {
            let angle = core::f64::consts::PI * f64::from(k) / 1000.0;
            let (sine, versine) = sine_and_versine(angle);
            let (exact, cosine) = libm::sincos(angle);
            assert!((sine - exact).abs() < 1e-10 && (versine - (1.0 - cosine)).abs() < 1e-10, "{angle}");
        }
        assert_eq!(sine_and_versine(0.0), (0.0, 0.0));
    }

    #[test]
    fn a_rotation_and_its_inverse_cancel() {
        let (axis, v) = (DVec3::new(2.0, -3.0, 6.0) / 7.0, DVec3::new(0.3, 0.5, -0.7));
        let rotation = Rotation::backward(axis, 2.0);
        assert!((rotation.back(rotation.of(v)) - v).length() < 1e-10 && (rotation.of(axis) - axis).length() < 1e-10);
        let quarter = Rotation::backward(DVec3::Z, core::f64::consts::FRAC_PI_2);
        assert!((quarter.of(DVec3::X) - DVec3::NEG_Y).length() < 1e-10);
    }
}
