//! `bonebox man`: prints manual pages.

use anyhow::Context as _;
use asset_bake::printable_path;
use clap::Command;
use clap_mangen::Man;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Folder to write the page of every command to [default: print the main page]
    #[arg(short = 'o', long, alias = "out", value_name = "DIR")]
    out_dir: Option<PathBuf>,
}

/// Prints the main page, or writes bonebox.1, bonebox-bake.1, ... into a folder.
pub(crate) fn run(arguments: &Arguments, command: Command) -> anyhow::Result<()> {
    let Some(folder) = &arguments.out_dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return Ok(std::io::stdout().write_all(&page)?);
    };
    let write = || {
        fs::create_dir_all(folder)?;
        clap_mangen::generate_to(command, folder)
    };
    write().with_context(|| format!("cannot write manual pages into {}", printable_path(folder)))
}
