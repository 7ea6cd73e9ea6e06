//! Finds other programs; it never installs them.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

pub(crate) fn has_flatc() -> bool {
    succeeds(Command::new("flatc").arg("--version"))
}

/// A compiler that finds the FlatBuffers headers, or a description of the missing tool.
pub(crate) fn cpp_compiler(work: &Path) -> Result<String, String> {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    if !succeeds(Command::new(&compiler).arg("--version")) {
        return Err(format!("a C++ compiler: there is no {compiler} (Debian: apt-get install g++)"));
    }
    let probe = work.join("probe.cpp");
    let is_written = fs::write(&probe, "#include <flatbuffers/flatbuffers.h>\nint main() {}\n").is_ok();
    if is_written && succeeds(Command::new(&compiler).args(["-std=c++17", "-fsyntax-only"]).arg(&probe)) {
        return Ok(compiler);
    }
    Err("FlatBuffers' C++ headers (Debian: apt-get install libflatbuffers-dev)".into())
}

pub(crate) fn has_sanitizers(compiler: &str, work: &Path) -> bool {
    let (source, program) = (work.join("sanitizers.cpp"), work.join("sanitizers"));
    fs::write(&source, "int main() {}\n").is_ok()
        && succeeds(Command::new(compiler).arg("-fsanitize=address,undefined").arg(&source).arg("-o").arg(&program))
        && succeeds(&mut Command::new(&program))
}

/// A Python that has the package `flatbuffers`, or a description of the missing tool.
pub(crate) fn python(work: &Path) -> Result<String, String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    if !succeeds(Command::new(&python).arg("--version")) {
        return Err(format!("Python 3: there is no {python}"));
    }
    let has_package = succeeds(Command::new(&python).current_dir(work).args(["-c", "import flatbuffers.table"]));
    if has_package { Ok(python) } else { Err("Python's FlatBuffers (python3 -m pip install flatbuffers)".into()) }
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Runs a command. If it fails, the error is its standard error.
pub(crate) fn run(command: &mut Command) -> Result<Output> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(output)
}
