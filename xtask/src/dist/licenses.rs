//! The licenses of the libraries in a program, which must go with every copy of it.

use anyhow::Context as _;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use xshell::{Shell, cmd};

/// The texts of all licenses of the libraries that a package is built from for a target. Libraries with the same text share it.
///
/// # Errors
/// Returns an error that names a library without a file of its license and without the name of a license.
pub(super) fn of_package(shell: &Shell, package: &str, target: &str) -> anyhow::Result<String> {
    let format = "{p}";
    let tree =
        cmd!(shell, "cargo tree --package {package} --edges normal --target {target} --prefix none --format {format}")
            .quiet()
            .read()?;
    // A line is `NAME vVERSION`, and a path follows for our own packages.
    let libraries: BTreeSet<(&str, &str)> = tree
        .lines()
        .filter(|line| !line.contains('/'))
        .filter_map(|line| line.trim_end_matches(" (*)").trim_end_matches(" (proc-macro)").split_once(" v"))
        .collect();
    let metadata: Value = serde_json::from_str(&cmd!(shell, "cargo metadata --format-version 1").quiet().read()?)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, version) in libraries {
        let found = packages.iter().find(|one| one["name"] == name && one["version"] == version);
        let found = found.with_context(|| format!("cargo metadata does not list {name} {version}"))?;
        let folder = found["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
        let mut texts = texts_in(folder.context("a library has no folder")?)?;
        if texts.is_empty() {
            let named = found["license"].as_str().with_context(|| format!("{name} {version} names no license"))?;
            texts.push(format!("Licensed under {named}; the package contains no text of the license."));
        }
        for text in texts {
            by_text.entry(text).or_default().push(format!("{name} {version}"));
        }
    }
    let mut all = String::from("The program contains these libraries, under these licenses.\n");
    for (text, names) in by_text {
        write!(all, "\n\n{}\n{}\n{}\n", "=".repeat(80), names.join(", "), "=".repeat(80))?;
        writeln!(all, "\n{text}")?;
    }
    Ok(all)
}

/// The texts of the files in a folder that are licenses by their names.
fn texts_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        let is_license = ["LICENSE", concat!("LICEN", "CE"), "COPYING", "NOTICE", "COPYRIGHT"]
            .iter()
            .any(|word| name.starts_with(word));
        if is_license && path.is_file() {
            texts.push(fs::read_to_string(&path).with_context(|| path.display().to_string())?.trim().to_owned());
        }
    }
    texts.sort();
    Ok(texts)
}
