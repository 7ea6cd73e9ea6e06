//! The summary of a pull request in GitHub's Markdown.
//!
//! Names and sentences come from files that anybody may send. They appear only as code, where Markdown, HTML, mentions and links
//! mean nothing.

use crate::commands::diff::change::Change;
use crate::commands::table::{percent, plural};
use crate::draw::camera::Size;
use crate::library::figures::figures;
use crate::library::pictures::before_and_after;
use crate::library::survey::{Counts, Entry, Since, State, Survey};
use crate::terminal::eprint_line;
use anyhow::Context as _;
use asset_bake::{RequestedSettings, SettingsFiles, printable_path, replace_file};
use page_answers::color::Rgb;
use rayon::prelude::*;
use skeleton::printable;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// At most so many characters have a row in the table, and so many a part of their own with lines and pictures.
const MOST_ROWS: usize = 100;
const MOST_PARTS: usize = 20;

/// Rows and parts are left out if the summary would have more bytes. A comment on GitHub has at most 65,536 letters.
const MOST_TABLE_BYTES: usize = 30_000;
const MOST_BYTES: usize = 64_000;

/// At most so many lines of changes are in the part of a character, of at most so many letters.
const MOST_LINES: usize = 12;
const MOST_LETTERS: usize = 160;

/// A sentence about a problem has at most so many letters. Its end says what to do.
const MOST_LETTERS_OF_PROBLEM: usize = 600;

/// The size of the pictures, in pixels, and their background, which fits both themes of GitHub.
const PICTURE: Size = Size::Exact(360, 420);
const BACKGROUND: u32 = 0xf7f7f8;

/// Where pictures go.
pub(crate) struct Pictures<'a> {
    pub(crate) folder: &'a Path,
    /// The address of the folder for readers.
    pub(crate) url: String,
}

/// The numbers of characters by what happened to them, in one line.
pub(crate) fn counts(survey: &Survey) -> String {
    let Counts { characters, failed, refused, changed, added, removed, not_comparable, unchanged } = survey.counts();
    let numbers = [
        (failed, "cannot be baked"),
        (refused, "outside their limits"),
        (changed, "changed"),
        (added, "added"),
        (removed, "removed"),
        (not_comparable, "not comparable"),
        (unchanged, "unchanged"),
    ];
    let shown = numbers.iter().filter(|(count, word)| *count > 0 || *word == "changed" || *word == "unchanged");
    let all = plural(characters, "character", "characters");
    format!("{all}: {}", shown.map(|(count, word)| format!("{count} {word}")).collect::<Vec<_>>().join(", "))
}

/// The summary, the worst character first. Writes the pictures that it links to.
///
/// # Errors
/// Returns an error if the settings are wrong or a picture cannot be written.
pub(crate) fn summary(
    survey: &Survey,
    pictures: Option<&Pictures<'_>>,
    settings: &RequestedSettings,
) -> anyhow::Result<String> {
    let mut text = String::from("### Hitboxes");
    if let Some(base) = &survey.base {
        let _ = write!(text, " since {}", code(&base.revision));
    }
    let _ = write!(text, "\n\n{}.\n", counts(survey));
    if survey.base.as_ref().is_some_and(|base| base.is_empty) {
        text.push_str("\nThe base has no baked file here. Commit the `.bonebox` files to compare them.\n");
    }
    let told: Vec<&Entry> = survey.entries.iter().filter(|entry| is_told(entry)).collect();
    if told.is_empty() {
        return Ok(text);
    }
    text.push_str("\n| character | what | at rest | moving | escape | hitboxes | volume | size |\n");
    text.push_str("|---|---|--:|--:|--:|--:|--:|--:|\n");
    let rows = told.iter().take(MOST_ROWS).map(|entry| row(entry) + "\n");
    let shown = push_all(&mut text, rows, MOST_TABLE_BYTES);
    note_more(&mut text, told.len() - shown, "rows of");
    let targets = told.iter().filter_map(|entry| entry.target.as_ref());
    let files = SettingsFiles::open(settings, targets.map(|target| &target.path))?;
    let mut parts: Vec<&Entry> = told.into_iter().filter(|entry| has_part(entry)).collect();
    let count = parts.len();
    parts.truncate(MOST_PARTS);
    let images = |entry: &Entry| if pictures.is_some() { images(entry, &files) } else { Ok(Vec::new()) };
    let drawn: Vec<anyhow::Result<Vec<Image>>> = parts.par_iter().map(|entry| images(entry)).collect();
    let drawn: Vec<Vec<Image>> = parts.iter().zip(drawn).map(|(entry, drawn)| noted(entry, drawn)).collect();
    let url = pictures.map(|pictures| pictures.url.as_str()).unwrap_or_default();
    let texts = parts.iter().zip(&drawn).map(|(entry, images)| part(entry, &links(images, url)));
    let shown = push_all(&mut text, texts, MOST_BYTES);
    note_more(&mut text, count - shown, "details of");
    if let Some(Pictures { folder, .. }) = pictures {
        fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", printable_path(folder)))?;
        for image in drawn.iter().take(shown).flatten() {
            replace_file(&folder.join(&image.file), &image.bytes)?;
        }
    }
    Ok(text)
}

/// Adds pieces of text up to a number of bytes, and returns how many were added.
fn push_all(text: &mut String, pieces: impl Iterator<Item = String>, most: usize) -> usize {
    /// What [`note_more`] adds.
    const NOTE: usize = 200;
    let mut count = 0;
    for piece in pieces {
        if text.len() + piece.len() + NOTE > most {
            break;
        }
        text.push_str(&piece);
        count += 1;
    }
    count
}

/// True if the summary names the character.
fn is_told(entry: &Entry) -> bool {
    entry.problem().is_some() || entry.differs() || !entry.broken().is_empty()
}

/// True if there are lines or pictures to show.
fn has_part(entry: &Entry) -> bool {
    !matches!(entry.since, Since::Removed(_)) || !entry.broken().is_empty()
}

fn note_more(text: &mut String, more: usize, what: &str) {
    if more > 0 {
        let more = plural(more, "more character", "more characters");
        let _ = writeln!(text, "\nThe {what} {more} are left out. `bonebox report --index --base` shows all of them.");
    }
}

fn row(entry: &Entry) -> String {
    let what = match (&entry.state, &entry.since) {
        (State::Failed(_), _) => "**cannot be baked**".to_owned(),
        (_, since) => {
            let broken = entry.broken().len();
            let limits = (broken > 0).then(|| format!("**breaks {}**", plural(broken, "limit", "limits")));
            let since = match since {
                Since::Added => Some("added".to_owned()),
                Since::Removed(_) => Some("removed".to_owned()),
                Since::Unknown(_) => Some("not comparable".to_owned()),
                Since::Changed(_, changes) => Some(plural(changes.len(), "change", "changes")),
                Since::Unchanged => Some("unchanged".to_owned()),
                Since::Nothing => None,
            };
            limits.into_iter().chain(since).collect::<Vec<_>>().join(", ")
        }
    };
    let new = entry.now().map(|now| figures(&now.figures, now.bytes).map(|figure| figure.text));
    let old = entry.old().map(|old| figures(&old.figures, old.bytes).map(|figure| figure.text));
    // The columns are those of the figures: hitboxes, at rest, moving, escape, volume, size.
    let cell = |column: usize| match (&old, &new) {
        (Some(old), Some(new)) if old[column] != new[column] => format!("{} → {}", old[column], new[column]),
        (_, Some(one)) | (Some(one), None) => one[column].clone(),
        (None, None) => String::new(),
    };
    let cells = [1, 2, 3, 0, 4, 5].map(cell);
    // A bar ends a cell even in a code span.
    format!("| <code>{}</code> | {what} | {} |", html(&entry.path), cells.join(" | "))
}

/// The part of one character: sentences, changes and pictures.
fn part(entry: &Entry, images: &str) -> String {
    let of_problem = |line: &str| shortened(&shown(line), MOST_LETTERS_OF_PROBLEM);
    let mut lines: Vec<String> = Vec::new();
    lines.extend(entry.problem().into_iter().flat_map(str::lines).map(of_problem));
    lines.extend(entry.broken().iter().map(|broken| of_problem(&broken.placed())));
    let mut ratio = String::new();
    if let (Since::Changed(old, changes), Some(now)) = (&entry.since, entry.now()) {
        let change = |change: &Change| shortened(&shown(&change.to_string()), MOST_LETTERS);
        lines.extend(changes.iter().take(MOST_LINES).map(change));
        if let Some(more) = changes.len().checked_sub(MOST_LINES).filter(|more| *more > 0) {
            lines.push(format!("and {more} more"));
        }
        let volume = percent(Some(now.figures.volume / old.figures.volume));
        ratio = format!("; the volume is {volume} of the old volume");
    }
    // `summary` is HTML, in which a code span of Markdown is no code.
    let name = html(&entry.path);
    let block = if lines.is_empty() { String::new() } else { fenced(&lines.join("\n")) };
    format!("\n<details><summary><code>{name}</code>{ratio}</summary>\n\n{block}{images}\n</details>\n")
}

/// A picture in the part of a character.
struct Image {
    /// `before` or `after`.
    word: &'static str,
    /// The name of the file.
    file: String,
    /// The bytes of the PNG file.
    bytes: Vec<u8>,
}

/// Draws the character at the base and now.
fn images(entry: &Entry, files: &SettingsFiles<'_>) -> anyhow::Result<Vec<Image>> {
    let settings = entry.target.as_ref().map(|target| files.for_target(target)).transpose()?;
    let [before, after] = before_and_after(entry, settings.as_ref(), PICTURE, Rgb::hex(BACKGROUND))?;
    let image = |(word, bytes): (&'static str, Option<Vec<u8>>)| {
        Some(Image { word, file: format!("{}-{word}.png", entry.key), bytes: bytes? })
    };
    Ok([("before", before), ("after", after)].into_iter().filter_map(image).collect())
}

/// The images of a character. If it cannot be drawn, a note says why, and there is none.
fn noted(entry: &Entry, drawn: anyhow::Result<Vec<Image>>) -> Vec<Image> {
    drawn.unwrap_or_else(|problem| {
        eprint_line!("note: {} has no pictures: {problem:#}", entry.path);
        Vec::new()
    })
}

/// A table with links to the images, below this address.
fn links(images: &[Image], url: &str) -> String {
    if images.is_empty() {
        return String::new();
    }
    let url = link(url.trim_end_matches('/'));
    let row = |cell: &dyn Fn(&Image) -> String| images.iter().map(cell).collect::<Vec<_>>().join(" | ");
    format!(
        "\n| {} |\n|{}\n| {} |\n",
        row(&|image| image.word.to_owned()),
        "---|".repeat(images.len()),
        row(&|Image { word, file, .. }| format!("![{word}](<{url}/{file}>)"))
    )
}

/// The destination of a link between `<` and `>`.
fn link(url: &str) -> String {
    let letter = |letter: char| match letter {
        '<' | '>' | '\\' | '|' => format!("%{:02X}", u32::from(letter)),
        letter if letter.is_control() => String::new(),
        letter => letter.to_string(),
    };
    url.chars().map(letter).collect()
}

fn shortened(line: &str, most: usize) -> String {
    if line.chars().count() <= most {
        return line.to_owned();
    }
    line.chars().take(most).chain(['…']).collect()
}

/// The text as a code span.
fn code(text: &str) -> String {
    // A code span ends at a run of as many backticks as it begins with.
    let text = shown(text);
    let fence = "`".repeat(longest_run(&text) + 1);
    // One space at each side is no part of the code.
    if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// The text as a block of code.
fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

/// The length of the longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// The text for HTML. Markdown has no meaning in it: every letter but letters, digits and spaces is a reference.
fn html(text: &str) -> String {
    let letter = |letter: char| match letter {
        letter if letter.is_alphanumeric() || matches!(letter, ' ' | '/' | '-') => letter.to_string(),
        letter => format!("&#{};", u32::from(letter)),
    };
    shown(text).chars().map(letter).collect()
}

/// The text in one line, with control characters and marks of the writing direction as escape sequences: a mark would turn the
/// text after it around.
fn shown(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for letter in printable(text).chars() {
        match letter {
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                line.extend(letter.escape_unicode());
            }
            letter => line.push(letter),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_code_whatever_letters_they_have() {
        assert_eq!(code("man.glb"), "`man.glb`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`"), "`` ` ``");
        assert_eq!(code("a\nb\u{202e}c"), "`a\\nb\\u{202e}c`");
        assert_eq!(fenced("a\n```\nb"), "````text\na\n```\nb\n````\n");
        assert_eq!(html("a_<b>|*@x.y"), "a&#95;&#60;b&#62;&#124;&#42;&#64;x&#46;y");
        assert_eq!(link("a b/<x>|"), "a b/%3Cx%3E%7C");
    }
}
