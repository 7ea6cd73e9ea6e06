//! Pose layers: clips that are blended with, or added to, the pose of the layers before them, and joint masks.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, hand_over, take};
use crate::memory::list;
use crate::pose::{borrow_unposed, place};
use crate::shapes::BoneboxMatrix;
use crate::world::present_mut;
use crate::{BoneboxCharacter, BoneboxPose, BoneboxWorld};
use runtime::{BodyId, ClipIndex, JointMask, LayerMode, PoseLayer};
use skeleton::JointIndex;

/// A weight from 0 to 1 for each joint of one character, by which a pose layer affects that joint. It never changes, so
/// any number of threads may read it. Make the masks that a game needs when you load the character.
pub struct BoneboxJointMask {
    mask: JointMask,
}

impl Handle for BoneboxJointMask {
    const NAME: &'static str = "BoneboxJointMask";
}

/// The effect of a pose layer on the pose of the layers before it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxLayerMode {
    /// The pose moves toward the clip's pose.
    Blend = 0,
    /// The difference between the clip's pose and the clip's pose at its first key is added to the pose: for a breath,
    /// a recoil or a lean.
    Add = 1,
}

/// One clip at one time, applied to the pose of the layers before it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxPoseLayer {
    /// The index of the clip.
    pub clip: u32,
    /// The time in seconds, on the clip's own clock.
    pub seconds: f32,
    /// The weight of the layer, from 0 to 1; a number outside is clamped.
    pub weight: f32,
    /// A `BoneboxLayerMode`.
    pub mode: u32,
    /// A weight for each joint, multiplied by `weight`; NULL applies `weight` to all joints.
    pub mask: *const BoneboxJointMask,
}

/// A pose of one body: clips in layers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxLayerPose {
    /// The id of the body.
    pub body: u64,
    /// The place of the body's model in the world.
    pub world_from_model: BoneboxMatrix,
    /// The layers, in the order in which they are applied to the rest pose.
    pub layers: *const BoneboxPoseLayer,
    /// The number of layers in `layers`.
    pub layer_count: usize,
}

/// Reads layers of the caller and poses with them. `memory` is overwritten.
///
/// # Safety
/// `layers` is NULL or points to `count` layers whose masks are NULL or live handles.
unsafe fn with_layers(
    layers: *const BoneboxPoseLayer,
    count: usize,
    memory: &mut Vec<PoseLayer>,
    pose: impl FnOnce(&[PoseLayer]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let asked = list(layers, count, "layers")?;
    memory.clear();
    let mut read_all = || {
        for (index, &BoneboxPoseLayer { clip, seconds, weight, mode, mask }) in asked.iter().enumerate() {
            let mode = match mode {
                one if one == BoneboxLayerMode::Blend as u32 => LayerMode::Blend,
                one if one == BoneboxLayerMode::Add as u32 => LayerMode::Add,
                other => {
                    let message =
                        format!("the mode of layer {index} is {other}; pass a BoneboxLayerMode, which is 0 or 1");
                    return Err(Failure::invalid(message));
                }
            };
            let mask = if mask.is_null() { None } else { Some(borrow(mask, "mask")?.mask.clone()) };
            memory.push(PoseLayer { clip: ClipIndex(clip), seconds, weight, mode, mask });
        }
        Ok(())
    };
    read_all().and_then(|()| pose(memory))
}

/// Makes a mask from a weight for each joint: `weights[j]` belongs to joint `j`, and `joint_count` is the number of
/// joints of the skeleton. Numbers outside 0 to 1 are clamped, and NaN becomes 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_joint_mask_new(
    character: *const BoneboxCharacter,
    weights: *const f32,
    joint_count: usize,
    mask: *mut *mut BoneboxJointMask,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (character, weights) = (&borrow(character, "character")?.character, list(weights, joint_count, "weights")?);
        let expected = character.skeleton().len();
        if weights.len() != expected {
            let (name, found) = (character.name(), weights.len());
            return Err(Failure::invalid(format!(
                "{name:?} has {expected} joints, but {found} weights were given; pass one weight per joint"
            )));
        }
        hand_over(mask, "mask", BoneboxJointMask { mask: JointMask::new(character, |joint| weights[joint.index()]) })
    })
}

/// Makes a mask with weight 1 for a joint and all its descendants, and weight 0 for the other joints: for example the
/// upper body from the spine, or an arm from the shoulder.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_joint_mask_below(
    character: *const BoneboxCharacter,
    joint: u16,
    mask: *mut *mut BoneboxJointMask,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        hand_over(mask, "mask", BoneboxJointMask { mask: JointMask::below(&character.character, JointIndex(joint))? })
    })
}

/// Frees a mask; NULL is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_joint_mask_free(mask: *mut BoneboxJointMask) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(mask, "mask"))
}

/// Poses a character by clips in layers: each layer changes the pose of the layers before it, and the first layer
/// changes the rest pose. To mix clips by weights whose sum is 1, give each layer its weight divided by the sum of its
/// own weight and the weights of all layers before it. The masks must belong to the same character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_from_layers(
    pose: *mut BoneboxPose,
    character: *const BoneboxCharacter,
    world_from_model: *const BoneboxMatrix,
    layers: *const BoneboxPoseLayer,
    layer_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let pose = borrow_unposed(pose)?;
        let character = borrow(character, "character")?;
        let BoneboxPose { posed, sampler, layers: memory, .. } = pose;
        let place = place(world_from_model)?;
        let pose = |layers: &[PoseLayer]| Ok(posed.pose_from_layers(sampler, &character.character, &place, layers)?);
        with_layers(layers, layer_count, memory, pose)
    })
}

/// Poses bodies by clips in layers; see `bonebox_pose_from_layers`. If a pose is refused, the function still applies
/// the poses after it, and returns the failure of the first refused pose.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_pose_from_layers(
    world: *mut BoneboxWorld,
    poses: *const BoneboxLayerPose,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, poses) = (present_mut(world, "world")?, list(poses, count, "poses")?);
        let mut first = Ok(());
        for pose in poses {
            let posed = world.pose(pose.body, |world| {
                let BoneboxWorld { world, layers: memory, .. } = world;
                let place = pose.world_from_model.affine(|| format!("`world_from_model` of body {}", pose.body))?;
                let apply = |layers: &[PoseLayer]| {
                    Ok(world.pose_one(BodyId(pose.body), |body| body.pose_from_layers(&place, layers))?)
                };
                with_layers(pose.layers, pose.layer_count, memory, apply)
            });
            first = first.and(posed);
        }
        first
    })
}
