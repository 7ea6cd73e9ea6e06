//! The arguments of bake settings: a settings file, and one argument for each bake option.

use asset_bake::{RequestedSettings, SettingsFileChoice};
use bone_fit::{BakeOption, BakeOptions, OptionKeyword, OptionKind};
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command};
use std::ffi::OsStr;
use std::path::PathBuf;

/// `--settings`, `--no-settings`, and an argument for each row of [`BakeOption::ALL`].
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingsArguments {
    pub(crate) requested: RequestedSettings,
}

impl SettingsArguments {
    /// The requested settings. For exact answers, the lossless skin is added, unless the command line sets `--skin`.
    pub(crate) fn requested_with_skin(&self, is_exact: bool) -> anyhow::Result<RequestedSettings> {
        let with_skin = || Ok(self.requested.with_unless_set("skin", "lossless")?);
        if is_exact { with_skin() } else { Ok(self.requested.clone()) }
    }
}

impl clap::FromArgMatches for SettingsArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut arguments = Self::default();
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let given = BakeOption::ALL.iter().filter_map(|row| {
            let value = matches.get_one::<String>(row.key)?;
            Some((row.key, value.as_str()))
        });
        let refused = |error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error}\n"));
        BakeOptions::from_entries(given.clone()).map_err(refused)?;
        self.requested.options = given.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        self.requested.file = match matches.get_one::<PathBuf>("settings") {
            Some(file) => SettingsFileChoice::Path(file.clone()),
            None if matches.get_flag("no_settings") => SettingsFileChoice::None,
            None => SettingsFileChoice::Nearest,
        };
        Ok(())
    }
}

/// The argument of one option. Its help contains the range and the default, and shells complete its words.
fn argument(row: &'static BakeOption) -> Arg {
    let argument = Arg::new(row.key).long(row.key.replace('_', "-")).alias(row.key);
    let (argument, values) = match row.kind {
        OptionKind::Keywords(words) => (argument.value_parser(KeywordParser(words)).value_name("WORD"), String::new()),
        OptionKind::KeywordsOrWhole(words, range) => {
            let number = OptionKind::Whole(range).values();
            (argument.value_parser(KeywordParser(words)).value_name("WORD|NUMBER"), format!(" [{number}]"))
        }
        OptionKind::Number(_) | OptionKind::Whole(_) => {
            (argument.value_name("NUMBER"), format!(" [{}]", row.kind.values()))
        }
        OptionKind::Patterns => (argument.value_name("PATTERNS"), format!(" [{}]", row.kind.values())),
    };
    argument.help(format!("{}{values} [default: {}]", row.help(), row.default_text()))
}

/// Lists an option's words for the help and for shells. It accepts any text, because [`BakeOptions::from_entries`]
/// refuses unknown words with the same message as in `bonebox.toml`, which suggests the nearest word.
#[derive(Clone)]
struct KeywordParser(&'static [OptionKeyword]);

impl TypedValueParser for KeywordParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, text: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, text)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(|one| PossibleValue::new(one.keyword).help(one.help()))))
    }
}

impl Args for SettingsArguments {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("settings").long("settings").value_name("FILE").value_parser(clap::value_parser!(PathBuf));
        let none = Arg::new("no_settings").long("no-settings").action(clap::ArgAction::SetTrue);
        // The short help of the command `bake` lists all options. The short help of other commands does not, because
        // baking is not their main task.
        let is_bake = command.get_name() == "bake";
        let heading = if is_bake { "Bake options" } else { "Bake options, for assets (`--help` lists all of them)" };
        let command = command
            .next_help_heading(heading)
            .arg(
                file.help("Settings file [default: every bonebox.toml in the asset's folder and its parent folders; a nearer one overrides]"),
            )
            .arg(none.conflicts_with("settings").help("Ignore settings files"));
        BakeOption::ALL.iter().fold(command, |command, row| command.arg(argument(row).hide_short_help(!is_bake)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
