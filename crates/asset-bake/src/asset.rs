//! Reads one asset and the buffers that it names.

use crate::AssetError;
use crate::find::{character_name, is_baked_file};
use crate::folder_resolver::FolderResolver;
use skinned_model::{ResolveError, ResolveUri, SkinnedModel};
use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The bytes of an asset's file, before they are imported.
#[derive(Debug)]
pub struct Asset {
    /// The path of the asset.
    pub path: PathBuf,
    /// The file name without folders.
    pub file: String,
    /// The file name without folders and extension, which is the character's name.
    pub name: String,
    bytes: Vec<u8>,
}

impl Asset {
    /// Reads the file, but not the buffers that it names.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the file cannot be read, or changes while it is read.
    pub fn open(path: &Path) -> Result<Self, AssetError> {
        let bytes = read_unchanged(path, |path| fs::read(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { path: path.to_owned(), file, name: character_name(path), bytes })
    }

    /// The bytes of the file, without its buffers in other files.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The BLAKE3 hash of the file alone. If the file names no other files, this is the source hash of its bake.
    #[must_use]
    pub fn own_hash(&self) -> [u8; 32] {
        *blake3::hash(&self.bytes).as_bytes()
    }

    /// Imports the model, without boxes that an export has added to the file. Also returns the source hash: the BLAKE3
    /// hash of all bytes read, first the file, then the buffers in the order in which the importer reads them.
    ///
    /// # Errors
    /// Returns [`AssetError`] with the [`skinned_model::ImportError`] of the file.
    pub fn import(&self) -> Result<(SkinnedModel, [u8; 32]), AssetError> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.bytes);
        let resolver = HashingResolver { resolver: FolderResolver::beside(&self.path), hasher: RefCell::new(hasher) };
        let model = skinned_model::import_ignoring(&self.bytes, &resolver, &gltf_export::is_exported_box);
        let model = model.map_err(|error| self.named_by_mistake().unwrap_or(AssetError::Import(error)))?;
        let hash = *resolver.hasher.borrow().finalize().as_bytes();
        Ok((model, hash))
    }

    /// The error of a file that is not an asset, but was written by a bake.
    fn named_by_mistake(&self) -> Option<AssetError> {
        if let Some(binary) = self.file.strip_suffix(".json").filter(|binary| is_baked_file(Path::new(binary))) {
            return Some(AssetError::BakedJson { binary: binary.to_owned() });
        }
        let baked = baked_format::read(&self.bytes).ok()?;
        Some(AssetError::BakedInPlaceOfAsset { source_file: baked.source.file })
    }

    /// The paths of the files that the asset names as buffers, whether they exist or not. The list is empty if the file
    /// cannot be parsed.
    #[must_use]
    pub fn buffer_paths(&self) -> Vec<PathBuf> {
        let resolver = FolderResolver::beside(&self.path);
        skinned_model::external_buffers(&self.bytes).iter().filter_map(|uri| resolver.path_of(uri)).collect()
    }
}

/// Reads the file, and refuses it if its size or its time of modification changed meanwhile, because half of a file may
/// look like a complete file.
fn read_unchanged(path: &Path, read: impl FnOnce(&Path) -> io::Result<Vec<u8>>) -> Result<Vec<u8>, AssetError> {
    let stamp = || fs::metadata(path).and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
    let all = || -> io::Result<_> { Ok((stamp()?, read(path)?, stamp()?)) };
    let (before, bytes, after) = all().map_err(AssetError::file("read", path))?;
    if before == after { Ok(bytes) } else { Err(AssetError::ChangedWhileRead { path: path.to_owned() }) }
}

/// Resolves buffers, and hashes every buffer that it reads.
struct HashingResolver {
    resolver: FolderResolver,
    hasher: RefCell<blake3::Hasher>,
}

impl ResolveUri for HashingResolver {
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let bytes = self.resolver.resolve(uri, max_bytes)?;
        self.hasher.borrow_mut().update(&bytes);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_while_it_is_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        fs::write(&path, b"half").unwrap();
        assert_eq!(read_unchanged(&path, |path| fs::read(path)).unwrap(), b"half");
        let changed = read_unchanged(&path, |path| {
            let bytes = fs::read(path);
            fs::write(path, b"half and half")?;
            bytes
        });
        let error = changed.unwrap_err().to_string();
        assert!(error.contains("a.glb changed while it was read"), "{error}");
    }
}
