//! Tables for people.

use crate::bake::{Outcome, Row};
use baked_format::{BakeWarning, BakedCharacter, Coverage};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::collections::BTreeMap;
use std::io::Write as _;

/// One word for what became of an asset.
pub(crate) fn outcome_word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Baked(_) => "baked",
        Outcome::Unchanged(_) => "unchanged",
        Outcome::Refused(..) => "refused",
        Outcome::Failed(_) => "failed",
    }
}

/// A table with these headings, numbers to the right.
pub(crate) fn table<const N: usize>(headings: [&str; N], numbers_from: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(headings);
    for column in table.column_iter_mut().skip(numbers_from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// The bakes of a run, a row each, then what was odd about them.
pub(crate) fn print_bakes(rows: &[Row], check: bool) -> anyhow::Result<()> {
    let headings = [
        "character",
        "result",
        "joints",
        "boxes",
        "vertices",
        "fill",
        "at rest",
        "moving",
        "escape",
        "clips",
        "warnings",
    ];
    let mut bakes = table(headings, 2);
    for row in rows {
        let name = row.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let word = match &row.outcome {
            Outcome::Baked(_) if check => "as it should",
            outcome => outcome_word(outcome),
        };
        match character(&row.outcome) {
            Some(character) => bakes.add_row(cells(&name, word, character)),
            None => bakes.add_row([name, word.to_owned()]),
        };
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", trimmed(&bakes))?;
    for row in rows {
        if let Some(character) = character(&row.outcome).filter(|character| !character.warnings.is_empty()) {
            writeln!(out, "\n{}:", row.path.display())?;
            print_warnings(&mut out, &character.warnings)?;
        }
    }
    Ok(())
}

fn character(outcome: &Outcome) -> Option<&BakedCharacter> {
    match outcome {
        Outcome::Baked(bake) => Some(&bake.character),
        Outcome::Unchanged(character) | Outcome::Refused(character, _) => Some(character),
        Outcome::Failed(_) => None,
    }
}

fn cells(name: &str, word: &str, character: &BakedCharacter) -> Vec<String> {
    let vertices: u64 = character.boxes.iter().map(|baked| u64::from(baked.vertices)).sum();
    vec![
        name.to_owned(),
        word.to_owned(),
        character.skeleton.len().to_string(),
        character.boxes.len().to_string(),
        vertices.to_string(),
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

/// Sum of the hulls' volumes over that of the boxes.
fn fill(character: &BakedCharacter) -> f64 {
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

pub(crate) fn print_warnings(out: &mut impl std::io::Write, warnings: &[BakeWarning]) -> anyhow::Result<()> {
    let mut by_code: BTreeMap<&str, Vec<&BakeWarning>> = BTreeMap::new();
    for warning in warnings {
        by_code.entry(&warning.code).or_default().push(warning);
    }
    for (code, warnings) in by_code {
        for warning in warnings.iter().take(WARNINGS_OF_A_KIND) {
            writeln!(out, "  warning [{code}] {}", warning.text)?;
        }
        if let Some(more) = warnings.len().checked_sub(WARNINGS_OF_A_KIND).filter(|&more| more > 0) {
            writeln!(out, "  warning [{code}] … and {more} more (all are in the JSON)")?;
        }
    }
    Ok(())
}

/// The table without blanks at line ends.
pub(crate) fn trimmed(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
