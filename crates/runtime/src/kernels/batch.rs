//! Pairs of boxes whose bounds overlap, from any number of characters, collected until there are enough to fill whole
//! vectors.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES, Record};
use super::prefetch;

/// Some of a character's boxes.
#[derive(Clone, Copy)]
pub(crate) struct Side<'r, 'n> {
    pub(crate) blocks: &'r [BoundsBlock],
    /// The records of all boxes of the character.
    pub(crate) records: &'r [Record],
    /// A mask of the boxes to test, one for each block.
    pub(crate) near: &'n [u16],
    /// The index of the first block's first box.
    pub(crate) start: usize,
}

impl Side<'_, '_> {
    /// The boxes to test, counted from the first block's first box.
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

    /// The bounds of the boxes to test if these are few, otherwise `all`.
    pub(crate) fn reach(&self, all: &Bounds) -> Bounds {
        const FEW: u32 = 8;
        if self.near.iter().map(|mask| mask.count_ones()).sum::<u32>() > FEW {
            return *all;
        }
        self.near_boxes().fold(Bounds::EMPTY, |around, index| around.union(&self.bounds(index)))
    }

    /// Prefetches the records of the boxes to test.
    #[inline]
    pub(crate) fn prefetch(&self) {
        for (block, &near) in self.near.iter().enumerate() {
            let (mut left, start) = (near, self.start + block * LANES);
            while left != 0 {
                prefetch(std::slice::from_ref(&self.records[start + left.trailing_zeros() as usize]));
                left &= left - 1;
            }
        }
    }
}

/// A callback that takes the number that the caller gave to a pair of characters, and pairs of indices of their boxes
/// that overlap. It returns `true` if it wants more pairs.
pub(crate) type OverlapSink<'t> = dyn FnMut(u32, &[[u16; 2]]) -> bool + 't;

/// The most pairs of boxes in a [`Batch`].
const PAIRS: usize = 128;

/// The most pairs of characters in a [`Batch`].
const SOURCES: usize = 8;

/// The pair of characters that candidates belong to.
#[derive(Clone, Copy)]
struct Source<'r> {
    a: &'r [Record],
    b: &'r [Record],
    pair: u32,
    /// One past the index of the pair's last candidate.
    end: usize,
}

/// The key of a candidate: the index of the first box times 2^16, plus the index of the second box.
#[inline(always)]
pub(super) fn key(first: usize, second: usize) -> u32 {
    (first << 16 | second) as u32
}

/// Writes `key + k` for each bit `k` of `lanes` that is set.
#[inline(always)]
pub(super) fn put_keys(keys: &mut [u32; LANES], key: u32, lanes: u16) {
    let mut len = 0;
    for (half, byte) in (0..).zip(lanes.to_le_bytes()) {
        let near = &BIT_PLACES[usize::from(byte)];
        if let Some(keys) = keys[len..].first_chunk_mut() {
            *keys = near.places.map(|place| key + 8 * half + place);
        }
        len += near.count as usize;
    }
}

/// Candidates from any number of characters.
///
/// Masks select the boxes that reach into another's bounds. No branch depends on the number of set bits, which no
/// processor can predict: eight numbers are written for every eight bits, and only the numbers of set bits are kept.
pub(crate) struct Batch<'r> {
    /// The [`key`] of each candidate. Entries from `len` on are never read.
    keys: [u32; PAIRS + LANES],
    len: usize,
    /// The pairs of characters, in the order of their candidates.
    sources: [Source<'r>; SOURCES],
    /// The number of `sources` in use. Between `open` and `close`, the last of these is open.
    source_count: usize,
    /// The number of candidates taken out so far, and in `source` the index of the next candidate's pair of characters.
    taken: usize,
    source: usize,
}

impl<'r> Batch<'r> {
    #[inline]
    pub(crate) fn new() -> Self {
        let none = Source { a: &[], b: &[], pair: 0, end: 0 };
        Self { keys: [0; PAIRS + LANES], len: 0, sources: [none; SOURCES], source_count: 0, taken: 0, source: 0 }
    }

    /// Returns `true` if `len` candidates leave no room for the candidates of one more block.
    #[inline]
    pub(super) fn is_nearly_full(len: usize) -> bool {
        len > PAIRS - LANES
    }

    /// Returns `true` if no other pair of characters can be [opened](Self::open).
    #[inline]
    pub(super) fn has_no_source_left(&self) -> bool {
        self.source_count == SOURCES
    }

    /// Opens a pair of characters: candidates belong to this pair until it is [closed](Self::close).
    #[inline]
    pub(super) fn open(&mut self, a: &Side<'r, '_>, b: &Side<'r, '_>, pair: u32) {
        self.sources[self.source_count] = Source { a: a.records, b: b.records, pair, end: self.len };
        self.source_count += 1;
    }

    /// Closes the open pair of characters: it gets no more candidates.
    #[inline]
    pub(super) fn close(&mut self) {
        let source = &mut self.sources[self.source_count - 1];
        // A pair without candidates leaves its place to the next pair.
        self.source_count -= usize::from(source.end == self.len);
        source.end = self.len;
    }

    /// Closes the open pair of characters. Until now the second half of its candidates' keys is a place in `indices`; it is
    /// replaced by the box index that stands there.
    #[inline]
    pub(super) fn close_packed(&mut self, indices: &[u16]) {
        let start = self.sources[self.source_count - 1].end;
        for key in &mut self.keys[start..self.len] {
            *key = *key & 0xFFFF_0000 | u32::from(indices[(*key & 0xFFFF) as usize]);
        }
        self.close();
    }

    /// The number of candidates.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Sets the number of candidates after some [puts](Self::put).
    #[inline]
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Writes candidates after the first `len`: the box `first` with each box in `near`, a mask of eight boxes that
    /// begin at `second`. Returns the new number of candidates. The caller keeps this number in a register, because
    /// otherwise the next put would wait for memory.
    #[inline(always)]
    pub(super) fn put(&mut self, len: usize, first: usize, second: usize, near: u8) -> usize {
        let key = key(first, second);
        let near = &BIT_PLACES[usize::from(near)];
        if let Some(keys) = self.keys[len..].first_chunk_mut() {
            *keys = near.places.map(|place| key + place);
        }
        len + near.count as usize
    }

    /// The room for sixteen candidates after the first `len`.
    #[inline(always)]
    pub(super) fn room(&mut self, len: usize) -> Option<&mut [u32; LANES]> {
        self.keys[len..].first_chunk_mut()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The boxes of the next candidates and their number, at most `WIDTH`; the remaining entries repeat the first
    /// candidate. `None` if at most `few` candidates are left.
    #[inline(always)]
    pub(super) fn next_pairs<const WIDTH: usize>(
        &self,
        few: usize,
    ) -> Option<([&'r Record; WIDTH], [&'r Record; WIDTH], usize)> {
        if self.len - self.taken <= few {
            return None;
        }
        let (start, end) = (self.taken, self.len.min(self.taken + WIDTH));
        let (a, b) = self.records(start, end);
        Some((a, b, end - start))
    }

    /// Takes out the next `count` candidates, passes the overlapping ones to `sink` and returns its result. If `sink`
    /// wants no more, all candidates are taken out.
    #[inline(always)]
    pub(super) fn tell(&mut self, count: usize, overlapping: u16, sink: &mut OverlapSink<'_>) -> bool {
        let end = self.taken + count;
        let go_on = self.tell_until(end, overlapping, sink);
        self.taken = end;
        if !go_on || self.taken == self.len {
            (self.len, self.source_count, self.taken, self.source) = (0, 0, 0, 0);
        }
        go_on
    }

    /// The boxes of some candidates; the remaining entries repeat the first candidate.
    #[inline(always)]
    fn records<const WIDTH: usize>(&self, start: usize, end: usize) -> ([&'r Record; WIDTH], [&'r Record; WIDTH]) {
        let mut source = self.source;
        let mut of = &self.sources[source];
        let boxes = |of: &Source<'r>, key: u32| (&of.a[(key >> 16) as usize], &of.b[(key & 0xFFFF) as usize]);
        let (first, second) = boxes(of, self.keys[start]);
        let (mut a, mut b) = ([first; WIDTH], [second; WIDTH]);
        if let Some(keys) = self.keys[start..end].first_chunk::<WIDTH>()
            && end <= of.end
        {
            // This case is written separately because it is by far the most frequent.
            for k in 1..WIDTH {
                (a[k], b[k]) = boxes(of, keys[k]);
            }
        } else {
            for (k, index) in (start..end).enumerate() {
                if index == of.end {
                    source += 1;
                    of = &self.sources[source];
                }
                (a[k], b[k]) = boxes(of, self.keys[index]);
            }
        }
        (a, b)
    }

    /// Passes the overlapping candidates from the next one up to `end` to `sink`, one pair of characters after another.
    #[inline(always)]
    fn tell_until(&mut self, end: usize, overlapping: u16, sink: &mut OverlapSink<'_>) -> bool {
        let start = self.taken;
        let mut left = overlapping;
        loop {
            let Source { pair, end: end_of_source, .. } = self.sources[self.source];
            let until = end.min(end_of_source);
            let of_source = left & u16::MAX >> (LANES - (until - start));
            left &= !of_source;
            self.source += usize::from(until == end_of_source);
            if of_source != 0 {
                let (found, len) = self.chosen(start, of_source);
                if !sink(pair, &found[..len]) {
                    return false;
                }
            }
            if until == end {
                return true;
            }
        }
    }

    /// The candidates from `start` on that the mask `which` selects, and their number.
    #[inline(always)]
    fn chosen(&self, start: usize, which: u16) -> ([[u16; 2]; LANES + 8], usize) {
        let (mut chosen, mut len) = ([[0; 2]; LANES + 8], 0);
        for (byte, keys) in which.to_le_bytes().into_iter().zip(self.keys[start..].chunks_exact(8)) {
            let which = &BIT_PLACES[usize::from(byte)];
            if let Some(chosen) = chosen[len..].first_chunk_mut() {
                *chosen = which.places.map(|place| keys[place as usize]).map(|key| [(key >> 16) as u16, key as u16]);
            }
            len += which.count as usize;
        }
        (chosen, len)
    }
}

/// The places of the bits that are set in a byte, the lowest first, and their number.
#[derive(Clone, Copy)]
pub(super) struct BitPlaces {
    pub(super) places: [u32; 8],
    pub(super) count: u32,
}

/// The bit places of each byte.
pub(super) static BIT_PLACES: [BitPlaces; 256] = {
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

    /// All candidates of the batch that `touching` selects.
    fn told(batch: &mut Batch<'_>, touching: u16) -> Vec<(u32, [u16; 2])> {
        let mut told = Vec::new();
        while let Some((_, _, count)) = batch.next_pairs::<LANES>(0) {
            let go_on = batch.tell(count, touching & u16::MAX >> (LANES - count), &mut |tag, pairs| {
                told.extend(pairs.iter().map(|&pair| (tag, pair)));
                true
            });
            assert!(go_on);
        }
        assert!(batch.len == 0 && batch.source_count == 0);
        told
    }

    fn push(batch: &mut Batch<'_>, tag: u32, first: usize, second: usize, near: u16) {
        static RECORDS: [Record; 512] = [Record::NONE; 512];
        let side = Side { blocks: &[], records: &RECORDS, near: &[], start: 0 };
        batch.open(&side, &side, tag);
        let [low, high] = near.to_le_bytes();
        let len = batch.put(batch.len(), first, second, low);
        let len = batch.put(len, first, second + 8, high);
        batch.set_len(len);
        batch.close();
    }

    proptest! {
        /// Masks of random bits give the same pairs as a loop over every bit, and of these the pairs that touch.
        #[test]
        fn takes_out_what_the_masks_say(
            masks in prop::collection::vec((0usize..300, 0usize..4, any::<u16>()), 0..8),
            touching: u16,
        ) {
            let mut batch = Batch::new();
            let mut expected = Vec::new();
            for (tag, &(first, block, mask)) in (7..).zip(&masks) {
                push(&mut batch, tag, first, block * LANES, mask);
                for lane in (0..LANES).filter(|lane| mask >> lane & 1 == 1) {
                    expected.push((tag, [first as u16, (block * LANES + lane) as u16]));
                }
            }
            let expected: Vec<_> = expected
                .into_iter()
                .enumerate()
                .filter_map(|(index, one)| (touching >> (index % LANES) & 1 == 1).then_some(one))
                .collect();
            prop_assert_eq!(told(&mut batch, touching), expected);
        }
    }

    #[test]
    fn stops_where_no_more_is_wanted() {
        let mut batch = Batch::new();
        (0..3).for_each(|tag| push(&mut batch, tag, 0, 0, 0b101));
        let mut tags = Vec::new();
        let (_, _, count) = batch.next_pairs::<LANES>(0).unwrap();
        let go_on = batch.tell(count, 0b11_1100, &mut |tag, _| {
            tags.push(tag);
            false
        });
        assert!(count == 6 && !go_on && tags == [1] && batch.len == 0);
    }

    #[test]
    fn pairs_of_characters_without_candidates_take_no_place() {
        let mut batch = Batch::new();
        for tag in 0..2 * SOURCES as u32 {
            assert!(!batch.has_no_source_left());
            push(&mut batch, tag, 0, 0, (tag % 2) as u16);
        }
        assert!(batch.has_no_source_left());
        assert_eq!(told(&mut batch, u16::MAX)[3], (7, [0, 0]));
    }
}
