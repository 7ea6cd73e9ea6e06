//! Replaces files atomically, and removes the temporary files of processes that were killed.

use crate::AssetError;
use std::fs::{self, DirEntry, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::NamedTempFile;

const PREFIX: &str = ".bonebox-";
const SUFFIX: &str = ".part";

/// Replaces a file atomically: writes `bytes` to a temporary file beside `path`, flushes it to the disk, and renames
/// it.
///
/// - A reader sees either the old file or the new file, never a part. An interrupted write leaves the old file. If the
///   process is killed, its temporary file remains until `remove_abandoned_files` removes it.
/// - A link stays a link, and the file that it leads to is replaced. A device or a pipe is written in place.
/// - On Unix, a new file has the rights that the umask gives, and a replaced file keeps its rights. It keeps its owner
///   and its group if this process may set them.
///
/// # Errors
/// Returns [`AssetError`] with the path if the file is read-only, the folder cannot be written, the disk is full, or the
/// rename fails.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), AssetError> {
    let file = FinishedFile::write(path, bytes)?;
    file.flush()?;
    file.replace()
}

/// A complete temporary file that will replace another file, once it is flushed. It is removed if it is dropped before.
pub(crate) struct FinishedFile {
    /// The path for messages.
    path: PathBuf,
    /// The path without links.
    target: PathBuf,
    /// `None` if the target was no regular file and was written in place.
    file: Option<NamedTempFile>,
}

impl FinishedFile {
    /// Writes the bytes to a temporary file beside the file that `path` leads to.
    pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<Self, AssetError> {
        let write = || -> io::Result<Self> {
            let existing = fs::metadata(path).ok();
            if existing.as_ref().is_some_and(|existing| !existing.is_file() && !existing.is_dir()) {
                fs::OpenOptions::new().write(true).open(path)?.write_all(bytes)?;
                return Ok(Self { path: path.to_owned(), target: path.to_owned(), file: None });
            }
            if existing.as_ref().is_some_and(|existing| existing.is_file() && existing.permissions().readonly()) {
                let problem = "the file is read-only; make it writable, or choose another output";
                return Err(io::Error::new(ErrorKind::PermissionDenied, problem));
            }
            let target = behind_links(path)?;
            let mut file = temporary(&full_path(folder_of(&target)), existing.is_none())?;
            file.write_all(bytes)?;
            if let Some(existing) = &existing {
                keep_rights(file.as_file(), existing)?;
            }
            Ok(Self { path: path.to_owned(), target, file: Some(file) })
        };
        write().map_err(AssetError::file("write", path))
    }

    /// Flushes the file to the disk. Two files that are flushed after both were written take hardly longer than one.
    pub(crate) fn flush(&self) -> Result<(), AssetError> {
        let Some(file) = &self.file else { return Ok(()) };
        file.as_file().sync_all().map_err(AssetError::file("write", &self.path))
    }

    /// Replaces the file.
    pub(crate) fn replace(self) -> Result<(), AssetError> {
        let Some(file) = self.file else { return Ok(()) };
        rename(file, &self.target).map_err(AssetError::file("write", &self.path))
    }
}

/// The path of the file that `path` leads to by links. The file need not exist.
pub(crate) fn behind_links(path: &Path) -> io::Result<PathBuf> {
    /// As many links as Linux follows.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            // The path is no link, or the file does not exist.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other(format!("its links lead in a circle, or are more than {MOST_LINKS}; remove the link")))
}

/// Removes the temporary files of processes that have ended. The temporary files of running processes stay.
///
/// A running process keeps its temporary file locked, and the operating system removes the lock when the process ends.
/// Files that cannot be read or removed stay, so that a bake does not fail because of them.
pub(crate) fn remove_abandoned_files(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(is_part_file) {
        remove_if_abandoned(&entry.path());
    }
}

/// Returns true for a temporary file of [`replace_file`].
pub(crate) fn is_part_file(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let is_ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
    is_ours && entry.file_type().is_ok_and(|kind| kind.is_file())
}

fn remove_if_abandoned(path: &Path) {
    if let Ok(file) = File::open(path)
        && file.try_lock().is_ok()
    {
        // The file is removed while it is locked: a process that has just created it waits for the lock, and then finds
        // that the file is gone.
        let _ = fs::remove_file(path);
    }
}

/// The folder that contains `path`; `.` for a plain file name.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Creates a locked temporary file in the folder. It is private unless `is_shared` gives it the rights of a new file.
fn temporary(folder: &Path, is_shared: bool) -> io::Result<NamedTempFile> {
    /// The number of attempts. All fail only if another process removes the file between creation and lock each time.
    const TRIES: usize = 16;
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    if is_shared {
        share(&mut builder);
    }
    for _ in 0..TRIES {
        let file = builder.tempfile_in(folder)?;
        // On a file system without locks `remove_abandoned_files` cannot lock either, and then removes nothing.
        let locked = file.as_file().lock();
        if locked.is_err() || fs::symlink_metadata(file.path()).is_ok() {
            return Ok(file);
        }
    }
    Err(io::Error::other("another process removed its temporary file repeatedly"))
}

/// The folder's full path on Windows, where only full paths may have more than 260 characters. On other systems, the
/// path itself.
fn full_path(folder: &Path) -> PathBuf {
    let full = if cfg!(windows) { fs::canonicalize(folder).ok() } else { None };
    full.unwrap_or_else(|| folder.to_owned())
}

/// Renames the finished file to `path`. The file stays locked until then.
fn rename(file: NamedTempFile, path: &Path) -> io::Result<()> {
    // `persist` cannot replace a file that another program has open. The standard library can, where Windows allows it.
    let (locked, part) = file.keep().map_err(|refused| refused.error)?;
    let mut renamed = fs::rename(&part, path);
    // Another writer of the same file, or a virus scanner, may have it open for a moment.
    for milliseconds in [1, 3, 10, 30, 100, 300] {
        if !renamed.as_ref().is_err_and(is_in_use) {
            break;
        }
        std::thread::sleep(Duration::from_millis(milliseconds));
        renamed = fs::rename(&part, path);
    }
    drop(locked);
    renamed.map_err(|error| {
        // If the removal fails too, a later bake removes the file.
        let _ = fs::remove_file(&part);
        if is_in_use(&error) && path.is_file() {
            io::Error::new(
                error.kind(),
                format!("{error}; another program may have the file open; close it in that program"),
            )
        } else {
            error
        }
    })
}

/// Returns true if Windows reports that a program has the file open, or that access is denied, which it also reports
/// for open files.
fn is_in_use(error: &io::Error) -> bool {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    cfg!(windows) && matches!(error.raw_os_error(), Some(ACCESS_DENIED | SHARING_VIOLATION))
}

/// Gives the file the rights of a new file: the system takes away those of the umask.
#[cfg(unix)]
fn share(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn share(_: &mut tempfile::Builder<'_, '_>) {}

/// Gives the file the rights of the file that it will replace.
#[cfg(unix)]
fn keep_rights(file: &File, existing: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let own = file.metadata()?;
    // A user may not give a file away, and may choose only among own groups. The file then belongs to its writer.
    if own.gid() != existing.gid() {
        let _ = fchown(file, None, Some(existing.gid()));
    }
    if own.uid() != existing.uid() {
        let _ = fchown(file, Some(existing.uid()), None);
    }
    file.set_permissions(existing.permissions())
}

#[cfg(not(unix))]
fn keep_rights(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacing_a_file_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bonebox");
        replace_file(&path, b"one").unwrap();
        replace_file(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = replace_file(&folder.path().join("no/a.bonebox"), b"one").unwrap_err();
        assert!(error.to_string().contains("a.bonebox"), "{error}");
    }

    #[test]
    fn only_abandoned_files_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let living = temporary(folder.path(), false).unwrap();
        for name in [".bonebox-dead.part", ".bonebox-notes", "a.part", "a.bonebox"] {
            fs::write(at(name), b"x").unwrap();
        }
        remove_abandoned_files(folder.path());
        assert!(!at(".bonebox-dead.part").exists());
        assert!([".bonebox-notes", "a.part", "a.bonebox"].iter().all(|name| at(name).exists()));
        assert!(living.path().exists(), "the file of a running writer was removed");
        drop(living);
        remove_abandoned_files(&at("no such folder"));
    }

    #[test]
    fn writing_and_removing_at_the_same_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bonebox");
        std::thread::scope(|scope| {
            let writers = [1_u8, 2].map(|byte| {
                let path = &path;
                scope.spawn(move || (0..50).for_each(|_| replace_file(path, &vec![byte; 10_000]).unwrap()))
            });
            while writers.iter().any(|writer| !writer.is_finished()) {
                remove_abandoned_files(folder.path());
            }
        });
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() == 10_000 && bytes.iter().all(|byte| *byte == bytes[0]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
