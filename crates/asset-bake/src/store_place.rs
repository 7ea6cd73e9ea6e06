//! Where a store keeps its entries: a folder, or whatever else a program brings.

use crate::AssetError;
use crate::atomic_file::{is_part_file, replace_file};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// From this age on, a temporary file belongs to a writer that was killed. Writing an entry takes seconds.
const AGE_OF_ABANDONED: Duration = Duration::from_secs(3_600);

/// A place that keeps entries by their names. A store checks what it reads, so a place need not be reliable.
///
/// A name is two hexadecimal digits, a slash, and a file name of hexadecimal digits with an ending.
pub trait StorePlace: Debug + Send + Sync {
    /// The bytes of an entry; `None` if there is none.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AssetError>;

    /// Writes an entry, so that readers see all of it or nothing. If there is one already, either may stay unless
    /// `replaces`: both have the same bytes.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be written.
    fn write(&self, name: &str, bytes: &[u8], replaces: bool) -> Result<(), AssetError>;

    /// Removes an entry. It is no error if there is none.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be written.
    fn remove(&self, name: &str) -> Result<(), AssetError>;

    /// Notes that an entry was used now, as far as the place can.
    fn mark_used(&self, name: &str);

    /// All entries, in any order.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be listed.
    fn list(&self) -> Result<Vec<StoredEntry>, AssetError>;

    /// The address of an entry for messages, such as its path.
    fn address(&self, name: &str) -> PathBuf;
}

/// An entry in the list of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// The name of the entry.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// The time since the last use; zero if that time is in the future, or not known.
    pub unused_for: Duration,
}

/// A folder, which machines may share over a network.
#[derive(Debug)]
pub(crate) struct FolderPlace {
    folder: PathBuf,
    /// A time on the clock of the file system, and when it was read.
    clock: OnceLock<(SystemTime, Instant)>,
    /// The subfolders from which temporary files were removed.
    swept: Mutex<BTreeSet<PathBuf>>,
}

impl FolderPlace {
    /// A folder, which the first entry makes.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), clock: OnceLock::new(), swept: Mutex::default() }
    }

    /// The present time on the clock of the file system, by which all machines measure ages: their own clocks may be wrong, or
    /// jump. The clock of this machine, if the folder cannot be written.
    fn now(&self) -> SystemTime {
        let of_folder = || tempfile::tempfile_in(&self.folder)?.metadata()?.modified();
        let (then, at) = self.clock.get_or_init(|| (of_folder().unwrap_or_else(|_| SystemTime::now()), Instant::now()));
        *then + at.elapsed()
    }

    fn age(&self, modified: io::Result<SystemTime>) -> Duration {
        modified.ok().and_then(|then| self.now().duration_since(then).ok()).unwrap_or_default()
    }

    /// Removes the temporary files of killed writers in a subfolder. Locks would say nothing about the writers on other machines.
    fn sweep(&self, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(is_part_file) {
            if entry.metadata().is_ok_and(|metadata| self.age(metadata.modified()) > AGE_OF_ABANDONED) {
                // Another machine may have been faster.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn path_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

impl StorePlace for FolderPlace {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AssetError> {
        let path = self.path_of(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(AssetError::file("read", &path)(error)),
        }
    }

    fn write(&self, name: &str, bytes: &[u8], _replaces: bool) -> Result<(), AssetError> {
        let path = self.path_of(name);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(AssetError::file("create the folder", folder))?;
        if self.swept.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned()) {
            self.sweep(folder);
        }
        replace_file(&path, bytes)
    }

    fn remove(&self, name: &str) -> Result<(), AssetError> {
        let path = self.path_of(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(AssetError::file("remove", &path)(error)),
            _ => Ok(()),
        }
    }

    fn mark_used(&self, name: &str) {
        // A store that only others may write has no such times.
        let _ = File::options().append(true).open(self.path_of(name)).and_then(|file| file.set_modified(self.now()));
    }

    fn list(&self) -> Result<Vec<StoredEntry>, AssetError> {
        let mut entries = Vec::new();
        let listed = fs::read_dir(&self.folder).map_err(AssetError::file("list", &self.folder))?;
        for folder in listed.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
            self.sweep(&folder);
            let within = folder.file_name().unwrap_or_default().to_string_lossy();
            for entry in fs::read_dir(&folder).map_err(AssetError::file("list", &folder))?.flatten() {
                // Another machine may have removed it meanwhile.
                let Ok(metadata) = entry.metadata() else { continue };
                if let Some(name) = entry.file_name().to_str().filter(|_| metadata.is_file() && !is_part_file(&entry)) {
                    let (name, unused_for) = (format!("{within}/{name}"), self.age(metadata.modified()));
                    entries.push(StoredEntry { name, bytes: metadata.len(), unused_for });
                }
            }
        }
        Ok(entries)
    }

    fn address(&self, name: &str) -> PathBuf {
        self.path_of(name)
    }
}
