//! Programs of the workspace that write checked-in files.

use xshell::{Shell, cmd};

/// `cargo xtask codegen [--check]`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    run_program("schema-codegen", arguments)
}

/// `cargo xtask golden [--check]`.
pub(crate) fn golden(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(shell, "cargo run --quiet --package baked-format --example golden -- {arguments...}").quiet().run()?)
}

/// `cargo xtask accuracy [NAME…]`.
pub(crate) fn accuracy(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(shell, "cargo run --quiet --release --package corpus-agreement --example accuracy -- {arguments...}")
        .quiet()
        .run()?)
}

/// Runs the program of that package with these arguments.
pub(crate) fn run_program(package: &str, arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(shell, "cargo run --quiet --package {package} -- {arguments...}").quiet().run()?)
}
