//! Worlds and histories as bytes.

use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{borrow, hand_over};
use crate::memory::list;
use crate::world::{present, present_mut};
use crate::{BoneboxBytes, BoneboxCharacter, BoneboxHistory, BoneboxWorld};
use rewind::History;
use runtime::{Character, HitboxWorld};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The version of saved worlds and saved histories. A library reads only bytes of its own version. The number changes with
/// every release that changes what is saved.
pub const BONEBOX_STATE_VERSION: u32 = 2;

/// What the bytes start with: a mark, the version and a checksum. The state follows in the form of postcard.
const WORLD: &[u8; 8] = b"bonebox\x01";
const HISTORY: &[u8; 8] = b"bonebox\x02";
const HEADER: usize = 20;

/// FNV-1a, which finds accidental damage.
fn checksum(bytes: &[u8]) -> u64 {
    let add = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

fn save(mark: &[u8; 8], state: &impl Serialize) -> Result<BoneboxBytes, Failure> {
    let mut bytes = vec![0; HEADER];
    bytes = postcard::to_extend(state, bytes).map_err(|error| Failure::new(BoneboxResult::InternalError, error))?;
    bytes[..8].copy_from_slice(mark);
    bytes[8..12].copy_from_slice(&BONEBOX_STATE_VERSION.to_le_bytes());
    let sum = checksum(&bytes[HEADER..]);
    bytes[12..HEADER].copy_from_slice(&sum.to_le_bytes());
    Ok(BoneboxBytes { bytes })
}

fn read<T: DeserializeOwned>(mark: &[u8; 8], bytes: &[u8]) -> Result<T, Failure> {
    let bad = |message: String| Failure::new(BoneboxResult::BadFile, message);
    let what = if mark == WORLD { "world" } else { "history" };
    let Some((header, state)) = bytes.split_first_chunk::<HEADER>().filter(|(header, _)| header.starts_with(mark))
    else {
        return Err(bad(format!("the {} bytes are not a saved {what}", bytes.len())));
    };
    let [_, _, _, _, _, _, _, _, a, b, c, d, sum @ ..] = *header;
    let version = u32::from_le_bytes([a, b, c, d]);
    if version != BONEBOX_STATE_VERSION {
        return Err(bad(format!(
            "the saved {what} has version {version}, and this library reads version {BONEBOX_STATE_VERSION}; save it again with this library"
        )));
    }
    if checksum(state) != u64::from_le_bytes(sum) {
        return Err(bad(format!("the saved {what} is damaged: its checksum is wrong")));
    }
    match postcard::take_from_bytes(state) {
        Ok((state, [])) => Ok(state),
        Ok((_, rest)) => Err(bad(format!("the saved {what} has {} bytes too many", rest.len()))),
        Err(error) => Err(bad(format!("the saved {what} is damaged: {error}"))),
    }
}

/// The characters of the caller, by name.
///
/// # Safety
/// `characters` is NULL or points to `count` live handles.
unsafe fn characters<'a>(
    characters: *const *const BoneboxCharacter,
    count: usize,
) -> Result<impl FnMut(&str) -> Option<Arc<Character>> + use<'a>, Failure> {
    let list = list(characters, count, "characters")?;
    let list: Vec<&'a BoneboxCharacter> =
        list.iter().map(|&character| borrow(character, "characters")).collect::<Result<_, _>>()?;
    Ok(move |name: &str| {
        list.iter().map(|one| &one.character).find(|character| character.name() == name).map(Arc::clone)
    })
}

/// Makes bytes of a world: bodies, poses, settings, touches, events, motions, tracked joints and skins. The bytes hold the
/// names of the characters, not the characters. Free them with `bonebox_bytes_free`. To roll back within one program, use
/// `bonebox_world_copy`, which is faster.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_save(
    world: *const BoneboxWorld,
    bytes: *mut *mut BoneboxBytes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || hand_over(bytes, "bytes", save(WORLD, &present(world, "world")?.world.save())?))
}

/// Replaces a world by the one that `bonebox_world_save` made the bytes of. Every function then gives the same answers as
/// for the saved world. Any bytes are safe to pass: bytes that are damaged, have another version or do not fit the
/// characters are a failure, and the world stays as it was.
///
/// `characters` has the characters of the world. Only the name identifies a character, so all characters of a program need
/// different names, and must be the same as when the world was saved.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_world_restore(
    world: *mut BoneboxWorld,
    bytes: *const u8,
    length: usize,
    characters: *const *const BoneboxCharacter,
    character_count: usize,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (world, bytes) = (present_mut(world, "world")?, list(bytes, length, "bytes")?);
        let state = read(WORLD, bytes)?;
        let characters = self::characters(characters, character_count)?;
        world.world = HitboxWorld::restore(&state, characters).map_err(|error| {
            let is_missing = matches!(error, runtime::RestoreError::NoCharacter { .. });
            Failure::new(if is_missing { BoneboxResult::NotFound } else { BoneboxResult::BadFile }, error)
        })?;
        Ok(())
    })
}

/// Makes bytes of a history, as `bonebox_world_save` does of a world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_save(
    history: *const BoneboxHistory,
    bytes: *mut *mut BoneboxBytes,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || hand_over(bytes, "bytes", save(HISTORY, &borrow(history, "history")?.history.save())?))
}

/// Makes the history that `bonebox_history_save` made the bytes of. See `bonebox_world_restore`. The function poses each body
/// of each tick once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_history_restore(
    bytes: *const u8,
    length: usize,
    characters: *const *const BoneboxCharacter,
    character_count: usize,
    history: *mut *mut BoneboxHistory,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let state = read(HISTORY, list(bytes, length, "bytes")?)?;
        let characters = self::characters(characters, character_count)?;
        let restored = History::restore(&state, characters).map_err(|error| {
            let is_missing = matches!(error, rewind::RestoreError::NoCharacter { .. });
            Failure::new(if is_missing { BoneboxResult::NotFound } else { BoneboxResult::BadFile }, error)
        })?;
        hand_over(history, "history", BoneboxHistory { history: Arc::new(restored) })
    })
}
