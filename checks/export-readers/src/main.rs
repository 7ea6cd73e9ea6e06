//! `export-readers OUT PATHS…` writes every export of every character in the paths into the folder OUT; see the
//! library. `export-readers --ragdolls OUT PATHS…` writes only those that hold ragdolls.

use std::path::{Path, PathBuf};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from).peekable();
    let only_ragdolls = arguments.next_if(|first| first == Path::new("--ragdolls")).is_some();
    let out = arguments.next().ok_or_else(|| anyhow::anyhow!("usage: export-readers [--ragdolls] OUT PATHS…"))?;
    let paths: Vec<PathBuf> = arguments.collect();
    let told = |[written, refused]: [usize; 2], what: &str| {
        println!("{written} {what} exported to {}; {refused} cannot be baked", out.display());
    };
    if !only_ragdolls {
        let written = export_readers::write(&out, &paths)?;
        told([written.characters.len(), written.refused], "characters");
    }
    told(export_readers::write_ragdolls(&out, &paths)?, "ragdolls");
    Ok(())
}
