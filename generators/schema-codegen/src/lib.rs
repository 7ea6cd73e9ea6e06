//! Rust code from the FlatBuffers schema of the .bonebox file.
//!
//! **In:** `crates/baked-format/schema/bonebox.fbs`. **Out:** `crates/baked-format/src/generated.rs`, checked in, so that
//! nobody who builds the workspace runs a generator. Written by [`rewrite`]; [`check`] and a test here hold the file to
//! the schema. The library is planus, whose parts this crate calls directly: no outside program but `rustfmt`, which
//! comes with the toolchain.
//!
//! ```no_run
//! schema_codegen::check(&schema_codegen::schema_path())?;
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]

use anyhow::{Context, Result, bail, ensure};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const OPENING: &str =
    "//! Made from `schema/bonebox.fbs`. Do not edit: change the schema, then run `cargo xtask codegen`.\n\n";

/// The schema, in this workspace.
#[must_use]
pub fn schema_path() -> PathBuf {
    baked_format().join("schema/bonebox.fbs")
}

/// The generated code, in this workspace.
#[must_use]
pub fn generated_path() -> PathBuf {
    baked_format().join("src/generated.rs")
}

fn baked_format() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/baked-format")
}

/// Rust code for a schema.
///
/// # Errors
/// The schema cannot be read or translated (what is wrong with it goes to standard error, with the place), `rustfmt` is
/// missing, or planus writes something other than this function knows how to trim.
pub fn generate(schema: &Path) -> Result<String> {
    ensure!(schema.is_file(), "no schema at {}", schema.display());
    let declarations = planus_translation::translate_files(&[schema])
        .with_context(|| format!("{} has errors, listed above", schema.display()))?;
    let code = planus_codegen::generate_rust(&declarations, false).map_err(|error| anyhow::anyhow!("{error:#}"))?;
    // All on long lines first, so that the second pass does not keep breaks of the template's.
    let code = rustfmt(&code, &["--config", "max_width=1000000"])?;
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rustfmt.toml");
    let code = format!("{OPENING}{}", without_folders(&without_serde(&code)?));
    rustfmt(&code, &["--config-path", &config.display().to_string()])
}

fn rustfmt(code: &str, options: &[&str]) -> Result<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot start rustfmt: install it with `rustup component add rustfmt`")?;
    let mut input = child.stdin.take().context("rustfmt has no standard input")?;
    let output = std::thread::scope(|scope| {
        // From a thread of its own: rustfmt may answer before it has read everything.
        let writer = scope.spawn(move || input.write_all(code.as_bytes()));
        let output = child.wait_with_output();
        writer.join().map_err(|_| anyhow::anyhow!("the thread that feeds rustfmt panicked"))??;
        anyhow::Ok(output?)
    })?;
    ensure!(output.status.success(), "rustfmt: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).context("rustfmt's answer is not UTF-8")
}

/// planus writes the schema's full path into its doc comments; the folders differ from machine to machine.
fn without_folders(code: &str) -> String {
    const NAME: &str = "bonebox.fbs";
    let mut out = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        match line.find(NAME).and_then(|name| line[..name].rfind('`').map(|quote| (quote, name))) {
            Some((quote, name)) => out.extend([&line[..=quote], &line[name..]]),
            None => out.push_str(line),
        }
    }
    out
}

/// Without what planus derives for its owned types: `serde_derive` would be built by every game that reads a .bonebox.
fn without_serde(code: &str) -> Result<String> {
    let trimmed = code.replace(", ::serde::Serialize, ::serde::Deserialize", "");
    ensure!(!trimmed.contains("serde"), "planus' code mentions serde in a new way: adapt schema-codegen");
    Ok(trimmed)
}

/// Writes the generated code; says whether it changed.
///
/// # Errors
/// As [`generate`], or the file cannot be written.
pub fn rewrite() -> Result<bool> {
    let (path, code) = (generated_path(), generate(&schema_path())?);
    let changed = std::fs::read_to_string(&path).ok().as_ref() != Some(&code);
    if changed {
        std::fs::write(&path, code).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(changed)
}

/// Compares the checked-in code with what a schema gives now.
///
/// # Errors
/// As [`generate`], or the file is missing or differs; names the first line that does, and the cure.
pub fn check(schema: &Path) -> Result<()> {
    let (path, code) = (generated_path(), generate(schema)?);
    let found = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if found == code {
        return Ok(());
    }
    let line = 1 + found.lines().zip(code.lines()).take_while(|(found, expected)| found == expected).count();
    bail!("{} does not fit the schema from line {line} on: run `cargo xtask codegen`", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_code_is_fresh() {
        check(&schema_path()).unwrap();
    }
}
