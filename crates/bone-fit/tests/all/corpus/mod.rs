//! Compares bakes of real characters with the figures of an independent program.
mod animals;
mod coverage;
mod morphs;
mod oracle;
mod recipe;
mod round_shapes;
mod skin;

use bone_fit::{Bake, BakeOptions, bake};
use skinned_model::{ResolveError, ResolveUri, SkinnedModel, import};
use std::path::{Path, PathBuf};

/// Every character outside `malformed/`, with its name.
fn files() -> Vec<(String, PathBuf)> {
    let named = |path: PathBuf| (path.file_stem().unwrap().to_str().unwrap().to_owned(), path);
    let mut found: Vec<(String, PathBuf)> = ::corpus::characters().into_iter().map(named).collect();
    found.sort();
    found
}

/// Resolves files beside the file that is read.
struct Beside<'a>(&'a Path);

impl ResolveUri for Beside<'_> {
    fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        Ok(std::fs::read(self.0.join(uri)).unwrap())
    }
}

fn load(path: &Path) -> SkinnedModel {
    let model = import(&std::fs::read(path).unwrap(), &Beside(path.parent().unwrap()));
    model.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the model with this name.
fn named(name: &str) -> SkinnedModel {
    let (_, path) = files().into_iter().find(|(stem, _)| stem == name).unwrap_or_else(|| panic!("no {name}"));
    load(&path)
}

fn baked(model: &SkinnedModel, words: &[(&str, &str)]) -> Bake {
    let source = baked_format::Source { file: "corpus.glb".into(), blake3: [0; 32], generator: "test".into() };
    let options = BakeOptions::from_entries(words.iter().copied()).unwrap();
    bake(model, "corpus", source, &options).unwrap()
}
