//! The command line.

use crate::settings::{Asked, Place};
use crate::terminal::Paint;
use crate::{bake_command, diff, draw, duel, export, import, init, inspect, shell, view};
use bone_fit::BakeOptions;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory as _, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;
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
    Bake(Box<bake_command::Arguments>),
    /// Write a commented bonebox.toml for a folder or a character
    Init(init::Arguments),
    /// Take boxes made elsewhere, in glTF physics nodes or a Source .qc, into bonebox.toml
    Import(import::Arguments),
    /// Show what a baked file holds
    Inspect(InspectArguments),
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
    Completions(shell::CompletionsArguments),
    /// Print the manual page, or write those of all commands
    Man(shell::ManArguments),
}

#[derive(Args, Debug)]
struct InspectArguments {
    /// A .bonebox file, or an asset to bake in memory
    file: PathBuf,
    /// Print the same JSON as NAME.bonebox.json
    #[arg(long)]
    json: bool,
}

/// A flag for every word of [`BakeOptions::HELP`].
#[derive(Clone, Debug, Default)]
pub(crate) struct OptionArguments {
    pub(crate) asked: Asked,
}

impl clap::FromArgMatches for OptionArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut arguments = Self::default();
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = BakeOptions::HELP.iter().filter_map(|help| {
            let value = matches.get_one::<String>(help.key)?;
            Some((help.key, value.as_str()))
        });
        let refused = |error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error}\n"));
        BakeOptions::from_entries(given.clone()).map_err(refused)?;
        self.asked.words = given.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        self.asked.settings = match matches.get_one::<PathBuf>("settings") {
            Some(file) => Place::In(file.clone()),
            None if matches.get_flag("no_settings") => Place::Nowhere,
            None => Place::Nearest,
        };
        Ok(())
    }
}

impl Args for OptionArguments {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("settings").long("settings").value_name("FILE").value_parser(clap::value_parser!(PathBuf));
        let none = Arg::new("no_settings").long("no-settings").action(clap::ArgAction::SetTrue);
        let command = command
            .next_help_heading("How boxes are made")
            .arg(file.help("A settings file [default: bonebox.toml in the asset's folder or the nearest above]"))
            .arg(none.conflicts_with("settings").help("Pass over settings files"));
        BakeOptions::HELP.iter().fold(command, |command, help| {
            let argument = Arg::new(help.key).long(help.key.replace('_', "-")).alias(help.key).value_name("VALUE");
            command.arg(argument.help(format!("{} [{}]", help.text, help.values)))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
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
        Subcommands::Bake(arguments) => bake_command::run(*arguments),
        Subcommands::Init(arguments) => init::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Import(arguments) => import::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Inspect(arguments) => inspect::run(&arguments.file, arguments.json).map(|()| ExitCode::SUCCESS),
        Subcommands::Diff(arguments) => diff::run(&arguments),
        Subcommands::Export(arguments) => export::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Duel(arguments) => duel::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Draw(arguments) => draw::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::View(arguments) => view::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Report(arguments) => view::report(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Completions(arguments) => {
            shell::completions(&arguments, Cli::command()).map(|()| ExitCode::SUCCESS)
        }
        Subcommands::Man(arguments) => shell::man(&arguments, Cli::command()).map(|()| ExitCode::SUCCESS),
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
