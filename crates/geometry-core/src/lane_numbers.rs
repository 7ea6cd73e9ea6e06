//! Reads and writes values number by number, so that a row can hold the same number of many values side by side.

use glam::DVec3;

/// Reads the three numbers from `at` on.
#[inline(always)]
pub(crate) fn vector(row: &impl Fn(usize) -> f64, at: usize) -> DVec3 {
    DVec3::new(row(at), row(at + 1), row(at + 2))
}

/// Reads the nine numbers from `at` on.
#[inline(always)]
pub(crate) fn vectors(row: &impl Fn(usize) -> f64, at: usize) -> [DVec3; 3] {
    [vector(row, at), vector(row, at + 3), vector(row, at + 6)]
}

/// Writes three numbers from `at` on.
#[inline(always)]
pub(crate) fn put_vector(put: &mut impl FnMut(usize, f64), at: usize, v: DVec3) {
    put(at, v.x);
    put(at + 1, v.y);
    put(at + 2, v.z);
}

/// Writes nine numbers from `at` on.
#[inline(always)]
pub(crate) fn put_vectors(put: &mut impl FnMut(usize, f64), at: usize, vectors: &[DVec3; 3]) {
    put_vector(put, at, vectors[0]);
    put_vector(put, at + 3, vectors[1]);
    put_vector(put, at + 6, vectors[2]);
}
