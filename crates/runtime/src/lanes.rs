//! Boxes in world space, stored component by component so that one instruction handles many.

use crate::kernels::NEAR_TOLERANCE;
use geometry_core::{MAX_COORDINATE, Obb};
use glam::{Mat3, Vec3};
use skeleton::JointIndex;

/// Boxes in one block; the widest kernel takes one block at a time.
pub(crate) const LANES: usize = 16;

/// One number of each box of a block.
pub(crate) type Row = [f32; LANES];

/// Sixteen boxes. Lanes without a box have a NaN centre, which no comparison lets touch anything.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) center: [Row; 3],
    /// Half sizes of the axis-aligned box around each box, enlarged by `NEAR_TOLERANCE`.
    pub(crate) extent: [Row; 3],
    /// Of the sphere around each box, enlarged by `NEAR_TOLERANCE`. What quick rejects read ends here.
    pub(crate) radius: Row,
    /// The sum of the half extents.
    pub(crate) size: Row,
    pub(crate) half: [Row; 3],
    /// `axes[k][c]`: component `c` of axis `k`.
    pub(crate) axes: [[Row; 3]; 3],
}

impl Block {
    pub(crate) const EMPTY: Self = Self {
        center: [[f32::NAN; LANES]; 3],
        half: [[0.0; LANES]; 3],
        axes: [[[0.0; LANES]; 3]; 3],
        extent: [[0.0; LANES]; 3],
        radius: [0.0; LANES],
        size: [0.0; LANES],
    };

    pub(crate) fn set(&mut self, lane: usize, one: &Lane) {
        for c in 0..3 {
            self.center[c][lane] = one.center[c];
            self.half[c][lane] = one.half[c];
            self.extent[c][lane] = one.extent[c];
            for k in 0..3 {
                self.axes[k][c][lane] = one.axes[k][c];
            }
        }
        self.radius[lane] = one.radius;
        self.size[lane] = one.size;
    }

    #[inline]
    pub(crate) fn get(&self, lane: usize) -> Lane {
        let three = |rows: &[Row; 3]| [rows[0][lane], rows[1][lane], rows[2][lane]];
        Lane {
            center: three(&self.center),
            half: three(&self.half),
            axes: [three(&self.axes[0]), three(&self.axes[1]), three(&self.axes[2])],
            extent: three(&self.extent),
            radius: self.radius[lane],
            size: self.size[lane],
        }
    }
}

/// One box with what the kernels want to know about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lane {
    pub(crate) center: [f32; 3],
    pub(crate) half: [f32; 3],
    pub(crate) axes: [[f32; 3]; 3],
    pub(crate) extent: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) size: f32,
}

impl Lane {
    pub(crate) fn new(center: Vec3, half: Vec3, axes: &Mat3) -> Self {
        let cols = [axes.x_axis, axes.y_axis, axes.z_axis];
        let size = half.x + half.y + half.z;
        // The smallest normal number covers what underflows in boxes of no size.
        let slack = size * NEAR_TOLERANCE + f32::MIN_POSITIVE;
        let extent = cols[0].abs() * half.x + cols[1].abs() * half.y + cols[2].abs() * half.z;
        let radius = (half.x * half.x + half.y * half.y + half.z * half.z).sqrt();
        Self {
            center: center.to_array(),
            half: half.to_array(),
            axes: cols.map(|axis| axis.to_array()),
            extent: (extent + Vec3::splat(slack)).to_array(),
            radius: radius + slack,
            size,
        }
    }

    /// Within what `geometry-core` computes with: finite, and not beyond its largest coordinate.
    pub(crate) fn is_in_range(&self) -> bool {
        self.center.iter().chain(&self.half).all(|value| value.abs() <= MAX_COORDINATE)
    }

    /// `None` for a lane without a box.
    pub(crate) fn obb(&self) -> Option<Obb> {
        let axes = Mat3::from_cols(self.axes[0].into(), self.axes[1].into(), self.axes[2].into());
        Obb::try_new(self.center.into(), self.half.into(), axes).ok()
    }
}

/// A box in world space and whose it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedBox {
    /// The joint it moves with.
    pub joint: JointIndex,
    /// World space.
    pub center: Vec3,
    /// Along [`PosedBox::axes`], world space unit; not negative.
    pub half_extents: Vec3,
    /// Columns are the box's unit axes in world space, right-handed.
    pub axes: Mat3,
}

impl PosedBox {
    /// The box for `geometry-core`'s tests: corners, distances, rays and more.
    #[allow(clippy::missing_panics_doc, reason = "posing makes no other boxes")]
    pub fn obb(&self) -> Obb {
        Obb::new(self.center, self.half_extents, self.axes)
    }
}

/// Boxes in world space in lanes: what the kernels read.
///
/// ```
/// use geometry_core::Obb;
/// use glam::{Mat3, Vec3};
/// use runtime::{BoxLanes, kernels::Kernel};
/// use skeleton::JointIndex;
///
/// let at = |x| Obb::new(Vec3::X * x, Vec3::ONE, Mat3::IDENTITY);
/// let mut lanes = BoxLanes::new();
/// (0..20).for_each(|i| lanes.push(JointIndex(i), &at(f32::from(i))));
/// let mut masks = Vec::new();
/// lanes.overlaps_box(&at(-1.0), Kernel::best(), &mut masks);
/// assert_eq!(masks, [0b11, 0]); // at 0 and, touching, at 1
/// ```
#[derive(Clone, Debug, Default)]
pub struct BoxLanes {
    pub(crate) blocks: Vec<Block>,
    pub(crate) joints: Vec<JointIndex>,
}

impl BoxLanes {
    /// No boxes yet; nothing is allocated.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a box.
    pub fn push(&mut self, joint: JointIndex, one: &Obb) {
        self.push_lane(joint, &Lane::new(one.center(), one.half_extents(), &one.axes()));
    }

    pub(crate) fn push_lane(&mut self, joint: JointIndex, one: &Lane) {
        let lane = self.joints.len() % LANES;
        if lane == 0 {
            self.blocks.push(Block::EMPTY);
        }
        let last = self.blocks.len() - 1;
        self.blocks[last].set(lane, one);
        self.joints.push(joint);
    }

    /// Forgets the boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.joints.clear();
    }

    /// How many boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// Box `index`.
    ///
    /// # Panics
    /// Where there are not that many.
    #[must_use]
    pub fn get(&self, index: usize) -> PosedBox {
        let joint = self.joints[index];
        let lane = self.lane(index);
        PosedBox {
            joint,
            center: lane.center.into(),
            half_extents: lane.half.into(),
            axes: Mat3::from_cols(lane.axes[0].into(), lane.axes[1].into(), lane.axes[2].into()),
        }
    }

    #[inline]
    pub(crate) fn lane(&self, index: usize) -> Lane {
        self.blocks[index / LANES].get(index % LANES)
    }
}
