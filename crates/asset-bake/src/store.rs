//! A folder with the results of bakes by their keys, which machines may share over a network.
//!
//! The store only saves time: a bake never fails because of it, and never takes a wrong result from it. An entry is one file, whose
//! name is the key. It begins with a line that names the form, then has the key, the hash of the rest, and the bytes of the baked
//! file. It is written under a temporary name and renamed, so readers see whole entries.

use crate::AssetError;
use crate::atomic_file::{remove_abandoned_files, replace_file};
use crate::bake_key::BakeKey;
use baked_format::BakedCharacter;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// The first bytes of an entry.
const FORM: &[u8] = b"bonebox stored bake 1\n";

/// The length of an entry before the baked file: the form, the key and the hash.
const HEAD: usize = FORM.len() + 64;

/// The ending of the names of entries.
const ENDING: &str = "bake";

/// A folder with the results of bakes.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    found: AtomicUsize,
    written: AtomicUsize,
    /// What went wrong so far, each said once.
    problems: Mutex<Vec<String>>,
    /// `true` after the folder could not be read or written. Then it is not asked again.
    is_gone: std::sync::atomic::AtomicBool,
}

/// The use of a store in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreUse {
    /// The number of results that were taken from the store.
    pub found: usize,
    /// The number of results that were added.
    pub written: usize,
    /// What went wrong, a sentence each. The bakes themselves are not affected.
    pub problems: Vec<String>,
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
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            found: AtomicUsize::new(0),
            written: AtomicUsize::new(0),
            problems: Mutex::new(Vec::new()),
            is_gone: false.into(),
        }
    }

    /// The use of the store so far.
    #[must_use]
    pub fn usage(&self) -> StoreUse {
        StoreUse {
            found: self.found.load(Ordering::Relaxed),
            written: self.written.load(Ordering::Relaxed),
            problems: self.problems.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// The result with this key; `None` if there is none. A damaged entry is removed.
    pub(crate) fn find(&self, key: &BakeKey) -> Option<Box<BakedCharacter>> {
        if self.is_gone.load(Ordering::Relaxed) {
            return None;
        }
        let path = self.path_of(key);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                self.give_up(&AssetError::file("read", &path)(error));
                return None;
            }
        };
        let Some(character) = content_of(&bytes, key.bytes()) else {
            self.tell(format!(
                "the entry {} of the store is damaged; it was removed, and its character baked again",
                path.display()
            ));
            // Another machine may have written it anew meanwhile; then that entry is lost too, which only costs time.
            let _ = fs::remove_file(&path);
            return None;
        };
        // The time of the last use, by which old entries are found. A store that only others may write has no such times.
        let _ = File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        self.found.fetch_add(1, Ordering::Relaxed);
        Some(Box::new(character))
    }

    /// Adds a result: the bytes of the baked file.
    pub(crate) fn add(&self, key: &BakeKey, baked: &[u8]) {
        if self.is_gone.load(Ordering::Relaxed) {
            return;
        }
        let path = self.path_of(key);
        let folder = path.parent().unwrap_or(&self.folder);
        let made = fs::create_dir_all(folder).map_err(AssetError::file("create the folder", folder));
        match made.and_then(|()| replace_file(&path, &entry(key.bytes(), baked))) {
            Ok(()) => {
                self.written.fetch_add(1, Ordering::Relaxed);
            }
            Err(error) => self.give_up(&error),
        }
    }

    /// The number and the size of all entries.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the folder cannot be listed.
    pub fn content(&self) -> Result<StoreContent, AssetError> {
        let mut content = StoreContent::default();
        for entry in self.entries()? {
            content.entries += 1;
            content.bytes += fs::metadata(&entry).map_or(0, |metadata| metadata.len());
        }
        Ok(content)
    }

    /// Reads every entry, removes damaged ones, and returns the paths of these.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the folder cannot be listed, or an entry cannot be read or removed.
    pub fn verify(&self) -> Result<Vec<PathBuf>, AssetError> {
        let mut damaged = Vec::new();
        for path in self.entries()? {
            let bytes = fs::read(&path).map_err(AssetError::file("read", &path))?;
            let key = path.file_stem().and_then(|name| blake3::Hash::from_hex(name.as_encoded_bytes()).ok());
            if key.is_none_or(|key| content_of(&bytes, key.as_bytes()).is_none()) {
                fs::remove_file(&path).map_err(AssetError::file("remove", &path))?;
                damaged.push(path);
            }
        }
        Ok(damaged)
    }

    /// Removes the entries that nobody used for a time, and temporary files of processes that have ended. Returns what was
    /// removed. An entry with a time in the future stays.
    ///
    /// # Errors
    /// Returns [`AssetError`] if the folder cannot be listed, or an entry cannot be removed.
    pub fn prune(&self, unused_for: Duration) -> Result<StoreContent, AssetError> {
        let mut removed = StoreContent::default();
        for path in self.entries()? {
            let Ok(metadata) = fs::metadata(&path) else { continue };
            let age = metadata.modified().ok().and_then(|used| SystemTime::now().duration_since(used).ok());
            if age.is_some_and(|age| age > unused_for) {
                fs::remove_file(&path).map_err(AssetError::file("remove", &path))?;
                removed.entries += 1;
                removed.bytes += metadata.len();
            }
        }
        Ok(removed)
    }

    /// The paths of all entries, sorted.
    fn entries(&self) -> Result<Vec<PathBuf>, AssetError> {
        let mut paths = Vec::new();
        let listed = fs::read_dir(&self.folder).map_err(AssetError::file("list", &self.folder))?;
        for folder in listed.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()) {
            remove_abandoned_files(&folder);
            let listed = fs::read_dir(&folder).map_err(AssetError::file("list", &folder))?;
            let is_entry = |path: &PathBuf| path.extension().is_some_and(|ending| ending == ENDING);
            paths.extend(listed.flatten().map(|entry| entry.path()).filter(is_entry));
        }
        paths.sort();
        Ok(paths)
    }

    /// A folder with all entries of a library of characters would be slow on many file systems.
    fn path_of(&self, key: &BakeKey) -> PathBuf {
        let name = key.to_string();
        self.folder.join(&name[..2]).join(format!("{name}.{ENDING}"))
    }

    fn give_up(&self, error: &AssetError) {
        if !self.is_gone.swap(true, Ordering::Relaxed) {
            self.tell(format!("the store is not used any more: {}", error.with_causes()));
        }
    }

    fn tell(&self, problem: String) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }
}

/// The bytes of an entry.
fn entry(key: &[u8; 32], baked: &[u8]) -> Vec<u8> {
    [FORM, key, blake3::hash(baked).as_bytes(), baked].concat()
}

/// The character of an entry with this key; `None` if the entry is damaged or has another form.
fn content_of(bytes: &[u8], key: &[u8; 32]) -> Option<BakedCharacter> {
    let (head, baked) = bytes.split_at_checked(HEAD)?;
    let is_whole = head[..FORM.len()] == *FORM
        && head[FORM.len()..FORM.len() + 32] == *key
        && head[FORM.len() + 32..] == *blake3::hash(baked).as_bytes();
    if is_whole { baked_format::read(baked).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AssetResult, BakeOutcome, BakeRequest, BakeRun, bake_assets};

    struct Library(tempfile::TempDir);

    impl Library {
        fn new(characters: usize) -> Self {
            let library = Self(tempfile::tempdir().unwrap());
            fs::create_dir(library.at("assets")).unwrap();
            for number in 0..characters {
                fs::write(library.at(&format!("assets/c{number}.glb")), test_models::box_man().to_glb()).unwrap();
            }
            library
        }

        fn at(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        /// Bakes into another folder each time, so that there are no earlier outputs.
        fn bake(&self, out: &str, change: impl FnOnce(&mut BakeRequest)) -> BakeRun {
            let mut request = BakeRequest {
                paths: vec![self.at("assets")],
                out_dir: Some(self.at(out)),
                store: Some(self.at("store")),
                ..BakeRequest::default()
            };
            change(&mut request);
            bake_assets(&request, &()).unwrap()
        }

        fn entries(&self) -> Vec<PathBuf> {
            Store::new(&self.at("store")).entries().unwrap_or_default()
        }
    }

    fn baked_man() -> Vec<u8> {
        let character = crate::bake_bytes(&test_models::box_man().to_glb(), "man.glb", "", &()).unwrap();
        baked_format::write(&character).unwrap()
    }

    fn words(run: &BakeRun) -> Vec<&'static str> {
        let word = |row: &AssetResult| match &row.outcome {
            BakeOutcome::Baked(_) => "baked",
            BakeOutcome::Stored(_) => "stored",
            BakeOutcome::Unchanged(_) => "unchanged",
            BakeOutcome::Refused(..) => "refused",
            BakeOutcome::Failed(_) => "failed",
        };
        run.results.iter().map(word).collect()
    }

    #[test]
    fn a_result_is_baked_once_and_has_the_same_bytes() {
        let library = Library::new(2);
        let first = library.bake("one", |_| {});
        assert_eq!(words(&first), ["baked"; 2]);
        assert_eq!(first.store, Some(StoreUse { found: 0, written: 2, problems: Vec::new() }));
        let second = library.bake("two", |_| {});
        assert_eq!(words(&second), ["stored"; 2]);
        assert_eq!(second.store.unwrap().found, 2);
        for name in ["c0.bonebox", "c0.bonebox.json", "c1.bonebox", "c1.bonebox.json"] {
            let [one, two] = ["one", "two"].map(|out| fs::read(library.at(out).join(name)).unwrap());
            assert!(one == two, "{name}");
        }
        assert_eq!(words(&library.bake("two", |_| {})), ["unchanged"; 2]);
        // A check compares with a fresh bake, and --force bakes.
        assert_eq!(words(&library.bake("two", |request| request.check = true)), ["baked"; 2]);
        assert_eq!(words(&library.bake("two", |request| request.force = true)), ["baked"; 2]);
    }

    #[test]
    fn what_bears_on_a_bake_is_in_its_key() {
        let library = Library::new(1);
        library.bake("out", |_| {});
        let mut entries = 1;
        let mut expect = |expected: &str| {
            assert_eq!(words(&library.bake("out", |_| {})), [expected]);
            entries += usize::from(expected == "baked");
            assert_eq!(library.entries().len(), entries);
        };
        let settings = |text: &str| fs::write(library.at("assets/bonebox.toml"), text).unwrap();
        settings("margin = 0.01");
        expect("baked");
        settings("margin = 0.01\n[joints.head]\nskip = true");
        expect("baked");
        // Comments, other characters and limits change no byte.
        settings("margin = 0.01 # half an inch\n[limits]\nleast_surface_rest = 0.01");
        expect("stored");
        fs::rename(library.at("assets/c0.glb"), library.at("assets/d0.glb")).unwrap();
        expect("baked");
        let mut man = test_models::box_man();
        man.clips.clear();
        fs::write(library.at("assets/d0.glb"), man.to_glb()).unwrap();
        expect("baked");
        settings("");
        expect("baked");
    }

    #[test]
    fn a_result_from_the_store_obeys_the_limits() {
        let library = Library::new(1);
        library.bake("one", |_| {});
        fs::write(library.at("assets/bonebox.toml"), "[limits]\nleast_surface_clips = 1.0\nmost_volume_ratio = 0.5")
            .unwrap();
        assert_eq!(words(&library.bake("two", |_| {})), ["refused"]);
        assert!(!library.at("two/c0.bonebox").exists());
    }

    #[test]
    fn a_damaged_entry_is_removed_told_and_baked_again() {
        let library = Library::new(1);
        library.bake("one", |_| {});
        let [path] = <[PathBuf; 1]>::try_from(library.entries()).unwrap();
        let whole = fs::read(&path).unwrap();
        let other = {
            let others = Library::new(1);
            fs::write(others.at("assets/bonebox.toml"), "margin = 0.01").unwrap();
            others.bake("one", |_| {});
            fs::read(&others.entries()[0]).unwrap()
        };
        let mut turned = whole.clone();
        turned[HEAD + 100] ^= 1;
        for damaged in
            [Vec::new(), whole[..whole.len() - 1].to_vec(), turned, b"<html>not found</html>".to_vec(), other]
        {
            fs::write(&path, damaged).unwrap();
            let run = library.bake("again", |_| {});
            fs::remove_dir_all(library.at("again")).unwrap();
            assert_eq!(words(&run), ["baked"]);
            let problems = run.store.unwrap().problems;
            assert!(problems.len() == 1 && problems[0].contains("is damaged"), "{problems:?}");
            assert!(fs::read(&path).unwrap() == whole);
        }
        fs::write(&path, b"garbage").unwrap();
        assert_eq!(Store::new(&library.at("store")).verify().unwrap(), std::slice::from_ref(&path));
        assert!(!path.exists());
    }

    /// Every change of an entry, of any byte by any bit and of any length, is found.
    #[test]
    fn no_changed_entry_is_believed() {
        let baked = baked_man();
        let key = BakeKey::new("man", "man.glb", None, [7; 32], &[]);
        let whole = entry(key.bytes(), &baked);
        assert!(content_of(&whole, key.bytes()).is_some());
        assert!(content_of(&whole, &[0; 32]).is_none());
        let mut random = test_models::Random::new(38);
        for _ in 0..5_000 {
            let mut changed = whole.clone();
            let at = random.below(whole.len());
            match random.below(3) {
                0 => changed[at] ^= 1 << random.below(8),
                1 => changed.truncate(at),
                _ => changed.insert(at, random.below(256) as u8),
            }
            assert!(changed == whole || content_of(&changed, key.bytes()).is_none());
        }
    }

    #[test]
    fn without_the_store_a_bake_goes_on_with_one_warning() {
        let library = Library::new(3);
        // A file is where the folder should be.
        fs::write(library.at("store"), b"").unwrap();
        let run = library.bake("out", |_| {});
        assert_eq!(words(&run), ["baked"; 3]);
        let problems = run.store.unwrap().problems;
        assert!(problems.len() == 1 && problems[0].starts_with("the store is not used any more"), "{problems:?}");
    }

    #[test]
    fn many_writers_of_one_key_leave_one_whole_entry() {
        let folder = tempfile::tempdir().unwrap();
        let baked = baked_man();
        let key = BakeKey::new("man", "man.glb", None, [7; 32], &[]);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let store = Store::new(folder.path());
                    for _ in 0..50 {
                        store.add(&key, &baked);
                        assert!(store.find(&key).is_some());
                    }
                    assert_eq!(store.usage().problems, Vec::<String>::new());
                });
            }
        });
        let store = Store::new(folder.path());
        assert_eq!(store.content().unwrap().entries, 1);
        assert_eq!(store.verify().unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn entries_that_nobody_uses_are_pruned() {
        let library = Library::new(2);
        library.bake("one", |_| {});
        let entries = library.entries();
        let age = |path: &Path, ago: Duration| {
            File::options().append(true).open(path).unwrap().set_modified(SystemTime::now() - ago).unwrap();
        };
        let day = Duration::from_secs(86_400);
        entries.iter().for_each(|path| age(path, 40 * day));
        // A use makes an entry young again.
        library.bake("two", |request| request.paths = vec![library.at("assets/c0.glb")]);
        let store = Store::new(&library.at("store"));
        assert_eq!(store.prune(30 * day).unwrap().entries, 1);
        // A clock that was wrong: the entry is from tomorrow.
        File::options()
            .append(true)
            .open(&library.entries()[0])
            .unwrap()
            .set_modified(SystemTime::now() + day)
            .unwrap();
        assert_eq!(store.prune(Duration::ZERO).unwrap().entries, 0);
        assert_eq!(store.content().unwrap().entries, 1);
    }
}
