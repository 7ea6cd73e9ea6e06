//! Runs Node and npm, and installs the locked packages if they are out of date.

use anyhow::Context as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The program of npm. On Windows it is a batch file, and [`Command`] adds only `.exe` to a name without an ending.
pub(crate) const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The error if npm cannot be started.
pub(crate) const NO_NPM: &str =
    "npm cannot be started; install Node 20.19 or newer with npm (Debian: apt-get install nodejs npm)";

/// Installs the packages in the folder's package-lock.json, unless this was done since the file changed.
pub(crate) fn install(folder: &Path) -> anyhow::Result<()> {
    let modified = |file: &str| fs::metadata(folder.join(file)).and_then(|metadata| metadata.modified()).ok();
    // npm writes this file last.
    if modified("package-lock.json") > modified("node_modules/.package-lock.json") {
        npm(folder, &["ci", "--no-audit", "--no-fund"])?;
    }
    Ok(())
}

/// Runs npm in the folder.
pub(crate) fn npm(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let status = Command::new(NPM).args(arguments).current_dir(folder).status().context(NO_NPM)?;
    anyhow::ensure!(status.success(), "npm {} failed in {}", arguments.join(" "), folder.display());
    Ok(())
}
