//! The files of the corpus, and a resolver for the files beside them.

use skinned_model::{ImportError, ResolveError, ResolveUri, SkinnedModel, import};
use std::fs;
use std::path::Path;

/// Resolves plain file names in the asset's folder, which is all that the malformed files need.
struct Beside<'a>(&'a Path);

impl ResolveUri for Beside<'_> {
    fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        if uri.contains(['/', ':', '\\']) {
            let reason = "only files in the asset's folder are read".to_owned();
            return Err(ResolveError::Refused { uri: uri.to_owned(), reason });
        }
        fs::read(self.0.join(uri)).map_err(|_| ResolveError::NotFound { uri: uri.to_owned() })
    }
}

pub(crate) fn import_file(path: &Path) -> Result<SkinnedModel, ImportError> {
    let bytes = fs::read(path).unwrap();
    import(&bytes, &Beside(path.parent().unwrap()))
}

/// The JSON part of a file, for values that the model does not keep.
pub(crate) fn json(path: &Path) -> serde_json::Value {
    let bytes = fs::read(path).unwrap();
    let length = |bytes: &[u8]| u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json = if bytes.starts_with(b"glTF") { &bytes[20..20 + length(&bytes)] } else { &bytes[..] };
    serde_json::from_slice(json).unwrap()
}
