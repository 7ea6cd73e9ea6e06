//! A set of one character's hitboxes, resolved once and used every tick.

use crate::character::hitbox_table::HitboxTable;
use crate::character::pose_error::other_not_of;
use crate::{BoxIndex, Character};
use baked_format::{BakedCharacter, HitboxRole};
use skeleton::JointIndex;
use std::sync::Arc;

/// Some of one character's hitboxes: the hitboxes with a tag, the hitboxes of a joint, or any combination.
///
/// Making a set compares names; using a set does not. So make all sets once, when you load the character. Functions
/// return an error if they are given a set of another character.
///
/// ```
/// use runtime::{BoxIndex, Character};
///
/// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?; // two boxes, both tagged "arm"
/// let all = arm.boxes_with_tag("arm")?;
/// let fore = arm.boxes_of_joint(arm.skeleton().find("fore").unwrap());
/// assert_eq!((all.len(), fore.iter().collect::<Vec<_>>()), (2, vec![BoxIndex(1)]));
/// assert!(all.contains(BoxIndex(0)) && !fore.contains(BoxIndex(0)));
/// let error = arm.boxes_with_tag("leg").unwrap_err();
/// assert_eq!(error.to_string(), "no hitbox of \"Arm\" has the tag \"leg\"; its tags: arm");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoxSet {
    hitboxes: Arc<HitboxTable>,
    /// Bit `i % 64` of word `i / 64` stands for box `i`.
    words: Vec<u64>,
}

/// The error of [`Character::boxes_with_tag`]: no hitbox of the character has the tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no hitbox of {character:?} has the tag {tag:?}; its tags: {}", known.join(", "))]
pub struct UnknownTag {
    /// The character's name.
    pub character: Arc<str>,
    /// The requested tag.
    pub tag: String,
    /// The tags that hitboxes of this character have, sorted.
    pub known: Vec<String>,
}

/// The set belongs to another character, or to another bake of the character. Make the set from the character that it
/// is used with.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the set holds hitboxes of {}; make the set from the {expected:?} that it is used with", other_not_of(.expected, .found))]
pub struct OtherBoxes {
    /// The name of the character that the set was used with.
    pub expected: Arc<str>,
    /// The name of the character that the set belongs to.
    pub found: Arc<str>,
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

    fn has(&self, index: usize) -> bool {
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The bits of all boxes: bit `i % 64` of word `i / 64` stands for box `i`.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The set of the boxes with these indices. `None` if the character does not have one of them.
    #[cfg(any(test, feature = "serde"))]
    pub(crate) fn from_indices(hitboxes: &Arc<HitboxTable>, indices: &[u16]) -> Option<Self> {
        let mut set = Self::new(hitboxes, |_| false);
        for &index in indices {
            let index = usize::from(index);
            if index >= hitboxes.joints.len() {
                return None;
            }
            set.words[index / 64] |= 1 << (index % 64);
        }
        Some(set)
    }

    /// The set whose words `combine` makes of the words of two sets. `None` if the sets are of different characters.
    fn combined(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Option<Self> {
        let words = self.words.iter().zip(&other.words).map(|(&one, &other)| combine(one, other));
        self.is_of(&other.hitboxes).then(|| Self { hitboxes: Arc::clone(&self.hitboxes), words: words.collect() })
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
        self.combined(other, |one, other| one | other)
    }

    /// The hitboxes of this set that are not in the other set, for example the hand without the sword in it. `None` if the
    /// sets are of different characters.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Self> {
        self.combined(other, |one, other| one & !other)
    }

    /// All hitboxes of the character that are not in this set.
    #[must_use]
    pub fn complement(&self) -> Self {
        Self::new(&self.hitboxes, |index| !self.has(index))
    }
}

impl Character {
    /// Returns the set of all hitboxes of the character.
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

    /// The hitboxes of a role; an empty set if the character has none.
    #[must_use]
    pub fn boxes_with_role(&self, role: HitboxRole) -> BoxSet {
        BoxSet::new(&self.hitboxes, |index| self.hitboxes.role(index) == role)
    }

    /// Makes a smaller character that has only the hitboxes of the set, for example for bodies that are far away, or
    /// for a query that needs only heads. Posing such a body computes only the joints that lead to these hitboxes, and
    /// queries test only these hitboxes. The function copies the skeleton and the clips, so call it once, when you load
    /// the character.
    ///
    /// Give the smaller character a name that no other character of the game has. A saved [`crate::HitboxWorld`] finds
    /// its characters by their names.
    ///
    /// The smaller character differs from the whole character:
    /// - Box `i` of the smaller character is the `i`-th hitbox of [`BoxSet::iter`]. Joint indices and clip indices stay
    ///   the same.
    /// - Rays and shapes pass through the hitboxes that were left out.
    /// - [`Character::boxes_with_tag`] returns an error for a tag that none of its hitboxes has.
    /// - Attacks and states keep those of their hitboxes that are left. Attacks and states without one are left out.
    /// - A set of the whole character gives an error for a body of the smaller character.
    /// - The smaller character has no coverage and no skin, so exact queries return [`crate::SkinError::NoSkin`].
    ///
    /// A body of a [`crate::HitboxWorld`] cannot change its character. Remove the body and insert it with the other
    /// character; its touches end and start again.
    ///
    /// # Errors
    /// Returns an error if the set is of another character.
    ///
    /// ```
    /// use glam::Affine3A;
    /// use runtime::{Character, PosedCharacter};
    ///
    /// // Joints root, upper, fore and finger; upper and fore have a box each.
    /// let arm = Character::load(&std::fs::read("tests/data/arm.bonebox")?)?;
    /// let upper = arm.boxes_of_joint(arm.skeleton().find("upper").unwrap());
    /// let far = arm.with_only_boxes("Arm, far away", &upper)?;
    /// assert_eq!((far.box_count(), far.needed_joints().len()), (1, 2)); // the forearm is not computed
    /// let mut posed = PosedCharacter::new();
    /// posed.pose_from_rest(&far, &Affine3A::IDENTITY)?;
    /// assert_eq!(posed.boxes().next().unwrap().joint, arm.skeleton().find("upper").unwrap());
    /// let fore = far.boxes_of_joint(arm.skeleton().find("fore").unwrap());
    /// assert!(fore.is_empty() && far.with_only_boxes("Arm, nearer", &upper).is_err()); // a set of the whole arm
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_only_boxes(&self, name: &str, boxes: &BoxSet) -> Result<Self, OtherBoxes> {
        if !boxes.is_of(&self.hitboxes) {
            let (expected, found) = (Arc::clone(&self.hitboxes.name), Arc::clone(&boxes.hitboxes.name));
            return Err(OtherBoxes { expected, found });
        }
        /// The attacks or the states that keep a hitbox, with the numbers of the hitboxes among `kept`.
        fn with_boxes<T: Clone>(all: &[T], kept: &[BoxIndex], boxes_of: impl Fn(&mut T) -> &mut Vec<u16>) -> Vec<T> {
            let mut all = all.to_vec();
            all.retain_mut(|one| {
                let boxes = boxes_of(one);
                let numbers = boxes.iter().filter_map(|old| kept.binary_search(&BoxIndex(*old)).ok());
                *boxes = numbers.map(|number| number as u16).collect();
                !boxes.is_empty()
            });
            all
        }
        let baked = self.baked();
        let kept: Vec<BoxIndex> = boxes.iter().collect();
        let envelopes = baked.envelopes.iter().enumerate().filter(|(index, _)| boxes.has(*index));
        Ok(Self::from_baked(BakedCharacter {
            name: name.into(),
            source: baked.source.clone(),
            algorithm_revision: baked.algorithm_revision,
            options: baked.options.clone(),
            skeleton: baked.skeleton.clone(),
            boxes: boxes.iter().map(|index| baked.boxes[index.index()].clone()).collect(),
            clips: baked.clips.clone(),
            coverage: None,
            warnings: baked.warnings.clone(),
            humanoid: baked.humanoid.clone(),
            skin: None,
            envelopes: envelopes.map(|(_, envelope)| envelope.clone()).collect(),
            attacks: with_boxes(&baked.attacks, &kept, |attack| &mut attack.boxes),
            states: with_boxes(&baked.states, &kept, |state| &mut state.boxes),
            ragdoll: None,
        }))
    }

    /// The hitboxes that are attached to a joint; an empty set if the joint has no hitbox, or if the character has no joint with
    /// this index.
    #[must_use]
    pub fn boxes_of_joint(&self, joint: JointIndex) -> BoxSet {
        BoxSet::new(&self.hitboxes, |index| self.hitboxes.joints[index] == joint)
    }
}
