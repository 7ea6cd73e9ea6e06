//! Reads one asset and the buffers that it names.

use crate::AssetError;
use crate::find::{character_name, is_baked_file};
use crate::folder_resolver::FolderResolver;
use crate::stamp::{Stamp, read_unchanged};
use skinned_model::{CharacterRoot, ImportError, ResolveError, ResolveUri, SkinnedModel};
use std::borrow::Cow;
use std::cell::RefCell;
use std::fs;
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
    stamp: Stamp,
}

impl Asset {
    /// Reads the file, but not the buffers that it names.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the file cannot be read, or changes while it is read.
    pub fn open(path: &Path) -> Result<Self, AssetError> {
        let (bytes, stamp) = read_unchanged(path, |path| fs::read(path))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { path: path.to_owned(), file, name: character_name(path), bytes, stamp })
    }

    /// The bytes of the file, without its buffers in other files.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The glTF of the asset, without its buffers in other files: the bytes of the file, or what an FBX file is converted to.
    ///
    /// # Errors
    /// Returns [`AssetError`] if an FBX file cannot be converted.
    pub fn gltf(&self) -> Result<Cow<'_, [u8]>, AssetError> {
        Ok(skinned_model::gltf_bytes(&self.bytes)?)
    }

    /// The BLAKE3 hash of the file alone. If the file names no other files, this is the source hash of its bake.
    pub(crate) fn own_hash(&self) -> [u8; 32] {
        *blake3::hash(&self.bytes).as_bytes()
    }

    /// Imports the model, without boxes that an export has added to the file. Also returns the source hash: the BLAKE3
    /// hash of all bytes read, first the file, then the buffers in the order in which the importer reads them.
    ///
    /// # Errors
    /// Returns [`AssetError`] with the [`skinned_model::ImportError`] of the file, or if the file or a buffer has
    /// changed since it was read.
    pub fn import(&self) -> Result<(SkinnedModel, [u8; 32]), AssetError> {
        self.import_part(None)
    }

    /// Imports one of several characters, or the whole asset, as [`Asset::import`] does. The hash is that of the whole
    /// asset.
    ///
    /// # Errors
    /// Returns the errors of [`Asset::import`].
    pub fn import_part(&self, root: Option<&CharacterRoot>) -> Result<(SkinnedModel, [u8; 32]), AssetError> {
        let is_box = &gltf_export::is_exported_box;
        self.import_by(|bytes, resolver| match root {
            None => skinned_model::import_ignoring(bytes, resolver, is_box),
            Some(root) => skinned_model::import_character(bytes, resolver, is_box, root.node),
        })
    }

    /// Imports the animations of the file, which need not have a skin ([`skinned_model::import_motion`]).
    ///
    /// # Errors
    /// Returns the errors of [`Asset::import`].
    pub(crate) fn import_motion(&self) -> Result<(SkinnedModel, [u8; 32]), AssetError> {
        self.import_by(|bytes, resolver| skinned_model::import_motion(bytes, resolver))
    }

    fn import_by(
        &self,
        import: impl FnOnce(&[u8], &dyn ResolveUri) -> Result<SkinnedModel, ImportError>,
    ) -> Result<(SkinnedModel, [u8; 32]), AssetError> {
        self.import_with(import, |resolver, uri, max_bytes| resolver.resolve(uri, max_bytes))
    }

    /// Imports the model. `read` reads each buffer with the resolver.
    fn import_with(
        &self,
        import: impl FnOnce(&[u8], &dyn ResolveUri) -> Result<SkinnedModel, ImportError>,
        read: impl Fn(&FolderResolver, &str, u64) -> Result<Vec<u8>, ResolveError>,
    ) -> Result<(SkinnedModel, [u8; 32]), AssetError> {
        let files = RefCell::new(vec![(self.path.clone(), self.stamp)]);
        let stamping = StampingResolver { resolver: FolderResolver::beside(&self.path), read, files };
        let (model, hash) = import_hashed(&self.bytes, &stamping, import);
        // Checked at the end and before an error of the import, so that all files are of one moment: an exporter may be
        // writing the next file while the first one is read, and half a file is often a damaged file.
        let mut files = stamping.files.into_inner().into_iter();
        if let Some((path, _)) = files.find(|(path, stamp)| stamp.is_stale(path)) {
            return Err(AssetError::ChangedWhileRead { path });
        }
        let model = model.map_err(|error| self.named_by_mistake().unwrap_or_else(|| self.expected(error).into()))?;
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

    /// The error of a file that is neither FBX nor glTF, with the format that the file's name promises.
    fn expected(&self, error: ImportError) -> ImportError {
        #[cfg(feature = "fbx")]
        if let ImportError::Container(skinned_model::ContainerError::NotGltf { found }) = &error
            && crate::find::is_fbx_file(&self.path)
        {
            return skinned_model::FbxError::NotFbx { found: found.clone() }.into();
        }
        error
    }

    /// The paths of the files that the asset names as buffers, whether they exist or not. The list is empty if the file
    /// cannot be parsed.
    #[must_use]
    pub fn buffer_paths(&self) -> Vec<PathBuf> {
        let resolver = FolderResolver::beside(&self.path);
        skinned_model::external_buffers(&self.bytes).iter().filter_map(|uri| resolver.path_of(uri)).collect()
    }
}

/// Imports a model. Also returns the source hash: the BLAKE3 hash of all bytes read, first the file, then the buffers in the
/// order in which the importer reads them.
pub(crate) fn import_hashed(
    bytes: &[u8],
    resolver: &dyn ResolveUri,
    import: impl FnOnce(&[u8], &dyn ResolveUri) -> Result<SkinnedModel, ImportError>,
) -> (Result<SkinnedModel, ImportError>, [u8; 32]) {
    let mut hasher = blake3::Hasher::new();
    hasher.update(bytes);
    let hashing = HashingResolver { resolver, hasher: RefCell::new(hasher) };
    let model = import(bytes, &hashing);
    (model, *hashing.hasher.into_inner().finalize().as_bytes())
}

/// Hashes every buffer that it resolves.
struct HashingResolver<'a> {
    resolver: &'a dyn ResolveUri,
    hasher: RefCell<blake3::Hasher>,
}

impl ResolveUri for HashingResolver<'_> {
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let bytes = self.resolver.resolve(uri, max_bytes)?;
        self.hasher.borrow_mut().update(&bytes);
        Ok(bytes)
    }
}

/// Resolves buffers in the asset's folder, and keeps the stamp that each file had before.
struct StampingResolver<R> {
    resolver: FolderResolver,
    read: R,
    files: RefCell<Vec<(PathBuf, Stamp)>>,
}

impl<R: Fn(&FolderResolver, &str, u64) -> Result<Vec<u8>, ResolveError>> ResolveUri for StampingResolver<R> {
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let path = self.resolver.path_of(uri);
        let file = path.and_then(|path| Stamp::of_file(&path).ok().map(|stamp| (path, stamp)));
        let bytes = (self.read)(&self.resolver, uri, max_bytes)?;
        self.files.borrow_mut().extend(file);
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Imports an asset with the buffer `man.bin`, and writes a file after the buffer was read.
    fn import_while_written(name: &str, content: impl Fn(Vec<u8>) -> Vec<u8>) -> Result<(), AssetError> {
        let folder = tempfile::tempdir().unwrap();
        let (path, man) = (folder.path().join("man.gltf"), test_models::box_man().to_gltf());
        fs::write(&path, man.to_separate("man.bin")).unwrap();
        fs::write(folder.path().join("man.bin"), &man.bin).unwrap();
        let imported = Asset::open(&path)?.import_with(skinned_model::import, |resolver, uri, max_bytes| {
            let bytes = resolver.resolve(uri, max_bytes);
            let written = folder.path().join(name);
            fs::write(&written, content(fs::read(&written).unwrap_or_default())).unwrap();
            bytes
        });
        imported.map(|_| ())
    }

    #[test]
    fn an_asset_whose_files_change_while_they_are_read_is_refused() {
        import_while_written("notes.txt", |bytes| bytes).unwrap();
        for name in ["man.bin", "man.gltf"] {
            let error = import_while_written(name, |bytes| [bytes, vec![0; 4]].concat()).unwrap_err().to_string();
            assert!(error.contains(&format!("{name} changed while it was read")), "{error}");
        }
    }

    #[cfg(feature = "fbx")]
    #[test]
    fn an_fbx_file_gives_the_hitboxes_of_its_gltf() {
        let folder = tempfile::tempdir().unwrap();
        let man = test_models::box_man();
        fs::write(folder.path().join("gltf.glb"), man.to_glb()).unwrap();
        // Centimeters, as Maya and Mixamo write them.
        let fbx = test_models::Fbx { unit: 1.0, ..test_models::Fbx::default() };
        fs::write(folder.path().join("fbx.fbx"), fbx.binary(&man)).unwrap();
        let bake = |file| crate::load_or_bake(&folder.path().join(file), &crate::RequestedSettings::default()).unwrap();
        let (found, expected) = (bake("fbx.fbx"), bake("gltf.glb"));
        assert_eq!(found.boxes.len(), 11);
        for a in &found.boxes {
            let name = &found.skeleton.joint(a.joint).name;
            let b = expected.boxes.iter().find(|b| expected.skeleton.joint(b.joint).name == *name).unwrap();
            assert!((a.center - b.center).length() < 1e-6, "{name}: {} {}", a.center, b.center);
            assert!((a.half_extents - b.half_extents).length() < 1e-6, "{name}");
        }
        let written = Asset::open(&folder.path().join("fbx.fbx")).unwrap();
        assert_eq!(found.source.blake3, written.own_hash(), "the hash is that of the file");
        assert!(written.gltf().unwrap().starts_with(b"glTF"));
        assert!(written.buffer_paths().is_empty());
    }

    #[cfg(feature = "fbx")]
    #[test]
    fn a_file_that_is_no_fbx_is_told_what_its_name_promises() {
        let folder = tempfile::tempdir().unwrap();
        let error = |file: &str, bytes: &[u8]| {
            let path = folder.path().join(file);
            fs::write(&path, bytes).unwrap();
            Asset::open(&path).unwrap().import().unwrap_err().to_string()
        };
        assert!(error("a.fbx", b"").starts_with("this is not FBX: expected a file that begins with"));
        assert!(error("a.fbx", b"what").contains("found the bytes what"));
        assert!(error("a.glb", b"what").starts_with("this is not glTF"));
        assert!(error("a.FBX", b"Kaydara FBX Binary  \0").contains("the file is damaged or incomplete"));
        // The content decides: a glTF with the wrong name is read.
        let path = folder.path().join("b.fbx");
        fs::write(&path, test_models::box_man().to_glb()).unwrap();
        Asset::open(&path).unwrap().import().unwrap();
    }

    /// A buffer that is half written when it is read is damaged, and the error names the cause.
    #[test]
    fn a_change_is_named_before_the_damage_that_it_did() {
        let folder = tempfile::tempdir().unwrap();
        let (path, man) = (folder.path().join("man.gltf"), test_models::box_man().to_gltf());
        fs::write(&path, man.to_separate("man.bin")).unwrap();
        let buffer = folder.path().join("man.bin");
        fs::write(&buffer, &man.bin[..man.bin.len() / 2]).unwrap();
        let whole = |resolver: &FolderResolver, uri: &str, max_bytes| {
            let half = resolver.resolve(uri, max_bytes);
            fs::write(&buffer, &man.bin).unwrap();
            half
        };
        let error = Asset::open(&path).unwrap().import_with(skinned_model::import, whole).unwrap_err();
        assert!(matches!(error, AssetError::ChangedWhileRead { .. }), "{error}");
    }
}
