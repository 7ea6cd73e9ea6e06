//! Reads the buffers that a .gltf names, only from its own folder.

use skinned_model::{ResolveError, ResolveUri, percent_decoded};
use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Resolves relative URIs to files in one folder and its subfolders.
///
/// It refuses other schemes (`http:`, `file:`), absolute paths, `..`, symbolic links that lead out of the folder, and
/// everything that is not a regular file.
#[derive(Debug)]
pub struct FolderResolver {
    folder: PathBuf,
}

impl FolderResolver {
    /// Makes a resolver for URIs relative to `folder`.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder: PathBuf = folder.into();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        Self { folder }
    }

    /// Makes a resolver for the URIs in the file `asset`.
    #[must_use]
    pub fn beside(asset: &Path) -> Self {
        Self::new(asset.parent().unwrap_or(Path::new("")))
    }

    /// The path of the file with a URI, whether the file exists or not. `None` for URIs that are always refused.
    pub(crate) fn path_of(&self, uri: &str) -> Option<PathBuf> {
        Some(self.folder.join(relative_path(uri).ok()?))
    }

    /// The real path of the file for `uri`, which must be inside the folder even after following links.
    fn locate(&self, uri: &str) -> Result<PathBuf, ResolveError> {
        let path = self.folder.join(relative_path(uri)?);
        let file = canonical(&path, uri)?;
        if file.starts_with(canonical(&self.folder, uri)?) {
            return Ok(file);
        }
        Err(refused(uri, "it is a link that leads out of the asset's folder; expected a file inside the folder"))
    }
}

impl ResolveUri for FolderResolver {
    fn resolve(&self, uri: &str, max_bytes: u64) -> Result<Vec<u8>, ResolveError> {
        let path = self.locate(uri)?;
        let metadata = fs::metadata(&path).map_err(|error| unreadable(uri, &error))?;
        if !metadata.is_file() {
            return Err(refused(uri, "it does not name a regular file"));
        }
        if metadata.len() > max_bytes {
            return Err(ResolveError::TooLarge { uri: uri.to_owned(), found: metadata.len(), limit: max_bytes });
        }
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        let file = File::open(&path).map_err(|error| unreadable(uri, &error))?;
        // Reads one byte more than allowed, in case the file grows meanwhile.
        file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| unreadable(uri, &error))?;
        if bytes.len() as u64 > max_bytes {
            return Err(ResolveError::TooLarge { uri: uri.to_owned(), found: bytes.len() as u64, limit: max_bytes });
        }
        Ok(bytes)
    }
}

/// The path of a URI, which may only contain plain names. Backslashes count as slashes, because some exporters write
/// them.
pub(crate) fn relative_path(uri: &str) -> Result<PathBuf, ResolveError> {
    if let Some(scheme) = scheme(uri) {
        let reason = format!(
            "it has the scheme {scheme:?}, expected a path relative to the asset; download the file and name its relative path"
        );
        return Err(refused(uri, reason));
    }
    let decoded = percent_decoded(uri)?.replace('\\', "/");
    if decoded.starts_with('/') {
        return Err(refused(uri, "it is an absolute path; expected a path relative to the asset"));
    }
    let mut path = PathBuf::new();
    for name in decoded.split('/').filter(|name| !name.is_empty() && *name != ".") {
        if name == ".." {
            return Err(refused(uri, "it contains \"..\"; expected a file in the asset's folder or a subfolder"));
        }
        if name.contains([':', '\0']) {
            return Err(refused(uri, "a name in it has a colon or a NUL; expected plain file names"));
        }
        path.push(name);
    }
    if path.as_os_str().is_empty() {
        return Err(refused(uri, "it is empty; expected a file name"));
    }
    Ok(path)
}

/// Returns true if the URI depends on the folder of the file that contains it.
pub(crate) fn is_relative(uri: &str) -> bool {
    scheme(uri).is_none() && !uri.starts_with(['/', '\\'])
}

/// The text before a colon that comes before any slash (RFC 3986, section 3.1). A drive letter counts too.
fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme.then_some(scheme)
}

fn canonical(path: &Path, uri: &str) -> Result<PathBuf, ResolveError> {
    fs::canonicalize(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => ResolveError::NotFound { uri: uri.to_owned() },
        _ => unreadable(uri, &error),
    })
}

fn refused(uri: &str, reason: impl Into<String>) -> ResolveError {
    ResolveError::Refused { uri: uri.to_owned(), reason: reason.into() }
}

fn unreadable(uri: &str, error: &std::io::Error) -> ResolveError {
    ResolveError::Unreadable { uri: uri.to_owned(), problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("asset/buffers")).unwrap();
        fs::write(folder.path().join("asset/a b.bin"), b"12345").unwrap();
        fs::write(folder.path().join("asset/buffers/c.bin"), b"678").unwrap();
        fs::write(folder.path().join("secret.bin"), b"secret").unwrap();
        folder
    }

    #[test]
    fn files_in_the_folder_and_subfolders_are_read() {
        let folder = folder();
        let resolver = FolderResolver::beside(&folder.path().join("asset/model.gltf"));
        assert_eq!(resolver.resolve("a%20b.bin", 5).unwrap(), b"12345");
        assert_eq!(resolver.resolve("./a b.bin", 9).unwrap(), b"12345");
        assert_eq!(resolver.resolve("buffers\\c.bin", 9).unwrap(), b"678");
        assert_eq!(resolver.path_of("not%20there.bin"), Some(folder.path().join("asset/not there.bin")));
        assert_eq!(resolver.path_of("../secret.bin"), None);
    }

    #[test]
    fn files_outside_and_other_schemes_are_refused() {
        let folder = folder();
        let resolver = FolderResolver::new(folder.path().join("asset"));
        let secret = folder.path().join("secret.bin");
        let refused = [
            "../secret.bin",
            "%2e%2e/secret.bin",
            "buffers/../../secret.bin",
            "..\\secret.bin",
            "http://example.invalid/a.bin",
            "https://example.invalid/a.bin",
            "file:///etc/hostname",
            "FILE:secret.bin",
            "C:\\secret.bin",
            "a%00b.bin",
            "%ff.bin",
            "%4",
            "buffers",
            "",
            ".",
            secret.to_str().unwrap(),
        ];
        for uri in refused {
            let error = resolver.resolve(uri, 100).unwrap_err();
            assert!(matches!(error, ResolveError::Refused { .. }), "{uri}: {error}");
        }
    }

    #[test]
    fn missing_and_too_large_files_are_errors() {
        let folder = folder();
        let resolver = FolderResolver::new(folder.path().join("asset"));
        assert!(matches!(resolver.resolve("no.bin", 9), Err(ResolveError::NotFound { .. })));
        assert!(matches!(resolver.resolve("a b.bin/c", 9), Err(ResolveError::NotFound { .. })));
        let large = resolver.resolve("a%20b.bin", 4).unwrap_err();
        assert_eq!(large, ResolveError::TooLarge { uri: "a%20b.bin".into(), found: 5, limit: 4 });
    }

    #[cfg(unix)]
    #[test]
    fn links_may_stay_inside_but_not_lead_out() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        let asset = folder.path().join("asset");
        symlink(folder.path().join("secret.bin"), asset.join("out.bin")).unwrap();
        symlink(folder.path(), asset.join("up")).unwrap();
        symlink(asset.join("a b.bin"), asset.join("in.bin")).unwrap();
        let resolver = FolderResolver::new(&asset);
        assert_eq!(resolver.resolve("in.bin", 9).unwrap(), b"12345");
        for uri in ["out.bin", "up/secret.bin"] {
            assert!(matches!(resolver.resolve(uri, 100), Err(ResolveError::Refused { .. })), "{uri}");
        }
    }
}
