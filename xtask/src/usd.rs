//! Opens exports to USD Physics with OpenUSD.

use crate::ragdoll_files;
use std::fs;
use xshell::{Shell, cmd};

/// Exports the ragdolls of `assets/`, and of the corpus if it exists. Then OpenUSD validates the files, and its parser must find
/// what the bakes have. Returns the reason why something was skipped.
pub(crate) fn check() -> anyhow::Result<Option<String>> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let folder = crate::root().join("checks/export-readers/usd");
    let environment = crate::root().join("target/engines/usd-python");
    let inside = match ragdoll_files::python(&environment, &folder.join("requirements.txt"))? {
        Ok(python) => python,
        Err(reason) => return Ok(Some(reason)),
    };
    let out = crate::root().join("target/engines/usd");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let corpus = crate::ignored::corpus();
    let (found, missing): (Vec<_>, Vec<_>) =
        corpus::RAGDOLLS.iter().map(|name| corpus.join(name)).partition(|file| file.is_file());
    let paths = [out.clone(), crate::root().join("assets")].into_iter().chain(found);
    let mut arguments = vec!["--ragdolls".to_owned()];
    arguments.extend(paths.map(|path| path.display().to_string()));
    crate::codegen::run_program("export-readers", &arguments)?;
    let (script, list) = (folder.join("check.py"), out.join("ragdolls.json"));
    cmd!(shell, "{inside} -W ignore::DeprecationWarning {script} {list}").run()?;
    let skipped = format!("the other ragdolls passed; SKIPPED: {} characters of the corpus", missing.len());
    Ok((!missing.is_empty()).then_some(skipped))
}
