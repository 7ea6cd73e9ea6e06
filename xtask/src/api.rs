//! Checks the public items of every published crate against a checked-in text: `api.txt` beside the crate's manifest.
//!
//! The text is beside the crate, so that a review shows a change of the code and of the public items in one place.
//! Packages do not contain the text. The program's library has no `api.txt`, because only the program and its tests use
//! it.
//!
//! cargo-semver-checks cannot replace this command: it compares with a release, and there is none yet. It also reports
//! only breaking changes, and no additions.

use crate::package::{self, Package};
use anyhow::{Context as _, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

const GENERATOR: &str = "generators/api-text/Cargo.toml";

/// The format of rustdoc's JSON that the generator reads; Rust 1.93 to 1.97 write it.
const FORMAT: u64 = 57;

/// `cargo xtask api [--write]`: compares the public items of each crate with its `api.txt`, or writes that file anew.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let write = match arguments {
        [] => false,
        [option] if option == "--write" => true,
        other => bail!("api takes no argument or --write, but got {other:?}"),
    };
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    println!("{}", cmd!(shell, "rustc --version").quiet().read()?);
    let mut packages = package::published(&shell)?;
    packages.retain(|package| package.folder.starts_with(crate::root().join("crates")));
    let folder = crate::root().join("target/api");
    document(&shell, &folder, &packages)?;
    let json = |package: &Package| folder.join("doc").join(format!("{}.json", package.library));
    for package in &packages {
        let found = format(&json(package))?;
        if found != FORMAT {
            println!(
                "SKIPPED: this compiler writes rustdoc's JSON in format {found}, and the public items are read from format \
                 {FORMAT} (Rust 1.93 to 1.97)"
            );
            return Ok(());
        }
    }
    let text = |package: &Package| folder.join(format!("{}.txt", package.name));
    let files = packages.iter().flat_map(|package| [json(package), text(package)]);
    cmd!(shell, "cargo run --quiet --target-dir target/api/generator --manifest-path {GENERATOR} -- {files...}")
        .quiet()
        .run()?;

    let mut changed = Vec::new();
    for package in &packages {
        let path = package.folder.join("api.txt");
        let new = fs::read_to_string(text(package))?;
        let old = fs::read_to_string(&path).unwrap_or_default();
        if old == new {
            continue;
        }
        let (gone, come) = difference(&old, &new);
        println!("\n{}: {} public items removed, {} added", package.name, gone.len(), come.len());
        gone.iter().for_each(|line| println!("- {line}"));
        come.iter().for_each(|line| println!("+ {line}"));
        if write {
            fs::write(&path, new).with_context(|| format!("cannot write {}", path.display()))?;
        }
        changed.push(package.name.as_str());
    }
    match (changed.is_empty(), write) {
        (true, _) => println!("the public items of {} crates match their api.txt", packages.len()),
        (false, true) => println!("\nwrote api.txt of {}; note the reason in CHANGELOG.md", changed.join(", ")),
        (false, false) => bail!(
            "the public items of {} differ from api.txt; if the change is intended, run `cargo xtask api --write` and note the \
             reason in CHANGELOG.md",
            changed.join(", ")
        ),
    }
    Ok(())
}

/// Runs rustdoc, which writes JSON for the libraries of these packages with all their features.
fn document(shell: &Shell, folder: &Path, packages: &[Package]) -> anyhow::Result<()> {
    let named = packages.iter().flat_map(|package| ["--package", &package.name]);
    // On a stable compiler, rustdoc writes JSON only with this variable. Build scripts run again when the variable changes,
    // so this command has its own target folder, and the usual one stays valid.
    cmd!(shell, "cargo doc --quiet --lib --no-deps --all-features --target-dir {folder} {named...}")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "-Zunstable-options --output-format=json")
        .run()
        .context("rustdoc cannot write JSON")
}

/// The format that rustdoc says the file is in.
fn format(json: &PathBuf) -> anyhow::Result<u64> {
    let text = fs::read_to_string(json).with_context(|| format!("cannot read {}", json.display()))?;
    let value: Value = serde_json::from_str(&text)?;
    value["format_version"].as_u64().with_context(|| format!("{} has no `format_version`", json.display()))
}

/// The lines of `old` that `new` lacks, and those of `new` that `old` lacks; a line that occurs twice counts twice.
fn difference<'a>(old: &'a str, new: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    old.lines().for_each(|line| *counts.entry(line).or_default() -= 1);
    new.lines().for_each(|line| *counts.entry(line).or_default() += 1);
    let lines = |sign: i64| {
        let of_sign = counts.iter().filter(move |(_, count)| **count * sign > 0);
        of_sign.flat_map(|(line, count)| std::iter::repeat_n(*line, count.unsigned_abs() as usize)).collect()
    };
    (lines(-1), lines(1))
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn a_difference_lists_what_went_and_what_came() {
        assert_eq!(difference("a\nb\nc\n", "a\nc\nd\n"), (vec!["b"], vec!["d"]));
        assert_eq!(difference("a\na\n", "a\n"), (vec!["a"], vec![]));
        assert_eq!(difference("", "a\nb\n"), (vec![], vec!["a", "b"]));
    }
}
