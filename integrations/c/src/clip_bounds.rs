//! The clock of clips, and bounds of all hitboxes over a span of a clip.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::borrow;
use crate::memory::{read, write};
use crate::pose::place;
use crate::shapes::BoneboxMatrix;
use crate::{BoneboxBounds, BoneboxCharacter};
use runtime::{Bounds, ClipIndex, LoopMode};

/// What a clip does after its end.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoneboxLoopMode {
    /// The clip holds its last pose.
    Once = 0,
    /// The clip starts again at its first key.
    Loop = 1,
}

/// Reads a `BoneboxLoopMode`, which C passes as a number of any value.
fn checked_loop_mode(loop_mode: u32) -> Result<LoopMode, Failure> {
    match loop_mode {
        one if one == BoneboxLoopMode::Once as u32 => Ok(LoopMode::Once),
        one if one == BoneboxLoopMode::Loop as u32 => Ok(LoopMode::Loop),
        other => Err(Failure::invalid(format!("`loop_mode` is {other}; pass a BoneboxLoopMode, which is 0 or 1"))),
    }
}

/// Writes the time on a clip's own clock when `elapsed` seconds have passed since the clip was started. `loop_mode` is a
/// `BoneboxLoopMode`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_clip_time(
    character: *const BoneboxCharacter,
    clip: u32,
    loop_mode: u32,
    elapsed: f64,
    seconds: *mut f32,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        write(seconds, "seconds", checked_loop_mode(loop_mode)?.clip_time(character.clip(clip)?, elapsed))
    })
}

/// Writes bounds, in model space, of all hitboxes over a span of a clip: from `elapsed` to `elapsed + duration` seconds
/// after the clip was started. The bounds contain the hitboxes of the pose at `bonebox_character_clip_time` for every
/// time in that span. The function fails if the character was baked with `poses = "any"`.
///
/// Use the bounds to pose characters that are far away less often. For example, keep the bounds for ten ticks, and pose
/// the character earlier only if something comes into the bounds. The first call for a clip takes about a millisecond for
/// each second of the clip; a later call takes some tens of nanoseconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_bounds_over(
    character: *const BoneboxCharacter,
    clip: u32,
    loop_mode: u32,
    elapsed: f64,
    duration: f64,
    model_bounds: *mut BoneboxBounds,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        let bounds =
            character.character.bounds_over(ClipIndex(clip), checked_loop_mode(loop_mode)?, elapsed, duration)?;
        write(model_bounds, "model_bounds", (&bounds).into())
    })
}

/// Transforms bounds from model space, such as those of `bonebox_character_bounds_over`, to world space: writes bounds
/// that contain the transformed box. If the matrix only rotates, moves, mirrors and scales evenly, the written bounds
/// contain the hitboxes that are posed with the same matrix.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_bounds_transformed(
    bounds: *const BoneboxBounds,
    world_from_model: *const BoneboxMatrix,
    transformed: *mut BoneboxBounds,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let bounds = Bounds::from(&read(bounds, "bounds")?).transformed(&place(world_from_model)?);
        write(transformed, "transformed", (&bounds).into())
    })
}
