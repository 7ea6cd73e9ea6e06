//! Boxes in world space, stored component by component so that one instruction handles many.

use geometry_core::portable::mat3_mul_vec3;
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
    pub(crate) half: [Row; 3],
    /// `axes[k][c]`: component `c` of axis `k`.
    pub(crate) axes: [[Row; 3]; 3],
    /// Half sizes of the axis-aligned box around each box.
    pub(crate) extent: [Row; 3],
    /// Of the sphere around each box.
    pub(crate) radius: Row,
}

impl Block {
    pub(crate) const EMPTY: Self = Self {
        center: [[f32::NAN; LANES]; 3],
        half: [[0.0; LANES]; 3],
        axes: [[[0.0; LANES]; 3]; 3],
        extent: [[0.0; LANES]; 3],
        radius: [0.0; LANES],
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
}

impl Lane {
    pub(crate) fn new(center: Vec3, half: Vec3, axes: &Mat3) -> Self {
        let cols = [axes.x_axis, axes.y_axis, axes.z_axis];
        let extent = cols[0].abs() * half.x + cols[1].abs() * half.y + cols[2].abs() * half.z;
        Self {
            center: center.to_array(),
            half: half.to_array(),
            axes: cols.map(|axis| axis.to_array()),
            extent: extent.to_array(),
            radius: (half.x * half.x + half.y * half.y + half.z * half.z).sqrt(),
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        Vec3::from(self.center).is_finite() && Vec3::from(self.extent).is_finite() && self.radius.is_finite()
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
    /// The corners, world space; corner `i` is on the positive side of axis `k` where bit `k` of `i` is set.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let sign = |k: usize| if i >> k & 1 == 1 { 1.0 } else { -1.0 };
            let local = Vec3::new(sign(0), sign(1), sign(2)) * self.half_extents;
            self.center + mat3_mul_vec3(&self.axes, local)
        })
    }
}

/// Boxes in world space in lanes: what the kernels read.
///
/// ```
/// use glam::{Mat3, Vec3};
/// use runtime::{BoxLanes, PosedBox, kernels::Kernel};
/// use skeleton::JointIndex;
///
/// let at = |x| PosedBox { joint: JointIndex(0), center: Vec3::X * x, half_extents: Vec3::ONE, axes: Mat3::IDENTITY };
/// let lanes = BoxLanes::from_boxes((0..20).map(|i| at(i as f32)));
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

    /// The boxes in their order.
    #[must_use]
    pub fn from_boxes(boxes: impl IntoIterator<Item = PosedBox>) -> Self {
        let mut lanes = Self::new();
        boxes.into_iter().for_each(|one| lanes.push(&one));
        lanes
    }

    /// Appends a box. One that is not finite touches nothing.
    pub fn push(&mut self, one: &PosedBox) {
        let lane = self.joints.len() % LANES;
        if lane == 0 {
            self.blocks.push(Block::EMPTY);
        }
        let last = self.blocks.len() - 1;
        self.blocks[last].set(lane, &Lane::new(one.center, one.half_extents, &one.axes));
        self.joints.push(one.joint);
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
