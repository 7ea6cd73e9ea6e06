//! Generates Rust code from the FlatBuffers schema of the .bonebox file.
//!
//! The input is `crates/baked-format/schema/bonebox.fbs`, and the output is `crates/baked-format/src/generated.rs`. The
//! output is checked in, so that a build of the workspace runs no generator. [`rewrite`] writes it. [`check`], and a
//! test in this crate, compare the file with the schema. The generator is the library planus, whose parts this crate
//! calls directly. The only other program is `rustfmt`, which comes with the toolchain.
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

/// The path of the schema in this workspace.
#[must_use]
pub fn schema_path() -> PathBuf {
    baked_format().join("schema/bonebox.fbs")
}

/// The path of the generated code in this workspace.
#[must_use]
pub fn generated_path() -> PathBuf {
    baked_format().join("src/generated.rs")
}

fn baked_format() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/baked-format")
}

/// Generates Rust code for a schema.
///
/// # Errors
/// Returns an error if the schema cannot be read or translated (planus prints the problem and its place to standard
/// error), `rustfmt` is missing, or the output of planus has an unexpected form.
pub fn generate(schema: &Path) -> Result<String> {
    ensure!(schema.is_file(), "no schema at {}", schema.display());
    let declarations = planus_translation::translate_files(&[schema])
        .with_context(|| format!("{} has errors, listed above", schema.display()))?;
    let code = planus_codegen::generate_rust(&declarations, false).map_err(|error| anyhow::anyhow!("{error:#}"))?;
    // First format with very long lines, so that the second pass does not keep the template's line breaks.
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
        // The input is written by another thread, because rustfmt may answer before it has read everything.
        let writer = scope.spawn(move || input.write_all(code.as_bytes()));
        let output = child.wait_with_output();
        writer.join().map_err(|_| anyhow::anyhow!("the thread that feeds rustfmt panicked"))??;
        anyhow::Ok(output?)
    })?;
    ensure!(output.status.success(), "rustfmt: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).context("the output of rustfmt is not UTF-8")
}

/// Removes folders: planus writes the schema's full path into doc comments, which differs between machines.
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

/// Removes the derives of serde from planus' owned types. With them, every game that reads a .bonebox would build
/// `serde_derive`.
fn without_serde(code: &str) -> Result<String> {
    let trimmed = code.replace(", ::serde::Serialize, ::serde::Deserialize", "");
    ensure!(!trimmed.contains("serde"), "planus' code uses serde in a new way; adapt schema-codegen");
    Ok(trimmed)
}

/// Writes the generated code, and returns whether it changed.
///
/// # Errors
/// Returns the errors of [`generate`], or if the file cannot be written.
pub fn rewrite() -> Result<bool> {
    let (path, code) = (generated_path(), generate(&schema_path())?);
    let changed = std::fs::read_to_string(&path).ok().as_ref() != Some(&code);
    if changed {
        std::fs::write(&path, code).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(changed)
}

/// Compares the checked-in code with the code that a schema gives now.
///
/// # Errors
/// Returns the errors of [`generate`], or if the file is missing or differs. The error names the first line that
/// differs.
pub fn check(schema: &Path) -> Result<()> {
    let (path, code) = (generated_path(), generate(schema)?);
    let found = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if found == code {
        return Ok(());
    }
    let line = 1 + found.lines().zip(code.lines()).take_while(|(found, expected)| found == expected).count();
    bail!("{} differs from the schema from line {line} on; run `cargo xtask codegen`", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_code_is_up_to_date() {
        check(&schema_path()).unwrap();
    }
}
