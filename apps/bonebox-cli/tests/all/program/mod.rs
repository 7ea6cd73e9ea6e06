//! The program, started as its users start it.

use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn bonebox(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.current_dir(folder).args(arguments).env("COLUMNS", "100").output().expect("bonebox starts")
}

/// Exit code, standard output and standard error, for a snapshot.
pub(crate) fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().unwrap_or(-1);
    let stdout = without_times(&text(&output.stdout));
    format!("exit code {code}\n--- stdout\n{stdout}--- stderr\n{}", text(&output.stderr))
}

/// The text with the column of times, which differ from run to run, taken from its tables.
pub(crate) fn without_times(text: &str) -> String {
    let without = |line: &str| {
        let is_time = |cell: &str| cell == "time" || cell.parse::<f64>().is_ok() && cell.contains('.');
        let (rest, unit) = line.strip_suffix(" s").map_or((line, ""), |rest| (rest, " s"));
        let cut = rest.rfind("  ").map(|at| rest.split_at(at));
        match cut {
            Some((before, cell)) if is_time(cell.trim()) && (cell.trim() == "time") == unit.is_empty() => {
                before.trim_end().to_owned()
            }
            _ => line.to_owned(),
        }
    };
    text.split('\n').map(without).collect::<Vec<_>>().join("\n")
}
