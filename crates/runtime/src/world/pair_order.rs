//! Reorders pairs from the order of the broad phase, in which neighbors in space are near each other, to the order of
//! the bodies' ids.

use super::growth::make_room;

/// The places of two bodies, and the index of their pair in the list that was sorted.
pub(super) type OrderedPair = [u32; 3];

/// Sorts pairs of bodies in time proportional to their number: a counting sort by the first body, then sorts of a few
/// pairs each by the second body. The buffers are reused.
#[derive(Debug, Default)]
pub(super) struct PairOrder {
    /// For each first body, the start of its pairs in `ordered`; after the pairs are written, the end of its pairs.
    places: Vec<u32>,
    ordered: Vec<OrderedPair>,
}

impl PairOrder {
    /// Sorts some pairs of bodies by the first body, then the second; no pair occurs twice. `bodies` is the number of
    /// bodies, and `some` has the indices of the pairs to sort.
    pub(super) fn sort(
        &mut self,
        bodies: usize,
        pairs: &[[u32; 2]],
        some: impl Iterator<Item = u32> + Clone,
    ) -> &[OrderedPair] {
        let Self { places, ordered } = self;
        places.clear();
        make_room(places, bodies);
        places.resize(bodies, 0);
        some.clone().for_each(|index| places[pairs[index as usize][0] as usize] += 1);
        let mut count = 0;
        for place in &mut *places {
            (*place, count) = (count, count + *place);
        }
        ordered.clear();
        make_room(ordered, count as usize);
        ordered.resize(count as usize, [0; 3]);
        some.for_each(|index| {
            let [first, second] = pairs[index as usize];
            let place = &mut places[first as usize];
            ordered[*place as usize] = [first, second, index];
            *place += 1;
        });
        let mut start = 0;
        for &end in &*places {
            ordered[start..end as usize].sort_unstable_by_key(|&[_, second, _]| second);
            start = end as usize;
        }
        ordered
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_sorting_gives(pairs in prop::collection::btree_map([0u32..20, 0u32..20], any::<bool>(), 0..100)) {
            let is_one = |pair: &&[u32; 2]| pairs[*pair];
            let expected: Vec<_> = pairs.keys().filter(is_one).copied().collect();
            let mut shuffled: Vec<_> = pairs.keys().copied().collect();
            shuffled.sort_unstable_by_key(|[first, second]| (first * 7 + second * 11) % 13);
            let some = (0u32..).zip(&shuffled).filter(|(_, pair)| is_one(pair)).map(|(index, _)| index);
            let mut order = PairOrder::default();
            for _ in 0..2 {
                let ordered = order.sort(20, &shuffled, some.clone());
                prop_assert!(ordered.iter().all(|&[first, second, index]| shuffled[index as usize] == [first, second]));
                let ordered: Vec<_> = ordered.iter().map(|&[first, second, _]| [first, second]).collect();
                prop_assert_eq!(&ordered, &expected);
            }
        }
    }
}
