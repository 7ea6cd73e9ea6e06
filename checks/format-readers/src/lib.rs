//! Builds the readers in `examples/interop` and compares them with the reader in Rust.
//!
//! The input is .bonebox files, and the tools that are installed on this machine. The output is a list of comparisons
//! and missing tools, or the first difference. Nothing is installed.
//!
//! - [`run`] generates code with `flatc`, builds the C++ example, runs both examples over the files, and compares every
//!   line with [`baked_format::to_json`], with numbers as `f32`. Both readers must also refuse damaged files.
//! - [`newer_minor`] makes the test files of `baked-format` from a later minor version. `flatc` writes them from a
//!   schema with more fields.
//!
//! ```no_run
//! let report = format_readers::run(&format_readers::bakes()?, &format_readers::work_folder())?;
//! println!("{report}");
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]

mod compare;
pub mod newer_minor;
mod tools;

use anyhow::{Context, Result, ensure};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The result of [`run`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One sentence for each language that was compared.
    pub compared: Vec<String>,
    /// The missing tools, each with the command that installs it.
    pub missing: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.compared.iter().try_for_each(|line| writeln!(f, "{line}"))?;
        self.missing.iter().try_for_each(|line| writeln!(f, "missing: {line}"))
    }
}

/// The root folder of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder for generated code and programs.
#[must_use]
pub fn work_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from).join("interop")
}

/// All bakes in `assets/`, including golden files, sorted.
///
/// # Errors
/// Returns an error if a folder cannot be read.
pub fn bakes() -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for folder in [root().join("assets"), root().join("assets/golden/v1")] {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "bonebox") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Compares the readers of every language whose tools are installed.
///
/// # Errors
/// Returns an error if a build fails, a reader gives another result than Rust's reader, or it accepts a damaged file.
pub fn run(files: &[PathBuf], work: &Path) -> Result<Report> {
    ensure!(!files.is_empty(), "no .bonebox files to read");
    fs::create_dir_all(work).with_context(|| format!("cannot create {}", work.display()))?;
    let mut report = Report::default();
    if !tools::has_flatc() {
        report.missing.push("flatc, which all readers need (Debian: apt-get install flatbuffers-compiler)".into());
        return Ok(report);
    }
    generate(work)?;
    match tools::cpp_compiler(work) {
        Ok(compiler) => {
            let program = build_cpp(&compiler, work)?;
            let reader = || Command::new(&program);
            report.compared.push(format!("C++: {}", compare::all(&reader, files, work)?));
        }
        Err(missing) => report.missing.push(missing),
    }
    match tools::python(work) {
        Ok(python) => {
            let reader = || {
                let mut command = Command::new(&python);
                command.env("PYTHONPATH", work).arg("-B").arg(root().join("examples/interop/python/read_boxes.py"));
                command
            };
            report.compared.push(format!("Python: {}", compare::all(&reader, files, work)?));
        }
        Err(missing) => report.missing.push(missing),
    }
    Ok(report)
}

fn generate(work: &Path) -> Result<()> {
    let schema = root().join("crates/baked-format/schema/bonebox.fbs");
    tools::run(Command::new("flatc").args(["--cpp", "--python", "-o"]).arg(work).arg(schema)).map(drop)
}

fn build_cpp(compiler: &str, work: &Path) -> Result<PathBuf> {
    let program = work.join("read_boxes");
    let source = root().join("examples/interop/cpp/read_boxes.cpp");
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-I"]).arg(work).arg(source);
    // A reader of untrusted files is built with sanitizers if the compiler has them.
    if tools::has_sanitizers(compiler, work) {
        command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
    }
    tools::run(command.arg("-o").arg(&program))?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If tools are missing, a line says so, and the other readers are compared.
    #[test]
    #[ignore = "starts compilers of this machine, whatever their versions: cargo xtask interop"]
    fn other_languages_read_the_bakes() {
        let report = run(&bakes().unwrap(), &work_folder().join("test")).unwrap();
        println!("{report}");
        assert_eq!(report.compared.len() + report.missing.len(), if tools::has_flatc() { 2 } else { 1 });
    }
}
