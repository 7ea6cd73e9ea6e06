//! The command line.

use crate::settings::{Asked, Place, Plans};
use crate::{bake, compare, diff, draw, duel, export, import, init, inspect, table, view};
use bone_fit::BakeOptions;
use clap::{Arg, ArgMatches, Args, Command, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use std::ffi::OsString;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
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
    Bake(BakeArguments),
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
}

#[derive(Args, Debug)]
struct BakeArguments {
    /// Files, or folders to search for .glb, .gltf and .vrm
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Folder for the outputs [default: beside each source]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write nothing; fail where an output is not what its source bakes to
    #[arg(long)]
    check: bool,
    /// Bake also what has not changed since it was baked with the same options
    #[arg(long)]
    force: bool,
    /// Show below the table what each preset would give
    #[arg(long)]
    compare: bool,
    /// Threads [default: one per processor]
    #[arg(short, long, value_name = "N")]
    jobs: Option<usize>,
    /// Print only errors
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    options: OptionArguments,
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
        Subcommands::Bake(arguments) => bake(arguments),
        Subcommands::Init(arguments) => init::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Import(arguments) => import::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Inspect(arguments) => inspect::run(&arguments.file, arguments.json).map(|()| ExitCode::SUCCESS),
        Subcommands::Diff(arguments) => diff::run(&arguments),
        Subcommands::Export(arguments) => export::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Duel(arguments) => duel::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Draw(arguments) => draw::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::View(arguments) => view::run(&arguments).map(|()| ExitCode::SUCCESS),
        Subcommands::Report(arguments) => view::report(&arguments).map(|()| ExitCode::SUCCESS),
    };
    result.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

/// Whoever read our output has seen enough: `bonebox inspect X | head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}

fn bake(arguments: BakeArguments) -> anyhow::Result<ExitCode> {
    let BakeArguments { paths, out, check, force, compare, jobs, quiet, options } = arguments;
    let request = bake::Request { paths, out_dir: out, check, force, asked: options.asked };
    let progress = Progress::new(quiet);
    let threads = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    let rows =
        threads.install(|| bake::bake_all(&request, &|row| progress.finished(row), &|count| progress.found(count)))?;
    progress.clear();
    if rows.is_empty() {
        anyhow::bail!("no .glb, .gltf or .vrm below these paths");
    }
    if !quiet {
        table::print_bakes(&rows, check)?;
    }
    if compare {
        let good = rows.iter().filter(|row| !matches!(row.outcome, bake::Outcome::Failed(_)));
        let assets: Vec<&Path> = good.map(|row| row.path.as_path()).collect();
        let plans = Plans::new(&request.asked, &assets)?;
        let compared = threads.install(|| compare::compared(&plans, &assets))?;
        writeln!(std::io::stdout().lock(), "\n{compared}")?;
    }
    let mut code = ExitCode::SUCCESS;
    for row in &rows {
        if let bake::Outcome::Failed(error) = &row.outcome {
            eprintln!("error: {}: {error:#}", row.path.display());
            code = ExitCode::FAILURE;
        }
        if let bake::Outcome::Refused(_, broken) = &row.outcome {
            for limit in broken {
                eprintln!("error: {}: {limit}; nothing was written", row.path.display());
            }
            code = ExitCode::FAILURE;
        }
    }
    Ok(code)
}

/// A bar on a terminal, a line per file elsewhere; both on standard error.
struct Progress {
    bar: ProgressBar,
    lines: bool,
}

impl Progress {
    fn new(quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = if quiet || !terminal { ProgressBar::hidden() } else { ProgressBar::new(0) };
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, lines: !quiet && !terminal }
    }

    fn found(&self, count: usize) {
        self.bar.set_length(count as u64);
    }

    fn finished(&self, row: &bake::Row) {
        self.bar.inc(1);
        self.bar.set_message(row.path.display().to_string());
        if self.lines {
            eprintln!("{:>9} {}", table::outcome_word(&row.outcome), row.path.display());
        }
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
