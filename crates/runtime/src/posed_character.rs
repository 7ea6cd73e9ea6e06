//! A character's boxes in world space.

use crate::box_lanes::{Bounds, BoundsBlock, LANES, Record};
use crate::character::Shape;
use crate::enclosing_box::enclosing_box;
use crate::kernels::{self, Kernel};
use crate::{Character, ClipIndex, ClipSampler, PosedHitbox};
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::{affine_mul, affine_parts, mat3_mul, mat3_mul_vec3};
use glam::Affine3A;
use skeleton::JointIndex;
use std::sync::Arc;

/// A character's boxes in world space, and bounds around them; its buffers are reused from pose to pose.
///
/// Whatever the matrices, a posed box holds the image of the baked one: rotation, mirroring, uniform scale and scale
/// along the box's own axes give just that image; other scale and shear give a box around the parallelepiped that the
/// matrix makes of it, flush with one of its faces and one edge in it, the least of the six there are. A joint that
/// collapses (zero scale) gives a flat box.
///
/// After an error there are no boxes, and nothing touches.
#[derive(Debug, Default)]
pub struct PosedCharacter {
    pub(crate) records: Vec<Record>,
    pub(crate) blocks: Vec<BoundsBlock>,
    /// The character's.
    pub(crate) joints: Arc<[JointIndex]>,
    pub(crate) bounds: Bounds,
    sampler: ClipSampler,
}

/// The boxes; `clone_from` reuses memory, for whoever keeps the poses of the last tick.
impl Clone for PosedCharacter {
    fn clone(&self) -> Self {
        let mut clone = Self::new();
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, other: &Self) {
        self.records.clone_from(&other.records);
        self.blocks.clone_from(&other.blocks);
        self.joints.clone_from(&other.joints);
        self.bounds = other.bounds;
    }
}

/// Why a character cannot be posed. The [`PosedCharacter`] is left without boxes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseError {
    /// Pass one matrix per joint of [`Character::skeleton`], in its order.
    #[error("{character:?} has {expected} joints, {found} joint matrices were given")]
    JointCount {
        /// The character's name.
        character: String,
        /// Joints of its skeleton.
        expected: usize,
        /// Length of the slice.
        found: usize,
    },
    /// The matrix of a joint has a NaN or an infinity, or takes a box beyond [`geometry_core::MAX_COORDINATE`]: look for
    /// a zero-length quaternion or a division by zero where the matrix is made.
    #[error("{character:?}: the pose of joint {joint} ({name:?}) is not finite, or beyond {MAX_COORDINATE:e}")]
    OutOfRange {
        /// The character's name.
        character: String,
        /// Whose matrix it is.
        joint: u16,
        /// Its name.
        name: String,
    },
    /// Pose all of the character before updating some of its joints.
    #[error("{character:?} has {expected} boxes, those posed are {found} or of other joints")]
    OtherCharacter {
        /// The character's name.
        character: String,
        /// Its boxes.
        expected: usize,
        /// Boxes of the last pose.
        found: usize,
    },
    /// Take the index from [`Character::find_clip`] of the same character.
    #[error("{character:?} has {count} clips, there is no clip {clip}")]
    NoClip {
        /// The character's name.
        character: String,
        /// The index asked for.
        clip: u32,
        /// How many there are.
        count: usize,
    },
}

impl PosedCharacter {
    /// No boxes yet; nothing is allocated.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Poses by matrices in model space: `model_from_joint[j]` belongs to joint `j` of the skeleton, one entry per
    /// joint, those without a box included (they are not read).
    ///
    /// # Errors
    /// Another number of matrices; a matrix that is not finite or sends a box to infinity.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::PosedCharacter; use glam::{Affine3A, Vec3};
    /// # let arm = example::arm("Arm");
    /// let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.0, 5.0));
    /// let model_from_joint = vec![Affine3A::IDENTITY; arm.skeleton().len()];
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_model(&arm, &world_from_model, &model_from_joint)?;
    /// assert_eq!(posed.boxes().next().unwrap().center.z, 5.0);
    /// # Ok::<(), runtime::PoseError>(())
    /// ```
    pub fn pose_from_model(
        &mut self,
        character: &Character,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), PoseError> {
        check_count(character, model_from_joint).inspect_err(|_| self.clear())?;
        self.pose(character, &Matrices { world_from_model: Some(world_from_model), of_joints: model_from_joint })
    }

    /// Poses by matrices in world space: `world_from_joint[j]` belongs to joint `j` of the skeleton, one entry per
    /// joint, those without a box included (they are not read).
    ///
    /// # Errors
    /// Another number of matrices; a matrix that is not finite or sends a box to infinity.
    pub fn pose_from_world(&mut self, character: &Character, world_from_joint: &[Affine3A]) -> Result<(), PoseError> {
        check_count(character, world_from_joint).inspect_err(|_| self.clear())?;
        self.pose(character, &Matrices { world_from_model: None, of_joints: world_from_joint })
    }

    /// Poses by a baked clip; `seconds` is on the clip's own clock and clamped to its keys. For clips that repeat see
    /// [`crate::LoopMode::clip_time`].
    ///
    /// # Errors
    /// No such clip; a pose that is not finite.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{LoopMode, PosedCharacter}; use glam::Affine3A;
    /// # let arm = example::arm("Arm");
    /// let wave = arm.find_clip("wave").unwrap();
    /// let time = LoopMode::Loop.clip_time(&arm.clips()[wave.index()], 7.25);
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_clip(&arm, &Affine3A::IDENTITY, wave, time)?;
    /// assert_eq!(posed.boxes().len(), arm.box_count());
    /// # Ok::<(), runtime::PoseError>(())
    /// ```
    pub fn pose_from_clip(
        &mut self,
        character: &Character,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), PoseError> {
        let mut sampler = std::mem::take(&mut self.sampler);
        let result = self.pose_from_clip_by(&mut sampler, character, world_from_model, clip, seconds);
        self.sampler = sampler;
        result
    }

    /// [`PosedCharacter::pose_from_clip`] with the caller's sampler, so that many characters share its memory.
    ///
    /// # Errors
    /// No such clip; a pose that is not finite.
    pub fn pose_from_clip_by(
        &mut self,
        sampler: &mut ClipSampler,
        character: &Character,
        world_from_model: &Affine3A,
        clip: ClipIndex,
        seconds: f32,
    ) -> Result<(), PoseError> {
        match sampler.sample(character, clip, seconds) {
            Some(model_from_joint) => self.pose_from_model(character, world_from_model, model_from_joint),
            None => Err(self.no_clip(character, clip)),
        }
    }

    /// Poses between two clips; see [`ClipSampler::blend`].
    ///
    /// # Errors
    /// No such clip; a pose that is not finite.
    pub fn pose_from_clips(
        &mut self,
        character: &Character,
        world_from_model: &Affine3A,
        first: (ClipIndex, f32),
        second: (ClipIndex, f32),
        weight: f32,
    ) -> Result<(), PoseError> {
        let mut sampler = std::mem::take(&mut self.sampler);
        let result = match sampler.blend(character, first, second, weight) {
            Some(model_from_joint) => self.pose_from_model(character, world_from_model, model_from_joint),
            None => {
                let missing = if first.0.index() >= character.clips().len() { first.0 } else { second.0 };
                Err(self.no_clip(character, missing))
            }
        };
        self.sampler = sampler;
        result
    }

    /// Poses by the skeleton's rest pose.
    ///
    /// # Errors
    /// A pose that is not finite.
    pub fn pose_from_rest(&mut self, character: &Character, world_from_model: &Affine3A) -> Result<(), PoseError> {
        let mut sampler = std::mem::take(&mut self.sampler);
        let result = self.pose_from_model(character, world_from_model, sampler.rest(character));
        self.sampler = sampler;
        result
    }

    /// The boxes in world space, numbered as the character's: sorted by joint.
    pub fn boxes(&self) -> impl ExactSizeIterator<Item = PosedHitbox> + '_ {
        self.joints.iter().zip(&self.records).map(|(&joint, record)| PosedHitbox::new(joint, record))
    }

    /// Around all boxes, world space, enlarged by [`crate::kernels::NEAR_TOLERANCE`].
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Forgets the boxes and keeps the memory.
    pub fn clear(&mut self) {
        self.records.clear();
        self.blocks.clear();
        self.joints = Arc::default();
        self.bounds = Bounds::EMPTY;
    }

    /// Asks for the memory of the boxes: many characters are posed faster where it comes while others are posed.
    #[inline]
    pub(crate) fn prefetch(&self) {
        kernels::prefetch(&self.records);
        kernels::prefetch(&self.blocks);
    }

    pub(crate) fn box_bounds(&self, index: usize) -> Bounds {
        self.blocks[index / LANES].get(index % LANES)
    }

    /// Poses the boxes of some joints anew and leaves the others where they are: `joints` in any order, those without a
    /// box are passed over; `world_from_joint` has one entry per joint, of which only these are read. The character
    /// must be the one of the last pose.
    ///
    /// # Errors
    /// As [`PosedCharacter::pose_from_world`], and where the last pose was of a character with other boxes.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::PosedCharacter; use glam::{Affine3A, Vec3};
    /// # let arm = example::arm("Arm");
    /// let mut world_from_joint = vec![Affine3A::IDENTITY; arm.skeleton().len()];
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_world(&arm, &world_from_joint)?;
    /// let fore = arm.skeleton().find("fore").unwrap();
    /// world_from_joint[fore.index()] = Affine3A::from_translation(Vec3::Z);
    /// posed.update_joints(&arm, &world_from_joint, &[fore])?;
    /// assert_eq!(posed.boxes().map(|one| one.center.z).collect::<Vec<_>>(), [0.0, 1.0]);
    /// # Ok::<(), runtime::PoseError>(())
    /// ```
    pub fn update_joints(
        &mut self,
        character: &Character,
        world_from_joint: &[Affine3A],
        joints: &[JointIndex],
    ) -> Result<(), PoseError> {
        if self.joints != character.box_joints {
            let (expected, found) = (character.box_count(), self.joints.len());
            return Err(PoseError::OtherCharacter { character: character.name().into(), expected, found });
        }
        check_count(character, world_from_joint).inspect_err(|_| self.clear())?;
        let matrices = Matrices { world_from_model: None, of_joints: world_from_joint };
        for &joint in joints {
            let start = self.joints.partition_point(|&other| other < joint);
            for index in (start..self.joints.len()).take_while(|&index| character.box_joints[index] == joint) {
                let Some(record) = pose_box(&character.shapes[index], &matrices) else {
                    self.clear();
                    return Err(out_of_range(character, joint));
                };
                self.records[index] = record;
                self.blocks[index / LANES].set(index % LANES, &record.bounds());
            }
        }
        self.bounds = kernels::around(Kernel::best(), &self.blocks);
        Ok(())
    }

    fn no_clip(&mut self, character: &Character, clip: ClipIndex) -> PoseError {
        self.clear();
        PoseError::NoClip { character: character.name().into(), clip: clip.0, count: character.clips().len() }
    }

    /// By a kernel of your choice; the boxes are the same to the last bit.
    ///
    /// # Errors
    /// As [`PosedCharacter::pose_from_model`].
    pub fn pose_with(
        &mut self,
        kernel: Kernel,
        character: &Character,
        world_from_model: &Affine3A,
        model_from_joint: &[Affine3A],
    ) -> Result<(), PoseError> {
        check_count(character, model_from_joint).inspect_err(|_| self.clear())?;
        let matrices = Matrices { world_from_model: Some(world_from_model), of_joints: model_from_joint };
        self.pose_by(kernel, character, &matrices)
    }

    fn pose(&mut self, character: &Character, matrices: &Matrices<'_>) -> Result<(), PoseError> {
        self.pose_by(Kernel::best(), character, matrices)
    }

    fn pose_by(&mut self, kernel: Kernel, character: &Character, matrices: &Matrices<'_>) -> Result<(), PoseError> {
        if !Arc::ptr_eq(&self.joints, &character.box_joints) {
            self.clear();
            self.joints = Arc::clone(&character.box_joints);
            // Exactly: room to grow would be a third of all memory.
            self.records.reserve_exact(character.shapes.len());
            self.blocks.reserve_exact(character.shape_blocks.len());
            self.records.resize(character.shapes.len(), Record::NONE);
            self.blocks.resize(character.shape_blocks.len(), BoundsBlock::EMPTY);
        }
        let posed = pose_into(kernel, character, matrices, &mut self.records, &mut self.blocks);
        match posed {
            Ok(bounds) => {
                self.bounds = bounds;
                Ok(())
            }
            Err(joint) => {
                self.clear();
                Err(out_of_range(character, joint))
            }
        }
    }
}

/// Where the joints are.
pub(crate) struct Matrices<'a> {
    /// To be applied last, where the others end in model space.
    pub(crate) world_from_model: Option<&'a Affine3A>,
    /// `model_from_joint` or `world_from_joint`; one for each joint of the skeleton.
    pub(crate) of_joints: &'a [Affine3A],
}

/// Poses a character's boxes into memory of the right size, whose lanes without a box are empty, and answers the bounds
/// of all, or the first joint whose box is not finite or out of range.
pub(crate) fn pose_into(
    kernel: Kernel,
    character: &Character,
    matrices: &Matrices<'_>,
    records: &mut [Record],
    blocks: &mut [BoundsBlock],
) -> Result<Bounds, JointIndex> {
    let (mut few, mut many);
    let left: &mut [u16] = if blocks.len() <= 16 {
        few = [0; 16];
        &mut few
    } else {
        // More than 256 boxes: the stack takes any that a file can hold.
        many = [0; (1 << 16) / LANES];
        &mut many
    };
    let left = &mut left[..blocks.len()];
    kernels::pose(kernel, &character.shape_blocks, &character.box_joints, matrices, records, blocks, |block, done| {
        left[block] = !done;
    });
    for (block, left) in left.iter().enumerate() {
        let mut left = *left;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let Some(shape) = character.shapes.get(block * LANES + lane) else {
                blocks[block].set(lane, &Bounds::EMPTY);
                continue;
            };
            let record = pose_box(shape, matrices).ok_or(shape.joint)?;
            records[block * LANES + lane] = record;
            blocks[block].set(lane, &record.bounds());
        }
    }
    Ok(kernels::around(kernel, blocks))
}

/// One box. `None` where it is not finite or out of range.
fn pose_box(shape: &Shape, matrices: &Matrices<'_>) -> Option<Record> {
    let of_joint = &matrices.of_joints[shape.joint.index()];
    let world_from_joint = match matrices.world_from_model {
        Some(world_from_model) => affine_mul(world_from_model, of_joint),
        None => *of_joint,
    };
    let (linear, translation) = affine_parts(&world_from_joint);
    let center = mat3_mul_vec3(&linear, shape.center) + translation;
    let (axes, half) = enclosing_box(&mat3_mul(&linear, &shape.axes), shape.half)?;
    Some(Record::new(center, half, &axes)).filter(Record::is_in_range)
}

fn check_count(character: &Character, matrices: &[Affine3A]) -> Result<(), PoseError> {
    let (expected, found) = (character.skeleton().len(), matrices.len());
    if expected == found {
        return Ok(());
    }
    Err(PoseError::JointCount { character: character.name().into(), expected, found })
}

#[cold]
fn out_of_range(character: &Character, joint: JointIndex) -> PoseError {
    PoseError::OutOfRange {
        character: character.name().into(),
        joint: joint.0,
        name: character.joint_name(joint).into(),
    }
}
