//! The movement of one leg over one stride.

use super::puppet::Leg;
use crate::ease::Keys;
use glam::DVec3;

/// The length of a stride on the ground, in meters.
const STRIDE: f64 = 0.36;

/// The movement of a leg from one touch-down to the next, over one unit of time. On the ground the paw moves backward
/// at the speed of the ground.
pub(super) fn walk() -> Keys<Leg> {
    let leg = |z: f64, y: f64, pastern: f64, toes: f64| Leg { paw: DVec3::new(-0.02, y, z * STRIDE), pastern, toes };
    Keys::cycle(vec![
        (0.00, leg(0.50, 0.0, -14.0, 0.0)),
        (0.15, leg(0.26, 0.0, -4.0, 0.0)),
        (0.32, leg(-0.02, 0.0, 6.0, 0.0)),
        (0.50, leg(-0.32, 0.0, 20.0, 10.0)),
        (0.62, leg(-0.52, 0.005, 38.0, 38.0)),
        (0.74, leg(-0.30, 0.075, 62.0, 62.0)),
        (0.86, leg(0.22, 0.080, 24.0, 30.0)),
        (0.95, leg(0.52, 0.025, -14.0, 0.0)),
        (1.00, leg(0.50, 0.0, -14.0, 0.0)),
    ])
}
