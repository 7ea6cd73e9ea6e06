//! Tests of the store, also with a place that fails.

use super::*;
use crate::{AssetResult, BakeOutcome, BakeRequest, BakeRun, bake_assets};
use rayon::prelude::*;
use std::fs::{self, File};
use std::io;
use std::time::SystemTime;

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
            store: Some(Store::in_folder(&self.at("store"))),
            ..BakeRequest::default()
        };
        change(&mut request);
        bake_assets(&request, &()).unwrap()
    }

    fn entries(&self) -> Vec<PathBuf> {
        let store = Store::in_folder(&self.at("store"));
        let entries = store.entries().unwrap_or_default();
        entries.iter().map(|entry| store.place.address(&entry.name)).collect()
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
    assert_eq!(first.store, Some(StoreUse { found: 0, written: 2, problem: None }));
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
    for damaged in [Vec::new(), whole[..whole.len() - 1].to_vec(), turned, b"<html>not found</html>".to_vec(), other] {
        fs::write(&path, damaged).unwrap();
        let run = library.bake("again", |_| {});
        fs::remove_dir_all(library.at("again")).unwrap();
        assert_eq!(words(&run), ["baked"]);
        let problem = run.store.unwrap().problem;
        assert!(problem.as_ref().is_some_and(|told| told.contains("is damaged")), "{problem:?}");
        assert!(fs::read(&path).unwrap() == whole);
    }
    fs::write(&path, b"garbage").unwrap();
    assert_eq!(Store::in_folder(&library.at("store")).verify().unwrap(), std::slice::from_ref(&path));
    assert!(!path.exists());
}

/// Changes an entry in one to three places: a bit, a byte, the length, or a part of another entry.
fn changed(whole: &[u8], other: &[u8], random: &mut test_models::Random) -> Vec<u8> {
    let mut changed = whole.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(changed.len().max(1));
        match random.below(5) {
            0 if !changed.is_empty() => changed[at] ^= 1 << random.below(8),
            1 => changed.truncate(at),
            2 => changed.insert(at, random.below(256) as u8),
            3 => changed.truncate(at + random.below(64)),
            _ => {
                let part = at..(at + random.below(200)).min(changed.len()).min(other.len());
                if part.start < part.end {
                    changed[part.clone()].copy_from_slice(&other[part]);
                }
            }
        }
    }
    changed
}

/// A million changed entries: none is believed, neither under its own key nor under another one.
#[test]
fn no_changed_entry_is_believed() {
    const TIMES: usize = 1_000_000;
    const EACH: usize = 1_000;
    let character =
        crate::bake_bytes(&test_models::box_limb().to_glb(), "limb.glb", "measure = \"none\"", &()).unwrap();
    let baked = baked_format::write(&character).unwrap();
    let [key, other_key] = [7, 8].map(|source| BakeKey::new("limb", "limb.glb", None, [source; 32], &[]));
    let (whole, other) = (entry(key.bytes(), &baked), entry(other_key.bytes(), &[&baked[..], b"."].concat()));
    assert!(baked_of(&whole, key.bytes()).is_some_and(|found| found == baked));
    assert!(baked_of(&whole, other_key.bytes()).is_none());
    let differing: usize = (0..TIMES / EACH)
        .into_par_iter()
        .map(|seed| {
            let mut random = test_models::Random::new(seed as u64);
            let mut differing = 0;
            for _ in 0..EACH {
                let changed = changed(&whole, &other, &mut random);
                if changed != whole {
                    differing += 1;
                    assert!(baked_of(&changed, key.bytes()).is_none(), "seed {seed}");
                }
            }
            differing
        })
        .sum();
    assert!(differing > TIMES / 10 * 9, "{differing} of {TIMES} differ");
}

#[test]
fn without_the_store_a_bake_goes_on_with_one_warning() {
    let library = Library::new(3);
    // A file is where the folder should be.
    fs::write(library.at("store"), b"").unwrap();
    let run = library.bake("out", |_| {});
    assert_eq!(words(&run), ["baked"; 3]);
    let problem = run.store.unwrap().problem;
    assert!(problem.as_ref().is_some_and(|told| told.starts_with("the store is not used any more")), "{problem:?}");
}

/// What goes wrong with a place, and from which call on.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Read(io::ErrorKind),
    Write(io::ErrorKind),
    Remove(io::ErrorKind),
    /// Other bytes in place of the entry.
    Garbage(&'static [u8]),
    /// The first bytes of the entry only.
    CutOff(usize),
    /// The entry that was read before.
    MixedUp,
    /// An answer that takes long.
    Slow,
}

/// A folder behind something that fails.
#[derive(Debug)]
struct Faulty {
    folder: FolderPlace,
    fault: Fault,
    /// The number of calls that succeed before the fault.
    healthy: AtomicUsize,
    last: Mutex<Vec<u8>>,
}

impl Faulty {
    fn is_due(&self) -> bool {
        self.healthy.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_err()
    }

    fn error(kind: io::ErrorKind) -> AssetError {
        AssetError::file("reach", Path::new("place"))(kind.into())
    }
}

impl StorePlace for Faulty {
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, AssetError> {
        let bytes = self.folder.read(name)?;
        if !self.is_due() {
            return Ok(bytes);
        }
        Ok(match self.fault {
            Fault::Read(kind) => return Err(Self::error(kind)),
            Fault::Garbage(garbage) => Some(garbage.to_vec()),
            Fault::CutOff(length) => bytes.map(|bytes| bytes[..length.min(bytes.len())].to_vec()),
            Fault::MixedUp => bytes.map(|bytes| std::mem::replace(&mut *self.last.lock().unwrap(), bytes)),
            Fault::Slow => {
                std::thread::sleep(Duration::from_millis(50));
                bytes
            }
            Fault::Write(_) | Fault::Remove(_) => bytes,
        })
    }

    fn write(&self, name: &str, bytes: &[u8], replaces: bool) -> Result<(), AssetError> {
        match self.fault {
            Fault::Write(kind) if self.is_due() => {
                // A part of the entry arrived.
                self.folder.write(name, &bytes[..bytes.len() / 2], replaces)?;
                Err(Self::error(kind))
            }
            _ => self.folder.write(name, bytes, replaces),
        }
    }

    fn remove(&self, name: &str) -> Result<(), AssetError> {
        match self.fault {
            Fault::Remove(kind) => Err(Self::error(kind)),
            _ => self.folder.remove(name),
        }
    }

    fn mark_used(&self, name: &str) {
        self.folder.mark_used(name);
    }

    fn list(&self) -> Result<Vec<StoredEntry>, AssetError> {
        self.folder.list()
    }

    fn address(&self, name: &str) -> PathBuf {
        self.folder.address(name)
    }
}

/// With every fault, from the first call on or in the middle of a run: the outputs are those of a run without a store, no
/// character fails, there is at most one warning, and a healthy run afterwards finds no wrong entry.
#[test]
fn whatever_a_place_does_the_outputs_are_right() {
    use io::ErrorKind::{
        ConnectionReset, InvalidData, PermissionDenied, ReadOnlyFilesystem, StaleNetworkFileHandle, StorageFull,
        TimedOut, UnexpectedEof,
    };
    let library = Library::new(4);
    let settings = (0..4).map(|number| format!("[characters.c{number}]\nmargin = 0.0{number}\n"));
    fs::write(library.at("assets/bonebox.toml"), settings.collect::<String>()).unwrap();
    library.bake("expected", |request| request.store = None);
    library.bake("warm", |_| {});
    let faults = [
        Fault::Read(TimedOut),
        Fault::Read(PermissionDenied),
        Fault::Read(StaleNetworkFileHandle),
        Fault::Read(UnexpectedEof),
        Fault::Read(InvalidData),
        Fault::Write(StorageFull),
        Fault::Write(ReadOnlyFilesystem),
        Fault::Write(ConnectionReset),
        Fault::Remove(PermissionDenied),
        Fault::Garbage(b""),
        Fault::Garbage(b"<html>503 Service Unavailable</html>"),
        Fault::CutOff(HEAD - 1),
        Fault::CutOff(HEAD),
        Fault::CutOff(HEAD + 500),
        Fault::MixedUp,
        Fault::Slow,
    ];
    for (number, fault) in faults.into_iter().enumerate() {
        for (healthy, force) in [(0, false), (2, false), (1, true)] {
            let folder = FolderPlace::new(&library.at("store"));
            let place = Faulty { folder, fault, healthy: healthy.into(), last: Mutex::default() };
            let out = format!("out{number}-{healthy}");
            let run = library.bake(&out, |request| {
                request.store = Some(Store::at(Arc::new(place)));
                request.force = force;
            });
            assert!(words(&run).iter().all(|word| ["baked", "stored"].contains(word)), "{fault:?}: {:?}", words(&run));
            let problem = run.store.unwrap().problem;
            let is_quiet = matches!(fault, Fault::Slow | Fault::Remove(_)) || force != matches!(fault, Fault::Write(_));
            assert_eq!(problem.is_none(), is_quiet, "{fault:?} {healthy} {force}: {problem:?}");
            // A later run finds what is damaged, and repairs it.
            library.bake("later", |_| {});
            for name in 0..4 {
                let [one, two, three] = ["expected", &out, "later"]
                    .map(|out| fs::read(library.at(out).join(format!("c{name}.bonebox"))).unwrap());
                assert!(one == two && one == three, "{fault:?}: c{name}");
            }
            fs::remove_dir_all(library.at("later")).unwrap();
            let store = Store::in_folder(&library.at("store"));
            assert_eq!((store.verify().unwrap().len(), store.content().unwrap().entries), (0, 4), "{fault:?}");
        }
    }
}

/// A disk that only gives: what is there is found, and there is one warning for what cannot be added.
#[test]
fn a_store_that_cannot_be_written_is_still_read() {
    let library = Library::new(3);
    library.bake("one", |_| {});
    fs::write(library.at("assets/a_new.glb"), test_models::box_limb().to_glb()).unwrap();
    let fault = Fault::Write(io::ErrorKind::ReadOnlyFilesystem);
    let folder = FolderPlace::new(&library.at("store"));
    let place = Faulty { folder, fault, healthy: 0.into(), last: Mutex::default() };
    let run = library.bake("two", |request| request.store = Some(Store::at(Arc::new(place))));
    assert_eq!(words(&run), ["baked", "stored", "stored", "stored"]);
    let problem = run.store.unwrap().problem;
    assert!(problem.as_ref().is_some_and(|told| told.starts_with("nothing more is added to the store")), "{problem:?}");
}

#[test]
fn a_thousand_writers_of_one_key_leave_one_whole_entry() {
    let folder = tempfile::tempdir().unwrap();
    let baked = baked_man();
    let key = BakeKey::new("man", "man.glb", None, [7; 32], &[]);
    std::thread::scope(|scope| {
        for _ in 0..1_000 {
            scope.spawn(|| {
                let store = StoreInRun::new(&Store::in_folder(folder.path()));
                store.add(&key, &baked, true);
                assert!(store.find(&key).is_some());
                assert_eq!(store.usage().problem, None);
            });
        }
    });
    let store = Store::in_folder(folder.path());
    assert_eq!(store.content().unwrap().entries, 1);
    assert_eq!(store.verify().unwrap(), Vec::<PathBuf>::new());
    let within = folder.path().join(&key.to_string()[..2]);
    assert_eq!(fs::read_dir(within).unwrap().count(), 1, "no temporary file is left");
}

/// What killed writers leave goes after an hour, by the clock of the file system; what may belong to a living writer stays.
#[test]
fn temporary_files_are_swept_by_their_age() {
    let library = Library::new(1);
    library.bake("one", |_| {});
    let within = library.entries()[0].parent().unwrap().to_owned();
    let hour = Duration::from_secs(3_600);
    let now = SystemTime::now();
    let leave = |name: &str, time: SystemTime| {
        let file = File::create(within.join(name)).unwrap();
        file.set_modified(time).unwrap();
        within.join(name)
    };
    let make = || {
        let old = [".bonebox-killed.part", ".bonebox-reboot.part"].map(|name| leave(name, now - 2 * hour));
        let young = leave(".bonebox-living.part", now - hour / 2);
        // A clock that was wrong says nothing about the age.
        let future = leave(".bonebox-future.part", now + 1_000 * hour);
        let other = leave("notes.part", now - 1_000 * hour);
        (old, [young, future, other])
    };
    let (old, kept) = make();
    assert_eq!(Store::in_folder(&library.at("store")).content().unwrap().entries, 1);
    assert!(old.iter().all(|path| !path.exists()) && kept.iter().all(|path| path.exists()));
    // A run that adds an entry beside them sweeps too.
    let (old, kept) = make();
    library.bake("two", |request| request.force = true);
    assert!(old.iter().all(|path| !path.exists()) && kept.iter().all(|path| path.exists()));
}

/// Entries of another version have other keys, and stay even if their form is new.
#[test]
fn two_versions_share_a_store() {
    let library = Library::new(2);
    library.bake("one", |_| {});
    let own = library.entries();
    let newer = own[0].with_file_name(format!(
        "{}{}.bake",
        &own[0].file_name().unwrap().to_str().unwrap()[..2],
        "5".repeat(62)
    ));
    fs::write(&newer, b"bonebox stored bake 2\nwhatever a later version needs").unwrap();
    let store = Store::in_folder(&library.at("store"));
    assert_eq!(store.verify().unwrap(), Vec::<PathBuf>::new());
    assert!(newer.exists());
    assert_eq!(words(&library.bake("two", |_| {})), ["stored"; 2]);
    assert_eq!(store.content().unwrap().entries, 3);
    // Under one of our keys, such an entry is not believed.
    fs::copy(&newer, &own[0]).unwrap();
    let mut found = words(&library.bake("three", |_| {}));
    found.sort_unstable();
    assert_eq!(found, ["baked", "stored"]);
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
    let store = Store::in_folder(&library.at("store"));
    assert_eq!(store.prune(30 * day).unwrap().entries, 1);
    // A clock that was wrong: the entry is from tomorrow.
    File::options().append(true).open(&library.entries()[0]).unwrap().set_modified(SystemTime::now() + day).unwrap();
    assert_eq!(store.prune(Duration::ZERO).unwrap().entries, 0);
    assert_eq!(store.content().unwrap().entries, 1);
}
