//! Reorders pairs from the order of the broad phase, in which neighbors in space are near each other, to the order of
//! the bodies' ids.

/// Sorts pairs of bodies in time proportional to their number: a counting sort by the first body, then sorts of a few
/// pairs each by the second body. The buffers are reused.
#[derive(Debug, Default)]
pub(super) struct PairOrder {
    /// For each first body, the start of its pairs in `seconds`; after they are written, their end.
    places: Vec<u32>,
    /// The second body of each pair, and the index of the pair.
    seconds: Vec<(u32, u32)>,
}

impl PairOrder {
    /// Calls `then` with each pair and the pair's index in `pairs`, sorted by the first body, then the second.
    pub(super) fn each(&mut self, bodies: usize, pairs: &[[u32; 2]], mut then: impl FnMut([usize; 2], usize)) {
        let Self { places, seconds } = self;
        places.clear();
        places.resize(bodies, 0);
        for &[first, _] in pairs {
            places[first as usize] += 1;
        }
        let mut start = 0;
        for place in &mut *places {
            (*place, start) = (start, start + *place);
        }
        seconds.clear();
        seconds.resize(pairs.len(), (0, 0));
        for (&[first, second], pair) in pairs.iter().zip(0..) {
            let place = &mut places[first as usize];
            seconds[*place as usize] = (second, pair);
            *place += 1;
        }
        let mut start = 0;
        for (first, &end) in places.iter().enumerate() {
            let seconds = &mut seconds[start..end as usize];
            start = end as usize;
            seconds.sort_unstable();
            seconds.iter().for_each(|&(second, pair)| then([first, second as usize], pair as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_sorting_gives(pairs in prop::collection::vec([0u32..20, 0u32..20], 0..100)) {
            let mut expected: Vec<([usize; 2], usize)> =
                pairs.iter().enumerate().map(|(i, pair)| (pair.map(|body| body as usize), i)).collect();
            expected.sort_unstable();
            let mut order = PairOrder::default();
            for _ in 0..2 {
                let mut found = Vec::new();
                order.each(20, &pairs, |pair, number| found.push((pair, number)));
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
