//! On which side of a plane or a line a point lies, exactly.
//!
//! The adaptive predicates of Shewchuk (*Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates*, 1997; crate `robust`) are exact as long as nothing overflows or underflows. Determinants of three
//! differences of `f32` numbers are multiples of 2^-447 and below 2^390, so in `f64` nothing does.

use glam::DVec3;
use robust::{Coord, Coord3D};

/// Above, on, or below.
pub(super) type Sign = i8;

/// 1 where `p` is above the plane, on the side from which `a`, `b`, `c` run counter-clockwise; 0 on the plane, and where
/// the three have no area.
pub(super) fn side_of_plane(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> Sign {
    let [a, b, c, p] = [a, b, c, p].map(|v| Coord3D { x: v.x, y: v.y, z: v.z });
    // `robust` counts below as positive.
    -sign(robust::orient3d(a, b, c, p))
}

/// The turn from `a` over `b` to `c` seen along coordinate axis `axis`: 1 for counter-clockwise, 0 for none.
pub(super) fn turn(axis: usize, a: DVec3, b: DVec3, c: DVec3) -> Sign {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v[(axis + 1) % 3], y: v[(axis + 2) % 3] });
    sign(robust::orient2d(a, b, c))
}

fn sign(value: f64) -> Sign {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

/// Returns whether signs of both kinds are among these.
pub(super) fn has_both([a, b, c]: [Sign; 3]) -> bool {
    a.min(b).min(c) < 0 && a.max(b).max(c) > 0
}
