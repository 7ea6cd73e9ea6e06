//! Finding assets and reading them.

use crate::folder_resolver::FolderResolver;
use anyhow::Context as _;
use skinned_model::{ResolveError, ResolveUri, SkinnedModel};
use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Endings of files that are baked.
pub const ENDINGS: [&str; 3] = ["glb", "gltf", "vrm"];

/// The assets below these paths: files as they are named, folders searched, sorted, none twice.
///
/// Hidden files and folders are passed over, and links to folders are not followed.
///
/// # Errors
/// A path that is not there, a folder that cannot be read.
pub fn find(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        let kind = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        if kind.is_dir() {
            search(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            let kind = entry.file_type().with_context(|| format!("cannot read {}", path.display()))?;
            if kind.is_dir() {
                folders.push(path);
            } else if has_ending(&path) {
                found.push(path);
            }
        }
    }
    Ok(())
}

fn has_ending(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The name of an asset's character: its file's, without folders and ending.
#[must_use]
pub fn name_of(asset: &Path) -> String {
    asset.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// An asset's bytes, before anything is made of them.
#[derive(Debug)]
pub struct Asset {
    /// Where it lies.
    pub path: PathBuf,
    /// Its file name without folders.
    pub file: String,
    /// Its file name without the ending: the character's name.
    pub name: String,
    bytes: Vec<u8>,
}

impl Asset {
    /// Reads the file, not yet the buffers it names.
    ///
    /// # Errors
    /// What the file system says, with the path.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let bytes = read_unchanged(path, |path| fs::read(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { path: path.to_owned(), file, name: name_of(path), bytes })
    }

    /// BLAKE3 of the file alone: of all that is read where it names no other files.
    #[must_use]
    pub fn own_hash(&self) -> [u8; 32] {
        *blake3::hash(&self.bytes).as_bytes()
    }

    /// The model, and BLAKE3 of all bytes read for it: the file, then the buffers in the order they were asked for.
    ///
    /// # Errors
    /// See [`skinned_model::ImportError`].
    pub fn import(&self) -> anyhow::Result<(SkinnedModel, [u8; 32])> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.bytes);
        let resolver = Recorder { resolver: FolderResolver::new(folder), hasher: RefCell::new(hasher) };
        let model = skinned_model::import(&self.bytes, &resolver)?;
        let hash = *resolver.hasher.borrow().finalize().as_bytes();
        Ok((model, hash))
    }
}

/// The file's bytes, unless another program writes it meanwhile: half of a file may look whole.
fn read_unchanged(path: &Path, read: impl FnOnce(&Path) -> io::Result<Vec<u8>>) -> anyhow::Result<Vec<u8>> {
    let stamp = || fs::metadata(path).and_then(|data| Ok((data.len(), data.modified()?)));
    let all = || -> io::Result<_> { Ok((stamp()?, read(path)?, stamp()?)) };
    let (before, bytes, after) = all().with_context(|| format!("cannot read {}", path.display()))?;
    anyhow::ensure!(before == after, "{} changed while it was read; bake again once it is written", path.display());
    Ok(bytes)
}

/// Hashes what passes through.
struct Recorder {
    resolver: FolderResolver,
    hasher: RefCell<blake3::Hasher>,
}

impl ResolveUri for Recorder {
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

    #[test]
    fn finds_assets_in_order_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b")).unwrap();
        fs::create_dir_all(root.join(".hidden")).unwrap();
        for file in ["z.GLB", "a.gltf", "b/c.vrm", "b/notes.txt", ".hidden/x.glb"] {
            fs::write(root.join(file), b"").unwrap();
        }
        let found = find(&[root.to_owned(), root.join("a.gltf")]).unwrap();
        assert_eq!(found, [root.join("a.gltf"), root.join("b/c.vrm"), root.join("z.GLB")]);
        let missing = find(&[root.join("no")]).unwrap_err();
        assert!(missing.to_string().contains("no"), "{missing}");
    }
}
