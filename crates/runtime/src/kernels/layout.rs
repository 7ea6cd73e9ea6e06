//! The layout of boxes in memory: records for gathering, and lanes for vector instructions.

use super::NEAR_TOLERANCE;
use super::bounds::Bounds;
use super::set_bits::set_bits;
use geometry_core::{MAX_COORDINATE, Obb};
use glam::{Affine3A, Mat3, Vec3, Vec4};
use skeleton::JointIndex;

/// The number of lanes in one block; the widest kernel takes one block at a time.
pub(crate) const LANES: usize = 16;

/// One number of each box of a block.
pub(crate) type Row = [f32; LANES];

/// The places of a box's numbers in a [`ShapeBlock`]: rows `CENTER` to `CENTER + 2` are x, y and z. A [`Record`] has the
/// numbers before [`row::AXIS_Z`].
pub(crate) mod row {
    pub(crate) const CENTER: usize = 0;
    pub(crate) const HALF: usize = 3;
    pub(crate) const AXIS_X: usize = 6;
    pub(crate) const AXIS_Y: usize = 9;
    pub(crate) const AXIS_Z: usize = 12;
    /// The amount that is added to the reach of bounds.
    pub(crate) const REACH: usize = 15;
    pub(crate) const COUNT: usize = 16;
}

/// Numbers that kernels read and write four at a time.
pub(crate) trait Quarters {
    /// Numbers `4 * index` to `4 * index + 4`.
    fn quarter(&self, index: usize) -> Vec4;
    /// Sets numbers `4 * index` to `4 * index + 4`.
    fn set_quarter(&mut self, index: usize, numbers: Vec4);
}

/// A posed box as twelve numbers: center, half extents, axis x and axis y, see [`row`].
///
/// Axis z is the [cross product](cross) of the other two and is not stored: fewer bytes make a crowd faster, and computing
/// it costs a kernel no more than reading three further numbers of each box.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Record([Vec4; 3]);

impl Quarters for Record {
    #[inline(always)]
    fn quarter(&self, index: usize) -> Vec4 {
        self.0[index]
    }

    #[inline(always)]
    fn set_quarter(&mut self, index: usize, numbers: Vec4) {
        self.0[index] = numbers;
    }
}

impl Record {
    /// The record of unused places, which holds no box.
    pub(crate) const NONE: Self = Self([Vec4::NAN; 3]);

    /// The record of a box with these axes x and y; its axis z is their [cross product](cross).
    pub(crate) fn new(center: Vec3, half: Vec3, [x, y]: [Vec3; 2]) -> Self {
        Self([center.extend(half.x), Vec4::new(half.y, half.z, x.x, x.y), Vec4::new(x.z, y.x, y.y, y.z)])
    }

    /// The record of any box. Its axis z is replaced by the cross product of the other axes, which differs from axis z by
    /// rounding only, because an `Obb` has right-handed axes.
    pub(crate) fn of_box(one: &Obb) -> Self {
        Self::new(one.center(), one.half_extents(), [one.axes().x_axis, one.axes().y_axis])
    }

    #[inline]
    pub(crate) fn center(&self) -> Vec3 {
        self.0[0].truncate()
    }

    #[inline]
    pub(crate) fn half(&self) -> Vec3 {
        Vec3::new(self.0[0].w, self.0[1].x, self.0[1].y)
    }

    /// Axes x and y.
    #[inline]
    pub(crate) fn two_axes(&self) -> [Vec3; 2] {
        let [_, middle, last] = self.0;
        [Vec3::new(middle.z, middle.w, last.x), Vec3::new(last.y, last.z, last.w)]
    }

    #[inline]
    pub(crate) fn axes(&self) -> Mat3 {
        let [x, y] = self.two_axes();
        Mat3::from_cols(x, y, cross(x, y))
    }

    /// The box of the record; `None` if the record holds no box.
    #[cfg(any(test, feature = "serde"))]
    pub(crate) fn obb(&self) -> Option<Obb> {
        Obb::try_new(self.center(), self.half(), self.axes()).ok()
    }

    /// The box of a record that was posed, or made of a box.
    #[inline]
    pub(crate) fn posed_obb(&self) -> Obb {
        Obb::from_valid_parts(self.center(), self.half(), self.axes())
    }

    /// The bounds of the box, enlarged by [`NEAR_TOLERANCE`].
    pub(crate) fn bounds(&self) -> Bounds {
        bounds_of_box(self.center(), self.half(), &self.axes())
    }

    /// Returns `true` if the box is in the range of `geometry-core`: finite, and not beyond its largest coordinate.
    pub(crate) fn is_in_range(&self) -> bool {
        let in_range = |three: Vec3| three.to_array().iter().all(|value| value.abs() <= MAX_COORDINATE);
        in_range(self.center()) && in_range(self.half())
    }
}

#[inline]
pub(super) fn dot(a: Vec3, b: Vec3) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z
}

/// The cross product, each product and each difference rounded once. Axis z of every posed box is that of its axes x and
/// y, so that a [`Record`] does not need to store it.
#[inline]
pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}

/// The bounds of a box, enlarged by [`NEAR_TOLERANCE`].
pub(crate) fn bounds_of_box(center: Vec3, half: Vec3, axes: &Mat3) -> Bounds {
    let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
    // The smallest normal number covers underflow in boxes of size zero.
    let slack = (half.x + half.y + half.z) * NEAR_TOLERANCE + f32::MIN_POSITIVE;
    let reach = reach + Vec3::splat(slack);
    Bounds { min: center - reach, max: center + reach }
}

/// Sixteen numbers in one cache line: a matrix by columns, or what `envelopes` gathers for one box or mover.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Fours(pub(super) Row);

impl Fours {
    pub(crate) const NAN: Self = Self([f32::NAN; LANES]);
    pub(super) const ZERO: Self = Self([0.0; LANES]);
}

impl Quarters for Fours {
    #[inline(always)]
    fn quarter(&self, index: usize) -> Vec4 {
        Vec4::from_slice(&self.0[4 * index..])
    }

    #[inline(always)]
    fn set_quarter(&mut self, index: usize, numbers: Vec4) {
        numbers.write_to_slice(&mut self.0[4 * index..]);
    }
}

/// A point is one quarter.
impl Quarters for Vec4 {
    #[inline(always)]
    fn quarter(&self, _: usize) -> Vec4 {
        *self
    }

    #[inline(always)]
    fn set_quarter(&mut self, _: usize, numbers: Vec4) {
        *self = numbers;
    }
}

impl Bounds {
    /// The union of the bounds of all lanes. Plain loops over rows, which the compiler vectorizes for the kernel that
    /// calls them.
    #[inline(always)]
    pub(crate) fn around(blocks: &[BoundsBlock]) -> Self {
        let mut bounds = Self::EMPTY;
        for c in 0..3 {
            let (mut min, mut max) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
            for block in blocks {
                // Comparisons instead of `f32::min`, because the compiler vectorizes comparisons.
                for lane in 0..LANES {
                    let (low, high) = (block.min[c][lane], block.max[c][lane]);
                    min[lane] = if low < min[lane] { low } else { min[lane] };
                    max[lane] = if high > max[lane] { high } else { max[lane] };
                }
            }
            let mut half = LANES / 2;
            while half > 0 {
                for lane in 0..half {
                    min[lane] = if min[lane + half] < min[lane] { min[lane + half] } else { min[lane] };
                    max[lane] = if max[lane + half] > max[lane] { max[lane + half] } else { max[lane] };
                }
                half /= 2;
            }
            (bounds.min[c], bounds.max[c]) = (min[0], max[0]);
        }
        bounds
    }
}

/// The bounds of sixteen boxes. Lanes without a box are [`Bounds::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct BoundsBlock {
    pub(crate) min: [Row; 3],
    pub(crate) max: [Row; 3],
}

/// The union of the bounds of some lanes: a mask for each block.
pub(crate) fn wanted_bounds(blocks: &[BoundsBlock], masks: &[u16]) -> Bounds {
    let lanes = blocks.iter().zip(masks).flat_map(|(block, &mask)| set_bits(mask).map(|lane| block.get(lane)));
    lanes.fold(Bounds::EMPTY, |around, one| around.union(&one))
}

impl BoundsBlock {
    pub(crate) const EMPTY: Self = Self { min: [[f32::INFINITY; LANES]; 3], max: [[f32::NEG_INFINITY; LANES]; 3] };

    pub(crate) fn set(&mut self, lane: usize, bounds: &Bounds) {
        for c in 0..3 {
            self.min[c][lane] = bounds.min[c];
            self.max[c][lane] = bounds.max[c];
        }
    }

    /// Enlarges the bounds of a lane so that they contain `bounds`.
    pub(crate) fn grow(&mut self, lane: usize, bounds: &Bounds) {
        let all = self.get(lane).union(bounds);
        self.set(lane, &all);
    }

    /// Enlarges the bounds of all lanes. A lane without a box stays empty.
    pub(crate) fn enlarge(&mut self, by: f32) {
        for c in 0..3 {
            self.min[c].iter_mut().for_each(|min| *min -= by);
            self.max[c].iter_mut().for_each(|max| *max += by);
        }
    }

    /// Enlarges the bounds of each lane so that they contain those of the other block.
    pub(crate) fn unite(&mut self, other: &Self) {
        for c in 0..3 {
            self.min[c]
                .iter_mut()
                .zip(&other.min[c])
                .for_each(|(min, other)| *min = if *other < *min { *other } else { *min });
            self.max[c]
                .iter_mut()
                .zip(&other.max[c])
                .for_each(|(max, other)| *max = if *other > *max { *other } else { *max });
        }
    }

    /// The bounds of the image of each lane under a matrix, rounded to nearest. A lane without a box stays empty.
    pub(crate) fn transformed(&self, matrix: &Affine3A) -> Self {
        let columns = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis].map(|axis| axis.to_array());
        let translation = matrix.translation.to_array();
        let mut image = Self::EMPTY;
        for c in 0..3 {
            let (mut at, mut reach) = ([translation[c]; LANES], [0.0; LANES]);
            for (column, (min, max)) in columns.iter().zip(self.min.iter().zip(&self.max)) {
                let factor = 0.5 * column[c];
                for lane in 0..LANES {
                    at[lane] += factor * (min[lane] + max[lane]);
                    reach[lane] += factor.abs() * (max[lane] - min[lane]);
                }
            }
            for lane in 0..LANES {
                let is_empty = self.min[0][lane] > self.max[0][lane];
                image.min[c][lane] = if is_empty { f32::INFINITY } else { at[lane] - reach[lane] };
                image.max[c][lane] = if is_empty { f32::NEG_INFINITY } else { at[lane] + reach[lane] };
            }
        }
        image
    }

    /// Copies one lane of `from` to a lane of this block.
    #[inline(always)]
    pub(super) fn copy_lane(&mut self, lane: usize, from: &Self, of: usize) {
        for c in 0..3 {
            self.min[c][lane] = from.min[c][of];
            self.max[c][lane] = from.max[c][of];
        }
    }

    /// The squared gap between `bounds` and the bounds of each lane; infinite for a lane without a box.
    #[inline(always)]
    pub(crate) fn squared_gaps(&self, bounds: &Bounds, squares: &mut Row) {
        *squares = [0.0; LANES];
        for c in 0..3 {
            let (min, max) = (bounds.min[c], bounds.max[c]);
            for (square, (low, high)) in squares.iter_mut().zip(self.min[c].iter().zip(&self.max[c])) {
                let (below, above) = (min - high, low - max);
                let apart = if below > above { below } else { above };
                let apart = if apart > 0.0 { apart } else { 0.0 };
                *square += apart * apart;
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, lane: usize) -> Bounds {
        let three = |rows: &[Row; 3]| Vec3::new(rows[0][lane], rows[1][lane], rows[2][lane]);
        Bounds { min: three(&self.min), max: three(&self.max) }
    }
}

/// A box in joint space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    pub(crate) joint: JointIndex,
    pub(crate) center: Vec3,
    pub(crate) half: Vec3,
    /// `joint_from_box`.
    pub(crate) axes: Mat3,
}

/// Sixteen boxes in joint space: rows of center, half extents and axes (x, y, z), and a row that is added to the reach
/// of the bounds. This row is 0 for a box. In a lane without a box it is minus infinity, which makes the bounds
/// [`Bounds::EMPTY`]; with 0 the bounds would be a point.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct ShapeBlock(pub(super) [Row; row::COUNT]);

impl ShapeBlock {
    pub(crate) const EMPTY: Self = {
        let mut rows = [[0.0; LANES]; row::COUNT];
        rows[row::AXIS_X] = [1.0; LANES];
        rows[row::AXIS_Y + 1] = [1.0; LANES];
        rows[row::AXIS_Z + 2] = [1.0; LANES];
        rows[row::REACH] = [f32::NEG_INFINITY; LANES];
        Self(rows)
    };

    pub(crate) fn set(&mut self, lane: usize, one: &Shape) {
        let axes = [one.axes.x_axis, one.axes.y_axis, one.axes.z_axis];
        let numbers = [one.center, one.half].into_iter().chain(axes).flat_map(|three| three.to_array());
        self.0.iter_mut().zip(numbers).for_each(|(row, number)| row[lane] = number);
        self.0[row::REACH][lane] = 0.0;
    }
}
