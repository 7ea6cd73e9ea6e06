//! Runs AddressSanitizer, valgrind and Miri on the crates with unsafe code, if the tools are installed.

use anyhow::Context as _;
use serde_json::Value;
use xshell::{Shell, cmd};

/// AddressSanitizer is part of the standard library's build for this target.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The crates with unsafe code: SIMD kernels, and the accessors that planus generates.
const CRATES: [&str; 4] = ["-p", "bonebox-runtime", "-p", "bonebox-baked-format"];

/// `cargo xtask memcheck`: runs the installed tools, and prints which tools were left out.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    anyhow::ensure!(arguments.is_empty(), "memcheck takes no arguments, but got {arguments:?}");
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let done =
        [("AddressSanitizer", address_sanitizer(&shell)?), ("valgrind", valgrind(&shell)?), ("Miri", miri(&shell)?)];
    println!();
    for (tool, missing) in &done {
        println!("memcheck: {tool}: {}", missing.unwrap_or("no error"));
    }
    anyhow::ensure!(done.iter().any(|(_, missing)| missing.is_none()), "no tool is installed, so nothing was checked");
    Ok(())
}

type Missing = Option<&'static str>;

fn works(shell: &Shell, program: &str, words: &[&str]) -> bool {
    cmd!(shell, "{program} {words...}").quiet().ignore_stderr().ignore_stdout().run().is_ok()
}

fn address_sanitizer(shell: &Shell) -> anyhow::Result<Missing> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Ok(Some("skipped: only for x86-64 Linux"));
    }
    if !works(shell, "cargo", &["+nightly", "--version"]) {
        return Ok(Some("skipped: needs a nightly toolchain (rustup toolchain install nightly)"));
    }
    // A separate target folder, because other flags would invalidate the usual build.
    let _folder = shell.push_env("CARGO_TARGET_DIR", crate::root().join("target/memcheck"));
    let _flags = shell.push_env("RUSTFLAGS", "-Zsanitizer=address");
    cmd!(shell, "cargo +nightly test --target {TARGET} {CRATES...} --lib --tests").run().context("AddressSanitizer")?;
    Ok(None)
}

/// Runs the kernels' own tests. valgrind has no AVX-512, so only the kernels of its emulated processor are tested.
fn valgrind(shell: &Shell) -> anyhow::Result<Missing> {
    if !works(shell, "valgrind", &["--version"]) {
        return Ok(Some("skipped: not installed (apt-get install valgrind)"));
    }
    let messages = cmd!(shell, "cargo test --package bonebox-runtime --lib --no-run --message-format json")
        .quiet()
        .ignore_stderr()
        .read()?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| message["executable"].as_str().map(str::to_owned));
    let program = programs.next().context("cargo built no test program of runtime")?;
    let options = ["--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite"];
    cmd!(shell, "valgrind {options...} {program} --test-threads 1 kernels::").run().context("valgrind")?;
    Ok(None)
}

/// Miri has no vector instructions beyond SSE2, and tests of whole characters would take hours.
fn miri(shell: &Shell) -> anyhow::Result<Missing> {
    if !works(shell, "cargo", &["+nightly", "miri", "--version"]) {
        return Ok(Some("skipped: not installed (rustup +nightly component add miri)"));
    }
    // Property tests read the cases that failed before, which Miri allows only without isolation. A case takes seconds.
    let _flags = shell.push_env("MIRIFLAGS", "-Zmiri-disable-isolation");
    let _cases = shell.push_env("PROPTEST_CASES", "4");
    cmd!(shell, "cargo +nightly miri test --package bonebox-baked-format --package allocation-counter --lib")
        .run()
        .context("Miri")?;
    let of_kernels = ["full_batches_keep_the_order_and_stop_when_told", "boxes_of_no_size_meet_where_they_are"]
        .map(|test| format!("kernels::tests::{test}"));
    cmd!(shell, "cargo +nightly miri test --package bonebox-runtime --lib -- --exact {of_kernels...}")
        .run()
        .context("Miri")?;
    Ok(None)
}
