//! `export-readers OUT PATHS…` writes every export of every character in the paths into the folder OUT; see the
//! library.

use std::path::PathBuf;

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let out = arguments.next().ok_or_else(|| anyhow::anyhow!("usage: export-readers OUT PATHS…"))?;
    let paths: Vec<PathBuf> = arguments.collect();
    let written = export_readers::write(&out, &paths)?;
    println!(
        "{} characters exported to {}; {} cannot be baked",
        written.characters.len(),
        out.display(),
        written.refused
    );
    Ok(())
}
