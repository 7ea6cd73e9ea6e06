//! `bonebox completions`: scripts that complete commands and options in a shell.

use clap::Command;
use clap_complete::Shell;
use std::io::Write as _;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// Shell that the script is for
    shell: Shell,
}

/// Prints the script for the shell.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "bonebox", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}
