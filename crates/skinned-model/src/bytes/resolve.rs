//! Where the bytes of buffers outside the file come from.

/// Gives the bytes behind a buffer's URI. The importer itself opens nothing.
///
/// `data:` URIs never get here.
pub trait ResolveUri {
    /// The bytes of `uri`, which stands here as in the file: still percent-encoded, relative to the file.
    ///
    /// # Errors
    /// Where the URI is refused, leads nowhere, or to more than `max_bytes`.
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError>;
}

/// A relative URI as text, `%20` and the like decoded; what resolvers need before they look at it.
///
/// # Errors
/// A percent sign without two hexadecimal digits, or bytes that are not UTF-8.
pub fn percent_decoded(uri: &str) -> Result<String, ResolveError> {
    let refused = |reason: String| ResolveError::Refused { uri: uri.to_owned(), reason };
    let bytes = crate::bytes::data_uri::percent(uri.as_bytes())
        .map_err(|problem| refused(format!("expected {}, found {:?}", problem.expected, problem.found)))?;
    String::from_utf8(bytes).map_err(|_| refused("it does not decode to UTF-8 text".to_owned()))
}

/// Refuses every URI: for bytes that must stand alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoExternalFiles;

impl ResolveUri for NoExternalFiles {
    fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let reason = "other files are not read here: pack the model as .glb".to_owned();
        Err(ResolveError::Refused { uri: uri.to_owned(), reason })
    }
}

/// Why a URI gave no bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// Not allowed: another host, another folder.
    #[error("its URI {} is refused: {reason}", crate::quote::quoted(.uri))]
    Refused {
        /// As in the file.
        uri: String,
        /// Why, and what is allowed.
        reason: String,
    },
    /// Nothing there.
    #[error("its file {} does not exist. Put it beside the .gltf, or export as .glb", crate::quote::quoted(.uri))]
    NotFound {
        /// As in the file.
        uri: String,
    },
    /// Too many bytes.
    #[error("its file {} has {found} bytes, expected at most {limit}. Split the asset", crate::quote::quoted(.uri))]
    TooLarge {
        /// As in the file.
        uri: String,
        /// What it has.
        found: u64,
        /// What it may have.
        limit: u64,
    },
    /// The file cannot be read.
    #[error("its file {} cannot be read: {problem}. Check its permissions", crate::quote::quoted(.uri))]
    Unreadable {
        /// As in the file.
        uri: String,
        /// What the system says.
        problem: String,
    },
}
