//! The page of `bonebox view`: installs its packages, builds it if it is out of date, serves it and tests it.

use crate::node;
use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

/// Builds the page if needed and serves it. The arguments are those of `bonebox view`.
pub(crate) fn view(arguments: &[String]) -> anyhow::Result<ExitCode> {
    run_with_page("view", arguments)
}

/// Builds the page if needed and writes a report. The arguments are those of `bonebox report`.
pub(crate) fn report(arguments: &[String]) -> anyhow::Result<ExitCode> {
    run_with_page("report", arguments)
}

fn run_with_page(command: &str, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let page = build()?.display().to_string();
    let mut all = vec!["--page".to_owned(), page];
    all.extend_from_slice(arguments);
    crate::program::run(command, &all)
}

/// Installs the locked packages and builds the page, each if it is out of date. Returns the path of the page.
pub(crate) fn build() -> anyhow::Result<PathBuf> {
    let folder = folder();
    let page = folder.join("dist/viewer.html");
    node::install(&folder)?;
    let sources = ["src", "index.html", "vite.config.js", "tsconfig.json", "package.json", "package-lock.json"];
    // The page calls the baker with these files; the last one exists only if `cargo xtask web` has built it.
    let baker = ["bakerCalls.js", "wasm.js", "baker.wasm"].map(|file| crate::web::folder().join(file));
    let sources = sources.map(|source| folder.join(source));
    let is_old = newest(&sources).max(newest(&baker)) > newest(std::slice::from_ref(&page));
    if is_old || !folder.join("dist/physics.js.gz").exists() {
        node::npm(&folder, &["run", "build"])?;
    }
    Ok(page)
}

/// Tests the page in Chromium without a window, and compares it with the program's own answers.
///
/// `CHROMIUM` names the browser if it is not /usr/bin/chromium (Debian: `apt-get install chromium`). With `--pictures`
/// the command also makes the pictures of the documentation.
pub(crate) fn test(arguments: &[String]) -> anyhow::Result<()> {
    let pictures = match arguments {
        [] => false,
        [flag] if flag == "--pictures" => true,
        _ => anyhow::bail!("view-test takes no argument or --pictures"),
    };
    let page = build()?;
    crate::page::check_bytes()?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let built = Command::new(&cargo).args(["build", "--package", "bonebox-cli"]).current_dir(crate::root()).status()?;
    anyhow::ensure!(built.success(), "cargo build failed");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
    let corpus = crate::ignored::corpus();
    let mut npm = Command::new(node::NPM);
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

/// The folder of the page's sources.
pub(crate) fn folder() -> PathBuf {
    crate::root().join("apps/viewer")
}

/// The time of the newest of these files, including the files in folders. `None` if none exists.
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
