//! The axes of boxes that were found before. Machines and toys have many equal parts, each with a joint of its own.

use crate::fit::orientation::orientation;
use crate::options::{Fit, Objective};
use glam::DMat3;
use hull::ConvexHull;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Hulls with more vertices are not kept, because they are rarely equal.
const MOST_VERTICES: usize = 32;

/// The axes of the smallest boxes around hulls, each hull searched once.
#[derive(Default)]
pub(crate) struct KnownAxes(Mutex<HashMap<Key, DMat3>>);

/// All that the axes depend on, to the last bit.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    is_surface_area: bool,
    vertices: Vec<[u64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl KnownAxes {
    /// Returns the axes of [`orientation`] with [`Fit::MinVolume`].
    pub(crate) fn smallest(&self, hull: &ConvexHull, objective: Objective) -> DMat3 {
        let search = || orientation(Fit::MinVolume, objective, hull, &[]);
        if hull.vertices().len() > MOST_VERTICES {
            return search();
        }
        let key = Key {
            is_surface_area: objective == Objective::SurfaceArea,
            vertices: hull.vertices().iter().map(|vertex| vertex.to_array().map(f64::to_bits)).collect(),
            triangles: hull.triangles().to_vec(),
        };
        // Two threads may search the same hull at the same time. Both find the same axes.
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(&key).copied();
        found.unwrap_or_else(|| {
            let axes = search();
            known().insert(key, axes);
            axes
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use test_models::Random;

    /// Asks twice for each hull, among them hulls that differ in one bit, and compares with a search.
    #[test]
    fn known_axes_are_those_of_a_search() {
        let (mut random, known) = (Random::new(3), KnownAxes::default());
        let mut points: Vec<DVec3> = Vec::new();
        for case in 0..60 {
            if case % 3 == 0 {
                let mut number = || random.below(2001) as f64 / 1000.0 - 1.0;
                points = (0..8 + case).map(|_| DVec3::new(number(), number(), 0.3 * number())).collect();
            } else {
                points[0].x = points[0].x.next_up();
            }
            let hull = ConvexHull::from_points(&points).unwrap();
            for objective in [Objective::Volume, Objective::SurfaceArea, Objective::Volume] {
                let expected = orientation(Fit::MinVolume, objective, &hull, &[]);
                assert_eq!(known.smallest(&hull, objective), expected);
            }
        }
        let kept = known.0.lock().unwrap().len();
        assert!(kept > 60, "{kept}");
    }
}
