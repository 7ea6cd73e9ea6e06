//! The bytes of buffers: from the BIN chunk, data URIs and files outside.

use crate::budget::Budget;
use crate::bytes::data_uri::{self, DataUriProblem};
use crate::bytes::resolve::ResolveUri;
use crate::document::Document;
use crate::document::view_compression::is_fallback;
use crate::error::ImportError;
use std::borrow::Cow;

/// All files outside together; far above any real character.
const MOST_EXTERNAL_BYTES: u64 = 1 << 30;

/// One entry per buffer, of the length the document states; `None` where nobody gives its bytes.
pub(crate) type Buffers<'a> = Vec<Option<Cow<'a, [u8]>>>;

/// Gets every buffer's bytes.
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

/// The bytes in a data URI, or those the resolver gives; `external` counts the latter.
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
    let bytes = resolver.resolve(uri, left).map_err(|source| ImportError::Buffer { place: place(), source })?;
    *external += bytes.len() as u64;
    Ok(bytes)
}

/// The stated length; containers and files may be longer.
fn cut(bytes: Cow<'_, [u8]>, length: u64, place: impl FnOnce() -> String) -> Result<Cow<'_, [u8]>, ImportError> {
    if (bytes.len() as u64) < length {
        return Err(ImportError::Malformed {
            place: place(),
            expected: format!("{length} bytes"),
            found: format!("{}", bytes.len()),
            cure: "The buffer was cut off or belongs to another file: export both again",
        });
    }
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length as usize]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(length as usize);
            Cow::Owned(bytes)
        }
    })
}
