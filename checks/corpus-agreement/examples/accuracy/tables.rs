//! The tables as Markdown.

use crate::character::{Character, Figures, InPoses, OTHER_POSES};
use crate::rows::Row;
use std::error::Error;
use std::fmt::Write as _;

/// Returns the figures of all characters with the options of one row.
fn figures_of(characters: &[Character], row: &Row) -> Result<Vec<Figures>, Box<dyn Error>> {
    characters.iter().map(|one| one.figures(row)).collect()
}

fn mean(figures: &[Figures], figure: fn(&Figures) -> f64) -> f64 {
    figures.iter().map(figure).sum::<f64>() / figures.len() as f64
}

/// Returns the recall of joints of the character that has the lowest, in percent.
fn least_recall(figures: &[Figures]) -> f64 {
    figures.iter().map(|figures| figures.joints[1]).fold(f64::INFINITY, f64::min)
}

/// Means over the characters, and some rows character by character.
pub(crate) fn over_clips(characters: &[Character], rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut text = String::from(
        "| boxes | per joint | volume / min | surface rest / clips | escape | characters P / R | joints P / R (least R) |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut singles: Vec<(&str, Vec<Figures>)> = Vec::new();
    for row in rows {
        let figures = figures_of(characters, row)?;
        let mean = |figure| mean(&figures, figure);
        let least = least_recall(&figures);
        writeln!(
            text,
            "| {} | {:.2} | {:.3} | {:.2} / {:.2} | {:.2} | {:.1} / {:.1} | {:.1} / {:.2} ({least:.2}) |",
            row.name,
            mean(|figures| figures.per_joint),
            mean(|figures| figures.volume),
            mean(|figures| figures.surface[0]),
            mean(|figures| figures.surface[1]),
            mean(|figures| figures.escape),
            mean(|figures| figures.characters[0]),
            mean(|figures| figures.characters[1]),
            mean(|figures| figures.joints[0]),
            mean(|figures| figures.joints[1]),
        )?;
        eprintln!("{}", text.lines().last().unwrap_or_default());
        if row.by_character {
            singles.push((&row.name, figures));
        }
    }
    let names = singles.iter().map(|(name, _)| *name);
    let cells = |index: usize| -> Vec<String> {
        let cell = |(_, figures): &(&str, Vec<Figures>)| {
            let Figures { boxes, volume, surface: [_, clips], escape, joints: [precision, recall], .. } =
                &figures[index];
            format!("{boxes}; {volume:.2}; {clips:.1}; {escape:.1}; {precision:.1} / {recall:.1}")
        };
        singles.iter().map(cell).collect()
    };
    by_character(&mut text, characters, names, cells)?;
    Ok(text)
}

/// Sizes, coverage and contacts of each shape: means over the characters.
pub(crate) fn of_shapes(characters: &[Character], rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut text = String::from(
        "| preset | shape | volume / min | surface rest / clips | escape | joints P / R (least R) |\n|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let figures = figures_of(characters, row)?;
        let mean = |figure| mean(&figures, figure);
        let least = least_recall(&figures);
        writeln!(
            text,
            "| {} | {:.3} | {:.2} / {:.2} | {:.2} | {:.1} / {:.2} ({least:.2}) |",
            row.name,
            mean(|figures| figures.volume),
            mean(|figures| figures.surface[0]),
            mean(|figures| figures.surface[1]),
            mean(|figures| figures.escape),
            mean(|figures| figures.joints[0]),
            mean(|figures| figures.joints[1]),
        )?;
        eprintln!("{}", text.lines().last().unwrap_or_default());
    }
    Ok(text)
}

/// Precision and recall in clips and in other poses: means over the characters, and some rows character by character.
pub(crate) fn in_other_poses(characters: &[Character], rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut text = String::from(
        "| boxes | envelopes, bytes | clips | half-way blends | turns to 20 degrees | turns to 45 degrees |\n\
         |---|---|---|---|---|---|\n",
    );
    let mut singles: Vec<(&str, Vec<InPoses>)> = Vec::new();
    for row in rows {
        let found = characters.iter().map(|one| one.in_all_poses(row)).collect::<Result<Vec<InPoses>, _>>()?;
        let bytes = found.iter().map(|one| one.envelope_bytes);
        let range = format!("{} to {}", bytes.clone().min().unwrap_or(0), bytes.max().unwrap_or(0));
        write!(text, "| {} | {range} |", row.name)?;
        for column in 0..=OTHER_POSES.len() {
            let all: Vec<[f64; 2]> = found.iter().filter_map(|one| one.scores[column]).collect();
            let mean = |figure: usize| all.iter().map(|score| score[figure]).sum::<f64>() / all.len() as f64;
            let least = all.iter().map(|score| score[1]).fold(f64::INFINITY, f64::min);
            write!(text, " {:.1} / {:.2} ({least:.2}) |", mean(0), mean(1))?;
        }
        writeln!(text)?;
        eprintln!("{}", text.lines().last().unwrap_or_default());
        if row.by_character {
            singles.push((&row.name, found));
        }
    }
    let names = singles.iter().map(|(name, _)| *name);
    let cells = |index: usize| -> Vec<String> {
        let score = |score: &Option<[f64; 2]>| {
            score.map_or_else(|| "-".to_owned(), |[precision, recall]| format!("{precision:.1} / {recall:.1}"))
        };
        let cell = |(_, found): &(&str, Vec<InPoses>)| {
            let InPoses { envelope_bytes, scores } = &found[index];
            let scores: Vec<String> = scores.iter().map(score).collect();
            let bytes = if *envelope_bytes > 0 { format!("{envelope_bytes}; ") } else { String::new() };
            format!("{bytes}{}", scores.join("; "))
        };
        singles.iter().map(cell).collect()
    };
    by_character(&mut text, characters, names, cells)?;
    Ok(text)
}

/// Adds a table with a line for each character; `cells` has those of one character.
fn by_character<'a>(
    text: &mut String,
    characters: &[Character],
    names: impl Iterator<Item = &'a str>,
    cells: impl Fn(usize) -> Vec<String>,
) -> Result<(), Box<dyn Error>> {
    let names: Vec<&str> = names.collect();
    writeln!(text, "\n| character | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()))?;
    for (index, character) in characters.iter().enumerate() {
        writeln!(text, "| {} | {} |", character.name, cells(index).join(" | "))?;
    }
    Ok(())
}
