//! `bonebox diff --base`: compares many characters with their baked files at a revision of Git.

use super::{Arguments, FAILED, print_json, print_lines};
use crate::exit_code::{FAILURE, SUCCESS};
use crate::library::json;
use crate::library::markdown::{self, Pictures};
use crate::library::survey::{Request, Since, Survey};
use crate::terminal::{Paint, eprint_line, is_read, printable_lines};
use asset_bake::RequestedSettings;
use std::io::Write as _;
use std::path::PathBuf;

/// Prints what differs. The exit code is 0 if no character differs, 1 if one differs, and 2 if one cannot be compared.
pub(super) fn run(arguments: &Arguments, base: &str) -> anyhow::Result<u8> {
    let settings = RequestedSettings::default();
    let Arguments { old, new, paths, .. } = arguments;
    let mut paths: Vec<PathBuf> = old.iter().chain(new).chain(paths).cloned().collect();
    if paths.is_empty() {
        paths.push(".".into());
    }
    let baked = arguments.baked.clone();
    let survey = Survey::take(&Request { paths, baked, settings: &settings, base: Some(base), over: arguments.over })?;
    is_read(match () {
        () if arguments.json => print_json(&json::Document::new(&survey)),
        () if arguments.markdown => {
            let pictures = arguments.pictures.as_deref().map(|folder| {
                let url = arguments.pictures_url.clone().unwrap_or_else(|| folder.display().to_string());
                Pictures { folder, url }
            });
            let text = markdown::summary(&survey, pictures.as_ref(), &settings)?;
            std::io::stdout().lock().write_all(text.as_bytes()).map_err(Into::into)
        }
        () => print_text(&survey),
    })?;
    let mut failed = false;
    for entry in &survey.entries {
        let Some(problem) = entry.problem() else { continue };
        failed = true;
        eprint_line!("{} {}: {}", Paint::stderr().red("error:"), entry.path, printable_lines(problem));
    }
    Ok(match () {
        () if failed => FAILED,
        () if survey.entries.iter().any(|entry| entry.differs()) => FAILURE,
        () => SUCCESS,
    })
}

fn print_text(survey: &Survey) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for entry in &survey.entries {
        let path = &entry.path;
        match (&entry.since, entry.now()) {
            (Since::Changed(old, changes), Some(now)) => {
                writeln!(out, "{path}:")?;
                print_lines(&mut out, changes, &old.character, &now.character)?;
            }
            (Since::Added, _) => writeln!(out, "{path}: added")?,
            (Since::Removed(_), _) => writeln!(out, "{path}: removed")?,
            _ => {}
        }
    }
    writeln!(out, "{}", markdown::counts(survey))?;
    Ok(())
}
