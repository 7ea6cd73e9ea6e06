//! Candidates from several pairs of characters, collected until there are enough to fill whole vectors.

use super::bounds::Bounds;
use super::layout::{BoundsBlock, LANES, Record};
use super::prefetch;
use super::set_bits::set_bits;
use std::hint::black_box;

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

/// The boxes of a character that are tested against another character.
#[derive(Clone, Copy)]
pub(crate) struct BoxesToTest<'r, 'w> {
    pub(crate) blocks: &'r [BoundsBlock],
    pub(crate) records: &'r [Record],
    /// The bounds of all boxes of the character.
    pub(crate) bounds: Bounds,
    /// A mask of the boxes to test, one for each block; `None` for all boxes.
    pub(crate) wanted: Option<&'w [u16]>,
}

/// The most blocks of a [`Side`]. A character with more blocks is divided into several sides.
pub(crate) const BLOCKS_AT_ONCE: usize = 64;

impl<'r> BoxesToTest<'r, '_> {
    /// Parts of the character of at most [`BLOCKS_AT_ONCE`] blocks, each with the index of its first box.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, &'r [BoundsBlock])> + use<'r> {
        let parts = self.blocks.chunks(BLOCKS_AT_ONCE).enumerate();
        parts.map(|(index, blocks)| (index * BLOCKS_AT_ONCE * LANES, blocks))
    }

    /// Removes the boxes that are not to be tested from the masks of some blocks. The first box of these blocks is `start`.
    #[inline(always)]
    pub(super) fn keep_wanted(&self, start: usize, near: &mut [u16]) {
        if let Some(wanted) = self.wanted {
            near.iter_mut().zip(&wanted[start / LANES..]).for_each(|(near, wanted)| *near &= wanted);
        }
    }
}

impl Side<'_, '_> {
    /// The indices of the boxes to test; the first block's first box is 0.
    #[inline(always)]
    pub(super) fn near_boxes(&self) -> impl Iterator<Item = usize> + '_ {
        self.near.iter().enumerate().flat_map(|(block, &mask)| set_bits(mask).map(move |lane| block * LANES + lane))
    }

    #[inline(always)]
    pub(super) fn bounds(&self, index: usize) -> Bounds {
        self.blocks[index / LANES].get(index % LANES)
    }

    /// The bounds of the boxes to test if these are few, otherwise `all`.
    #[inline(always)]
    pub(super) fn reach(&self, all: &Bounds) -> Bounds {
        const FEW: u32 = 8;
        if self.near.iter().map(|mask| mask.count_ones()).sum::<u32>() > FEW {
            return *all;
        }
        self.near_boxes().fold(Bounds::EMPTY, |around, index| around.union(&self.bounds(index)))
    }

    /// Prefetches the record of a box; the character's first box is 0.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        prefetch(self.records.get(index).map_or(&[], std::slice::from_ref));
    }
}

/// A callback that takes the tag of a source, and the [keys](boxes_of) of pairs of its boxes that overlap. It returns
/// `true` if it wants more pairs.
pub(crate) type OverlapSink<'t> = dyn FnMut(u32, &[u32]) -> bool + 't;

/// The most candidates in a [`Batch`].
const CANDIDATES: usize = 128;

/// The most sources in a [`Batch`].
const SOURCES: usize = 8;

/// Two characters that candidates come from.
#[derive(Clone, Copy)]
struct Source<'r> {
    a: &'r [Record],
    b: &'r [Record],
    tag: u32,
    /// One past the index of the source's last candidate; until the source is closed, the index of its first candidate.
    end: usize,
    /// One past the index of the source's last overlapping pair among those that were found.
    found_end: usize,
}

/// The key of a candidate: the index of the first box, plus the index of the second box times 2^16.
#[inline(always)]
pub(super) const fn key(first: usize, second: usize) -> u32 {
    (second << 16 | first) as u32
}

/// The indices of the boxes of a key.
#[inline(always)]
pub(crate) fn boxes_of(key: u32) -> [u16; 2] {
    [key as u16, (key >> 16) as u16]
}

/// For each lane of a block, the key of (box 0, the box in this lane). Only the bits of the second box are set, so adding
/// `key(first, 0)` gives the key of a candidate.
pub(super) const LANE_KEYS: [u32; LANES] = {
    let mut keys = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        keys[lane] = key(0, lane);
        lane += 1;
    }
    keys
};

/// [`super::vectors::Vectors::choose`] of eight numbers of [`LANE_KEYS`], by additions in place of look-ups.
#[inline(always)]
pub(super) fn choose_eight_lane_keys(at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
    let plus = plus + key(0, at);
    if let Some(chosen) = chosen.first_chunk_mut() {
        *chosen = BIT_PLACES[usize::from(lanes & 0xFF)].places.map(|place| (place << 16) + plus);
    }
}

/// [`super::vectors::Vectors::choose`] of eight numbers.
#[inline(always)]
pub(super) fn choose_eight(numbers: &[u32; LANES], at: usize, lanes: u16, plus: u32, chosen: &mut [u32; LANES]) {
    if let Some(eight) = numbers[at..].first_chunk::<8>()
        && let Some(chosen) = chosen.first_chunk_mut()
    {
        *chosen = BIT_PLACES[usize::from(lanes & 0xFF)].places.map(|place| eight[place as usize & 7] + plus);
    }
}

/// At most 128 candidates, of at most eight pairs of characters.
///
/// For each box of the first character, masks select the boxes of the second character whose bounds are near its bounds.
/// For every eight (or sixteen) bits of a mask, a vector
/// kernel writes eight (or sixteen) numbers, those of the set bits first, however many bits are set; then the length grows by
/// the number of set bits only. So no branch depends on each bit, which no processor can predict.
///
/// The keys come first, at the start of a cache line: otherwise many vectors of keys lie in two lines, which costs a
/// twentieth of the time of `flush` with AVX2.
#[repr(C, align(64))]
pub(crate) struct Batch<'r> {
    /// The [`key`] of each candidate. `close` writes sixteen more copies of the last key after it, so that a vector that is
    /// not full repeats the last candidate.
    keys: [u32; CANDIDATES + LANES],
    len: usize,
    /// The sources, in the order of their candidates.
    sources: [Source<'r>; SOURCES],
    /// The number of `sources` in use. Between `open` and `close`, the last of these is open.
    source_count: usize,
    /// The number of candidates taken out so far.
    taken: usize,
    /// The index of the next candidate's source.
    source: usize,
    /// The number of overlapping pairs that were found and not yet told. Their keys are the first ones of `keys`.
    found: usize,
    /// The index of the first source whose pairs were not all told.
    told: usize,
    /// `true` if pairs are told after each vector in which some were found, `false` if they are told together.
    tells_soon: bool,
}

impl<'r> Batch<'r> {
    #[inline]
    pub(crate) fn new() -> Self {
        let none = Source { a: &[], b: &[], tag: 0, end: 0, found_end: 0 };
        Self {
            keys: [0; CANDIDATES + LANES],
            len: 0,
            sources: [none; SOURCES],
            source_count: 0,
            taken: 0,
            source: 0,
            found: 0,
            told: 0,
            tells_soon: false,
        }
    }

    /// A batch for a sink that may want no pair after the first one.
    #[inline]
    pub(crate) fn for_first() -> Self {
        Self { tells_soon: true, ..Self::new() }
    }

    /// Returns `true` if `len` candidates leave no room for `more` candidates.
    #[inline]
    pub(super) fn is_nearly_full(len: usize, more: usize) -> bool {
        len + more > CANDIDATES
    }

    /// Returns `true` if no other source can be [opened](Self::open).
    #[inline]
    pub(super) fn has_no_source_left(&self) -> bool {
        self.source_count == SOURCES
    }

    /// Opens a source: candidates belong to it until it is [closed](Self::close).
    #[inline]
    pub(super) fn open(&mut self, a: &Side<'r, '_>, b: &Side<'r, '_>, tag: u32) {
        self.sources[self.source_count] = Source { a: a.records, b: b.records, tag, end: self.len, found_end: 0 };
        self.source_count += 1;
    }

    /// Closes the open source: it gets no more candidates.
    #[inline]
    pub(super) fn close(&mut self) {
        let source = &mut self.sources[self.source_count - 1];
        // A source without candidates leaves its place to the next source.
        self.source_count -= usize::from(source.end == self.len);
        source.end = self.len;
        let last = self.keys[self.len.saturating_sub(1)];
        if let Some(room) = self.room(self.len) {
            *room = [last; LANES];
        }
    }

    /// Closes the open source. The upper 16 bits of each candidate's key are still an index into `keys_of_b`; this function
    /// puts the second box in their place. `keys_of_b[index]` is the [`key`] of (box 0, that second box).
    #[inline]
    pub(super) fn close_packed(&mut self, keys_of_b: &[u32]) {
        let start = self.sources[self.source_count - 1].end;
        for key in &mut self.keys[start..self.len] {
            *key = (*key & 0xFFFF) + keys_of_b[(*key >> 16) as usize];
        }
        self.close();
    }

    /// The number of candidates.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Sets the number of candidates after some were written to the [room](Self::room). A caller that adds many keeps
    /// the number in a register meanwhile, because otherwise the next candidate would wait for memory.
    #[inline]
    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// The room for the [keys](key) of sixteen candidates after the first `len`.
    #[inline(always)]
    pub(super) fn room(&mut self, len: usize) -> Option<&mut [u32; LANES]> {
        // One comparison, from which the compiler sees that there is room.
        if len <= CANDIDATES { self.keys[len..].first_chunk_mut() } else { None }
    }

    /// Returns `true` if no candidates are left.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.taken == self.len
    }

    /// The boxes of the next candidates and their number, at most `WIDTH`; the remaining entries repeat the last
    /// candidate. `None` if at most `few` candidates are left.
    #[inline(always)]
    pub(super) fn next_candidates<const WIDTH: usize>(
        &self,
        few: usize,
    ) -> Option<([&'r Record; WIDTH], [&'r Record; WIDTH], usize)> {
        if self.len - self.taken <= few {
            return None;
        }
        let end = self.len.min(self.taken + WIDTH);
        let (a, b) = self.records(end)?;
        Some((a, b, end - self.taken))
    }

    /// The boxes of candidate `index` of [`Self::next_candidates`].
    pub(super) fn candidate(&self, index: usize) -> [&'r Record; 2] {
        let index = self.taken + index;
        let of = self.sources.iter().find(|source| index < source.end).unwrap_or(&self.sources[self.source]);
        let [first, second] = boxes_of(self.keys[index]);
        [&of.a[usize::from(first)], &of.b[usize::from(second)]]
    }

    /// The [keys](key) of [`Self::next_candidates`]; those after the last candidate have no meaning.
    #[inline(always)]
    pub(super) fn next_keys(&self) -> Option<&[u32; LANES]> {
        self.keys[self.taken..].first_chunk()
    }

    /// Takes out the next `count` candidates. `overlapping` is a mask of those that overlap, and `found` begins with their
    /// keys. The pairs wait for [`Self::tell`], and no branch depends on how many there are.
    #[inline(always)]
    pub(super) fn take<const WIDTH: usize>(&mut self, count: usize, overlapping: u16, found: &[u32; LANES]) {
        // At most as many pairs were found as candidates were taken out, so this replaces no key of a later vector.
        if let Some(place) = self.keys[self.found..].first_chunk_mut::<WIDTH>()
            && let Some(found) = found.first_chunk()
        {
            *place = *found;
        }
        let end = self.taken + count;
        while let Some(of) = self.sources[..self.source_count].get_mut(self.source)
            && of.end <= end
        {
            let lanes = overlapping & u16::MAX >> (LANES - (of.end - self.taken));
            of.found_end = self.found + lanes.count_ones() as usize;
            self.source += 1;
        }
        self.found += overlapping.count_ones() as usize;
        self.taken = end;
    }

    /// Returns `true` if the pairs found so far should be told before more candidates are tested.
    #[inline]
    pub(super) fn is_to_tell(&self) -> bool {
        self.tells_soon && self.found != 0
    }

    /// Passes the pairs found so far to `sink`, one source after another. Returns `None` if `sink` wants more pairs and
    /// candidates are left. Otherwise the function empties the batch and returns the last result of `sink`.
    pub(super) fn tell(&mut self, sink: &mut OverlapSink<'_>) -> Option<bool> {
        let (mut start, mut go_on) = (0, true);
        for (index, of) in self.sources[..self.source_count].iter().enumerate().skip(self.told) {
            // The source `self.source` still has candidates, so its pairs end at the last pair found so far. The sources
            // after it have no pairs yet.
            let end = if index < self.source { of.found_end } else { self.found };
            if start < end {
                go_on = sink(of.tag, &self.keys[start..end]);
                if !go_on {
                    break;
                }
            }
            start = end;
        }
        (self.told, self.found) = (self.source, 0);
        if go_on && self.taken < self.len {
            return None;
        }
        (self.len, self.source_count, self.taken, self.source, self.told) = (0, 0, 0, 0, 0);
        Some(go_on)
    }

    /// The boxes of the next candidates, which are those before `end`; the remaining entries repeat the last one.
    #[inline(always)]
    fn records<const WIDTH: usize>(&self, end: usize) -> Option<([&'r Record; WIDTH], [&'r Record; WIDTH])> {
        let of = &self.sources[self.source];
        let keys: &[u32; WIDTH] = self.keys[self.taken..].first_chunk()?;
        if end > of.end {
            return Some(self.records_of_sources(keys));
        }
        // By far the most frequent case. One check for all boxes takes less time than a check for each.
        let most = |records: &[Record]| records.len().min(1 << 16) as u32;
        let (most_a, most_b) = (most(of.a), most(of.b));
        let mut inside = true;
        for key in keys {
            inside &= (key & 0xFFFF) < most_a && key >> 16 < most_b;
        }
        assert!(inside, "a candidate is not among the boxes of its characters");
        let (mut a, mut b) = ([&Record::NONE; WIDTH], [&Record::NONE; WIDTH]);
        // Without `black_box` the compiler takes the indices out of the vector that it has just compared, one by one. To read
        // them from memory takes less time.
        let keys_a = black_box(keys);
        for k in 0..WIDTH {
            let [first, _] = boxes_of(keys_a[k]);
            // SAFETY: the assertion above has compared both indices of every key with the lengths of the slices.
            unsafe { a[k] = of.a.get_unchecked(usize::from(first)) }
        }
        let keys_b = black_box(keys);
        for k in 0..WIDTH {
            let [_, second] = boxes_of(keys_b[k]);
            // SAFETY: as above.
            unsafe { b[k] = of.b.get_unchecked(usize::from(second)) }
        }
        Some((a, b))
    }

    /// The boxes of the next candidates, of several sources.
    #[inline(never)]
    fn records_of_sources<const WIDTH: usize>(
        &self,
        keys: &[u32; WIDTH],
    ) -> ([&'r Record; WIDTH], [&'r Record; WIDTH]) {
        let (mut source, mut of) = (self.source, &self.sources[self.source]);
        let mut records = ([&of.a[0]; WIDTH], [&of.b[0]; WIDTH]);
        for (k, &key) in keys.iter().enumerate() {
            // The entries after the last candidate stay with its characters.
            if self.taken + k == of.end && source + 1 < self.source_count {
                source += 1;
                of = &self.sources[source];
            }
            let [first, second] = boxes_of(key);
            (records.0[k], records.1[k]) = (&of.a[usize::from(first)], &of.b[usize::from(second)]);
        }
        records
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
    use glam::Vec3;
    use proptest::prelude::*;

    /// The numbers that the mask selects, moved to the front.
    fn chosen(numbers: &[u32; LANES], lanes: u16, plus: u32) -> [u32; LANES] {
        let (mut low, mut high) = ([0; LANES], [0; LANES]);
        choose_eight(numbers, 0, lanes, plus, &mut low);
        choose_eight(numbers, 8, lanes >> 8, plus, &mut high);
        let len = (lanes & 0xFF).count_ones() as usize;
        low[len..len + 8].copy_from_slice(&high[..8]);
        low
    }

    /// All candidates of the batch that `touching` selects.
    fn told(batch: &mut Batch<'_>, touching: u16) -> Vec<(u32, [u16; 2])> {
        let mut told = Vec::new();
        loop {
            while let Some((_, _, count)) = batch.next_candidates::<LANES>(0) {
                let overlapping = touching & u16::MAX >> (LANES - count);
                let found = chosen(batch.next_keys().unwrap(), overlapping, 0);
                batch.take::<LANES>(count, overlapping, &found);
                if batch.is_to_tell() {
                    break;
                }
            }
            let mut sink = |tag: u32, keys: &[u32]| {
                told.extend(keys.iter().map(|&key| (tag, boxes_of(key))));
                true
            };
            if let Some(go_on) = batch.tell(&mut sink) {
                assert!(go_on && batch.len == 0 && batch.source_count == 0);
                return told;
            }
        }
    }

    fn push(batch: &mut Batch<'_>, tag: u32, first: usize, second: usize, near: u16) {
        static RECORDS: [Record; 512] = [Record::NONE; 512];
        push_of(batch, &RECORDS, tag, first, second, near);
    }

    fn push_of<'r>(batch: &mut Batch<'r>, records: &'r [Record], tag: u32, first: usize, second: usize, near: u16) {
        let side = Side { blocks: &[], records, near: &[], start: 0 };
        batch.open(&side, &side, tag);
        let len = batch.len();
        *batch.room(len).unwrap() = chosen(&LANE_KEYS, near, key(first, second));
        batch.set_len(len + near.count_ones() as usize);
        batch.close();
    }

    proptest! {
        /// Masks of random bits give the same pairs as a loop over every bit, and of these the pairs that touch.
        #[test]
        fn takes_out_what_the_masks_say(
            masks in prop::collection::vec((0usize..300, 0usize..4, any::<u16>()), 0..8),
            touching: u16,
            tells_soon: bool,
        ) {
            let mut batch = if tells_soon { Batch::for_first() } else { Batch::new() };
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

    /// Each character's boxes are marked by the character and the box.
    #[test]
    fn vectors_of_several_sources_get_the_right_boxes() {
        let marked = |character: usize| {
            let mark = |index: usize| Vec3::new(character as f32, index as f32, 0.0);
            (0..40).map(|index| Record::new(mark(index), Vec3::ONE, [Vec3::X, Vec3::Y])).collect::<Vec<_>>()
        };
        let characters: Vec<_> = (0..SOURCES).map(marked).collect();
        let mut batch = Batch::new();
        let mut expected = Vec::new();
        for (tag, (records, near)) in
            characters.iter().zip([0xFFFF, 0x1, 0x0, 0x30C, 0xF, 0x1, 0x8001, 0x3]).enumerate()
        {
            push_of(&mut batch, records, tag as u32, tag, 16, near);
            let lanes = (0..LANES).filter(|lane| near >> lane & 1 == 1);
            expected.extend(lanes.map(|lane| [&records[tag], &records[16 + lane]]));
        }
        let check = |start: usize, count: usize, a: &[&Record], b: &[&Record]| {
            for k in 0..a.len() {
                assert_eq!([a[k], b[k]], expected[start + k.min(count - 1)], "{start} {k}");
            }
        };
        let mut start = 0;
        while let Some((a, b, count)) = batch.next_candidates::<8>(0) {
            check(start, count, &a, &b);
            let (a, b, count_of_16) = batch.next_candidates::<LANES>(0).unwrap();
            check(start, count_of_16, &a, &b);
            for k in 0..count {
                assert_eq!(batch.candidate(k), expected[start + k]);
            }
            start += count;
            batch.take::<8>(count, 0, &[0; LANES]);
        }
        assert_eq!(start, expected.len());
    }

    #[test]
    fn stops_where_no_more_is_wanted() {
        let mut batch = Batch::new();
        (0..3).for_each(|tag| push(&mut batch, tag, 0, 0, 0b101));
        let mut tags = Vec::new();
        let (_, _, count) = batch.next_candidates::<LANES>(0).unwrap();
        let found = chosen(batch.next_keys().unwrap(), 0b11_1100, 0);
        batch.take::<LANES>(count, 0b11_1100, &found);
        let told = batch.tell(&mut |tag, _| {
            tags.push(tag);
            false
        });
        assert!(count == 6 && told == Some(false) && tags == [1] && batch.len == 0);
    }

    #[test]
    fn sources_without_candidates_take_no_place() {
        let mut batch = Batch::new();
        for tag in 0..2 * SOURCES as u32 {
            assert!(!batch.has_no_source_left());
            push(&mut batch, tag, 0, 0, (tag % 2) as u16);
        }
        assert!(batch.has_no_source_left());
        assert_eq!(told(&mut batch, u16::MAX)[3], (7, [0, 0]));
    }
}
