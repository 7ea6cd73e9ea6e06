//! Compares the benches of another commit with those of the working tree, committed or not, by running both programs in turns.

use super::results::{Case, Results, Run};
use super::{Bench, RAPIER};
use anyhow::Context as _;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The programs run so many times each. The least time of all runs counts.
const ROUNDS: usize = 5;

/// `cargo xtask bench NAME… --against=COMMIT`.
pub(crate) fn run(shell: &Shell, benches: &[Bench], commit: &str) -> anyhow::Result<()> {
    let (checkout, folder) = checkout(shell, commit)?;
    let commit = &checkout.commit;
    for bench in benches.iter().filter(|bench| bench.name != RAPIER) {
        println!("== {}: building both", bench.name);
        let now = program(shell, bench, crate::root(), &crate::root().join("target"))?;
        // Each build has its own target folder, so that neither replaces the other.
        let before = program(shell, bench, &checkout.folder, &folder.join("target"))
            .with_context(|| format!("the bench {:?} at commit {commit}", bench.name))?;
        let mut times = [Times::default(), Times::default()];
        for round in 1..=ROUNDS {
            println!("== {}: round {round} of {ROUNDS}", bench.name);
            for (times, program) in times.iter_mut().zip([&before, &now]) {
                times.take(shell, bench, program, &folder)?;
            }
            anyhow::ensure!(
                !times[1].order.is_empty(),
                "the bench {:?} reports no times that can be compared; run it by hand at both commits",
                bench.name
            );
        }
        print!("{}", table(&times, commit));
    }
    Ok(())
}

/// Checks out a commit, and returns the checkout and the folder for what is built from it.
pub(super) fn checkout<'s>(shell: &'s Shell, commit: &str) -> anyhow::Result<(Checkout<'s>, PathBuf)> {
    let wanted = format!("{commit}^{{commit}}");
    let commit = cmd!(shell, "git rev-parse --verify --quiet {wanted}").quiet().read();
    let commit = commit.context("--against needs a commit that `git rev-parse` knows, for example --against=main")?;
    let folder = crate::root().join("target/bench/against");
    shell.create_dir(&folder)?;
    let checkout = Checkout { shell, folder: folder.join("checkout"), commit };
    // A run that was interrupted leaves its checkout behind.
    checkout.remove();
    let (path, commit) = (&checkout.folder, &checkout.commit);
    cmd!(shell, "git worktree add --detach --quiet {path} {commit}").run()?;
    Ok((checkout, folder))
}

/// A checkout of another commit, which is removed when this is dropped.
pub(super) struct Checkout<'s> {
    shell: &'s Shell,
    folder: PathBuf,
    commit: String,
}

impl Checkout<'_> {
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn remove(&self) {
        let (shell, folder) = (self.shell, &self.folder);
        if folder.exists() {
            let _ = cmd!(shell, "git worktree remove --force {folder}").quiet().ignore_status().run();
        }
        let _ = cmd!(shell, "git worktree prune").quiet().ignore_status().run();
    }
}

impl Drop for Checkout<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Builds a bench of the workspace in `root`, and returns the path of its program.
pub(super) fn program(shell: &Shell, bench: &Bench, root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let Bench { name, package, features } = bench;
    let manifest = root.join("Cargo.toml");
    let features = features.iter().flat_map(|feature| ["--features", feature]);
    let build = cmd!(
        shell,
        "cargo bench --manifest-path {manifest} --target-dir {target} --package {package} {features...} --bench {name} --no-run
         --message-format json"
    );
    let messages = build.quiet().read().with_context(|| format!("building the bench {name:?}"))?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut programs = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    programs.next().with_context(|| format!("cargo built no bench {name:?}"))
}

/// The least time of each run of each case, over all rounds.
#[derive(Default)]
struct Times {
    least: BTreeMap<(String, String), f64>,
    /// The cases and runs in the order in which they ran first.
    order: Vec<(String, String, bool)>,
}

impl Times {
    /// Runs the program once.
    fn take(&mut self, shell: &Shell, bench: &Bench, program: &Path, folder: &Path) -> anyhow::Result<()> {
        let (lines, of_criterion) = (folder.join("turns.jsonl"), folder.join("criterion"));
        shell.remove_path(&lines)?;
        shell.remove_path(&of_criterion)?;
        let run = cmd!(shell, "{program} --bench --quick").quiet().ignore_stdout();
        run.env("BONEBOX_BENCH_LINES", &lines)
            .env("CRITERION_HOME", &of_criterion)
            .env("BONEBOX_BENCH_QUICK", "1")
            .run()
            .with_context(|| format!("bench {}", bench.name))?;
        let mut results = Results::default();
        results.take_lines(shell, &lines)?;
        results.take_criterion(&bench.name, &of_criterion)?;
        for Case { name: case, runs, .. } in results.cases {
            for Run { name, is_peer, least, .. } in runs {
                let key = (case.clone(), name.clone());
                let known = self.least.entry(key).or_insert_with(|| {
                    self.order.push((case.clone(), name, is_peer));
                    f64::INFINITY
                });
                *known = known.min(least);
            }
        }
        Ok(())
    }
}

/// A row for each run that both programs have, and a sentence about the others.
fn table([before, now]: &[Times; 2], commit: &str) -> String {
    let short = commit.get(..7).unwrap_or(commit);
    let mut text = format!("\n| case | run | {short}, ns | now, ns | {short} / now |\n|---|---|---|---|---|\n");
    let mut noise = None::<f64>;
    let mut alone = Vec::new();
    for (case, run, is_peer) in &now.order {
        let key = (case.clone(), run.clone());
        let (Some(before), Some(now)) = (before.least.get(&key), now.least.get(&key)) else {
            alone.push(format!("{case}: {run} (only now)"));
            continue;
        };
        let ratio = before / now;
        if *is_peer {
            noise = Some(noise.unwrap_or(1.0).max(ratio).max(1.0 / ratio));
        }
        let peer = if *is_peer { ", same code in both" } else { "" };
        text += &format!("| {case} | {run}{peer} | {before:.1} | {now:.1} | {ratio:.2} |\n");
    }
    alone.extend(
        before
            .order
            .iter()
            .filter(|(case, run, _)| !now.least.contains_key(&(case.clone(), run.clone())))
            .map(|(case, run, _)| format!("{case}: {run} (only at {short})")),
    );
    text += &format!("\nTimes are the least of {ROUNDS} runs of each program, in turns. ");
    text += &match noise {
        Some(noise) => format!(
            "Other libraries are the same in both programs; their times differ by up to {:.0} %, so a smaller difference \
             of ours says nothing.\n",
            100.0 * (noise - 1.0)
        ),
        None => "No other library ran that could show how far times of the same code differ here.\n".to_owned(),
    };
    if !alone.is_empty() {
        text += &format!("Not compared, because only one program has it: {}.\n", alone.join("; "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(runs: &[(&str, &str, bool, f64)]) -> Times {
        let mut times = Times::default();
        for &(case, run, is_peer, least) in runs {
            times.order.push((case.into(), run.into(), is_peer));
            times.least.insert((case.into(), run.into()), least);
        }
        times
    }

    #[test]
    fn the_table_has_ratios_the_noise_and_what_only_one_program_has() {
        let before =
            times(&[("half", "parry3d", true, 110.0), ("half", "Avx2", false, 6.0), ("half", "Old", false, 1.0)]);
        let now = times(&[("half", "parry3d", true, 100.0), ("half", "Avx2", false, 3.0), ("half", "New", false, 1.0)]);
        let table = table(&[before, now], "0123456789");
        assert!(table.contains("| half | Avx2 | 6.0 | 3.0 | 2.00 |"), "{table}");
        assert!(table.contains("| half | parry3d, same code in both | 110.0 | 100.0 | 1.10 |"), "{table}");
        assert!(table.contains("differ by up to 10 %"), "{table}");
        assert!(table.contains("half: New (only now); half: Old (only at 0123456)"), "{table}");
    }
}
