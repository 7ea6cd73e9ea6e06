//! Files that are replaced by finished ones or not at all.

use anyhow::Context as _;
use std::io::Write as _;
use std::path::Path;

/// Writes `bytes` beside `path` under a temporary name, flushes them to the disk, and renames.
///
/// A reader sees the old file or the new one, never a part; an interrupted write leaves the old one.
///
/// # Errors
/// The folder cannot be written, the disk is full, the rename is refused; the message names the file.
pub fn replace_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> std::io::Result<()> {
        let mut file = tempfile::Builder::new().prefix(".bonebox-").suffix(".part").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        make_readable(file.as_file())?;
        file.persist(path).map_err(|refused| refused.error)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Temporary files are private; a bake is as readable as any file a program makes.
#[cfg(unix)]
fn make_readable(file: &std::fs::File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &std::fs::File) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bonebox");
        replace_file(&path, b"one").unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = replace_file(&folder.path().join("no/a.bonebox"), b"one").unwrap_err();
        assert!(error.to_string().contains("a.bonebox"), "{error}");
    }
}
