//! `bonebox key`: the keys of bakes.

use crate::exit_code::{FAILURE, SUCCESS};
use crate::settings_arguments::SettingsArguments;
use crate::terminal::{Paint, eprint_line, printable_lines};
use asset_bake::{BakeRequest, bake_keys};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Files, or folders to search for .glb, .gltf, .vrm and .fbx
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Print the key of each of several characters in a file
    #[arg(long)]
    split: bool,
    #[command(flatten)]
    settings: SettingsArguments,
}

/// Prints a line for each character: the key, two spaces, and the file. Errors of single files go to standard error.
pub(crate) fn run(arguments: Arguments) -> anyhow::Result<u8> {
    let Arguments { paths, split, settings } = arguments;
    let request = BakeRequest { paths, split, settings: settings.requested, ..BakeRequest::default() };
    let keys = bake_keys(&request)?;
    anyhow::ensure!(!keys.is_empty(), crate::terminal::NO_ASSETS);
    let (mut out, mut all_well) = (std::io::stdout().lock(), true);
    for (target, key) in keys {
        match key {
            Ok(key) => writeln!(out, "{key}  {}", target.shown())?,
            Err(error) => {
                let error = printable_lines(&error.with_causes());
                eprint_line!("{} {}: {error}", Paint::stderr().red("error:"), target.shown());
                all_well = false;
            }
        }
    }
    Ok(if all_well { SUCCESS } else { FAILURE })
}
