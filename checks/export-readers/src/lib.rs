//! What `bonebox export` writes, laid out for readers that are not ours.
//!
//! **In:** characters. **Out:** a folder with each of them in every form that is glTF, and a JSON with the corners of the
//! run time's boxes at rest and at some times of each clip. `tests/` beside this, for Node, holds the exports against
//! Khronos' validator, against schemas of the extensions, and against three.js: its nodes, its clips, the same corners.
//! `cargo xtask exports` runs both.
//!
//! ```no_run
//! export_readers::write("target/exports".as_ref(), &["assets".into()])?;
//! # Ok::<(), anyhow::Error>(())
//! ```
#![forbid(unsafe_code)]

mod expected;
mod meeting;

use anyhow::{Context as _, Result};
use baked_format::BakedCharacter;
use gltf_export::{CapsulePolicy, ExportForm, export};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The forms that are glTF.
const FORMS: [(&str, ExportForm); 4] =
    [("omi", ExportForm::Omi), ("khr", ExportForm::Khr), ("vrm", ExportForm::Vrm), ("wire", ExportForm::Wire)];

/// What [`write()`] wrote.
#[derive(Debug, Serialize)]
pub struct Written {
    /// In the order of the paths.
    pub characters: Vec<Exported>,
    /// Assets that do not bake: broken ones, those without a skin.
    pub refused: usize,
}

/// A character and its files.
#[derive(Debug, Serialize)]
pub struct Exported {
    /// Folder and file name.
    pub name: String,
    /// The asset; a .gltf's buffers lie beside it.
    pub source: PathBuf,
    /// What the exports warn of; every form says the same.
    pub warnings: Vec<String>,
    /// The file of each form.
    pub files: BTreeMap<&'static str, PathBuf>,
    /// The file with the run time's boxes.
    pub expected: PathBuf,
}

/// Bakes all assets below these paths with the options' defaults and writes their exports; `manifest.json` lists them.
///
/// # Errors
/// A path that is not there, a folder that cannot be written, an export that fails though the asset bakes.
pub fn write(out: &Path, paths: &[PathBuf]) -> Result<Written> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| format!("cannot empty {}", out.display()))?;
    }
    fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
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

/// The jab of the README: Runa strikes Bruno, where both are among the characters.
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
