//! The page of `bonebox view`: packages installed as locked, built where it is out of date, served, tested.

use crate::node;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

/// Builds the page if need be and serves it; the arguments are those of `bonebox view`.
pub(crate) fn view(arguments: &[String]) -> anyhow::Result<ExitCode> {
    run_with_page("view", arguments)
}

/// The same for `bonebox report`.
pub(crate) fn report(arguments: &[String]) -> anyhow::Result<ExitCode> {
    run_with_page("report", arguments)
}

fn run_with_page(command: &str, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let page = build()?.display().to_string();
    let mut all = vec!["--page".to_owned(), page];
    all.extend_from_slice(arguments);
    crate::program::run(command, &all)
}

/// Installs the locked packages and builds the page, each only where it is out of date; gives the page's path.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let folder = folder();
    let page = folder.join("dist/viewer.html");
    node::install(&folder)?;
    let sources = ["src", "index.html", "vite.config.js", "tsconfig.json", "package.json", "package-lock.json"];
    if newest(&sources.map(|source| folder.join(source))) > newest(std::slice::from_ref(&page)) {
        node::npm(&folder, &["run", "build"])?;
    }
    Ok(page)
}

/// Drives the page in headless Chromium and holds it against the program's own answers.
///
/// `CHROMIUM` names the browser where it is not /usr/bin/chromium (Debian: `apt-get install chromium`). With
/// `--pictures` it makes those of the documentation too.
pub(crate) fn test(arguments: &[String]) -> anyhow::Result<()> {
    let pictures = match arguments {
        [] => false,
        [flag] if flag == "--pictures" => true,
        _ => anyhow::bail!("view-test takes --pictures or nothing"),
    };
    let page = build()?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let built = Command::new(&cargo).args(["build", "--package", "bonebox-cli"]).current_dir(crate::root()).status()?;
    anyhow::ensure!(built.success(), "cargo build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let corpus = crate::ignored::corpus();
    let mut npm = Command::new("npm");
    if corpus.is_dir() {
        npm.env("BONEBOX_CORPUS", corpus);
    } else {
        println!(
            "SKIPPED: the tests with real characters, because there is no corpus at {} (see CONTRIBUTING.md)",
            corpus.display()
        );
    }
    if pictures {
        npm.env("BONEBOX_PICTURES", crate::root().join("docs/pictures"));
    }
    let status = npm
        .args(["test", "--silent"])
        .current_dir(folder())
        .env("BONEBOX", target.join("debug/bonebox"))
        .env("BONEBOX_PAGE", page)
        .env("BONEBOX_ASSETS", crate::root().join("assets"))
        .status()
        .context(node::NO_NPM)?;
    anyhow::ensure!(status.success(), "the page's tests failed; its screenshots are in apps/viewer/dist/screenshots");
    Ok(())
}

fn folder() -> PathBuf {
    crate::root().join("apps/viewer")
}

/// When the newest of these files, and of the files in those that are folders, was written; `None` where none is there.
fn newest(paths: &[PathBuf]) -> Option<SystemTime> {
    paths.iter().filter_map(|path| newest_in(path)).max()
}

fn newest_in(path: &Path) -> Option<SystemTime> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_dir() {
        return metadata.modified().ok();
    }
    let entries = fs::read_dir(path).ok()?;
    entries.flatten().filter_map(|entry| newest_in(&entry.path())).max()
}
