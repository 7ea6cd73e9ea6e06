//! Where files really are, so that different spellings of one path count as one file.

use crate::atomic_file::folder_of;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Finds the places of files. Two paths have the same place if they name the same file of the same folder. A link and
/// its target have different places.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The place of each folder, and whether the folder folds the letter case of names, by the path of the folder.
    folders: BTreeMap<PathBuf, (PathBuf, bool)>,
}

impl Places {
    /// The place of a file, which need not exist: the resolved path of its folder with its name. The name is in lower
    /// case if the file system takes names that differ only in letter case for the same name.
    pub(crate) fn of(&mut self, path: &Path) -> PathBuf {
        let folder = folder_of(path);
        if !self.folders.contains_key(folder) {
            let place = folder_place(folder);
            let folds = folds_case(&place);
            self.folders.insert(folder.to_owned(), (place, folds));
        }
        let name = path.file_name().unwrap_or_default();
        let (place, folds) = &self.folders[folder];
        match name.to_str().filter(|_| *folds) {
            Some(name) => place.join(name.to_lowercase()),
            None => place.join(name),
        }
    }
}

/// The path of a folder without links and `..`, by which it is compared with other folders.
pub(crate) fn folder_place(folder: &Path) -> PathBuf {
    fs::canonicalize(folder).or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned())
}

/// Returns whether the file system takes names in this folder that differ only in letter case for the same name.
///
/// The function writes nothing. It asks for a file of the folder by a name in other letters. If the folder has no file
/// whose name has letters, the name of the folder itself decides.
fn folds_case(folder: &Path) -> bool {
    let finds_itself = |folder: &Path, name: &OsStr| -> Option<bool> {
        let other = in_other_letters(name)?;
        let is_there = fs::symlink_metadata(folder.join(&other)).is_ok();
        // If the other name is listed too, there are two files.
        Some(is_there && fs::read_dir(folder).ok()?.flatten().all(|entry| entry.file_name() != other))
    };
    let by_files = || fs::read_dir(folder).ok()?.flatten().find_map(|entry| finds_itself(folder, &entry.file_name()));
    let by_folder = || finds_itself(folder.parent()?, folder.file_name()?);
    by_files().or_else(by_folder).unwrap_or(false)
}

/// The name with all its ASCII letters in the other case. `None` if the name has no such letters.
fn in_other_letters(name: &OsStr) -> Option<OsString> {
    let other = |letter: char| match letter.is_ascii_lowercase() {
        true => letter.to_ascii_uppercase(),
        false => letter.to_ascii_lowercase(),
    };
    let name = name.to_str()?;
    let other: String = name.chars().map(other).collect();
    (other != name).then(|| other.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_path_have_one_place() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("x")).unwrap();
        let mut places = Places::default();
        let mut of = |path: &str| places.of(&folder.path().join(path));
        let plain = of("man.bonebox");
        assert_eq!(
            [of("./man.bonebox"), of("x/../man.bonebox"), of("x/.././man.bonebox")],
            [(); 3].map(|()| plain.clone())
        );
        assert_ne!(of("x/man.bonebox"), plain);
        assert_ne!(of("woman.bonebox"), plain);
    }

    /// The result is compared with what the file system of this machine does.
    #[test]
    fn letter_case_counts_as_the_file_system_says() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("man.glb"), b"").unwrap();
        let folds = at("MAN.GLB").exists();
        assert_eq!(folds_case(folder.path()), folds);
        assert_eq!(Places::default().of(&at("Man.bonebox")) == Places::default().of(&at("mAN.bonebox")), folds);
        fs::write(at("MAN.GLB"), b"").unwrap();
        assert_eq!(folds_case(folder.path()), folds, "with both names");
        fs::create_dir(at("Below")).unwrap();
        assert_eq!(folds_case(&at("Below")), folds, "an empty folder");
    }

    #[test]
    fn a_folder_that_folds_letter_case() {
        let folder = PathBuf::from("characters");
        let mut places = Places { folders: [(folder.clone(), (folder, true))].into() };
        let mut of = |name: &str| places.of(&Path::new("characters").join(name));
        assert_eq!(of("Mädchen.bonebox"), of("MÄDCHEN.Bonebox"));
        assert_ne!(of("man.bonebox"), of("men.bonebox"));
    }
}
