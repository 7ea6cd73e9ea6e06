//! Pairs of boxes whose bounds overlap, from any number of characters, gathered until there are enough to fill whole
//! vectors.

use super::prefetch;
use crate::lanes::{Bounds, BoundsBlock, LANES, Record};

/// Some of a character's boxes.
#[derive(Clone, Copy)]
pub(crate) struct Side<'r, 'n> {
    pub(crate) blocks: &'r [BoundsBlock],
    /// Of all boxes.
    pub(crate) records: &'r [Record],
    /// One mask for each block: which boxes to look at.
    pub(crate) near: &'n [u16],
    /// The number of the first block's first box.
    pub(crate) start: usize,
}

impl Side<'_, '_> {
    /// Boxes to look at, counted from the first block's first.
    pub(super) fn near_boxes(&self) -> impl Iterator<Item = usize> + '_ {
        self.near.iter().enumerate().flat_map(|(block, &mask)| {
            let rest = |&mask: &u16| (mask & mask.wrapping_sub(1) != 0).then_some(mask & mask.wrapping_sub(1));
            let masks = std::iter::successors((mask != 0).then_some(mask), rest);
            masks.map(move |mask| block * LANES + mask.trailing_zeros() as usize)
        })
    }

    pub(super) fn bounds(&self, index: usize) -> Bounds {
        self.blocks[index / LANES].get(index % LANES)
    }

    /// Around the boxes to look at where they are few, else `all`.
    pub(crate) fn reach(&self, all: &Bounds) -> Bounds {
        const FEW: u32 = 8;
        if self.near.iter().map(|mask| mask.count_ones()).sum::<u32>() > FEW {
            return *all;
        }
        self.near_boxes().fold(Bounds::EMPTY, |around, index| around.union(&self.bounds(index)))
    }

    /// Asks for the boxes to look at.
    #[inline]
    pub(crate) fn prefetch(&self) {
        for index in self.near_boxes() {
            prefetch(&self.records[self.start + index..][..1]);
        }
    }
}

/// Takes the caller's tag of two characters and some of their boxes that overlap, each pair by the boxes' numbers, and
/// answers whether it wants more.
pub(crate) type Touching<'t> = dyn FnMut(u32, &[[u16; 2]]) -> bool + 't;

/// Pairs in a [`Batch`].
const PAIRS: usize = 128;

/// Pairs of characters in a [`Batch`].
const SOURCES: usize = 16;

/// Whose boxes candidates are.
#[derive(Clone, Copy)]
struct Source<'r> {
    a: &'r [Record],
    b: &'r [Record],
    tag: u32,
}

/// Candidates from any number of characters.
///
/// Which boxes reach into another's bounds comes as masks. No branch asks how many bits they have, which no processor
/// can guess: eight numbers are written for every eight bits, and only those that stand for a bit are kept.
pub(crate) struct Batch<'r> {
    /// First box times 2^16 and second box. Behind the first `len` is what nobody reads, in both lists.
    keys: [u32; PAIRS + LANES],
    /// Indices into `sources`.
    whose: [u8; PAIRS + LANES],
    len: usize,
    sources: [Source<'r>; SOURCES],
    /// The last of them is open.
    open: usize,
}

impl<'r> Batch<'r> {
    #[inline]
    pub(crate) fn new() -> Self {
        Self {
            keys: [0; PAIRS + LANES],
            whose: [0; PAIRS + LANES],
            len: 0,
            sources: [Source { a: &[], b: &[], tag: 0 }; SOURCES],
            open: 0,
        }
    }

    /// Whether there is no room for the candidates of one more block.
    #[inline]
    pub(super) fn is_nearly_full(&self) -> bool {
        self.len > PAIRS - LANES
    }

    /// Whether no other pair of characters can be [opened](Self::open).
    #[inline]
    pub(super) fn has_no_source_left(&self) -> bool {
        self.open == SOURCES
    }

    /// What is pushed from now on is of these two.
    #[inline]
    pub(super) fn open(&mut self, a: &Side<'r, '_>, b: &Side<'r, '_>, tag: u32) {
        self.sources[self.open] = Source { a: a.records, b: b.records, tag };
    }

    /// Of the two that are open, no more will come.
    #[inline]
    pub(super) fn close(&mut self) {
        // Those that gave nothing leave their place to the next.
        self.open += usize::from(self.len > 0 && usize::from(self.whose[self.len - 1]) == self.open);
    }

    /// Adds the box `first` with all boxes of a block, which begins with the box `second`, that are in `near`.
    #[inline(always)]
    pub(super) fn push(&mut self, first: usize, second: usize, near: u16) {
        const HALF: usize = LANES / 2;
        let [low, high] = near.to_le_bytes().map(|byte| &BIT_PLACES[usize::from(byte)]);
        let middle = self.len + low.count as usize;
        for (at, half, second) in [(self.len, low, second), (middle, high, second + HALF)] {
            let key = (first << 16 | second) as u32;
            if let Some(keys) = self.keys[at..].first_chunk_mut::<HALF>() {
                *keys = std::array::from_fn(|k| key + half.places[k]);
            }
            self.whose[at..][..HALF].fill(self.open as u8);
        }
        self.len = middle + high.count as usize;
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.open = 0;
    }

    /// Both boxes of a candidate.
    #[inline(always)]
    pub(super) fn records(&self, index: usize) -> (&'r Record, &'r Record) {
        let (source, key) = (&self.sources[usize::from(self.whose[index])], self.keys[index]);
        (&source.a[(key >> 16) as usize], &source.b[(key & 0xFFFF) as usize])
    }

    /// Tells `touch` of those that are in `touching`, whose first bit stands for the candidate `start`; passes on its
    /// answer.
    #[inline(always)]
    pub(super) fn tell(&self, start: usize, touching: u16, touch: &mut Touching<'_>) -> bool {
        let mut left = touching;
        let mut at = start;
        while left != 0 {
            let whose = self.whose[at];
            let many = self.whose[at..self.len].iter().take(LANES).take_while(|&&next| next == whose).count();
            let mut found = [[0; 2]; LANES];
            let mut len = 0;
            for key in &self.keys[at..at + many] {
                // Each is written, and kept where it touches: a branch could not be guessed.
                found[len] = [(key >> 16) as u16, *key as u16];
                len += usize::from(left & 1);
                left >>= 1;
            }
            at += many;
            if len > 0 && !touch(self.sources[usize::from(whose)].tag, &found[..len]) {
                return false;
            }
        }
        true
    }
}

/// Which bits of a byte are set, the lowest first, and how many.
#[derive(Clone, Copy)]
struct BitPlaces {
    places: [u32; 8],
    count: u32,
}

/// Of each byte.
static BIT_PLACES: [BitPlaces; 256] = {
    let mut all = [BitPlaces { places: [0; 8], count: 0 }; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0u32;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                all[byte].places[all[byte].count as usize] = bit;
                all[byte].count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn none<'r>() -> Side<'r, 'r> {
        Side { blocks: &[], records: &[], near: &[], start: 0 }
    }

    /// All that the batch has.
    fn told(batch: &Batch<'_>) -> Vec<(u32, [u16; 2])> {
        let mut told = Vec::new();
        for start in (0..batch.len()).step_by(LANES) {
            let touching = u16::MAX >> (LANES - LANES.min(batch.len() - start));
            batch.tell(start, touching, &mut |tag, pairs| {
                told.extend(pairs.iter().map(|&pair| (tag, pair)));
                true
            });
        }
        told
    }

    proptest! {
        /// Masks of random bits become the pairs that looking at every bit gives.
        #[test]
        fn pushes_what_the_masks_say(masks in prop::collection::vec((0usize..300, 0usize..4, any::<u16>()), 0..8)) {
            let mut batch = Batch::new();
            let mut expected = Vec::new();
            for (tag, &(first, block, mask)) in (7..).zip(&masks) {
                batch.open(&none(), &none(), tag);
                batch.push(first, block * LANES, mask);
                batch.close();
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    expected.push((tag, [first as u16, (block * LANES + lane) as u16]));
                }
            }
            prop_assert_eq!(told(&batch), expected);
        }

        #[test]
        fn tells_of_those_that_touch(touching: u16, ends in prop::collection::vec(0usize..16, 0..4)) {
            let mut batch = Batch::new();
            let mut expected = Vec::new();
            for box_of_a in 0..16usize {
                let tag = ends.iter().filter(|&&end| end <= box_of_a).count() as u32;
                batch.open(&none(), &none(), tag);
                batch.push(box_of_a, 0, 1);
                batch.close();
                expected.extend((touching >> box_of_a & 1 == 1).then_some((tag, [box_of_a as u16, 0])));
            }
            let mut told = Vec::new();
            let go_on = batch.tell(0, touching, &mut |tag, pairs| {
                told.extend(pairs.iter().map(|&pair| (tag, pair)));
                true
            });
            prop_assert!(go_on);
            prop_assert_eq!(told, expected);
            prop_assert_eq!(batch.tell(0, touching, &mut |_, _| false), touching == 0);
        }
    }

    #[test]
    fn pairs_of_characters_without_candidates_take_no_place() {
        let mut batch = Batch::new();
        for tag in 0..2 * SOURCES as u32 {
            assert!(!batch.has_no_source_left());
            batch.open(&none(), &none(), tag);
            batch.push(0, 0, (tag % 2) as u16);
            batch.close();
        }
        assert!(batch.has_no_source_left());
        assert_eq!(told(&batch)[3], (7, [0, 0]));
    }
}
