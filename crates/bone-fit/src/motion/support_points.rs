//! A small selection of very many places, enough to choose the orientation of a box.

use crate::bounds::Bounds;
use glam::DVec3;

/// For each of a set of directions, the farthest point along the direction and the farthest point against it.
pub(crate) struct SupportPoints {
    directions: Directions,
    most: [f64; DIRECTIONS],
    least: [f64; DIRECTIONS],
    farthest: [[DVec3; 2]; DIRECTIONS],
    any: bool,
}

/// The number of directions. With their opposites there are 96, about 13 degrees from each other.
const DIRECTIONS: usize = 48;

/// Unit directions on half a sphere, as three lists.
struct Directions {
    x: [f64; DIRECTIONS],
    y: [f64; DIRECTIONS],
    z: [f64; DIRECTIONS],
}

impl Directions {
    /// Makes directions that are evenly spread by the golden angle.
    fn new() -> Self {
        const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
        let height = |index: usize| (index as f64 + 0.5) / DIRECTIONS as f64;
        let radius = |index: usize| (1.0 - height(index) * height(index)).sqrt();
        let angle = |index: usize| index as f64 * GOLDEN_ANGLE;
        Self {
            x: std::array::from_fn(|index| radius(index) * libm::cos(angle(index))),
            y: std::array::from_fn(height),
            z: std::array::from_fn(|index| radius(index) * libm::sin(angle(index))),
        }
    }
}

impl SupportPoints {
    pub(crate) fn new() -> Self {
        Self {
            directions: Directions::new(),
            most: [f64::NEG_INFINITY; DIRECTIONS],
            least: [f64::INFINITY; DIRECTIONS],
            farthest: [[DVec3::ZERO; 2]; DIRECTIONS],
            any: false,
        }
    }

    /// Returns `true` if a point in the bounds may be farther out than all points before, in any direction.
    pub(crate) fn may_grow_by(&self, bounds: &Bounds) -> bool {
        let Directions { x, y, z } = &self.directions;
        let (middle, half) = (bounds.center(), bounds.half_size());
        let rounding = 1e-14 * (middle.abs() + half).max_element();
        let mut outside = false;
        for index in 0..DIRECTIONS {
            let along = x[index] * middle.x + y[index] * middle.y + z[index] * middle.z;
            let reach = x[index].abs() * half.x + y[index].abs() * half.y + z[index].abs() * half.z + rounding;
            outside |= (along + reach > self.most[index]) | (along - reach < self.least[index]);
        }
        outside
    }

    #[inline]
    pub(crate) fn add(&mut self, point: DVec3) {
        let Directions { x, y, z } = &self.directions;
        let along: [f64; DIRECTIONS] =
            std::array::from_fn(|index| x[index] * point.x + y[index] * point.y + z[index] * point.z);
        // The loop has no early exit, so that the compiler turns it into one pass over lanes.
        let mut outside = false;
        for ((along, most), least) in along.iter().zip(&self.most).zip(&self.least) {
            outside |= (along > most) | (along < least);
        }
        if outside {
            self.extend(point, &along);
        }
    }

    #[cold]
    fn extend(&mut self, point: DVec3, along: &[f64; DIRECTIONS]) {
        self.any = true;
        for (index, &along) in along.iter().enumerate() {
            if along > self.most[index] {
                self.most[index] = along;
                self.farthest[index][0] = point;
            }
            if along < self.least[index] {
                self.least[index] = along;
                self.farthest[index][1] = point;
            }
        }
    }

    pub(crate) fn points(&self) -> Vec<DVec3> {
        if self.any { self.farthest.as_flattened().to_vec() } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_span_what_was_added() {
        let mut extremes = SupportPoints::new();
        assert!(extremes.points().is_empty());
        for k in 0..1000u32 {
            let wave = |factor: f64| (f64::from(k) * factor).fract() - 0.5;
            extremes.add(DVec3::new(wave(0.618), wave(0.755), wave(0.569)));
        }
        let long = crate::fit::extents(&glam::DMat3::IDENTITY, &extremes.points());
        assert!(long.min_element() > 0.95 && long.max_element() <= 1.0, "{long}");
    }
}
