//! Strips that divide a scene, and the order of bodies in strips.

use crate::Bounds;
use crate::kernels::layout::{BoundsBlock, LANES};

/// The sort key of a body, its place, and its lane before the sort.
pub(super) type SortedBody = (u64, u32, u32);

/// Returns `true` if the bounds are of a body that has boxes.
pub(super) fn has_boxes(bounds: &Bounds) -> bool {
    bounds.min.x <= bounds.max.x
}

/// The strips that bodies are sorted into.
pub(super) struct Strips {
    /// The axis (0 to 2) that the bodies of a strip are sorted along.
    pub(super) along: usize,
    /// The axis that strips divide.
    pub(super) across: usize,
    /// The number of strips, at least 1.
    pub(super) count: usize,
    /// The lower end of the first strip.
    start: f32,
    /// The number of strips in one unit of length.
    per_unit: f32,
}

impl Strips {
    /// Chooses the axes and the number of strips for some bodies. Any choice finds the same pairs of bodies.
    pub(super) fn new(blocks: &[BoundsBlock]) -> Self {
        /// The number of bodies of a strip that begin within the length of one body. So many bodies nearly fill a
        /// vector.
        const BESIDE: f64 = 12.0;
        /// The least width of a strip, in widths of a body. With this width, three of four bodies end in the strip in
        /// which they begin.
        const WIDTHS: f64 = 4.0;
        let (mut count, mut around) = (0.0, Bounds::EMPTY);
        let [mut sum, mut squares, mut sizes] = [glam::DVec3::ZERO; 3];
        let lanes = blocks.iter().flat_map(|block| (0..LANES).map(|lane| block.get(lane)));
        for bounds in lanes.filter(has_boxes) {
            let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
            let center = (min + max) * 0.5;
            (count, sum, squares) = (count + 1.0, sum + center, squares + center * center);
            sizes += max - min;
            around = around.union(&bounds);
        }
        let spread = (squares - sum * sum / count).to_array();
        let along = (1..3).fold(0, |widest, axis| if spread[axis] > spread[widest] { axis } else { widest });
        let [one, other] = [(along + 1) % 3, (along + 2) % 3];
        let across = if spread[other] > spread[one] { other } else { one };
        let size = (sizes / count).to_array();
        let length = |axis: usize| f64::from(around.max[axis]) - f64::from(around.min[axis]);
        // Without bodies, or if all bodies are points in one place, this is NaN, and the result is one strip.
        let strips = (count * size[along] / (BESIDE * length(along))).min(length(across) / (WIDTHS * size[across]));
        let count = strips.min(count / BESIDE).max(1.0) as usize;
        let per_unit = (count as f64 / length(across)) as f32;
        let per_unit = if per_unit.is_finite() { per_unit } else { 0.0 };
        Self { along, across, count, start: around.min[across], per_unit }
    }

    /// The strip that a coordinate lies in. A greater coordinate never gives a lesser strip, so bounds that overlap
    /// those of a body are found in the strips from the body's lower end to its upper end.
    pub(super) fn strip(&self, coordinate: f32) -> usize {
        (((coordinate - self.start) * self.per_unit) as usize).min(self.count - 1)
    }

    /// The sort key of a body: its strip, then the lower end of its bounds.
    pub(super) fn key(&self, bounds: &Bounds) -> u64 {
        let bits = bounds.min[self.along].to_bits();
        // The changed bits sort like the numbers.
        let bits = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        (self.strip(bounds.min[self.across]) as u64) << 32 | u64::from(bits)
    }

    /// The strip of a body with this sort key.
    pub(super) fn strip_of(key: u64) -> usize {
        (key >> 32) as usize
    }
}

/// Insertion sort if little has moved, otherwise the standard library's unstable sort. Neither sort allocates.
pub(super) fn sort_bodies(bodies: &mut [SortedBody]) {
    let mut budget = 8 * bodies.len();
    for end in 1..bodies.len() {
        let one = bodies[end];
        let mut place = end;
        while place > 0 && one < bodies[place - 1] {
            bodies[place] = bodies[place - 1];
            place -= 1;
        }
        bodies[place] = one;
        budget = budget.saturating_sub(end - place);
        if budget == 0 {
            bodies.sort_unstable();
            return;
        }
    }
}
