//! Shows the progress of a bake on standard error: a bar on a terminal, otherwise a line per file. On a terminal, a
//! line below a long bake shows which steps took long.

use super::fit_clock::FitClock;
use super::json_lines;
use super::rows::Outcome;
use crate::terminal::eprint_line;
use asset_bake::{AssetResult, BakeOutcome, BakeProgress, BakeStage, BakeTarget, Shard};
use bone_fit::BakeStep;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time between two redraws of the bar.
const TICK: Duration = Duration::from_millis(120);

pub(crate) struct Progress {
    /// The bar counts bytes of assets, because large assets take longer.
    bar: ProgressBar,
    lines: bool,
    /// The share of the work whose start is reported as JSON.
    reported: Option<Shard>,
    count: Mutex<Count>,
}

#[derive(Default)]
struct Count {
    finished: usize,
    found: usize,
    /// The characters that are being baked, the latest last.
    under_way: Vec<(BakeTarget, BakeStage)>,
    /// The fits of the characters that are being baked.
    clocks: Vec<(BakeTarget, FitClock)>,
}

impl Progress {
    /// With `json` no lines are printed, because standard output has a line for each file.
    pub(crate) fn new(quiet: bool, json: bool, shard: Option<Shard>) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet || !terminal { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let template = "{bar:20} {prefix} {wide_msg} {elapsed}{left}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("left", time_left));
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, lines: !quiet && !terminal && !json, reported: shard.filter(|_| json), count: Mutex::default() }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Changes the count and redraws the bar.
    fn update(&self, change: impl FnOnce(&mut Count)) {
        // A count from a thread that panicked is good enough for a bar.
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut count);
        self.bar.set_prefix(format!("{}/{}", count.finished, count.found));
        if let Some((target, stage)) = count.under_way.last() {
            let name = target.shown_file();
            let clock = count.clocks.iter().find(|(known, _)| known == target && *stage == BakeStage::Fitting);
            let label = clock.and_then(|(_, clock)| clock.current_label()).unwrap_or(stage.label());
            self.bar.set_message(format!("{name}: {label}"));
        }
    }
}

impl BakeProgress for Progress {
    fn assets_found(&self, targets: &[BakeTarget], other_shards: usize) {
        if let Some(shard) = self.reported {
            // If the output is closed, the lines of the results give the error.
            let _ = json_lines::print_started(shard, targets, other_shards);
        }
        self.bar.set_length(targets.iter().map(|target| size(&target.path)).sum());
        self.update(|count| count.found = targets.len());
    }

    fn stage_entered(&self, target: &BakeTarget, stage: BakeStage) {
        self.update(|count| {
            count.under_way.retain(|(known, _)| known != target);
            count.under_way.push((target.clone(), stage));
        });
    }

    fn step_started(&self, target: &BakeTarget, step: BakeStep) {
        let now = Instant::now();
        self.update(|count| match count.clocks.iter_mut().find(|(known, _)| known == target) {
            Some((_, clock)) => clock.start(step, now),
            None => count.clocks.push((target.clone(), FitClock::new(step, now))),
        });
    }

    fn asset_finished(&self, row: &AssetResult) {
        // An unchanged asset took no time, so it does not help to estimate the rest.
        match row.outcome {
            BakeOutcome::Stored(_) | BakeOutcome::Unchanged(_) => self.bar.dec_length(size(&row.target.path)),
            _ => self.bar.inc(size(&row.target.path)),
        }
        let mut summary = None;
        self.update(|count| {
            count.finished += 1;
            count.under_way.retain(|(known, _)| *known != row.target);
            let clock = count.clocks.iter().position(|(known, _)| *known == row.target);
            summary = clock.and_then(|place| count.clocks.swap_remove(place).1.summary(Instant::now()));
        });
        // This line is hidden when the bar is hidden.
        if let Some(steps) = summary {
            self.bar.println(format!("{}: {steps}", row.target.shown()));
        }
        if self.lines {
            eprint_line!("{:>9} {}", Outcome::of(&row.outcome).word(), row.target.shown());
        }
    }
}

/// The size of a file in bytes, at least 1, so that every file moves the bar.
fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(1, |metadata| metadata.len().max(1))
}

/// Estimates the remaining time from the average time per byte. Prints nothing before the first file is finished.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    if done > 0 && done < all {
        let left = state.elapsed().mul_f64((all - done) as f64 / done as f64);
        let _ = write!(out, ", {:#} left", HumanDuration(left));
    }
}
