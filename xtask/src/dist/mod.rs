//! Packs what users download: the program and the C library.

pub(crate) mod c_library;
mod licenses;
mod program;

use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// `cargo xtask dist [c] [program] [--bake]`: writes archives into `target/dist` and prints their paths. Without a name it
/// packs all. `--bake` adds the functions that bake to the C library.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    let bake = arguments.iter().any(|argument| argument == "--bake");
    let names: Vec<&str> = arguments.iter().map(String::as_str).filter(|argument| *argument != "--bake").collect();
    if let Some(unknown) = names.iter().find(|name| !["c", "program"].contains(name)) {
        anyhow::bail!("there is no archive {unknown:?}; `cargo xtask dist` takes c, program and --bake");
    }
    let is_asked = |name: &str| names.is_empty() || names.contains(&name);
    let (mut archives, mut skipped) = (Vec::new(), Vec::new());
    if is_asked("c") {
        archives.push(c_library::pack(bake)?);
    }
    if is_asked("program") {
        program::pack(&mut archives, &mut skipped)?;
    }
    println!();
    skipped.iter().for_each(|reason| println!("SKIPPED: {reason}"));
    archives.iter().for_each(|archive| println!("{}", archive.display()));
    Ok(())
}

/// Packs a folder of `target/dist` as an archive beside it.
fn tar(folder: &Path) -> anyhow::Result<PathBuf> {
    let (parent, name) = (folder.parent().context("a parent")?, folder.file_name().context("a name")?);
    let shell = Shell::new()?;
    shell.change_dir(parent);
    let archive = format!("{}.tar.gz", name.to_string_lossy());
    cmd!(shell, "tar --create --gzip --owner=0 --group=0 --file {archive} {name}").quiet().run()?;
    Ok(parent.join(archive))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// The version of all packages.
fn version() -> anyhow::Result<String> {
    let manifest = fs::read_to_string(crate::root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    Ok(line.and_then(|rest| rest.strip_suffix('"')).context("Cargo.toml has no version")?.to_owned())
}

fn host(shell: &Shell) -> anyhow::Result<String> {
    let version = cmd!(shell, "rustc --version --verbose").quiet().read()?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not print its host")?.to_owned())
}
