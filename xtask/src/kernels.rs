//! Runs the tests for a change of the run time's kernels.

use anyhow::Context as _;
use std::time::{SystemTime, UNIX_EPOCH};
use xshell::{Shell, cmd};

/// The line of the test `the_best_kernel_is_the_last_that_is_there`.
const FOUND: &str = "kernels here: ";

/// `cargo xtask kernels`: tests all kernels of this processor, and prints which kernels these are. `--write` first
/// writes the golden sums anew.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let write = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--write"] => true,
        _ => anyhow::bail!("kernels takes no argument or --write, but got {arguments:?}"),
    };
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let kernels = available(&shell)?;
    let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs().to_string();

    println!("\nkernels: each kernel against the plain form");
    cmd!(shell, "cargo test -p bonebox-runtime --lib kernels::").run()?;
    println!("\nkernels: the same with other random cases (PROPTEST_RNG_SEED={seed})");
    cmd!(shell, "cargo test -p bonebox-runtime --lib kernels::").env("PROPTEST_RNG_SEED", &seed).run()?;
    println!("\nkernels: sampling against the exact curves, and the same with other random cases");
    cmd!(shell, "cargo test -p bonebox-runtime --test all sampling::").run()?;
    cmd!(shell, "cargo test -p bonebox-runtime --test all sampling::").env("PROPTEST_RNG_SEED", &seed).run()?;
    println!("\nkernels: boxes for any pose against the skin");
    cmd!(shell, "cargo test -p corpus-agreement --test all any_pose::").run()?;
    println!("\nkernels: duels of the project's characters");
    let update = if write { "always" } else { "no" };
    cmd!(shell, "cargo test -p bonebox-cli --test all same_bytes::duels").env("INSTA_UPDATE", update).run()?;
    let golden = || {
        let tests = ["--test", "golden", "--test", "golden_exact"];
        cmd!(shell, "cargo test --release -p bonebox-runtime --features rayon {tests...} -- --test-threads 1")
    };
    if write {
        println!("\nkernels: writing the golden sums anew");
        golden().env("BONEBOX_GOLDEN", "write").run()?;
    }
    println!("\nkernels: all golden ticks with each kernel");
    golden().env("BONEBOX_GOLDEN", "all").run()?;

    println!("\nkernels: tested on this processor: {kernels}");
    println!(
        "kernels: not part of this command: `cargo xtask aarch64` (NEON), `cargo xtask memcheck` (unsafe code), and the speed"
    );
    Ok(())
}

/// The kernels of this processor, as the test prints them.
fn available(shell: &Shell) -> anyhow::Result<String> {
    let test = "the_best_kernel_is_the_last_that_is_there";
    let printed = cmd!(shell, "cargo test -p bonebox-runtime --lib {test} -- --nocapture").read()?;
    let line = printed.lines().find_map(|line| line.split_once(FOUND));
    let (_, kernels) = line.with_context(|| format!("the test {test} printed no line with {FOUND:?}"))?;
    Ok(kernels.trim_matches(['[', ']']).to_owned())
}
