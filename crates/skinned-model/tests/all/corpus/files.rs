//! The files of the corpus, with those beside them.

use skinned_model::{ImportError, ResolveError, ResolveUri, SkinnedModel, import};
use std::fs;
use std::path::Path;

/// Plain file names beside the asset; what the malformed files need and no more.
struct Beside<'a>(&'a Path);

impl ResolveUri for Beside<'_> {
    fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        if uri.contains(['/', ':', '\\']) {
            let reason = "only files beside the asset are read".to_owned();
            return Err(ResolveError::Refused { uri: uri.to_owned(), reason });
        }
        fs::read(self.0.join(uri)).map_err(|_| ResolveError::NotFound { uri: uri.to_owned() })
    }
}

pub(crate) fn import_file(path: &Path) -> Result<SkinnedModel, ImportError> {
    let bytes = fs::read(path).unwrap();
    import(&bytes, &Beside(path.parent().unwrap()))
}

/// The JSON part of a file, to look up what the model does not keep.
pub(crate) fn json(path: &Path) -> serde_json::Value {
    let bytes = fs::read(path).unwrap();
    let length = |bytes: &[u8]| u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json = if bytes.starts_with(b"glTF") { &bytes[20..20 + length(&bytes)] } else { &bytes[..] };
    serde_json::from_slice(json).unwrap()
}
