//! Tests that aarch64 gives the same bytes and answers, with QEMU's emulator on other machines.

use anyhow::Context as _;
use std::path::Path;
use xshell::{Shell, cmd};

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";
/// The folder of aarch64 libraries in Debian.
const LIBRARIES: &str = "/usr/aarch64-linux-gnu";

/// All crates whose results are part of a file or an answer.
const CRATES: [&str; 16] = [
    "-p",
    "bonebox-geometry-core",
    "-p",
    "bonebox-hull",
    "-p",
    "bonebox-skeleton",
    "-p",
    "bonebox-skinned-model",
    "-p",
    "bonebox-baked-format",
    "-p",
    "bonebox-bone-fit",
    "-p",
    "bonebox-rewind",
    "-p",
    "bonebox-strikes",
];

/// `cargo xtask aarch64`: runs the tests that compare with checked-in results, and each crate's own tests.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(arguments.is_empty(), "aarch64 takes no arguments, but got {arguments:?}");
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    shell.set_var("INSTA_UPDATE", "no");
    emulate(&shell)?;
    // NEON code is compiled only for this target, so only this command lints it.
    cmd!(shell, "cargo clippy --target {TARGET} -p bonebox-runtime --all-targets -- --deny warnings").run()?;
    cmd!(shell, "cargo test --target {TARGET} -p bonebox-cli --test all same_bytes::").run()?;
    cmd!(shell, "cargo test --target {TARGET} -p bonebox-runtime --lib --tests").env("BONEBOX_GOLDEN", "all").run()?;
    // The coverage of real characters takes too long in an emulator.
    cmd!(shell, "cargo test --target {TARGET} {CRATES...} --lib --tests -- --skip coverage::").run()?;
    Ok(())
}

/// Sets the environment so that cargo, and tests that start programs, link and run for aarch64.
fn emulate(shell: &Shell) -> anyhow::Result<()> {
    if cfg!(all(target_arch = "aarch64", target_os = "linux")) {
        return Ok(());
    }
    for program in [LINKER, EMULATOR] {
        let is_there = cmd!(shell, "{program} --version").quiet().ignore_stdout().ignore_stderr().run().is_ok();
        anyhow::ensure!(
            is_there,
            "{program} is missing; install it with `apt-get install qemu-user gcc-aarch64-linux-gnu`"
        );
    }
    anyhow::ensure!(
        Path::new(LIBRARIES).join("lib/libc.so.6").exists(),
        "{LIBRARIES} has no aarch64 C library; install it with `apt-get install libc6-dev-arm64-cross`"
    );
    cmd!(shell, "rustup target add {TARGET}")
        .run()
        .context("cannot add the standard library for aarch64 with rustup")?;
    let emulator = format!("{EMULATOR} -L {LIBRARIES}");
    shell.set_var("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    shell.set_var("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", &emulator);
    shell.set_var("BONEBOX_EMULATOR", emulator);
    Ok(())
}
