//! Reorders pairs from the order of the broad phase, in which neighbors in space are near each other, to the order of
//! the bodies' ids.

use super::growth::make_room;

/// The places of two bodies, and the index of their pair in the list that was sorted.
pub(super) type OrderedPair = [u32; 3];

/// Sorts pairs of bodies in time proportional to their number: a counting sort by the first body, then sorts of a few
/// pairs each by the second body. The buffers are reused.
#[derive(Debug, Default)]
pub(super) struct PairOrder {
    /// For each first body, the start of its pairs in `ordered`; after they are written, their end.
    places: Vec<u32>,
    ordered: Vec<OrderedPair>,
}

impl PairOrder {
    /// Sorts pairs of bodies with their indices, by the first body, then the second.
    pub(super) fn sort(&mut self, bodies: usize, pairs: impl Iterator<Item = OrderedPair> + Clone) -> &[OrderedPair] {
        let Self { places, ordered } = self;
        places.clear();
        make_room(places, bodies);
        places.resize(bodies, 0);
        for [first, ..] in pairs.clone() {
            places[first as usize] += 1;
        }
        let mut count = 0;
        for place in &mut *places {
            (*place, count) = (count, count + *place);
        }
        ordered.clear();
        make_room(ordered, count as usize);
        ordered.resize(count as usize, [0; 3]);
        for pair in pairs {
            let place = &mut places[pair[0] as usize];
            ordered[*place as usize] = pair;
            *place += 1;
        }
        let mut start = 0;
        for &end in &*places {
            ordered[start..end as usize].sort_unstable();
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
        fn is_what_sorting_gives(pairs in prop::collection::vec([0u32..20, 0u32..20], 0..100)) {
            let numbered = || pairs.iter().zip(0..).map(|(&[first, second], index)| [first, second, index]);
            let mut expected: Vec<OrderedPair> = numbered().collect();
            expected.sort_unstable();
            let mut order = PairOrder::default();
            for _ in 0..2 {
                prop_assert_eq!(order.sort(20, numbered()), &expected);
            }
        }
    }
}
