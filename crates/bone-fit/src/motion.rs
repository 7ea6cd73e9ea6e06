//! Where corners go in their joint's space while the character moves.
//!
//! Posed exactly, with all interpolated weights, and taken back by the inverse of the joint's matrix. A corner that
//! only its own joint moves stays where it is and is not looked at again.
//!
//! Memory is bounded by the corners and the joints that move them, not by the number of moments.

use crate::clips::Frames;
use crate::patch::Patch;
use crate::surface::{Surface, affine_to_f64};
use glam::{DAffine3, DMat3, DVec3};
use skeleton::JointIndex;

/// A joint shrunk below this share of its rest scale along any axis is taken as not there: what is skinned to it alone
/// is a point, and nothing else has a place in its space.
pub const COLLAPSED: f64 = 0.01;

/// Moments whose matrices are kept at a time: with half a dozen joints they fit a core's cache.
const CHUNK: usize = 256;

/// A patch in motion.
pub(crate) struct Motion<'a> {
    surface: &'a Surface<'a>,
    frames: &'a Frames,
    joint: JointIndex,
    /// Of the corners that move, without repeats, sorted.
    bindings: Vec<u32>,
    /// Corners that move, with where their terms start.
    corners: Vec<(u32, usize)>,
    /// Of each of `corners`, its share of the area of the polygons around it, as bound.
    areas: Vec<f64>,
    /// Index into `bindings`, weighted point, weight.
    terms: Vec<(u32, DVec3, f64)>,
}

/// `joint_from_model`, unless the joint has collapsed. `scale` is its rest scale.
pub(crate) fn inverse_unless_collapsed(model_from_joint: &DAffine3, scale: f64) -> Option<DAffine3> {
    let linear = model_from_joint.matrix3;
    let inverse = linear.inverse();
    // The reciprocal length of a row is how thick a unit cube still is along that axis.
    let rows = inverse.transpose();
    let longest = [rows.x_axis, rows.y_axis, rows.z_axis].into_iter().map(DVec3::length).fold(0.0, f64::max);
    let there = inverse.is_finite() && longest * scale * COLLAPSED <= 1.0 && linear.determinant() != 0.0;
    there.then(|| DAffine3 { matrix3: inverse, translation: -(inverse * model_from_joint.translation) })
}

impl<'a> Motion<'a> {
    pub(crate) fn new(surface: &'a Surface<'a>, frames: &'a Frames, joint: JointIndex, patch: &Patch) -> Self {
        let moving: Vec<usize> =
            (0..patch.corners.len()).filter(|&corner| !patch.is_rigid(corner, joint, &surface.bindings)).collect();
        let all_terms = || moving.iter().flat_map(|&corner| patch.terms(corner));
        let mut bindings: Vec<u32> = all_terms().map(|term| term.binding).collect();
        bindings.sort_unstable();
        bindings.dedup();
        let local = |binding: u32| bindings.partition_point(|&known| known < binding) as u32;
        let terms = all_terms().map(|term| (local(term.binding), term.point, term.weight)).collect();
        let of_all = patch.corner_areas();
        let areas = moving.iter().map(|&corner| of_all[corner]).collect();
        let mut first = 0;
        let corners = moving
            .iter()
            .map(|&corner| {
                let starts = first;
                first += patch.terms(corner).len();
                (corner as u32, starts)
            })
            .collect();
        Self { surface, frames, joint, bindings, corners, areas, terms }
    }

    /// How many corners move.
    pub(crate) fn corners(&self) -> usize {
        self.corners.len()
    }

    /// Calls `visit(moving corner, its places in joint space)` for those that are `wanted`, at every moment the joint has
    /// not collapsed in: a stretch of moments after the other, in each a corner after the other.
    pub(crate) fn visit(&self, wanted: impl Fn(usize) -> bool, mut visit: impl FnMut(usize, &[DVec3])) {
        let wanted: Vec<usize> = (0..self.corners.len()).filter(|&corner| wanted(corner)).collect();
        if wanted.is_empty() {
            return;
        }
        let mut matrices: Vec<DAffine3> = Vec::with_capacity(CHUNK * self.bindings.len());
        let mut places: Vec<DVec3> = Vec::with_capacity(CHUNK);
        for start in (0..self.frames.len()).step_by(CHUNK) {
            matrices.clear();
            for frame in start..(start + CHUNK).min(self.frames.len()) {
                self.push_matrices(frame, &mut matrices);
            }
            for &corner in &wanted {
                let end = self.corners.get(corner + 1).map_or(self.terms.len(), |(_, starts)| *starts);
                let terms = &self.terms[self.corners[corner].1..end];
                places.clear();
                places.extend(matrices.chunks_exact(self.bindings.len()).map(|joint_from_mesh| {
                    terms.iter().fold(DVec3::ZERO, |at, &(binding, point, weight)| {
                        let matrix = &joint_from_mesh[binding as usize];
                        at + (matrix.matrix3 * point + weight * matrix.translation)
                    })
                }));
                visit(corner, &places);
            }
        }
    }

    /// Every place at every moment, corner after corner in each stretch of moments.
    pub(crate) fn places(&self) -> Vec<DVec3> {
        let mut all = Vec::new();
        self.visit(|_| true, |_, places| all.extend_from_slice(places));
        all
    }

    /// From each binding's mesh to this joint's space; nothing where the joint has collapsed.
    fn push_matrices(&self, frame: usize, matrices: &mut Vec<DAffine3>) {
        let pose = self.frames.pose(frame);
        let model_from_joint = affine_to_f64(&pose[self.joint.index()]);
        let Some(joint_from_model) = inverse_unless_collapsed(&model_from_joint, self.surface.scale(self.joint)) else {
            return;
        };
        for &binding in &self.bindings {
            let binding = &self.surface.bindings[binding as usize];
            matrices.push(if binding.joint == self.joint {
                binding.joint_from_mesh
            } else {
                joint_from_model * affine_to_f64(&pose[binding.joint.index()]) * binding.joint_from_mesh
            });
        }
    }

    /// Looks at every place once; at the extremes only where they are asked for.
    pub(crate) fn survey(&self, with_extremes: bool) -> Survey {
        let mut survey = Survey { bounds: vec![Extent::EMPTY; self.corners()], moments: 0, extremes: Vec::new() };
        let mut extremes = Extremes::new();
        self.visit(
            |_| true,
            |corner, places| {
                let mut stretch = Extent::EMPTY;
                places.iter().for_each(|&at| stretch.add(at));
                survey.bounds[corner].add(stretch.low);
                survey.bounds[corner].add(stretch.high);
                survey.moments += if corner == 0 { places.len() } else { 0 };
                if with_extremes && extremes.may_grow_by(&stretch) {
                    places.iter().for_each(|&at| extremes.add(at));
                }
            },
        );
        survey.extremes = extremes.points();
        survey
    }

    /// The extent along some axes of all places and of what stands; empty where no place is outside of that.
    pub(crate) fn extent(&self, axes: &DMat3, survey: &Survey, standing: &Extent) -> Extent {
        let rows = axes.transpose();
        let mut extent = *standing;
        survey.extremes.iter().for_each(|&at| extent.add(rows * at));
        let known = extent;
        self.visit(
            |corner| !known.surely_holds(&rows, &survey.bounds[corner]),
            |_, places| places.iter().for_each(|&at| extent.add(rows * at)),
        );
        if extent == *standing { Extent::EMPTY } else { extent }
    }

    /// The extent along some axes of the central share `keep` of where the moving surface is over the moments, and all
    /// of what stands: past each face lies `(1 - keep) / 2` of all places at most, each corner counted with its share of
    /// the area, so that tessellation does not matter. Empty where that is no more than what stands.
    ///
    /// A face is at most a [`BINS`]th of the way from `standing` to the farthest place too far out.
    pub(crate) fn central_extent(&self, axes: &DMat3, keep: f64, survey: &Survey, standing: &Extent) -> Extent {
        let full = self.extent(axes, survey, standing);
        if full.is_empty() {
            return full;
        }
        let rows = axes.transpose();
        let mut above = Histogram::new(full.high - standing.high);
        let mut below = Histogram::new(standing.low - full.low);
        self.visit(
            |corner| !standing.surely_holds(&rows, &survey.bounds[corner]),
            |corner, places| {
                for along in places.iter().map(|&at| rows * at) {
                    above.add(along - standing.high, self.areas[corner]);
                    below.add(standing.low - along, self.areas[corner]);
                }
            },
        );
        let left_out = (1.0 - keep) * 0.5 * self.areas.iter().sum::<f64>() * survey.moments as f64;
        let central = Extent { low: standing.low - below.reach(left_out), high: standing.high + above.reach(left_out) };
        if central == *standing { Extent::EMPTY } else { central }
    }
}

/// What a look at every place of the moving corners found.
pub(crate) struct Survey {
    /// Of each moving corner, along the joint's axes.
    bounds: Vec<Extent>,
    /// In how many moments the joint was there.
    moments: usize,
    /// The farthest places along many directions: what an orientation can be chosen by. Empty if not asked for.
    pub(crate) extremes: Vec<DVec3>,
}

/// Parts that each way out of the standing extent is cut into.
const BINS: usize = 1024;

/// How much is how far out, along three axes.
struct Histogram {
    /// The farthest out along each axis; nothing is counted where that is 0.
    most: DVec3,
    bins: Vec<[f64; 3]>,
}

impl Histogram {
    fn new(most: DVec3) -> Self {
        Self { most, bins: vec![[0.0; 3]; BINS] }
    }

    #[inline]
    fn add(&mut self, out: DVec3, amount: f64) {
        if out.max_element() > 0.0 {
            for axis in (0..3).filter(|&axis| out[axis] > 0.0) {
                let bin = (out[axis] / self.most[axis] * BINS as f64) as usize;
                self.bins[bin.min(BINS - 1)][axis] += amount;
            }
        }
    }

    /// How far out a face must be along each axis for no more than `left_out` to lie beyond.
    fn reach(&self, left_out: f64) -> DVec3 {
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

/// An interval along each of three axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Extent {
    pub(crate) const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    pub(crate) fn add(&mut self, along: DVec3) {
        self.low = self.low.min(along);
        self.high = self.high.max(along);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low.x > self.high.x
    }

    /// Whether a box, given in the space that `rows` takes to this extent's axes, is inside for certain.
    fn surely_holds(&self, rows: &DMat3, bounds: &Self) -> bool {
        let (middle, half) = (0.5 * (bounds.low + bounds.high), 0.5 * (bounds.high - bounds.low));
        let reach = DMat3::from_cols(rows.x_axis.abs(), rows.y_axis.abs(), rows.z_axis.abs()) * half;
        // Rounding moves neither side by more than a few units in the last place of the largest number.
        let rounding = DVec3::splat(1e-14 * (middle.abs() + half).max_element());
        let (low, high) = (*rows * middle - reach - rounding, *rows * middle + reach + rounding);
        low.cmpge(self.low).all() && high.cmple(self.high).all()
    }
}

/// The farthest point each way along a set of directions.
struct Extremes {
    directions: Directions,
    most: [f64; DIRECTIONS],
    least: [f64; DIRECTIONS],
    farthest: [[DVec3; 2]; DIRECTIONS],
    any: bool,
}

/// With both ways 96 directions: about 13 degrees from one to the next.
const DIRECTIONS: usize = 48;

/// Unit directions on half a sphere, as three lists.
struct Directions {
    x: [f64; DIRECTIONS],
    y: [f64; DIRECTIONS],
    z: [f64; DIRECTIONS],
}

impl Directions {
    /// Evenly spread by the golden angle.
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

impl Extremes {
    fn new() -> Self {
        Self {
            directions: Directions::new(),
            most: [f64::NEG_INFINITY; DIRECTIONS],
            least: [f64::INFINITY; DIRECTIONS],
            farthest: [[DVec3::ZERO; 2]; DIRECTIONS],
            any: false,
        }
    }

    /// Whether a place in the box may be farther out than all before, in any direction.
    fn may_grow_by(&self, bounds: &Extent) -> bool {
        let Directions { x, y, z } = &self.directions;
        let (middle, half) = (0.5 * (bounds.low + bounds.high), 0.5 * (bounds.high - bounds.low));
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
    fn add(&mut self, point: DVec3) {
        let Directions { x, y, z } = &self.directions;
        let along: [f64; DIRECTIONS] =
            std::array::from_fn(|index| x[index] * point.x + y[index] * point.y + z[index] * point.z);
        // No early way out: the compiler makes this one pass over lanes.
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

    fn points(&self) -> Vec<DVec3> {
        if self.any { self.farthest.as_flattened().to_vec() } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sorted, the outermost taken off while they are no more than may be left out.
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

    #[test]
    fn a_joint_without_thickness_has_collapsed() {
        let scaled = |x, y, z| DAffine3 { matrix3: DMat3::from_diagonal(DVec3::new(x, y, z)), translation: DVec3::ONE };
        assert!(inverse_unless_collapsed(&scaled(100.0, 100.0, 100.0), 100.0).is_some());
        assert!(inverse_unless_collapsed(&scaled(100.0, -100.0, 50.0), 100.0).is_some());
        assert!(inverse_unless_collapsed(&scaled(0.0, 0.0, 0.0), 100.0).is_none());
        assert!(inverse_unless_collapsed(&scaled(100.0, 100.0, 0.5), 100.0).is_none());
        let inverse = inverse_unless_collapsed(&scaled(2.0, 4.0, 1.0), 2.0).unwrap();
        assert_eq!(inverse.transform_point3(DVec3::new(3.0, 5.0, 2.0)), DVec3::ONE);
    }

    #[test]
    fn extremes_span_what_was_added() {
        let mut extremes = Extremes::new();
        assert!(extremes.points().is_empty());
        for k in 0..1000u32 {
            let wave = |factor: f64| (f64::from(k) * factor).fract() - 0.5;
            extremes.add(DVec3::new(wave(0.618), wave(0.755), wave(0.569)));
        }
        let long = crate::fit::extents(&DMat3::IDENTITY, &extremes.points());
        assert!(long.min_element() > 0.95 && long.max_element() <= 1.0, "{long}");
    }
}
