//! Tables in the terminal.

use crate::commands::skin_size::SkinSize;
use crate::terminal::{self, Paint};
use asset_bake::{AssetResult, BakeOutcome, SharedFigures};
use baked_format::{BakeWarning, BakedCharacter};
use bone_fit::{Figures, Poses};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use skeleton::printable;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::time::Duration;

/// The result of an asset as one word.
pub(crate) fn outcome_word(outcome: &BakeOutcome) -> &'static str {
    match outcome {
        BakeOutcome::Baked(_) => "baked",
        BakeOutcome::Stored(_) => "stored",
        BakeOutcome::Unchanged(_) => "unchanged",
        BakeOutcome::Refused(..) => "refused",
        BakeOutcome::Failed(_) => "failed",
    }
}

/// A table with these headings; numbers are aligned to the right.
pub(crate) fn table<'a>(headings: impl IntoIterator<Item = &'a str>, numbers_from: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(headings);
    for column in table.column_iter_mut().skip(numbers_from) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Adds a row. Control characters of a cell are escaped, so that a cell has one line.
pub(crate) fn add_row(table: &mut Table, cells: impl IntoIterator<Item = impl AsRef<str>>) {
    table.add_row(cells.into_iter().map(|cell| printable(cell.as_ref()).into_owned()));
}

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

/// Prints a row for each bake, then the warnings: all warnings of a single bake, or a summary for several bakes.
pub(crate) fn print_bakes(rows: &[&AssetResult], check: bool) -> anyhow::Result<()> {
    let paint = Paint::stdout();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", bakes(rows, check, terminal::columns(), paint))?;
    if let Some(shared) = shared(rows) {
        writeln!(out, "\n{shared}")?;
    }
    if let [row] = rows {
        if let Some(character) = row.outcome.character().filter(|character| !character.warnings.is_empty()) {
            writeln!(out, "\n{}:", row.target.shown())?;
            print_warnings(&mut out, &character.warnings)?;
        }
        return Ok(());
    }
    let summary = warning_summary(rows);
    if !summary.is_empty() {
        writeln!(out)?;
    }
    for (code, text) in summary {
        writeln!(out, "{} [{code}] {}", paint.yellow("warning"), printable(&text))?;
    }
    Ok(())
}

/// For each kind of warning: its code, the number of characters with it, and the text of the worst warning. The worst
/// warning is from the character with most warnings of this kind, or the least coverage among these.
fn warning_summary(rows: &[&AssetResult]) -> Vec<(String, String)> {
    let characters: Vec<_> =
        rows.iter().filter_map(|row| Some((row.target.shown(), row.outcome.character()?))).collect();
    let codes: BTreeSet<&str> =
        characters.iter().flat_map(|(_, character)| &character.warnings).map(|warning| warning.code.as_str()).collect();
    let summary = |code: &str| {
        let of_code = |warnings: &[BakeWarning]| warnings.iter().filter(|warning| warning.code == code).count();
        let with: Vec<_> = characters.iter().filter(|(_, character)| of_code(&character.warnings) > 0).collect();
        let all: usize = with.iter().map(|(_, character)| of_code(&character.warnings)).sum();
        let (path, worst) = with.iter().max_by(|(_, a), (_, b)| {
            let coverage = |figures: Figures| figures.coverage_clips.unwrap_or(1.0);
            let less = coverage(Figures::of_bake(b)).total_cmp(&coverage(Figures::of_bake(a)));
            of_code(&a.warnings).cmp(&of_code(&b.warnings)).then(less)
        })?;
        let text = &worst.warnings.iter().find(|warning| warning.code == code)?.text;
        let more = if all > 1 { " (all are in the JSON)" } else { "" };
        Some((code.to_owned(), format!("{all} in {} of {} characters; {path}: {text}{more}", with.len(), rows.len())))
    };
    codes.into_iter().filter_map(summary).collect()
}

/// The table with as many columns as fit.
fn bakes(rows: &[&AssetResult], check: bool, room: Option<usize>, paint: Paint) -> String {
    let lines: Vec<Vec<String>> = rows.iter().map(|row| line(row, check)).collect();
    let is_empty = |column: usize| COLUMNS[column].0 == "skin" && lines.iter().all(|line| line[column].is_empty());
    let shown: Vec<usize> = (0..COLUMNS.len()).filter(|&column| !is_empty(column)).collect();
    let widest = COLUMNS.iter().map(|(_, rank)| *rank).max().unwrap_or(0);
    let drawn = (0..=widest).rev().map(|most| {
        let kept = || shown.iter().copied().filter(|&column| COLUMNS[column].1 <= most);
        let mut bakes = table(kept().map(|column| COLUMNS[column].0), 2);
        for line in &lines {
            add_row(&mut bakes, kept().map(|column| &line[column]));
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

/// A line of the table with its result in color.
fn painted(text: &str, line: &[String], outcome: &BakeOutcome, paint: Paint) -> String {
    let [name, word, ..] = line else { return text.to_owned() };
    // The name may contain the same word. The name comes first, after one space.
    let (before, after) = text.split_at((1 + name.len()).min(text.len()));
    let colored = match outcome {
        BakeOutcome::Baked(_) | BakeOutcome::Stored(_) => paint.green(word),
        BakeOutcome::Unchanged(_) => paint.dim(word),
        BakeOutcome::Refused(..) | BakeOutcome::Failed(_) => paint.red(word),
    };
    format!("{before}{}", after.replacen(word.as_str(), &colored, 1))
}

fn line(row: &AssetResult, check: bool) -> Vec<String> {
    let name = row.target.shown_file();
    let word = match &row.outcome {
        BakeOutcome::Baked(_) if check => "up to date",
        outcome => outcome_word(outcome),
    };
    let mut cells = vec![name, word.to_owned()];
    match row.outcome.character() {
        Some(character) => cells.extend(figure_cells(&Figures::of_bake(character), skin(character))),
        None => cells.resize(COLUMNS.len() - 1, String::new()),
    }
    cells.push(seconds(row.took));
    cells
}

/// A table of the characters that share their hitboxes, sorted by their set: how much of the skin is outside, and the volume
/// of the hitboxes beside that of the hitboxes that the character would have alone.
fn shared(rows: &[&AssetResult]) -> Option<String> {
    let of_row = |row: &&AssetResult| {
        let character = row.outcome.character()?;
        let SharedFigures { set, volume_ratio, .. } = SharedFigures::of_bake(character)?;
        let figures = Figures::of_bake(character);
        let inside = figures.coverage_clips.or(figures.coverage_rest);
        let outside = share(inside.map(|inside| 1.0 - inside));
        Some([set.to_owned(), row.target.shown_file(), outside, percent(volume_ratio)])
    };
    let mut lines: Vec<_> = rows.iter().filter_map(of_row).collect();
    lines.sort_by(|a, b| a[0].cmp(&b[0]));
    let mut shared = table(["shared", "character", "skin outside", "volume of its own"], 2);
    (!lines.is_empty()).then(|| {
        lines.iter().for_each(|line| add_row(&mut shared, line));
        trimmed(&shared)
    })
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

/// A measured share in tenths of a percent, or a dash if it was not measured.
pub(crate) fn share(share: Option<f64>) -> String {
    /// From this share on, the figure has an exponent in place of many digits that mean nothing.
    const HUGE: f64 = 1000.0;
    let told = |share: f64| {
        let percent = 100.0 * share;
        if share < HUGE { format!("{percent:.1} %") } else { format!("{percent:.1e} %") }
    };
    share.map_or_else(|| "-".into(), told)
}

/// The largest escape as a share of the height, or a dash if clips were not measured. If the clips have too many sample
/// times to test all of them, the real escape may be larger.
pub(crate) fn escape(figures: &Figures) -> String {
    let shown = share(figures.largest_escape);
    if figures.escape_is_at_least { format!("at least {shown}") } else { shown }
}

/// Says over which poses the boxes were made, and what holds in other poses; `None` if the file does not say.
pub(crate) fn fitted_poses(figures: &Figures) -> Option<String> {
    const OTHERWISE: &str = "use preset = \"always\" to hold the skin in any pose";
    let clips = match figures.clips {
        1 => "1 clip".to_owned(),
        clips => format!("{clips} clips"),
    };
    let said = match figures.poses? {
        Poses::Any => "the boxes hold their skin in any pose".to_owned(),
        Poses::Bind => "fitted to the bind pose only; use preset = \"cover\" to hold the skin in every clip, or preset = \"always\" to hold the skin in any pose".into(),
        Poses::Clips if figures.clips == 0 => {
            format!("fitted to the rest pose, without clips; in other poses, skin may be outside the boxes ({OTHERWISE})")
        }
        Poses::Clips if figures.keep < 1.0 => {
            let kept = percent(Some(figures.keep));
            format!(
                "fitted to the rest pose and the central {kept} of the motion in {clips}; in the remaining motion and in other poses, skin may be outside the boxes ({OTHERWISE})"
            )
        }
        Poses::Clips => {
            format!(
                "fitted to the rest pose and all sample times of {clips}; between sample times, fitted skin is outside the boxes by at most 0.2 % of the height; in blends and other poses, it may be farther outside ({OTHERWISE})"
            )
        }
    };
    let names: Vec<String> = figures.joints_with_other_poses.iter().map(|name| printable(name).into_owned()).collect();
    Some(match &names[..] {
        [] => said,
        [joint] => format!("{said}; the joint {joint} has settings of its own"),
        [first, second, rest @ ..] if rest.len() > 2 => {
            format!("{said}; {first}, {second} and {} more joints have settings of their own", rest.len())
        }
        names => format!("{said}; the joints {} have settings of their own", names.join(", ")),
    })
}

/// The count with the noun that fits it, such as `1 box` or `2 boxes`.
pub(crate) fn plural(count: usize, noun: &str, nouns: &str) -> String {
    format!("{count} {}", if count == 1 { noun } else { nouns })
}

/// A share as a whole percentage, or a dash if there is none.
pub(crate) fn percent(share: Option<f64>) -> String {
    let share = share.filter(|share| share.is_finite());
    share.map_or_else(|| "-".into(), |share| format!("{:.0} %", 100.0 * share))
}

/// A duration in seconds with one decimal.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

/// The largest number of warnings of one kind in the table; the JSON contains all of them.
const WARNINGS_OF_A_KIND: usize = 3;

/// Prints warnings, grouped by kind, to standard output, which may be locked already.
pub(crate) fn print_warnings(out: &mut impl std::io::Write, warnings: &[BakeWarning]) -> anyhow::Result<()> {
    let mut by_code: BTreeMap<&str, Vec<&BakeWarning>> = BTreeMap::new();
    for warning in warnings {
        by_code.entry(&warning.code).or_default().push(warning);
    }
    for (code, warnings) in by_code {
        let word = Paint::stdout().yellow("warning");
        for warning in warnings.iter().take(WARNINGS_OF_A_KIND) {
            writeln!(out, "  {word} [{code}] {}", printable(&warning.text))?;
        }
        if let Some(more) = warnings.len().checked_sub(WARNINGS_OF_A_KIND).filter(|&more| more > 0) {
            writeln!(out, "  {word} [{code}] … and {more} more (all are in the JSON)")?;
        }
    }
    Ok(())
}

/// The table without spaces at line ends.
pub(crate) fn trimmed(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use baked_format::Source;
    use bone_fit::BakeOptions;

    #[test]
    fn shares_that_mean_nothing_are_short() {
        let shown = [0.0, 0.5, 20.0, 3.97e29].map(|one| share(Some(one)));
        assert_eq!(shown, ["0.0 %", "50.0 %", "2000.0 %", "4.0e31 %"]);
    }

    #[test]
    fn a_bake_says_what_holds_between_sample_times_and_in_other_poses() {
        let man = test_models::box_man().to_glb();
        let model = skinned_model::import(&man, &skinned_model::NoExternalFiles).unwrap();
        let said = |entries: &[(&str, &str)]| {
            let options = BakeOptions::from_entries(entries.iter().copied()).unwrap();
            let source = Source { file: "man.glb".into(), blake3: [0; 32], generator: "test".into() };
            fitted_poses(&Figures::of_bake(&bone_fit::bake(&model, "man", source, &options).unwrap().character))
                .unwrap()
        };
        insta::assert_snapshot!(said(&[("preset", "cover")]), @r#"fitted to the rest pose and all sample times of 1 clip; between sample times, fitted skin is outside the boxes by at most 0.2 % of the height; in blends and other poses, it may be farther outside (use preset = "always" to hold the skin in any pose)"#);
        insta::assert_snapshot!(said(&[("preset", "tight")]), @r#"fitted to the rest pose and the central 90 % of the motion in 1 clip; in the remaining motion and in other poses, skin may be outside the boxes (use preset = "always" to hold the skin in any pose)"#);
    }
}
