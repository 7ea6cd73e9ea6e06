//! The distance at which a face leaves a given share of the surface's places outside.

use glam::DVec3;

/// The number of equal parts of the distance from the standing extent to the farthest place.
pub(crate) const BINS: usize = 1024;

/// The amounts at each distance, along three axes.
pub(crate) struct Histogram {
    /// The largest distance along each axis. Nothing is counted along an axis with the largest distance 0.
    most: DVec3,
    bins: Vec<[f64; 3]>,
}

impl Histogram {
    pub(crate) fn new(most: DVec3) -> Self {
        Self { most, bins: vec![[0.0; 3]; BINS] }
    }

    #[inline]
    pub(crate) fn add(&mut self, out: DVec3, amount: f64) {
        if out.max_element() > 0.0 {
            for axis in (0..3).filter(|&axis| out[axis] > 0.0) {
                let bin = (out[axis] / self.most[axis] * BINS as f64) as usize;
                self.bins[bin.min(BINS - 1)][axis] += amount;
            }
        }
    }

    /// Returns the least distance of a face along each axis such that at most `left_out` lies beyond the face.
    pub(crate) fn reach(&self, left_out: f64) -> DVec3 {
        let along = |axis: usize| {
            let mut beyond = 0.0;
            let first_kept = self.bins.iter().rposition(|bin| {
                beyond += bin[axis];
                beyond > left_out
            });
            first_kept.map_or(0.0, |bin| (bin + 1) as f64 / BINS as f64 * self.most[axis])
        };
        DVec3::new(along(0), along(1), along(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorts the places and takes off the outermost places while their sum is at most `left_out`.
    fn reach_by_sorting(places: &mut [(f64, f64)], left_out: f64) -> f64 {
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut beyond = 0.0;
        let kept = places.iter().find(|(_, amount)| {
            beyond += amount;
            beyond > left_out
        });
        kept.map_or(0.0, |(out, _)| out.max(0.0))
    }

    #[test]
    fn a_histogram_reaches_as_far_as_a_sorted_list_to_one_bin() {
        let wave = |k: u32, factor: f64| (f64::from(k) * factor).fract();
        let place = |k: u32| (1.5 * wave(k, 0.618) * wave(k, 0.618) - 0.5, 0.1 + wave(k, 0.755));
        let mut places: Vec<(f64, f64)> = (0..500).map(place).collect();
        let most = places.iter().map(|place| place.0).fold(0.0, f64::max);
        let mut histogram = Histogram::new(DVec3::new(most, 2.0 * most, 0.0));
        places.iter().for_each(|&(out, amount)| histogram.add(DVec3::new(out, 2.0 * out, -1.0), amount));
        let all: f64 = places.iter().map(|place| place.1).sum();
        for left_out in [0.0, 0.01, 0.05, 0.2, 0.45].map(|share| share * all) {
            let expected = reach_by_sorting(&mut places, left_out);
            let found = histogram.reach(left_out);
            let bin = most / BINS as f64;
            assert!(found.x >= expected && found.x <= expected + 1.01 * bin, "{found} for {expected}");
            assert!((found.y - 2.0 * found.x).abs() < 1e-12 && found.z == 0.0);
        }
        assert_eq!(histogram.reach(all).x, 0.0);
    }
}
