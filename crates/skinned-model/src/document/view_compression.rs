//! The JSON of buffer views that are compressed by EXT_meshopt_compression or KHR_meshopt_compression.

use crate::document::Document;
use crate::error::ImportError;
use gltf::json::extensions;
use serde::Deserialize;

/// The two names of the extension. KHR_meshopt_compression includes everything in EXT_meshopt_compression and adds
/// newer codecs.
const NAMES: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The compression of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Compression {
    /// The buffer with the compressed bytes.
    pub(crate) buffer: usize,
    #[serde(rename = "byteOffset", default)]
    pub(crate) offset: u64,
    #[serde(rename = "byteLength")]
    pub(crate) length: u64,
    /// The size of a decompressed element, in bytes.
    #[serde(rename = "byteStride")]
    pub(crate) stride: u64,
    /// The number of elements.
    pub(crate) count: u64,
    pub(crate) mode: Mode,
    #[serde(default)]
    pub(crate) filter: Filter,
}

/// The codec of a compressed buffer view, as EXT_meshopt_compression names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Mode {
    Attributes,
    Triangles,
    Indices,
}

/// The filter that runs after decompression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Filter {
    #[default]
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

impl Compression {
    /// The compression of a view; `None` if it is not compressed.
    pub(crate) fn of(document: &Document, view: usize) -> Result<Option<Self>, ImportError> {
        let Some(extensions::buffer::View { others }) = &document.buffer_views[view].extensions else {
            return Ok(None);
        };
        let Some((name, value)) = NAMES.iter().find_map(|name| others.get_key_value(*name)) else { return Ok(None) };
        Self::deserialize(value).map(Some).map_err(|error| ImportError::Malformed {
            place: format!("{}, {name}", document.view_place(view)),
            expected: "the members of that extension".to_owned(),
            found: error.to_string(),
            cure: "compress the file again, or export it uncompressed",
        })
    }
}

/// Returns true if a buffer is only a placeholder for decompressed data and has no bytes of its own.
pub(crate) fn is_fallback(buffer: &gltf::json::Buffer) -> bool {
    let Some(extensions::buffer::Buffer { others }) = &buffer.extensions else { return false };
    NAMES.iter().any(|name| others.get(*name).and_then(|value| value.get("fallback")).is_some_and(|it| it == true))
}
