//! The results of bakes by their keys, in a folder or a bucket that machines share.
//!
//! The store only saves time: a bake never fails because of it, and never takes a wrong result from it. The name of an entry is
//! the key. An entry begins with a line that names the form, then has the key, the hash of the rest, and the bytes of the baked
//! file. Readers check all of these, so a place may lose, cut off or mix up entries.

#[cfg(test)]
mod tests;

use crate::AssetError;
use crate::bake_key::BakeKey;
use crate::printable_path::printable_path;
use crate::store_place::{FolderPlace, StorePlace, StoredEntry};
use baked_format::BakedCharacter;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The first bytes of an entry of any version.
const FAMILY: &[u8] = b"bonebox stored bake ";

/// The first bytes of an entry.
const FORM: &[u8] = b"bonebox stored bake 1\n";

/// The length of an entry before the baked file: the form, the key and the hash.
const HEAD: usize = FORM.len() + 64;

/// The ending of the names of entries.
const ENDING: &str = "bake";

/// A place with the results of bakes.
#[derive(Clone, Debug)]
pub struct Store {
    place: Arc<dyn StorePlace>,
}

/// The use of a store in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreUse {
    /// The number of results that were taken from the store.
    pub found: usize,
    /// The number of results that were added.
    pub written: usize,
    /// What went wrong, in one sentence. The bakes themselves are not affected.
    pub problem: Option<String>,
}

/// The content of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreContent {
    /// The number of entries.
    pub entries: usize,
    /// The size of all entries, in bytes.
    pub bytes: u64,
}

impl Store {
    /// A store in this folder, which the first entry makes.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self::at(Arc::new(FolderPlace::new(folder)))
    }

    /// A store at any place, such as a bucket.
    #[must_use]
    pub fn at(place: Arc<dyn StorePlace>) -> Self {
        Self { place }
    }

    /// The number and the size of all entries.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be listed.
    pub fn content(&self) -> Result<StoreContent, AssetError> {
        let mut content = StoreContent::default();
        for entry in self.entries()? {
            content.entries += 1;
            content.bytes += entry.bytes;
        }
        Ok(content)
    }

    /// Reads every entry, removes damaged ones, and returns the addresses of these. Entries in the form of another version of
    /// bonebox stay.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be listed, or an entry cannot be read or removed.
    pub fn verify(&self) -> Result<Vec<PathBuf>, AssetError> {
        let mut damaged = Vec::new();
        for StoredEntry { name, .. } in self.entries()? {
            // Another machine may have removed it meanwhile.
            let Some(bytes) = self.place.read(&name)? else { continue };
            let stem =
                name.rsplit_once('/').map_or(name.as_str(), |(_, file)| file).strip_suffix(&format!(".{ENDING}"));
            let key = stem.and_then(|stem| blake3::Hash::from_hex(stem).ok());
            let is_whole = key.is_some_and(|key| baked_of(&bytes, key.as_bytes()).is_some());
            if !is_whole && !is_of_other_version(&bytes) {
                self.place.remove(&name)?;
                damaged.push(self.place.address(&name));
            }
        }
        Ok(damaged)
    }

    /// Removes the entries that nobody used for a time. Returns what was removed. An entry with a time in the future stays.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the place cannot be listed, or an entry cannot be removed.
    pub fn prune(&self, unused_for: Duration) -> Result<StoreContent, AssetError> {
        let mut removed = StoreContent::default();
        for entry in self.entries()?.into_iter().filter(|entry| entry.unused_for > unused_for) {
            self.place.remove(&entry.name)?;
            removed.entries += 1;
            removed.bytes += entry.bytes;
        }
        Ok(removed)
    }

    /// All entries, sorted by name.
    fn entries(&self) -> Result<Vec<StoredEntry>, AssetError> {
        let mut entries = self.place.list()?;
        entries.retain(|entry| entry.name.ends_with(&format!(".{ENDING}")));
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }
}

/// What a worker found out about the store while it baked a character.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct StoreNews {
    found: usize,
    /// The address of a damaged entry, for messages.
    damaged: Option<String>,
    /// Why the place is not used any more.
    gone: Option<String>,
}

/// A store during one run.
#[derive(Debug)]
pub(crate) struct StoreInRun {
    place: Arc<dyn StorePlace>,
    found: AtomicUsize,
    written: AtomicUsize,
    /// Damaged entries: their number, and the first one.
    damaged: Mutex<(usize, PathBuf)>,
    /// Why the place is not used any more, or not written any more.
    problem: Mutex<Option<String>>,
    /// `true` after the place could not be read. Then it is not asked again.
    is_gone: AtomicBool,
    /// `true` after the place could not be written, such as a full disk. Then it is only read.
    is_closed: AtomicBool,
}

impl StoreInRun {
    pub(crate) fn new(store: &Store) -> Self {
        Self {
            place: store.place.clone(),
            found: AtomicUsize::new(0),
            written: AtomicUsize::new(0),
            damaged: Mutex::default(),
            problem: Mutex::default(),
            is_gone: AtomicBool::new(false),
            is_closed: AtomicBool::new(false),
        }
    }

    /// The use of the store so far.
    pub(crate) fn usage(&self) -> StoreUse {
        let problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (damaged, first) = &*self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        let first = printable_path(first);
        let damaged = match damaged {
            0 => None,
            1 => Some(format!(
                "the entry {first} of the store is damaged; it was removed, and its character baked again"
            )),
            more => Some(format!(
                "{more} entries of the store are damaged (such as {first}); they were removed, and their characters baked again"
            )),
        };
        let both: Vec<String> = [damaged, problem].into_iter().flatten().collect();
        StoreUse {
            found: self.found.load(Ordering::Relaxed),
            written: self.written.load(Ordering::Relaxed),
            problem: (!both.is_empty()).then(|| both.join(". Also, ")),
        }
    }

    /// Returns false after the place could not be read.
    pub(crate) fn is_there(&self) -> bool {
        !self.is_gone.load(Ordering::Relaxed)
    }

    /// What was found out since [`StoreInRun::new`], if nothing was added.
    pub(crate) fn into_news(self) -> StoreNews {
        let (damaged, first) = self.damaged.into_inner().unwrap_or_else(PoisonError::into_inner);
        StoreNews {
            found: self.found.into_inner(),
            damaged: (damaged > 0).then(|| first.to_string_lossy().into_owned()),
            gone: self.problem.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Counts what a worker found out.
    pub(crate) fn add_news(&self, StoreNews { found, damaged, gone }: StoreNews) {
        self.found.fetch_add(found, Ordering::Relaxed);
        if let Some(damaged) = damaged {
            self.count_damaged(damaged.into());
        }
        if let Some(gone) = gone {
            self.is_gone.store(true, Ordering::Relaxed);
            self.problem.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(gone);
        }
    }

    fn count_damaged(&self, address: PathBuf) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        if damaged.0 == 0 {
            damaged.1 = address;
        }
        damaged.0 += 1;
    }

    /// The result with this key; `None` if there is none. A damaged entry is removed.
    pub(crate) fn find(&self, key: &BakeKey) -> Option<Box<BakedCharacter>> {
        if !self.is_there() {
            return None;
        }
        let name = name_of(key);
        let bytes = match self.place.read(&name) {
            Ok(bytes) => bytes?,
            Err(error) => {
                self.is_gone.store(true, Ordering::Relaxed);
                self.tell_once("the store is not used any more", &error);
                return None;
            }
        };
        let Some(character) = baked_of(&bytes, key.bytes()).and_then(|baked| baked_format::read(baked).ok()) else {
            self.count_damaged(self.place.address(&name));
            // Another machine may have written it anew meanwhile; then that entry is lost too, which only costs time.
            let _ = self.place.remove(&name);
            return None;
        };
        self.place.mark_used(&name);
        self.found.fetch_add(1, Ordering::Relaxed);
        Some(Box::new(character))
    }

    /// Adds a result: the bytes of the baked file. With `replaces`, also if there is one already.
    pub(crate) fn add(&self, key: &BakeKey, baked: &[u8], replaces: bool) {
        if !self.is_there() || self.is_closed.load(Ordering::Relaxed) {
            return;
        }
        match self.place.write(&name_of(key), &entry(key.bytes(), baked), replaces) {
            Ok(()) => {
                self.written.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => {
                self.is_closed.store(true, Ordering::Relaxed);
                self.tell_once("nothing more is added to the store", &error);
            }
        }
    }

    fn tell_once(&self, what: &str, error: &AssetError) {
        let mut problem = self.problem.lock().unwrap_or_else(PoisonError::into_inner);
        problem.get_or_insert_with(|| format!("{what}: {}", error.with_causes()));
    }
}

/// The name of an entry. A folder with all entries of a library would be slow on many file systems.
fn name_of(key: &BakeKey) -> String {
    let key = key.to_string();
    format!("{}/{key}.{ENDING}", &key[..2])
}

/// The bytes of an entry.
fn entry(key: &[u8; 32], baked: &[u8]) -> Vec<u8> {
    [FORM, key, blake3::hash(baked).as_bytes(), baked].concat()
}

/// The baked file in an entry with this key; `None` if the entry is damaged or has another form.
fn baked_of<'a>(bytes: &'a [u8], key: &[u8; 32]) -> Option<&'a [u8]> {
    let (head, baked) = bytes.split_at_checked(HEAD)?;
    let is_whole = head[..FORM.len()] == *FORM
        && head[FORM.len()..FORM.len() + 32] == *key
        && head[FORM.len() + 32..] == *blake3::hash(baked).as_bytes();
    is_whole.then_some(baked)
}

/// Returns true for an entry in another form, which another version of bonebox may have written.
fn is_of_other_version(bytes: &[u8]) -> bool {
    bytes.starts_with(FAMILY) && !bytes.starts_with(FORM)
}
