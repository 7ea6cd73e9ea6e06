//! `bonebox merge-reports`: joins the reports of several runs of `bonebox bake --json` into one.

use crate::commands::table::plural;
use crate::exit_code::{FAILURE, SUCCESS};
use crate::terminal::{Paint, eprint_line, printable_lines};
use anyhow::Context as _;
use asset_bake::{Shard, printable_path};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The most names that a message lists.
const MOST_NAMES: usize = 10;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Files with the output of `bonebox bake --json`; if a character is in several, the last one counts
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// A character of a report: the path of its asset, and its root if the file was split. Paths are sorted as a bake sorts them: `a/x`
/// comes before `a-b/x`.
type Name = (PathBuf, Option<String>);

/// A line of a report, as far as a merge reads it. Other members of a line pass through unchanged.
#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line {
    Started {
        shard: String,
        files: Vec<String>,
        other_shards: usize,
    },
    File {
        path: String,
        root: Option<String>,
        result: String,
        character: Option<Value>,
    },
    Summary {
        seconds: f64,
        #[serde(flatten)]
        left_out: LeftOut,
    },
    Error {
        error: String,
    },
    #[serde(other)]
    Other,
}

/// The lists of paths in a summary.
#[derive(Default, Deserialize, Serialize)]
struct LeftOut {
    ignored_exports: BTreeSet<String>,
    other_formats: BTreeSet<String>,
    motion_files: BTreeSet<String>,
    ignored: BTreeSet<String>,
    not_started: BTreeSet<String>,
}

/// A character's last result.
struct Row {
    line: Box<RawValue>,
    result: String,
    figures: Option<Value>,
}

impl Row {
    fn is_well(&self) -> bool {
        matches!(self.result.as_str(), "baked" | "stored" | "unchanged")
    }
}

/// The numbers of characters by result, and what is wrong with the reports as a whole.
#[derive(Default, Serialize)]
struct Summary {
    event: &'static str,
    baked: usize,
    stored: usize,
    unchanged: usize,
    refused: usize,
    failed: usize,
    #[serde(flatten)]
    left_out: LeftOut,
    other_shards: usize,
    /// The longest run.
    seconds: f64,
    /// The number of reports.
    reports: usize,
    /// Reports of runs that did not end, such as those of killed workers.
    unfinished: Vec<String>,
    /// Lines that are no JSON.
    torn_lines: usize,
    /// Characters that several reports have, with results that agree.
    repeated: usize,
    /// Characters whose first result was bad and whose last one is good.
    retried: Vec<String>,
    /// Characters whose last result is worse than an earlier one, or has other figures.
    conflicts: Vec<String>,
    /// The number of characters without a result, as far as the reports tell it.
    missing: usize,
    /// Their names, as far as the reports have them.
    missing_files: Vec<String>,
    /// Shares of the work without a report.
    missing_shards: Vec<String>,
}

/// The reports that were read so far.
#[derive(Default)]
struct Merge {
    rows: BTreeMap<Name, Row>,
    summary: Summary,
    left_out: Vec<LeftOut>,
    /// The characters that runs have started, and whose results are expected. Only the paths, so that each path of a file that
    /// was split counts once.
    expected: BTreeSet<String>,
    /// The shares that have started.
    shards: BTreeSet<String>,
    /// The numbers of characters of all shares that the runs have found, each with a report that says so.
    totals: BTreeMap<usize, String>,
    repeated: BTreeSet<Name>,
    retried: BTreeSet<Name>,
    conflicts: BTreeMap<Name, &'static str>,
    /// What to tell a person, in the order of the reports.
    problems: Vec<String>,
}

/// Prints the report and, on standard error, what is wrong with it.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let mut merge = Merge::default();
    for file in &arguments.files {
        let bytes = fs::read(file).with_context(|| format!("cannot read {}", printable_path(file)))?;
        merge.add(file, &bytes);
    }
    let (rows, summary, problems) = merge.finished();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for row in rows.values() {
        writeln!(out, "{}", row.line.get())?;
    }
    writeln!(out, "{}", serde_json::to_string(&summary)?)?;
    out.flush()?;
    for problem in problems {
        eprint_line!("{} {}", Paint::stderr().yellow("warning:"), printable_lines(&problem));
    }
    eprint_line!("{}", told(&summary));
    Ok(if is_well(&summary) { SUCCESS } else { FAILURE })
}

fn is_well(summary: &Summary) -> bool {
    let Summary { refused, failed, missing, missing_shards, conflicts, left_out, .. } = summary;
    [*refused, *failed, *missing, missing_shards.len(), conflicts.len(), left_out.not_started.len()] == [0; 6]
}

fn told(summary: &Summary) -> String {
    let Summary { baked, stored, unchanged, refused, failed, missing, .. } = summary;
    let reports = plural(summary.reports, "report", "reports");
    format!(
        "{reports}: {baked} baked, {stored} stored, {unchanged} unchanged, {refused} refused, {failed} failed, {missing} missing"
    )
}

impl Merge {
    /// Adds the lines of a report. A line that cannot be read is counted, because a killed worker leaves half a line, and
    /// a worker that starts again may write into the same file.
    fn add(&mut self, file: &Path, bytes: &[u8]) {
        let place = printable_path(file);
        self.summary.reports += 1;
        let mut is_finished = false;
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let Some((line, raw)) = read_line(line) else {
                self.summary.torn_lines += 1;
                self.problems
                    .push(format!("{place}:{}: the line is no JSON of `bonebox bake`; it was left out", number + 1));
                continue;
            };
            match line {
                Line::Started { shard, files, other_shards } => {
                    is_finished = false;
                    self.totals.entry(files.len() + other_shards).or_insert_with(|| place.clone());
                    self.expected.extend(files);
                    self.shards.insert(shard);
                }
                Line::File { path, root, result, character } => {
                    self.add_row((path.into(), root), Row { line: raw, result, figures: character });
                }
                Line::Summary { seconds, left_out } => {
                    is_finished = true;
                    self.summary.seconds = self.summary.seconds.max(seconds);
                    self.left_out.push(left_out);
                }
                Line::Error { error } => self.problems.push(format!("{place}: the run ended with an error: {error}")),
                Line::Other => {}
            }
        }
        if !is_finished {
            self.problems.push(format!("{place}: the run did not end; its results so far count"));
            self.summary.unfinished.push(file.display().to_string());
        }
    }

    fn add_row(&mut self, name: Name, row: Row) {
        if let Some(earlier) = self.rows.get(&name) {
            match (earlier.is_well(), row.is_well()) {
                (true, true) if earlier.figures != row.figures => {
                    self.conflicts.insert(name.clone(), "has other figures in another report");
                }
                (true, false) => {
                    self.conflicts.insert(name.clone(), "has a good result in an earlier report");
                }
                (false, true) => {
                    self.conflicts.remove(&name);
                    self.retried.insert(name.clone());
                }
                _ => {
                    self.repeated.insert(name.clone());
                }
            }
        }
        self.rows.insert(name, row);
    }

    /// The results, the summary, and what is wrong in sentences.
    fn finished(self) -> (BTreeMap<Name, Row>, Summary, Vec<String>) {
        let Self { rows, mut summary, left_out, expected, shards, totals, repeated, retried, conflicts, mut problems } =
            self;
        summary.event = "summary";
        for row in rows.values() {
            *match row.result.as_str() {
                "baked" => &mut summary.baked,
                "stored" => &mut summary.stored,
                "unchanged" => &mut summary.unchanged,
                "refused" => &mut summary.refused,
                _ => &mut summary.failed,
            } += 1;
        }
        let done: BTreeSet<&Path> = rows.keys().map(|(path, _)| path.as_path()).collect();
        let all = &mut summary.left_out;
        for one in left_out {
            all.ignored_exports.extend(one.ignored_exports);
            all.other_formats.extend(one.other_formats);
            all.motion_files.extend(one.motion_files);
            all.ignored.extend(one.ignored);
            // Another run may have baked it.
            all.not_started.extend(one.not_started.into_iter().filter(|path| !done.contains(Path::new(path))));
        }
        summary.repeated = repeated.len();
        summary.retried = retried.iter().map(shown).collect();
        for (name, what) in &conflicts {
            problems.push(format!("{} {what}; all machines must use the same version and the same files", shown(name)));
        }
        summary.conflicts = conflicts.keys().map(shown).collect();
        summary.missing_files = expected.iter().filter(|path| !done.contains(Path::new(path))).cloned().collect();
        summary.missing_shards = missing_shards(&shards);
        if let [(few, one), .., (many, other)] = &totals.iter().collect::<Vec<_>>()[..] {
            let found = format!("{one} is of {few} characters and {other} of {many}; the runs saw different files");
            summary.conflicts.push(found.clone());
            problems.push(found);
        }
        // A total counts characters and the names are of files, so the larger number is right for files that were split.
        let by_total = totals.last_key_value().map_or(0, |(total, _)| total.saturating_sub(rows.len()));
        // A run without shares says only at its end what it had to do.
        let unknown = if shards.is_empty() { summary.unfinished.len() } else { 0 };
        summary.missing = by_total.max(summary.missing_files.len()).max(unknown);
        if summary.missing > 0 {
            let count = plural(summary.missing, "character has", "characters have");
            let least = if unknown > 0 { "at least " } else { "" };
            problems.push(format!("{least}{count} no result{}", listed(&summary.missing_files)));
        }
        if !summary.missing_shards.is_empty() {
            problems.push(format!("there is no report of some shares{}", listed(&summary.missing_shards)));
        }
        (rows, summary, problems)
    }
}

/// A line of a report; `None` if it is no JSON, or no line of `bonebox bake`.
fn read_line(line: &[u8]) -> Option<(Line, Box<RawValue>)> {
    let text = std::str::from_utf8(line).ok()?.trim();
    let raw = RawValue::from_string(text.to_owned()).ok()?;
    Some((serde_json::from_str(text).ok()?, raw))
}

/// The shares without a report, if the others have the same number of shares.
fn missing_shards(shards: &BTreeSet<String>) -> Vec<String> {
    let count =
        |shard: &String| shard.parse::<Shard>().ok().and_then(|_| shard.split_once('/')?.1.parse::<usize>().ok());
    let counts: BTreeSet<usize> = shards.iter().filter_map(count).collect();
    // A run with other shares may have repeated a part of the work.
    let mut missing = counts.iter().map(|&count| {
        let names = (0..count).map(|index| format!("{index}/{count}"));
        names.filter(|name| !shards.contains(name)).collect::<Vec<_>>()
    });
    missing.by_ref().min_by_key(Vec::len).unwrap_or_default()
}

fn shown((path, root): &Name) -> String {
    let path = path.display().to_string();
    root.as_ref().map_or_else(|| path.clone(), |root| format!("{path} ({root})"))
}

/// A colon and the first names, or nothing.
fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(": {}{more}", names[..names.len().min(MOST_NAMES)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, result: &str, boxes: usize) -> String {
        format!(
            r#"{{"event":"file","path":"{path}","result":"{result}","character":{{"boxes":{boxes}}},"new":[1.50]}}"#
        )
    }

    fn started(shard: &str, files: &[&str], others: usize) -> String {
        format!(r#"{{"event":"started","shard":"{shard}","files":{files:?},"other_shards":{others}}}"#)
    }

    const END: &str = r#"{"event":"summary","baked":9,"ignored_exports":[],"other_formats":["a.fbx"],"motion_files":[],"ignored":[],"not_started":[],"other_shards":2,"seconds":2.5}"#;

    fn merged(reports: &[&[String]]) -> (Vec<String>, Summary, Vec<String>) {
        let mut merge = Merge::default();
        for (number, lines) in reports.iter().enumerate() {
            merge.add(Path::new(&format!("r{number}.jsonl")), lines.join("\n").as_bytes());
        }
        let (rows, summary, problems) = merge.finished();
        (rows.into_values().map(|row| row.line.get().to_owned()).collect(), summary, problems)
    }

    #[test]
    fn reports_of_all_shares_are_one_report_in_order() {
        let first = [started("0/2", &["b", "d"], 1), row("d", "baked", 3), row("b", "stored", 3), END.into()];
        let second = [started("1/2", &["a"], 2), row("a", "unchanged", 3), END.into()];
        let (rows, summary, problems) = merged(&[&first, &second]);
        assert_eq!(rows, [row("a", "unchanged", 3), row("b", "stored", 3), row("d", "baked", 3)]);
        assert!(is_well(&summary) && problems.is_empty(), "{problems:?}");
        assert_eq!(told(&summary), "2 reports: 1 baked, 1 stored, 1 unchanged, 0 refused, 0 failed, 0 missing");
        assert_eq!((summary.seconds, summary.left_out.other_formats.len()), (2.5, 1));
    }

    #[test]
    fn paths_are_sorted_as_a_bake_sorts_them() {
        let paths = ["a/x", "a/y", "a-b/x", "b"];
        let all: Vec<String> = paths.iter().rev().map(|path| row(path, "baked", 3)).chain([END.into()]).collect();
        assert_eq!(merged(&[&all]).0, paths.map(|path| row(path, "baked", 3)));
    }

    /// A worker was killed in the middle of a line, and its share is repeated by another one.
    #[test]
    fn a_torn_line_is_named_and_what_was_repeated_counts_once() {
        let torn = [started("0/2", &["a", "b"], 1), row("a", "baked", 3), r#"{"event":"file","pa"#.into()];
        let other = [started("1/2", &["c"], 2), row("c", "baked", 3), END.into()];
        let (rows, summary, problems) = merged(&[&torn, &other]);
        assert_eq!((rows.len(), summary.torn_lines, summary.missing), (2, 1, 1));
        assert_eq!(
            (&summary.missing_files[..], &summary.unfinished[..]),
            (&["b".into()][..], &["r0.jsonl".into()][..])
        );
        assert!(!is_well(&summary) && problems[0].starts_with("r0.jsonl:3: the line is no JSON"), "{problems:?}");
        assert!(problems.last().unwrap().ends_with("no result: b"), "{problems:?}");
        let again = [started("0/2", &["a", "b"], 1), row("a", "unchanged", 3), row("b", "baked", 3), END.into()];
        let (rows, summary, _) = merged(&[&torn, &other, &again]);
        assert!(is_well(&summary) && rows[0] == row("a", "unchanged", 3));
        assert_eq!((rows.len(), summary.repeated, summary.torn_lines), (3, 1, 1));
    }

    /// A requeued worker appends to the file of the one before, in the middle of whose line it starts.
    #[test]
    fn a_worker_that_appends_to_a_torn_report_loses_one_line() {
        let mut text =
            [started("0/1", &["a"], 0), r#"{"event":"fi"#.to_owned() + &started("0/1", &["a"], 0)].join("\n");
        text += &format!("\n{}\n{END}\n", row("a", "baked", 3));
        let mut merge = Merge::default();
        merge.add(Path::new("r"), text.as_bytes());
        let (_, summary, _) = merge.finished();
        assert!(is_well(&summary) && summary.torn_lines == 1 && summary.unfinished.is_empty());
    }

    #[test]
    fn failures_missing_shares_and_conflicts_are_told() {
        let well = |reports: &[&[String]]| is_well(&merged(reports).1);
        let one = |result: &str| [row("a", result, 3), END.into()];
        assert!(well(&[&one("baked")]));
        assert!(!well(&[&one("failed")]) && !well(&[&one("refused")]) && !well(&[&one("a later word")]));
        // The last result counts, and a failure after a good result is a conflict.
        let (_, summary, _) = merged(&[&one("failed"), &one("baked")]);
        assert!(is_well(&summary) && summary.retried == ["a"]);
        assert_eq!(merged(&[&one("baked"), &one("failed")]).1.conflicts, ["a"]);
        let (_, summary, problems) = merged(&[&one("baked"), &[row("a", "baked", 4), END.into()]]);
        assert!(!is_well(&summary) && problems[0].contains("a has other figures"), "{problems:?}");
        // A report that does not end, an empty report, and a share that never reported.
        assert!(!well(&[&[row("a", "baked", 3)]]) && !well(&[&[]]));
        let (_, summary, problems) = merged(&[&[started("1/3", &["a"], 4), row("a", "baked", 3), END.into()]]);
        assert_eq!((summary.missing, &summary.missing_shards[..]), (4, &["0/3".to_owned(), "2/3".into()][..]));
        assert!(problems.last().unwrap().ends_with("shares: 0/3, 2/3"), "{problems:?}");
        // Two machines that see different files.
        let first = [started("0/2", &["a"], 0), row("a", "baked", 3), END.into()];
        let second = [started("1/2", &["b"], 1), row("b", "baked", 3), END.into()];
        let (_, summary, problems) = merged(&[&first, &second]);
        assert!(!is_well(&summary) && problems[0].contains("the runs saw different files"), "{problems:?}");
        // A character that a run left, and one that ended with an error.
        let left = END.replace(r#""not_started":[]"#, r#""not_started":["z"]"#);
        assert!(!well(&[&[row("a", "baked", 3), left]]));
        let error = [r#"{"event":"error","error":"no such option"}"#.to_owned()];
        assert!(merged(&[&error]).2[0].contains("no such option") && !well(&[&error]));
    }

    /// Whatever bytes a disk gives back, a merge neither panics nor counts a character twice.
    #[test]
    fn any_bytes_are_a_report() {
        let whole =
            [started("0/2", &["a", "b"], 1), row("a", "baked", 3), row("b", "failed", 3), END.into()].join("\n");
        let mut random = test_models::Random::new(71);
        for _ in 0..2_000 {
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(3) {
                    0 => bytes[at] = random.below(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b'\n'),
                }
            }
            let mut merge = Merge::default();
            merge.add(Path::new("r"), &bytes);
            let (rows, summary, _) = merge.finished();
            let Summary { baked, stored, unchanged, refused, failed, .. } = summary;
            assert_eq!(baked + stored + unchanged + refused + failed, rows.len());
        }
    }
}
