//! Opens exports to USD Physics with OpenUSD.

use std::fs;
use xshell::{Shell, cmd};

/// The characters of the corpus, as in `integrations/rapier/tests/all/fall.rs`.
const CORPUS: [&str; 13] = [
    "kaykit/Knight.glb",
    "kaykit/Barbarian.glb",
    "kaykit/Mage.glb",
    "kaykit/Rogue.glb",
    "gdquest/gdbot.glb",
    "khronos/cesium_man.gltf",
    "khronos/Fox.glb",
    "quaternius/animals_pack__Horse.glb",
    "quaternius/cyberpunk_pack__Character.glb",
    "quaternius/cyberpunk_pack__Enemy_Large.glb",
    "quaternius/easy_enemies_pack__Spider.glb",
    "quaternius/modular_women__Adventurer.glb",
    "robot/RobotExpressive.glb",
];

/// Exports the ragdolls of `assets/`, and of the corpus if it exists. Then OpenUSD validates the files, and its parser must find
/// what the bakes have. Returns the reason why something was skipped.
pub(crate) fn check() -> anyhow::Result<Option<String>> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let python = std::env::var("BONEBOX_PYTHON").unwrap_or_else(|_| "python3".into());
    if cmd!(shell, "{python} --version").quiet().ignore_stderr().ignore_stdout().run().is_err() {
        return Ok(Some(format!("SKIPPED: {python} is not installed (apt-get install python3-venv)")));
    }
    let folder = crate::root().join("checks/export-readers/usd");
    let environment = crate::root().join("target/engines/usd-python");
    let inside = environment.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let requirements = folder.join("requirements.txt");
    let installed = environment.join("requirements.txt");
    if fs::read(&installed).ok() != Some(fs::read(&requirements)?) {
        cmd!(shell, "{python} -m venv --clear {environment}").run()?;
        cmd!(shell, "{inside} -m pip install --quiet --disable-pip-version-check -r {requirements}").run()?;
        fs::copy(&requirements, &installed)?;
    }
    let out = crate::root().join("target/engines/usd");
    if out.exists() {
        fs::remove_dir_all(&out)?;
    }
    let corpus = crate::ignored::corpus();
    let (found, missing): (Vec<_>, Vec<_>) =
        CORPUS.iter().map(|name| corpus.join(name)).partition(|file| file.is_file());
    let paths = [out.clone(), crate::root().join("assets")].into_iter().chain(found);
    let mut arguments = vec!["--ragdolls".to_owned()];
    arguments.extend(paths.map(|path| path.display().to_string()));
    crate::codegen::run_program("export-readers", &arguments)?;
    let (script, list) = (folder.join("check.py"), out.join("ragdolls.json"));
    cmd!(shell, "{inside} -W ignore::DeprecationWarning {script} {list}").run()?;
    let skipped = format!("the other ragdolls passed; SKIPPED: {} characters of the corpus", missing.len());
    Ok((!missing.is_empty()).then_some(skipped))
}
