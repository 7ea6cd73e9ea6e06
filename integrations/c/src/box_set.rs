//! Sets of a character's hitboxes, for functions that change the settings of these hitboxes.

use crate::BoneboxCharacter;
use crate::failure::{BoneboxError, BoneboxResult, Failure, guard};
use crate::handle::{Handle, borrow, hand_over, take};
use crate::memory::text;
use runtime::{BoxIndex, BoxSet};
use skeleton::JointIndex;
use std::ffi::c_char;

/// A set of hitboxes of one character. It never changes, so any number of threads may read it.
pub struct BoneboxBoxSet {
    pub(crate) boxes: BoxSet,
}

impl Handle for BoneboxBoxSet {
    const NAME: &'static str = "BoneboxBoxSet";
}

/// Makes the set of all hitboxes of a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_all(
    character: *const BoneboxCharacter,
    set: *mut *mut BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        hand_over(set, "set", BoneboxBoxSet { boxes: character.character.all_boxes() })
    })
}

/// Makes the set of the hitboxes that have a tag. The function fails if no hitbox has the tag; the
/// message then lists the tags of the character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_with_tag(
    character: *const BoneboxCharacter,
    tag: *const c_char,
    set: *mut *mut BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (character, tag) = (borrow(character, "character")?, text(tag, "tag")?);
        let boxes = character.character.boxes_with_tag(tag).map_err(Failure::not_found)?;
        hand_over(set, "set", BoneboxBoxSet { boxes })
    })
}

/// Makes the set of the hitboxes of a joint; the set is empty if the joint has no hitbox, or if the character has no joint
/// with this index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_of_joint(
    character: *const BoneboxCharacter,
    joint: u16,
    set: *mut *mut BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let character = borrow(character, "character")?;
        hand_over(set, "set", BoneboxBoxSet { boxes: character.character.boxes_of_joint(JointIndex(joint)) })
    })
}

/// Makes the set of the hitboxes that are in `a` or in `b`. Both sets must belong to the same character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_union(
    a: *const BoneboxBoxSet,
    b: *const BoneboxBoxSet,
    set: *mut *mut BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (a, b) = (borrow(a, "a")?, borrow(b, "b")?);
        let boxes = a.boxes.union(&b.boxes).ok_or_else(|| {
            let (a, b) = (a.boxes.character_name(), b.boxes.character_name());
            let b = if a == b { format!("another bake of {b:?}") } else { format!("{b:?}") };
            Failure::new(
                BoneboxResult::WrongCharacter,
                format!("`a` is a set of {a:?} and `b` a set of {b}; pass two sets of the same character"),
            )
        })?;
        hand_over(set, "set", BoneboxBoxSet { boxes })
    })
}

/// Makes the set of the character's hitboxes that are not in `boxes`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_complement(
    boxes: *const BoneboxBoxSet,
    set: *mut *mut BoneboxBoxSet,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let boxes = borrow(boxes, "boxes")?;
        hand_over(set, "set", BoneboxBoxSet { boxes: boxes.boxes.complement() })
    })
}

/// Makes a character that has only the hitboxes of a set: for bodies that are far away, or for queries that need only
/// heads. Posing the new character computes only the joints that lead to these hitboxes. Free the new character with
/// `bonebox_character_free`.
///
/// - The skeleton, the clips and their indices stay the same. The new character has no skin.
/// - The hitboxes get new indices from 0 on, in the order of their old indices. Sets of hitboxes and joint masks of the
///   old character do not fit the new character: make new ones.
/// - The function copies the skeleton and the clips. Call it once, when you load the character.
/// - To change the character of a body, remove the body and insert it again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_character_with_only_boxes(
    character: *const BoneboxCharacter,
    name: *const c_char,
    boxes: *const BoneboxBoxSet,
    limited: *mut *mut BoneboxCharacter,
    error: *mut BoneboxError,
) -> BoneboxResult {
    guard(error, || {
        let (character, boxes) = (borrow(character, "character")?, borrow(boxes, "boxes")?);
        let made = character.character.with_only_boxes(text(name, "name")?, &boxes.boxes);
        let made = made.map_err(|error| Failure::new(BoneboxResult::WrongCharacter, error))?;
        hand_over(limited, "limited", BoneboxCharacter::new(made, &[]))
    })
}

/// Returns the number of hitboxes in the set. Returns 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_count(set: *const BoneboxBoxSet) -> usize {
    borrow(set, "set").map_or(0, |set| set.boxes.len())
}

/// Returns true if a hitbox is in the set. Returns false for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_contains(set: *const BoneboxBoxSet, hitbox: u16) -> bool {
    borrow(set, "set").is_ok_and(|set| set.boxes.contains(BoxIndex(hitbox)))
}

/// Frees a set; NULL is allowed. Body settings that were made with the set stay in effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bonebox_box_set_free(set: *mut BoneboxBoxSet) -> BoneboxResult {
    guard(std::ptr::null_mut(), || take(set, "set"))
}
