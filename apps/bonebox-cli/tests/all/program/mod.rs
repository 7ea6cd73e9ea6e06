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
    format!("exit code {code}\n--- stdout\n{}--- stderr\n{}", text(&output.stdout), text(&output.stderr))
}
