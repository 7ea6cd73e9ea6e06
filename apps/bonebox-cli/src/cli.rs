//! The command line.

use crate::commands::{
    bake, completions, diff, draw, duel, explain, export, frames, import, import_motion, init, inspect, key, live, man,
    merge_reports, perform, settings, store,
};
use crate::exit_code::{FAILURE, SUCCESS, WRONG_COMMAND_LINE};
use crate::terminal::{Paint, eprint_line, is_closed_output, printable_lines};
use crate::view;
use crate::wrong_argument::WrongArgument;
use clap::{Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::ffi::OsString;

/// Bake tight hitboxes for skinned characters, inspect and export them, and test characters against each other.
#[derive(Parser, Debug)]
#[command(name = "bonebox", bin_name = "bonebox", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Subcommand, Debug)]
enum Subcommands {
    /// Bake characters (.glb, .gltf, .vrm, .fbx) to NAME.bonebox and NAME.bonebox.json
    Bake(Box<bake::Arguments>),
    /// Print the settings that apply to a character, and where each comes from
    Settings(settings::Arguments),
    /// Print the key of each bake: a hash of all that its bytes depend on, for build systems and stores
    Key(key::Arguments),
    /// Count, check or remove the entries of a store (see `bonebox bake --store`)
    Store(store::Arguments),
    /// Join the reports of several `bonebox bake --json` into one; the exit code is 1 if a character failed or is missing
    MergeReports(merge_reports::Arguments),
    /// Write a commented bonebox.toml for a folder or a character
    Init(init::Arguments),
    /// Write boxes that were made or edited elsewhere (Blender, glTF physics, Source .qc) into bonebox.toml
    Import(import::Arguments),
    /// Print the boxes, coverage, clips and warnings of a bake
    Inspect(inspect::Arguments),
    /// Compare two bakes; the exit code is 0 if they are equal, 1 if they differ, 2 for an error
    Diff(diff::Arguments),
    /// Write the boxes for engines and editors: glTF extensions, wire meshes, RON
    Export(export::Arguments),
    /// Move two characters and print which joints overlap, tick by tick
    Duel(duel::Arguments),
    /// Print the frames of each attack: startup, active, recovery, and how far it reaches
    Frames(frames::Arguments),
    /// Print what became of shots that a server explained, a sentence each
    Explain(explain::Arguments),
    /// Let a body tracker move a character, and print which joints touch another character
    Live(Box<live::Arguments>),
    /// Send a character's clip as a body tracker would, for `live` and other programs
    Perform(Box<perform::Arguments>),
    /// Bake a character with a motion capture recording (BVH) as one of its clips
    ImportMotion(Box<import_motion::Arguments>),
    /// Draw a picture of a character with its boxes, or of a duel
    Draw(Box<draw::Arguments>),
    /// Show characters, their boxes and duels in a browser
    View(Box<view::Arguments>),
    /// Write the page of `view` into one HTML file, for example for a review
    Report(Box<view::ReportArguments>),
    /// Print a script that completes commands and options in your shell
    Completions(completions::Arguments),
    /// Print the manual page, or write the pages of all commands
    Man(man::Arguments),
}

/// Commands by task, in the order of `bonebox help`.
const TASKS: [(&str, &[&str]); 5] = [
    ("Bake", &["bake", "init", "import", "settings", "key", "store", "merge-reports"]),
    ("Look and check", &["inspect", "diff", "view", "report", "draw", "duel", "frames", "explain"]),
    ("Live", &["live", "perform", "import-motion"]),
    ("Use elsewhere", &["export"]),
    ("Shell", &["completions", "man", "help"]),
];

/// An example of each command, which the help of the command shows.
const EXAMPLES: [(&str, &str); 21] = [
    ("bake", "bonebox bake characters/ --preset tight"),
    ("init", "bonebox init characters/"),
    ("import", "bonebox import runa.wire.glb"),
    ("settings", "bonebox settings runa.glb"),
    ("key", "bonebox key characters/"),
    ("store", "bonebox store prune /mnt/share/bakes --older-than 30d"),
    ("merge-reports", "bonebox merge-reports report-0.jsonl report-1.jsonl > report.jsonl"),
    ("inspect", "bonebox inspect runa.bonebox"),
    ("diff", "bonebox diff old/runa.bonebox runa.glb --over 0.02"),
    ("view", "bonebox view characters/"),
    ("report", "bonebox report characters/ -o review.html"),
    ("draw", "bonebox draw runa.glb --clip jab --time 0.2 -o jab.png"),
    ("duel", "bonebox duel runa.bonebox bruno.bonebox --clip-a jab --distance 0.8"),
    ("frames", "bonebox frames runa.bonebox --rate 60"),
    ("explain", "bonebox explain shots.jsonl"),
    ("live", "bonebox live runa.bonebox --opponent bruno.bonebox --distance 0.8"),
    ("perform", "bonebox perform runa.bonebox --clip jab"),
    ("import-motion", "bonebox import-motion walk.bvh --onto runa.glb -o runa.bonebox"),
    ("export", "bonebox export runa.glb --to omi"),
    ("completions", "bonebox completions bash"),
    ("man", "bonebox man -o man/"),
];

/// Returns the command line, with the commands grouped by task in its help, and an example in the help of each command.
pub(crate) fn command() -> Command {
    let mut command = Cli::command();
    for (name, example) in EXAMPLES {
        command = command.mut_subcommand(name, |command| command.after_help(format!("Example:\n  {example}")));
    }
    let mut groups = String::new();
    for (task, names) in TASKS {
        groups.push_str(&format!("{task}:\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about).map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Print this help, or the help of a command".into());
            groups.push_str(&format!("  {name:<14} {about}\n"));
        }
        groups.push('\n');
    }
    command
        .help_template(format!(
            "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
        ))
        .after_help("`bonebox COMMAND --help` explains the options of a command and shows an example.")
}

/// Runs the program and returns its exit code; the arguments begin with the program's name.
///
/// The exit code is 0 for success, 1 for an error, and 2 for wrong arguments. `diff` exits with 1 if its files differ, and
/// with 2 for every error.
pub fn run<I>(arguments: I) -> u8
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let parsed = command().try_get_matches_from(arguments).and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version also arrive here, with an exit code of their own.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(WRONG_COMMAND_LINE);
        }
    };
    let is_diff = matches!(cli.command, Subcommands::Diff(_));
    let result = match cli.command {
        Subcommands::Bake(arguments) => bake::run(*arguments),
        Subcommands::Settings(arguments) => settings::run(&arguments).map(|()| SUCCESS),
        Subcommands::Key(arguments) => key::run(arguments),
        Subcommands::Store(arguments) => store::run(&arguments),
        Subcommands::MergeReports(arguments) => merge_reports::run(&arguments),
        Subcommands::Init(arguments) => init::run(&arguments).map(|()| SUCCESS),
        Subcommands::Import(arguments) => import::run(&arguments).map(|()| SUCCESS),
        Subcommands::Inspect(arguments) => inspect::run(&arguments).map(|()| SUCCESS),
        Subcommands::Diff(arguments) => diff::run(&arguments),
        Subcommands::Export(arguments) => export::run(&arguments).map(|()| SUCCESS),
        Subcommands::Duel(arguments) => duel::run(&arguments).map(|()| SUCCESS),
        Subcommands::Frames(arguments) => frames::run(&arguments).map(|()| SUCCESS),
        Subcommands::Explain(arguments) => explain::run(&arguments).map(|()| SUCCESS),
        Subcommands::Live(arguments) => live::run(&arguments).map(|()| SUCCESS),
        Subcommands::Perform(arguments) => perform::run(&arguments).map(|()| SUCCESS),
        Subcommands::ImportMotion(arguments) => import_motion::run(&arguments).map(|()| SUCCESS),
        Subcommands::Draw(arguments) => draw::run(&arguments).map(|()| SUCCESS),
        Subcommands::View(arguments) => view::run(&arguments).map(|()| SUCCESS),
        Subcommands::Report(arguments) => view::report(&arguments).map(|()| SUCCESS),
        Subcommands::Completions(arguments) => completions::run(&arguments, command()).map(|()| SUCCESS),
        Subcommands::Man(arguments) => man::run(&arguments, command()).map(|()| SUCCESS),
    };
    result.unwrap_or_else(|error| {
        // The work is done, and nobody reads the rest. Commands whose exit code is an answer handle this themselves.
        if is_closed_output(&error) {
            return SUCCESS;
        }
        eprint_line!("{} {}", Paint::stderr().red("error:"), printable_lines(&format!("{error:#}")));
        if is_diff {
            diff::FAILED
        } else if error.is::<WrongArgument>() {
            WRONG_COMMAND_LINE
        } else {
            FAILURE
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_a_task() {
        let mut grouped: Vec<&str> = TASKS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = command();
        let mut all: Vec<&str> = command.get_subcommands().map(Command::get_name).chain(["help"]).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        all.dedup();
        assert_eq!(grouped, all);
    }

    #[test]
    fn every_command_has_an_example_that_it_accepts() {
        let command = command();
        for subcommand in command.get_subcommands().map(Command::get_name).filter(|name| *name != "help") {
            let example =
                EXAMPLES.iter().find(|(name, _)| *name == subcommand).unwrap_or_else(|| panic!("{subcommand}")).1;
            let words: Vec<&str> = example.split(' ').collect();
            assert_eq!(words[1], subcommand);
            if let Err(error) = command.clone().try_get_matches_from(words) {
                panic!("{example}: {error}");
            }
        }
    }

    #[test]
    fn short_help_of_a_command_that_bakes_on_the_way_is_short() {
        for name in ["duel", "draw", "view", "report", "export"] {
            let mut command = command();
            let command = command.find_subcommand_mut(name).unwrap();
            let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
            assert!(!short.contains("--bridge") && short.contains("--settings"), "{short}");
            assert!(long.contains("--bridge"), "{long}");
        }
    }
}
