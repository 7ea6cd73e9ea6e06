//! Writes `integrations/c/include/bonebox.h` from the Rust code of the C library. With `--check` it only compares.

use anyhow::{Context, bail};
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/c");

fn main() -> anyhow::Result<()> {
    let check = match std::env::args().skip(1).collect::<Vec<_>>().as_slice() {
        [] => false,
        [option] if option == "--check" => true,
        other => bail!("unknown arguments {other:?}; expected nothing or --check"),
    };
    let folder = Path::new(FOLDER);
    let path = folder.join("include/bonebox.h");
    let header = header(folder)?;
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if old == header {
        return Ok(());
    }
    if check {
        bail!("{} differs from the Rust code; run `cargo xtask codegen`", path.display());
    }
    std::fs::write(&path, header).with_context(|| format!("cannot write {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

fn header(folder: &Path) -> anyhow::Result<String> {
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    // The other modules follow in the order of the `mod` lines in lib.rs.
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut text = Vec::new();
    builder.generate().context("cbindgen cannot read the C library")?.write(&mut text);
    Ok(without_inner_guards(&String::from_utf8(text)?))
}

/// cbindgen repeats the condition of an enum around each value of the enum.
fn without_inner_guards(header: &str) -> String {
    let mut open: Vec<&str> = Vec::new();
    let mut text = String::new();
    for line in header.lines() {
        let is_repeated = if line.starts_with("#if") {
            let is_repeated = open.contains(&line);
            open.push(line);
            is_repeated
        } else if line.starts_with("#endif") {
            open.pop().is_some_and(|guard| open.contains(&guard))
        } else {
            false
        };
        if !is_repeated {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}
