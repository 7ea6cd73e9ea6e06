//! Follows the reports of running workers, to know when each character was baked.

use anyhow::{Context as _, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The time between two looks, with a reserve for a busy machine, in seconds.
const BETWEEN_LOOKS: f64 = 2.0;

/// A result that appeared in a report.
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) result: String,
    /// The time that the character took, in seconds.
    pub(crate) took: f64,
    /// When the line was seen, in seconds since the start.
    pub(crate) at: f64,
}

/// The reports in a folder.
pub(crate) struct Reports {
    folder: PathBuf,
    start: Instant,
    /// The number of bytes that were read of each report.
    read: BTreeMap<PathBuf, usize>,
    pub(crate) seen: Vec<Seen>,
}

impl Reports {
    pub(crate) fn follow(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), start: Instant::now(), read: BTreeMap::new(), seen: Vec::new() }
    }

    /// Reads the lines that were added since the last look.
    pub(crate) fn look(&mut self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(bytes) = fs::read(&path) else { continue };
            let read = self.read.entry(path).or_default();
            let new = bytes.get(*read..).unwrap_or_default();
            let Some(end) = new.iter().rposition(|byte| *byte == b'\n') else { continue };
            *read += end + 1;
            for line in new[..end].split(|byte| *byte == b'\n') {
                let line: Value = serde_json::from_slice(line).unwrap_or_default();
                if line["event"] == "file" {
                    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
                    let took = line["seconds"].as_f64().unwrap_or(0.0);
                    self.seen.push(Seen {
                        path: text("path"),
                        result: text("result"),
                        took,
                        at: self.start.elapsed().as_secs_f64(),
                    });
                }
            }
        }
    }

    /// Checks that no bake started after another worker had finished the same character. Returns the number of bakes, and how
    /// many of them ran while another worker baked the same character.
    pub(crate) fn check_bakes(&self) -> anyhow::Result<(usize, usize)> {
        let mut finished: BTreeMap<&str, f64> = BTreeMap::new();
        let (mut bakes, mut at_once) = (0, 0);
        for Seen { path, result, took, at } in &self.seen {
            if result == "baked" {
                bakes += 1;
                if let Some(earlier) = finished.get(path.as_str()) {
                    at_once += 1;
                    ensure!(
                        at - took < earlier + BETWEEN_LOOKS,
                        "{path} was finished after {earlier:.1} s, and baked again from {:.1} s on",
                        at - took
                    );
                }
            }
            finished.entry(path).or_insert(*at);
        }
        Ok((bakes, at_once))
    }
}

/// The last line of a report.
pub(crate) fn summary(report: &str) -> anyhow::Result<Value> {
    let last = report.lines().last().context("the report is empty")?;
    let summary: Value = serde_json::from_str(last)?;
    ensure!(summary["event"] == "summary", "the report ends with {last}");
    Ok(summary)
}
