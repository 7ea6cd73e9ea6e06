//! Writes the page of a library: a folder with `index.html`, and for each character a small picture and the data of its own page.
//!
//! Browsers let no page that is opened as a file read other files, except as pictures and scripts. So the data of a character is
//! a script, and all characters share `character.html`, which is the page of `bonebox view` and loads the script that its address
//! names. For a character that shares its hitboxes, the page also loads the scripts of the others. The data has the hitboxes and the
//! surface, but neither the baker nor the asset: for a thousand characters these would be gigabytes, and `bonebox view` has both.

use crate::commands::table::plural;
use crate::draw::camera::Size;
use crate::library::figures::{COLUMNS, Column, Figure, figures};
use crate::library::findings::Broken;
use crate::library::pictures;
use crate::library::survey::{Entry, Now, Request, Since, State, Survey};
use crate::terminal::eprint_line;
use crate::view::page::{Page, packed};
use anyhow::Context as _;
use asset_bake::{AssetSettings, BakeTarget, RequestedSettings, SettingsFiles, printable_path, replace_file};
use baked_format::BakeWarning;
use page_answers::{Bake, Escape, HeldCharacters, Kept, Listing, Model};
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use skinned_model::{CharacterRoot, SkinnedModel};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

const HTML: &str = include_str!("index/index.html");
const STYLE: &str = include_str!("index/index.css");
const SCRIPT: &str = include_str!("index/index.js");

/// The folders of the page's data, and the file endings in them.
const FOLDERS: [(&str, &str); 2] = [("characters", "js"), ("pictures", "png")];

/// The sides of the pictures, in pixels. The page shows them at two thirds of the size, so that they are sharp on most dense
/// screens.
const PICTURE: Size = Size::Exact(84, 108);

/// At most so many lines of changes, and so many warnings of a kind, are in a row of the page.
const MOST_LINES: usize = 8;
const MOST_WARNINGS: usize = 3;

/// The data of the page.
#[derive(Serialize)]
struct Document<'a> {
    tool: &'static str,
    /// The base, for people; `None` without one.
    base: Option<String>,
    notes: Vec<String>,
    columns: &'static [Column],
    rows: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Row<'a> {
    key: &'a str,
    name: &'a str,
    path: &'a str,
    /// `ok`, `broken`, `failed` or `removed`.
    state: &'static str,
    /// `added`, `removed`, `unchanged`, `changed` or `unknown`; empty without a base.
    since: &'static str,
    /// True if the character has a picture and a page of its own.
    page: bool,
    /// The figures, in the order of the columns; empty if there are none.
    figures: Vec<Cell>,
    /// Sentences about what is wrong.
    problems: Vec<String>,
    changes: Vec<String>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct Cell {
    value: Option<f64>,
    text: String,
    /// The text at the base, if it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<String>,
}

/// Writes the page of these characters into a folder.
///
/// # Errors
/// Returns an error if the characters cannot be looked at, or a file cannot be written. An error about a single character is in
/// its row.
pub(crate) fn write(request: &Request<'_>, page: &Page, folder: &Path) -> anyhow::Result<()> {
    let survey = Survey::take(request)?;
    for name in FOLDERS.map(|(name, _)| folder.join(name)) {
        fs::create_dir_all(&name).with_context(|| format!("cannot create the folder {}", printable_path(&name)))?;
    }
    let targets = survey.entries.iter().filter_map(|entry| entry.target.as_ref());
    let settings = SettingsFiles::open(request.settings, targets.map(|target| &target.path))?;
    let of_page = blake3::hash(page.html.as_bytes()).to_hex();
    let places = Places::of(&survey);
    let page_of = |entry: &Entry| -> anyhow::Result<bool> {
        let (Some(target), Some(now)) = (&entry.target, entry.now()) else { return Ok(false) };
        let files = CharacterFiles::new(folder, &entry.key);
        let settings = settings.for_target(target)?;
        let set = SharedSet::of(entry, &settings, &places);
        let stamp = stamp(&of_page, now, entry, &set)?;
        if files.are_of(&stamp) {
            return Ok(true);
        }
        match files.write(&stamp, entry, now, &set, &settings, request.settings)? {
            Ok(()) => Ok(true),
            Err(problem) => {
                eprint_line!("note: {} has no page of its own: {problem:#}", entry.path);
                Ok(false)
            }
        }
    };
    let pages: Vec<bool> = survey.entries.par_iter().map(page_of).collect::<anyhow::Result<_>>()?;
    if survey.entries.iter().filter_map(Entry::now).any(|now| now.character.ragdoll.is_some()) {
        let physics = packed_into("physics", &page.physics()?);
        replace_file(&folder.join("physics.js"), physics.as_bytes())?;
    }
    replace_file(&folder.join("character.html"), character_page(page).as_bytes())?;
    // The list comes last, so that it never names files that are not there.
    replace_file(&folder.join("index.html"), list(&survey, &pages)?.as_bytes())?;
    remove_others(folder, &survey);
    let (count, at) = (survey.entries.len(), printable_path(&folder.join("index.html")));
    writeln!(std::io::stdout(), "{} in {at}", plural(count, "character", "characters"))?;
    Ok(())
}

/// The characters of a library by their places.
struct Places<'a>(BTreeMap<(PathBuf, Option<&'a CharacterRoot>), &'a Entry>);

impl<'a> Places<'a> {
    fn of(survey: &'a Survey) -> Self {
        let baked = survey.entries.iter().filter(|entry| entry.now().is_some());
        let place = |entry: &'a Entry| Some((Self::place(entry.target.as_ref()?), entry));
        Self(baked.filter_map(place).collect())
    }

    fn place(target: &BakeTarget) -> (PathBuf, Option<&CharacterRoot>) {
        // The same file may have several paths.
        (fs::canonicalize(&target.path).unwrap_or_else(|_| target.path.clone()), target.root.as_ref())
    }

    fn find(&self, target: &BakeTarget) -> Option<&'a Entry> {
        self.0.get(&Self::place(target)).copied()
    }
}

/// The characters that share their hitboxes with a character.
#[derive(Default)]
struct SharedSet<'a> {
    /// The other characters of the set in the library. On the page of the character, they have the numbers from 1 on.
    others: Vec<&'a Entry>,
    /// The numbers of all characters of the set in the library, sorted by name. The character itself is 0.
    members: Vec<usize>,
    /// The names of the characters of the set that are not in the library.
    absent: Vec<String>,
}

impl<'a> SharedSet<'a> {
    fn of(entry: &Entry, settings: &AssetSettings, places: &Places<'a>) -> Self {
        let mut set = Self::default();
        for target in settings.shared_members() {
            match places.find(target) {
                Some(found) if found.key == entry.key => set.members.push(0),
                Some(found) => {
                    set.others.push(found);
                    set.members.push(set.others.len());
                }
                None => set.absent.push(target.name.clone()),
            }
        }
        set
    }
}

/// The list of all characters.
fn list(survey: &Survey, pages: &[bool]) -> anyhow::Result<String> {
    let mut notes = Vec::new();
    let base = survey.base.as_ref().map(|base| match base.revision.starts_with(base.short()) {
        true => base.short().to_owned(),
        false => format!("{} ({})", base.revision, base.short()),
    });
    if let (Some(base), true) = (&base, survey.base.as_ref().is_some_and(|base| base.is_empty)) {
        notes.push(format!(
            "The base {base} has no baked file here, so every character counts as added. Commit the .bonebox files to compare them."
        ));
    }
    let rows = survey.entries.iter().zip(pages).map(|(entry, page)| row(entry, *page)).collect();
    let document = Document { tool: asset_bake::GENERATOR, base, notes, columns: &COLUMNS, rows };
    // In a script element, only `<` could end the element or begin a comment.
    let data = serde_json::to_string(&document)?.replace('<', "\\u003c");
    let parts = [("/* style */", STYLE), ("/* script */", SCRIPT), ("\"the data\"", &data)];
    // Each place is found before anything is filled in, so that names that look like a place stay names.
    let mut rest = HTML;
    let mut html = String::with_capacity(HTML.len() + STYLE.len() + SCRIPT.len() + data.len());
    while let Some((at, place, text)) =
        parts.iter().filter_map(|(place, text)| Some((rest.find(place)?, place, text))).min_by_key(|(at, ..)| *at)
    {
        html.push_str(&rest[..at]);
        html.push_str(text);
        rest = &rest[at + place.len()..];
    }
    html.push_str(rest);
    Ok(html)
}

fn row(entry: &Entry, page: bool) -> Row<'_> {
    let (state, mut problems) = match &entry.state {
        State::Failed(problem) => ("failed", vec![problem.clone()]),
        State::Removed => ("removed", Vec::new()),
        State::Baked(now) if now.broken.is_empty() => ("ok", Vec::new()),
        State::Baked(now) => ("broken", now.broken.iter().map(Broken::placed).collect()),
    };
    let (since, changes) = match &entry.since {
        Since::Nothing => ("", Vec::new()),
        Since::Added => ("added", Vec::new()),
        Since::Removed(_) => ("removed", Vec::new()),
        Since::Unchanged => ("unchanged", Vec::new()),
        Since::Changed(_, changes) => ("changed", changes.iter().map(ToString::to_string).collect()),
        Since::Unknown(problem) => {
            problems.push(problem.clone());
            ("unknown", Vec::new())
        }
    };
    let old = entry.old().map(|old| figures(&old.figures, old.bytes));
    let new = entry.now().map(|now| figures(&now.figures, now.bytes));
    let cells = match (new, old) {
        (Some(new), old) => {
            let mut olds = old.into_iter().flatten();
            let cell = |Figure { value, text }: Figure| {
                let was = olds.next().map(|old| old.text).filter(|was| *was != text);
                Cell { value, text, was }
            };
            new.into_iter().map(cell).collect()
        }
        (None, Some(old)) => old.into_iter().map(|Figure { value, text }| Cell { value, text, was: None }).collect(),
        (None, None) => Vec::new(),
    };
    Row {
        key: &entry.key,
        name: &entry.name,
        path: &entry.path,
        state,
        since,
        page,
        figures: cells,
        problems,
        changes: at_most(changes, MOST_LINES, "`bonebox diff` lists them"),
        warnings: entry.now().map(|now| warnings(&now.character.warnings)).unwrap_or_default(),
    }
}

/// At most so many lines, and a line about the others.
fn at_most(mut lines: Vec<String>, most: usize, advice: &str) -> Vec<String> {
    if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
        lines.truncate(most);
        lines.push(format!("and {more} more; {advice}"));
    }
    lines
}

/// Some warnings of each kind, and lines about the others.
fn warnings(all: &[BakeWarning]) -> Vec<String> {
    let codes: BTreeSet<&str> = all.iter().map(|warning| warning.code.as_str()).collect();
    let of_code = |code: &str| {
        let texts =
            all.iter().filter(|warning| warning.code == code).map(|warning| format!("[{code}] {}", warning.text));
        at_most(texts.collect(), MOST_WARNINGS, &format!("`bonebox inspect` lists those of the kind {code}"))
    };
    codes.into_iter().flat_map(of_code).collect()
}

/// The page of a character, which loads the data that its address names.
fn character_page(page: &Page) -> String {
    const LOADER: &str = r#"<script>
  {
    const key = new URLSearchParams(location.search).get('c') ?? '';
    if (/^[0-9a-f]{16}$/.test(key)) document.write(`<script src="characters/${key}.js"><\/script>`);
  }
</script>
<script>
  if (!document.getElementById('embedded').textContent) {
    // The rest of the page becomes plain text that is not shown, so its script does not run.
    document.write('<p>There is no data for this character. <a href="index.html">All characters</a></p><plaintext hidden>');
  }
</script>
</head>"#;
    page.html.replacen("</head>", LOADER, 1)
}

/// A script that puts compressed bytes into an element of the page of a character.
fn packed_into(element: &str, bytes: &[u8]) -> String {
    use base64::Engine as _;
    let text = base64::prelude::BASE64_STANDARD.encode(bytes);
    format!("document.getElementById('{element}').textContent='{text}';\n")
}

/// A text that changes with everything that the files of a character depend on.
fn stamp(of_page: &str, now: &Now, entry: &Entry, set: &SharedSet<'_>) -> anyhow::Result<String> {
    /// Change this number when the form of the files changes.
    const FORM: &str = "2";
    let mut hasher = blake3::Hasher::new();
    let broken: Vec<&str> = now.broken.iter().map(|one| one.text.as_str()).collect();
    let others: Vec<&str> = set.others.iter().map(|other| other.key.as_str()).collect();
    let (others, absent) = (others.join("\n"), set.absent.join("\n"));
    for part in [FORM, asset_bake::GENERATOR, &entry.path, &broken.join("\n"), of_page, &others, &absent] {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    // The baked file has the hash of its sources.
    hasher.update(&baked_format::write(&now.character)?);
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// The files of one character.
struct CharacterFiles {
    data: PathBuf,
    picture: PathBuf,
}

impl CharacterFiles {
    fn new(folder: &Path, key: &str) -> Self {
        let [data, picture] = FOLDERS.map(|(name, ending)| folder.join(name).join(format!("{key}.{ending}")));
        Self { data, picture }
    }

    /// Returns true if an earlier run has written the same files.
    fn are_of(&self, stamp: &str) -> bool {
        let mut line = String::new();
        let first = fs::File::open(&self.data).and_then(|file| BufReader::new(file).read_line(&mut line));
        first.is_ok() && line.trim_end() == first_line(stamp) && self.picture.is_file()
    }

    /// Writes the files. The inner error is about the character: it cannot be drawn.
    fn write(
        &self,
        stamp: &str,
        entry: &Entry,
        now: &Now,
        set: &SharedSet<'_>,
        settings: &AssetSettings,
        requested: &RequestedSettings,
    ) -> anyhow::Result<anyhow::Result<()>> {
        let made = || -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
            let target = entry.target.as_ref().context("the character has no asset")?;
            let model = pictures::model(target, settings)?;
            let data = serde_json::to_vec(&embedded(entry, now, &model, set, settings, requested)?)?;
            Ok((packed(&data)?, pictures::picture(&now.character, Some(model), PICTURE, None)?))
        };
        let (data, picture) = match made() {
            Ok(made) => made,
            Err(problem) => return Ok(Err(problem)),
        };
        let script = format!("{}\n{}", first_line(stamp), packed_into("embedded", &data));
        replace_file(&self.picture, &picture)?;
        replace_file(&self.data, script.as_bytes())?;
        Ok(Ok(()))
    }
}

fn first_line(stamp: &str) -> String {
    format!("// {stamp}")
}

/// The data of the page of one character, as a report has it, but without the baker and the asset.
fn embedded(
    entry: &Entry,
    now: &Now,
    model: &SkinnedModel,
    set: &SharedSet<'_>,
    settings: &AssetSettings,
    requested: &RequestedSettings,
) -> anyhow::Result<Value> {
    let mut bake = Bake::new(&now.character)?;
    bake.broken = now.broken.iter().map(|one| one.text.clone()).collect();
    bake.joint_presets = settings.joint_presets();
    if let Some(shared) = &mut bake.shared {
        (shared.members, shared.absent) = (set.members.clone(), set.absent.clone());
    }
    let escapes = match now.character.envelopes.is_empty() {
        true => Escape::all(model, &now.character.boxes, settings.options()),
        false => Vec::new(),
    };
    let mut listing = serde_json::to_value(Listing::new(&HeldCharacters::default()))?;
    let listed = |entry: &Entry| {
        let file = entry.target.as_ref().and_then(|target| target.path.file_name()).unwrap_or_default();
        json!({ "file": file.to_string_lossy(), "name": entry.name })
    };
    listing["characters"] = std::iter::once(entry).chain(set.others.iter().copied()).map(listed).collect();
    let companions: Vec<&str> = set.others.iter().map(|other| other.key.as_str()).collect();
    Ok(json!({
        "listing": listing,
        "models": [Model::of_model(model)],
        "bakes": [Kept { id: 0, preset: None, bake, escapes }],
        "sources": [],
        "options": requested.options,
        "companions": companions,
    }))
}

/// Removes the files of characters that an earlier run has written and this one has not. Other files stay.
fn remove_others(folder: &Path, survey: &Survey) {
    let keys: BTreeSet<&str> = survey.entries.iter().map(|entry| entry.key.as_str()).collect();
    for (name, ending) in FOLDERS {
        for file in fs::read_dir(folder.join(name)).into_iter().flatten().flatten() {
            let path = file.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            let is_ours = stem.len() == 16
                && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
                && path.extension().is_some_and(|found| found == ending);
            if is_ours && !keys.contains(stem) {
                // A file that stays does no harm.
                let _ = fs::remove_file(path);
            }
        }
    }
}
