//! Boxes in world space as kernels read them: records for gathering, lanes for one instruction on many.

use crate::BoxIndex;
use crate::kernels::NEAR_TOLERANCE;
use geometry_core::{MAX_COORDINATE, Obb};
use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// Boxes in one block; the widest kernel takes one block at a time.
pub(crate) const LANES: usize = 16;

/// One number of each box of a block.
pub(crate) type Row = [f32; LANES];

/// A box as sixteen numbers, one cache line: centre, half extents, axes (x, y, z), sum of the half extents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Record(pub(crate) [f32; 16]);

impl Record {
    /// No box: what fills unused places.
    pub(crate) const NONE: Self = Self([f32::NAN; 16]);

    pub(crate) fn new(center: Vec3, half: Vec3, axes: &Mat3) -> Self {
        let (c, h, [x, y, z]) = (center, half, [axes.x_axis, axes.y_axis, axes.z_axis]);
        let size = h.x + h.y + h.z;
        Self([c.x, c.y, c.z, h.x, h.y, h.z, x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z, size])
    }

    #[inline]
    fn three(&self, at: usize) -> Vec3 {
        Vec3::new(self.0[at], self.0[at + 1], self.0[at + 2])
    }

    #[inline]
    pub(crate) fn center(&self) -> Vec3 {
        self.three(0)
    }

    #[inline]
    pub(crate) fn half(&self) -> Vec3 {
        self.three(3)
    }

    #[inline]
    pub(crate) fn axes(&self) -> Mat3 {
        Mat3::from_cols(self.three(6), self.three(9), self.three(12))
    }

    #[inline]
    pub(crate) fn size(&self) -> f32 {
        self.0[15]
    }

    /// `None` where there is no box.
    #[inline]
    pub(crate) fn obb(&self) -> Option<Obb> {
        Obb::try_new(self.center(), self.half(), self.axes()).ok()
    }

    /// Around the box, enlarged by [`NEAR_TOLERANCE`].
    pub(crate) fn bounds(&self) -> Bounds {
        let (half, axes) = (self.half(), self.axes());
        let reach = axes.x_axis.abs() * half.x + axes.y_axis.abs() * half.y + axes.z_axis.abs() * half.z;
        // The smallest normal number covers what underflows in boxes of no size.
        let slack = self.size() * NEAR_TOLERANCE + f32::MIN_POSITIVE;
        let reach = reach + Vec3::splat(slack);
        Bounds { min: self.center() - reach, max: self.center() + reach }
    }

    /// Within what `geometry-core` computes with: finite, and not beyond its largest coordinate.
    pub(crate) fn is_in_range(&self) -> bool {
        self.0[..6].iter().all(|value| value.abs() <= MAX_COORDINATE)
    }
}

/// An axis-aligned box around something in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least corner; above [`Bounds::max`] where there is nothing.
    pub min: Vec3,
    /// Greatest corner.
    pub max: Vec3,
}

impl Bounds {
    /// Around nothing; touches nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Whether the two share a point; never with [`Bounds::EMPTY`].
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
            && self.min.z <= other.max.z
            && other.min.z <= self.max.z
    }

    /// Around both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Around all lanes. Plain loops over rows, which the compiler turns into the vectors of whichever kernel calls them.
    #[inline(always)]
    pub(crate) fn around(blocks: &[BoundsBlock]) -> Self {
        let mut bounds = Self::EMPTY;
        for c in 0..3 {
            let (mut min, mut max) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
            for block in blocks {
                // Comparisons, not `f32::min`: the compiler turns them into vectors.
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

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// The bounds of sixteen boxes. Lanes without a box are [`Bounds::EMPTY`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct BoundsBlock {
    pub(crate) min: [Row; 3],
    pub(crate) max: [Row; 3],
}

impl BoundsBlock {
    pub(crate) const EMPTY: Self = Self { min: [[f32::INFINITY; LANES]; 3], max: [[f32::NEG_INFINITY; LANES]; 3] };

    pub(crate) fn set(&mut self, lane: usize, bounds: &Bounds) {
        for c in 0..3 {
            self.min[c][lane] = bounds.min[c];
            self.max[c][lane] = bounds.max[c];
        }
    }

    /// The squared gap between the bounds of each lane and `bounds`; infinite where there is nothing.
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

/// Sixteen boxes, all of them in lanes.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) bounds: BoundsBlock,
    /// Row `i` holds number `i` of each box's [`Record`].
    pub(crate) rows: [Row; 16],
}

impl Block {
    const EMPTY: Self = Self { bounds: BoundsBlock::EMPTY, rows: [[f32::NAN; LANES]; 16] };
}

/// Sixteen boxes in joint space: rows of centre, half extents and axes (x, y, z), and one that is added to the reach of
/// the bounds: nothing for a box, and what makes [`Bounds::EMPTY`] of a lane without one, which is a point otherwise.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct ShapeBlock(pub(crate) [Row; 16]);

impl ShapeBlock {
    pub(crate) const EMPTY: Self = {
        let mut rows = [[0.0; LANES]; 16];
        (rows[6], rows[10], rows[14]) = ([1.0; LANES], [1.0; LANES], [1.0; LANES]);
        rows[15] = [f32::NEG_INFINITY; LANES];
        Self(rows)
    };

    pub(crate) fn set(&mut self, lane: usize, record: &Record) {
        self.0.iter_mut().zip(record.0).for_each(|(row, value)| row[lane] = value);
        self.0[15][lane] = 0.0;
    }
}

/// A hitbox in world space, at one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedHitbox {
    /// The hitbox, one of the character's.
    pub index: BoxIndex,
    /// The joint it is attached to.
    pub joint: JointIndex,
    /// World space.
    pub center: Vec3,
    /// Along [`PosedHitbox::axes`], world space unit; not negative.
    pub half_extents: Vec3,
    /// Columns are the box's unit axes in world space, right-handed.
    pub axes: Mat3,
}

impl PosedHitbox {
    pub(crate) fn new(index: BoxIndex, joint: JointIndex, record: &Record) -> Self {
        let (center, half_extents, axes) = (record.center(), record.half(), record.axes());
        Self { index, joint, center, half_extents, axes }
    }

    /// The box for `geometry-core`'s tests: corners, distances, rays and more.
    ///
    /// # Panics
    /// Where fields were changed so that they are no box: posing makes none such.
    pub fn obb(&self) -> Obb {
        Obb::new(self.center, self.half_extents, self.axes)
    }
}

/// Many boxes in lanes, for testing one box against all of them.
///
/// Characters have a layout of their own ([`crate::PosedCharacter`]); this one is for static boxes, and for whoever has boxes
/// without a skeleton.
///
/// ```
/// use geometry_core::Obb;
/// use glam::{Mat3, Vec3};
/// use runtime::{BoxLanes, kernels::Kernel};
///
/// let at = |x| Obb::new(Vec3::X * x, Vec3::ONE, Mat3::IDENTITY);
/// let mut lanes = BoxLanes::new();
/// (0..20u8).for_each(|i| lanes.push(&at(f32::from(i))));
/// let mut masks = Vec::new();
/// lanes.overlaps_box(&at(-1.0), Kernel::best(), &mut masks);
/// assert_eq!(masks, [0b11, 0]); // at 0 and, touching, at 1
/// ```
#[derive(Clone, Debug, Default)]
pub struct BoxLanes {
    pub(crate) blocks: Vec<Block>,
    len: usize,
}

impl BoxLanes {
    /// No boxes yet; nothing is allocated.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a box.
    pub fn push(&mut self, one: &Obb) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.blocks.push(Block::EMPTY);
        }
        let record = Record::new(one.center(), one.half_extents(), &one.axes());
        if let Some(block) = self.blocks.last_mut() {
            block.bounds.set(lane, &record.bounds());
            block.rows.iter_mut().zip(record.0).for_each(|(row, value)| row[lane] = value);
        }
        self.len += 1;
    }

    /// Forgets the boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// How many boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
