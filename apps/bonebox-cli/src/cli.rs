//! The command line.

use crate::commands::{bake, completions, diff, draw, duel, export, import, init, inspect, man};
use crate::terminal::Paint;
use crate::view;
use clap::{CommandFactory as _, Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// Bake tight boxes for skinned characters, look into them, let them collide.
#[derive(Parser, Debug)]
#[command(name = "bonebox", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand, Debug)]
enum Subcommands {
    /// Bake characters (.glb, .gltf, .vrm) to NAME.bonebox and NAME.bonebox.json
    Bake(Box<bake::Arguments>),
    /// Write a commented bonebox.toml for a folder or a character
    Init(init::Arguments),
    /// Take boxes made elsewhere, in glTF physics nodes or a Source .qc, into bonebox.toml
    Import(import::Arguments),
    /// Show what a baked file holds
    Inspect(inspect::Arguments),
    /// Compare two bakes; the exit code is 1 where a box changed
    Diff(diff::Arguments),
    /// Write the boxes in the forms that engines read: glTF extensions, wire meshes, RON
    Export(export::Arguments),
    /// Let two characters move and list which joints touch, tick by tick
    Duel(duel::Arguments),
    /// Draw a picture of a character with its boxes, or of a duel
    Draw(Box<draw::Arguments>),
    /// Show characters, their boxes and duels in a browser
    View(Box<view::Arguments>),
    /// Write what `view` shows into one HTML file, to attach to a review
    Report(Box<view::ReportArguments>),
    /// Print a script that completes commands and options, for your shell to load
    Completions(completions::Arguments),
    /// Print the manual page, or write those of all commands
    Man(man::Arguments),
}

/// Runs the program; the arguments begin with its name.
///
/// The exit code is 0 where all went well, 1 where something failed, 2 where the arguments make no sense.
pub fn run<I>(arguments: I) -> ExitCode
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with their own exit code.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let result = match cli.command {
        Subcommands::Bake(arguments) => bake::run(*arguments),
        Subcommands::Init(arguments) => init::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Import(arguments) => import::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Inspect(arguments) => inspect::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Diff(arguments) => diff::run(&arguments),
        Subcommands::Export(arguments) => export::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Duel(arguments) => duel::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Draw(arguments) => draw::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::View(arguments) => view::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Report(arguments) => view::report(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Completions(arguments) => completions::run(&arguments, Cli::command()).map(|()| ExitCode::SUCCESS),
        Subcommands::Man(arguments) => man::run(&arguments, Cli::command()).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        eprintln!("{} {error:#}", Paint::stderr().red("error:"));
        ExitCode::FAILURE
    })
}

/// Whoever read our output has seen enough: `bonebox inspect X | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
