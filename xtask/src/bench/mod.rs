//! Runs all benches, and prints a table of ratios and the aims of the project.

mod against;
mod aims;
mod instructions;
mod record;
mod results;

use anyhow::Context as _;
use serde_json::Value;
use std::path::PathBuf;
use xshell::{Shell, cmd};

/// A bench program of a crate.
struct Bench {
    name: String,
    package: String,
    features: Vec<String>,
}

/// The packages whose benches come first, because the aims are about them. The other packages follow.
const FIRST: [&str; 3] = ["bonebox-runtime", "bonebox-baked-format", "bonebox-hull"];

/// The programs for callgrind, which measure no times.
const COUNTED: &str = "instructions";

/// The bench of whole scenes in rapier3d. It takes minutes to build, so it is outside the workspace.
const RAPIER: &str = "rapier";

const HELP: &str = "\
cargo xtask bench [NAME…] [--quick] [--record=NAME] [--against=COMMIT]
cargo xtask bench --instructions [--accept | --against=COMMIT]

Runs benches and prints one table of ratios to other libraries, and the aims of the project beside the results. NAME is
a name from the list below, or the start of such a name. `rapier` has its own workspace and runs only if it is named.
Compare the ratios of the smallest times: they vary least if other programs run on the machine.

  --quick          Take a fifth of the time for each case; such a run shows a factor of two, but no difference of ten percent
  --record=NAME    Also write docs/benchmarks/NAME.md, which replaces the earlier record
  --against=COMMIT Compare with another commit: build the benches at both commits, and run both programs in turns, five times each
                   with the times of --quick. Print the least times of both, which vary less than one run. If the bench contains another library, also print
                   by how much times of the same code differ on this machine.
                   HEAD measures edits that are not committed, HEAD~1 the last commit, main a whole branch
  --instructions   Count instructions with callgrind instead, for machines that are too busy to measure times. Without --against,
                   the counts are compared with docs/benchmarks/instructions.tsv, and the command fails if a count grew by more
                   than 2 %, or if the file was made with another compiler or another valgrind
  --accept         With --instructions: write the counts to docs/benchmarks/instructions.tsv

One case of a bench: cargo bench -p bonebox-runtime --bench box_test -- half
";

/// `cargo xtask bench`.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let (mut names, mut quick, mut record, mut count, mut accept) = (Vec::new(), false, None, false, false);
    let mut against = None;
    for argument in arguments {
        match argument.as_str() {
            "--quick" => quick = true,
            "--instructions" | "--callgrind" => count = true,
            "--accept" => accept = true,
            "--help" | "-h" => {
                print!("{HELP}\n{}", names_of(&all(&shell)?));
                return Ok(());
            }
            word => match (word.strip_prefix("--record="), word.strip_prefix("--against=")) {
                (Some(name), _) => record = Some(name.to_owned()),
                (None, Some(commit)) => against = Some(commit),
                (None, None) => names.push(word),
            },
        }
    }
    if count {
        anyhow::ensure!(
            names.is_empty() && !quick && record.is_none() && !(accept && against.is_some()),
            "--instructions can only be combined with one of --accept and --against"
        );
        return match against {
            Some(commit) => instructions::against(&shell, commit),
            None => instructions::run(&shell, accept),
        };
    }
    anyhow::ensure!(!accept, "--accept needs --instructions");
    let chosen = chosen(all(&shell)?, &names)?;
    if let Some(commit) = against {
        anyhow::ensure!(!quick && record.is_none(), "--against can only be combined with names of benches");
        return against::run(&shell, &chosen, commit);
    }
    let before = record::Machine::now(&shell);
    let results = results_of(&shell, &chosen, quick)?;
    let ran: Vec<&str> = chosen.iter().map(|bench| bench.name.as_str()).collect();
    let aims = aims::table(&results, &ran)?;
    let command = ["cargo xtask bench"].into_iter().chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>();
    let text = record::text(&shell, &command.join(" "), &before, &results, &aims);
    println!("\n{text}");
    if let Some(name) = record {
        println!("written: {}", record::write(&name, &text)?);
    }
    Ok(())
}

/// Lists all benches that cargo knows, so that none is forgotten.
fn all(shell: &Shell) -> anyhow::Result<Vec<Bench>> {
    let metadata = cmd!(shell, "cargo metadata --no-deps --format-version 1").quiet().read()?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let list = |value: &Value| -> Vec<String> {
        let all = value.as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let mut benches = vec![Bench { name: RAPIER.into(), package: "rapier-benchmark".into(), features: Vec::new() }];
    for package in metadata["packages"].as_array().context("cargo metadata: packages")? {
        for target in package["targets"].as_array().context("cargo metadata: targets")? {
            let name = target["name"].as_str().unwrap_or_default();
            if list(&target["kind"]) == ["bench"] && name != COUNTED {
                benches.push(Bench {
                    name: name.into(),
                    package: package["name"].as_str().unwrap_or_default().into(),
                    features: list(&target["required-features"]),
                });
            }
        }
    }
    benches.sort_by_key(|bench| FIRST.iter().position(|package| *package == bench.package).unwrap_or(FIRST.len()));
    Ok(benches)
}

fn names_of(benches: &[Bench]) -> String {
    benches.iter().map(|bench| format!("  {:<16} of {}\n", bench.name, bench.package)).collect()
}

fn chosen(all: Vec<Bench>, names: &[&str]) -> anyhow::Result<Vec<Bench>> {
    for name in names {
        let known = all.iter().any(|bench| bench.name.starts_with(name));
        anyhow::ensure!(known, "there is no bench {name:?}; the benches are\n{}", names_of(&all));
    }
    let wanted = |bench: &Bench| match names {
        [] => bench.name != RAPIER,
        names => names.iter().any(|name| bench.name.starts_with(name)),
    };
    Ok(all.into_iter().filter(wanted).collect())
}

fn results_of(shell: &Shell, benches: &[Bench], quick: bool) -> anyhow::Result<results::Results> {
    let folder: PathBuf = crate::root().join("target/bench");
    let lines = folder.join("turns.jsonl");
    let of_criterion = folder.join("criterion");
    // The table must contain only what this run measures.
    shell.remove_path(&lines)?;
    shell.remove_path(&of_criterion)?;
    shell.create_dir(&folder)?;
    let _lines = shell.push_env("BONEBOX_BENCH_LINES", &lines);
    let _criterion = shell.push_env("CRITERION_HOME", &of_criterion);
    let _quick = quick.then(|| shell.push_env("BONEBOX_BENCH_QUICK", "1"));
    let flags: &[&str] = if quick { &["--", "--quick"] } else { &[] };
    let mut results = results::Results::default();
    for Bench { name, package, features } in benches {
        println!("== {name}");
        let features = features.iter().flat_map(|feature| ["--features", feature]);
        let run = if name == RAPIER {
            cmd!(shell, "cargo run --release --manifest-path checks/rapier-benchmark/Cargo.toml -- --bench")
        } else {
            cmd!(shell, "cargo bench --package {package} {features...} --bench {name} {flags...}")
        };
        run.run().with_context(|| format!("bench {name}"))?;
        results.take_lines(shell, &lines)?;
        results.take_criterion(name, &of_criterion)?;
        shell.remove_path(&lines)?;
        shell.remove_path(&of_criterion)?;
    }
    Ok(results)
}
