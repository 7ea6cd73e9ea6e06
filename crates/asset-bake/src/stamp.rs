//! The size and the time of a file, which show a change of the file without reading it.

use crate::AssetError;
use std::path::Path;
use std::time::SystemTime;
use std::{fs, io};

/// The size and the time of modification of a file. A program that writes the file changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: SystemTime,
}

impl Stamp {
    /// The present stamp of a regular file. Reading a pipe or a device could take forever, so these are errors.
    pub(crate) fn of_file(path: &Path) -> io::Result<Self> {
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a regular file; name a file that can be read to its end"));
        }
        Ok(Self { bytes: metadata.len(), modified: metadata.modified()? })
    }

    /// Returns true if the file has changed since this stamp was taken, or is gone.
    pub(crate) fn is_stale(self, path: &Path) -> bool {
        Self::of_file(path).ok() != Some(self)
    }
}

/// Reads a regular file and returns its stamp, too. A file whose stamp changes meanwhile is refused, because half of a
/// file may look like a complete file.
pub(crate) fn read_unchanged(
    path: &Path,
    read: impl FnOnce(&Path) -> io::Result<Vec<u8>>,
) -> Result<(Vec<u8>, Stamp), AssetError> {
    let all = || -> io::Result<_> { Ok((Stamp::of_file(path)?, read(path)?)) };
    let (stamp, bytes) = all().map_err(AssetError::file("read", path))?;
    if stamp.is_stale(path) { Err(AssetError::ChangedWhileRead { path: path.to_owned() }) } else { Ok((bytes, stamp)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_while_it_is_read_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.glb");
        fs::write(&path, b"half").unwrap();
        assert_eq!(read_unchanged(&path, |path| fs::read(path)).unwrap().0, b"half");
        let changed = read_unchanged(&path, |path| {
            let bytes = fs::read(path);
            fs::write(path, b"half and half")?;
            bytes
        });
        let error = changed.unwrap_err().to_string();
        assert!(error.contains("a.glb changed while it was read"), "{error}");
    }
}
