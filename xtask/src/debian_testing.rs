//! Makes a root of Debian testing, for tools that need a newer Debian than the machine has.

use anyhow::Context as _;
use std::path::PathBuf;
use xshell::{Shell, cmd};

/// The environment variable with the path of an existing root.
const VARIABLE: &str = "BONEBOX_DEBIAN_TESTING";

/// The suite of Debian testing. Older releases of debootstrap have no script with its name and use the script of `sid`.
const SUITE: &str = "forky";
const SCRIPT: &str = "/usr/share/debootstrap/scripts/sid";

/// A root with these packages, which is created and filled if needed, or the reason why there is none.
pub(crate) fn with(shell: &Shell, packages: &[&str], program: &str) -> anyhow::Result<Result<PathBuf, String>> {
    let root = std::env::var_os(VARIABLE).map(PathBuf::from);
    let root = root.unwrap_or_else(|| crate::root().join("target/engines/debian-testing"));
    if root.join("usr/bin").join(program).exists() {
        return Ok(Ok(root));
    }
    let is_root = cmd!(shell, "id --user").quiet().ignore_stderr().read().is_ok_and(|id| id.trim() == "0");
    if !is_root {
        return Ok(Err(format!(
            "SKIPPED: {program} is not installed, and only root can make a root of Debian testing"
        )));
    }
    if !root.join("usr/bin/apt-get").exists() {
        if cmd!(shell, "debootstrap --version").quiet().ignore_stderr().ignore_stdout().run().is_err() {
            return Ok(Err(format!(
                "SKIPPED: {program} is not installed, and neither is debootstrap (apt-get install debootstrap)"
            )));
        }
        let format = "$(ORIGIN) $(REPO_URI)";
        let targets = cmd!(shell, "apt-get indextargets --format {format}").quiet().read()?;
        let mut mirrors = targets.lines().filter_map(|line| line.strip_prefix("Debian "));
        let mirror = mirrors.find(|mirror| !mirror.contains("security"));
        let mirror = mirror.context("apt-get has no mirror of Debian; run `apt-get update`")?.to_owned();
        println!("creating a root of Debian testing in {}; this takes some minutes and 2 GB", root.display());
        cmd!(shell, "debootstrap --variant=minbase {SUITE} {root} {mirror} {SCRIPT}").ignore_stdout().run()?;
    }
    // A mirror's copy of Debian testing may be some days old.
    let late = "Acquire::Check-Valid-Until=false";
    cmd!(shell, "chroot {root} apt-get -o {late} update").ignore_stdout().run()?;
    cmd!(shell, "chroot {root} apt-get install --yes --no-install-recommends {packages...}")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .ignore_stdout()
        .run()?;
    anyhow::ensure!(root.join("usr/bin").join(program).exists(), "{packages:?} of Debian testing have no {program}");
    Ok(Ok(root))
}
