//! Builds and runs the `bonebox` program.

use anyhow::Context as _;
use std::path::Path;
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

/// Runs the program in a folder and returns its standard output.
pub(crate) fn output(folder: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let manifest = crate::root().join("Cargo.toml");
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--package", "bonebox-cli", "--bin", "bonebox", "--manifest-path"])
        .arg(manifest)
        .arg("--")
        .args(arguments)
        .current_dir(folder)
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "bonebox {} failed: {errors}", arguments.join(" "));
    Ok(String::from_utf8(output.stdout)?)
}
