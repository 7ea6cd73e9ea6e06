//! Morph targets of the skin: other shapes, such as an open mouth, that exact answers follow by weights.

use crate::character::MorphTarget;
use crate::failure::{BoneboxError, BoneboxResult, guard};
use crate::handle::{borrow, borrow_mut};
use crate::memory::{BoneboxString, list, write};
use crate::world::present_mut;
use crate::{BoneboxCharacter, BoneboxPose, BoneboxWorld};
use runtime::BodyId;

/// A morph target of the character's skin.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct BoneboxMorphTarget {
    /// The target's name in the source, or `target_N` if it has none. Several targets may have the same name.
    pub name: BoneboxString,
    /// The mesh, an index for `bonebox_character_skin_mesh`.
    pub mesh: u32,
    /// The number of the target among those of its mesh in the source file. Targets that move nothing are left out.
    pub number: u32,
}

/// Returns the number of morph targets of the character's skin; 0 if it was baked without its skin, and for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_morph_target_count(character: *const BoneboxCharacter) -> usize {
    borrow(character, "character").map_or(0, |character| character.morph_targets.len())
}

/// Writes the morph target with this index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_morph_target(
    character: *const BoneboxCharacter,
    index: u32,
    target: *mut BoneboxMorphTarget,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let missing = || character.no_index("morph target", index, character.morph_targets.len());
        let &MorphTarget { name, mesh, number } = character.morph_targets.get(index as usize).ok_or_else(missing)?;
        write(target, "target", BoneboxMorphTarget { name: character.string(name), mesh, number })
    })
}

/// Sets the weights of the morph targets of the tracked skin, from the next pose on. `count` is the number of morph targets of the
/// character. They hold until others are set; at first all are 0. Hitboxes do not follow them. A failure keeps the earlier weights.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_pose_set_morph_weights(
    pose: *mut BoneboxPose,
    character: *const BoneboxCharacter,
    weights: *const f32,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (pose, character) = (borrow_mut(pose, "pose")?, borrow(character, "character")?);
        Ok(pose.posed.set_morph_weights(&character.character, list(weights, count, "weights")?)?)
    })
}

/// Sets the weights of the morph targets of a body's tracked skin, as `bonebox_pose_set_morph_weights` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_set_morph_weights(
    world: *mut BoneboxWorld,
    body: u64,
    weights: *const f32,
    count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let world = present_mut(world, "world")?;
        Ok(world.world.set_morph_weights(BodyId(body), list(weights, count, "weights")?)?)
    })
}
