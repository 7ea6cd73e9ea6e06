//! The body of a fuzz target: makes points from any bytes, builds their hull and validates it.

use crate::convex_hull::{ConvexHull, HullShape};
use crate::error::HullError;
use glam::DVec3;

/// More points than this find no new errors and only slow the search down.
const MOST_POINTS: usize = 256;

/// Builds the hull of points made from the bytes and validates it. Returns whether the hull is a solid.
///
/// The first byte selects how the rest is read, so that degenerate sets are as likely as general ones: whole numbers on
/// a small lattice, the same numbers far from the origin or at a tiny scale, raw `f32`, or raw `f64`.
///
/// # Panics
/// Panics if the hull is not valid or the error is not the expected one. The message contains the points as Rust code.
pub fn build_and_validate(bytes: &[u8]) -> bool {
    let (kind, rest) = bytes.split_first().map_or((0, bytes), |(kind, rest)| (*kind, rest));
    let coordinates = coordinates(kind, rest);
    let points: Vec<DVec3> = coordinates.chunks_exact(3).take(MOST_POINTS).map(DVec3::from_slice).collect();
    let shape = match ConvexHull::from_points(&points) {
        Ok(hull) => {
            if let Err(defect) = hull.validate(&points) {
                panic!("{defect}: let points = {points:?};");
            }
            Some(hull.shape())
        }
        Err(HullError::Empty) => {
            assert!(points.is_empty(), "let points = {points:?};");
            None
        }
        Err(error) => {
            let first_bad = points.iter().position(|p| !p.is_finite());
            let named = matches!(error, HullError::NotFinite { index, .. } if Some(index) == first_bad);
            assert!(named, "{error}: let points = {points:?};");
            None
        }
    };
    shape == Some(HullShape::Solid)
}

fn coordinates(kind: u8, bytes: &[u8]) -> Vec<f64> {
    let lattice = |byte: u8| f64::from(i32::from(byte % 8) - 4);
    match kind % 8 {
        0 | 1 => bytes.iter().map(|&byte| lattice(byte)).collect(),
        2 => bytes.iter().map(|&byte| f64::from(byte)).collect(),
        3 => bytes.iter().map(|&byte| lattice(byte) + 1e15).collect(),
        // Tenths are not exact in binary, so the points are almost but not quite coplanar.
        4 => bytes.iter().map(|&byte| lattice(byte) * 0.1 + 0.7).collect(),
        5 => bytes.iter().map(|&byte| lattice(byte) * 1e-320).collect(),
        6 => bytes.as_chunks().0.iter().map(|&chunk| f64::from(f32::from_le_bytes(chunk))).collect(),
        _ => bytes.as_chunks().0.iter().map(|&chunk| f64::from_le_bytes(chunk)).collect(),
    }
}
