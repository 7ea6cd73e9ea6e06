//! `bonebox settings`: the settings that apply to a character, each with the place that it comes from.

use crate::settings_arguments::SettingsArguments;
use asset_bake::{AssetSettings, BakeTarget, RequestedSettings, SettingsFiles, shown_path};
use bake_settings::{PlacedSetting, Settings};
use bone_fit::{BakeOption, BakeOptions, OptionKind};
use serde::Serialize;
use skeleton::{NamePattern, printable};
use std::io::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Asset (.glb, .gltf, .vrm)
    file: PathBuf,
    /// Print a line of JSON for each character
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// The settings of one character.
#[derive(Serialize)]
struct Effective {
    character: String,
    /// The settings files that apply, the nearest first.
    files: Vec<String>,
    /// The set of shared hitboxes with its place, if the character is in one.
    shared: Option<Row>,
    settings: Vec<Row>,
}

/// One setting.
#[derive(Serialize)]
struct Row {
    /// The names of its sections.
    section: Vec<String>,
    key: String,
    /// The value in TOML.
    value: String,
    /// What sets it: `file`, `command-line`, `preset` or `default`.
    from: &'static str,
    /// The places in files, as `FILE:LINE`; for `preset` its name.
    places: Vec<String>,
}

/// Prints the settings as a text in the form of a bonebox.toml, with the place of each in a comment.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { file, json, settings } = arguments;
    let requested = &settings.requested;
    // A file that does not exist is a typing mistake.
    asset_bake::Asset::open(file)?;
    let files = SettingsFiles::open(requested, [file])?;
    let targets = match files.for_asset(file)?.is_split() {
        true => BakeTarget::each(file),
        false => vec![BakeTarget::whole(file)],
    };
    let mut out = std::io::stdout().lock();
    for target in targets {
        let effective = Effective::new(&files.for_target(&target)?, requested, &target.name);
        match json {
            true => writeln!(out, "{}", serde_json::to_string(&effective)?)?,
            false => write!(out, "{}", effective.text())?,
        }
    }
    Ok(())
}

impl Effective {
    fn new(settings: &AssetSettings, requested: &RequestedSettings, character: &str) -> Self {
        let files = settings.settings_files();
        let paths: Vec<&Path> = files.iter().map(|(path, _)| *path).collect();
        let contents: Vec<&Settings> = files.iter().map(|(_, content)| *content).collect();
        let mut placed = Settings::placed_settings(&contents, character);
        let is_option = |one: &PlacedSetting| option_of(one).is_some();
        let of_request = |key: &str| requested.options.iter().rev().find(|(own, _)| own == key);
        if of_request("preset").is_some() {
            placed.retain(|one| !is_option(one));
        }
        let place = |one: &PlacedSetting| {
            let places = one.places.iter().map(|place| format!("{}:{}", shown_path(paths[place.file]), place.line));
            places.collect::<Vec<_>>()
        };
        let options = settings.options();
        let (preset, default) = (BakeOptions::preset(options.preset), BakeOptions::default());
        let mut rows: Vec<Row> = Vec::new();
        for row in BakeOption::ALL {
            let value = toml_value(row, &options.get(row.key).unwrap_or_default());
            let of_file = placed.iter().find(|one| option_of(one).is_some_and(|own| own.key == row.key));
            let (from, places) = match (of_request(row.key), of_file) {
                (Some(_), _) => ("command-line", Vec::new()),
                (None, Some(one)) => ("file", place(one)),
                _ if preset.get(row.key) != default.get(row.key) => {
                    ("preset", vec![options.preset.keyword().to_owned()])
                }
                _ => ("default", Vec::new()),
            };
            // In a file, a value of `parts` would exclude sections of single parts.
            let (section, key) = match row.key {
                "parts" => (vec!["parts".to_owned()], "set".to_owned()),
                key => (Vec::new(), key.to_owned()),
            };
            rows.push(Row { section, key, value, from, places });
        }
        let others = placed.iter().filter(|one| !is_option(one));
        rows.extend(others.map(|one| Row {
            section: one.section.clone(),
            key: one.key.clone(),
            value: one.value.clone(),
            from: "file",
            places: place(one),
        }));
        // Keys of the top of the file come before sections.
        rows.sort_by(|a, b| a.section.cmp(&b.section));
        let shared = files.iter().rev().find_map(|(path, content)| {
            let set = content.shared().find(|set| set.has(character))?;
            let line = content.shared_mistake(&set.name, "").line;
            let places = vec![format!("{}:{line}", shown_path(path))];
            Some(Row { section: Vec::new(), key: "shared".into(), value: quoted(&set.name), from: "file", places })
        });
        let files = paths.iter().rev().map(|path| shown_path(path)).collect();
        Self { character: character.to_owned(), files, shared, settings: rows }
    }

    fn text(&self) -> String {
        let mut text = format!("# The settings of {}\n", printable(&self.character));
        text += &match self.files.as_slice() {
            [] => "# from no file\n".to_owned(),
            files => format!("# from {}\n", printable(&files.join(", then "))),
        };
        if let Some(Row { value, places, .. }) = &self.shared {
            text += &format!("# in the shared set {}  # {}\n", printable(value), printable(&places.join(", ")));
        }
        let mut section: &[String] = &[];
        for row in &self.settings {
            if row.section != section {
                section = &row.section;
                let names: Vec<String> = section.iter().map(|name| toml_key(name)).collect();
                text += &format!("\n[{}]\n", names.join("."));
            }
            // Only settings of files and of the command line are those of the user.
            let is_set = matches!(row.from, "file" | "command-line");
            let line = format!("{}{} = {}", if is_set { "" } else { "# " }, toml_key(&row.key), printable(&row.value));
            let from = match row.from {
                "file" => row.places.join(", "),
                "preset" => format!("preset {}", row.places.concat()),
                "command-line" => "command line".to_owned(),
                from => from.to_owned(),
            };
            text += &format!("{line:<44}  # {}\n", printable(&from));
        }
        text
    }
}

/// The bake option that a setting sets.
fn option_of(one: &PlacedSetting) -> Option<&'static BakeOption> {
    match one.section.as_slice() {
        [] => BakeOption::find(&one.key),
        [section] if section == "parts" && one.key == "set" => BakeOption::find("parts"),
        _ => None,
    }
}

/// The value of an option in TOML.
fn toml_value(row: &BakeOption, text: &str) -> String {
    if row.kind == OptionKind::Patterns {
        let patterns: Vec<String> = NamePattern::list(text).iter().map(|pattern| quoted(pattern.as_str())).collect();
        return format!("[{}]", patterns.join(", "));
    }
    if text.parse::<f64>().is_ok() { text.to_owned() } else { quoted(text) }
}

fn quoted(text: &str) -> String {
    bake_settings::toml_text(text)
}

fn toml_key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}
