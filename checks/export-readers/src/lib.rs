//! Writes the exports of `bonebox export`, so that other programs can read and check them.
//!
//! The input is characters. The output is a folder with each character in every glTF form, and a JSON file with the
//! corners of the run time's boxes at rest and at some times of each clip. The folder `tests/` (for Node) checks the
//! exports with Khronos' validator, with schemas of the extensions, and with three.js, which must give the same corners
//! for all nodes and clips. `cargo xtask exports` runs both parts.
//!
//! ```no_run
//! export_readers::write("target/exports".as_ref(), &["assets".into()])?;
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]

mod expected;
mod meeting;
mod ragdolls;

use anyhow::{Context as _, Result};
use baked_format::BakedCharacter;
use gltf_export::{CapsulePolicy, ExportForm, export};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub use ragdolls::write_ragdolls;

/// The forms that are glTF files.
const FORMS: [(&str, ExportForm); 4] =
    [("omi", ExportForm::Omi), ("khr", ExportForm::Khr), ("vrm", ExportForm::Vrm), ("wire", ExportForm::Wire)];

/// The files that [`write()`] wrote.
#[derive(Debug, Serialize)]
pub struct Written {
    /// The characters, in the order of the paths.
    pub characters: Vec<Exported>,
    /// The number of assets that cannot be baked, because they are broken or have no skin.
    pub refused: usize,
}

/// A character and its files.
#[derive(Debug, Serialize)]
pub struct Exported {
    /// The folder and the name of its files.
    pub name: String,
    /// The path of the asset. The buffers of a .gltf are beside it.
    pub source: PathBuf,
    /// The warnings of the exports, which are the same for every form.
    pub warnings: Vec<String>,
    /// The file of each form.
    pub files: BTreeMap<&'static str, PathBuf>,
    /// The file with the boxes of the run time.
    pub expected: PathBuf,
}

/// Bakes all assets in these paths with the default options, and writes their exports. `manifest.json` lists the
/// exports.
///
/// # Errors
/// Returns an error if a path does not exist, the folder cannot be written, or the export of a baked asset fails.
pub fn write(out: &Path, paths: &[PathBuf]) -> Result<Written> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let mut written = Written { characters: Vec::new(), refused: 0 };
    for path in asset_bake::find_assets(paths)? {
        let Ok(character) = asset_bake::load_or_bake(&path, &Default::default()) else {
            written.refused += 1;
            continue;
        };
        let number = written.characters.len();
        let exported = write_one(&out.join(format!("{number:03}")), &path, character);
        written.characters.push(exported.with_context(|| path.display().to_string())?);
    }
    fs::write(out.join("manifest.json"), serde_json::to_vec(&written)?)?;
    write_meeting(out, &written)?;
    Ok(written)
}

/// Writes the jab of the README, in which Runa strikes Bruno, if both are among the characters.
fn write_meeting(out: &Path, written: &Written) -> Result<()> {
    let source = |name: &str| {
        let file = |one: &&Exported| one.source.file_name().is_some_and(|file| file == name);
        written.characters.iter().find(file).map(|one| one.source.as_path())
    };
    let (Some(runa), Some(bruno)) = (source("runa.glb"), source("bruno.glb")) else { return Ok(()) };
    let bake = |path| asset_bake::load_or_bake(path, &Default::default());
    let meeting = meeting::Meeting::new((bake(runa)?, "jab"), (bake(bruno)?, "idle"), 0.8)?;
    fs::write(out.join("meeting.json"), serde_json::to_vec(&meeting)?)?;
    Ok(())
}

fn write_one(stem: &Path, path: &Path, character: BakedCharacter) -> Result<Exported> {
    let source = std::path::absolute(path)?;
    let bytes = fs::read(path)?;
    let ending = if bytes.starts_with(b"glTF") { "glb" } else { "gltf" };
    let (mut files, mut warnings) = (BTreeMap::new(), Vec::new());
    for (word, form) in FORMS {
        let export = export(&character, &bytes, form, CapsulePolicy::EqualVolume)?;
        let file = stem.with_extension(format!("{word}.{ending}"));
        fs::write(&file, export.bytes)?;
        files.insert(word, std::path::absolute(file)?);
        warnings = export.warnings;
    }
    let expected = std::path::absolute(stem.with_extension("expected.json"))?;
    fs::write(&expected, serde_json::to_vec(&expected::Expected::new(character)?)?)?;
    let parts: Vec<_> = source.iter().rev().take(2).map(|part| part.to_string_lossy().into_owned()).collect();
    let name = parts.into_iter().rev().collect::<Vec<_>>().join("/");
    Ok(Exported { name, source, warnings, files, expected })
}
