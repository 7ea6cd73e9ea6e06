//! Reads the files of `bonebox export` with other programs.

use crate::node;
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folders of the corpus with valid characters.
const CORPUS: [&str; 7] = ["gdquest", "kaykit", "khronos", "quaternius", "robot", "suite", "variants"];

/// Exports every character of ours, and of the corpus if it exists, in every glTF form. Then Node checks the files with
/// Khronos' validator, the extensions' schemas, three.js and three-vrm.
pub(crate) fn run() -> anyhow::Result<()> {
    let folder = crate::root().join("checks/export-readers");
    // This comes before the long part, so that the command fails early if Node is missing.
    node::install(&folder)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let out = target.join("exports");
    let mut paths = vec![out.clone(), crate::root().join("assets")];
    paths.extend(corpus());
    let arguments: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    crate::codegen::run_program("export-readers", &arguments)?;
    let tests = Command::new(node::NPM)
        .args(["test", "--silent"])
        .current_dir(&folder)
        .env("BONEBOX_EXPORTS", &out)
        .status()
        .context(node::NO_NPM)?;
    anyhow::ensure!(tests.success(), "the tests of the exports failed; the exports are in {}", out.display());
    Ok(())
}

fn corpus() -> Vec<PathBuf> {
    let root = crate::ignored::corpus();
    let folders: Vec<PathBuf> =
        CORPUS.iter().map(|name| root.join(name)).filter(|path: &PathBuf| path.is_dir()).collect();
    if folders.is_empty() {
        println!(
            "SKIPPED: the corpus, because it is not at {}; only the characters in assets/ are tested (see CONTRIBUTING.md)",
            Path::new(&root).display()
        );
    }
    folders
}
