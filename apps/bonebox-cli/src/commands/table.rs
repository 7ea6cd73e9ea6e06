//! Tables for people.

use crate::terminal::{self, Paint};
use asset_bake::{AssetResult, BakeOutcome};
use baked_format::{BakeWarning, BakedCharacter, Coverage};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::BTreeMap;
use std::io::Write as _;

/// One word for what became of an asset.
pub(crate) fn outcome_word(outcome: &BakeOutcome) -> &'static str {
    match outcome {
        BakeOutcome::Baked(_) => "baked",
        BakeOutcome::Unchanged(_) => "unchanged",
        BakeOutcome::Refused(..) => "refused",
        BakeOutcome::Failed(_) => "failed",
    }
}

/// A table with these headings, numbers to the right.
pub(crate) fn table<'a>(headings: impl IntoIterator<Item = &'a str>, numbers_from: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(headings);
    for column in table.column_iter_mut().skip(numbers_from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Columns of [`print_bakes`]: heading, and how soon it is left out where there is no room; 0 for those that stay.
const COLUMNS: [(&str, u8); 11] = [
    ("character", 0),
    ("result", 0),
    ("joints", 8),
    ("boxes", 0),
    ("vertices", 9),
    ("fill", 4),
    ("at rest", 6),
    ("moving", 2),
    ("escape", 3),
    ("clips", 7),
    ("warnings", 5),
];

/// The bakes of a run, a row each, then what was odd about them.
pub(crate) fn print_bakes(rows: &[&AssetResult], check: bool) -> anyhow::Result<()> {
    let paint = Paint::stdout();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", bakes(rows, check, terminal::columns(), paint))?;
    for row in rows {
        if let Some(character) = row.outcome.character().filter(|character| !character.warnings.is_empty()) {
            writeln!(out, "\n{}:", row.path.display())?;
            print_warnings(&mut out, &character.warnings)?;
        }
    }
    Ok(())
}

/// The table with as many columns as there is room for.
fn bakes(rows: &[&AssetResult], check: bool, room: Option<usize>, paint: Paint) -> String {
    let lines: Vec<Vec<String>> = rows.iter().map(|row| line(row, check)).collect();
    let widest = COLUMNS.iter().map(|(_, rank)| *rank).max().unwrap_or(0);
    let drawn = (0..=widest).rev().map(|most| {
        let kept = |rank: u8| rank <= most;
        let headings: Vec<&str> = COLUMNS.iter().filter(|column| kept(column.1)).map(|column| column.0).collect();
        let mut bakes = table(headings, 2);
        for line in &lines {
            let cells = line.iter().zip(COLUMNS).filter(|(_, column)| kept(column.1));
            bakes.add_row(cells.map(|(cell, _)| cell));
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
        Some(row) => painted(text, &lines[row], &rows[row].outcome, paint),
        None => text.to_owned(),
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// A line of the table with its result in colour.
fn painted(text: &str, line: &[String], outcome: &BakeOutcome, paint: Paint) -> String {
    let [name, word, ..] = line else { return text.to_owned() };
    // The name may hold the word too; it stands first, behind one blank.
    let (before, after) = text.split_at((1 + name.len()).min(text.len()));
    let colored = match outcome {
        BakeOutcome::Baked(_) => paint.green(word),
        BakeOutcome::Unchanged(_) => paint.dim(word),
        BakeOutcome::Refused(..) | BakeOutcome::Failed(_) => paint.red(word),
    };
    format!("{before}{}", after.replacen(word.as_str(), &colored, 1))
}

fn line(row: &AssetResult, check: bool) -> Vec<String> {
    let name = row.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let word = match &row.outcome {
        BakeOutcome::Baked(_) if check => "as it should",
        outcome => outcome_word(outcome),
    };
    match row.outcome.character() {
        Some(character) => cells(&name, word, character),
        None => vec![name, word.to_owned()],
    }
}

fn cells(name: &str, word: &str, character: &BakedCharacter) -> Vec<String> {
    vec![
        name.to_owned(),
        word.to_owned(),
        character.skeleton.len().to_string(),
        character.boxes.len().to_string(),
        vertices(character).to_string(),
        percent(fill(character)),
        covered(character, |coverage| coverage.surface_rest),
        covered(character, |coverage| coverage.surface_clips),
        covered(character, |coverage| coverage.max_escape),
        character.clips.len().to_string(),
        character.warnings.len().to_string(),
    ]
}

/// A measured share in tenths of a percent; a dash where nothing was measured.
fn covered(character: &BakedCharacter, share: impl Fn(&Coverage) -> f32) -> String {
    character.coverage.as_ref().map_or_else(|| "-".into(), |coverage| format!("{:.1} %", 100.0 * share(coverage)))
}

/// Vertices of all boxes.
pub(crate) fn vertices(character: &BakedCharacter) -> u64 {
    character.boxes.iter().map(|baked| u64::from(baked.vertices)).sum()
}

/// Sum of the hulls' volumes over that of the boxes.
pub(crate) fn fill(character: &BakedCharacter) -> f64 {
    let hulls: f64 = character.boxes.iter().map(|baked| f64::from(baked.hull_volume)).sum();
    let boxes: f64 = character.boxes.iter().map(|baked| f64::from(baked.volume())).sum();
    hulls / boxes
}

/// A share as a whole percentage; a dash where there is none.
pub(crate) fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.0} %", 100.0 * share) } else { "-".into() }
}

/// The most that is told of warnings of one kind; the JSON has them all.
const WARNINGS_OF_A_KIND: usize = 3;

/// Warnings, by their kinds; to standard output, however it is held.
pub(crate) fn print_warnings(out: &mut impl std::io::Write, warnings: &[BakeWarning]) -> anyhow::Result<()> {
    let mut by_code: BTreeMap<&str, Vec<&BakeWarning>> = BTreeMap::new();
    for warning in warnings {
        by_code.entry(&warning.code).or_default().push(warning);
    }
    for (code, warnings) in by_code {
        let word = Paint::stdout().yellow("warning");
        for warning in warnings.iter().take(WARNINGS_OF_A_KIND) {
            writeln!(out, "  {word} [{code}] {}", warning.text)?;
        }
        if let Some(more) = warnings.len().checked_sub(WARNINGS_OF_A_KIND).filter(|&more| more > 0) {
            writeln!(out, "  {word} [{code}] … and {more} more (all are in the JSON)")?;
        }
    }
    Ok(())
}

/// The table without blanks at line ends.
pub(crate) fn trimmed(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
