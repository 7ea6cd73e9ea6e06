//! Prints the table of `docs/accuracy.md` for some characters: how large boxes are, and what they hold.
//!
//! `cargo run --release -p bone-fit --example accuracy -- KNIGHT.glb FOX.glb …`

use baked_format::Source;
use bone_fit::{BakeOptions, bake};
use skinned_model::{NoExternalFiles, SkinnedModel, import};
use std::error::Error;

const ROWS: [(&str, &[(&str, &str)]); 7] = [
    ("`recipe`", &[]),
    ("`fit = min-volume`", &[("fit", "min-volume")]),
    ("and `bridge = surface`", &[("fit", "min-volume"), ("bridge", "surface")]),
    ("`tight`, but `poses = bind`", &[("preset", "tight"), ("poses", "bind")]),
    ("`tight`", &[("preset", "tight")]),
    ("`cover`", &[("preset", "cover")]),
    ("`cover`, `budget = 2`", &[("preset", "cover"), ("budget", "2")]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let read =
        |path: String| -> Result<SkinnedModel, Box<dyn Error>> { Ok(import(&std::fs::read(path)?, &NoExternalFiles)?) };
    let models = std::env::args().skip(1).map(read).collect::<Result<Vec<SkinnedModel>, _>>()?;
    println!("| boxes | per joint | volume / min | surface rest / clips | escape |\n|---|---|---|---|---|");
    for (name, words) in ROWS {
        let mut mean = [0.0; 5];
        for model in &models {
            for (sum, figure) in mean.iter_mut().zip(figures(model, words)?) {
                *sum += figure / models.len() as f64;
            }
        }
        let [boxes, volume, rest, clips, escape] = mean;
        println!("| {name} | {boxes:.2} | {volume:.3} | {rest:.2} / {clips:.2} | {escape:.2} |");
    }
    Ok(())
}

/// Boxes for each joint with vertices, volume over that of the smallest boxes around them, and coverage in per cent.
fn figures(model: &SkinnedModel, words: &[(&str, &str)]) -> Result<[f64; 5], Box<dyn Error>> {
    let source = Source { file: String::new(), blake3: [0; 32], generator: String::new() };
    let mut options = BakeOptions::from_entries(words.iter().copied())?;
    options.set("attachments", "skip")?;
    let least_options =
        BakeOptions::from_entries([("attachments", "skip"), ("fit", "min-volume"), ("measure", "none")])?;
    let least = bake(model, "", source.clone(), &least_options)?.report;
    let report = bake(model, "", source, &options)?.report;
    let measured = report.measured.ok_or("not measured")?;
    Ok([
        report.boxes.len() as f64 / least.boxes.len() as f64,
        report.total.volume / least.total.volume,
        100.0 * measured.surface_rest,
        100.0 * measured.surface_clips,
        100.0 * measured.max_escape,
    ])
}
