//! The temporary folder of a farm, with the program and libraries of characters.

use anyhow::{Context as _, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A temporary folder. It is removed at the end, also after an error.
pub(crate) struct Workshop {
    pub(crate) folder: PathBuf,
    /// The folder with the program `bonebox`.
    pub(crate) programs: PathBuf,
}

impl Workshop {
    /// Makes the folder, and builds the program.
    pub(crate) fn open() -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("bonebox-farm-{}", std::process::id()));
        let workshop = Self { programs: folder.join("bin"), folder };
        fs::create_dir_all(&workshop.programs)?;
        workshop.build(&[], "bonebox")?;
        Ok(workshop)
    }

    /// Builds the program, and puts it under a name among the programs.
    pub(crate) fn build(&self, arguments: &[&str], name: &str) -> anyhow::Result<()> {
        let mut build = cargo();
        let status = build.args(["build", "--package", "bonebox-cli", "--bin", "bonebox"]).args(arguments).status()?;
        ensure!(status.success(), "the program does not build");
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::root().join("target"), PathBuf::from);
        fs::copy(target.join("debug/bonebox"), self.programs.join(name))
            .context("the program is not where it was built")?;
        Ok(())
    }

    /// A folder for one part.
    pub(crate) fn part(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.folder.join(name);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Writes made-up characters. With `with_files`, every tenth is a variant of a file of `assets/`.
    pub(crate) fn write_library(&self, folder: &Path, count: usize, with_files: bool) -> anyhow::Result<()> {
        let files = ["runa", "bruno", "hound"].map(|name| crate::root().join(format!("assets/{name}.glb")));
        let mut library = cargo();
        library.args(["run", "--quiet", "--package", "test-models", "--example", "library", "--"]);
        library.arg(folder).arg(count.to_string()).args(files.iter().filter(|_| with_files));
        output(&mut library).map(drop)
    }

    /// The program with arguments, in a folder.
    pub(crate) fn bonebox(&self, folder: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.programs.join("bonebox"));
        command.args(arguments).current_dir(folder).env_remove("BONEBOX_STORE");
        command
    }

    /// The search path with the programs.
    pub(crate) fn path(&self) -> String {
        let old = std::env::var("PATH").unwrap_or_default();
        format!("{}:{old}:/usr/sbin:/sbin", self.programs.display())
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("warning: cannot remove {}: {error}", self.folder.display());
        }
    }
}

fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(crate::root());
    cargo
}

/// Runs a command and returns its standard output.
pub(crate) fn output(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?} does not start"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{command:?} failed ({}): {text}{errors}", output.status);
    Ok(text)
}

/// Compares all files below two folders, byte by byte, and returns their number.
pub(crate) fn compare_folders(one: &Path, other: &Path) -> anyhow::Result<usize> {
    let [names, others] = [files_below(one)?, files_below(other)?];
    ensure!(names == others, "{} has {} files, {} has {}", one.display(), names.len(), other.display(), others.len());
    for name in &names {
        ensure!(fs::read(one.join(name))? == fs::read(other.join(name))?, "{} differs", name.display());
    }
    Ok(names.len())
}

/// The files below a folder, relative to it and sorted.
pub(crate) fn files_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(one) = folders.pop() {
        for entry in fs::read_dir(&one).with_context(|| one.display().to_string())? {
            let path = entry?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push(path.strip_prefix(folder)?.to_owned()),
            }
        }
    }
    found.sort();
    Ok(found)
}
