//! Reads the bytes of buffers from the BIN chunk, data URIs and other files.

use crate::budget::Budget;
use crate::data_uri::{self, DataUriProblem};
use crate::document::Document;
use crate::document::view_compression::is_fallback;
use crate::error::ImportError;
use crate::resolve::ResolveUri;
use std::borrow::Cow;

/// The largest total size of all other files in bytes, far above any real character.
const MOST_EXTERNAL_BYTES: u64 = 1 << 30;

/// One entry per buffer, with the length that the document states. `None` if the file gives no bytes for the buffer.
pub(crate) type Buffers<'a> = Vec<Option<Cow<'a, [u8]>>>;

/// Reads the bytes of every buffer.
pub(crate) fn load<'a>(
    document: &Document,
    bin: Option<&'a [u8]>,
    resolver: &dyn ResolveUri,
    budget: &mut Budget,
) -> Result<Buffers<'a>, ImportError> {
    let mut external = 0;
    let mut buffers = Vec::with_capacity(document.buffers.len());
    for (index, buffer) in document.buffers.iter().enumerate() {
        let place = || document.buffer_place(index);
        let bytes = match (&buffer.uri, bin) {
            (Some(uri), _) => {
                let bytes = behind_uri(uri, resolver, &mut external, place)?;
                budget.add_data(bytes.len());
                Some(Cow::Owned(bytes))
            }
            (None, Some(bin)) if index == 0 && !is_fallback(buffer) => Some(Cow::Borrowed(bin)),
            _ => None,
        };
        buffers.push(bytes.map(|bytes| cut(bytes, buffer.byte_length.0, place)).transpose()?);
    }
    Ok(buffers)
}

/// Reads the bytes of a data URI, or asks the resolver for the bytes of another file. `external` counts the bytes of
/// other files.
fn behind_uri(
    uri: &str,
    resolver: &dyn ResolveUri,
    external: &mut u64,
    place: impl Fn() -> String,
) -> Result<Vec<u8>, ImportError> {
    if let Some(decoded) = data_uri::decode(uri) {
        let refused = |DataUriProblem { expected, found }| ImportError::DataUri { place: place(), expected, found };
        return decoded.map_err(refused);
    }
    let left = MOST_EXTERNAL_BYTES.saturating_sub(*external);
    let bytes = resolver.resolve(uri, left).map_err(|problem| ImportError::Buffer { place: place(), problem })?;
    *external += bytes.len() as u64;
    Ok(bytes)
}

/// Cuts the bytes to the stated length, because containers and files may be longer.
fn cut(bytes: Cow<'_, [u8]>, length: u64, place: impl FnOnce() -> String) -> Result<Cow<'_, [u8]>, ImportError> {
    let is_pointer = gltf_container::is_lfs_pointer(&bytes);
    if is_pointer || (bytes.len() as u64) < length {
        let (found, cure) = match is_pointer {
            true => ("a pointer of Git LFS".to_owned(), "run `git lfs pull`"),
            false => (bytes.len().to_string(), "the buffer was cut off or belongs to another file: export both again"),
        };
        return Err(ImportError::Malformed { place: place(), expected: format!("{length} bytes"), found, cure });
    }
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length as usize]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(length as usize);
            Cow::Owned(bytes)
        }
    })
}
