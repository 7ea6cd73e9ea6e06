//! The arguments that say how boxes are made: a settings file, and one argument for each bake option.

use asset_bake::{RequestedSettings, SettingsFileChoice};
use bone_fit::BakeOptions;
use clap::{Arg, ArgMatches, Args, Command};
use std::path::PathBuf;

/// `--settings`, `--no-settings`, and an argument for each option in [`BakeOptions::HELP`].
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingsArguments {
    pub(crate) requested: RequestedSettings,
}

impl clap::FromArgMatches for SettingsArguments {
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
        self.requested.options = given.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        self.requested.file = match matches.get_one::<PathBuf>("settings") {
            Some(file) => SettingsFileChoice::Path(file.clone()),
            None if matches.get_flag("no_settings") => SettingsFileChoice::None,
            None => SettingsFileChoice::Nearest,
        };
        Ok(())
    }
}

impl Args for SettingsArguments {
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
