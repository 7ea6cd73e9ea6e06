//! Coverage-guided fuzzing of all readers of untrusted bytes.

use anyhow::Context as _;
use std::path::Path;
use xshell::{Shell, cmd};

/// The programs in fuzz/targets.
const TARGETS: [&str; 9] = ["gltf", "fbx", "baked_file", "baked_payload", "hull", "obb_pair", "settings", "bvh", "vmc"];

/// Longer inputs find few new errors and slow the search down.
const MOST_BYTES: u64 = 1 << 18;

/// The memory that every reader promises for an input of [`MOST_BYTES`], in MiB: 64 MiB plus 64 times the input.
const MOST_MEBIBYTES: u64 = 64 + ((64 * MOST_BYTES) >> 20);

/// `cargo xtask fuzz [TARGET…] [--seconds N]`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let (targets, seconds) = parse(arguments)?;
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let has_nightly = cmd!(shell, "cargo +nightly --version").quiet().ignore_stderr().read().is_ok();
    anyhow::ensure!(
        has_nightly,
        "fuzzing needs a nightly toolchain for -Zsanitizer=address; install it with `rustup toolchain install nightly`.\n\
         `cargo test -p corpus-agreement --test all fuzz_seeds` runs the same fuzz targets over the seeds without that toolchain"
    );
    let has_cargo_fuzz = cmd!(shell, "cargo fuzz --version").quiet().ignore_stderr().read().is_ok();
    anyhow::ensure!(has_cargo_fuzz, "fuzzing needs cargo-fuzz; install it with `cargo install --locked cargo-fuzz`");
    // The reader of FBX files is C. With clang, its code is checked and counted as Rust's is.
    if cmd!(shell, "clang --version").quiet().ignore_stdout().ignore_stderr().run().is_ok() {
        shell.set_var("CC", "clang");
        shell.set_var("CFLAGS", "-fsanitize=address -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp");
    } else if targets.contains(&"fbx") {
        println!("SKIPPED: the coverage of C code, because clang is not installed; fbx is fuzzed without it");
    }
    for target in targets {
        println!("== fuzz {target}, {seconds} s");
        fuzz(&shell, target, seconds).with_context(|| {
            format!(
                "fuzz {target} found an error; the input is in fuzz/artifacts/{target}. Add a test with it to the crate"
            )
        })?;
    }
    Ok(())
}

/// New inputs go to fuzz/corpus, which is not checked in. The seeds are not changed.
fn fuzz(shell: &Shell, target: &str, seconds: u64) -> anyhow::Result<()> {
    let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
    shell.create_dir(Path::new(&corpus))?;
    // One second of a native build takes about five under AddressSanitizer and coverage counters.
    let limits = [
        format!("-max_total_time={seconds}"),
        format!("-max_len={MOST_BYTES}"),
        format!("-malloc_limit_mb={MOST_MEBIBYTES}"),
        "-timeout=5".into(),
        "-print_final_stats=1".into(),
    ];
    Ok(cmd!(shell, "cargo +nightly fuzz run {target} {corpus} {seeds} -- {limits...}").run()?)
}

fn parse(arguments: &[String]) -> anyhow::Result<(Vec<&str>, u64)> {
    let (mut targets, mut seconds) = (Vec::new(), 60);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--seconds" {
            let number = arguments.next().context("--seconds needs a number")?;
            seconds = number.parse().with_context(|| format!("--seconds {number} is not a whole number"))?;
            anyhow::ensure!(seconds > 0, "--seconds 0 would fuzz without end; give at least 1");
        } else if TARGETS.contains(&argument.as_str()) {
            targets.push(argument.as_str());
        } else {
            anyhow::bail!("there is no fuzz target {argument:?}; the targets are {}", TARGETS.join(", "));
        }
    }
    if targets.is_empty() {
        targets.extend(TARGETS);
    }
    Ok((targets, seconds))
}
