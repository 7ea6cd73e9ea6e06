//! Finding assets in folders.

use crate::AssetError;
use std::fs;
use std::path::{Path, PathBuf};

/// Extensions of files that are baked, in lower case; files may spell them in any case.
pub const ASSET_EXTENSIONS: [&str; 3] = ["glb", "gltf", "vrm"];

/// Returns the assets at these paths: files as they are named and all assets in folders and below, sorted, each once.
///
/// Hidden files and folders are ignored, and links to folders are not followed.
///
/// # Errors
/// A path that does not exist, or a folder that cannot be read.
pub fn find_assets(paths: &[PathBuf]) -> Result<Vec<PathBuf>, AssetError> {
    let mut found = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(AssetError::file("read", path))?;
        if metadata.is_dir() {
            search(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// Returns the name of an asset's character: the file name without folders and extension.
#[must_use]
pub fn character_name(asset: &Path) -> String {
    asset.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns whether the file name ends in `.bonebox`, in any case.
#[must_use]
pub fn is_baked_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bonebox"))
}

fn search(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), AssetError> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(AssetError::file("list", &folder))? {
            let entry = entry.map_err(AssetError::file("list", &folder))?;
            if entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            let path = entry.path();
            let kind = entry.file_type().map_err(AssetError::file("read", &path))?;
            if kind.is_dir() {
                folders.push(path);
            } else if has_asset_extension(&path) {
                found.push(path);
            }
        }
    }
    Ok(())
}

fn has_asset_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ASSET_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_assets_in_order_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b")).unwrap();
        fs::create_dir_all(root.join(".hidden")).unwrap();
        for file in ["z.GLB", "a.gltf", "b/c.vrm", "b/notes.txt", ".hidden/x.glb"] {
            fs::write(root.join(file), b"").unwrap();
        }
        let found = find_assets(&[root.to_owned(), root.join("a.gltf")]).unwrap();
        assert_eq!(found, [root.join("a.gltf"), root.join("b/c.vrm"), root.join("z.GLB")]);
        let missing = find_assets(&[root.join("no")]).unwrap_err();
        assert!(missing.to_string().contains("no"), "{missing}");
    }
}
