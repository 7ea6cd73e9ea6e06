//! A set of one character's hitboxes, resolved once and used every tick.

use crate::character::HitboxTable;
use crate::{BoxIndex, Character};
use skeleton::JointIndex;
use std::sync::Arc;

/// Some of one character's hitboxes: the hitboxes with a tag, the hitboxes of a joint, or any combination.
///
/// Making a set compares names; using a set does not. Make the sets that a game needs when you load the character. A
/// set knows which character it belongs to: functions return an error if they are given a set of another character.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/example.rs")); }
/// # use runtime::BoxIndex;
/// let arm = example::arm("Arm"); // two boxes, both tagged "arm"
/// let all = arm.boxes_with_tag("arm")?;
/// let fore = arm.boxes_of_joint(arm.skeleton().find("fore").unwrap());
/// assert_eq!((all.len(), fore.iter().collect::<Vec<_>>()), (2, vec![BoxIndex(1)]));
/// assert!(all.contains(BoxIndex(0)) && !fore.contains(BoxIndex(0)));
/// let error = arm.boxes_with_tag("leg").unwrap_err();
/// assert_eq!(error.to_string(), "no hitbox of \"Arm\" has the tag \"leg\"; its tags are: arm");
/// # Ok::<(), runtime::UnknownTag>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoxSet {
    hitboxes: Arc<HitboxTable>,
    /// Bit `i % 64` of word `i / 64` stands for box `i`.
    words: Vec<u64>,
}

/// No hitbox of the character has the tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no hitbox of {character:?} has the tag {tag:?}; its tags are: {}", known.join(", "))]
pub struct UnknownTag {
    /// The character's name.
    pub character: Arc<str>,
    /// The requested tag.
    pub tag: String,
    /// The tags that hitboxes of this character have, sorted.
    pub known: Vec<String>,
}

impl BoxSet {
    pub(crate) fn new(hitboxes: &Arc<HitboxTable>, is_in: impl Fn(usize) -> bool) -> Self {
        let mut words = vec![0; hitboxes.joints.len().div_ceil(64)];
        for index in (0..hitboxes.joints.len()).filter(|&index| is_in(index)) {
            words[index / 64] |= 1 << (index % 64);
        }
        Self { hitboxes: Arc::clone(hitboxes), words }
    }

    pub(crate) fn is_of(&self, hitboxes: &Arc<HitboxTable>) -> bool {
        self.hitboxes.is_same(hitboxes)
    }

    pub(crate) fn has(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    pub(crate) fn same_boxes(&self, other: &Self) -> bool {
        self.words == other.words
    }

    pub(crate) fn insert_all(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn remove_all(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// The name of the character that the hitboxes belong to.
    #[must_use]
    pub fn character_name(&self) -> &str {
        &self.hitboxes.name
    }

    /// Returns `true` if the set contains the hitbox; `false` for an index that the character does not have.
    #[must_use]
    pub fn contains(&self, index: BoxIndex) -> bool {
        self.has(index.index())
    }

    /// The number of hitboxes in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns `true` if the set contains no hitbox.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The hitboxes of the set, smallest index first.
    pub fn iter(&self) -> impl Iterator<Item = BoxIndex> + '_ {
        (0..self.hitboxes.joints.len()).filter(|&index| self.has(index)).map(|index| BoxIndex(index as u16))
    }

    /// The hitboxes that are in either set. `None` if the sets are of different characters.
    #[must_use]
    pub fn union(&self, other: &Self) -> Option<Self> {
        let mut both = self.clone();
        both.insert_all(other);
        self.is_of(&other.hitboxes).then_some(both)
    }

    /// All hitboxes of the character that are not in this set.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self::new(&self.hitboxes, |index| !self.has(index))
    }
}

impl Character {
    /// All hitboxes.
    #[must_use]
    pub fn all_boxes(&self) -> BoxSet {
        BoxSet::new(&self.hitboxes, |_| true)
    }

    /// The hitboxes that have a tag. The name of a set in `bonebox.toml` is a tag too.
    ///
    /// # Errors
    /// Returns an error if no hitbox has the tag.
    pub fn boxes_with_tag(&self, tag: &str) -> Result<BoxSet, UnknownTag> {
        let boxes = &self.baked().boxes;
        let set = BoxSet::new(&self.hitboxes, |index| boxes[index].tags.iter().any(|word| word == tag));
        if !set.is_empty() {
            return Ok(set);
        }
        let mut known: Vec<String> = boxes.iter().flat_map(|one| one.tags.iter().cloned()).collect();
        known.sort_unstable();
        known.dedup();
        Err(UnknownTag { character: Arc::clone(&self.hitboxes.name), tag: tag.into(), known })
    }

    /// The hitboxes that are attached to a joint; an empty set if the joint has no hitbox.
    #[must_use]
    pub fn boxes_of_joint(&self, joint: JointIndex) -> BoxSet {
        BoxSet::new(&self.hitboxes, |index| self.hitboxes.joints[index] == joint)
    }
}
