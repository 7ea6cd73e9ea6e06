//! The body of the fuzz target: makes two boxes from any bytes, and compares every overlap test with a reference.

use crate::math::sqrt;
use crate::{Obb, SatAxis, SatCache};
use glam::{DVec3, Quat, Vec3};

/// Differences between this crate and the reference that `f64` rounding explains, as a share of the sizes and the
/// distance.
const F64_BAND: f64 = 1e-13;

/// Makes two boxes from the bytes. Compares [`Obb::overlaps`], with its arguments in both orders, its cached form and
/// its first stage, with gaps along unit vectors in `f64`. Returns whether the boxes overlap, or `None` if the bytes
/// make no boxes.
///
/// The first byte selects how the rest is read, so that touching and parallel boxes are as likely as general ones:
/// whole numbers on a small lattice, the same numbers far from the origin or tiny, or raw `f32`. Missing bytes are
/// zeros.
///
/// # Panics
/// Panics if the answers differ. The message contains the boxes as Rust code.
pub fn obb_pair(bytes: &[u8]) -> Option<bool> {
    let (kind, rest) = bytes.split_first().map_or((0, bytes), |(kind, rest)| (*kind, rest));
    let mut numbers = Numbers { kind, bytes: rest };
    let (a, b) = (numbers.obb()?, numbers.obb()?);
    let found = a.overlaps(&b);
    let gap = widest_gap(&a, &b);
    let distance = (b.center().as_dvec3() - a.center().as_dvec3()).length();
    let band = F64_BAND * (f64::from(a.extent_sum()) + f64::from(b.extent_sum()) + distance);
    assert!(found == (gap <= 0.0) || gap.abs() <= band, "found {found}, gap {gap:e}: let (a, b) = ({a:?}, {b:?});");
    assert_eq!(b.overlaps(&a), found, "symmetry: let (a, b) = ({a:?}, {b:?});");
    assert_eq!(a.separating_axis(&b).is_none(), found, "axis: let (a, b) = ({a:?}, {b:?});");
    assert_eq!(a.separation(&b).overlapping, found, "separation: let (a, b) = ({a:?}, {b:?});");
    assert!(a.may_overlap(&b) || !found, "the first stage lost a contact: let (a, b) = ({a:?}, {b:?});");
    let mut cache = SatCache::NEW;
    let cached = [a.overlaps_cached(&b, &mut cache), a.overlaps_cached(&b, &mut cache)];
    assert_eq!(cached, [found; 2], "cache: let (a, b) = ({a:?}, {b:?});");
    Some(found)
}

/// The widest gap along unit vectors in [`SatAxis::ALL`]'s directions, in `f64`. It is negative if the boxes overlap.
fn widest_gap(a: &Obb, b: &Obb) -> f64 {
    let [of_a, of_b] = [a, b].map(|obb| obb.axes().as_dmat3());
    let between = b.center().as_dvec3() - a.center().as_dvec3();
    let normal = |axes: &glam::DMat3, k: u8| axes.col(usize::from(k + 1) % 3).cross(axes.col(usize::from(k + 2) % 3));
    let directions = SatAxis::ALL.map(|axis| match axis {
        SatAxis::FaceA(k) => normal(&of_a, k),
        SatAxis::FaceB(k) => normal(&of_b, k),
        SatAxis::Edges(i, j) => of_a.col(usize::from(i)).cross(of_b.col(usize::from(j))),
    });
    let units = directions.into_iter().filter(|axis| *axis != DVec3::ZERO).map(|axis| axis / sqrt(axis.dot(axis)));
    let gaps = units.map(|unit| unit.dot(between).abs() - radius(a, unit) - radius(b, unit));
    gaps.fold(f64::NEG_INFINITY, f64::max)
}

/// The distance from the box's center to its farthest point along a unit vector.
fn radius(obb: &Obb, unit: DVec3) -> f64 {
    let (axes, half) = (obb.axes().as_dmat3(), obb.half_extents().as_dvec3());
    (0..3).map(|k| half[k] * axes.col(k).dot(unit).abs()).sum()
}

struct Numbers<'b> {
    kind: u8,
    bytes: &'b [u8],
}

impl Numbers<'_> {
    fn obb(&mut self) -> Option<Obb> {
        let center = Vec3::from_array([(); 3].map(|()| self.number()));
        let half_extents = Vec3::from_array([(); 3].map(|()| self.number().abs()));
        Obb::try_from_orientation(center, half_extents, self.orientation()).ok()
    }

    fn byte(&mut self) -> u8 {
        let (byte, rest) = self.bytes.split_first().map_or((0, self.bytes), |(byte, rest)| (*byte, rest));
        self.bytes = rest;
        byte
    }

    fn number(&mut self) -> f32 {
        let kind = self.kind % 6;
        if kind == 5 {
            return f32::from_le_bytes([(); 4].map(|()| self.byte()));
        }
        let lattice = f32::from(self.byte() as i8);
        match kind {
            0 => lattice,
            1 => libm::truncf(lattice / 16.0) * 0.1,
            2 => libm::truncf(lattice / 32.0) + 65_536.0,
            3 => lattice * 1e-30,
            _ => lattice * 0.01,
        }
    }

    /// Makes an orientation from small whole numbers, which give parallel axes and quarter turns. One in four is turned
    /// by a tiny angle more.
    fn orientation(&mut self) -> Quat {
        let hair = if self.byte().is_multiple_of(4) { 1e-7 } else { 0.0 };
        let parts = [(); 4].map(|()| f64::from(self.byte() as i8 / 16) + hair);
        let length = sqrt(parts.iter().map(|part| part * part).sum());
        if length == 0.0 {
            return Quat::IDENTITY;
        }
        Quat::from_array(parts.map(|part| (part / length) as f32))
    }
}
