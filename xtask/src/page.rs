//! The copy of the built page in the program's folder. It is checked in, so that `cargo install` gives a program with the page
//! and needs no Node. `sources.txt` has git's hash of each source of the copy, so that a check without Node finds an old copy.

use crate::{node, viewer};
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::fs;
use xshell::{Shell, cmd};

/// The folder of the copy.
const FOLDER: &str = "apps/bonebox-cli/page";

/// The files of the copy that vite builds.
const BUILT: [&str; 2] = ["viewer.html", "physics.js.gz"];

/// The list of sources in the folder of the copy.
const SOURCES: &str = "sources.txt";

/// `cargo xtask viewer [--check]`: builds the page and copies it, or compares the copy with what the sources build.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let is_check = match arguments {
        [] => false,
        [flag] if flag == "--check" => true,
        other => anyhow::bail!("viewer takes no argument or --check, but got {other:?}"),
    };
    if is_check {
        return check_bytes();
    }
    let built = viewer::build()?;
    let folder = crate::root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    for name in BUILT {
        fs::copy(built.with_file_name(name), folder.join(name)).with_context(|| name.to_owned())?;
    }
    fs::write(folder.join(SOURCES), sources()?)?;
    println!("{}", folder.display());
    Ok(())
}

/// Builds the page anew and compares its bytes with the copy. The compressed file is left out: other versions of Node may
/// compress it to other bytes.
pub(crate) fn check_bytes() -> anyhow::Result<()> {
    let folder = viewer::folder();
    node::install(&folder)?;
    node::npm(&folder, &["run", "build"])?;
    let [built, copy] = [folder.join("dist"), crate::root().join(FOLDER)].map(|folder| fs::read(folder.join(BUILT[0])));
    ensure!(built? == copy?, "{FOLDER}/{} is not what apps/viewer builds; run `cargo xtask viewer`", BUILT[0]);
    Ok(())
}

/// Adds a breach if a source of the page changed after the copy was made. Outside a checkout nothing is checked.
pub(crate) fn check_sources(breaches: &mut Vec<String>) -> anyhow::Result<()> {
    if !crate::root().join(".git").exists() {
        return Ok(());
    }
    let listed = fs::read_to_string(crate::root().join(FOLDER).join(SOURCES)).unwrap_or_default();
    let now = sources()?;
    let changed = now.lines().find(|line| !listed.lines().any(|there| there == *line));
    let changed = changed.or_else(|| listed.lines().find(|line| !now.lines().any(|there| there == *line)));
    if let Some(line) = changed {
        let file = line.split_once(' ').map_or(line, |(_, file)| file);
        breaches.push(format!(
            "{FOLDER} was built before the last change of {file}; run `cargo xtask viewer` (it needs Node 20.19 and npm)"
        ));
    }
    Ok(())
}

/// A line for each file that the page is built from: git's hash of its content, and its path.
fn sources() -> anyhow::Result<String> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let tracked = cmd!(shell, "git ls-files apps/viewer integrations/web/bakerCalls.js integrations/web/wasm.js")
        .quiet()
        .read()?;
    let is_source = |file: &&str| !file.starts_with("apps/viewer/tests/") && crate::root().join(file).is_file();
    let files: Vec<&str> = tracked.lines().filter(is_source).collect();
    // git converts line ends as it does in a commit, so the hash is the same in every checkout.
    let hashes = cmd!(shell, "git hash-object --stdin-paths").stdin(files.join("\n")).quiet().read()?;
    let mut lines = String::new();
    for (hash, file) in hashes.lines().zip(files) {
        writeln!(lines, "{hash} {file}")?;
    }
    Ok(lines)
}
