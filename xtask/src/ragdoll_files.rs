//! Reads exported ragdolls with the programs that they are for.

use crate::program;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The settings of every bake. A character that is no humanoid gets at most 18 parts.
const SETTINGS: &str = "preset = \"tight\"\nparts = \"humanoid\"\nmax_boxes = 1\nmeasure = \"none\"\nragdoll = true\n";

/// Bakes characters, exports their ragdolls, drops those of MJCF in MuJoCo, loads those of URDF in PyBullet and MuJoCo, and
/// compiles the scripts of the guide. Returns what was skipped.
pub(crate) fn run() -> anyhow::Result<Option<String>> {
    let folder = crate::root().join("target/engines/ragdoll");
    let checks = crate::root().join("checks/export-readers/ragdoll");
    fs::create_dir_all(&folder)?;
    let mut skipped = crate::ragdoll_scripts::run(&folder)?;
    let python = match python(&folder.join("venv"), &checks.join("requirements.txt"))? {
        Ok(python) => python,
        Err(reason) => {
            skipped.push(reason);
            return Ok(Some(format!("the figures were not dropped; SKIPPED: {}", skipped.join("; "))));
        }
    };
    let mut assets = ["runa", "bruno", "hound"].map(|name| crate::root().join(format!("assets/{name}.glb"))).to_vec();
    let corpus = crate::ignored::corpus();
    if corpus.is_dir() {
        assets.extend(corpus::RAGDOLLS.map(|file| corpus.join(file)));
    } else {
        skipped.push(format!("the corpus, {} is no folder", corpus.display()));
    }
    let files = exports(&folder, &assets)?;
    let status = Command::new(&python).arg("-B").arg(checks.join("check.py")).arg(&files).status()?;
    anyhow::ensure!(status.success(), "the ragdolls in {} failed", files.display());
    Ok((!skipped.is_empty()).then(|| format!("passed; SKIPPED: {}", skipped.join("; "))))
}

/// Bakes the assets, and writes each ragdoll in each form. Returns the folder.
fn exports(folder: &Path, assets: &[PathBuf]) -> anyhow::Result<PathBuf> {
    let files = folder.join("files");
    if files.exists() {
        fs::remove_dir_all(&files)?;
    }
    fs::create_dir_all(&files)?;
    let settings = folder.join("bonebox.toml");
    fs::write(&settings, SETTINGS)?;
    let settings = settings.display().to_string();
    for asset in assets {
        let name = asset.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (asset, out) = (asset.display().to_string(), files.display().to_string());
        program::output(&files, &["bake", "--quiet", "--settings", &settings, "--out-dir", &out, &asset])?;
        for form in ["mjcf", "urdf", "ragdoll"] {
            program::output(&files, &["export", &format!("{name}.bonebox"), "--to", form])?;
        }
    }
    Ok(files)
}

/// A Python with the packages of a file, or the reason why there is none.
pub(crate) fn python(venv: &Path, requirements: &Path) -> anyhow::Result<Result<PathBuf, String>> {
    let python = venv.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let base = std::env::var("BONEBOX_PYTHON").unwrap_or_else(|_| "python3".into());
    let (wanted, done) = (fs::read(requirements)?, venv.join("requirements.txt"));
    if fs::read(&done).is_ok_and(|there| there == wanted) {
        return Ok(Ok(python));
    }
    let made = Command::new(&base).args(["-m", "venv"]).arg(venv).status();
    if !made.is_ok_and(|status| status.success()) {
        return Ok(Err(format!("{base} cannot make a virtual environment (apt-get install python3-venv)")));
    }
    let options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", "-r"];
    let installed = Command::new(&python).args(options).arg(requirements).status().context("pip")?;
    if !installed.success() {
        let packages = String::from_utf8_lossy(&wanted).lines().collect::<Vec<_>>().join(", ");
        return Ok(Err(format!("pip cannot install {packages}; they have wheels for Python 3.11 on Linux")));
    }
    fs::write(done, wanted)?;
    Ok(Ok(python))
}
