//! Events of the operating system in the folders that `bonebox bake --watch` watches.

use asset_bake::has_asset_extension;
use notify::event::ModifyKind;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, PoisonError};

/// The watches of the operating system. An event that may concern a watched file sends a message.
pub(super) struct FolderEvents {
    /// `None` if the system has no watcher for this program.
    watcher: Option<RecommendedWatcher>,
    /// The folders, each with whether the system watches it.
    folders: BTreeMap<PathBuf, bool>,
    /// The names of the files and folders whose events matter.
    names: Arc<Mutex<BTreeSet<OsString>>>,
}

impl FolderEvents {
    /// Opens the system's watcher. Its thread sends a message to `wake` if the channel is empty.
    pub(super) fn open(wake: SyncSender<()>) -> Self {
        let names = Arc::new(Mutex::new(BTreeSet::new()));
        let of_handler = Arc::clone(&names);
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // After an error, events may be lost.
            if event.map_or(true, |event| matters(&event, &of_handler.lock().unwrap_or_else(PoisonError::into_inner))) {
                let _ = wake.try_send(());
            }
        });
        Self { watcher: watcher.ok(), names, ..Self::without_watcher() }
    }

    /// Events that never come, as on a system that has no watches left.
    pub(super) fn without_watcher() -> Self {
        Self { watcher: None, folders: BTreeMap::new(), names: Arc::default() }
    }

    /// Watches exactly these folders, without their subfolders, for events of these files.
    pub(super) fn watch<'a>(&mut self, folders: BTreeSet<&'a Path>, files: impl Iterator<Item = &'a PathBuf>) {
        let Some(watcher) = &mut self.watcher else { return };
        let names = files.map(PathBuf::as_path).chain(folders.iter().copied()).filter_map(Path::file_name);
        let names = names.map(OsString::from).collect();
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = names;

        let gone = self.folders.keys().filter(|folder| !folders.contains(folder.as_path()));
        let gone: Vec<PathBuf> = gone.cloned().collect();
        let new: Vec<&Path> = folders.into_iter().filter(|folder| !self.folders.contains_key(*folder)).collect();
        if gone.is_empty() && new.is_empty() {
            return;
        }
        let mut paths = watcher.paths_mut();
        for folder in gone {
            // The system itself ends the watch of a folder that was removed.
            let _ = paths.remove(&folder);
            self.folders.remove(&folder);
        }
        for folder in new {
            let is_watched = paths.add(folder, RecursiveMode::NonRecursive).is_ok();
            self.folders.insert(folder.to_owned(), is_watched);
        }
        if paths.commit().is_err() {
            self.watcher = None;
        }
    }

    /// Returns whether the system watches every folder.
    pub(super) fn are_complete(&self) -> bool {
        self.watcher.is_some() && self.folders.values().all(|is_watched| *is_watched)
    }
}

/// Returns whether an event may change a bake: another content of a file with one of these names, or a file or a folder that
/// appeared, vanished or was renamed.
fn matters(event: &Event, names: &BTreeSet<OsString>) -> bool {
    let is_named = |path: &PathBuf| path.file_name().is_some_and(|name| names.contains(name));
    match event.kind {
        // Somebody only reads.
        EventKind::Access(_) => false,
        EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_)) => event.paths.iter().any(is_named),
        _ => {
            event.need_rescan()
                || event.paths.is_empty()
                || event.paths.iter().any(|path| is_named(path) || has_asset_extension(path) || path.is_dir())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    #[test]
    fn saves_removals_and_new_folders_matter_and_other_files_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.glb"), b"").unwrap();
        fs::write(at("log.txt"), b"").unwrap();
        let (wake, woken) = sync_channel(1);
        let mut events = FolderEvents::open(wake);
        events.watch([folder.path()].into(), [at("a.glb")].iter());
        assert!(events.are_complete());

        fs::write(at("log.txt"), b"more").unwrap();
        fs::write(at("new.txt"), b"").unwrap();
        drop(fs::read(at("a.glb")).unwrap());
        assert!(woken.recv_timeout(Duration::from_millis(300)).is_err(), "an event without meaning");

        let changes: [(&str, &dyn Fn()); 5] = [
            ("save", &|| fs::write(at("a.glb"), b"more").unwrap()),
            ("rename", &|| fs::rename(at("log.txt"), at("a.glb")).unwrap()),
            ("new folder", &|| fs::create_dir(at("more")).unwrap()),
            ("new asset", &|| fs::write(at("b.GLTF"), b"").unwrap()),
            ("removal", &|| fs::remove_file(at("a.glb")).unwrap()),
        ];
        for (name, change) in changes {
            change();
            assert!(woken.recv_timeout(Duration::from_secs(60)).is_ok(), "{name}");
            // One change has several events.
            while woken.recv_timeout(Duration::from_millis(200)).is_ok() {}
        }
    }

    #[test]
    fn a_folder_that_cannot_be_watched_makes_the_events_incomplete() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing");
        let mut events = FolderEvents::open(sync_channel(1).0);
        events.watch([folder.path(), &missing].into(), [].iter());
        assert!(!events.are_complete());
        events.watch([folder.path()].into(), [].iter());
        assert!(events.are_complete());
        assert!(!FolderEvents::without_watcher().are_complete());
    }
}
