//! The bytes of buffers: from the BIN chunk, data URIs and files outside.

use crate::budget::Budget;
use crate::document::Document;
use crate::view_compression::is_fallback;
use crate::{ImportError, ResolveUri, data_uri};
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
        let bytes: Cow<'a, [u8]> = match (&buffer.uri, bin) {
            (Some(uri), _) => match data_uri::decode(uri) {
                Some(decoded) => Cow::Owned(decoded.map_err(|problem| ImportError::DataUri {
                    place: place(),
                    expected: problem.expected,
                    found: problem.found,
                })?),
                None => {
                    let bytes = resolver
                        .resolve(uri, MOST_EXTERNAL_BYTES - external)
                        .map_err(|source| ImportError::Buffer { place: place(), source })?;
                    external = (external + bytes.len() as u64).min(MOST_EXTERNAL_BYTES);
                    budget.add_input(bytes.len() as u64);
                    Cow::Owned(bytes)
                }
            },
            (None, Some(bin)) if index == 0 && !is_fallback(buffer) => Cow::Borrowed(bin),
            _ => {
                buffers.push(None);
                continue;
            }
        };
        buffers.push(Some(cut(bytes, buffer.byte_length.0, place)?));
    }
    Ok(buffers)
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
