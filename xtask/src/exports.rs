//! What `bonebox export` writes, read by programs that are not ours.

use crate::node;
use anyhow::Context as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders of the corpus whose characters are sound.
const CORPUS: [&str; 7] = ["gdquest", "kaykit", "khronos", "quaternius", "robot", "suite", "variants"];

/// Exports every character of ours, and of the corpus where it is there, in every form that is glTF; then Node holds the
/// files to Khronos' validator, the extensions' schemas, three.js and three-vrm.
pub(crate) fn run() -> anyhow::Result<()> {
    let folder = crate::root().join("checks/export-readers");
    // Before the long part: where Node is missing, that is all there is to say.
    node::install(&folder)?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let out = target.join("exports");
    let mut paths = vec![out.clone(), crate::root().join("assets")];
    paths.extend(corpus());
    let arguments: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    crate::codegen::run_program("export-readers", &arguments)?;
    let tests = Command::new("npm")
        .args(["test", "--silent"])
        .current_dir(&folder)
        .env("BONEBOX_EXPORTS", &out)
        .status()
        .context(node::NO_NPM)?;
    anyhow::ensure!(tests.success(), "the exports failed; they are in {}", out.display());
    Ok(())
}

fn corpus() -> Vec<PathBuf> {
    let root = crate::ignored::corpus();
    let folders: Vec<PathBuf> =
        CORPUS.iter().map(|name| root.join(name)).filter(|path: &PathBuf| path.is_dir()).collect();
    if folders.is_empty() {
        println!(
            "SKIPPED: the corpus, which is not at {}; only the characters in assets/ are tested (see CONTRIBUTING.md)",
            Path::new(&root).display()
        );
    }
    folders
}
