//! The interface through which the program gives the bytes of buffers in other files.

/// Gives the importer the bytes of buffers in other files. The importer itself opens no file.
///
/// The importer decodes `data:` URIs itself and does not pass them to the resolver.
pub trait ResolveUri {
    /// Returns the bytes of `uri`. The URI is relative to the glTF file and still percent-encoded, as in the file.
    ///
    /// # Errors
    /// Returns [`ResolveError`] if the URI is refused, the file does not exist or cannot be read, or it has more than
    /// `max_bytes` bytes.
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError>;
}

/// Decodes the percent-encoding of a relative URI (`%20` becomes a space). Resolvers need the decoded text.
///
/// # Errors
/// Returns [`ResolveError::Refused`] if a percent sign is not followed by two hexadecimal digits, or the bytes are not
/// UTF-8.
pub fn percent_decoded(uri: &str) -> Result<String, ResolveError> {
    let refused = |reason: String| ResolveError::Refused { uri: uri.to_owned(), reason };
    let bytes = crate::data_uri::percent(uri.as_bytes())
        .map_err(|problem| refused(format!("expected {}, found {:?}", problem.expected, problem.found)))?;
    String::from_utf8(bytes).map_err(|_| refused("the decoded text is not UTF-8".to_owned()))
}

/// A resolver that refuses every URI, for files without external buffers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoExternalFiles;

impl ResolveUri for NoExternalFiles {
    fn resolve(&self, uri: &str, _max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let reason = "other files are not read; export the model as .glb".to_owned();
        Err(ResolveError::Refused { uri: uri.to_owned(), reason })
    }
}

/// The reason why a resolver returned no bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The URI is not allowed: it names another host or a folder outside the allowed one.
    #[error("its URI {} is refused: {reason}", crate::quote::quoted(.uri))]
    Refused {
        /// The URI as in the file.
        uri: String,
        /// The reason why the URI is refused, and the URIs that are allowed.
        reason: String,
    },
    /// The file does not exist.
    #[error("its file {} does not exist; put it beside the .gltf, or export as .glb", crate::quote::quoted(.uri))]
    NotFound {
        /// The URI as in the file.
        uri: String,
    },
    /// The file has too many bytes.
    #[error("its file {} has {found} bytes, expected at most {limit}; split the asset", crate::quote::quoted(.uri))]
    TooLarge {
        /// The URI as in the file.
        uri: String,
        /// The file's size in bytes.
        found: u64,
        /// The largest allowed size in bytes.
        limit: u64,
    },
    /// The file exists but cannot be read.
    #[error("its file {} cannot be read: {problem}; check its permissions", crate::quote::quoted(.uri))]
    Unreadable {
        /// The URI as in the file.
        uri: String,
        /// The error message of the operating system.
        problem: String,
    },
}
