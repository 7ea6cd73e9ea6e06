//! The latencies of packets.

use std::time::Duration;

/// The times from the arrival of packets to the list of touches, in bins of 10 µs. The last bin contains all times
/// above 0.1 s.
pub(crate) struct Latencies {
    bins: Vec<u64>,
    count: u64,
}

impl Default for Latencies {
    fn default() -> Self {
        Self { bins: vec![0; 10_000], count: 0 }
    }
}

impl Latencies {
    pub(crate) fn add(&mut self, latency: Duration) {
        let bin = (latency.as_micros() / 10).min(self.bins.len() as u128 - 1);
        self.bins[bin as usize] += 1;
        self.count += 1;
    }

    /// Removes all latencies.
    pub(crate) fn clear(&mut self) {
        self.bins.fill(0);
        self.count = 0;
    }

    /// The latency that a share of the packets (0 to 1) did not exceed, in milliseconds. `None` if there are no
    /// packets.
    pub(crate) fn at_share(&self, share: f64) -> Option<f64> {
        let wanted = libm::ceil(share * self.count as f64) as u64;
        let mut seen = 0;
        let bin = self.bins.iter().position(|&count| {
            seen += count;
            count > 0 && seen >= wanted
        });
        bin.map(|bin| (bin + 1) as f64 / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_latency_is_found_by_its_share() {
        let mut latencies = Latencies::default();
        assert_eq!(latencies.at_share(0.5), None);
        for microseconds in 0..1000 {
            latencies.add(Duration::from_micros(10 * microseconds));
        }
        assert_eq!(latencies.at_share(0.5), Some(5.0));
        assert_eq!(latencies.at_share(0.99), Some(9.9));
        (0..20).for_each(|_| latencies.add(Duration::from_secs(9)));
        assert_eq!(latencies.at_share(1.0), Some(100.0), "the last bin contains all longer times");
        latencies.clear();
        assert_eq!(latencies.at_share(1.0), None);
    }
}
