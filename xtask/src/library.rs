//! Bakes a thousand made-up characters, writes their page, and opens it in Chromium.

use crate::node;
use anyhow::{Context as _, ensure};
use std::path::PathBuf;
use std::process::Command;

/// Prints the times of the bake, the page and the summary, the sizes of the files, and how long Chromium takes to show the page.
/// With `--release`, the times are those of an optimized program.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let profile = match arguments {
        [] => None,
        [flag] if flag == "--release" => Some(flag),
        other => anyhow::bail!("library takes no argument or --release, but got {other:?}"),
    };
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let out = target.join("library");
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let build = ["build", "--package", "bonebox-cli"];
    let built = Command::new(&cargo).args(build).args(profile).current_dir(crate::root()).status()?;
    ensure!(built.success(), "cargo build failed");
    let folder = if profile.is_some() { "release" } else { "debug" };
    let program = target.join(folder).join(format!("bonebox{}", std::env::consts::EXE_SUFFIX));
    let test = ["test", "--package", "bonebox-cli", "--test", "all", "--"];
    let status = Command::new(&cargo)
        .args(test)
        .args(["library::a_thousand_characters", "--exact", "--ignored", "--nocapture"])
        .env("BONEBOX_LIBRARY", &out)
        .env("BONEBOX_PROGRAM", &program)
        .current_dir(crate::root())
        .status()?;
    ensure!(status.success(), "the test of a thousand characters failed");
    let viewer = crate::viewer::folder();
    let chromium = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".into());
    if !std::path::Path::new(&chromium).exists() {
        println!("SKIPPED: the page in Chromium, because {chromium} does not exist (Debian: apt-get install chromium)");
        return Ok(());
    }
    node::install(&viewer)?;
    let tests = Command::new("node")
        .args(["--test", "tests/library.test.js"])
        .current_dir(viewer)
        .env("BONEBOX", &program)
        .env("BONEBOX_PAGE", crate::root().join("apps/bonebox-cli/page/viewer.html"))
        .env("BONEBOX_ASSETS", crate::root().join("assets"))
        .env("BONEBOX_LIBRARY", &out)
        .status()
        .context(node::NO_NPM)?;
    ensure!(tests.success(), "the tests of the page failed; its screenshots are in apps/viewer/dist/screenshots");
    Ok(())
}
