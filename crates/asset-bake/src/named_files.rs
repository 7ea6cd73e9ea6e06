//! Copies the buffers and textures that an asset names, so that an export in another folder has them too.

use crate::AssetError;
use crate::asset::Asset;
use crate::atomic_file::{folder_of, replace_file};
use crate::folder_resolver::{FolderResolver, is_relative, relative_path};
use crate::place::folder_place;
use skinned_model::{ResolveError, ResolveUri};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The largest file that is copied, in bytes.
const LARGEST: u64 = 1 << 30;

/// Copies every file that `asset` names by a relative URI to the same place below `folder`, and returns the paths of
/// the copies, sorted. An export of the asset names the same files, so in `folder` it finds them all.
///
/// Files that are equal already are not copied, and so is every file if `folder` is the asset's own folder or does not
/// exist. Before the first copy, the function checks all files.
///
/// # Errors
/// Returns [`AssetError`] if a file does not exist, is not in the asset's folder, or has a name that begins with a dot;
/// if `folder` has another file in its place and `overwrite` is false; or if a copy cannot be written.
pub fn copy_named_files(asset: &Asset, folder: &Path, overwrite: bool) -> Result<Vec<PathBuf>, AssetError> {
    let is_own = folder_place(folder) == folder_place(folder_of(&asset.path));
    if is_own || !folder.is_dir() {
        return Ok(Vec::new());
    }
    let from = FolderResolver::beside(&asset.path);
    let mut copies = BTreeMap::new();
    for uri in gltf_export::named_files(&asset.gltf()?)?.into_iter().filter(|uri| is_relative(uri)) {
        let bytes = read(&from, &uri)?;
        let path = relative_path(&uri).and_then(|path| without_hidden_names(&uri, path)).map_err(not_copied)?;
        let target = folder.join(&path);
        match fs::symlink_metadata(&target).is_ok() {
            true if fs::read(&target).is_ok_and(|there| there == bytes) => {}
            true if !overwrite => {
                return Err(AssetError::OtherFile { target, source_file: folder_of(&asset.path).join(path) });
            }
            _ => drop(copies.insert(target, uri)),
        }
    }
    for (target, uri) in &copies {
        // Read again, because all files together may be large.
        let bytes = read(&from, uri)?;
        let folder = folder_of(target);
        fs::create_dir_all(folder).map_err(AssetError::file("create the folder", folder))?;
        replace_file(target, &bytes)?;
    }
    Ok(copies.into_keys().collect())
}

fn read(from: &FolderResolver, uri: &str) -> Result<Vec<u8>, AssetError> {
    from.resolve(uri, LARGEST).map_err(not_copied)
}

/// Refuses paths with hidden files and folders, because the asset of a stranger could bring settings of other programs.
fn without_hidden_names(uri: &str, path: PathBuf) -> Result<PathBuf, ResolveError> {
    if path.iter().any(|name| name.to_string_lossy().starts_with('.')) {
        let reason = "a name in it begins with a dot; expected files that are not hidden".to_owned();
        return Err(ResolveError::Refused { uri: uri.to_owned(), reason });
    }
    Ok(path)
}

fn not_copied(problem: ResolveError) -> AssetError {
    AssetError::NotCopied { problem }
}
