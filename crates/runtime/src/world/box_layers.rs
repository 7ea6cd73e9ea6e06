//! The layers of a body's boxes, for a body whose boxes may have other layers than the body.

use super::CollisionLayers;
use crate::BoxSet;
use crate::kernels::layout::LANES;
#[cfg(feature = "serde")]
use crate::kernels::set_bits::set_bits;
use crate::pose::clone_in_place::clone_in_place;

/// The layers of a body's boxes. Sets of boxes are stored as the bits of words in shared lists, so that changes and
/// copies allocate nothing after these lists have grown. A set without boxes says nothing and is not stored.
#[derive(Debug, Default)]
pub(super) struct BoxLayers {
    /// Layers that replace the body's layers for the boxes of a set.
    rules: Vec<CollisionLayers>,
    /// The set of each rule, one set after another; all sets have the same number of words.
    rule_words: Vec<u64>,
    /// The disabled boxes; no words if all boxes are enabled.
    disabled: Vec<u64>,
    /// The resulting layers of each box, by box index. Empty if all boxes have the body's layers.
    of_boxes: Vec<CollisionLayers>,
    /// The different layers of `of_boxes`. Empty if there are more than [`MOST_CLASSES`], or nobody needs them.
    classes: Vec<CollisionLayers>,
    /// For each class, masks of its boxes, one for each sixteen boxes.
    class_masks: Vec<u16>,
}

clone_in_place!(BoxLayers { rules, rule_words, disabled, of_boxes, classes, class_masks });

/// The most classes of a body: a set of classes is a number of so many bits.
pub(super) const MOST_CLASSES: usize = 32;

/// The boxes of a body in classes: the boxes of a class have the same layers.
#[derive(Clone, Copy)]
pub(super) struct LayerClasses<'b> {
    pub(super) layers: &'b [CollisionLayers],
    /// For each class, masks of its boxes, one for each sixteen boxes. Empty if there is one class, of all boxes.
    masks: &'b [u16],
}

impl<'b> LayerClasses<'b> {
    /// One class, of all boxes.
    pub(super) fn one(layers: &'b CollisionLayers) -> Self {
        Self { layers: std::slice::from_ref(layers), masks: &[] }
    }

    pub(super) fn len(self) -> usize {
        self.layers.len()
    }

    /// The set of the classes that interact with some layers.
    pub(super) fn interacting_with(self, other: CollisionLayers) -> u32 {
        let both = self.layers.iter().enumerate();
        both.fold(0, |set, (class, layers)| set | u32::from(layers.interacts_with(other)) << class)
    }

    /// Masks of the boxes of a set of classes; `None` for all boxes. `masks` is memory.
    pub(super) fn boxes_of(self, set: u32, masks: &mut Vec<u16>) -> Option<&[u16]> {
        if self.masks.is_empty() {
            return None;
        }
        let blocks = self.masks.len() / self.len();
        masks.clear();
        masks.resize(blocks, 0);
        let chosen = self.masks.chunks_exact(blocks).enumerate().filter(|(class, _)| set >> class & 1 == 1);
        chosen.for_each(|(_, of_class)| masks.iter_mut().zip(of_class).for_each(|(mask, other)| *mask |= other));
        Some(masks)
    }
}

impl BoxLayers {
    /// Sets the layers of a set of boxes, and replaces the earlier layers of the same set.
    pub(super) fn set_rule(&mut self, boxes: &BoxSet, layers: CollisionLayers) {
        match self.place_of(boxes) {
            Some(place) => self.rules[place] = layers,
            None if boxes.is_empty() => {}
            None => {
                self.rules.push(layers);
                self.rule_words.extend_from_slice(boxes.words());
            }
        }
    }

    /// Removes the layers of a set of boxes.
    pub(super) fn clear_rule(&mut self, boxes: &BoxSet) {
        if let Some(place) = self.place_of(boxes) {
            let len = boxes.words().len();
            self.rules.remove(place);
            self.rule_words.drain(place * len..(place + 1) * len);
        }
    }

    pub(super) fn disable(&mut self, boxes: &BoxSet) {
        if boxes.is_empty() {
            return;
        }
        self.disabled.resize(boxes.words().len(), 0);
        self.disabled.iter_mut().zip(boxes.words()).for_each(|(word, other)| *word |= other);
    }

    pub(super) fn enable(&mut self, boxes: &BoxSet) {
        self.disabled.iter_mut().zip(boxes.words()).for_each(|(word, other)| *word &= !other);
        if self.disabled.iter().all(|&word| word == 0) {
            self.disabled.clear();
        }
    }

    /// Returns `true` if a rule sets the layers of a box.
    pub(super) fn has_rule(&self, index: usize) -> bool {
        let len = self.rule_words.len() / self.rules.len().max(1);
        let mut words = self.rule_words.iter().skip(index / 64).step_by(len.max(1));
        index / 64 < len && words.any(|word| word >> (index % 64) & 1 == 1)
    }

    /// Recomputes the layers of each box of a body with `count` boxes. Returns the union of the layers of all boxes.
    pub(super) fn apply(&mut self, of_body: CollisionLayers, count: usize) -> CollisionLayers {
        let Self { rules, rule_words, disabled, of_boxes, .. } = self;
        of_boxes.clear();
        if rules.is_empty() && disabled.is_empty() {
            return of_body;
        }
        let has = |words: &[u64], index: usize| words[index / 64] >> (index % 64) & 1 == 1;
        let mut any = CollisionLayers::NONE;
        for index in 0..count {
            let of_rules = rules.iter().zip(rule_words.chunks_exact(count.div_ceil(64)));
            let of_rules = of_rules.filter(|(_, words)| has(words, index)).map(|(layers, _)| *layers);
            let layers = of_rules.reduce(CollisionLayers::union).unwrap_or(of_body);
            let is_disabled = !disabled.is_empty() && has(disabled, index);
            let layers = if is_disabled { CollisionLayers::NONE } else { layers };
            any = any.union(layers);
            of_boxes.push(layers);
        }
        self.find_classes();
        any
    }

    fn find_classes(&mut self) {
        let Self { of_boxes, classes, class_masks, .. } = self;
        let blocks = of_boxes.len().div_ceil(LANES);
        classes.clear();
        class_masks.clear();
        for (index, layers) in of_boxes.iter().enumerate() {
            let known = classes.iter().position(|class| class == layers);
            let class = known.unwrap_or_else(|| {
                classes.push(*layers);
                class_masks.resize(class_masks.len() + blocks, 0);
                classes.len() - 1
            });
            if class == MOST_CLASSES {
                classes.clear();
                return;
            }
            class_masks[class * blocks + index / LANES] |= 1 << (index % LANES);
        }
    }

    /// Replaces the layers of all boxes, without rules and classes: updates do not test bodies outside of a world. Returns the
    /// union of these layers.
    pub(super) fn replace(&mut self, of_boxes: &[CollisionLayers]) -> CollisionLayers {
        self.rules.clear();
        self.rule_words.clear();
        self.disabled.clear();
        self.of_boxes.clear();
        self.of_boxes.extend_from_slice(of_boxes);
        self.classes.clear();
        of_boxes.iter().copied().fold(CollisionLayers::NONE, CollisionLayers::union)
    }

    /// The boxes by their layers, for boxes that do not all have the body's layers. `any` is the union of all layers: it stands
    /// for all boxes if there are too many classes.
    pub(super) fn classes<'b>(&'b self, any: &'b CollisionLayers) -> LayerClasses<'b> {
        if self.classes.is_empty() {
            return LayerClasses::one(any);
        }
        LayerClasses { layers: &self.classes, masks: &self.class_masks }
    }

    /// The layers of each box, by box index; empty if all boxes have the body's layers.
    #[inline]
    pub(super) fn of_boxes(&self) -> &[CollisionLayers] {
        &self.of_boxes
    }

    /// The boxes and the layers of each rule.
    #[cfg(feature = "serde")]
    pub(super) fn rules(&self) -> impl Iterator<Item = (Vec<u16>, CollisionLayers)> + '_ {
        let len = self.rule_words.len() / self.rules.len().max(1);
        self.rules
            .iter()
            .enumerate()
            .map(move |(rule, layers)| (box_numbers(&self.rule_words[rule * len..(rule + 1) * len]).collect(), *layers))
    }

    /// The disabled boxes.
    #[cfg(feature = "serde")]
    pub(super) fn disabled(&self) -> Vec<u16> {
        box_numbers(&self.disabled).collect()
    }

    /// The place of the rule for exactly this set.
    fn place_of(&self, boxes: &BoxSet) -> Option<usize> {
        let words = boxes.words();
        self.rule_words.chunks_exact(words.len().max(1)).position(|known| known == words)
    }
}

/// The indices of the boxes of a set.
#[cfg(feature = "serde")]
fn box_numbers(words: &[u64]) -> impl Iterator<Item = u16> + '_ {
    words.iter().enumerate().flat_map(|(place, &word)| set_bits(word).map(move |bit| (64 * place + bit) as u16))
}
