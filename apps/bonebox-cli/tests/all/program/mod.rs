//! Runs the program as its users do.

use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn bonebox(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bonebox"));
    command.current_dir(folder).args(arguments).env("COLUMNS", "100").output().expect("bonebox starts")
}

/// The exit code, standard output and standard error, for a snapshot.
pub(crate) fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| as_on_unix(&String::from_utf8_lossy(bytes));
    let code = output.status.code().unwrap_or(-1);
    let stdout = without_times(&text(&output.stdout));
    format!("exit code {code}\n--- stdout\n{stdout}--- stderr\n{}", text(&output.stderr))
}

/// The text with slashes in relative paths, and with Unix' words for a missing file, so that snapshots hold on Windows.
pub(crate) fn as_on_unix(text: &str) -> String {
    const MISSING: &str = " (os error 2)";
    if cfg!(not(windows)) {
        return text.to_owned();
    }
    let line = |line: &str| match line.strip_suffix(MISSING).and_then(|line| line.rsplit_once(": ")) {
        Some((before, _)) => format!("{before}: No such file or directory{MISSING}"),
        None => line.to_owned(),
    };
    // In JSON, a backslash is two.
    text.replace(r".\\", "./").replace(r".\", "./").split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Removes the column of times from the tables of a text, because the times differ from run to run.
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
