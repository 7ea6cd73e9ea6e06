//! The side of a plane or a line on which a point lies, exactly.
//!
//! The adaptive predicates of Shewchuk (*Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
//! Predicates*, 1997; crate `robust`) are exact if no number overflows or underflows. Determinants of three differences
//! of `f32` numbers are multiples of 2^-447 and below 2^390, so no number overflows or underflows in `f64`.

use glam::DVec3;
use robust::{Coord, Coord3D};

/// 1 for above, 0 for on, -1 for below.
pub(super) type Sign = i8;

/// Returns 1 if `p` is above the plane, on the side from which `a`, `b`, `c` run counter-clockwise; 0 if `p` is on the
/// plane or the three points have no area; otherwise -1.
pub(super) fn side_of_plane(a: DVec3, b: DVec3, c: DVec3, p: DVec3) -> Sign {
    let [a, b, c, p] = [a, b, c, p].map(|v| Coord3D { x: v.x, y: v.y, z: v.z });
    // For `robust`, points below the plane are positive.
    -sign(robust::orient3d(a, b, c, p))
}

/// Returns the turn from `a` over `b` to `c`, seen along the coordinate axis `axis`: 1 for counter-clockwise, 0 for
/// none, -1 for clockwise.
pub(super) fn turn(axis: usize, a: DVec3, b: DVec3, c: DVec3) -> Sign {
    let [a, b, c] = [a, b, c].map(|v| Coord { x: v[(axis + 1) % 3], y: v[(axis + 2) % 3] });
    sign(robust::orient2d(a, b, c))
}

fn sign(value: f64) -> Sign {
    i8::from(value > 0.0) - i8::from(value < 0.0)
}

/// Returns `true` if the signs include both 1 and -1.
pub(super) fn has_both([a, b, c]: [Sign; 3]) -> bool {
    a.min(b).min(c) < 0 && a.max(b).max(c) > 0
}
