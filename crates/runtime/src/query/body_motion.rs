//! The motion of a posed character within a tick, and the space that its hitboxes pass through.

use crate::Bounds;
use crate::character::hitbox_table::HitboxTable;
use crate::character::pose_error::other_name;
use crate::kernels::layout::{BoundsBlock, LANES, Record, wanted_bounds};
use crate::kernels::set_bits::set_bits;
use crate::kernels::sweep_lanes::swept_bounds;
use crate::kernels::{self, Kernel};
use crate::pose::clone_in_place::clone_in_place;
use crate::pose::solid::Solid;
use crate::{BoxIndex, PosedCharacter};
use baked_format::HitboxShape;
use geometry_core::{FirstContact, HullMotion, MovingShape, Obb, ObbMotion};
use glam::Vec3;
use skeleton::JointIndex;
use std::ops::Range;
use std::sync::Arc;

/// The two poses of a motion are of different characters or of different bakes of a character, or one of them is missing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a body cannot move from {} to {}; pose the same character twice", end_of_motion("", .from), end_of_motion(.from, .to)
)]
pub struct MotionError {
    /// The name of the character of the first pose; empty if there is no pose.
    pub from: Arc<str>,
    /// The name of the character of the last pose; empty if there is no pose.
    pub to: Arc<str>,
}

/// One pose of a motion, as an error names it. `name` is the name of its character, empty if there is no pose. `first`
/// is the name of the first pose's character, or empty for the first pose.
#[cold]
fn end_of_motion(first: &str, name: &str) -> String {
    if name.is_empty() { "a missing pose".into() } else { format!("a pose of {}", other_name(first, name)) }
}

/// A body that moves from one pose to another within a tick.
///
/// Each hitbox moves with its box:
/// - The center of the box moves on a straight line, at constant speed.
/// - The axes of the box turn about one fixed axis by less than half a turn, at constant speed.
/// - If the half extents of the two poses differ, the moving box has the larger ones.
/// - If a scale changes the shape of a hull between the two poses, the moving hull is the convex hull of both shapes.
#[derive(Clone, Copy, Debug)]
pub struct BodyMotion<'a> {
    from: &'a PosedCharacter,
    pub(super) to: &'a PosedCharacter,
    /// The space that the boxes pass through, if it was computed before.
    swept: Option<&'a SweptBoxes>,
}

impl<'a> BodyMotion<'a> {
    /// A motion from one pose to another pose of the same character.
    ///
    /// # Errors
    /// Returns an error if the poses are of different characters, or if one of the two has no pose.
    pub fn new(from: &'a PosedCharacter, to: &'a PosedCharacter) -> Result<Self, MotionError> {
        match (&from.hitboxes, &to.hitboxes) {
            (Some(first), Some(last)) if first.is_same(last) => Ok(Self { from, to, swept: None }),
            (first, last) => {
                let name = |of: &Option<Arc<HitboxTable>>| {
                    of.as_ref().map_or_else(|| "".into(), |hitboxes| Arc::clone(&hitboxes.name))
                };
                Err(MotionError { from: name(first), to: name(last) })
            }
        }
    }

    /// The motion of a body that stands still in this pose.
    #[must_use]
    pub fn still(posed: &'a PosedCharacter) -> Self {
        Self { from: posed, to: posed, swept: None }
    }

    /// The same motion; `swept` was computed from it.
    pub(crate) fn with_swept(self, swept: &'a SweptBoxes) -> Self {
        debug_assert_eq!(swept.blocks.len(), self.to.blocks.len());
        Self { swept: Some(swept), ..self }
    }

    pub(super) fn len(&self) -> usize {
        self.from.records.len()
    }

    pub(super) fn joint(&self, index: usize) -> JointIndex {
        self.from.joints()[index]
    }

    pub(super) fn solid_at(&self, index: BoxIndex, time: f32) -> Option<Solid<'a>> {
        let index = index.index();
        (index < self.len()).then(|| {
            let motion = self.motion(index);
            Solid::new(self.form(index), motion.at(time), || Some(self.hull_motion(index, &motion)?.at(time)))
        })
    }

    /// The shape of a hitbox, which moves with its box.
    #[inline]
    pub(super) fn form(&self, index: usize) -> HitboxShape {
        self.from.form(index)
    }

    /// The motion of a hull with its box; `None` if the hitbox is not a hull, or if one of the two poses flattens it.
    fn hull_motion(&self, index: usize, motion: &ObbMotion) -> Option<HullMotion<'a>> {
        let index = BoxIndex(index as u16);
        Some(HullMotion::new(motion, &self.from.posed_hull(index)?, &self.to.posed_hull(index)?))
    }

    pub(crate) fn swept(&self, index: usize) -> Bounds {
        match self.swept {
            Some(swept) => swept.blocks[index / LANES].get(index % LANES),
            None => swept_bounds(&self.from.records[index], &self.to.records[index]),
        }
    }

    /// The bounds of the space that the boxes from `start` on pass through, at most [`CHUNK`] boxes. `start` is a multiple of
    /// [`CHUNK`]. `room` is memory.
    pub(super) fn swept_chunk<'s>(&'s self, start: usize, room: &'s mut SweptChunk) -> &'s [BoundsBlock] {
        let end = self.len().min(start + CHUNK);
        let blocks = start / LANES..end.div_ceil(LANES);
        if let Some(swept) = self.swept {
            return &swept.blocks[blocks];
        }
        let room = &mut room[..blocks.len()];
        self.find_swept(start..end, room);
        room
    }

    /// Computes the swept bounds of some boxes, of which the first is the first lane of a block.
    fn find_swept(&self, boxes: Range<usize>, blocks: &mut [BoundsBlock]) {
        kernels::swept_bounds(
            self.to.kernel,
            &self.from.records[boxes.clone()],
            &self.to.records[boxes.clone()],
            blocks,
        );
        // The kernel writes whole vectors.
        if let Some(last) = blocks.last_mut().filter(|_| !boxes.len().is_multiple_of(LANES)) {
            (boxes.len() % LANES..LANES).for_each(|lane| last.set(lane, &Bounds::EMPTY));
        }
    }

    /// The union of the swept bounds of the wanted boxes of a chunk: a mask for each of its blocks, `None` for all boxes.
    pub(super) fn around_chunk(&self, chunk: &[BoundsBlock], wanted: Option<&[u16]>) -> Bounds {
        match (wanted, self.swept) {
            (Some(wanted), _) => wanted_bounds(chunk, wanted),
            (None, Some(swept)) if swept.blocks.len() == chunk.len() => swept.bounds,
            (None, _) => kernels::around(self.to.kernel, chunk),
        }
    }

    pub(super) fn motion(&self, index: usize) -> ObbMotion {
        if self.is_still() {
            return ObbMotion::still(&self.to.records[index].posed_obb());
        }
        motion(&self.from.records[index].posed_obb(), &self.to.records[index].posed_obb())
    }

    /// Calls `found` with the motion of each wanted box of a chunk: bit `k` of `wanted` is the box `start + k`.
    pub(super) fn motions(&self, start: usize, mut wanted: u64, mut found: impl FnMut(usize, ObbMotion)) {
        const TOGETHER: usize = 8;
        if self.is_still() {
            return set_bits(wanted).for_each(|place| found(place, self.motion(start + place)));
        }
        // An iterator over the bits of `wanted`, eight at a time, takes an eighth more time for all hits of a close pair.
        while wanted != 0 {
            let none = Obb::from_valid_parts(Vec3::ZERO, Vec3::ZERO, glam::Mat3::IDENTITY);
            let (mut from, mut to, mut places) = ([none; TOGETHER], [none; TOGETHER], [0; TOGETHER]);
            let mut count = 0;
            while wanted != 0 && count < TOGETHER {
                let place = wanted.trailing_zeros() as usize;
                wanted &= wanted - 1;
                let [first, last] = self.records(start + place);
                (from[count], to[count]) = ends(&first.posed_obb(), &last.posed_obb());
                places[count] = place;
                count += 1;
            }
            let mut motions = [ObbMotion::still(&none); TOGETHER];
            kernels::motions(self.to.kernel, &from[..count], &to[..count], &mut motions[..count]);
            for (&place, motion) in places[..count].iter().zip(&motions) {
                found(place, *motion);
            }
        }
    }

    fn is_still(&self) -> bool {
        std::ptr::eq(self.from, self.to)
    }

    /// Calls `found` with the indices of the boxes whose swept bounds may reach into `bounds`, in ascending order. A
    /// few other boxes may be passed too.
    pub(super) fn each_near_box(&self, bounds: &Bounds, mut found: impl FnMut(usize)) {
        if !self.is_still() {
            let mut room = SWEPT_ROOM;
            for start in (0..self.len()).step_by(CHUNK) {
                let blocks = self.swept_chunk(start, &mut room);
                each_near_lane(self.to.kernel, bounds, blocks, |place| found(start + place));
            }
            return;
        }
        // The swept bounds of a box that stands still are its bounds, enlarged by less than this.
        let reach = self.to.bounds.max.abs().max(self.to.bounds.min.abs());
        let slack = reach + (self.to.bounds.max - self.to.bounds.min);
        let slack = Vec3::splat((slack.x + slack.y + slack.z) * SWEPT_SLACK);
        let bounds = Bounds { min: bounds.min - slack, max: bounds.max + slack };
        each_near_lane(self.to.kernel, &bounds, &self.to.blocks, found);
    }

    /// The records of a box in the first and in the last pose.
    pub(super) fn records(&self, index: usize) -> [&'a Record; 2] {
        [&self.from.records[index], &self.to.records[index]]
    }
}

/// A hitbox of a moving body, or a moving query shape, whose shape is not a box.
pub(super) struct MovingSolid<'m, 'a> {
    pub(super) motion: &'m ObbMotion,
    shape: HitboxShape,
    hull: Option<HullMotion<'a>>,
}

impl<'m, 'a> MovingSolid<'m, 'a> {
    pub(super) fn of_box(motion: &'m ObbMotion, shape: HitboxShape) -> Self {
        Self { motion, shape, hull: None }
    }

    /// The hitbox of a body; `motion` is the motion of its box.
    pub(super) fn of_body(body: &BodyMotion<'a>, index: usize, motion: &'m ObbMotion) -> Self {
        let shape = body.form(index);
        let hull = if shape == HitboxShape::Hull { body.hull_motion(index, motion) } else { None };
        Self { motion, shape, hull }
    }

    fn shape(&self) -> MovingShape<'_> {
        match &self.hull {
            Some(hull) => MovingShape::Hull(hull),
            None => MovingShape::Boxed(self.motion, self.shape.boxed()),
        }
    }

    pub(super) fn first_contact(
        &self,
        other: &MovingSolid<'_, '_>,
        tolerance: f32,
        max_time: f32,
    ) -> Option<FirstContact> {
        self.shape().first_contact(&other.shape(), tolerance, max_time)
    }
}

/// Returns `true` for a shape that can reach out of its moving box: a round shape does if it is scaled unevenly.
pub(super) fn reaches_out(shape: HitboxShape) -> bool {
    matches!(shape, HitboxShape::Capsule | HitboxShape::Sphere)
}

/// Calls `found` with the lanes whose bounds reach into `bounds`.
fn each_near_lane(kernel: Kernel, bounds: &Bounds, blocks: &[BoundsBlock], mut found: impl FnMut(usize)) {
    for (block, lanes) in blocks.iter().enumerate() {
        set_bits(kernels::near(kernel, bounds, lanes)).for_each(|lane| found(block * LANES + lane));
    }
}

/// The number of boxes of a moving body that are tested at a time.
pub(super) const CHUNK: usize = 64;

/// Room for the swept bounds of [`CHUNK`] boxes.
pub(super) type SweptChunk = [BoundsBlock; CHUNK / LANES];

pub(super) const SWEPT_ROOM: SweptChunk = [BoundsBlock::EMPTY; CHUNK / LANES];

/// The bounds of the space that each box of a moving body passes through.
#[derive(Debug, Default)]
pub(crate) struct SweptBoxes {
    /// Lane `i % 16` of block `i / 16`. Lanes without a box are empty.
    blocks: Vec<BoundsBlock>,
    /// The union of all bounds.
    pub(crate) bounds: Bounds,
}

clone_in_place!(SweptBoxes { blocks, bounds });

impl SweptBoxes {
    /// Computes the bounds of a motion. Reuses the memory.
    pub(crate) fn find(&mut self, motion: &BodyMotion<'_>) {
        let count = motion.to.blocks.len();
        self.blocks.truncate(count);
        self.blocks.reserve_exact(count - self.blocks.len());
        self.blocks.resize(count, BoundsBlock::EMPTY);
        motion.find_swept(0..motion.len(), &mut self.blocks);
        self.bounds = kernels::around(motion.to.kernel, &self.blocks);
    }
}

/// The largest amount by which the swept bounds of a box that stands still exceed its bounds, as a share of the body's
/// coordinates and size. Cosines are rounded, so [`swept_bounds`] treats the box as if it turned a little.
const SWEPT_SLACK: f32 = 1.0 / 262_144.0;

/// A motion with the larger half extents of the two poses, so that a box that grows is not missed. The capsule of a box
/// with these half extents contains the capsules of both poses.
pub(super) fn motion(from: &Obb, to: &Obb) -> ObbMotion {
    let (from, to) = ends(from, to);
    ObbMotion::between(&from, &to)
}

/// The two poses; the first one gets the larger half extents of both.
fn ends(from: &Obb, to: &Obb) -> (Obb, Obb) {
    let half = from.half_extents().max(to.half_extents());
    (Obb::from_valid_parts(from.center(), half, from.axes()), *to)
}
