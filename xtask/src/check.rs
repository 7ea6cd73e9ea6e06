//! Runs all checks that must pass before a change lands. CI runs this command.

use std::time::Instant;
use xshell::{Shell, cmd};

/// `cargo xtask check [--skip-tests]`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let skip_tests = match arguments {
        [] => false,
        [flag] if flag == "--skip-tests" => true,
        other => anyhow::bail!("check takes no argument or --skip-tests, but got {other:?}"),
    };
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    // People review snapshots, so a check never writes them.
    shell.set_var("INSTA_UPDATE", "no");

    step("fmt", || Ok(cmd!(shell, "cargo fmt --all --check").run()?))?;
    step("tidy", crate::tidy::run)?;
    if !skip_tests {
        step("test", || Ok(cmd!(shell, "cargo test --workspace").run()?))?;
    }
    step("test ignored", || crate::ignored::run(&[]))?;
    // The tests of the workspace have all features (checks/guides asks for them). A game has the default ones.
    step("test default features", || Ok(cmd!(shell, "cargo test --package bonebox-runtime --test golden").run()?))?;
    step("no_std", || {
        Ok(cmd!(shell, "cargo check --package bonebox-geometry-core --no-default-features --features libm").run()?)
    })?;
    step("clippy", || Ok(cmd!(shell, "cargo clippy --workspace --all-targets -- --deny warnings").run()?))?;
    step("clippy default features", || {
        Ok(cmd!(shell, "cargo clippy -p bonebox-geometry-core -p bonebox-runtime -p bonebox -- --deny warnings")
            .run()?)
    })?;
    step("doc", || {
        let _warnings = shell.push_env("RUSTDOCFLAGS", "--deny warnings");
        Ok(cmd!(shell, "cargo doc --workspace --no-deps").run()?)
    })?;
    step("codegen", crate::codegen::test)?;
    step("author", crate::codegen::test_author)?;
    step("package", crate::package::run)?;
    step("bake", || Ok(cmd!(shell, "cargo run --package bonebox-cli -- bake assets --check").run()?))?;
    println!("not checked here: the public items of the crates; run `cargo xtask api`");
    Ok(())
}

fn step(name: &str, run: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("== {name}");
    let start = Instant::now();
    run().map_err(|error| error.context(format!("check {name:?} failed")))?;
    println!("== {name}: ok, {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}
