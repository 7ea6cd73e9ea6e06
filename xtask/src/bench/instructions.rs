//! Counts instructions with callgrind and compares them with a table, or with the counts of another commit. Other programs
//! on the machine do not change these counts.

use super::{Bench, COUNTED, against};
use anyhow::Context as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use xshell::{Shell, cmd};

const TABLE: &str = "docs/benchmarks/instructions.tsv";

/// A larger growth fails. Processors differ slightly in the code that their C library chooses.
const MOST_GROWTH: f64 = 0.02;

/// Packages whose benches announce the work to count; see the crate paired-timing.
const PACKAGES: [&str; 2] = ["bonebox-runtime", "bonebox-hull"];

/// `cargo xtask bench --instructions [--accept]`.
pub(crate) fn run(shell: &Shell, accept: bool) -> anyhow::Result<()> {
    let valgrind = valgrind(shell)?;
    let rustc = cmd!(shell, "rustc --version").quiet().read()?;
    let counts = count_all(shell, crate::root(), &crate::root().join("target"))?;
    let made_with = format!("# {rustc}, {valgrind}; cargo xtask bench --instructions --accept");
    let known = fs::read_to_string(crate::root().join(TABLE)).unwrap_or_default();
    let same_compiler = known.lines().next() == Some(&*made_with);
    let before = parse(&known);
    let grown = print(&counts, &before, "in the table");
    if accept {
        let mut text = format!("{made_with}\n");
        for (name, count) in &counts {
            let _ = writeln!(text, "{name}\t{count}");
        }
        fs::write(crate::root().join(TABLE), text)?;
        println!("written: {TABLE}");
        return Ok(());
    }
    anyhow::ensure!(
        same_compiler,
        "{TABLE} was made with other tools, so the changes above mean nothing: {}. Compare with the commit before yours: \
         cargo xtask bench --instructions --against=HEAD~1",
        known.lines().next().unwrap_or("it has no first line")
    );
    anyhow::ensure!(
        grown.is_empty(),
        "more than {} % above {TABLE}: {}. If this growth is intended, run the command with --accept",
        100.0 * MOST_GROWTH,
        grown.join(", ")
    );
    Ok(())
}

/// `cargo xtask bench --instructions --against=COMMIT`: prints the counts of the working tree beside those of the commit,
/// both with the tools of this machine.
pub(crate) fn against(shell: &Shell, commit: &str) -> anyhow::Result<()> {
    valgrind(shell)?;
    let (checkout, folder) = against::checkout(shell, commit)?;
    let before = count_all(shell, checkout.folder(), &folder.join("target"))?;
    let counts = count_all(shell, crate::root(), &crate::root().join("target"))?;
    let known: BTreeMap<&str, u64> = before.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    print(&counts, &known, commit);
    for (name, _) in before.iter().filter(|(name, _)| counts.iter().all(|(now, _)| now != name)) {
        println!("Not compared, because only {commit} has it: {name}");
    }
    Ok(())
}

fn valgrind(shell: &Shell) -> anyhow::Result<String> {
    let version = cmd!(shell, "valgrind --version").quiet().ignore_stderr().read();
    version.context("counting needs valgrind; install it with `apt-get install valgrind`")
}

fn parse(table: &str) -> BTreeMap<&str, u64> {
    let rows = table.lines().filter_map(|line| line.split_once('\t'));
    rows.filter_map(|(name, count)| Some((name, count.parse().ok()?))).collect()
}

/// Prints the counts beside those `before`, whose column has the title `from`, and returns the names of those that grew too
/// much.
fn print(counts: &[(String, u64)], before: &BTreeMap<&str, u64>, from: &str) -> Vec<String> {
    println!("\n| counted | instructions | {from} | change |\n|---|---|---|---|");
    let mut grown = Vec::new();
    for (name, count) in counts {
        let known = before.get(name.as_str());
        let change = known.map(|&known| *count as f64 / known as f64 - 1.0);
        let cell = known.map_or_else(|| "new".to_owned(), u64::to_string);
        let percent = change.map(|change| format!("{:+.2} %", 100.0 * change)).unwrap_or_default();
        println!("| {name} | {count} | {cell} | {percent} |");
        if change.is_some_and(|change| change > MOST_GROWTH) {
            grown.push(format!("{name} ({percent})"));
        }
    }
    grown
}

/// The counts of all packages in the workspace at `root`, built into `target`.
fn count_all(shell: &Shell, root: &Path, target: &Path) -> anyhow::Result<Vec<(String, u64)>> {
    let mut counts = Vec::new();
    for package in PACKAGES {
        let bench = Bench { name: COUNTED.into(), package: package.into(), features: Vec::new() };
        let program = against::program(shell, &bench, root, target)?;
        counts.extend(count(shell, package, &program)?);
    }
    Ok(counts)
}

fn count(shell: &Shell, package: &str, program: &Path) -> anyhow::Result<Vec<(String, u64)>> {
    let folder = crate::root().join("target/bench/callgrind").join(package);
    shell.remove_path(&folder)?;
    shell.create_dir(&folder)?;
    let file = folder.join("out");
    let file = format!("--callgrind-out-file={}", file.display());
    // callgrind treats two options with the same pattern as one, so the second option has the whole name.
    let name = "paired_timing::instructions_counted_here";
    let options = [
        "--tool=callgrind".to_owned(),
        file,
        "--collect-atstart=no".into(),
        format!("--toggle-collect=*{name}*"),
        format!("--dump-after={name}"),
    ];
    let printed = cmd!(shell, "valgrind {options...} {program}").ignore_stderr().read()?;
    let names: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("counted: ")).collect();
    let dumps = (1..=names.len()).map(|dump| folder.join(format!("out.{dump}")));
    let counted = dumps.map(|dump| {
        let text = fs::read_to_string(&dump).with_context(|| dump.display().to_string())?;
        let totals = text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
        let number = totals.and_then(|totals| totals.trim().parse().ok());
        number.with_context(|| format!("{}: no totals", dump.display()))
    });
    names.iter().zip(counted).map(|(&name, count)| Ok((name.to_owned(), count?))).collect()
}
