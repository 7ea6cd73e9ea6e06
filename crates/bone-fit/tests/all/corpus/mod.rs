//! Real characters against figures that an independent program found.
//!
//! Skipped with a line where the corpus is not beside the workspace.
mod coverage;
mod oracle;
mod recipe;

use bone_fit::{Bake, BakeOptions, bake};
use skinned_model::{ResolveError, ResolveUri, SkinnedModel, import};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus")
}

/// Every file that names no others, with its name; none where there is no corpus.
fn files() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    for sub in ["gdquest", "kaykit", "khronos", "quaternius", "robot", "suite", "variants"] {
        let Ok(entries) = std::fs::read_dir(folder().join(sub)) else {
            println!("skipped: no corpus at {}", folder().display());
            return Vec::new();
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            if ["glb", "gltf", "vrm"].contains(&ending) {
                found.push((path.file_stem().unwrap().to_str().unwrap().to_owned(), path));
            }
        }
    }
    found.sort();
    found
}

/// Files beside the one that is read.
struct Beside<'a>(&'a Path);

impl ResolveUri for Beside<'_> {
    fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        Ok(std::fs::read(self.0.join(uri)).unwrap())
    }
}

/// The model, unless it needs what we refuse by name (compression).
fn load(path: &Path) -> Option<SkinnedModel> {
    match import(&std::fs::read(path).unwrap(), &Beside(path.parent().unwrap())) {
        Ok(model) => Some(model),
        Err(error) => {
            println!("{}: {error}", path.display());
            None
        }
    }
}

/// The model of that name; `None` where there is no corpus.
fn named(name: &str) -> Option<SkinnedModel> {
    let (_, path) = files().into_iter().find(|(stem, _)| stem == name)?;
    load(&path)
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Bake {
    let source = baked_format::Source { file: "corpus.glb".into(), blake3: [0; 32], generator: "test".into() };
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    bake(model, "corpus", source, &options).unwrap()
}
