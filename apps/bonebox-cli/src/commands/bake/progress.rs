//! How far a bake is, on standard error: a bar on a terminal, a line per file elsewhere. On a terminal a line below a long bake
//! says what took long.

use super::fit_clock::FitClock;
use crate::commands::table;
use asset_bake::{AssetResult, BakeOutcome, BakeProgress, BakeStage};
use bone_fit::BakeStep;
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fs;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the bar moves though nothing was finished.
const TICK: Duration = Duration::from_millis(120);

pub(super) struct Progress {
    /// Counts bytes of assets: a large one takes longer.
    bar: ProgressBar,
    lines: bool,
    count: Mutex<Count>,
}

#[derive(Default)]
struct Count {
    finished: usize,
    found: usize,
    /// What is being worked on, the latest last.
    under_way: Vec<(PathBuf, BakeStage)>,
    /// The fits of what is being worked on.
    clocks: Vec<(PathBuf, FitClock)>,
}

impl Progress {
    /// `json`: no lines, as standard output tells of each file.
    pub(super) fn new(quiet: bool, json: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet || !terminal { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let template = "{bar:20} {prefix} {wide_msg} {elapsed}{left}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("left", time_left));
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, lines: !quiet && !terminal && !json, count: Mutex::default() }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Changes the count and shows it.
    fn update(&self, change: impl FnOnce(&mut Count)) {
        // What a thread that panicked has counted is good enough for a bar.
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut count);
        self.bar.set_prefix(format!("{}/{}", count.finished, count.found));
        if let Some((path, stage)) = count.under_way.last() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let clock = count.clocks.iter().find(|(known, _)| known == path && *stage == BakeStage::Fitting);
            let word = clock.and_then(|(_, clock)| clock.word()).unwrap_or(stage.word());
            self.bar.set_message(format!("{name}: {word}"));
        }
    }
}

impl BakeProgress for Progress {
    fn assets_found(&self, assets: &[PathBuf]) {
        self.bar.set_length(assets.iter().map(|path| size(path)).sum());
        self.update(|count| count.found = assets.len());
    }

    fn stage_entered(&self, path: &Path, stage: BakeStage) {
        self.update(|count| {
            count.under_way.retain(|(known, _)| known != path);
            count.under_way.push((path.to_owned(), stage));
        });
    }

    fn step_started(&self, path: &Path, step: BakeStep) {
        let now = Instant::now();
        self.update(|count| match count.clocks.iter_mut().find(|(known, _)| known == path) {
            Some((_, clock)) => clock.start(step, now),
            None => count.clocks.push((path.to_owned(), FitClock::new(step, now))),
        });
    }

    fn asset_finished(&self, row: &AssetResult) {
        // What had not changed took no time, and says nothing about the rest.
        match row.outcome {
            BakeOutcome::Unchanged(_) => self.bar.dec_length(size(&row.path)),
            _ => self.bar.inc(size(&row.path)),
        }
        let mut summary = None;
        self.update(|count| {
            count.finished += 1;
            count.under_way.retain(|(known, _)| *known != row.path);
            let clock = count.clocks.iter().position(|(known, _)| *known == row.path);
            summary = clock.and_then(|place| count.clocks.swap_remove(place).1.summary(Instant::now()));
        });
        // Hidden with the bar.
        if let Some(steps) = summary {
            self.bar.println(format!("{}: {steps}", row.path.display()));
        }
        if self.lines {
            eprintln!("{:>9} {}", table::outcome_word(&row.outcome), row.path.display());
        }
    }
}

/// Bytes, but at least one, so that every file moves the bar.
fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(1, |metadata| metadata.len().max(1))
}

/// As long for each byte as so far; nothing before a file is finished.
fn time_left(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    if done > 0 && done < all {
        let left = state.elapsed().mul_f64((all - done) as f64 / done as f64);
        let _ = write!(out, ", {:#} left", HumanDuration(left));
    }
}
