//! Builds and runs the `bonebox` program.

use anyhow::Context as _;
use std::process::{Command, ExitCode};

/// Runs `bonebox COMMAND ARGUMENTS` in the caller's folder, after building the program if its sources changed.
///
/// Cargo's own progress stays visible: the first build of a fresh clone takes about a minute.
pub(crate) fn run(command: &str, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = crate::root().join("Cargo.toml");
    let status = Command::new(cargo)
        .args(["run", "--package", "bonebox-cli", "--bin", "bonebox", "--manifest-path"])
        .arg(manifest)
        .args(["--", command])
        .args(arguments)
        .status()
        .context("cargo does not start; install Rust from https://rustup.rs")?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}
