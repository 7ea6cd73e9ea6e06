//! Tables in the terminal.

use crate::terminal::Paint;
use baked_format::BakeWarning;
use bone_fit::{Figures, Poses};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use skeleton::printable;
use std::collections::BTreeMap;
use std::time::Duration;

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
