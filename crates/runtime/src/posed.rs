//! A character's boxes in world space.

use crate::enclose::enclosing_box;
use crate::lanes::{BoxLanes, Lane};
use crate::{Character, ClipIndex, ClipSampler, PosedBox};
use geometry_core::MAX_COORDINATE;
use geometry_core::portable::{affine_mul, affine_parts, mat3_mul, mat3_mul_vec3};
use glam::{Affine3A, Vec3};
use skeleton::JointIndex;

/// A character's boxes in world space, and bounds around them; its buffers are reused from pose to pose.
///
/// Whatever the matrices, a posed box holds the image of the baked one: rotation, mirroring, uniform scale and scale
/// along the box's own axes give just that image; other scale and shear give a box around the parallelepiped that the
/// matrix makes of it, flush with one of its faces and one edge in it, the least of the six there are. A joint that
/// collapses (zero scale) gives a flat box.
///
/// After an error there are no boxes, and nothing touches.
#[derive(Clone, Debug, Default)]
pub struct Posed {
    pub(crate) lanes: BoxLanes,
    pub(crate) bounds: Bounds,
    sampler: ClipSampler,
}

/// Axis-aligned, around all boxes of a character; world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Least corner; above [`Bounds::max`] where there is no box.
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
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Why a character cannot be posed. The [`Posed`] is left without boxes.
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

impl Posed {
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
    /// # use runtime::Posed; use glam::{Affine3A, Vec3};
    /// # let arm = example::arm("Arm");
    /// let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.0, 5.0));
    /// let model_from_joint = vec![Affine3A::IDENTITY; arm.skeleton().len()];
    /// let mut posed = Posed::new();
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
        self.lanes.clear();
        self.bounds = Bounds::EMPTY;
        check_count(character, model_from_joint)?;
        self.pose(character, |joint| affine_mul(world_from_model, &model_from_joint[joint.index()]))
    }

    /// Poses by matrices in world space: `world_from_joint[j]` belongs to joint `j` of the skeleton, one entry per
    /// joint, those without a box included (they are not read).
    ///
    /// # Errors
    /// Another number of matrices; a matrix that is not finite or sends a box to infinity.
    pub fn pose_from_world(&mut self, character: &Character, world_from_joint: &[Affine3A]) -> Result<(), PoseError> {
        self.lanes.clear();
        self.bounds = Bounds::EMPTY;
        check_count(character, world_from_joint)?;
        self.pose(character, |joint| world_from_joint[joint.index()])
    }

    /// Poses by a baked clip; `seconds` is on the clip's own clock and clamped to its keys. For clips that repeat see
    /// [`crate::LoopMode::clip_time`].
    ///
    /// # Errors
    /// No such clip; a pose that is not finite.
    ///
    /// ```
    /// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
    /// # use runtime::{LoopMode, Posed}; use glam::Affine3A;
    /// # let arm = example::arm("Arm");
    /// let wave = arm.find_clip("wave").unwrap();
    /// let time = LoopMode::Loop.clip_time(&arm.clips()[wave.index()], 7.25);
    /// let mut posed = Posed::new();
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
        let result = match sampler.sample(character, clip, seconds) {
            Some(model_from_joint) => self.pose_from_model(character, world_from_model, model_from_joint),
            None => Err(self.no_clip(character, clip)),
        };
        self.sampler = sampler;
        result
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
    pub fn boxes(&self) -> impl ExactSizeIterator<Item = PosedBox> + '_ {
        (0..self.lanes.len()).map(|index| self.lanes.get(index))
    }

    /// Around all boxes, world space, enlarged by [`crate::kernels::NEAR_TOLERANCE`].
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// The boxes as the kernels read them.
    #[must_use]
    pub fn lanes(&self) -> &BoxLanes {
        &self.lanes
    }

    fn no_clip(&mut self, character: &Character, clip: ClipIndex) -> PoseError {
        self.lanes.clear();
        self.bounds = Bounds::EMPTY;
        PoseError::NoClip { character: character.name().into(), clip: clip.0, count: character.clips().len() }
    }

    fn pose(
        &mut self,
        character: &Character,
        world_from_joint: impl Fn(JointIndex) -> Affine3A,
    ) -> Result<(), PoseError> {
        let mut bounds = Bounds::EMPTY;
        for shape in &character.shapes {
            let (linear, translation) = affine_parts(&world_from_joint(shape.joint));
            let center = mat3_mul_vec3(&linear, shape.center) + translation;
            let posed = enclosing_box(&mat3_mul(&linear, &shape.axes), shape.half)
                .map(|(axes, half)| Lane::new(center, half, &axes))
                .filter(Lane::is_in_range);
            let Some(lane) = posed else {
                self.lanes.clear();
                return Err(out_of_range(character, shape.joint));
            };
            let extent = Vec3::from_array(lane.extent);
            bounds.min = bounds.min.min(center - extent);
            bounds.max = bounds.max.max(center + extent);
            self.lanes.push_lane(shape.joint, &lane);
        }
        self.bounds = bounds;
        Ok(())
    }
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
