//! Posed characters that are not in a world.

use crate::BoneboxCharacter;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, borrow_mut, hand_over, take};
use crate::memory::{Kept, list, read, write, write_list};
use crate::shapes::{BoneboxMatrix, BoneboxVec3, joint_matrices};
use glam::Affine3A;
use runtime::{
    Bounds, BoxPair, CastHit, ClipIndex, ClipSampler, Contact, JointPair, PoseError, PoseLayer, PosedCharacter,
    PosedHitbox, SkinOverlap, SkinShapeOverlap, SweepHit, WorldError,
};
use skeleton::JointIndex;

/// A character's hitboxes in world space. One thread at a time may change a pose. Any number of threads may read a pose
/// while no thread changes it.
pub struct BoneboxPose {
    pub(crate) posed: PosedCharacter,
    pub(crate) sampler: ClipSampler,
    matrices: Vec<Affine3A>,
    /// Memory for pose layers, empty between calls.
    pub(crate) layers: Vec<PoseLayer>,
    pub(crate) lists: Kept<PairLists>,
}

/// Lists of answers about two characters.
#[derive(Default)]
pub(crate) struct PairLists {
    pub(crate) boxes: Vec<BoxPair>,
    pub(crate) joints: Vec<JointPair>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) sweeps: Vec<SweepHit>,
    pub(crate) casts: Vec<CastHit>,
    pub(crate) skins: Vec<SkinOverlap>,
    pub(crate) skin_shapes: Vec<SkinShapeOverlap>,
}

impl Handle for BoneboxPose {
    const NAME: &'static str = "BoneboxPose";
}

/// A hitbox in world space.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxPosedHitbox {
    /// The hitbox's index.
    pub hitbox: u16,
    /// The index of the joint that the hitbox is attached to.
    pub joint: u16,
    /// The center, in world space.
    pub center: BoneboxVec3,
    /// Half the lengths of the edges along `axes`, in world units, each at least 0.
    pub half_extents: BoneboxVec3,
    /// Unit vectors along the edges, in world space.
    pub axes: [BoneboxVec3; 3],
}

/// A box whose edges are parallel to the axes of its space: world space, unless a function's documentation says
/// otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneboxBounds {
    /// The least coordinates.
    pub min: BoneboxVec3,
    /// The greatest coordinates.
    pub max: BoneboxVec3,
}

impl From<&Bounds> for BoneboxBounds {
    fn from(bounds: &Bounds) -> Self {
        Self { min: bounds.min.into(), max: bounds.max.into() }
    }
}

impl From<&BoneboxBounds> for Bounds {
    fn from(bounds: &BoneboxBounds) -> Self {
        Self { min: bounds.min.into(), max: bounds.max.into() }
    }
}

impl From<PosedHitbox> for BoneboxPosedHitbox {
    fn from(posed: PosedHitbox) -> Self {
        Self {
            hitbox: posed.index.0,
            joint: posed.joint.0,
            center: posed.center.into(),
            half_extents: posed.half_extents.into(),
            axes: [posed.axes.x_axis.into(), posed.axes.y_axis.into(), posed.axes.z_axis.into()],
        }
    }
}

impl From<PoseError> for Failure {
    fn from(error: PoseError) -> Self {
        let result = match error {
            PoseError::NoClip { .. } | PoseError::NoJoint { .. } => BoneboxResult::NotFound,
            PoseError::OtherCharacter { .. } | PoseError::OtherMask { .. } => BoneboxResult::WrongCharacter,
            _ => BoneboxResult::PoseRefused,
        };
        Self::new(result, error)
    }
}

impl From<WorldError> for Failure {
    fn from(error: WorldError) -> Self {
        let result = match &error {
            WorldError::AlreadyThere(_) => BoneboxResult::BodyExists,
            WorldError::NoBody(_) => BoneboxResult::NoBody,
            WorldError::OtherCharacter { .. } => BoneboxResult::WrongCharacter,
            WorldError::NoJoint { .. } => BoneboxResult::NotFound,
            WorldError::Pose { error, .. } => Self::from(error.clone()).result,
            WorldError::Skin { error, .. } => Self::from(error.clone()).result,
            _ => BoneboxResult::InvalidArgument,
        };
        Self::new(result, error)
    }
}

/// Reads the place of a model.
///
/// # Safety
/// `world_from_model` is NULL or points to a matrix.
pub(crate) unsafe fn place(world_from_model: *const BoneboxMatrix) -> Result<Affine3A, Failure> {
    read(world_from_model, "world_from_model")?.affine(|| "`world_from_model`".into())
}

/// Borrows a pose to pose it. The pose has no hitboxes, so that a call that fails later leaves none.
///
/// # Safety
/// As [`borrow_mut`].
pub(crate) unsafe fn borrow_unposed<'a>(pose: *mut BoneboxPose) -> Result<&'a mut BoneboxPose, Failure> {
    let pose = borrow_mut(pose, "pose")?;
    pose.posed.clear();
    Ok(pose)
}

/// Makes an empty pose. The functions `bonebox_pose_from_…` give it hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_new(pose: *mut *mut BoneboxPose, error: *mut BoneboxError) -> BoneboxResult {
    guard(error, || {
        let (posed, sampler, lists) = (PosedCharacter::new(), ClipSampler::new(), Kept::default());
        hand_over(pose, "pose", BoneboxPose { posed, sampler, matrices: Vec::new(), layers: Vec::new(), lists })
    })
}

/// Frees a pose; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_free(pose: *mut BoneboxPose) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(pose, "pose"))
}

/// Poses a character by its rest pose. If this or any other function `bonebox_pose_from_…` fails, the pose has no
/// hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_from_rest(
    pose: *mut BoneboxPose,
    character: *const BoneboxCharacter,
    world_from_model: *const BoneboxMatrix,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow_unposed(pose)?;
        let character = borrow(character, "character")?;
        Ok(pose.posed.pose_from_rest(&character.character, &place(world_from_model)?)?)
    })
}

/// Poses a character by a clip. `seconds` is the time on the clip's own clock. A time before the first key gives the
/// pose of the first key, and a time after the last key gives the pose of the last key.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_from_clip(
    pose: *mut BoneboxPose,
    character: *const BoneboxCharacter,
    world_from_model: *const BoneboxMatrix,
    clip: u32,
    seconds: f32,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow_unposed(pose)?;
        let character = borrow(character, "character")?;
        let (place, clip) = (place(world_from_model)?, ClipIndex(clip));
        Ok(pose.posed.pose_from_clip(&mut pose.sampler, &character.character, &place, clip, seconds)?)
    })
}

/// Poses a character by matrices in model space. `model_from_joint[j]` belongs to joint `j`; `joint_count` is the
/// number of joints of the skeleton.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_from_model(
    pose: *mut BoneboxPose,
    character: *const BoneboxCharacter,
    world_from_model: *const BoneboxMatrix,
    model_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow_unposed(pose)?;
        let character = borrow(character, "character")?;
        joint_matrices(model_from_joint, joint_count, "model_from_joint", &mut pose.matrices)?;
        Ok(pose.posed.pose_from_model(&character.character, &place(world_from_model)?, &pose.matrices)?)
    })
}

/// Poses a character by matrices in world space. `world_from_joint[j]` belongs to joint `j`; `joint_count` is the
/// number of joints of the skeleton.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_from_world(
    pose: *mut BoneboxPose,
    character: *const BoneboxCharacter,
    world_from_joint: *const BoneboxMatrix,
    joint_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow_unposed(pose)?;
        let character = borrow(character, "character")?;
        joint_matrices(world_from_joint, joint_count, "world_from_joint", &mut pose.matrices)?;
        Ok(pose.posed.pose_from_world(&character.character, &pose.matrices)?)
    })
}

/// Takes away the hitboxes of a pose, as a pose that fails does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_clear(pose: *mut BoneboxPose, error: *mut BoneboxError) -> BoneboxResult {
    guard(error, || borrow_unposed(pose).map(drop))
}

/// Tracks joints: from the next pose on, `bonebox_pose_joint_matrix` returns their matrices, for example for weapon
/// sockets, muzzles and cameras. Replaces the joints that were tracked before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_track_joints(
    pose: *mut BoneboxPose,
    joints: *const u16,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (pose, joints) = (borrow_mut(pose, "pose")?, list(joints, count, "joints")?);
        let joints: Vec<JointIndex> = joints.iter().copied().map(JointIndex).collect();
        pose.posed.track_joints(&joints);
        Ok(())
    })
}

/// Writes the matrix of a tracked joint, from joint space to world space. The function fails if the joint is not
/// tracked, or if no pose was computed since it is tracked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_joint_matrix(
    pose: *const BoneboxPose,
    joint: u16,
    world_from_joint: *mut BoneboxMatrix,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow(pose, "pose")?;
        let matrix = pose.posed.world_from_joint(JointIndex(joint)).ok_or_else(|| {
            Failure::not_found(format!(
                "joint {joint} is not tracked by this pose; track the joint, then pose the character"
            ))
        })?;
        write(world_from_joint, "world_from_joint", BoneboxMatrix::from(&matrix))
    })
}

/// Returns true if the pose has hitboxes. Returns false before the first pose, after a failed pose, and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_is_posed(pose: *const BoneboxPose) -> bool {
    borrow(pose, "pose").is_ok_and(|pose| pose.posed.is_posed())
}

/// Writes all hitboxes in world space, in the order of their indices.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_hitboxes(
    pose: *const BoneboxPose,
    out: *mut BoneboxPosedHitbox,
    capacity: usize,
    count: *mut usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || write_list(out, capacity, count, borrow(pose, "pose")?.posed.boxes().map(Into::into)))
}

/// Writes bounds around all hitboxes. The function fails if the pose has no hitboxes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_bounds(
    pose: *const BoneboxPose,
    bounds: *mut BoneboxBounds,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow(pose, "pose")?;
        if pose.posed.boxes().len() == 0 {
            return Err(Failure::new(BoneboxResult::PoseRefused, "the pose has no hitboxes; pose it first"));
        }
        write(bounds, "bounds", (&pose.posed.bounds()).into())
    })
}
