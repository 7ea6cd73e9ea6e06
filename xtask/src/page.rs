//! The copy of the built page in the program's folder. It is checked in, so that `cargo install` gives a program with the page
//! and needs no Node. `sources.txt` has git's hash of each source of the copy, so that a check without Node finds an old copy.

use crate::{node, viewer};
use anyhow::{Context as _, ensure};
use std::fmt::Write as _;
use std::fs;
use xshell::{Shell, cmd};

/// The folder of the copy.
const FOLDER: &str = "apps/bonebox-cli/page";

/// The files of the copy that vite builds: the page, the physics engine and the baker.
const BUILT: [&str; 3] = ["viewer.html", "physics.js.gz", BAKER];
const BAKER: &str = "baker.wasm.gz";

/// What the page is built from, as paths for git.
const OF_PAGE: [&str; 3] = ["apps/viewer", "integrations/web/bakerCalls.js", "integrations/web/wasm.js"];

/// What the interface of the baker and the bytes of its bakes depend on. A change of the algorithms raises the revision.
const OF_BAKER: [&str; 5] = [
    "crates/page-answers/src",
    "crates/bone-fit/src/revision.rs",
    "crates/baked-format/src/version.rs",
    "integrations/web/Cargo.toml",
    "integrations/web/src",
];

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
    let folder = crate::root().join(FOLDER);
    fs::create_dir_all(&folder)?;
    let baker = crate::web::build()?;
    let built = viewer::build()?;
    let mut lines = sources(&OF_PAGE)?;
    match baker {
        Ok(_) => lines.push_str(&sources(&OF_BAKER)?),
        Err(skipped) => {
            println!("{skipped}; the baker in the page stays as it is");
            let listed = fs::read_to_string(folder.join(SOURCES)).unwrap_or_default();
            let of_baker = |line: &&str| OF_BAKER.iter().any(|path| file_of(line).starts_with(path));
            listed.lines().filter(of_baker).for_each(|line| lines.extend([line, "\n"]));
        }
    }
    for name in BUILT {
        let from = built.with_file_name(name);
        if from.exists() || name != BAKER {
            fs::copy(from, folder.join(name)).with_context(|| name.to_owned())?;
        }
    }
    fs::write(folder.join(SOURCES), lines)?;
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
    let now = sources(&OF_PAGE)? + &sources(&OF_BAKER)?;
    let changed = now.lines().find(|line| !listed.lines().any(|there| there == *line));
    let changed = changed.or_else(|| listed.lines().find(|line| !now.lines().any(|there| there == *line)));
    if let Some(line) = changed {
        let file = file_of(line);
        breaches.push(format!(
            "{FOLDER} was built before the last change of {file}; run `cargo xtask viewer` (it needs Node 20.19, npm, and Rust's \
             target wasm32-unknown-unknown)"
        ));
    }
    Ok(())
}

/// The path in a line of the list.
fn file_of(line: &str) -> &str {
    line.split_once(' ').map_or(line, |(_, file)| file)
}

/// A line for each file at these paths: git's hash of its content, and its path. Tests are left out.
fn sources(paths: &[&str]) -> anyhow::Result<String> {
    let shell = Shell::new()?;
    shell.change_dir(crate::root());
    let tracked = cmd!(shell, "git ls-files {paths...}").quiet().read()?;
    let is_source = |file: &&str| !file.contains("/tests/") && crate::root().join(file).is_file();
    let files: Vec<&str> = tracked.lines().filter(is_source).collect();
    // git converts line ends as it does in a commit, so the hash is the same in every checkout.
    let hashes = cmd!(shell, "git hash-object --stdin-paths").stdin(files.join("\n")).quiet().read()?;
    let mut lines = String::new();
    for (hash, file) in hashes.lines().zip(files) {
        writeln!(lines, "{hash} {file}")?;
    }
    Ok(lines)
}
