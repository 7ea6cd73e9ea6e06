//! Measures the steps of one fit, so that a long bake shows which step takes long.

use crate::commands::table;
use bone_fit::BakeStep;
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// A shorter fit has no summary.
const LONG: Duration = Duration::from_secs(2);

/// A shorter step is left out of the summary.
const SHORT: Duration = Duration::from_millis(100);

/// The steps of one fit, each with its start.
#[derive(Debug)]
pub(super) struct FitClock(Vec<(BakeStep, Instant)>);

impl FitClock {
    pub(super) fn new(step: BakeStep, now: Instant) -> Self {
        Self(vec![(step, now)])
    }

    pub(super) fn start(&mut self, step: BakeStep, now: Instant) {
        self.0.push((step, now));
    }

    /// Returns the label of the current step.
    pub(super) fn current_label(&self) -> Option<&'static str> {
        self.0.last().map(|(step, _)| label(*step))
    }

    /// The times of the steps of a long fit, longest first: `splitting 9.1 s, measuring 2.0 s`. `None` for a short fit.
    pub(super) fn summary(&self, end: Instant) -> Option<String> {
        let (_, start) = self.0.first()?;
        let ends = self.0.iter().skip(1).map(|(_, next)| *next).chain([end]);
        let mut took: Vec<(BakeStep, Duration)> =
            self.0.iter().zip(ends).map(|(&(step, start), end)| (step, end.duration_since(start))).collect();
        took.sort_by_key(|&(step, took)| (Reverse(took), step));
        let labels = took.iter().filter(|(_, took)| *took > SHORT);
        let labels: Vec<String> =
            labels.map(|(step, took)| format!("{} {}", label(*step), table::seconds(*took))).collect();
        (end.duration_since(*start) > LONG).then(|| labels.join(", "))
    }
}

fn label(step: BakeStep) -> &'static str {
    match step {
        BakeStep::Assign => "assigning vertices",
        BakeStep::Sample => "sampling clips",
        BakeStep::Split => "splitting groups",
        BakeStep::Fit => "fitting boxes",
        BakeStep::Measure => "measuring coverage",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_fit_names_its_longest_steps() {
        let start = Instant::now();
        let after = |tenths: u64| start + Duration::from_millis(100 * tenths);
        let mut clock = FitClock::new(BakeStep::Assign, start);
        assert_eq!(clock.current_label(), Some("assigning vertices"));
        clock.start(BakeStep::Split, after(1));
        clock.start(BakeStep::Fit, after(70));
        assert_eq!(clock.summary(after(79)).as_deref(), Some("splitting groups 6.9 s, fitting boxes 0.9 s"));
        assert_eq!(FitClock::new(BakeStep::Assign, start).summary(after(19)), None, "a short fit has no summary");
    }
}
