//! `bonebox store`: counts, checks and removes the entries of a store.

use crate::commands::table::plural;
use crate::exit_code::{FAILURE, SUCCESS};
use crate::store_address::StoreAddress;
use asset_bake::{StoreContent, printable_path};
use std::io::Write as _;
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: StoreCommand,
}

#[derive(clap::Subcommand, Debug)]
enum StoreCommand {
    /// Print the number and the size of the entries
    Stats {
        /// Folder of the store, or s3://BUCKET/PREFIX
        #[arg(value_name = "STORE", env = "BONEBOX_STORE", hide_env_values = true)]
        at: StoreAddress,
    },
    /// Read every entry and remove damaged ones; the exit code is 1 if there were any
    Verify {
        /// Folder of the store, or s3://BUCKET/PREFIX
        #[arg(value_name = "STORE", env = "BONEBOX_STORE", hide_env_values = true)]
        at: StoreAddress,
    },
    /// Remove the entries that no bake has used for a time
    Prune {
        /// Folder of the store, or s3://BUCKET/PREFIX
        #[arg(value_name = "STORE", env = "BONEBOX_STORE", hide_env_values = true)]
        at: StoreAddress,
        /// The time since the last use: a number with s, m, h or d (seconds, minutes, hours, days), such as 30d
        #[arg(long, value_name = "TIME", value_parser = time)]
        older_than: Duration,
    },
}

/// Carries out the command.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<u8> {
    let mut out = std::io::stdout().lock();
    match &arguments.command {
        StoreCommand::Stats { at } => writeln!(out, "{}", shown(at.open()?.content()?))?,
        StoreCommand::Verify { at } => {
            let store = at.open()?;
            let damaged = store.verify()?;
            for path in &damaged {
                writeln!(out, "removed {}: it was damaged", printable_path(path))?;
            }
            writeln!(out, "{}, all whole", shown(store.content()?))?;
            return Ok(if damaged.is_empty() { SUCCESS } else { FAILURE });
        }
        StoreCommand::Prune { at, older_than } => {
            let store = at.open()?;
            let removed = store.prune(*older_than)?;
            writeln!(out, "removed {}; {} left", shown(removed), shown(store.content()?))?;
        }
    }
    Ok(SUCCESS)
}

fn shown(content: StoreContent) -> String {
    format!("{} ({:.1} MB)", plural(content.entries, "entry", "entries"), content.bytes as f64 / 1e6)
}

/// Reads a time such as `30d`.
fn time(text: &str) -> Result<Duration, String> {
    let units = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let read = || {
        let unit = text.chars().last()?;
        let seconds = units.into_iter().find(|(letter, _)| *letter == unit)?.1;
        text[..text.len() - 1].parse::<u64>().ok()?.checked_mul(seconds)
    };
    let seconds = read().ok_or("expected a number with s, m, h or d, such as 30d")?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit() {
        assert_eq!(time("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(time("0s"), Ok(Duration::ZERO));
        for wrong in ["", "30", "d", "-1d", "1.5h", "1w", "99999999999999999d", "3ä"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
