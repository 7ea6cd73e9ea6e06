//! The table of a bake, and what is kept of each result for it.

use crate::commands::skin_size::SkinSize;
use crate::commands::table::{add_row, escape, percent, print_warnings, seconds, share, table, trimmed};
use crate::terminal::{self, Paint};
use asset_bake::{AssetResult, BakeOutcome, BakeTarget, SharedFigures};
use baked_format::{BakeWarning, BakedCharacter};
use bone_fit::Figures;
use skeleton::printable;
use std::collections::BTreeMap;
use std::io::Write as _;

/// The columns of [`print_bakes`]: the heading, and the order in which columns are left out if the terminal is too
/// narrow (0 for columns that always stay). The column `skin` is left out if no character has its skin.
const COLUMNS: [(&str, u8); 14] = [
    ("character", 0),
    ("result", 0),
    ("joints", 9),
    ("boxes", 0),
    ("vertices", 10),
    ("fill", 4),
    ("at rest", 6),
    ("moving", 2),
    ("own", 7),
    ("escape", 3),
    ("clips", 8),
    ("skin", 1),
    ("warnings", 5),
    ("time", 8),
];

/// The result of an asset without its details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Baked,
    Stored,
    Unchanged,
    Refused,
    Failed,
}

impl Outcome {
    pub(super) fn of(outcome: &BakeOutcome) -> Self {
        match outcome {
            BakeOutcome::Baked(_) => Self::Baked,
            BakeOutcome::Stored(_) => Self::Stored,
            BakeOutcome::Unchanged(_) => Self::Unchanged,
            BakeOutcome::Refused(..) => Self::Refused,
            BakeOutcome::Failed(_) => Self::Failed,
        }
    }

    /// The result as one word.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Baked => "baked",
            Self::Stored => "stored",
            Self::Unchanged => "unchanged",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// What is kept of a result until the end of the run. A character would be a hundred times as large.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) target: BakeTarget,
    pub(super) outcome: Outcome,
    /// One sentence each.
    pub(super) errors: Vec<String>,
    /// The cells of the table.
    cells: Vec<String>,
    /// The cells of the table of shared hitboxes.
    shared: Option<[String; 4]>,
    /// All warnings. Only the first row of several keeps them.
    warnings: Vec<BakeWarning>,
    /// The share of the skin inside hitboxes over the clips.
    coverage: f64,
    /// The baked character, if the presets will be compared.
    pub(super) character: Option<Box<BakedCharacter>>,
}

impl Row {
    /// The row of a result. With `check`, the result is compared and not written. With `keeps_character`, the presets will be
    /// compared.
    pub(super) fn new(result: AssetResult, errors: Vec<String>, check: bool, keeps_character: bool) -> Self {
        let figures = result.outcome.character().map(Figures::of_bake);
        let (cells, shared) = (cells(&result, figures.as_ref(), check), shared_cells(&result, figures.as_ref()));
        let outcome = Outcome::of(&result.outcome);
        let character = match result.outcome {
            BakeOutcome::Baked(one)
            | BakeOutcome::Stored(one)
            | BakeOutcome::Unchanged(one)
            | BakeOutcome::Refused(one, _) => Some(one),
            BakeOutcome::Failed(_) => None,
        };
        Self {
            target: result.target,
            outcome,
            errors,
            cells,
            shared,
            warnings: character.as_ref().map(|one| one.warnings.clone()).unwrap_or_default(),
            coverage: figures.and_then(|figures| figures.coverage_clips).unwrap_or(1.0),
            character: character.filter(|_| keeps_character),
        }
    }
}

/// A kind of warning in the results of a run.
#[derive(Debug)]
struct WarningKind {
    /// The number of warnings, and of characters with one.
    warnings: usize,
    characters: usize,
    /// The character with most of these warnings, or the least coverage among these: their number, the coverage, the character and
    /// its first warning.
    worst: (usize, f64, String, String),
}

/// The warnings of a run by their codes.
#[derive(Debug, Default)]
pub(super) struct WarningSummary {
    kinds: BTreeMap<String, WarningKind>,
    has_rows: bool,
}

impl WarningSummary {
    /// Counts the warnings of a row. From the second row on, the row does not keep them.
    pub(super) fn add(&mut self, row: &mut Row) {
        let mut by_code: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
        for warning in &row.warnings {
            by_code.entry(&warning.code).or_insert((0, &warning.text)).0 += 1;
        }
        for (code, (count, text)) in by_code {
            let fresh = || WarningKind { warnings: 0, characters: 0, worst: (0, 0.0, String::new(), String::new()) };
            let kind = self.kinds.entry(code.to_owned()).or_insert_with(fresh);
            kind.warnings += count;
            kind.characters += 1;
            let (most, least, ..) = kind.worst;
            // The last one of equal ones counts.
            if count > most || count == most && row.coverage <= least {
                kind.worst = (count, row.coverage, row.target.shown(), text.to_owned());
            }
        }
        if std::mem::replace(&mut self.has_rows, true) {
            row.warnings = Vec::new();
        }
    }

    /// A line for each kind.
    fn lines(&self, rows: usize) -> impl Iterator<Item = (&str, String)> {
        self.kinds.iter().map(move |(code, WarningKind { warnings, characters, worst: (.., path, text) })| {
            let more = if *warnings > 1 { " (all are in the JSON)" } else { "" };
            (code.as_str(), format!("{warnings} in {characters} of {rows} characters; {path}: {text}{more}"))
        })
    }
}

/// Prints a row for each bake, then the warnings: all warnings of a single bake, or a summary for several bakes.
pub(super) fn print_bakes(rows: &[&Row], warnings: &WarningSummary) -> anyhow::Result<()> {
    let paint = Paint::stdout();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", bakes(rows, terminal::columns(), paint))?;
    if let Some(shared) = shared(rows) {
        writeln!(out, "\n{shared}")?;
    }
    if let [row] = rows {
        if !row.warnings.is_empty() {
            writeln!(out, "\n{}:", row.target.shown())?;
            print_warnings(&mut out, &row.warnings)?;
        }
        return Ok(());
    }
    for (number, (code, text)) in warnings.lines(rows.len()).enumerate() {
        if number == 0 {
            writeln!(out)?;
        }
        writeln!(out, "{} [{code}] {}", paint.yellow("warning"), printable(&text))?;
    }
    Ok(())
}

/// The table with as many columns as fit.
fn bakes(rows: &[&Row], room: Option<usize>, paint: Paint) -> String {
    let is_empty = |column: usize| COLUMNS[column].0 == "skin" && rows.iter().all(|row| row.cells[column].is_empty());
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&column| !is_empty(column)).collect();
    let widest = COLUMNS.iter().map(|(_, rank)| *rank).max().unwrap_or(0);
    let drawn = (0..=widest).rev().map(|most| {
        let kept = || shown.iter().copied().filter(|&column| COLUMNS[column].1 <= most);
        let mut bakes = table(kept().map(|column| COLUMNS[column].0), 2);
        for row in rows {
            add_row(&mut bakes, kept().map(|column| &row.cells[column]));
        }
        trimmed(&bakes)
    });
    let fits =
        |text: &String| text.lines().all(|line| room.is_none_or(|room| console::measure_text_width(line) <= room));
    let mut last = String::new();
    for text in drawn {
        let done = fits(&text);
        last = text;
        if done {
            break;
        }
    }
    let painted = last.lines().enumerate().map(|(number, text)| match number.checked_sub(1) {
        Some(row) => painted(text, rows[row], paint),
        None => text.to_owned(),
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// A line of the table with its result in color.
fn painted(text: &str, row: &Row, paint: Paint) -> String {
    let [name, word, ..] = &row.cells[..] else { return text.to_owned() };
    // The name may contain the same word. The name comes first, after one space.
    let (before, after) = text.split_at((1 + name.len()).min(text.len()));
    let colored = match row.outcome {
        Outcome::Baked | Outcome::Stored => paint.green(word),
        Outcome::Unchanged => paint.dim(word),
        Outcome::Refused | Outcome::Failed => paint.red(word),
    };
    format!("{before}{}", after.replacen(word.as_str(), &colored, 1))
}

fn cells(result: &AssetResult, figures: Option<&Figures>, check: bool) -> Vec<String> {
    let name = result.target.shown_file();
    let word = match Outcome::of(&result.outcome) {
        Outcome::Baked if check => "up to date",
        outcome => outcome.word(),
    };
    let mut cells = vec![name, word.to_owned()];
    match result.outcome.character().zip(figures) {
        Some((character, figures)) => cells.extend(figure_cells(figures, skin(character))),
        None => cells.resize(COLUMNS.len() - 1, String::new()),
    }
    cells.push(seconds(result.took));
    cells
}

/// A table of the characters that share their hitboxes, sorted by their set: how much of the skin is outside, and the volume
/// of the hitboxes beside that of the hitboxes that the character would have alone.
fn shared(rows: &[&Row]) -> Option<String> {
    let mut lines: Vec<_> = rows.iter().filter_map(|row| row.shared.as_ref()).collect();
    lines.sort_by(|a, b| a[0].cmp(&b[0]));
    let mut shared = table(["shared", "character", "skin outside", "volume of its own"], 2);
    (!lines.is_empty()).then(|| {
        lines.iter().for_each(|line| add_row(&mut shared, *line));
        trimmed(&shared)
    })
}

fn shared_cells(result: &AssetResult, figures: Option<&Figures>) -> Option<[String; 4]> {
    let SharedFigures { set, volume_ratio, .. } = SharedFigures::of_bake(result.outcome.character()?)?;
    let inside = figures.and_then(|figures| figures.coverage_clips.or(figures.coverage_rest));
    let outside = share(inside.map(|inside| 1.0 - inside));
    Some([set.to_owned(), result.target.shown_file(), outside, percent(volume_ratio)])
}

/// The cells of the columns between the result and the time.
fn figure_cells(figures: &Figures, skin: String) -> [String; 11] {
    [
        figures.joints.to_string(),
        figures.boxes.to_string(),
        figures.vertices.to_string(),
        percent(figures.fill),
        share(figures.coverage_rest),
        share(figures.coverage_clips),
        share(figures.own_coverage_clips),
        escape(figures),
        figures.clips.to_string(),
        skin,
        figures.warnings.to_string(),
    ]
}

/// The bytes of the skin, and the bytes for each vertex; empty for a character without its skin.
fn skin(character: &BakedCharacter) -> String {
    // A character that was baked can be written, so there is no error to show.
    let size = SkinSize::measure(character).ok().flatten();
    size.map_or_else(String::new, |size| {
        format!("{:.0} kB, {:.1} a vertex", size.bytes as f64 / 1000.0, size.bytes_per_vertex())
    })
}
